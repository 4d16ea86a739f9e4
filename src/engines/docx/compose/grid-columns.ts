/** The columns of a table whose columns come from lists. */
import { limits } from '../../../core/limits.ts'
import type { ColumnRange, GridForm } from '../plan/items.ts'
import type { Cell, GridRow } from './cells.ts'

type Report = (code: string, place: string, message: string, hint: string) => void

/** The columns of the composed table. */
export interface Spread {
  /** In twentieths of a point. */
  widths: readonly number[]
}

/** A range of the template's columns, and the template columns that replace it, in order. */
interface Stretch extends ColumnRange {
  columns: number[]
}

/**
 * Assigns columns to the cells of all rows. The copies that a loop makes share the width of the looped columns, so the
 * table keeps its width. A row without the loop spans all copies.
 */
export function spreadColumns(form: GridForm, rows: readonly GridRow[], report: Report): Spread {
  if (form.loops.length === 0) return { widths: form.columns }
  const stretches = form.loops.map((range): Stretch => ({ ...range, columns: columnsOf(range, rows, report) }))
  const widths = keepWidth(
    widthsOf(form, stretches),
    form.columns.reduce((sum, width) => sum + width, 0),
  )
  if (widths.length > limits.tableColumns) {
    const place = rows.flatMap(({ form: { loops } }) => loops)[0]?.place ?? ''
    const message = `The table gets ${widths.length} columns.`
    report(
      'docx.too_many_columns',
      place,
      message,
      `Tables of Word have at most ${limits.tableColumns}; hand in a shorter list.`,
    )
    return { widths }
  }
  for (const row of rows) placeCells(row, form, stretches, widths)
  return { widths }
}

/** The template columns of the cells that loops put into a range. Every row that repeats the range must have equally many. */
function columnsOf(range: ColumnRange, rows: readonly GridRow[], report: Report): number[] {
  let found: number[] | undefined
  for (const {
    form: { loops },
    cells,
  } of rows) {
    const loop = loops.find(({ from }) => from === range.from)
    if (loop === undefined) continue
    const columns = cells.filter((cell) => isIn(cell, range)).flatMap(({ form }) => indexes(form.column, form.span))
    if (found === undefined) found = columns
    else if (found.length !== columns.length) {
      const message = `This loop makes ${columns.length} columns, and one in a row above makes ${found.length}.`
      report('docx.uneven_columns', loop.place, message, 'Give lists of the same length for all rows of the table.')
    }
  }
  return found ?? indexes(range.from, range.to - range.from)
}

function indexes(from: number, count: number): number[] {
  return Array.from({ length: count }, (_, index) => from + index)
}

function isIn({ form: { column } }: Cell, { from, to }: ColumnRange): boolean {
  return column >= from && column < to
}

function widthsOf({ columns }: GridForm, stretches: readonly Stretch[]): number[] {
  const widths: number[] = []
  let at = 0
  for (const stretch of [...stretches, { from: columns.length, to: columns.length, columns: [] }]) {
    widths.push(...columns.slice(at, stretch.from))
    const copies = stretch.columns.map((column) => columns[column] ?? 0)
    widths.push(...keepWidth(copies, sumOf(columns.slice(stretch.from, stretch.to))))
    at = stretch.to
  }
  return widths
}

/** The widths in proportion, in whole twips, with that sum. */
function keepWidth(widths: readonly number[], total: number): number[] {
  const sum = sumOf(widths)
  if (sum === total || sum === 0) return [...widths]
  let before = 0
  let end = 0
  return widths.map((width) => {
    before += width
    const from = end
    end = Math.round((before * total) / sum)
    return end - from
  })
}

function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0)
}

function placeCells(row: GridRow, form: GridForm, stretches: readonly Stretch[], widths: readonly number[]): void {
  let at = placeOf(row.form.skipped, stretches)
  const { cells } = row
  const gone = new Set<Cell>()
  for (const cell of cells) {
    const { column, span } = cell.form
    const isCopy = row.form.loops.some((range) => isIn(cell, range))
    cell.start = at
    cell.span = isCopy ? span : Math.max(0, placeOf(column + span, stretches) - at)
    if (cell.span === 0) gone.add(cell)
    at += cell.span
    cell.width = widthOf(cell, form, widths)
  }
  if (gone.size < cells.length) row.drop(gone)
}

/** Where a boundary between the template's columns is among those of the composed table. */
function placeOf(boundary: number, stretches: readonly Stretch[]): number {
  let place = boundary
  for (const { from, to, columns } of stretches) {
    if (boundary >= to) place += columns.length - (to - from)
    else if (boundary > from) place += Math.min(boundary - from, columns.length) - (boundary - from)
  }
  return place
}

function widthOf({ form, start, span }: Cell, { columns }: GridForm, widths: readonly number[]): Cell['width'] {
  const { width } = form
  if (width === undefined || (width.type !== 'dxa' && width.type !== 'pct')) return width
  const [before, now] = [
    sumOf(columns.slice(form.column, form.column + form.span)),
    sumOf(widths.slice(start, start + span)),
  ]
  if (before === now) return width
  // Without widths of columns, the copies have no widths either.
  if (before === 0) return undefined
  return { type: width.type, value: width.type === 'dxa' ? now : (width.value * now) / before }
}
