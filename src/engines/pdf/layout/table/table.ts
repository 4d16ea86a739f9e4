import type { StructureNode } from '../../frame/frame.ts'
import type { Row, Table } from '../../model/document.ts'
import type { Border, CellProps, Edge, TableProps } from '../../model/properties.ts'
import type { CellInheritance } from '../../style/cascade.ts'
import { resolveTable, type TableFormat } from '../../style/table-style.ts'
import { addNode, type Context } from '../context.ts'
import { extentOf } from '../paragraph/border.ts'
import type { BlockBox, Slice } from '../slice.ts'
import type { StackPlace } from '../stack.ts'
import { type CellEdges, cellEdges, stronger } from './borders.ts'
import { spreadBackgrounds, spreadMerged } from './merged-cells.ts'
import { RowSlice, thickest } from './row-slice.ts'
import { layoutSideways, type SidewaysCell } from './sideways.ts'
import { columnWidths, type Grid, type GridCell, placeCells } from './widths.ts'

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
  /** What is laid out as soon as the height of the row's other cells is known. */
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
  exact: boolean
  mayBreak: boolean
}

/** Lays out a table into one slice a row (17.4). */
export function layoutTable(context: Context, table: Table, place: StackPlace): BlockBox {
  const format = resolveTable(table, context.cascade)
  const grid = placeCells(context, table)
  const base = cellMargins(format.props)
  const inheritanceOf = (cell: GridCell) =>
    format.cell(cell.row, cell.column, grid, table.rows[cell.row]!.cells[cell.index]!.props).inheritance
  const padding = base.left + base.right
  // Where the text of the outer columns stands at the margins, the table is wider than the text by their padding.
  const room = place.width + (hangs(context, table, place) ? padding : 0)
  const widths = columnWidths(context, table, format.props, grid, room, padding, inheritanceOf)
  let edges = [0]
  for (const width of widths) edges.push(edges.at(-1)! + width)
  const total = edges.at(-1)!
  const outer = outerBorders(table, format)
  let x = tableLeft(
    format,
    total,
    place,
    hangs(context, table, place) ? -clearOf(base, outer).left : halfOf(outer.left),
  )
  if (format.props.bidi) {
    // The first column is the rightmost: grid lines and the table's own place are measured from the right (17.4.1).
    edges = edges.map((line) => total - line)
    x = place.width - x - total
  }
  const node = addNode(context, { type: 'Table', parent: place.parent, placement: 'Block' })
  const rows = grid.rows.map((cells, index) =>
    layoutRow(context, table, format, grid, cells, index, edges, x, outer, node, place),
  )
  resolveBorders(rows, grid)
  resolveHeights(table, rows, place.followed === true)
  spreadMerged(rows, (row) => thickest(row.above))
  spreadBackgrounds(rows)
  return { ...boxOf(context, table, format, grid, rows, edges, x) }
}

/** A row's exceptions take the place of what they name, each edge by itself. */
function withExceptions(props: TableProps, { exceptions }: Row): TableProps {
  if (!exceptions) return props
  return {
    ...props,
    ...(exceptions.borders ? { borders: { ...props.borders, ...exceptions.borders } } : {}),
    ...(exceptions.cellMargins ? { cellMargins: { ...props.cellMargins, ...exceptions.cellMargins } } : {}),
    ...(exceptions.shading === undefined ? {} : { shading: exceptions.shading }),
  }
}

function cellMargins(props: TableProps): Record<Edge, number> {
  const stated = props.cellMargins ?? {}
  return { top: stated.top ?? 0, bottom: stated.bottom ?? 0, left: stated.left ?? 5.4, right: stated.right ?? 5.4 }
}

interface OuterBorders {
  left: Border | undefined
  right: Border | undefined
}

/** The borders beside the table's first cell, which decide how far all of its text keeps from the grid. */
function outerBorders(table: Table, { props }: TableFormat): OuterBorders {
  const own = table.rows[0]?.cells[0]?.props.borders
  return { left: own?.left ?? props.borders?.left, right: own?.right ?? props.borders?.right }
}

/**
 * Word measures the margins of a cell from the middle of its borders: they hold the half that is inside, and only a
 * border that needs more pushes the text away; on the right what the left one left of both margins.
 */
function clearOf(margins: Record<Edge, number>, { left, right }: OuterBorders): Record<Edge, number> {
  const clear = Math.max(halfOf(left), margins.left)
  return { ...margins, left: clear, right: Math.max(clear + halfOf(right), margins.left + margins.right) - clear }
}

/** Where the grid begins: the indent is that of the border's outer edge, or of the text where that hangs. */
function tableLeft(format: TableFormat, width: number, place: StackPlace, shift: number): number {
  if (format.props.align === 'center') return (place.width - width) / 2
  if (format.props.align === 'right') return place.width - width
  const indent = format.props.indent ?? 0
  return (place.cell === undefined ? indent : Math.max(0, indent)) + shift
}

/**
 * Before Word 2013 the text of an outer table's first column stood at the margin, since then the table's edge does.
 * Where a document names no version, LibreOffice lets the edge stand there too, except of tables that float at a distance.
 */
function hangs(context: Context, table: Table, place: StackPlace): boolean {
  const { compatibility } = context.model.settings
  return (compatibility > 0 || table.props.placed === true) && compatibility < 15 && place.cell === undefined
}

function layoutRow(
  context: Context,
  table: Table,
  format: TableFormat,
  grid: Grid,
  cells: readonly GridCell[],
  index: number,
  edges: readonly number[],
  x: number,
  outer: OuterBorders,
  tableNode: number,
  place: StackPlace,
): RowBox {
  const row = table.rows[index]!
  const rowNode = addNode(context, { type: 'TR', parent: tableNode })
  const tableProps = withExceptions(format.props, row)
  const margins = clearOf(cellMargins(tableProps), outer)
  const lastRow = index === table.rows.length - 1
  const start = cells[0]?.column ?? 0
  addGap(context, rowNode, start)
  const boxes = cells.map((cell): CellBox => {
    context.held.cell()
    const source = row.cells[cell.index]!
    const cellFormat = format.cell(index, cell.column, grid, source.props)
    const { props } = cellFormat
    const node = props.merge === 'continue' ? -1 : addNode(context, cellNode(table, grid, cell, rowNode))
    const first = edges[cell.column]!
    const last = edges[Math.min(cell.column + cell.span, grid.columns)]!
    const left = Math.min(first, last)
    const right = Math.max(first, last)
    const borders = cellEdges(source.props.borders, cellFormat.borders, tableProps, {
      top: index === 0,
      bottom: lastRow,
      left: cell.column === 0,
      right: cell.column + cell.span >= grid.columns,
    })
    const stated = props.margins ? { ...margins, ...props.margins } : margins
    const inset = format.props.bidi ? { ...stated, left: stated.right, right: stated.left } : stated
    const shading = props.shading ?? tableProps.shading
    const background = shading === 'auto' ? undefined : shading
    const width = right - left
    const inner = Math.max(2, width - inset.left - inset.right)
    const inheritance: CellInheritance = cellFormat.inheritance
    const sideways: SidewaysCell | undefined = props.direction && {
      blocks: source.blocks,
      direction: props.direction,
      align: props.vertical ?? 'top',
      width: inner,
      node,
      inheritance,
      background: background ?? place.background,
    }
    const content =
      props.merge === 'continue' || sideways
        ? { slices: [], height: 0 }
        : context.inner.stack(context, source.blocks, {
            width: inner,
            parent: node,
            cell: inheritance,
            background: background ?? place.background,
            room: { width, margins: inset },
          })
    return {
      column: cell.column,
      span: cell.span,
      x: x + left,
      width,
      margins: inset,
      slices: content.slices,
      contentHeight: content.height,
      background,
      vertical: sideways === undefined ? (props.vertical ?? 'top') : sideways.direction === 'up' ? 'bottom' : 'top',
      sideways: props.merge === 'continue' ? undefined : sideways,
      merge: props.merge,
      edges: borders,
      spanHeight: 0,
      lowerEdge: 0,
    }
  })
  turnCells(context, row, boxes)
  const end = cells.at(-1)
  addGap(context, rowNode, grid.columns - (end ? end.column + end.span : start))
  // The largest margins above and below count for all cells of a row, so that their first lines are level.
  const top = Math.max(0, ...boxes.map((box) => box.margins.top))
  const bottom = Math.max(0, ...boxes.map((box) => box.margins.bottom))
  for (const box of boxes) box.margins = { ...box.margins, top, bottom }
  return {
    cells: boxes,
    above: [],
    below: [],
    vertical: [],
    height: 0,
    exact: row.props.heightRule === 'exact',
    mayBreak: row.props.cantSplit !== true,
  }
}

/** Lays out what is turned once it is known how high the other cells make the row. */
function turnCells(context: Context, { props }: Row, cells: readonly CellBox[]): void {
  if (!cells.some((cell) => cell.sideways)) return
  let least = props.height ?? 0
  for (const cell of cells) {
    if (cell.merge !== 'start') least = Math.max(least, cell.contentHeight + cell.margins.top + cell.margins.bottom)
  }
  for (const cell of cells) {
    if (!cell.sideways) continue
    const inset = cell.margins.top + cell.margins.bottom
    const exact = props.heightRule === 'exact' ? Math.max(8, (props.height ?? 0) - inset) : undefined
    const { slices, height } = layoutSideways(context, cell.sideways, least - inset, exact)
    cell.slices = slices
    cell.contentHeight = height
  }
}

/** Columns that a row leaves out at its sides are an empty cell to readers, to whom all rows are equally long (ISO 14289-1, 7.5). */
function addGap(context: Context, row: number, columns: number): void {
  if (columns <= 0) return
  addNode(context, { type: 'TD', parent: row, ...(columns > 1 ? { columnSpan: columns } : {}) })
}

function halfOf(border: Border | undefined): number {
  return border && border.width > 0 && border.style !== 'none' ? extentOf(border) / 2 : 0
}

function cellNode(table: Table, grid: Grid, cell: GridCell, parent: number): StructureNode {
  const { props, cells } = table.rows[cell.row]!
  const node: StructureNode = { type: props.header ? 'TH' : 'TD', parent }
  if (props.header) node.scope = 'Column'
  if (cell.span > 1) node.columnSpan = cell.span
  const rowSpan = cells[cell.index]!.props.merge === 'start' ? rowSpanOf(table, grid, cell) : 1
  if (rowSpan > 1) node.rowSpan = rowSpan
  return node
}

function rowSpanOf(table: Table, grid: Grid, cell: GridCell): number {
  let span = 1
  for (let row = cell.row + 1; row < grid.rows.length; row++) {
    const below = grid.rows[row]!.find((candidate) => candidate.column === cell.column)
    if (!below || table.rows[row]!.cells[below.index]!.props.merge !== 'continue') break
    span++
  }
  return span
}

/** Decides every shared edge once: horizontal ones by grid column, vertical ones by grid line. */
function resolveBorders(rows: readonly RowBox[], grid: Grid): void {
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
    row.above = own.map((cell, column) => {
      if (cell?.merge === 'continue') return undefined
      return index === 0 ? stronger(cell?.edges.top, undefined) : stronger(over[column]?.edges.bottom, cell?.edges.top)
    })
    row.below = own.map((cell) => stronger(cell?.edges.bottom, undefined))
    over = own
  }
}

function resolveHeights(table: Table, rows: readonly RowBox[], followed: boolean): void {
  // Tables that follow each other share the border between them.
  const lowerEdge = followed ? 0 : thickest(rows.at(-1)?.below ?? [])
  for (const [index, row] of rows.entries()) {
    const { props } = table.rows[index]!
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
    // The border that its own cells have above comes on top of what a row is said to be at least, and the table's last
    // one ends it. What a thicker border of the row before takes is part of that.
    const ending = index === rows.length - 1 ? lowerEdge : 0
    const ownTop = thickest(row.cells.map((cell) => (cell.merge === 'continue' ? undefined : cell.edges.top)))
    const least = (props.height ?? 0) + ownTop
    const height = row.exact ? Math.max(1, props.height ?? needed) : Math.max(needed + top, least, 1)
    row.height = height + ending
  }
  for (const [index, row] of rows.entries()) {
    for (const cell of row.cells) {
      cell.spanHeight = row.height
      let last = index
      if (cell.merge === 'start') {
        while (last + 1 < rows.length && continues(rows, last, cell)) cell.spanHeight += rows[++last]!.height
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

/** What a vertically merged cell still needs in its last row, after the rows above it. */
function mergedRest(rows: readonly RowBox[], index: number, cell: CellBox): number {
  let above = 0
  for (let row = index - 1; row >= 0; row--) {
    above += rows[row]!.height
    const start = cellAt(rows[row], cell.column)
    if (start?.merge === 'continue') continue
    return start ? start.contentHeight + start.margins.top + start.margins.bottom - above : 0
  }
  return 0
}

function boxOf(
  context: Context,
  table: Table,
  format: TableFormat,
  grid: Grid,
  rows: readonly RowBox[],
  edges: readonly number[],
  x: number,
): BlockBox {
  const slices: Slice[] = []
  let headerRows = 0
  while (headerRows < rows.length - 1 && table.rows[headerRows]!.props.header === true) headerRows++
  for (const [index, row] of rows.entries()) {
    const slice = new RowSlice(row, edges, x, index === rows.length - 1)
    // A header row never stands alone at the foot of a page; neither does a row whose text keeps with the next.
    slice.stick = index < headerRows || keepsWithNext(context, table, format, grid, index)
    if (index < headerRows) {
      slice.isRepeated = true
      row.mayBreak = false
    }
    slices.push(slice)
  }
  if (headerRows > 0) {
    const repeat = slices.slice(0, headerRows)
    for (let index = headerRows; index < slices.length; index++) slices[index]!.repeat = repeat
  }
  return { slices, before: 0, after: 0, styleId: undefined, contextual: false, beforeAuto: false, afterAuto: false }
}

function keepsWithNext(context: Context, table: Table, format: TableFormat, grid: Grid, index: number): boolean {
  if (index >= table.rows.length - 1) return false
  const first = table.rows[index]!.cells[0]
  const paragraph = first?.blocks[0]
  if (!first || paragraph?.kind !== 'paragraph') return false
  return context.cascade.paragraph(paragraph, format.cell(index, 0, grid, first.props).inheritance).keepNext
}
