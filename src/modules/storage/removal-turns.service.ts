import { newId } from '../../core/ids.ts'
import { limits } from '../../core/limits.ts'
import { systemTimers, type Timers } from '../../core/timers.ts'
import type { Database } from '../../db/database.ts'
import type { RemovalTurns } from '../../objects/removal-turns.ts'
import { beginTurn, endTurn, findTurn, type Turn } from './removal-turns.store.ts'

/**
 * Turns in a row of the leases: each holder has its turn under a name of its own, which stays when it has ended, so that whoever stores
 * an object sees whether there was another turn since the last look. A turn that nobody has ended is over once a process has seen it
 * for as long as a turn lasts, by its own clock that only goes forward: the database's clock may be set meanwhile.
 */
export function removalTurns(database: Database, timers: Timers = systemTimers): RemovalTurns {
  /** The newest turn that is known to be over, and when that was seen. */
  let ended: { turn: string; seenAtMs: number } | undefined
  /** The newest turn that was seen, and when for the first time. */
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
