import { and, inArray, max } from 'drizzle-orm'
import { newId } from '../core/ids.ts'
import type { Instant } from '../core/instant.ts'
import type { Transaction } from '../db/database.ts'

export type Aggregate = 'execution' | 'submission' | 'release' | 'family' | 'activation' | 'user'

export interface NewEvent {
  aggregate: Aggregate
  aggregateId: string
  /** Past tense, dotted, without the aggregate: `completed`, `step.started`; the last level of the MQTT topic. */
  type: string
  data: Record<string, unknown>
  correlationId: string
}

/**
 * Writes an event in the transaction that changes the state it tells of. Its sequence is the aggregate's next, without
 * gaps; two transactions racing for one aggregate collide on the unique index, and the later one is rolled back.
 */
export function appendEvent(tx: Transaction, at: Instant, event: NewEvent): Promise<void> {
  return appendEvents(tx, at, [event])
}

/** The same for several events, of any aggregates, in order: two statements for all of them. */
export async function appendEvents(tx: Transaction, at: Instant, batch: readonly NewEvent[]): Promise<void> {
  if (batch.length === 0) return
  const { events } = tx.t
  const key = (event: { aggregate: string; aggregateId: string }) => `${event.aggregate}/${event.aggregateId}`
  const lasts = await tx.q
    .select({ aggregate: events.aggregate, aggregateId: events.aggregateId, sequence: max(events.sequence) })
    .from(events)
    .where(
      and(
        inArray(events.aggregate, [...new Set(batch.map((event) => event.aggregate))]),
        inArray(events.aggregateId, [...new Set(batch.map((event) => event.aggregateId))]),
      ),
    )
    .groupBy(events.aggregate, events.aggregateId)
  const sequences = new Map(lasts.map((last) => [key(last), Number(last.sequence)]))
  const rows = batch.map((event) => {
    const sequence = (sequences.get(key(event)) ?? 0) + 1
    sequences.set(key(event), sequence)
    return { id: newId(), ...event, sequence, createdAt: at, publishedAt: null }
  })
  await tx.q.insert(events).values(rows)
  tx.afterCommit(() => {
    for (const listener of listeners) listener(rows)
  })
}

export type CommittedEvent = NewEvent & { id: string; sequence: number; createdAt: Instant }

const listeners = new Set<(committed: readonly CommittedEvent[]) => void>()

/**
 * Calls back after every commit of this process that wrote events: a hint to look at the database at once, for the
 * relay, the runner and live traces. Commits of other instances make no call, so whoever listens polls as well.
 * @returns stops the calls
 */
export function onEventsCommitted(listener: (committed: readonly CommittedEvent[]) => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
