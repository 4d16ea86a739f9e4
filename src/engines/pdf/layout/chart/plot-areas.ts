import { polygon } from '../../frame/pen.ts'
import type { Plot } from '../../model/chart.ts'
import type { Grid } from './grid.ts'
import { pointLabel } from './labels.ts'
import type { Layers } from './layers.ts'
import { paintedPath } from './marks.ts'
import { stacksOf } from './stacks.ts'

export function drawAreas(plot: Plot, grid: Grid): Layers {
  const layers: Layers = { marks: [], labels: [] }
  const { canvas } = grid
  for (const { series, reaches } of stacksOf(plot, grid.count)) {
    const upper: number[] = []
    const lower: number[] = []
    for (const [at, reach] of reaches.entries()) {
      const { from, to } = reach ?? { from: 0, to: 0 }
      upper.push(...grid.at(grid.category(at), grid.valueWithin(to)))
      lower.unshift(...grid.at(grid.category(at), grid.valueWithin(from)))
    }
    if (reaches.length === 0) continue
    const outline = polygon([...upper, ...lower])
    layers.marks.push(...paintedPath(outline, { fill: series.fill, line: series.line }, canvas.node, grid.box))
    for (const [at, reach] of reaches.entries()) {
      const label = pointLabel(canvas, { series, at })
      if (!label || !reach) continue
      const [x, y] = grid.at(grid.category(at), grid.valueWithin((reach.from + reach.to) / 2))
      layers.labels.push(...label.at(x - label.width / 2, y - label.height / 2))
    }
  }
  return layers
}
