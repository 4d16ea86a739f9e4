/** The tags of another template language in a DOCX, and replacing them. */
import { readZip } from '../../src/engines/ooxml/zip.ts'
import { writeZip, type ZipOutput } from '../../src/engines/ooxml/zip-writer.ts'

/** A tag between its marks, in the order of the document. */
export interface ForeignTag {
  part: string
  inner: string
  raw: string
}

/** A piece of a paragraph's text, and the position of its XML; breaks and tabs can't be replaced. */
interface Piece {
  start: number
  end: number
  text: string
  isText: boolean
  /** Text of a property, without an element of Word's around it. */
  isBare?: true
}

interface Located extends ForeignTag {
  pieces: readonly Piece[]
  /** Offset in the paragraph's text. */
  from: number
  to: number
}

const decoder = new TextDecoder()
const encoder = new TextEncoder()

/** Parts in which templates have tags. */
const partName = /^(?:word\/(?:document|header\d*|footer\d*|footnotes|endnotes)|docProps\/core)\.xml$/

/** A DOCX's parts with text, by name; undefined if it can't be opened. */
export function partsOf(bytes: Uint8Array): Map<string, string> | undefined {
  const zip = readZip(bytes)
  if (!zip.ok) return undefined
  const parts = new Map<string, string>()
  for (const name of zip.value.names.filter((one) => partName.test(one)).sort()) {
    const read = zip.value.read(name)
    if (read.ok) parts.set(name, decoder.decode(read.value))
  }
  return parts
}

/** The pieces of each paragraph; those of text boxes are separate from the paragraph around them. */
function paragraphsOf(xml: string): Piece[][] {
  if (/<(?:\w+:)?coreProperties[ >]/.test(xml)) {
    return [...xml.matchAll(/>([^<>]+)</g)].map(({ index, 1: text = '' }): Piece[] => [
      { start: index + 1, end: index + 1 + text.length, text: decoded(text), isText: true, isBare: true },
    ])
  }
  const paragraphs: Piece[][] = []
  const open: Piece[][] = []
  const token = /<w:p(?:\s[^>]*)?(\/)?>|<\/w:p>|<w:t(?:\s[^>]*)?>([^<]*)<\/w:t>|<w:(?:tab|br|cr)(?:\s[^>]*)?\/>/g
  for (const match of xml.matchAll(token)) {
    const [raw, isEmpty, text] = match
    if (raw.startsWith('<w:p') && !raw.startsWith('<w:pP')) {
      if (isEmpty !== undefined) continue
      const pieces: Piece[] = []
      paragraphs.push(pieces)
      open.push(pieces)
    } else if (raw === '</w:p>') open.pop()
    else {
      const piece = { start: match.index, end: match.index + raw.length }
      open.at(-1)?.push({ ...piece, text: text === undefined ? '\n' : decoded(text), isText: text !== undefined })
    }
  }
  return paragraphs
}

/** The text of each non-empty paragraph, of all parts. */
export function linesOf(bytes: Uint8Array): string[] {
  const parts = partsOf(bytes) ?? new Map()
  return [...parts.values()].flatMap((xml: string) =>
    paragraphsOf(xml)
      .map(lineOf)
      .filter((line) => line !== ''),
  )
}

function lineOf(pieces: readonly Piece[]): string {
  return textOf(pieces).replace(/\s+/g, ' ').trim()
}

function textOf(pieces: readonly Piece[]): string {
  return pieces.map(({ text }) => text).join('')
}

/** @param tag finds tags in a paragraph's text; the first group that matches is the text between the delimiters */
export function tagsOf(parts: ReadonlyMap<string, string>, tag: RegExp): Located[] {
  return [...parts].flatMap(([part, xml]) =>
    paragraphsOf(xml).flatMap((pieces) =>
      [...textOf(pieces).matchAll(tag)].map((match) => ({
        ...{ part, pieces, raw: match[0], inner: match.slice(1).find((group) => group !== undefined) ?? '' },
        ...{ from: match.index, to: match.index + match[0].length },
      })),
    ),
  )
}

/**
 * The DOCX with the texts of whole paragraphs replaced; `lines` are in document order.
 * @throws Error for a line that isn't a paragraph
 */
export function withLines(bytes: Uint8Array, lines: readonly (readonly [old: string, young: string])[]): Uint8Array {
  const rest = [...lines]
  const whole: Located[] = []
  const texts: string[] = []
  for (const [part, xml] of partsOf(bytes) ?? []) {
    for (const pieces of paragraphsOf(xml)) {
      const raw = textOf(pieces)
      if (rest.length === 0 || lineOf(pieces) !== rest[0]?.[0]) continue
      whole.push({ part, inner: raw, raw, pieces, from: 0, to: raw.length })
      texts.push(rest.shift()?.[1] ?? '')
    }
  }
  if (rest.length > 0) throw new Error(`no paragraph has “${rest[0]?.[0]}”`)
  return withTags(bytes, whole, texts)
}

/** The DOCX with its tags replaced by `texts`, in order. */
export function withTags(bytes: Uint8Array, tags: readonly Located[], texts: readonly string[]): Uint8Array {
  const zip = readZip(bytes)
  if (!zip.ok) throw new Error('it cannot be opened')
  const written = new Map<Piece, string>()
  // Backwards, so that earlier positions stay valid.
  for (const [index, { pieces, from, to }] of [...tags.entries()].reverse()) {
    let at = 0
    let isFirst = true
    for (const piece of pieces) {
      const [start, end] = [Math.max(from - at, 0), Math.min(to - at, piece.text.length)]
      at += piece.text.length
      if (start >= end || !piece.isText) continue
      const text = written.get(piece) ?? piece.text
      written.set(piece, text.slice(0, start) + (isFirst ? texts[index] : '') + text.slice(end))
      isFirst = false
    }
  }
  const byPart = Map.groupBy(tags, ({ part }) => part)
  const outputs = zip.value.names.flatMap((name): ZipOutput[] => {
    const own = byPart.get(name)
    const entry = zip.value.entry(name)
    if (own === undefined) return entry === undefined ? [] : [entry]
    const read = zip.value.read(name)
    if (!read.ok) return []
    return [{ name, data: encoder.encode(replaced(decoder.decode(read.value), own, written)) }]
  })
  return writeZip(outputs)
}

function replaced(xml: string, tags: readonly Located[], written: ReadonlyMap<Piece, string>): string {
  const pieces = [...new Set(tags.flatMap((tag) => tag.pieces))].filter((piece) => written.has(piece))
  let text = ''
  let at = 0
  for (const piece of pieces.sort((a, b) => a.start - b.start)) {
    const own = encoded(written.get(piece) ?? '')
    text += xml.slice(at, piece.start) + (piece.isBare ? own : `<w:t xml:space="preserve">${own}</w:t>`)
    at = piece.end
  }
  return text + xml.slice(at)
}

function decoded(text: string): string {
  return text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&apos;', "'")
    .replaceAll('&amp;', '&')
}

function encoded(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
