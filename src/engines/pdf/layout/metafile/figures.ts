import type { Outline } from '../../frame/frame.ts'
import { Pen } from '../../frame/pen.ts'

/** Outlines of the figures that GDI draws by their bounding box, in logical units. */

export function ellipseIn(left: number, top: number, right: number, bottom: number): Outline {
  const pen = new Pen()
  pen.ellipse((left + right) / 2, (top + bottom) / 2, Math.abs(right - left) / 2, Math.abs(bottom - top) / 2)
  return pen.outline
}

export function roundRectangle(
  left: number,
  top: number,
  right: number,
  bottom: number,
  width: number,
  height: number,
): Outline {
  const pen = new Pen()
  const [x1, x2] = [Math.min(left, right), Math.max(left, right)]
  const [y1, y2] = [Math.min(top, bottom), Math.max(top, bottom)]
  const rx = Math.min(Math.abs(width), x2 - x1) / 2
  const ry = Math.min(Math.abs(height), y2 - y1) / 2
  const quarter = Math.PI / 2
  pen.move(x1, y1 + ry)
  pen.arc(x1 + rx, y1 + ry, rx, ry, 2 * quarter, quarter)
  pen.line(x2 - rx, y1)
  pen.arc(x2 - rx, y1 + ry, rx, ry, 3 * quarter, quarter)
  pen.line(x2, y2 - ry)
  pen.arc(x2 - rx, y2 - ry, rx, ry, 0, quarter)
  pen.line(x1 + rx, y2)
  pen.arc(x1 + rx, y2 - ry, rx, ry, quarter, quarter)
  pen.close()
  return pen.outline
}

/** An arc against the clock between the rays through two points, open, as a chord or as a slice. */
export function arcIn(
  [left, top, right, bottom]: readonly [number, number, number, number],
  [startX, startY, endX, endY]: readonly [number, number, number, number],
  closing: 'open' | 'chord' | 'pie',
): Outline {
  const pen = new Pen()
  const [x, y] = [(left + right) / 2, (top + bottom) / 2]
  const [rx, ry] = [Math.abs(right - left) / 2 || 1e-6, Math.abs(bottom - top) / 2 || 1e-6]
  const start = Math.atan2((startY - y) / ry, (startX - x) / rx)
  const end = Math.atan2((endY - y) / ry, (endX - x) / rx)
  let sweep = end - start
  if (sweep >= 0) sweep -= 2 * Math.PI
  pen.move(x + rx * Math.cos(start), y + ry * Math.sin(start))
  pen.arc(x, y, rx, ry, start, sweep)
  if (closing === 'pie') pen.line(x, y)
  if (closing !== 'open') pen.close()
  return pen.outline
}
