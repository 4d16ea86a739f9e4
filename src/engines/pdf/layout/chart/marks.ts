import type { Frame, Outline } from '../../frame/frame.ts'
import { Pen, polyline, rectangleOutline } from '../../frame/pen.ts'
import type { Marker } from '../../model/chart.ts'
import type { PathFill } from '../../model/geometry.ts'
import type { Fill, Line } from '../../model/paint.ts'
import { fillPaint, strokeOf } from '../drawing/paint.ts'

/** An outline with fill and line, in the chart's coordinates; the fill reaches over `box`, where a gradient needs one. */
export function paintedPath(
  outline: Outline,
  fill: Fill | undefined,
  line: Line | undefined,
  node: number,
  box = { x: 0, y: 0, width: 0, height: 0 },
  face: PathFill = 'norm',
): Frame[] {
  const paint = fill && fillPaint(fill, face, box.width, box.height)
  if ((!paint && !line) || outline.ops === '') return []
  const points = outline.points.map((value, index) => value - (index % 2 === 0 ? box.x : box.y))
  return [
    {
      kind: 'path',
      x: box.x,
      y: box.y,
      outline: { ops: outline.ops, points },
      evenOdd: false,
      ...(paint ? { fill: paint } : {}),
      ...(line ? { stroke: strokeOf(line) } : {}),
      node,
    },
  ]
}

export function paintedBox(
  x: number,
  y: number,
  width: number,
  height: number,
  fill: Fill | undefined,
  line: Line | undefined,
  node: number,
): Frame[] {
  return paintedPath(rectangleOutline(x, y, width, height), fill, line, node, { x, y, width, height })
}

export function straight(x1: number, y1: number, x2: number, y2: number, line: Line, node: number): Frame[] {
  return paintedPath(polyline([x1, y1, x2, y2], false), undefined, line, node)
}

/** The sign of a data point (21.2.3.27), around its place. */
export function markerFrames(marker: Marker, x: number, y: number, node: number): Frame[] {
  const half = marker.size / 2
  const pen = new Pen()
  const { symbol, fill } = marker
  const color = fill?.kind === 'solid' ? fill.color : fill?.kind === 'gradient' ? fill.stops[0]!.color : '000000'
  const thin: Line = marker.line ?? { color, opacity: 1, width: 0.75, dash: [], cap: 'butt', join: 'miter' }
  const cross = (dx: number, dy: number) => {
    pen.move(x - dx, y - dy)
    pen.line(x + dx, y + dy)
  }
  switch (symbol) {
    case 'square':
      pen.rectangle(x - half, y - half, marker.size, marker.size)
      break
    case 'triangle':
      return paintedPath(polyline([x, y - half, x + half, y + half, x - half, y + half], true), fill, marker.line, node)
    case 'diamond':
      return paintedPath(polyline([x, y - half, x + half, y, x, y + half, x - half, y], true), fill, marker.line, node)
    case 'x':
      cross(half, half)
      cross(half, -half)
      return paintedPath(pen.outline, undefined, thin, node)
    case 'plus':
      cross(half, 0)
      cross(0, half)
      return paintedPath(pen.outline, undefined, thin, node)
    case 'star':
      cross(half, half)
      cross(half, -half)
      cross(0, half)
      return paintedPath(pen.outline, undefined, thin, node)
    case 'dash':
      pen.rectangle(x - half, y - half / 4, marker.size, half / 2)
      break
    case 'dot':
      pen.rectangle(x, y - half / 4, half, half / 2)
      break
    default:
      pen.ellipse(x, y, half, half)
  }
  return paintedPath(pen.outline, fill, marker.line, node)
}
