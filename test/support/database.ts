import { describe, test } from 'bun:test'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
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
  onTestsEnd(() => {
    // A data directory has a mark and a ledger beside it.
    for (const path of [folder, `${folder}.store`, `${folder}.erasures`]) rmSync(path, { recursive: true, force: true })
  })
  return folder
}

/** The URL of an empty database of that dialect, real in both: a temporary file, or a private server's. */
export async function emptyDatabaseUrl(dialect: Dialect): Promise<string> {
  if (dialect === 'sqlite') return `file:${join(temporaryFolder(), 'quire.db')}`
  return (await startPostgres()).createDatabase()
}

/** An opened, migrated, empty database: a copy of the first one, because migrating takes longer than copying. */
export async function openTestDatabase(dialect: Dialect): Promise<Database> {
  if (dialect === 'sqlite') {
    migratedFiles ??= readMigratedFiles()
    const path = join(temporaryFolder(), 'quire.db')
    for (const [suffix, bytes] of await migratedFiles) writeFileSync(`${path}${suffix}`, bytes)
    return openDatabase(`file:${path}`)
  }
  template ??= migratedUrl(dialect)
  return openDatabase(await (await startPostgres()).createDatabase(await template))
}

let migratedFiles: Promise<[suffix: string, bytes: Uint8Array][]> | undefined
let template: Promise<string> | undefined

/** A migrated database and the log beside it, in memory: their folder goes with the first tests that asked for one. */
async function readMigratedFiles(): Promise<[suffix: string, bytes: Uint8Array][]> {
  const path = (await migratedUrl('sqlite')).slice('file:'.length)
  return ['', '-wal']
    .filter((suffix) => existsSync(path + suffix))
    .map((suffix) => [suffix, readFileSync(path + suffix)])
}

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

/** A test about one dialect alone. For the other there is nothing to run, so nothing counts as skipped. */
export function testOf(
  dialect: Dialect,
  only: Dialect,
): (name: string, body: () => Promise<void>, ms?: number) => void {
  return dialect === only ? test : () => {}
}
