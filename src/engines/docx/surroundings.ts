/** Places of findings as the author of a template sees them. */
import type { Finding, Surroundings } from '../../core/finding.ts'
import { limits } from '../../core/limits.ts'
import { type OoxmlPackage, openPackage } from '../ooxml/package.ts'
import { childNamed, type XmlElement } from '../ooxml/xml.ts'
import { type DocumentPlace, parsePlace } from './scan/document-place.ts'
import { collectParagraphs, type Paragraph } from './scan/paragraphs.ts'
import { textualParts } from './scan/parts.ts'
import { plainSource } from './scan/scan.ts'
import { collectLeaves } from './scan/singles.ts'
import { readStyles, type Styles } from './scan/styles.ts'

/**
 * Adds to each finding about a place in the template what its author sees there. Other findings stay as they are.
 *
 * @param fragments included files, for places in them: `clause>word/document.xml#3:5`
 */
export function withSurroundings(
  template: Uint8Array,
  findings: readonly Finding[],
  fragments: ReadonlyMap<string, Uint8Array> = new Map(),
): Finding[] {
  const views = new Map<string, AuthorsView | undefined>()
  const viewOf = (slug: string) => {
    const bytes = slug === '' ? template : fragments.get(slug)
    if (!views.has(slug)) {
      const opened = bytes === undefined ? undefined : openPackage(bytes)
      views.set(slug, opened?.ok ? new AuthorsView(opened.value) : undefined)
    }
    return views.get(slug)
  }
  return findings.map((finding, index) => {
    // No more are reported, and each looks through the paragraphs before it.
    const place = index < limits.configurationIssues ? parsePlace(finding.path) : undefined
    if (place === undefined) return finding
    const [, slug = '', part = ''] = /^(?:([^>]*)>)?(.*)$/s.exec(place.part) ?? []
    const near = viewOf(slug)?.at({ ...place, part })
    return near === undefined ? finding : { ...finding, near: slug === '' ? near : { template: slug, ...near } }
  })
}

/** A template as its author sees it: parts with their text, under headings. */
class AuthorsView {
  private readonly texts = new Map<string, readonly Paragraph[]>()
  private styles: Styles | undefined

  constructor(private readonly opened: OoxmlPackage) {}

  at({ part, paragraph, position }: DocumentPlace): Surroundings | undefined {
    const paragraphs = this.paragraphsOf(part)
    const index = indexOf(paragraphs, paragraph)
    if (index < 0) return undefined
    const isBody = part === this.opened.mainPart
    const story = isBody ? undefined : storyOf(this.opened.contentType(part) ?? '')
    const heading = isBody ? this.headingBefore(paragraphs, index) : undefined
    const words = wordsAround(paragraphs, index, position)
    return {
      ...(story === undefined ? {} : { in: story }),
      ...(heading === undefined ? {} : { heading }),
      ...(words === '' ? {} : { words }),
    }
  }

  private paragraphsOf(part: string): readonly Paragraph[] {
    const known = this.texts.get(part)
    if (known !== undefined) return known
    const kind = textualParts(this.opened).find((one) => one.part === part)?.kind
    const document = kind === undefined ? undefined : this.opened.readXmlDocument(part)
    let read: readonly Paragraph[] = []
    if (document?.ok) {
      const { root, source } = plainSource(document.value)
      read = kind === 'word' ? collectParagraphs(root, source) : collectLeaves(root)
    }
    this.texts.set(part, read)
    return read
  }

  /** The text of the last heading at the paragraph or before it. */
  private headingBefore(paragraphs: readonly Paragraph[], from: number): string | undefined {
    this.styles ??= readStyles(this.opened)
    for (let index = from; index >= 0; index--) {
      const paragraph = paragraphs[index]
      if (paragraph === undefined || !isHeading(paragraph.element, this.styles)) continue
      const text = oneLine(paragraph.text)
      if (text !== '') return cut(text, 'end', limits.placeHeadingChars)
    }
    return undefined
  }
}

/** Paragraphs of runs are numbered consecutively; other texts have gaps, since blank ones are left out. */
function indexOf(paragraphs: readonly Paragraph[], number: number): number {
  if (paragraphs[number - 1]?.number === number) return number - 1
  return paragraphs.findIndex((paragraph) => paragraph.number === number)
}

/** Fixed by the format (ECMA-376 part 1, 17.3.1.20): level 9 is text of the body. */
const bodyLevel = 9

function isHeading(paragraph: XmlElement, styles: Styles): boolean {
  const properties = childNamed(paragraph, 'w:pPr')
  const own = properties && childNamed(properties, 'w:outlineLvl')?.attributes['w:val']
  const style = properties && childNamed(properties, 'w:pStyle')?.attributes['w:val']
  const level = own === undefined ? styles.paragraphs.get(style ?? '')?.outlineLevel : Number(own)
  return level !== undefined && level < bodyLevel
}

/** What a kind of part is called, by its content type. */
const stories = [
  ['header', /wordprocessingml\.header/i],
  ['footer', /wordprocessingml\.footer/i],
  ['footnotes', /wordprocessingml\.footnotes/i],
  ['endnotes', /wordprocessingml\.endnotes/i],
  ['comments', /wordprocessingml\.comments/i],
  ['document properties', /properties\+xml/i],
  ['chart', /drawingml\.chart/i],
  ['SmartArt', /drawingml\.diagram/i],
] as const

function storyOf(contentType: string): string | undefined {
  return stories.find(([, pattern]) => pattern.test(contentType))?.[0]
}

/**
 * The words before a position in a paragraph, and those after it. A paragraph with little other text is shown with the
 * paragraphs beside it.
 */
function wordsAround(paragraphs: readonly Paragraph[], index: number, position: number): string {
  const text = paragraphs[index]?.text ?? ''
  const at = Math.min(position, text.length)
  let before = oneLine(text.slice(0, at), 'start')
  let after = oneLine(text.slice(at), 'end')
  if (before.trim().length < limits.placeCharsEnough) before = `${neighbour(paragraphs, index, -1)}${before}`
  if (after.trim().length < limits.placeCharsEnough) after = `${after}${neighbour(paragraphs, index, 1)}`
  return `${cut(before, 'start', limits.placeCharsBefore)}${cut(after, 'end', limits.placeCharsAfter)}`.trim()
}

function neighbour(paragraphs: readonly Paragraph[], index: number, step: -1 | 1): string {
  for (let at = index + step; at >= 0 && at < paragraphs.length; at += step) {
    const text = oneLine(paragraphs[at]?.text ?? '')
    if (text !== '') return step < 0 ? `${text} ¶ ` : ` ¶ ${text}`
  }
  return ''
}

/** White space as single blanks, and none at the ends but the one that is kept. */
function oneLine(text: string, trimmed: 'both' | 'start' | 'end' = 'both'): string {
  const line = text.replace(/\s+/g, ' ')
  if (trimmed === 'start') return line.trimStart()
  return trimmed === 'end' ? line.trimEnd() : line.trim()
}

/** Text without what is too much at one end, cut between words where there is a blank near. */
function cut(text: string, end: 'start' | 'end', maxChars: number): string {
  if (text.length <= maxChars) return text
  if (end === 'end') {
    const kept = text.slice(0, maxChars)
    const blank = kept.lastIndexOf(' ')
    return `${kept.slice(0, blank > maxChars / 2 ? blank : maxChars).toWellFormed()}…`
  }
  const kept = text.slice(-maxChars)
  const blank = kept.indexOf(' ')
  return `…${kept.slice(blank >= 0 && blank < maxChars / 2 ? blank + 1 : 0).toWellFormed()}`
}
