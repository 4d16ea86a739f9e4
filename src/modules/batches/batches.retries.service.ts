/** What failed in a batch, by cause, and retries of all rows with one cause. */
import type { Actor } from '../../core/actor.ts'
import { Fault } from '../../core/faults.ts'
import { limits } from '../../core/limits.ts'
import { mayPass } from '../../core/step-failures.ts'
import { othersTurn } from '../../core/turns.ts'
import type { Connection, Database, Transaction } from '../../db/database.ts'
import { retryWhole } from '../executions/retries.service.ts'
import { listRemovedParts } from '../tombstones/tombstones.reads.ts'
import type { BatchFailures, BatchRetried, BatchRetry } from './batches.model.ts'
import { appendBatchEvent, recordBatch } from './batches.record.ts'
import { type BatchService, requireBatch } from './batches.service.ts'
import {
  type BatchRecord,
  countRows,
  holdBatch,
  holdRows,
  listCauses,
  listFailures,
  listRows,
  moveBatch,
  queueAgain,
  type RowRecord,
} from './batches.store.ts'

export type BatchRetryService = ReturnType<typeof createBatchRetryService>

export function createBatchRetryService(database: Database, batches: Pick<BatchService, 'read'>) {
  return {
    async failures(id: string): Promise<BatchFailures> {
      await requireBatch(database.read, id)
      const causes = await listCauses(database.read, id, limits.batchCauses)
      return {
        causes: causes.map(({ state, firstRow, ...cause }) => ({
          ...cause,
          ...{
            state: state as 'failed' | 'refused',
            first_row: firstRow,
            remedy: remedyOf({ state, code: cause.code }),
          },
        })),
      }
    },

    /**
     * Retries the rows of one cause, up to a limit per request; repeating the request continues with the others. Transactions are
     * small, so that no writer waits long.
     * @throws Fault not_found; conflict for rows that must be submitted again but whose batch was cancelled or inputs were
     * removed
     */
    async retry(actor: Actor, id: string, { cause }: BatchRetry): Promise<BatchRetried> {
      const batch = await requireBatch(database.read, id)
      const rows = await listRows(database.read, id, { state: undefined, cause, after: 0 }, limits.batchRetryRows)
      const [first] = rows
      const isRetry = first !== undefined && remedyOf(first) === 'retry'
      if (batch.status === 'cancelled' && !isRetry) throw wasCancelled()
      let retried = 0
      for (let from = 0; from < rows.length; from += limits.retryBatch) {
        const some = rows.slice(from, from + limits.retryBatch)
        retried += await database.write((tx) =>
          isRetry
            ? retryRows(tx, actor, batch, { cause, rows: some })
            : submitAgain(tx, actor, batch, { cause, rows: some }),
        )
        // The embedded driver never yields by itself.
        await othersTurn()
      }
      if (retried === 0 && rows.length > 0 && (await withInputs(database.read, rows)).length === 0) {
        const detail = 'A retention policy has removed the inputs of these rows. Hand them in again as another batch.'
        throw new Fault('conflict', detail)
      }
      return { retried, remaining: await countRows(database.read, id, cause), batch: await batches.read(id) }
    },
  }
}

function wasCancelled(): Fault {
  return new Fault('conflict', 'The batch was cancelled. Hand its rows in again as another one.')
}

/** Rows of one cause. */
interface Some {
  cause: string
  rows: readonly RowRecord[]
}

/** `retry` if the same versions may succeed; else only other versions or another time can. */
function remedyOf({ state, code }: Pick<RowRecord, 'state' | 'code'>): 'retry' | 'submit_again' {
  return state === 'failed' && mayPass(0, code ?? '') ? 'retry' : 'submit_again'
}

async function retryRows(tx: Transaction, actor: Actor, batch: BatchRecord, { cause, rows }: Some): Promise<number> {
  const submissionIds = rows.flatMap(({ submissionId }) => (submissionId === null ? [] : [submissionId]))
  const moved = new Set<string>()
  for (const { submissionId, executionId, failure } of await listFailures(tx, submissionIds)) {
    if (mayPass(0, failure.code) && (await retryWhole(tx, actor, executionId))) moved.add(submissionId)
  }
  // Without attempts left, only another submission can succeed.
  const others = rows.filter(({ submissionId }) => submissionId === null || !moved.has(submissionId))
  const again = others.length === 0 ? 0 : await queue(tx, actor, batch.id, { cause, rows: others })
  return moved.size + (again ?? 0)
}

/** @throws Fault conflict if the batch was cancelled meanwhile */
async function submitAgain(tx: Transaction, actor: Actor, batch: BatchRecord, some: Some): Promise<number> {
  const moved = await queue(tx, actor, batch.id, some)
  if (moved === undefined) throw wasCancelled()
  return moved
}

/**
 * Makes rows wait for the feeder, which doesn't complete a batch that has changed since it looked. Rows are locked before their
 * batch, in the same order as when an execution is retried.
 *
 * @returns how many still had the cause; undefined if the batch is cancelled
 */
async function queue(tx: Transaction, actor: Actor, batchId: string, some: Some): Promise<number | undefined> {
  const { cause } = some
  await holdRows(
    tx,
    batchId,
    some.rows.map(({ number }) => number),
  )
  const batch = await holdBatch(tx, batchId)
  if (batch === undefined || batch.status === 'cancelled') return undefined
  const rows = await withInputs(tx, some.rows)
  const [first] = rows
  if (first === undefined) return 0
  const numbers = rows.map(({ number }) => number)
  const moved = await queueAgain(tx, batch.id, { cause, numbers, at: actor.at })
  if (moved === 0) return 0
  const reopened = { status: 'running', completedAt: null, updatedAt: actor.at } as const
  await moveBatch(tx, { id: batch.id, from: ['running', 'completed'] }, reopened)
  if (batch.status === 'completed') await appendBatchEvent(tx, actor.at, batch, 'resumed')
  const { code, step, place } = first
  await recordBatch(tx, actor, batch, 'rows_retried', { cause, code, step, place, rows: moved })
  return moved
}

/** Rows whose input no policy has removed; the others can't be submitted. */
async function withInputs(connection: Connection, rows: readonly RowRecord[]): Promise<RowRecord[]> {
  const ids = rows.flatMap(({ submissionId }) => submissionId ?? [])
  const parts = await listRemovedParts(connection, ids)
  const gone = new Set(parts.filter(({ part }) => part === 'raw_input').map(({ submissionId }) => submissionId))
  return rows.filter(({ submissionId }) => submissionId === null || !gone.has(submissionId))
}
