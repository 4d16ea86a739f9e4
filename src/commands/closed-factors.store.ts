/**
 * Second factors that a restore must not revive: recovery codes that were used or replaced in the database that it replaces,
 * factors that were removed there, and codes from before an app's or passkey's last use.
 */
import { and, eq, isNull, lt } from 'drizzle-orm'
import type { Actor } from '../core/actor.ts'
import type { Instant } from '../core/instant.ts'
import type { Connection, Transaction } from '../db/database.ts'
import { recordAudit } from '../modules/audit/audit.service.ts'
import { deleteFactor } from '../modules/auth/factors.store.ts'
import { rowsIfThere } from './restore.store.ts'

/** All second factors and recovery codes of a database. */
export interface Factors {
  factors: { id: string; userId: string; counter: number }[]
  codes: { codeHash: string; userId: string; usedAt: Instant | null }[]
  /** Ids of all users: of others nothing is known. */
  users: string[]
}

export const noFactors: Factors = { factors: [], codes: [], users: [] }

export async function readFactors({ q, t }: Connection): Promise<Factors> {
  const { factors, recoveryCodes, users } = t
  const { codeHash, userId, usedAt } = recoveryCodes
  return {
    factors: await rowsIfThere(
      q.select({ id: factors.id, userId: factors.userId, counter: factors.counter }).from(factors),
    ),
    codes: await rowsIfThere(q.select({ codeHash, userId, usedAt }).from(recoveryCodes)),
    users: (await rowsIfThere(q.select({ id: users.id }).from(users))).map(({ id }) => id),
  }
}

/**
 * @param before what the replaced database had
 * @returns `removed`: factors that were removed again; `reopened`: users who keep a removed factor, because the backup has no
 *   other of theirs and their password alone would let them in
 */
export async function closeFactors(
  tx: Transaction,
  before: Factors,
  actor: Actor,
): Promise<{ removed: string[]; reopened: string[] }> {
  const restored = await readFactors(tx)
  const known = new Map(before.factors.map((factor) => [factor.id, factor]))
  const users = new Set(before.users)
  const settled = new Set(restored.factors.filter(({ id }) => known.has(id)).map(({ userId }) => userId))
  const removed: string[] = []
  const reopened = new Set<string>()
  for (const { id, userId, counter } of restored.factors) {
    const there = known.get(id)
    if (there !== undefined && there.counter > counter) await countUpTo(tx, there)
    if (there !== undefined || !users.has(userId)) continue
    if (settled.has(userId) && (await deleteFactor(tx, { id, userId })) !== undefined) {
      removed.push(id)
      const detail = { from: 'replaced database', factor_id: id }
      await recordAudit(tx, actor, { action: 'user.factor_removed', resourceKind: 'user', resourceId: userId, detail })
    } else reopened.add(userId)
  }
  await closeCodes(tx, before, restored, actor.at)
  return { removed, reopened: [...reopened] }
}

async function countUpTo(tx: Transaction, { id, counter }: { id: string; counter: number }): Promise<void> {
  const { factors } = tx.t
  await tx.q
    .update(factors)
    .set({ counter })
    .where(and(eq(factors.id, id), lt(factors.counter, counter)))
}

/** Marks codes as used if they were, or if their owner has made others since. */
async function closeCodes(tx: Transaction, before: Factors, restored: Factors, at: Instant): Promise<void> {
  const { recoveryCodes } = tx.t
  const known = new Map(before.codes.map((code) => [code.codeHash, code]))
  const users = new Set(before.users)
  for (const { codeHash, userId, usedAt } of restored.codes) {
    const there = known.get(codeHash)
    if (usedAt !== null || !users.has(userId) || there?.usedAt === null) continue
    await tx.q
      .update(recoveryCodes)
      .set({ usedAt: there?.usedAt ?? at })
      .where(and(eq(recoveryCodes.codeHash, codeHash), isNull(recoveryCodes.usedAt)))
  }
}
