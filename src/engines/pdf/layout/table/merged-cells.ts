import type { Slice } from '../slice.ts'
import { type CellBox, type RowBox, thickest } from './boxes.ts'

/**
 * Gives the lines of vertically merged cells to the rows beside them, so that they continue on another page with those
 * rows. Rows have their heights by now.
 */
export function spreadMerged(rows: readonly RowBox[]): void {
  for (const [index, row] of rows.entries()) {
    for (const cell of row.cells) if (cell.merge === 'start' && cell.slices.length > 0) spread(rows, index, cell)
  }
}

function spread(rows: readonly RowBox[], index: number, cell: CellBox): void {
  const own: Slice[] = []
  let at = index
  let part = cell
  let above = thickest(rows[index]?.above ?? [])
  let top = 0
  let bottom = rows[index]?.height ?? 0
  let y = above + cell.margins.top + shiftOf(cell, above)
  for (const slice of cell.slices) {
    y += slice.before
    for (;;) {
      const row = rows[at + 1]
      const below = y < bottom ? undefined : continuation(row, cell)
      if (!row || !below) break
      at++
      top = bottom
      bottom += row.height
      above = thickest(row.above)
      part = below
    }
    if (part === cell) own.push(slice)
    else {
      if (part.slices.length === 0) {
        part.margins = { ...part.margins, left: cell.margins.left, right: cell.margins.right }
        part.vertical = 'top'
        slice.before = y - top - above - part.margins.top
      }
      part.slices.push(slice)
    }
    y += slice.height
  }
  cell.slices = own
}

/**
 * Gives the rows beside a vertically merged cell their parts of its background, so that it breaks across pages with
 * them. The backgrounds of continuing cells are ignored.
 */
export function spreadBackgrounds(rows: readonly RowBox[]): void {
  for (const [index, row] of rows.entries()) {
    for (const cell of row.cells) {
      if (cell.merge !== 'continue') continue
      const over = rows[index - 1]?.cells.find((candidate) => candidate.column === cell.column)
      cell.background = over?.merge === undefined ? undefined : over.background
    }
  }
}

/** How far a cell's content is below its top, by its alignment. */
function shiftOf({ vertical, spanHeight, lowerEdge, margins, contentHeight }: CellBox, above: number): number {
  const free = Math.max(0, spanHeight - lowerEdge - above - margins.top - margins.bottom - contentHeight)
  return vertical === 'center' ? free / 2 : vertical === 'bottom' ? free : 0
}

function continuation(row: RowBox | undefined, { column }: CellBox): CellBox | undefined {
  const below = row?.cells.find((candidate) => candidate.column === column)
  return below?.merge === 'continue' ? below : undefined
}
