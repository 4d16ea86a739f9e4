import { describe, expect, test } from 'bun:test'
import { instantFromEpochMs } from '../../src/core/instant.ts'
import { newSince } from '../../src/objects/new-since.ts'

const AGE_MS = 60_000
const HOUR_MS = 3_600_000

describe('objects are new since', () => {
  function machine() {
    const time = { nowMs: 5_000, wallMs: 1_000_000_000 }
    const clock = { now: () => instantFromEpochMs(time.wallMs) }
    const since = newSince(clock, { nowMs: () => time.nowMs }, AGE_MS)
    const pass = (milliseconds: number) => {
      time.nowMs += milliseconds
      time.wallMs += milliseconds
    }
    return { time, since, pass }
  }

  test('an age before now, where nobody sets the clock', () => {
    const { time, since, pass } = machine()
    for (const ms of [0, 1, 30_000, 100_000, 86_400_000]) {
      pass(ms)
      expect(since()).toBe(time.wallMs - AGE_MS)
    }
  })

  test('an age before the new time at once, where the clock was set back', () => {
    const { time, since, pass } = machine()
    since()
    time.wallMs -= HOUR_MS
    expect(since()).toBe(time.wallMs - AGE_MS)
    pass(2 * AGE_MS)
    expect(since()).toBe(time.wallMs - AGE_MS)
  })

  test('an age before what the old time would be, until one has passed since the clock was seen to be set forward', () => {
    const { time, since, pass } = machine()
    since()
    // Stored now, under the old time.
    const storedAtMs = time.wallMs
    pass(10_000)
    time.wallMs += HOUR_MS
    expect(since()).toBe(time.wallMs - HOUR_MS - AGE_MS)
    for (let seconds = 1; seconds <= 60; seconds++) {
      pass(1_000)
      expect(since()).toBe(time.wallMs - HOUR_MS - AGE_MS)
    }
    pass(1)
    expect(since()).toBe(time.wallMs - AGE_MS)
    expect(since()).toBeGreaterThan(storedAtMs)
  })

  test('an age before the lowest time, where the clock was set forward, back and forward again', () => {
    const { time, since, pass } = machine()
    since()
    for (const setMs of [HOUR_MS, -3 * HOUR_MS, HOUR_MS, HOUR_MS]) {
      pass(1_000)
      time.wallMs += setMs
      since()
    }
    expect(since()).toBe(time.wallMs - 2 * HOUR_MS - AGE_MS)
    pass(AGE_MS - 1_000)
    // The setting that was lowest ended as the next was seen, which is so long ago now and no longer.
    expect(since()).toBe(time.wallMs - 2 * HOUR_MS - AGE_MS)
    pass(1)
    expect(since()).toBe(time.wallMs - HOUR_MS - AGE_MS)
    pass(1_000)
    expect(since()).toBe(time.wallMs - AGE_MS)
  })

  test('at most a second earlier where a clock is slowed or hurried', () => {
    const { time, since, pass } = machine()
    for (let round = 0; round < 10_000; round++) {
      pass(1_000)
      time.wallMs += round % 2 === 0 ? 0.4 : -0.1
      const agoMs = time.wallMs - AGE_MS - since()
      expect(agoMs).toBeGreaterThanOrEqual(0)
      expect(agoMs).toBeLessThan(1_100)
    }
  })
})
