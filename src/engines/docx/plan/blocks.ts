import type { Finding } from '../../../core/finding.ts'
import { limits } from '../../../core/limits.ts'
import type { XmlElement } from '../../ooxml/xml.ts'
import { type Paragraph, placeOf } from '../scan/paragraphs.ts'
import { lastIndexFrom } from '../scan/source.ts'
import {
  type BlockTag,
  type DividingTag,
  earlierHint,
  earlierReading,
  isBlockTag,
  isComment,
  isDividingTag,
  isOpeningTag,
  isSilentTag,
  type LocatedTag,
  type OpeningTag,
  type TaggedText,
} from '../scan/tags.ts'
import { childWith, commonElement } from './common-element.ts'
import { type Joint, jointsOf, mayDivide } from './joints.ts'
import type { ListItems } from './list-items.ts'
import {
  aroundColumnsHint,
  aroundColumnsMessage,
  closeHint,
  columnsElseHint,
  columnsHint,
  keepElseHint,
  keepHint,
  keepMessage,
  openHint,
} from './misplaced.ts'
import { Sight } from './sight.ts'
import { cellAround, loopedCells } from './table-places.ts'

/** What a block repeats: text, paragraphs (and all between them), table rows, or cells of a row. */
export type Level = 'inline' | 'paragraph' | 'row' | 'column'

export interface Block {
  open: Edge<OpeningTag>
  /** Every `#else if`, and the `#else`. */
  middles: Edge<DividingTag>[]
  end: Edge
  level: Level
  /** The element that contains the whole block. */
  common: XmlElement
}

/** A tag of a block, and the child of the block's common element that holds it. */
export interface Edge<Tag extends BlockTag = BlockTag> {
  tag: Tag
  child: XmlElement
}

/** The tags of a block, before it is known where it is. */
interface Pair {
  open: OpeningTag
  middles: DividingTag[]
  end: BlockTag
}

/** The blocks of one part: pairs of tags, outer before inner, each with the level it works on. */
export class BlockPlan {
  readonly blocks: Block[] = []
  readonly blockOfTag = new Map<LocatedTag, Block>()
  readonly tagsOf = new Map<Paragraph, LocatedTag[]>()
  /** In list items with loops side by side. */
  readonly joints = new Map<LocatedTag, Joint>()
  private readonly sight = new Sight((paragraph) => this.tagsOf.get(paragraph) ?? [])

  constructor(
    private readonly text: TaggedText,
    private readonly findings: Finding[],
    private readonly lists: ListItems,
  ) {
    for (const tag of text.tags) {
      const list = this.tagsOf.get(tag.paragraph)
      if (list === undefined) this.tagsOf.set(tag.paragraph, [tag])
      else list.push(tag)
    }
    this.pairBlocks()
    for (const block of this.blocks) this.lift(block)
    for (const [paragraph, around] of this.aroundItems) this.join(paragraph, around)
    // If two blocks have the same extent, the one that opens first is the outer one.
    const order = new Map(text.tags.map((tag, index) => [tag, index]))
    const orderOf = ({ open }: Block) => order.get(open.tag) ?? 0
    this.blocks.sort((a, b) => orderOf(a) - orderOf(b))
  }

  report(tag: LocatedTag, code: string, message: string, hint: string): void {
    this.findings.push({ code, severity: 'error', message, hint, path: this.placeOf(tag) })
  }

  placeOf({ paragraph, from }: LocatedTag): string {
    return placeOf(this.text.part, paragraph, from)
  }

  private pairBlocks(): void {
    const open: Omit<Pair, 'end'>[] = []
    for (const tag of this.text.tags) {
      const top = open[open.length - 1]
      if (isOpeningTag(tag)) {
        open.push({ open: tag, middles: [] })
        if (open.length === limits.templateBlockDepth + 1) {
          const message = `Blocks are nested more than ${limits.templateBlockDepth} deep.`
          this.report(tag, 'docx.too_deep', message, 'Prepare the data so that fewer levels do.')
          this.blocks.length = 0
          return
        }
      } else if (!isBlockTag(tag)) continue
      else if (isDividingTag(tag)) this.divide(top, tag)
      else if (top === undefined) this.report(tag, 'docx.unbalanced', '{{#end}} closes nothing.', openHint)
      else {
        open.pop()
        this.addBlock({ ...top, end: tag })
      }
    }
    for (const { open: tag } of open) {
      // Scanning has reported it.
      if (isComment(tag)) continue
      this.report(tag, 'docx.unbalanced', `${tag.raw} is never closed.`, closeHint(this.text.tags))
    }
  }

  private divide(top: Omit<Pair, 'end'> | undefined, tag: DividingTag): void {
    const isElse = tag.syntax.kind === 'else'
    if (top === undefined) {
      const message = `${isElse ? '{{#else}}' : tag.raw} is outside a block.`
      this.report(tag, 'docx.unbalanced', message, openHint)
    } else if (top.open.syntax.kind === 'keep') {
      this.report(tag, 'docx.unbalanced', `${tag.raw} is in {{#keep}}, which has one part.`, keepElseHint)
    } else if (top.middles[top.middles.length - 1]?.syntax.kind === 'else') {
      if (isElse) this.report(tag, 'docx.unbalanced', 'The block has a second {{#else}}.', 'Remove one.')
      else this.report(tag, 'docx.unbalanced', `${tag.raw} comes behind {{#else}}.`, 'Put {{#else}} last.')
    } else if (top.middles.push(tag) === limits.templateBranches + 1) {
      const message = `The block has more than ${limits.templateBranches} {{#else if}}.`
      this.report(tag, 'docx.too_deep', message, 'Let the transformer decide, and test its answer.')
    }
  }

  private addBlock(pair: Pair): void {
    const { open, middles, end } = pair
    if (middles.length > limits.templateBranches) return
    if (open.syntax.kind === 'each' && open.syntax.columns) {
      this.addColumns(pair)
      return
    }
    const common = commonElement([open, ...middles, end])
    const edge = <Tag extends BlockTag>(tag: Tag): Edge<Tag> => ({ tag, child: childWith(tag, common) })
    const block: Omit<Block, 'level'> = { open: edge(open), middles: middles.map(edge), end: edge(end), common }
    const level = levelOf(block)
    if (level === undefined) {
      this.report(
        open,
        'docx.misplaced',
        `${open.raw} starts in one place of the page's structure and ends in another.`,
        'Put both tags of a block in the same cell, in cells of the same table, or both outside of it.',
      )
      return
    }
    if (this.isAroundColumns(open, end)) {
      this.report(open, 'docx.misplaced', aroundColumnsMessage(open), aroundColumnsHint)
      return
    }
    const placed: Block = { ...block, level }
    this.blocks.push(placed)
    for (const tag of [open, ...middles, end]) this.blockOfTag.set(tag, placed)
  }

  /** A loop over columns repeats whole cells, so it can't lie within something inside a single cell. */
  private isAroundColumns(open: LocatedTag, end: LocatedTag): boolean {
    const cell = cellAround(open)?.cell
    if (cell === undefined || cell !== cellAround(end)?.cell) return false
    const { tags } = this.text
    return this.blocks.some(
      ({ level, open: { tag } }) =>
        level === 'column' && cellAround(tag)?.cell === cell && tags.indexOf(tag) > tags.indexOf(open),
    )
  }

  /** A loop over columns takes the cells that its tags are in, and all between them. */
  private addColumns({ open, middles, end }: Pair): void {
    const cells = loopedCells(open, end)
    const [middle] = middles
    if (middle !== undefined) {
      this.report(
        middle,
        'docx.unbalanced',
        `${middle.raw} is in a loop over columns, which has one part.`,
        columnsElseHint,
      )
    } else if (cells === undefined) {
      this.report(open, 'docx.misplaced', `${open.raw} and its {{#end}} are not in cells of one row.`, columnsHint)
    } else {
      const { row, first, last } = cells
      const block: Block = {
        open: { tag: open, child: first },
        middles: [],
        end: { tag: end, child: last },
        level: 'column',
        common: row,
      }
      this.blocks.push(block)
      for (const tag of [open, end]) this.blockOfTag.set(tag, block)
    }
  }

  /**
   * A loop around the whole text of a list item repeats the item, not just its text. A block around nothing but rich
   * text takes the whole paragraph, because rich text brings its own.
   */
  private lift(block: Block): void {
    const { open, middles, end, level } = block
    const { paragraph } = open.tag
    const [holder] = paragraph.ancestors
    if (level !== 'inline') return
    const isKept = open.tag.syntax.kind === 'keep'
    const isAroundKept =
      isKept && paragraph.form.kind === 'run' && !this.isVisibleBefore(open.tag) && !this.isVisibleAfter(end.tag)
    if (isKept && !isAroundKept) this.report(open.tag, 'docx.misplaced', keepMessage, keepHint)
    if (holder === undefined) return
    const isAroundRich = middles.length === 0 && this.isRichParagraph(paragraph)
    if (!isAroundKept && !isAroundRich && !this.blocksAroundItem(paragraph).has(block)) return
    block.level = 'paragraph'
    block.common = holder
    for (const edge of [open, ...middles, end]) edge.child = paragraph.element
  }

  private join(paragraph: Paragraph, around: ReadonlySet<Block>): void {
    if (around.size === 0) return
    this.repeated.add(paragraph.element)
    const tags = (this.tagsOf.get(paragraph) ?? []).filter((tag) => {
      const block = this.blockOfTag.get(tag)
      return block !== undefined && around.has(block)
    })
    const isVisible = (from: number, to: number) => this.isVisible(paragraph, from, to)
    for (const [tag, joint] of jointsOf(tags, isVisible)) this.joints.set(tag, joint)
  }

  private readonly aroundItems = new Map<Paragraph, ReadonlySet<Block>>()

  /** The blocks around the whole text of a list item, down to the innermost loops. */
  private blocksAroundItem(paragraph: Paragraph): ReadonlySet<Block> {
    let found = this.aroundItems.get(paragraph)
    if (found === undefined) {
      const { lists } = this
      const around = this.findAroundItem(paragraph, lists)
      const today = lists.today === undefined ? around : this.findAroundItem(paragraph, lists.today)
      if (today.length !== around.length) this.warnOfEarlierRules(paragraph)
      found = new Set(around)
      this.aroundItems.set(paragraph, found)
    }
    return found
  }

  private warnOfEarlierRules(paragraph: Paragraph): void {
    const [tag] = this.tagsOf.get(paragraph) ?? []
    if (tag === undefined) return
    this.findings.push({
      code: earlierReading,
      severity: 'warning',
      message: `${tag.raw} repeats what it did when this version was frozen; by today’s rules for list items it repeats something else.`,
      hint: earlierHint,
      path: placeOf(this.text.part, tag.paragraph, tag.from),
    })
  }

  private findAroundItem(paragraph: Paragraph, lists: ListItems): Block[] {
    if (!lists.isItem(paragraph.element)) return []
    const tags = this.tagsOf.get(paragraph) ?? []
    if (lists.takesAll) {
      const { own, from, to } = lists.takesEnds
        ? this.withoutEnds(paragraph, tags)
        : { own: tags, from: 0, to: paragraph.text.length }
      return this.loopsAround(own, from, to)
    }
    const [open] = tags
    const block = open === undefined ? undefined : this.blockOfTag.get(open)
    if (block === undefined || block.middles.length > 0 || block.end.tag !== tags[tags.length - 1]) return []
    const isAround = !this.isVisibleBefore(block.open.tag) && !this.isVisibleAfter(block.end.tag)
    return isAround && block.open.tag.syntax.kind === 'each' ? [block] : []
  }

  /** The tags without leading and trailing ones of blocks that reach beyond the paragraph; visible text ends the stripping. */
  private withoutEnds(
    paragraph: Paragraph,
    tags: readonly LocatedTag[],
  ): { own: readonly LocatedTag[]; from: number; to: number } {
    const isOwn = (tag: LocatedTag | undefined) => {
      const block = tag === undefined ? undefined : this.blockOfTag.get(tag)
      return block === undefined || (tags.includes(block.open.tag) && tags.includes(block.end.tag))
    }
    let [first, last, from, to] = [0, tags.length, 0, paragraph.text.length]
    for (let tag = tags[first]; first < last && !isOwn(tag); tag = tags[first]) {
      if (tag === undefined || this.isVisible(paragraph, from, tag.from)) break
      from = tag.to
      first++
    }
    for (let tag = tags[last - 1]; last > first && !isOwn(tag); tag = tags[last - 1]) {
      if (tag === undefined || this.isVisible(paragraph, tag.to, to)) break
      to = tag.from
      last--
    }
    return { own: tags.slice(first, last), from, to }
  }

  /** The loops, and the blocks around loops, that hold all text between two positions; none if some text lies beside them. */
  private loopsAround(tags: readonly LocatedTag[], from: number, to: number): Block[] {
    const found: Block[] = []
    const beside: Block[] = []
    let at = from
    for (let index = 0; index < tags.length; index++) {
      const tag = tags[index]
      const block = tag === undefined ? undefined : this.blockOfTag.get(tag)
      if (tag === undefined || block?.open.tag !== tag || this.isVisible(tag.paragraph, at, tag.from)) return []
      const end = tags.indexOf(block.end.tag, index)
      if (end < 0) return []
      const inner =
        block.middles.length > 0 ? [] : this.loopsAround(tags.slice(index + 1, end), tag.to, block.end.tag.from)
      if (tag.syntax.kind !== 'each' && inner.length === 0) return []
      found.push(block, ...inner)
      beside.push(block)
      at = block.end.tag.to
      index = end
    }
    const [first] = beside
    if (first === undefined || this.isVisible(first.open.tag.paragraph, at, to)) return []
    return beside.length === 1 || beside.every(mayStandBeside) ? found : []
  }

  /** Whether loops around all its text repeat the paragraph. */
  isRepeated(element: XmlElement): boolean {
    return this.repeated.has(element)
  }

  private readonly repeated = new Set<XmlElement>()

  private readonly richParagraphs = new Map<Paragraph, boolean>()

  /** Whether the paragraph consists of one rich text tag and blocks around it that begin and end in the paragraph. */
  isRichParagraph(paragraph: Paragraph): boolean {
    let isRich = this.richParagraphs.get(paragraph)
    if (isRich === undefined) {
      const tags = this.tagsOf.get(paragraph) ?? []
      const values = tags.filter((tag) => !isSilentTag(tag))
      const [rich] = values
      isRich =
        paragraph.form.kind === 'run' &&
        rich?.syntax.kind === 'rich' &&
        values.length === 1 &&
        !this.isVisible(paragraph, 0, rich.from) &&
        !this.isVisible(paragraph, rich.to, paragraph.text.length) &&
        !tags.some((tag) => this.blockOfTag.get(tag)?.middles.some((middle) => middle.tag.paragraph === paragraph)) &&
        tags.every((tag) => {
          const block = this.blockOfTag.get(tag)
          return block?.level !== 'inline' || (block.open.tag.to <= rich.from && block.end.tag.from >= rich.to)
        })
      this.richParagraphs.set(paragraph, isRich)
    }
    return isRich
  }

  /** Whether nothing is seen in the paragraph but tags of blocks that `belongs` accepts. */
  holdsOnly(paragraph: Paragraph, belongs: (block: Block) => boolean): boolean {
    if (this.isVisible(paragraph, 0, paragraph.text.length)) return false
    for (const tag of this.tagsOf.get(paragraph) ?? []) {
      if (tag.syntax.kind === 'comment') continue
      const block = this.blockOfTag.get(tag)
      if (block === undefined || !belongs(block)) return false
    }
    return true
  }

  /** Whether there is more than white space and block tags between two text positions. */
  isVisible(paragraph: Paragraph, from: number, to: number): boolean {
    return this.sight.isVisible(paragraph, from, to)
  }

  /** Whether nothing else is in the rows that a comment takes. */
  isAloneInRows({ level, common, open, end }: Block): boolean {
    if (level !== 'row') return true
    const [first, last] = common.name === 'w:tr' ? [common, common] : [open.child, end.child]
    const { paragraphs } = this.text
    for (let at = lastIndexFrom(paragraphs, ({ element }) => element.start, first.start) + 1; ; at++) {
      const paragraph = paragraphs[at]
      if (paragraph === undefined || paragraph.element.start >= last.end) return true
      const { start } = paragraph.element
      const from = start === end.tag.paragraph.element.start ? end.tag.to : 0
      const to = start === open.tag.paragraph.element.start ? open.tag.from : paragraph.text.length
      const isBetween = start > open.tag.paragraph.element.start && start < end.tag.paragraph.element.start
      if (!isBetween && this.isVisible(paragraph, from, to)) return false
    }
  }

  isVisibleBefore(tag: LocatedTag): boolean {
    return this.isVisible(tag.paragraph, 0, tag.from)
  }

  isVisibleAfter(tag: LocatedTag): boolean {
    return this.isVisible(tag.paragraph, tag.to, tag.paragraph.text.length)
  }
}

function levelOf({ open, middles, end, common }: Omit<Block, 'level'>): Level | undefined {
  const edges = [open, ...middles, end]
  if (edges.every(({ tag }) => tag.paragraph === open.tag.paragraph)) return 'inline'
  if (common.name === 'w:tr' || common.name === 'w:tbl') return 'row'
  if (edges.every(({ child }) => child.name === 'w:tr')) return 'row'
  return edges.every(({ child }) => child.name === 'w:p') ? 'paragraph' : undefined
}

/** Whether the paragraph may be closed and opened again at the block's tags. */
function mayStandBeside({ open, end }: Block): boolean {
  const [holder] = open.tag.paragraph.ancestors
  return holder !== undefined && mayDivide(open.tag, holder) && mayDivide(end.tag, holder)
}
