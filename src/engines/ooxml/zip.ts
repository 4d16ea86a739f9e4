import { promisify } from 'node:util'
import { crc32, inflateRaw, inflateRawSync } from 'node:zlib'
import { type Finding, fail, type Outcome, succeed } from '../../core/finding.ts'
import { limits } from '../../core/limits.ts'
import {
  centralHeaderBytes,
  centralSignature,
  endRecordBytes,
  endSignature,
  localHeaderBytes,
  localSignature,
  type ZipEntry,
} from './zip-format.ts'

export interface ZipArchive {
  /** Names in the order of the central directory. Folders are left out. */
  readonly names: readonly string[]
  /** Folders that have content, which nobody reads: for those who say what an archive holds. */
  readonly fullFolders: readonly string[]
  entry(name: string): ZipEntry | undefined
  /** Inflates one entry, and checks its length and CRC. Not cached: the caller keeps what it needs. */
  read(name: string): Outcome<Uint8Array>
  /** The same for a large entry, on another thread but for the CRC. */
  readApart(name: string): Promise<Outcome<Uint8Array>>
}

const zip64LocatorSignature = 0x07064b50
const zip64EndSignature = 0x06064b50
/** Fixed by the format. */
const zip64EndBytes = 56
const zip64Extra = 0x0001

/** Fixed by the format: the length of the comment has 16 bits. */
const maxCommentBytes = 0xffff

const encryptedFlag = 0x0001
const dataDescriptorFlag = 0x0008
const strongEncryptionFlag = 0x0040
const maskedHeaderFlag = 0x2000

/**
 * Reads the directory of a zip archive (PKWARE APPNOTE 6.3, as restricted by ECMA-376 part 2 annex B). Every entry is
 * checked against its local header before anything is inflated. The declared sizes are checked against `limits`, and
 * inflating stops at the declared size, so the output can't exceed what was checked.
 */
export function readZip(bytes: Uint8Array): Outcome<ZipArchive> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const end = findEndRecord(bytes, view)
  if (end < 0) return fail(noArchive(bytes))
  const record =
    end >= 20 && view.getUint32(end - 20, true) === zip64LocatorSignature ? readZip64End(view, end) : undefined
  const { count, countHere, directoryBytes, directory, disks } = record ?? readEnd(view, end)
  if (disks !== 0) return fail(zipFinding('zip.split', 'The archive is split over several files.'))
  if (count !== countHere || directory + directoryBytes > end) {
    return fail(zipFinding('zip.directory', 'The directory of the archive lies outside of the file.'))
  }
  if (count > limits.zipEntries) {
    return fail(zipFinding('zip.entries', `The archive has ${count} entries; ${limits.zipEntries} are allowed.`))
  }
  return readDirectory(bytes, view, directory, directory + directoryBytes, count)
}

/** Signature of compound files ([MS-CFB] 2.2): documents of Word 97 to 2003, and password-protected .docx files. */
const compoundSignature = [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]

function noArchive(bytes: Uint8Array): Finding {
  const code = 'zip.not_a_zip'
  if (bytes.length === 0) return zipFinding(code, 'The file is empty.')
  if (!compoundSignature.every((byte, at) => bytes[at] === byte)) {
    return zipFinding(code, 'The file is not a zip archive, or it is cut off.')
  }
  const message = 'The file is a document of Word 97 to 2003 (.doc), or it is protected by a password.'
  return zipFinding(code, message, undefined, 'Save it as .docx, without a password.')
}

interface EndRecord {
  count: number
  countHere: number
  directoryBytes: number
  directory: number
  /** Numbers of the disks concerned, added up: zero for an archive in one piece. */
  disks: number
}

function readEnd(view: DataView, at: number): EndRecord {
  return {
    count: view.getUint16(at + 10, true),
    countHere: view.getUint16(at + 8, true),
    directoryBytes: view.getUint32(at + 12, true),
    directory: view.getUint32(at + 16, true),
    disks: view.getUint16(at + 4, true) + view.getUint16(at + 6, true),
  }
}

/**
 * The end record in zip64 form (APPNOTE 4.3.14), which some programs write even for small documents; undefined if the
 * locator leads nowhere. Sizes that exceed the file fail the usual checks.
 */
function readZip64End(view: DataView, end: number): EndRecord | undefined {
  const at = Number(view.getBigUint64(end - 12, true))
  if (at + zip64EndBytes > end - 20 || view.getUint32(at, true) !== zip64EndSignature) return undefined
  return {
    count: Number(view.getBigUint64(at + 32, true)),
    countHere: Number(view.getBigUint64(at + 24, true)),
    directoryBytes: Number(view.getBigUint64(at + 40, true)),
    directory: Number(view.getBigUint64(at + 48, true)),
    disks: view.getUint32(at + 16, true) + view.getUint32(at + 20, true) + view.getUint32(end - 16, true),
  }
}

const inZip64 = 0xffffffff

/**
 * Returns a function to call with the header's 32-bit figures, in order. It replaces each that is 0xFFFFFFFF by the
 * next value of the header's zip64 extra field (APPNOTE 4.5.3), searched between `start` and `stop`.
 */
function widening(view: DataView, start: number, stop: number): (figure: number) => number {
  for (let at = start; at + 4 <= stop; at += 4 + view.getUint16(at + 2, true)) {
    if (view.getUint16(at, true) !== zip64Extra) continue
    const end = Math.min(stop, at + 4 + view.getUint16(at + 2, true))
    let next = at + 4
    return (figure) => {
      if (figure !== inZip64 || next + 8 > end) return figure
      next += 8
      return Number(view.getBigUint64(next - 8, true))
    }
  }
  return (figure) => figure
}

/**
 * Finds the record whose comment ends with the file. Some programs append bytes to the archive, such as a line end or a
 * zero, and Word opens such files; so otherwise takes the last record whose comment ends before the file does.
 */
function findEndRecord(bytes: Uint8Array, view: DataView): number {
  const lowest = Math.max(0, bytes.length - endRecordBytes - maxCommentBytes)
  let followed = -1
  for (let at = bytes.length - endRecordBytes; at >= lowest; at--) {
    if (bytes[at] !== 0x50 || view.getUint32(at, true) !== endSignature) continue
    const end = at + endRecordBytes + view.getUint16(at + 20, true)
    if (end === bytes.length) return at
    if (end < bytes.length && followed < 0) followed = at
  }
  return followed
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

function readDirectory(
  bytes: Uint8Array,
  view: DataView,
  start: number,
  stop: number,
  count: number,
): Outcome<ZipArchive> {
  const entries = new Map<string, ZipEntry>()
  const fullFolders: string[] = []
  const foldedNames = new Set<string>()
  const spans: [number, number][] = []
  let inflatedBytes = 0
  let at = start
  for (let index = 0; index < count; index++) {
    if (at + centralHeaderBytes > stop || view.getUint32(at, true) !== centralSignature) {
      return fail(zipFinding('zip.directory', `The directory of the archive breaks off at entry ${index + 1}.`))
    }
    const nameBytes = view.getUint16(at + 28, true)
    const headerBytes = centralHeaderBytes + nameBytes + view.getUint16(at + 30, true) + view.getUint16(at + 32, true)
    if (at + headerBytes > stop) {
      return fail(zipFinding('zip.directory', `The directory of the archive breaks off at entry ${index + 1}.`))
    }
    const rawName = bytes.subarray(at + centralHeaderBytes, at + centralHeaderBytes + nameBytes)
    const name = decodeName(rawName)
    if (name === undefined || isUnsafeName(name)) {
      return fail(zipFinding('zip.name', `Entry ${index + 1} has a name that leaves the archive or is not text.`))
    }
    const folded = name.toLowerCase()
    if (foldedNames.has(folded)) return fail(zipFinding('zip.duplicate', `The archive holds ${name} twice.`, name))
    foldedNames.add(folded)
    const entry = readEntry({ bytes, view, directory: start, central: at, rawName, name }, spans)
    if (!entry.ok) return entry
    inflatedBytes += entry.value.inflatedBytes
    if (inflatedBytes > limits.zipInflatedBytes) {
      return fail(zipFinding('zip.size', `The archive inflates to more than ${limits.zipInflatedBytes} bytes.`))
    }
    if (!name.endsWith('/')) entries.set(name, entry.value)
    else if (entry.value.inflatedBytes > 0) fullFolders.push(name)
    at += headerBytes
  }
  const overlap = findOverlap(spans)
  if (overlap) return fail(zipFinding('zip.overlap', 'Two entries of the archive share the same bytes.'))
  return succeed(archiveOf(entries, fullFolders))
}

/** An entry of the directory, with the archive and the offset of its directory. */
interface EntryPlace {
  bytes: Uint8Array
  view: DataView
  directory: number
  central: number
  rawName: Uint8Array
  name: string
}

/** Reads an entry, and notes the bytes it takes in `spans`. */
function readEntry(place: EntryPlace, spans: [number, number][]): Outcome<ZipEntry> {
  const { bytes, view, directory, central, rawName, name } = place
  const flags = view.getUint16(central + 8, true)
  if ((flags & (encryptedFlag | strongEncryptionFlag | maskedHeaderFlag)) !== 0) {
    return fail(zipFinding('zip.encrypted', `${name} is encrypted.`, name, 'Save the document without a password.'))
  }
  const method = view.getUint16(central + 10, true)
  if (method !== 0 && method !== 8) {
    return fail(zipFinding('zip.method', `${name} is compressed with method ${method}; only deflate is read.`, name))
  }
  const crc = view.getUint32(central + 16, true)
  const extra = central + centralHeaderBytes + rawName.length
  const wide = widening(view, extra, extra + view.getUint16(central + 30, true))
  const inflatedBytes = wide(view.getUint32(central + 24, true))
  const compressedBytes = wide(view.getUint32(central + 20, true))
  const local = wide(view.getUint32(central + 42, true))
  if (local + localHeaderBytes > directory || view.getUint32(local, true) !== localSignature) {
    return fail(zipFinding('zip.local', `${name} has no header where the directory says.`, name))
  }
  const localNameBytes = view.getUint16(local + 26, true)
  const data = local + localHeaderBytes + localNameBytes + view.getUint16(local + 28, true)
  if (data + compressedBytes > directory) {
    return fail(zipFinding('zip.local', `${name} reaches beyond the end of the archive.`, name))
  }
  const localName = bytes.subarray(local + localHeaderBytes, local + localHeaderBytes + localNameBytes)
  const localFlags = view.getUint16(local + 6, true)
  const described = (localFlags & dataDescriptorFlag) !== 0
  // With a data descriptor, the local sizes may be zero. Any other difference could make two readers see different
  // documents.
  const agrees = (found: number, expected: number) => found === expected || (described && found === 0)
  const localExtra = local + localHeaderBytes + localNameBytes
  const wideLocal = widening(view, localExtra, data)
  const localInflated = wideLocal(view.getUint32(local + 22, true))
  const localCompressed = wideLocal(view.getUint32(local + 18, true))
  if (
    !sameBytes(localName, rawName) ||
    view.getUint16(local + 8, true) !== method ||
    (localFlags & encryptedFlag) !== 0 ||
    !agrees(view.getUint32(local + 14, true), crc) ||
    !agrees(localCompressed, compressedBytes) ||
    !agrees(localInflated, inflatedBytes)
  ) {
    return fail(zipFinding('zip.mismatch', `${name} differs between the directory and its own header.`, name))
  }
  if (method === 0 && compressedBytes !== inflatedBytes) {
    return fail(zipFinding('zip.mismatch', `${name} is stored with two different lengths.`, name))
  }
  if (inflatedBytes > limits.zipEntryInflatedBytes) {
    return fail(zipFinding('zip.size', `${name} inflates to ${inflatedBytes} bytes, over the limit.`, name))
  }
  if (inflatedBytes > limits.zipRatioFreeBytes && inflatedBytes > compressedBytes * limits.zipRatio) {
    return fail(zipFinding('zip.ratio', `${name} inflates more than ${limits.zipRatio}:1.`, name))
  }
  spans.push([local, data + compressedBytes])
  return succeed({ name, method, crc32: crc, compressed: bytes.subarray(data, data + compressedBytes), inflatedBytes })
}

function decodeName(raw: Uint8Array): string | undefined {
  try {
    return utf8.decode(raw)
  } catch {
    return undefined
  }
}

/** Refuses absolute names, drive letters, backslashes, control characters and `..` segments. */
function isUnsafeName(name: string): boolean {
  if (name === '' || name.startsWith('/') || name.includes('\\') || name.includes(':')) return true
  for (let index = 0; index < name.length; index++) if (name.charCodeAt(index) < 0x20) return true
  return name.split('/').some((segment) => segment === '..' || segment === '.')
}

function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false
  for (let index = 0; index < a.length; index++) if (a[index] !== b[index]) return false
  return true
}

function findOverlap(spans: [number, number][]): boolean {
  spans.sort((a, b) => a[0] - b[0])
  let end = 0
  return spans.some(([start, stop]) => {
    const overlaps = start < end
    end = stop
    return overlaps
  })
}

function archiveOf(entries: Map<string, ZipEntry>, fullFolders: readonly string[]): ZipArchive {
  return {
    fullFolders,
    names: [...entries.keys()],
    entry: (name) => entries.get(name),
    read(name) {
      const entry = entries.get(name)
      if (entry === undefined) return fail(zipFinding('zip.missing', `The archive has no ${name}.`, name))
      return inflateEntry(entry)
    },
    async readApart(name) {
      const entry = entries.get(name)
      if (entry === undefined) return fail(zipFinding('zip.missing', `The archive has no ${name}.`, name))
      return inflateApart(entry)
    },
  }
}

/** Fixed by zlib's interface. */
const LEAST_CHUNK = 64

/** The bytes of one entry; fails if their number or their CRC differs from the declared one. */
export function inflateEntry(entry: ZipEntry): Outcome<Uint8Array> {
  if (entry.method === 0) return checked(entry, entry.compressed)
  try {
    return checked(entry, inflateRawSync(entry.compressed, roomFor(entry)))
  } catch {
    return fail(otherLength(entry))
  }
}

const inflateOnAnotherThread = promisify(inflateRaw) as (
  bytes: Uint8Array,
  options: { maxOutputLength: number; chunkSize: number },
) => Promise<Uint8Array>

async function inflateApart(entry: ZipEntry): Promise<Outcome<Uint8Array>> {
  if (entry.method === 0) return checked(entry, entry.compressed)
  try {
    return checked(entry, await inflateOnAnotherThread(entry.compressed, roomFor(entry)))
  } catch {
    return fail(otherLength(entry))
  }
}

/**
 * Room for one byte more than declared shows that there is more; zlib stops there. All of it is one piece: a long part would
 * be put together from hundreds.
 */
function roomFor({ inflatedBytes }: ZipEntry): { maxOutputLength: number; chunkSize: number } {
  const maxOutputLength = inflatedBytes + 1
  return { maxOutputLength, chunkSize: Math.max(LEAST_CHUNK, maxOutputLength) }
}

function otherLength({ name }: ZipEntry): Finding {
  return zipFinding('zip.data', `${name} does not inflate to the length it declares.`, name)
}

function checked(entry: ZipEntry, data: Uint8Array): Outcome<Uint8Array> {
  if (data.length !== entry.inflatedBytes || crc32(data) !== entry.crc32) {
    return fail(zipFinding('zip.data', `${entry.name} is damaged: its length or checksum is wrong.`, entry.name))
  }
  return succeed(data)
}

function zipFinding(code: string, message: string, path?: string, hint?: string): Finding {
  return {
    code,
    severity: 'error',
    message,
    hint: hint ?? 'Save the document again in Word, or in the program that made it.',
    ...(path === undefined ? {} : { path }),
  }
}
