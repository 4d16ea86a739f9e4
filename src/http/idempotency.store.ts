import { and, eq, lt } from 'drizzle-orm'
import type { Instant } from '../core/instant.ts'
import type { Connection, Transaction } from '../db/database.ts'
import type { IdempotentRequest } from './idempotency.ts'

/** A claimed key whose effect is under way in an uncommitted transaction, and so never seen by another. */
const claimed = 0

/** True when the key is now this transaction's; false when it was used before. Waits for one that is being used. */
export async function claimKey(tx: Transaction, at: Instant, request: IdempotentRequest): Promise<boolean> {
  const { idempotency } = tx.t
  const rows = await tx.q
    .insert(idempotency)
    .values({ ...request, status: claimed, body: {}, createdAt: at })
    .onConflictDoNothing()
    .returning({ key: idempotency.key })
  return rows.length === 1
}

export async function findRecord(connection: Connection, request: IdempotentRequest) {
  const { idempotency } = connection.t
  const [record] = await connection.q.select().from(idempotency).where(isOf(connection, request))
  return record
}

export async function recordAnswer(
  tx: Transaction,
  request: IdempotentRequest,
  answer: { status: number; body: object },
): Promise<void> {
  await tx.q.update(tx.t.idempotency).set({ status: answer.status, body: answer.body }).where(isOf(tx, request))
}

export async function forgetKey(tx: Transaction, request: IdempotentRequest): Promise<void> {
  await tx.q.delete(tx.t.idempotency).where(isOf(tx, request))
}

/** Removes records that have expired; a used key is free again afterwards. */
export async function forgetKeysBefore(tx: Transaction, before: Instant): Promise<void> {
  await tx.q.delete(tx.t.idempotency).where(lt(tx.t.idempotency.createdAt, before))
}

function isOf({ t }: Connection, request: IdempotentRequest) {
  return and(eq(t.idempotency.actorId, request.actorId), eq(t.idempotency.key, request.key))
}
