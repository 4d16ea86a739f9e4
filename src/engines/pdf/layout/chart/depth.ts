import type { Frame, Outline } from '../../frame/frame.ts'
import { polygon, polyline } from '../../frame/pen.ts'
import type { Chart, Plot, View } from '../../model/chart.ts'
import type { PathFill } from '../../model/geometry.ts'
import type { Box } from './box.ts'
import { type Look, paintedPath } from './marks.ts'

/**
 * Bars and columns in three dimensions, with axes at right angles. The front is drawn as in two dimensions; the depth
 * runs from there up and to the right (21.2.2.228).
 */

/** How far the back of a plot lies to the right of its front, and above it. */
export interface Depth {
  x: number
  y: number
}

/** The depth takes at most these shares of the front. */
const MOST = { x: 0.35, y: 0.5 }

export const flat: Depth = { x: 0, y: 0 }

/** The depth of bars in three dimensions if `count` categories share the front; flat for all other plots. */
export function depthOf(plots: readonly Plot[], view: View, count: number, front: Box): Depth {
  const [plot] = plots
  if (!plot || !plots.every(({ kind, isDeep }) => isDeep && kind === 'bar')) return flat
  const along = plot.horizontal ? front.height : front.width
  const lanes = plot.stacking === 'none' && !plot.inRows ? Math.max(1, plot.series.length) : 1
  const bar = along / Math.max(1, count) / (lanes + plot.gapWidth / 100)
  const deep = bar * (1 + plot.gapDepth / 100) * rowsOf(plot) * view.depth
  const [x, y] = [deep * sine(view.rotY ?? 20), deep * sine(view.rotX ?? 15)]
  const fit = Math.min(1, (MOST.x * front.width) / Math.max(1e-6, x), (MOST.y * front.height) / Math.max(1e-6, y))
  return { x: x * fit, y: y * fit }
}

function sine(degrees: number): number {
  return Math.abs(Math.sin((degrees / 180) * Math.PI))
}

/** Series behind each other have a row each. */
function rowsOf({ inRows, series }: Plot): number {
  return inRows ? Math.max(1, series.length) : 1
}

/** The front of a bar: its place in two dimensions, moved back to its row. */
export function frontOf(bar: Box, plot: Plot, index: number, depth: Depth): Box {
  const gap = plot.gapDepth / 200 / (1 + plot.gapDepth / 100)
  const back = ((plot.inRows ? index : 0) + gap) / rowsOf(plot)
  return { ...bar, x: bar.x + back * depth.x, y: bar.y - back * depth.y }
}

/** A bar, from its front: with its upper and its right side. */
export function deepBar(front: Box, plot: Plot, depth: Depth, look: Look, node: number): Frame[] {
  const { x, y, width, height } = front
  const share = 1 / (1 + plot.gapDepth / 100) / rowsOf(plot)
  const [dx, dy] = [share * depth.x, share * depth.y]
  const [right, bottom] = [x + width, y + height]
  const side = (points: number[], face: PathFill) => paintedPath(polygon(points), { ...look, face }, node, front)
  return [
    ...side([right, y, right + dx, y - dy, right + dx, bottom - dy, right, bottom], 'darkenLess'),
    ...side([x, y, x + dx, y - dy, right + dx, y - dy, right, y], 'lightenLess'),
    ...side([x, y, right, y, right, bottom, x, bottom], 'norm'),
  ]
}

/** A bar of a row, before it is painted. */
interface Standing {
  front: Box
  row: number
}

/** Orders columns as they are painted: first those behind, to the left or below. */
export function columnsFromBehind(a: Standing, b: Standing): number {
  return behind(a, b, [a.front.x - b.front.x, footOf(a) - footOf(b)])
}

/** The same for horizontal bars: those below come before those to the left. */
export function barsFromBehind(a: Standing, b: Standing): number {
  return behind(a, b, [footOf(a) - footOf(b), a.front.x - b.front.x])
}

function footOf({ front }: Standing): number {
  return -(front.y + front.height)
}

function behind(a: Standing, b: Standing, [first, second]: readonly [number, number]): number {
  if (a.row !== b.row) return b.row - a.row
  return Math.abs(first) > 0.01 ? first : second
}

/** The floor and the walls behind a plot, where the document paints them. */
export function wallFrames({ walls }: Chart, { x, y, width, height }: Box, depth: Depth, node: number): Frame[] {
  const [right, bottom] = [x + width, y + height]
  const { x: dx, y: dy } = depth
  const whole: Box = { x, y: y - dy, width: width + dx, height: height + dy }
  const wall = (points: number[], [fill, line]: Chart['walls']['back']) =>
    paintedPath(polygon(points), { fill, line }, node, whole)
  return [
    ...wall([x + dx, y - dy, right + dx, y - dy, right + dx, bottom - dy, x + dx, bottom - dy], walls.back),
    ...wall([x, y, x + dx, y - dy, x + dx, bottom - dy, x, bottom], walls.side),
    ...wall([x, bottom, x + dx, bottom - dy, right + dx, bottom - dy, right, bottom], walls.floor),
  ]
}

/** A level line of the grid: along the side wall to the back, and there across. */
export function levelGridLine(y: number, box: Box, { x: dx, y: dy }: Depth): Outline {
  return polyline([box.x, y, box.x + dx, y - dy, box.x + box.width + dx, y - dy])
}

/** An upright line of the grid: along the floor to the back, and there up. */
export function uprightGridLine(x: number, box: Box, { x: dx, y: dy }: Depth): Outline {
  const bottom = box.y + box.height
  return polyline([x, bottom, x + dx, bottom - dy, x + dx, box.y - dy])
}
