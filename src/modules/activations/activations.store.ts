import { and, desc, eq, gt, isNotNull, isNull, lte, type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import type { Instant } from '../../core/instant.ts'
import type { Connection, Transaction } from '../../db/database.ts'
import { newestFirst, olderThan } from '../../db/keyset.ts'
import type { Tables } from '../../db/schema.ts'
import type { ActivationStatus } from './activations.model.ts'

export type ActivationRow = Tables['activations']['$inferSelect']

export async function insertActivation(tx: Transaction, row: ActivationRow): Promise<void> {
  await tx.q.insert(tx.t.activations).values(row)
}

export async function findActivation(connection: Connection, id: string): Promise<ActivationRow | undefined> {
  const { activations } = connection.t
  const [row] = await connection.q.select().from(activations).where(eq(activations.id, id))
  return row
}

/** Cancels one that nobody has cancelled before; undefined otherwise. */
export async function markCancelled(
  tx: Transaction,
  id: string,
  at: Instant,
  code: string,
): Promise<ActivationRow | undefined> {
  const { activations } = tx.t
  const [row] = await tx.q
    .update(activations)
    .set({ cancelledAt: at, cancellationCode: code })
    .where(and(eq(activations.id, id), isNull(activations.cancelledAt)))
    .returning()
  return row
}

/** The activation in force at an instant: not cancelled, with the greatest `effective_from` not after it. */
export async function findInForce(
  connection: Connection,
  familyId: string,
  at: Instant,
): Promise<ActivationRow | undefined> {
  const { activations } = connection.t
  const [row] = await connection.q
    .select()
    .from(activations)
    .where(and(eq(activations.familyId, familyId), isNull(activations.cancelledAt), lte(activations.effectiveFrom, at)))
    .orderBy(desc(activations.effectiveFrom))
    .limit(1)
  return row
}

/** The one that is not cancelled and begins at this very instant. */
export async function findAtInstant(
  connection: Connection,
  familyId: string,
  at: Instant,
): Promise<ActivationRow | undefined> {
  const { activations } = connection.t
  const [row] = await connection.q
    .select()
    .from(activations)
    .where(and(eq(activations.familyId, familyId), isNull(activations.cancelledAt), eq(activations.effectiveFrom, at)))
  return row
}

/** Whether the family has any activation that is not cancelled. */
export async function hasActivation(connection: Connection, familyId: string): Promise<boolean> {
  const { activations } = connection.t
  const rows = await connection.q
    .select({ id: activations.id })
    .from(activations)
    .where(and(eq(activations.familyId, familyId), isNull(activations.cancelledAt)))
    .limit(1)
  return rows.length > 0
}

/** When anything comes into force after an instant, ascending, each instant once. */
export async function listLaterInstants(connection: Connection, after: Instant, limit: number): Promise<Instant[]> {
  const { activations } = connection.t
  const rows = await connection.q
    .selectDistinct({ at: activations.effectiveFrom })
    .from(activations)
    .where(and(isNull(activations.cancelledAt), gt(activations.effectiveFrom, after)))
    .orderBy(activations.effectiveFrom)
    .limit(limit)
  return rows.map(({ at }) => at)
}

/** Of every family of a kind, the activation in force at an instant. */
export async function listInForce(
  connection: Connection,
  kind: ActivationRow['kind'],
  at: Instant,
): Promise<ActivationRow[]> {
  const { activations } = connection.t
  return connection.q
    .select()
    .from(activations)
    .where(
      and(
        eq(activations.kind, kind),
        isNull(activations.cancelledAt),
        lte(activations.effectiveFrom, at),
        sql`not ${laterInForce(connection, at)}`,
      ),
    )
}

/** Whether the same family has a later one that is in force by then. */
function laterInForce({ q, t }: Connection, at: Instant): SQL {
  const later = alias(t.activations, 'later')
  const found = q
    .select({ one: sql`1` })
    .from(later)
    .where(
      and(
        eq(later.familyId, t.activations.familyId),
        isNull(later.cancelledAt),
        gt(later.effectiveFrom, t.activations.effectiveFrom),
        lte(later.effectiveFrom, at),
      ),
    )
  return sql`exists ${found}`
}

export interface ActivationFilter {
  kind?: ActivationRow['kind'] | undefined
  familyId?: string | undefined
  status?: ActivationStatus | undefined
}

/** A page in the order in which they were scheduled, newest first; statuses are those of `now`. */
export function activationsPage(
  connection: Connection,
  filter: ActivationFilter,
  now: Instant,
  after: Pick<ActivationRow, 'scheduledAt' | 'id'> | undefined,
  limit: number,
) {
  const { activations } = connection.t
  const conditions: (SQL | undefined)[] = []
  if (filter.kind !== undefined) conditions.push(eq(activations.kind, filter.kind))
  if (filter.familyId !== undefined) conditions.push(eq(activations.familyId, filter.familyId))
  if (filter.status !== undefined) conditions.push(hasStatus(connection, filter.status, now))
  if (after !== undefined) {
    conditions.push(olderThan(activations.scheduledAt, activations.id, { createdAt: after.scheduledAt, id: after.id }))
  }
  return connection.q
    .select()
    .from(activations)
    .where(and(...conditions))
    .orderBy(...newestFirst(activations.scheduledAt, activations.id))
    .limit(limit)
}

function hasStatus(connection: Connection, status: ActivationStatus, now: Instant): SQL | undefined {
  const { activations } = connection.t
  if (status === 'cancelled') return isNotNull(activations.cancelledAt)
  const isKept = isNull(activations.cancelledAt)
  // An expression rather than the column: SQLite would otherwise look the status up by another index, and sort.
  const effectiveFrom = sql`(${activations.effectiveFrom} || '')`
  if (status === 'scheduled') return and(isKept, gt(effectiveFrom, now))
  const began = and(isKept, lte(effectiveFrom, now))
  const later = laterInForce(connection, now)
  return and(began, status === 'active' ? sql`not ${later}` : later)
}
