import type { Frame, Outline } from '../../frame/frame.ts'
import { Pen, polyline } from '../../frame/pen.ts'
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

/** An open outline with its arrow heads; the line ends inside of them, so that their tips stay sharp. */
export function arrowFrames(outline: Outline, line: Line, node: number): Frame[] {
  const { points } = outline
  if (points.length < 4) return []
  const paint = { kind: 'solid' as const, color: line.color, opacity: line.opacity }
  const moved = { ops: outline.ops, points: [...points] }
  const heads: Frame[] = []
  const place = (arrow: ArrowHead, end: End, at: number) => {
    const unit = Math.max(line.width, MIN_LINE)
    const [length, half] = [arrow.length * unit, (arrow.width * unit) / 2]
    const covered = coverOf(arrow, length)
    moved.points[at] = end.x - end.dx * covered
    moved.points[at + 1] = end.y - end.dy * covered
    const shape = headOutline(arrow, end, length, half)
    if (arrow.type === 'arrow')
      heads.push({
        kind: 'path',
        x: 0,
        y: 0,
        outline: shape,
        evenOdd: false,
        stroke: { ...strokeOf(line), dash: [] },
        node,
      })
    else heads.push({ kind: 'path', x: 0, y: 0, outline: shape, evenOdd: false, fill: paint, node })
  }
  if (line.head) place(line.head, endOf(points, 0, 2), 0)
  if (line.tail) place(line.tail, endOf(points, points.length - 2, -2), points.length - 2)
  return [{ kind: 'path', x: 0, y: 0, outline: moved, evenOdd: false, stroke: strokeOf(line), node }, ...heads]
}

/** The end at an index and its direction, from the nearest point that differs. */
function endOf(points: readonly number[], at: number, step: number): End {
  const [x, y] = [points[at]!, points[at + 1]!]
  for (let other = at + step; other >= 0 && other < points.length; other += step) {
    const [dx, dy] = [x - points[other]!, y - points[other + 1]!]
    const length = Math.hypot(dx, dy)
    if (length > 0.01) return { x, y, dx: dx / length, dy: dy / length }
  }
  return { x, y, dx: 1, dy: 0 }
}

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
  if (type === 'diamond')
    return polyline([...at(-length / 2, 0), ...at(0, half), ...at(length / 2, 0), ...at(0, -half)], true)
  if (type === 'arrow') return polyline([...at(length, half), ...at(0, 0), ...at(length, -half)], false)
  if (type === 'stealth')
    return polyline([...at(0, 0), ...at(length, half), ...at(length * 0.6, 0), ...at(length, -half)], true)
  return polyline([...at(0, 0), ...at(length, half), ...at(length, -half)], true)
}
