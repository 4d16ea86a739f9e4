import { limits } from '../../../../core/limits.ts'
import type { RichCell, RichTable } from './model.ts'

export interface PlacedCell {
  cell: RichCell
  /** Below a cell that spans rows; Word wants a cell there that says so. */
  isContinued: boolean
}

/** Rows of cells, with the columns that cells spanning rows from above take in them. Stops after a row with too many columns. */
export function layOutCells(table: RichTable): PlacedCell[][] {
  let hanging = new Map<number, { cell: RichCell; left: number }>()
  const rows: PlacedCell[][] = []
  for (const row of table.rows) {
    if (row.length === 0) continue
    const placed: PlacedCell[] = []
    const next: typeof hanging = new Map()
    let column = 0
    const takeHanging = () => {
      for (let found = hanging.get(column); found !== undefined; found = hanging.get(column)) {
        placed.push({ cell: found.cell, isContinued: true })
        if (found.left > 1) next.set(column, { cell: found.cell, left: found.left - 1 })
        column += found.cell.columns
      }
    }
    for (const cell of row) {
      takeHanging()
      placed.push({ cell, isContinued: false })
      if (cell.rows > 1) next.set(column, { cell, left: cell.rows - 1 })
      column += cell.columns
    }
    takeHanging()
    hanging = next
    rows.push(placed)
    if (column > limits.richTextColumns) break
  }
  return rows
}
