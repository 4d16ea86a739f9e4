/**
 * Sizes and costs known before anything runs. A size is a number, or a polynomial in the sizes of groups that are
 * still open: inside `$group … do`, `$items` has a size of its own, and all groups together have as many items as the
 * array that was grouped. Without that, summing each group of 10,000 rows would be bounded by 10,000 × 10,000.
 */
import { limits } from '../../core/limits.ts'

/** Coefficients by monomial: the sorted variable numbers joined with `*`, `''` for the constant. */
type Polynomial = ReadonlyMap<string, number>

export type Size = number | Polynomial

function termsOf(size: Size): Polynomial {
  return typeof size === 'number' ? new Map([['', size]]) : size
}

function bounded(terms: Map<string, number>): Size {
  if (terms.size > limits.transformSizeTerms) return Number.POSITIVE_INFINITY
  for (const coefficient of terms.values()) if (coefficient === Number.POSITIVE_INFINITY) return coefficient
  return terms
}

export function addSizes(left: Size, right: Size): Size {
  if (typeof left === 'number' && typeof right === 'number') return left + right
  const sum = new Map(termsOf(left))
  for (const [monomial, coefficient] of termsOf(right)) sum.set(monomial, (sum.get(monomial) ?? 0) + coefficient)
  return bounded(sum)
}

export function multiplySizes(left: Size, right: Size): Size {
  if (left === 0 || right === 0) return 0
  if (typeof left === 'number' && typeof right === 'number') return left * right
  const product = new Map<string, number>()
  for (const [leftMonomial, leftCoefficient] of termsOf(left)) {
    for (const [rightMonomial, rightCoefficient] of termsOf(right)) {
      const variables = [...splitMonomial(leftMonomial), ...splitMonomial(rightMonomial)].sort((a, b) => a - b)
      const monomial = variables.join('*')
      const coefficient = leftCoefficient * rightCoefficient
      if (coefficient !== 0) product.set(monomial, (product.get(monomial) ?? 0) + coefficient)
    }
    if (product.size > limits.transformSizeTerms) return Number.POSITIVE_INFINITY
  }
  return bounded(product)
}

function splitMonomial(monomial: string): number[] {
  return monomial === '' ? [] : monomial.split('*').map(Number)
}

/** The larger of two, or their sum if that is not known. */
export function largerSize(left: Size, right: Size): Size {
  if (typeof left === 'number' && typeof right === 'number') return Math.max(left, right)
  return left === right ? left : addSizes(left, right)
}

export function sizeVariable(variable: number): Size {
  return new Map([[String(variable), 1]])
}

/**
 * The bound over all groups of a cost per group: the groups' sizes sum up to `total`, so the constant part counts once
 * a group and a part of degree d at most total^d times (a sum of powers is at most the power of the sum).
 */
export function overAllGroups(perGroup: Size, variable: number, total: Size): Size {
  return replaceVariable(perGroup, variable, total, total)
}

/** The bound on one group's size alone, once its scope is left. */
export function closeVariable(size: Size, variable: number, total: Size): Size {
  return replaceVariable(size, variable, total, 1)
}

function replaceVariable(size: Size, variable: number, total: Size, constantTimes: Size): Size {
  if (typeof size === 'number') return multiplySizes(size, constantTimes)
  let result: Size = 0
  for (const [monomial, coefficient] of size) {
    const variables = splitMonomial(monomial)
    const others = variables.filter((each) => each !== variable)
    let term: Size = others.length === 0 ? coefficient : new Map([[others.join('*'), coefficient]])
    const degree = variables.length - others.length
    if (degree === 0) term = multiplySizes(term, constantTimes)
    for (let power = 0; power < degree; power++) term = multiplySizes(term, total)
    result = addSizes(result, term)
  }
  return result
}

/** The number, once no group is open. */
export function sizeNumber(size: Size): number {
  if (typeof size === 'number') return size
  let sum = 0
  for (const coefficient of size.values()) sum += coefficient
  return size.size === 1 && size.has('') ? sum : Number.POSITIVE_INFINITY
}
