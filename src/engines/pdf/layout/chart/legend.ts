import { type Frame, moveFrames } from '../../frame/frame.ts'
import type { Chart, Legend, Plot, Series, Trend } from '../../model/chart.ts'
import type { Context } from '../context.ts'
import { type Box, caption, lineHeight } from './caption.ts'
import { markerFrames, paintedBox, straight } from './marks.ts'
import { sliceFill } from './plot-pie.ts'

/** Distances in points: a millimetre at least, else a share of the font's size, as LibreOffice has them. */
const MILLIMETRE = 2.835
/** From the legend to the edge of the chart, beside it and below it. */
const SIDE_MARGIN = 5.95
const END_MARGIN = 5.24
/** A legend below the plot takes that room too, but stands nearer to the edge. */
const EDGE = 0.85
/** A line with its marker needs room to be told from others. */
const LINE_KEY = 22.7
/** The side of a key that is a square, in font sizes. */
const KEY = 0.6
const MAX_ENTRIES = 200

/** What a key stands for: a series, or a point of one. */
export interface Keyed {
  plot: Plot
  series: Series
  point: number | undefined
  trend?: Trend
}

interface Entry extends Keyed {
  text: string
}

/** Draws the legend and takes its room from `space`. */
export function placeLegend(
  context: Context,
  chart: Chart,
  legend: Legend,
  space: Box,
  width: number,
  height: number,
  node: number,
): Frame[] {
  const isTall = legend.position !== 't' && legend.position !== 'b'
  const entries = entriesOf(chart, isTall)
    .filter((_, index) => !legend.hidden.has(index))
    .slice(0, MAX_ENTRIES)
  if (entries.length === 0) return []
  const size = legend.look.size ?? 10
  const padX = Math.max(MILLIMETRE, size * 0.33)
  const gapX = Math.max(MILLIMETRE, size * 0.66)
  const padY = Math.max(MILLIMETRE, size * 0.2)
  const gapY = padY
  const key = keyWidth(entries, size)
  const keyAndGap = key + Math.max(MILLIMETRE, size * 0.22)
  const available = legend.place?.width !== undefined ? legend.place.width * width : space.width
  const textWidth =
    isTall && legend.place?.width === undefined ? available * 0.3 : Math.max(20, available - keyAndGap - 2 * padX)
  const captions = entries.map((entry) => caption(context, entry.text, legend.look, node, textWidth, 0, 'left'))
  const widest = Math.max(...captions.map((entry) => entry.width))
  const tallest = Math.max(...captions.map((entry) => entry.height))
  const roomX = Math.floor((available - 2 * padX + gapX) / (gapX + keyAndGap + widest))
  const roomY = Math.max(1, Math.floor((space.height - 2 * padY) / (gapY + tallest)))
  const columns = isTall
    ? Math.ceil(entries.length / roomY)
    : Math.ceil(entries.length / Math.ceil(entries.length / Math.max(1, roomX)))
  const rows = Math.ceil(entries.length / columns)
  const columnWidths = Array.from({ length: columns }, (_, column) =>
    Math.max(0, ...captions.filter((__, index) => index % columns === column).map((entry) => keyAndGap + entry.width)),
  )
  const rowHeights = Array.from({ length: rows }, (_, row) =>
    Math.max(...captions.slice(row * columns, (row + 1) * columns).map((entry) => entry.height)),
  )
  const sum = (list: readonly number[]) => list.reduce((total, value) => total + value, 0)
  const legendWidth = 2 * padX + sum(columnWidths) + gapX * (columns - 1)
  const legendHeight = 2 * padY + sum(rowHeights) + gapY * (rows - 1)
  const frames: Frame[] = paintedBox(0, 0, legendWidth, legendHeight, legend.fill, legend.line, node)
  let y = padY
  for (let row = 0; row < rows; row++) {
    let x = padX
    for (let column = 0; column < columns; column++) {
      const index = row * columns + column
      const entry = entries[index]
      const text = captions[index]
      if (!entry || !text) break
      frames.push(
        ...keyFrames(entry, x, y + Math.min(text.height, lineHeight(context, legend.look)) / 2, key, size, node),
      )
      frames.push(...text.at(x + keyAndGap, y))
      x += columnWidths[column]! + gapX
    }
    y += rowHeights[row]! + gapY
  }
  const place = positionOf(legend, space, width, height, legendWidth, legendHeight)
  moveFrames(frames, place.x, place.y)
  if (!legend.overlay && legend.place?.x === undefined) takeRoom(legend, space, legendWidth, legendHeight)
  return frames
}

function positionOf(
  { position, place }: Legend,
  space: Box,
  width: number,
  height: number,
  legendWidth: number,
  legendHeight: number,
): { x: number; y: number } {
  if (place?.x !== undefined && place.y !== undefined) return { x: place.x * width, y: place.y * height }
  const middle = { x: (width - legendWidth) / 2, y: (height - legendHeight) / 2 }
  if (position === 't') return { x: middle.x, y: space.y + END_MARGIN }
  if (position === 'b') return { x: middle.x, y: height - legendHeight - EDGE }
  return { x: position === 'l' ? SIDE_MARGIN : width - legendWidth - SIDE_MARGIN, y: middle.y }
}

function takeRoom({ position }: Legend, space: Box, width: number, height: number): void {
  if (position === 't' || position === 'b') {
    space.height -= height + END_MARGIN
    if (position === 't') space.y += height + END_MARGIN
    return
  }
  space.width -= width + SIDE_MARGIN
  if (position === 'l') space.x += width + SIDE_MARGIN
}

/** An entry for each series, or for each point where points have colours of their own. */
function entriesOf(chart: Chart, isTall: boolean): Entry[] {
  const entries: Entry[] = []
  for (const plot of chart.plots) {
    const first = plot.series[0]
    if (first && (plot.kind === 'pie' || plot.kind === 'doughnut') && plot.varyColors) {
      const count = Math.min(MAX_ENTRIES, Math.max(first.values.length, first.categories.length))
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
    // What is stacked is listed as it stands, the uppermost first, and so are bars that lie beside each other.
    const isUpwards = plot.horizontal ? plot.stacking === 'none' : plot.stacking !== 'none' && isTall
    if (isUpwards) entries.unshift(...own.reverse())
    else entries.push(...own)
    if (plot.stacking === 'none') entries.push(...trends)
  }
  return entries
}

/** How wide the keys of all entries are. */
export function keyWidth(entries: readonly Keyed[], size: number): number {
  return Math.max(size * KEY, ...entries.map((entry) => (keyIsLine(entry) ? LINE_KEY : 0)))
}

function keyIsLine({ plot, trend }: Keyed): boolean {
  return (
    trend !== undefined || plot.kind === 'line' || plot.kind === 'scatter' || (plot.kind === 'radar' && !plot.filled)
  )
}

/** A key of the given width, around the height `middle`; `size` is that of the text beside it. */
export function keyFrames(entry: Keyed, x: number, middle: number, width: number, size: number, node: number): Frame[] {
  const { series, plot, point } = entry
  const side = size * KEY
  if (entry.trend) return entry.trend.line ? straight(x, middle, x + width, middle, entry.trend.line, node) : []
  if (keyIsLine(entry)) {
    const frames = series.line ? straight(x, middle, x + width, middle, series.line, node) : []
    if (series.marker) frames.push(...markerFrames(series.marker, x + width / 2, middle, node))
    return frames
  }
  const fill = point === undefined ? series.fill : sliceFill(plot, series, point)
  const line = plot.kind === 'radar' ? undefined : series.line
  return paintedBox(x + (width - side) / 2, middle - side / 2, side, side, fill, line, node)
}
