import { and, eq, inArray, lt, sql } from 'drizzle-orm'
import { appendEvents, type NewEvent } from '../bus/outbox.ts'
import type { Instant } from '../core/instant.ts'
import { limits } from '../core/limits.ts'
import type { Transaction } from '../db/database.ts'
import { auditExecutions, executionEvent, type MovedStep, moveExecutionsOf, moveStep } from './steps.store.ts'

/** Why nothing was put back into the queue. */
export type RetryRefusal = 'not_failed' | 'parent_failed' | 'no_attempts_left'

/**
 * Puts an execution's failed step back into the queue. Earlier attempts still count, so that a step is tried at most five times,
 * whoever asks. Executions that failed only because this one did wait for it again.
 */
export async function retryFailedStep(
  tx: Transaction,
  at: Instant,
  executionId: string,
): Promise<RetryRefusal | undefined> {
  const { steps } = tx.t
  const [failed] = await tx.q
    .select({ id: steps.id, attempt: steps.attempt, failure: steps.failure })
    .from(steps)
    .where(and(eq(steps.executionId, executionId), eq(steps.status, 'failed')))
  if (failed === undefined) return 'not_failed'
  if (failed.failure?.code === 'parent_failed') return 'parent_failed'
  if (failed.attempt >= limits.stepAttempts) return 'no_attempts_left'
  const isStillFailed = and(eq(steps.id, failed.id), eq(steps.status, 'failed'), lt(steps.attempt, limits.stepAttempts))
  const [step] = await moveStep(tx, 'queued', isStillFailed, { ...unfinished, availableAt: tx.clock })
  if (step === undefined) return 'not_failed'
  const status = step.attempt === 0 ? 'queued' : 'processing'
  const events = await reopen(tx, at, [step], status)
  await appendEvents(tx, at, [
    ...events,
    ...events.map((event) => ({ ...event, type: 'queued', data: { execution_id: executionId, status } })),
  ])
  await reopenChildren(tx, at, executionId)
  await reopenRow(tx, at, executionId)
  return undefined
}

/** Reopens the batch row of the execution, and its batch if that was complete. */
async function reopenRow(tx: Transaction, at: Instant, executionId: string): Promise<void> {
  const { batches, batchRows, executions } = tx.t
  const submission = sql`(select submission_id from ${executions} where id = ${executionId})`
  const [row] = await tx.q
    .update(batchRows)
    .set({
      state: 'submitted',
      reopened: sql`${batchRows.reopened} + 1`,
      ...{ cause: null, code: null, step: null, place: null, message: null },
    })
    .where(and(eq(batchRows.submissionId, submission), inArray(batchRows.state, ['submitted', 'completed', 'failed'])))
    .returning({ batchId: batchRows.batchId })
  if (row === undefined) return
  await tx.q
    .update(batches)
    .set({ status: 'running', completedAt: null, updatedAt: at })
    .where(and(eq(batches.id, row.batchId), inArray(batches.status, ['running', 'completed'])))
}

const unfinished = { leaseOwner: null, leaseExpiresAt: null, finishedAt: null, durationMs: null, failure: null }

/** Moves executions back to waiting for these steps. @returns the events of that */
async function reopen(
  tx: Transaction,
  at: Instant,
  moved: readonly MovedStep[],
  status: 'queued' | 'processing',
): Promise<NewEvent[]> {
  const owned = await moveExecutionsOf(tx, status, at, moved)
  return owned.map(({ step: { name: step, position, attempt }, origin }) =>
    executionEvent(origin, 'retried', { step, position, attempt, status }),
  )
}

/** Reopens children that never began because of the failure, and their children: they wait for their parent's output again. */
async function reopenChildren(tx: Transaction, at: Instant, parentId: string): Promise<void> {
  const { steps, executions } = tx.t
  const children = await tx.q
    .select({ id: executions.id, stepId: steps.id, failure: steps.failure })
    .from(executions)
    .innerJoin(steps, and(eq(steps.executionId, executions.id), eq(steps.position, 1), eq(steps.status, 'failed')))
    .where(and(eq(executions.parentExecutionId, parentId), eq(executions.status, 'failed')))
  const waiting = children.filter(({ failure }) => failure?.code === 'parent_failed')
  if (waiting.length === 0) return
  const isFirst = and(
    inArray(
      steps.id,
      waiting.map(({ stepId }) => stepId),
    ),
    eq(steps.status, 'failed'),
  )
  const moved = await moveStep(tx, 'not_started', isFirst, unfinished)
  if (moved.length > 0) {
    const events = await reopen(tx, at, moved, 'queued')
    await appendEvents(tx, at, events)
    // The audit trail's records of their end no longer apply.
    const reopened = events.map(({ aggregateId: executionId, correlationId }) => ({ executionId, correlationId }))
    await auditExecutions(tx, 'reopened', at, reopened)
  }
  for (const { executionId } of moved) await reopenChildren(tx, at, executionId)
}
