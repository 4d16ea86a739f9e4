import { dirname, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import type { Config } from '../config.ts'
import { canonicalHash } from '../core/canonical.ts'
import { sha256Hex } from '../core/hash.ts'
import { limits } from '../core/limits.ts'
import { PRODUCT_VERSION, REVISION } from '../core/version.ts'
import { openDatabase } from '../db/connect.ts'
import { type CopiedTable, copiedTables, digestOf, readLines } from '../db/copy.ts'
import type { Connection } from '../db/database.ts'
import { appliedMigrations, laterMigrations, requireCurrentSchema } from '../db/migrate.ts'
import type { ObjectStore } from '../objects/object-store.ts'
import { openObjectStore } from '../objects/objects.ts'
import type { BackupWriter } from './backup-content.ts'
import { type BackupKey, type BackupLock, BackupLocked, lockFor } from './backup-encryption.ts'
import { isArchive, isOtherArchive, readBackup, writeBackup } from './backup-files.ts'
import { removeLeftovers } from './backup-leftovers.ts'
import { noteMade } from './backup-note.ts'
import { type Command, UsageError } from './command.ts'
import { folderNamed } from './files.ts'
import { plain } from './plain.ts'
import { printJson } from './print-json.ts'
import { createProgress, type Progress, withProgress } from './progress.ts'

/**
 * `quire backup FOLDER|FILE.tar [--recipient RECIPIENT]… [--json]`: one state of the database and every object it names, while Quire serves. The tables are
 * read first, in one snapshot; an object is stored before the row that names it, so all of them are there afterwards.
 * The manifest comes last and covers the rest, itself included. It needs no lock: it only reads, but for the note that it was made.
 */
export interface Manifest {
  format: 'quire-backup-1'
  made_at: string
  product_version: string
  revision: string
  /** The schema the tables have. */
  migrations: string[]
  tables: { name: string; columns: string[]; key: string[]; rows: number; sha256: string }[]
  objects: { count: number; bytes: number }
  manifest_hash: string
}

export const MANIFEST = 'manifest.json'

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
        `quire: the backup is without what a newer version has added (${later.join(', ')}); that version backs up all of it\n`,
      )
    }
    for (const name of await removeLeftovers(dirname(resolve(target)))) {
      process.stderr.write(`quire: removed ${plain(name)}, which a backup that was interrupted had left\n`)
    }
    const writer = await writeBackup(target, lock)
    const [manifest, problems] = await withProgress(async (progress) => {
      const written = await database
        .snapshot((connection) => writeTables(connection, writer, progress))
        .then((tables) => writeObjects(tables, objects, { writer, progress }))
        .then(async (manifest) => {
          await writer.finish()
          return manifest
        })
        .catch(async (error) => {
          await writer.abandon()
          throw error
        })
      return [written, await checkBackup(target, { progress, key: lock?.key })] as const
    })
    if ('problems' in problems) throw new Error(`the backup cannot be read back: ${problems.problems[0]}`)
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

interface WrittenTables {
  migrations: string[]
  tables: Manifest['tables']
  hashes: Set<string>
}

async function writeTables(connection: Connection, writer: BackupWriter, progress: Progress): Promise<WrittenTables> {
  const later = await laterMigrations(connection)
  const migrations = (await appliedMigrations(connection)).filter((name) => !later.includes(name))
  const tables: Manifest['tables'] = []
  const hashes = new Set<string>()
  for (const table of copiedTables(connection)) {
    const hashAt = table.name === 'artifacts' ? table.columns.indexOf('content_hash') : -1
    await writer.begin(tableFile(table.name), writer.wantsSizes ? await sizeOf(connection, table) : undefined)
    let rows = 0
    const digest = await digestOf(connection, table, async (lines) => {
      rows += lines.length
      progress.tell(`copying ${table.name}: ${rows} rows`)
      if (hashAt >= 0) for (const line of lines) hashes.add(cellOf(line, hashAt))
      await writer.write(new TextEncoder().encode(`${lines.join('\n')}\n`))
    })
    tables.push({ ...table, ...digest })
  }
  return { migrations, tables, hashes }
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
  objects: ObjectStore,
  { writer, progress }: { writer: BackupWriter; progress: Progress },
): Promise<Manifest> {
  let bytes = 0
  let count = 0
  for (const hash of written.hashes) {
    const object = await objects.get(hash)
    if (object === undefined) throw new Error(`the object ${hash}, which an artifact names, is not in the store`)
    await writer.begin(`objects/${hash}`, object.length)
    await writer.write(object)
    bytes += object.length
    progress.tell(`copying objects: ${++count} of ${written.hashes.size}`)
  }
  const manifest: Omit<Manifest, 'manifest_hash'> = {
    format: 'quire-backup-1',
    made_at: new Date().toISOString(),
    product_version: PRODUCT_VERSION,
    revision: REVISION,
    migrations: written.migrations,
    tables: written.tables,
    objects: { count: written.hashes.size, bytes },
  }
  const whole = { ...manifest, manifest_hash: canonicalHash(manifest) }
  const text = new TextEncoder().encode(`${JSON.stringify(whole, null, 2)}\n`)
  await writer.begin(MANIFEST, text.length)
  await writer.write(text)
  return whole
}

/** One column of a table's line, which is a JSON array. */
function cellOf(line: string, at: number): string {
  const cells: unknown = JSON.parse(line)
  const cell: unknown = Array.isArray(cells) ? cells[at] : undefined
  if (typeof cell !== 'string') throw new Error('a row of a table is not as it was written')
  return cell
}

export function tableFile(name: string): string {
  return `tables/${name}.ndjson`
}

/** Reads all of a backup: every hash in it, and that it has every object that its artifacts name, and nothing else. */
export async function checkBackup(
  path: string,
  { progress = createProgress(), key }: { progress?: Progress; key?: BackupKey | undefined } = {},
): Promise<{ manifest: Manifest } | { problems: string[] }> {
  const backup = await readBackup(path, key).catch((error: Error) => error)
  if (backup instanceof Error) return { problems: [backup.message] }
  const problems: string[] = []
  const tables = new Map<string, { rows: number; sha256: string }>()
  const stored = new Set<string>()
  const artifactLines: string[] = []
  let manifestText: string | undefined
  let bytes = 0
  try {
    for await (const file of backup.files()) {
      if (file.name === MANIFEST) manifestText = await textOf(file.chunks)
      else if (file.name.startsWith('objects/')) {
        const hash = file.name.slice('objects/'.length)
        if ((await hashOf(file.chunks)) !== hash) problems.push(`the object ${hash} is damaged`)
        stored.add(hash)
        bytes += file.size
        progress.tell(`reading the backup: ${stored.size} objects`)
      } else {
        const isArtifacts = file.name === tableFile('artifacts')
        tables.set(file.name, await digestLines(file.chunks, isArtifacts ? artifactLines : undefined))
      }
    }
  } catch (error) {
    if (error instanceof BackupLocked) return { problems: [error.message] }
    problems.push(error instanceof Error ? error.message : String(error))
  } finally {
    progress.clear()
  }
  if (manifestText === undefined) {
    return { problems: [`it is no backup, or one that broke off: it has no ${MANIFEST}`] }
  }
  const manifest = readManifest(manifestText, problems)
  if (manifest === undefined) return { problems }
  for (const table of manifest.tables) {
    const found = tables.get(tableFile(table.name))
    if (found === undefined) problems.push(`the table ${table.name} is missing`)
    else if (found.rows !== table.rows || found.sha256 !== table.sha256)
      problems.push(`the table ${table.name} is damaged`)
  }
  const hashAt = manifest.tables.find(({ name }) => name === 'artifacts')?.columns.indexOf('content_hash') ?? -1
  // Lines of a damaged table need not be lines at all.
  for (const line of problems.length > 0 ? [] : artifactLines) {
    const hash = cellOf(line, hashAt)
    if (!stored.has(hash)) problems.push(`the object ${hash} is missing`)
  }
  if (stored.size !== manifest.objects.count || bytes !== manifest.objects.bytes) {
    problems.push(`it has ${stored.size} objects where its manifest counts ${manifest.objects.count}`)
  }
  return problems.length === 0
    ? { manifest }
    : { problems: [...new Set(problems)].slice(0, limits.backupProblemsShown) }
}

function readManifest(text: string, problems: string[]): Manifest | undefined {
  try {
    const { manifest_hash: hash, ...rest } = JSON.parse(text) as Manifest
    if (rest.format !== 'quire-backup-1') {
      problems.push(`it has the format ${rest.format}, which this version of Quire does not know`)
      return undefined
    }
    if (canonicalHash(rest) !== hash) problems.push('the manifest is damaged')
    return { ...rest, manifest_hash: hash }
  } catch {
    problems.push(`its ${MANIFEST} can't be read`)
    return undefined
  }
}

async function textOf(chunks: AsyncIterable<Uint8Array>): Promise<string> {
  const parts: Uint8Array[] = []
  for await (const chunk of chunks) parts.push(chunk)
  return Buffer.concat(parts).toString('utf8')
}

async function hashOf(chunks: AsyncIterable<Uint8Array>): Promise<string> {
  const hasher = new Bun.CryptoHasher('sha256')
  for await (const chunk of chunks) hasher.update(chunk)
  return hasher.digest('hex')
}

async function digestLines(chunks: AsyncIterable<Uint8Array>, keep: string[] | undefined) {
  const hasher = new Bun.CryptoHasher('sha256')
  let rows = 0
  for await (const lines of linesOf(chunks)) {
    for (const line of lines) hasher.update(`${line}\n`)
    rows += lines.length
    keep?.push(...lines)
  }
  return { rows, sha256: hasher.digest('hex') }
}

/** The lines of a file, in groups as they arrive; each must end with a line break. */
export async function* linesOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string[]> {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  let rest = ''
  for await (const chunk of chunks) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n')
    rest = lines.pop() ?? ''
    yield lines
  }
  if (rest !== '') throw new Error('a table breaks off in the middle of a line')
}

/** One small object's bytes; artifacts are bounded by `limits.artifactBytes`. */
export async function bytesOf(chunks: AsyncIterable<Uint8Array>, hash: string): Promise<Uint8Array> {
  const parts: Uint8Array[] = []
  for await (const chunk of chunks) parts.push(chunk)
  const bytes = new Uint8Array(Buffer.concat(parts))
  if (sha256Hex(bytes) !== hash) throw new Error(`the object ${hash} of the backup is damaged`)
  return bytes
}
