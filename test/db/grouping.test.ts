import { afterEach, describe, expect, jest, spyOn, test } from 'bun:test'
import { limits } from '../../src/core/limits.ts'
import { MustWait } from '../../src/db/database.ts'
import { gather, WriteGroups } from '../../src/db/write-groups.ts'
import { rejectionOf } from '../support/outcome.ts'
import { until } from '../support/until.ts'

afterEach(() => jest.restoreAllMocks())

type Outcome = PromiseSettledResult<unknown>
const done = (works: readonly string[]): Outcome[] =>
  works.map((work) => ({ status: 'fulfilled', value: `${work} is written` }))

/** Groups whose database does what the test says: everything at once, unless that is told otherwise. */
function groups({
  alone = async (work) => `${work} is written`,
  together = async (works) => done(works),
}: {
  alone?: (work: string, whenHeldUp: 'wait' | 'give up') => Promise<unknown>
  together?: (works: readonly string[]) => Promise<Outcome[]>
}) {
  const calls: string[] = []
  const made = new WriteGroups<string>({
    alone(work, whenHeldUp) {
      calls.push(`${work}${whenHeldUp === 'wait' ? ' may wait' : ''}`)
      return alone(work, whenHeldUp)
    },
    together(works) {
      calls.push(works.join('+'))
      return together(works)
    },
  })
  const writeAll = (...works: string[]) => Promise.allSettled(works.map((work) => made.write(work)))
  return { calls, writeAll, write: (work: string) => made.write(work) }
}
const valuesOf = (outcomes: readonly Outcome[]) =>
  outcomes.map((outcome) => (outcome.status === 'fulfilled' ? outcome.value : outcome.reason))
/** Work that ends when the test says so, and how much of it is under way. */
function held() {
  const waiting: { work: string; end: (value: unknown) => void }[] = []
  const hold = (work: string) => new Promise((resolve) => void waiting.push({ work, end: resolve }))
  return { waiting, hold, works: () => waiting.map(({ work }) => work) }
}

describe('writers that come together', () => {
  test('are one group, and one that comes alone is none', async () => {
    const { calls, writeAll } = groups({})
    expect(valuesOf(await writeAll('a'))).toEqual(['a is written'])
    expect(valuesOf(await writeAll('b', 'c'))).toEqual(['b is written', 'c is written'])
    expect(calls).toEqual(['a', 'b+c'])
  })

  test('are no more than a group takes, the others go next, and only one group is under way', async () => {
    const { hold, waiting } = held()
    const { calls, writeAll } = groups({
      together: async (works) => {
        await hold(works.join())
        return done(works)
      },
    })
    const all = writeAll(...Array.from({ length: limits.databaseGroupWriters + 2 }, (_, index) => `${index}`))
    await until('the first group is under way', () => waiting.length > 0)
    const late = writeAll('late')
    expect(calls.map((call) => call.split('+').length)).toEqual([limits.databaseGroupWriters])
    waiting.shift()?.end(undefined)
    await until('the next group is', () => waiting.length > 0)
    expect(calls[1]).toBe(`${limits.databaseGroupWriters}+${limits.databaseGroupWriters + 1}+late`)
    waiting.shift()?.end(undefined)
    expect(valuesOf([...(await all), ...(await late)])).not.toContain(undefined)
    expect(calls).toHaveLength(2)
  })

  test('get what their own work came to, and who has to wait is carried out alone and may', async () => {
    const refusal = new Error('refused')
    const { calls, writeAll } = groups({
      together: async () => [
        { status: 'fulfilled', value: 1 },
        { status: 'rejected', reason: refusal },
        { status: 'rejected', reason: new MustWait() },
      ],
    })
    expect(valuesOf(await writeAll('a', 'b', 'c'))).toEqual([1, refusal, 'c is written'])
    expect(calls).toEqual(['a+b+c', 'c may wait'])
  })

  test('are each carried out alone where their group failed, a few at a time and in order', async () => {
    const { hold, waiting, works } = held()
    const lost = new Error('lost')
    const { calls, writeAll } = groups({
      alone: (work) => hold(work),
      together: () => Promise.reject(new Error('one of them failed')),
    })
    const names = ['a', 'b', 'c', 'd', 'e']
    const all = writeAll(...names)
    await until('some are under way', () => waiting.length > 0)
    expect(works()).toEqual(names.slice(0, limits.databaseAloneWriters))
    waiting[1]?.end(Promise.reject(lost))
    await until('the next one is', () => waiting.length > limits.databaseAloneWriters)
    expect(works()).toEqual(names.slice(0, limits.databaseAloneWriters + 1))
    for (const { work, end } of waiting.filter(({ work }) => work !== 'b')) end(work)
    await until('the last one is', () => waiting.length === names.length)
    waiting.at(-1)?.end('e')
    expect(valuesOf(await all)).toEqual(['a', lost, 'c', 'd', 'e'])
    expect(calls).toEqual(['a+b+c+d+e', ...names])
  })

  test('are all told that the database is away, and nobody is carried out again', async () => {
    const away = Object.assign(new Error('away'), { code: 'ECONNRESET' })
    const { calls, writeAll } = groups({ together: () => Promise.reject(away) })
    expect(valuesOf(await writeAll('a', 'b'))).toEqual([away, away])
    expect(calls).toEqual(['a+b'])
  })
})

describe('a writer that is carried out alone', () => {
  test('is told what it failed with, unless it has to wait: then it is carried out again when it may', async () => {
    const refusal = new Error('refused')
    const { calls, write } = groups({
      alone: async (work, whenHeldUp) => {
        if (work === 'refused') throw refusal
        if (whenHeldUp === 'give up') throw new MustWait()
        if (work === 'refused later') throw refusal
        return work
      },
    })
    expect(await rejectionOf(write('refused'))).toBe(refusal)
    expect(await write('patient')).toBe('patient')
    expect(await rejectionOf(write('refused later'))).toBe(refusal)
    expect(calls).toEqual(['refused', 'patient', 'patient may wait', 'refused later', 'refused later may wait'])
  })

  test('keeps nobody waiting while it waits for another transaction, and only a few wait at a time', async () => {
    const { hold, works, waiting } = held()
    const { writeAll } = groups({
      alone: (work, whenHeldUp) => (whenHeldUp === 'wait' ? hold(work) : Promise.resolve(work)),
      together: async (all) =>
        all.map((work) =>
          work.startsWith('patient')
            ? { status: 'rejected', reason: new MustWait() }
            : { status: 'fulfilled', value: work },
        ),
    })
    const names = Array.from({ length: limits.databasePatientWriters + 1 }, (_, index) => `patient ${index}`)
    const patient = writeAll(...names)
    expect(valuesOf(await writeAll('a', 'b'))).toEqual(['a', 'b'])
    expect(valuesOf(await writeAll('c'))).toEqual(['c'])
    expect(works()).toEqual(names.slice(0, -1))
    waiting[0]?.end('over')
    await until('the last one waits', () => waiting.length === names.length)
    for (const { end } of waiting) end('over')
    expect(valuesOf(await patient)).toEqual(names.map(() => 'over'))
  })

  test('holds the next group up for a while only', async () => {
    const start = globalThis.setTimeout
    const ends: (() => void)[] = []
    spyOn(globalThis, 'setTimeout').mockImplementation(((then: () => void, ms: number) => {
      if (ms !== limits.databaseGroupWaitMs) return start(then, ms)
      ends.push(then)
      return ends.length
    }) as unknown as typeof setTimeout)
    const cleared = spyOn(globalThis, 'clearTimeout')
    const { hold, waiting } = held()
    const { calls, write, writeAll } = groups({
      alone: (work) => (work === 'slow' ? hold(work) : Promise.resolve(work)),
    })
    const slow = write('slow')
    await until('it is under way', () => waiting.length > 0 && ends.length > 0)
    const next = writeAll('a', 'b')
    for (let turn = 0; turn < 2 * limits.databaseGatherTurns; turn++) await new Promise(setImmediate)
    expect(calls).toEqual(['slow'])
    ends[0]?.()
    expect(valuesOf(await next)).toEqual(['a is written', 'b is written'])
    waiting[0]?.end('late')
    expect(await slow).toBe('late')
    // One that is done in time leaves no timer behind.
    expect(await write('quick')).toBe('quick')
    await until('its timer is ended', () => cleared.mock.calls.some(([timer]) => (timer as unknown as number) === 2))
  })
})

describe('writers gather', () => {
  async function turnsWith(arrivals: readonly number[]): Promise<number> {
    let turns = 0
    let waiting = 1
    await gather(
      () => waiting,
      async () => {
        waiting += arrivals[turns] ?? 0
        turns++
      },
    )
    return turns
  }

  test('for one turn, and for more while those bring more of them, up to a bound', async () => {
    expect(await turnsWith([])).toBe(1)
    expect(await turnsWith([1, 2])).toBe(3)
    expect(await turnsWith([1, 0, 1])).toBe(2)
    expect(await turnsWith(new Array(100).fill(1))).toBe(limits.databaseGatherTurns)
  })
})
