import { describe, expect, test } from 'bun:test'
import { canonicalHash, canonicalInParts, canonicalJson } from '../../src/core/canonical.ts'
import { readJson, readJsonInParts } from '../../src/core/json.ts'
import { limits } from '../../src/core/limits.ts'
import { atOnce, type InParts, inTurns, othersTurn } from '../../src/core/turns.ts'
import { requestHashOf } from '../../src/http/idempotent-request.ts'

/** Work of so many parts, each as long as a slice; `done` is told of each. */
function* slow(parts: number, done: (part: number) => void = () => {}): InParts<string> {
  for (let part = 1; part <= parts; part++) {
    const endMs = performance.now() + limits.turnMs
    while (performance.now() < endMs);
    done(part)
    yield
  }
  return 'made'
}

/** How many turns of the event loop pass until the work is done. */
async function turnsDuring(work: Promise<unknown>): Promise<number> {
  let turns = 0
  let isDone = false
  const count = () => {
    turns++
    if (!isDone) setImmediate(count)
  }
  setImmediate(count)
  await work
  isDone = true
  return turns
}

describe('work in turns', () => {
  test('lets others run between slices', async () => {
    expect(await turnsDuring(inTurns(slow(8)))).toBeGreaterThanOrEqual(6)
  })

  test('is done at once when it is small', async () => {
    await othersTurn()
    let isDone = false
    void inTurns(slow(0)).then(() => {
      isDone = true
    })
    for (let turn = 0; turn < 10 && !isDone; turn++) await Promise.resolve()
    expect(isDone).toBe(true)
  })

  test('takes turns with other work of its kind, and shares one slice with it', async () => {
    await othersTurn()
    const order: string[] = []
    const work = (name: string) => inTurns(slow(3, () => order.push(name)))
    const turns = await turnsDuring(Promise.all([work('a'), work('b'), work('c')]))
    // The first begins at once, and the others behind what is left of it.
    expect(order.join('')).toBe('aabcabcbc')
    expect(turns).toBeGreaterThanOrEqual(7)
  })

  test('goes on after work that throws', async () => {
    function* broken(): InParts<never> {
      yield
      throw new Error('broken')
    }
    const settled = await Promise.allSettled([inTurns(broken()), inTurns(slow(2)), inTurns(broken()), inTurns(slow(2))])
    expect(settled.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'rejected', 'fulfilled'])
  })
})

describe('half a megabyte', () => {
  const list = { data: { l: Array.from({ length: 60_000 }, () => ({ x: 1 })) } }
  const keys = {
    data: Object.fromEntries(Array.from({ length: 45_000 }, (_, at) => [`k${(at * 7_919) % 45_000}`, at])),
  }

  test.each([
    ['list', list],
    ['keys', keys],
  ] as const)('of a %s is read and written in small parts', (_, value) => {
    const parts = { read: 0, written: 0 }
    const text = JSON.stringify(value)
    const read = atOnce(counted(readJsonInParts(text), () => parts.read++))
    expect(read).toEqual(readJson(text))
    const made = atOnce(counted(canonicalInParts(value), () => parts.written++))
    expect(made).toEqual({ text: canonicalJson(value), hash: canonicalHash(value) })
    expect(parts.read).toBeGreaterThan(20)
    expect(parts.written).toBeGreaterThan(20)
  })

  test('in several bodies is hashed while others get their turns', async () => {
    const body = { method: 'POST', path: '/x', ifMatch: null, body: keys }
    expect(await turnsDuring(Promise.all(Array.from({ length: 6 }, () => requestHashOf(body))))).toBeGreaterThan(4)
  })
})

function* counted<T>(work: InParts<T>, onPart: () => void): InParts<T> {
  for (;;) {
    const { done, value } = work.next()
    if (done === true) return value as T
    onPart()
    yield
  }
}
