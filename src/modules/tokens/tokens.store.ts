import { and, asc, count, desc, eq, gt, isNull, lt, lte, sql } from 'drizzle-orm'
import type { Instant } from '../../core/instant.ts'
import type { Connection, Transaction } from '../../db/database.ts'
import { prepareOnce } from '../../db/prepared.ts'
import type { Role, Tables } from '../../db/schema.ts'

type StoredToken = Tables['apiTokens']['$inferSelect']

/** A token without its hash, which no caller needs, and with its user's name. */
export interface TokenRow extends Omit<StoredToken, 'tokenHash' | 'remindedAt'> {
  username: string
  isService: boolean
}

function columns({ t: { apiTokens, users } }: Connection) {
  return {
    id: apiTokens.id,
    userId: apiTokens.userId,
    name: apiTokens.name,
    scopes: apiTokens.scopes,
    families: apiTokens.families,
    createdBy: apiTokens.createdBy,
    createdAt: apiTokens.createdAt,
    expiresAt: apiTokens.expiresAt,
    revokedAt: apiTokens.revokedAt,
    lastUsedAt: apiTokens.lastUsedAt,
    lastAddress: apiTokens.lastAddress,
    username: users.username,
    isService: users.isService,
  }
}

/** Newest first, of one user or of all. */
export async function listTokens(
  connection: Connection,
  userId: string | undefined,
  afterId: string | undefined,
  rows: number,
): Promise<TokenRow[]> {
  const { apiTokens, users } = connection.t
  return connection.q
    .select(columns(connection))
    .from(apiTokens)
    .innerJoin(users, eq(users.id, apiTokens.userId))
    .where(
      and(
        userId === undefined ? undefined : eq(apiTokens.userId, userId),
        afterId === undefined ? undefined : lt(apiTokens.id, afterId),
      ),
    )
    .orderBy(desc(apiTokens.id))
    .limit(rows)
}

export async function findToken(connection: Connection, id: string): Promise<TokenRow | undefined> {
  const { apiTokens, users } = connection.t
  const [row] = await connection.q
    .select(columns(connection))
    .from(apiTokens)
    .innerJoin(users, eq(users.id, apiTokens.userId))
    .where(eq(apiTokens.id, id))
  return row
}

export async function insertToken(tx: Transaction, row: Omit<StoredToken, 'remindedAt'>): Promise<void> {
  await tx.q.insert(tx.t.apiTokens).values(row)
}

/** Valid tokens that expire by then and have had no reminder, the next to expire first. */
export async function listExpiring(connection: Connection, at: Instant, by: Instant, rows: number) {
  const { apiTokens: t, users } = connection.t
  return connection.q
    .select({
      ...{ id: t.id, name: t.name, userId: t.userId, createdBy: t.createdBy },
      ...{ createdAt: t.createdAt, expiresAt: t.expiresAt, isService: users.isService },
    })
    .from(t)
    .innerJoin(users, eq(users.id, t.userId))
    .where(
      and(
        ...[gt(t.expiresAt, at), lte(t.expiresAt, by), isNull(t.remindedAt), isNull(t.revokedAt)],
        eq(users.disabled, false),
      ),
    )
    .orderBy(asc(t.expiresAt))
    .limit(rows)
}

/** False if another instance was first. */
export async function markReminded(tx: Transaction, id: string, at: Instant): Promise<boolean> {
  const { apiTokens } = tx.t
  const rows = await tx.q
    .update(apiTokens)
    .set({ remindedAt: at })
    .where(and(eq(apiTokens.id, id), isNull(apiTokens.remindedAt)))
    .returning({ id: apiTokens.id })
  return rows.length === 1
}

/** False if it was revoked before. */
export async function revokeToken(tx: Transaction, id: string, at: Instant): Promise<boolean> {
  const { apiTokens } = tx.t
  const rows = await tx.q
    .update(apiTokens)
    .set({ revokedAt: at })
    .where(and(eq(apiTokens.id, id), isNull(apiTokens.revokedAt)))
    .returning({ id: apiTokens.id })
  return rows.length === 1
}

export async function touchToken(tx: Transaction, id: string, at: Instant, address: string): Promise<void> {
  await tx.q.update(tx.t.apiTokens).set({ lastUsedAt: at, lastAddress: address }).where(eq(tx.t.apiTokens.id, id))
}

/** How many of the user's tokens are still valid. */
export async function countLiveTokens(tx: Transaction, userId: string, at: Instant): Promise<number> {
  const { apiTokens } = tx.t
  const [row] = await tx.q
    .select({ tokens: count() })
    .from(apiTokens)
    .where(and(eq(apiTokens.userId, userId), isNull(apiTokens.revokedAt), gt(apiTokens.expiresAt, at)))
  return row?.tokens ?? 0
}

export interface GrantRow extends Omit<TokenRow, 'name' | 'createdBy' | 'createdAt'> {
  displayName: string
  roles: Role[]
  mustChangePassword: boolean
  disabled: boolean
  oidcSubject: string | null
  oidcSignedInAt: Instant | null
  /** 0 for a user without a password. */
  passwordHashChars: number
}

export async function findGrant(connection: Connection, tokenHash: string): Promise<GrantRow | undefined> {
  const [row] = await grantLookup(connection).execute({ tokenHash })
  return row
}

/**
 * Every request with a token runs this query. Its result is never cached, so that a revocation takes effect at once, everywhere.
 */
const grantLookup = prepareOnce((connection) => {
  const { apiTokens, users } = connection.t
  const { name: _name, createdBy: _createdBy, createdAt: _createdAt, ...shown } = columns(connection)
  return connection.q
    .select({
      ...shown,
      displayName: users.displayName,
      roles: users.roles,
      mustChangePassword: users.mustChangePassword,
      disabled: users.disabled,
      oidcSubject: users.oidcSubject,
      oidcSignedInAt: users.oidcSignedInAt,
      passwordHashChars: sql<number>`length(${users.passwordHash})`,
    })
    .from(apiTokens)
    .innerJoin(users, eq(users.id, apiTokens.userId))
    .where(eq(apiTokens.tokenHash, sql.placeholder('tokenHash')))
    .prepare()
})

/** The family of a submission's ingestion model; undefined if it ran a release. */
export async function familyOfSubmission(connection: Connection, id: string): Promise<string | undefined> {
  const { submissions, versions } = connection.t
  const [row] = await connection.q
    .select({ id: versions.familyId })
    .from(submissions)
    .innerJoin(versions, eq(versions.id, submissions.modelVersionId))
    .where(eq(submissions.id, id))
  return row?.id
}

export async function familyOfExecution(connection: Connection, id: string): Promise<string | undefined> {
  const { executions } = connection.t
  const [row] = await connection.q
    .select({ submissionId: executions.submissionId })
    .from(executions)
    .where(eq(executions.id, id))
  return row === undefined ? undefined : familyOfSubmission(connection, row.submissionId)
}

/** The slug of a batch's ingestion model. */
export async function modelOfBatch(connection: Connection, id: string): Promise<string | undefined> {
  const { batches } = connection.t
  const [row] = await connection.q.select({ slug: batches.modelSlug }).from(batches).where(eq(batches.id, id))
  return row?.slug
}
