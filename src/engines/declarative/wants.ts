/** What an argument accepts: its static types, and how its value is checked and converted at run time. */
import { Decimal } from '../../core/decimal.ts'
import { type Civil, parseCivil } from '../../core/locale/calendar.ts'
import type { Kind } from './types.ts'
import { displayScalar, isNumberValue, isObjectValue, type ObjectValue, toDecimal, type Value } from './value.ts'

export interface WantTypes {
  /** Any scalar that reads as text: numbers and dates turn into it. */
  text: string
  string: string
  decimal: Decimal
  integer: number
  boolean: boolean
  date: Civil
  array: Value[]
  object: ObjectValue
  /** Text, number, date or boolean. */
  scalar: string | number | Decimal | boolean
  /** Any present value, null included. */
  any: Value
  /** Any value, or none. */
  maybe: Value
}

export type Want = keyof WantTypes

interface WantRule<W extends Want> {
  /** For messages: "wants …". */
  name: string
  kinds: readonly Kind[] | 'all'
  /** Undefined when the value is of another type. */
  convert(value: Value): WantTypes[W] | undefined
}

export const wants: { [W in Want]: WantRule<W> } = {
  text: {
    name: 'text, a number or a date',
    kinds: ['string', 'decimal', 'date', 'datetime'],
    convert: (value) => (typeof value === 'string' || isNumberValue(value) ? displayScalar(value) : undefined),
  },
  string: {
    name: 'text',
    kinds: ['string', 'date', 'datetime'],
    convert: (value) => (typeof value === 'string' ? value : undefined),
  },
  decimal: {
    name: 'a number',
    kinds: ['decimal'],
    convert: (value) => (isNumberValue(value) ? toDecimal(value) : undefined),
  },
  integer: {
    name: 'a whole number',
    kinds: ['decimal'],
    convert: (value) => {
      const number = isNumberValue(value) ? toDecimal(value).toNumber() : undefined
      return Number.isSafeInteger(number) ? number : undefined
    },
  },
  boolean: {
    name: 'true or false',
    kinds: ['boolean'],
    convert: (value) => (typeof value === 'boolean' ? value : undefined),
  },
  date: {
    name: 'a date',
    kinds: ['date', 'datetime'],
    convert: (value) => (typeof value === 'string' ? parseCivil(value) : undefined),
  },
  array: {
    name: 'an array',
    kinds: ['array'],
    convert: (value) => (Array.isArray(value) ? value : undefined),
  },
  object: {
    name: 'an object',
    kinds: ['object'],
    convert: (value) => (isObjectValue(value) ? value : undefined),
  },
  scalar: {
    name: 'text, a number, a date or a boolean',
    kinds: ['string', 'decimal', 'date', 'datetime', 'boolean'],
    convert: (value) => {
      if (typeof value === 'string' || typeof value === 'boolean' || typeof value === 'number') return value
      return value instanceof Decimal ? value : undefined
    },
  },
  any: { name: 'a value', kinds: 'all', convert: (value) => value },
  maybe: { name: 'a value', kinds: 'all', convert: (value) => value },
}
