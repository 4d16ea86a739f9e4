import type { Transaction } from './database.ts'

/**
 * Transactions that are rolled back whatever they find, such as those of plans: nobody will ever read the events and audit
 * records of what they change, so none are written, signed and numbered.
 */
const trials = new WeakSet<Transaction>()

/** The caller has to roll the transaction back. */
export function markTrial(tx: Transaction): void {
  trials.add(tx)
}

export function isTrial(tx: Transaction): boolean {
  return trials.has(tx)
}
