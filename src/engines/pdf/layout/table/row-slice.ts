import { type Frame, moveFrames } from '../../frame/frame.ts'
import type { Border } from '../../model/properties.ts'
import { edge, extentOf } from '../paragraph/border.ts'
import type { Slice } from '../slice.ts'
import { floatsReach, placeInCell } from './cell-floats.ts'
import type { CellBox, RowBox } from './table.ts'

/** A row on its way to a page. Its frames are made when it is placed, so that it can still be cut in two before. */
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
    private readonly edges: readonly number[],
    private readonly x: number,
    private readonly last: boolean,
  ) {
    this.height = row.height
    const lower = horizontalFrames(row.below, edges, x, row.height)
    if (!last && lower.length > 0) {
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
    this.built ??= buildRow(this.row, this.edges, this.x, this.last)
    return this.built
  }

  split(available: number, force = false): [Slice, Slice] | undefined {
    const { row } = this
    if (row.exact || (!row.mayBreak && !force)) return undefined
    const room = available - thickest(row.above) - thickest(row.below)
    const parts: { taken: Slice[]; rest: Slice[] }[] = []
    let stays = false
    let remains = false
    for (const cell of row.cells) {
      const { taken, rest } = takeSlices(cell, room, force)
      if (taken.length === 0 && cell.slices.length > 0 && cell.merge !== 'continue' && !force) return undefined
      if (taken.length > 0) stays = true
      if (rest.length > 0) remains = true
      parts.push({ taken, rest })
    }
    if (!remains || !stays) return undefined
    const upper: CellBox[] = []
    const lower: CellBox[] = []
    for (const [index, cell] of row.cells.entries()) {
      const { taken, rest } = parts[index]!
      // What a cell has below its last line it has where that line stands.
      const below = Math.max(0, cell.contentHeight - heightOf(cell.slices, cell))
      const ends = rest.length === 0
      if (taken.length > 0) beginAnew(rest[0])
      const vertical = cell.merge === undefined ? cell.vertical : 'top'
      const [above, under] = [heightOf(taken, cell), heightOf(rest, cell)]
      upper.push({ ...cell, slices: taken, contentHeight: ends ? above + below : above, vertical, lowerEdge: 0 })
      lower.push({ ...cell, slices: rest, contentHeight: ends ? 0 : under + below, vertical })
    }
    const first = new RowSlice(withHeight({ ...row, cells: upper }, 0), this.edges, this.x, false)
    const lowerEdge = this.last ? thickest(row.below) : 0
    const rest = withHeight({ ...row, cells: lower }, lowerEdge)
    for (const [index, cell] of rest.cells.entries()) cell.spanHeight += row.cells[index]!.spanHeight - row.height
    const second = new RowSlice(rest, this.edges, this.x, this.last)
    second.stick = this.stick
    if (this.repeat) second.repeat = this.repeat
    return [first, second]
  }
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

/** In a cell the space above a paragraph stands above that part of it, too, which goes over to another page. */
function beginAnew(slice: Slice | undefined): void {
  if (slice?.beforeAtTop !== undefined) slice.before = slice.beforeAtTop
}

/**
 * The leading slices that fit. In a row that may be cut, Word keeps neither lines nor paragraphs together; by force the
 * rows of a nested table are cut, too.
 */
function takeSlices(cell: CellBox, available: number, force: boolean): { taken: Slice[]; rest: Slice[] } {
  const { slices } = cell
  const room = available - cell.margins.top - cell.margins.bottom
  let height = 0
  let count = 0
  for (const slice of slices) {
    if (height + slice.before + slice.height - (slice.slack ?? 0) > room) {
      const parts = slice.split?.(room - height - slice.before, force)
      if (!parts) break
      parts[0].before = slice.before
      return { taken: [...slices.slice(0, count), parts[0]], rest: [parts[1], ...slices.slice(count + 1)] }
    }
    height += slice.before + slice.height
    count++
  }
  return { taken: slices.slice(0, count), rest: slices.slice(count) }
}

function buildRow(row: RowBox, edges: readonly number[], x: number, last: boolean): Frame[] {
  const frames: Frame[] = []
  const top = thickest(row.above)
  for (const cell of row.cells) {
    if (cell.background) {
      frames.push({ kind: 'box', x: cell.x, y: 0, width: cell.width, height: row.height, color: cell.background })
    }
  }
  for (const cell of row.cells) {
    const room = cell.spanHeight - cell.lowerEdge - top - cell.margins.top - cell.margins.bottom
    const free = Math.max(0, room - cell.contentHeight)
    const start = top + cell.margins.top
    let y = start + (cell.vertical === 'center' ? free / 2 : cell.vertical === 'bottom' ? free : 0)
    const content: Frame[] = []
    const lastSlice = cell.slices.at(-1)
    for (const slice of cell.slices) {
      y += slice.before
      if (row.exact && y > cell.spanHeight) break
      moveFrames(slice.frames, cell.x + cell.margins.left, y)
      content.push(...slice.frames)
      for (const object of slice.anchors ?? []) {
        const at = placeInCell(object, cell, y - start - (slice.lead ?? 0), cell.spanHeight)
        moveFrames(object.frames, cell.x + cell.margins.left + at.x, start + at.y)
        if (object.anchor.behind) content.unshift(...object.frames)
        else content.push(...object.frames)
      }
      if (slice === lastSlice && slice.closing) {
        moveFrames(slice.closing, cell.x + cell.margins.left, y)
        content.push(...slice.closing)
      }
      y += slice.height
    }
    if (row.exact && cell.contentHeight > room + 0.5) {
      frames.push({ kind: 'clip', x: cell.x, y: 0, width: cell.width, height: cell.spanHeight, frames: content })
    } else frames.push(...content)
  }
  frames.push(...horizontalFrames(row.above, edges, x, 0), ...verticalFrames(row, edges, x))
  const lowerEdge = row.cells.reduce((most, cell) => Math.max(most, cell.lowerEdge), 0)
  if (last) frames.push(...horizontalFrames(row.below, edges, x, row.height - lowerEdge))
  return frames
}

/** Neighbouring edges of one look become one stroke. */
function horizontalFrames(
  borders: readonly (Border | undefined)[],
  edges: readonly number[],
  x: number,
  y: number,
): Frame[] {
  const frames: Frame[] = []
  let from = 0
  while (from < borders.length) {
    const border = borders[from]
    let to = from + 1
    while (to < borders.length && sameBorder(borders[to], border)) to++
    if (border) {
      const at = y + extentOf(border) / 2
      const left = x + Math.min(edges[from]!, edges[to]!) - border.width / 2
      const right = x + Math.max(edges[from]!, edges[to]!) + border.width / 2
      frames.push(...edge(border, left, at, right, at))
    }
    from = to
  }
  return frames
}

function sameBorder(a: Border | undefined, b: Border | undefined): boolean {
  return (
    a === b || (a !== undefined && b !== undefined && a.style === b.style && a.width === b.width && a.color === b.color)
  )
}

function verticalFrames(row: RowBox, edges: readonly number[], x: number): Frame[] {
  const frames: Frame[] = []
  for (const [line, border] of row.vertical.entries()) {
    if (border) frames.push(...edge(border, x + edges[line]!, 0, x + edges[line]!, row.height))
  }
  return frames
}

/** The greatest extent among borders, in points. */
export function thickest(borders: readonly (Border | undefined)[]): number {
  let width = 0
  for (const border of borders) if (border && extentOf(border) > width) width = extentOf(border)
  return width
}
