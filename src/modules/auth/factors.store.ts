import { and, count, eq, isNull, lt, sql } from 'drizzle-orm'
import type { Instant } from '../../core/instant.ts'
import type { Connection, Transaction } from '../../db/database.ts'
import type { FactorKind, SignInStep } from '../../db/schema.ts'

/** A second factor of a user. */
export interface FactorRow {
  id: string
  userId: string
  kind: FactorKind
  name: string
  /** Encrypted for an app, public for a passkey. */
  key: string
  credentialId: string | null
  /** The host name that a passkey was made for. */
  host: string | null
  transports: string[] | null
  counter: number
  failures: number
  createdAt: Instant
  lastUsedAt: Instant | null
}

/** Oldest first. */
export async function listFactors(connection: Connection, userId: string): Promise<FactorRow[]> {
  const { factors } = connection.t
  return connection.q.select().from(factors).where(eq(factors.userId, userId)).orderBy(factors.id)
}

/** All apps of all users, for encrypting their keys again. */
export async function listApps(connection: Connection): Promise<FactorRow[]> {
  const { factors } = connection.t
  return connection.q.select().from(factors).where(eq(factors.kind, 'app'))
}

export async function countFactors(connection: Connection, userId: string): Promise<number> {
  const { factors } = connection.t
  const [row] = await connection.q.select({ n: count() }).from(factors).where(eq(factors.userId, userId))
  return row?.n ?? 0
}

/** How many second factors each of these users has; users without one are left out. */
export async function countFactorsOf(connection: Connection, userIds: readonly string[]): Promise<Map<string, number>> {
  const { factors } = connection.t
  const rows = await connection.q
    .select({ userId: factors.userId, n: count() })
    .from(factors)
    .where(sql`${factors.userId} in ${[...userIds]}`)
    .groupBy(factors.userId)
  return new Map(rows.map(({ userId, n }) => [userId, n]))
}

export async function findPasskey(connection: Connection, credentialId: string): Promise<FactorRow | undefined> {
  const { factors } = connection.t
  const [row] = await connection.q.select().from(factors).where(eq(factors.credentialId, credentialId))
  return row
}

export async function insertFactor(tx: Transaction, row: FactorRow): Promise<void> {
  await tx.q.insert(tx.t.factors).values(row)
}

export async function deleteFactor(
  tx: Transaction,
  { id, userId }: Pick<FactorRow, 'id' | 'userId'>,
): Promise<FactorRow | undefined> {
  const { factors } = tx.t
  const [row] = await tx.q
    .delete(factors)
    .where(and(eq(factors.id, id), eq(factors.userId, userId)))
    .returning()
  return row
}

/** @returns how many there were */
export async function deleteFactorsOf(tx: Transaction, userId: string): Promise<number> {
  const { factors, recoveryCodes } = tx.t
  await tx.q.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId))
  const rows = await tx.q.delete(factors).where(eq(factors.userId, userId)).returning({ id: factors.id })
  return rows.length
}

/** False if the code of this step or a later one was used before, or the factor no longer exists. */
export async function useAppStep(
  tx: Transaction,
  { id, step }: { id: string; step: number },
  at: Instant,
): Promise<boolean> {
  const { factors } = tx.t
  const rows = await tx.q
    .update(factors)
    .set({ counter: step, failures: 0, lastUsedAt: at })
    .where(and(eq(factors.id, id), lt(factors.counter, step)))
    .returning({ id: factors.id })
  return rows.length === 1
}

/** Raises a passkey's count, if it counts at all. False if the count didn't go up: the passkey was copied. */
export async function usePasskey(
  tx: Transaction,
  { id, counter }: { id: string; counter: number },
  at: Instant,
): Promise<boolean> {
  const { factors } = tx.t
  const goesUp = counter === 0 ? eq(factors.counter, 0) : lt(factors.counter, counter)
  const rows = await tx.q
    .update(factors)
    .set({ counter, lastUsedAt: at })
    .where(and(eq(factors.id, id), goesUp))
    .returning({ id: factors.id })
  return rows.length === 1
}

export async function countWrongCode(tx: Transaction, userId: string): Promise<void> {
  const { factors } = tx.t
  await tx.q
    .update(factors)
    .set({ failures: sql`${factors.failures} + 1` })
    .where(and(eq(factors.userId, userId), eq(factors.kind, 'app')))
}

/** Resets the count of wrong codes after a successful sign-in. */
export async function forgetWrongCodes(tx: Transaction, userId: string): Promise<void> {
  await tx.q.update(tx.t.factors).set({ failures: 0 }).where(eq(tx.t.factors.userId, userId))
}

/** Replaces a sealed key, unless it was replaced meanwhile. */
export async function replaceKey(
  tx: Transaction,
  { id, key }: Pick<FactorRow, 'id' | 'key'>,
  sealedAnew: string,
): Promise<void> {
  const { factors } = tx.t
  await tx.q
    .update(factors)
    .set({ key: sealedAnew })
    .where(and(eq(factors.id, id), eq(factors.key, key)))
}

export async function replaceRecoveryCodes(
  tx: Transaction,
  userId: string,
  hashes: readonly string[],
  at: Instant,
): Promise<void> {
  const { recoveryCodes } = tx.t
  await tx.q.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId))
  if (hashes.length === 0) return
  await tx.q.insert(recoveryCodes).values(hashes.map((codeHash) => ({ codeHash, userId, createdAt: at, usedAt: null })))
}

/** How many recovery codes are unused. */
export async function countRecoveryCodes(connection: Connection, userId: string): Promise<number> {
  const { recoveryCodes } = connection.t
  const [row] = await connection.q
    .select({ n: count() })
    .from(recoveryCodes)
    .where(and(eq(recoveryCodes.userId, userId), isNull(recoveryCodes.usedAt)))
  return row?.n ?? 0
}

/** False if there is no such code, or it was used before. */
export async function useRecoveryCode(
  tx: Transaction,
  { userId, codeHash }: { userId: string; codeHash: string },
  at: Instant,
): Promise<boolean> {
  const { recoveryCodes } = tx.t
  const rows = await tx.q
    .update(recoveryCodes)
    .set({ usedAt: at })
    .where(and(eq(recoveryCodes.codeHash, codeHash), eq(recoveryCodes.userId, userId), isNull(recoveryCodes.usedAt)))
    .returning({ codeHash: recoveryCodes.codeHash })
  return rows.length === 1
}

/** Locks a session until the transaction ends. False unless it still exists in this state. */
export async function holdSession(
  tx: Transaction,
  { id, userId, awaits }: { id: string; userId: string; awaits: SignInStep | null },
): Promise<boolean> {
  const { sessions } = tx.t
  const rows = await tx.q
    .update(sessions)
    .set({ userId })
    .where(
      and(
        eq(sessions.id, id),
        eq(sessions.userId, userId),
        awaits === null ? isNull(sessions.awaits) : eq(sessions.awaits, awaits),
      ),
    )
    .returning({ id: sessions.id })
  return rows.length === 1
}
