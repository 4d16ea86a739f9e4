import { existsSync } from 'node:fs'
import { copyFile, link, rename, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { parseArgs } from 'node:util'
import { type Config, ConfigError } from '../config.ts'
import { type Clock, systemClock } from '../core/clock.ts'
import type { Log } from '../core/log.ts'
import { findSigningKey, prepareDataFolder, readMarks, readSigningKey, writeMarks } from '../data-folder.ts'
import { startDatabaseClock } from '../db/clock.ts'
import { openDatabase } from '../db/connect.ts'
import type { Database } from '../db/database.ts'
import { lockDatabaseFile, removeLockFiles } from '../db/file-lock.ts'
import { checkpointFile } from '../db/libsql.ts'
import { migrations } from '../db/migrations.ts'
import { ensureStoreId } from '../db/store-id.ts'
import { type BroughtBack, reconcileAll } from '../modules/erasures/erasures.reconcile.service.ts'
import { isEmpty, openLedger } from '../modules/ledger/ledger.service.ts'
import type { ObjectStore } from '../objects/object-store.ts'
import { openObjectStore } from '../objects/objects.ts'
import { bytesOf, checkBackup, linesOf, type Manifest, tableFile } from './backup.ts'
import { readBackup, syncFolder } from './backup-files.ts'
import { type Command, UsageError } from './command.ts'
import { plain } from './plain.ts'
import { printJson } from './print-json.ts'
import { createProgress } from './progress.ts'
import { fillDatabase, hasRows, type TableLines } from './restore.store.ts'

/**
 * `quire restore FOLDER|FILE.tar [--replace] [--json]`: checks all of the backup before it touches anything, puts the objects into
 * the store (which changes nothing that is there), fills a database and compares every table with the manifest, and only
 * then lets it take the place of the old one. A local database that it replaces stays beside the new one.
 */
export const runRestore: Command = async (args, context) => {
  const { values, positionals } = parseArgs({
    args: [...args],
    options: { replace: { type: 'boolean', default: false }, json: { type: 'boolean' } },
    allowPositionals: true,
  })
  const [source, ...more] = positionals
  if (source === undefined || more.length > 0)
    throw new UsageError('restore takes one backup, a folder or a file ending in .tar')
  const config = context.prepare()
  const checked = await checkBackup(source)
  if ('problems' in checked) {
    for (const problem of checked.problems) process.stderr.write(`quire: ${source}: ${plain(problem)}\n`)
    process.stderr.write('quire: nothing was changed\n')
    if (values.json) printJson({ path: source, problems: checked.problems })
    return 1
  }
  const { manifest } = checked
  refuseNewer(manifest, config.databaseUrl.startsWith('file:') ? 'sqlite' : undefined)
  for (const note of await prepareDataFolder(config)) process.stderr.write(`quire: ${note}\n`)
  const existing = values.replace ? 'replace' : 'refuse'
  const { kept, again } = config.databaseUrl.startsWith('file:')
    ? await restoreFile(config, source, manifest, existing)
    : await restoreServer(config, source, manifest, { existing, log: context.logFor(config) })
  const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0)
  if (values.json) {
    const { made_at, objects } = manifest
    printJson({
      path: source,
      made_at,
      rows,
      objects: objects.count,
      kept: kept ?? null,
      erased_again: again.erasures,
      holds_again: again.holds,
      retention_again: again.retention,
      problems: [],
    })
    return 0
  }
  process.stdout.write(`restored ${rows} rows and ${manifest.objects.count} objects from ${source}\n`)
  const some = ({ length }: readonly string[], one: string) =>
    length === 1 ? one : `${length} ${one.slice(one.indexOf(' ') + 1)}s`
  if (again.erasures.length > 0) {
    process.stdout.write(`made ${some(again.erasures, 'an erasure')} again that the backup did not have\n`)
  }
  if (again.holds.length > 0) {
    process.stdout.write(`brought ${some(again.holds, 'a legal hold')} up to date that the backup had otherwise\n`)
  }
  const newest = again.retention.at(-1)
  if (newest !== undefined) process.stdout.write(`put set ${newest} of the retention policies in force again\n`)
  if (kept !== undefined) process.stdout.write(`the database before it is kept as ${kept}\n`)
  return 0
}

function refuseNewer(manifest: Manifest, dialect: 'sqlite' | undefined): void {
  const known = new Set(migrations[dialect ?? 'postgres'].map(({ name }) => name))
  const unknown = manifest.migrations.find((name) => !known.has(name))
  if (unknown === undefined) return
  throw new Error(
    `the backup holds migration ${unknown}, which this version of Quire does not know; use version ${manifest.product_version} or a newer one`,
  )
}

/** What to do about data that is there. */
type Existing = 'replace' | 'refuse'

const inTheWay = 'there is data already; add --replace to put the backup in its place'

interface Restored {
  /** Where the old database is kept. */
  kept?: string
  again: BroughtBack
}

async function restoreFile(config: Config, source: string, manifest: Manifest, existing: Existing): Promise<Restored> {
  const path = config.databaseUrl.slice('file:'.length)
  const unlock = inUse(() => lockDatabaseFile(path))
  try {
    const isThere = existsSync(path)
    if (isThere && existing === 'refuse' && (await holdsRows(path))) throw new Error(inTheWay)
    await restoreObjects(config, source)
    const draft = `${path}.restoring`
    await removeDatabase(draft)
    const database = await openDatabase(`file:${draft}`)
    const again = await fillDatabase(database, manifest, () => tableLines(source, manifest))
      .then(() => nameStore(config, database))
      .then(() => followLedger(config, database, systemClock))
      .finally(() => database.close())
    removeLockFiles(draft)
    await removeEmptyLog(draft)
    const kept = isThere ? await keepAside(path) : undefined
    // Without the old one's log, a single rename exchanges them.
    await rename(draft, path)
    await syncFolder(dirname(path))
    return kept === undefined ? { again } : { kept, again }
  } finally {
    unlock()
  }
}

async function restoreServer(
  config: Config,
  source: string,
  manifest: Manifest,
  { existing, log }: { existing: Existing; log: Log },
): Promise<Restored> {
  const database: Database = await openDatabase(config.databaseUrl)
  try {
    if (existing === 'refuse' && (await hasRows(database))) throw new Error(inTheWay)
    await restoreObjects(config, source)
    await fillDatabase(database, manifest, () => tableLines(source, manifest))
    await nameStore(config, database)
    const clock = await startDatabaseClock(database, log)
    return { again: await followLedger(config, database, clock).finally(() => clock.stop()) }
  } finally {
    await database.close()
  }
}

/**
 * What was erased since the backup goes before the database is served, and what was held is held: the ledger outlives what is
 * replaced.
 *
 * @throws when it can't be read, since then nobody knows what would be served again
 */
async function followLedger(config: Config, database: Database, clock: Clock): Promise<BroughtBack> {
  const objects = await openObjectStore(config.objectsUrl)
  try {
    const ledger = openLedger(config, objects)
    // Who restores where nothing was erased, as on a new machine, is not given a key that wrote none of what is there.
    const key = (await isEmpty(ledger)) ? findSigningKey(config) : await readSigningKey(config)
    if (key !== undefined) database.attestWith?.(key.attest)
    return await reconcileAll({ database, ledger, clock })
  } finally {
    await objects.close()
  }
}

/** The store keeps the id that marks beside it name, so that the next start takes it for the one that was served here. */
async function nameStore(config: Config, database: Database): Promise<void> {
  const marks = readMarks(config)
  writeMarks(config, await ensureStoreId(database, marks.objects ?? marks.beside))
}

async function restoreObjects(config: Config, source: string): Promise<void> {
  const objects: ObjectStore = await openObjectStore(config.objectsUrl)
  const progress = createProgress()
  let count = 0
  try {
    for await (const file of (await readBackup(source)).files()) {
      if (!file.name.startsWith('objects/')) continue
      const hash = file.name.slice('objects/'.length)
      await objects.put(hash, await bytesOf(file.chunks, hash))
      progress.tell(`writing objects: ${++count}`)
    }
  } finally {
    progress.clear()
    await objects.close()
  }
}

async function* tableLines(source: string, manifest: Manifest): AsyncGenerator<TableLines> {
  const tables = new Map(manifest.tables.map((table) => [tableFile(table.name), table]))
  const progress = createProgress()
  for await (const file of (await readBackup(source)).files()) {
    const table = tables.get(file.name)
    if (table === undefined) continue
    let rows = 0
    for await (const lines of linesOf(file.chunks)) {
      rows += lines.length
      progress.tell(`writing ${table.name}: ${rows} of ${table.rows} rows`)
      yield { table, lines }
    }
  }
  progress.clear()
}

async function holdsRows(path: string): Promise<boolean> {
  const database = await openDatabase(`file:${path}`, { readOnly: true })
  // A database that can't be read holds what somebody may still want to save.
  return hasRows(database)
    .catch(() => true)
    .finally(() => database.close())
}

/**
 * Gives the old database another name, and keeps its own name taken until the new one replaces it: a kill in between
 * must not let the next start make an empty database. Its log has to be written back first, or it would be read into
 * the new one.
 */
async function keepAside(path: string): Promise<string> {
  const kept = `${path}.before-restore-${new Date().toISOString().replace(/[:.]/g, '-')}`
  const isWrittenBack = await checkpointFile(path).then(
    () => removeEmptyLog(path).then(() => true),
    () => false,
  )
  if (!isWrittenBack) {
    // Too damaged for that: its log stays with it.
    for (const suffix of ['-wal', '-shm']) {
      if (!existsSync(path + suffix)) continue
      await copyFile(path + suffix, kept + suffix)
      await rm(path + suffix)
    }
  }
  await link(path, kept)
  await syncFolder(dirname(path))
  return kept
}

/** What a closed database may leave beside it. @throws when there is something in it that the database lacks */
async function removeEmptyLog(path: string): Promise<void> {
  const log = await stat(`${path}-wal`).catch(() => undefined)
  if (log !== undefined && log.size > 0) throw new Error(`the log of ${path} could not be written back`)
  for (const suffix of ['-wal', '-shm']) await rm(path + suffix, { force: true })
}

async function removeDatabase(path: string): Promise<void> {
  for (const suffix of ['', '-wal', '-shm']) await rm(path + suffix, { force: true })
}

function inUse<T>(lock: () => T): T {
  try {
    return lock()
  } catch (error) {
    throw new ConfigError(`QUIRE_DATABASE_URL: ${error instanceof Error ? error.message : String(error)}`)
  }
}
