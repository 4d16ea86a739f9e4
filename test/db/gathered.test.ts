import { expect, test } from 'bun:test'
import type { Transaction } from '../../src/db/database.ts'
import { Gathering, gathered } from '../../src/db/gathered.ts'

/** Statements as they went out, each with the values of its calls. */
let sent: string[] = []

const statement = (name: string) =>
  gathered<string, string>(async (_tx, calls) => {
    sent.push(`${name} ${calls.toSorted().join(',')}`)
    await Bun.sleep(0)
    if (calls.includes('broken')) throw new Error(`${name} is refused`)
    return calls.map((value) => `${name} of ${value}`)
  })
const end = statement('end')
const store = statement('store')
const move = statement('move')

type Work = (tx: Transaction) => Promise<unknown>

/** What it gives, or the message of what it throws. */
const outcomeOf = (promise: Promise<unknown>) => promise.catch((error: Error) => `thrown: ${error.message}`)

async function inStep(...works: Work[]) {
  sent = []
  const gathering = new Gathering(works.length)
  return Promise.all(works.map((work) => outcomeOf(gathering.join((seat) => work({ seat } as unknown as Transaction)))))
}

test('calls of one statement go out together, whatever comes between them, and each gets its own result', async () => {
  const results = await inStep(
    async (tx) => [await end(tx, 'a'), await move(tx, 'a')],
    async (tx) => {
      const ended = await end(tx, 'b')
      await Bun.sleep(5)
      return [ended, await store(tx, 'b'), await move(tx, 'b')]
    },
    async (tx) => {
      await Bun.sleep(5)
      return [await end(tx, 'c'), await store(tx, 'c'), await move(tx, 'c')]
    },
  )
  expect(sent).toEqual(['end a,b,c', 'move a', 'store b,c', 'move b,c'])
  expect(results).toEqual([
    ['end of a', 'move of a'],
    ['end of b', 'store of b', 'move of b'],
    ['end of c', 'store of c', 'move of c'],
  ])
})

test('a writer may make several calls at once, and leave without waiting for them', async () => {
  const unawaited: unknown[] = []
  await inStep(
    (tx) => Promise.all([end(tx, 'a'), store(tx, 'a'), end(tx, 'again')]),
    async (tx) => {
      unawaited.push(end(tx, 'b'))
    },
    async (tx) => {
      await end(tx, 'c')
      await move(tx, 'c')
    },
  )
  expect(sent).toEqual(['end a,again,b,c', 'store a', 'move c'])
  expect(await Promise.all(unawaited)).toEqual(['end of b'])
})

test('a writer that ends or fails blocks no other, and a refused statement fails all of its callers', async () => {
  const outcomes = await inStep(
    async () => 'nothing to call',
    async (tx) => {
      await end(tx, 'a')
      throw new Error('lost')
    },
    async (tx) => {
      await end(tx, 'b')
      return store(tx, 'broken')
    },
    async (tx) => {
      await end(tx, 'c')
      return outcomeOf(store(tx, 'c'))
    },
    async (tx) => {
      await end(tx, 'd')
      return move(tx, 'd')
    },
  )
  expect(sent).toEqual(['end a,b,c,d', 'store broken,c', 'move d'])
  expect(outcomes).toEqual([
    'nothing to call',
    'thrown: lost',
    'thrown: store is refused',
    'thrown: store is refused',
    'move of d',
  ])
})

test('alone, a call is carried out at once', async () => {
  sent = []
  expect(await end({} as Transaction, 'a')).toBe('end of a')
  expect(sent).toEqual(['end a'])
})
