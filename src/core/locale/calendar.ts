/**
 * Calendar dates as plain numbers (proleptic Gregorian, no time zone, no clock): reading ISO 8601 text, writing it
 * back, and the arithmetic that dates of contracts and invoices need.
 */

export interface CivilDate {
  year: number
  month: number
  day: number
}

/** A date with a wall-clock time and, where the text had one, its offset from UTC in minutes. */
export interface CivilDateTime extends CivilDate {
  hour: number
  minute: number
  second: number
  /** Digits after the second's point, as written: `''` when there were none. */
  fraction: string
  offsetMinutes?: number
}

export type Civil = CivilDate | CivilDateTime

/**
 * Whether a text is a date as people write it, such as 01.03.2026 or 2026-3-1: comparing characters doesn't order such
 * dates.
 */
export function isUnordered(text: string): boolean {
  return /^(?:\d{1,2}[./-] ?\d{1,2}[./-] ?(?:\d{4}|\d{2})|\d{4}[./]\d{1,2}[./]\d{1,2}|\d{4}-(?:\d-\d{1,2}|\d\d-\d))$/.test(
    text,
  )
}

const datePattern = /^(\d{4})-(\d{2})-(\d{2})$/
const dateTimePattern =
  /^(\d{4})-(\d{2})-(\d{2})[Tt](\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?(?:([Zz])|([+-])(\d{2}):(\d{2}))?$/

export function hasTime(value: Civil): value is CivilDateTime {
  return 'hour' in value
}

export function isLeapYear(year: number): boolean {
  return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0
}

export function daysInMonth(year: number, month: number): number {
  if (month === 2) return isLeapYear(year) ? 29 : 28
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31
}

/** Reads `YYYY-MM-DD`; undefined when the text is not that or names no day of the calendar. */
export function parseDate(text: string): CivilDate | undefined {
  const match = datePattern.exec(text)
  return match === null ? undefined : checkedDate(Number(match[1]), Number(match[2]), Number(match[3]))
}

/** Reads RFC 3339 text, also without seconds or offset; undefined when the text is not that. */
export function parseDateTime(text: string): CivilDateTime | undefined {
  const match = dateTimePattern.exec(text)
  if (match === null) return undefined
  const date = checkedDate(Number(match[1]), Number(match[2]), Number(match[3]))
  const hour = Number(match[4])
  const minute = Number(match[5])
  const second = Number(match[6] ?? 0)
  if (date === undefined || hour > 23 || minute > 59 || second > 60) return undefined
  const value: CivilDateTime = { ...date, hour, minute, second, fraction: match[7] ?? '' }
  if (match[8] !== undefined) return { ...value, offsetMinutes: 0 }
  if (match[9] === undefined) return value
  const hours = Number(match[10])
  const minutes = Number(match[11])
  if (hours > 23 || minutes > 59) return undefined
  return { ...value, offsetMinutes: (match[9] === '-' ? -1 : 1) * (hours * 60 + minutes) }
}

/** A date or a date with time, whichever the text is. */
export function parseCivil(text: string): Civil | undefined {
  return text.length === 10 ? parseDate(text) : parseDateTime(text)
}

function checkedDate(year: number, month: number, day: number): CivilDate | undefined {
  if (month < 1 || month > 12 || day < 1 || day > daysInMonth(year, month)) return undefined
  return { year, month, day }
}

function pad(value: number, length: number): string {
  return String(value).padStart(length, '0')
}

/** ISO 8601 text; the offset comes back as it was read (`Z` for zero). */
export function formatCivil(value: Civil): string {
  const date = `${pad(value.year, 4)}-${pad(value.month, 2)}-${pad(value.day, 2)}`
  if (!hasTime(value)) return date
  const time = `T${pad(value.hour, 2)}:${pad(value.minute, 2)}:${pad(value.second, 2)}`
  return `${date}${time}${value.fraction === '' ? '' : `.${value.fraction}`}${formatOffset(value.offsetMinutes)}`
}

function formatOffset(minutes: number | undefined): string {
  if (minutes === undefined) return ''
  if (minutes === 0) return 'Z'
  const size = Math.abs(minutes)
  return `${minutes < 0 ? '-' : '+'}${pad(Math.floor(size / 60), 2)}:${pad(size % 60, 2)}`
}

/** Days since 1970-01-01, which is day 0. */
export function toDayNumber({ year, month, day }: CivilDate): number {
  // March-based years put the leap day last, so that month lengths follow one formula (Hinnant, "chrono-compatible").
  const shifted = month <= 2 ? year - 1 : year
  const era = Math.floor(shifted / 400)
  const yearOfEra = shifted - era * 400
  const dayOfYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + day - 1
  return era * 146097 + yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear - 719468
}

export function fromDayNumber(dayNumber: number): CivilDate {
  const shifted = dayNumber + 719468
  const era = Math.floor(shifted / 146097)
  const dayOfEra = shifted - era * 146097
  const yearOfEra = Math.floor(
    (dayOfEra - Math.floor(dayOfEra / 1460) + Math.floor(dayOfEra / 36524) - Math.floor(dayOfEra / 146096)) / 365,
  )
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100))
  const monthIndex = Math.floor((5 * dayOfYear + 2) / 153)
  const month = monthIndex < 10 ? monthIndex + 3 : monthIndex - 9
  return {
    year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0),
    month,
    day: dayOfYear - Math.floor((153 * monthIndex + 2) / 5) + 1,
  }
}

/** 1 for Monday to 7 for Sunday (ISO 8601). */
export function dayOfWeek(value: CivilDate): number {
  return ((((toDayNumber(value) + 3) % 7) + 7) % 7) + 1
}

/**
 * Adds years and months first (a day past the month's end becomes its last day), then days. Undefined if the result is
 * outside of the years 0000 to 9999, which is all that ISO text can hold.
 */
export function addToDate<T extends Civil>(value: T, years: number, months: number, days: number): T | undefined {
  const monthNumber = value.year * 12 + (value.month - 1) + years * 12 + months
  const year = Math.floor(monthNumber / 12)
  const month = monthNumber - year * 12 + 1
  if (!(year >= 0 && year <= 9999)) return undefined
  const clamped = { year, month, day: Math.min(value.day, daysInMonth(year, month)) }
  const result = days === 0 ? clamped : fromDayNumber(toDayNumber(clamped) + days)
  if (!(result.year >= 0 && result.year <= 9999)) return undefined
  return { ...value, ...result }
}

/** Seconds since 1970-01-01T00:00:00Z; text without an offset counts as UTC, a date as its midnight. */
export function toEpochSeconds(value: Civil): number {
  const days = toDayNumber(value) * 86400
  if (!hasTime(value)) return days
  return days + value.hour * 3600 + value.minute * 60 + value.second - (value.offsetMinutes ?? 0) * 60
}

/** Negative, zero or positive; instants compare by their offset, fractions of a second included. */
export function compareCivil(left: Civil, right: Civil): number {
  const seconds = toEpochSeconds(left) - toEpochSeconds(right)
  if (seconds !== 0) return seconds
  const leftFraction = (hasTime(left) ? left.fraction : '').padEnd(9, '0')
  const rightFraction = (hasTime(right) ? right.fraction : '').padEnd(9, '0')
  return leftFraction < rightFraction ? -1 : leftFraction > rightFraction ? 1 : 0
}

/** Whole months from one date to another, rounded toward zero: 31 January to 28 February is one (month ends clamp). */
export function monthsBetween(from: CivilDate, to: CivilDate): number {
  if (toDayNumber(to) < toDayNumber(from)) return 0 - monthsBetween(to, from)
  let months = (to.year - from.year) * 12 + (to.month - from.month)
  const reached = addToDate({ year: from.year, month: from.month, day: from.day }, 0, months, 0)
  if (reached !== undefined && toDayNumber(reached) > toDayNumber(to)) months--
  return months
}

/** The ISO 8601 week of a date: weeks begin on Monday, and the first one has the year's first Thursday. */
export function isoWeekOf(value: CivilDate): { year: number; week: number } {
  const thursday = fromDayNumber(toDayNumber(value) + 4 - dayOfWeek(value))
  const first = toDayNumber({ year: thursday.year, month: 1, day: 1 })
  return { year: thursday.year, week: Math.floor((toDayNumber(thursday) - first) / 7) + 1 }
}

/** The same date with a time this many seconds later, in its own offset; undefined beyond the years 0000 to 9999. */
export function addSeconds(value: CivilDateTime, seconds: number): CivilDateTime | undefined {
  const local = toDayNumber(value) * 86400 + value.hour * 3600 + value.minute * 60 + value.second + seconds
  const day = Math.floor(local / 86400)
  const rest = local - day * 86400
  const date = fromDayNumber(day)
  if (!(date.year >= 0 && date.year <= 9999)) return undefined
  return { ...value, ...date, hour: Math.floor(rest / 3600), minute: Math.floor(rest / 60) % 60, second: rest % 60 }
}
