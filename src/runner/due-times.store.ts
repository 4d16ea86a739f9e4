import { type Placeholder, type SQL, sql } from 'drizzle-orm'
import { stepNames } from '../core/steps.ts'
import type { Connection, Transaction } from '../db/database.ts'
import { prepareOnce } from '../db/prepared.ts'

/** The longest waits that a due time may be set to, from the moment it is set. */
export interface LongestWaits {
  backoffMs: number
  leaseMs: number
}

/**
 * Named one by one, because the index begins with the position: without it, each look would read the whole queue. So it
 * would on PostgreSQL if the clock were asked for each row; a sub-select asks it once.
 */
const positions = stepNames.map((_, index) => index + 1).join(', ')

/**
 * Due times further ahead than the longest wait were set before the database's clock was set back: by a correction or by a
 * move to another server, while Quire ran or while it didn't. Nobody would look at them until the clock has caught up.
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

/** One look at each position of one index and one at the other; both hold only steps which still need work. */
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
 * Queued steps become due at once. A lease gets its full time from now, because its owner may still be alive. If so, the
 * owner prolongs it; if not, another runner takes the step over. No state changes, so fences hold.
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
