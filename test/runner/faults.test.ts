import { describe, expect, test } from 'bun:test'
import { limits } from '../../src/core/limits.ts'
import { DatabaseGone } from '../../src/db/database.ts'
import {
  ObjectDamaged,
  ObjectStoreFull,
  ObjectStoreRefused,
  ObjectStoreUnavailable,
} from '../../src/objects/object-store.ts'
import {
  backoffMs,
  classifyFault,
  EngineThrew,
  FileMissing,
  type Unavailable,
  unavailable,
  WorkerCrashed,
  WorkerOutgrew,
  WorkerOverran,
} from '../../src/runner/faults.ts'

describe('the back-off', () => {
  const waits = (attempt: number, bounds = { firstMs: 1_000, maxMs: 60_000 }) =>
    Array.from({ length: 300 }, () => backoffMs(attempt, bounds, Math.random()))

  test.each([
    [1, 1_000],
    [2, 2_000],
    [3, 4_000],
    [4, 8_000],
  ])('of attempt %d is at most %d ms and at least half of that, and not always the same', (attempt, fullMs) => {
    const found = waits(attempt)
    expect(Math.min(...found)).toBeGreaterThanOrEqual(fullMs / 2)
    expect(Math.max(...found)).toBeLessThanOrEqual(fullMs)
    // Of 300 draws over half of it, some fall into each end.
    expect(Math.min(...found)).toBeLessThan(fullMs * 0.6)
    expect(Math.max(...found)).toBeGreaterThan(fullMs * 0.9)
  })

  test('grows no further than its bound', () => {
    expect(Math.max(...waits(9))).toBeLessThanOrEqual(60_000)
    expect(Math.min(...waits(9))).toBeGreaterThanOrEqual(30_000)
  })

  test('brings the last attempt within a few minutes of the first', () => {
    const bounds = { firstMs: limits.stepBackoffMs, maxMs: limits.stepBackoffMaxMs }
    expect(bounds.firstMs).toBeLessThan(bounds.maxMs)
    const longestMs = Array.from({ length: limits.stepAttempts - 1 }, (_, index) =>
      Math.max(...waits(index + 1, bounds)),
    )
    expect(longestMs.reduce((sum, ms) => sum + ms, 0)).toBeLessThan(5 * 60_000)
  })
})

test.each([
  ['object_store_refused', new ObjectStoreRefused('x')],
  ['object_store_full', new ObjectStoreFull('x')],
  ['object_store_unavailable', new ObjectStoreUnavailable('x')],
  ['object_damaged', new ObjectDamaged('a'.repeat(64))],
  ['worker_crashed', new WorkerCrashed('x')],
  ['engine_fault', new EngineThrew('x')],
  ['worker_outgrew', new WorkerOutgrew('x')],
  ['worker_overran', new WorkerOverran('x')],
  ['object_missing', new FileMissing('docx', 'e')],
  ['object_missing', new FileMissing('pdf', 'e')],
  ['internal_error', new Error('the inside')],
  ['internal_error', 'no error at all'],
] as const)('a fault is recorded as %s, with a message that tells nothing of the inside', (code, fault) => {
  const { code: recorded, message } = classifyFault(fault)
  expect(recorded).toBe(code)
  expect(message).toMatch(/^The .*\.$/)
  expect(message).not.toContain('the inside')
  if (fault instanceof FileMissing) expect(message).toContain(fault.format.toUpperCase())
})

test('a fault is a dependency’s where that is behind it, however deep, and is named by it', () => {
  const away = Object.assign(new Error('away'), { code: 'ECONNREFUSED' })
  const ofDatabase: Unavailable = {
    dependency: 'relational-db',
    code: 'database_unavailable',
    message: 'The database could not be used.',
  }
  expect(unavailable(away)).toEqual(ofDatabase)
  expect(unavailable(new DatabaseGone('removed'))).toEqual(ofDatabase)
  const full = new ObjectStoreFull('x', { cause: away })
  const ofStore = { dependency: 'object-store', ...classifyFault(full) } as const
  expect(ofStore.code).toBe('object_store_full')
  for (const error of [full, new Error('behind it', { cause: full })]) expect(unavailable(error)).toEqual(ofStore)
  for (const other of [new Error('x'), new FileMissing('pdf', 'e'), new WorkerCrashed('x'), 'no error'])
    expect(unavailable(other)).toBeUndefined()
})
