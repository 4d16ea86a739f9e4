import { Fault } from '../../core/faults.ts'
import type { Transaction } from '../../db/database.ts'
import { type CredentialsRow, holdCredentials } from './auth.store.ts'

/**
 * Locks a user's row, so that changes of their factors happen one after the other.
 *
 * @throws Fault authentication_required if the account was disabled or its password changed meanwhile
 */
export async function holdUser(tx: Transaction, user: CredentialsRow | undefined): Promise<CredentialsRow> {
  const held = user && (await holdCredentials(tx, user.id, user.passwordHash))
  if (held !== undefined) return held
  throw ended()
}

export function ended(): Fault {
  return new Fault('authentication_required', 'The session has ended meanwhile. Log in again.')
}

/** Binds a factor's sealed key to its row: a key copied from another row doesn't open. */
export function aboutFactor(factorId: string): string {
  return `app\n${factorId}`
}
