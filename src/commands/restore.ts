import { parseArgs } from 'node:util'
import type { Config } from '../config.ts'
import { systemClock } from '../core/clock.ts'
import type { Log } from '../core/log.ts'
import { prepareDataFolder, readMarks, writeMarks } from '../data-folder.ts'
import { startDatabaseClock } from '../db/clock.ts'
import { openDatabase } from '../db/connect.ts'
import type { Database } from '../db/database.ts'
import { requireNoInstance } from '../db/instances.ts'
import { migrations } from '../db/migrations.ts'
import { findStoreId, noteStoreFact } from '../db/store-id.ts'
import { refuseOthersObjects } from '../migrated-database.ts'
import type { ObjectStore } from '../objects/object-store.ts'
import { openObjectStore } from '../objects/objects.ts'
import { bytesOf, checkBackup, linesOf } from './backup-check.ts'
import { type BackupReader, type Manifest, tableFile } from './backup-content.ts'
import { readIdentities } from './backup-encryption.ts'
import { readBackup } from './backup-files.ts'
import { closeAgain, readClosed } from './closed-accounts.store.ts'
import { type Command, UsageError } from './command.ts'
import { folderNamed } from './files.ts'
import { plain } from './plain.ts'
import { printJson } from './print-json.ts'
import { createProgress } from './progress.ts'
import {
  type Existing,
  followLedger,
  inTheWay,
  nameStore,
  type Restored,
  replaceFile,
  signAsStore,
  tellRestored,
} from './replace-database.ts'
import { openReplica } from './replica-place.ts'
import { fillDatabase, hasRows, type TableLines } from './restore.store.ts'
import { instantGiven, restoreReplica } from './restore-replica.ts'

/**
 * `quire restore FOLDER|FILE.tar|REPLICA [--at INSTANT] [--identity FILE] [--replace] [--json]`: checks all of the backup before it touches
 * anything, puts the objects into the store (which changes nothing that is there), fills a database and compares every table with the
 * manifest. Only then the database takes the place of the old one. A local database that it replaces stays beside the new one.
 */
export const runRestore: Command = async (args, context) => {
  const { values, positionals } = parseArgs({
    args: [...args],
    options: {
      at: { type: 'string' },
      identity: { type: 'string' },
      replace: { type: 'boolean', default: false },
      json: { type: 'boolean' },
    },
    allowPositionals: true,
  })
  const [source, ...more] = positionals
  if (source === undefined || more.length > 0)
    throw new UsageError('restore takes one backup, a folder or a file ending in .tar, or a replica')
  folderNamed(source, 'a folder or file, which is read twice')
  const at = values.at === undefined ? undefined : instantGiven(values.at)
  const config = context.prepare()
  const replica = await openReplica(source)
  if (replica !== undefined) {
    if (values.identity !== undefined) throw new UsageError('--identity is for a backup: a replica is not encrypted')
    return restoreReplica({ replica, source, at, config, options: values })
  }
  if (at !== undefined) throw new UsageError('--at is for a replica: a backup is of one instant')
  const key = values.identity === undefined ? undefined : await readIdentities(values.identity)
  const checked = await checkBackup(source, { key })
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
  const backup = await readBackup(source, key)
  const { kept, again } = config.databaseUrl.startsWith('file:')
    ? await restoreFile(config, backup, manifest, existing)
    : await restoreServer(config, backup, manifest, { existing, log: context.logFor(config) })
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
      tokens_again: again.tokens,
      users_again: again.users,
      factors_again: again.factors,
      identities_again: again.identities,
      webhooks_again: again.webhooks,
      warnings: again.warnings,
      problems: [],
    })
    return 0
  }
  process.stdout.write(`restored ${rows} rows and ${manifest.objects.count} objects from ${source}\n`)
  tellRestored({ kept, again })
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

function restoreFile(config: Config, backup: BackupReader, manifest: Manifest, existing: Existing): Promise<Restored> {
  return replaceFile(config, existing, async (draft, { closed }) => {
    await restoreObjects(config, backup)
    const database = await openDatabase(`file:${draft}`)
    try {
      await signAsStore(config, database)
      const lines = () => tableLines(backup, manifest)
      const closedAgain = await fillDatabase(database, manifest, lines, (tx) => closeAgain(tx, closed, systemClock))
      const storeId = await nameRestored(config, database, manifest)
      return { storeId, again: { ...(await followLedger(config, database, systemClock)), ...closedAgain } }
    } finally {
      await database.close()
    }
  })
}

/** A restored store knows the backup that it is from as its last one. */
async function nameRestored(config: Config, database: Database, { made_at: madeAt }: Manifest): Promise<string> {
  const storeId = await nameStore(config, database)
  await database.write((tx) => noteStoreFact(tx, 'backup', madeAt))
  return storeId
}

async function restoreServer(
  config: Config,
  backup: BackupReader,
  manifest: Manifest,
  { existing, log }: { existing: Existing; log: Log },
): Promise<Restored> {
  const database: Database = await openDatabase(config.databaseUrl)
  try {
    if (existing === 'refuse' && (await hasRows(database))) throw new Error(inTheWay)
    // A running instance would serve what was erased since the backup, until it is erased again.
    await requireNoInstance(database.read, 'a restore')
    const storeId = await findStoreId(database.read)
    if (storeId !== undefined) refuseOthersObjects(config, readMarks(config), storeId)
    await restoreObjects(config, backup)
    await signAsStore(config, database)
    const clock = await startDatabaseClock(database, log)
    try {
      const closed = await readClosed(database.read)
      const lines = () => tableLines(backup, manifest)
      const closedAgain = await fillDatabase(database, manifest, lines, (tx) => closeAgain(tx, closed, clock))
      writeMarks(config, await nameRestored(config, database, manifest))
      const brought = await followLedger(config, database, clock).catch((error: unknown) => {
        process.stderr.write(`quire: ${notFollowed}\n`)
        throw error
      })
      return { again: { ...brought, ...closedAgain } }
    } finally {
      clock.stop()
    }
  } finally {
    await database.close()
  }
}

const notFollowed =
  'the backup is in place, but what was erased or held since is not as it was again; restore once more before the service is started'

async function restoreObjects(config: Config, backup: BackupReader): Promise<void> {
  const objects: ObjectStore = await openObjectStore(config.objectsUrl)
  const progress = createProgress()
  let count = 0
  try {
    for await (const file of backup.files()) {
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

async function* tableLines(backup: BackupReader, manifest: Manifest): AsyncGenerator<TableLines> {
  const tables = new Map(manifest.tables.map((table) => [tableFile(table.name), table]))
  const progress = createProgress()
  for await (const file of backup.files()) {
    const table = tables.get(file.name)
    if (table === undefined) continue
    let rows = 0
    for await (const lines of linesOf(file.chunks, file.name)) {
      rows += lines.length
      progress.tell(`writing ${table.name}: ${rows} of ${table.rows} rows`)
      yield { table, lines }
    }
  }
  progress.clear()
}
