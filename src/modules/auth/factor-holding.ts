import { Fault } from '../../core/faults.ts'
import type { Transaction } from '../../db/database.ts'
import { type CredentialsRow, holdCredentials } from './auth.store.ts'

/**
 * Holds a user's row, so that changes of their factors come one after the other.
 *
 * @throws Fault authentication_required when the account was disabled or its password changed meanwhile
 */
export async function holdUser(tx: Transaction, user: CredentialsRow | undefined): Promise<CredentialsRow> {
  const held = user && (await holdCredentials(tx, user.id, user.passwordHash))
  if (held !== undefined) return held
  throw ended()
}

export function ended(): Fault {
  return new Fault('authentication_required', 'The session has ended meanwhile. Log in again.')
}

/** What a factor's key is sealed with: one of another row opens nothing. */
export function aboutFactor(factorId: string): string {
  return `app\n${factorId}`
}
