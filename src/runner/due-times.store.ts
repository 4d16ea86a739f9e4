import { type Placeholder, type SQL, sql } from 'drizzle-orm'
import { stepNames } from '../core/steps.ts'
import type { Connection, Transaction } from '../db/database.ts'
import { prepareOnce } from '../db/prepared.ts'

/** The longest waits, counted from the moment at which a due time is set. */
export interface LongestWaits {
  backoffMs: number
  leaseMs: number
}

/**
 * Positions are listed, because the index begins with the position: without it, each look would read the whole queue. So it would
 * on PostgreSQL if the clock were read for each row; a sub-select reads it once.
 */
const positions = stepNames.map((_, index) => index + 1).join(', ')

/**
 * Due times further ahead than the longest wait were set before the database's clock was set back: by a correction or a move to
 * another server, whether or not Quire was running. Nobody would look at them until the clock has caught up.
 */
function isDisplaced(
  connection: Connection,
  { backoffMs, leaseMs }: Readonly<Record<keyof LongestWaits, number | Placeholder>>,
): { queued: SQL; leased: SQL } {
  return {
    queued: sql`status = 'queued' and position in (${sql.raw(positions)}) and available_at > (select ${connection.clockPlus(backoffMs)})`,
    leased: sql`status = 'running' and lease_expires_at > (select ${connection.clockPlus(leaseMs)})`,
  }
}

/** One look-up for each position in one index, and one in the other; both have only steps that still need work. */
export async function hasDisplacedStep(connection: Connection, { backoffMs, leaseMs }: LongestWaits): Promise<boolean> {
  const waits = { backoffMs: connection.millisecondsFor(backoffMs), leaseMs: connection.millisecondsFor(leaseMs) }
  return (await someDisplaced(connection).execute(waits)).length > 0
}

const someDisplaced = prepareOnce((connection) => {
  const { steps } = connection.t
  const waits = { backoffMs: sql.placeholder('backoffMs'), leaseMs: sql.placeholder('leaseMs') }
  const { queued, leased } = isDisplaced(connection, waits)
  return connection.q
    .select({ found: sql<number>`1` })
    .from(sql`(select 1) as one`)
    .where(sql`exists (select 1 from ${steps} where ${queued}) or exists (select 1 from ${steps} where ${leased})`)
    .prepare()
})

/**
 * Makes queued steps due at once. A lease gets its full time from now, because its owner may still be alive: then the owner
 * prolongs it, else another runner takes the step over. No state changes, so fences stay valid.
 */
export async function placeDueTimes(tx: Transaction, waits: LongestWaits): Promise<void> {
  const { steps } = tx.t
  const { queued, leased } = isDisplaced(tx, waits)
  await tx.q.update(steps).set({ availableAt: tx.clock }).where(queued)
  await tx.q
    .update(steps)
    .set({ leaseExpiresAt: tx.clockPlus(waits.leaseMs) })
    .where(leased)
}
