import { sql } from 'drizzle-orm'
import type { Connection, Database, Transaction } from './database.ts'
import { type Migration, migrations } from './migrations.ts'

/** Any number will do, as long as every Quire uses the same: the instances of one database migrate one at a time. */
const advisoryLock = 7_120_533_001

const createRecords = sql`create table if not exists quire_migrations (name text primary key not null, applied_at text not null)`

export class SchemaTooNewError extends Error {
  override readonly name = 'SchemaTooNewError'
}

/**
 * Brings the database's schema up to this binary's. Each migration and the record of it are one transaction, so a kill
 * leaves either all of it or nothing. Returns the names it applied.
 *
 * @throws SchemaTooNewError when the database has a migration this binary doesn't know.
 */
export async function migrate(
  database: Database,
  known: readonly Migration[] = migrations[database.dialect],
): Promise<string[]> {
  const applied: string[] = []
  await database.write(async (tx) => {
    await lock(tx)
    await tx.rows(createRecords)
  })
  for (;;) {
    const name = await database.write(async (tx) => {
      await lock(tx)
      return applyNext(tx, known)
    })
    if (name === undefined) return applied
    applied.push(name)
  }
}

/** The same inside a transaction of the caller, for a database that is rewritten as a whole. */
export async function migrateIn(tx: Transaction, known: readonly Migration[]): Promise<void> {
  await tx.rows(createRecords)
  while ((await applyNext(tx, known)) !== undefined) {}
}

/**
 * The names of migrations that the database holds; none if it isn't Quire's yet. The catalog is asked for the table
 * first, so that a database that doesn't answer is never taken for an empty one.
 */
export async function appliedMigrations(connection: Connection): Promise<string[]> {
  const tables = await connection.rows(
    connection.dialect === 'postgres'
      ? sql`select 1 where to_regclass('quire_migrations') is not null`
      : sql`select 1 from sqlite_master where type = 'table' and name = 'quire_migrations'`,
  )
  if (tables.length === 0) return []
  const recorded = await connection.rows<{ name: string }>(sql`select name from quire_migrations order by name`)
  return recorded.map((row) => row.name)
}

/**
 * Recorded as a migration while a database is being filled by `quire move`, so that no version of Quire serves from half
 * of it.
 */
export const UNFINISHED_MOVE = 'unfinished-move'

/**
 * For commands that only read: they must not take half of a move, or a newer version's data, for the whole.
 *
 * @throws SchemaTooNewError, or what says that a move has to be finished first
 */
export async function requireOwnSchema(database: Database): Promise<void> {
  refuseForeign(new Set(await appliedMigrations(database.read)), migrations[database.dialect])
}

function refuseForeign(names: ReadonlySet<string>, known: readonly Migration[]): void {
  if (names.has(UNFINISHED_MOVE)) {
    throw new Error('a move into this database has not been finished; run the same quire move again')
  }
  for (const name of names) {
    if (!known.some((migration) => migration.name === name)) {
      throw new SchemaTooNewError(
        `the database holds migration ${name}, which this version of Quire does not know; use the newer version that made it`,
      )
    }
  }
}

/** The names of migrations that `migrate` would apply; creates nothing. */
export async function pendingMigrations(database: Database): Promise<string[]> {
  const names = new Set(await appliedMigrations(database.read))
  return migrations[database.dialect].filter((migration) => !names.has(migration.name)).map(({ name }) => name)
}

async function lock(tx: Transaction): Promise<void> {
  if (tx.dialect === 'postgres') await tx.rows(sql`select pg_advisory_xact_lock(${advisoryLock})`)
}

async function applyNext(tx: Transaction, known: readonly Migration[]): Promise<string | undefined> {
  const recorded = await tx.rows<{ name: string }>(sql`select name from quire_migrations`)
  const names = new Set(recorded.map((row) => row.name))
  refuseForeign(names, known)
  const next = known.find((migration) => !names.has(migration.name))
  if (next === undefined) return undefined
  for (const statement of next.sql.split('--> statement-breakpoint')) await tx.rows(sql.raw(statement))
  await tx.rows(sql`insert into quire_migrations (name, applied_at) values (${next.name}, ${tx.clock})`)
  return next.name
}
