/**
 * What a restore must not open again: API tokens that were revoked in the database that it replaces, accounts that were
 * disabled there, second factors that were removed, identities at a provider, and receivers of webhooks. Sessions end in any case.
 */
import { and, eq, inArray, isNotNull } from 'drizzle-orm'
import { systemAuthor } from '../core/actor.ts'
import type { Clock } from '../core/clock.ts'
import type { Instant } from '../core/instant.ts'
import type { Connection, Transaction } from '../db/database.ts'
import { isDatabaseUnavailable } from '../db/unavailable.ts'
import { recordAudit } from '../modules/audit/audit.service.ts'
import { revokeToken } from '../modules/tokens/tokens.store.ts'
import { forgetUnsaved } from '../modules/unsaved/unsaved.service.ts'
import { holdAdministrators } from '../modules/users/users.store.ts'
import { closeFactors, type Factors, noFactors, readFactors } from './closed-factors.store.ts'
import { closeIdentities, type IdentityOf, readIdentitiesOf } from './closed-identities.store.ts'
import { pauseReceivers, type Receiver, readReceivers } from './closed-webhooks.store.ts'
import { rowsIfThere } from './restore.store.ts'

export interface Closed {
  tokens: { id: string; revokedAt: Instant }[]
  /** Ids of users. */
  users: string[]
  factors: Factors
  identities: IdentityOf[]
  webhooks: Receiver[]
  /** False if the replaced database can't be read, which doesn't stop the restore. */
  isKnown: boolean
}

export const nothingClosed: Closed = {
  ...{ tokens: [], users: [], factors: noFactors, identities: [], webhooks: [] },
  isKnown: true,
}
export const unknownClosed: Closed = { ...nothingClosed, isKnown: false }

/** @throws while the database can't be reached: what is closed in it would be opened */
export async function readClosed(connection: Connection): Promise<Closed> {
  const { q, t } = connection
  try {
    const tokens = await rowsIfThere(
      q
        .select({ id: t.apiTokens.id, revokedAt: t.apiTokens.revokedAt })
        .from(t.apiTokens)
        .where(isNotNull(t.apiTokens.revokedAt)),
    )
    const users = await rowsIfThere(q.select({ id: t.users.id }).from(t.users).where(eq(t.users.disabled, true)))
    return {
      tokens: tokens.flatMap(({ id, revokedAt }) => (revokedAt === null ? [] : [{ id, revokedAt }])),
      users: users.map(({ id }) => id),
      factors: await readFactors(connection),
      identities: await readIdentitiesOf(connection),
      webhooks: await readReceivers(connection),
      isKnown: true,
    }
  } catch (error) {
    if (isDatabaseUnavailable(error)) throw error
    return unknownClosed
  }
}

/** What a restore closed again. */
export interface ClosedAgain {
  /** Ids of tokens and users that the restored database had open. */
  tokens: string[]
  users: string[]
  /** Ids of second factors that the restored database had still. */
  factors: string[]
  /** Ids of users whose identity at a provider was taken away, and of webhooks that were paused. */
  identities: string[]
  webhooks: string[]
  /** What somebody may have to look at: access that could not be closed again, or nobody left who may open an account. */
  warnings: string[]
}

/** @param tx the one that restores the rows, if these are in use once it commits: a later try would find nothing closed */
export async function closeAgain(tx: Transaction, closed: Closed, clock: Clock): Promise<ClosedAgain> {
  if (!closed.isKnown) {
    return { tokens: [], users: [], factors: [], identities: [], webhooks: [], warnings: [notKnown] }
  }
  const actor = { ...systemAuthor(), at: clock.now() }
  const detail = { from: 'replaced database' }
  const tokens: string[] = []
  for (const { id, revokedAt } of closed.tokens) {
    if (!(await revokeToken(tx, id, revokedAt))) continue
    tokens.push(id)
    await recordAudit(tx, actor, { action: 'api_token.revoked', resourceKind: 'api_token', resourceId: id, detail })
  }
  const { users } = tx.t
  const rows = await tx.q
    .update(users)
    .set({ disabled: true, updatedAt: actor.at })
    .where(and(inArray(users.id, closed.users), eq(users.disabled, false)))
    .returning({ id: users.id })
  for (const { id } of rows) {
    await forgetUnsaved(tx, id)
    await recordAudit(tx, actor, { action: 'user.updated', resourceKind: 'user', resourceId: id, detail })
  }
  const isLockedOut = rows.length > 0 && (await holdAdministrators(tx)).length === 0
  const { removed, reopened } = await closeFactors(tx, closed.factors, actor)
  const known = new Set(closed.factors.users)
  return {
    tokens,
    users: rows.map(({ id }) => id),
    factors: removed,
    identities: await closeIdentities(tx, closed.identities, known, actor),
    webhooks: await pauseReceivers(tx, closed.webhooks, known, actor),
    warnings: [...(isLockedOut ? [lockedOut] : []), ...(reopened.length > 0 ? [reopenedFactors(reopened)] : [])],
  }
}

const notKnown =
  'the database that was there could not be read, so API tokens that were revoked, accounts that were disabled, second factors and identities that were removed and webhooks that were stopped in it may be open again; look at them'
const reopenedFactors = (users: readonly string[]) =>
  `second factors that were removed in what it replaces are there again, since these accounts have no other in the backup: ${users.join(', ')}`
const lockedOut =
  'no enabled administrator is left, since those of the backup were disabled in what it replaces; "quire user enable" enables one'
