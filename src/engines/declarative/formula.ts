/** The formulas of `$calc`: `+ - * / ^`, parentheses, functions, numbers and named slots. */
import { Decimal, Rational } from '../../core/decimal.ts'
import { limits } from '../../core/limits.ts'

export type Formula =
  | { kind: 'number'; value: Decimal }
  | { kind: 'slot'; name: string }
  | { kind: 'negate'; operand: Formula }
  | { kind: 'power'; base: Formula; exponent: number }
  | { kind: 'call'; name: FunctionName; operands: Formula[] }
  | { kind: '+' | '-' | '*' | '/'; left: Formula; right: Formula }

/** How many operands each function takes. */
const functions = {
  abs: { least: 1, most: 1 },
  sign: { least: 1, most: 1 },
  min: { least: 2, most: 20 },
  max: { least: 2, most: 20 },
  mod: { least: 2, most: 2 },
} as const

type FunctionName = keyof typeof functions

function isFunctionName(text: string): text is FunctionName {
  return Object.hasOwn(functions, text)
}

/** Names of functions, for hints. */
export const functionNames = Object.keys(functions)

export interface ParsedFormula {
  formula: Formula
  slots: Set<string>
  divides: boolean
}

/** Ends the reading of a formula. It has no stack trace, which would cost more than all the rest. */
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
    const base = atom()
    depth--
    if (tokens[at] !== '^') return base
    at++
    const exponent = Number(tokens[at++])
    if (!Number.isSafeInteger(exponent) || exponent > limits.formulaExponent) {
      throw new Problem(`an exponent is a whole number from 0 to ${limits.formulaExponent}`)
    }
    if (tokens[at] === '^') throw new Problem('a power of a power wants parentheses')
    return { kind: 'power', base, exponent }
  }

  function operands(name: FunctionName): Formula[] {
    const { least, most } = functions[name]
    const found: Formula[] = []
    do {
      at++
      found.push(sum())
    } while (tokens[at] === ',')
    if (tokens[at++] !== ')') throw new Problem('a parenthesis is not closed')
    if (found.length < least || found.length > most) {
      throw new Problem(
        `${name} takes ${least === most ? least : `${least} to ${most}`} ${most === 1 ? 'value' : 'values'}`,
      )
    }
    return found
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
      if (tokens[at] === '(') {
        if (isFunctionName(token)) return { kind: 'call', name: token, operands: operands(token) }
        throw new Problem(`there is no function "${token}"; there are ${functionNames.join(', ')}`)
      }
      slots.add(token)
      return { kind: 'slot', name: token }
    }
    throw new Problem(`"${token}" is where a number or slot should be`)
  }

  try {
    if (tokens.length > limits.formulaParts) throw new Problem(`it has more than ${limits.formulaParts} parts`)
    const formula = sum()
    if (at < tokens.length) throw new Problem(`"${tokens[at]}" is where + - * or / should be`)
    if (factorsOf(formula) > limits.formulaParts)
      throw new Problem(`its powers come to more than ${limits.formulaParts} factors`)
    return { formula, slots, divides }
  } catch (problem) {
    if (problem instanceof Problem) return problem.message
    throw problem
  }
}

/** Numbers and slots, each as often as powers multiply it by itself. */
function factorsOf(formula: Formula): number {
  const inside = partsOf(formula).reduce((sum, part) => sum + factorsOf(part), 0)
  return formula.kind === 'power' ? inside * Math.max(1, formula.exponent) : Math.max(1, inside)
}

function partsOf(formula: Formula): readonly Formula[] {
  switch (formula.kind) {
    case 'number':
    case 'slot':
      return []
    case 'negate':
      return [formula.operand]
    case 'power':
      return [formula.base]
    case 'call':
      return formula.operands
    default:
      return [formula.left, formula.right]
  }
}

/** Evaluates a formula without division, exactly; slots are in the order of `names`. Undefined for a remainder by zero. */
export type DecimalFormula = (slots: readonly Decimal[]) => Decimal | undefined

export function compileExact(formula: Formula, names: readonly string[]): DecimalFormula {
  switch (formula.kind) {
    case 'number': {
      const { value } = formula
      return () => value
    }
    case 'slot': {
      const index = names.indexOf(formula.name)
      return (slots) => slots[index]
    }
    case 'negate': {
      const operand = compileExact(formula.operand, names)
      return (slots) => operand(slots)?.negate()
    }
    case 'power': {
      const base = compileExact(formula.base, names)
      const { exponent } = formula
      return (slots) => {
        const value = base(slots)
        return value === undefined
          ? undefined
          : new Decimal(value.coefficient ** BigInt(exponent), value.scale * exponent)
      }
    }
    case 'call':
      return compileCall(
        formula.name,
        formula.operands.map((operand) => compileExact(operand, names)),
        exactly,
      )
    default: {
      const left = compileExact(formula.left, names)
      const right = compileExact(formula.right, names)
      const { kind } = formula
      return (slots) => {
        const one = left(slots)
        const other = right(slots)
        if (one === undefined || other === undefined) return undefined
        if (kind === '+') return one.add(other)
        return kind === '-' ? one.subtract(other) : one.multiply(other)
      }
    }
  }
}

/** What functions need to know of numbers, exact decimals or fractions. */
interface Arithmetic<N> {
  sign(value: N): number
  negate(value: N): N
  subtract(left: N, right: N): N
  of(sign: number): N
  /** Undefined if the divisor is zero; else the remainder with the divisor's sign. */
  remainder(value: N, divisor: N): N | undefined
}

const exactly: Arithmetic<Decimal> = {
  sign: (value) => (value.isZero() ? 0 : value.isNegative() ? -1 : 1),
  negate: (value) => value.negate(),
  subtract: (left, right) => left.subtract(right),
  of: (sign) => new Decimal(BigInt(sign), 0),
  remainder(value, divisor) {
    if (divisor.isZero()) return undefined
    const quotient = Rational.from(value).divide(Rational.from(divisor))?.round(0, 'floor')
    return quotient === undefined ? undefined : value.subtract(quotient.multiply(divisor))
  },
}

const asFraction: Arithmetic<Rational> = {
  sign: ({ numerator }) => (numerator === 0n ? 0 : numerator < 0n ? -1 : 1),
  negate: (value) => value.negate(),
  subtract: (left, right) => left.add(right.negate()),
  of: (sign) => new Rational(BigInt(sign), 1n),
  remainder(value, divisor) {
    const quotient = value.divide(divisor)?.round(0, 'floor')
    return quotient === undefined ? undefined : value.add(Rational.from(quotient).multiply(divisor).negate())
  },
}

function compileCall<N>(
  name: FunctionName,
  operands: readonly ((slots: readonly Decimal[]) => N | undefined)[],
  numbers: Arithmetic<N>,
): (slots: readonly Decimal[]) => N | undefined {
  const apply = (values: readonly N[]): N | undefined => {
    const [first, second] = values
    if (first === undefined) return undefined
    if (name === 'abs') return numbers.sign(first) < 0 ? numbers.negate(first) : first
    if (name === 'sign') return numbers.of(numbers.sign(first))
    if (name === 'mod') return second === undefined ? undefined : numbers.remainder(first, second)
    const wanted = name === 'min' ? 1 : -1
    return values.reduce((best, value) => (numbers.sign(numbers.subtract(best, value)) === wanted ? value : best))
  }
  return (slots) => {
    const values: N[] = []
    for (const operand of operands) {
      const value = operand(slots)
      if (value === undefined) return undefined
      values.push(value)
    }
    return apply(values)
  }
}

/** Undefined if something is divided by zero. */
export type RationalFormula = (slots: readonly Decimal[]) => Rational | undefined

/** For formulas that divide. Parts without a division use plain decimals. */
export function compileRational(formula: Formula, names: readonly string[]): RationalFormula {
  if (!hasDivision(formula)) {
    const exact = compileExact(formula, names)
    return (slots) => {
      const value = exact(slots)
      return value === undefined ? undefined : Rational.from(value)
    }
  }
  switch (formula.kind) {
    case 'number':
    case 'slot':
      return () => undefined
    case 'negate': {
      const operand = compileRational(formula.operand, names)
      return (slots) => operand(slots)?.negate()
    }
    case 'power': {
      const base = compileRational(formula.base, names)
      const exponent = BigInt(formula.exponent)
      return (slots) => {
        const value = base(slots)
        return value === undefined
          ? undefined
          : new Rational(value.numerator ** exponent, value.denominator ** exponent)
      }
    }
    case 'call':
      return compileCall(
        formula.name,
        formula.operands.map((operand) => compileRational(operand, names)),
        asFraction,
      )
    default: {
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
  }
}

function hasDivision(formula: Formula): boolean {
  return formula.kind === '/' || partsOf(formula).some(hasDivision)
}
