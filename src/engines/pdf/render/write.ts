import PDFObject from 'pdf-lib/es/core/objects/PDFObject.js'
import type PDFRef from 'pdf-lib/es/core/objects/PDFRef.js'
import PDFContext from 'pdf-lib/es/core/PDFContext.js'
import { sha256Hex } from '../../../core/hash.ts'

export type { PDFRef }

/** Objects in one object stream: large enough to compress well, small enough to open a page without reading all. */
const OBJECTS_PER_STREAM = 200
/**
 * libdeflate's level 4 is five times as fast as a compressor in JavaScript and makes smaller files. It gives the same
 * bytes on every processor; its version is that of the Bun inside of the executable.
 */
const LEVEL = 4

/** The data as a zlib stream (RFC 1950), which is what `/FlateDecode` reads. */
export function compress(data: Uint8Array): Uint8Array {
  const deflated = Bun.deflateSync(data as Uint8Array<ArrayBuffer>, { level: LEVEL, library: 'libdeflate' })
  const stream = new Uint8Array(deflated.length + 6)
  stream[0] = 0x78
  stream[1] = 0x5e
  stream.set(deflated, 2)
  new DataView(stream.buffer).setUint32(deflated.length + 2, adler32(data))
  return stream
}

function adler32(data: Uint8Array): number {
  let a = 1
  let b = 0
  // The sums of 3,800 bytes cannot leave 31 bits, so the costly remainder is taken once a block.
  for (let from = 0; from < data.length; from += 3_800) {
    const to = Math.min(from + 3_800, data.length)
    for (let at = from; at < to; at++) {
      a += data[at]!
      b += a
    }
    a %= 65_521
    b %= 65_521
  }
  return ((b << 16) | a) >>> 0
}

/** An object whose syntax is already written; dictionaries made by the thousand are text from the start. */
class Verbatim extends PDFObject {
  constructor(readonly syntax: string) {
    super()
  }

  override toString(): string {
    return this.syntax
  }
}

/** A stream whose data already is what its dictionary says. */
class PlainStream extends PDFObject {
  constructor(
    readonly dictionary: string,
    readonly data: Uint8Array,
  ) {
    super()
  }
}

/** The file under construction: pdf-lib's context numbers and holds the objects, this writes them. */
export class PdfFile {
  private readonly context = PDFContext.create()

  reserve(): PDFRef {
    return this.context.nextRef()
  }

  put(ref: PDFRef, syntax: string): void {
    this.context.assign(ref, new Verbatim(syntax))
  }

  add(syntax: string): PDFRef {
    return this.context.register(new Verbatim(syntax))
  }

  /** A stream with the given dictionary entries, compressed here unless it comes with a filter of its own. */
  addStream(entries: string, data: Uint8Array, compressed = false): PDFRef {
    const ref = this.reserve()
    this.putStream(ref, entries, data, compressed)
    return ref
  }

  putStream(ref: PDFRef, entries: string, data: Uint8Array, compressed = false): void {
    const bytes = compressed ? data : compress(data)
    const dictionary = `<<${entries}${compressed ? '' : '/Filter/FlateDecode'}/Length ${bytes.length}>>`
    this.context.assign(ref, new PlainStream(dictionary, bytes))
  }

  /**
   * The whole file: streams as they are, everything else in object streams, and a cross-reference stream (7.5). pdf-lib's
   * own writer does the same asynchronously, a tick every fifty objects, and takes longer to do it.
   */
  write(root: PDFRef, info: PDFRef): Uint8Array {
    const chunks: Uint8Array[] = []
    let length = 0
    const push = (chunk: Uint8Array) => {
      chunks.push(chunk)
      length += chunk.length
    }
    push(latin1('%PDF-1.7\n%\u00e2\u00e3\u00cf\u00d3\n'))
    const size = this.context.largestObjectNumber + 1
    const rows: [type: number, a: number, b: number][] = [[0, 0, 65_535]]
    let pending: [number: number, syntax: string][] = []
    let next = size
    const flush = () => {
      if (pending.length === 0) return
      const number = next++
      let offsets = ''
      let body = ''
      for (const [index, [object, syntax]] of pending.entries()) {
        offsets += `${object} ${body.length} `
        body += `${syntax}\n`
        rows[object] = [2, number, index]
      }
      const data = compress(latin1(offsets + body))
      rows[number] = [1, length, 0]
      push(
        latin1(
          `${number} 0 obj\n<</Type/ObjStm/N ${pending.length}/First ${offsets.length}/Filter/FlateDecode/Length ${data.length}>>\nstream\n`,
        ),
      )
      push(data)
      push(latin1('\nendstream\nendobj\n'))
      pending = []
    }
    for (const [{ objectNumber }, object] of this.context.enumerateIndirectObjects()) {
      if (object instanceof PlainStream) {
        rows[objectNumber] = [1, length, 0]
        push(latin1(`${objectNumber} 0 obj\n${object.dictionary}\nstream\n`))
        push(object.data)
        push(latin1('\nendstream\nendobj\n'))
        continue
      }
      pending.push([objectNumber, object.toString()])
      if (pending.length >= OBJECTS_PER_STREAM) flush()
    }
    flush()
    const identifier = hashOf(chunks).slice(0, 32)
    const xrefNumber = next
    rows[xrefNumber] = [1, length, 0]
    const table = new Uint8Array(rows.length * 7)
    for (let index = 0; index < rows.length; index++) {
      const [type, a, b] = rows[index] ?? [0, 0, 0]
      const at = index * 7
      table[at] = type
      table[at + 1] = a >>> 24
      table[at + 2] = (a >>> 16) & 0xff
      table[at + 3] = (a >>> 8) & 0xff
      table[at + 4] = a & 0xff
      table[at + 5] = b >>> 8
      table[at + 6] = b & 0xff
    }
    const data = compress(table)
    const start = length
    push(
      latin1(
        `${xrefNumber} 0 obj\n<</Type/XRef/Size ${rows.length}/W[1 4 2]/Root ${root.objectNumber} 0 R/Info ${info.objectNumber} 0 R` +
          `/ID[<${identifier}><${identifier}>]/Filter/FlateDecode/Length ${data.length}>>\nstream\n`,
      ),
    )
    push(data)
    push(latin1(`\nendstream\nendobj\nstartxref\n${start}\n%%EOF\n`))
    const file = new Uint8Array(length)
    let at = 0
    for (const chunk of chunks) {
      file.set(chunk, at)
      at += chunk.length
    }
    return file
  }
}

function hashOf(chunks: readonly Uint8Array[]): string {
  const hasher = new Bun.CryptoHasher('sha256')
  for (const chunk of chunks) hasher.update(chunk)
  return hasher.digest('hex')
}

export function latin1(text: string): Uint8Array {
  return Buffer.from(text, 'latin1')
}

/** A text string object: literal where ASCII is enough, else UTF-16BE in hexadecimal (7.9.2.2). */
export function textString(text: string): string {
  if (/^[\x20-\x7e]*$/.test(text)) return literal(text)
  let hex = 'FEFF'
  for (let at = 0; at < text.length; at++) hex += text.charCodeAt(at).toString(16).toUpperCase().padStart(4, '0')
  return `<${hex}>`
}

export function literal(text: string): string {
  return `(${text.replace(/[\\()]/g, (character) => `\\${character}`).replace(/[\r\n]/g, ' ')})`
}

/** A number with at most three decimals and nothing superfluous. */
export function num(value: number): string {
  if (!Number.isFinite(value)) return '0'
  const rounded = Math.round(value * 1000) / 1000
  return Object.is(rounded, -0) ? '0' : `${rounded}`
}

/** Six letters that name a subset by its contents (9.6.4). */
export function subsetTag(contents: Uint8Array): string {
  const hash = sha256Hex(contents)
  let tag = ''
  for (let at = 0; at < 6; at++)
    tag += String.fromCharCode(65 + (Number.parseInt(hash.slice(at * 2, at * 2 + 2), 16) % 26))
  return tag
}
