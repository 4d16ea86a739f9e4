import { constants, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { chmod, link, mkdir, open, stat, unlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type Config, ConfigError, isSigningKey } from './config.ts'
import { detailOf } from './core/error-cause.ts'
import { hmac, type SigningKey, signingKeyOf } from './core/signing-key.ts'

/** The current key, and the previous one while it is being replaced. */
export async function readSecrets(
  config: Pick<Config, 'secret' | 'secretPrevious' | 'dataFolder'>,
): Promise<readonly [current: string, ...previous: string[]]> {
  const current = await readSecret(config.secret, config.dataFolder)
  return config.secretPrevious === undefined ? [current] : [current, config.secretPrevious]
}

/**
 * The key for CSRF tokens, cookies, cursors and second factors: the configured one, or the one in the data directory, which is
 * created there once with mode 0600. Two processes that start together end up with the same one.
 */
export async function readSecret(configured: string | undefined, dataFolder: string): Promise<string> {
  if (configured !== undefined) return configured
  const path = join(dataFolder, 'secret')
  if (!existsSync(path)) await writeOnce(path, Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('hex'))
  const secret = readFileSync(path, 'utf8').trim()
  if (secret.length < 32) {
    throw new ConfigError(
      `QUIRE_SECRET: the file ${path} holds no key of 32 characters or more; remove it to have a new one made`,
    )
  }
  return secret
}

/**
 * The key that signs the audit trail: the configured one, or the one in the data directory. That one is derived once from the
 * secret, so that instances with the same secret have the same key; a later new secret doesn't change it.
 */
export async function readSigningKey({ secret, signingKey, dataFolder }: KeyPlaces): Promise<SigningKey> {
  if (signingKey !== undefined) return signingKeyOf(signingKey)
  const path = signingKeyFile(dataFolder)
  if (!existsSync(path)) await writeOnce(path, hmac(await readSecret(secret, dataFolder), 'quire signing key'))
  return readKeyFile(path)
}

/** The signing key for commands that only read and must not create a file; undefined if there is none. */
export function findSigningKey({ signingKey, dataFolder }: KeyPlaces): SigningKey | undefined {
  if (signingKey !== undefined) return signingKeyOf(signingKey)
  const path = signingKeyFile(dataFolder)
  return existsSync(path) ? readKeyFile(path) : undefined
}

export type KeyPlaces = Pick<Config, 'secret' | 'signingKey' | 'dataFolder'>

function signingKeyFile(dataFolder: string): string {
  return join(dataFolder, 'signing-key')
}

function readKeyFile(path: string): SigningKey {
  const seed = readFileSync(path, 'utf8').trim()
  if (!isSigningKey(seed)) {
    throw new ConfigError(
      `QUIRE_SIGNING_KEY: the file ${path} holds no key of 64 hexadecimal digits; bring it back, or remove it to have a new one made`,
    )
  }
  return signingKeyOf(seed)
}

/** Writes under another name and links the file into place, so that nobody reads half a key, and the first key stays. */
async function writeOnce(path: string, secret: string): Promise<void> {
  const draft = `${path}.${process.pid}.${Date.now()}`
  const file = await open(draft, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, 0o600)
  try {
    await file.writeFile(`${secret}\n`)
    await file.sync()
    await file.close()
    await link(draft, path).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error
    })
  } finally {
    await unlink(draft)
  }
}

/**
 * Creates the data directory, and closes it to other users of the machine. An earlier version, a copy or a mistake may have let
 * them read or replace the database, its log or the secret.
 *
 * @returns what was changed or could not be, for the log
 * @throws ConfigError in one line if the directory can't be written
 */
export async function prepareDataFolder({ dataFolder, databaseUrl }: StorePlaces): Promise<string[]> {
  try {
    await mkdir(dataFolder, { recursive: true, mode: 0o700 })
    const probe = join(dataFolder, `.probe-${process.pid}`)
    await (await open(probe, 'w', 0o600)).close()
    await unlink(probe)
  } catch (error) {
    throw new ConfigError(
      `QUIRE_DATA: the data directory ${dataFolder} can't be written (${detailOf(error)}); make it writable or name another one`,
    )
  }
  const database = databaseUrl.startsWith('file:') ? databaseUrl.slice('file:'.length) : undefined
  const files = [
    join(dataFolder, 'secret'),
    signingKeyFile(dataFolder),
    ...(database === undefined ? [] : filesOf(database)),
  ]
  const notes = [await closedFolder(dataFolder), ...(await Promise.all(files.map((file) => withoutBits(file, 0o077))))]
  return notes.filter((note) => note !== undefined)
}

/** Fixed by POSIX. */
const STICKY = 0o1000

export interface StorePlaces {
  dataFolder: string
  databaseUrl: string
}

function filesOf(database: string): string[] {
  return ['', '-wal', '-shm'].map((suffix) => database + suffix)
}

/**
 * Closes a folder, unless it has the sticky bit and so belongs to the whole machine, like /tmp: root would close that to all
 * others.
 */
async function closedFolder(folder: string): Promise<string | undefined> {
  const mode = (await modeOf(folder)) ?? 0
  if ((mode & STICKY) === 0 || (mode & 0o022) === 0) return withoutBits(folder, 0o022)
  return `${folder} has mode ${mode.toString(8).padStart(4, '0')}, shared by users of this machine; name a directory of Quire's own in QUIRE_DATA`
}

/** Removes bits from the mode of a file or folder. A folder's other bits stay, because others may have to look into it. */
async function withoutBits(path: string, bits: number): Promise<string | undefined> {
  const mode = (await modeOf(path)) ?? 0
  if ((mode & bits) === 0) return undefined
  const was = mode.toString(8).padStart(4, '0')
  const wanted = (mode & ~bits).toString(8).padStart(4, '0')
  await chmod(path, mode & ~bits).catch(() => {})
  // Some file systems have no modes, but accept every change of one.
  return (await modeOf(path)) === (mode & ~bits)
    ? `${path} had mode ${was}, open to other users; it has ${wanted} now`
    : `${path} has mode ${was}, open to other users, which can't be changed; give it ${wanted}, or mount its file system so`
}

async function modeOf(path: string): Promise<number | undefined> {
  try {
    return (await stat(path)).mode & 0o7777
  } catch (error) {
    if (detailOf(error) === 'ENOENT') return undefined
    throw error
  }
}

/** Ids of the store that was served here, from files that outlive its database; undefined if there is none. */
export interface StoreMarks {
  /** From the object directory; other object stores have none. */
  objects: string | undefined
  /** From beside the data directory, in case the directory is lost. */
  beside: string | undefined
}

/** Paths of the marks, for messages. */
export function markFiles(config: Pick<Config, 'dataFolder' | 'objectsUrl'>) {
  const objects = config.objectsUrl.startsWith('file:') ? config.objectsUrl.slice('file:'.length) : undefined
  return { objects: objects === undefined ? undefined : join(objects, 'store'), beside: `${config.dataFolder}.store` }
}

export function readMarks(config: Pick<Config, 'dataFolder' | 'objectsUrl'>): StoreMarks {
  const { objects, beside } = markFiles(config)
  return { objects: objects === undefined ? undefined : readMark(objects), beside: readMark(beside) }
}

function readMark(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8').trim() || undefined
  } catch (error) {
    // A user who may not read it has no key; a failing disk is reported elsewhere.
    if (['ENOENT', 'ENOTDIR', 'EACCES'].includes(detailOf(error) ?? '')) return undefined
    throw error
  }
}

/**
 * Writes the marks. A mark that can't be written is left out: beside the data directory in a container, or among the objects
 * while their disk is full or read-only. It is only a precaution, and the next start tries again; the store works, or waits,
 * without it.
 */
export function writeMarks(config: Pick<Config, 'dataFolder' | 'objectsUrl'>, id: string): void {
  const { objects, beside } = markFiles(config)
  if (objects !== undefined) writeMark(objects, id)
  writeMark(beside, id)
}

function writeMark(path: string, id: string): void {
  if (readMark(path) === id) return
  const draft = `${path}.${process.pid}`
  try {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(draft, `${id}\n`, { mode: 0o600, flush: true })
    renameSync(draft, path)
  } catch (error) {
    removeDraft(draft)
    if (!['EACCES', 'EPERM', 'EROFS', 'ENOSPC', 'EDQUOT'].includes(detailOf(error) ?? '')) throw error
  }
}

function removeDraft(path: string): void {
  try {
    rmSync(path)
  } catch {
    // If it could not be written, there is nothing to remove, or removing fails, too.
  }
}
