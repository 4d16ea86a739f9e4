import PDFObject from 'pdf-lib/es/core/objects/PDFObject.js'
import PDFRef from 'pdf-lib/es/core/objects/PDFRef.js'
import PDFContext from 'pdf-lib/es/core/PDFContext.js'
import { sha256Hex } from '../../../core/hash.ts'
import { zlibStream } from '../../ooxml/deflate.ts'
import { Operators } from './operators.ts'

/** The number of an indirect object (7.3.10); none has another generation than 0. */
export type ObjectNumber = number

/** Objects in one object stream: large enough to compress well, small enough to open a page without reading all. */
const OBJECTS_PER_STREAM = 200
/** Bytes of an entry in the cross-reference stream: one for its type, then four and two (7.5.8.3). */
const ROW_BYTES = 7
/** `small` is for every PDF that is kept; `quick` is uncompressed, for one that nobody reads. */
export type PdfForm = 'small' | 'quick'

/** The data as a zlib stream (RFC 1950), which is what `/FlateDecode` reads. */
export function compress(data: Uint8Array, form: PdfForm = 'small'): Uint8Array {
  return zlibStream(data, form === 'small' ? 4 : 0)
}

/** A stream whose data is already encoded as its dictionary says. */
class PlainStream extends PDFObject {
  constructor(
    readonly dictionary: string,
    readonly data: Uint8Array,
  ) {
    super()
  }
}

/** Syntax of objects that is written only when their place in the file comes. */
export interface Late {
  writeObject(number: ObjectNumber, out: Operators): void
}

/**
 * The file under construction. pdf-lib's context numbers the objects and holds the streams. All other objects are text
 * from the start and end in object streams: pdf-lib keeps every reference it ever made, and a long document has a
 * million.
 */
export class PdfFile {
  private readonly context = PDFContext.create()
  /** The syntax of objects that aren't streams, by their numbers. */
  private readonly syntax: (string | Late | undefined)[] = []

  constructor(private readonly form: PdfForm = 'small') {}

  reserve(): ObjectNumber {
    return ++this.context.largestObjectNumber
  }

  put(number: ObjectNumber, syntax: string): void {
    this.syntax[number] = syntax
  }

  /** The same for frequent objects: as texts, all of them would fill memory. */
  putLate(number: ObjectNumber, late: Late): void {
    this.syntax[number] = late
  }

  add(syntax: string): ObjectNumber {
    const number = this.reserve()
    this.put(number, syntax)
    return number
  }

  /** A stream with the given dictionary entries, compressed here. */
  addStream(entries: string, data: Uint8Array): ObjectNumber {
    return this.addFiltered(`${entries}/Filter/FlateDecode`, compress(data, this.form))
  }

  /** A stream whose entries name its filter; without one its bytes are stored as they are. */
  addFiltered(entries: string, bytes: Uint8Array): ObjectNumber {
    const number = this.reserve()
    this.context.assign(PDFRef.of(number), new PlainStream(`<<${entries}/Length ${bytes.length}>>`, bytes))
    return number
  }

  /**
   * The whole file: streams as they are, everything else in object streams, and a cross-reference stream (7.5).
   * pdf-lib's own writer does the same asynchronously, in ticks of fifty objects, and takes longer.
   */
  write(root: ObjectNumber, info: ObjectNumber): Uint8Array {
    const chunks: Uint8Array[] = []
    let length = 0
    const push = (chunk: Uint8Array) => {
      chunks.push(chunk)
      length += chunk.length
    }
    push(latin1('%PDF-1.7\n%\u00e2\u00e3\u00cf\u00d3\n'))
    const size = this.context.largestObjectNumber + 1
    const table = new Uint8Array((size + Math.ceil(size / OBJECTS_PER_STREAM) + 1) * ROW_BYTES)
    const place = (number: ObjectNumber, type: number, a: number, b: number) => {
      const at = number * ROW_BYTES
      table[at] = type
      table[at + 1] = a >>> 24
      table[at + 2] = a >>> 16
      table[at + 3] = a >>> 8
      table[at + 4] = a
      table[at + 5] = b >>> 8
      table[at + 6] = b
    }
    place(0, 0, 0, 65_535)
    const offsets = new Operators()
    const body = new Operators()
    let pending = 0
    let next = size
    const flush = () => {
      if (pending === 0) return
      const number = next++
      const first = offsets.size
      const data = compress(offsets.append(body.take()).take(), this.form)
      place(number, 1, length, 0)
      push(
        latin1(
          `${number} 0 obj\n<</Type/ObjStm/N ${pending}/First ${first}/Filter/FlateDecode/Length ${data.length}>>\nstream\n`,
        ),
      )
      push(data)
      push(latin1('\nendstream\nendobj\n'))
      pending = 0
    }
    for (let number = 1; number < size; number++) {
      const syntax = this.syntax[number]
      if (syntax !== undefined) {
        place(number, 2, next, pending++)
        offsets.whole(number).text(' ').whole(body.size).text(' ')
        if (typeof syntax === 'string') body.text(syntax)
        else syntax.writeObject(number, body)
        body.text('\n')
        // A long document has a million of them, and they are no longer needed.
        this.syntax[number] = undefined
        if (pending === OBJECTS_PER_STREAM) flush()
        continue
      }
      const object = this.context.lookup(PDFRef.of(number))
      if (!(object instanceof PlainStream)) continue
      place(number, 1, length, 0)
      push(latin1(`${number} 0 obj\n${object.dictionary}\nstream\n`))
      push(object.data)
      push(latin1('\nendstream\nendobj\n'))
    }
    flush()
    const identifier = hashOf(chunks).slice(0, 32)
    place(next, 1, length, 0)
    const data = compress(table.subarray(0, (next + 1) * ROW_BYTES), this.form)
    const start = length
    push(
      latin1(
        `${next} 0 obj\n<</Type/XRef/Size ${next + 1}/W[1 4 2]/Root ${root} 0 R/Info ${info} 0 R` +
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

/** Fixed by ISO 19005-2, 6.1.13: what a string of an archivable file may hold. */
export const MAX_STRING_BYTES = 32_767

/**
 * A text string object: literal where ASCII is enough, else UTF-16BE in hexadecimal (7.9.2.2). A text longer than the
 * limit of a string is cut, which only happens to descriptions and titles of over sixteen thousand characters.
 */
export function textString(text: string): string {
  if (/^[\x20-\x7e]*$/.test(text)) return literal(text.slice(0, MAX_STRING_BYTES))
  // The byte order mark takes two bytes of them.
  const units = truncateText(text, (MAX_STRING_BYTES - 2) >> 1)
  let hex = 'FEFF'
  for (let at = 0; at < units.length; at++) hex += units.charCodeAt(at).toString(16).toUpperCase().padStart(4, '0')
  return `<${hex}>`
}

/** At most this many UTF-16 units of a text, without half a character at the end. */
export function truncateText(text: string, units: number): string {
  const last = text.charCodeAt(units - 1)
  return text.slice(0, text.length > units && last >= 0xd800 && last < 0xdc00 ? units - 1 : units)
}

export function literal(text: string): string {
  return `(${text.replace(/[\\()]/g, (character) => `\\${character}`).replace(/[\r\n]/g, ' ')})`
}

/** Six letters that name a subset by its contents (9.6.4). */
export function subsetTag(contents: Uint8Array): string {
  const hash = sha256Hex(contents)
  let tag = ''
  for (let at = 0; at < 6; at++)
    tag += String.fromCharCode(65 + (Number.parseInt(hash.slice(at * 2, at * 2 + 2), 16) % 26))
  return tag
}
