import { and, eq, sql } from 'drizzle-orm'
import { instantFromEpochMs } from '../../core/instant.ts'
import type { Connection, Transaction } from '../../db/database.ts'
import { prepareOnce } from '../../db/prepared.ts'

const NAME = 'object-removal'
/** The expiry of a turn that its holder has ended. */
const ENDED = instantFromEpochMs(0)

/** The newest turn to remove objects, and whether its holder has ended it. */
export interface Turn {
  turn: string
  isEnded: boolean
}

/** The newest turn; undefined if there has been none. */
export async function findTurn(connection: Connection): Promise<Turn | undefined> {
  const [row] = await newest(connection).execute()
  return row && { turn: row.turn, isEnded: Number(row.isEnded) === 1 }
}

/** Begins a turn after the last one. False if another one has begun meanwhile. */
export async function beginTurn(tx: Transaction, turn: string, last: string | undefined, ms: number): Promise<boolean> {
  const begun = await following(tx).execute({ turn, last: last ?? '', lease: tx.millisecondsFor(ms) })
  return begun[0]?.turn === turn
}

/** Ends the turn, unless another one has begun. */
export async function endTurn({ q, t: { leases } }: Transaction, turn: string): Promise<void> {
  const isOwn = and(eq(leases.name, NAME), eq(leases.owner, turn))
  await q.update(leases).set({ expiresAt: ENDED }).where(isOwn)
}

const newest = prepareOnce(({ q, t: { leases } }) =>
  q
    .select({ turn: leases.owner, isEnded: sql<number>`case when ${leases.expiresAt} = ${ENDED} then 1 else 0 end` })
    .from(leases)
    .where(eq(leases.name, NAME))
    .prepare(),
)

const following = prepareOnce(({ q, t: { leases }, clockPlus }) => {
  const expiresAt = sql`${clockPlus(sql.placeholder('lease'))}`
  return q
    .insert(leases)
    .values({ name: NAME, owner: sql.placeholder('turn'), expiresAt })
    .onConflictDoUpdate({
      target: leases.name,
      set: { owner: sql`excluded.owner`, expiresAt },
      setWhere: eq(leases.owner, sql.placeholder('last')),
    })
    .returning({ turn: leases.owner })
    .prepare()
})
