/** The formulas of `$calc`: `+ - * /`, parentheses, numbers and named slots. */
import { Decimal, Rational } from '../../core/decimal.ts'
import { limits } from '../../core/limits.ts'

export type Formula =
  | { kind: 'number'; value: Decimal }
  | { kind: 'slot'; name: string }
  | { kind: 'negate'; operand: Formula }
  | { kind: '+' | '-' | '*' | '/'; left: Formula; right: Formula }

export interface ParsedFormula {
  formula: Formula
  slots: Set<string>
  divides: boolean
}

/** Ends the reading of a formula; without a stack trace, which would cost more than all the rest. */
class Problem {
  constructor(readonly message: string) {}
}

/** The formula, or a sentence that says what is wrong with it. */
export function parseFormula(text: string): ParsedFormula | string {
  const tokens = text.match(/\d+(?:\.\d+)?|[A-Za-z_][A-Za-z0-9_]*|\S/g) ?? []
  const slots = new Set<string>()
  let divides = false
  let at = 0
  let depth = 0

  function sum(): Formula {
    let left = product()
    for (let kind = tokens[at]; kind === '+' || kind === '-'; kind = tokens[at]) {
      at++
      left = { kind, left, right: product() }
    }
    return left
  }

  function product(): Formula {
    let left = factor()
    for (let kind = tokens[at]; kind === '*' || kind === '/'; kind = tokens[at]) {
      at++
      if (kind === '/') divides = true
      left = { kind, left, right: factor() }
    }
    return left
  }

  function factor(): Formula {
    if (++depth > limits.formulaDepth) throw new Problem(`it is nested deeper than ${limits.formulaDepth}`)
    const result = atom()
    depth--
    return result
  }

  function atom(): Formula {
    const token = tokens[at++]
    if (token === undefined) throw new Problem('it ends where a number or slot should follow')
    if (token === '-') return { kind: 'negate', operand: factor() }
    if (token === '(') {
      const inner = sum()
      if (tokens[at++] !== ')') throw new Problem('a parenthesis is not closed')
      return inner
    }
    if (/^\d/.test(token)) return { kind: 'number', value: Decimal.parse(token) ?? Decimal.zero }
    if (/^[A-Za-z_]/.test(token)) {
      slots.add(token)
      return { kind: 'slot', name: token }
    }
    throw new Problem(`"${token}" is where a number or slot should be`)
  }

  try {
    if (tokens.length > limits.formulaParts) throw new Problem(`it has more than ${limits.formulaParts} parts`)
    const formula = sum()
    if (at < tokens.length) throw new Problem(`"${tokens[at]}" is where + - * or / should be`)
    return { formula, slots, divides }
  } catch (problem) {
    if (problem instanceof Problem) return problem.message
    throw problem
  }
}

/** Slots by position in `names`; exact, for a formula that does not divide. */
export type DecimalFormula = (slots: readonly Decimal[]) => Decimal

export function compileExact(formula: Formula, names: readonly string[]): DecimalFormula {
  switch (formula.kind) {
    case 'number': {
      const { value } = formula
      return () => value
    }
    case 'slot': {
      const index = names.indexOf(formula.name)
      return (slots) => slots[index]!
    }
    case 'negate': {
      const operand = compileExact(formula.operand, names)
      return (slots) => operand(slots).negate()
    }
    default: {
      const left = compileExact(formula.left, names)
      const right = compileExact(formula.right, names)
      if (formula.kind === '+') return (slots) => left(slots).add(right(slots))
      if (formula.kind === '-') return (slots) => left(slots).subtract(right(slots))
      return (slots) => left(slots).multiply(right(slots))
    }
  }
}

/** Undefined if something is divided by zero. */
export type RationalFormula = (slots: readonly Decimal[]) => Rational | undefined

/** For formulas that divide: whatever has no division in it stays a plain decimal as long as it can. */
export function compileRational(formula: Formula, names: readonly string[]): RationalFormula {
  if (!hasDivision(formula)) {
    const exact = compileExact(formula, names)
    return (slots) => Rational.from(exact(slots))
  }
  if (formula.kind === 'negate') {
    const operand = compileRational(formula.operand, names)
    return (slots) => operand(slots)?.negate()
  }
  if (formula.kind === 'number' || formula.kind === 'slot') return () => undefined
  const left = compileRational(formula.left, names)
  const right = compileRational(formula.right, names)
  const { kind } = formula
  return (slots) => {
    const one = left(slots)
    const other = right(slots)
    if (one === undefined || other === undefined) return undefined
    if (kind === '/') return one.divide(other)
    if (kind === '*') return one.multiply(other)
    return one.add(kind === '-' ? other.negate() : other)
  }
}

function hasDivision(formula: Formula): boolean {
  if (formula.kind === 'number' || formula.kind === 'slot') return false
  if (formula.kind === 'negate') return hasDivision(formula.operand)
  return formula.kind === '/' || hasDivision(formula.left) || hasDivision(formula.right)
}
