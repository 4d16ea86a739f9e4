import { afterEach, expect, spyOn, test } from 'bun:test'
import { epochMsNow, systemClock } from '../../src/core/clock.ts'
import { epochMsOf } from '../../src/core/instant.ts'

const trueNow = Date.now.bind(Date)
const spy = spyOn(Date, 'now')
const setClockBy = (ms: number) => spy.mockImplementation(() => trueNow() + ms)
afterEach(() => setClockBy(0))

test('the clock follows a correction in either direction at once', () => {
  for (const offMs of [3_600_000, -3_600_000, 40, -40]) {
    setClockBy(offMs)
    const before = trueNow()
    const told = epochMsOf(systemClock.now()) - offMs
    // It tells more than milliseconds, and may be off by two of those that are counted.
    expect(told).toBeWithin(before - 2, trueNow() + 5)
  }
})

test('the clock never goes back while nobody sets it, and tells more than milliseconds', () => {
  const read = Array.from({ length: 20_000 }, () => epochMsNow())
  for (const [index, at] of read.slice(1).entries()) expect(at).toBeGreaterThanOrEqual(read[index]!)
  expect(read.some((at) => at % 1 !== 0)).toBe(true)
})

test('the clock takes a pause of the process between its readings for no correction', () => {
  let ms = performance.now() + 1
  let pauseMs = 0
  const running = spyOn(performance, 'now').mockImplementation(() => ms)
  spy.mockImplementation(() => {
    ms += pauseMs
    pauseMs = 0
    return Math.floor(performance.timeOrigin + ms)
  })
  try {
    let last = epochMsNow()
    for (let round = 0; round < 200; round++) {
      if (round % 10 === 0) pauseMs = 2.1 + round / 100
      ms += 0.13
      const now = epochMsNow()
      expect(now).toBeGreaterThanOrEqual(last)
      last = now
    }
  } finally {
    running.mockRestore()
  }
})
