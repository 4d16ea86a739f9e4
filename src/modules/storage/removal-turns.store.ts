import { eq, sql } from 'drizzle-orm'
import { Lease } from '../../bus/lease.ts'
import { newId } from '../../core/ids.ts'
import { limits } from '../../core/limits.ts'
import { systemTimers, type Timers } from '../../core/timers.ts'
import type { Database } from '../../db/database.ts'
import { prepareOnce } from '../../db/prepared.ts'
import type { RemovalTurns } from '../../objects/removal-turns.ts'

const NAME = 'object-removal'

/**
 * Turns as a lease that each holder has under a name of its own, and which stays when it has ended: so whoever stores an object sees
 * whether there was another turn since the last look.
 */
export function removalTurns(database: Database, timers: Timers = systemTimers): RemovalTurns {
  /** The newest turn that is known to have ended, and when that was seen. */
  let ended: { turn: string; seenAtMs: number } | undefined

  async function lastTurn(): Promise<{ turn: string; isOver: boolean } | undefined> {
    const [row] = await newest(database.read).execute()
    return row && { turn: row.turn, isOver: Number(row.isOver) === 1 }
  }

  return {
    async take() {
      const lease = new Lease(database, { name: NAME, owner: newId(), leaseMs: limits.objectTurnMs, timers })
      if (!(await lease.hold())) return undefined
      return {
        mayRemove: () => lease.isHeldFor(limits.objectTurnMs / 2),
        end: () => lease.end(),
      }
    },
    async noneSince(atMs) {
      const last = await lastTurn()
      if (last === undefined) return true
      const { turn } = last
      if (ended?.turn === turn) return ended.seenAtMs <= atMs
      // Longer than any turn lasts, in case the database's clock was set back.
      const untilMs = timers.nowMs() + limits.objectTurnMs
      let now: typeof last | undefined = last
      while (now?.turn === turn && !now.isOver && timers.nowMs() < untilMs) {
        await timers.sleep(limits.objectTurnPollMs)
        now = await lastTurn()
      }
      ended = { turn, seenAtMs: timers.nowMs() }
      return false
    },
  }
}

const newest = prepareOnce(({ q, t: { leases }, clock }) =>
  q
    .select({ turn: leases.owner, isOver: sql<number>`case when ${leases.expiresAt} < ${clock} then 1 else 0 end` })
    .from(leases)
    .where(eq(leases.name, NAME))
    .prepare(),
)
