import { expect, test } from 'bun:test'
import { type Instant, instantFromEpochMs } from '../../src/core/instant.ts'
import { limits } from '../../src/core/limits.ts'
import { createLog } from '../../src/core/log.ts'
import { systemTimers, type Timers } from '../../src/core/timers.ts'
import { type DatabaseClock, readClock, startDatabaseClock } from '../../src/db/clock.ts'
import type { Database } from '../../src/db/database.ts'
import { rejectionOf } from '../support/outcome.ts'

const DAY_MS = Date.UTC(2026, 10, 29)

/** A database and a monotonic clock, both set by hand: a question and its answer take `tripMs` each, the first answers as long as is said. */
async function settable(options: {
  aheadMs: number
  tripMs: number
  firstAnswersMs?: number[]
  sampleMs?: number
  /** What a time says after its milliseconds, in millionths of one. */
  finer?: string
}) {
  const state = { ...options, nowMs: 5_000, asked: 0, isAway: false, answers: undefined as Promise<void> | undefined }
  const rows = async (): Promise<{ now: Instant }[]> => {
    state.asked++
    await state.answers
    if (state.isAway) throw new Error('away')
    state.nowMs += state.tripMs
    const now = instantFromEpochMs(DAY_MS + state.nowMs + state.aheadMs).replace(
      /\d{6}Z$/,
      `${options.finer ?? '000000'}Z`,
    ) as Instant
    state.nowMs += state.firstAnswersMs?.shift() ?? state.tripMs
    return [{ now }]
  }
  let tick = () => {}
  let everyMs = 0
  const timers: Timers = {
    ...systemTimers,
    nowMs: () => state.nowMs,
    every(milliseconds, action) {
      everyMs = milliseconds
      tick = action
      return () => {
        tick = () => {}
      }
    },
  }
  const logged: Record<string, unknown>[] = []
  const log = createLog({ level: 'info', readable: false, write: (line) => logged.push(JSON.parse(line)) })
  const database = { read: { rows } } as unknown as Database
  const clock: DatabaseClock =
    options.sampleMs === undefined
      ? await startDatabaseClock(database, log, undefined, timers)
      : await startDatabaseClock(database, log, options.sampleMs, timers)
  return {
    state,
    clock,
    logged,
    database,
    everyMs,
    /** By how much the clock is ahead of the day and the monotonic clock. */
    aheadMs: () => Date.parse(clock.now()) - DAY_MS - state.nowMs,
    async sample() {
      tick()
      for (let turn = 0; turn < 10; turn++) await Promise.resolve()
    },
  }
}

test('the clock of a database is taken to have been read in the middle of question and answer', async () => {
  const { aheadMs, clock } = await settable({ aheadMs: 70_000, tripMs: 40 })
  expect(aheadMs()).toBe(70_000)
  clock.stop()
})

test('parts of a millisecond count, as a server tells them', async () => {
  const { aheadMs, clock, state } = await settable({ aheadMs: 70_000, tripMs: 0, finer: '600000' })
  const before = state.nowMs
  for (const [laterMs, told] of [
    [0.25, 0],
    [0.5, 1],
  ] as const) {
    state.nowMs = before + laterMs
    expect([laterMs, aheadMs() + laterMs]).toEqual([laterMs, 70_000 + told])
  }
  clock.stop()
})

test('a clock whose first answer came days later is asked again, and is not days ahead', async () => {
  const { aheadMs, clock, state } = await settable({ aheadMs: 70_000, tripMs: 40, firstAnswersMs: [10.5 * 86_400_000] })
  expect([aheadMs(), state.asked]).toEqual([70_000, 2])
  clock.stop()
})

test('of three answers that all take more than a second the quickest counts', async () => {
  const firstAnswersMs = [8_000, 1_400, 3_000]
  const { aheadMs, clock, state } = await settable({ aheadMs: 70_000, tripMs: 40, firstAnswersMs })
  expect([aheadMs(), state.asked]).toEqual([70_000 - (1_400 - 40) / 2, 3])
  clock.stop()
})

test('a clock is asked at the interval it is given, five seconds by default, one question at a time, until it is stopped', async () => {
  expect((await settable({ aheadMs: 0, tripMs: 0 })).everyMs).toBe(limits.clockSampleMs)
  const given = await settable({ aheadMs: 0, tripMs: 0, sampleMs: 20 })
  expect(given.everyMs).toBe(20)
  const { promise, resolve } = Promise.withResolvers<void>()
  given.state.answers = promise
  await given.sample()
  await given.sample()
  expect(given.state.asked).toBe(2)
  resolve()
  await given.sample()
  await given.sample()
  expect(given.state.asked).toBe(3)
  given.clock.stop()
  await given.sample()
  expect(given.state.asked).toBe(3)
})

test('a clock moves only as far as an answer forces it to, forwards and backwards', async () => {
  const { state, sample, aheadMs, clock } = await settable({ aheadMs: 0, tripMs: 50 })
  for (const [setMs, expectedMs] of [
    // Within the time that the question took nothing says that the clock was set.
    [50, 0],
    [-50, 0],
    [60, 10],
    [10, 10],
    [-90, -40],
  ] as const) {
    state.aheadMs = setMs
    await sample()
    expect([setMs, aheadMs()]).toEqual([setMs, expectedMs])
  }
  clock.stop()
})

test('a step of a second is logged with its size, and a smaller one is not', async () => {
  const { state, sample, logged, clock } = await settable({ aheadMs: 0, tripMs: 0 })
  for (const aheadMs of [999, 0, 1_000, 0]) {
    state.aheadMs = aheadMs
    await sample()
  }
  expect(logged.map(({ level, by_ms }) => [level, by_ms])).toEqual([
    ['warn', 1_000],
    ['warn', -1_000],
  ])
  clock.stop()
})

test('a clock goes on while its database is away, and is asked again', async () => {
  const { state, sample, aheadMs, logged, clock } = await settable({ aheadMs: 500, tripMs: 0 })
  state.isAway = true
  await sample()
  state.nowMs += 1_234
  expect([aheadMs(), logged]).toEqual([500, []])
  state.isAway = false
  state.aheadMs = 700
  await sample()
  expect(aheadMs()).toBe(700)
  clock.stop()
})

test('a database that tells no time is refused', async () => {
  const silent = { read: { rows: async () => [] } } as unknown as Database
  expect(String(await rejectionOf(readClock(silent)))).toContain('did not say what time it is')
})
