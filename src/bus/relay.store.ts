import { and, asc, eq, inArray, isNotNull, isNull, type SQL, sql } from 'drizzle-orm'
import { epochMsOf } from '../core/instant.ts'
import { limits } from '../core/limits.ts'
import type { Connection, Database } from '../db/database.ts'
import { prepareByIds, prepareBySize, prepareOnce } from '../db/prepared.ts'
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
 * The oldest waiting events as chains. Rows are chosen because they wait, never because they follow a remembered one:
 * ids and times are drawn before the commit, so a row can appear before others that were seen long ago. For the same
 * reason a chain starts at its aggregate's first waiting sequence and ends before a gap. The missing event was written
 * by an instance whose clock is ahead, and comes with a later load.
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
  const aggregates = [...new Set(oldest.map((row) => row.aggregate))].sort()
  const firsts = await firstWaiting(outlet, aggregates)(connection, [...new Set(oldest.map((row) => row.aggregateId))])
  const chains: Chain[] = []
  for (const first of firsts) {
    let rows = byAggregate.get(chainKey(first))
    if (rows === undefined || first.sequence === null) continue
    rows.sort((a, b) => a.sequence - b.sequence)
    if (rows[0]?.sequence !== Number(first.sequence)) {
      const { events } = connection.t
      const isOfAggregate = and(eq(events.aggregate, first.aggregate), eq(events.aggregateId, first.aggregateId))
      rows = await waiting(connection, outlet, isOfAggregate).execute({ limit })
      rows.sort((a, b) => a.sequence - b.sequence)
    }
    const start = rows[0]?.sequence ?? 0
    chains.push(rows.filter((row, index) => row.sequence === start + index))
  }
  return chains
}

interface First {
  aggregate: string
  aggregateId: string
  sequence: number | null
}

const rowsOf = (values: readonly unknown[]) =>
  sql.join(
    values.map((value) => sql`(${value})`),
    sql`, `,
  )

/** Statements by outlet and kinds of aggregates. The kinds are sorted, so there are few of these. */
const firstsOfKinds = new Map<string, ReturnType<typeof prepareByIds<First>>>()

/** Reads the first waiting sequence of each aggregate in a sub-select: otherwise PostgreSQL may search all waiting events. */
function firstWaiting(outlet: Outlet, aggregates: readonly string[]) {
  const key = `${outlet} ${aggregates.join(' ')}`
  let reading = firstsOfKinds.get(key)
  if (reading === undefined) {
    reading = prepareByIds<First>((connection, ids) => {
      const { events } = connection.t
      const [aggregate, aggregateId] = [sql<string>`kinds.column1`, sql<string>`ids.column1`]
      const isOfThis = and(
        isWaiting(connection, outlet),
        eq(events.aggregate, aggregate),
        eq(events.aggregateId, aggregateId),
      )
      const sequence = sql<number | null>`(select min(${events.sequence}) from ${events} where ${isOfThis})`
      // Both databases name the columns of VALUES column1, column2 and so on.
      return connection.q
        .select({ aggregate, aggregateId, sequence })
        .from(sql`(values ${rowsOf(aggregates)}) as kinds cross join (values ${rowsOf(ids)}) as ids`)
        .prepare()
    })
    firstsOfKinds.set(key, reading)
  }
  return reading
}

export function chainKey(event: { aggregate: string; aggregateId: string }): string {
  return `${event.aggregate}/${event.aggregateId}`
}

/** Marking twice is harmless: the first time stays. */
export async function markPublished(database: Database, ids: readonly string[]): Promise<void> {
  await database.write(async (tx) => {
    for (let from = 0; from < ids.length; from += MOST_MARKED) {
      const some = ids.slice(from, from + MOST_MARKED)
      await marking(tx, some.length).execute(Object.fromEntries(some.map((id, place) => [`id${place}`, id])))
    }
  })
}

/** Tuned: the most that one statement marks. */
const MOST_MARKED = 32

const marking = prepareBySize(MOST_MARKED, (connection, size) => {
  const { events } = connection.t
  const ids = Array.from({ length: size }, (_id, place) => sql.placeholder(`id${place}`))
  return (
    connection.q
      .update(events)
      // No condition on the mark: PostgreSQL might search all waiting events for these few.
      .set({ publishedAt: sql`coalesce(${events.publishedAt}, ${connection.clock})` })
      .where(inArray(events.id, ids))
      .prepare()
  )
})

export interface Backlog {
  /** Counted up to a bound. */
  size: number
  oldestAgeSeconds: number
}

export async function readBacklog(connection: Connection, most: number = limits.gaugeRows): Promise<Backlog> {
  const { events } = connection.t
  const [counted] = await connection.rows<{ size: number }>(
    sql`select count(*) as size from (select 1 from ${events} where published_at is null limit ${most}) as waiting`,
  )
  const [oldest] = await connection.q
    .select({ since: events.createdAt, now: connection.clock })
    .from(events)
    .where(isNull(events.publishedAt))
    .orderBy(asc(events.createdAt), asc(events.id))
    .limit(1)
  const ageMs = oldest === undefined ? 0 : epochMsOf(oldest.now) - epochMsOf(oldest.since)
  return { size: Number(counted?.size ?? 0), oldestAgeSeconds: Math.max(0, Math.floor(ageMs / 1_000)) }
}
