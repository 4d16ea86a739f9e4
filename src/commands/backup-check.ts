import { canonicalHash } from '../core/canonical.ts'
import { detailOf } from '../core/error-cause.ts'
import { sha256Hex } from '../core/hash.ts'
import { limits } from '../core/limits.ts'
import { checkShape } from '../http/shape.ts'
import {
  type BackupFile,
  type BackupReader,
  MANIFEST,
  type Manifest,
  manifestSchema,
  objectColumns,
  tableFile,
} from './backup-content.ts'
import { type BackupKey, BackupLocked } from './backup-encryption.ts'
import { readBackup } from './backup-files.ts'
import { reasonOf } from './files.ts'
import { HashList, isHash } from './hash-list.ts'
import { createProgress, type Progress } from './progress.ts'

/** The columns of a table's line, which is a JSON array. */
export function cellsOf(line: string): readonly unknown[] {
  const cells: unknown = JSON.parse(line)
  if (!Array.isArray(cells)) throw new Error('a row of a table is not as it was written')
  return cells
}

/** What was read of a backup, whose manifest may come last. */
interface Read {
  tables: Map<string, { rows: number; sha256: string }>
  /** Objects that are there. */
  stored: HashList
  /** Hashes by file, column and null columns: only the manifest says which columns name objects. */
  inRows: Map<string, HashesInRows>
  bytes: number
  manifestText?: string
}

/** Hashes in one column, of the rows in which the same columns are null. */
interface HashesInRows {
  file: string
  at: number
  /** Positions of the null columns, as JSON. */
  empty: string
  hashes: HashList
}

/** Reads a whole backup: checks every hash in it, and that it has exactly the objects that its rows name. */
export async function checkBackup(
  path: string,
  { progress = createProgress(), key }: { progress?: Progress; key?: BackupKey | undefined } = {},
): Promise<{ manifest: Manifest } | { problems: string[] }> {
  const backup = await readBackup(path, key).catch((error: Error) => error)
  if (backup instanceof Error) return { problems: [unreadableIn(backup) ?? backup.message] }
  const found = new Set<string>()
  const report = (problem: string) => void (found.size < limits.backupProblemsShown && found.add(problem))
  const read: Read = { tables: new Map(), stored: new HashList(), inRows: new Map(), bytes: 0 }
  let unreadable: string | undefined
  try {
    await readFiles(backup, read, { report, progress }).catch((error: unknown) => {
      if (error instanceof BackupLocked) throw error
      unreadable = unreadableIn(error)
      if (unreadable === undefined) report(error instanceof Error ? error.message : String(error))
    })
    // Then it is unknown what the backup lacks.
    if (unreadable !== undefined) return { problems: [...found, unreadable] }
    if (read.manifestText === undefined)
      return { problems: [`it is no backup, or one that broke off: it has no ${MANIFEST}`] }
    const manifest = readManifest(read.manifestText, report)
    if (manifest !== undefined) checkTables(manifest, read, report)
    if (manifest !== undefined) checkObjects(manifest, read, found.size > 0, report)
    return manifest === undefined || found.size > 0 ? { problems: [...found] } : { manifest }
  } catch (error) {
    if (error instanceof BackupLocked) return { problems: [error.message] }
    throw error
  } finally {
    progress.clear()
    for (const list of [read.stored, ...[...read.inRows.values()].map(({ hashes }) => hashes)]) list.close()
  }
}

type Report = (problem: string) => void

/** What the system refused to read, in words; undefined for other errors. */
function unreadableIn(error: unknown): string | undefined {
  if (detailOf(error, 'syscall') === undefined) return undefined
  return `${detailOf(error, 'path') ?? 'it'} cannot be read: ${reasonOf(error)}; nothing is known of the backup`
}

async function readFiles(
  backup: BackupReader,
  read: Read,
  { report, progress }: { report: Report; progress: Progress },
): Promise<void> {
  let count = 0
  for await (const file of backup.files()) {
    if (file.name === MANIFEST) {
      const isTooLarge = file.size > limits.backupManifestBytes
      if (isTooLarge) report(`its ${MANIFEST} is larger than that of any backup`)
      read.manifestText = isTooLarge ? '' : await textOf(file.chunks)
    } else if (file.name.startsWith('objects/')) {
      const hash = file.name.slice('objects/'.length)
      // A restore reads each into memory.
      if (file.size > limits.objectBytes) report(`the object ${hash} is larger than any`)
      else if ((await hashOf(file.chunks)) !== hash) report(`the object ${hash} is damaged`)
      if (isHash(hash)) read.stored.add(hash)
      read.bytes += file.size
      progress.tell(`reading the backup: ${++count} objects`)
    } else {
      const namesObjects = Object.keys(objectColumns).some((name) => file.name === tableFile(name))
      const onLines = namesObjects ? noteHashes(read.inRows, file.name) : () => {}
      try {
        read.tables.set(file.name, await digestLines(file, onLines))
      } catch (error) {
        // The others are read all the same, the manifest among them.
        if (!(error instanceof BrokenLine)) throw error
        report(error.message)
        read.tables.set(file.name, { rows: 0, sha256: '' })
      }
    }
  }
}

/** Lines of a damaged table need not be lines at all; its hash says so. */
function noteHashes(inRows: Read['inRows'], name: string): (lines: readonly string[]) => void {
  const cellsIn = (line: string) => {
    try {
      return cellsOf(line)
    } catch {
      return []
    }
  }
  return (lines) => {
    for (const line of lines) {
      const cells = cellsIn(line)
      const empty = JSON.stringify(cells.flatMap((cell, at) => (cell === null ? [at] : [])))
      for (const [at, cell] of cells.entries()) {
        if (!isHash(cell)) continue
        const place = `${name} ${at} ${empty}`
        const known = inRows.get(place) ?? { file: name, at, empty, hashes: new HashList() }
        inRows.set(place, known)
        known.hashes.add(cell)
      }
    }
  }
}

function checkTables({ tables }: Manifest, read: Read, report: Report): void {
  for (const { name, rows, sha256 } of tables) {
    const found = read.tables.get(tableFile(name))
    if (found === undefined) report(`the table ${name} is missing`)
    else if (found.rows !== rows || found.sha256 !== sha256) report(`the table ${name} is damaged`)
  }
}

/** @param isDamaged then the rows may name anything, and only the objects are counted */
function checkObjects({ tables, objects }: Manifest, read: Read, isDamaged: boolean, report: Report): void {
  const erased = new Set(objects.erased_meanwhile)
  const named = isDamaged ? [] : tables.flatMap((table) => namedIn(table, read)).map(({ hashes }) => hashes.parts())
  let count = 0
  for (const stored of read.stored.parts()) {
    count += stored.size
    for (const hash of named.flatMap((parts) => [...(parts.next().value ?? [])])) {
      if (!stored.has(hash) && !erased.has(hash)) report(`the object ${hash} is missing`)
    }
  }
  if (count !== objects.count) report(`it has ${count} objects where its manifest counts ${objects.count}`)
  else if (read.bytes !== objects.bytes)
    report(`its objects have ${read.bytes} bytes where its manifest counts ${objects.bytes}`)
}

function namedIn({ name, columns }: Manifest['tables'][number], { inRows }: Read): HashesInRows[] {
  const { hash = '', unless = '' } = objectColumns[name] ?? {}
  const [hashAt, unlessAt] = [columns.indexOf(hash), columns.indexOf(unless)]
  return [...inRows.values()].filter(
    // Backups of versions before parts could be removed have no such column.
    ({ file, at, empty }) =>
      file === tableFile(name) && at === hashAt && (unlessAt < 0 || JSON.parse(empty).includes(unlessAt)),
  )
}

function readManifest(text: string, report: Report): Manifest | undefined {
  try {
    const manifest = JSON.parse(text) as Manifest
    const { manifest_hash: hash, ...rest } = manifest
    if (rest.format !== 'quire-backup-1') {
      report(`it has the format ${rest.format}, which this version of Quire does not know`)
      return undefined
    }
    if (canonicalHash(rest) !== hash) report('the manifest is damaged')
    // Damage may have taken a part of it, or made it something else.
    const [wrong] = checkShape(manifestSchema, manifest, 'file')
    if (wrong === undefined) return manifest
    report(`its ${MANIFEST} is not as it was written: ${wrong.message}`)
  } catch {
    report(`its ${MANIFEST} can't be read`)
  }
  return undefined
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

async function digestLines({ name, chunks }: BackupFile, onLines: (lines: readonly string[]) => void) {
  const hasher = new Bun.CryptoHasher('sha256')
  let rows = 0
  for await (const lines of linesOf(chunks, name)) {
    for (const line of lines) hasher.update(`${line}\n`)
    rows += lines.length
    onLines(lines)
  }
  return { rows, sha256: hasher.digest('hex') }
}

/** The lines of a file, in groups as they arrive; each must end with a line break, and be no longer than a row can be. */
export async function* linesOf(
  chunks: AsyncIterable<Uint8Array>,
  name: string,
  mostChars: number = limits.backupLineChars,
): AsyncGenerator<string[]> {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  let rest = ''
  for await (const chunk of chunks) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n')
    rest = lines.pop() ?? ''
    yield lines
    if (rest.length > mostChars) throw new BrokenLine(`${name} has a line that is longer than any row`)
  }
  if (rest !== '') throw new BrokenLine(`${name} breaks off in the middle of a line`)
}

class BrokenLine extends Error {
  override readonly name = 'BrokenLine'
}

/** One small object's bytes; artifacts are bounded by `limits.artifactBytes`. */
export async function bytesOf(chunks: AsyncIterable<Uint8Array>, hash: string): Promise<Uint8Array> {
  const parts: Uint8Array[] = []
  for await (const chunk of chunks) parts.push(chunk)
  const bytes = new Uint8Array(Buffer.concat(parts))
  if (sha256Hex(bytes) !== hash) throw new Error(`the object ${hash} of the backup is damaged`)
  return bytes
}
