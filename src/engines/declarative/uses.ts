/** Whether values of a type make sense for what a template does with them. */
import type { Binding, BindingUse } from '../../core/binding.ts'
import { readColor } from '../../core/color.ts'
import { Decimal } from '../../core/decimal.ts'
import { parseCivil } from '../../core/locale/calendar.ts'
import { plainText } from '../../core/plain-text.ts'
import { parsePointer } from '../../core/pointer.ts'
import { suggest } from './suggest.ts'
import { type Alternative, describeType, enumerationOf, present, stepInto, type Type } from './types.ts'

/** A use that the type rules out, in words that follow "the tag" and "the value is". */
export interface Misuse {
  /** "writes a date", "compares with "x"". */
  does: string
  /** "a number", "one of a, b". */
  is: string
  hint: string
}

type Written = NonNullable<BindingUse['values']>[number]

/**
 * What is wrong with using values of this type in a tag; undefined if some value can be right, or nothing is known.
 * Pointers of the use are looked up from `root`.
 */
export function misuseOf({ use }: Binding, type: Type, root: Type): Misuse | undefined {
  const { alternatives } = type
  if (use === undefined || use.as === 'test' || alternatives.length === 0) return undefined
  if (alternatives.some(({ kind }) => kind === 'unknown')) return undefined
  if (use.as === 'equal' || use.as === 'order') return comparisonMisuse(use, type, root)
  const fails = alternatives.find((alternative) => !fits[use.as as keyof typeof fits](alternative))
  return fails === undefined ? undefined : { ...formats[use.as], is: describe(type) }
}

const formats = {
  members: { does: 'reads the names of members', hint: 'Remove @name, or loop over the members of an object.' },
  number: { does: 'writes a number', hint: 'Remove | number, or point to a number.' },
  date: { does: 'writes a date', hint: 'Remove | date, or point to a date such as 2026-01-31.' },
  time: { does: 'writes a time of day', hint: 'Use d, M, y and E only in the pattern, or point to a date with time.' },
  color: { does: 'shades a cell', hint: 'Give #RRGGBB, or a colour of the theme such as accent1.' },
} as const

/** Whether values of an alternative suit a format. Text may be a number or date, unless its values are listed. */
const fits: Record<'members' | 'number' | 'date' | 'time' | 'color', (alternative: Alternative) => boolean> = {
  members: (one) => one.kind === 'object',
  number: (one) => one.kind === 'decimal' || isText(one, (text) => Decimal.parse(text) !== undefined),
  date: (one) => isDate(one) || isText(one, (text) => parseCivil(text) !== undefined),
  time: (one) => one.kind === 'datetime' || isText(one, (text) => parseCivil(text) !== undefined),
  color: (one) => isText(one, (text) => readColor(text) !== undefined),
}

function isDate({ kind }: Alternative): boolean {
  return kind === 'date' || kind === 'datetime'
}

/** A text that takes several values, at least one of them acceptable. */
function isText(alternative: Alternative, passes: (text: string) => boolean): boolean {
  return alternative.kind === 'string' && (alternative.values?.some(passes) ?? true)
}

function comparisonMisuse({ as, values = [], pointers = [] }: BindingUse, type: Type, root: Type): Misuse | undefined {
  for (const value of values) {
    if (value === null || type.alternatives.some((one) => canBe(one, value, as === 'order'))) continue
    const does = `compares with ${JSON.stringify(value)}`
    return { does, is: describe(type), hint: hintFor(type, value) }
  }
  for (const pointer of pointers) {
    const other = typeAt(root, pointer)
    if (other === undefined || isComparable(type, other, as === 'order')) continue
    const does = `compares with ${pointer}, which is ${describe(other)}`
    return { does, is: describe(type), hint: 'Compare values of one type: numbers, texts, dates or flags.' }
  }
  return undefined
}

/** Whether a value of the alternative can equal what the tag holds, or be ordered with it. */
function canBe(alternative: Alternative, written: Exclude<Written, null>, isOrder: boolean): boolean {
  const { kind } = alternative
  if (typeof written === 'boolean') return kind === 'boolean' && !isOrder
  const number = typeof written === 'number' ? Decimal.fromNumber(written) : Decimal.parse(written)
  if (kind === 'decimal') return number !== undefined
  if (typeof written === 'string' && isDate(alternative)) {
    const isWhole = kind === 'date' || isOrder || written.includes('T')
    return isWhole && parseCivil(written) !== undefined
  }
  return isText(alternative, (text) => {
    const other = number === undefined ? undefined : Decimal.parse(text)
    if (other !== undefined && number !== undefined) return isOrder || other.equals(number)
    return typeof written === 'string' && (isOrder || plainText(text) === plainText(written))
  })
}

function isComparable(left: Type, right: Type, isOrder: boolean): boolean {
  const [one, other] = [enumerationOf(left), enumerationOf(right)]
  if (!isOrder && one !== undefined && other !== undefined) return one.some((value) => other.includes(value))
  return left.alternatives.some((a) => right.alternatives.some((b) => isAlike(a, b, isOrder)))
}

function isAlike(left: Alternative, right: Alternative, isOrder: boolean): boolean {
  if (left.kind === 'unknown' || right.kind === 'unknown') return true
  if (left.kind === 'boolean' || right.kind === 'boolean') return left.kind === right.kind && !isOrder
  const [text, other] = left.kind === 'string' ? [left, right] : [right, left]
  if (text.kind !== 'string') return left.kind === right.kind || (isDate(left) && isDate(right) && isOrder)
  if (other.kind === 'decimal') return isText(text, (value) => Decimal.parse(value) !== undefined)
  if (isDate(other)) return isText(text, (value) => parseCivil(value) !== undefined)
  return other.kind === 'string'
}

function hintFor(type: Type, written: Exclude<Written, null>): string {
  const values = enumerationOf(type)
  if (values !== undefined) return suggest(String(written), values) ?? 'Write one of the values that it can have.'
  const kinds = new Set(type.alternatives.map(({ kind }) => kind))
  if (kinds.has('boolean')) return 'Write /flag or not /flag, or compare with true or false, without quotes.'
  if (kinds.has('date')) return 'Write the date in quotes, as "2026-01-31".'
  if (kinds.has('datetime')) return 'Write the date and time in quotes, as "2026-01-31T09:30:00Z".'
  return kinds.has('decimal') ? 'Write a number, such as 1000.5.' : 'Put the text in quotes, as "annual".'
}

function describe(type: Type): string {
  const values = enumerationOf(type)
  if (values === undefined) return describeType(present(type))
  const shown = values.slice(0, 8).join(', ')
  return `one of ${shown}${values.length > 8 ? ', …' : ''}`
}

/** The type of the value at a pointer, `*` being any item; undefined if nothing is there. */
function typeAt(root: Type, pointer: string): Type | undefined {
  let type = root
  for (const token of parsePointer(pointer) ?? []) {
    const step = stepInto(type, token, { star: 'every item' })
    if (!step.ok) return undefined
    type = step.type
  }
  return type
}
