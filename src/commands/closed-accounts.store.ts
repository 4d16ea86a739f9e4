/**
 * What a restore must not open again: API tokens that were revoked in the database that it replaces, and accounts that were
 * disabled there. Sessions end in any case.
 */
import { and, eq, inArray, isNotNull } from 'drizzle-orm'
import { SYSTEM_ACTOR_ID } from '../core/actor.ts'
import type { Clock } from '../core/clock.ts'
import { newId } from '../core/ids.ts'
import type { Instant } from '../core/instant.ts'
import type { Connection, Database } from '../db/database.ts'
import { recordAudit } from '../modules/audit/audit.service.ts'
import { revokeToken } from '../modules/tokens/tokens.store.ts'

export interface Closed {
  tokens: { id: string; revokedAt: Instant }[]
  /** Ids of users. */
  users: string[]
}

/** Nothing where the database can't be read, or is none of Quire's: whoever restores over it has no other way. */
export async function readClosed({ q, t }: Connection): Promise<Closed> {
  try {
    const tokens = await q
      .select({ id: t.apiTokens.id, revokedAt: t.apiTokens.revokedAt })
      .from(t.apiTokens)
      .where(isNotNull(t.apiTokens.revokedAt))
    const users = await q.select({ id: t.users.id }).from(t.users).where(eq(t.users.disabled, true))
    return {
      tokens: tokens.flatMap(({ id, revokedAt }) => (revokedAt === null ? [] : [{ id, revokedAt }])),
      users: users.map(({ id }) => id),
    }
  } catch {
    return { tokens: [], users: [] }
  }
}

/** @returns the ids of tokens and users that the restored database had open */
export async function closeAgain(
  database: Database,
  closed: Closed,
  clock: Clock,
): Promise<{ tokens: string[]; users: string[] }> {
  if (closed.tokens.length + closed.users.length === 0) return { tokens: [], users: [] }
  return database.write(async (tx) => {
    const actor = { userId: SYSTEM_ACTOR_ID, correlationId: newId(), at: clock.now() }
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
      await recordAudit(tx, actor, { action: 'user.updated', resourceKind: 'user', resourceId: id, detail })
    }
    return { tokens, users: rows.map(({ id }) => id) }
  })
}
