import type { Frame } from '../../frame/frame.ts'
import { polyline } from '../../frame/pen.ts'
import type { Chart, Plot, View } from '../../model/chart.ts'
import type { PathFill } from '../../model/geometry.ts'
import type { Fill, Line } from '../../model/paint.ts'
import type { Box } from './caption.ts'
import { paintedPath } from './marks.ts'

/**
 * Bars and columns in three dimensions, with axes at right angles: their front stands as in two, and their depth runs
 * from there up and to the right (21.2.2.228).
 */

/** How far the back of a plot stands to the right of its front, and above it. */
export interface Depth {
  x: number
  y: number
}

/** The depth takes at most these shares of the front. */
const MOST = { x: 0.35, y: 0.5 }

export const flat: Depth = { x: 0, y: 0 }

/** The depth of bars in front of which `along` points are for all categories. */
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

/** The front of a bar: where it stands in two dimensions, moved back to its row. */
export function frontOf(bar: Box, plot: Plot, index: number, depth: Depth): Box {
  const gap = plot.gapDepth / 200 / (1 + plot.gapDepth / 100)
  const back = ((plot.inRows ? index : 0) + gap) / rowsOf(plot)
  return { ...bar, x: bar.x + back * depth.x, y: bar.y - back * depth.y }
}

/** A bar by its front, with its upper and its right side. */
export function deepBar(
  { x, y, width, height }: Box,
  plot: Plot,
  depth: Depth,
  fill: Fill | undefined,
  line: Line | undefined,
  node: number,
): Frame[] {
  const share = 1 / (1 + plot.gapDepth / 100) / rowsOf(plot)
  const [dx, dy] = [share * depth.x, share * depth.y]
  const [right, bottom] = [x + width, y + height]
  const face = (points: number[], shade: PathFill) =>
    paintedPath(polyline(points, true), fill, line, node, { x, y, width, height }, shade)
  return [
    ...face([right, y, right + dx, y - dy, right + dx, bottom - dy, right, bottom], 'darkenLess'),
    ...face([x, y, x + dx, y - dy, right + dx, y - dy, right, y], 'lightenLess'),
    ...face([x, y, right, y, right, bottom, x, bottom], 'norm'),
  ]
}

/** Bars as they are painted: what stands behind, below or to the left comes first. */
export function behind(a: { front: Box; row: number }, b: { front: Box; row: number }, isLying: boolean): number {
  if (a.row !== b.row) return b.row - a.row
  const [across, up] = [a.front.x - b.front.x, b.front.y + b.front.height - a.front.y - a.front.height]
  const [first, second] = isLying ? [up, across] : [across, up]
  return Math.abs(first) > 0.01 ? first : second
}

/** The floor and the walls behind a plot, where the document paints them. */
export function wallFrames({ walls }: Chart, { x, y, width, height }: Box, depth: Depth, node: number): Frame[] {
  const [right, bottom] = [x + width, y + height]
  const { x: dx, y: dy } = depth
  const wall = (points: number[], fill: Fill | undefined, line: Line | undefined) =>
    paintedPath(polyline(points, true), fill, line, node, { x, y: y - dy, width: width + dx, height: height + dy })
  return [
    ...wall([x + dx, y - dy, right + dx, y - dy, right + dx, bottom - dy, x + dx, bottom - dy], ...walls.back),
    ...wall([x, y, x + dx, y - dy, x + dx, bottom - dy, x, bottom], ...walls.side),
    ...wall([x, bottom, x + dx, bottom - dy, right + dx, bottom - dy, right, bottom], ...walls.floor),
  ]
}

/** A line of the grid: along the side wall or the floor to the back, and there across or up. */
export function deepGridLine(
  at: number,
  isVertical: boolean,
  box: Box,
  depth: Depth,
  line: Line,
  node: number,
): Frame[] {
  const { x: dx, y: dy } = depth
  const bottom = box.y + box.height
  const points = isVertical
    ? [box.x, at, box.x + dx, at - dy, box.x + box.width + dx, at - dy]
    : [at, bottom, at + dx, bottom - dy, at + dx, box.y - dy]
  return paintedPath(polyline(points, false), undefined, line, node)
}
