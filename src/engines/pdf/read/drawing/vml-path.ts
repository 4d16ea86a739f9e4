import { limits } from '../../../../core/limits.ts'
import { Pen } from '../../frame/pen.ts'
import type { ShapePath } from '../../model/geometry.ts'

/** The formulas of a VML shape (`v:f eqn`), which see the formulas before them as `@0`, `@1` … */
export function evaluateFormulas(
  formulas: readonly string[],
  adjustments: readonly number[],
  width: number,
  height: number,
): number[] {
  const results: number[] = []
  for (const formula of formulas.slice(0, limits.renderShapeGuides)) {
    const [op = '', ...words] = formula.trim().split(/\s+/)
    const [a, b, c] = [0, 1, 2].map((index) => formulaValue(words[index], results, adjustments, width, height)) as [
      number,
      number,
      number,
    ]
    const value = compute(op, a, b, c)
    results.push(Number.isFinite(value) ? value : 0)
  }
  return results
}

/** A number, an adjustment (`#0`), an earlier result (`@0`) or a name, in the shape's own units. */
function formulaValue(
  word: string | undefined,
  results: readonly number[],
  adjustments: readonly number[],
  width: number,
  height: number,
): number {
  if (word === undefined) return 0
  if (word.startsWith('@')) return results[Number(word.slice(1))] ?? 0
  if (word.startsWith('#')) return adjustments[Number(word.slice(1))] ?? 0
  if (word === 'width' || word === 'pixelWidth' || word === 'emuWidth') return width
  if (word === 'height' || word === 'pixelHeight' || word === 'emuHeight') return height
  if (word === 'xcenter') return width / 2
  if (word === 'ycenter') return height / 2
  const number = Number(word)
  return Number.isFinite(number) ? number : 0
}

/** Angles count in 65,536ths of a degree. */
const ANGLE = 65_536 * (180 / Math.PI)

function compute(op: string, a: number, b: number, c: number): number {
  switch (op) {
    case 'val':
      return a
    case 'sum':
      return a + b - c
    case 'prod':
    case 'product':
      return (a * b) / c
    case 'mid':
      return (a + b) / 2
    case 'abs':
      return Math.abs(a)
    case 'min':
      return Math.min(a, b)
    case 'max':
      return Math.max(a, b)
    case 'if':
      return a > 0 ? b : c
    case 'mod':
      return Math.hypot(a, b, c)
    case 'sqrt':
      return Math.sqrt(a)
    case 'atan2':
      return Math.atan2(b, a) * ANGLE
    case 'sin':
      return a * Math.sin(b / ANGLE)
    case 'cos':
      return a * Math.cos(b / ANGLE)
    case 'tan':
      return a * Math.tan(b / ANGLE)
    case 'cosatan2':
      return a * Math.cos(Math.atan2(c, b))
    case 'sinatan2':
      return a * Math.sin(Math.atan2(c, b))
    case 'sumangle':
      return a + b * 65_536 - c * 65_536
    case 'ellipse':
      return c * Math.sqrt(Math.max(0, 1 - (a / b) ** 2))
    default:
      return 0
  }
}

/**
 * A VML path (`m`, `l`, `c` … with numbers, and `@n` for results of formulas) in the shape's units; answers a path for
 * each `e`. What is not understood is skipped.
 */
export function readVmlPath(path: string, results: readonly number[], adjustments: readonly number[]): ShapePath[] {
  const paths: ShapePath[] = []
  let pen = new Pen()
  let fill = true
  let stroke = true
  const finish = () => {
    if (!pen.isEmpty) paths.push({ outline: pen.outline, fill: fill ? 'norm' : 'none', stroke })
    pen = new Pen()
    fill = true
    stroke = true
  }
  const number = (word: string): number => {
    if (word === '') return 0
    if (word.startsWith('@')) return results[Number(word.slice(1))] ?? 0
    if (word.startsWith('#')) return adjustments[Number(word.slice(1))] ?? 0
    const value = Number(word)
    return Number.isFinite(value) ? value : 0
  }
  let steps = 0
  const commands = path.slice(0, MAX_PATH_CHARACTERS).matchAll(/(n[fs]|a[elrt]|w[ar]|q[xyb]|h[a-i]|[a-z])([^a-z]*)/g)
  for (const [, op = '', text = ''] of commands) {
    if (++steps > limits.renderPathSteps) break
    if (op === 'e') finish()
    else if (op === 'nf') fill = false
    else if (op === 'ns') stroke = false
    else drawStep(pen, op, numbersOf(text).map(number))
  }
  finish()
  return paths
}

/** Characters of one path, which is an attribute and may be as long as one. */
const MAX_PATH_CHARACTERS = 1_000_000

/** Numbers are parted by commas or blanks, or by nothing before an `@`; nothing between two commas is 0. */
function numbersOf(text: string): string[] {
  const trimmed = text.trim()
  if (trimmed === '') return []
  return trimmed
    .replace(/\s*,\s*/g, ',')
    .replace(/\s+/g, ',')
    .replace(/(?<=[^,])(?=[@#])/g, ',')
    .split(',')
}

function drawStep(pen: Pen, op: string, values: readonly number[]): void {
  const groups = (size: number, draw: (take: (index: number) => number) => void) => {
    for (let at = 0; at < Math.max(1, values.length); at += size) draw((index) => values[at + index] ?? 0)
  }
  switch (op) {
    case 'm':
      groups(2, (v) => pen.move(v(0), v(1)))
      break
    case 'l':
      groups(2, (v) => pen.line(v(0), v(1)))
      break
    case 'c':
      groups(6, (v) => pen.curve(v(0), v(1), v(2), v(3), v(4), v(5)))
      break
    case 't':
      groups(2, (v) => pen.move(pen.x + v(0), pen.y + v(1)))
      break
    case 'r':
      groups(2, (v) => pen.line(pen.x + v(0), pen.y + v(1)))
      break
    case 'v':
      groups(6, (v) => {
        const { x, y } = pen
        pen.curve(x + v(0), y + v(1), x + v(2), y + v(3), x + v(4), y + v(5))
      })
      break
    case 'x':
      pen.close()
      break
    case 'ae':
    case 'al':
      groups(6, (v) => angleArc(pen, op === 'al', v))
      break
    case 'at':
    case 'ar':
    case 'wa':
    case 'wr':
      groups(8, (v) => boxArc(pen, op, v))
      break
    case 'qx':
    case 'qy':
      quadrants(pen, op === 'qx', values)
      break
    case 'qb':
      groups(4, (v) => pen.quadratic(v(0), v(1), v(2), v(3)))
      break
    default:
      break
  }
}

function goTo(pen: Pen, moves: boolean, x: number, y: number): void {
  if (moves || pen.isEmpty) pen.move(x, y)
  else pen.line(x, y)
}

/** An arc by centre, radii, start and sweep; VML's angles count against the clock. */
function angleArc(pen: Pen, moves: boolean, v: (index: number) => number): void {
  const [x, y, radiusX, radiusY] = [v(0), v(1), v(2), v(3)]
  const [start, sweep] = [-v(4) / ANGLE, -v(5) / ANGLE]
  goTo(pen, moves, x + radiusX * Math.cos(start), y + radiusY * Math.sin(start))
  pen.arc(x, y, radiusX, radiusY, start, sweep)
}

/** An arc of the ellipse in a box, between the rays through two points. */
function boxArc(pen: Pen, op: string, v: (index: number) => number): void {
  const [x, y] = [(v(0) + v(2)) / 2, (v(1) + v(3)) / 2]
  const [radiusX, radiusY] = [Math.abs(v(2) - v(0)) / 2, Math.abs(v(3) - v(1)) / 2]
  if (radiusX === 0 || radiusY === 0) return
  const start = Math.atan2((v(5) - y) / radiusY, (v(4) - x) / radiusX)
  const end = Math.atan2((v(7) - y) / radiusY, (v(6) - x) / radiusX)
  const clockwise = op.startsWith('w')
  let sweep = end - start
  if (clockwise && sweep <= 0) sweep += 2 * Math.PI
  if (!clockwise && sweep >= 0) sweep -= 2 * Math.PI
  goTo(pen, op.endsWith('r'), x + radiusX * Math.cos(start), y + radiusY * Math.sin(start))
  pen.arc(x, y, radiusX, radiusY, start, sweep)
}

/** How far the handles of a cubic curve reach that looks like a quarter of an ellipse. */
const QUARTER = 0.5523

/** Quarters of ellipses through the points, setting out along x and y in turn. */
function quadrants(pen: Pen, startsAlongX: boolean, values: readonly number[]): void {
  let alongX = startsAlongX
  for (let at = 0; at + 1 < values.length; at += 2) {
    const [fromX, fromY] = [pen.x, pen.y]
    const [x, y] = [values[at]!, values[at + 1]!]
    const [dx, dy] = [(x - fromX) * QUARTER, (y - fromY) * QUARTER]
    if (alongX) pen.curve(fromX + dx, fromY, x, y - dy, x, y)
    else pen.curve(fromX, fromY + dy, x - dx, y, x, y)
    alongX = !alongX
  }
}
