import type { Trend } from '../../model/chart.ts'

/** A point of data. */
export type Point = readonly [x: number, y: number]

/** The curve of a trend over its points (21.2.2.211). */
export interface Fit {
  curve: Point[]
  /** The function and how well it fits, as Word writes them; empty for a moving average. */
  equation: string
  determination: string
}

/** Places that a curve is drawn through. */
const STEPS = 64
/** Fixed by Word: the order of a polynomial trend is 2 to 6. */
const MAX_ORDER = 6

/** Fits a trend by least squares; undefined if the points do not allow it. */
export function fitTrend(trend: Trend, data: readonly Point[]): Fit | undefined {
  if (trend.kind === 'movingAvg') return average(data, trend.period)
  // Exponents and powers are straight lines of logarithms, which only positive numbers have.
  const [logX, logY] = [trend.kind === 'log' || trend.kind === 'power', trend.kind === 'exp' || trend.kind === 'power']
  const points = data
    .filter(([x, y]) => (!logX || x > 0) && (!logY || y > 0))
    .map(([x, y]): Point => [logX ? Math.log(x) : x, logY ? Math.log(y) : y])
  const order = trend.kind === 'poly' ? Math.max(2, Math.min(MAX_ORDER, trend.order)) : 1
  const intercept = logX ? undefined : interceptOf(trend, logY ? Math.log : (value) => value)
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

/** The stated intercept on the scale that is fitted; undefined if it has no value there, as a logarithm of 0. */
function interceptOf({ intercept }: Trend, fitted: (value: number) => number): number | undefined {
  const value = intercept === undefined ? Number.NaN : fitted(intercept)
  return Number.isFinite(value) ? value : undefined
}

/** The terms of the polynomial nearest to the points, the constant first, by the normal equations. */
function polynomial(points: readonly Point[], order: number, intercept: number | undefined): number[] | undefined {
  const first = intercept === undefined ? 0 : 1
  const size = order + 1 - first
  if (points.length < size) return undefined
  // Powers of numbers about 1 keep their digits.
  const scale = points.reduce((most, [x]) => Math.max(most, Math.abs(x)), 0) || 1
  const weighed = points.map(([x, y]) => ({
    powers: Array.from({ length: size }, (_, at) => (x / scale) ** (at + first)),
    rest: y - (intercept ?? 0),
  }))
  const sum = (at: number, factor: (point: (typeof weighed)[number]) => number) =>
    weighed.reduce((total, point) => total + term(point.powers, at) * factor(point), 0)
  const equations = Array.from(
    { length: size },
    (_, row): Equation => [
      ...Array.from({ length: size }, (__, column) => sum(row, ({ powers }) => term(powers, column))),
      sum(row, ({ rest }) => rest),
    ],
  )
  const solved = solve(equations)
  if (!solved?.every(Number.isFinite)) return undefined
  const terms = solved.map((value, at) => value / scale ** (at + first))
  return intercept === undefined ? terms : [intercept, ...terms]
}

/** The factors of a linear equation with its result last. */
type Equation = readonly number[]

function term(equation: Equation, at: number): number {
  return equation[at] ?? 0
}

/** Solves linear equations by elimination; the result has the unknowns in order. Undefined without a unique solution. */
function solve(equations: readonly Equation[]): number[] | undefined {
  const size = equations.length
  const rows = [...equations]
  for (let at = 0; at < size; at++) {
    const pivot = largestFrom(rows, at)
    const head = rows[pivot]
    if (!head || Math.abs(term(head, at)) < 1e-12) return undefined
    rows.splice(pivot, 1, ...rows.slice(at, at + 1))
    rows[at] = head
    for (const [index, row] of rows.entries()) {
      if (row === head) continue
      const factor = term(row, at) / term(head, at)
      rows[index] = row.map((value, column) => (column < at ? value : value - factor * term(head, column)))
    }
  }
  return rows.map((row, at) => term(row, size) / term(row, at))
}

/** The row, from one on, with the largest factor of the unknown of that index. */
function largestFrom(rows: readonly Equation[], at: number): number {
  let [largest, size] = [at, -1]
  for (const [index, row] of rows.entries())
    if (index >= at && Math.abs(term(row, at)) > size) [largest, size] = [index, Math.abs(term(row, at))]
  return largest
}

const EXPONENTS = ['', '', '²', '³', '⁴', '⁵', '⁶']

function equationOf({ kind }: Trend, terms: readonly number[]): string {
  const [constant = 0, slope = 0] = terms
  if (kind === 'exp') return `${digits(Math.exp(constant))}e^(${digits(slope)}x)`
  if (kind === 'power') return `${digits(Math.exp(constant))}x^${digits(slope)}`
  if (kind === 'log') return `${digits(slope)}ln(x) ${constant < 0 ? '-' : '+'} ${digits(Math.abs(constant))}`
  // A rounding error in place of zero is not a term.
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
