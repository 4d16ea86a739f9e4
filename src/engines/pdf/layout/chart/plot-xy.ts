import type { Frame } from '../../frame/frame.ts'
import { Pen, polyline } from '../../frame/pen.ts'
import type { Plot, Series } from '../../model/chart.ts'
import type { Context } from '../context.ts'
import type { Grid } from './axes.ts'
import type { Box } from './caption.ts'
import { behind, deepBar, flat, frontOf } from './depth.ts'
import { type PointLabel, pointLabel } from './labels.ts'
import { markerFrames, paintedBox, paintedPath, straight } from './marks.ts'
import { sliceFill, sliceLine } from './plot-pie.ts'
import { drawJoins } from './plot-stock.ts'
import { type Reach, reachesOf } from './stacks.ts'

/** From a point to its label. */
const LABEL_GAP = 2.8

/** Draws the series of a plot between its axes; labels go on top of everything, so they are collected. */
export function drawPlot(
  context: Context,
  plot: Plot,
  grid: Grid,
  count: number,
  labels: Frame[],
  node: number,
): Frame[] {
  if (plot.kind === 'bar') return drawBars(context, plot, grid, count, labels, node)
  if (plot.kind === 'area') return drawAreas(context, plot, grid, count, labels, node)
  if (plot.kind === 'bubble') return drawBubbles(context, plot, grid, labels, node)
  return drawLines(context, plot, grid, count, labels, node)
}

function drawBars(context: Context, plot: Plot, grid: Grid, count: number, labels: Frame[], node: number): Frame[] {
  const bars: { front: Box; row: number; frames: Frame[] }[] = []
  const reaches = reachesOf(plot, count)
  const isDeep = grid.depth !== flat
  for (const [index, series] of plot.series.entries()) {
    const { offset, width: barWidth } = barLane(plot, grid, index)
    for (let at = 0; at < count; at++) {
      const reach = reaches[index]![at]
      if (!reach) continue
      const near = grid.category(at) + offset
      const [x1, y1] = grid.at(near, clamp(grid.valueShare(reach.from)))
      const [x2, y2] = grid.at(near + barWidth, clamp(grid.valueShare(reach.to)))
      const bar = { x: Math.min(x1, x2), y: Math.min(y1, y2), width: Math.abs(x2 - x1), height: Math.abs(y2 - y1) }
      const front = isDeep ? frontOf(bar, plot, index, grid.depth) : bar
      const vary = plot.varyColors && plot.series.length === 1
      const fill = sliceFill({ ...plot, varyColors: vary }, series, at)
      const line = sliceLine(series, at)
      const frames = isDeep
        ? deepBar(front, plot, grid.depth, fill, line, node)
        : bar.width > 0 && bar.height > 0
          ? paintedBox(bar.x, bar.y, bar.width, bar.height, fill, line, node)
          : []
      bars.push({ front, row: plot.inRows ? index : 0, frames })
      labels.push(...barLabel(context, plot, series, at, grid, front, reach, node))
    }
  }
  if (isDeep) bars.sort((a, b) => behind(a, b, grid.swapped))
  return bars.flatMap(({ frames }) => frames)
}

/**
 * Where the bars of a series begin beside the middle of their category, and how wide they are, as shares of the axis.
 * Where categories run backwards, so do the bars of one category.
 */
export function barLane(plot: Plot, grid: Grid, index: number): { offset: number; width: number } {
  const lanes = plot.stacking === 'none' && !plot.inRows ? Math.max(1, plot.series.length) : 1
  const overlap = lanes > 1 ? plot.overlap / 100 : 0
  const width = grid.categoryWidth / (lanes - (lanes - 1) * overlap + plot.gapWidth / 100)
  const lane = lanes > 1 ? index : 0
  const offset = -grid.categoryWidth / 2 + (plot.gapWidth / 200) * width + lane * width * (1 - overlap)
  const isBackwards = grid.category(1) < grid.category(0)
  return { offset: isBackwards ? -offset - width : offset, width }
}

function clamp(share: number): number {
  return Math.max(0, Math.min(1, share))
}

function barLabel(
  context: Context,
  plot: Plot,
  series: Series,
  at: number,
  grid: Grid,
  bar: Box,
  reach: Reach,
  node: number,
): Frame[] {
  const label = pointLabel(context, series, at, undefined, node)
  if (!label) return []
  const position = label.position ?? (plot.stacking === 'none' ? 'outEnd' : 'ctr')
  const grows = reach.to >= reach.from ? 1 : -1
  // Shares along the bar's length: 0 is its foot, 1 its end; labels outside stand beyond it.
  if (grid.swapped) {
    const end = grows > 0 ? bar.x + bar.width : bar.x
    const foot = grows > 0 ? bar.x : bar.x + bar.width
    const middle = bar.y + bar.height / 2 - label.height / 2
    const x =
      position === 'ctr'
        ? bar.x + (bar.width - label.width) / 2
        : position === 'inEnd'
          ? end - grows * LABEL_GAP - (grows > 0 ? label.width : 0)
          : position === 'inBase'
            ? foot + grows * LABEL_GAP - (grows > 0 ? 0 : label.width)
            : end + grows * LABEL_GAP - (grows > 0 ? 0 : label.width)
    return label.at(x, middle)
  }
  const end = grows > 0 ? bar.y : bar.y + bar.height
  const foot = grows > 0 ? bar.y + bar.height : bar.y
  const middle = bar.x + bar.width / 2 - label.width / 2
  const y =
    position === 'ctr'
      ? bar.y + (bar.height - label.height) / 2
      : position === 'inEnd'
        ? end + grows * LABEL_GAP - (grows > 0 ? 0 : label.height)
        : position === 'inBase'
          ? foot - grows * LABEL_GAP - (grows > 0 ? label.height : 0)
          : end - grows * LABEL_GAP - (grows > 0 ? label.height : 0)
  return label.at(middle, y)
}

function drawAreas(context: Context, plot: Plot, grid: Grid, count: number, labels: Frame[], node: number): Frame[] {
  const frames: Frame[] = []
  const reaches = reachesOf(plot, count)
  for (const [index, series] of plot.series.entries()) {
    const upper: number[] = []
    const lower: number[] = []
    for (let at = 0; at < count; at++) {
      const reach = reaches[index]![at] ?? { from: 0, to: 0 }
      upper.push(...grid.at(grid.category(at), clamp(grid.valueShare(reach.to))))
      lower.unshift(...grid.at(grid.category(at), clamp(grid.valueShare(reach.from))))
    }
    if (count === 0) continue
    frames.push(...paintedPath(polyline([...upper, ...lower], true), series.fill, series.line, node, grid.box))
    for (let at = 0; at < count; at++) {
      const label = pointLabel(context, series, at, undefined, node)
      const reach = reaches[index]![at]
      if (!label || !reach) continue
      const [x, y] = grid.at(grid.category(at), clamp(grid.valueShare((reach.from + reach.to) / 2)))
      labels.push(...label.at(x - label.width / 2, y - label.height / 2))
    }
  }
  return frames
}

/** Lines and scattered points: a series of places, joined where the series has a line. */
function drawLines(context: Context, plot: Plot, grid: Grid, count: number, labels: Frame[], node: number): Frame[] {
  const frames: Frame[] = []
  const isScatter = plot.kind === 'scatter'
  if (!isScatter) frames.push(...drawJoins(plot, grid, count, node))
  const reaches = isScatter ? [] : reachesOf(plot, count)
  for (const [index, series] of plot.series.entries()) {
    const runs: number[][] = [[]]
    const places: ([number, number] | undefined)[] = []
    for (let at = 0; at < (isScatter ? series.values.length : count); at++) {
      const value = isScatter ? series.values[at] : reaches[index]![at]?.to
      if (value === undefined) {
        runs.push([])
        places.push(undefined)
        continue
      }
      const along = isScatter ? grid.xShare(series.x[at] ?? at + 1) : grid.category(at)
      const place = grid.at(along, grid.valueShare(value))
      runs.at(-1)!.push(...place)
      places.push(place)
    }
    if (series.line) {
      for (const run of runs) {
        if (run.length < 4) continue
        const outline = series.smooth ? smoothed(run) : polyline(run, false)
        frames.push(...paintedPath(outline, undefined, series.line, node))
      }
    }
    frames.push(...ownSegments(series, places, node))
    for (const [at, place] of places.entries()) {
      if (!place) continue
      if (series.marker) frames.push(...markerFrames(series.marker, place[0], place[1], node))
      const label = pointLabel(context, series, at, undefined, node)
      if (label) labels.push(...besidePoint(label, place, (series.marker?.size ?? 0) / 2))
    }
  }
  return frames
}

/** The parts of a line that lead to points with a line of their own, over those of the series. */
function ownSegments(series: Series, places: readonly ([number, number] | undefined)[], node: number): Frame[] {
  if (series.smooth) return []
  return [...series.points].flatMap(([at, { line }]) => {
    const [from, to] = [places[at - 1], places[at]]
    return line && line !== 'none' && from && to ? straight(...from, ...to, line, node) : []
  })
}

function besidePoint(label: PointLabel, [x, y]: [number, number], radius: number): Frame[] {
  const gap = radius + LABEL_GAP
  const position = label.position ?? 'r'
  if (position === 't') return label.at(x - label.width / 2, y - gap - label.height)
  if (position === 'b') return label.at(x - label.width / 2, y + gap)
  if (position === 'l') return label.at(x - gap - label.width, y - label.height / 2)
  return position === 'ctr'
    ? label.at(x - label.width / 2, y - label.height / 2)
    : label.at(x + gap, y - label.height / 2)
}

/** A curve through all points that sets out in the direction of their neighbours (Catmull-Rom). */
function smoothed(points: readonly number[]) {
  const pen = new Pen()
  const count = points.length / 2
  const x = (at: number) => points[2 * Math.max(0, Math.min(count - 1, at))]!
  const y = (at: number) => points[2 * Math.max(0, Math.min(count - 1, at)) + 1]!
  pen.move(x(0), y(0))
  for (let at = 0; at + 1 < count; at++) {
    pen.curve(
      x(at) + (x(at + 1) - x(at - 1)) / 6,
      y(at) + (y(at + 1) - y(at - 1)) / 6,
      x(at + 1) - (x(at + 2) - x(at)) / 6,
      y(at + 1) - (y(at + 2) - y(at)) / 6,
      x(at + 1),
      y(at + 1),
    )
  }
  return pen.outline
}

/** The largest bubble's diameter, as a share of the plot's shorter side. */
const LARGEST_BUBBLE = 0.25

function drawBubbles(context: Context, plot: Plot, grid: Grid, labels: Frame[], node: number): Frame[] {
  const frames: Frame[] = []
  const largest = Math.max(0, ...plot.series.flatMap((series) => series.sizes.map((size) => Math.abs(size ?? 0))))
  const most = (Math.min(grid.box.width, grid.box.height) * LARGEST_BUBBLE) / 2
  for (const series of plot.series) {
    for (const [at, value] of series.values.entries()) {
      if (value === undefined) continue
      const [x, y] = grid.at(grid.xShare(series.x[at] ?? at + 1), grid.valueShare(value))
      // Sizes are areas.
      const radius = largest > 0 ? most * Math.sqrt(Math.abs(series.sizes[at] ?? 0) / largest) : most / 4
      const pen = new Pen()
      pen.ellipse(x, y, radius, radius)
      const box = { x: x - radius, y: y - radius, width: 2 * radius, height: 2 * radius }
      frames.push(...paintedPath(pen.outline, sliceFill(plot, series, at), sliceLine(series, at), node, box))
      const label = pointLabel(context, series, at, undefined, node)
      if (label) labels.push(...besidePoint(label, [x, y], radius))
    }
  }
  return frames
}
