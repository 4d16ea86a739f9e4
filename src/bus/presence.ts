import { and, like, sql } from 'drizzle-orm'
import { limits } from '../core/limits.ts'
import type { Log } from '../core/log.ts'
import { PRODUCT_VERSION } from '../core/version.ts'
import type { Database } from '../db/database.ts'
import { presenceOf, presences } from '../db/instances.ts'
import { Lease } from './lease.ts'

/** Says in the database that this instance is there, by a lease of its own, until it is stopped. */
export function startPresence({ database, owner, log }: { database: Database; owner: string; log: Log }) {
  const lease = new Lease(database, {
    name: presenceOf(PRODUCT_VERSION, owner),
    owner,
    leaseMs: limits.presenceMs,
  })
  const say = async () => {
    try {
      await lease.hold()
      // Those of instances that ended silently.
      await database.write(async (tx) => {
        const { leases } = tx.t
        await tx.q.delete(leases).where(and(like(leases.name, presences), sql`${leases.expiresAt} < ${tx.clock}`))
      })
    } catch (error) {
      log.debug('this instance could not say that it is there', { cause: error })
    }
  }
  const timer = setInterval(() => void say(), limits.presenceMs / 3)
  const first = say()
  return {
    first,
    /** Takes the word back, so that it is not counted any more; gives up at the deadline. */
    async stop(deadlineMs: number) {
      clearInterval(timer)
      const released = first
        .then(() => lease.release())
        .catch((error: unknown) => log.warn('the lease was kept', { cause: error }))
      await Promise.race([released, Bun.sleep(deadlineMs)])
    },
  }
}
