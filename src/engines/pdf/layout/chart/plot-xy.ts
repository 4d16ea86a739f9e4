import type { Plot } from '../../model/chart.ts'
import type { Grid } from './grid.ts'
import type { Layers } from './layers.ts'
import { drawAreas } from './plot-areas.ts'
import { drawBars } from './plot-bars.ts'
import { drawBubbles } from './plot-bubbles.ts'
import { drawLines } from './plot-lines.ts'

/** Draws the series of a plot between its axes. */
export function drawPlot(plot: Plot, grid: Grid): Layers {
  if (plot.kind === 'bar') return drawBars(plot, grid)
  if (plot.kind === 'area') return drawAreas(plot, grid)
  return plot.kind === 'bubble' ? drawBubbles(plot, grid) : drawLines(plot, grid)
}
