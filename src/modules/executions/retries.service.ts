import type { Actor } from '../../core/actor.ts'
import { Fault } from '../../core/faults.ts'
import { parseInstant } from '../../core/instant.ts'
import { limits } from '../../core/limits.ts'
import { mayPass } from '../../core/step-failures.ts'
import type { Connection, Database, Transaction } from '../../db/database.ts'
import type { PagePlace } from '../../db/keyset.ts'
import { retryFailedStep } from '../../runner/retry.store.ts'
import { recordAudit } from '../audit/audit.service.ts'
import { listRemovedParts } from '../tombstones/tombstones.reads.ts'
import type { RetryBody, RetryOutcome } from './executions.model.ts'
import { findExecution, holdExecution } from './executions.store.ts'
import { type FailedRow, listFailed } from './retries.store.ts'

export type RetryService = ReturnType<typeof createRetryService>

/** @param pageRows how many failed executions one request looks at */
export function createRetryService(database: Database, pageRows: number = limits.retryPageRows) {
  return {
    /**
     * Looks at a page of failed executions, oldest first, and puts those that match and have attempts left back into the queue,
     * each with an audit record; a dry run only counts them. Transactions are small, so that no writer waits long: after an
     * interruption, the same request continues with the others.
     * @throws Fault validation_failed if no execution has the id in `after`
     */
    async retry(actor: Actor, body: RetryBody): Promise<RetryOutcome> {
      const rows = await listFailed(database.read, filterOf(body), {
        after: await placeOf(database.read, body.after),
        limit: pageRows + 1,
      })
      const page = rows.slice(0, pageRows)
      const asked = page.filter(({ code }) => body.code === undefined || body.code === code)
      const parts = await listRemovedParts(database.read, [...new Set(asked.map(({ submissionId }) => submissionId))])
      const removed = new Set(parts.map(({ submissionId }) => submissionId))
      const wanted = asked.filter(
        ({ attempt, code, submissionId }) =>
          !removed.has(submissionId) &&
          (body.code === undefined
            ? mayPass(attempt, code)
            : attempt < limits.stepAttempts && code !== 'parent_failed'),
      )
      const retried = body.dry_run === true ? wanted : await retryAll(database, actor, wanted)
      const last = page.at(-1)
      return {
        retried: retried.length,
        causes: causesOf(asked, new Set(retried)),
        ...(rows.length > page.length && last !== undefined ? { next_after: last.id } : {}),
      }
    },
  }
}

async function placeOf(connection: Connection, after: string | undefined): Promise<PagePlace | undefined> {
  if (after === undefined) return undefined
  const row = await findExecution(connection, after.toLowerCase())
  if (row !== undefined) return row
  throw new Fault('validation_failed', 'No execution has the id in `after`. Begin again without it.')
}

function filterOf({ step, release_id: releaseId, from, to }: RetryBody) {
  return {
    step,
    releaseId: releaseId?.toLowerCase(),
    from: from === undefined ? undefined : parseInstant(from),
    to: to === undefined ? undefined : parseInstant(to),
  }
}

async function retryAll(database: Database, actor: Actor, wanted: readonly FailedRow[]): Promise<FailedRow[]> {
  const retried: FailedRow[] = []
  for (let from = 0; from < wanted.length; from += limits.retryBatch) {
    const batch = wanted.slice(from, from + limits.retryBatch)
    const done = await database.write(async (tx) => {
      const moved: FailedRow[] = []
      for (const row of batch) if (await retryWhole(tx, actor, row.id)) moved.push(row)
      return moved
    })
    retried.push(...done)
    // The embedded driver never yields by itself.
    await new Promise((resolve) => setImmediate(resolve))
  }
  return retried
}

/**
 * Puts a failed execution back into the queue, with an audit record. False if somebody else has retried it, or a policy has
 * removed a part of its submission.
 */
export async function retryWhole(tx: Transaction, actor: Actor, executionId: string): Promise<boolean> {
  const held = await holdExecution(tx, executionId)
  if (held === undefined || (await listRemovedParts(tx, [held.submissionId])).length > 0) return false
  if ((await retryFailedStep(tx, actor.at, executionId)) !== undefined) return false
  await recordAudit(tx, actor, { action: 'execution.retried', resourceKind: 'execution', resourceId: executionId })
  return true
}

function causesOf(failed: readonly FailedRow[], retried: ReadonlySet<FailedRow>): RetryOutcome['causes'] {
  return [...Map.groupBy(failed, ({ step, code }) => `${step} ${code}`).values()]
    .flatMap((rows) => {
      const [first] = rows
      if (first === undefined) return []
      const { step, code } = first
      return [{ step, code, executions: rows.length, retried: rows.filter((row) => retried.has(row)).length }]
    })
    .sort((a, b) => b.executions - a.executions)
}
