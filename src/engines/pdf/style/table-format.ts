import type { Borders, CellProps, ParagraphProps, RowProps, RunProps, TableProps } from '../model/properties.ts'

/**
 * The properties that a table style gives to the paragraphs and runs in a cell; one object per combination of
 * conditions. Run toggles combine with those of the paragraph (17.7.3).
 */
export interface CellInheritance {
  paragraph: ParagraphProps
  run: RunProps
  /** The cell's shading by its style and table; undefined if it is automatic. */
  background: string | undefined
  /** The table names a style of its own. */
  ofStyle: boolean
}

export interface CellFormat {
  props: CellProps
  row: RowProps
  inheritance: CellInheritance
  /** Borders that the style's conditions set for the cell's own edges; the table's come from `TableFormat`. */
  borders: Borders
}

export interface TableFormat {
  props: TableProps
  /** The formats a cell at that place gets from the table style and its own properties. */
  cell(row: number, column: number, size: TableSize, own: CellProps): CellFormat
}

export interface TableSize {
  rowCount: number
  /** See `headRows`. */
  heads: number
  columns: number
}
