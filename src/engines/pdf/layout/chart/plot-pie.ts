import type { Frame } from '../../frame/frame.ts'
import { Pen } from '../../frame/pen.ts'
import type { Plot, Series, View } from '../../model/chart.ts'
import type { Fill, Line } from '../../model/paint.ts'
import type { Context } from '../context.ts'
import type { Box } from './caption.ts'
import { pointLabel } from './labels.ts'
import { paintedPath } from './marks.ts'
import { type DeepSlice, deepSlices, type Tilt, tiltOf } from './pie-deep.ts'
import { drawPieOfPie } from './plot-of-pie.ts'

/** Slices around a middle: one series for a pie, a ring for each series of a doughnut. */
export function drawPie(context: Context, plot: Plot, view: View, space: Box, node: number): Frame[] {
  if (plot.second) return drawPieOfPie(context, plot, plot.second, space, node)
  const series = plot.kind === 'pie' ? plot.series.slice(0, 1) : plot.series
  const farthest = Math.max(0, ...series.flatMap((entry) => entry.values.map((_, at) => explosionOf(entry, at))))
  const isOutside = series.some((entry) => entry.labels?.position === 'outEnd')
  const tilt = tiltOf(plot, view)
  const height = tilt ? space.height / (tilt.flat + tilt.rim / 2) : space.height
  const room = Math.min(space.width, height) / 2 - (isOutside ? 2 * (series[0]?.labels?.look.size ?? 10) : 0)
  const radius = Math.max(1, room / (1 + farthest / 100))
  const [x, y] = [space.x + space.width / 2, space.y + (space.height - radius * (tilt?.rim ?? 0)) / 2]
  const hole = plot.kind === 'doughnut' ? (radius * plot.hole) / 100 : 0
  const band = (radius - hole) / Math.max(1, series.length)
  const [below, above]: [Frame[], Frame[]] = [[], []]
  for (const [ring, entry] of series.entries()) {
    const inner = hole + ring * band
    drawRing(context, plot, entry, { x, y, inner, outer: inner + band, tilt }, node, below, above)
  }
  return [...below, ...above]
}

interface Ring {
  x: number
  y: number
  inner: number
  outer: number
  tilt?: Tilt | undefined
}

/** A part of a ring: the point that its look and label are of, and how large it is. */
export interface Slice {
  at: number
  value: number
}

/** Whose slices they are; labels tell shares of `whole`, and the ring is `share` of it where it is not all. */
interface Sliced {
  plot: Plot
  series: Series
  whole: number
  share?: number
  node: number
}

function drawRing(
  context: Context,
  plot: Plot,
  series: Series,
  ring: Ring,
  node: number,
  below: Frame[],
  above: Frame[],
): void {
  const slices = series.values.map((value, at): Slice => ({ at, value: Math.abs(value ?? 0) }))
  const whole = slices.reduce((sum, { value }) => sum + value, 0)
  const start = (plot.firstAngle / 180) * Math.PI - Math.PI / 2
  drawSlices(context, { plot, series, whole, node }, slices, ring, start, below, above)
}

/** Draws slices clockwise from an angle; labels go on top of everything. */
export function drawSlices(
  context: Context,
  { plot, series, whole, share = whole, node }: Sliced,
  slices: readonly Slice[],
  ring: Ring,
  start: number,
  below: Frame[],
  above: Frame[],
): void {
  if (!(share > 0)) return
  let angle = start
  const deep: DeepSlice[] = []
  const flat = ring.tilt?.flat ?? 1
  for (const { at, value } of slices) {
    const sweep = (value / share) * 2 * Math.PI
    const middle = angle + sweep / 2
    const away = (explosionOf(series, at) / 100) * ring.outer
    const [x, y] = [ring.x + Math.cos(middle) * away, ring.y + Math.sin(middle) * away * flat]
    if (ring.tilt && sweep > 0) {
      const [fill, line] = [sliceFill(plot, series, at), sliceLine(series, at)]
      deep.push({ x, y, radius: ring.outer, start: angle, sweep, fill, line })
    } else if (sweep > 0) {
      const outline = sliceOutline(x, y, ring.inner, ring.outer, angle, sweep)
      const box = { x: x - ring.outer, y: y - ring.outer, width: 2 * ring.outer, height: 2 * ring.outer }
      below.push(...paintedPath(outline, sliceFill(plot, series, at), sliceLine(series, at), node, box))
    }
    const label = pointLabel(context, series, at, value / whole, node)
    if (label) {
      const distance = labelDistance(label.position, ring, label, middle)
      above.push(
        ...label.at(
          x + Math.cos(middle) * distance - label.width / 2,
          y + Math.sin(middle) * distance * flat - label.height / 2,
        ),
      )
    }
    angle += sweep
  }
  if (ring.tilt) below.push(...deepSlices(deep, ring.tilt, node))
}

function labelDistance(
  position: string | undefined,
  { inner, outer }: Ring,
  label: { width: number; height: number },
  angle: number,
): number {
  const reach = (Math.abs(Math.cos(angle)) * label.width + Math.abs(Math.sin(angle)) * label.height) / 2
  if (position === 'outEnd') return outer + reach + 2
  if (position === 'inEnd' || ((position === undefined || position === 'bestFit') && inner === 0))
    return outer - reach - 2
  return (inner + outer) / 2
}

function sliceOutline(x: number, y: number, inner: number, outer: number, start: number, sweep: number) {
  const pen = new Pen()
  const isWhole = sweep >= 2 * Math.PI - 1e-9
  pen.move(x + Math.cos(start) * outer, y + Math.sin(start) * outer)
  pen.arc(x, y, outer, outer, start, sweep)
  if (inner > 0) {
    const end = start + sweep
    if (isWhole) {
      pen.close()
      pen.move(x + Math.cos(end) * inner, y + Math.sin(end) * inner)
    } else pen.line(x + Math.cos(end) * inner, y + Math.sin(end) * inner)
    pen.arc(x, y, inner, inner, end, -sweep)
  } else if (!isWhole) pen.line(x, y)
  pen.close()
  return pen.outline
}

/** How far a slice is pulled out, in hundredths of the radius. */
export function explosionOf(series: Series, at: number): number {
  return series.points.get(at)?.explosion ?? series.explosion
}

/** The fill of a slice or point: its own, else the series', whose colours vary with the point if the plot says so. */
export function sliceFill(plot: Plot, series: Series, at: number): Fill | undefined {
  const own = series.points.get(at)?.fill
  if (own === 'none') return undefined
  if (own) return own
  return plot.varyColors ? (plot.palette[at % plot.palette.length] ?? series.fill) : series.fill
}

export function sliceLine(series: Series, at: number): Line | undefined {
  const own = series.points.get(at)?.line
  return own === 'none' ? undefined : (own ?? series.line)
}
