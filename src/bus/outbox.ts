import { sql } from 'drizzle-orm'
import { newId } from '../core/ids.ts'
import type { Instant } from '../core/instant.ts'
import type { Transaction } from '../db/database.ts'
import { prepareBySize, rowPlaceholders, rowValues } from '../db/prepared.ts'
import { isTrial } from '../db/trials.ts'

export type Aggregate =
  | 'execution'
  | 'submission'
  | 'batch'
  | 'release'
  | 'family'
  | 'activation'
  | 'user'
  | 'audit'
  | 'webhook'
  | 'notice'

export interface NewEvent {
  aggregate: Aggregate
  aggregateId: string
  /** Past tense, dotted, without the aggregate: `completed`, `step.started`; the last level of the MQTT topic. */
  type: string
  data: Record<string, unknown>
  correlationId: string
  /** Trace context (W3C) of the request that led to it. */
  traceparent?: string | null | undefined
}

/**
 * Writes an event in the transaction that changes the state it tells of. Its sequence is the aggregate's next, without
 * gaps; two transactions racing for one aggregate collide on the unique index, and the later one is rolled back.
 */
export function appendEvent(tx: Transaction, at: Instant, event: NewEvent): Promise<void> {
  return appendEvents(tx, at, [event])
}

/**
 * The same for several events, of any aggregates, in order, with one statement. The sub-selects see the table as it was
 * before the statement, so each row adds its own place in the batch.
 */
export async function appendEvents(tx: Transaction, at: Instant, batch: readonly NewEvent[]): Promise<void> {
  if (batch.length === 0 || isTrial(tx)) return
  const { events } = tx.t
  const counts = new Map<string, number>()
  const rows = batch.map((event) => {
    const key = `${event.aggregate}/${event.aggregateId}`
    const place = (counts.get(key) ?? 0) + 1
    counts.set(key, place)
    const { traceparent = null } = event
    return {
      id: newId(),
      ...event,
      traceparent,
      createdAt: at,
      publishedAt: null,
      forWebhooks: null,
      webhookNumber: null,
      place,
    }
  })
  const written: { id: string; sequence: number }[] = []
  for (let from = 0; from < rows.length; from += STATEMENT_ROWS) {
    const some = rows.slice(from, from + STATEMENT_ROWS)
    // The sub-selects see rows of earlier statements, not those of the same statement.
    const values: Record<string, unknown> = rowValues(
      events,
      some.map((row) => ({ ...row, sequence: 0 })),
    )
    for (const [index, row] of some.entries()) {
      const earlier = rows
        .slice(0, from)
        .filter((one) => one.aggregate === row.aggregate && one.aggregateId === row.aggregateId).length
      values[`${index}.place`] = row.place - earlier
    }
    written.push(...(await insert(tx, some.length).execute(values)))
  }
  const numbered = new Map(written.map((row) => [row.id, row.sequence]))
  const committed = rows.map(({ place, ...row }) => ({ ...row, sequence: numbered.get(row.id) ?? place }))
  tx.afterCommit(() => {
    for (const listener of commitNews.listeners) listener(committed)
  })
}

/** Tuned: the most events that a prepared insert takes at once; more go in several. */
const STATEMENT_ROWS = 8

/** Written with every change of state, so the statement is built once for each number of rows. */
const insert = prepareBySize(STATEMENT_ROWS, ({ q, t: { events, webhooks } }, size) => {
  const rows = Array.from({ length: size }, (_row, place) => ({
    ...rowPlaceholders(events, place),
    sequence: sql<number>`(select coalesce(max(sequence), 0) from ${events} where aggregate = ${sql.placeholder(`${place}.aggregate`)} and aggregate_id = ${sql.placeholder(`${place}.aggregateId`)}) + cast(${sql.placeholder(`${place}.place`)} as integer)`,
    forWebhooks: sql<boolean>`case when exists (select 1 from ${webhooks}) then true end`,
    webhookNumber: sql<number>`(select max(number) from ${webhooks})`,
  }))
  return q.insert(events).values(rows).returning({ id: events.id, sequence: events.sequence }).prepare()
})

export type CommittedEvent = NewEvent & { id: string; sequence: number; createdAt: Instant }

type Listener = (committed: readonly CommittedEvent[]) => void

/** Of this instance. A simulation runs several instances in one process, and puts each one's own here before its turn. */
export const commitNews = { listeners: new Set<Listener>() }

/**
 * Calls back after every commit of this process that wrote events: a hint to look at the database at once, for the
 * relay, the runner and live traces. Commits of other instances make no call, so whoever listens polls as well.
 * @returns stops the calls
 */
export function onEventsCommitted(listener: Listener): () => void {
  const { listeners } = commitNews
  listeners.add(listener)
  return () => listeners.delete(listener)
}
