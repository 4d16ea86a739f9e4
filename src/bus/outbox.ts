import { and, eq, sql } from 'drizzle-orm'
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
export async function appendEvent(tx: Transaction, at: Instant, event: NewEvent): Promise<void> {
  const { events } = tx.t
  const [last] = await tx.q
    .select({ sequence: sql<number>`coalesce(max(${events.sequence}), 0)` })
    .from(events)
    .where(and(eq(events.aggregate, event.aggregate), eq(events.aggregateId, event.aggregateId)))
  await tx.q.insert(events).values({
    id: newId(),
    aggregate: event.aggregate,
    aggregateId: event.aggregateId,
    sequence: Number(last?.sequence ?? 0) + 1,
    type: event.type,
    data: event.data,
    correlationId: event.correlationId,
    createdAt: at,
    publishedAt: null,
  })
}
