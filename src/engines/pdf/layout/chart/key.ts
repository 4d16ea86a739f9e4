import type { Frame } from '../../frame/frame.ts'
import type { Plot, Series, Trend } from '../../model/chart.ts'
import { markerFrames, paintedBox, straight } from './marks.ts'
import { pointFill } from './points.ts'

/** Keys: the signs that tell series apart, in legends and tables of the data. */

/** A line with its marker needs room to be told from others. */
const LINE_KEY = 22.7
/** The side of a key that is a square, in font sizes. */
const KEY = 0.6

/** What a key explains: a series, or a point of one. */
export interface Keyed {
  plot: Plot
  series: Series
  point: number | undefined
  trend?: Trend
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

/** Where a key is drawn. */
export interface KeyPlace {
  x: number
  /** The height that it has its middle at. */
  middle: number
  width: number
  /** The size of the text beside it. */
  size: number
}

export function keyFrames(entry: Keyed, { x, middle, width, size }: KeyPlace, node: number): Frame[] {
  const { series, plot, point, trend } = entry
  if (keyIsLine(entry)) {
    const line = trend ? trend.line : series.line
    const frames = line ? straight([x, middle], [x + width, middle], line, node) : []
    const marker = trend ? undefined : series.marker
    return marker ? [...frames, ...markerFrames(marker, [x + width / 2, middle], node)] : frames
  }
  const side = size * KEY
  const box = { x: x + (width - side) / 2, y: middle - side / 2, width: side, height: side }
  const fill = point === undefined ? series.fill : pointFill(plot, series, point)
  return paintedBox(box, { fill, line: plot.kind === 'radar' ? undefined : series.line }, node)
}
