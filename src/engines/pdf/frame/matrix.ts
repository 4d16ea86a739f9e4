import type { GroupFrame, Matrix } from './frame.ts'

export const identity: Matrix = [1, 0, 0, 1, 0, 0]

/** The matrix that applies `inner` first, then `outer`. */
export function multiply(outer: Matrix, inner: Matrix): Matrix {
  const [a, b, c, d, e, f] = outer
  const [g, h, i, j, k, l] = inner
  return [a * g + c * h, b * g + d * h, a * i + c * j, b * i + d * j, a * k + c * l + e, b * k + d * l + f]
}

export function apply([a, b, c, d, e, f]: Matrix, x: number, y: number): [x: number, y: number] {
  return [a * x + c * y + e, b * x + d * y + f]
}

/** The inverse; undefined if everything ends up on one line. */
export function inverse([a, b, c, d, e, f]: Matrix): Matrix | undefined {
  const area = a * d - b * c
  if (!Number.isFinite(area) || Math.abs(area) < 1e-12) return undefined
  return [d / area, -b / area, -c / area, a / area, (c * f - d * e) / area, (b * e - a * f) / area]
}

export function translation(x: number, y: number): Matrix {
  return [1, 0, 0, 1, x, y]
}

/** Which ways a box is mirrored: left to right, and top to bottom. */
export interface Mirroring {
  flipH: boolean
  flipV: boolean
}

const unmirrored: Mirroring = { flipH: false, flipV: false }

/** Mirrors a width × height box, then turns it clockwise (as y counts downwards) by `degrees`, both about its middle. */
export function turned(width: number, height: number, degrees: number, { flipH, flipV } = unmirrored): Matrix {
  const angle = (degrees * Math.PI) / 180
  const exact = degrees % 90 === 0
  const cos = exact ? Math.round(Math.cos(angle)) : Math.cos(angle)
  const sin = exact ? Math.round(Math.sin(angle)) : Math.sin(angle)
  const [sx, sy] = [flipH ? -1 : 1, flipV ? -1 : 1]
  const turn: Matrix = [cos * sx, sin * sx, -sin * sy, cos * sy, width / 2, height / 2]
  return multiply(turn, translation(-width / 2, -height / 2))
}

/** The bounding box, in the coordinates around a group, of a box in the group's content. */
export function boundsOf(
  matrix: Matrix,
  x: number,
  y: number,
  width: number,
  height: number,
): { x: number; y: number; width: number; height: number } {
  const corners = [apply(matrix, x, y), apply(matrix, x + width, y), apply(matrix, x, y + height)]
  corners.push(apply(matrix, x + width, y + height))
  const xs = corners.map((corner) => corner[0])
  const ys = corners.map((corner) => corner[1])
  const [left, top] = [Math.min(...xs), Math.min(...ys)]
  return { x: left, y: top, width: Math.max(...xs) - left, height: Math.max(...ys) - top }
}

/** From a group's content to what surrounds the group, its place included. */
export function placeOf(group: GroupFrame): Matrix {
  return multiply(translation(group.x, group.y), group.matrix)
}
