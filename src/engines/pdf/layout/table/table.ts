import { ARTIFACT, type StructureNode } from '../../frame/frame.ts'
import type { Row, Table } from '../../model/document.ts'
import type { Border, Edge, TableProps } from '../../model/properties.ts'
import type { CellFormat, CellInheritance, TableFormat } from '../../style/table-format.ts'
import { resolveTable } from '../../style/table-style.ts'
import { addNode, type Context, inTable, reportCutOff } from '../context.ts'
import { extentOf } from '../paragraph/border.ts'
import { type BlockBox, isSeen, type Slice } from '../slice.ts'
import { cellEdges } from './borders.ts'
import { type CellBox, type GridLines, type RowBox, thickest } from './boxes.ts'
import { type Grid, type GridCell, type GridRow, placeCells } from './grid.ts'
import { spreadBackgrounds, spreadMerged } from './merged-cells.ts'
import { resolveBorders, resolveHeights } from './resolve.ts'
import { RowSlice } from './row-slice.ts'
import { layoutSideways, type SidewaysCell } from './sideways.ts'
import { columnWidths } from './widths.ts'

/** Where a table is laid out. Lengths in points. */
export interface TablePlace {
  width: number
  /** Its structure node's parent. */
  parent: number
  cell?: CellInheritance | undefined
  background?: string | undefined
  /** Another table follows it. */
  followed?: boolean
}

/** The table being laid out. */
interface TableTask {
  readonly context: Context
  readonly table: Table
  readonly format: TableFormat
  readonly grid: Grid
  readonly place: TablePlace
  /** The borders beside its first cell. */
  readonly outer: OuterBorders
}

/** Lays out a table into one slice a row (17.4). */
export function layoutTable(around: Context, table: Table, place: TablePlace): BlockBox {
  const context = inTable(around)
  const format = resolveTable(table, context.cascade)
  const grid = placeCells(context, table)
  const task: TableTask = { context, table, format, grid, place, outer: outerBorders(table, format) }
  const lines = gridLines(task)
  const node = addNode(context, { type: 'Table', parent: place.parent, placement: 'Block' })
  const rows = grid.rows.map((row) => layoutRow(task, row, lines, node))
  resolveBorders(rows, grid)
  resolveHeights(rows, place.followed ? 'another table' : 'text')
  spreadMerged(rows)
  if (rows.some(cutsOff)) reportCutOff(context, 'row')
  spreadBackgrounds(rows)
  return boxOf(task, rows, lines)
}

/** Whether anything in a row of exact height begins below the row; `drawCell` leaves such content out. */
function cutsOff(row: RowBox): boolean {
  if (!row.exact) return false
  return row.cells.some(({ slices, margins, spanHeight }) => {
    let y = thickest(row.above) + margins.top
    return slices.some((slice) => {
      y += slice.before
      const isOut = y > spanHeight && (slice instanceof RowSlice || isSeen(slice))
      y += slice.height
      return isOut
    })
  })
}

/** The columns of a table, and where it begins. */
function gridLines(task: TableTask): GridLines {
  const { context, table, format, grid, place, outer } = task
  const { props } = format
  const base = cellMargins(props, context)
  const padding = base.left + base.right
  const inheritance = (cell: GridCell) => formatAt(task, cell).inheritance
  const hanging = hangs(task)
  // If the text of the outer columns aligns with the margins, the table is wider than the text by its padding.
  const isBare = lacksMargins(props, context)
  const room = place.width + (hanging && !isBare ? padding : 0)
  const edges = [0]
  let total = 0
  for (const width of columnWidths({ context, table, props, grid, padding, inheritance }, room)) {
    total += width
    edges.push(total)
  }
  const overhang = isBare ? 0 : clearOf(base, outer).left
  const x = tableLeft(task, total, hanging ? -overhang : halfOf(outer.left))
  // The first column is the rightmost: grid lines and the table's own place are measured from the right (17.4.1).
  return props.bidi ? { edges: edges.map((line) => total - line), x: place.width - x - total } : { edges, x }
}

function formatAt({ format, grid }: TableTask, cell: GridCell): CellFormat {
  return format.cell(cell.row, cell.column, grid, cell.source.props)
}

/** A row's exceptions replace the properties that they name, each edge by itself. */
function withExceptions(props: TableProps, { exceptions }: Row): TableProps {
  if (!exceptions) return props
  return {
    ...props,
    ...(exceptions.borders ? { borders: { ...props.borders, ...exceptions.borders } } : {}),
    ...(exceptions.cellMargins ? { cellMargins: { ...props.cellMargins, ...exceptions.cellMargins } } : {}),
    ...(exceptions.shading === undefined ? {} : { shading: exceptions.shading }),
  }
}

/** Half a point where cells have no margins: text keeps that much from the grid. */
const LEAST_MARGIN = 0.5

function cellMargins(props: TableProps, context: Context): Record<Edge, number> {
  const { top = 0, bottom = 0, left, right } = props.cellMargins ?? {}
  const usual = lacksMargins(props, context) ? LEAST_MARGIN : 5.4
  return { top, bottom, left: left ?? usual, right: right ?? usual }
}

/**
 * Usual cell margins come from the base table style. A document from before Word 2013 without a styles part has none,
 * so its tables begin with the grid at the margin.
 */
function lacksMargins({ cellMargins }: TableProps, { cascade, model }: Context): boolean {
  return (
    cascade.styles.isMissing === true &&
    cellMargins?.left === undefined &&
    !model.settings.compatibility.alignsTableEdges
  )
}

interface OuterBorders {
  left: Border | undefined
  right: Border | undefined
}

/** The borders beside the table's first cell; they decide how far the text of all cells keeps from the grid. */
function outerBorders(table: Table, { props }: TableFormat): OuterBorders {
  const own = table.rows[0]?.cells[0]?.props.borders
  return { left: own?.left ?? props.borders?.left, right: own?.right ?? props.borders?.right }
}

/**
 * Word measures cell margins from the middle of the borders: a border's inner half lies within the margin, and only a
 * thicker border pushes text away. The right side gets what remains of both margins.
 */
function clearOf(margins: Record<Edge, number>, { left, right }: OuterBorders): Record<Edge, number> {
  const clear = Math.max(halfOf(left), margins.left)
  return { ...margins, left: clear, right: Math.max(clear + halfOf(right), margins.left + margins.right) - clear }
}

/** Where the grid begins: the indent is that of the border's outer edge or, in a hanging table, of the text. */
function tableLeft({ format, place }: TableTask, width: number, shift: number): number {
  if (format.props.align === 'center') return (place.width - width) / 2
  if (format.props.align === 'right') return place.width - width
  const indent = format.props.indent ?? 0
  return (place.cell === undefined ? indent : Math.max(0, indent)) + shift
}

/**
 * Whether the text of an outer table's first column is at the margin: so before Word 2013, since then the table's edge
 * is. A document that names no version counts as older, except for tables aligned with the page or the text.
 */
function hangs({ context, table, place }: TableTask): boolean {
  const { compatibility, namesVersion } = context.model.settings
  return !compatibility.alignsTableEdges && place.cell === undefined && (namesVersion || table.props.placed !== false)
}

function layoutRow(task: TableTask, row: GridRow, lines: GridLines, tableNode: number): RowBox {
  const { context, grid } = task
  const { source, cells } = row
  const node = addNode(context, { type: 'TR', parent: tableNode })
  const props = withExceptions(task.format.props, source)
  const start = cells[0]?.column ?? 0
  addGap(context, node, start)
  const own: RowTask = { task, row, lines, node, props, margins: clearOf(cellMargins(props, context), task.outer) }
  const boxes = cells.map((cell) => layoutCell(own, cell))
  turnCells(context, source, boxes)
  const end = cells.at(-1)
  addGap(context, node, grid.columns - (end ? end.column + end.span : start))
  // The largest top and bottom margins apply to all cells of a row, so that their first lines are level.
  let [top, bottom] = [0, 0]
  for (const { margins } of boxes) {
    top = Math.max(top, margins.top)
    bottom = Math.max(bottom, margins.bottom)
  }
  for (const box of boxes) {
    const { margins } = box
    if (margins.top !== top || margins.bottom !== bottom) box.margins = { ...margins, top, bottom }
  }
  return {
    cells: boxes,
    above: [],
    below: [],
    vertical: [],
    height: 0,
    stated: source.props.height,
    exact: source.props.heightRule === 'exact',
    mayBreak: source.props.cantSplit !== true,
  }
}

/** A row being laid out. */
interface RowTask {
  readonly task: TableTask
  readonly row: GridRow
  readonly lines: GridLines
  /** Its structure node. */
  readonly node: number
  /** The table's properties, with the row's exceptions. */
  readonly props: TableProps
  /** For cells that state none. */
  readonly margins: Record<Edge, number>
}

function layoutCell({ task, row, lines, node: rowNode, props: tableProps, margins }: RowTask, cell: GridCell): CellBox {
  const { context, format, grid, place } = task
  context.held.cell()
  const { source } = cell
  const cellFormat = formatAt(task, cell)
  const { props, inheritance } = cellFormat
  const continues = props.merge === 'continue'
  const node = continues ? ARTIFACT : addNode(context, cellNode(grid, cell, rowNode))
  const { left, width } = extentOn(lines, grid, cell)
  const edges = cellEdges(source.props.borders, cellFormat.borders, tableProps, {
    top: row.index === 0,
    bottom: row.index === grid.rows.length - 1,
    left: cell.column === 0,
    right: cell.column + cell.span >= grid.columns,
  })
  const stated = props.margins ? { ...margins, ...props.margins } : margins
  const inset = format.props.bidi ? { ...stated, left: stated.right, right: stated.left } : stated
  const shading = props.shading ?? tableProps.shading
  const background = shading === 'auto' ? undefined : shading
  const room = Math.max(2, width - inset.left - inset.right)
  const behind = background ?? place.background
  const vertical = props.vertical ?? 'top'
  const sideways: SidewaysCell | undefined = props.direction && {
    ...{ blocks: source.blocks, direction: props.direction, align: vertical, node, inheritance },
    ...{ width: room, background: behind },
  }
  const content =
    continues || sideways
      ? { slices: [], height: 0 }
      : context.inner.stack(context, source.blocks, {
          width: room,
          background: behind,
          parent: node,
          cell: inheritance,
          room: { width, margins: inset },
        })
  return {
    column: cell.column,
    span: cell.span,
    x: lines.x + left,
    width,
    margins: inset,
    slices: content.slices,
    contentHeight: content.height,
    background,
    vertical: sideways === undefined ? vertical : sideways.direction === 'up' ? 'bottom' : 'top',
    sideways: continues ? undefined : sideways,
    merge: props.merge,
    edges,
    spanHeight: 0,
    lowerEdge: 0,
  }
}

/** Where a cell is between the lines of the grid. */
function extentOn({ edges }: GridLines, grid: Grid, { column, span }: GridCell): { left: number; width: number } {
  const first = edges[column] ?? 0
  const last = edges[Math.min(column + span, grid.columns)] ?? 0
  const left = Math.min(first, last)
  return { left, width: Math.max(first, last) - left }
}

/** Lays out turned cells once the other cells have decided the row's height. */
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

/** Adds an empty cell for the columns that a row leaves out at a side: readers expect rows of equal length (ISO 14289-1, 7.5). */
function addGap(context: Context, row: number, columns: number): void {
  if (columns <= 0) return
  addNode(context, { type: 'TD', parent: row, ...(columns > 1 ? { columnSpan: columns } : {}) })
}

function halfOf(border: Border | undefined): number {
  return border && border.width > 0 && border.style !== 'none' ? extentOf(border) / 2 : 0
}

function cellNode(grid: Grid, cell: GridCell, parent: number): StructureNode {
  const isHead = grid.rows[cell.row]?.source.props.header
  const node: StructureNode = { type: isHead ? 'TH' : 'TD', parent }
  if (isHead) node.scope = 'Column'
  if (cell.span > 1) node.columnSpan = cell.span
  const rowSpan = cell.source.props.merge === 'start' ? rowSpanOf(grid, cell) : 1
  if (rowSpan > 1) node.rowSpan = rowSpan
  return node
}

function rowSpanOf(grid: Grid, cell: GridCell): number {
  let span = 1
  for (;;) {
    const row = grid.rows[cell.row + span]
    const below = row?.cells.find(({ column }) => column === cell.column)
    if (below?.source.props.merge !== 'continue') return span
    span++
  }
}

function boxOf(task: TableTask, rows: readonly RowBox[], lines: GridLines): BlockBox {
  const { rows: sources } = task.grid
  const firstBody = sources.findIndex(({ source }) => source.props.header !== true)
  const heads = firstBody < 0 ? Math.max(0, rows.length - 1) : firstBody
  const slices: Slice[] = []
  const repeat: Slice[] = []
  for (const [index, row] of rows.entries()) {
    const slice = new RowSlice(row, lines, index === rows.length - 1 ? 'last' : 'inner')
    const isHead = index < heads
    // A header row is never alone at the foot of a page; neither is a row whose first paragraph keeps with the next.
    slice.stick = isHead || keepsWithNext(task, index)
    if (isHead) {
      slice.isRepeated = true
      row.mayBreak = false
      repeat.push(slice)
    } else if (heads > 0) slice.repeat = repeat
    slices.push(slice)
  }
  return { slices, before: 0, after: 0, styleId: undefined, contextual: false, beforeAuto: false, afterAuto: false }
}

function keepsWithNext({ context, format, grid, table }: TableTask, index: number): boolean {
  if (index >= grid.rows.length - 1) return false
  const first = table.rows[index]?.cells[0]
  const paragraph = first?.blocks[0]
  if (!first || paragraph?.kind !== 'paragraph') return false
  return context.cascade.paragraph(paragraph, format.cell(index, 0, grid, first.props).inheritance).keepNext
}
