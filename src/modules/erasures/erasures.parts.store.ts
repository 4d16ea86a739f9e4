/** Rows of one part of submissions; a policy may remove a part before the rest. */
import { and, count, eq, inArray, isNotNull, isNull, notInArray, type SQL, sql } from 'drizzle-orm'
import type { Instant } from '../../core/instant.ts'
import type { RetainedPart } from '../../core/retained-parts.ts'
import type { Connection, Transaction } from '../../db/database.ts'
import { type AnswerRow, answersAbout, emptyAnswer } from './erasures.store.ts'

/** What a part of some submissions consists of. */
export interface FoundPart {
  /** Those of the submissions that exist. */
  submissionIds: string[]
  executionIds: string[]
  /** How many executions have an output. */
  outputs: number
  artifacts: { contentHash: string; byteSize: number }[]
  steps: number
  events: number
  answers: AnswerRow[]
}

export async function findPart(connection: Connection, part: RetainedPart, ids: readonly string[]): Promise<FoundPart> {
  const { submissions, executions, artifacts, steps, events } = connection.t
  const own = await connection.q
    .select({ id: submissions.id, createdAt: submissions.createdAt })
    .from(submissions)
    .where(inArray(submissions.id, [...ids]))
  const submissionIds = own.map(({ id }) => id)
  const ownExecutions = await connection.q
    .select({ id: executions.id, hasOutput: sql<number>`case when ${executions.output} is null then 0 else 1 end` })
    .from(executions)
    .where(inArray(executions.submissionId, submissionIds))
  const executionIds = ownExecutions.map(({ id }) => id)
  const found: FoundPart = { submissionIds, executionIds, outputs: 0, artifacts: [], steps: 0, events: 0, answers: [] }
  switch (part) {
    case 'raw_input': {
      const times = own.map(({ createdAt }) => createdAt)
      found.answers = await answersAbout(connection, times, [...submissionIds, ...executionIds])
      break
    }
    case 'output':
      found.outputs = ownExecutions.filter(({ hasOutput }) => Number(hasOutput) === 1).length
      break
    case 'artifacts':
      found.artifacts = await connection.q
        .select({ contentHash: artifacts.contentHash, byteSize: artifacts.byteSize })
        .from(artifacts)
        .where(and(inArray(artifacts.executionId, executionIds), isNull(artifacts.removedAt)))
      break
    case 'events': {
      const [row] = await connection.q.select({ n: count() }).from(events).where(isEarlier(connection, executionIds))
      found.events = row?.n ?? 0
      break
    }
    case 'steps': {
      const ofExecutions = inArray(steps.executionId, executionIds)
      const [row] = await connection.q.select({ n: count() }).from(steps).where(ofExecutions)
      found.steps = row?.n ?? 0
      break
    }
  }
  return found
}

/** All events of executions except each one's last, from which the next event gets its sequence. */
function isEarlier({ t: { events } }: Connection, executionIds: readonly string[]): SQL | undefined {
  const last = sql`(select max(later.sequence) from ${events} later
    where later.aggregate = 'execution' and later.aggregate_id = ${events}.aggregate_id)`
  return and(
    eq(events.aggregate, 'execution'),
    inArray(events.aggregateId, [...executionIds]),
    sql`${events}.sequence < ${last}`,
  )
}

/** Removes the part. Hashes of the removed content stay in the rows, and so do the steps with their states. */
export async function takePart(
  tx: Transaction,
  { part, found, at }: { part: RetainedPart; found: FoundPart; at: Instant },
): Promise<void> {
  const { submissions, executions, artifacts, steps, events, webhookDeliveries, batchRows } = tx.t
  const { submissionIds, executionIds } = found
  switch (part) {
    case 'raw_input':
      await tx.q
        .update(submissions)
        .set({ rawInput: REMOVED_INPUT, params: null })
        .where(inArray(submissions.id, submissionIds))
      // Recorded answers repeat the input and the params.
      for (const answer of found.answers) await emptyAnswer(tx, answer)
      return
    case 'output':
      await tx.q.update(executions).set({ output: null }).where(inArray(executions.id, executionIds))
      return
    case 'artifacts':
      await tx.q
        .update(artifacts)
        .set({ removedAt: at })
        .where(and(inArray(artifacts.executionId, executionIds), isNull(artifacts.removedAt)))
      return
    case 'events': {
      const gone = await tx.q.delete(events).where(isEarlier(tx, executionIds)).returning({ id: events.id })
      const ids = gone.map(({ id }) => id)
      await tx.q
        .delete(webhookDeliveries)
        .where(and(inArray(webhookDeliveries.aggregateId, executionIds), inArray(webhookDeliveries.eventId, ids)))
      return
    }
    case 'steps':
      await tx.q
        .update(steps)
        .set({ startedAt: null, finishedAt: null, durationMs: null, summary: null, failure: null })
        .where(inArray(steps.executionId, executionIds))
      // Batch rows repeat the failures' messages.
      await tx.q.update(batchRows).set({ message: null }).where(inArray(batchRows.submissionId, submissionIds))
  }
}

/** Stands for a removed input; no submission is made with an empty one. */
export const REMOVED_INPUT = ''

/** Of these submissions, those whose part is already removed, and those with events that not every receiver has been sent yet. */
export async function listUnfit(
  connection: Connection,
  part: RetainedPart,
  ids: readonly string[],
): Promise<{ gone: Set<string>; unsent: Set<string> }> {
  const { erasedItems, executions, events, webhooks, webhookDeliveries: d } = connection.t
  const gone = await connection.q
    .select({ id: erasedItems.itemId })
    .from(erasedItems)
    .where(and(inArray(erasedItems.itemId, [...ids]), eq(erasedItems.kind, part)))
  const idsOf = (rows: readonly { id: string }[]) => new Set(rows.map(({ id }) => id))
  if (part !== 'events') return { gone: idsOf(gone), unsent: new Set() }
  const own = await connection.q
    .select({ id: executions.id, submissionId: executions.submissionId })
    .from(executions)
    .where(inArray(executions.submissionId, [...ids]))
  // By ids: with a join, SQLite would search the events of all executions.
  const executionIds = own.map(({ id }) => id)
  const isWaiting = sql`(${isNull(events.publishedAt)} or ${isNotNull(events.forWebhooks)})`
  const waiting = idsOf([
    ...(await connection.q
      .selectDistinct({ id: events.aggregateId })
      .from(events)
      .where(and(eq(events.aggregate, 'execution'), inArray(events.aggregateId, executionIds), isWaiting))),
    ...(await connection.q
      .selectDistinct({ id: d.aggregateId })
      .from(d)
      // Deliveries whose receiver was removed are never sent.
      .innerJoin(webhooks, eq(webhooks.id, d.webhookId))
      .where(and(eq(d.aggregate, 'execution'), inArray(d.aggregateId, executionIds), sql`${d.status} = 'pending'`))),
  ])
  const unsent = own.flatMap(({ id, submissionId }) => (waiting.has(id) ? submissionId : []))
  return { gone: idsOf(gone), unsent: new Set(unsent) }
}

/** Of these submissions, those with an execution that has not ended. */
export async function listAtWork(connection: Connection, ids: readonly string[]): Promise<string[]> {
  const { executions } = connection.t
  const rows = await connection.q
    .selectDistinct({ id: executions.submissionId })
    .from(executions)
    .where(and(inArray(executions.submissionId, [...ids]), notInArray(executions.status, ['completed', 'failed'])))
  return rows.map(({ id }) => id)
}
