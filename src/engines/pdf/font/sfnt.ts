/**
 * The container of TrueType and OpenType fonts: a directory of tables over one byte buffer. All reads are bounded by
 * the buffer; a read outside it returns 0, so a broken font yields empty glyphs instead of an exception.
 */
import { limits } from '../../../core/limits.ts'
export class ByteReader {
  /** A reader of all of these bytes. */
  static of(bytes: Uint8Array): ByteReader {
    return new ByteReader(bytes, 0, bytes.length)
  }

  readonly length: number
  constructor(
    readonly bytes: Uint8Array,
    readonly start: number,
    length: number,
  ) {
    this.length = Math.max(0, Math.min(length, bytes.length - start))
  }

  u8(offset: number): number {
    return offset >= 0 && offset < this.length ? (this.bytes[this.start + offset] ?? 0) : 0
  }

  u16(offset: number): number {
    if (offset < 0 || offset + 1 >= this.length) return 0
    const at = this.start + offset
    return ((this.bytes[at] ?? 0) << 8) | (this.bytes[at + 1] ?? 0)
  }

  i16(offset: number): number {
    const value = this.u16(offset)
    return value >= 0x8000 ? value - 0x10000 : value
  }

  u32(offset: number): number {
    return this.u16(offset) * 0x10000 + this.u16(offset + 2)
  }

  slice(offset: number, length: number): Uint8Array {
    if (offset < 0 || offset >= this.length || length <= 0) return new Uint8Array(0)
    return this.bytes.subarray(this.start + offset, this.start + Math.min(this.length, offset + length))
  }

  part(offset: number, length = this.length - offset): ByteReader {
    if (offset < 0 || offset > this.length) return new ByteReader(this.bytes, this.bytes.length, 0)
    return new ByteReader(this.bytes, this.start + offset, Math.min(length, this.length - offset))
  }
}

const TRUETYPE = 0x00010000
const TRUE_TAG = 0x74727565
const OPENTYPE_TAG = 0x4f54544f
const COLLECTION_TAG = 0x74746366

/** How many fonts a file holds: one, unless it is a collection. */
export function fontCount(bytes: Uint8Array): number {
  const file = new ByteReader(bytes, 0, bytes.length)
  return file.u32(0) === COLLECTION_TAG ? Math.min(file.u32(8), limits.fontCollection) : 1
}

/**
 * The tables by tag of a font with TrueType or PostScript outlines, or of one font of a collection; undefined for any other
 * bytes.
 */
export function readTables(bytes: Uint8Array, index = 0): Map<string, ByteReader> | undefined {
  const file = new ByteReader(bytes, 0, bytes.length)
  const start = file.u32(0) === COLLECTION_TAG ? (index < fontCount(bytes) ? file.u32(12 + index * 4) : -1) : 0
  if (start < 0 || start >= bytes.length) return undefined
  const version = file.u32(start)
  if (version !== TRUETYPE && version !== TRUE_TAG && version !== OPENTYPE_TAG) return undefined
  const count = Math.min(file.u16(start + 4), 128)
  const tables = new Map<string, ByteReader>()
  for (let entry = 0; entry < count; entry++) {
    const at = start + 12 + entry * 16
    const tag = String.fromCharCode(file.u8(at), file.u8(at + 1), file.u8(at + 2), file.u8(at + 3))
    const offset = file.u32(at + 8)
    if (offset >= bytes.length) continue
    tables.set(tag, new ByteReader(bytes, offset, file.u32(at + 12)))
  }
  const outlines = tables.has('CFF ') ? ['CFF '] : ['glyf', 'loca']
  for (const needed of ['head', 'hhea', 'hmtx', 'maxp', 'cmap', ...outlines]) {
    if (!tables.has(needed)) return undefined
  }
  return tables
}

/** A table that every face has: `readFace` returns no face without it. */
export function tableOf(tables: ReadonlyMap<string, ByteReader>, name: string): ByteReader {
  const table = tables.get(name)
  if (!table) throw new Error(`The font has no table ${name}`)
  return table
}
