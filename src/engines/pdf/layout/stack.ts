import type { Block, Paragraph } from '../read/model.ts'
import type { CellInheritance } from '../style/cascade.ts'
import type { AnchoredObject, BlockBox, Context, Slice, Stack } from './context.ts'
import { layoutParagraph } from './paragraph.ts'
import { layoutTable } from './table.ts'
import type { Intrusion } from './wrap.ts'

/** Where a run of blocks is laid out. */
export interface StackPlace {
  width: number
  parent: number
  cell?: CellInheritance | undefined
  background?: string | undefined
  /** Another table follows the one to be laid out. */
  followed?: boolean
  /** On pages: how the lines of a paragraph give way, given the space above it; undefined when nothing floats there. */
  wrap?: ((gap: number) => ((offset: number, height: number) => Intrusion) | undefined) | undefined
  /** On pages: takes the floating objects of a paragraph into account; true when it has to be laid out once more. */
  float?: ((objects: readonly AnchoredObject[], gap: number) => boolean) | undefined
}

/**
 * Lays out the blocks of a story one after the other, and gives each the space that its predecessor and its own
 * properties leave between them. The caller decides what becomes of the slices: a page takes them one group at a time.
 */
export class BlockSequence {
  private at = 0
  private list: { list: string; node: number } | undefined

  constructor(
    private readonly context: Context,
    private readonly blocks: readonly Block[],
    /** The block above, whose space below meets the first one's space above. */
    private previous?: BlockBox | undefined,
  ) {}

  /** The block that was laid out last. */
  get last(): BlockBox | undefined {
    return this.previous
  }

  /** The next block's slices; undefined at the end. */
  next(place: StackPlace): BlockBox | undefined {
    const block = this.blocks[this.at++]
    if (!block) return undefined
    const followed = this.blocks[this.at]?.kind === 'table'
    const box =
      block.kind === 'paragraph' ? this.layout(block, place) : layoutTable(this.context, block, { ...place, followed })
    if (block.kind === 'table') this.list = undefined
    const first = box.slices[0]
    if (first && !box.collapsed) {
      const lead = first.before
      first.before = lead + this.gap(box)
      first.beforeAtTop = lead + (box.beforeAuto ? 0 : box.before)
      this.previous = box
    }
    return box
  }

  private layout(paragraph: Paragraph, place: StackPlace): BlockBox {
    const neighbour = (offset: number) => {
      const block = this.blocks[this.at - 1 + offset]
      return block?.kind === 'paragraph' ? block : undefined
    }
    // A cell has to end in a paragraph; below a table that is the cell's content, an empty one takes no room.
    const closing =
      place.cell !== undefined &&
      this.at === this.blocks.length &&
      this.blocks[this.at - 2]?.kind === 'table' &&
      paragraph.content.every(({ kind }) => kind === 'bookmark')
    const { held } = this.context
    const heldBefore = held.bytes
    const last = this.at === this.blocks.length
    const settings = { ...place, previous: neighbour(-1), next: neighbour(1), openList: this.list, closing, last }
    // The space above follows from the paragraph's style, which the first try finds out; most paragraphs need no second.
    let box = layoutParagraph(this.context, paragraph, settings)
    const gap = this.gap(box)
    const floating = box.slices.flatMap((slice) => slice.anchors ?? [])
    const moved = floating.length > 0 && place.float?.(floating, gap) === true
    const giveWay = place.wrap?.(gap)
    if (giveWay && (moved || wouldGiveWay(box, giveWay))) {
      held.bytes = heldBefore
      box = layoutParagraph(this.context, paragraph, { ...settings, giveWay })
    }
    this.list = box.list
    return box
  }

  /**
   * Word takes the larger of the space after and the space before, as HTML does, unless the document asks for the
   * sum; contextual spacing drops a paragraph's share next to its own style.
   */
  private gap(box: BlockBox): number {
    const { previous } = this
    if (!previous) return box.beforeAuto ? 0 : box.before
    if (box.beforeAuto && previous.afterAuto && box.listId !== undefined && box.listId === previous.listId) return 0
    const same = previous.styleId !== undefined && previous.styleId === box.styleId
    const after = previous.contextual && same ? 0 : previous.after
    const before = box.contextual && same ? 0 : box.before
    const gap = this.context.model.settings.addSpacing ? after + before : Math.max(after, before)
    return Math.max(0, gap - (previous.spent ?? 0))
  }

  /** Space below the last block, which counts at the end of a cell. */
  get trailing(): number {
    return this.previous && !this.previous.afterAuto ? this.previous.after : 0
  }
}

/** True when some line of a paragraph stands where a floating object is. */
function wouldGiveWay(box: BlockBox, giveWay: (offset: number, height: number) => Intrusion): boolean {
  let offset = 0
  for (const slice of box.slices) {
    const { left, right, skip } = giveWay(offset, slice.height)
    if (left > 0 || right > 0 || skip > 0) return true
    offset += slice.height
  }
  return false
}

/** Lays out a whole story without page breaks: cells, headers, notes and text boxes. */
export function layoutStack(
  context: Context,
  blocks: readonly Block[],
  width: number,
  parent: number,
  cell?: CellInheritance,
  background?: string,
): Stack {
  const sequence = new BlockSequence(context, blocks)
  const slices: Slice[] = []
  let height = 0
  for (
    let box = sequence.next({ width, parent, cell, background });
    box;
    box = sequence.next({ width, parent, cell, background })
  ) {
    for (const slice of box.slices) {
      slices.push(slice)
      height += slice.before + slice.height
    }
  }
  return { slices, height: height + sequence.trailing }
}
