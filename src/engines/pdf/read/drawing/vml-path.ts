import { limits } from '../../../../core/limits.ts'
import { Pen } from '../../frame/pen.ts'
import type { ShapePath } from '../../model/geometry.ts'

/** The values that formulas and paths refer to, in the shape's own units. */
export interface FormulaScope {
  readonly adjustments: readonly number[]
  readonly width: number
  readonly height: number
}

/** Formulas with their results. */
export interface Formulas extends FormulaScope {
  readonly results: readonly number[]
}

/** The formulas of a VML shape (`v:f eqn`), which see the formulas before them as `@0`, `@1` … */
export function evaluateFormulas(formulas: readonly string[], scope: FormulaScope): Formulas {
  const results: number[] = []
  for (const formula of formulas.slice(0, limits.renderShapeGuides)) {
    const [op = '', ...words] = formula.trim().split(/\s+/)
    const operand = (index: number) => formulaValue(words[index], { ...scope, results })
    const value = compute(op, operand(0), operand(1), operand(2))
    results.push(Number.isFinite(value) ? value : 0)
  }
  return { ...scope, results }
}

/** A number, an adjustment (`#0`), an earlier result (`@0`) or a name. */
function formulaValue(word: string | undefined, formulas: Formulas): number {
  if (word === undefined) return 0
  const { width, height } = formulas
  if (word === 'width' || word === 'pixelWidth' || word === 'emuWidth') return width
  if (word === 'height' || word === 'pixelHeight' || word === 'emuHeight') return height
  if (word === 'xcenter') return width / 2
  return word === 'ycenter' ? height / 2 : numberOf(word, formulas)
}

function numberOf(word: string, { results, adjustments }: Formulas): number {
  if (word === '') return 0
  if (word.startsWith('@')) return results[Number(word.slice(1))] ?? 0
  if (word.startsWith('#')) return adjustments[Number(word.slice(1))] ?? 0
  const number = Number(word)
  return Number.isFinite(number) ? number : 0
}

/** 65,536ths of a degree in a radian: the unit of angles in formulas. */
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
 * Reads a VML path (`m`, `l`, `c` … with numbers, and `@n` for results of formulas) in the shape's units; each `e` ends
 * a path. Unknown commands are skipped.
 */
export function readVmlPath(path: string, formulas: Formulas): ShapePath[] {
  const paths: ShapePath[] = []
  let pen = new Pen()
  let look: Pick<ShapePath, 'fill' | 'stroke'> = plain
  const finish = () => {
    if (!pen.isEmpty) paths.push({ outline: pen.outline, ...look })
    pen = new Pen()
    look = plain
  }
  let steps = 0
  const commands = path
    .slice(0, limits.renderVmlPathChars)
    .matchAll(/(n[fs]|a[elrt]|w[ar]|q[xyb]|h[a-i]|[a-z])([^a-z]*)/g)
  for (const [, op = '', text = ''] of commands) {
    if (++steps > limits.renderPathSteps) break
    if (op === 'e') finish()
    else if (op === 'nf') look = { ...look, fill: 'none' }
    else if (op === 'ns') look = { ...look, stroke: false }
    else {
      const values = numbersOf(text).map((word) => numberOf(word, formulas))
      drawStep(pen, op, values)
    }
  }
  finish()
  return paths
}

const plain: Pick<ShapePath, 'fill' | 'stroke'> = { fill: 'norm', stroke: true }

/** Numbers are separated by commas or blanks, or by nothing before an `@`; an empty place between two commas is 0. */
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
      groups(6, (v) => angleArc(pen, op === 'al' ? 'move' : 'line', v))
      break
    case 'at':
    case 'ar':
    case 'wa':
    case 'wr':
      groups(8, (v) => boxArc(pen, op, v))
      break
    case 'qx':
    case 'qy':
      quadrants(pen, op === 'qx' ? 'x' : 'y', values)
      break
    case 'qb':
      groups(4, (v) => pen.quadratic(v(0), v(1), v(2), v(3)))
      break
    default:
      break
  }
}

/** How an arc begins: a new figure, or a line from where the pen is. */
type Start = 'move' | 'line'

function goTo(pen: Pen, start: Start, x: number, y: number): void {
  if (start === 'move' || pen.isEmpty) pen.move(x, y)
  else pen.line(x, y)
}

/** An arc by centre, radii, start and sweep; VML's angles count against the clock. */
function angleArc(pen: Pen, how: Start, v: (index: number) => number): void {
  const [x, y, radiusX, radiusY] = [v(0), v(1), v(2), v(3)]
  const [start, sweep] = [-v(4) / ANGLE, -v(5) / ANGLE]
  goTo(pen, how, x + radiusX * Math.cos(start), y + radiusY * Math.sin(start))
  pen.arc({ x, y, radiusX, radiusY }, start, sweep)
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
  goTo(pen, op.endsWith('r') ? 'move' : 'line', x + radiusX * Math.cos(start), y + radiusY * Math.sin(start))
  pen.arc({ x, y, radiusX, radiusY }, start, sweep)
}

/** Reach of the handles of a cubic curve that looks like a quarter of an ellipse, in radii. */
const QUARTER = 0.5523

/** Quarters of ellipses through the points, setting out along x and y in turn. */
function quadrants(pen: Pen, first: 'x' | 'y', values: readonly number[]): void {
  for (let at = 0; at + 1 < values.length; at += 2) {
    const [fromX, fromY] = [pen.x, pen.y]
    const [x = 0, y = 0] = values.slice(at, at + 2)
    const [dx, dy] = [(x - fromX) * QUARTER, (y - fromY) * QUARTER]
    const isAlongX = (first === 'x') === (at % 4 === 0)
    if (isAlongX) pen.curve(fromX + dx, fromY, x, y - dy, x, y)
    else pen.curve(fromX, fromY + dy, x - dx, y, x, y)
  }
}
