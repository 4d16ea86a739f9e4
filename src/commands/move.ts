import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { ConfigError } from '../config.ts'
import { openDatabase } from '../db/connect.ts'
import { copiedTables, digestOf } from '../db/copy.ts'
import type { Database } from '../db/database.ts'
import { DatabaseInUse } from '../db/file-lock.ts'
import { migrate } from '../db/migrate.ts'
import type { ObjectStore } from '../objects/object-store.ts'
import { openObjectStore } from '../objects/objects.ts'
import { type Command, UsageError } from './command.ts'
import { artifactHashes, beginMove, copyTable, finishMove } from './move.store.ts'

/**
 * `quire move`: from the embedded defaults in the data directory to the database and the object store that the settings
 * name. Objects go first and each table in pages, every page with a note of how far it got in the same transaction, so
 * that the same command resumes where it was stopped. Until both sides were compared, the new database refuses to serve.
 * The old files stay as they were.
 */
export const runMove: Command = async (args, context) => {
  const { values } = parseArgs({
    args: [...args],
    options: { 'from-database': { type: 'string' }, 'from-objects': { type: 'string' } },
    allowPositionals: false,
  })
  const config = context.prepare()
  const fromDatabase = values['from-database'] ?? `file:${join(config.dataFolder, 'quire.db')}`
  const fromObjects = values['from-objects'] ?? `file:${join(config.dataFolder, 'objects')}`
  if (fromDatabase === config.databaseUrl) {
    throw new UsageError('QUIRE_DATABASE_URL must name the database to move to; move takes everything there')
  }
  const closers: (() => Promise<void>)[] = []
  try {
    const source = await openSource(fromDatabase)
    closers.push(() => source.close())
    await migrate(source)
    const target = await openDatabase(config.databaseUrl)
    closers.push(() => target.close())
    const [from, to] = [await openObjectStore(fromObjects), await openObjectStore(config.objectsUrl)]
    closers.push(
      () => from.close(),
      () => to.close(),
    )
    if (!(await beginMove(target))) throw new Error('the database to move to holds data of its own; name an empty one')
    const objects = await moveObjects(source, from, to)
    let rows = 0
    for (const table of copiedTables(source.read)) {
      await copyTable(source, target, table)
      rows += await compare(source, target, table)
    }
    await finishMove(target)
    process.stdout.write(
      `moved ${rows} rows and ${objects} objects, and compared them; the old files are as they were\n`,
    )
    return 0
  } finally {
    for (const close of closers.reverse()) await close()
  }
}

/** Holding the lock means that nobody else writes there. */
async function openSource(url: string): Promise<Database> {
  try {
    return await openDatabase(url)
  } catch (error) {
    if (error instanceof DatabaseInUse) throw new ConfigError(`${url} can't be moved: ${error.message}`)
    throw error
  }
}

async function moveObjects(source: Database, from: ObjectStore, to: ObjectStore): Promise<number> {
  let count = 0
  for await (const { hash, size } of artifactHashes(source.read)) {
    count++
    // An object that an earlier run put is there whole, or not at all.
    if ((await to.size(hash)) === size) continue
    const bytes = await from.get(hash)
    if (bytes === undefined) throw new Error(`the object ${hash}, which an artifact names, is not in the store`)
    await to.put(hash, bytes)
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
