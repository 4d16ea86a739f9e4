import { appendEvent } from '../../bus/outbox.ts'
import type { Clock } from '../../core/clock.ts'
import { newId } from '../../core/ids.ts'
import { limits } from '../../core/limits.ts'
import type { Log } from '../../core/log.ts'
import { systemTimers, type Timers } from '../../core/timers.ts'
import type { Database } from '../../db/database.ts'
import { signedHead } from './audit.heads.ts'
import { appendHead } from './audit.heads-file.ts'
import { findHead } from './audit.store.ts'

/**
 * Publishes signed heads outside of the store: as an event and, if a file is set, as a line of it. A kept head proves later that
 * the trail up to it was neither cut nor rewritten. At most one head a minute, and the last one at shutdown.
 */
export interface Announcer {
  /** A head was signed. */
  expect(): void
  isDue(): boolean
  /** Publishes the newest head, unless it was published before. */
  announce(): Promise<void>
}

export interface AnnouncerDependencies {
  database: Database
  clock: Clock
  log: Log
  timers?: Timers
  /** Absolute path of a file that heads are appended to. */
  file?: string
}

export function createAnnouncer({
  database,
  clock,
  log,
  timers = systemTimers,
  file,
}: AnnouncerDependencies): Announcer {
  let isExpected = false
  let dueAt = timers.nowMs() + limits.auditAnnounceMs
  let announced = 0
  let written = 0
  return {
    expect() {
      isExpected = true
    },
    isDue: () => isExpected && timers.nowMs() >= dueAt,
    async announce() {
      if (!isExpected) return
      dueAt = timers.nowMs() + limits.auditAnnounceMs
      const head = await findHead(database.read)
      if (head === undefined) return
      if (head.position > announced) {
        const [aggregateId, data] = [head.store, signedHead(head)]
        const event = { aggregate: 'audit', aggregateId, type: 'head.signed', data, correlationId: newId() } as const
        await database.write((tx) => appendEvent(tx, clock.now(), event))
        announced = head.position
      }
      isExpected = file !== undefined && head.position > written
      if (!isExpected || file === undefined) return
      try {
        await appendHead(file, head)
        written = head.position
        isExpected = false
      } catch (error) {
        log.warn('the head of the audit trail could not be written; the next minute tries again', {
          file,
          cause: error,
        })
      }
    },
  }
}
