import { sql } from 'drizzle-orm'
import { causesOf, detailOf } from '../core/error-cause.ts'
import { type Connection, type Database, DatabaseGone } from './database.ts'

/**
 * Runs the statements of a transaction, and asks beside the first of them which store the database holds: a server that was
 * replaced behind its address, or a database that was dropped and made again, takes statements as well. The question goes
 * out together with the first statement, so it costs no round trip.
 *
 * @throws DatabaseGone for another store or none, whatever the statements came to
 */
export async function whileBound<T>(
  connection: Connection,
  storeId: string | undefined,
  work: (connection: Connection) => Promise<T>,
): Promise<T> {
  if (storeId === undefined) return work(connection)
  const bound = requireStore(connection, storeId)
  // Where it fails first, the statements are awaited before it is.
  bound.catch(() => {})
  try {
    return await work(connection)
  } finally {
    await bound
  }
}

async function requireStore(connection: Connection, storeId: string): Promise<void> {
  let found: string | undefined
  try {
    const rows = await connection.rows<{ value: string }>(sql`select value from quire_store where name = 'id'`)
    found = rows[0]?.value
  } catch (cause) {
    const isMissing = [...causesOf(cause)].some(
      (error) => detailOf(error) === '42P01' || /no such table/.test(error.message),
    )
    // A transaction that broke says so by itself.
    if (!isMissing) return
  }
  if (found !== storeId) {
    throw new DatabaseGone(
      `the database holds ${found === undefined ? 'no store' : `the store ${found}`} instead of ${storeId}`,
    )
  }
}

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
