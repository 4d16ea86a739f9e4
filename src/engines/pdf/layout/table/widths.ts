import { limits } from '../../../../core/limits.ts'
import type { Block, Paragraph, Table } from '../../model/document.ts'
import type { TableProps } from '../../model/properties.ts'
import type { CellInheritance } from '../../style/table-format.ts'
import { mayBreakBetween } from '../../text/breaks.ts'
import type { Context } from '../context.ts'
import { baseText } from '../paragraph/ruby.ts'
import type { Grid, GridCell } from './grid.ts'

interface Range {
  min: number
  max: number
}

/** A table whose columns are to be given their widths. */
export interface Columns {
  readonly context: Context
  readonly table: Table
  /** Its properties as resolved by its style. */
  readonly props: TableProps
  readonly grid: Grid
  /** Padding of cells at both sides, unless they state their own. */
  readonly padding: number
  readonly inheritance: (cell: GridCell) => CellInheritance
}

/** Column widths in points: the preferred widths, but at least the longest word, and within the table's width (17.4.52). */
export function columnWidths(asked: Columns, available: number): number[] {
  const { table, props, grid, padding } = asked
  const { columns } = grid
  const stated =
    props.width?.type === 'points'
      ? props.width.value
      : props.width?.type === 'fraction'
        ? props.width.value * available
        : undefined
  const total = stated === undefined || stated <= 0 ? undefined : stated
  const grids = Array.from({ length: columns }, (_, column) => table.grid[column] ?? 0)
  // If a table is as wide as the text and its outer cell margins hang outside it, Word's grid includes these margins.
  const hung = props.width?.type === 'fraction' && Math.abs(sum(grids) - (total ?? 0) - padding) <= SAME_WIDTH
  const stored = hung && total !== undefined ? scaleTo(grids, total) : grids
  const preferred = preferredWidths(grid, total ?? available, stored)
  if (props.fixed) {
    if (total !== undefined && gridStands(props, stored, preferred, total)) return floor(stored)
    const fallback =
      Math.max(0, (total ?? available) - sum(preferred.map((width) => width ?? 0))) /
      Math.max(1, preferred.filter((width) => width === undefined).length)
    const widths = preferred.map((width, column) => width ?? (at(stored, column) > 0 ? at(stored, column) : fallback))
    return total !== undefined && props.width?.type === 'fraction' ? scaleTo(widths, total) : floor(widths)
  }
  const cells = table.rows.reduce((count, row) => count + row.cells.length, 0)
  const { ranges, held } =
    cells <= limits.renderMeasuredCells
      ? measureColumns(asked, stored)
      : { ranges: stored.map((width) => ({ min: Math.min(width, 12), max: width })), held: true }
  // The stored grid is Word's own result, unless a generator left widths there that are narrower than a word.
  const gridHolds = held && stored.every((width) => width > 0) && sum(stored) <= available * 1.5
  const isAgreed = !columnsDisagree(grid, total ?? available)
  if (gridHolds && isAgreed && gridStands(props, stored, preferred, total)) return floor(stored)
  let widths = ranges.map((range, column) =>
    Math.max(range.min, preferred[column] ?? (gridHolds ? at(stored, column) : range.max)),
  )
  const limit = total ?? Math.min(sum(widths), available)
  const now = sum(widths)
  if (now > limit + 0.01) widths = shrink(widths, ranges, limit)
  else if (now < limit - 0.01) {
    const open = widths.map((width, column) => (preferred[column] === undefined ? Math.max(width, 1) : 0))
    const base = sum(open) > 0 ? open : widths
    const extra = limit - now
    const share = sum(base)
    widths = widths.map((width, column) => width + (share > 0 ? (extra * at(base, column)) / share : extra / columns))
  }
  return floor(widths)
}

/** Widths within a point are the same: writers round them in different units. */
const SAME_WIDTH = 1

/**
 * True if the stored grid is the table as last laid out: it fills the stated width, and the widths that cells ask for
 * either agree with it or don't fit that width.
 */
function gridStands(
  props: TableProps,
  stored: readonly number[],
  preferred: readonly (number | undefined)[],
  total: number | undefined,
): boolean {
  if (total !== undefined && Math.abs(sum(stored) - total) > SAME_WIDTH) return false
  // Columns include the space between cells; the cells' own widths don't.
  if ((props.cellSpacing ?? 0) > 0) return true
  if (preferred.every((width, column) => width === undefined || Math.abs(width - at(stored, column)) <= SAME_WIDTH))
    return true
  const asked = sum(preferred.map((width) => width ?? 0))
  return total !== undefined && !preferred.includes(undefined) && Math.abs(asked - total) > SAME_WIDTH
}

/**
 * True if two cells of a column ask for different widths. Word stores one width per column together with the grid it
 * made from it, so this grid is a generator's, and Word computes the widths again.
 */
function columnsDisagree(grid: Grid, base: number): boolean {
  const asked = new Map<number, number>()
  for (const { cells } of grid.rows) {
    for (const cell of cells) {
      const width = cell.span === 1 ? statedWidth(cell, base) : 0
      if (width <= 0) continue
      const before = asked.get(cell.column)
      if (before !== undefined && Math.abs(before - width) > SAME_WIDTH) return true
      asked.set(cell.column, width)
    }
  }
  return false
}

/** The width that a cell states; 0 if it states none. */
function statedWidth(cell: GridCell, base: number): number {
  const measure = cell.source.props.width
  if (!measure || measure.type === 'auto') return 0
  return measure.type === 'points' ? measure.value : measure.value * base
}

/** The width of a column; 0 if there is no such column. */
function at(widths: readonly number[], column: number): number {
  return widths[column] ?? 0
}

function sum(values: readonly number[]): number {
  let total = 0
  for (const value of values) total += value
  return total
}

/** Width in points of a column that has none. Columns of a few twips, from merged cells, stay as they are. */
const LEAST_WIDTH = 2

function floor(widths: readonly number[]): number[] {
  return widths.map((width) => (width > 0 ? width : LEAST_WIDTH))
}

function scaleTo(widths: number[], total: number): number[] {
  const now = sum(widths)
  return floor(now > 0 ? widths.map((width) => (width * total) / now) : widths.map(() => total / widths.length))
}

/** Takes the excess from columns that are wider than their longest word, then from all. */
function shrink(widths: number[], ranges: readonly Range[], limit: number): number[] {
  const least = (column: number) => ranges[column]?.min ?? 0
  const room = widths.map((width, column) => Math.max(0, width - least(column)))
  const excess = sum(widths) - limit
  const free = sum(room)
  if (free >= excess && free > 0) return widths.map((width, column) => width - (at(room, column) * excess) / free)
  return scaleTo(
    widths.map((width, column) => Math.min(width, least(column))),
    limit,
  )
}

function preferredWidths(grid: Grid, base: number, stored: readonly number[]): (number | undefined)[] {
  const preferred: (number | undefined)[] = new Array(grid.columns).fill(undefined)
  const spanning: { cell: GridCell; width: number }[] = []
  for (const { cells } of grid.rows) {
    for (const cell of cells) {
      const width = statedWidth(cell, base)
      if (width <= 0) continue
      if (cell.span === 1) preferred[cell.column] = Math.max(preferred[cell.column] ?? 0, width)
      else spanning.push({ cell, width })
    }
  }
  for (const { cell, width } of spanning) {
    const columns = Array.from({ length: cell.span }, (_, offset) => cell.column + offset)
    const open = columns.filter((column) => preferred[column] === undefined)
    const rest = width - sum(columns.map((column) => preferred[column] ?? 0))
    if (open.length === 0 || rest <= 0) continue
    const share = sum(open.map((column) => at(stored, column)))
    for (const column of open) preferred[column] = share > 0 ? (rest * at(stored, column)) / share : rest / open.length
  }
  return preferred
}

/** The minimum and maximum width of each column, and whether the stored widths hold every cell's longest word. */
function measureColumns(asked: Columns, stored: readonly number[]): { ranges: Range[]; held: boolean } {
  const { grid } = asked
  const ranges: Range[] = Array.from({ length: grid.columns }, () => ({ min: 0, max: 0 }))
  const spanning: { cell: GridCell; range: Range }[] = []
  for (const { cells } of grid.rows) {
    for (const cell of cells) {
      const range = rangeOf(asked, cell)
      const column = ranges[cell.column]
      if (cell.span > 1) spanning.push({ cell, range })
      else if (column) widen(column, range)
    }
  }
  let held = ranges.every(({ min }, column) => at(stored, column) + SAME_WIDTH >= min)
  for (const { cell, range } of spanning) {
    const last = sum(stored.slice(cell.column, cell.column + cell.span))
    if (last + SAME_WIDTH < range.min) held = false
    const spanned = ranges.slice(cell.column, cell.column + cell.span)
    for (const key of ['min', 'max'] as const) {
      const missing = range[key] - sum(spanned.map((column) => column[key]))
      if (missing <= 0) continue
      // Columns share it in proportion to their last widths.
      for (const [offset, column] of spanned.entries())
        column[key] += last > 0 ? (missing * at(stored, cell.column + offset)) / last : missing / cell.span
    }
  }
  for (const range of ranges) widen(range, { min: 0, max: range.min })
  return { ranges, held }
}

function widen(range: Range, { min, max }: Range): void {
  range.min = Math.max(range.min, min)
  range.max = Math.max(range.max, max)
}

/** The least and the greatest width that a cell needs. */
function rangeOf({ context, padding, inheritance }: Columns, cell: GridCell): Range {
  const { blocks, props } = cell.source
  const own = props.margins
  const inset = own ? (own.left ?? padding / 2) + (own.right ?? padding / 2) : padding
  const sideways = props.direction === undefined ? 0 : sidewaysWidth(context, blocks, inheritance(cell))
  const range: Range = { min: inset + sideways, max: inset + sideways }
  if (sideways > 0) return range
  for (const block of blocks) {
    if (block.kind === 'table') {
      const nested = sum(block.grid)
      widen(range, { min: Math.min(nested, 36) + inset, max: nested + inset })
      continue
    }
    const measured = paragraphRange(context, block, inheritance(cell))
    widen(range, { min: (props.noWrap ? measured.max : measured.min) + inset, max: measured.max + inset })
  }
  return range
}

/** The width that a cell with turned text needs: one unbroken line per paragraph, side by side. */
function sidewaysWidth(context: Context, blocks: readonly Block[], inheritance: CellInheritance): number {
  let width = 0
  for (const block of blocks) {
    if (block.kind === 'table') continue
    const { look, ascent, descent } = context.cascade.text(context.cascade.runBase(block, inheritance), {}, undefined)
    width += look.size > 0 ? ascent + descent : 0
  }
  return width
}

/** The widest word and the unwrapped width of a paragraph, without laying it out. */
export function paragraphRange(context: Context, paragraph: Paragraph, cell: CellInheritance): Range {
  const style = context.cascade.paragraph(paragraph, cell)
  const base = context.cascade.runBase(paragraph, cell)
  const indent = Math.max(0, style.left) + Math.max(0, style.right)
  let word = 0
  let line = Math.max(0, style.firstLine)
  let min = 0
  let max = 0
  let outer = 0
  let previous = 0
  for (const inline of paragraph.content) {
    if (inline.kind === 'break') {
      max = Math.max(max, line)
      line = 0
      word = 0
      continue
    }
    if (inline.kind === 'tab') {
      line += context.model.settings.defaultTab
      word = 0
      continue
    }
    if (inline.kind === 'image' || inline.kind === 'textbox' || inline.kind === 'graphic') {
      if (inline.anchor) continue
      const { width } = inline.kind === 'image' ? inline.image : inline.kind === 'graphic' ? inline.graphic : inline
      min = Math.max(min, Math.min(width, 24))
      line += width
      continue
    }
    const text =
      inline.kind === 'text'
        ? inline.text
        : inline.kind === 'field'
          ? inline.stored
          : inline.kind === 'ruby'
            ? baseText(inline.ruby)
            : ''
    if (text === '') continue
    const { look, spacing, caps } = context.cascade.text(base, inline.props, undefined)
    const shown = caps ? text.toUpperCase() : text
    const { face } = look.font
    const factor = look.size * look.scale
    for (let at = 0; at < shown.length; at++) {
      const code = shown.charCodeAt(at)
      const width = face.width(code)
      const advance = (width < 0 ? face.advance(0) : width) * factor + spacing
      if (code === 0x20) {
        word = 0
        line += advance
      } else {
        if (word > 0 && !(isLetter(previous) && isLetter(code)) && mayBreakBetween(outer, previous, code)) word = 0
        word += advance
        line += advance
        if (word > min) min = word
      }
      outer = previous
      previous = code
    }
  }
  // A label hangs in the indent, which has its room.
  return { min: min + indent, max: Math.max(max, line) + indent + 0.1 }
}

/** Most pairs of characters are two letters, between which no line ends. */
function isLetter(code: number): boolean {
  return (code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a)
}
