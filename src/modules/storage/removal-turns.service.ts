import { newId } from '../../core/ids.ts'
import { limits } from '../../core/limits.ts'
import { systemTimers, type Timers } from '../../core/timers.ts'
import type { Database } from '../../db/database.ts'
import type { RemovalTurns } from '../../objects/removal-turns.ts'
import { beginTurn, endTurn, findTurn, type Turn } from './removal-turns.store.ts'

/**
 * Turns in which one process may remove objects, kept in a row of the leases. Each turn has a name of its own, which stays after
 * its end: a process that stores an object sees whether there was another turn since its last look. A turn whose holder never
 * ended it is over once a process has seen it for as long as a turn lasts, by its own monotonic clock: the database's clock may
 * be set.
 */
export function removalTurns(database: Database, timers: Timers = systemTimers): RemovalTurns {
  /** The newest turn known to be over, and when that was seen. */
  let ended: { turn: string; seenAtMs: number } | undefined
  /** The newest turn seen, and when it was first seen. */
  let seen: { turn: string; sinceMs: number } | undefined

  function isOver({ turn, isEnded }: Turn): boolean {
    if (isEnded) return true
    if (seen?.turn !== turn) seen = { turn, sinceMs: timers.nowMs() }
    return timers.nowMs() - seen.sinceMs >= limits.objectTurnMs
  }

  return {
    async take() {
      const last = await findTurn(database.read)
      if (last !== undefined && !isOver(last)) return undefined
      const turn = newId()
      const endsAtMs = timers.nowMs() + limits.objectTurnMs
      if (!(await database.write((tx) => beginTurn(tx, turn, last?.turn, limits.objectTurnMs)))) return undefined
      let isOwn = true
      return {
        mayRemove: () => isOwn && timers.nowMs() + limits.objectTurnMs / 2 < endsAtMs,
        async end() {
          isOwn = false
          await database.write((tx) => endTurn(tx, turn))
        },
      }
    },
    async noneSince(atMs) {
      const last = await findTurn(database.read)
      if (last === undefined) return true
      const { turn } = last
      if (ended?.turn === turn) return ended.seenAtMs <= atMs
      for (let now: Turn | undefined = last; now?.turn === turn && !isOver(now); now = await findTurn(database.read))
        await timers.sleep(limits.objectTurnPollMs)
      ended = { turn, seenAtMs: timers.nowMs() }
      return false
    },
  }
}
