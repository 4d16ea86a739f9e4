import type { Transaction } from './database.ts'

/**
 * Transactions that are always rolled back, such as those of plans. Nobody will read their events and audit records, so none are
 * written, signed and numbered.
 */
const trials = new WeakSet<Transaction>()

/** The caller must roll the transaction back. */
export function markTrial(tx: Transaction): void {
  trials.add(tx)
}

export function isTrial(tx: Transaction): boolean {
  return trials.has(tx)
}
