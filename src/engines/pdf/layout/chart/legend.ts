import { limits } from '../../../../core/limits.ts'
import { type Frame, moveFrames } from '../../frame/frame.ts'
import type { Chart, Legend } from '../../model/chart.ts'
import type { Canvas } from '../drawing/canvas.ts'
import type { Box, Taken } from './box.ts'
import { type Caption, caption, lineHeight } from './caption.ts'
import { type Keyed, keyFrames, keyWidth } from './key.ts'
import { paintedBox } from './marks.ts'

/** Distances in points: at least a millimetre, else a share of the font's size, as in LibreOffice. */
const MILLIMETRE = 2.835
/** From the legend to the edge of the chart, beside it and below it. */
const SIDE_MARGIN = 5.95
const END_MARGIN = 5.24
/** A legend below the plot takes that room too, but is nearer to the edge. */
const EDGE = 0.85
/** How much of the chart the texts of a legend beside the plot may take. */
const TALL_SHARE = 0.3

interface Entry extends Keyed {
  text: string
}

/** Distances within a legend, by the size of its font. */
interface Spacing {
  size: number
  padX: number
  padY: number
  gapX: number
  gapY: number
  /** The width of keys, without and with the gap to their text. */
  key: number
  keyAndGap: number
}

interface Size {
  width: number
  height: number
}

/** Entries in rows and columns. */
interface Arrangement extends Size {
  rows: { height: number; entries: { entry: Entry; text: Caption }[] }[]
  columnWidths: number[]
}

/** Draws the legend; it takes its room from a side of `space`. */
export function placeLegend(canvas: Canvas, chart: Chart, legend: Legend, space: Box): Taken {
  const entries = entriesOf(chart, legend)
    .filter((_, index) => !legend.hidden.has(index))
    .slice(0, limits.chartLegendEntries)
  if (entries.length === 0) return { frames: [], space }
  const spacing = spacingOf(entries, legend.look.size ?? 10)
  const arrangement = arrange(canvas, legend, entries, space, spacing)
  const { width, height } = arrangement
  const { fill, line } = legend
  const frames = [
    ...paintedBox({ x: 0, y: 0, width, height }, { fill, line }, canvas.node),
    ...entryFrames(canvas, arrangement, spacing, lineHeight(canvas.context, legend.look)),
  ]
  const place = positionOf(canvas, legend, space, arrangement)
  moveFrames(frames, place.x, place.y)
  const takesRoom = !legend.overlay && legend.place?.x === undefined
  return { frames, space: takesRoom ? spaceBeside(legend, space, arrangement) : space }
}

function isTall({ position }: Legend): boolean {
  return position !== 't' && position !== 'b'
}

function spacingOf(entries: readonly Entry[], size: number): Spacing {
  const distance = (share: number) => Math.max(MILLIMETRE, size * share)
  const key = keyWidth(entries, size)
  return {
    size,
    padX: distance(0.33),
    padY: distance(0.2),
    gapX: distance(0.66),
    gapY: distance(0.2),
    key,
    keyAndGap: key + distance(0.22),
  }
}

/** Arranges entries in as many columns as fit below or above the plot, or as are needed beside it. */
function arrange(canvas: Canvas, legend: Legend, entries: readonly Entry[], space: Box, spacing: Spacing): Arrangement {
  const { padX, padY, gapX, gapY, keyAndGap } = spacing
  const statedWidth = legend.place?.width
  const available = statedWidth === undefined ? space.width : statedWidth * canvas.width
  const maxWidth =
    isTall(legend) && statedWidth === undefined
      ? available * TALL_SHARE
      : Math.max(20, available - keyAndGap - 2 * padX)
  const set = entries.map((entry) => ({
    entry,
    text: caption(canvas, entry.text, legend.look, { maxWidth, align: 'left' }),
  }))
  const widest = Math.max(...set.map(({ text }) => text.width))
  const tallest = Math.max(...set.map(({ text }) => text.height))
  const roomX = Math.floor((available - 2 * padX + gapX) / (gapX + keyAndGap + widest))
  const roomY = Math.max(1, Math.floor((space.height - 2 * padY) / (gapY + tallest)))
  const columns = isTall(legend)
    ? Math.ceil(set.length / roomY)
    : Math.ceil(set.length / Math.ceil(set.length / Math.max(1, roomX)))
  const rows = Array.from({ length: Math.ceil(set.length / columns) }, (_, row) => {
    const inRow = set.slice(row * columns, (row + 1) * columns)
    return { entries: inRow, height: Math.max(...inRow.map(({ text }) => text.height)) }
  })
  const columnWidths = Array.from({ length: columns }, (_, column) =>
    Math.max(
      0,
      ...rows.flatMap((row) => row.entries.slice(column, column + 1)).map(({ text }) => keyAndGap + text.width),
    ),
  )
  const sum = (list: readonly number[]) => list.reduce((total, value) => total + value, 0)
  return {
    rows,
    columnWidths,
    width: 2 * padX + sum(columnWidths) + gapX * (columns - 1),
    height: 2 * padY + sum(rows.map((row) => row.height)) + gapY * (rows.length - 1),
  }
}

function entryFrames(
  canvas: Canvas,
  { rows, columnWidths }: Arrangement,
  spacing: Spacing,
  lineHeight: number,
): Frame[] {
  const frames: Frame[] = []
  const { size, padX, padY, gapX, gapY, key, keyAndGap } = spacing
  let y = padY
  for (const { entries, height } of rows) {
    let x = padX
    for (const [column, { entry, text }] of entries.entries()) {
      const middle = y + Math.min(text.height, lineHeight) / 2
      frames.push(...keyFrames(entry, { x, middle, width: key, size }, canvas.node), ...text.at(x + keyAndGap, y))
      x += (columnWidths[column] ?? 0) + gapX
    }
    y += height + gapY
  }
  return frames
}

function positionOf(chart: Size, { position, place }: Legend, space: Box, legend: Size): { x: number; y: number } {
  if (place?.x !== undefined && place.y !== undefined) return { x: place.x * chart.width, y: place.y * chart.height }
  const middle = { x: (chart.width - legend.width) / 2, y: (chart.height - legend.height) / 2 }
  if (position === 't') return { x: middle.x, y: space.y + END_MARGIN }
  if (position === 'b') return { x: middle.x, y: chart.height - legend.height - EDGE }
  const x = position === 'l' ? SIDE_MARGIN : chart.width - legend.width - SIDE_MARGIN
  return { x, y: position === 'tr' ? EDGE : middle.y }
}

/** The rest of a space beside a legend. */
function spaceBeside({ position }: Legend, space: Box, legend: Size): Box {
  if (position === 't' || position === 'b') {
    const taken = legend.height + END_MARGIN
    return { ...space, y: position === 't' ? space.y + taken : space.y, height: space.height - taken }
  }
  const taken = legend.width + SIDE_MARGIN
  return { ...space, x: position === 'l' ? space.x + taken : space.x, width: space.width - taken }
}

/** An entry for each series, or for each point where points have colours of their own. */
function entriesOf(chart: Chart, legend: Legend): Entry[] {
  const entries: Entry[] = []
  for (const plot of chart.plots) {
    const first = plot.series[0]
    if (first && (plot.kind === 'pie' || plot.kind === 'doughnut') && plot.varyColors) {
      const count = Math.min(limits.chartLegendEntries, Math.max(first.values.length, first.categories.length))
      for (let point = 0; point < count; point++)
        entries.push({ text: first.categories[point] ?? `${point + 1}`, plot, series: first, point })
      continue
    }
    const own = plot.series.map((series, index): Entry => {
      return { text: series.name === '' ? `Series ${index + 1}` : series.name, plot, series, point: undefined }
    })
    const trends = plot.series.flatMap((series) =>
      series.trends.map((trend): Entry => ({ text: trend.name, plot, series, point: undefined, trend })),
    )
    // Stacked series are listed from the top, and so are bars that lie beside each other.
    const isUpwards = plot.horizontal ? plot.stacking === 'none' : plot.stacking !== 'none' && isTall(legend)
    if (isUpwards) entries.unshift(...own.reverse())
    else entries.push(...own)
    if (plot.stacking === 'none') entries.push(...trends)
  }
  return entries
}
