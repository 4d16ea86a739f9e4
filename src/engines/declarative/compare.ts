/** Order and equality of scalars, the same for `$is`, sorting, `$min` and `$max`. */
import type { Decimal } from '../../core/decimal.ts'
import { compareCivil, parseDateTime } from '../../core/locale/calendar.ts'
import { compareText, isNumberValue, toDecimal, type Value } from './value.ts'

export type Scalar = string | number | boolean | Decimal

/**
 * Negative, zero or positive; undefined for different types. Text compares by code point, which also orders dates; two
 * date-times compare as instants.
 */
export function compareScalars(left: Value, right: Value): number | undefined {
  if (typeof left === 'number' && typeof right === 'number') return left < right ? -1 : left > right ? 1 : 0
  if (isNumberValue(left) && isNumberValue(right)) return toDecimal(left).compare(toDecimal(right))
  if (typeof left === 'string' && typeof right === 'string') return compareTexts(left, right)
  if (typeof left === 'boolean' && typeof right === 'boolean') return Number(left) - Number(right)
  return undefined
}

function compareTexts(left: string, right: string): number {
  if (left.length > 15 && right.length > 15 && left[10] === 'T' && right[10] === 'T') {
    const one = parseDateTime(left)
    const other = parseDateTime(right)
    if (one !== undefined && other !== undefined) return compareCivil(one, other)
  }
  return compareText(left, right)
}
