import { sql } from 'drizzle-orm'
import type { Clock } from '../core/clock.ts'
import { epochMsOf, type Instant, instantFromEpochMs } from '../core/instant.ts'
import { limits } from '../core/limits.ts'
import type { Log } from '../core/log.ts'
import { systemTimers, type Timers } from '../core/timers.ts'
import type { Connection, Database } from './database.ts'

/** A clock that runs until it is stopped. */
export interface DatabaseClock extends Clock {
  stop(): void
}

/**
 * The database's clock, for instances that share a database. It is read now and then, and the process's monotonic clock counts in
 * between. This machine's system clock isn't used, so it may be hours off. All instances compare values written with this clock;
 * if a millisecond matters, a statement uses `Connection.clock` itself.
 *
 * @throws the database's error, if it doesn't answer the first time
 */
export async function startDatabaseClock(
  database: Database,
  log: Log,
  sampleMs: number = limits.clockSampleMs,
  timers: Timers = systemTimers,
): Promise<DatabaseClock> {
  const first = await askClosely(database, timers)
  let offsetMs = (first.leastMs + first.mostMs) / 2
  let isAsking = false
  const follow = async () => {
    if (isAsking) return
    isAsking = true
    try {
      const { leastMs, mostMs } = await ask(database, timers)
      const steppedMs = Math.max(leastMs - offsetMs, 0) + Math.min(mostMs - offsetMs, 0)
      offsetMs += steppedMs
      if (Math.abs(steppedMs) >= limits.clockStepLoggedMs) {
        log.warn('the clock of the database was set', { by_ms: Math.round(steppedMs) })
      }
    } catch {
      // Others report that the database is away; the monotonic clock keeps counting.
    } finally {
      isAsking = false
    }
  }
  const stop = timers.every(sampleMs, () => void follow())
  return {
    now: () => instantFromEpochMs(timers.nowMs() + offsetMs),
    stop,
  }
}

/** The database's clock at this moment. */
export function readClock(database: Database): Promise<Instant> {
  return readTime(database.read)
}

export async function readTime(connection: Connection): Promise<Instant> {
  const [row] = await connection.rows<{ now: Instant }>(sql`select ${connection.clock} as now`)
  if (row === undefined) throw new Error('the database did not say what time it is')
  return row.now
}

/**
 * How far the database's clock is ahead of the monotonic one, as bounds: it was read at some moment between question and answer.
 */
interface Ahead {
  leastMs: number
  mostMs: number
}

/**
 * Asks again if the answer was slow: a machine that sleeps for days between question and answer would be days ahead of the
 * database, and remove what policies keep.
 */
async function askClosely(database: Database, timers: Timers): Promise<Ahead> {
  const widthOf = ({ leastMs, mostMs }: Ahead) => mostMs - leastMs
  let closest = await ask(database, timers)
  for (let again = 0; again < limits.clockFirstRepeats && widthOf(closest) >= limits.clockStepLoggedMs; again++) {
    const next = await ask(database, timers)
    if (widthOf(next) < widthOf(closest)) closest = next
  }
  return closest
}

async function ask(database: Database, timers: Timers): Promise<Ahead> {
  const askedMs = timers.nowMs()
  const nowMs = fineEpochMsOf(await readClock(database))
  return { leastMs: nowMs - timers.nowMs(), mostMs: nowMs - askedMs }
}

function fineEpochMsOf(instant: Instant): number {
  return epochMsOf(instant) + Number(instant.slice(23, 29)) / 1e6
}
