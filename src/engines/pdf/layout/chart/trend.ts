import type { Trend } from '../../model/chart.ts'

/** A point of data. */
export type Point = readonly [x: number, y: number]

/** What a trend looks like over its points (21.2.2.211). */
export interface Fit {
  curve: Point[]
  /** The function and how well it fits, as Word writes them; empty for a moving average. */
  equation: string
  determination: string
}

/** Places that a curve is drawn through. */
const STEPS = 64
const MAX_ORDER = 6

/** Fits a trend by least squares; undefined where the points do not allow it. */
export function fitTrend(trend: Trend, data: readonly Point[]): Fit | undefined {
  if (trend.kind === 'movingAvg') return average(data, trend.period)
  // Exponents and powers are straight lines of logarithms, which only positive numbers have.
  const [logX, logY] = [trend.kind === 'log' || trend.kind === 'power', trend.kind === 'exp' || trend.kind === 'power']
  const points = data
    .filter(([x, y]) => (!logX || x > 0) && (!logY || y > 0))
    .map(([x, y]): Point => [logX ? Math.log(x) : x, logY ? Math.log(y) : y])
  const order = trend.kind === 'poly' ? Math.max(2, Math.min(MAX_ORDER, trend.order)) : 1
  const hasIntercept = trend.intercept !== undefined && !logX && (!logY || trend.intercept > 0)
  const intercept = hasIntercept ? (logY ? Math.log(trend.intercept!) : trend.intercept!) : undefined
  const terms = polynomial(points, order, intercept)
  if (!terms) return undefined
  const value = (x: number) => terms.reduceRight((sum, term) => sum * x + term, 0)
  const xs = data.map(([x]) => x).filter((x) => !logX || x > 0)
  const low = xs.reduce((least, x) => Math.min(least, x), Number.POSITIVE_INFINITY) - trend.backward
  const high = xs.reduce((most, x) => Math.max(most, x), Number.NEGATIVE_INFINITY) + trend.forward
  const steps = trend.kind === 'linear' ? 1 : STEPS
  const curve: Point[] = []
  for (let step = 0; step <= steps; step++) {
    const x = low + ((high - low) * step) / steps
    if (logX && x <= 0) continue
    const y = value(logX ? Math.log(x) : x)
    const shown = logY ? Math.exp(y) : y
    if (Number.isFinite(shown)) curve.push([x, shown])
  }
  const mean = points.reduce((sum, [, y]) => sum + y, 0) / points.length
  const spread = points.reduce((sum, [, y]) => sum + (y - mean) ** 2, 0)
  const missed = points.reduce((sum, [x, y]) => sum + (y - value(x)) ** 2, 0)
  const share = spread > 0 ? 1 - missed / spread : 1
  return { curve, equation: `y = ${equationOf(trend, terms)}`, determination: `R² = ${Number(share.toFixed(4))}` }
}

/** The mean of each point and those before it. */
function average(data: readonly Point[], stated: number): Fit | undefined {
  const period = Math.max(2, Math.min(255, stated))
  let sum = 0
  const curve: Point[] = []
  for (const [at, [x, y]] of data.entries()) {
    sum += y - (data[at - period]?.[1] ?? 0)
    if (at >= period - 1) curve.push([x, sum / period])
  }
  return curve.length > 0 ? { curve, equation: '', determination: '' } : undefined
}

/** The terms of the polynomial nearest to the points, the constant first, by the normal equations. */
function polynomial(points: readonly Point[], order: number, intercept: number | undefined): number[] | undefined {
  const first = intercept === undefined ? 0 : 1
  const size = order + 1 - first
  if (points.length < size) return undefined
  // Powers of numbers about 1 keep their digits.
  const scale = points.reduce((most, [x]) => Math.max(most, Math.abs(x)), 0) || 1
  const rows = Array.from({ length: size }, () => new Array<number>(size + 1).fill(0))
  for (const [x, y] of points) {
    const powers = Array.from({ length: order + 1 }, (_, power) => (x / scale) ** power)
    for (let row = 0; row < size; row++) {
      for (let column = 0; column < size; column++)
        rows[row]![column]! += powers[row + first]! * powers[column + first]!
      rows[row]![size]! += powers[row + first]! * (y - (intercept ?? 0))
    }
  }
  const solved = solve(rows)
  if (!solved?.every(Number.isFinite)) return undefined
  const terms = solved.map((term, at) => term / scale ** (at + first))
  return intercept === undefined ? terms : [intercept, ...terms]
}

/** Solves linear equations, each a row with its result last, by elimination; undefined where they do not decide. */
function solve(rows: number[][]): number[] | undefined {
  const size = rows.length
  for (let at = 0; at < size; at++) {
    let pivot = at
    for (let row = at + 1; row < size; row++) if (Math.abs(rows[row]![at]!) > Math.abs(rows[pivot]![at]!)) pivot = row
    ;[rows[at], rows[pivot]] = [rows[pivot]!, rows[at]!]
    const head = rows[at]![at]!
    if (Math.abs(head) < 1e-12) return undefined
    for (let row = 0; row < size; row++) {
      if (row === at) continue
      const factor = rows[row]![at]! / head
      for (let column = at; column <= size; column++) rows[row]![column]! -= factor * rows[at]![column]!
    }
  }
  return rows.map((row, at) => row[size]! / row[at]!)
}

const EXPONENTS = ['', '', '²', '³', '⁴', '⁵', '⁶']

function equationOf({ kind }: Trend, terms: readonly number[]): string {
  const [constant = 0, slope = 0] = terms
  if (kind === 'exp') return `${digits(Math.exp(constant))}e^(${digits(slope)}x)`
  if (kind === 'power') return `${digits(Math.exp(constant))}x^${digits(slope)}`
  if (kind === 'log') return `${digits(slope)}ln(x) ${constant < 0 ? '-' : '+'} ${digits(Math.abs(constant))}`
  // What is left of a sum that should be nothing is no term.
  const least = Math.max(...terms.map(Math.abs)) * 1e-9
  const shown = terms
    .map((term, power) => ({ term, name: power > 0 ? `x${EXPONENTS[power]}` : '' }))
    .filter(({ term }) => Math.abs(term) > least)
    .reverse()
  const text = shown.map(({ term, name }, at) => {
    const sign = at > 0 ? (term < 0 ? ' - ' : ' + ') : term < 0 ? '-' : ''
    const factor = digits(Math.abs(term))
    return `${sign}${factor === '1' && name !== '' ? '' : factor}${name}`
  })
  return text.length > 0 ? text.join('') : '0'
}

/** Five significant digits, as Word shows them. */
function digits(value: number): string {
  return `${Number(value.toPrecision(5))}`
}
