import type { Frame } from '../../frame/frame.ts'
import { Pen } from '../../frame/pen.ts'
import type { Plot, View } from '../../model/chart.ts'
import type { PathFill } from '../../model/geometry.ts'
import { type Look, paintedPath } from './marks.ts'

/** Pies in three dimensions: seen from above at an angle, so that they are ellipses with a rim below. */
export interface Tilt {
  /** How high the ellipse is, as a share of its width. */
  flat: number
  /** How high the rim is, in radii. */
  rim: number
}

/** The default viewing angle, in degrees, and the thickness of a pie, in radii. */
const USUAL_ANGLE = 30
const THICKNESS = 0.25
/** Pies seen from the side, or straight from above, would be a line or have no rim. */
const ANGLES = { least: 10, most: 90 }

export function tiltOf({ isDeep, kind }: Plot, view: View): Tilt | undefined {
  if (!isDeep || kind !== 'pie') return undefined
  const angle = Math.max(ANGLES.least, Math.min(ANGLES.most, Math.abs(view.rotX ?? USUAL_ANGLE))) * (Math.PI / 180)
  return { flat: Math.sin(angle), rim: THICKNESS * Math.cos(angle) * Math.min(2, view.depth) }
}

/** A slice of a tilted pie around (x, y); angles clockwise. */
export interface DeepSlice {
  x: number
  y: number
  radius: number
  start: number
  sweep: number
  look: Look
}

/** The slices of a tilted pie, those behind first, so that rims cover what is behind them. */
export function deepSlices(slices: readonly DeepSlice[], tilt: Tilt, node: number): Frame[] {
  const depth = ({ start, sweep }: DeepSlice) => Math.sin(start + sweep / 2)
  const sorted = [...slices].sort((a, b) => depth(a) - depth(b))
  // The cut faces of slices that touch each other are hidden.
  const [first] = slices
  const isApart = slices.some(({ x, y }) => x !== first?.x || y !== first.y)
  return [
    ...(isApart ? sorted.flatMap((slice) => cutFrames(slice, tilt, node)) : []),
    ...sorted.flatMap((slice) => rimFrames(slice, tilt, node)),
    ...slices.flatMap((slice) => topFrames(slice, tilt, node)),
  ]
}

function topFrames(slice: DeepSlice, tilt: Tilt, node: number): Frame[] {
  const { x, y, radius, start, sweep } = slice
  const pen = new Pen()
  const isWhole = sweep >= 2 * Math.PI - 1e-9
  pen.move(...rimPoint(slice, tilt, start))
  pen.arc({ x, y, radiusX: radius, radiusY: radius * tilt.flat }, start, sweep)
  if (!isWhole) pen.line(x, y)
  pen.close()
  return painted(pen, slice, tilt, 'norm', node)
}

function cutFrames(slice: DeepSlice, tilt: Tilt, node: number): Frame[] {
  const { x, y, radius, start, sweep } = slice
  const down = radius * tilt.rim
  const frames: Frame[] = []
  for (const angle of sweep >= 2 * Math.PI - 1e-9 ? [] : [start, start + sweep]) {
    const [px, py] = rimPoint(slice, tilt, angle)
    const pen = new Pen()
    pen.move(x, y)
    pen.line(px, py)
    pen.line(px, py + down)
    pen.line(x, y + down)
    pen.close()
    frames.push(...painted(pen, slice, tilt, 'darken', node))
  }
  return frames
}

/** The front part of the rim: angles from 0 to half a turn. */
function rimFrames(slice: DeepSlice, tilt: Tilt, node: number): Frame[] {
  const { x, y, radius, start, sweep } = slice
  const down = radius * tilt.rim
  const frames: Frame[] = []
  for (let turn = Math.floor(start / (2 * Math.PI)); turn * 2 * Math.PI < start + sweep; turn++) {
    const from = Math.max(start, turn * 2 * Math.PI)
    const to = Math.min(start + sweep, turn * 2 * Math.PI + Math.PI)
    if (to - from < 1e-9) continue
    const pen = new Pen()
    const [px, py] = rimPoint(slice, tilt, from)
    pen.move(px, py)
    pen.arc({ x, y, radiusX: radius, radiusY: radius * tilt.flat }, from, to - from)
    const [qx, qy] = rimPoint(slice, tilt, to)
    pen.line(qx, qy + down)
    pen.arc({ x, y: y + down, radiusX: radius, radiusY: radius * tilt.flat }, to, from - to)
    pen.close()
    frames.push(...painted(pen, slice, tilt, 'darkenLess', node))
  }
  return frames
}

function rimPoint({ x, y, radius }: DeepSlice, { flat }: Tilt, angle: number): [number, number] {
  return [x + Math.cos(angle) * radius, y + Math.sin(angle) * radius * flat]
}

function painted(pen: Pen, { x, y, radius, look }: DeepSlice, { flat }: Tilt, face: PathFill, node: number): Frame[] {
  const height = radius * flat
  const box = { x: x - radius, y: y - height, width: 2 * radius, height: 2 * height }
  return paintedPath(pen.outline, { ...look, face }, node, box)
}
