import { dirname, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import type { Config } from '../config.ts'
import { canonicalHash } from '../core/canonical.ts'
import { PRODUCT_VERSION, REVISION } from '../core/version.ts'
import { openDatabase } from '../db/connect.ts'
import { type CopiedTable, copiedTables, digestOf, readLines } from '../db/copy.ts'
import type { Connection, Database } from '../db/database.ts'
import { appliedMigrations, laterMigrations, requireCurrentSchema } from '../db/migrate.ts'
import type { ObjectStore } from '../objects/object-store.ts'
import { openObjectStore } from '../objects/objects.ts'
import { cellsOf, checkBackup } from './backup-check.ts'
import { type BackupWriter, MANIFEST, type Manifest, objectColumns, tableFile } from './backup-content.ts'
import type { ReadBack } from './backup-draft.ts'
import { type BackupLock, lockFor } from './backup-encryption.ts'
import { isArchive, isOtherArchive, writeBackup } from './backup-files.ts'
import { removeLeftovers } from './backup-leftovers.ts'
import { noteMade } from './backup-note.ts'
import { type Command, UsageError } from './command.ts'
import { CommandFailure, folderNamed, isFull } from './files.ts'
import { HashList, isHash } from './hash-list.ts'
import { isNamed } from './move.store.ts'
import { plain } from './plain.ts'
import { printJson } from './print-json.ts'
import { type Progress, withProgress } from './progress.ts'

/**
 * `quire backup FOLDER|FILE.tar [--recipient RECIPIENT]… [--json]`: one state of the database and every object it
 * names, while Quire serves. The tables are read first, in one snapshot. An object is stored before the row that names
 * it, so all are there afterwards, except those erased meanwhile, which the manifest names. The manifest comes last and
 * covers the rest, itself included. The command takes no lock: it only reads, except for the note that the backup was
 * made.
 */
export const runBackup: Command = async (args, context) => {
  const { values, positionals } = parseArgs({
    args: [...args],
    options: { recipient: { type: 'string', multiple: true }, json: { type: 'boolean' } },
    allowPositionals: true,
  })
  const [path, ...more] = positionals
  if (path === undefined || more.length > 0) throw new UsageError('backup takes one folder, or one file ending in .tar')
  folderNamed(path, 'a folder or file, which is read again')
  if (isOtherArchive(path.replace(/\.age$/i, '')))
    throw new UsageError(`${path}: a backup is a folder, or one file whose name ends in .tar`)
  const given = values.recipient === undefined ? undefined : await lockFor(values.recipient, '--recipient')
  const config = context.prepare()
  const lock = given ?? (await lockOf(config))
  const target = targetOf(path, lock)
  const database = await openDatabase(config.databaseUrl, { readOnly: true })
  const objects = await openObjectStore(config.objectsUrl)
  try {
    await requireCurrentSchema(database)
    const later = await laterMigrations(database.read)
    if (later.length > 0) {
      process.stderr.write(
        `quire: the backup is without what a newer version has added (${plain(later.join(', '))}); that version backs up all of it\n`,
      )
    }
    for (const name of await removeLeftovers(dirname(resolve(target)))) {
      process.stderr.write(`quire: removed ${plain(name)}, which a backup that was interrupted had left\n`)
    }
    const writer = await writeBackup(target, lock)
    const manifest = await withProgress((progress) => {
      const readBack: ReadBack = async (draft) => {
        const read = await checkBackup(draft, { progress, key: lock?.key })
        if ('problems' in read) throw new Error(`the backup cannot be read back: ${read.problems[0]}`)
      }
      return makeBackup({ database, objects, writer, progress, readBack })
    })
    const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0)
    const { count, bytes } = manifest.objects
    await noteMade(context, manifest.made_at)
    if (values.json) {
      printJson({ path: target, made_at: manifest.made_at, rows, objects: count, object_bytes: bytes, problems: [] })
      return 0
    }
    const kind = lock === undefined ? (isArchive(target) ? 'an archive' : 'a folder') : 'encrypted'
    process.stdout.write(`${target} (${kind}): ${rows} rows, ${count} objects, verified\n`)
    return 0
  } finally {
    await objects.close()
    await database.close()
  }
}

async function lockOf({ backupRecipients }: Config): Promise<BackupLock | undefined> {
  return backupRecipients.length === 0 ? undefined : lockFor(backupRecipients, 'QUIRE_BACKUP_RECIPIENT')
}

/** An encrypted backup is an archive in a file of age's, and called so: `/backups/today` becomes `/backups/today.tar.age`. */
function targetOf(path: string, lock: BackupLock | undefined): string {
  const isNamedSo = /\.age$/i.test(path)
  if (lock === undefined && isNamedSo)
    throw new UsageError(`${path}: an encrypted backup takes --recipient age1…, or QUIRE_BACKUP_RECIPIENT`)
  if (lock === undefined || isNamedSo) return path
  return isArchive(path) ? `${path}.age` : `${path.replace(/\/+$/, '')}.tar.age`
}

interface From {
  database: Database
  objects: ObjectStore
  writer: BackupWriter
  progress: Progress
  readBack?: ReadBack
}

/** Writes all of a backup, reads it back and gives it its name, or leaves nothing. */
export async function makeBackup(from: From): Promise<Manifest> {
  const { database, writer } = from
  const hashes = new HashList()
  try {
    const tables = await database.snapshot((connection) => writeTables(connection, hashes, from))
    const manifest = await writeObjects(tables, hashes, from)
    await writer.finish(from.readBack)
    return manifest
  } catch (error) {
    await writer.abandon()
    // An error with a path is about the hashes' temporary files, not about the backup.
    if (isFull(error) && !(error instanceof Error && 'path' in error))
      throw new CommandFailure('the backup cannot be written: no space is left where it is to be; nothing of it stays')
    throw error
  } finally {
    hashes.close()
  }
}

interface WrittenTables {
  migrations: string[]
  tables: Manifest['tables']
}

/** @param hashes filled with those of the objects that the tables name */
async function writeTables(
  connection: Connection,
  hashes: HashList,
  { writer, progress }: From,
): Promise<WrittenTables> {
  const later = await laterMigrations(connection)
  const migrations = (await appliedMigrations(connection)).filter((name) => !later.includes(name))
  const tables: Manifest['tables'] = []
  for (const table of copiedTables(connection)) {
    const named = namedIn(table)
    await writer.begin(tableFile(table.name), writer.wantsSizes ? await sizeOf(connection, table) : undefined)
    let rows = 0
    const digest = await digestOf(connection, table, async (lines) => {
      rows += lines.length
      progress.tell(`copying ${table.name}: ${rows} rows`)
      for (const line of lines) {
        const hash = named?.(line)
        if (hash !== undefined) hashes.add(hash)
      }
      await writer.write(new TextEncoder().encode(`${lines.join('\n')}\n`))
    })
    tables.push({ ...table, ...digest })
  }
  return { migrations, tables }
}

/** The object that a line of a table names, if any; undefined for a table that names none. */
function namedIn({ name, columns }: { name: string; columns: readonly string[] }) {
  const { hash: hashColumn, unless } = objectColumns[name] ?? {}
  if (hashColumn === undefined) return undefined
  const [hashAt, unlessAt] = [columns.indexOf(hashColumn), columns.indexOf(unless ?? '')]
  return (line: string): string | undefined => {
    const cells = cellsOf(line)
    const hash = cells[hashAt]
    if (hash === null || (unlessAt >= 0 && cells[unlessAt] !== null)) return undefined
    if (!isHash(hash)) throw new Error(`a row of ${name} names no object`)
    return hash
  }
}

/** Bytes of the table's lines: it is read once more, in the same snapshot. */
async function sizeOf(connection: Connection, table: CopiedTable): Promise<number> {
  let size = 0
  for await (const { lines } of readLines(connection, table)) {
    for (const line of lines) size += Buffer.byteLength(line) + 1
  }
  return size
}

async function writeObjects(
  written: WrittenTables,
  hashes: HashList,
  { database, objects, writer, progress }: From,
): Promise<Manifest> {
  let bytes = 0
  let count = 0
  const erased: string[] = []
  for (const part of hashes.parts()) {
    for (const hash of part) {
      const object = await objects.get(hash)
      if (object === undefined) {
        // The tables have been read; whatever erases or removes a document takes its row first.
        if (await isNamed(database.read, hash))
          throw new Error(`the object ${hash}, which an artifact names, is not in the store`)
        erased.push(hash)
        continue
      }
      await writer.begin(`objects/${hash}`, object.length)
      await writer.write(object)
      bytes += object.length
      progress.tell(`copying objects: ${++count}`)
    }
  }
  const manifest: Omit<Manifest, 'manifest_hash'> = {
    format: 'quire-backup-1',
    made_at: new Date().toISOString(),
    product_version: PRODUCT_VERSION,
    revision: REVISION,
    migrations: written.migrations,
    tables: written.tables,
    objects: { count, bytes, ...(erased.length === 0 ? {} : { erased_meanwhile: erased }) },
  }
  const whole = { ...manifest, manifest_hash: canonicalHash(manifest) }
  const text = new TextEncoder().encode(`${JSON.stringify(whole, null, 2)}\n`)
  await writer.begin(MANIFEST, text.length)
  await writer.write(text)
  return whole
}
