import { sql } from 'drizzle-orm'
import { causesOf, detailOf } from '../core/error-cause.ts'
import { limits } from '../core/limits.ts'
import { type Bound, type Connection, type Database, DatabaseGone, SchemaChanged } from './database.ts'
import { prepareOnce } from './prepared.ts'

/**
 * Runs the statements of a transaction. With the first of them it asks which store the database holds, and whether its schema
 * still suits this version: a server that was replaced behind its address, a database that was dropped and made again, and one
 * that a newer version has changed would all accept statements. The question travels with the first statement, so it costs no
 * round trip.
 *
 * On PostgreSQL it also sets timeouts: the server ends a transaction that falls silent, for example because its machine was
 * switched off, and so releases its locks.
 *
 * @param lockWaitMs how long a statement waits for another transaction's lock, on PostgreSQL; 0 waits without end
 * @throws DatabaseGone for another store or none, SchemaChanged for another schema, both whatever the statements' result; and the
 *   error of the question
 */
export async function whileBound<T>(
  connection: Connection,
  required: Bound | undefined,
  work: (connection: Connection) => Promise<T>,
  lockWaitMs = 0,
): Promise<T> {
  if (required === undefined) return work(connection)
  const bound = requireStore(connection, required, lockWaitMs)
  // If it fails first, the statements are awaited before its error is.
  bound.catch(() => {})
  let value: T
  try {
    value = await work(connection)
  } catch (error) {
    await bound.catch((cause: unknown) => {
      if (cause instanceof DatabaseGone || cause instanceof SchemaChanged) throw cause
    })
    // A broken transaction throws its own error.
    throw error
  }
  await bound
  return value
}

async function requireStore(connection: Connection, { storeId, required }: Bound, lockWaitMs: number): Promise<void> {
  let found: { value: string; required: number } | undefined
  try {
    found = (await storeAndSchema(connection).execute({ lockWaitMs: `${lockWaitMs}` }))[0]
  } catch (cause) {
    const isMissing = [...causesOf(cause)].some(
      (error) => detailOf(error) === '42P01' || /no such table/.test(error.message),
    )
    if (!isMissing) throw cause
  }
  if (found?.value !== storeId) {
    throw new DatabaseGone(
      `the database holds ${found === undefined ? 'no store' : `the store ${found.value}`} instead of ${storeId}`,
    )
  }
  if (Number(found.required) > required) throw new SchemaChanged()
}

const waits = {
  idle: sql`set_config('idle_in_transaction_session_timeout', ${`${limits.databaseSilentMs}`}, true)`,
  lock: sql`set_config('lock_timeout', ${sql.placeholder('lockWaitMs')}, true)`,
}

/** Runs in every transaction. */
const storeAndSchema = prepareOnce(({ dialect, q }) =>
  q
    .select({
      value: sql<string>`value`,
      required: sql<number>`(select count(*) from quire_migrations where kind is null)`,
      ...(dialect === 'postgres' ? waits : {}),
    })
    .from(sql`quire_store`)
    .where(sql`name = 'id'`)
    .prepare(),
)

/** The same database, but it refuses commits while something that it needs is gone; checked before every commit. */
export function writingWhile(database: Database, gone: () => Error | undefined): Database {
  return {
    dialect: database.dialect,
    writeLoad: database.writeLoad,
    get read() {
      return database.read
    },
    write(work, lane) {
      const cause = gone()
      return cause === undefined ? database.write(work, lane) : Promise.reject(cause)
    },
    snapshot: (work) => database.snapshot(work),
    ...(database.scrub === undefined
      ? {}
      : { scrub: (bytes: number) => database.scrub?.(bytes) ?? Promise.resolve(true) }),
    close: () => database.close(),
  }
}
