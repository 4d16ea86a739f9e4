import { sql } from 'drizzle-orm'
import { sha256Hex } from '../core/hash.ts'
import { holdLock } from './advisory-locks.ts'
import type { Connection, Database, Dialect, Transaction } from './database.ts'
import { instancesInWords, runningInstances } from './instances.ts'
import { hasTable, listed, readSchema, schemaDifferences, schemaOf } from './live-schema.ts'
import { isExpanding, type Migration, migrations, statementsOf, tablesMadeBy } from './migrations.ts'

/**
 * `sha256` is the hash of the migration's text; null if a version before 0.34 applied it. `kind` is `expands` if versions that
 * don't know the migration may still use the database; `makes` then lists the tables that it makes, separated by commas.
 */
const createRecords = sql`create table if not exists quire_migrations (name text primary key not null, applied_at text not null, sha256 text, kind text, makes text)`
const ADDED_COLUMNS = ['sha256', 'kind', 'makes']
const EXPANDS = 'expands'

export class SchemaTooNewError extends Error {
  override readonly name = 'SchemaTooNewError'
}

/** A migration changes something that running instances rely on. */
export class InstancesRunningError extends Error {
  override readonly name = 'InstancesRunningError'
}

/** A migration of the same name had other content when it was applied. */
export class MigrationDiffersError extends Error {
  override readonly name = 'MigrationDiffersError'
}

/**
 * Brings the database's schema up to this binary's. Each migration and its record are one transaction, so a kill leaves all of it
 * or nothing. @returns the names of the applied migrations
 *
 * @throws SchemaTooNewError if the database has a migration that this binary doesn't know and that does more than expand;
 * MigrationDiffersError if it has one with other content; InstancesRunningError if one that does more than expand must be applied
 * while other instances run
 */
export async function migrate(
  database: Database,
  known: readonly Migration[] = migrations[database.dialect],
  passed?: MoveMark,
): Promise<string[]> {
  const applied: string[] = []
  await database.write(async (tx) => {
    await lockSchema(tx)
    await createRecordsIn(tx)
  })
  await adopt(database, known)
  for (;;) {
    const name = await database.write(async (tx) => {
      await lockSchema(tx)
      return applyNext(tx, known, passed)
    })
    if (name === undefined) return applied
    applied.push(name)
  }
}

/**
 * Marks the database as half filled before it gets its first table, and brings its schema up to date; continues with one that is
 * marked already. False if it holds a store.
 */
export async function beginFilling(database: Database, holdsRows: () => Promise<boolean>): Promise<boolean> {
  const isMarked = (await appliedMigrations(database.read)).includes(UNFINISHED_MOVE)
  if (!isMarked && (await holdsRows())) return false
  await database.write(async (tx) => {
    await lockSchema(tx)
    await createRecordsIn(tx)
    await tx.rows(sql`create table if not exists quire_move (name text primary key not null, last_key text not null)`)
    await tx.rows(
      sql`insert into quire_migrations (name, applied_at) values (${UNFINISHED_MOVE}, ${tx.clock}) on conflict do nothing`,
    )
  })
  await migrate(database, migrations[database.dialect], UNFINISHED_MOVE)
  return true
}

/** Migrates inside a transaction of the caller, for a database that is rewritten as a whole. */
export async function migrateIn(tx: Transaction, known: readonly Migration[]): Promise<void> {
  await createRecordsIn(tx)
  while ((await applyNext(tx, known)) !== undefined) {}
}

async function createRecordsIn(tx: Transaction): Promise<void> {
  await tx.rows(createRecords)
  const there = await recordColumns(tx)
  for (const name of ADDED_COLUMNS) {
    if (!there.has(name)) await tx.rows(sql`alter table quire_migrations add column ${sql.identifier(name)} text`)
  }
}

/** A database's record of an applied migration. */
interface MigrationRecord {
  name: string
  sha256: string | null
  kind: string | null
  makes: string | null
}

/** Columns of the table of records; none if it doesn't exist. */
async function recordColumns(connection: Connection): Promise<Set<string>> {
  const found = await connection.rows<{ name: string }>(
    connection.dialect === 'postgres'
      ? sql`select attname as name from pg_attribute where attrelid = to_regclass('quire_migrations') and attnum > 0 and not attisdropped`
      : sql`select name from pragma_table_info('quire_migrations')`,
  )
  return new Set(found.map(({ name }) => name))
}

/**
 * Records ordered by name; none if the database isn't Quire's yet. The catalog is queried first: a database that doesn't answer
 * must not pass for an empty one, and an older version's table has fewer columns.
 */
async function recordsOf(connection: Connection): Promise<MigrationRecord[]> {
  const there = await recordColumns(connection)
  if (there.size === 0) return []
  const added = ADDED_COLUMNS.map(
    (name) => sql`${there.has(name) ? sql.identifier(name) : sql`null`} as ${sql.identifier(name)}`,
  )
  return connection.rows<MigrationRecord & Record<string, unknown>>(
    sql`select name, ${sql.join(added, sql`, `)} from quire_migrations order by name`,
  )
}

/** Names of the applied migrations; none if the database isn't Quire's yet. */
export async function appliedMigrations(connection: Connection): Promise<string[]> {
  return (await recordsOf(connection)).map(({ name }) => name)
}

/** Applied migrations that this version doesn't know but may run beside: a newer version has expanded the schema. */
export async function laterMigrations(connection: Connection): Promise<string[]> {
  return laterOf(await recordsOf(connection), migrations[connection.dialect]).map(({ name }) => name)
}

/** Tables made by migrations that this version doesn't know, for replacing the whole database. */
export async function unknownTables(connection: Connection): Promise<string[]> {
  const known = migrations[connection.dialect].map(({ name }) => name)
  const unknown = (await recordsOf(connection)).filter(({ name }) => !known.includes(name))
  return unknown.flatMap(({ makes }) => makes?.split(',').filter((name) => name !== '') ?? [])
}

function laterOf(records: readonly MigrationRecord[], known: readonly Migration[]): MigrationRecord[] {
  return records.filter(({ name, kind }) => kind === EXPANDS && !known.some((migration) => migration.name === name))
}

/**
 * Recorded like migrations, so that no version of Quire serves from the database: an unfinished `quire move`, and a store that
 * was moved away, followed by where to.
 */
export const UNFINISHED_MOVE = 'unfinished-move'
export const MOVED_AWAY = 'moved-away to '

/** A mark of `quire move` that the move's own steps ignore. */
export type MoveMark = typeof UNFINISHED_MOVE | typeof MOVED_AWAY

/** Where the store was moved to; undefined if it wasn't. */
export async function movedTo(connection: Connection): Promise<string | undefined> {
  return placeIn(await appliedMigrations(connection))
}

function placeIn(names: Iterable<string>): string | undefined {
  for (const name of names) if (name.startsWith(MOVED_AWAY)) return name.slice(MOVED_AWAY.length)
  return undefined
}

/**
 * For commands that only read: they must not mistake half of a move, or data that only a newer version understands, for the
 * whole.
 *
 * @throws SchemaTooNewError, or an error that a move must be finished first
 */
export async function requireOwnSchema(database: Database): Promise<void> {
  const known = migrations[database.dialect]
  refuseForeign(await recordsOf(database.read), known)
  await requireSameContent(database, known)
}

/**
 * For a command that copies the whole database elsewhere: it would leave out what a newer version has added.
 *
 * @throws SchemaTooNewError
 */
export async function requireNothingLater(connection: Connection): Promise<void> {
  const [later] = await laterMigrations(connection)
  if (later !== undefined) throw tooNew(later)
}

/**
 * `requireOwnSchema`, and also requires that the schema lacks nothing: commands read every column of this version.
 *
 * @throws an error that names the missing migrations and the remedy
 */
export async function requireCurrentSchema(database: Database): Promise<void> {
  await requireOwnSchema(database)
  const missing = await pendingMigrations(database)
  if (missing.length > 0)
    throw new Error(
      `the schema lacks ${missing.join(', ')}; run quire migrate first, after a backup with the version of Quire that made it`,
    )
}

/**
 * Compares the database's whole schema with the one that its migrations make, because others may have changed it since.
 *
 * @returns the differences, as sentences
 */
export async function changedSchema(database: Database): Promise<string[]> {
  const known = migrations[database.dialect]
  const records = await recordsOf(database.read)
  const applied = known.filter(({ name }) => records.some((record) => record.name === name))
  if (applied.length === 0) return []
  const additions = laterOf(records, known).length > 0 ? 'of a newer version' : 'of other hands'
  return schemaDifferences(await schemaOf(database, applied), await readSchema(database.read), additions)
}

interface AppliedMigration extends Migration {
  /** The recorded hash of its text. */
  recorded: string | null
}

async function appliedOf(connection: Connection, known: readonly Migration[]): Promise<AppliedMigration[]> {
  const records = await recordsOf(connection)
  return known.flatMap((migration) => {
    const record = records.find(({ name }) => name === migration.name)
    return record === undefined ? [] : { ...migration, recorded: record.sha256 }
  })
}

/**
 * Refuses a database whose migrations had other content. Migrations that an older version applied without a hash are verified by
 * the schema that they left.
 *
 * @returns the migrations without a hash
 */
async function requireSameContent(database: Database, known: readonly Migration[]): Promise<AppliedMigration[]> {
  const applied = await appliedOf(database.read, known)
  const other = applied.filter(({ recorded, sql: text }) => recorded !== null && recorded !== sha256Hex(text))
  const unhashed = applied.filter(({ recorded }) => recorded === null)
  if (other.length === 0 && unhashed.length === 0) return []
  const differences = schemaDifferences(await schemaOf(database, applied), await readSchema(database.read))
  if (other.length === 0 && differences.length === 0) return unhashed
  const names = (other.length > 0 ? other : unhashed).map(({ name }) => name).join(', ')
  const what =
    differences.length > 0 ? listed(differences) : 'the tables are the same, but the text of the migration is not'
  throw new MigrationDiffersError(
    `the database was made by migrations of other content than those of this version of Quire (${names}): ${what}; use the version of Quire that made it, or put a backup of this one in its place with quire restore --replace`,
  )
}

/** Records the missing hashes of an older version's migrations, once the schema is known to match. */
async function adopt(database: Database, known: readonly Migration[]): Promise<void> {
  const unhashed = await requireSameContent(database, known)
  if (unhashed.length === 0) return
  await database.write(async (tx) => {
    await lockSchema(tx)
    for (const { name, sql: text } of unhashed) {
      await tx.rows(
        sql`update quire_migrations set sha256 = ${sha256Hex(text)} where name = ${name} and sha256 is null`,
      )
    }
  })
}

function refuseForeign(records: readonly MigrationRecord[], known: readonly Migration[]): void {
  if (records.some(({ name }) => name === UNFINISHED_MOVE)) {
    throw new Error('a move into this database has not been finished; run the same quire move again')
  }
  const place = placeIn(records.map(({ name }) => name))
  if (place !== undefined) {
    throw new Error(
      `this store was moved to ${place}; use the settings that name it there, or let it serve here again with quire move --undo`,
    )
  }
  for (const { name, kind } of records) {
    if (kind !== EXPANDS && !known.some((migration) => migration.name === name)) throw tooNew(name)
  }
}

function tooNew(name: string): SchemaTooNewError {
  return new SchemaTooNewError(
    `the database holds migration ${name}, which this version of Quire does not know; use the newer version that made it`,
  )
}

/** Names of the migrations that `migrate` would apply; creates nothing. */
export async function pendingMigrations(database: Database): Promise<string[]> {
  const names = new Set(await appliedMigrations(database.read))
  return migrations[database.dialect].filter((migration) => !names.has(migration.name)).map(({ name }) => name)
}

/** Lets only one instance at a time change the schema and its records. */
export async function lockSchema(tx: Transaction): Promise<void> {
  await holdLock(tx, 'schema')
}

async function applyNext(tx: Transaction, known: readonly Migration[], passed?: MoveMark): Promise<string | undefined> {
  const all = await recordsOf(tx)
  const records = all.filter(({ name }) => passed === undefined || !name.startsWith(passed))
  refuseForeign(records, known)
  const next = known.find((migration) => !records.some(({ name }) => name === migration.name))
  if (next === undefined) return undefined
  // Migrations have one order: a newer version can't have built on one that is missing here.
  const [later] = laterOf(records, known)
  if (later !== undefined) throw tooNew(later.name)
  const expands = isExpanding(next)
  if (!expands) await refuseBesideInstances(tx, next)
  for (const statement of statementsOf(next)) await tx.rows(sql.raw(statement))
  await tx.rows(
    sql`insert into quire_migrations (name, applied_at, sha256, kind, makes)
        values (${next.name}, ${tx.clock}, ${sha256Hex(next.sql)}, ${expands ? EXPANDS : null}, ${tablesMadeBy(next).join(',')})`,
  )
  return next.name
}

/** Running instances don't know the migration. One that starts at this moment is stopped by `whileBound`. */
async function refuseBesideInstances(tx: Transaction, { name }: Migration): Promise<void> {
  if (!(await hasTable(tx, 'leases'))) return
  const running = await runningInstances(tx)
  if (running.length === 0) return
  throw new InstancesRunningError(
    `migration ${name} is not for instances that run without it, and ${instancesInWords(running)}`,
  )
}

/** How many migrations of this version do more than expand. A version that finds more in a database is too old for it. */
export function requiredMigrations(dialect: Dialect): number {
  return migrations[dialect].filter((migration) => !isExpanding(migration)).length
}
