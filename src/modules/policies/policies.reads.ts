import { desc, eq, sql } from 'drizzle-orm'
import type { Connection, Transaction } from '../../db/database.ts'
import { prepareOnce } from '../../db/prepared.ts'
import type { RetentionPolicy, Tables } from '../../db/schema.ts'

export type RetentionRow = Tables['retention']['$inferSelect']

/** Keeps new sets from being made until the transaction ends. SQLite has only one writer anyway. */
export async function keepSetsOut(tx: Transaction): Promise<void> {
  if (tx.dialect === 'postgres') await tx.rows(sql`lock table ${tx.t.retention} in share row exclusive mode`)
}

/** The set of policies in force; undefined while none was ever set. */
export async function findInForce(connection: Connection): Promise<RetentionRow | undefined> {
  const [row] = await newestSet(connection).execute()
  return row
}

const newestSet = prepareOnce(({ q, t: { retention } }) =>
  q.select().from(retention).orderBy(desc(retention.number)).limit(1).prepare(),
)

export async function findSet(connection: Connection, number: number): Promise<RetentionRow | undefined> {
  const { retention } = connection.t
  const [row] = await connection.q.select().from(retention).where(eq(retention.number, number))
  return row
}

/** A model's policy: its own, else the one for all others; undefined if its submissions are kept for ever. */
export function policyOf(policies: readonly RetentionPolicy[], model: string): RetentionPolicy | undefined {
  return (
    policies.find(({ ingestion_model: own }) => own === model) ??
    policies.find(({ ingestion_model: own }) => own === undefined)
  )
}
