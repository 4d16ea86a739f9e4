import { type Frame, type GroupFrame, moveFrames } from '../../frame/frame.ts'
import type { Block } from '../../model/document.ts'
import type { CellProps } from '../../model/properties.ts'
import type { CellInheritance } from '../../style/table-format.ts'
import { roomOf, settleAnchored } from '../anchored.ts'
import { type Context, inTurnedCell } from '../context.ts'
import type { Slice, Stack } from '../slice.ts'
import { paragraphRange } from './widths.ts'

/** A cell whose lines run from top to bottom or from bottom to top (17.4.72). */
export interface SidewaysCell {
  blocks: readonly Block[]
  direction: NonNullable<CellProps['direction']>
  align: NonNullable<CellProps['vertical']>
  /** Inside of the margins, in points: the room that the lines have beside each other. */
  width: number
  node: number
  inheritance: CellInheritance
  background: string | undefined
}

/**
 * Lays out a cell's text turned by a right angle, as one piece that is never split between pages.
 *
 * @param length of the lines, in points; if undefined, that of the longest line, but at least `least`
 */
export function layoutSideways(context: Context, cell: SidewaysCell, least: number, length?: number): Stack {
  const space = length ?? Math.min(longestPage(context), Math.max(least, naturalLength(context, cell)))
  const { node, inheritance, background } = cell
  const story = { width: space, parent: node, cell: inheritance, background, room: roomOf(space) }
  const stack = settleAnchored(context.inner.stack(inTurnedCell(context), cell.blocks, story), space)
  const frames: Frame[] = []
  const notes: string[] = []
  let y = 0
  for (const slice of stack.slices) {
    y += slice.before
    moveFrames(slice.frames, 0, y)
    frames.push(...slice.frames)
    notes.push(...(slice.notes ?? []))
    y += slice.height
  }
  const free = cell.width - stack.height
  const offset = cell.align === 'center' ? free / 2 : cell.align === 'bottom' ? free : 0
  const matrix: GroupFrame['matrix'] =
    cell.direction === 'down' ? [0, 1, -1, 0, cell.width - offset, 0] : [0, -1, 1, 0, offset, space]
  const turned: GroupFrame = { kind: 'group', x: 0, y: 0, matrix, frames }
  const slice: Slice = {
    before: 0,
    height: space,
    frames: [turned],
    stick: false,
    ...(notes.length > 0 ? { notes } : {}),
  }
  return { slices: [slice], height: space }
}

function naturalLength(context: Context, cell: SidewaysCell): number {
  let length = 0
  for (const block of cell.blocks) {
    const needed =
      block.kind === 'table'
        ? block.grid.reduce((sum, column) => sum + column, 0)
        : paragraphRange(context, block, cell.inheritance).max
    length = Math.max(length, needed)
  }
  return length
}

/** Longer lines than a page is high are broken. */
function longestPage({ section }: Context): number {
  return Math.max(72, section.height - Math.abs(section.margins.top) - Math.abs(section.margins.bottom) - 12)
}
