import { describe } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDatabase } from '../../src/db/connect.ts'
import type { Database, Dialect } from '../../src/db/database.ts'
import { migrate } from '../../src/db/migrate.ts'
import { onTestsEnd } from './cleanup.ts'
import { postgresAvailable, startPostgres } from './postgres.ts'

/** A fresh folder that goes with the test process. */
export function temporaryFolder(prefix = 'quire-test-'): string {
  const folder = mkdtempSync(join(tmpdir(), prefix))
  onTestsEnd(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** The URL of an empty database of that dialect, real in both: a temporary file, or a private server's. */
export async function emptyDatabaseUrl(dialect: Dialect): Promise<string> {
  if (dialect === 'sqlite') return `file:${join(temporaryFolder(), 'quire.db')}`
  return (await startPostgres()).createDatabase()
}

/** An opened, migrated, empty database. On PostgreSQL, where migrating takes a second, it copies the first one. */
export async function openTestDatabase(dialect: Dialect): Promise<Database> {
  if (dialect === 'sqlite') return openDatabase(await migratedUrl(dialect))
  template ??= migratedUrl(dialect)
  return openDatabase(await (await startPostgres()).createDatabase(await template))
}

let template: Promise<string> | undefined

/** The URL of a migrated database to which nobody is connected. */
async function migratedUrl(dialect: Dialect): Promise<string> {
  const url = await emptyDatabaseUrl(dialect)
  const database = await openDatabase(url)
  await migrate(database)
  await database.close()
  return url
}

/** Runs the same tests on both dialects; PostgreSQL's are skipped by name where it isn't installed (never in CI). */
export function describeOnBothDialects(name: string, tests: (dialect: Dialect) => void): void {
  describe(`${name} (sqlite)`, () => tests('sqlite'))
  describe.if(postgresAvailable)(`${name} (postgres)`, () => tests('postgres'))
}
