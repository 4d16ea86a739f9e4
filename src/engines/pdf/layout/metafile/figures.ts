import type { Outline } from '../../frame/frame.ts'
import { Pen } from '../../frame/pen.ts'

/** The shapes that GDI draws, as outlines in logical units. */

export interface Point {
  readonly x: number
  readonly y: number
}

export interface Size {
  readonly width: number
  readonly height: number
}

export interface Area extends Point, Size {}

export interface Bounds {
  readonly left: number
  readonly top: number
  readonly right: number
  readonly bottom: number
}

export function areaOf({ left, top, right, bottom }: Bounds): Area {
  return { x: left, y: top, width: right - left, height: bottom - top }
}

export function ellipseIn({ left, top, right, bottom }: Bounds): Outline {
  const pen = new Pen()
  pen.ellipse((left + right) / 2, (top + bottom) / 2, Math.abs(right - left) / 2, Math.abs(bottom - top) / 2)
  return pen.outline
}

/** A rectangle whose corners are quarters of an ellipse of the given size. */
export function roundRectangle({ left, top, right, bottom }: Bounds, corner: Size): Outline {
  const pen = new Pen()
  const [x1, x2] = [Math.min(left, right), Math.max(left, right)]
  const [y1, y2] = [Math.min(top, bottom), Math.max(top, bottom)]
  const rx = Math.min(Math.abs(corner.width), x2 - x1) / 2
  const ry = Math.min(Math.abs(corner.height), y2 - y1) / 2
  const quarter = Math.PI / 2
  pen.move(x1, y1 + ry)
  pen.arc({ x: x1 + rx, y: y1 + ry, radiusX: rx, radiusY: ry }, 2 * quarter, quarter)
  pen.line(x2 - rx, y1)
  pen.arc({ x: x2 - rx, y: y1 + ry, radiusX: rx, radiusY: ry }, 3 * quarter, quarter)
  pen.line(x2, y2 - ry)
  pen.arc({ x: x2 - rx, y: y2 - ry, radiusX: rx, radiusY: ry }, 0, quarter)
  pen.line(x1 + rx, y2)
  pen.arc({ x: x1 + rx, y: y2 - ry, radiusX: rx, radiusY: ry }, quarter, quarter)
  pen.close()
  return pen.outline
}

/** How an arc is closed: not at all, straight from end to end, or through the middle. */
export type ArcKind = 'open' | 'chord' | 'pie'

/** An anticlockwise arc of the ellipse in `bounds`, between the rays from its middle through two points. */
export function arcIn({ left, top, right, bottom }: Bounds, from: Point, to: Point, kind: ArcKind): Outline {
  const pen = new Pen()
  const [x, y] = [(left + right) / 2, (top + bottom) / 2]
  const [rx, ry] = [Math.abs(right - left) / 2 || 1e-6, Math.abs(bottom - top) / 2 || 1e-6]
  const start = Math.atan2((from.y - y) / ry, (from.x - x) / rx)
  const end = Math.atan2((to.y - y) / ry, (to.x - x) / rx)
  let sweep = end - start
  if (sweep >= 0) sweep -= 2 * Math.PI
  pen.move(x + rx * Math.cos(start), y + ry * Math.sin(start))
  pen.arc({ x, y, radiusX: rx, radiusY: ry }, start, sweep)
  if (kind === 'pie') pen.line(x, y)
  if (kind !== 'open') pen.close()
  return pen.outline
}

/** Cubic curves through a list of coordinates: the first point, then two control points and an end for each curve. */
export function bezier(points: readonly number[]): Outline {
  const pen = new Pen()
  const at = (index: number) => points[index] ?? 0
  if (points.length >= 2) pen.move(at(0), at(1))
  for (let from = 2; from + 5 < points.length; from += 6)
    pen.curve(at(from), at(from + 1), at(from + 2), at(from + 3), at(from + 4), at(from + 5))
  return pen.outline
}

/** Several polygons or polylines as one outline. */
export function polylines(figures: Iterable<readonly number[]>, kind: 'open' | 'closed'): Outline {
  const pen = new Pen()
  for (const points of figures) {
    for (const [index, x] of points.entries()) {
      if (index % 2 !== 0) continue
      const y = points[index + 1] ?? 0
      if (index === 0) pen.move(x, y)
      else pen.line(x, y)
    }
    if (kind === 'closed') pen.close()
  }
  return pen.outline
}
