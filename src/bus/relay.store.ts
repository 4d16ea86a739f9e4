import { and, asc, count, eq, inArray, isNotNull, isNull, min, type SQL, sql } from 'drizzle-orm'
import { epochMsOf } from '../core/instant.ts'
import type { Connection, Database } from '../db/database.ts'
import { prepareOnce } from '../db/prepared.ts'
import type { EventRow } from './cloudevent.ts'

export interface WaitingEvent extends EventRow {
  /** The number of the newest webhook receiver registered before the event; null if unknown. */
  webhookNumber: number | null
}

/** The waiting events of one aggregate, in order, beginning with its oldest. */
export type Chain = WaitingEvent[]

/** Where events go, each with a mark of its own on the row. */
export type Outlet = 'broker' | 'webhooks'

function isWaiting({ t: { events } }: Connection, outlet: Outlet): SQL {
  return outlet === 'broker' ? isNull(events.publishedAt) : isNotNull(events.forWebhooks)
}

function waiting(connection: Connection, outlet: Outlet, condition?: SQL) {
  const { events } = connection.t
  return connection.q
    .select({
      id: events.id,
      aggregate: events.aggregate,
      aggregateId: events.aggregateId,
      sequence: events.sequence,
      type: events.type,
      data: events.data,
      correlationId: events.correlationId,
      traceparent: events.traceparent,
      createdAt: events.createdAt,
      webhookNumber: events.webhookNumber,
    })
    .from(events)
    .where(and(isWaiting(connection, outlet), condition))
    .orderBy(asc(events.createdAt), asc(events.id))
    .limit(sql.placeholder('limit'))
    .prepare()
}

/** Asked for after every commit that wrote events. */
const oldestWaiting = {
  broker: prepareOnce((connection) => waiting(connection, 'broker')),
  webhooks: prepareOnce((connection) => waiting(connection, 'webhooks')),
}

/**
 * The oldest waiting events as chains. Rows are chosen because they wait, never because they follow a
 * remembered one: ids and times are drawn before the commit, so rows appear behind others that were seen long ago. For
 * the same reason a chain starts at its aggregate's first waiting sequence and ends before a gap: what is missing
 * was written by an instance whose clock is ahead, and comes with a later load.
 */
export async function loadChains(connection: Connection, outlet: Outlet, limit: number): Promise<Chain[]> {
  const oldest: WaitingEvent[] = await oldestWaiting[outlet](connection).execute({ limit })
  if (oldest.length === 0) return []
  const byAggregate = new Map<string, WaitingEvent[]>()
  for (const row of oldest) {
    const key = chainKey(row)
    const rows = byAggregate.get(key)
    if (rows === undefined) byAggregate.set(key, [row])
    else rows.push(row)
  }
  const { events } = connection.t
  const firsts = await connection.q
    .select({ aggregate: events.aggregate, aggregateId: events.aggregateId, sequence: min(events.sequence) })
    .from(events)
    .where(
      and(
        isWaiting(connection, outlet),
        inArray(events.aggregate, [...new Set(oldest.map((row) => row.aggregate))]),
        inArray(events.aggregateId, [...new Set(oldest.map((row) => row.aggregateId))]),
      ),
    )
    .groupBy(events.aggregate, events.aggregateId)
  const chains: Chain[] = []
  for (const first of firsts) {
    let rows = byAggregate.get(chainKey(first))
    if (rows === undefined) continue
    rows.sort((a, b) => a.sequence - b.sequence)
    if (rows[0]?.sequence !== Number(first.sequence)) {
      const isOfAggregate = and(eq(events.aggregate, first.aggregate), eq(events.aggregateId, first.aggregateId))
      rows = await waiting(connection, outlet, isOfAggregate).execute({ limit })
      rows.sort((a, b) => a.sequence - b.sequence)
    }
    const start = rows[0]?.sequence ?? 0
    chains.push(rows.filter((row, index) => row.sequence === start + index))
  }
  return chains
}

export function chainKey(event: { aggregate: string; aggregateId: string }): string {
  return `${event.aggregate}/${event.aggregateId}`
}

/** Marking twice is harmless: the first time stays. */
export async function markPublished(database: Database, ids: readonly string[]): Promise<void> {
  await database.write(async (tx) => {
    const { events } = tx.t
    await tx.q
      .update(events)
      .set({ publishedAt: tx.clock })
      .where(and(inArray(events.id, [...ids]), isNull(events.publishedAt)))
  })
}

export interface Backlog {
  size: number
  oldestAgeSeconds: number
}

export async function readBacklog(connection: Connection): Promise<Backlog> {
  const { events } = connection.t
  const [row] = await connection.q
    .select({ size: count(), oldest: min(events.createdAt), now: connection.clock })
    .from(events)
    .where(isNull(events.publishedAt))
  const oldest = row?.oldest ?? null
  const ageMs = row === undefined || oldest === null ? 0 : epochMsOf(row.now) - epochMsOf(oldest)
  return { size: Number(row?.size ?? 0), oldestAgeSeconds: Math.max(0, Math.floor(ageMs / 1_000)) }
}
