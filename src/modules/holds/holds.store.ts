import { and, asc, eq, isNotNull, isNull, sql } from 'drizzle-orm'
import type { Connection, Transaction } from '../../db/database.ts'
import { newestFirst, olderThan, type PagePlace } from '../../db/keyset.ts'
import { prepareOnce } from '../../db/prepared.ts'
import type { HoldRow } from './holds.reads.ts'

export async function insertHold(tx: Transaction, row: HoldRow): Promise<void> {
  await tx.q.insert(tx.t.holds).values(row)
}

export async function findHold(connection: Connection, id: string): Promise<HoldRow | undefined> {
  const { holds } = connection.t
  const [row] = await connection.q.select().from(holds).where(eq(holds.id, id))
  return row
}

export type Release = Pick<HoldRow, 'releaseReason' | 'releasedBy' | 'releasedAt'>

/** @returns false if it was released before */
export async function releaseHold(tx: Transaction, id: string, release: Release): Promise<boolean> {
  const { holds } = tx.t
  const rows = await tx.q
    .update(holds)
    .set({ ...release, notedAt: null })
    .where(and(eq(holds.id, id), isNull(holds.releasedAt)))
    .returning({ id: holds.id })
  return rows.length === 1
}

/** Newest first. */
export function listHolds(connection: Connection, after: PagePlace | undefined, limit: number): Promise<HoldRow[]> {
  const { holds } = connection.t
  return connection.q
    .select()
    .from(holds)
    .where(after === undefined ? undefined : olderThan(holds.placedAt, holds.id, after))
    .orderBy(...newestFirst(holds.placedAt, holds.id))
    .limit(limit)
}

export async function listHoldIds(connection: Connection): Promise<{ id: string; isReleased: boolean }[]> {
  const { holds } = connection.t
  const rows = await connection.q.select({ id: holds.id, releasedAt: holds.releasedAt }).from(holds)
  return rows.map(({ id, releasedAt }) => ({ id, isReleased: releasedAt !== null }))
}

/** Holds whose current state the ledger doesn't have, oldest first. */
export function listUnnoted(connection: Connection, limit: number): Promise<HoldRow[]> {
  return unnoted(connection).execute({ limit })
}

const unnoted = prepareOnce(({ q, t: { holds } }) =>
  q.select().from(holds).where(isNull(holds.notedAt)).orderBy(asc(holds.id)).limit(sql.placeholder('limit')).prepare(),
)

/**
 * Marks a hold as noted if it is as it was read. If it was released meanwhile, it must be noted again, even if another instance
 * has done so: this note may have overwritten that one.
 */
export async function markNoted(tx: Transaction, { id, releasedAt }: HoldRow): Promise<void> {
  const { holds } = tx.t
  const isAsRead = releasedAt === null ? isNull(holds.releasedAt) : isNotNull(holds.releasedAt)
  await tx.q
    .update(holds)
    .set({ notedAt: sql`case when ${isAsRead} then ${tx.clock} end` })
    .where(eq(holds.id, id))
}
