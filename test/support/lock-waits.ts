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
  try {
    await until('a statement waits for a lock', async () => (await database.read.rows(waiting)).length > 0)
  } finally {
    mayCommit.resolve()
    await committed
  }
  return outcome
}
