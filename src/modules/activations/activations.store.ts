import { and, desc, eq, isNull, lte } from 'drizzle-orm'
import type { Instant } from '../../core/instant.ts'
import type { Connection, Transaction } from '../../db/database.ts'
import type { Tables } from '../../db/schema.ts'

export type ActivationRow = Tables['activations']['$inferSelect']

export async function insertActivation(tx: Transaction, row: ActivationRow): Promise<void> {
  await tx.q.insert(tx.t.activations).values(row)
}

/** The activation in force at an instant: not cancelled, with the greatest `effective_from` not after it. */
export async function findInForce(
  connection: Connection,
  familyId: string,
  at: Instant,
): Promise<ActivationRow | undefined> {
  const { activations } = connection.t
  const [row] = await connection.q
    .select()
    .from(activations)
    .where(and(eq(activations.familyId, familyId), isNull(activations.cancelledAt), lte(activations.effectiveFrom, at)))
    .orderBy(desc(activations.effectiveFrom))
    .limit(1)
  return row
}
