import type { Finding } from '../../../core/finding.ts'
import { limits } from '../../../core/limits.ts'
import { type Chain, type Paragraph, pieceAt, placeOf } from './paragraphs.ts'
import { parseTag, type TagSyntax } from './syntax.ts'

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
export type BlockTag = LocatedTag<Extract<TagSyntax, { kind: 'each' | 'if' | 'else' | 'end' }>>
/** Tags that begin one. */
export type OpeningTag = LocatedTag<Extract<TagSyntax, { kind: 'each' | 'if' }>>

export function isBlockTag(tag: LocatedTag): tag is BlockTag {
  const { kind } = tag.syntax
  return kind === 'each' || kind === 'if' || kind === 'else' || kind === 'end'
}

export function isOpeningTag(tag: LocatedTag): tag is OpeningTag {
  return tag.syntax.kind === 'each' || tag.syntax.kind === 'if'
}

/** Ancestors of the place where a tag begins, innermost first: text, run, paragraph, …, root of the part. */
export function chainOf({ paragraph, from }: LocatedTag): Chain {
  const chain = paragraph.pieces[pieceAt(paragraph, from)]?.chain ?? [paragraph.element]
  return [...chain, ...paragraph.ancestors]
}

/** Paragraphs of one part, and the tags in them, in document order. */
export interface TaggedText {
  part: string
  paragraphs: Paragraph[]
  tags: LocatedTag[]
}

/** Reads the tags of the paragraphs. A brace pair that is no tag becomes a finding, never text of the document. */
export function scanTags(part: string, paragraphs: Paragraph[], findings: Finding[]): TaggedText {
  const tags: LocatedTag[] = []
  for (const paragraph of paragraphs) {
    if (paragraph.isPlain) continue
    if (paragraph.text.includes('{{')) scanParagraph(part, paragraph, tags, findings)
    if (tags.length > limits.templateTags) break
  }
  return { part, paragraphs, tags }
}

function scanParagraph(part: string, paragraph: Paragraph, tags: LocatedTag[], findings: Finding[]): void {
  const { text } = paragraph
  const report = (from: number, code: string, message: string, hint: string) =>
    findings.push({ severity: 'error', path: placeOf(part, paragraph, from), code, message, hint })
  for (let from = text.indexOf('{{'); from >= 0; ) {
    const close = findClose(text, from + 2)
    if (close < 0) {
      const message = `The tag ${text.slice(from, from + 40)} is not closed in its paragraph.`
      report(from, 'docx.unclosed_tag', message, 'Close it with }} in the same paragraph.')
      return
    }
    const to = close + 2
    const parsed = parseTag(text.slice(from + 2, close))
    if (parsed.ok) tags.push({ syntax: parsed.tag, raw: text.slice(from, to), paragraph, from, to })
    else report(from, parsed.code, parsed.message, parsed.hint)
    if (tags.length > limits.templateTags) return
    from = text.indexOf('{{', to)
  }
}

/** The `}}` that ends the tag. One inside quotes doesn't count, unless the quote is never closed. */
function findClose(text: string, from: number): number {
  let quote = ''
  for (let at = from; at < text.length; at++) {
    const character = text.charAt(at)
    if (quote !== '') {
      if (quote.includes(character)) quote = ''
    } else if (character === '"') quote = '"“”'
    else if (character === '“' || character === '„') quote = '”“"'
    else if (character === '}' && text[at + 1] === '}') return at
    else if (character === '{' && text[at + 1] === '{') return -1
  }
  return text.indexOf('}}', from)
}
