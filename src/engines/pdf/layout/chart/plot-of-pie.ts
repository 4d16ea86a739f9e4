import type { Frame } from '../../frame/frame.ts'
import type { Plot, SecondPlot, Series } from '../../model/chart.ts'
import type { Line } from '../../model/paint.ts'
import type { Canvas } from '../drawing/canvas.ts'
import type { Box } from './box.ts'
import { pointLabel } from './labels.ts'
import { framesOf, joinLayers, type Layers } from './layers.ts'
import { paintedBox, straight } from './marks.ts'
import { pointFill, pointLine } from './points.ts'
import { drawSlices, explosionOf, type Ring, type Slice, type Sliced } from './slices.ts'

/**
 * A pie with one slice shown in detail as a second pie or a bar beside it (21.2.2.126). That slice points to the right,
 * and the others follow it clockwise.
 */
export function drawPieOfPie(canvas: Canvas, plot: Plot, second: SecondPlot, box: Box): Frame[] {
  const [stated] = plot.series
  if (!stated) return []
  const all = stated.values.map((value, at): Slice => ({ at, value: Math.abs(value ?? 0) }))
  const beside = all.filter(({ at }) => second.points.has(at))
  const other = sumOf(beside)
  const whole = sumOf(all)
  if (!(whole > 0)) return []
  const series: Series = {
    ...stated,
    values: [...stated.values, other],
    categories: [...all.map(({ at }) => stated.categories[at] ?? `${at + 1}`), 'Other'],
  }
  const half = (other / whole) * Math.PI
  const slices = [...all.filter(({ at }) => !second.points.has(at)), { at: all.length, value: other }]
  // Slices that are pulled out make both wider.
  const spread = 1 + Math.max(0, ...slices.map(({ at }) => explosionOf(series, at))) / 100
  const { first, ring } = placeBoth(second, box, spread)
  const pie = drawSlices(canvas, { plot, series, slices, start: half, whole }, first)
  if (other <= 0) return framesOf(pie)
  const parts: Sliced = { plot, series, slices: beside, start: -Math.PI / 2, whole, share: other }
  const own = second.kind === 'pie' ? drawSlices(canvas, parts, ring) : drawStack(canvas, parts, ring, other)
  const lines = second.line ? tangents(first, ring, half, second.line, canvas.node) : []
  return framesOf(joinLayers([{ marks: lines, labels: [] }, pie, own]))
}

/** Both plots side by side, as large as fits. A bar is described by a ring: its left edge is the ring's centre. */
function placeBoth(second: SecondPlot, box: Box, spread: number): { first: Ring; ring: Ring } {
  const size = second.size / 100
  const gapShare = (second.gapWidth / 100) * size
  const secondWidth = second.kind === 'pie' ? 2 * size * spread : size
  // The whole is as wide as both and the gap between them, and as high as the larger.
  const across = 2 * spread + gapShare + secondWidth
  const down = 2 * Math.max(spread, second.kind === 'pie' ? size * spread : size)
  const radius = Math.max(1, Math.min(box.height / down, box.width / across))
  const x = box.x + (box.width - radius * across) / 2 + radius * spread
  const y = box.y + box.height / 2
  const left = x + radius * (spread + gapShare)
  const reach = radius * size
  const nearest = second.kind === 'pie' ? left + reach * spread : left
  return { first: { x, y, inner: 0, outer: radius }, ring: { x: nearest, y, inner: 0, outer: reach } }
}

/** Lines from the ends of a slice that points to the right to the plot beside it. */
function tangents(first: Ring, ring: Ring, half: number, line: Line, node: number): Frame[] {
  return [1, -1].flatMap((side) =>
    straight(
      [first.x + Math.cos(half) * first.outer, first.y + side * Math.sin(half) * first.outer],
      [ring.x, first.y + side * ring.outer],
      line,
      node,
    ),
  )
}

/** The slices as a bar whose width is a radius and whose height is two. */
function drawStack(canvas: Canvas, { plot, series, slices, whole }: Sliced, ring: Ring, other: number): Layers {
  const layers: Layers = { marks: [], labels: [] }
  const width = ring.outer
  let top = ring.y - ring.outer
  for (const { at, value } of slices) {
    const height = (value / other) * 2 * ring.outer
    const look = { fill: pointFill(plot, series, at), line: pointLine(series, at) }
    layers.marks.push(...paintedBox({ x: ring.x, y: top, width, height }, look, canvas.node))
    const label = pointLabel(canvas, { series, at, share: value / whole })
    if (label) layers.labels.push(...label.at(ring.x + (width - label.width) / 2, top + (height - label.height) / 2))
    top += height
  }
  return layers
}

function sumOf(slices: readonly Slice[]): number {
  return slices.reduce((sum, { value }) => sum + value, 0)
}
