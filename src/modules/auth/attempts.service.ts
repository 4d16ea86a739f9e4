/** Attempts to prove who one is: counted before they are looked at, and recorded where they are refused. */
import { type Author, SYSTEM_ACTOR_ID } from '../../core/actor.ts'
import type { Clock } from '../../core/clock.ts'
import { formatInstant, type Instant } from '../../core/instant.ts'
import type { Database, Transaction } from '../../db/database.ts'
import { recordAudit } from '../audit/audit.service.ts'
import {
  type Attempt,
  attemptSucceeded,
  beginLogin,
  beginPasskeySignIn,
  beginPasswordChange,
  beginSecondFactor,
  type Caller,
  Throttled,
} from './throttle.ts'
import { ThrottleTally } from './throttle-tally.ts'

/** Of whom the trail is told, and by which action, when an attempt is throttled. */
export interface Throttling {
  action: string
  userId(): Promise<string | undefined>
  clientAddress: string
  correlationId: string
}

export interface Attempts {
  /** Counts an attempt before it is looked at. Some of those that are refused leave a record. @throws Throttled */
  begin(count: (tx: Transaction, at: Instant) => Promise<Attempt>, throttling: Throttling): Promise<Attempt>
  /** Leaves a record, in a transaction of its own, since a refused attempt changes nothing else. */
  refuse(
    author: Author,
    action: string,
    userId: string | undefined,
    detail: Record<string, string | number>,
  ): Promise<void>
}

export function createAttempts({ database, clock }: { database: Database; clock: Clock }): Attempts {
  const tally = new ThrottleTally()
  const attempts: Attempts = {
    async begin(count, { action, userId: find, clientAddress, correlationId }) {
      try {
        return await database.write((tx) => count(tx, clock.now()))
      } catch (error) {
        if (!(error instanceof Throttled)) throw error
        const refused = tally.add(error.counter, error.until, clock.now())
        if (refused !== undefined) {
          const userId = await find()
          await attempts.refuse({ userId: userId ?? SYSTEM_ACTOR_ID, correlationId }, action, userId, {
            blocked: error.counted,
            blocked_until: formatInstant(error.until),
            attempts: refused,
            client_address: clientAddress,
          })
        }
        throw error
      }
    },

    async refuse(author, action, userId, detail) {
      const resource = { resourceKind: 'user', ...(userId === undefined ? {} : { resourceId: userId }) }
      await database.write((tx) => recordAudit(tx, { ...author, at: clock.now() }, { action, ...resource, detail }))
    },
  }
  return attempts
}

export {
  type Attempt,
  attemptSucceeded,
  beginLogin,
  beginPasskeySignIn,
  beginPasswordChange,
  beginSecondFactor,
  type Caller,
}
