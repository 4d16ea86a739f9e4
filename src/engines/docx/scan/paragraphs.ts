import type { XmlElement, XmlText } from '../../ooxml/xml.ts'
import { lastIndexFrom, TagSearch } from './source.ts'

/** The kind of element that holds a paragraph's text. */
export type TextForm =
  /**
   * Elements `w:t`. `prefix` is what the part writes before WordprocessingML names (`w:`). `declares` is the declaration
   * that an element replacing the text needs, if the text declares that prefix itself.
   */
  | { kind: 'run'; prefix: string; declares?: string }
  /** Elements that only hold text. */
  | { kind: 'plain' }
  | { kind: 'attribute' }

/** An element and those around it, innermost first; never empty. */
export type Chain = [XmlElement, ...XmlElement[]]

/** A stretch of a paragraph's text, and where it is in the source. */
export interface Piece {
  /** Position in the paragraph's text, in UTF-16 code units. */
  from: number
  text: string
  /** Present for character data; absent for a tab or a line break, which count as one character. */
  node?: XmlText
  /** The `w:t` (or the break itself), and its ancestors up to the paragraph, which is last. */
  chain: Chain
}

/**
 * The smallest unit that tags live in: a Word paragraph with the text of all its runs, or an element or attribute that
 * only holds text (`form` says which). A text box inside a paragraph has paragraphs of its own.
 */
export interface Paragraph {
  form: TextForm
  element: XmlElement
  /** 1-based, in document order over the part. */
  number: number
  pieces: Piece[]
  text: string
  /** Ancestors of the paragraph, innermost first. */
  ancestors: XmlElement[]
  /** Text positions of visible things other than text: pictures, fields, page breaks. */
  objects: number[]
  /** Whether its source holds nothing that could be a tag. */
  isPlain?: boolean
}

/** Elements that are a character of a run's text. */
const characterElements: ReadonlyMap<string, string> = new Map([
  ['w:tab', '\t'],
  ['w:br', '\n'],
  ['w:cr', '\n'],
  ['w:noBreakHyphen', '-'],
])

/** Children of a run that show nothing themselves. */
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

/** Content inside these is removed or never shown, so a tag in it doesn't count. */
export const skippedContainers: ReadonlySet<string> = new Set([
  'w:del',
  'w:moveFrom',
  'w:pPr',
  'w:rPr',
  'w:sdtPr',
  'w:sectPr',
  'w:tblPr',
  'w:trPr',
])

/** Finds every paragraph of a WordprocessingML part with the text of its runs, in document order. */
export function collectParagraphs(root: XmlElement, source: string): Paragraph[] {
  const collector = new ParagraphCollector(source)
  collector.walk(root, [])
  return collector.found
}

class ParagraphCollector {
  readonly found: RunParagraph[] = []
  private readonly forms = new Map<string, TextForm>()
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

  /** Text boxes inside a paragraph; `path` leads to `element`, innermost last. */
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

/** A paragraph of runs. It reads its text on first use: in a long document few paragraphs are looked at. */
class RunParagraph implements Paragraph {
  private content: Content | undefined

  constructor(
    readonly element: XmlElement,
    readonly number: number,
    readonly ancestors: XmlElement[],
    readonly form: TextForm,
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
function walkInline(element: XmlElement, chain: Chain, content: Content): void {
  for (const child of element.children) {
    if (child.kind === 'text' || skippedContainers.has(child.name)) continue
    if (child.name === 'm:oMath' || child.name === 'm:oMathPara') content.objects.push(content.text.length)
    else if (child.name === 'w:t') addText(child, [child, ...chain], content)
    else if (element.name !== 'w:r') walkInline(child, [child, ...chain], content)
    else readRunChild(child, chain, content)
  }
}

function readRunChild(child: XmlElement, chain: Chain, content: Content): void {
  const character = characterElements.get(child.name)
  if (character !== undefined && (child.name !== 'w:br' || isLineBreak(child))) {
    content.pieces.push({ from: content.text.length, text: character, chain: [child, ...chain] })
    content.text += character
  } else if (!invisibleRunChildren.has(child.name)) content.objects.push(content.text.length)
}

function isLineBreak(element: XmlElement): boolean {
  const type = element.attributes['w:type']
  return type === undefined || type === 'textWrapping'
}

function addText(element: XmlElement, chain: Chain, content: Pick<Content, 'pieces' | 'text'>): void {
  for (const node of element.children) {
    if (node.kind !== 'text') continue
    content.pieces.push({ from: content.text.length, text: node.text, node, chain })
    content.text += node.text
  }
}

/** All text inside an element as one paragraph, so that a tag may span runs. Elements named `textName` hold the characters. */
export function paragraphOfRuns(
  element: XmlElement,
  number: number,
  ancestors: XmlElement[],
  textName: string,
): Paragraph {
  const content: { pieces: Piece[]; text: string } = { pieces: [], text: '' }
  const walk = (current: XmlElement, chain: Chain) => {
    for (const child of current.children) {
      if (child.kind === 'text') continue
      if (child.name === textName) addText(child, [child, ...chain], content)
      else walk(child, [child, ...chain])
    }
  }
  walk(element, [element])
  return { form: { kind: 'plain' }, element, number, ancestors, objects: [], ...content }
}

/** The last paragraph that begins before an offset; all of them come in the order of the source. */
export function paragraphBefore(paragraphs: readonly Paragraph[], offset: number): Paragraph | undefined {
  return paragraphs[lastIndexFrom(paragraphs, ({ element }) => element.start, offset)]
}

/** Index of the piece that holds a character of the paragraph's text. */
export function pieceAt({ pieces }: Paragraph, position: number): number {
  return Math.max(
    0,
    lastIndexFrom(pieces, ({ from }) => from, position),
  )
}

/** The place of a finding: `word/document.xml#12:5` is character 5 (from 0) of the 12th paragraph. */
export function placeOf(part: string, paragraph: Paragraph, position: number): string {
  return `${part}#${paragraph.number}:${position}`
}
