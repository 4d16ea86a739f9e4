import { sql } from 'drizzle-orm'
import type { Transaction } from './database.ts'

/**
 * PostgreSQL's advisory locks, for work that only one transaction may do at a time and that has no row to lock. The numbers are
 * arbitrary, but must differ, and be the same in all versions that may run side by side. Each user has an own lock `unsaved`.
 */
const locks = {
  schema: 7_120_533_001,
  caseFiles: 7_120_533_002,
  newWebhooks: 7_120_533_003,
  activations: 7_120_533_004,
  unsaved: 7_120_534,
} as const

/** Takes a lock until the transaction ends, waiting for other holders. An embedded database has only one writer anyway. */
export async function holdLock(tx: Transaction, name: Exclude<keyof typeof locks, 'unsaved'>): Promise<void> {
  if (tx.dialect === 'postgres') await tx.rows(sql`select pg_advisory_xact_lock(${locks[name]})`)
}

/** `holdLock` for a lock that each user has. */
export async function holdLockOf(tx: Transaction, name: 'unsaved', userId: string): Promise<void> {
  if (tx.dialect === 'postgres') await tx.rows(sql`select pg_advisory_xact_lock(${locks[name]}, hashtext(${userId}))`)
}
