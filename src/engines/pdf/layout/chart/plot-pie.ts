import type { Frame } from '../../frame/frame.ts'
import type { Plot, View } from '../../model/chart.ts'
import type { Canvas } from '../drawing/canvas.ts'
import type { Box } from './box.ts'
import { framesOf, joinLayers } from './layers.ts'
import { tiltOf } from './pie-deep.ts'
import { drawPieOfPie } from './plot-of-pie.ts'
import { drawSlices, explosionOf, type Slice } from './slices.ts'

/** Draws slices around a middle: one series for a pie, a ring for each series of a doughnut. */
export function drawPie(canvas: Canvas, plot: Plot, view: View, space: Box): Frame[] {
  if (plot.second) return drawPieOfPie(canvas, plot, plot.second, space)
  const series = plot.kind === 'pie' ? plot.series.slice(0, 1) : plot.series
  const farthest = Math.max(0, ...series.flatMap((entry) => entry.values.map((_, at) => explosionOf(entry, at))))
  const labels = series[0]?.labels
  const outside = labels?.position === 'outEnd' ? 2 * (labels.look.size ?? 10) : 0
  const tilt = tiltOf(plot, view)
  const height = tilt ? space.height / (tilt.flat + tilt.rim / 2) : space.height
  const room = Math.min(space.width, height) / 2 - outside
  const radius = Math.max(1, room / (1 + farthest / 100))
  const [x, y] = [space.x + space.width / 2, space.y + (space.height - radius * (tilt?.rim ?? 0)) / 2]
  const hole = plot.kind === 'doughnut' ? (radius * plot.hole) / 100 : 0
  const band = (radius - hole) / Math.max(1, series.length)
  const start = (plot.firstAngle / 180) * Math.PI - Math.PI / 2
  const rings = series.map((entry, ring) => {
    const inner = hole + ring * band
    const slices = entry.values.map((value, at): Slice => ({ at, value: Math.abs(value ?? 0) }))
    const whole = slices.reduce((sum, { value }) => sum + value, 0)
    return drawSlices(canvas, { plot, series: entry, slices, start, whole }, { x, y, inner, outer: inner + band, tilt })
  })
  return framesOf(joinLayers(rings))
}
