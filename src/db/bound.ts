import { sql } from 'drizzle-orm'
import { causesOf, detailOf } from '../core/error-cause.ts'
import { limits } from '../core/limits.ts'
import { type Bound, type Connection, type Database, DatabaseGone, SchemaChanged } from './database.ts'
import { prepareOnce } from './prepared.ts'

/**
 * Runs the statements of a transaction, and asks beside the first of them which store the database holds, and whether its
 * schema is still one for this version: a server that was replaced behind its address, or a database that was dropped and
 * made again, takes statements as well, and so does one that a newer version has changed. The question goes out together
 * with the first statement, so it costs no round trip.
 *
 * On PostgreSQL it also says what the transaction may wait for: the server ends one that falls silent, because its machine was
 * switched off, and so frees what it held.
 *
 * @param lockWaitMs how long a statement waits for what another transaction holds, on PostgreSQL; 0 is without end
 * @throws DatabaseGone for another store or none, SchemaChanged for another schema, whatever the statements came to, and what the
 *   question failed with
 */
export async function whileBound<T>(
  connection: Connection,
  required: Bound | undefined,
  work: (connection: Connection) => Promise<T>,
  lockWaitMs = 0,
): Promise<T> {
  if (required === undefined) return work(connection)
  const bound = requireStore(connection, required, lockWaitMs)
  // Where it fails first, the statements are awaited before it is.
  bound.catch(() => {})
  let value: T
  try {
    value = await work(connection)
  } catch (error) {
    await bound.catch((cause: unknown) => {
      if (cause instanceof DatabaseGone || cause instanceof SchemaChanged) throw cause
    })
    // A transaction that broke says so by itself.
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

/** Asked by every transaction. */
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

/** The same database, which takes no commit while what it needs beside it is gone; asked before every one. */
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
