import { Decimal } from '../../../core/decimal.ts'
import { isJsonObject, type JsonValue } from '../../../core/json.ts'
import { parseCivil } from '../../../core/locale/calendar.ts'
import { formatDate } from '../../../core/locale/date.ts'
import { formatNumber } from '../../../core/locale/number.ts'
import { plainText } from '../../../core/plain-text.ts'
import { formatPointer, joinPointer } from '../../../core/pointer.ts'
import type { Comparison, Condition } from '../scan/condition.ts'
import type { Expression, metaNames } from '../scan/expression.ts'
import type { Filter } from '../scan/syntax.ts'

/** One turn of a loop, or what `#with` looks into. The outermost scope is the data itself and has no frame. */
export interface Frame {
  item: JsonValue
  /** From 0. */
  index: number
  count: number
  parent: Frame | undefined
  /** The loop's list, for messages: `/lines` → `/lines/3`. */
  pointer: string
  /** `none` for `#with`, which has no turns. */
  turns: 'items' | 'none' | readonly string[]
  /** Copies of the lists in a loop that restarts them, for this turn. */
  restarted?: Map<string, string>
}

export interface Scope {
  data: JsonValue
  frame: Frame | undefined
}

/** The value that an expression names, or undefined if there is none. */
export function evaluate(expression: Expression, scope: Scope): JsonValue | undefined {
  switch (expression.kind) {
    case 'absolute':
      return descend(scope.data, expression.tokens)
    case 'relative':
      return descend(itemAt(scope, expression.up), expression.tokens)
    case 'meta':
      return evaluateMeta(expression.name, scope.frame)
    case 'literal':
      return expression.value
  }
}

function itemAt(scope: Scope, up: number): JsonValue {
  let frame = scope.frame
  for (let level = 0; level < up && frame !== undefined; level++) frame = frame.parent
  return frame === undefined ? scope.data : frame.item
}

function descend(value: JsonValue | undefined, tokens: string[]): JsonValue | undefined {
  let at = value
  for (const token of tokens) {
    if (typeof at !== 'object' || at === null) return undefined
    if (Array.isArray(at)) at = /^(?:0|[1-9]\d*)$/.test(token) ? at[Number(token)] : undefined
    else at = Object.hasOwn(at, token) ? at[token] : undefined
  }
  return at
}

function evaluateMeta(name: (typeof metaNames)[number], innermost: Frame | undefined): JsonValue | undefined {
  let frame = innermost
  while (frame?.turns === 'none') frame = frame.parent
  if (frame === undefined) return undefined
  switch (name) {
    case 'index':
      return frame.index + 1
    case 'first':
      return frame.index === 0
    case 'last':
      return frame.index === frame.count - 1
    case 'count':
      return frame.count
    case 'name':
      return typeof frame.turns === 'string' ? undefined : frame.turns[frame.index]
  }
}

/** The JSON Pointer that an expression comes down to in this turn of the loops, for messages. */
export function describeExpression(expression: Expression, scope: Scope): string {
  if (expression.kind === 'meta') return `@${expression.name}`
  if (expression.kind === 'literal') return JSON.stringify(expression.value)
  if (expression.kind === 'absolute') return formatPointer(expression.tokens)
  let frame = scope.frame
  for (let level = 0; level < expression.up && frame !== undefined; level++) frame = frame.parent
  return (frame === undefined ? '' : turnOf(frame)) + formatPointer(expression.tokens)
}

/** The JSON Pointer of the single place in the data that an expression reads in this turn; undefined if there is none. */
export function pointerOf(expression: Expression, scope: Scope): string | undefined {
  return expression.kind === 'absolute' || expression.kind === 'relative'
    ? describeExpression(expression, scope)
    : undefined
}

function turnOf({ pointer, turns, index }: Frame): string {
  if (turns === 'none') return pointer
  return turns === 'items' ? `${pointer}/${index}` : joinPointer(pointer, turns[index] ?? '')
}

export function isMissing(value: JsonValue | undefined): value is null | undefined {
  return value === undefined || value === null
}

/** Missing, null, false, zero, the empty text and empty lists and objects count as no. */
export function isTruthy(value: JsonValue | undefined): boolean {
  if (isMissing(value) || value === false || value === 0 || value === '') return false
  if (Array.isArray(value)) return value.length > 0
  return typeof value !== 'object' || Object.keys(value).length > 0
}

export function holds(condition: Condition, scope: Scope): boolean {
  switch (condition.kind) {
    case 'truth':
      return isTruthy(evaluate(condition.value, scope))
    case 'compare':
      return compares(condition, scope)
    case 'in': {
      const value = evaluate(condition.value, scope)
      return condition.list.some((one) => isSame(value, evaluate(one, scope), plainOf(condition.value, one)))
    }
    case 'empty':
      return isEmpty(evaluate(condition.value, scope))
    case 'not':
      return !holds(condition.condition, scope)
    case 'all':
      return condition.conditions.every((one) => holds(one, scope))
    case 'any':
      return condition.conditions.some((one) => holds(one, scope))
  }
}

/** Missing, null, the empty text and empty lists and objects. */
function isEmpty(value: JsonValue | undefined): boolean {
  if (isMissing(value)) return true
  if (typeof value === 'object') return Object.keys(value).length === 0
  return value === ''
}

function compares({ left, operator, right }: Extract<Condition, { kind: 'compare' }>, scope: Scope): boolean {
  const one = evaluate(left, scope)
  const other = evaluate(right, scope)
  if (operator === '=') return isSame(one, other, plainOf(left, right))
  if (operator === '!=') return !isSame(one, other, plainOf(left, right))
  return compareValues(one, operator, other)
}

/** The text as typed, if Word may have set typographic marks in the literal on either side. */
function plainOf(left: Expression, right: Expression): string | undefined {
  return (left.kind === 'literal' ? left.plain : undefined) ?? (right.kind === 'literal' ? right.plain : undefined)
}

function isSame(left: JsonValue | undefined, right: JsonValue | undefined, plain: string | undefined): boolean {
  if (compareValues(left, '=', right)) return true
  return plain !== undefined && typeof left === 'string' && typeof right === 'string'
    ? plainText(left) === plain && plainText(right) === plain
    : false
}

/**
 * Numbers, and texts that are numbers, compare by value; other texts by their characters, which orders ISO dates too.
 * A missing value equals only null; every order with it is false.
 */
function compareValues(left: JsonValue | undefined, operator: Comparison, right: JsonValue | undefined): boolean {
  const order = orderOf(left ?? null, right ?? null)
  switch (operator) {
    case '=':
      return order === 0
    case '!=':
      return order !== 0
    case '<':
      return order === -1
    case '<=':
      return order === -1 || order === 0
    case '>':
      return order === 1
    case '>=':
      return order === 1 || order === 0
  }
}

function orderOf(left: JsonValue, right: JsonValue): -1 | 0 | 1 | undefined {
  if (typeof left === 'number' && typeof right === 'number') return left < right ? -1 : left > right ? 1 : 0
  const leftNumber = decimalOf(left)
  const rightNumber = decimalOf(right)
  if (leftNumber !== undefined && rightNumber !== undefined) return leftNumber.compare(rightNumber)
  if (typeof left === 'string' && typeof right === 'string') return left < right ? -1 : left > right ? 1 : 0
  return left === right ? 0 : undefined
}

function decimalOf(value: JsonValue): Decimal | undefined {
  if (typeof value === 'number') return Decimal.fromNumber(value)
  return typeof value === 'string' ? Decimal.parse(value) : undefined
}

/** A scalar as text: numbers as their shortest decimal text, never with an exponent. Undefined for objects and lists. */
export function scalarText(value: JsonValue): string | undefined {
  if (typeof value === 'string') return value
  if (typeof value === 'number') {
    const text = String(value)
    return text.includes('e') ? Decimal.fromNumber(value).toPlain() : text
  }
  return typeof value === 'boolean' ? String(value) : undefined
}

/** The items of a list, or the members of an object sorted by name, so that the order doesn't depend on the data's source. */
export function turnsOf(value: JsonValue | undefined): { items: JsonValue[]; turns: Frame['turns'] } | undefined {
  if (Array.isArray(value)) return { items: value, turns: 'items' }
  if (!isJsonObject(value)) return undefined
  const names = Object.keys(value).sort()
  return { items: names.map((name) => value[name] ?? null), turns: names }
}

export type Formatted = { ok: true; text: string } | { ok: false; message: string; hint: string }

/** Applies the formats from left to right to a value that is there. */
export function formatScalar(value: JsonValue, filters: Filter[]): Formatted {
  let text = scalarText(value)
  if (text === undefined) {
    const what = Array.isArray(value) ? 'a list' : 'an object'
    return {
      ok: false,
      message: `is ${what}, not a single value`,
      hint: 'Point to a member of it, or loop with #each.',
    }
  }
  for (const filter of filters) {
    if (filter.name === 'upper') text = text.toUpperCase()
    else if (filter.name === 'lower') text = text.toLowerCase()
    else if (filter.name === 'number') {
      const number = Decimal.parse(text)
      if (number === undefined) return { ok: false, message: 'is not a number', hint: 'Give a number, such as 1234.5.' }
      text = formatNumber(number, filter.pattern, filter.locale)
    } else if (filter.name === 'date') {
      const date = parseCivil(text)
      if (date === undefined) return { ok: false, message: 'is not a date', hint: 'Give a date such as 2026-01-31.' }
      text = formatDate(date, filter.pattern, filter.locale)
    }
  }
  return { ok: true, text }
}
