import { limits } from '../../../../core/limits.ts'
import type { Cell, Row, Table } from '../../model/document.ts'
import type { TableSize } from '../../style/table-format.ts'
import { headRows } from '../../style/table-style.ts'
import type { Context } from '../context.ts'

/** A cell with its place on the grid. */
export interface GridCell {
  readonly source: Cell
  readonly row: number
  readonly column: number
  readonly span: number
}

export interface GridRow {
  readonly source: Row
  readonly index: number
  readonly cells: readonly GridCell[]
}

export interface Grid extends TableSize {
  readonly rows: readonly GridRow[]
}

/** Places every cell on the grid, by spans and skipped columns. */
export function placeCells(context: Context, table: Table): Grid {
  let columns = table.grid.length
  const rows = table.rows.map((row, index): GridRow => {
    let column = Math.max(0, row.props.before ?? 0)
    const cells: GridCell[] = []
    for (const source of row.cells) {
      if (column >= limits.renderTableColumns) {
        context.report.add(
          'render.table_wide',
          `A table has more than ${limits.renderTableColumns} columns; the ones beyond are left out.`,
          undefined,
          'Split the table.',
        )
        break
      }
      const span = Math.min(source.props.span ?? 1, limits.renderTableColumns - column)
      cells.push({ source, row: index, column, span })
      column += span
    }
    columns = Math.max(columns, column)
    return { source: row, index, cells }
  })
  return {
    columns: Math.max(1, Math.min(limits.renderTableColumns, columns)),
    rowCount: rows.length,
    heads: headRows(table),
    rows,
  }
}
