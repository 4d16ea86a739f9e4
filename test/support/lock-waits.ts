import { sql } from 'drizzle-orm'
import type { Database, Transaction } from '../../src/db/database.ts'
import { until } from './until.ts'

/**
 * Gives what two transactions do at one moment one order, on PostgreSQL: `first` has written and commits only when a
 * statement of `second` waits for its lock.
 */
export async function whileUncommitted<T>(
  database: Database,
  first: (tx: Transaction) => Promise<unknown>,
  second: () => Promise<T>,
): Promise<T> {
  const written = Promise.withResolvers<void>()
  const mayCommit = Promise.withResolvers<void>()
  const committed = database.write(async (tx) => {
    await first(tx)
    written.resolve()
    await mayCommit.promise
  })
  await Promise.race([written.promise, committed])
  const waiting = sql`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  const outcome = second()
  // It may be refused before the first has heard that it is committed.
  outcome.catch(() => {})
  try {
    await until('a statement waits for a lock', async () => (await database.read.rows(waiting)).length > 0)
  } finally {
    mayCommit.resolve()
    await committed
  }
  return outcome
}

/** A database, and what somebody does in it while a transaction has done its work and not committed it yet. */
export function holdingCommits(database: Database) {
  let held: { is: (outcome: unknown) => boolean; reach: () => void; mayCommit: Promise<void> } | undefined
  const write: Database['write'] = (work, lane) =>
    database.write(async (tx) => {
      const outcome = await work(tx)
      if (held?.is(outcome) === true) {
        const { reach, mayCommit } = held
        held = undefined
        reach()
        await mayCommit
      }
      return outcome
    }, lane)

  /**
   * @param is by what a transaction's work came to: the first one for which it says so is held until `second` has ended, or waits for a
   *   lock
   */
  async function whileHeld<T, U>(
    is: (outcome: unknown) => boolean,
    first: () => Promise<T>,
    second: () => Promise<U>,
  ): Promise<[T, U]> {
    const [reached, mayCommit] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    held = { is, reach: reached.resolve, mayCommit: mayCommit.promise }
    const one = first()
    one.catch(() => {})
    await Promise.race([reached.promise, one])
    const waiting = sql`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
    let hasEnded = false
    const other = second().finally(() => (hasEnded = true))
    other.catch(() => {})
    try {
      await until('the second has ended or waits for the first', async () => {
        return hasEnded || (await database.read.rows(waiting)).length > 0
      })
    } finally {
      mayCommit.resolve()
    }
    return [await one, await other]
  }
  const holding = new Proxy(database, {
    get(target, name) {
      if (name === 'write') return write
      const value: unknown = Reflect.get(target, name, target)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
  return { database: holding, whileHeld }
}
