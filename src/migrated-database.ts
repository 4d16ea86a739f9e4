import { existsSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type Config, ConfigError } from './config.ts'
import { wordsOf } from './core/error-cause.ts'
import type { Log } from './core/log.ts'
import { withoutCredentials } from './core/redact.ts'
import { type KeyPlaces, markFiles, readMarks, readSigningKey, type StoreMarks, writeMarks } from './data-folder.ts'
import { openDatabase } from './db/connect.ts'
import type { Database } from './db/database.ts'
import { appliedMigrations, laterMigrations, migrate, requiredMigrations } from './db/migrate.ts'
import { namesObjects } from './db/named-objects.ts'
import { ensureStoreId } from './db/store-id.ts'

/** `known`: refuses an empty database if marks say that there was a store. `any`: accepts whatever is there. */
export type AcceptedStore = 'known' | 'any'

type StoreConfig = Pick<Config, 'databaseUrl' | 'objectsUrl'> & KeyPlaces

/**
 * The configured database, with its schema brought up to date. An empty one becomes a new store only if no mark says that there
 * was one before: an unmounted volume must not result in an empty service.
 *
 * @throws ConfigError if it can't be opened, belongs to a newer version, or isn't the store that was served here
 */
export async function openMigratedDatabase(
  config: StoreConfig,
  log: Log,
  accepted: AcceptedStore = 'known',
): Promise<Database> {
  const { databaseUrl } = config
  const refuse = refuseAddress('QUIRE_DATABASE_URL', databaseUrl)
  const marks = readMarks(config)
  // Before the file is created: if the volume is mounted later, there must not be another database file below it.
  if (accepted === 'known' && isMissingFile(databaseUrl)) refuseNewStore(config, marks)
  const database = await openDatabase(databaseUrl, { log }).catch(refuse)
  try {
    if (accepted === 'known' && (await appliedMigrations(database.read)).length === 0) refuseNewStore(config, marks)
    const applied = await migrate(database)
    if (applied.length > 0) log.info('the database schema was brought up to date', { migrations: applied })
    const later = await laterMigrations(database.read)
    if (later.length > 0) log.info('a newer version has expanded the schema, beside which this one may run', { later })
    const id = await ensureStoreId(database, marks.objects ?? marks.beside)
    if (accepted === 'known') {
      refuseOthersObjects(config, marks, id)
      await refuseMissingObjects(config, marks, database)
    }
    writeMarks(config, id)
    database.bindTo?.({ storeId: id, required: requiredMigrations(database.dialect) })
    database.attestWith?.((await readSigningKey(config)).attest)
    return database
  } catch (error) {
    await database.close().catch(() => {})
    return refuse(error)
  }
}

function isMissingFile(databaseUrl: string): boolean {
  return databaseUrl.startsWith('file:') && !existsSync(databaseUrl.slice('file:'.length))
}

/** @throws ConfigError if a mark says that there was a store, with where to look for it */
function refuseNewStore(config: StoreConfig, marks: StoreMarks): void {
  const files = markFiles(config)
  const begin = 'or begin a new, empty store with "quire serve --accept-store"'
  const mark = marks.objects !== undefined ? files.objects : marks.beside !== undefined ? files.beside : undefined
  const older = join(config.dataFolder, 'quire.db')
  if (config.databaseUrl !== `file:${older}` && existsSync(older)) {
    throw new ConfigError(
      `QUIRE_DATABASE_URL: ${withoutCredentials(config.databaseUrl)} holds no store, and ${older} does; bring it along with "quire move", ${begin}`,
    )
  }
  if (mark === undefined) return
  throw new ConfigError(
    `QUIRE_DATABASE_URL: there is no store in ${withoutCredentials(config.databaseUrl)}, and ${mark} says that ${marks.objects ?? marks.beside} was served here; bring its database back (is its volume mounted?), restore a backup with "quire restore", ${begin}`,
  )
}

/**
 * Refuses the object directory of another store: the sweep would remove objects that the other store names.
 *
 * @param coming how the store with this id gets here, if its database isn't in place already
 * @throws ConfigError if the object directory is marked as another store's
 */
export function refuseOthersObjects(
  config: Pick<Config, 'objectsUrl' | 'dataFolder'>,
  marks: StoreMarks,
  id: string,
  { coming }: { coming?: 'restored' | 'moved' } = {},
): void {
  if (marks.objects === undefined || marks.objects === id) return
  const mark = markFiles(config).objects
  // A store that isn't in its place yet can't be served.
  const why =
    coming === undefined
      ? `the database holds ${id}; name the objects of this store, or take these over with "quire serve --accept-store"`
      : `what is to be ${coming} is of ${id}; name another directory, or remove ${mark} if nobody needs what is in this one`
  throw new ConfigError(
    `QUIRE_OBJECTS_URL: ${mark} says that these are the objects of the store ${marks.objects}, and ${why}`,
  )
}

/**
 * Refuses a missing object directory: new objects would be written below the mount point, and disappear once the volume is
 * mounted.
 */
async function refuseMissingObjects(config: StoreConfig, marks: StoreMarks, database: Database): Promise<void> {
  const { objects } = markFiles(config)
  if (objects === undefined || marks.objects !== undefined) return
  const folder = dirname(objects)
  // Older versions left no mark, and none can be written to a full disk.
  if (existsSync(folder) && readdirSync(folder).some((name) => /^[0-9a-f]{2}$/.test(name))) return
  if (!(await namesObjects(database.read))) return
  throw new ConfigError(
    `QUIRE_OBJECTS_URL: ${folder} holds no objects, and the database names some; bring them back (is their volume mounted?), restore a backup with "quire restore", or go on without them with "quire serve --accept-store"`,
  )
}

/** Turns a failure to open something into one line that names the setting; a password in a URL is never shown. */
export function refuseAddress(variable: string, url: string): (error: unknown) => never {
  return (error) => {
    if (error instanceof ConfigError) throw error
    throw new ConfigError(`${variable}: ${withoutCredentials(url)} can't be opened: ${wordsOf(error)}`)
  }
}
