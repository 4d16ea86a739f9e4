import type { Frame } from '../../frame/frame.ts'
import { polyline } from '../../frame/pen.ts'
import type { ErrorBars, Plot, Series, Trend } from '../../model/chart.ts'
import type { Line } from '../../model/paint.ts'
import type { Place } from './box.ts'
import { caption } from './caption.ts'
import type { Grid } from './grid.ts'
import type { Layers } from './layers.ts'
import { paintedPath, straight } from './marks.ts'
import { barLane } from './plot-bars.ts'
import { stacksOf } from './stacks.ts'
import { type Fit, fitTrend, type Point } from './trend.ts'

/** Half of the stroke across the end of an error bar, and from a trend to its equation. */
const HALF_CAP = 2.5
const LABEL_GAP = 3

/** The points of a plot, as shares of both of its axes. */
interface Places {
  along(x: number): number
  value(y: number): number
}

/** Draws the trend lines of a plot; what is stacked has none. */
export function drawTrends(plot: Plot, grid: Grid): Layers {
  const layers: Layers = { marks: [], labels: [] }
  if (plot.stacking !== 'none') return layers
  const places = placesOf(plot, grid)
  for (const series of plot.series) {
    for (const trend of series.trends) {
      const fit = fitTrend(trend, pointsOf(plot, series))
      const path = fit?.curve.map(([x, y]) => grid.at(places.along(x), places.value(y))) ?? []
      const end = path.at(-1)
      if (!fit || !end) continue
      if (trend.line && path.length > 1)
        layers.marks.push(...paintedPath(polyline(path.flat()), { line: trend.line }, grid.canvas.node))
      layers.labels.push(...trendLabel(trend, fit, grid, end))
    }
  }
  return { ...layers, marks: within(grid, layers.marks) }
}

/** The equation of a trend above its end, within the plot. */
function trendLabel(trend: Trend, fit: Fit, { canvas, box }: Grid, [x, y]: Place): Frame[] {
  const texts = [trend.showsEquation ? fit.equation : '', trend.showsDetermination ? fit.determination : '']
  const text = texts.filter((line) => line !== '').join('\n')
  if (text === '') return []
  const label = caption(canvas, text, trend.look)
  const left = Math.min(x, box.x + box.width) - label.width
  const top = Math.max(box.y, Math.min(box.y + box.height, y) - label.height - LABEL_GAP)
  return label.at(Math.max(box.x, left), top)
}

function pointsOf(plot: Plot, series: Series): Point[] {
  const isScattered = plot.kind === 'scatter' || plot.kind === 'bubble'
  return series.values.flatMap((y, at): Point[] => {
    const x = isScattered ? (series.x[at] ?? at + 1) : at + 1
    return y === undefined ? [] : [[x, y]]
  })
}

function placesOf(plot: Plot, grid: Grid): Places {
  const isScattered = plot.kind === 'scatter' || plot.kind === 'bubble'
  return { along: (x) => (isScattered ? grid.xShare(x) : grid.category(x - 1)), value: (y) => grid.valueShare(y) }
}

/** What runs over the plot is cut at its edge. */
function within({ box }: Grid, frames: Frame[]): Frame[] {
  return frames.length > 0 ? [{ kind: 'clip', ...box, frames }] : []
}

/** Draws the error bars of a plot, from the ends of its bars or around its points. */
export function drawErrors(plot: Plot, grid: Grid): Frame[] {
  if (!plot.series.some((series) => series.errors.length > 0)) return []
  const places = placesOf(plot, grid)
  const frames = stacksOf(plot, grid.count).flatMap(({ series, index, reaches }) => {
    const lane = plot.kind === 'bar' ? barLane(plot, grid, index) : undefined
    return series.errors.flatMap((errors) => {
      const { line } = errors
      if (!line) return []
      const distance = distanceOf(errors, errors.isAcross ? series.x : series.values)
      return series.values.flatMap((stated, at) => {
        if (stated === undefined) return []
        const x = series.x[at] ?? at + 1
        const y = plot.stacking === 'none' ? stated : (reaches[at]?.to ?? stated)
        const [lower, upper] = distance(at)
        const ends = [errors.hasLower ? -lower : 0, errors.hasUpper ? upper : 0] as const
        const [from, to] = ends.map((shift): Place => {
          const [shiftX, shiftY] = errors.isAcross ? [shift, 0] : [0, shift]
          const along = lane ? grid.category(at) + lane.offset + lane.width / 2 : places.along(x + shiftX)
          return grid.at(along, places.value(y + shiftY))
        })
        return from && to ? errorBar(errors, line, grid, { from, to }) : []
      })
    })
  })
  return within(grid, frames)
}

/** One error bar with the strokes across its ends. */
function errorBar(errors: ErrorBars, line: Line, grid: Grid, { from, to }: { from: Place; to: Place }): Frame[] {
  const { node } = grid.canvas
  const bar = straight(from, to, line, node)
  if (!errors.hasCaps) return bar
  const isLevel = errors.isAcross !== grid.swapped
  const [dx, dy] = isLevel ? [0, HALF_CAP] : [HALF_CAP, 0]
  const cap = ([x, y]: Place) => straight([x - dx, y - dy], [x + dx, y + dy], line, node)
  return [...bar, ...(errors.hasLower ? cap(from) : []), ...(errors.hasUpper ? cap(to) : [])]
}

/** How far an error bar reaches below and above a point. */
function distanceOf(
  errors: ErrorBars,
  values: readonly (number | undefined)[],
): (at: number) => [lower: number, upper: number] {
  const known = values.filter((value) => value !== undefined)
  if (errors.kind === 'cust') return (at) => [Math.abs(errors.lower[at] ?? 0), Math.abs(errors.upper[at] ?? 0)]
  if (errors.kind === 'percentage') {
    return (at) => {
      const share = (Math.abs(values[at] ?? 0) * errors.value) / 100
      return [share, share]
    }
  }
  if (errors.kind === 'fixedVal') return () => [errors.value, errors.value]
  const mean = known.reduce((sum, value) => sum + value, 0) / Math.max(1, known.length)
  const spread = known.reduce((sum, value) => sum + (value - mean) ** 2, 0) / Math.max(1, known.length - 1)
  const deviation = Math.sqrt(spread)
  const reach = errors.kind === 'stdDev' ? deviation * errors.value : deviation / Math.sqrt(Math.max(1, known.length))
  return () => [reach, reach]
}
