/** Attempts to authenticate: counted before they are checked, and recorded in the audit trail if refused. */
import { type Author, SYSTEM_ACTOR_ID } from '../../core/actor.ts'
import type { Clock } from '../../core/clock.ts'
import { formatInstant, type Instant } from '../../core/instant.ts'
import type { NoticeKind } from '../../core/notice-kinds.ts'
import type { Database, Transaction } from '../../db/database.ts'
import { recordAudit } from '../audit/audit.service.ts'
import { recordNoticeOnce } from '../notices/notices.service.ts'
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

/** Which user, and which action, the audit trail names when an attempt is throttled. */
export interface Throttling {
  action: string
  userId(): Promise<string | undefined>
  clientAddress: string
  correlationId: string
}

export interface Attempts {
  /** Counts an attempt before it is checked. Some throttled ones leave an audit record. @throws Throttled */
  begin(count: (tx: Transaction, at: Instant) => Promise<Attempt>, throttling: Throttling): Promise<Attempt>
  /**
   * Records a refused attempt, in a transaction of its own since nothing else changes.
   * @param tells the notice that the user gets
   */
  refuse(
    author: Author,
    action: string,
    userId: string | undefined,
    detail: Record<string, string | number> & { client_address?: string },
    tells?: NoticeKind,
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
          const detail = {
            blocked: error.counted,
            blocked_until: formatInstant(error.until),
            attempts: refused,
            client_address: clientAddress,
          }
          const author = { userId: userId ?? SYSTEM_ACTOR_ID, correlationId }
          await attempts.refuse(author, action, userId, detail, 'attempts_throttled')
        }
        throw error
      }
    },

    async refuse(author, action, userId, detail, tells) {
      const resource = { resourceKind: 'user', ...(userId === undefined ? {} : { resourceId: userId }) }
      await database.write(async (tx) => {
        const actor = { ...author, at: clock.now() }
        await recordAudit(tx, actor, { action, ...resource, detail })
        if (tells === undefined || userId === undefined) return
        const { client_address: address } = detail
        await recordNoticeOnce(tx, actor, { userId, kind: tells, ...(address === undefined ? {} : { address }) })
      })
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
