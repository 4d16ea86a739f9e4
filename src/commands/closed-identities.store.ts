/**
 * Identities at an OpenID provider that a restore must not let in again: a restored account with an identity gets that of the
 * replaced database, or none.
 */
import { eq, isNotNull } from 'drizzle-orm'
import type { Actor } from '../core/actor.ts'
import type { Connection, Transaction } from '../db/database.ts'
import { recordAudit } from '../modules/audit/audit.service.ts'
import { rowsIfThere } from './restore.store.ts'

export interface IdentityOf {
  id: string
  oidcIssuer: string | null
  oidcSubject: string | null
}

export function readIdentitiesOf({ q, t: { users } }: Connection): Promise<IdentityOf[]> {
  return rowsIfThere(
    q
      .select({ id: users.id, oidcIssuer: users.oidcIssuer, oidcSubject: users.oidcSubject })
      .from(users)
      .where(isNotNull(users.oidcSubject)),
  )
}

/**
 * @param known ids of all users of the replaced database
 * @returns ids of users whose identity of the backup was exchanged or taken away
 */
export async function closeIdentities(
  tx: Transaction,
  before: readonly IdentityOf[],
  known: ReadonlySet<string>,
  actor: Actor,
): Promise<string[]> {
  const { users } = tx.t
  const there = new Map(before.map((one) => [one.id, one]))
  const isSame = ({ id, oidcIssuer, oidcSubject }: IdentityOf) =>
    there.get(id)?.oidcIssuer === oidcIssuer && there.get(id)?.oidcSubject === oidcSubject
  const other = (await readIdentitiesOf(tx)).filter((one) => known.has(one.id) && !isSame(one))
  // Each identity is one account's, so all are taken away before any is given.
  const none = { oidcIssuer: null, oidcSubject: null, oidcSignedInAt: null, updatedAt: actor.at }
  for (const { id } of other) await tx.q.update(users).set(none).where(eq(users.id, id))
  const nameOf = ({ oidcIssuer, oidcSubject }: IdentityOf) => JSON.stringify([oidcIssuer, oidcSubject])
  const taken = new Set((await readIdentitiesOf(tx)).map(nameOf))
  for (const { id } of other) {
    const own = there.get(id)
    const isGiven = own !== undefined && !taken.has(nameOf(own))
    if (isGiven) {
      const { oidcIssuer, oidcSubject } = own
      await tx.q.update(users).set({ oidcIssuer, oidcSubject }).where(eq(users.id, id))
    }
    const detail = { from: 'replaced database', identity: isGiven ? 'exchanged' : 'removed' }
    await recordAudit(tx, actor, { action: 'user.updated', resourceKind: 'user', resourceId: id, detail })
  }
  return other.map(({ id }) => id)
}
