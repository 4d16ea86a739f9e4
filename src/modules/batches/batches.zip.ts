/** A ZIP archive written as it is made (APPNOTE 6.3.10): stored files, with the 64-bit forms only where they are needed. */

export interface ZipClock {
  /** RFC 3339, of all files. */
  at: string
}

interface Entry {
  name: Uint8Array
  crc: number
  size: number
  offset: number
}

/** Fixed by the format: larger values need the 64-bit form. */
const MOST_32 = 0xffff_ffff
/** Fixed by the format: more files need the 64-bit form. */
const MOST_ENTRIES = 0xffff
const encoder = new TextEncoder()

export class ZipStream {
  readonly #entries: Entry[] = []
  readonly #time: number
  readonly #date: number
  #offset: number

  /** @param offset where the archive begins; lets tests reach beyond 4 GiB */
  constructor({ at }: ZipClock, offset = 0) {
    const [year = 1980, month = 1, day = 1, hour = 0, minute = 0, second = 0] = (at.match(/\d+/g) ?? []).map(Number)
    this.#date = ((year - 1980) << 9) | (month << 5) | day
    this.#time = (hour << 11) | (minute << 5) | (second >> 1)
    this.#offset = offset
  }

  /** One file: its header, then its bytes. */
  *file(path: string, bytes: Uint8Array): Generator<Uint8Array> {
    const name = encoder.encode(path)
    const entry = { name, crc: Bun.hash.crc32(bytes), size: bytes.byteLength, offset: this.#offset }
    this.#entries.push(entry)
    const header = new Fields(30 + name.byteLength)
    header.u32(0x0403_4b50).u16(20)
    this.#describe(header, entry)
    header.u16(name.byteLength).u16(0).bytes(name)
    yield this.#count(header.made)
    yield this.#count(bytes)
  }

  /** The directory, after the last file. */
  *end(): Generator<Uint8Array> {
    const start = this.#offset
    for (const entry of this.#entries) yield this.#count(this.#directoryEntry(entry))
    const size = this.#offset - start
    const count = this.#entries.length
    if (count > MOST_ENTRIES - 1 || start >= MOST_32 || size >= MOST_32) yield this.#end64(start, size, count)
    const end = new Fields(22)
    end.u32(0x0605_4b50).u16(0).u16(0).u16(Math.min(count, MOST_ENTRIES)).u16(Math.min(count, MOST_ENTRIES))
    yield end.u32(Math.min(size, MOST_32)).u32(Math.min(start, MOST_32)).u16(0).made
  }

  #describe(fields: Fields, { crc, size }: Entry): void {
    // Names are UTF-8, and files are stored as they are.
    fields.u16(0x0800).u16(0).u16(this.#time).u16(this.#date).u32(crc).u32(size).u32(size)
  }

  #directoryEntry(entry: Entry): Uint8Array {
    const isFar = entry.offset >= MOST_32
    const { name } = entry
    const fields = new Fields(46 + name.byteLength + (isFar ? 12 : 0))
    fields
      .u32(0x0201_4b50)
      .u16(isFar ? 45 : 20)
      .u16(isFar ? 45 : 20)
    this.#describe(fields, entry)
    fields
      .u16(name.byteLength)
      .u16(isFar ? 12 : 0)
      .u16(0)
      .u16(0)
      .u16(0)
      .u32(0)
    fields.u32(isFar ? MOST_32 : entry.offset).bytes(name)
    if (isFar) fields.u16(1).u16(8).u64(entry.offset)
    return fields.made
  }

  #end64(start: number, size: number, count: number): Uint8Array {
    const fields = new Fields(76)
    fields.u32(0x0606_4b50).u64(44).u16(45).u16(45).u32(0).u32(0).u64(count).u64(count).u64(size).u64(start)
    return fields
      .u32(0x0706_4b50)
      .u32(0)
      .u64(start + size)
      .u32(1).made
  }

  #count(bytes: Uint8Array): Uint8Array {
    this.#offset += bytes.byteLength
    return bytes
  }
}

/** Little-endian fields one after the other. */
class Fields {
  readonly made: Uint8Array
  readonly #view: DataView
  #at = 0

  constructor(size: number) {
    this.made = new Uint8Array(size)
    this.#view = new DataView(this.made.buffer)
  }

  u16(value: number): this {
    this.#view.setUint16(this.#at, value, true)
    this.#at += 2
    return this
  }

  u32(value: number): this {
    this.#view.setUint32(this.#at, value, true)
    this.#at += 4
    return this
  }

  u64(value: number): this {
    this.#view.setBigUint64(this.#at, BigInt(value), true)
    this.#at += 8
    return this
  }

  bytes(value: Uint8Array): this {
    this.made.set(value, this.#at)
    this.#at += value.byteLength
    return this
  }
}
