import type { Finding } from '../../../core/finding.ts'
import { type FieldCode, fieldKeyword, findFields } from '../../ooxml/fields.ts'
import type { XmlElement, XmlText } from '../../ooxml/xml.ts'
import type { Item } from '../plan/items.ts'
import {
  attributeSpan,
  type LocatedTag,
  type Paragraph,
  type Piece,
  pieceAt,
  placeOf,
  type ScannedPart,
  scanTags,
} from './scan.ts'

export interface ScannedField {
  scanned: ScannedPart
  /** What each tag's value is written as. */
  forms: Map<LocatedTag, Paragraph['form']>
}

/**
 * The tags in field codes. A code is an instruction to Word, and a value in one could say anything; only the address of
 * a HYPERLINK can take values, percent-encoded. All others are findings.
 */
export function scanFields(
  part: string,
  root: XmlElement,
  source: string,
  paragraphs: Paragraph[],
  findings: Finding[],
): ScannedField[] {
  if (!source.includes('instr')) return []
  const numbers = new Map(paragraphs.map(({ element, number }) => [element, number]))
  const found: ScannedField[] = []
  for (const field of findFields(root)) {
    if (!field.written.includes('{{')) continue
    const paragraph = paragraphOf(field, source, numbers)
    const scanned = paragraph === undefined ? undefined : scanTags(part, [paragraph], findings)
    if (paragraph === undefined || scanned === undefined) continue
    const argument =
      fieldKeyword(field.written) === 'HYPERLINK' ? firstArgument(field.written, scanned.tags) : undefined
    const forms: ScannedField['forms'] = new Map()
    for (const tag of scanned.tags) {
      const isInside = argument !== undefined && tag.from >= argument.from && tag.to <= argument.to
      if (!isInside || tag.syntax.kind !== 'text') {
        findings.push(tagInField(placeOf(part, paragraph, tag.from), tag.raw))
        continue
      }
      const after = field.written.slice(tag.to, argument.to).replace(/\{\{.*?\}\}/g, '')
      forms.set(tag, { kind: 'field', isWhole: tag.from === argument.from, after })
    }
    found.push({ scanned, forms })
  }
  return found
}

function tagInField(path: string, raw: string): Finding {
  return {
    code: 'docx.tag_in_field',
    severity: 'error',
    message: `${raw} stands inside of a field code.`,
    hint: 'Only the address of a HYPERLINK takes values; put the tag into the text that the field shows, or beside it.',
    path,
  }
}

function paragraphOf(field: FieldCode, source: string, numbers: Map<XmlElement, number>): Paragraph | undefined {
  const pieces: Piece[] = []
  let text = ''
  for (const { node, element } of field.pieces) {
    pieces.push({ from: text.length, text: node.text, node, chain: [element] })
    text += node.text
  }
  if (field.element.name === 'w:fldSimple') {
    const span = attributeSpan(field.element, 'w:instr', source)
    if (span === undefined) return undefined
    text = field.written
    const node: XmlText = { kind: 'text', text, ...span }
    pieces.push({ from: 0, text, node, chain: [field.element] })
  }
  const number = field.paragraph === undefined ? 1 : (numbers.get(field.paragraph) ?? 1)
  return { form: { kind: 'plain' }, element: field.element, number, pieces, text, ancestors: [], objects: [] }
}

/** The quoted text behind the keyword; quotes inside of tags do not end it. */
function firstArgument(code: string, tags: LocatedTag[]): { from: number; to: number } | undefined {
  const open = /^\s*HYPERLINK\s+"/i.exec(code)
  if (open === null) return undefined
  const from = open[0].length
  for (let at = from; at < code.length; at++) {
    const tag = tags.find((one) => one.from === at)
    if (tag !== undefined) at = tag.to - 1
    else if (code[at] === '"') return { from, to: at }
  }
  return undefined
}

/**
 * What a table of contents shows is a copy of the headings, their tags included, in a place where no loop is around
 * them. Values that are the same everywhere are filled in it; all other tags are taken out, and returned.
 */
export function takeContentsTags(root: XmlElement, source: string, scanned: ScannedPart): LocatedTag[] {
  if (!source.includes('TOC') || scanned.tags.length === 0) return []
  const contents = findFields(root).filter((field) => fieldKeyword(field.code) === 'TOC' && field.end !== undefined)
  if (contents.length === 0) return []
  const taken = scanned.tags.filter(({ paragraph, from, syntax }) => {
    if (syntax.kind === 'text' && syntax.value.kind === 'absolute') return false
    const { start } = paragraph.pieces[pieceAt(paragraph, from)]!.chain[0]!
    return contents.some((field) => start > field.element.start && start < field.end!)
  })
  const gone = new Set(taken)
  if (taken.length > 0) scanned.tags = scanned.tags.filter((tag) => !gone.has(tag))
  return taken
}

/** Whether the part has a table of contents, which only Word can fill again. */
export function hasTableOfContents(root: XmlElement): boolean {
  return findFields(root).some((field) => fieldKeyword(field.code) === 'TOC')
}

/** A block may hold whole fields only: half of one would leave its begin or its end mark without the other. */
export function reportDividedFields(part: string, root: XmlElement, items: Item[], findings: Finding[]): void {
  const marks = new FieldMarks(root)
  if (marks.isEmpty) return
  for (const item of items) {
    if (item.kind !== 'block') continue
    const { start, end, middle, tag } = item
    const isWhole =
      middle === undefined
        ? marks.isBalanced(start, end)
        : marks.isBalanced(start, middle.start) && marks.isBalanced(middle.end, end)
    if (isWhole) continue
    findings.push({
      code: 'docx.misplaced',
      severity: 'error',
      message: `${tag.raw} begins or ends inside of a field.`,
      hint: 'Put both tags of the block inside of the text of the field, or both outside of it.',
      path: placeOf(part, tag.paragraph, tag.from),
    })
  }
}

/** Begin and end marks of complex fields (ECMA-376 part 1, 17.16.18), in document order. */
class FieldMarks {
  private readonly offsets: number[] = []
  /** Fields open before each mark, and after the last. */
  private readonly depths: number[] = [0]
  /** For each mark the next one that leaves fewer fields open than there were before it. */
  private readonly falls: number[] = []

  constructor(root: XmlElement) {
    const walk = (element: XmlElement) => {
      const type = element.name === 'w:fldChar' ? element.attributes['w:fldCharType'] : undefined
      if (type === 'begin' || type === 'end') {
        this.offsets.push(element.start)
        this.depths.push(this.depths[this.depths.length - 1]! + (type === 'begin' ? 1 : -1))
      }
      for (const child of element.children) if (child.kind === 'element') walk(child)
    }
    walk(root)
    const waiting: number[] = []
    for (let mark = this.offsets.length - 1; mark >= 0; mark--) {
      waiting.push(mark)
      while (waiting.length > 0 && this.depths[waiting[waiting.length - 1]! + 1]! >= this.depths[mark]!) waiting.pop()
      this.falls[mark] = waiting[waiting.length - 1] ?? this.offsets.length
    }
  }

  get isEmpty(): boolean {
    return this.offsets.length === 0
  }

  isBalanced(start: number, end: number): boolean {
    const first = this.firstFrom(start)
    const stop = this.firstFrom(end)
    if (this.depths[first] !== this.depths[stop]) return false
    return first >= stop || this.falls[first]! >= stop
  }

  private firstFrom(offset: number): number {
    let low = 0
    let high = this.offsets.length
    while (low < high) {
      const middle = (low + high) >> 1
      if (this.offsets[middle]! < offset) low = middle + 1
      else high = middle
    }
    return low
  }
}
