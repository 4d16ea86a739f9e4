import type { Frame } from '../../frame/frame.ts'
import type { DataTable, Series } from '../../model/chart.ts'
import { formatNumber } from '../../model/number-format.ts'
import type { Canvas } from '../drawing/canvas.ts'
import type { Box } from './box.ts'
import { type Caption, caption } from './caption.ts'
import { type Keyed, keyFrames, keyWidth } from './key.ts'
import { straight } from './marks.ts'
import { namesOf, type Pair } from './pairs.ts'

/** The padding around a text, in font sizes, and the distance of a key to both of its sides (1 mm). */
const PADDING = { x: 0.18, y: 0.3 }
const KEY_GAP = 2.835

/** A measured data table: columns below the plot's categories, and one for names to the left. */
export interface SetTable {
  /** Width of the column of names. */
  names: number
  height: number
  /** Frames of the table below a plot. */
  below(plot: Box): Frame[]
}

/** A row: the names of the categories, or a series with its values. */
interface Row {
  /** Relative to the table's top. */
  top: number
  bottom: number
  cells: readonly Caption[]
  entry?: { keyed: Keyed; title: Caption }
}

/** The table's rows and what places them. */
interface Measures {
  canvas: Canvas
  table: DataTable
  rows: readonly Row[]
  size: number
  /** Widths of a data column, of the column of names, of a key, and of the room before a name in its column. */
  column: number
  names: number
  key: number
  indent: number
}

/** Sets the table of a pair below a plot of the given width. */
export function setTable(canvas: Canvas, pair: Pair, width: number): SetTable | undefined {
  const { table, plots, count, category } = pair
  if (!table) return undefined
  const { look } = table
  const size = look.size ?? 10
  const padX = size * PADDING.x
  const column = width / count
  const maxWidth = Math.max(size, column - 2 * padX)
  const cell = (text: string) => caption(canvas, text, look, { maxWidth })
  const columns = Array.from({ length: count }, (_, at) => at)
  const name = namesOf(pair)
  const keyed: Keyed[] = plots.flatMap((plot) => plot.series.map((series) => ({ plot, series, point: undefined })))
  const entries = keyed.map((one, at) => ({
    keyed: one,
    title: caption(canvas, one.series.name === '' ? `Series ${at + 1}` : one.series.name, look, { align: 'left' }),
  }))
  const rows = placeRows(
    [
      { cells: columns.map((at) => cell(name(at))) },
      ...entries.map((entry) => ({ entry, cells: columns.map((at) => cell(valueText(entry.keyed.series, at))) })),
    ],
    size * PADDING.y,
  )
  const key = table.keys ? keyWidth(keyed, size) : 0
  const indent = padX + (table.keys ? key + 2 * KEY_GAP : 0)
  const names = indent + padX + Math.max(0, ...entries.map(({ title }) => title.width))
  const measures: Measures = { canvas, table, rows, size, column, names, key, indent }
  const placeOf = (at: number) => (category?.isReversed ? count - 1 - at : at)
  return {
    names,
    height: rows.at(-1)?.bottom ?? 0,
    below: (plot) => [
      ...rows.flatMap((row) => rowFrames(measures, row, plot, placeOf)),
      ...lineFrames(measures, plot, count),
    ],
  }
}

function valueText({ values, labels, valueFormat }: Series, at: number): string {
  const value = values[at]
  return value === undefined ? '' : formatNumber(value, labels?.format ?? valueFormat)
}

/** Rows below each other, as high as their texts with the space above and below. */
function placeRows(rows: readonly Omit<Row, 'top' | 'bottom'>[], padding: number): Row[] {
  let top = 0
  return rows.map((row) => {
    const height = Math.max(row.entry?.title.height ?? 0, ...row.cells.map((cell) => cell.height)) + 2 * padding
    const placed = { ...row, top, bottom: top + height }
    top = placed.bottom
    return placed
  })
}

function rowFrames(measures: Measures, row: Row, plot: Box, placeOf: (at: number) => number): Frame[] {
  const { canvas, table, size, column, names, key, indent } = measures
  const [left, top] = [plot.x, plot.y + plot.height]
  const y = top + row.top + size * PADDING.y
  const cells = row.cells.flatMap((text, at) => text.at(left + (placeOf(at) + 0.5) * column - text.width / 2, y))
  if (!row.entry) return cells
  const { keyed, title } = row.entry
  const middle = top + (row.top + row.bottom) / 2
  const place = { x: left - names + KEY_GAP, middle, width: key, size }
  return [...cells, ...title.at(left - names + indent, y), ...(table.keys ? keyFrames(keyed, place, canvas.node) : [])]
}

/** The lines of the table that the document shows. */
function lineFrames({ canvas, table, rows, column, names }: Measures, plot: Box, count: number): Frame[] {
  const { line } = table
  const [header, ...others] = rows
  if (!line || !header) return []
  const [left, right, top] = [plot.x, plot.x + plot.width, plot.y + plot.height]
  const [first, bottom] = [top + header.bottom, top + (rows.at(-1) ?? header).bottom]
  const across = (y: number, from: number) => straight([from, y], [right, y], line, canvas.node)
  const down = (x: number, from: number) => straight([x, from], [x, bottom], line, canvas.node)
  const frames: Frame[] = []
  if (table.outline) {
    frames.push(...across(top, left), ...across(first, left - names), ...across(bottom, left - names))
    frames.push(...down(left - names, first), ...down(left, top), ...down(right, top))
  }
  if (table.horizontal) for (const row of others.slice(0, -1)) frames.push(...across(top + row.bottom, left - names))
  if (table.vertical) for (let at = 1; at < count; at++) frames.push(...down(left + at * column, top))
  return frames
}
