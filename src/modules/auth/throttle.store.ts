import { and, eq, gt, like, lt, notLike, or, sql } from 'drizzle-orm'
import { addMs, type Instant } from '../../core/instant.ts'
import { limits } from '../../core/limits.ts'
import type { Transaction } from '../../db/database.ts'

/** Marks accounts' usual addresses, which live longer than counters. */
export const KNOWN_PREFIX = 'known:'

/**
 * Counts an attempt, starting again after the window; undefined, without counting, while the key is blocked. A window that begins
 * later than now, or a block longer than any can be, is from before the clock was set back, and is ignored.
 */
export async function countAttempt(tx: Transaction, key: string, at: Instant): Promise<number | undefined> {
  const { throttles } = tx.t
  const isStale = or(
    lt(throttles.windowStartedAt, addMs(at, -limits.throttleWindowMs)),
    gt(throttles.windowStartedAt, at),
  )
  const [row] = await tx.q
    .insert(throttles)
    .values({ key, failures: 1, windowStartedAt: at, blockedUntil: at })
    .onConflictDoUpdate({
      target: throttles.key,
      set: {
        failures: sql`case when ${isStale} then 1 else ${throttles.failures} + 1 end`,
        windowStartedAt: sql`case when ${isStale} then ${at} else ${throttles.windowStartedAt} end`,
        blockedUntil: at,
      },
      setWhere: sql`${throttles.blockedUntil} <= ${at} or ${throttles.blockedUntil} > ${addMs(at, limits.throttleBlockMaxMs)}`,
    })
    .returning({ failures: throttles.failures })
  return row?.failures
}

export async function blockedUntil(tx: Transaction, key: string): Promise<Instant | undefined> {
  const { throttles } = tx.t
  const [row] = await tx.q.select({ until: throttles.blockedUntil }).from(throttles).where(eq(throttles.key, key))
  return row?.until
}

export async function blockUntil(tx: Transaction, key: string, until: Instant): Promise<void> {
  await tx.q.update(tx.t.throttles).set({ blockedUntil: until }).where(eq(tx.t.throttles.key, key))
}

export async function clearCounter(tx: Transaction, key: string): Promise<void> {
  await tx.q.delete(tx.t.throttles).where(eq(tx.t.throttles.key, key))
}

/** Takes back one counted attempt that succeeded, and the block it may have caused. */
export async function refundAttempt(tx: Transaction, key: string, at: Instant, threshold: number): Promise<void> {
  const { throttles } = tx.t
  await tx.q
    .update(throttles)
    .set({ failures: sql`${throttles.failures} - 1` })
    .where(eq(throttles.key, key))
  await tx.q
    .update(throttles)
    .set({ blockedUntil: at })
    .where(and(eq(throttles.key, key), lt(throttles.failures, threshold)))
}

/** Marks something as used, until the instant from which it would be refused anyway; false if it was used before. */
export async function takeOnce(tx: Transaction, key: string, at: Instant, until: Instant): Promise<boolean> {
  const { throttles } = tx.t
  const rows = await tx.q
    .insert(throttles)
    .values({ key, failures: 0, windowStartedAt: at, blockedUntil: until })
    .onConflictDoNothing()
    .returning({ key: throttles.key })
  return rows.length === 1
}

export async function rememberAddress(tx: Transaction, key: string, at: Instant): Promise<void> {
  const { throttles } = tx.t
  await tx.q
    .insert(throttles)
    .values({ key, failures: 0, windowStartedAt: at, blockedUntil: at })
    .onConflictDoUpdate({ target: throttles.key, set: { windowStartedAt: at } })
}

export async function knowsAddress(tx: Transaction, key: string, since: Instant): Promise<boolean> {
  const { throttles } = tx.t
  const [row] = await tx.q.select({ at: throttles.windowStartedAt }).from(throttles).where(eq(throttles.key, key))
  return row !== undefined && row.at >= since
}

export async function deleteStaleCounters(tx: Transaction, at: Instant): Promise<void> {
  const { throttles } = tx.t
  const known = like(throttles.key, `${KNOWN_PREFIX}%`)
  const other = notLike(throttles.key, `${KNOWN_PREFIX}%`)
  const before = (milliseconds: number) => lt(throttles.windowStartedAt, addMs(at, -milliseconds))
  await tx.q.delete(throttles).where(and(known, before(limits.throttleKnownMs)))
  await tx.q.delete(throttles).where(and(other, before(limits.throttleWindowMs), lt(throttles.blockedUntil, at)))
}
