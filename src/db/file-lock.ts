import {
  closeSync,
  existsSync,
  fchownSync,
  lstatSync,
  openSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs'
import { hostname } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'
import Libsql from 'libsql'
import { detailOf } from '../core/error-cause.ts'

/** Another process uses the database file; the message names it. */
export class DatabaseInUse extends Error {
  override readonly name = 'DatabaseInUse'
}

/** Open lock connections. One that is garbage-collected closes and loses its lock, so it is kept here until it is released. */
const held = new Set<InstanceType<typeof Libsql>>()

/**
 * Locks a database file for this process. Group commit, the single checkpointing writer and the ending of leases at the start
 * depend on it. The lock is SQLite's own: an open transaction on an empty file beside the database. So the system releases it
 * however the process ends, and it also excludes other containers on the same machine. A text file says who holds the lock; it is
 * read only while the lock is held.
 *
 * @returns releases it
 * @throws DatabaseInUse; an error for people if the file's folder is missing
 */
export function lockDatabaseFile(path: string): () => void {
  const place = realPathOf(path)
  if (!existsSync(`${place}.lock`)) makeLockFile(place)
  const lock = new Libsql(`${place}.lock`)
  try {
    lock.exec('BEGIN IMMEDIATE')
  } catch (error) {
    lock.close()
    if (!detailOf(error)?.startsWith('SQLITE_BUSY')) throw error
    throw new DatabaseInUse(
      `${place} is in use by ${holderOf(place)}, and one database file is for one process; stop that one first, or use PostgreSQL for several instances`,
    )
  }
  const holder = `process ${process.pid} (${commandOf(process.argv)}) on ${hostname()} since ${new Date().toISOString()}`
  rmSync(ownerFileOf(place), { force: true })
  makeBeside(place, ownerFileOf(place), `${holder}\n`)
  held.add(lock)
  return () => {
    if (!held.delete(lock)) return
    rmSync(ownerFileOf(place), { force: true })
    lock.close()
  }
}

/** Made here, because SQLite would make it as the user who runs this. */
function makeLockFile(place: string): void {
  try {
    makeBeside(place, `${place}.lock`, '')
  } catch {
    // Another process was faster; any other reason shows when the file is opened.
  }
}

/**
 * Creates a file, following no link. If root creates it, it gets the database's owner: the service could not open it otherwise.
 */
function makeBeside(place: string, path: string, content: string): void {
  const file = openSync(path, 'wx', 0o600)
  try {
    writeSync(file, content)
    const owner = process.getuid?.() === 0 ? statSync(place, { throwIfNoEntry: false }) : undefined
    if (owner !== undefined) fchownSync(file, owner.uid, owner.gid)
  } finally {
    closeSync(file)
  }
}

/** Removes the files of a lock; only for a database file that is removed itself. */
export function removeLockFiles(path: string): void {
  for (const file of [`${path}.lock`, `${path}.lock-journal`, ownerFileOf(path)]) rmSync(file, { force: true })
}

/** Fixed by Linux, which follows at most this many links. */
const MAX_LINKS = 40

/**
 * The real path of a file, even of one that doesn't exist yet, so that two names of one file don't pass for two databases.
 *
 * @throws an error for people if its folder is missing, or links lead nowhere
 */
export function realPathOf(path: string): string {
  let at = path
  for (let links = 0; links <= MAX_LINKS; links++) {
    if (existsSync(at)) return realpathSync(at)
    const folder = dirname(at)
    if (!existsSync(folder)) throw new Error(`there is no folder ${folder}; make it, or mount its volume`)
    const place = join(realpathSync(folder), basename(at))
    if (lstatSync(place, { throwIfNoEntry: false })?.isSymbolicLink() !== true) return place
    at = resolve(dirname(place), readlinkSync(place))
  }
  throw new Error(`${path} is a link that leads to itself; let it lead to a file`)
}

function ownerFileOf(place: string): string {
  return `${place}.owner`
}

function holderOf(place: string): string {
  try {
    return readFileSync(ownerFileOf(place), 'utf8').trim() || 'another process'
  } catch {
    return 'another process'
  }
}

/** The program's name and its command, without arguments, which may contain secrets. */
function commandOf(argv: readonly string[]): string {
  return `quire ${argv[2] ?? ''}`.trim()
}
