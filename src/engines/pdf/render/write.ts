import { zlibSync } from 'fflate'
import { PDFContext, PDFObject, type PDFRef } from 'pdf-lib'
import { sha256Hex } from '../../../core/hash.ts'

/** An object whose syntax is already written; dictionaries made by the thousand are text from the start. */
class Verbatim extends PDFObject {
  constructor(private readonly syntax: string) {
    super()
  }

  override clone(): PDFObject {
    return this
  }

  override toString(): string {
    return this.syntax
  }

  override sizeInBytes(): number {
    return this.syntax.length
  }

  override copyBytesInto(buffer: Uint8Array, offset: number): number {
    for (let at = 0; at < this.syntax.length; at++) buffer[offset + at] = this.syntax.charCodeAt(at)
    return this.syntax.length
  }
}

/** Objects in one object stream: large enough to compress well, small enough to open a page without reading all. */
const OBJECTS_PER_STREAM = 200
/**
 * Level 6 makes a report 0.3 % smaller than level 3 and takes a tenth of the whole rendering longer. The compressor is
 * pinned by its exact version, since its output differs between versions.
 */
const LEVEL = 3

export function compress(data: Uint8Array): Uint8Array {
  return zlibSync(data, { level: LEVEL })
}

/** The file under construction: pdf-lib's context numbers and holds the objects, this writes them. */
export class PdfFile {
  readonly context = PDFContext.create()

  reserve(): PDFRef {
    return this.context.nextRef()
  }

  put(ref: PDFRef, syntax: string): void {
    this.context.assign(ref, new Verbatim(syntax))
  }

  add(syntax: string): PDFRef {
    const ref = this.reserve()
    this.put(ref, syntax)
    return ref
  }

  /** A stream with the given dictionary entries, compressed here unless it comes with a filter of its own. */
  addStream(entries: string, data: Uint8Array, compressed = false): PDFRef {
    const ref = this.reserve()
    this.putStream(ref, entries, data, compressed)
    return ref
  }

  putStream(ref: PDFRef, entries: string, data: Uint8Array, compressed = false): void {
    const bytes = compressed ? data : compress(data)
    this.context.assign(
      ref,
      new PlainStream(`<<${entries}${compressed ? '' : '/Filter/FlateDecode'}/Length ${bytes.length}>>`, bytes),
    )
  }

  /**
   * The whole file: streams as they are, everything else in object streams, and a cross-reference stream. pdf-lib's
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
    for (const [ref, object] of this.context.enumerateIndirectObjects()) {
      if (object instanceof PlainStream) {
        rows[ref.objectNumber] = [1, length, 0]
        push(latin1(`${ref.objectNumber} 0 obj\n`))
        const bytes = new Uint8Array(object.sizeInBytes())
        object.copyBytesInto(bytes, 0)
        push(bytes)
        push(latin1('\nendobj\n'))
      } else {
        pending.push([ref.objectNumber, object.toString()])
        if (pending.length >= OBJECTS_PER_STREAM) flush()
      }
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

/** `\nstream\n` and `\nendstream` around the data. */
const STREAM_KEYWORDS = 18

class PlainStream extends PDFObject {
  constructor(
    private readonly dictionary: string,
    private readonly data: Uint8Array,
  ) {
    super()
  }

  override clone(): PDFObject {
    return this
  }

  override toString(): string {
    return this.dictionary
  }

  override sizeInBytes(): number {
    return this.dictionary.length + this.data.length + STREAM_KEYWORDS
  }

  override copyBytesInto(buffer: Uint8Array, offset: number): number {
    const head = latin1(`${this.dictionary}\nstream\n`)
    buffer.set(head, offset)
    buffer.set(this.data, offset + head.length)
    buffer.set(latin1('\nendstream'), offset + head.length + this.data.length)
    return this.sizeInBytes()
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

export type { PDFRef }
