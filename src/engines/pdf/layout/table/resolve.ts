import { stronger } from './borders.ts'
import { type CellBox, type RowBox, thickest } from './boxes.ts'
import type { Grid } from './grid.ts'

/** Decides every shared edge once: horizontal ones by grid column, vertical ones by grid line. */
export function resolveBorders(rows: readonly RowBox[], grid: Grid): void {
  const columns = grid.columns
  let over: (CellBox | undefined)[] = new Array(columns).fill(undefined)
  for (const [index, row] of rows.entries()) {
    const own: (CellBox | undefined)[] = new Array(columns).fill(undefined)
    row.vertical = new Array(columns + 1).fill(undefined)
    for (const cell of row.cells) {
      const end = Math.min(cell.column + cell.span, columns)
      for (let column = cell.column; column < end; column++) own[column] = cell
      row.vertical[cell.column] = stronger(row.vertical[cell.column], cell.edges.left)
      row.vertical[end] = stronger(row.vertical[end], cell.edges.right)
    }
    for (let column = 0; column < columns; column++) {
      const cell = own[column]
      const upper = index === 0 ? undefined : over[column]?.edges.bottom
      row.above.push(cell?.merge === 'continue' ? undefined : stronger(upper, cell?.edges.top))
      row.below.push(stronger(cell?.edges.bottom, undefined))
    }
    over = own
  }
}

/** Gives rows and merged cells their heights. Tables that follow each other share the border between them. */
export function resolveHeights(rows: readonly RowBox[], below: 'another table' | 'text'): void {
  const lowerEdge = below === 'another table' ? 0 : thickest(rows.at(-1)?.below ?? [])
  for (const [index, row] of rows.entries()) {
    const top = thickest(row.above)
    let needed = 0
    for (const cell of row.cells) {
      const ends = !continues(rows, index, cell)
      if (cell.merge === 'start' && !ends) continue
      if (cell.merge === 'continue') {
        if (ends) needed = Math.max(needed, mergedRest(rows, index, cell))
        continue
      }
      needed = Math.max(needed, cell.contentHeight + cell.margins.top + cell.margins.bottom)
    }
    // The border above a row's own cells adds to its stated minimum height; what a thicker border of the row above
    // needs is part of that minimum. The last row also holds the table's lower edge.
    const ending = index === rows.length - 1 ? lowerEdge : 0
    const ownTop = thickest(row.cells.map((cell) => (cell.merge === 'continue' ? undefined : cell.edges.top)))
    const least = (row.stated ?? 0) + ownTop
    const height = row.exact ? Math.max(1, row.stated ?? needed) : Math.max(needed + top, least, 1)
    row.height = height + ending
  }
  for (const [index, row] of rows.entries()) {
    for (const cell of row.cells) {
      cell.spanHeight = row.height
      let last = index
      if (cell.merge === 'start') {
        while (continues(rows, last, cell)) cell.spanHeight += rows[++last]?.height ?? 0
      }
      if (last === rows.length - 1) cell.lowerEdge = lowerEdge
    }
  }
}

function cellAt(row: RowBox | undefined, column: number): CellBox | undefined {
  return row?.cells.find((cell) => cell.column === column)
}

function continues(rows: readonly RowBox[], index: number, cell: CellBox): boolean {
  return cell.merge !== undefined && cellAt(rows[index + 1], cell.column)?.merge === 'continue'
}

/** The height that a vertically merged cell still needs in its last row. */
function mergedRest(rows: readonly RowBox[], index: number, cell: CellBox): number {
  let above = 0
  for (let at = index - 1; at >= 0; at--) {
    const row = rows[at]
    above += row?.height ?? 0
    const start = cellAt(row, cell.column)
    if (start?.merge === 'continue') continue
    return start ? start.contentHeight + start.margins.top + start.margins.bottom - above : 0
  }
  return 0
}
