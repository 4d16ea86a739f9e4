import { and, desc, eq, gt, lt, ne, sql } from 'drizzle-orm'
import type { Instant } from '../../core/instant.ts'
import type { Connection, Transaction } from '../../db/database.ts'
import { prepareOnce } from '../../db/prepared.ts'
import type { Role, SignInStep } from '../../db/schema.ts'

export interface CredentialsRow {
  id: string
  username: string
  displayName: string
  roles: Role[]
  passwordHash: string
  mustChangePassword: boolean
  disabled: boolean
  isService: boolean
  /** Null for a user with a password. */
  oidcSubject: string | null
}

export async function findCredentials(connection: Connection, username: string): Promise<CredentialsRow | undefined> {
  const { users } = connection.t
  const [row] = await connection.q.select().from(users).where(eq(users.username, username))
  return row
}

export async function findCredentialsById(connection: Connection, userId: string): Promise<CredentialsRow | undefined> {
  const { users } = connection.t
  const [row] = await connection.q.select().from(users).where(eq(users.id, userId))
  return row
}

/**
 * Locks the user's row against a change of password or a disabling until the transaction ends, and reads its current state (roles
 * may have changed, too). Undefined if the password has changed since its hash was read, or the account was disabled. It is an
 * update because that locks a row in both dialects.
 */
export async function holdCredentials(
  tx: Transaction,
  userId: string,
  passwordHash: string,
): Promise<CredentialsRow | undefined> {
  const { users } = tx.t
  const [row] = await tx.q
    .update(users)
    .set({ passwordHash })
    .where(and(eq(users.id, userId), eq(users.passwordHash, passwordHash), eq(users.disabled, false)))
    .returning()
  return row
}

export async function replacePassword(
  tx: Transaction,
  userId: string,
  change: { passwordHash: string; mustChangePassword: boolean; updatedAt: Instant },
): Promise<void> {
  await tx.q.update(tx.t.users).set(change).where(eq(tx.t.users.id, userId))
}

export interface SessionRow {
  id: string
  userId: string
  host: string
  lastSeenAt: Instant
  expiresAt: Instant
  passwordGivenAt: Instant | null
  username: string
  displayName: string
  roles: Role[]
  mustChangePassword: boolean
  disabled: boolean
  oidcSubject: string | null
  awaits: SignInStep | null
}

export async function findSessionByToken(connection: Connection, tokenHash: string): Promise<SessionRow | undefined> {
  const [row] = await sessionLookup(connection).execute({ tokenHash })
  return row
}

/** Every request with a session runs this query. Built once it takes 120 µs, built each time 280. */
const sessionLookup = prepareOnce(({ q, t: { sessions, users } }) =>
  q
    .select({
      id: sessions.id,
      userId: sessions.userId,
      host: sessions.host,
      lastSeenAt: sessions.lastSeenAt,
      expiresAt: sessions.expiresAt,
      passwordGivenAt: sessions.passwordGivenAt,
      username: users.username,
      displayName: users.displayName,
      roles: users.roles,
      mustChangePassword: users.mustChangePassword,
      disabled: users.disabled,
      oidcSubject: users.oidcSubject,
      awaits: sessions.awaits,
    })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .where(eq(sessions.tokenHash, sql.placeholder('tokenHash')))
    .prepare(),
)

export async function insertSession(
  tx: Transaction,
  row: {
    id: string
    tokenHash: string
    userId: string
    host: string
    createdAt: Instant
    lastSeenAt: Instant
    expiresAt: Instant
    passwordGivenAt: Instant | null
    oidcSession: string | null
    awaits: SignInStep | null
    address: string
    browser: string
  },
): Promise<void> {
  await tx.q.insert(tx.t.sessions).values(row)
}

export async function touchSession(tx: Transaction, id: string, at: Instant): Promise<void> {
  await tx.q.update(tx.t.sessions).set({ lastSeenAt: at }).where(eq(tx.t.sessions.id, id))
}

/** False if the user no longer has such a session. */
export async function confirmSession(
  tx: Transaction,
  { id, userId }: { id: string; userId: string },
  at: Instant,
): Promise<boolean> {
  const { sessions } = tx.t
  const rows = await tx.q
    .update(sessions)
    .set({ passwordGivenAt: at })
    .where(and(eq(sessions.id, id), eq(sessions.userId, userId)))
    .returning({ id: sessions.id })
  return rows.length === 1
}

export interface ListedSession {
  id: string
  createdAt: Instant
  lastSeenAt: Instant
  expiresAt: Instant
  address: string | null
  browser: string | null
  awaits: SignInStep | null
}

/** A user's open sessions, newest first. */
export async function listSessions(
  connection: Connection,
  userId: string,
  live: { at: Instant; seenSince: Instant },
  rows: number,
): Promise<ListedSession[]> {
  const { sessions } = connection.t
  return connection.q
    .select({
      ...{ id: sessions.id, createdAt: sessions.createdAt, lastSeenAt: sessions.lastSeenAt },
      ...{ expiresAt: sessions.expiresAt, address: sessions.address, browser: sessions.browser },
      awaits: sessions.awaits,
    })
    .from(sessions)
    .where(and(eq(sessions.userId, userId), gt(sessions.expiresAt, live.at), gt(sessions.lastSeenAt, live.seenSince)))
    .orderBy(desc(sessions.id))
    .limit(rows)
}

/** False if the user has no such session. */
export async function deleteSessionOf(
  tx: Transaction,
  { id, userId }: { id: string; userId: string },
): Promise<boolean> {
  const { sessions } = tx.t
  const rows = await tx.q
    .delete(sessions)
    .where(and(eq(sessions.id, id), eq(sessions.userId, userId)))
    .returning({ id: sessions.id })
  return rows.length === 1
}

/** @returns the session that had this token */
export async function deleteSessionByToken(
  tx: Transaction,
  tokenHash: string,
): Promise<{ id: string; userId: string } | undefined> {
  const { sessions } = tx.t
  const [row] = await tx.q
    .delete(sessions)
    .where(eq(sessions.tokenHash, tokenHash))
    .returning({ id: sessions.id, userId: sessions.userId })
  return row
}

/** False if it had ended before. */
export async function deleteSession(tx: Transaction, id: string): Promise<boolean> {
  const { sessions } = tx.t
  const rows = await tx.q.delete(sessions).where(eq(sessions.id, id)).returning({ id: sessions.id })
  return rows.length === 1
}

/** @param except the id of a session to keep @returns how many were deleted */
export async function deleteSessionsOf(tx: Transaction, userId: string, except = ''): Promise<number> {
  const { sessions } = tx.t
  const rows = await tx.q
    .delete(sessions)
    .where(and(eq(sessions.userId, userId), ne(sessions.id, except)))
    .returning({ id: sessions.id })
  return rows.length
}

export async function deleteSessionsExpiredAt(tx: Transaction, at: Instant): Promise<void> {
  await tx.q.delete(tx.t.sessions).where(lt(tx.t.sessions.expiresAt, at))
}

/** Ends sessions that the provider opened: the one with this id, or all of the user. @returns the sessions and their users */
export async function deleteProviderSessions(
  tx: Transaction,
  { oidcSession, userId }: { oidcSession: string | undefined; userId: string | undefined },
): Promise<{ id: string; userId: string }[]> {
  const { sessions } = tx.t
  const ofUser = userId === undefined ? undefined : eq(sessions.userId, userId)
  const ofId = oidcSession === undefined ? undefined : eq(sessions.oidcSession, oidcSession)
  if (ofUser === undefined && ofId === undefined) return []
  return tx.q.delete(sessions).where(and(ofUser, ofId)).returning({ id: sessions.id, userId: sessions.userId })
}
