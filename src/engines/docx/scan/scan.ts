import type { Finding } from '../../../core/finding.ts'
import { limits } from '../../../core/limits.ts'
import type { XmlElement, XmlText } from '../../ooxml/xml.ts'
import type { RichPlace } from '../compose/rich/write.ts'
import { parseTag, type TagSyntax } from './tags.ts'

/** How a value is written where its tag stands. */
export type Form =
  /** Inside of `w:t`; `prefix` is what the part writes before WordprocessingML names (`w:`). */
  | { kind: 'run'; prefix: string }
  /** In an element that only holds text. */
  | { kind: 'plain' }
  | { kind: 'attribute' }
  /** In the `r:embed` of a picture that stands as a placeholder: the id of the relationship to the new one. */
  | { kind: 'embed' }
  /** In the address of a link; `isWhole` when the address begins with it and so is no mere parameter. */
  | { kind: 'address'; isWhole: boolean }
  /** The same in the code of a HYPERLINK field; `after` is what the code says behind it. */
  | { kind: 'field'; isWhole: boolean; after: string }
  /** Rich text: `close` and `open` end and resume the run around it, where it stands in a line. */
  | { kind: 'rich'; place: RichPlace; close: string; open: string }

/** A stretch of a paragraph's text and the source it stands in. */
export interface Piece {
  /** Position in the paragraph's text, in UTF-16 code units. */
  from: number
  text: string
  /** Present for character data; absent for a tab or a line break, which count as one character. */
  node?: XmlText
  /** The `w:t` (or the break itself), and its ancestors up to the paragraph, which is last. */
  chain: XmlElement[]
}

/**
 * The smallest unit that tags live in: a Word paragraph with the text of all its runs, or an element or attribute that
 * only holds text (`form` tells). Text boxes inside of a paragraph are paragraphs of their own.
 */
export interface Paragraph {
  form: Form
  element: XmlElement
  /** 1-based, in document order over the part. */
  number: number
  pieces: Piece[]
  text: string
  /** Ancestors of the paragraph, innermost first. */
  ancestors: XmlElement[]
  /** Text positions of things that are seen but are not text: pictures, fields, page breaks. */
  objects: number[]
  /** Whether its source holds nothing that could be a tag. */
  isPlain?: boolean
}

export interface LocatedTag {
  syntax: TagSyntax
  /** The whole tag as it reads in the document, braces included. */
  raw: string
  paragraph: Paragraph
  from: number
  to: number
}

export interface ScannedPart {
  part: string
  paragraphs: Paragraph[]
  tags: LocatedTag[]
}

/** Elements that hold a run's text, or stand for a character of it. */
const characterElements: Record<string, string> = { 'w:tab': '\t', 'w:br': '\n', 'w:cr': '\n', 'w:noBreakHyphen': '-' }

/** Children of a run that show nothing by themselves. */
const invisibleRunChildren = new Set([
  'w:rPr',
  'w:lastRenderedPageBreak',
  'w:softHyphen',
  'w:annotationRef',
  'w:footnoteRef',
  'w:endnoteRef',
  'w:separator',
  'w:continuationSeparator',
  'w:delText',
  'w:delInstrText',
])

/** Content inside these is gone or never shown; a tag in it is none. */
const skippedContainers = new Set(['w:del', 'w:moveFrom', 'w:pPr', 'w:rPr', 'w:sdtPr', 'w:sectPr', 'w:tblPr', 'w:trPr'])

/** Finds every paragraph of a WordprocessingML part with the text of its runs, in document order. */
export function collectParagraphs(root: XmlElement, source: string): Paragraph[] {
  const collector = new ParagraphCollector(source)
  collector.walk(root, [])
  return collector.found
}

/** Tells which elements hold nothing that could be a tag; has to be asked in the order of the source. */
export class TagSearch {
  /** Offsets of the next brace, and of the next reference that could stand for one. */
  private nextBrace = -1
  private nextReference = -1

  constructor(private readonly source: string) {}

  /** Each search goes on where the last one ended. */
  mayHoldTags(element: XmlElement): boolean {
    if (this.nextBrace < element.start) this.nextBrace = this.find('{', element.start)
    if (this.nextReference < element.start) this.nextReference = this.find('&#', element.start)
    return this.nextBrace < element.end || this.nextReference < element.end
  }

  private find(text: string, from: number): number {
    const at = this.source.indexOf(text, from)
    return at < 0 ? this.source.length : at
  }
}

/** The last paragraph that begins before an offset; all of them come in the order of the source. */
export function paragraphBefore(paragraphs: readonly Paragraph[], offset: number): Paragraph | undefined {
  let low = 0
  let high = paragraphs.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (paragraphs[middle]!.element.start <= offset) low = middle + 1
    else high = middle
  }
  return paragraphs[low - 1]
}

class ParagraphCollector {
  readonly found: RunParagraph[] = []
  private readonly forms = new Map<string, Form>()
  private readonly search: TagSearch

  constructor(source: string) {
    this.search = new TagSearch(source)
  }

  walk(element: XmlElement, ancestors: XmlElement[]): void {
    if (element.name === 'w:p') {
      this.add(element, ancestors)
      this.walkNested(element, [element], ancestors)
      return
    }
    if (skippedContainers.has(element.name)) return
    const chain = [element, ...ancestors]
    for (const child of element.children) if (child.kind === 'element') this.walk(child, chain)
  }

  /** Text boxes inside of a paragraph; `path` leads to `element`, innermost last. */
  private walkNested(element: XmlElement, path: XmlElement[], ancestors: XmlElement[]): void {
    for (const child of element.children) {
      if (child.kind === 'text' || child.children.length === 0 || skippedContainers.has(child.name)) continue
      if (child.name === 'w:p') this.walk(child, [...path.toReversed(), ...ancestors])
      else {
        path.push(child)
        this.walkNested(child, path, ancestors)
        path.pop()
      }
    }
  }

  private add(element: XmlElement, ancestors: XmlElement[]): void {
    const prefix = element.written.slice(0, -1)
    let form = this.forms.get(prefix)
    if (form === undefined) {
      form = { kind: 'run', prefix }
      this.forms.set(prefix, form)
    }
    const isPlain = !this.search.mayHoldTags(element)
    this.found.push(new RunParagraph(element, this.found.length + 1, ancestors, form, isPlain))
  }
}

interface Content {
  pieces: Piece[]
  text: string
  objects: number[]
}

/** A paragraph of runs. Its text is put together when it is asked for: in a long document few are looked at. */
class RunParagraph implements Paragraph {
  private content: Content | undefined

  constructor(
    readonly element: XmlElement,
    readonly number: number,
    readonly ancestors: XmlElement[],
    readonly form: Form,
    readonly isPlain: boolean,
  ) {}

  get pieces(): Piece[] {
    return this.read().pieces
  }

  get text(): string {
    return this.read().text
  }

  get objects(): number[] {
    return this.read().objects
  }

  private read(): Content {
    if (this.content === undefined) {
      this.content = { pieces: [], text: '', objects: [] }
      walkInline(this.element, [this.element], this.content)
    }
    return this.content
  }
}

/** `chain` is innermost first and ends with the paragraph. */
function walkInline(element: XmlElement, chain: XmlElement[], content: Content): void {
  for (const child of element.children) {
    if (child.kind === 'text' || skippedContainers.has(child.name)) continue
    if (child.name === 'm:oMath' || child.name === 'm:oMathPara') content.objects.push(content.text.length)
    else if (child.name === 'w:t') addText(child, [child, ...chain], content)
    else if (element.name !== 'w:r') walkInline(child, [child, ...chain], content)
    else readRunChild(child, chain, content)
  }
}

function readRunChild(child: XmlElement, chain: XmlElement[], content: Content): void {
  const character = characterElements[child.name]
  if (character !== undefined && (child.name !== 'w:br' || isLineBreak(child))) {
    content.pieces.push({ from: content.text.length, text: character, chain: [child, ...chain] })
    content.text += character
  } else if (!invisibleRunChildren.has(child.name)) content.objects.push(content.text.length)
}

function isLineBreak(element: XmlElement): boolean {
  const type = element.attributes['w:type']
  return type === undefined || type === 'textWrapping'
}

function addText(element: XmlElement, chain: XmlElement[], paragraph: Content): void {
  for (const node of element.children) {
    if (node.kind !== 'text') continue
    paragraph.pieces.push({ from: paragraph.text.length, text: node.text, node, chain })
    paragraph.text += node.text
  }
}

/** Formulas (ECMA-376 part 1, 22.1.2.77) with the text of their runs, each as a paragraph of its own. */
export function collectFormulas(root: XmlElement, source: string, paragraphs: Paragraph[]): Paragraph[] {
  const found: Paragraph[] = []
  const search = new TagSearch(source)
  const path: XmlElement[] = []
  const walk = (element: XmlElement) => {
    if (skippedContainers.has(element.name) || !search.mayHoldTags(element)) return
    if (element.name === 'm:oMath') {
      const number = paragraphBefore(paragraphs, element.start)?.number ?? 1
      const formula = runsOf(element, number, path.toReversed(), 'm:t')
      if (formula.text.includes('{{')) found.push(formula)
      return
    }
    path.push(element)
    for (const child of element.children) if (child.kind === 'element') walk(child)
    path.pop()
  }
  walk(root)
  return found
}

/** All text of an element's runs in one paragraph, so that a tag may be split over them. */
function runsOf(element: XmlElement, number: number, ancestors: XmlElement[], textName: string): Paragraph {
  const paragraph: Paragraph = {
    form: { kind: 'plain' },
    element,
    number,
    pieces: [],
    text: '',
    ancestors,
    objects: [],
  }
  const walk = (current: XmlElement, chain: XmlElement[]) => {
    for (const child of current.children) {
      if (child.kind === 'text') continue
      if (child.name === textName) addText(child, [child, ...chain], paragraph)
      else walk(child, [child, ...chain])
    }
  }
  walk(element, [element])
  return paragraph
}

/**
 * Every element of the tree that directly holds text with a brace pair (document properties, labels of charts), and
 * paragraphs of DrawingML with the text of all their runs.
 */
export function collectLeaves(root: XmlElement): Paragraph[] {
  const leaves: Paragraph[] = []
  let number = 0
  const walk = (element: XmlElement) => {
    if (element.name === 'a:p') {
      const paragraph = runsOf(element, number + 1, [], 'a:t')
      if (paragraph.text.trim() !== '') {
        number++
        leaves.push(paragraph)
      }
      return
    }
    const pieces: Piece[] = []
    let text = ''
    for (const child of element.children) {
      if (child.kind === 'element') continue
      pieces.push({ from: text.length, text: child.text, node: child, chain: [element] })
      text += child.text
    }
    if (text.trim() !== '') {
      number++
      leaves.push({ form: { kind: 'plain' }, element, number, pieces, text, ancestors: [], objects: [] })
    }
    for (const child of element.children) if (child.kind === 'element') walk(child)
  }
  walk(root)
  return leaves
}

/** Attributes whose text a reader sees or hears, by element. */
const textAttributes: Record<string, readonly string[]> = {
  'wp:docPr': ['descr', 'title'],
  'pic:cNvPr': ['descr', 'title'],
  'v:shape': ['alt', 'title'],
  'v:imagedata': ['o:title'],
  'w:tblCaption': ['w:val'],
  'w:tblDescription': ['w:val'],
}

/** Alternative texts and the like that hold a brace pair, each as a paragraph of its own. */
export function collectAttributes(root: XmlElement, source: string, paragraphs: Paragraph[]): Paragraph[] {
  const found: Paragraph[] = []
  const search = new TagSearch(source)
  const path: XmlElement[] = []
  const walk = (element: XmlElement) => {
    if (!search.mayHoldTags(element)) return
    for (const name of textAttributes[element.name] ?? []) {
      const text = element.attributes[name]
      const span = text?.includes('{{') ? attributeSpan(element, name, source) : undefined
      if (text === undefined || span === undefined) continue
      const number = paragraphBefore(paragraphs, element.start)?.number ?? 1
      const node: XmlText = { kind: 'text', text, ...span }
      const pieces = [{ from: 0, text, node, chain: [element] }]
      found.push({
        form: { kind: 'attribute' },
        element,
        number,
        pieces,
        text,
        ancestors: path.toReversed(),
        objects: [],
      })
    }
    path.push(element)
    for (const child of element.children) if (child.kind === 'element') walk(child)
    path.pop()
  }
  walk(root)
  return found
}

const attributePatterns = new Map<string, RegExp>()

/** Source offsets of an attribute's value, quotes excluded. */
export function attributeSpan(
  element: XmlElement,
  name: string,
  source: string,
): { start: number; end: number } | undefined {
  const written = element.writtenAttributes?.[name] ?? name
  const tag = source.slice(element.start, element.openEnd)
  let pattern = attributePatterns.get(written)
  if (pattern === undefined) {
    pattern = new RegExp(`\\s${written.replace(/[^\w:-]/g, '\\$&')}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`)
    // A hostile file could bring a name of its own for every element.
    if (attributePatterns.size < 256) attributePatterns.set(written, pattern)
  }
  const match = pattern.exec(tag)
  if (match === null) return undefined
  const end = element.start + match.index + match[0].length - 1
  return { start: end - (match[1] ?? match[2]!).length, end }
}

/** Reads the tags of the paragraphs; a brace pair that is no tag becomes a finding, never text of the document. */
export function scanTags(part: string, paragraphs: Paragraph[], findings: Finding[]): ScannedPart {
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
  for (let from = text.indexOf('{{'); from >= 0; ) {
    const close = findClose(text, from + 2)
    if (close < 0) {
      const shown = text.slice(from, from + 40)
      findings.push({
        ...at(part, paragraph, from),
        code: 'docx.unclosed_tag',
        message: `The tag ${shown} is not closed in its paragraph.`,
        hint: 'Close it with }} in the same paragraph.',
      })
      return
    }
    const to = close + 2
    const parsed = parseTag(text.slice(from + 2, close))
    if (parsed.ok) tags.push({ syntax: parsed.tag, raw: text.slice(from, to), paragraph, from, to })
    else {
      const { code, message, hint } = parsed
      findings.push({ ...at(part, paragraph, from), code, message, hint })
    }
    if (tags.length > limits.templateTags) return
    from = text.indexOf('{{', to)
  }
}

/** The `}}` that ends the tag; one inside of quotes does not, unless the quote itself is never closed. */
function findClose(text: string, from: number): number {
  let quote = ''
  for (let at = from; at < text.length; at++) {
    const character = text[at]!
    if (quote !== '') {
      if (quote.includes(character)) quote = ''
    } else if (character === '"') quote = '"“”'
    else if (character === '“' || character === '„') quote = '”“"'
    else if (character === '}' && text[at + 1] === '}') return at
    else if (character === '{' && text[at + 1] === '{') return -1
  }
  return text.indexOf('}}', from)
}

/** The place of a finding: `word/document.xml#12:5` is character 5 (from 0) of the 12th paragraph. */
export function placeOf(part: string, paragraph: Paragraph, position: number): string {
  return `${part}#${paragraph.number}:${position}`
}

function at(part: string, paragraph: Paragraph, position: number): { severity: 'error'; path: string } {
  return { severity: 'error', path: placeOf(part, paragraph, position) }
}

/** Index of the piece that holds a character of the paragraph's text. */
export function pieceAt(paragraph: Paragraph, position: number): number {
  const { pieces } = paragraph
  let low = 0
  let high = pieces.length - 1
  while (low < high) {
    const middle = (low + high) >> 1
    const { from, text } = pieces[middle]!
    if (position < from + text.length) high = middle
    else low = middle + 1
  }
  return low
}

/** Source offset of a character of a text node whose references (`&gt;`) may make the source longer than the text. */
export function sourceOffset(node: XmlText, index: number, source: string): number {
  if (node.end - node.start === node.text.length) return node.start + index
  let at = node.start
  for (let seen = 0; seen < index; ) {
    if (source[at] !== '&') {
      at++
      seen++
      continue
    }
    const stop = source.indexOf(';', at)
    seen += /^&#/.test(source.slice(at, at + 2)) && node.text.codePointAt(seen)! > 0xffff ? 2 : 1
    at = stop + 1
  }
  return at
}
