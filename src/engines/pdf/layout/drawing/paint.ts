import { shadeFace } from '../../frame/color.ts'
import type { Paint, Stroke } from '../../frame/frame.ts'
import type { PathFill } from '../../model/geometry.ts'
import type { Fill, Line } from '../../model/paint.ts'

/** A fill as it is drawn over a width × height box; undefined for pictures, which are no paint. */
export function fillPaint(fill: Fill, face: PathFill, width: number, height: number): Paint | undefined {
  if (fill.kind === 'picture') return undefined
  const { opacity } = fill
  if (fill.kind === 'solid') return { kind: 'solid', color: shadeFace(fill.color, face), opacity }
  const stops = fill.stops.map(({ at, color }) => ({ at, color: shadeFace(color, face) }))
  if (fill.focus) {
    const [x2, y2] = [fill.focus.x * width, fill.focus.y * height]
    const radius = Math.hypot(Math.max(x2, width - x2), Math.max(y2, height - y2))
    return { kind: 'radial', stops, x1: x2 + radius, y1: y2, x2, y2, opacity }
  }
  const angle = (fill.angle * Math.PI) / 180
  const exact = (value: number) => Math.round(value * 1e6) / 1e6
  const [cos, sin] = [exact(Math.cos(angle)), exact(Math.sin(angle))]
  // The colours reach from the box's first corner to its last as seen along the gradient.
  const reach = (Math.abs(width * cos) + Math.abs(height * sin)) / 2
  return {
    kind: 'linear',
    stops,
    x1: width / 2 - cos * reach,
    y1: height / 2 - sin * reach,
    x2: width / 2 + cos * reach,
    y2: height / 2 + sin * reach,
    opacity,
  }
}

/** Thinner lines vanish on some screens; Word draws hairlines of about this width. */
const HAIRLINE = 0.1

export function strokeOf(line: Line): Stroke {
  const width = Math.max(HAIRLINE, line.width)
  return {
    color: line.color,
    opacity: line.opacity,
    width,
    // Round and square ends lengthen every dash by the line's width, which the gap loses.
    dash: line.dash.map((length, index) =>
      line.cap === 'butt' ? length * width : Math.max(0.01, length + (index % 2 === 0 ? -1 : 1)) * width,
    ),
    cap: line.cap,
    join: line.join,
  }
}
