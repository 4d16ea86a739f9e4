import { type Frame, moveFrames } from '../../frame/frame.ts'
import type { Border } from '../../model/properties.ts'
import { drawEdge, extentOf } from '../paragraph/border.ts'
import type { Cut, Slice } from '../slice.ts'
import { type CellBox, type GridLines, type RowBox, thickest } from './boxes.ts'
import { floatsReach, placeInCell } from './cell-floats.ts'

/** The last row of a table always draws its lower edge; other rows do so only where a page ends below them. */
export type RowOrder = 'inner' | 'last'

/** A row on its way to a page. Its frames are made when it is placed; until then it can be cut in two. */
export class RowSlice implements Slice {
  before = 0
  stick = false
  isRepeated = false
  readonly height: number
  private built: Frame[] | undefined
  readonly closing?: Frame[]
  readonly foot?: number
  readonly notes?: string[]
  readonly heading?: { title: string; level: number }
  repeat?: Slice[]

  constructor(
    private readonly row: RowBox,
    private readonly lines: GridLines,
    private readonly order: RowOrder,
  ) {
    this.height = row.height
    const lower: Frame[] = []
    if (order === 'inner') drawHorizontal(lower, row.below, lines, row.height)
    if (lower.length > 0) {
      this.closing = lower
      this.foot = thickest(row.below)
    }
    const notes: string[] = []
    for (const cell of row.cells) {
      for (const slice of cell.slices) {
        if (slice.notes) notes.push(...slice.notes)
        if (slice.heading && !this.heading) this.heading = slice.heading
      }
    }
    if (notes.length > 0) this.notes = notes
  }

  get frames(): Frame[] {
    this.built ??= buildRow(this.row, this.lines, this.order)
    return this.built
  }

  /** The same row with another space above it. Only one of the two may be placed. */
  withSpaceAbove(before: number): RowSlice {
    const copy = new RowSlice(this.row, this.lines, this.order)
    const { stick, isRepeated, repeat } = this
    return Object.assign(copy, { before, stick, isRepeated, ...(repeat ? { repeat } : {}) })
  }

  split(available: number, cut: Cut): [Slice, Slice] | undefined {
    const { row, lines, order } = this
    if (row.exact || (!row.mayBreak && cut === 'where allowed')) return undefined
    const room = available - thickest(row.above) - thickest(row.below)
    const parts: CutCell[] = []
    for (const cell of row.cells) {
      const part = { cell, ...takeSlices(cell, room, cut) }
      if (cut === 'where allowed' && isEmptied(part)) return undefined
      parts.push(part)
    }
    if (!parts.some(({ taken }) => taken.length > 0) || !parts.some(({ rest }) => rest.length > 0)) return undefined
    const upper: CellBox[] = []
    const lower: CellBox[] = []
    for (const { cell, taken, rest } of parts) {
      // The space below a cell's last line stays with that line.
      const below = Math.max(0, cell.contentHeight - heightOf(cell.slices, cell))
      const ends = rest.length === 0
      const left = taken.length > 0 ? begunAnew(rest) : rest
      const vertical = cell.merge === undefined ? cell.vertical : 'top'
      const [above, under] = [heightOf(taken, cell), heightOf(left, cell)]
      upper.push({ ...cell, slices: taken, contentHeight: ends ? above + below : above, vertical, lowerEdge: 0 })
      lower.push({ ...cell, slices: left, contentHeight: ends ? 0 : under + below, vertical })
    }
    const first = new RowSlice(withHeight({ ...row, cells: upper }, 0), lines, 'inner')
    const lowerEdge = order === 'last' ? thickest(row.below) : 0
    // A merged cell reaches as far below the row as before.
    const beyond = row.cells.map((cell) => cell.spanHeight - row.height)
    const rest = withHeight({ ...row, cells: lower }, lowerEdge)
    for (const [index, cell] of rest.cells.entries()) cell.spanHeight += beyond[index] ?? 0
    const second = new RowSlice(rest, lines, order)
    second.stick = this.stick
    if (this.repeat) second.repeat = this.repeat
    return [first, second]
  }
}

/** A cell, and its slices above and below the cut. */
interface CutCell {
  cell: CellBox
  taken: Slice[]
  rest: Slice[]
}

function isEmptied({ cell, taken }: CutCell): boolean {
  return taken.length === 0 && cell.slices.length > 0 && cell.merge !== 'continue'
}

function withHeight(row: RowBox, lowerEdge: number): RowBox {
  row.height = thickest(row.above) + lowerEdge
  let content = 0
  for (const cell of row.cells) content = Math.max(content, cell.contentHeight + cell.margins.top + cell.margins.bottom)
  row.height += content
  for (const cell of row.cells) cell.spanHeight = row.height
  return row
}

function heightOf(slices: readonly Slice[], cell: CellBox): number {
  let height = 0
  for (const slice of slices) height += slice.before + slice.height
  return Math.max(height, floatsReach(slices, cell))
}

/**
 * In a cell, the space above a paragraph also applies to the part that continues on another page. The slices are
 * copied, not changed: the row around a nested row may turn out not to be cut.
 */
function begunAnew(slices: readonly Slice[]): Slice[] {
  const [first, ...others] = slices
  if (!first) return []
  const before = first.beforeAtTop ?? first.before
  return [first instanceof RowSlice ? first.withSpaceAbove(before) : { ...first, before }, ...others]
}

/**
 * The leading slices that fit. In a row that may be cut, Word keeps neither lines nor paragraphs together; a forced cut
 * also cuts the rows of a nested table.
 */
function takeSlices(cell: CellBox, available: number, cut: Cut): { taken: Slice[]; rest: Slice[] } {
  const { slices } = cell
  const room = available - cell.margins.top - cell.margins.bottom
  let height = 0
  let count = 0
  for (const slice of slices) {
    if (height + slice.before + slice.height - (slice.slack ?? 0) > room) {
      const parts = slice.split?.(room - height - slice.before, cut)
      if (!parts) break
      parts[0].before = slice.before
      return { taken: [...slices.slice(0, count), parts[0]], rest: [parts[1], ...slices.slice(count + 1)] }
    }
    height += slice.before + slice.height
    count++
  }
  return { taken: slices.slice(0, count), rest: slices.slice(count) }
}

function buildRow(row: RowBox, lines: GridLines, order: RowOrder): Frame[] {
  const frames: Frame[] = []
  for (const { background, x, width } of row.cells) {
    if (background) frames.push({ kind: 'box', x, y: 0, width, height: row.height, color: background })
  }
  for (const cell of row.cells) drawCell(frames, row, cell)
  drawHorizontal(frames, row.above, lines, 0)
  drawVertical(frames, row, lines)
  const lowerEdge = row.cells.reduce((most, cell) => Math.max(most, cell.lowerEdge), 0)
  if (order === 'last') drawHorizontal(frames, row.below, lines, row.height - lowerEdge)
  return frames
}

function drawCell(frames: Frame[], row: RowBox, cell: CellBox): void {
  const top = thickest(row.above)
  const room = cell.spanHeight - cell.lowerEdge - top - cell.margins.top - cell.margins.bottom
  const free = Math.max(0, room - cell.contentHeight)
  const start = top + cell.margins.top
  const left = cell.x + cell.margins.left
  let y = start + (cell.vertical === 'center' ? free / 2 : cell.vertical === 'bottom' ? free : 0)
  const overflows = row.exact && cell.contentHeight > room + 0.5
  const content = overflows ? [] : frames
  const first = content.length
  const lastSlice = cell.slices.at(-1)
  for (const slice of cell.slices) {
    y += slice.before
    if (row.exact && y > cell.spanHeight) break
    moveFrames(slice.frames, left, y)
    for (const frame of slice.frames) content.push(frame)
    for (const object of slice.anchors ?? []) {
      const at = placeInCell(object, cell, y - start - (slice.lead ?? 0), cell.spanHeight)
      moveFrames(object.frames, left + at.x, start + at.y)
      if (object.anchor.behind) content.splice(first, 0, ...object.frames)
      else content.push(...object.frames)
    }
    if (slice === lastSlice && slice.closing) {
      moveFrames(slice.closing, left, y)
      content.push(...slice.closing)
    }
    y += slice.height
  }
  if (overflows)
    frames.push({ kind: 'clip', x: cell.x, y: 0, width: cell.width, height: cell.spanHeight, frames: content })
}

/** Neighbouring edges of one look become one stroke. */
function drawHorizontal(
  frames: Frame[],
  borders: readonly (Border | undefined)[],
  { edges, x }: GridLines,
  y: number,
): void {
  let from = 0
  while (from < borders.length) {
    const border = borders[from]
    let to = from + 1
    while (to < borders.length && sameBorder(borders[to], border)) to++
    if (border) {
      const at = y + extentOf(border) / 2
      const [one, other] = [edges[from] ?? 0, edges[to] ?? 0]
      const left = x + Math.min(one, other) - border.width / 2
      const right = x + Math.max(one, other) + border.width / 2
      drawEdge(frames, border, { x1: left, y1: at, x2: right, y2: at })
    }
    from = to
  }
}

function sameBorder(a: Border | undefined, b: Border | undefined): boolean {
  return (
    a === b || (a !== undefined && b !== undefined && a.style === b.style && a.width === b.width && a.color === b.color)
  )
}

function drawVertical(frames: Frame[], { vertical, height }: RowBox, { edges, x }: GridLines): void {
  for (let line = 0; line < vertical.length; line++) {
    const border = vertical[line]
    const at = x + (edges[line] ?? 0)
    if (border) drawEdge(frames, border, { x1: at, y1: 0, x2: at, y2: height })
  }
}
