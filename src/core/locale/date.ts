/** Date patterns such as `d MMMM yyyy`: read once, then applied to calendar dates. */
import { type Civil, dayOfWeek, hasTime } from './calendar.ts'
import type { Locale } from './locale.ts'
import type { PatternResult } from './number.ts'

type Part = { text: string } | { field: DateField }

export interface DatePattern {
  parts: readonly Part[]
  /** True when a field wants hours, minutes or seconds, so that a plain date cannot serve it. */
  wantsTime: boolean
  /** True when a day of the month stands in the pattern: month names then take their inflected form. */
  hasDay: boolean
}

interface FieldContext {
  value: Civil
  locale: Locale
  hasDay: boolean
}

function two(value: number): string {
  return value < 10 ? `0${value}` : String(value)
}

function hourOf(value: Civil): number {
  return hasTime(value) ? value.hour : 0
}

function minuteOf(value: Civil): number {
  return hasTime(value) ? value.minute : 0
}

function secondOf(value: Civil): number {
  return hasTime(value) ? value.second : 0
}

function monthName({ value, locale, hasDay }: FieldContext): string {
  const names = hasDay ? locale.months : (locale.monthsAlone ?? locale.months)
  return names[value.month - 1]!
}

const fields = {
  d: ({ value }: FieldContext) => String(value.day),
  dd: ({ value }: FieldContext) => two(value.day),
  M: ({ value }: FieldContext) => String(value.month),
  MM: ({ value }: FieldContext) => two(value.month),
  MMM: ({ value, locale }: FieldContext) => locale.monthsShort[value.month - 1]!,
  MMMM: monthName,
  yy: ({ value }: FieldContext) => two(value.year % 100),
  yyyy: ({ value }: FieldContext) => String(value.year).padStart(4, '0'),
  EEE: ({ value, locale }: FieldContext) => locale.daysShort[dayOfWeek(value) - 1]!,
  EEEE: ({ value, locale }: FieldContext) => locale.days[dayOfWeek(value) - 1]!,
  H: ({ value }: FieldContext) => String(hourOf(value)),
  HH: ({ value }: FieldContext) => two(hourOf(value)),
  h: ({ value }: FieldContext) => String(hourOf(value) % 12 || 12),
  hh: ({ value }: FieldContext) => two(hourOf(value) % 12 || 12),
  m: ({ value }: FieldContext) => String(minuteOf(value)),
  mm: ({ value }: FieldContext) => two(minuteOf(value)),
  s: ({ value }: FieldContext) => String(secondOf(value)),
  ss: ({ value }: FieldContext) => two(secondOf(value)),
  a: ({ value, locale }: FieldContext) => locale.dayHalves[hourOf(value) < 12 ? 0 : 1],
}

export type DateField = keyof typeof fields

/** Every field that a pattern may hold. */
export const dateFields = Object.keys(fields) as DateField[]

/** Reads a pattern; letters are fields, text in single quotes stands for itself (`''` is a quote), and so does the rest. */
export function parseDatePattern(source: string): PatternResult<DatePattern> {
  const parts: Part[] = []
  const token = /'((?:[^']|'')*)'|([A-Za-z])\2*|[^A-Za-z']+|'/gy
  for (let match = token.exec(source); match !== null; match = token.exec(source)) {
    const text = match[0]
    if (match[1] !== undefined) parts.push({ text: match[1] === '' ? "'" : match[1].replaceAll("''", "'") })
    else if (text === "'") return { ok: false, message: 'a quote is not closed' }
    else if (match[2] === undefined) parts.push({ text })
    else if (Object.hasOwn(fields, text)) parts.push({ field: text as DateField })
    else
      return {
        ok: false,
        message: `"${text}" is none of the fields ${dateFields.join(' ')}: put text in single quotes`,
      }
  }
  const used = parts.flatMap((part) => ('field' in part ? [part.field] : []))
  if (used.length === 0) return { ok: false, message: 'it has no field such as d, MM or yyyy' }
  return {
    ok: true,
    pattern: {
      parts,
      wantsTime: used.some((field) => 'Hhmsa'.includes(field[0]!)),
      hasDay: used.some((field) => field[0] === 'd'),
    },
  }
}

/** The date as text; a plain date counts as midnight where the pattern wants a time. */
export function formatDate(value: Civil, pattern: DatePattern, locale: Locale): string {
  const context: FieldContext = { value, locale, hasDay: pattern.hasDay }
  let text = ''
  for (const part of pattern.parts) text += 'field' in part ? fields[part.field](context) : part.text
  return text
}
