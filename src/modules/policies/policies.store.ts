import { asc, eq, isNull } from 'drizzle-orm'
import type { Connection, Transaction } from '../../db/database.ts'
import { prepareOnce } from '../../db/prepared.ts'
import type { RetentionRow } from './policies.reads.ts'

export async function insertSet(tx: Transaction, row: RetentionRow): Promise<void> {
  await tx.q.insert(tx.t.retention).values(row)
}

export async function listNumbers(connection: Connection): Promise<{ id: string; number: number }[]> {
  const { retention } = connection.t
  return connection.q.select({ id: retention.id, number: retention.number }).from(retention)
}

export function listUnnoted(connection: Connection): Promise<RetentionRow[]> {
  return unnoted(connection).execute()
}

const unnoted = prepareOnce(({ q, t: { retention } }) =>
  q.select().from(retention).where(isNull(retention.notedAt)).orderBy(asc(retention.number)).prepare(),
)

export async function markNoted(tx: Transaction, id: string): Promise<void> {
  const { retention } = tx.t
  await tx.q.update(retention).set({ notedAt: tx.clock }).where(eq(retention.id, id))
}
