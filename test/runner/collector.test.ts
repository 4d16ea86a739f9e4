import { describe, expect, jest, spyOn, test } from 'bun:test'
import { limits } from '../../src/core/limits.ts'
import { createCollector } from '../../src/runner/collector.ts'

const MB = 1_048_576
const grown = limits.workerGrownBytes

/** A process whose memory and time the test sets; it holds 100 MB when the collector is made, and so much after a collection. */
function processOf(leaves = 100 * MB) {
  let [bytes, ms, collections] = [100 * MB, 0, 0]
  let waiting: (() => void)[] = []
  const afterJob = createCollector({
    residentBytes: () => bytes,
    nowMs: () => ms,
    after: (leftMs, work) => {
      expect(leftMs).toBeGreaterThan(0)
      expect(leftMs).toBeLessThanOrEqual(limits.workerGrownLookMs)
      waiting.push(work)
    },
    collect() {
      collections++
      bytes = leaves
    },
  })
  return {
    /** A job leaves so much, so long after the one before; how often it has been collected since the beginning. */
    job(left: number, afterMs: number = limits.workerGrownLookMs) {
      bytes = left
      ms += afterMs
      afterJob()
      return collections
    },
    /** Nothing more is asked for; how many were waiting, and how often it has been collected. */
    rest() {
      const looks = waiting
      waiting = []
      ms += limits.workerGrownLookMs
      for (const look of looks) look()
      return [looks.length, collections]
    },
  }
}

describe('a worker collects', () => {
  test('when a job has left it larger by as much as it may grow, also the first one, and not before', () => {
    const { job } = processOf()
    expect(job(100 * MB + grown - 1)).toBe(0)
    expect(job(100 * MB + grown)).toBe(1)
    expect(processOf().job(100 * MB + grown)).toBe(1)
  })

  test('once for what is held for good', () => {
    const { job } = processOf(300 * MB)
    expect(job(400 * MB)).toBe(1)
    expect(job(300 * MB + grown - 1)).toBe(1)
    expect(job(300 * MB + grown)).toBe(2)
  })

  test('by the least that it has held since: what was given back by itself is room no more', () => {
    const { job } = processOf(600 * MB)
    expect(job(700 * MB)).toBe(1)
    expect(job(200 * MB)).toBe(1)
    expect(job(200 * MB + grown)).toBe(2)
  })

  test('at most as often as it may, once the last of several jobs is over', () => {
    const { job, rest } = processOf()
    expect(job(100 * MB)).toBe(0)
    expect(job(400 * MB, 1)).toBe(0)
    expect(job(400 * MB, 1)).toBe(0)
    expect(rest()).toEqual([1, 1])
    expect(job(400 * MB, 1)).toBe(1)
    expect(rest()).toEqual([1, 2])
    expect(rest()).toEqual([0, 2])
  })

  test('at once when it may look again, and not a moment before', () => {
    const { job, rest } = processOf()
    expect(job(100 * MB)).toBe(0)
    expect(job(400 * MB, limits.workerGrownLookMs - 1)).toBe(0)
    expect(rest()).toEqual([1, 1])
  })

  test('by the memory that its process holds, at once and with all it has, and keeps no process alive for it', () => {
    const rss = spyOn(process.memoryUsage, 'rss').mockReturnValue(100 * MB)
    const gc = spyOn(Bun, 'gc').mockImplementation((() => {}) as never)
    const unref = jest.fn()
    const timers = spyOn(globalThis, 'setTimeout').mockImplementation((() => ({ unref })) as never)
    try {
      const afterJob = createCollector()
      afterJob()
      expect([gc.mock.calls.length, timers.mock.calls.length]).toEqual([0, 0])
      rss.mockReturnValue(100 * MB + grown)
      afterJob()
      expect(unref).toHaveBeenCalledTimes(1)
      const [look, ms] = timers.mock.calls[0] as [() => void, number]
      expect(ms).toBeWithin(1, limits.workerGrownLookMs + 1)
      look()
      expect(gc.mock.calls).toEqual([[true]])
    } finally {
      jest.restoreAllMocks()
    }
  })
})
