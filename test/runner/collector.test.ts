import { expect, test } from 'bun:test'
import { limits } from '../../src/core/limits.ts'
import { createCollector } from '../../src/runner/collector.ts'

const MB = 1_048_576

/** A process whose memory and time the test sets; a collection leaves it with `leaves` bytes. */
function processOf(leaves: number) {
  const process = { bytes: 100 * MB, ms: 0, collections: 0 }
  const afterJob = createCollector({
    residentBytes: () => process.bytes,
    nowMs: () => process.ms,
    collect() {
      process.collections++
      process.bytes = leaves
    },
  })
  /** A job ends, after so much time. */
  const job = (bytes: number, afterMs: number = limits.workerGrownLookMs) => {
    process.bytes = bytes
    process.ms += afterMs
    afterJob()
    return process.collections
  }
  return job
}

test('collects when a job has left the process larger by as much as it may grow, and not before', () => {
  const job = processOf(100 * MB)
  expect(job(100 * MB)).toBe(0)
  expect(job(100 * MB + limits.workerGrownBytes - 1)).toBe(0)
  expect(job(100 * MB + limits.workerGrownBytes)).toBe(1)
})

test('counts from what the last collection left, so that what is held for good is collected once', () => {
  const job = processOf(300 * MB)
  job(100 * MB)
  expect(job(400 * MB)).toBe(1)
  expect(job(300 * MB + limits.workerGrownBytes - 1)).toBe(1)
  expect(job(300 * MB + limits.workerGrownBytes)).toBe(2)
})

test('looks no more often than every quarter of a second, however many jobs there are', () => {
  const job = processOf(100 * MB)
  job(100 * MB)
  expect(job(400 * MB, limits.workerGrownLookMs - 1)).toBe(0)
  expect(job(400 * MB, 1)).toBe(1)
})
