import { sql } from 'drizzle-orm'
import { causesOf, detailOf } from '../core/error-cause.ts'
import { allTableNames, type CopiedTable, copiedTables, digestOf, writeLines } from '../db/copy.ts'
import type { Connection, Database, Transaction } from '../db/database.ts'
import { readSchema, type Schema } from '../db/live-schema.ts'
import { migrateIn, unknownTables } from '../db/migrate.ts'
import { migrations } from '../db/migrations.ts'

export interface TableLines {
  table: CopiedTable
  lines: readonly string[]
}

export interface FilledWith {
  migrations: readonly string[]
  tables: readonly (CopiedTable & { rows: number; sha256: string })[]
}

/** Whether the database is Quire's and somebody has used it. */
export async function hasRows(database: Database): Promise<boolean> {
  for (const { name } of copiedTables(database.read)) {
    const found = await database.read
      .rows(sql`select 1 from ${sql.identifier(name)} limit 1`)
      .catch((error: unknown): Record<string, unknown>[] => {
        if (isMissingTable(error)) return []
        throw error
      })
    if (found.length > 0) return true
  }
  return false
}

/** Sessions, throttles and roles of instances, which a backup doesn't have either. */
export async function forgetPassing(database: Database): Promise<void> {
  const copied = new Set(copiedTables(database.read).map(({ name }) => name))
  const passing = allTableNames(database.read).filter((name) => !copied.has(name))
  await database.write(async (tx) => {
    for (const name of passing) await tx.rows(sql`delete from ${sql.identifier(name)}`)
  })
}

/**
 * Rebuilds the database from lines, in one transaction: the schema the lines were written with, the rows, a comparison with
 * what they should be, the migrations since, and what its caller adds. Readers see the state before until it ends.
 *
 * @returns the result of the caller's part
 */
export function fillDatabase<T>(
  database: Database,
  expected: FilledWith,
  read: () => AsyncIterable<TableLines>,
  add: (tx: Transaction) => Promise<T>,
): Promise<T> {
  const known = migrations[database.dialect]
  return database.write(async (tx) => {
    for (const name of [...allTableNames(tx), ...(await unknownTables(tx)), 'quire_migrations', 'quire_move']) {
      await tx.rows(sql`drop table if exists ${sql.identifier(name)}`)
    }
    await migrateIn(
      tx,
      known.filter(({ name }) => expected.migrations.includes(name)),
    )
    requireColumns(await readSchema(tx), expected.tables, copiedTables(tx))
    // Reading files inside a transaction is wrong for a service; here nobody else has the database.
    for await (const { table, lines } of read()) await writeLines(tx, table, lines)
    await requireSame(tx, expected.tables)
    await migrateIn(tx, known)
    return add(tx)
  })
}

/** @throws when a table is missing, or a migration had other content where the backup was made than it has here */
function requireColumns(schema: Schema, tables: FilledWith['tables'], made: readonly CopiedTable[]): void {
  const named = new Set(tables.map(({ name }) => name))
  const lacking = made.filter(({ name }) => schema.has(name) && !named.has(name))
  if (lacking.length > 0) {
    const names = lacking.map(({ name }) => name).join(', ')
    throw new Error(
      `the backup lacks ${names}, which its migrations make: something was taken out. Nothing was changed`,
    )
  }
  for (const { name, columns } of tables) {
    const here = [...(schema.get(name)?.columns.keys() ?? [])]
    const differ = [
      ...columns.filter((column) => !here.includes(column)),
      ...here.filter((column) => !columns.includes(column)),
    ]
    if (differ.length === 0) continue
    throw new Error(
      `the backup's table ${name} has other columns than its migrations make here (${differ.join(', ')}); restore it with the version of Quire that made it. Nothing was changed`,
    )
  }
}

/** @throws when a table isn't what it should be */
async function requireSame(connection: Connection, tables: FilledWith['tables']): Promise<void> {
  for (const table of tables) {
    const { rows, sha256 } = await digestOf(connection, table)
    if (rows !== table.rows || sha256 !== table.sha256) {
      throw new Error(`the table ${table.name} did not arrive as it was written; the database was not replaced`)
    }
  }
}

/** Empty if the table or a column isn't there: an empty database has no rows, and one of an older version has fewer. */
export async function rowsIfThere<Row>(rows: PromiseLike<Row[]>): Promise<Row[]> {
  try {
    return await rows
  } catch (error) {
    if (isMissingTable(error) || isMissingColumn(error)) return []
    throw error
  }
}

function isMissingColumn(error: unknown): boolean {
  for (const cause of causesOf(error)) {
    if (detailOf(cause) === '42703' || /no such column/.test(cause.message)) return true
  }
  return false
}

/** Whether a statement failed because the database has no such table. */
export function isMissingTable(error: unknown): boolean {
  for (const cause of causesOf(error)) {
    if (detailOf(cause) === '42P01' || /no such table/.test(cause.message)) return true
  }
  return false
}
