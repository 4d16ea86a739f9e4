import type { Frame } from '../../frame/frame.ts'
import type { Chart } from '../../model/chart.ts'
import type { Canvas } from '../drawing/canvas.ts'
import type { Box } from './box.ts'
import { caption } from './caption.ts'
import { type Depth, flat } from './depth.ts'
import type { Pair } from './pairs.ts'

/** From the corner of a row to the name of its series (2.5 mm). */
const GAP = 7.1

/** The names of series behind each other, to the right of their rows. */
export interface SeriesNames {
  /** How far they reach to the right of the plot's front. */
  room: number
  beside(box: Box): Frame[]
}

export function seriesNames(canvas: Canvas, chart: Chart, pair: Pair, depth: Depth): SeriesNames | undefined {
  const plot = pair.plots.find(({ inRows }) => inRows)
  const axis = chart.axes.find(({ kind }) => kind === 'series')
  if (!plot || !axis || axis.isDeleted || axis.labels === 'none' || depth === flat) return undefined
  const count = plot.series.length
  const shareOf = (at: number) => (at + 0.5) / count
  const names = plot.series.map(({ name }) => caption(canvas, name, axis.look))
  return {
    room: Math.max(0, ...names.map(({ width }, at) => shareOf(at) * depth.x + GAP + width)),
    beside: (box) =>
      names.flatMap((name, at) =>
        name.at(
          box.x + box.width + shareOf(at) * depth.x + GAP,
          box.y + box.height - shareOf(at) * depth.y - name.height / 2,
        ),
      ),
  }
}
