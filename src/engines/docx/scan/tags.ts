import type { Finding } from '../../../core/finding.ts'
import { limits } from '../../../core/limits.ts'
import { formatDate } from '../../../core/locale/date.ts'
import { formatNumber } from '../../../core/locale/number.ts'
import { sampleDates, sampleNumbers } from '../../../core/locale/samples.ts'
import type { Reading } from '../../../core/reading.ts'
import { CommentReader, opensComment } from './comments.ts'
import { findFirstClose, parseFirstTag } from './first-reading.ts'
import { type Chain, type Paragraph, pieceAt, placeOf } from './paragraphs.ts'
import { parseTag } from './parse-tag.ts'
import { opensQuote, quotedAt } from './quotes.ts'
import type { Filter, TagResult, TagSyntax } from './syntax.ts'

/** A tag and where it is. */
export interface LocatedTag<Syntax extends TagSyntax = TagSyntax> {
  syntax: Syntax
  /** The whole tag as it reads in the document, braces included. */
  raw: string
  paragraph: Paragraph
  from: number
  to: number
}

/** Tags that begin, divide or end a block. */
export type BlockTag = LocatedTag<
  Extract<
    TagSyntax,
    { kind: 'each' | 'with' | 'keep' | 'if' | 'elseif' | 'else' | 'end' | 'commentbegin' | 'commentend' }
  >
>
/** Tags that change a table's cells. */
export type TableTag = LocatedTag<Extract<TagSyntax, { kind: 'shade' | 'merge' }>>
/** Tags that divide one. */
export type DividingTag = LocatedTag<Extract<TagSyntax, { kind: 'elseif' | 'else' }>>
/** Tags that begin one. */
export type OpeningTag = LocatedTag<Extract<TagSyntax, { kind: 'each' | 'with' | 'keep' | 'if' | 'commentbegin' }>>

export function isBlockTag(tag: LocatedTag): tag is BlockTag {
  const { kind } = tag.syntax
  return isOpeningTag(tag) || isDividingTag(tag) || kind === 'end' || kind === 'commentend'
}

export function isDividingTag(tag: LocatedTag): tag is DividingTag {
  return tag.syntax.kind === 'else' || tag.syntax.kind === 'elseif'
}

export function isOpeningTag(tag: LocatedTag): tag is OpeningTag {
  const { kind } = tag.syntax
  return kind === 'each' || kind === 'with' || kind === 'keep' || kind === 'if' || kind === 'commentbegin'
}

export function isComment({ syntax: { kind } }: LocatedTag): boolean {
  return kind === 'comment' || kind === 'commentbegin' || kind === 'commentend'
}

/** Tags that leave nothing in their place. */
export function isSilentTag(tag: LocatedTag): boolean {
  return isBlockTag(tag) || tag.syntax.kind === 'comment'
}

/** Tags that change the cell around them, and leave nothing either. */
export function isTableTag(tag: LocatedTag): tag is TableTag {
  return tag.syntax.kind === 'shade' || tag.syntax.kind === 'merge'
}

/** Ancestors of the start of a tag, innermost first: text, run, paragraph, …, root of the part. */
export function chainOf({ paragraph, from }: LocatedTag): Chain {
  const chain = paragraph.pieces[pieceAt(paragraph, from)]?.chain ?? [paragraph.element]
  return [...chain, ...paragraph.ancestors]
}

/** Paragraphs of one part, and the tags in them, in document order. */
export interface TaggedText {
  part: string
  paragraphs: Paragraph[]
  tags: LocatedTag[]
  /** Stretches of the source that comments hold, where these are known. */
  comments?: readonly SourceRange[]
}

/** Source offsets. */
export interface SourceRange {
  start: number
  end: number
}

/** How tags are told from text and read. */
interface TagReader {
  parse(inner: string): TagResult
  /** Where the `}}` is that ends a tag whose inside begins at `from`; negative without one. */
  findClose(text: string, from: number): number
}

function readerOf(reading: Reading): TagReader {
  if (reading === 1) return { parse: parseFirstTag, findClose: findFirstClose }
  return { parse: (inner) => parseTag(inner, reading), findClose }
}

/** Reads the tags of the paragraphs. A brace pair that isn't a tag becomes a finding, never text of the document. */
export function scanTags(part: string, paragraphs: Paragraph[], findings: Finding[], reading: Reading): TaggedText {
  const text: TaggedText = { part, paragraphs, tags: [] }
  const scanner = new ParagraphScanner(text, findings, reading)
  for (const paragraph of paragraphs) {
    scanner.scan(paragraph)
    if (text.tags.length > limits.templateTags) break
  }
  scanner.end()
  return text
}

class ParagraphScanner {
  /** The comment that earlier paragraphs have begun, with the tag it begins with. */
  private comment: { reader: CommentReader; tag: LocatedTag } | undefined

  constructor(
    private readonly text: TaggedText,
    private readonly findings: Finding[],
    private readonly reading: Reading,
  ) {}

  scan(paragraph: Paragraph): void {
    const from = this.comment === undefined ? 0 : this.skipComment(paragraph, this.comment.reader)
    if (from === undefined || (paragraph.isPlain && from === 0)) return
    if (paragraph.text.includes('{{', from)) this.scanFrom(paragraph, from)
  }

  /** The offset after the open comment; undefined if it doesn't end in the paragraph. */
  private skipComment(paragraph: Paragraph, reader: CommentReader): number | undefined {
    const { text } = paragraph
    const to = text.includes('}}') || text.includes('{{') ? reader.read(text, 0) : undefined
    if (to === undefined) return undefined
    this.comment = undefined
    this.text.tags.push({ syntax: { kind: 'commentend' }, raw: text.slice(0, to), paragraph, from: 0, to })
    return to
  }

  private readComment(paragraph: Paragraph, from: number): number | undefined {
    const { text } = paragraph
    const reader = new CommentReader(text, from)
    const end = reader.read(text, from + 2)
    const to = end ?? text.length
    const kind = end === undefined ? 'commentbegin' : 'comment'
    const tag: LocatedTag = { syntax: { kind }, raw: text.slice(from, to), paragraph, from, to }
    this.text.tags.push(tag)
    if (end === undefined) this.comment = { reader, tag }
    return end
  }

  /** Reports a comment that nothing closes. */
  end(): void {
    if (this.comment === undefined) return
    const { raw, paragraph, from } = this.comment.tag
    this.findings.push({
      code: 'docx.unclosed_tag',
      severity: 'error',
      message: `The comment ${raw.slice(0, 40).toWellFormed()} is never closed.`,
      hint: 'Close it with }}. Braces in it go in pairs; write {{!-- … --}} around others.',
      path: placeOf(this.text.part, paragraph, from),
    })
  }

  private scanFrom(paragraph: Paragraph, start: number): void {
    const { findings, reading } = this
    const { part, tags } = this.text
    const { text } = paragraph
    const reader = readerOf(reading)
    const report = (from: number, { code, message, hint }: Remark) =>
      findings.push({ severity: 'error', path: placeOf(part, paragraph, from), code, message, hint })
    for (let from = text.indexOf('{{', start); from >= 0; ) {
      if (reading !== 1 && opensComment(text, from)) {
        const end = this.readComment(paragraph, from)
        if (end === undefined) return
        from = text.indexOf('{{', end)
        continue
      }
      const close = reader.findClose(text, from + 2)
      if (close < 0) {
        const message = `The tag ${text.slice(from, from + 40)} is not closed in its paragraph.`
        report(from, { code: 'docx.unclosed_tag', message, hint: 'Close it with }} in the same paragraph.' })
        return
      }
      const to = close + 2
      const raw = text.slice(from, to)
      const inner = text.slice(from + 2, close)
      const parsed = reader.parse(inner)
      if (!parsed.ok) report(from, parsed)
      const syntax = parsed.ok ? parsed.tag : standIn(inner)
      if (syntax !== undefined) tags.push({ syntax, raw, paragraph, from, to })
      if (reading < 6 && parsed.ok && !isReadAlike(raw, parsed)) {
        findings.push({ ...remarkEarlier(raw), severity: 'warning', path: placeOf(part, paragraph, from) })
      }
      if (tags.length > limits.templateTags) return
      from = text.indexOf('{{', to)
    }
  }
}

const loopWords: ReadonlySet<string> = new Set(['#each', '#for', '#foreach', '#repeat', '#loop', '#list', '#while'])

/** What a refused tag would open or close: the tags that go with it are not wrong for its sake. */
function standIn(inner: string): TagSyntax | undefined {
  const word = `#${/^\s*#\s*([a-z]+)/i.exec(inner)?.[1]?.toLowerCase() ?? ''}`
  if (word.startsWith('#end')) return { kind: 'end' }
  if (word === '#keep') return { kind: 'keep' }
  if (word === '#if' || word === '#unless' || word === '#with') {
    return { kind: 'if', condition: { kind: 'truth', value: { kind: 'literal', value: true } } }
  }
  if (!loopWords.has(word)) return undefined
  return { kind: 'each', value: { kind: 'absolute', tokens: [] }, restarts: false }
}

type Remark = Pick<Finding, 'code' | 'message'> & { hint: string }

/** Whether today's rules find the same in a tag of an earlier version. */
function isReadAlike(raw: string, earlier: TagResult): boolean {
  const inner = raw.slice(2, -2)
  if (findClose(raw, 2) !== inner.length + 2) return false
  const told = (result: TagResult) =>
    JSON.stringify(result, (key, value) => {
      if (key === 'filters') return value.map(writtenBy)
      return key === 'plain' ? undefined : value
    })
  return told(parseTag(inner)) === told(earlier)
}

/** A format with sample output for its locale: locales that write the same count as equal. */
function writtenBy(filter: Filter): object {
  if (filter.name === 'number') {
    const { pattern, locale } = filter
    return { ...filter, locale: sampleNumbers.map((number) => formatNumber(number, pattern, locale)) }
  }
  if (filter.name !== 'date') return filter
  const { pattern, locale } = filter
  return { ...filter, locale: sampleDates.map((date) => formatDate(date, pattern, locale)) }
}

/** The warning about a tag that today's rules refuse, or take for something else. */
export const earlierReading = 'docx.earlier_reading'

export const earlierHint = 'Upload the file as a new version, and mend what its findings say.'

function remarkEarlier(raw: string): Remark {
  const shown = raw.length <= 80 ? raw : `${raw.slice(0, 80).toWellFormed()}…`
  return {
    code: earlierReading,
    message: `${shown} is read by the rules under which this version was frozen; today it is refused or means something else.`,
    hint: earlierHint,
  }
}

/** Brace pairs that a tag may hold in quotes; a tag with more ends at the first. */
const closesTried = 8

/** The `}}` that ends the tag: the first outside of quotes, or else the very first. */
function findClose(text: string, from: number): number {
  const first = text.indexOf('}}', from)
  let close = first
  for (let tried = 0; close >= 0 && tried < closesTried; tried++) {
    const found = quotesOf(text.slice(from, close))
    if (found === 'whole') return close
    if (found === 'braces') return -1
    close = text.indexOf('}}', close + 1)
  }
  return first
}

/** Whether all quotes are closed, and no tag begins outside of them. */
function quotesOf(inner: string): 'whole' | 'open' | 'braces' {
  if (!/["'“”„‟«»‘’‚‛‹›{]/.test(inner)) return 'whole'
  for (let at = 0; at < inner.length; at++) {
    if (inner.startsWith('{{', at)) return 'braces'
    if (!opensQuote(inner, at)) continue
    const quoted = quotedAt(inner, at)
    if (quoted === undefined) return 'open'
    at = quoted.end - 1
  }
  return 'whole'
}
