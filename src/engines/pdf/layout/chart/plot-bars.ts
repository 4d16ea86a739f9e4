import type { Frame } from '../../frame/frame.ts'
import type { Plot } from '../../model/chart.ts'
import type { Box } from './box.ts'
import { barsFromBehind, columnsFromBehind, deepBar, flat, frontOf } from './depth.ts'
import type { Grid } from './grid.ts'
import { LABEL_GAP, type PointLabel, pointLabel } from './labels.ts'
import type { Layers } from './layers.ts'
import { type Look, paintedBox } from './marks.ts'
import { pointFill, pointLine } from './points.ts'
import { type Reach, stacksOf } from './stacks.ts'

export function drawBars(plot: Plot, grid: Grid): Layers {
  const bars: { front: Box; row: number; frames: Frame[] }[] = []
  const labels: Frame[] = []
  const isDeep = grid.depth !== flat
  const painted = { palette: plot.palette, varyColors: plot.varyColors && plot.series.length === 1 }
  for (const { series, index, reaches } of stacksOf(plot, grid.count)) {
    const lane = barLane(plot, grid, index)
    for (const [at, reach] of reaches.entries()) {
      if (!reach) continue
      const bar = barBox(grid, grid.category(at) + lane.offset, lane.width, reach)
      const front = isDeep ? frontOf(bar, plot, index, grid.depth) : bar
      const look = { fill: pointFill(painted, series, at), line: pointLine(series, at) }
      bars.push({ front, row: plot.inRows ? index : 0, frames: barFrames(plot, grid, front, look) })
      const label = pointLabel(grid.canvas, { series, at })
      if (!label) continue
      const direction = reach.to >= reach.from ? 1 : -1
      const position = label.position ?? (plot.stacking === 'none' ? 'outEnd' : 'ctr')
      labels.push(...(grid.swapped ? besideBar : aboveBar)(label, position, front, direction))
    }
  }
  if (isDeep) bars.sort(grid.swapped ? barsFromBehind : columnsFromBehind)
  return { marks: bars.flatMap(({ frames }) => frames), labels }
}

function barBox(grid: Grid, near: number, width: number, { from, to }: Reach): Box {
  const [x1, y1] = grid.at(near, grid.valueWithin(from))
  const [x2, y2] = grid.at(near + width, grid.valueWithin(to))
  return { x: Math.min(x1, x2), y: Math.min(y1, y2), width: Math.abs(x2 - x1), height: Math.abs(y2 - y1) }
}

function barFrames(plot: Plot, { depth, canvas: { node } }: Grid, front: Box, look: Look): Frame[] {
  if (depth !== flat) return deepBar(front, plot, depth, look, node)
  return front.width > 0 && front.height > 0 ? paintedBox(front, look, node) : []
}

/**
 * Where the bars of a series begin relative to the middle of their category, and how wide they are, as shares of the
 * axis. If categories run backwards, so do the bars of one category.
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

/** Whether a bar grows along its axis, or against it. */
type Direction = 1 | -1

/** The label of a bar that lies, beyond its end unless the position says otherwise. */
function besideBar(label: PointLabel, position: string, bar: Box, direction: Direction): Frame[] {
  const [left, right] = [bar.x, bar.x + bar.width]
  const [foot, end] = direction > 0 ? [left, right] : [right, left]
  const [before, after] = direction > 0 ? [label.width, 0] : [0, label.width]
  const gap = direction * LABEL_GAP
  const middle = bar.y + bar.height / 2 - label.height / 2
  if (position === 'ctr') return label.at(bar.x + (bar.width - label.width) / 2, middle)
  if (position === 'inEnd') return label.at(end - gap - before, middle)
  return label.at((position === 'inBase' ? foot : end) + gap - after, middle)
}

/** The label of a column. */
function aboveBar(label: PointLabel, position: string, bar: Box, direction: Direction): Frame[] {
  const [top, bottom] = [bar.y, bar.y + bar.height]
  const [foot, end] = direction > 0 ? [bottom, top] : [top, bottom]
  const [before, after] = direction > 0 ? [0, label.height] : [label.height, 0]
  const gap = direction * LABEL_GAP
  const middle = bar.x + bar.width / 2 - label.width / 2
  if (position === 'ctr') return label.at(middle, bar.y + (bar.height - label.height) / 2)
  if (position === 'inEnd') return label.at(middle, end + gap - before)
  return label.at(middle, (position === 'inBase' ? foot : end) - gap - after)
}
