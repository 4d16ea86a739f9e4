import type { Frame, Outline } from '../../frame/frame.ts'
import { Pen, polygon, polyline, rectangleOutline } from '../../frame/pen.ts'
import type { Marker } from '../../model/chart.ts'
import type { PathFill } from '../../model/geometry.ts'
import type { Fill, Line } from '../../model/paint.ts'
import { fillPaint, strokeOf } from '../drawing/paint.ts'
import type { Box, Place } from './box.ts'

/** How an outline is painted; without fill and line it is not. */
export interface Look {
  fill?: Fill | undefined
  line?: Line | undefined
  /** The shade of the fill, where the outline is a side of a solid. */
  face?: PathFill
}

const nowhere: Box = { x: 0, y: 0, width: 0, height: 0 }

/** A painted outline; a gradient reaches over `box`. */
export function paintedPath(
  outline: Outline,
  { fill, line, face = 'norm' }: Look,
  node: number,
  box = nowhere,
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

export function paintedBox(box: Box, look: Look, node: number): Frame[] {
  return paintedPath(rectangleOutline(box.x, box.y, box.width, box.height), look, node, box)
}

export function straight(from: Place, to: Place, line: Line, node: number): Frame[] {
  return paintedPath(polyline([...from, ...to]), { line }, node)
}

/** The sign of a data point (21.2.3.27), around its place. */
export function markerFrames(marker: Marker, [x, y]: Place, node: number): Frame[] {
  const half = marker.size / 2
  const { fill, line } = marker
  const stroked: Look = { line: line ?? thinLine(marker) }
  const strokes = (...ends: Place[]) => {
    const pen = new Pen()
    for (const [dx, dy] of ends) {
      pen.move(x - dx, y - dy)
      pen.line(x + dx, y + dy)
    }
    return paintedPath(pen.outline, stroked, node)
  }
  const box: Box = { x: x - half, y: y - half, width: marker.size, height: marker.size }
  const filled = (outline: Outline) => paintedPath(outline, { fill, line }, node, box)
  switch (marker.symbol) {
    case 'square':
      return filled(rectangleOutline(box.x, box.y, box.width, box.height))
    case 'triangle':
      return filled(polygon([x, y - half, x + half, y + half, x - half, y + half]))
    case 'diamond':
      return filled(polygon([x, y - half, x + half, y, x, y + half, x - half, y]))
    case 'x':
      return strokes([half, half], [half, -half])
    case 'plus':
      return strokes([half, 0], [0, half])
    case 'star':
      return strokes([half, half], [half, -half], [0, half])
    case 'dash':
      return filled(rectangleOutline(x - half, y - half / 4, marker.size, half / 2))
    case 'dot':
      return filled(rectangleOutline(x, y - half / 4, half, half / 2))
    default:
      return filled(circle(x, y, half))
  }
}

export function circle(x: number, y: number, radius: number): Outline {
  const pen = new Pen()
  pen.ellipse(x, y, radius, radius)
  return pen.outline
}

/** The line of signs that are nothing but lines, if the document states none. */
function thinLine({ fill }: Marker): Line {
  const color = fill?.kind === 'solid' ? fill.color : fill?.kind === 'gradient' ? fill.stops[0].color : '000000'
  return { color, opacity: 1, width: 0.75, dash: [], cap: 'butt', join: 'miter' }
}
