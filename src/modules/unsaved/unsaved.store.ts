import { and, desc, eq, gte, inArray, lt, ne, sql } from 'drizzle-orm'
import type { Instant } from '../../core/instant.ts'
import { holdLockOf } from '../../db/advisory-locks.ts'
import type { Connection, Transaction } from '../../db/database.ts'
import type { Tables } from '../../db/schema.ts'

export type UnsavedRow = Tables['unsavedTexts']['$inferSelect']
/** A state without its texts, which may be megabytes. */
export type UnsavedHead = Omit<UnsavedRow, 'content' | 'base'> & { hasBase: boolean }

/** Whose, and of which draft. Every statement names both, so that nobody reads or changes another user's texts. */
export interface Owned {
  userId: string
  familyId: string
}

function owned({ t: { unsavedTexts } }: Connection, { userId, familyId }: Owned) {
  return and(eq(unsavedTexts.userId, userId), eq(unsavedTexts.familyId, familyId))
}

/** Newest first. */
export async function listUnsaved(connection: Connection, of: Owned, since: Instant): Promise<UnsavedHead[]> {
  const { unsavedTexts: t } = connection.t
  const rows = await connection.q
    .select({
      ...{ id: t.id, userId: t.userId, familyId: t.familyId, tabId: t.tabId, browserId: t.browserId, step: t.step },
      ...{ contentHash: t.contentHash, baseRevision: t.baseRevision, byteSize: t.byteSize, isOpen: t.isOpen },
      ...{ begunAt: t.begunAt, typedAt: t.typedAt, hasBase: sql<unknown>`${t.base} is not null` },
    })
    .from(t)
    .where(and(owned(connection, of), gte(t.typedAt, since)))
    .orderBy(desc(t.typedAt), desc(t.id))
  return rows.map((row) => ({ ...row, hasBase: row.hasBase === true || row.hasBase === 1 }))
}

export async function findUnsaved(
  connection: Connection,
  of: Owned,
  id: string,
  since: Instant,
): Promise<UnsavedRow | undefined> {
  const { unsavedTexts: t } = connection.t
  const [row] = await connection.q
    .select()
    .from(t)
    .where(and(owned(connection, of), eq(t.id, id), gte(t.typedAt, since)))
  return row
}

/** Takes the lock of this user's texts until the transaction ends: two requests of one tab at once would both begin a state. */
export async function holdUnsaved(tx: Transaction, userId: string): Promise<void> {
  await holdLockOf(tx, 'unsaved', userId)
}

export async function insertUnsaved(tx: Transaction, row: UnsavedRow): Promise<void> {
  await tx.q.insert(tx.t.unsavedTexts).values(row)
}

/** Updates everything but the owner and the beginning. A text of a later step stays. */
export async function replaceUnsaved(tx: Transaction, row: UnsavedRow): Promise<void> {
  const { unsavedTexts: t } = tx.t
  const { id, step, content, contentHash, baseRevision, base, byteSize, isOpen, typedAt } = row
  await tx.q
    .update(t)
    .set({ step, content, contentHash, baseRevision, base, byteSize, isOpen, typedAt })
    .where(and(eq(t.id, id), lt(t.step, step)))
}

/** Closes all states of these tabs except one; the base text is dropped, because nothing needs it any more. */
export async function closeUnsaved(tx: Transaction, of: Owned, tabIds: readonly string[], but: string): Promise<void> {
  const { unsavedTexts: t } = tx.t
  const inTabs = and(owned(tx, of), inArray(t.tabId, [...tabIds]), eq(t.isOpen, true), ne(t.id, but))
  const byteSize = tx.dialect === 'sqlite' ? sql`length(cast(content as blob))` : sql`octet_length(content)`
  await tx.q.update(t).set({ isOpen: false, base: null, byteSize }).where(inTabs)
}

export async function deleteUnsaved(tx: Transaction, ids: readonly string[]): Promise<void> {
  if (ids.length > 0) await tx.q.delete(tx.t.unsavedTexts).where(inArray(tx.t.unsavedTexts.id, [...ids]))
}

export async function deleteUnsavedOfFamily(tx: Transaction, of: Owned): Promise<void> {
  await tx.q.delete(tx.t.unsavedTexts).where(owned(tx, of))
}

export async function deleteUnsavedOfUser(tx: Transaction, userId: string): Promise<void> {
  await tx.q.delete(tx.t.unsavedTexts).where(eq(tx.t.unsavedTexts.userId, userId))
}

export async function deleteUnsavedBefore(tx: Transaction, at: Instant): Promise<void> {
  await tx.q.delete(tx.t.unsavedTexts).where(lt(tx.t.unsavedTexts.typedAt, at))
}

/** Sizes of all of a user's states, most worth keeping first: open ones before all others. */
export async function sizesOfUser(tx: Transaction, userId: string): Promise<{ id: string; byteSize: number }[]> {
  const { unsavedTexts: t } = tx.t
  return tx.q
    .select({ id: t.id, byteSize: t.byteSize })
    .from(t)
    .where(eq(t.userId, userId))
    .orderBy(desc(t.isOpen), desc(t.typedAt), desc(t.id))
}
