import type { Border, CellProps, Edge, Row, Table, TableProps } from '../read/model.ts'
import type { CellInheritance } from '../style/cascade.ts'
import { resolveTable, type TableFormat } from '../style/table-style.ts'
import { type PageGeometry, placeAnchored } from './anchors.ts'
import { addNode, type BlockBox, type Context, reportUnwrapped, type Slice } from './context.ts'
import { type Frame, moveFrames } from './frame.ts'
import { edge, extentOf } from './paragraph.ts'
import { layoutStack, type StackPlace } from './stack.ts'
import { type CellEdges, cellEdges, stronger } from './table-borders.ts'
import { columnWidths, type Grid, type GridCell, placeCells } from './table-widths.ts'

/** One cell laid out: its content as slices, and what is drawn around them. */
interface CellBox {
  column: number
  span: number
  x: number
  width: number
  margins: Record<Edge, number>
  slices: Slice[]
  contentHeight: number
  background: string | undefined
  vertical: 'top' | 'center' | 'bottom'
  merge: CellProps['merge']
  edges: CellEdges
  /** Height over all rows that the cell is merged with. */
  spanHeight: number
  /** The part of it that the table's lower edge takes. */
  lowerEdge: number
}

interface RowBox {
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
    format.cell(cell.row, cell.column, grid.columns, table.rows[cell.row]!.cells[cell.index]!.props).inheritance
  const padding = base.left + base.right
  // Where the text of the outer columns stands at the margins, the table is wider than the text by their padding.
  const room = place.width + (hangs(context, place) ? padding : 0)
  const widths = columnWidths(context, table, format.props, grid, room, padding, inheritanceOf)
  let edges = [0]
  for (const width of widths) edges.push(edges.at(-1)! + width)
  const total = edges.at(-1)!
  const edge = halfOf(outerBorder(table, format, grid))
  let x = tableLeft(format, total, place.width, hangs(context, place) ? base.left + edge : 0, edge)
  if (format.props.bidi) {
    // The first column is the rightmost: grid lines and the table's own place are measured from the right (17.4.1).
    edges = edges.map((line) => total - line)
    x = place.width - x - total
  }
  const node = addNode(context, { type: 'Table', parent: place.parent, placement: 'Block' })
  const rows = grid.rows.map((cells, index) =>
    layoutRow(context, table, format, grid, cells, index, edges, x, node, place),
  )
  resolveBorders(rows, grid)
  resolveHeights(table, rows, place.followed === true)
  return { ...boxOf(context, table, format, rows, edges, x) }
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

/** The border at the left of the table's first cell. */
function outerBorder(table: Table, format: TableFormat, grid: Grid): Border | undefined {
  const source = table.rows[0]?.cells[0]
  const styled = source && format.cell(0, 0, grid.columns, source.props)
  return source?.props.borders?.left ?? styled?.borders.left ?? format.props.borders?.left
}

function tableLeft(format: TableFormat, width: number, available: number, hanging: number, edge: number): number {
  if (format.props.align === 'center') return (available - width) / 2 - edge
  if (format.props.align === 'right') return available - width - edge
  return (format.props.indent ?? 0) - hanging
}

/**
 * Before Word 2013 the text of an outer table's first column stood at the margin, since then the table's edge does.
 * Where a document names no version, the yardstick lets the edge stand there too.
 */
function hangs(context: Context, place: StackPlace): boolean {
  const { compatibility } = context.model.settings
  return compatibility > 0 && compatibility < 15 && place.cell === undefined
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
  tableNode: number,
  place: StackPlace,
): RowBox {
  const row = table.rows[index]!
  const rowNode = addNode(context, { type: 'TR', parent: tableNode })
  const tableProps = withExceptions(format.props, row)
  const margins = cellMargins(tableProps)
  const lastRow = index === table.rows.length - 1
  const boxes = cells.map((cell): CellBox => {
    context.held.cell()
    const source = row.cells[cell.index]!
    const cellFormat = format.cell(index, cell.column, grid.columns, source.props)
    const { props } = cellFormat
    const header = row.props.header === true
    const node =
      props.merge === 'continue'
        ? -1
        : addNode(context, {
            type: header ? 'TH' : 'TD',
            parent: rowNode,
            ...(header ? { scope: 'Column' as const } : {}),
            ...(cell.span > 1 ? { columnSpan: cell.span } : {}),
            ...(props.merge === 'start' ? rowSpanOf(table, grid, cell) : {}),
          })
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
    const stated = { ...margins, ...props.margins }
    // A border stands on its grid line; the text keeps clear of the half that is inside the cell.
    stated.left += halfOf(borders.left ?? tableProps.borders?.left)
    stated.right += halfOf(borders.right ?? tableProps.borders?.right)
    const inset = format.props.bidi ? { ...stated, left: stated.right, right: stated.left } : stated
    const shading = props.shading ?? tableProps.shading
    const background = shading === 'auto' ? undefined : shading
    const width = right - left
    const inner = Math.max(2, width - inset.left - inset.right)
    const inheritance: CellInheritance = cellFormat.inheritance
    const content =
      props.merge === 'continue'
        ? { slices: [], height: 0 }
        : layoutStack(context, source.blocks, inner, node, inheritance, background ?? place.background)
    return {
      column: cell.column,
      span: cell.span,
      x: x + left,
      width,
      margins: inset,
      slices: content.slices,
      contentHeight: content.height,
      background,
      vertical: props.vertical ?? 'top',
      merge: props.merge,
      edges: borders,
      spanHeight: 0,
      lowerEdge: 0,
    }
  })
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

function halfOf(border: Border | undefined): number {
  return border && border.width > 0 && border.style !== 'none' ? extentOf(border) / 2 : 0
}

function rowSpanOf(table: Table, grid: Grid, cell: GridCell): { rowSpan?: number } {
  let span = 1
  for (let row = cell.row + 1; row < grid.rows.length; row++) {
    const below = grid.rows[row]!.find((candidate) => candidate.column === cell.column)
    if (!below || table.rows[row]!.cells[below.index]!.props.merge !== 'continue') break
    span++
  }
  return span > 1 ? { rowSpan: span } : {}
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
    // The border above comes on top of what a row is said to be at least, and the table's last one ends it.
    const ending = index === rows.length - 1 ? lowerEdge : 0
    const height = row.exact ? Math.max(1, props.height ?? needed) : Math.max(needed, props.height ?? 0, 1) + top
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

function thickest(borders: readonly (Border | undefined)[]): number {
  let width = 0
  for (const border of borders) if (border && extentOf(border) > width) width = extentOf(border)
  return width
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
    slice.stick = index < headerRows || keepsWithNext(context, table, format, index)
    if (index < headerRows) {
      slice.isRepeated = true
      row.mayBreak = false
    }
    slices.push(slice)
    const wrapped = row.cells.some((cell) =>
      cell.slices.some((part) => part.anchors?.some((object) => object.anchor.wrap !== 'none')),
    )
    if (wrapped) reportUnwrapped(context)
  }
  if (headerRows > 0) {
    const repeat = slices.slice(0, headerRows)
    for (let index = headerRows; index < slices.length; index++) slices[index]!.repeat = repeat
  }
  return { slices, before: 0, after: 0, styleId: undefined, contextual: false, beforeAuto: false, afterAuto: false }
}

function keepsWithNext(context: Context, table: Table, format: TableFormat, index: number): boolean {
  if (index >= table.rows.length - 1) return false
  const first = table.rows[index]!.cells[0]
  const paragraph = first?.blocks[0]
  if (!first || paragraph?.kind !== 'paragraph') return false
  return context.cascade.paragraph(paragraph, format.cell(index, 0, 1, first.props).inheritance).keepNext
}

/** A row on its way to a page. Its frames are made when it is placed, so that it can still be cut in two before. */
class RowSlice implements Slice {
  before = 0
  stick = false
  isRepeated = false
  readonly height: number
  private built: Frame[] | undefined
  readonly closing?: Frame[]
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
    if (!last && lower.length > 0) this.closing = lower
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
    const whole = row.exact || !row.mayBreak || row.cells.some((cell) => cell.merge === 'start')
    if (row.exact || (whole && !force)) return undefined
    const upper: CellBox[] = []
    const lower: CellBox[] = []
    let stays = false
    let remains = false
    for (const cell of row.cells) {
      const { taken, rest } = takeSlices(cell, available - thickest(row.above), force)
      if (taken.length === 0 && cell.slices.length > 0 && !force) return undefined
      if (taken.length > 0) stays = true
      if (rest.length > 0) remains = true
      upper.push({ ...cell, slices: taken, contentHeight: heightOf(taken), vertical: 'top', lowerEdge: 0 })
      if (rest[0]) rest[0].before = 0
      lower.push({ ...cell, slices: rest, contentHeight: heightOf(rest), vertical: 'top' })
    }
    if (!remains || !stays) return undefined
    const first = new RowSlice(withHeight({ ...row, cells: upper }, 0), this.edges, this.x, false)
    const lowerEdge = this.last ? thickest(row.below) : 0
    const second = new RowSlice(withHeight({ ...row, cells: lower }, lowerEdge), this.edges, this.x, this.last)
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

function heightOf(slices: readonly Slice[]): number {
  let height = 0
  for (const slice of slices) height += slice.before + slice.height
  return height
}

/**
 * The leading slices that fit, cut only where the text allows a page break; by force wherever they end, and through
 * the rows of a nested table.
 */
function takeSlices(cell: CellBox, available: number, force: boolean): { taken: Slice[]; rest: Slice[] } {
  const { slices } = cell
  const room = available - cell.margins.top - cell.margins.bottom
  let height = 0
  let allowed = 0
  let fitting = 0
  for (const [index, slice] of slices.entries()) {
    if (height + slice.before + slice.height > room) {
      const parts = slice.split?.(room - height - slice.before, force)
      if (!parts) break
      parts[0].before = slice.before
      return { taken: [...slices.slice(0, index), parts[0]], rest: [parts[1], ...slices.slice(index + 1)] }
    }
    height += slice.before + slice.height
    fitting = index + 1
    if (!slice.stick || fitting === slices.length) allowed = fitting
  }
  const count = allowed === 0 && force ? fitting : allowed
  return { taken: slices.slice(0, count), rest: slices.slice(count) }
}

function buildRow(row: RowBox, edges: readonly number[], x: number, last: boolean): Frame[] {
  const frames: Frame[] = []
  const top = thickest(row.above)
  for (const cell of row.cells) {
    if (cell.background && cell.merge !== 'continue') {
      frames.push({ kind: 'box', x: cell.x, y: 0, width: cell.width, height: cell.spanHeight, color: cell.background })
    }
  }
  for (const cell of row.cells) {
    const room = cell.spanHeight - cell.lowerEdge - top - cell.margins.top - cell.margins.bottom
    const free = Math.max(0, room - cell.contentHeight)
    let y = top + cell.margins.top + (cell.vertical === 'center' ? free / 2 : cell.vertical === 'bottom' ? free : 0)
    const content: Frame[] = []
    const lastSlice = cell.slices.at(-1)
    for (const slice of cell.slices) {
      y += slice.before
      moveFrames(slice.frames, cell.x + cell.margins.left, y)
      content.push(...slice.frames)
      for (const object of slice.anchors ?? []) {
        const at = placeAnchored(object, insideCell(cell, y))
        moveFrames(object.frames, at.x, at.y)
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

/** In a table, what floats is positioned against its cell, whatever area of the page it names (20.4.2.3, layoutInCell). */
function insideCell(cell: CellBox, y: number): PageGeometry {
  const left = cell.x + cell.margins.left
  const right = cell.x + cell.width - cell.margins.right
  return {
    pageWidth: cell.x + cell.width,
    pageHeight: cell.spanHeight,
    left,
    right,
    top: 0,
    bottom: cell.spanHeight,
    columnLeft: left,
    columnRight: right,
    paragraphTop: y,
  }
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
