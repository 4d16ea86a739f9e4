import { and, eq, sql } from 'drizzle-orm'
import { newId } from '../../core/ids.ts'
import { instantFromEpochMs } from '../../core/instant.ts'
import { limits } from '../../core/limits.ts'
import { systemTimers, type Timers } from '../../core/timers.ts'
import type { Database } from '../../db/database.ts'
import { prepareOnce } from '../../db/prepared.ts'
import type { RemovalTurns } from '../../objects/removal-turns.ts'

const NAME = 'object-removal'
/** When a turn runs out that its holder has ended. */
const ENDED = instantFromEpochMs(0)

interface Turn {
  turn: string
  isEnded: boolean
}

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

  async function lastTurn(): Promise<Turn | undefined> {
    const [row] = await newest(database.read).execute()
    return row && { turn: row.turn, isEnded: Number(row.isEnded) === 1 }
  }

  function isOver({ turn, isEnded }: Turn): boolean {
    if (isEnded) return true
    if (seen?.turn !== turn) seen = { turn, sinceMs: timers.nowMs() }
    return timers.nowMs() - seen.sinceMs >= limits.objectTurnMs
  }

  return {
    async take() {
      const last = await lastTurn()
      if (last !== undefined && !isOver(last)) return undefined
      const turn = newId()
      const endsAtMs = timers.nowMs() + limits.objectTurnMs
      const holders = await database.write((tx) =>
        following(tx).execute({ turn, last: last?.turn ?? '', lease: tx.millisecondsFor(limits.objectTurnMs) }),
      )
      if (holders[0]?.turn !== turn) return undefined
      let isOwn = true
      return {
        mayRemove: () => isOwn && timers.nowMs() + limits.objectTurnMs / 2 < endsAtMs,
        async end() {
          isOwn = false
          await database.write(async (tx) => {
            const { leases } = tx.t
            const isStillOwn = and(eq(leases.name, NAME), eq(leases.owner, turn))
            await tx.q.update(leases).set({ expiresAt: ENDED }).where(isStillOwn)
          })
        },
      }
    },
    async noneSince(atMs) {
      const last = await lastTurn()
      if (last === undefined) return true
      const { turn } = last
      if (ended?.turn === turn) return ended.seenAtMs <= atMs
      for (let now: Turn | undefined = last; now?.turn === turn && !isOver(now); now = await lastTurn())
        await timers.sleep(limits.objectTurnPollMs)
      ended = { turn, seenAtMs: timers.nowMs() }
      return false
    },
  }
}

const newest = prepareOnce(({ q, t: { leases } }) =>
  q
    .select({ turn: leases.owner, isEnded: sql<number>`case when ${leases.expiresAt} = ${ENDED} then 1 else 0 end` })
    .from(leases)
    .where(eq(leases.name, NAME))
    .prepare(),
)

/** Takes the turn after that one, unless somebody else has taken it. */
const following = prepareOnce(({ q, t: { leases }, clockPlus }) => {
  const [owner, expiresAt] = [sql.placeholder('turn'), sql`${clockPlus(sql.placeholder('lease'))}`]
  return q
    .insert(leases)
    .values({ name: NAME, owner, expiresAt })
    .onConflictDoUpdate({
      target: leases.name,
      set: { owner: sql`excluded.owner`, expiresAt },
      setWhere: eq(leases.owner, sql.placeholder('last')),
    })
    .returning({ turn: leases.owner })
    .prepare()
})
