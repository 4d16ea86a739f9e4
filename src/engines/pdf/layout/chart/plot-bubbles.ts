import type { Plot } from '../../model/chart.ts'
import type { Grid } from './grid.ts'
import { besidePoint, pointLabel } from './labels.ts'
import type { Layers } from './layers.ts'
import { circle, paintedPath } from './marks.ts'
import { pointFill, pointLine } from './points.ts'

/** The largest bubble's diameter, as a share of the plot's shorter side. */
const LARGEST_BUBBLE = 0.25

export function drawBubbles(plot: Plot, grid: Grid): Layers {
  const layers: Layers = { marks: [], labels: [] }
  const { canvas } = grid
  const largest = Math.max(0, ...plot.series.flatMap((series) => series.sizes.map((size) => Math.abs(size ?? 0))))
  const most = (Math.min(grid.box.width, grid.box.height) * LARGEST_BUBBLE) / 2
  for (const series of plot.series) {
    for (const [at, value] of series.values.entries()) {
      if (value === undefined) continue
      const [x, y] = grid.at(grid.xShare(series.x[at] ?? at + 1), grid.valueShare(value))
      // Sizes are areas.
      const radius = largest > 0 ? most * Math.sqrt(Math.abs(series.sizes[at] ?? 0) / largest) : most / 4
      const box = { x: x - radius, y: y - radius, width: 2 * radius, height: 2 * radius }
      const look = { fill: pointFill(plot, series, at), line: pointLine(series, at) }
      layers.marks.push(...paintedPath(circle(x, y, radius), look, canvas.node, box))
      const label = pointLabel(canvas, { series, at })
      if (label) layers.labels.push(...besidePoint(label, [x, y], radius))
    }
  }
  return layers
}
