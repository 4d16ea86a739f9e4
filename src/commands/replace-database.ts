import { existsSync, rmSync } from 'node:fs'
import { copyFile, link, rename, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { type Config, ConfigError } from '../config.ts'
import type { Clock } from '../core/clock.ts'
import { findSigningKey, readMarks, readSigningKey, writeMarks } from '../data-folder.ts'
import { openDatabase } from '../db/connect.ts'
import type { Database } from '../db/database.ts'
import { lockDatabaseFile, realPathOf, removeLockFiles } from '../db/file-lock.ts'
import { checkpointFile } from '../db/libsql.ts'
import { ensureStoreId, findStoreId } from '../db/store-id.ts'
import { refuseOthersObjects } from '../migrated-database.ts'
import { type BroughtBack, reconcileAll } from '../modules/erasures/erasures.reconcile.service.ts'
import { isEmpty, type Ledger, openLedger } from '../modules/ledger/ledger.service.ts'
import { openObjectStore } from '../objects/objects.ts'
import { type Closed, type ClosedAgain, nothingClosed, readClosed, unknownClosed } from './closed-accounts.store.ts'
import { CommandFailure, isFull, syncFolder } from './files.ts'
import { clearedIfInterrupted } from './interrupted.ts'
import { plain } from './plain.ts'
import { hasRows } from './restore.store.ts'

/** What to do about data that is there. */
export type Existing = 'replace' | 'refuse'

export const inTheWay = 'there is data already; add --replace to put the backup in its place'

/** What a restore had undone, and was then done again: erasures, holds, closed access. */
export type Again = BroughtBack & ClosedAgain

/** The database that is to come. */
export interface Made {
  again: Again
  storeId: string
}

export interface Restored {
  /** Where the old database is kept. */
  kept?: string | undefined
  again: Again
}

/**
 * Puts a database's file in place of the one that is there, in one rename; the old one stays beside it.
 *
 * @param make makes the file under another name
 */
export async function replaceFile(
  config: Config,
  existing: Existing,
  make: (draft: string, replaced: Replaced) => Promise<Made>,
): Promise<Restored> {
  // A link, as to another disk, stays one: what it leads to is replaced.
  const path = inUse(() => realPathOf(config.databaseUrl.slice('file:'.length)))
  const unlock = inUse(() => lockDatabaseFile(path))
  try {
    const isThere = existsSync(path)
    if (isThere && existing === 'refuse' && (await holdsRows(path))) throw new Error(inTheWay)
    const draft = `${path}.restoring`
    await removeDatabase(draft)
    const replaced = isThere ? await lookInto(path) : { closed: nothingClosed }
    if (replaced.storeId !== undefined) refuseOthersObjects(config, readMarks(config), replaced.storeId)
    const clear = () => removeDatabaseAtOnce(draft)
    return await clearedIfInterrupted(clear, async () => {
      const { again, storeId } = await make(draft, replaced).catch((error: unknown) => {
        clear()
        throw isFull(error) ? new CommandFailure(`${draft} cannot be written: no space is left`) : error
      })
      removeLockFiles(draft)
      await removeEmptyLog(draft)
      const kept = isThere ? await keepAside(path) : undefined
      // Without the old one's log, a single rename exchanges them.
      await rename(draft, path)
      await syncFolder(dirname(path))
      // Not before: a restore that fails leaves the store that is there as it was, with its objects.
      writeMarks(config, storeId)
      return kept === undefined ? { again } : { kept, again }
    })
  } finally {
    unlock()
  }
}

/**
 * Makes the database tag new records with the store's key from then on. If nothing was ever erased here, as on a new machine,
 * no key is made: it would have written nothing of what is restored.
 *
 * @throws when the ledger can't be read: which erased content would be served again is unknown then
 */
export async function signAsStore(config: Config, database: Database): Promise<void> {
  const key = await withLedger(config, async (ledger) =>
    (await isEmpty(ledger)) ? findSigningKey(config) : readSigningKey(config),
  )
  if (key !== undefined) database.attestWith?.(key.attest)
}

/**
 * Repeats erasures and holds since the backup before the database is served: the ledger outlives the replaced database.
 *
 * @throws when a note of it can't be read
 */
export function followLedger(config: Config, database: Database, clock: Clock): Promise<BroughtBack> {
  return withLedger(config, (ledger) => reconcileAll({ database, ledger, clock }))
}

async function withLedger<T>(config: Config, work: (ledger: Ledger) => Promise<T>): Promise<T> {
  const objects = await openObjectStore(config.objectsUrl)
  try {
    return await work(openLedger(config, objects))
  } finally {
    await objects.close()
  }
}

/**
 * Gives the store the id that the marks beside it name, so that the next start takes it for the one that was served here.
 * Only a replica brings its own id; its marks are written once it is in its place.
 *
 * @param replacedId of the store that it replaces, which may have marked the objects
 * @returns its id
 * @throws ConfigError when the objects are another store's, which would lose them to the sweep
 */
export async function nameStore(config: Config, database: Database, replacedId?: string): Promise<string> {
  const marks = readMarks(config)
  const id = await ensureStoreId(database, marks.objects ?? marks.beside)
  if (marks.objects !== replacedId) refuseOthersObjects(config, marks, id, { coming: 'restored' })
  return id
}

/** What is known of a database that is replaced. */
interface Replaced {
  closed: Closed
  /** Undefined where it can't be read. */
  storeId?: string | undefined
}

async function lookInto(path: string): Promise<Replaced> {
  const database = await openDatabase(`file:${path}`, { readOnly: true }).catch(() => undefined)
  if (database === undefined) return { closed: unknownClosed }
  try {
    const closed = await readClosed(database.read).catch(() => unknownClosed)
    return { closed, storeId: await findStoreId(database.read).catch(() => undefined) }
  } finally {
    await database.close()
  }
}

async function holdsRows(path: string): Promise<boolean> {
  const database = await openDatabase(`file:${path}`, { readOnly: true })
  // A database that can't be read holds what somebody may still want to save.
  return hasRows(database)
    .catch(() => true)
    .finally(() => database.close())
}

/**
 * Links the old database under another name. Its own name stays taken until the new one replaces it: a kill in between
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

/** Removes what a closed database may leave beside it. @throws when its log has something that the database lacks */
async function removeEmptyLog(path: string): Promise<void> {
  const log = await stat(`${path}-wal`).catch(() => undefined)
  if (log !== undefined && log.size > 0) throw new Error(`the log of ${path} could not be written back`)
  for (const suffix of ['-wal', '-shm']) await rm(path + suffix, { force: true })
}

/** With its log, also the one that a replica is made from. */
const suffixes = ['', '-wal', '-shm', '.log']

async function removeDatabase(path: string): Promise<void> {
  for (const suffix of suffixes) await rm(path + suffix, { force: true })
}

function removeDatabaseAtOnce(path: string): void {
  for (const suffix of suffixes) rmSync(path + suffix, { force: true })
  removeLockFiles(path)
}

function inUse<T>(lock: () => T): T {
  try {
    return lock()
  } catch (error) {
    throw new ConfigError(`QUIRE_DATABASE_URL: ${error instanceof Error ? error.message : String(error)}`)
  }
}

/** What became of the data that were there, and of what was erased or closed since. */
export function tellRestored({ kept, again }: Restored): void {
  const some = ({ length }: readonly string[], one: string) =>
    length === 1 ? one : `${length} ${one.slice(one.indexOf(' ') + 1).replace(/y$/, 'ie')}s`
  if (again.erasures.length > 0) {
    process.stdout.write(`made ${some(again.erasures, 'an erasure')} again that the backup did not have\n`)
  }
  if (again.holds.length > 0) {
    process.stdout.write(`brought ${some(again.holds, 'a legal hold')} up to date that the backup had otherwise\n`)
  }
  const newest = again.retention.at(-1)
  if (newest !== undefined) process.stdout.write(`put set ${newest} of the retention policies in force again\n`)
  if (again.tokens.length > 0) process.stdout.write(`revoked ${some(again.tokens, 'an API token')} again\n`)
  if (again.users.length > 0) process.stdout.write(`disabled ${some(again.users, 'an account')} again\n`)
  if (again.factors.length > 0) process.stdout.write(`removed ${some(again.factors, 'a second factor')} again\n`)
  if (again.identities.length > 0) {
    process.stdout.write(
      `put ${some(again.identities, 'an identity')} at the provider back to the replaced database's\n`,
    )
  }
  if (again.webhooks.length > 0) {
    process.stdout.write(`paused ${some(again.webhooks, 'a webhook')} because of what was changed since the backup\n`)
  }
  if (kept !== undefined) process.stdout.write(`the database before it is kept as ${kept}\n`)
  for (const warning of again.warnings) process.stderr.write(`quire: ${plain(warning)}\n`)
}
