import type { Finding } from '../../../core/finding.ts'
import { childNamed, type XmlElement } from '../../ooxml/xml.ts'
import type { RichPlace } from '../compose/rich/write.ts'
import type { RichForm } from '../program/program.ts'
import { type LocatedTag, type Paragraph, type Piece, pieceAt, type ScannedPart, sourceOffset } from '../scan/scan.ts'
import { type Block, BlockPlan, fullChain, isBlockTag, testOf } from './blocks.ts'
import type { BlockItem, Item, Seam } from './items.ts'
import { readProperties } from './properties.ts'

/** Inline elements that may be closed and opened again at a block's boundary without changing what they mean. */
const splittable = new Set([
  'w:t',
  'w:r',
  'w:p',
  'w:hyperlink',
  'w:ins',
  'w:moveTo',
  'w:smartTag',
  'w:customXml',
  'w:bdo',
  'w:dir',
  'a:t',
  'a:r',
  'm:t',
  'm:r',
])

/** Marks that pair up over paragraphs and so outlive the paragraph they stand in. */
const rangeMarks = new Set([
  'w:bookmarkStart',
  'w:bookmarkEnd',
  'w:commentRangeStart',
  'w:commentRangeEnd',
  'w:permStart',
  'w:permEnd',
  'w:moveFromRangeStart',
  'w:moveFromRangeEnd',
  'w:moveToRangeStart',
  'w:moveToRangeEnd',
])

const bindingProperties = new Set(['w:dataBinding', 'w15:dataBinding', 'w:showingPlcHdr'])

const paragraphHolders = new Set([
  'w:tc',
  'w:hdr',
  'w:ftr',
  'w:txbxContent',
  'w:footnote',
  'w:endnote',
  'w:comment',
  'w:sdtContent',
])

/**
 * Pairs the block tags of a part, decides for each pair what it repeats, and plans every change to the source. A pair
 * works on the largest whole things between its tags: table rows when the tags stand in different cells, paragraphs
 * when they stand in different paragraphs, runs otherwise.
 */
export function placeTags(scanned: ScannedPart, source: string, findings: Finding[]): Item[] {
  return new Placer(scanned, source, findings).place()
}

/** Takes tags out without leaving anything in their place. */
export function cutTags(tags: LocatedTag[], source: string): Item[] {
  return tags.flatMap((tag) => segmentsOf(tag, source).map(({ start, end }) => ({ kind: 'cut', start, end, text: '' })))
}

class Placer {
  private readonly items: Item[] = []
  private readonly plan: BlockPlan
  private readonly removedParagraphs = new Set<XmlElement>()
  private readonly removedRows = new Set<XmlElement>()
  private readonly conditional: { start: number; end: number }[] = []

  constructor(
    private readonly scanned: ScannedPart,
    private readonly source: string,
    findings: Finding[],
  ) {
    this.plan = new BlockPlan(scanned, findings)
  }

  place(): Item[] {
    this.findRemovedRows()
    this.findRemovedParagraphs()
    for (const tag of this.scanned.tags) {
      if (tag.syntax.kind === 'rich') this.planRichText(tag)
      else this.planTagText(tag)
    }
    for (const block of this.plan.blocks) this.planBlock(block)
    for (const [paragraph, tags] of this.plan.tagsOf) this.planVanishing(paragraph, tags)
    this.planHolders()
    return this.items
  }

  /** Rows that hold nothing but the tags of loops over rows are only there to carry them. */
  private findRemovedRows(): void {
    const rows = new Set<XmlElement>()
    for (const { level, common, openChild, middleChild, endChild } of this.plan.blocks) {
      if (level !== 'row' || common.name === 'w:tr') continue
      for (const row of [openChild, middleChild, endChild]) if (row?.name === 'w:tr') rows.add(row)
    }
    if (rows.size === 0) return
    for (const paragraph of this.scanned.paragraphs) {
      for (const ancestor of paragraph.ancestors) {
        if (rows.has(ancestor) && !this.plan.holdsOnly(paragraph, (block) => isInTableOf(block, ancestor))) {
          rows.delete(ancestor)
        }
      }
    }
    for (const row of rows) {
      this.removedRows.add(row)
      this.items.push({ kind: 'cut', start: row.start, end: row.end, text: this.rangeMarksIn(row) })
    }
  }

  private findRemovedParagraphs(): void {
    const candidates: Paragraph[] = []
    for (const [paragraph, tags] of this.plan.tagsOf) {
      if (paragraph.form.kind !== 'run' || !tags.some(isBlockTag) || hasSectionBreak(paragraph.element)) continue
      if (this.plan.holdsOnly(paragraph, (block) => block.level !== 'inline')) candidates.push(paragraph)
    }
    const elements = new Set(candidates.map((paragraph) => paragraph.element))
    const kept = new Map<XmlElement, boolean>()
    const keepsOne = (holder: XmlElement) => {
      let keeps = kept.get(holder)
      if (keeps === undefined) {
        keeps = holder.children.some(
          (child) => child.kind === 'element' && child.name === 'w:p' && !elements.has(child),
        )
        kept.set(holder, keeps)
      }
      return keeps
    }
    for (const paragraph of candidates) {
      const { element, ancestors } = paragraph
      const cell = ancestors[0]
      const isAlone = cell === undefined || !keepsOne(cell)
      // A cell that only holds a tag of a row's loop keeps its paragraph, and with it its formatting.
      const isRowTag = this.plan.tagsOf.get(paragraph)!.every((tag) => this.plan.blockOfTag.get(tag)?.level === 'row')
      if (isAlone && isRowTag && cell?.name === 'w:tc') continue
      this.removedParagraphs.add(element)
      this.items.push({ kind: 'cut', start: element.start, end: element.end, text: this.rangeMarksIn(element) })
    }
  }

  private rangeMarksIn(element: XmlElement): string {
    let marks = ''
    for (const child of element.children) {
      if (child.kind === 'text') continue
      marks += rangeMarks.has(child.name) ? this.source.slice(child.start, child.end) : this.rangeMarksIn(child)
    }
    return marks
  }

  /** Takes the tag's text out of its runs; a value tag leaves its hole where the first brace stood. */
  private planTagText(tag: LocatedTag, placed = tag): void {
    const segments = segmentsOf(tag, this.source)
    this.unbind(segments[0]!.piece.chain, tag.paragraph)
    for (const [index, segment] of segments.entries()) {
      const { start, end } = segment
      if (index === 0 && !isBlockTag(tag)) this.items.push({ kind: 'hole', start, end, tag: placed })
      else this.items.push({ kind: 'cut', start, end, text: '' })
      const text = segment.piece.chain[0]!
      if (tag.paragraph.form.kind === 'run' && text.name === 'w:t') this.keepSpaces(text)
    }
  }

  /**
   * Rich text that is all of its paragraph gives way to the paragraphs it brings; marks that pair up over paragraphs
   * stay behind it. Elsewhere it ends the run around it, and another one like it goes on behind.
   */
  private planRichText(tag: LocatedTag): void {
    const { paragraph } = tag
    const segment = segmentsOf(tag, this.source)[0]!
    const [text, run] = segment.piece.chain
    if (paragraph.form.kind !== 'run' || text?.name !== 'w:t' || run?.name !== 'w:r') {
      this.plan.report(tag, 'docx.misplaced', `${tag.raw} stands where no formatted text can.`, richHint)
      return
    }
    const { element } = paragraph
    const place: RichPlace = {
      uri: element.uri,
      isPrefixW: element.written === 'w:p',
      run: readProperties(childNamed(run, 'w:rPr'), this.source),
      isInLink: segment.piece.chain.some(({ name }) => linkless.has(name)),
    }
    const form: RichForm = { kind: 'rich', place, close: `</${text.written}></${run.written}>`, open: '' }
    const { number, ancestors } = paragraph
    const placed = { ...tag, paragraph: { form, element, number, ancestors, pieces: [], text: '', objects: [] } }
    if (!this.plan.isRichParagraph(paragraph)) {
      form.open = this.reopen(run) + this.reopen(text)
      this.planTagText(tag, placed)
      return
    }
    this.unbind(segment.piece.chain, paragraph)
    const holder = paragraph.ancestors[0]
    const after = holder === undefined ? undefined : neighbour(holder, element)
    place.paragraph = {
      properties: readProperties(childNamed(element, 'w:pPr'), this.source),
      isLast: after === undefined || after.name === 'w:sectPr',
      isBeforeTable: after?.name === 'w:tbl',
    }
    let start = element.start
    for (const mark of [...marksIn(element), undefined]) {
      const end = mark?.start ?? element.end
      if (start === element.start) this.items.push({ kind: 'hole', start, end, tag: placed })
      else if (end > start) this.items.push({ kind: 'cut', start, end, text: '' })
      start = mark?.end ?? end
    }
  }

  private readonly unbound = new Set<XmlElement>()

  /** Word would overwrite a content control's text with the data it is bound to, or show it as a prompt to type. */
  private unbind(chain: XmlElement[], paragraph: Paragraph): void {
    for (const element of [...chain, ...paragraph.ancestors]) {
      if (element.name !== 'w:sdt' || this.unbound.has(element)) continue
      this.unbound.add(element)
      for (const properties of element.children) {
        if (properties.kind === 'text' || properties.name !== 'w:sdtPr') continue
        for (const child of properties.children) {
          if (child.kind === 'text' || !bindingProperties.has(child.name)) continue
          this.items.push({ kind: 'cut', start: child.start, end: child.end, text: '' })
        }
      }
    }
  }

  private readonly spaced = new Set<XmlElement>()

  /** A `w:t` that was cut into may begin or end with a space now, which Word drops unless told to keep it. */
  private keepSpaces(text: XmlElement): void {
    if (text.attributes['xml:space'] === 'preserve' || this.spaced.has(text)) return
    this.spaced.add(text)
    this.items.push({
      kind: 'cut',
      start: text.start,
      end: text.openEnd,
      text: `<${text.written} xml:space="preserve">`,
    })
  }

  private planBlock(block: Block): void {
    const test = testOf(block.open)
    const opening = this.openingOf(block)
    const closing = this.closingOf(block)
    const middle = block.middle === undefined ? undefined : this.middleOf(block, block.middle)
    if (opening === undefined || closing === undefined || (block.middle !== undefined && middle === undefined)) {
      this.plan.report(
        block.open,
        'docx.misplaced',
        `${block.open.raw} begins or ends inside of something that cannot be divided.`,
        'Put the tag in text of its own, outside of fields, content controls and section breaks.',
      )
      return
    }
    const item: BlockItem = {
      kind: 'block',
      start: opening.end,
      end: closing.start,
      test,
      tag: block.open,
      opening,
      closing,
    }
    if (middle !== undefined) item.middle = middle
    // A block around nothing would only be in the way of what begins at the same place.
    if (item.start === item.end && middle === undefined) return
    this.items.push(item)
    if (block.level !== 'inline') this.conditional.push({ start: item.start, end: item.end })
  }

  private openingOf(block: Block): Boundary | undefined {
    const { open: tag, level, openChild } = block
    if (level === 'inline') return this.seamAt(tag, block.common)
    if (level === 'row') {
      if (block.common.name === 'w:tr') return whole(block.common.start)
      return whole(this.removedRows.has(openChild) ? openChild.end : openChild.start)
    }
    if (this.removedParagraphs.has(openChild)) return whole(openChild.end)
    if (!this.plan.isVisibleBefore(tag)) return whole(openChild.start)
    return this.plan.isVisibleAfter(tag) ? this.seamAt(tag, block.common) : whole(openChild.end)
  }

  private closingOf(block: Block): Boundary | undefined {
    const { end: tag, level, endChild } = block
    if (level === 'inline') return this.seamAt(tag, block.common)
    if (level === 'row') {
      if (block.common.name === 'w:tr') return whole(block.common.end)
      return whole(this.removedRows.has(endChild) ? endChild.start : endChild.end)
    }
    if (this.removedParagraphs.has(endChild)) return whole(endChild.start)
    if (!this.plan.isVisibleAfter(tag)) return whole(endChild.end)
    return this.plan.isVisibleBefore(tag) ? this.seamAt(tag, block.common) : whole(endChild.start)
  }

  private middleOf(block: Block, tag: LocatedTag): Boundary | undefined {
    const child = block.middleChild!
    if (block.level === 'inline') return this.seamAt(tag, block.common)
    if (this.removedRows.has(child) || this.removedParagraphs.has(child)) {
      return { ...whole(child.start), end: child.end }
    }
    if (block.level === 'row') {
      const divides = block.common.name !== 'w:tr' && child !== block.openChild && child !== block.endChild
      return divides ? whole(child.start) : undefined
    }
    if (!this.plan.isVisibleBefore(tag)) return whole(child.start)
    return this.plan.isVisibleAfter(tag) ? this.seamAt(tag, block.common) : whole(child.end)
  }

  /** A boundary inside of text: everything between the tag and `common` is closed before it and opened again behind it. */
  private seamAt(tag: LocatedTag, common: XmlElement): Boundary | undefined {
    const first = segmentsOf(tag, this.source)[0]!
    const { chain } = first.piece
    let close = ''
    let open = ''
    for (const element of chain) {
      if (element === common) break
      if (!splittable.has(element.name) || (element.name === 'w:p' && hasSectionBreak(element))) return undefined
      close += `</${element.written}>`
      open = this.reopen(element) + open
    }
    return { start: first.start, end: first.end, close, open }
  }

  private reopen(element: XmlElement): string {
    if (element.name === 'w:t') return `<${element.written} xml:space="preserve">`
    const tag = stripIds(this.source.slice(element.start, element.openEnd))
    const properties = element.children.find((child) => child.kind === 'element' && /^[wam]:[rp]Pr$/.test(child.name))
    return properties === undefined ? tag : tag + this.source.slice(properties.start, properties.end)
  }

  /** A paragraph all of whose content stands inside of blocks goes when none of them produces anything. */
  private planVanishing(paragraph: Paragraph, tags: LocatedTag[]): void {
    if (paragraph.form.kind !== 'run' || this.removedParagraphs.has(paragraph.element)) return
    const outer = new Set<Block>()
    let at = 0
    for (const tag of tags) {
      const block = this.plan.blockOfTag.get(tag)
      if (block === undefined || block.level !== 'inline' || block.open !== tag || tag.from < at) continue
      if (block.middle !== undefined || this.plan.isVisible(paragraph, at, tag.from)) return
      outer.add(block)
      at = block.end.to
    }
    if (outer.size === 0 || this.plan.isVisible(paragraph, at, paragraph.text.length)) return
    const { element, ancestors } = paragraph
    const holder = ancestors[0]
    if (hasSectionBreak(element)) return
    if (holder !== undefined && paragraphHolders.has(holder.name) && lastElement(holder) === element) return
    const tests = [...outer].map((block) => testOf(block.open))
    this.items.push({ kind: 'any', start: element.start, end: element.end, tests })
    this.conditional.push({ start: element.start, end: element.end })
  }

  /** Cells and the like must keep a paragraph, and tables a row, whatever the data says. */
  private planHolders(): void {
    const holders = new Set<XmlElement>()
    const tables = new Set<XmlElement>()
    for (const block of this.plan.blocks) {
      if (block.level === 'paragraph' && paragraphHolders.has(block.common.name)) holders.add(block.common)
      if (block.level !== 'row') continue
      const table = fullChain(block.open).find(
        (element) => element.name === 'w:tbl' && element.start <= block.openChild.start,
      )
      if (table !== undefined) tables.add(table)
    }
    for (const holder of holders) {
      const last = lastElement(holder)
      if (last?.name === 'w:p' && !this.removedParagraphs.has(last) && !this.isConditional(last)) continue
      const prefix = holder.written.includes(':') ? `${holder.written.split(':')[0]}:` : ''
      this.items.push({ kind: 'tail', start: holder.closeStart, end: holder.closeStart, text: `<${prefix}p/>` })
    }
    for (const table of tables) {
      const rows = table.children.filter((child) => child.kind === 'element' && child.name === 'w:tr') as XmlElement[]
      if (rows.some((row) => !this.removedRows.has(row) && !this.isConditional(row))) continue
      this.items.push({ kind: 'table', start: table.start, end: table.end })
    }
  }

  private covered: { start: number; end: number }[] | undefined

  /** Whether a block that may print nothing holds the element. */
  private isConditional(element: XmlElement): boolean {
    this.covered ??= outermost(this.conditional)
    let low = 0
    let high = this.covered.length
    while (low < high) {
      const middle = (low + high) >> 1
      if (this.covered[middle]!.start <= element.start) low = middle + 1
      else high = middle
    }
    return low > 0 && this.covered[low - 1]!.end >= element.end
  }
}

function outermost(ranges: { start: number; end: number }[]): { start: number; end: number }[] {
  const sorted = ranges.toSorted((a, b) => a.start - b.start || b.end - a.end)
  const found: typeof sorted = []
  for (const range of sorted) if (range.end > (found[found.length - 1]?.end ?? -1)) found.push(range)
  return found
}

const richHint = 'Put it into a paragraph of the text, a cell, a header or a note.'

/** In these, Word allows no link. */
const linkless = new Set(['w:hyperlink', 'w:ins', 'w:moveTo'])

function marksIn(element: XmlElement): XmlElement[] {
  return element.children.flatMap((child) => {
    if (child.kind === 'text') return []
    return rangeMarks.has(child.name) ? [child] : marksIn(child)
  })
}

/** The next sibling that is more than a mark. */
function neighbour(holder: XmlElement, element: XmlElement): XmlElement | undefined {
  for (const child of holder.children) {
    if (child.kind === 'element' && child.start >= element.end && !rangeMarks.has(child.name)) return child
  }
  return undefined
}

type Boundary = Seam & { start: number; end: number }

function whole(offset: number): Boundary {
  return { start: offset, end: offset, close: '', open: '' }
}

function isInTableOf(block: Block, row: XmlElement): boolean {
  return block.level === 'row' && (block.openChild === row || block.endChild === row || block.middleChild === row)
}

function hasSectionBreak(paragraph: XmlElement): boolean {
  for (const child of paragraph.children) {
    if (child.kind === 'element' && child.name === 'w:pPr') {
      return child.children.some((inner) => inner.kind === 'element' && inner.name === 'w:sectPr')
    }
  }
  return false
}

function lastElement(element: XmlElement): XmlElement | undefined {
  for (let index = element.children.length - 1; index >= 0; index--) {
    const child = element.children[index]!
    if (child.kind === 'element') return child
  }
  return undefined
}

/** Ids that must not appear twice, and that Word makes anew when they are missing. */
export function stripIds(startTag: string): string {
  return startTag.replace(/\s[A-Za-z0-9]+:(?:paraId|textId)\s*=\s*(?:"[^"]*"|'[^']*')/g, '')
}

interface Segment {
  piece: Piece
  start: number
  end: number
}

/** The source ranges that a tag's text occupies, one per text node (or break) it runs through. */
function segmentsOf(tag: LocatedTag, source: string): Segment[] {
  const segments: Segment[] = []
  const { pieces } = tag.paragraph
  for (let index = pieceAt(tag.paragraph, tag.from); index < pieces.length; index++) {
    const piece = pieces[index]!
    if (piece.from >= tag.to) break
    const from = Math.max(tag.from, piece.from)
    const to = Math.min(tag.to, piece.from + piece.text.length)
    if (from >= to) continue
    if (piece.node === undefined) {
      const element = piece.chain[0]!
      segments.push({ piece, start: element.start, end: element.end })
    } else {
      const start = sourceOffset(piece.node, from - piece.from, source)
      segments.push({ piece, start, end: sourceOffset(piece.node, to - piece.from, source) })
    }
  }
  return segments
}
