import { afterAll, beforeAll, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { newId } from '../../src/core/ids.ts'
import { instantOf } from '../../src/core/instant.ts'
import type { Database, Transaction } from '../../src/db/database.ts'
import { claimReady } from '../../src/runner/claim.store.ts'
import { recordFailure } from '../../src/runner/record.store.ts'
import { retryFailedStep } from '../../src/runner/retry.store.ts'
import { describeOnBothDialects, openTestDatabase } from '../support/database.ts'
import { seedExecution } from './seed.ts'

const madeAt = instantOf('2026-11-20T09:30:00Z')
const retriedAt = instantOf('2026-11-29T09:30:00Z')
const fault = { cause: '0123456789abcdef', code: 'contract_violated', step: 'validate', place: '/a', message: 'No.' }
const nothing = { cause: null, code: null, step: null, place: null, message: null }

type Batch = Transaction['t']['batches']['$inferInsert']['status']
type Row = Transaction['t']['batchRows']['$inferInsert']['state']

describeOnBothDialects('the row of a batch whose step is asked for again', (dialect) => {
  let database: Database
  beforeAll(async () => {
    database = await openTestDatabase(dialect)
  })
  afterAll(() => database.close())

  /** An execution that failed, as the row of a batch in these states. */
  async function failedRow(status: Batch, state: Row) {
    const id = await seedExecution(database)
    const batchId = newId()
    await database.write(async (tx) => {
      const { batches, batchRows, executions } = tx.t
      const [execution] = await tx.q.select().from(executions).where(eq(executions.id, id))
      await tx.q.insert(batches).values({
        ...{ id: batchId, name: 'batch', modelSlug: 'model', format: 'csv', contentHash: 'h', byteSize: 1, rows: 1 },
        ...{ reading: {}, status, nextRow: 2, nextOffset: 1, createdBy: 'u', correlationId: 'c' },
        ...{ createdAt: madeAt, updatedAt: madeAt, completedAt: madeAt },
      } as typeof batches.$inferInsert)
      await tx.q.insert(batchRows).values({
        ...{ batchId, number: 1, line: 1, state, submissionId: execution!.submissionId, reopened: 3, ...fault },
      })
      const claim = (await claimReady(tx, { owner: 'one', leaseMs: 60_000, limit: 50 })).find(
        (one) => one.executionId === id,
      )
      await recordFailure(tx, claim!, { durationMs: 1, failure: { code: 'x', message: 'No.', issues: [] } })
    })
    return { id, batchId }
  }

  async function read(batchId: string) {
    const { batches, batchRows } = database.read.t
    const [batch] = await database.read.q.select().from(batches).where(eq(batches.id, batchId))
    const [row] = await database.read.q.select().from(batchRows).where(eq(batchRows.batchId, batchId))
    return { batch: batch!, row: row! }
  }

  test('is at work again with nothing left of its fault, and so is its batch, whether that was complete or not', async () => {
    for (const status of ['running', 'completed'] as const) {
      for (const state of ['submitted', 'completed', 'failed'] as const) {
        const { id, batchId } = await failedRow(status, state)
        expect(await database.write((tx) => retryFailedStep(tx, retriedAt, id))).toBeUndefined()
        const { batch, row } = await read(batchId)
        expect([status, state, row]).toEqual([status, state, { ...row, state: 'submitted', reopened: 4, ...nothing }])
        expect([batch.status, batch.completedAt, batch.updatedAt]).toEqual(['running', null, retriedAt])
      }
    }
  })

  test('leaves a batch as it is that somebody has paused or cancelled', async () => {
    for (const status of ['paused', 'cancelled'] as const) {
      const { id, batchId } = await failedRow(status, 'failed')
      await database.write((tx) => retryFailedStep(tx, retriedAt, id))
      const { batch, row } = await read(batchId)
      expect([batch.status, batch.completedAt, batch.updatedAt]).toEqual([status, madeAt, madeAt])
      expect([row.state, row.reopened]).toEqual(['submitted', 4])
    }
  })

  test('never takes another row, in this batch or another', async () => {
    const [retried, other] = [await failedRow('completed', 'failed'), await failedRow('completed', 'failed')]
    const before = await read(other.batchId)
    await database.write((tx) => retryFailedStep(tx, retriedAt, retried.id))
    expect(await read(other.batchId)).toEqual(before)
  })

  test('that was refused has no submission, and is opened by nobody here', async () => {
    const { id, batchId } = await failedRow('completed', 'refused')
    const before = await read(batchId)
    await database.write((tx) => retryFailedStep(tx, retriedAt, id))
    expect(await read(batchId)).toEqual(before)
  })
})
