import { and, desc, eq, gte, inArray, isNull, lt } from 'drizzle-orm'
import type { Instant } from '../../core/instant.ts'
import type { NoticeKind } from '../../core/notice-kinds.ts'
import type { Connection, Transaction } from '../../db/database.ts'
import type { Tables } from '../../db/schema.ts'

export type NoticeRow = Tables['notices']['$inferSelect']

/** Newest first. */
export async function listNotices(connection: Connection, userId: string, rows: number): Promise<NoticeRow[]> {
  const { notices } = connection.t
  return connection.q
    .select()
    .from(notices)
    .where(eq(notices.userId, userId))
    .orderBy(desc(notices.userId), desc(notices.id))
    .limit(rows)
}

/** The name of a user who can read notices; undefined for service accounts and unknown users. */
export async function findReader(tx: Transaction, userId: string): Promise<string | undefined> {
  const { users } = tx.t
  const [row] = await tx.q
    .select({ username: users.username })
    .from(users)
    .where(and(eq(users.id, userId), eq(users.isService, false)))
  return row?.username
}

export async function hasNoticeSince(tx: Transaction, userId: string, kind: NoticeKind, since: Instant) {
  const { notices } = tx.t
  const rows = await tx.q
    .select({ id: notices.id })
    .from(notices)
    .where(and(eq(notices.userId, userId), eq(notices.kind, kind), gte(notices.createdAt, since)))
    .limit(1)
  return rows.length === 1
}

/** Adds a notice, and deletes the user's oldest ones beyond `most`. */
export async function insertNotice(tx: Transaction, row: NoticeRow, most: number): Promise<void> {
  const { notices } = tx.t
  await tx.q.insert(notices).values(row)
  const [oldest] = await tx.q
    .select({ id: notices.id })
    .from(notices)
    .where(eq(notices.userId, row.userId))
    .orderBy(desc(notices.userId), desc(notices.id))
    .limit(1)
    .offset(most - 1)
  if (oldest !== undefined) {
    await tx.q.delete(notices).where(and(eq(notices.userId, row.userId), lt(notices.id, oldest.id)))
  }
}

/** Marks the user's own unread notices among these as read. @returns how many */
export async function markRead(tx: Transaction, userId: string, ids: readonly string[], at: Instant): Promise<number> {
  const { notices } = tx.t
  const rows = await tx.q
    .update(notices)
    .set({ readAt: at })
    .where(and(eq(notices.userId, userId), inArray(notices.id, [...ids]), isNull(notices.readAt)))
    .returning({ id: notices.id })
  return rows.length
}

export async function deleteNoticesBefore(tx: Transaction, at: Instant): Promise<void> {
  await tx.q.delete(tx.t.notices).where(lt(tx.t.notices.createdAt, at))
}
