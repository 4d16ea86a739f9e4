import { getTableColumns, type SQL, sql } from 'drizzle-orm'
import { newId } from '../core/ids.ts'
import type { Instant } from '../core/instant.ts'
import type { Transaction } from '../db/database.ts'
import { gathered } from '../db/gathered.ts'
import {
  givenColumns,
  givenRows,
  INSERT_ROWS,
  prepareBySize,
  rowPlaceholders,
  rowValues,
  typesOf,
} from '../db/prepared.ts'
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
 * Writes an event in the transaction that changes the state it describes. Its sequence is the aggregate's next, without
 * gaps; if two transactions race for one aggregate, they collide on the unique index and the later one is rolled back.
 */
export function appendEvent(tx: Transaction, at: Instant, event: NewEvent): Promise<void> {
  return appendEvents(tx, at, [event])
}

/** The same for several events, of any aggregates, in order. */
export async function appendEvents(tx: Transaction, at: Instant, batch: readonly NewEvent[]): Promise<void> {
  if (batch.length === 0 || isTrial(tx)) return
  const rows = batch.map((event) => {
    const { traceparent = null } = event
    return { id: newId(), ...event, traceparent, createdAt: at, publishedAt: null }
  })
  const sequences = await insertEvents(tx, rows)
  const committed = rows.map((row, index) => ({ ...row, sequence: sequences[index] ?? 0 }))
  tx.afterCommit(() => {
    for (const listener of commitNews.listeners) listener(committed)
  })
}

type EventRow = Omit<CommittedEvent, 'traceparent'> & { traceparent: string | null; publishedAt: null }

/** With as few statements as they fit in; gives their sequences. */
const insertEvents = gathered<readonly Omit<EventRow, 'sequence'>[], number[]>(async (tx, calls) => {
  const { events } = tx.t
  const rows = calls.flat()
  const sequences = new Map<string, number>()
  const most = INSERT_ROWS[tx.dialect]
  for (let from = 0; from < rows.length; from += most) {
    const some = rows.slice(from, from + most)
    const values = rowValues(events, some)
    // The sub-selects see the table as it was before the statement, so each row adds its own place among those of its aggregate.
    const counts = new Map<string, number>()
    for (const [index, { aggregate, aggregateId }] of some.entries()) {
      const key = `${aggregate}/${aggregateId}`
      const place = (counts.get(key) ?? 0) + 1
      counts.set(key, place)
      values[`${index}.turn`] = place
    }
    for (const { id, sequence } of await insert(tx, some.length).execute(values)) sequences.set(id, sequence)
  }
  return calls.map((call) => call.map(({ id }) => sequences.get(id) ?? 0))
})

/** Written with every change of state, so the statement is built once for each number of rows. */
const insert = prepareBySize(INSERT_ROWS.postgres, ({ dialect, q, t: { events, webhooks } }, size) => {
  const computed = ({ aggregate, aggregateId, turn }: { [Name in 'aggregate' | 'aggregateId' | 'turn']: SQL }) => ({
    sequence: sql<number>`(select coalesce(max(sequence), 0) from ${events} where aggregate = ${aggregate} and aggregate_id = ${aggregateId}) + ${turn}`,
    forWebhooks: sql<boolean>`case when exists (select 1 from ${webhooks}) then true end`,
    webhookNumber: sql<number>`(select max(number) from ${webhooks})`,
  })
  const into = q.insert(events)
  const columns = Object.keys(getTableColumns(events))
  if (dialect === 'postgres') {
    // PostgreSQL plans each sub-select of a statement again: here the rows share one.
    const types = { ...typesOf(events), turn: 'bigint' } as const
    const given: Record<string, SQL> = givenColumns(types)
    const row: Record<string, SQL> = { ...given, ...computed(givenColumns(types)) }
    const list = columns.map((name) => row[name])
    const rows = sql`select ${sql.join(list, sql`, `)} from ${givenRows(types, size)}`
    return into.select(rows).returning(written(events)).prepare()
  }
  const rows = Array.from({ length: size }, (_row, place) => {
    const given = (name: string) => sql`${sql.placeholder(`${place}.${name}`)}`
    const turn = sql`cast(${given('turn')} as integer)`
    return {
      ...rowPlaceholders(events, place),
      ...computed({ aggregate: given('aggregate'), aggregateId: given('aggregateId'), turn }),
    }
  })
  return into.values(rows).returning(written(events)).prepare()
})

const written = (events: Transaction['t']['events']) => ({ id: events.id, sequence: events.sequence })

export type CommittedEvent = NewEvent & { id: string; sequence: number; createdAt: Instant }

type Listener = (committed: readonly CommittedEvent[]) => void

/** The listeners of this instance. A simulation runs several instances in one process and sets each one's before it runs. */
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
