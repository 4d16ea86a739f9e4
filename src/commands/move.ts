import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { ConfigError, withDatabaseToken } from '../config.ts'
import { withoutCredentials } from '../core/redact.ts'
import { readMarks } from '../data-folder.ts'
import { openDatabase } from '../db/connect.ts'
import { copiedTables, digestOf } from '../db/copy.ts'
import type { Database } from '../db/database.ts'
import { identityOf, isThere } from '../db/file-identity.ts'
import { DatabaseInUse } from '../db/file-lock.ts'
import { requireNoInstance } from '../db/instances.ts'
import { appliedMigrations, beginFilling, MOVED_AWAY, migrate, movedTo, requireNothingLater } from '../db/migrate.ts'
import { migrations } from '../db/migrations.ts'
import { ensureStoreId, findStoreFact, findStoreId, noteStoreFact } from '../db/store-id.ts'
import { refuseOthersObjects } from '../migrated-database.ts'
import type { ObjectStore } from '../objects/object-store.ts'
import { openObjectStore } from '../objects/objects.ts'
import { type Command, UsageError } from './command.ts'
import { artifactHashes, copyTable, finishMove, markMoved, unmarkMoved } from './move.store.ts'
import { printJson } from './print-json.ts'
import { withProgress } from './progress.ts'
import { hasRows } from './restore.store.ts'

/** Where a test may end the process. */
export type MovePoint = 'opened' | 'marked' | 'object' | 'objects' | 'table' | 'compared' | 'left' | 'finished'

/** What a move reads and writes. */
export interface MovePlaces {
  fromDatabase: string
  fromObjects: string
  toDatabase: string
  toObjects: string
}

/**
 * `quire move`: from the embedded defaults in the data directory to the database and the object store that the settings
 * name. The target is marked as half filled before anything else, and refuses to serve until both sides were compared.
 * Objects go first and each table in pages, every page with a note of how far it got in the same transaction, so that
 * the same command resumes where it was stopped. In the end the source is marked as moved, and only then may the target
 * serve: at no moment may both. The old files stay as they were except for that mark, which `quire move --undo`
 * removes.
 */
export const runMove: Command = async (args, context) => {
  const { values } = parseArgs({
    args: [...args],
    options: {
      'from-database': { type: 'string' },
      'from-objects': { type: 'string' },
      undo: { type: 'boolean' },
      json: { type: 'boolean' },
    },
    allowPositionals: false,
  })
  const isFromGiven = values['from-database'] !== undefined || values['from-objects'] !== undefined
  if (values.undo === true && isFromGiven) {
    throw new UsageError(
      '--undo takes no --from-database and no --from-objects: it is for the database that QUIRE_DATABASE_URL names',
    )
  }
  const config = context.prepare()
  const tell = (done: MoveDone) => {
    if (values.json) printJson(done)
    else process.stdout.write(`${doneText(done)}\n`)
    return 0 as const
  }
  if (values.undo === true) return tell({ undone: true, also_at: await undoMove(config.databaseUrl) })
  const places: MovePlaces = {
    fromDatabase: withDatabaseToken(
      values['from-database'] ?? `file:${join(config.dataFolder, 'quire.db')}`,
      config.databaseToken,
    ),
    fromObjects: values['from-objects'] ?? `file:${join(config.dataFolder, 'objects')}`,
    toDatabase: config.databaseUrl,
    toObjects: config.objectsUrl,
  }
  if (isSameDatabase(places)) {
    throw new UsageError('QUIRE_DATABASE_URL must name the database to move to; move takes everything there')
  }
  const counts: Partial<Record<MovePoint, number>> = {}
  const done = await withProgress((progress) =>
    moveStore(places, (point) => {
      counts[point] = (counts[point] ?? 0) + 1
      if (point === 'object') progress.tell(`moving objects: ${counts.object}`)
      if (point === 'table') progress.tell(`moving tables: ${counts.table}`)
    }),
  )
  return tell(done)
}

/** Two names of one file, through links, are one database. */
function isSameDatabase({ fromDatabase, toDatabase }: MovePlaces): boolean {
  if (fromDatabase === toDatabase) return true
  const [from, to] = [fileOf(fromDatabase), fileOf(toDatabase)]
  return from !== undefined && from === to
}

/** Undefined where there is none, or nobody can tell: opening it says why. */
function fileOf(url: string): string | undefined {
  try {
    return url.startsWith('file:') ? identityOf(url.slice('file:'.length)) : undefined
  } catch {
    return undefined
  }
}

/** What a move came to, as `--json` prints it. */
type MoveDone =
  | { moved: true; to: string; rows: number; objects: number }
  /** By an earlier call. */
  | { moved: false; to: string }
  | { undone: true; also_at: string }

function doneText(done: MoveDone): string {
  if ('undone' in done) {
    return `the store serves here again; it is also at ${done.also_at}, and only one of them may be used`
  }
  if (!done.moved) return `the store was moved to ${done.to} already`
  const { rows, objects } = done
  return `moved ${rows} rows and ${objects} objects, and compared them; the old files are as they were, and no longer serve`
}

export async function moveStore(places: MovePlaces, onPoint: (point: MovePoint) => void = () => {}): Promise<MoveDone> {
  const destination = placeOf(places)
  const closers: (() => Promise<void>)[] = []
  try {
    const source = await openSource(places.fromDatabase)
    closers.push(() => source.close())
    // Nothing locks the database of a server: what an instance wrote behind the copy would stay here.
    const isServer = !places.fromDatabase.startsWith('file:')
    if (isServer) await requireNoInstance(source.read, 'a move')
    const moved = await movedTo(source.read)
    if (moved !== undefined && moved !== destination) {
      throw new Error(`this store was moved to ${moved} before; let it serve here again with quire move --undo first`)
    }
    await refuseOthers(source, places)
    await requireNothingLater(source.read)
    await migrate(source, migrations[source.dialect], MOVED_AWAY)
    const target = await openDatabase(places.toDatabase)
    closers.push(() => target.close())
    const [from, to] = [await openObjectStore(places.fromObjects), await openObjectStore(places.toObjects)]
    closers.push(
      () => from.close(),
      () => to.close(),
    )
    onPoint('opened')
    if (!(await beginFilling(target, () => hasRows(target)))) {
      if (moved !== undefined) return { moved: false, to: moved }
      throw new Error('the database to move to holds data of its own; name an empty one')
    }
    onPoint('marked')
    const objects = await moveObjects(source, from, to, () => onPoint('object'))
    onPoint('objects')
    let rows = 0
    for (const table of copiedTables(source.read)) {
      await copyTable(source, target, table)
      rows += await compare(source, target, table)
      onPoint('table')
    }
    await ensureStoreId(target, await ensureStoreId(source))
    const backup = await findStoreFact(source.read, 'backup')
    if (backup !== undefined) await target.write((tx) => noteStoreFact(tx, 'backup', backup))
    onPoint('compared')
    if (isServer) await requireNoInstance(source.read, 'a move')
    await markMoved(source, destination)
    onPoint('left')
    await finishMove(target)
    onPoint('finished')
    return { moved: true, to: destination, rows, objects }
  } finally {
    for (const close of closers.reverse()) await close()
  }
}

/** @throws ConfigError where the objects to move to are marked as another store's, whose sweep would remove these */
async function refuseOthers(source: Database, { fromObjects, toObjects: objectsUrl }: MovePlaces): Promise<void> {
  if (objectsUrl === fromObjects) return
  const id = (await findStoreId(source.read)) ?? 'an older version'
  const marked = { objectsUrl, dataFolder: '' }
  refuseOthersObjects(marked, readMarks(marked), id, { coming: 'moved' })
}

/** Lets a store serve again that was moved away. @returns the place that it was moved to */
async function undoMove(url: string): Promise<string> {
  const database = await openSource(url)
  try {
    const place = await movedTo(database.read)
    if (place === undefined)
      throw new Error(`${withoutCredentials(url)} was not moved away; undo it with the settings from before the move`)
    await unmarkMoved(database, place)
    return place
  } finally {
    await database.close()
  }
}

function placeOf({ toDatabase, toObjects }: MovePlaces): string {
  return `${withoutCredentials(toDatabase)}, with the objects at ${withoutCredentials(toObjects)}`
}

/**
 * Opens the source and locks it, so that nobody else writes there.
 *
 * @throws where there is no store: opening would make an empty database, and the move would copy it
 */
async function openSource(url: string): Promise<Database> {
  const path = url.startsWith('file:') ? url.slice('file:'.length) : undefined
  const remedy = 'run this where "quire serve" ran, or name the database with --from-database'
  if (path !== undefined && !isThere(path)) throw new Error(`there is no database ${path}; ${remedy}`)
  try {
    const database = await openDatabase(url)
    if ((await appliedMigrations(database.read)).length > 0) return database
    await database.close()
    throw new Error(`there is no store in ${withoutCredentials(url)}; ${remedy}`)
  } catch (error) {
    if (error instanceof DatabaseInUse)
      throw new ConfigError(`${withoutCredentials(url)} can't be moved: ${error.message}`)
    throw error
  }
}

async function moveObjects(source: Database, from: ObjectStore, to: ObjectStore, onMoved: () => void): Promise<number> {
  let count = 0
  for await (const { hash, size } of artifactHashes(source.read)) {
    count++
    // An object that an earlier run put is there whole, or not at all.
    if ((await to.size(hash)) === size) continue
    const bytes = await from.get(hash)
    if (bytes === undefined) throw new Error(`the object ${hash}, which an artifact names, is not in the store`)
    await to.put(hash, bytes)
    onMoved()
  }
  return count
}

async function compare(source: Database, target: Database, table: Parameters<typeof digestOf>[1]): Promise<number> {
  const [here, there] = [await digestOf(source.read, table), await digestOf(target.read, table)]
  if (here.rows !== there.rows || here.sha256 !== there.sha256) {
    throw new Error(`the table ${table.name} did not arrive as it was; empty the new database and move again`)
  }
  return here.rows
}
