/** Values while a transformer runs: those of JSON, and exact decimals; undefined is a missing value. */
import { Decimal } from '../../core/decimal.ts'
import { type JsonValue, setMember } from '../../core/json.ts'

export type ObjectValue = { [key: string]: Value }
export type Value = undefined | null | boolean | string | number | Decimal | Value[] | ObjectValue

/** Dates are their ISO text, so that they read, compare and leave as the input has them. */
export function isObjectValue(value: Value): value is ObjectValue {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Decimal)
}

export function isNumberValue(value: Value): value is number | Decimal {
  return typeof value === 'number' || value instanceof Decimal
}

export function toDecimal(value: number | Decimal): Decimal {
  return typeof value === 'number' ? Decimal.fromNumber(value) : value
}

export function setValue(target: ObjectValue, key: string, value: Value): void {
  // Decimals are replaced before anything reads the object as JSON.
  setMember(target as { [key: string]: JsonValue }, key, value as JsonValue)
}

/** A scalar as it reads in text: numbers in plain digits without trailing zeros. */
export function displayScalar(value: string | number | Decimal | boolean): string {
  if (typeof value === 'string') return value
  if (typeof value === 'boolean') return String(value)
  return toDecimal(value).toPlain()
}

/** A name for a value's type, for messages. */
export function describeValue(value: Value): string {
  if (value === undefined) return 'missing'
  if (value === null) return 'null'
  if (typeof value === 'string') return 'text'
  if (typeof value === 'boolean') return 'a boolean'
  if (isNumberValue(value)) return 'a number'
  return Array.isArray(value) ? 'an array' : 'an object'
}

/** −1, 0 or 1 by Unicode code point; comparing UTF-16 units differs beyond the basic plane. */
export function compareText(left: string, right: string): number {
  const length = Math.min(left.length, right.length)
  for (let index = 0; index < length; index++) {
    const one = left.charCodeAt(index)
    const other = right.charCodeAt(index)
    if (one === other) continue
    const oneIsSurrogate = one >= 0xd800 && one <= 0xdfff
    const otherIsSurrogate = other >= 0xd800 && other <= 0xdfff
    if (oneIsSurrogate !== otherIsSurrogate) return oneIsSurrogate ? 1 : -1
    return one < other ? -1 : 1
  }
  return Math.sign(left.length - right.length)
}

/** A text that equal scalars share and no others do: the identity of group keys and of distinct values. */
export function scalarIdentity(value: string | number | boolean | Decimal | null): string {
  if (typeof value === 'string') return `s${value}`
  if (value === null || typeof value === 'boolean') return `c${value}`
  return `n${typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : toDecimal(value).toPlain()}`
}
