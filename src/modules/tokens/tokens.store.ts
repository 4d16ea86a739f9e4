import { and, count, desc, eq, gt, isNull, lt, sql } from 'drizzle-orm'
import type { Instant } from '../../core/instant.ts'
import type { Connection, Transaction } from '../../db/database.ts'
import { prepareOnce } from '../../db/prepared.ts'
import type { Role, Tables } from '../../db/schema.ts'

type StoredToken = Tables['apiTokens']['$inferSelect']

/** A token without its hash, which no caller needs, and with its user's name. */
export interface TokenRow extends Omit<StoredToken, 'tokenHash'> {
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

export async function insertToken(tx: Transaction, row: StoredToken): Promise<void> {
  await tx.q.insert(tx.t.apiTokens).values(row)
}

/** False if it has been revoked before. */
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

/** The user's tokens that still open something. */
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
}

export async function findGrant(connection: Connection, tokenHash: string): Promise<GrantRow | undefined> {
  const [row] = await grantLookup(connection).execute({ tokenHash })
  return row
}

/** Every request with a token runs this one query, and nothing keeps its answer: what is revoked ends at once, everywhere. */
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
    })
    .from(apiTokens)
    .innerJoin(users, eq(users.id, apiTokens.userId))
    .where(eq(apiTokens.tokenHash, sql.placeholder('tokenHash')))
    .prepare()
})

/** The family of the ingestion model that a submission ran; undefined for one that ran a release. */
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
