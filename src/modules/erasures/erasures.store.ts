import { and, asc, count, desc, eq, gt, inArray, isNotNull, isNull, lt, sql, sum } from 'drizzle-orm'
import { isUuid } from '../../core/ids.ts'
import type { Instant } from '../../core/instant.ts'
import { limits } from '../../core/limits.ts'
import { type AuditRow, attestedAnswer, attestedText, contentHashOf } from '../../db/audit-log.ts'
import type { Connection, Transaction } from '../../db/database.ts'
import { newestFirst, olderThan, type PagePlace } from '../../db/keyset.ts'
import { prepareOnce } from '../../db/prepared.ts'
import type { ErasedCounts, Tables } from '../../db/schema.ts'
import { erasedAnswer } from '../../http/idempotency.store.ts'
import type { ErasedItemRow, ErasureRow } from '../tombstones/tombstones.reads.ts'
import { eraseRows } from './erasures.refused.store.ts'

export type AnswerRow = Tables['idempotency']['$inferSelect']

/** All rows about an object, or about some submissions, up to what one erasure takes, oldest first. */
export interface Found {
  submissionIds: string[]
  /** References of the objects; the submissions of a policy are about several. */
  objectReferences: string[]
  /** Slugs of the ingestion models that they were submitted to. */
  models: string[]
  executions: { id: string; status: string }[]
  artifacts: { id: string; contentHash: string }[]
  auditRecords: AuditRow[]
  answers: AnswerRow[]
  counts: ErasedCounts
  /** Batches that have submitted some of these and still have their file, which contains their inputs. */
  batchesAtWork: string[]
  /** Hashes of the files that such batches had. */
  batchFiles: string[]
  /** Submissions of the object beyond those. */
  remaining: number
}

/** An object, or submissions by their ids. */
export type Subject = { objectReference: string } | { submissionIds: readonly string[] }

export async function findAbout(connection: Connection, subject: Subject, most: number): Promise<Found> {
  const { submissions, executions, steps, artifacts, events, auditRecords } = connection.t
  const isAbout =
    'objectReference' in subject
      ? eq(submissions.objectReference, subject.objectReference)
      : inArray(submissions.id, [...subject.submissionIds])
  const [total] = await connection.q.select({ n: count() }).from(submissions).where(isAbout)
  const own = await connection.q
    .select({
      ...{ id: submissions.id, modelSlug: submissions.modelSlug },
      ...{ objectReference: submissions.objectReference, createdAt: submissions.createdAt },
    })
    .from(submissions)
    .where(isAbout)
    .orderBy(asc(submissions.createdAt), asc(submissions.id))
    .limit(most)
  const submissionIds = own.map(({ id }) => id)
  const ownExecutions = await connection.q
    .select({ id: executions.id, status: executions.status })
    .from(executions)
    .where(inArray(executions.submissionId, submissionIds))
  const executionIds = ownExecutions.map(({ id }) => id)
  const ofExecutions = inArray(artifacts.executionId, executionIds)
  const files = await connection.q
    .select({ id: artifacts.id, contentHash: artifacts.contentHash })
    .from(artifacts)
    .where(ofExecutions)
  const ids = [...submissionIds, ...executionIds]
  const [bytes] = await connection.q
    .select({ n: sum(artifacts.byteSize) })
    .from(artifacts)
    .where(ofExecutions)
  const [stepCount] = await connection.q
    .select({ n: count() })
    .from(steps)
    .where(inArray(steps.executionId, executionIds))
  const [eventCount] = await connection.q.select({ n: count() }).from(events).where(eventsOf(connection, ids))
  const records = await connection.q
    .select()
    .from(auditRecords)
    .where(inArray(auditRecords.resourceId, [...ids, ...files.map(({ id }) => id)]))
  const answers = await answersAbout(
    connection,
    own.map(({ createdAt }) => createdAt),
    ids,
  )
  return {
    submissionIds,
    objectReferences: [...new Set(own.map(({ objectReference }) => objectReference))],
    models: [...new Set(own.map(({ modelSlug }) => modelSlug))],
    executions: ownExecutions,
    artifacts: files,
    auditRecords: records,
    answers,
    counts: {
      submissions: submissionIds.length,
      executions: executionIds.length,
      steps: stepCount?.n ?? 0,
      artifacts: files.length,
      artifact_bytes: Number(bytes?.n ?? 0),
      events: eventCount?.n ?? 0,
      audit_records: records.length,
      answers: answers.length,
    },
    ...(await batchesAbout(connection, submissionIds)),
    remaining: (total?.n ?? 0) - submissionIds.length,
  }
}

async function batchesAbout(connection: Connection, submissionIds: readonly string[]) {
  const { batches, batchRows } = connection.t
  const rows = await connection.q
    .selectDistinct({ id: batches.id, contentHash: batches.contentHash, fileHash: batches.fileHash })
    .from(batchRows)
    .innerJoin(batches, eq(batches.id, batchRows.batchId))
    .where(inArray(batchRows.submissionId, [...submissionIds]))
  return {
    batchesAtWork: rows.filter(({ fileHash }) => fileHash !== null).map(({ id }) => id),
    batchFiles: [...new Set(rows.map(({ contentHash }) => contentHash))],
  }
}

function eventsOf({ t: { events } }: Connection, ids: readonly string[]) {
  return and(inArray(events.aggregate, ['submission', 'execution']), inArray(events.aggregateId, [...ids]))
}

/** Recorded answers about some rows: made at one of these times, and naming one of the ids. */
export async function answersAbout(connection: Connection, times: AnswerRow['createdAt'][], ids: readonly string[]) {
  const { idempotency } = connection.t
  const rows = await connection.q.select().from(idempotency).where(inArray(idempotency.createdAt, times))
  return rows.filter(({ body }) => {
    const text = JSON.stringify(body)
    return ids.some((id) => text.includes(id))
  })
}

/** Locks what was found until the transaction ends. SQLite has only one writer anyway. */
export async function holdFound(tx: Transaction, { submissionIds, auditRecords: records }: Found): Promise<void> {
  if (tx.dialect === 'sqlite') return
  const { auditRecords } = tx.t
  const recordIds = records.map(({ id }) => id)
  await holdWork(tx, submissionIds)
  if (recordIds.length > 0) {
    await tx.rows(
      sql`select id from ${auditRecords} where ${inArray(auditRecords.id, recordIds)} order by id for update`,
    )
  }
}

/**
 * Prevents, until the transaction ends, that executions are retried or that a batch submits its inputs again. Retries take these
 * two locks in the same order.
 */
export async function holdWork(tx: Transaction, submissionIds: readonly string[]): Promise<void> {
  if (tx.dialect === 'sqlite' || submissionIds.length === 0) return
  const { executions, batchRows } = tx.t
  const [ofExecutions, ofRows] = [executions, batchRows].map(({ submissionId }) =>
    inArray(submissionId, [...submissionIds]),
  )
  await tx.rows(sql`select id from ${executions} where ${ofExecutions} order by id for update`)
  await tx.rows(sql`select number from ${batchRows} where ${ofRows} order by batch_id, number for update`)
}

export async function removeFound(tx: Transaction, { submissionIds, executions: own }: Found): Promise<void> {
  const { submissions, executions, steps, artifacts, events, webhookDeliveries } = tx.t
  const executionIds = own.map(({ id }) => id)
  // Without its event a delivery has nothing to send; a running one is the last.
  await tx.q
    .delete(webhookDeliveries)
    .where(inArray(webhookDeliveries.aggregateId, [...submissionIds, ...executionIds]))
  await tx.q.delete(events).where(eventsOf(tx, [...submissionIds, ...executionIds]))
  await tx.q.delete(artifacts).where(inArray(artifacts.executionId, executionIds))
  await tx.q.delete(steps).where(inArray(steps.executionId, executionIds))
  await tx.q.delete(executions).where(inArray(executions.id, executionIds))
  await tx.q.delete(submissions).where(inArray(submissions.id, submissionIds))
  await eraseRows(tx, inArray(tx.t.batchRows.submissionId, submissionIds))
}

/** Pauses batches older than an erasure: what they have left to submit may be what was erased, so somebody must look first. */
export async function pauseOlderBatches(tx: Transaction, before: Instant, reason: string): Promise<void> {
  const { batches } = tx.t
  await tx.q
    .update(batches)
    .set({ status: 'paused', pauseReason: reason })
    .where(and(eq(batches.status, 'running'), isNotNull(batches.fileHash), lt(batches.createdAt, before)))
}

/** Replaces a correlation id that named the object. */
const ERASED = 'erased'

/**
 * Whether a correlation id contains a reference. Ids that Quire makes (UUIDs) name nobody: a short reference would match many of
 * them.
 */
function names(correlationId: string, reference: string): boolean {
  return isUuid(correlationId) ? correlationId === reference : correlationId.includes(reference)
}

/**
 * Removes from an audit record what it says about the object. A sealed record keeps its hashes, and the erasure's tombstone
 * covers what is left; an unsealed one is rewritten with a new tag.
 *
 * @param objectReferences removed from the correlation id, too, because clients choose that
 * @returns the new content hash of a sealed record
 */
export async function emptyRecord(
  tx: Transaction,
  row: AuditRow,
  { erasureId, objectReferences }: { erasureId: string; objectReferences: readonly string[] },
): Promise<string | undefined> {
  const { auditRecords } = tx.t
  const { token_id: tokenId } = row.detail
  const detail = { erasure_id: erasureId, ...(tokenId === undefined ? {} : { token_id: tokenId }) }
  const isNaming = objectReferences.some((reference) => names(row.correlationId, reference))
  const correlationId = isNaming ? ERASED : row.correlationId
  const contentHash = contentHashOf({ ...row, detail, correlationId })
  const own = eq(auditRecords.id, row.id)
  if (row.position !== null) {
    await tx.q.update(auditRecords).set({ detail, correlationId }).where(own)
    return contentHash
  }
  const attestation = tx.attest(attestedText({ contentHash, digest: row.digest }))
  await tx.q.update(auditRecords).set({ detail, correlationId, contentHash, attestation }).where(own)
  return undefined
}

/** The key stays used, but its answer is removed. */
export async function emptyAnswer(tx: Transaction, row: AnswerRow): Promise<void> {
  const { idempotency } = tx.t
  const emptied = { ...row, status: erasedAnswer, body: {} }
  await tx.q
    .update(idempotency)
    .set({ status: emptied.status, body: emptied.body, attestation: tx.attest(attestedAnswer(emptied)) })
    .where(and(eq(idempotency.actorId, row.actorId), eq(idempotency.key, row.key)))
}

/**
 * Removes the object's reference from its holds, which have been released; the hash stays. The recorded answers to placing and
 * releasing them name the object, too, and are emptied.
 */
export async function forgetReference(tx: Transaction, objectReferenceHash: string): Promise<void> {
  const { holds } = tx.t
  const own = eq(holds.objectReferenceHash, objectReferenceHash)
  const rows = await tx.q.update(holds).set({ objectReference: null }).where(own).returning()
  const times = rows.flatMap(({ placedAt, releasedAt }) => [placedAt, ...(releasedAt === null ? [] : [releasedAt])])
  const ids = rows.map(({ id }) => id)
  for (const answer of await answersAbout(tx, times, ids)) await emptyAnswer(tx, answer)
}

export async function insertErasure(tx: Transaction, row: ErasureRow, items: readonly ErasedItemRow[]): Promise<void> {
  const { erasures, erasedItems } = tx.t
  await tx.q.insert(erasures).values(row)
  for (let from = 0; from < items.length; from += STATEMENT_ITEMS) {
    await tx.q.insert(erasedItems).values(items.slice(from, from + STATEMENT_ITEMS))
  }
}

/** Tuned: rows of one insert. */
const STATEMENT_ITEMS = 500

export async function findErasure(connection: Connection, id: string): Promise<ErasureRow | undefined> {
  const { erasures } = connection.t
  const [row] = await connection.q.select().from(erasures).where(eq(erasures.id, id))
  return row
}

/** Newest first. */
export function listErasures(
  connection: Connection,
  after: PagePlace | undefined,
  limit: number,
): Promise<ErasureRow[]> {
  const { erasures } = connection.t
  return connection.q
    .select()
    .from(erasures)
    .where(after === undefined ? undefined : olderThan(erasures.erasedAt, erasures.id, after))
    .orderBy(...newestFirst(erasures.erasedAt, erasures.id))
    .limit(limit)
}

/** Ids of all erasures, read page by page. */
export async function* erasureIds(connection: Connection): AsyncGenerator<string> {
  const { erasures } = connection.t
  for (let last = ''; ; ) {
    const rows = await connection.q
      .select({ id: erasures.id })
      .from(erasures)
      .where(gt(erasures.id, last))
      .orderBy(asc(erasures.id))
      .limit(limits.tableHashRows)
    for (const { id } of rows) yield id
    const end = rows.at(-1)
    if (end === undefined || rows.length < limits.tableHashRows) return
    last = end.id
  }
}

/** Those of these submissions that exist. */
export async function listThere(connection: Connection, submissionIds: readonly string[]): Promise<string[]> {
  const { submissions } = connection.t
  const isListed = inArray(submissions.id, [...submissionIds])
  const rows = await connection.q.select({ id: submissions.id }).from(submissions).where(isListed)
  return rows.map(({ id }) => id)
}

export async function listItems(connection: Connection, erasureId: string): Promise<ErasedItemRow[]> {
  const { erasedItems } = connection.t
  return connection.q.select().from(erasedItems).where(eq(erasedItems.erasureId, erasureId))
}

/** Erasures whose objects or files are not cleared yet, oldest first. */
export async function listPending(connection: Connection, limit: number): Promise<Pick<ErasureRow, 'id' | 'rule'>[]> {
  return pending(connection).execute({ limit })
}

const pending = prepareOnce(({ q, t: { erasures } }) =>
  q
    .select({ id: erasures.id, rule: erasures.rule })
    .from(erasures)
    .where(isNull(erasures.completedAt))
    .orderBy(asc(erasures.id))
    .limit(sql.placeholder('limit'))
    .prepare(),
)

export async function listErasedObjects(connection: Connection, erasureId: string): Promise<string[]> {
  return (await erasedObjects(connection).execute({ erasureId })).map(({ hash }) => hash)
}

/** Runs repeatedly until the objects are old enough to be removed. */
const erasedObjects = prepareOnce(({ q, t: { erasedItems } }) =>
  q
    .select({ hash: erasedItems.itemId })
    .from(erasedItems)
    .where(and(eq(erasedItems.erasureId, sql.placeholder('erasureId')), eq(erasedItems.kind, 'object')))
    .orderBy(desc(erasedItems.itemId))
    .prepare(),
)

export async function markCompleted(tx: Transaction, id: string): Promise<void> {
  const { erasures } = tx.t
  await tx.q
    .update(erasures)
    .set({ completedAt: tx.clock })
    .where(and(eq(erasures.id, id), isNull(erasures.completedAt)))
}
