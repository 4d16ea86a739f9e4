import type { Frame } from '../../frame/frame.ts'
import type { Plot } from '../../model/chart.ts'
import type { Grid } from './grid.ts'
import { paintedBox, straight } from './marks.ts'
import { stacksOf } from './stacks.ts'

/**
 * What joins the series of a line or stock chart at each category: a line from the highest to the lowest (21.2.2.80), a
 * bar from the first to the last (21.2.2.218), and a line down to the axis (21.2.2.53).
 */
export function drawJoins(plot: Plot, grid: Grid): Frame[] {
  const { highLow, upDown, drop } = plot
  if (!highLow && !upDown && !drop) return []
  const { node } = grid.canvas
  const stacks = stacksOf(plot, grid.count)
  const frames: Frame[] = []
  for (let at = 0; at < grid.count; at++) {
    const values = stacks.map(({ reaches }) => reaches[at]?.to)
    const known = values.filter((value) => value !== undefined)
    if (known.length === 0) continue
    const along = grid.category(at)
    const [lowest, highest] = [Math.min(...known), Math.max(...known)]
    const place = (value: number) => grid.at(along, grid.valueWithin(value))
    if (drop) frames.push(...straight(place(highest), place(0), drop, node))
    if (highLow) frames.push(...straight(place(lowest), place(highest), highLow, node))
    const [first, last] = [values[0], values.at(-1)]
    if (!upDown || first === undefined || last === undefined || values.length < 2) continue
    const look = last >= first ? upDown.up : upDown.down
    const half = grid.categoryWidth / (1 + upDown.gapWidth / 100) / 2
    const [x1, y1] = grid.at(along - half, grid.valueWithin(first))
    const [x2, y2] = grid.at(along + half, grid.valueWithin(last))
    const box = { x: Math.min(x1, x2), y: Math.min(y1, y2), width: Math.abs(x2 - x1), height: Math.abs(y2 - y1) }
    frames.push(...paintedBox(box, look, node))
  }
  return frames
}
