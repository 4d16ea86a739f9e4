/** What sign-ins at an OpenID provider need of sessions, throttling and the trail. */
import { type Actor, SYSTEM_ACTOR_ID } from '../../core/actor.ts'
import type { Clock } from '../../core/clock.ts'
import { sha256Hex } from '../../core/hash.ts'
import { formatInstant, type Instant } from '../../core/instant.ts'
import type { Database, Transaction } from '../../db/database.ts'
import { recordAudit } from '../audit/audit.service.ts'
import { confirmSession, deleteProviderSessions, deleteSessionsOf } from './auth.store.ts'
import { takeOnce } from './throttle.store.ts'
import { type Attempt, attemptSucceeded, beginProviderSignIn, Throttled } from './throttle.ts'
import { ThrottleTally } from './throttle-tally.ts'

export interface ProviderAttempts {
  /** Counts an attempt. @throws Throttled */
  begin(caller: ProviderCaller): Promise<Attempt>
  /** Takes the count back: the failure wasn't the caller's fault. */
  forgive(attempt: Attempt): Promise<void>
  /** Records a refusal. `userId` is the person's, if known. */
  refuse(
    caller: ProviderCaller,
    refusal: { action: string; reason: string; userId?: string; why?: string },
  ): Promise<void>
}

export interface ProviderCaller {
  clientAddress: string
  device: string | undefined
  correlationId: string
}

export function createProviderAttempts({ database, clock }: { database: Database; clock: Clock }): ProviderAttempts {
  const tally = new ThrottleTally()
  return {
    async begin({ clientAddress, device, correlationId }) {
      const at = clock.now()
      try {
        return await database.write((tx) => beginProviderSignIn(tx, at, { address: clientAddress, device }))
      } catch (error) {
        if (!(error instanceof Throttled)) throw error
        const attempts = tally.add(error.counter, error.until, at)
        if (attempts !== undefined) {
          const detail = {
            ...{ blocked: error.counted, blocked_until: formatInstant(error.until), attempts },
            ...{ client_address: clientAddress, by: 'provider' },
          }
          const actor = { userId: SYSTEM_ACTOR_ID, correlationId, at }
          const entry = { action: 'session.throttled', resourceKind: 'user', detail }
          await database.write((tx) => recordAudit(tx, actor, entry))
        }
        throw error
      }
    },

    async forgive(attempt) {
      await database.write((tx) => attemptSucceeded(tx, clock.now(), attempt))
    },

    async refuse({ clientAddress, correlationId }, { action, reason, userId, why }) {
      const actor = { userId: userId ?? SYSTEM_ACTOR_ID, correlationId, at: clock.now() }
      const resource = { resourceKind: 'user', ...(userId === undefined ? {} : { resourceId: userId }) }
      const detail = { reason, by: 'provider', client_address: clientAddress, ...(why === undefined ? {} : { why }) }
      await database.write((tx) => recordAudit(tx, actor, { action, ...resource, detail }))
    },
  }
}

export function isThrottled(error: unknown): boolean {
  return error instanceof Throttled
}

/** The stored form of a provider's session id: of fixed length, and specific to the issuer. */
export function providerSessionOf(issuer: string, sessionId: string): string {
  return sha256Hex(`${issuer}\n${sessionId}`)
}

export const endSessionsOf = deleteSessionsOf
export const providerAttemptSucceeded = attemptSucceeded

/** Marks something as used until an instant; false if it was used before. */
export function useOnce(tx: Transaction, what: string, at: Instant, until: Instant): Promise<boolean> {
  return takeOnce(tx, `once:${sha256Hex(what)}`, at, until)
}

/** Notes that the person was there at this instant. False if the session has ended meanwhile. */
export async function confirmProviderSession(
  tx: Transaction,
  session: { id: string; userId: string },
  givenAt: Instant,
  actor: Actor,
): Promise<boolean> {
  if (!(await confirmSession(tx, session, givenAt))) return false
  await recordAudit(tx, actor, {
    ...{ action: 'session.confirmed', resourceKind: 'session', resourceId: session.id, detail: { by: 'provider' } },
  })
  return true
}

/** Ends sessions for the provider. Every instance looks the session up on each request, so it ends on all of them at once. */
export async function endProviderSessions(
  tx: Transaction,
  which: { oidcSession: string | undefined; userId: string | undefined },
  { at, correlationId }: Omit<Actor, 'userId'>,
): Promise<number> {
  const ended = await deleteProviderSessions(tx, which)
  for (const { id, userId } of ended) {
    const entry = { action: 'session.ended_by_provider', resourceKind: 'session', resourceId: id }
    await recordAudit(tx, { userId, correlationId, at }, entry)
  }
  return ended.length
}
