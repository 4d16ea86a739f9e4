import {
  and,
  asc,
  count,
  desc,
  eq,
  gt,
  inArray,
  isNotNull,
  lt,
  lte,
  max,
  ne,
  notInArray,
  type SQL,
  sql,
} from 'drizzle-orm'
import type { EventRow } from '../../bus/cloudevent.ts'
import { addMs, type Instant } from '../../core/instant.ts'
import type { DeliveryStatus, WebhookStatus } from '../../core/kinds.ts'
import { limits } from '../../core/limits.ts'
import { holdLock } from '../../db/advisory-locks.ts'
import type { Connection, Transaction } from '../../db/database.ts'
import { prepareBySize, prepareOnce, prepareUpdate } from '../../db/prepared.ts'
import type { Tables } from '../../db/schema.ts'

export type WebhookRow = Tables['webhooks']['$inferSelect']
export type DeliveryRow = Tables['webhookDeliveries']['$inferSelect']

/** All receivers, oldest first: there are few. */
export function listWebhooks(connection: Connection): Promise<WebhookRow[]> {
  return allWebhooks(connection).execute()
}

/** Runs after every commit that wrote events. */
const allWebhooks = prepareOnce(({ q, t: { webhooks } }) =>
  q.select().from(webhooks).orderBy(asc(webhooks.id)).prepare(),
)

export async function findWebhook(connection: Connection, id: string): Promise<WebhookRow | undefined> {
  const [row] = await webhookById(connection).execute({ id })
  return row
}

/** Runs before every delivery. */
const webhookById = prepareOnce(({ q, t: { webhooks } }) =>
  q
    .select()
    .from(webhooks)
    .where(eq(webhooks.id, sql.placeholder('id')))
    .prepare(),
)

/** Reads a receiver and locks its row until the transaction ends, so that nobody stops or changes it meanwhile. */
export async function holdWebhook(tx: Transaction, id: string): Promise<WebhookRow | undefined> {
  const { webhooks } = tx.t
  const [row] = await tx.q.update(webhooks).set({ id }).where(eq(webhooks.id, id)).returning()
  return row
}

/** Takes the lock for registering receivers until the transaction ends. */
export async function holdNewWebhooks(tx: Transaction): Promise<void> {
  await holdLock(tx, 'newWebhooks')
}

export async function countWebhooks(connection: Connection): Promise<number> {
  const [row] = await connection.q.select({ n: count() }).from(connection.t.webhooks)
  return row?.n ?? 0
}

/** The number of a receiver that is registered now: greater than that of every receiver and of every waiting event. */
export async function nextWebhookNumber(tx: Transaction): Promise<number> {
  const { webhooks, events } = tx.t
  const [ofReceivers] = await tx.q.select({ last: max(webhooks.number) }).from(webhooks)
  const marked = tx.q
    .select({ last: max(events.webhookNumber) })
    .from(events)
    .where(isNotNull(events.forWebhooks))
  const [ofEvents] = await marked
  return Math.max(Number(ofReceivers?.last ?? 0), Number(ofEvents?.last ?? 0)) + 1
}

/**
 * Transactions that are writing events now. Only on PostgreSQL do they run beside others, and may have written events before they
 * could see a new receiver.
 */
export async function eventWriters(connection: Connection): Promise<string[]> {
  if (connection.dialect !== 'postgres') return []
  const rows = await connection.rows<{ id: string }>(
    sql`select virtualtransaction as id from pg_locks where relation = to_regclass('events') and mode = 'RowExclusiveLock'
      and database = (select oid from pg_database where datname = current_database())`,
  )
  return rows.map(({ id }) => id)
}

export async function insertWebhook(tx: Transaction, row: WebhookRow): Promise<void> {
  await tx.q.insert(tx.t.webhooks).values(row)
}

export async function updateWebhook(tx: Transaction, id: string, change: Partial<WebhookRow>): Promise<void> {
  await tx.q.update(tx.t.webhooks).set(change).where(eq(tx.t.webhooks.id, id))
}

/** Leaves a secret alone that was replaced meanwhile. */
export async function resealWebhook(
  tx: Transaction,
  id: string,
  before: string,
  change: Pick<WebhookRow, 'secret' | 'previousSecret'>,
): Promise<void> {
  const { webhooks } = tx.t
  await tx.q
    .update(webhooks)
    .set(change)
    .where(and(eq(webhooks.id, id), eq(webhooks.secret, before)))
}

/**
 * Depends on the row's current state, since several requests end at once. While all is well, it writes at most once a minute, so
 * that deliveries don't wait for each other.
 */
export async function countSuccess(tx: Transaction, id: string, now: Instant): Promise<void> {
  await success(tx).execute({ id, now, recently: addMs(now, -60_000) })
}

const success = prepareOnce(({ q, t: { webhooks } }) => {
  const [id, now, recently] = [sql.placeholder('id'), sql`${sql.placeholder('now')}`, sql.placeholder('recently')]
  const isRecent = sql`${webhooks.lastSuccessAt} > ${recently} and ${webhooks.lastSuccessAt} <= ${now}`
  return q
    .update(webhooks)
    .set({ failures: 0, failingSince: null, retryAt: null, lastSuccessAt: now })
    .where(and(eq(webhooks.id, id), sql`not (${webhooks.failures} = 0 and coalesce(${isRecent}, false))`))
    .prepare()
})

/**
 * Counts a failure. A success in the future, from before the clock was set back, counts as one of now: later tries come after it.
 *
 * @returns how many failures there were since the last success, and since when
 */
export async function countFailure(
  tx: Transaction,
  id: string,
  now: Instant,
): Promise<{ failures: number; failingSince: Instant }> {
  const { webhooks } = tx.t
  const [row] = await tx.q
    .update(webhooks)
    .set({
      failures: sql`${webhooks.failures} + 1`,
      failingSince: sql`coalesce(${webhooks.failingSince}, ${now})`,
      lastSuccessAt: sql`case when ${webhooks.lastSuccessAt} > ${now} then ${now} else ${webhooks.lastSuccessAt} end`,
    })
    .where(eq(webhooks.id, id))
    .returning({ failures: webhooks.failures, failingSince: webhooks.failingSince })
  return { failures: row?.failures ?? 1, failingSince: row?.failingSince ?? now }
}

/** Deletes a receiver with all its deliveries. */
export async function deleteWebhook(tx: Transaction, id: string): Promise<void> {
  const { webhooks, webhookDeliveries } = tx.t
  await tx.q.delete(webhookDeliveries).where(eq(webhookDeliveries.webhookId, id))
  await tx.q.delete(webhooks).where(eq(webhooks.id, id))
}

/** How many deliveries wait, by receiver, each counted up to a bound. */
export async function countPending(
  connection: Connection,
  most: number = limits.gaugeRows,
): Promise<Map<string, number>> {
  const { webhooks } = connection.t
  const rows = await connection.q.select({ id: webhooks.id, n: pendingOf(connection, most) }).from(webhooks)
  return new Map(rows.map(({ id, n }) => [id, Number(n)]))
}

function pendingOf({ t: { webhooks, webhookDeliveries: d } }: Connection, most: number): SQL<number> {
  return sql<number>`(select count(*) from (select 1 from ${d} d where d.webhook_id = ${webhooks}.id and d.status = 'pending'
    limit ${most}) as waiting)`
}

/** Whether events wait to become deliveries. */
export async function hasMarkedEvents(connection: Connection): Promise<boolean> {
  return (await someMarked(connection).execute()).length > 0
}

/** Ordered as the index, or PostgreSQL may search all events. */
const someMarked = prepareOnce(({ q, t: { events } }) =>
  q
    .select({ id: events.id })
    .from(events)
    .where(isNotNull(events.forWebhooks))
    .orderBy(asc(events.createdAt), asc(events.id))
    .limit(1)
    .prepare(),
)

/** Makes each event a delivery to each of its receivers, and removes the mark. Existing deliveries stay as they are. */
export async function insertDeliveries(
  tx: Transaction,
  rows: readonly DeliveryRow[],
  eventIds: readonly string[],
): Promise<void> {
  const { webhookDeliveries, events } = tx.t
  for (let from = 0; from < rows.length; from += STATEMENT_ROWS) {
    const some = rows.slice(from, from + STATEMENT_ROWS)
    await tx.q.insert(webhookDeliveries).values(some).onConflictDoNothing()
  }
  await tx.q
    .update(events)
    .set({ forWebhooks: null })
    .where(inArray(events.id, [...eventIds]))
}

/** Tuned: rows of one insert. */
const STATEMENT_ROWS = 100

/** Families of the ingestion models of submissions and executions, by the ids of these. */
export async function familiesOf(
  connection: Connection,
  submissionIds: readonly string[],
  executionIds: readonly string[],
): Promise<Map<string, string>> {
  const { submissions, executions, versions } = connection.t
  const ofSubmissions = await connection.q
    .select({ id: submissions.id, family: versions.familyId })
    .from(submissions)
    .innerJoin(versions, eq(versions.id, submissions.modelVersionId))
    .where(inArray(submissions.id, [...submissionIds]))
  const ofExecutions = await connection.q
    .select({ id: executions.id, family: versions.familyId })
    .from(executions)
    .innerJoin(submissions, eq(submissions.id, executions.submissionId))
    .innerJoin(versions, eq(versions.id, submissions.modelVersionId))
    .where(inArray(executions.id, [...executionIds]))
  return new Map([...ofSubmissions, ...ofExecutions].map(({ id, family }) => [id, family]))
}

/** The families of the ingestion models of some batches, by the batches' ids. */
export async function familiesOfBatches(connection: Connection, ids: readonly string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map()
  const { batches, families } = connection.t
  const isModel = and(eq(families.slug, batches.modelSlug), eq(families.kind, 'ingestion_model'))
  const rows = await connection.q
    .select({ id: batches.id, family: families.id })
    .from(batches)
    .innerJoin(families, isModel)
    .where(inArray(batches.id, [...ids]))
  return new Map(rows.map(({ id, family }) => [id, family]))
}

/** A delivery with its event, which is null once it was erased. */
export interface DueDelivery {
  delivery: DeliveryRow
  event: EventRow | null
}

/**
 * A receiver's deliveries that may be sent now, longest due first. Of each aggregate only its earliest waiting one, so that the
 * order holds.
 * @param except ids of running deliveries
 */
export function listDue(
  connection: Connection,
  webhookId: string,
  { now, except, limit }: { now: Instant; except: readonly string[]; limit: number },
): Promise<DueDelivery[]> {
  if (except.length === 0) return dueWhileIdle(connection).execute({ webhookId, now, limit })
  const names = Object.fromEntries(except.map((id, place) => [`except${place}`, id]))
  return dueBeside(connection, except.length).execute({ webhookId, now, limit, ...names })
}

function due(connection: Connection, condition?: SQL) {
  const { webhookDeliveries: d, events } = connection.t
  const isFirst = sql`not exists (select 1 from ${d} earlier where earlier.aggregate_id = ${d.aggregateId}
    and earlier.aggregate = ${d.aggregate} and earlier.webhook_id = ${d.webhookId}
    and earlier.sequence < ${d.sequence} and earlier.status = 'pending')`
  return connection.q
    .select({
      delivery: d,
      event: {
        id: events.id,
        aggregate: events.aggregate,
        aggregateId: events.aggregateId,
        sequence: events.sequence,
        type: events.type,
        data: events.data,
        correlationId: events.correlationId,
        traceparent: events.traceparent,
        createdAt: events.createdAt,
      },
    })
    .from(d)
    .leftJoin(events, eq(events.id, d.eventId))
    .where(
      and(
        eq(d.webhookId, sql.placeholder('webhookId')),
        sql`${d.status} = 'pending'`,
        lte(d.dueAt, sql.placeholder('now')),
        condition,
        isFirst,
      ),
    )
    .orderBy(asc(d.dueAt), asc(d.id))
    .limit(sql.placeholder('limit'))
    .prepare()
}

const dueWhileIdle = prepareOnce((connection) => due(connection))

const dueBeside = prepareBySize(limits.webhookWindow, (connection, size) => {
  const except = Array.from({ length: size }, (_id, place) => sql.placeholder(`except${place}`))
  return due(connection, notInArray(connection.t.webhookDeliveries.id, except))
})

export async function deleteDelivery(tx: Transaction, id: string): Promise<void> {
  await tx.q.delete(tx.t.webhookDeliveries).where(eq(tx.t.webhookDeliveries.id, id))
}

export const updateDelivery = prepareUpdate(({ t }) => t.webhookDeliveries)

/** Postpones the deliveries behind one, too, so that they aren't looked at before it is due again. */
export async function postponeChain(tx: Transaction, delivery: DeliveryRow, dueAt: Instant): Promise<void> {
  const { webhookDeliveries: d } = tx.t
  await tx.q
    .update(d)
    .set({ dueAt })
    .where(
      and(
        eq(d.aggregateId, delivery.aggregateId),
        eq(d.aggregate, delivery.aggregate),
        eq(d.webhookId, delivery.webhookId),
        eq(d.status, 'pending'),
        lt(d.dueAt, dueAt),
      ),
    )
}

/** Makes the deliveries behind one that has ended due at once. */
export async function releaseChain(tx: Transaction, delivery: DeliveryRow, now: Instant): Promise<void> {
  const { webhookDeliveries: d } = tx.t
  await tx.q
    .update(d)
    .set({ dueAt: now })
    .where(
      and(
        eq(d.aggregateId, delivery.aggregateId),
        eq(d.aggregate, delivery.aggregate),
        eq(d.webhookId, delivery.webhookId),
        eq(d.status, 'pending'),
        eq(d.attempts, 0),
        gt(d.dueAt, now),
      ),
    )
}

export async function findDelivery(
  connection: Connection,
  webhookId: string,
  id: string,
): Promise<DeliveryRow | undefined> {
  const { webhookDeliveries: d } = connection.t
  const [row] = await connection.q
    .select()
    .from(d)
    .where(and(eq(d.id, id), eq(d.webhookId, webhookId)))
  return row
}

/** Newest first. */
export function listDeliveries(
  connection: Connection,
  asked: { webhookId: string; status: DeliveryStatus | undefined; afterId: string | undefined; limit: number },
): Promise<DeliveryRow[]> {
  const { webhookDeliveries: d } = connection.t
  return connection.q
    .select()
    .from(d)
    .where(
      and(
        eq(d.webhookId, asked.webhookId),
        asked.status === undefined ? undefined : eq(d.status, asked.status),
        asked.afterId === undefined ? undefined : lt(d.id, asked.afterId),
      ),
    )
    .orderBy(desc(d.id))
    .limit(asked.limit)
}

/** Changes the status of an active receiver; false if it no longer was active, so that only one caller reports it. */
export async function stopWebhook(tx: Transaction, id: string, status: WebhookStatus, now: Instant): Promise<boolean> {
  const { webhooks } = tx.t
  const rows = await tx.q
    .update(webhooks)
    .set({ status, updatedAt: now })
    .where(and(eq(webhooks.id, id), eq(webhooks.status, 'active')))
    .returning({ id: webhooks.id })
  return rows.length === 1
}

export interface WebhookBacklog {
  pending: number
  /** When the oldest of them was written; null if nothing waits. */
  oldest: Instant | null
}

/** Deliveries that wait for active receivers, counted up to a bound for each. There are few receivers. */
export async function readWebhookBacklog(
  connection: Connection,
  most: number = limits.gaugeRows,
): Promise<WebhookBacklog> {
  const { webhooks, webhookDeliveries: d } = connection.t
  // Ids sort by creation time.
  const oldest = sql<Instant | null>`(select d.created_at from ${d} d where d.webhook_id = ${webhooks}.id and d.status = 'pending'
    order by d.id limit 1)`
  const rows = await connection.q
    .select({ pending: pendingOf(connection, most), oldest })
    .from(webhooks)
    .where(eq(webhooks.status, 'active'))
  const waiting = rows.flatMap(({ oldest }) => oldest ?? []).toSorted()
  return { pending: rows.reduce((sum, { pending }) => sum + Number(pending), 0), oldest: waiting[0] ?? null }
}

/** Removes old deliveries, some at a time: ended ones of active receivers, and all of others. @returns how many */
export async function pruneDeliveries(tx: Transaction, before: Instant): Promise<number> {
  const { webhookDeliveries: d } = tx.t
  const rows = await oldDeliveries(tx).execute({ before })
  if (rows.length > 0) {
    await tx.q.delete(d).where(
      inArray(
        d.id,
        rows.map(({ id }) => id),
      ),
    )
  }
  return rows.length
}

const oldDeliveries = prepareOnce(({ q, t: { webhooks, webhookDeliveries: d } }) =>
  q
    .select({ id: d.id })
    .from(d)
    .leftJoin(webhooks, eq(webhooks.id, d.webhookId))
    .where(
      and(
        lt(d.createdAt, sql.placeholder('before')),
        sql`(${d.status} <> 'pending' or ${webhooks.id} is null or ${webhooks.status} <> 'active')`,
      ),
    )
    .orderBy(asc(d.createdAt))
    .limit(limits.webhookPruneRows)
    .prepare(),
)

/** Makes tries due now that lie further ahead than any wait reaches, which happens only if the clock was set back. */
export async function mendDueTimes(tx: Transaction, now: Instant, farthest: Instant): Promise<void> {
  await mendDeliveries(tx).execute({ now, farthest })
  await mendReceivers(tx).execute({ farthest })
}

const mendDeliveries = prepareOnce(({ q, t: { webhookDeliveries: d } }) =>
  q
    .update(d)
    .set({ dueAt: sql`${sql.placeholder('now')}` })
    .where(and(eq(d.status, 'pending'), gt(d.dueAt, sql.placeholder('farthest'))))
    .prepare(),
)

const mendReceivers = prepareOnce(({ q, t: { webhooks } }) =>
  q
    .update(webhooks)
    .set({ retryAt: null })
    .where(
      and(
        ne(webhooks.status, 'paused'),
        isNotNull(webhooks.retryAt),
        gt(webhooks.retryAt, sql.placeholder('farthest')),
      ),
    )
    .prepare(),
)
