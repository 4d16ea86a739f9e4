import { limits } from '../../../core/limits.ts'
import type { Matrix, Outline } from './frame.ts'

/** An ellipse around a point, in points. */
interface Ellipse {
  x: number
  y: number
  radiusX: number
  radiusY: number
}

/** Draws an outline step by step; arcs and quadratic curves become cubic ones, as PDF has no others. */
export class Pen {
  private ops = ''
  private readonly points: number[] = []
  private startX = 0
  private startY = 0
  x = 0
  y = 0

  get outline(): Outline {
    return { ops: this.ops, points: this.points }
  }

  get isEmpty(): boolean {
    return this.ops === ''
  }

  /** True when the outline has as many steps as one may have; what follows is left out. */
  private get isFull(): boolean {
    return this.ops.length >= limits.renderPathSteps
  }

  private to(x: number, y: number): void {
    this.x = Number.isFinite(x) ? x : 0
    this.y = Number.isFinite(y) ? y : 0
    this.points.push(this.x, this.y)
  }

  move(x: number, y: number): void {
    if (this.isFull) return
    this.ops += 'M'
    this.to(x, y)
    this.startX = this.x
    this.startY = this.y
  }

  line(x: number, y: number): void {
    if (this.isFull) return
    this.ensureStart()
    this.ops += 'L'
    this.to(x, y)
  }

  // biome-ignore lint/complexity/useMaxParams: three points, as PDF and every canvas have them.
  curve(x1: number, y1: number, x2: number, y2: number, x: number, y: number): void {
    if (this.isFull) return
    this.ensureStart()
    this.ops += 'C'
    this.to(x1, y1)
    this.to(x2, y2)
    this.to(x, y)
  }

  quadratic(x1: number, y1: number, x: number, y: number): void {
    const [fromX, fromY] = [this.x, this.y]
    this.curve(
      fromX + ((x1 - fromX) * 2) / 3,
      fromY + ((y1 - fromY) * 2) / 3,
      x + ((x1 - x) * 2) / 3,
      y + ((y1 - y) * 2) / 3,
      x,
      y,
    )
  }

  close(): void {
    if (this.isFull || this.ops === '' || this.ops.endsWith('Z')) return
    this.ops += 'Z'
    this.x = this.startX
    this.y = this.startY
  }

  rectangle(x: number, y: number, width: number, height: number): void {
    this.move(x, y)
    this.line(x + width, y)
    this.line(x + width, y + height)
    this.line(x, y + height)
    this.close()
  }

  ellipse(x: number, y: number, radiusX: number, radiusY: number): void {
    this.move(x + radiusX, y)
    this.arc({ x, y, radiusX, radiusY }, 0, 2 * Math.PI)
    this.close()
  }

  /**
   * An arc of an ellipse. The pen must be at angle `start`. Angles are in radians, clockwise, since y counts downwards. Drawn
   * in cubic curves of at most a quarter turn each, which are off by at most one part in 3,000.
   */
  arc({ x, y, radiusX, radiusY }: Ellipse, start: number, sweep: number): void {
    if (!Number.isFinite(start) || !Number.isFinite(sweep)) return
    const turn = Math.max(-2 * Math.PI, Math.min(2 * Math.PI, sweep))
    const pieces = Math.max(1, Math.ceil(Math.abs(turn) / (Math.PI / 2) - 1e-9))
    const step = turn / pieces
    const reach = (4 / 3) * Math.tan(step / 4)
    for (let index = 0; index < pieces; index++) {
      const from = start + index * step
      const to = from + step
      this.curve(
        x + radiusX * (Math.cos(from) - reach * Math.sin(from)),
        y + radiusY * (Math.sin(from) + reach * Math.cos(from)),
        x + radiusX * (Math.cos(to) + reach * Math.sin(to)),
        y + radiusY * (Math.sin(to) - reach * Math.cos(to)),
        x + radiusX * Math.cos(to),
        y + radiusY * Math.sin(to),
      )
    }
  }

  /** A curve or line without a start begins where the pen is, at first at the origin. */
  private ensureStart(): void {
    if (this.ops === '' || this.ops.endsWith('Z')) this.move(this.x, this.y)
  }
}

export function transformOutline({ ops, points }: Outline, [a, b, c, d, e, f]: Matrix): Outline {
  const moved: number[] = []
  for (let at = 0; at + 1 < points.length; at += 2) {
    const [x = 0, y = 0] = [points[at], points[at + 1]]
    moved.push(a * x + c * y + e, b * x + d * y + f)
  }
  return { ops, points: moved }
}

/** The smallest upright box around an outline; undefined without a point. */
export function outlineBounds({ ops, points }: Outline): Bounds | undefined {
  if (points.length === 0) return undefined
  const [xs, ys] = [new Reach(), new Reach()]
  let [at, x, y] = [0, 0, 0]
  for (const op of ops) {
    const [x1 = 0, y1 = 0, x2 = 0, y2 = 0, x3 = 0, y3 = 0] = points.slice(at, at + 6)
    if (op === 'C') {
      xs.curve(x, x1, x2, x3)
      ys.curve(y, y1, y2, y3)
      ;[at, x, y] = [at + 6, x3, y3]
    } else if (op !== 'Z') {
      xs.take(x1)
      ys.take(y1)
      ;[at, x, y] = [at + 2, x1, y1]
    }
  }
  return { x: xs.least, y: ys.least, width: xs.most - xs.least, height: ys.most - ys.least }
}

interface Bounds {
  x: number
  y: number
  width: number
  height: number
}

/** How far one coordinate reaches. */
class Reach {
  least = Number.POSITIVE_INFINITY
  most = Number.NEGATIVE_INFINITY

  take(value: number): void {
    this.least = Math.min(this.least, value)
    this.most = Math.max(this.most, value)
  }

  /** A cubic curve: its end, and where it turns back in between. */
  curve(from: number, first: number, second: number, to: number): void {
    this.take(to)
    const a = to - 3 * second + 3 * first - from
    const b = 2 * (second - 2 * first + from)
    const c = first - from
    const root = Math.sqrt(Math.max(0, b * b - 4 * a * c))
    const turns = Math.abs(a) < 1e-9 ? [-c / b] : [(-b + root) / (2 * a), (-b - root) / (2 * a)]
    for (const t of turns) {
      if (!(t > 0 && t < 1)) continue
      const rest = 1 - t
      this.take(rest ** 3 * from + 3 * rest * rest * t * first + 3 * rest * t * t * second + t ** 3 * to)
    }
  }
}

export function rectangleOutline(x: number, y: number, width: number, height: number): Outline {
  return { ops: 'MLLLZ', points: [x, y, x + width, y, x + width, y + height, x, y + height] }
}

/** An open line through points. */
export function polyline(points: readonly number[]): Outline {
  const count = points.length / 2
  return { ops: count === 0 ? '' : `M${'L'.repeat(count - 1)}`, points: [...points] }
}

/** The same, closed. */
export function polygon(points: readonly number[]): Outline {
  const open = polyline(points)
  return open.ops === '' ? open : { ops: `${open.ops}Z`, points: open.points }
}
