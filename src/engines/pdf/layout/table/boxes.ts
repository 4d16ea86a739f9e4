import type { Border, CellProps, Edge } from '../../model/properties.ts'
import { extentOf } from '../paragraph/border.ts'
import type { Slice } from '../slice.ts'
import type { CellEdges } from './borders.ts'
import type { SidewaysCell } from './sideways.ts'

/** One cell laid out: its content as slices, and what is drawn around them. */
export interface CellBox {
  column: number
  span: number
  x: number
  width: number
  margins: Record<Edge, number>
  slices: Slice[]
  contentHeight: number
  background: string | undefined
  vertical: 'top' | 'center' | 'bottom'
  /** Content that is laid out once the height of the row's other cells is known. */
  sideways: SidewaysCell | undefined
  merge: CellProps['merge']
  edges: CellEdges
  /** Height over all rows that the cell is merged with. */
  spanHeight: number
  /** The part of it that the table's lower edge takes. */
  lowerEdge: number
}

export interface RowBox {
  cells: CellBox[]
  /** Borders above and below, by grid column, and the vertical ones at each grid line. */
  above: (Border | undefined)[]
  below: (Border | undefined)[]
  vertical: (Border | undefined)[]
  height: number
  /** The height that the document states for the row. */
  stated: number | undefined
  exact: boolean
  mayBreak: boolean
}

/** The lines of a table's grid, from its left, and where that is. */
export interface GridLines {
  readonly edges: readonly number[]
  readonly x: number
}

/** The greatest extent among borders, in points. */
export function thickest(borders: readonly (Border | undefined)[]): number {
  let width = 0
  for (const border of borders) if (border && extentOf(border) > width) width = extentOf(border)
  return width
}
