import { sql } from 'drizzle-orm'
import type { Transaction } from './database.ts'

/**
 * PostgreSQL's advisory locks, for what only one transaction may do at a time and no row could hold. Any numbers will do, as long
 * as they differ and all versions that may run side by side have the same. Each user has a lock `unsaved` of their own.
 */
const locks = {
  schema: 7_120_533_001,
  caseFiles: 7_120_533_002,
  newWebhooks: 7_120_533_003,
  activations: 7_120_533_004,
  unsaved: 7_120_534,
} as const

/**
 * Waits until no other transaction holds the lock, and keeps the others waiting until this one ends. An embedded database has
 * one writer anyway.
 */
export async function holdLock(tx: Transaction, name: Exclude<keyof typeof locks, 'unsaved'>): Promise<void> {
  if (tx.dialect === 'postgres') await tx.rows(sql`select pg_advisory_xact_lock(${locks[name]})`)
}

/** The same for a lock that each user has. */
export async function holdLockOf(tx: Transaction, name: 'unsaved', userId: string): Promise<void> {
  if (tx.dialect === 'postgres') await tx.rows(sql`select pg_advisory_xact_lock(${locks[name]}, hashtext(${userId}))`)
}
