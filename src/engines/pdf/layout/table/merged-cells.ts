import type { Slice } from '../slice.ts'
import type { CellBox, RowBox } from './table.ts'

/**
 * Gives the lines of vertically merged cells to the rows that they stand beside, so that they go over to another page
 * with those. Rows have their heights, and `above` says what the borders over each row take.
 */
export function spreadMerged(rows: readonly RowBox[], above: (row: RowBox) => number): void {
  for (const [index, row] of rows.entries()) {
    for (const cell of row.cells) if (cell.merge === 'start' && cell.slices.length > 0) spread(rows, index, cell, above)
  }
}

function spread(rows: readonly RowBox[], index: number, cell: CellBox, above: (row: RowBox) => number): void {
  const { slices } = cell
  const own: Slice[] = []
  let at = index
  let part = cell
  let top = 0
  let bottom = rows[index]!.height
  let y = above(rows[index]!) + cell.margins.top + shiftOf(cell, above(rows[index]!))
  for (const slice of slices) {
    y += slice.before
    for (;;) {
      const below = y < bottom ? undefined : continuation(rows[at + 1], cell)
      if (!below) break
      top = bottom
      bottom += rows[++at]!.height
      part = below
    }
    if (part === cell) own.push(slice)
    else {
      if (part.slices.length === 0) {
        part.margins = { ...part.margins, left: cell.margins.left, right: cell.margins.right }
        part.vertical = 'top'
        slice.before = y - top - above(rows[at]!) - part.margins.top
      }
      part.slices.push(slice)
    }
    y += slice.height
  }
  cell.slices = own
}

/**
 * Gives the rows beside a vertically merged cell their parts of its background, which so ends where they do on a page;
 * what they state themselves counts for nothing.
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

/** How far a cell's content stands below its top, by its alignment. */
function shiftOf({ vertical, spanHeight, lowerEdge, margins, contentHeight }: CellBox, above: number): number {
  const free = Math.max(0, spanHeight - lowerEdge - above - margins.top - margins.bottom - contentHeight)
  return vertical === 'center' ? free / 2 : vertical === 'bottom' ? free : 0
}

function continuation(row: RowBox | undefined, { column }: CellBox): CellBox | undefined {
  const below = row?.cells.find((candidate) => candidate.column === column)
  return below?.merge === 'continue' ? below : undefined
}
