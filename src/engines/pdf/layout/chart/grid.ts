import type { Axis } from '../../model/chart.ts'
import type { Canvas } from '../drawing/canvas.ts'
import type { Box, Place } from './box.ts'
import type { Depth } from './depth.ts'
import { categoryShare, type Pair } from './pairs.ts'
import { shareOf } from './scale.ts'

/** Two axes whose place is known: what the plots between them are drawn on. */
export interface Grid {
  canvas: Canvas
  box: Box
  depth: Depth
  /** How many categories there are. */
  count: number
  /** True if categories run along y: lying bars. */
  swapped: boolean
  /** The share of the axis that one category takes. */
  categoryWidth: number
  /** Where category `at` has its middle, as a share of the axis. */
  category(at: number): number
  /** The place of a value on a category axis with its own scale (scatter charts). */
  xShare(value: number): number
  valueShare(value: number): number
  /** The share of a value, at the nearest end of the axis for what is beyond it. */
  valueWithin(value: number): number
  /** From shares of both axes to the chart's coordinates. */
  at(category: number, value: number): Place
}

export function gridOf(canvas: Canvas, pair: Pair, box: Box, depth: Depth): Grid {
  const { scale, xScale, count, between, swapped, category, value } = pair
  const flip = (axis: Axis | undefined, share: number) => (axis?.isReversed ? 1 - share : share)
  const valueShare = (number: number) => flip(value, shareOf(number, scale))
  return {
    canvas,
    box,
    depth,
    count,
    swapped,
    categoryWidth: between ? 1 / count : 1 / Math.max(1, count - 1),
    category: (at) => flip(category, categoryShare(at, pair)),
    xShare: (x) => flip(category, xScale ? shareOf(x, xScale) : 0),
    valueShare,
    valueWithin: (number) => Math.max(0, Math.min(1, valueShare(number))),
    at(along, across) {
      const [x, y] = swapped ? [across, along] : [along, across]
      return [box.x + x * box.width, box.y + (1 - y) * box.height]
    },
  }
}
