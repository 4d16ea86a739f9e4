/**
 * Sizes and costs known before anything runs. A size is a number, or a polynomial whose variables are sizes that differ
 * between turns of open loops: of the arrays in an item, or of a group. Two bounds of such a variable are known: its
 * largest value, and its total over all turns. All orders together have no more lines than the input, though one order
 * may have most of them. Without the total, a sum for each order would be bounded by orders × lines.
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

/** An upper bound of both sizes. No variable is ever negative, so taking the larger coefficients suffices. */
export function largerSize(left: Size, right: Size): Size {
  if (typeof left === 'number' && typeof right === 'number') return Math.max(left, right)
  const larger = new Map(termsOf(left))
  for (const [monomial, coefficient] of termsOf(right)) {
    larger.set(monomial, Math.max(larger.get(monomial) ?? 0, coefficient))
  }
  return bounded(larger)
}

export function sizeVariable(variable: number): Size {
  return new Map([[String(variable), 1]])
}

/** Bounds of a size that differs between turns of a loop: of any one turn, and of all turns together. */
export interface SizeBounds {
  most: Size
  total: Size
}

type Variables = ReadonlyMap<number, SizeBounds>

/**
 * Bounds the cost of all turns by that of one. The constant part counts once per turn. In a product of variables, one is
 * summed over the turns and the others are bounded by their maximum; the summed variable is the one that gives the least
 * bound.
 */
export function overAllTurns(perTurn: Size, variables: Variables, turns: Size): Size {
  return replaceVariables(perTurn, variables, (own) => {
    if (own.length === 0) return turns
    const candidates = own.map((summed, index) =>
      own.reduce<Size>(
        (product, { most }, at) => (at === index ? product : multiplySizes(product, most)),
        summed.total,
      ),
    )
    return candidates.reduce((least, candidate) => (estimate(candidate) < estimate(least) ? candidate : least))
  })
}

/** The bound on any single turn, once the loop is left. */
export function ofAnyTurn(size: Size, variables: Variables): Size {
  return replaceVariables(size, variables, (own) => own.reduce<Size>((most, each) => multiplySizes(most, each.most), 1))
}

function replaceVariables(size: Size, variables: Variables, replace: (own: SizeBounds[]) => Size): Size {
  if (typeof size === 'number') return multiplySizes(size, replace([]))
  let result: Size = 0
  for (const [monomial, coefficient] of size) {
    const others: number[] = []
    const own: SizeBounds[] = []
    for (const variable of splitMonomial(monomial)) {
      const bounds = variables.get(variable)
      if (bounds === undefined) others.push(variable)
      else own.push(bounds)
    }
    const term: Size = others.length === 0 ? coefficient : new Map([[others.join('*'), coefficient]])
    result = addSizes(result, multiplySizes(term, replace(own)))
  }
  return result
}

/** Compares bounds that are all valid, to take the smallest. */
function estimate(size: Size): number {
  if (typeof size === 'number') return size
  let sum = 0
  for (const [monomial, coefficient] of size) sum += coefficient * 100 ** splitMonomial(monomial).length
  return sum
}

/** The number, once no loop is open. */
export function sizeNumber(size: Size): number {
  if (typeof size === 'number') return size
  let sum = 0
  for (const coefficient of size.values()) sum += coefficient
  return size.size === 1 && size.has('') ? sum : Number.POSITIVE_INFINITY
}
