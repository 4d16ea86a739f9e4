import type { Frame, Outline } from '../../frame/frame.ts'
import { Pen, polygon, polyline } from '../../frame/pen.ts'
import type { ArrowHead, Line } from '../../model/paint.ts'
import { strokeOf } from './paint.ts'

/** Arrow heads of thinner lines are as large as those of this width, in points. */
const MIN_LINE = 2

interface End {
  x: number
  y: number
  /** Unit vector from the line's end outwards. */
  dx: number
  dy: number
}

/** An open outline with its arrow heads; the line ends inside them, so that their tips stay sharp. */
export function arrowFrames(outline: Outline, line: Line, node: number): Frame[] {
  const points = pointsOf(outline)
  const [head, tail] = [endOf(points), endOf(points.toReversed())]
  if (!head || !tail) return []
  const moved = [...outline.points]
  const [first, last] = [line.head && arrowAt(head, line.head, line), line.tail && arrowAt(tail, line.tail, line)]
  if (first) moved.splice(0, 2, ...first.end)
  if (last) moved.splice(-2, 2, ...last.end)
  const heads = [first, last].filter((arrow) => arrow !== undefined)
  const path = { kind: 'path' as const, x: 0, y: 0, evenOdd: false, node }
  return [
    { ...path, outline: { ops: outline.ops, points: moved }, stroke: strokeOf(line) },
    ...heads.map(({ shape, isFilled }): Frame => {
      if (!isFilled) return { ...path, outline: shape, stroke: { ...strokeOf(line), dash: [] } }
      return { ...path, outline: shape, fill: { kind: 'solid', color: line.color, opacity: line.opacity } }
    }),
  ]
}

type Point = readonly [x: number, y: number]

function pointsOf({ points }: Outline): Point[] {
  return points.flatMap((x, at) => (at % 2 === 0 ? [[x, points[at + 1] ?? 0] as const] : []))
}

/** The first point, and the direction to it from the next point that differs; undefined for a single point. */
function endOf([end, ...others]: readonly Point[]): End | undefined {
  if (!end || others.length === 0) return undefined
  const [x, y] = end
  for (const [otherX, otherY] of others) {
    const [dx, dy] = [x - otherX, y - otherY]
    const length = Math.hypot(dx, dy)
    if (length > 0.01) return { x, y, dx: dx / length, dy: dy / length }
  }
  return { x, y, dx: 1, dy: 0 }
}

/** An arrow at the end of a line: its shape, and where the line ends inside it. */
function arrowAt(end: End, arrow: ArrowHead, line: Line): { shape: Outline; isFilled: boolean; end: Point } {
  const unit = Math.max(line.width, MIN_LINE)
  const [length, half] = [arrow.length * unit, (arrow.width * unit) / 2]
  const covered = coverOf(arrow, length)
  return {
    shape: headOutline(arrow, end, length, half),
    isFilled: arrow.type !== 'arrow',
    end: [end.x - end.dx * covered, end.y - end.dy * covered],
  }
}

/** How much of an arrow's length the line leaves to it. */
function coverOf(arrow: ArrowHead, length: number): number {
  if (arrow.type === 'triangle') return length * 0.9
  if (arrow.type === 'stealth') return length * 0.6
  return arrow.type === 'arrow' ? length * 0.1 : 0
}

function headOutline({ type }: ArrowHead, { x, y, dx, dy }: End, length: number, half: number): Outline {
  // `along` counts from the tip backwards, `aside` to the right of the direction.
  const at = (along: number, aside: number) => [x - dx * along - dy * aside, y - dy * along + dx * aside]
  if (type === 'oval') {
    const pen = new Pen()
    pen.ellipse(x, y, length / 2, length / 2)
    return pen.outline
  }
  if (type === 'diamond') return polygon([...at(-length / 2, 0), ...at(0, half), ...at(length / 2, 0), ...at(0, -half)])
  if (type === 'arrow') return polyline([...at(length, half), ...at(0, 0), ...at(length, -half)])
  if (type === 'stealth')
    return polygon([...at(0, 0), ...at(length, half), ...at(length * 0.6, 0), ...at(length, -half)])
  return polygon([...at(0, 0), ...at(length, half), ...at(length, -half)])
}
