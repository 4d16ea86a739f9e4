import { and, desc, eq, lt, sql } from 'drizzle-orm'
import type { Instant } from '../../core/instant.ts'
import type { Connection, Transaction } from '../../db/database.ts'
import type { Role } from '../../db/schema.ts'

export interface UserRow {
  id: string
  username: string
  displayName: string
  roles: Role[]
  disabled: boolean
  mustChangePassword: boolean
  isService: boolean
  /** The provider's issuer and subject; null for a user with a password. */
  oidcIssuer: string | null
  oidcSubject: string | null
  /** When the provider last vouched for the user. */
  oidcSignedInAt: Instant | null
  createdAt: Instant
  updatedAt: Instant
}

/** Everything but the password's hash, which no caller needs. */
function columns({ t: { users } }: Connection) {
  return {
    id: users.id,
    username: users.username,
    displayName: users.displayName,
    roles: users.roles,
    disabled: users.disabled,
    mustChangePassword: users.mustChangePassword,
    isService: users.isService,
    oidcIssuer: users.oidcIssuer,
    oidcSubject: users.oidcSubject,
    oidcSignedInAt: users.oidcSignedInAt,
    createdAt: users.createdAt,
    updatedAt: users.updatedAt,
  }
}

/** Newest first; ids are UUIDv7, so their order is that of creation and the primary key is the page's index. */
export async function listUsers(connection: Connection, rows: number, afterId: string | undefined): Promise<UserRow[]> {
  const { users } = connection.t
  return connection.q
    .select(columns(connection))
    .from(users)
    .where(afterId === undefined ? undefined : lt(users.id, afterId))
    .orderBy(desc(users.id))
    .limit(rows)
}

export async function findUser(connection: Connection, id: string): Promise<UserRow | undefined> {
  const [row] = await connection.q
    .select(columns(connection))
    .from(connection.t.users)
    .where(eq(connection.t.users.id, id))
  return row
}

/** Reads a user and locks the row until the transaction ends, so that changes of one user happen one after the other. */
export async function holdUser(tx: Transaction, id: string): Promise<UserRow | undefined> {
  const { users } = tx.t
  const [row] = await tx.q.update(users).set({ id }).where(eq(users.id, id)).returning(columns(tx))
  return row
}

export async function findUserByUsername(connection: Connection, username: string): Promise<UserRow | undefined> {
  const { users } = connection.t
  const [row] = await connection.q.select(columns(connection)).from(users).where(eq(users.username, username))
  return row
}

/** Whether there is an administrator, even a disabled one. */
export async function hasAdministrator(connection: Connection): Promise<boolean> {
  const { users } = connection.t
  const rows = await connection.q.select({ id: users.id }).from(users).where(isAdministrator(users)).limit(1)
  return rows.length > 0
}

function isAdministrator(users: Connection['t']['users']) {
  return sql`${users.roles} like '%"administrator"%'`
}

export async function insertUser(tx: Transaction, row: UserRow & { passwordHash: string }): Promise<void> {
  await tx.q.insert(tx.t.users).values(row)
}

/** Notes that the provider vouches for the user, or no longer does. The audit trail doesn't cover this. */
export async function noteSignedIn(tx: Transaction, id: string, oidcSignedInAt: Instant | null): Promise<void> {
  await tx.q.update(tx.t.users).set({ oidcSignedInAt }).where(eq(tx.t.users.id, id))
}

/** Changes a user. Callers must also `announce` it, because the audit trail covers the row. */
export async function updateUser(
  tx: Transaction,
  id: string,
  change: Partial<Omit<UserRow, 'id'>> & { passwordHash?: string; updatedAt: Instant },
): Promise<void> {
  await tx.q.update(tx.t.users).set(change).where(eq(tx.t.users.id, id))
}

/**
 * Locks the rows of all enabled administrators until the transaction ends: else two administrators could take each other's role
 * at the same moment. It is an update because both dialects then lock rows, and read them again after waiting. @returns their ids
 */
export async function holdAdministrators(tx: Transaction): Promise<string[]> {
  const { users } = tx.t
  const rows = await tx.q
    .update(users)
    .set({ disabled: false })
    .where(and(eq(users.disabled, false), isAdministrator(users)))
    .returning({ id: users.id })
  return rows.map(({ id }) => id)
}

/** Reads the user with this issuer and subject, and locks the row until the transaction ends. */
export async function holdUserBySubject(
  tx: Transaction,
  issuer: string,
  subject: string,
): Promise<UserRow | undefined> {
  const { users } = tx.t
  const [row] = await tx.q
    .update(users)
    .set({ oidcSubject: subject })
    .where(and(eq(users.oidcIssuer, issuer), eq(users.oidcSubject, subject)))
    .returning(columns(tx))
  return row
}
