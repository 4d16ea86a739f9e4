import type { Block, Inline, Paragraph, Table } from '../model/document.ts'
import type { CellInheritance } from '../style/table-format.ts'
import type { Context, StoryPlace } from './context.ts'
import { layoutParagraph, type ParagraphBox, type ParagraphPlace } from './paragraph/paragraph.ts'
import type { Intrusion, Opening } from './paragraph/wrap.ts'
import type { AnchoredObject, BlockBox, FloatingTable, Gap, Landing, Slice, Stack } from './slice.ts'
import { CellFloats, floatsReach } from './table/cell-floats.ts'
import { layoutTable } from './table/table.ts'

/** Where a run of blocks is laid out. */
export interface StackPlace {
  width: number
  parent: number
  cell?: CellInheritance | undefined
  background?: string | undefined
  /** Another table follows the one to be laid out. */
  followed?: boolean
  /** On pages: resume at this entry; earlier lines are already placed. */
  from?: number | undefined
  /**
   * On pages: how a paragraph's lines move around floating objects, given the space above it; undefined if nothing
   * floats there.
   */
  wrap?: ((gap: Gap) => ((offset: number, height: number, opening?: Opening) => Intrusion) | undefined) | undefined
  /** On pages: keeps text away from a paragraph's floating objects; true if the paragraph must be laid out again. */
  float?: ((objects: readonly AnchoredObject[], gap: Gap) => boolean) | undefined
  /** On pages: where a table that would reach beyond its page lands in the text flow. */
  landing?: ((object: AnchoredObject, gap: Gap) => Landing | undefined) | undefined
}

/** The rest of a sequence of blocks, and what the next one needs to know of earlier ones. */
export interface BlocksLeft {
  /** Index of the next block. */
  readonly at: number
  /** Tables beside the next paragraph that landed in the text flow, and have been laid out. */
  readonly landed: readonly FloatingTable[]
  /** The list that the block above belongs to. */
  readonly list: { list: string; node: number } | undefined
  /** The block above, whose space below meets the next one's space above. */
  readonly previous: BlockBox | undefined
  /** The block before in the document, even if on another page. */
  readonly preceding: BlockBox | undefined
}

/**
 * Lays out the blocks of a story one after the other, and gives each the space that it and its predecessor leave
 * between them. The caller places the slices: a page takes them one group at a time.
 */
export class BlockSequence {
  /** Set it to an earlier value to go back. */
  left: BlocksLeft

  /**
   * @param above the block directly above
   * @param before the preceding block of the document, even if it is on another page
   */
  constructor(
    private readonly context: Context,
    private readonly blocks: readonly Block[],
    above?: BlockBox,
    before = above,
  ) {
    this.left = { at: 0, landed: [], list: undefined, previous: above, preceding: before }
  }

  /** The block that was laid out last. */
  get last(): BlockBox | undefined {
    return this.left.preceding
  }

  /** True until the last block has been laid out. */
  get more(): boolean {
    return this.left.at < this.blocks.length
  }

  /** The next block's slices; undefined at the end. */
  next(place: StackPlace): BlockBox | undefined {
    const { left, blocks } = this
    const next = blocks[left.at]
    if (!next) return undefined
    const table = this.nextLanded(next)
    if (table) {
      const landing = this.context.landed.get(table) ?? { below: 0, left: 0 }
      const box = layoutTable(this.context, inFlow(table, landing), { ...place, followed: false })
      const [first] = box.slices
      if (first) first.before += landing.below
      return this.placed(box, place, { at: left.at, landed: [...left.landed, table], list: undefined })
    }
    const at = left.at + 1
    if (next.kind === 'table') {
      const box = layoutTable(this.context, next, { ...place, followed: blocks[at]?.kind === 'table' })
      return this.placed(box, place, { at, landed: noTables, list: undefined })
    }
    const box = this.layout(next, place)
    return box ? this.placed(box, place, { at, landed: noTables, list: box.list }) : this.next(place)
  }

  /** Gives a box the space above it, and continues below it. */
  private placed(box: BlockBox, place: StackPlace, next: Pick<BlocksLeft, 'at' | 'landed' | 'list'>): BlockBox {
    const first = box.slices[0]
    const counts = first !== undefined && !box.collapsed
    if (counts) {
      const lead = first.before
      first.before = place.from ? lead : lead + this.gap(box)
      first.beforeAtTop = place.from ? lead : lead + (place.cell ? box.before : this.gapAtTop(box))
    }
    const { previous, preceding } = counts ? { previous: box, preceding: box } : this.left
    this.left = { at: next.at, landed: next.landed, list: next.list, previous, preceding }
    return box
  }

  /** A table that has landed in the text flow above a paragraph, and is to be laid out next. */
  private nextLanded(block: Block): FloatingTable | undefined {
    const { landed } = this.context
    const done = this.left.landed
    if (landed.size === 0 || block.kind !== 'paragraph') return undefined
    return block.content.find(
      (inline): inline is FloatingTable => inline.kind === 'textbox' && landed.has(inline) && !done.includes(inline),
    )
  }

  /** Undefined if a table that floats beside the paragraph has landed in the text flow; the table then comes first. */
  private layout(paragraph: Paragraph, place: StackPlace): ParagraphBox | undefined {
    const { at } = this.left
    const above = this.blocks[at - 1]
    const below = this.blocks[at + 1]
    const last = below === undefined
    // A cell has to end in a paragraph; after a table, an empty one takes no room.
    const closing =
      place.cell !== undefined &&
      last &&
      above?.kind === 'table' &&
      paragraph.content.every(({ kind }) => kind === 'bookmark')
    const { held } = this.context
    const heldBefore = held.bytes
    // Written out, as it is made for each paragraph: copying `place` takes longer.
    const settings: ParagraphPlace = {
      width: place.width,
      parent: place.parent,
      cell: place.cell,
      background: place.background,
      from: place.from,
      previous: above?.kind === 'paragraph' ? above : undefined,
      next: below?.kind === 'paragraph' ? below : undefined,
      openList: this.left.list,
      closing,
      last,
    }
    // The space above depends on the paragraph's style, known only after the first layout; most paragraphs need no
    // second.
    let box = layoutParagraph(this.context, paragraph, settings)
    const gap = place.from ? { below: 0, atTop: 0 } : { below: this.gap(box), atTop: this.gapAtTop(box) }
    const anchors = floats(box.slices) ? box.slices.flatMap((slice) => slice.anchors ?? []) : []
    for (const object of anchors) {
      const { table } = object
      const landing = table && place.landing?.(object, gap)
      if (!landing) continue
      this.context.landed.set(table, landing)
      this.context.report.unsupported(held.part, 'w:tblpPr', 'the floating table is placed in the text flow')
      held.backTo(heldBefore)
      return undefined
    }
    const moved = anchors.length > 0 && place.float?.(anchors, gap) === true
    const giveWay = place.wrap?.(gap)
    if (giveWay && (moved || wouldGiveWay(box, giveWay))) {
      held.backTo(heldBefore)
      box = layoutParagraph(this.context, paragraph, { ...settings, giveWay })
      box.gaveWay = true
    }
    return box
  }

  /**
   * Word takes the larger of the space after and the space before, as HTML does, unless the document asks for the
   * sum; contextual spacing drops a paragraph's share next to its own style.
   */
  private gap(box: BlockBox): number {
    const { previous } = this.left
    if (!previous) return box.beforeAuto ? 0 : box.before
    // Between two items of one list automatic spacing vanishes, and only that.
    const items = box.listId !== undefined && box.listId === previous.listId
    const same = previous.styleId !== undefined && previous.styleId === box.styleId
    const after = (previous.contextual && same) || (previous.afterAuto && items) ? 0 : previous.after
    const before = (box.contextual && same) || (box.beforeAuto && items) ? 0 : box.before
    const gap = this.context.model.settings.addSpacing ? after + before : Math.max(after, before)
    return Math.max(0, gap - (previous.spent ?? 0))
  }

  /**
   * The space above a block that a break sent to the top of a page: what exceeds the space below the preceding block,
   * which stayed on its page.
   */
  private gapAtTop(box: BlockBox): number {
    const { preceding } = this.left
    if (box.beforeAuto) return 0
    if (!preceding) return box.before
    if (box.contextual && preceding.styleId !== undefined && preceding.styleId === box.styleId) return 0
    return Math.max(0, box.before - preceding.after)
  }

  /** Space below the last block, which counts at the end of a cell. */
  get trailing(): number {
    const { previous } = this.left
    return previous && !previous.afterAuto ? previous.after : 0
  }
}

const noTables: readonly FloatingTable[] = []

/** A floating table as a table of the text flow, in the place where it would float. */
function inFlow({ blocks, anchor }: FloatingTable, { left }: Landing): Table {
  const table = blocks[0] as Table
  if (!table.props.bidi) return { ...table, props: { ...table.props, align: 'left', indent: left } }
  const align = anchor?.horizontal.align
  const side = align === 'center' ? 'center' : align === 'right' || align === 'outside' ? 'right' : 'left'
  return { ...table, props: { ...table.props, align: side } }
}

function floats(slices: readonly Slice[]): boolean {
  for (const slice of slices) if (slice.anchors) return true
  return false
}

/** True if a line of the paragraph would cover a floating object. */
function wouldGiveWay(box: BlockBox, giveWay: (offset: number, height: number) => Intrusion): boolean {
  let offset = 0
  for (const slice of box.slices) {
    const { left, right, skip } = giveWay(offset, slice.height)
    if (left > 0 || right > 0 || skip > 0) return true
    offset += slice.height
  }
  return false
}

/**
 * Lays out a whole story without page breaks: cells, headers, notes and text boxes. Its text moves around floating
 * objects if `room` says how the story lies in its cell.
 */
export function layoutStack(context: Context, blocks: readonly Block[], story: StoryPlace): Stack {
  const { width, parent, cell, background, room } = story
  const sequence = new BlockSequence(context, blocks)
  const slices: Slice[] = []
  // Few cells have anything that floats, and tables have many cells.
  const floats = room && blocks.some(anchorsObject) ? new CellFloats(room, width) : undefined
  const place: StackPlace = { width, parent, cell, background, wrap: floats?.wrap, float: floats?.float }
  let height = 0
  for (let box = sequence.next(place); box; box = sequence.next(place)) {
    for (const slice of box.slices) {
      slices.push(slice)
      height += slice.before + slice.height
    }
    if (floats) floats.y = height
  }
  height += sequence.trailing
  return { slices, height: floats ? Math.max(height, floatsReach(slices, floats.room)) : height }
}

function anchorsObject(block: Block): boolean {
  return block.kind === 'paragraph' && block.content.some(isAnchored)
}

function isAnchored(inline: Inline): boolean {
  return 'anchor' in inline && inline.anchor !== undefined
}
