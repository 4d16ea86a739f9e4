/** Date patterns such as `d MMMM yyyy`: read once, then applied to calendar dates. */
import { type Civil, dayOfWeek, hasTime } from './calendar.ts'
import { inDigitsOf, type Locale } from './locale.ts'
import type { PatternResult } from './number.ts'

type Part = { text: string } | { field: DateField }

export interface DatePattern {
  parts: readonly Part[]
  /** A field wants hours, minutes or seconds, which a plain date hasn't. */
  wantsTime: boolean
  /** What else is written: months and days have different forms beside a day, beside a year and alone. */
  beside: 'day' | 'year' | 'other' | 'nothing'
}

interface FieldContext {
  value: Civil
  locale: Locale
  beside: DatePattern['beside']
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

/** A name by its number from 1 on. */
function nameAt(names: readonly string[], number: number): string {
  return names[number - 1] ?? ''
}

function monthName(width: 'months' | 'monthsShort', { value, locale, beside }: FieldContext): string {
  const isBeside = beside === 'day' || (beside === 'year' && [width, 'both'].includes(locale.besideYear ?? ''))
  const alone = isBeside ? undefined : locale[`${width}Alone`]
  return nameAt(alone ?? locale[width], value.month)
}

function dayName(width: 'days' | 'daysShort', { value, locale, beside }: FieldContext): string {
  const alone = beside === 'nothing' ? locale[`${width}Alone`] : undefined
  return nameAt(alone ?? locale[width], dayOfWeek(value))
}

const fields = {
  d: ({ value }: FieldContext) => String(value.day),
  dd: ({ value }: FieldContext) => two(value.day),
  M: ({ value }: FieldContext) => String(value.month),
  MM: ({ value }: FieldContext) => two(value.month),
  MMM: (context: FieldContext) => monthName('monthsShort', context),
  MMMM: (context: FieldContext) => monthName('months', context),
  yy: ({ value }: FieldContext) => two(value.year % 100),
  yyyy: ({ value }: FieldContext) => String(value.year).padStart(4, '0'),
  EEE: (context: FieldContext) => dayName('daysShort', context),
  EEEE: (context: FieldContext) => dayName('days', context),
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
export const dateFields = Object.keys(fields).filter(isDateField)

function isDateField(text: string): text is DateField {
  return Object.hasOwn(fields, text)
}

/**
 * Reads a pattern: letters are fields; text in single quotes (`''` is a quote) and everything else is literal. Refuses
 * minutes that must mean months, months that must mean minutes, and 12-hour fields without a half of the day.
 */
export function parseDatePattern(source: string): PatternResult<DatePattern> {
  const read = readDatePattern(source)
  return (read.ok ? mistakenField(source, read.pattern.parts) : undefined) ?? read
}

function mistakenField(source: string, parts: readonly Part[]): PatternResult<DatePattern> | undefined {
  const used = parts.flatMap((part) => ('field' in part ? [part.field] : []))
  const isHour = (field = '') => /^[Hh]/.test(field)
  const hasMinutes = used.some((field) => field.startsWith('m'))
  if (hasMinutes && !used.some(isHour) && used.some((field) => /^[dEy]/.test(field))) {
    const months = source.replace(/'(?:[^']|'')*'|m/g, (text) => (text === 'm' ? 'M' : text))
    return { ok: false, message: 'm is for minutes, and it has no hours', hint: `Write M for the month: ${months}.` }
  }
  if (used.length > 1 && used.some((field) => field.startsWith('h')) && !used.includes('a')) {
    const hours = source.replace(/'(?:[^']|'')*'|h/g, (text) => (text === 'h' ? 'H' : text))
    const message = 'h counts to 12, and nothing says which half of the day it is'
    return { ok: false, message, hint: `Write ${hours}, or add a: ${source} a.` }
  }
  const isMonthForMinutes = (field: string, index: number) => /^MM?$/.test(field) && isHour(used[index - 1])
  if (hasMinutes || !used.some(isMonthForMinutes)) return undefined
  return {
    ok: false,
    message: 'M is for months, but its place here is that of minutes',
    hint: 'Write HH:mm for a time.',
  }
}

function unknownField(source: string, text: string): { message: string; hint?: string } {
  const message = `"${text}" is none of the fields ${dateFields.join(' ')}: put text in single quotes`
  // Days and years have capital letters in other languages of patterns.
  const small = source.replace(/'(?:[^']|'')*'|[DY]/g, (piece) => (piece.length === 1 ? piece.toLowerCase() : piece))
  if (/^[DY]+$/.test(text) && parseDatePattern(small).ok) return { message, hint: `Write ${small}.` }
  if (/^[QqwW]+$/.test(text)) {
    return { message, hint: 'Let the transformer write the quarter or the week, with { $datePart: …, part: week }.' }
  }
  const meant = otherPattern(source)
  return meant !== source && parseDatePattern(meant).ok ? { message, hint: `Write ${meant}.` } : { message }
}

const directives: ReadonlyMap<string, string> = new Map(
  Object.entries({
    d: 'dd',
    e: 'd',
    m: 'MM',
    B: 'MMMM',
    b: 'MMM',
    Y: 'yyyy',
    y: 'yy',
    H: 'HH',
    I: 'hh',
    M: 'mm',
    S: 'ss',
    p: 'a',
    A: 'EEEE',
    a: 'EEE',
  }),
)

/** Translates directives of strftime, and the letters of German (TT.MM.JJJJ) and French (jj/mm/aaaa) spreadsheets. */
function otherPattern(source: string): string {
  if (source.includes('%'))
    return source.replace(/%-?([A-Za-z])/g, (whole, letter: string) => directives.get(letter) ?? whole)
  // In the patterns of CLDR one y is the whole year.
  if (/(?<!y)y(?!y)/.test(source)) return source.replace(/(?<!y)y(?!y)/g, 'yyyy')
  if (/^[TMJ\s./-]+$/.test(source)) return source.replaceAll('T', 'd').replaceAll('J', 'y')
  return /^[jma\s./-]+$/.test(source) ? source.replaceAll('j', 'd').replaceAll('m', 'M').replaceAll('a', 'y') : source
}

/** Reads a pattern as it is written, whatever its fields may have been meant for. */
export function readDatePattern(source: string): PatternResult<DatePattern> {
  const parts: Part[] = []
  const token = /'((?:[^']|'')*)'|([A-Za-z])\2*|[^A-Za-z']+|'/gy
  for (let match = token.exec(source); match !== null; match = token.exec(source)) {
    const text = match[0]
    if (match[1] !== undefined) parts.push({ text: match[1] === '' ? "'" : match[1].replaceAll("''", "'") })
    else if (text === "'") return { ok: false, message: 'a quote is not closed' }
    else if (match[2] === undefined) parts.push({ text })
    else if (isDateField(text)) parts.push({ field: text })
    else return { ok: false, ...unknownField(source, text) }
  }
  const used = parts.flatMap((part) => ('field' in part ? [part.field] : []))
  if (used.length === 0) return { ok: false, message: 'it has no field such as d, MM or yyyy' }
  return {
    ok: true,
    pattern: {
      parts,
      wantsTime: used.some((field) => /^[Hhmsa]/.test(field)),
      beside: besideOf(used),
    },
  }
}

function besideOf(used: readonly DateField[]): DatePattern['beside'] {
  if (used.some((field) => field.startsWith('d'))) return 'day'
  if (used.some((field) => field.startsWith('y'))) return 'year'
  return used.length > 1 ? 'other' : 'nothing'
}

/** The date as text; a plain date counts as midnight if the pattern wants a time. */
export function formatDate(value: Civil, pattern: DatePattern, locale: Locale): string {
  const context: FieldContext = { value, locale, beside: pattern.beside }
  let text = ''
  for (const part of pattern.parts) {
    text += 'field' in part ? inDigitsOf(locale, fields[part.field](context)) : part.text
  }
  return text
}
