import type { Frame, Outline } from '../../frame/frame.ts'
import { Pen } from '../../frame/pen.ts'
import type { Plot, Series } from '../../model/chart.ts'
import type { Canvas } from '../drawing/canvas.ts'
import { pointLabel } from './labels.ts'
import type { Layers } from './layers.ts'
import { paintedPath } from './marks.ts'
import { type DeepSlice, deepSlices, type Tilt } from './pie-deep.ts'
import { pointFill, pointLine } from './points.ts'

/** Where slices are drawn: between two radii around a middle. */
export interface Ring {
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

/** Slices of a series, clockwise from an angle. Labels show shares of `whole`; a full turn is `share` (default `whole`). */
export interface Sliced {
  plot: Plot
  series: Series
  slices: readonly Slice[]
  start: number
  whole: number
  share?: number
}

/** Draws the slices of a ring. */
export function drawSlices(canvas: Canvas, sliced: Sliced, ring: Ring): Layers {
  const { plot, series, slices, start, whole, share = whole } = sliced
  const layers: Layers = { marks: [], labels: [] }
  if (!(share > 0)) return layers
  let angle = start
  const deep: DeepSlice[] = []
  const flat = ring.tilt?.flat ?? 1
  for (const { at, value } of slices) {
    const sweep = (value / share) * 2 * Math.PI
    const middle = angle + sweep / 2
    const away = (explosionOf(series, at) / 100) * ring.outer
    const [x, y] = [ring.x + Math.cos(middle) * away, ring.y + Math.sin(middle) * away * flat]
    const look = { fill: pointFill(plot, series, at), line: pointLine(series, at) }
    const slice: DeepSlice = { x, y, radius: ring.outer, start: angle, sweep, look }
    if (ring.tilt && sweep > 0) deep.push(slice)
    else if (sweep > 0) layers.marks.push(...sliceFrames(slice, ring.inner, canvas.node))
    const label = pointLabel(canvas, { series, at, share: value / whole })
    if (label) {
      const distance = labelDistance(label, ring, middle)
      layers.labels.push(
        ...label.at(
          x + Math.cos(middle) * distance - label.width / 2,
          y + Math.sin(middle) * distance * flat - label.height / 2,
        ),
      )
    }
    angle += sweep
  }
  if (ring.tilt) layers.marks.push(...deepSlices(deep, ring.tilt, canvas.node))
  return layers
}

/** From the middle of a ring to that of a label. */
function labelDistance(
  label: { width: number; height: number; position: string | undefined },
  { inner, outer }: Ring,
  angle: number,
): number {
  const { width, height, position } = label
  const reach = (Math.abs(Math.cos(angle)) * width + Math.abs(Math.sin(angle)) * height) / 2
  if (position === 'outEnd') return outer + reach + 2
  if (position === 'inEnd' || ((position === undefined || position === 'bestFit') && inner === 0))
    return outer - reach - 2
  return (inner + outer) / 2
}

function sliceFrames(slice: DeepSlice, inner: number, node: number): Frame[] {
  const { x, y, radius, look } = slice
  const box = { x: x - radius, y: y - radius, width: 2 * radius, height: 2 * radius }
  return paintedPath(sliceOutline(slice, inner), look, node, box)
}

function sliceOutline({ x, y, radius, start, sweep }: DeepSlice, inner: number): Outline {
  const pen = new Pen()
  const isWhole = sweep >= 2 * Math.PI - 1e-9
  pen.move(x + Math.cos(start) * radius, y + Math.sin(start) * radius)
  pen.arc({ x, y, radiusX: radius, radiusY: radius }, start, sweep)
  if (inner > 0) {
    const end = start + sweep
    if (isWhole) {
      pen.close()
      pen.move(x + Math.cos(end) * inner, y + Math.sin(end) * inner)
    } else pen.line(x + Math.cos(end) * inner, y + Math.sin(end) * inner)
    pen.arc({ x, y, radiusX: inner, radiusY: inner }, end, -sweep)
  } else if (!isWhole) pen.line(x, y)
  pen.close()
  return pen.outline
}

/** How far a slice is pulled out, in hundredths of the radius. */
export function explosionOf(series: Series, at: number): number {
  return series.points.get(at)?.explosion ?? series.explosion
}
