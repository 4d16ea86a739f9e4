import type { Frame } from '../../frame/frame.ts'
import { polyline } from '../../frame/pen.ts'
import type { ErrorBars, Plot, Series } from '../../model/chart.ts'
import type { Context } from '../context.ts'
import type { Grid } from './axes.ts'
import { caption } from './caption.ts'
import { paintedPath, straight } from './marks.ts'
import { barLane } from './plot-xy.ts'
import { reachesOf } from './stacks.ts'
import { fitTrend, type Point } from './trend.ts'

/** Half of the stroke across the end of an error bar, and from a trend to its equation. */
const HALF_CAP = 2.5
const LABEL_GAP = 3

/** Where the points of a plot stand, as shares of both of its axes. */
interface Places {
  along(x: number): number
  value(y: number): number
}

/** Draws the trend lines of a plot; what is stacked has none. */
export function drawTrends(context: Context, plot: Plot, grid: Grid, labels: Frame[], node: number): Frame[] {
  if (plot.stacking !== 'none') return []
  const places = placesOf(plot, grid)
  const frames: Frame[] = []
  for (const series of plot.series) {
    for (const trend of series.trends) {
      const fit = fitTrend(trend, pointsOf(plot, series))
      if (!fit) continue
      const path = fit.curve.map(([x, y]) => grid.at(places.along(x), places.value(y)))
      if (trend.line && path.length > 1)
        frames.push(...paintedPath(polyline(path.flat(), false), undefined, trend.line, node))
      const texts = [trend.showsEquation ? fit.equation : '', trend.showsDetermination ? fit.determination : '']
      const text = texts.filter((line) => line !== '').join('\n')
      const [x, y] = path.at(-1) ?? [0, 0]
      if (text === '' || path.length === 0) continue
      const label = caption(context, text, trend.look, node)
      const left = Math.min(x, grid.box.x + grid.box.width) - label.width
      const top = Math.max(grid.box.y, Math.min(grid.box.y + grid.box.height, y) - label.height - LABEL_GAP)
      labels.push(...label.at(Math.max(grid.box.x, left), top))
    }
  }
  return within(grid, frames)
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
export function drawErrors(plot: Plot, grid: Grid, count: number, node: number): Frame[] {
  const places = placesOf(plot, grid)
  const reaches = plot.series.some((series) => series.errors.length > 0) ? reachesOf(plot, count) : []
  const frames: Frame[] = []
  for (const [index, series] of plot.series.entries()) {
    const lane = plot.kind === 'bar' ? barLane(plot, grid, index) : undefined
    for (const errors of series.errors) {
      const { line } = errors
      if (!line) continue
      const distance = distanceOf(errors, errors.isAcross ? series.x : series.values)
      for (const [at, stated] of series.values.entries()) {
        if (stated === undefined) continue
        const x = series.x[at] ?? at + 1
        const y = plot.stacking === 'none' ? stated : (reaches[index]?.[at]?.to ?? stated)
        const [lower, upper] = distance(at)
        const place = (shiftX: number, shiftY: number) =>
          grid.at(
            lane ? grid.category(at) + lane.offset + lane.width / 2 : places.along(x + shiftX),
            places.value(y + shiftY),
          )
        const end = (shift: number) => (errors.isAcross ? place(shift, 0) : place(0, shift))
        const [from, to] = [end(errors.hasLower ? -lower : 0), end(errors.hasUpper ? upper : 0)]
        frames.push(...straight(...from, ...to, line, node))
        if (!errors.hasCaps) continue
        const isLevel = errors.isAcross !== grid.swapped
        for (const [has, [capX, capY]] of [
          [errors.hasLower, from],
          [errors.hasUpper, to],
        ] as const) {
          if (!has) continue
          frames.push(
            ...(isLevel
              ? straight(capX, capY - HALF_CAP, capX, capY + HALF_CAP, line, node)
              : straight(capX - HALF_CAP, capY, capX + HALF_CAP, capY, line, node)),
          )
        }
      }
    }
  }
  return within(grid, frames)
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
