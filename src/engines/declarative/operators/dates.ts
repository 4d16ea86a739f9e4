/** Calendar arithmetic. */

import { Decimal } from '../../../core/decimal.ts'
import { addBusinessDays, businessDaysBetween, Holidays } from '../../../core/locale/business-days.ts'
import {
  addSeconds,
  addToDate,
  type Civil,
  type CivilDate,
  dayOfWeek,
  daysInMonth,
  formatCivil,
  fromDayNumber,
  hasTime,
  isoWeekOf,
  monthsBetween,
  parseCivil,
  toDayNumber,
  toEpochSeconds,
} from '../../../core/locale/calendar.ts'
import { shorten } from '../../../core/source/read.ts'
import type { SourceNode } from '../../../core/source/tree.ts'
import { type Checked, sumCosts } from '../built.ts'
import { type CallSite, operator, take } from '../call.ts'
import { checkValue, nameOf } from '../check.ts'
import { wholeTable } from '../context.ts'
import { burn, Fault, type Frame } from '../frame.ts'
import type { Size } from '../size.ts'
import { isUnknown, present, typeOf, types } from '../types.ts'
import { describeValue, type Value } from '../value.ts'

/** Whole units, counted toward zero; never the -0 that truncating a negative fraction leaves. */
function whole(count: number): number {
  return Math.trunc(count) + 0
}

const units: Record<string, (from: Civil, to: Civil, holidays: Holidays) => number> = {
  days: (from, to) => toDayNumber(to) - toDayNumber(from),
  weeks: (from, to) => whole((toDayNumber(to) - toDayNumber(from)) / 7),
  months: monthsBetween,
  years: (from, to) => whole(monthsBetween(from, to) / 12),
  hours: (from, to) => whole((toEpochSeconds(to) - toEpochSeconds(from)) / 3600),
  minutes: (from, to) => whole((toEpochSeconds(to) - toEpochSeconds(from)) / 60),
  seconds: (from, to) => toEpochSeconds(to) - toEpochSeconds(from),
  businessDays: businessDaysBetween,
}

const parts: Record<string, (date: Civil) => number> = {
  year: ({ year }) => year,
  quarter: ({ month }) => Math.ceil(month / 3),
  month: ({ month }) => month,
  day: ({ day }) => day,
  weekday: dayOfWeek,
  week: (date) => isoWeekOf(date).week,
  weekYear: (date) => isoWeekOf(date).year,
  dayOfYear: (date) => toDayNumber(date) - toDayNumber({ year: date.year, month: 1, day: 1 }) + 1,
  hour: (date) => (hasTime(date) ? date.hour : 0),
  minute: (date) => (hasTime(date) ? date.minute : 0),
  second: (date) => (hasTime(date) ? date.second : 0),
}

/** The first day of what a date is in. */
const starts: Record<string, (date: CivilDate) => CivilDate> = {
  week: (date) => fromDayNumber(toDayNumber(date) + 1 - dayOfWeek(date)),
  month: ({ year, month }) => ({ year, month, day: 1 }),
  quarter: ({ year, month }) => ({ year, month: Math.floor((month - 1) / 3) * 3 + 1, day: 1 }),
  year: ({ year }) => ({ year, month: 1, day: 1 }),
}

/** The last day of it. */
const ends: Record<string, (date: CivilDate) => CivilDate> = {
  week: (date) => fromDayNumber(toDayNumber(date) + 7 - dayOfWeek(date)),
  month: ({ year, month }) => ({ year, month, day: daysInMonth(year, month) }),
  quarter: ({ year, month }) => {
    const last = Math.ceil(month / 3) * 3
    return { year, month: last, day: daysInMonth(year, last) }
  },
  year: ({ year }) => ({ year, month: 12, day: 31 }),
}

const timeParts = /^(?:hour|minute|second)s?$/

export const dateOperators = [
  operator({
    name: '$dateAdd',
    group: 'dates',
    doc: 'A date so much later (or earlier); a day past the end of a month becomes its last.',
    args: {
      subject: take.value('date', 'the date, with or without time'),
      years: take.optional('integer', 'years to add'),
      months: take.optional('integer', 'months to add, with the years'),
      days: take.optional('integer', 'days to add, after the months'),
      businessDays: take.optional('integer', 'days from Monday to Friday to add, after the days'),
      holidays: take.optionalNode('days that are no business days: a table or object by dates, or an array of dates'),
      hours: take.optional('integer', 'hours to add, to a date with time'),
      minutes: take.optional('integer', 'minutes to add, to a date with time'),
    },
    build(call) {
      const date = call.value('subject')
      const years = call.optionalValue('years')
      const months = call.optionalValue('months')
      const days = call.optionalValue('days')
      const businessDays = call.optionalValue('businessDays')
      const hours = call.optionalValue('hours')
      const minutes = call.optionalValue('minutes')
      const holidays = readHolidays(call, businessDays !== undefined)
      const added = [years, months, days, businessDays, hours, minutes].filter((part) => part !== undefined)
      if (added.length === 0) call.error('argument', call.node, '$dateAdd wants years, months, days, hours or minutes.')
      if (hours !== undefined || minutes !== undefined) wantTime(call, date, 'a step of hours or minutes')
      const kinds = present(date.type).alternatives.filter(({ kind }) => kind === 'date' || kind === 'datetime')
      const type = isUnknown(date.type) || kinds.length === 0 ? types.unknown : typeOf(...kinds)
      return call.result(type, sumCosts([date, holidays, ...added]), (frame) => {
        burn(frame, call.node)
        const later = addToDate(date.run(frame), years?.run(frame) ?? 0, months?.run(frame) ?? 0, days?.run(frame) ?? 0)
        const count = businessDays?.run(frame) ?? 0
        const business = count === 0 ? later : later && addBusinessDays(later, count, holidays.run(frame))
        const dated = later && business && { ...later, ...business }
        const seconds = (hours?.run(frame) ?? 0) * 3600 + (minutes?.run(frame) ?? 0) * 60
        if (seconds !== 0 && dated !== undefined && !hasTime(dated)) {
          throw new Fault('type', call.node, 'A date without time has no hours and minutes to add to.')
        }
        const result = dated !== undefined && hasTime(dated) ? addSeconds(dated, seconds) : dated
        if (result !== undefined) return formatCivil(result)
        throw new Fault('fuel', call.node, 'The date leaves the years 0000 to 9999.', 'Add less.')
      })
    },
  }),

  operator({
    name: '$dateDiff',
    group: 'dates',
    doc: 'How many whole units lie between two dates, from the first to the second; negative when the second is earlier.',
    args: {
      subject: take.values('date', 2, '[from, to]'),
      unit: take.choice(Object.keys(units), Object.keys(units).join(', ')),
      holidays: take.optionalNode('with businessDays: a table or object by dates, or an array of dates'),
    },
    build(call) {
      const [from, to, ...more] = call.values('subject')
      const unit = call.choice('unit')
      if (more.length > 0) call.error('argument', call.nodeOf('subject'), '$dateDiff wants exactly two dates.')
      const count = unit === undefined ? undefined : units[unit]
      if (from === undefined || to === undefined || unit === undefined || count === undefined) return call.broken()
      if (timeParts.test(unit)) for (const date of [from, to]) wantTime(call, date, `"${unit}"`)
      const holidays = readHolidays(call, unit === 'businessDays')
      return call.result(types.decimal, sumCosts([from, to, holidays]), (frame) => {
        burn(frame, call.node)
        return count(from.run(frame), to.run(frame), holidays.run(frame))
      })
    },
  }),

  operator({
    name: '$datePart',
    group: 'dates',
    doc: 'One part of a date as a number.',
    args: {
      subject: take.value('date', 'the date, with or without time'),
      part: take.choice(Object.keys(parts), `${Object.keys(parts).join(', ')}; weeks are those of ISO 8601`),
    },
    build(call) {
      const date = call.value('subject')
      const part = call.choice('part')
      const read = part === undefined ? undefined : parts[part]
      if (part === undefined || read === undefined) return call.broken()
      if (timeParts.test(part)) wantTime(call, date, `"${part}"`)
      return call.result(types.decimal, sumCosts([date]), (frame) => {
        burn(frame, call.node)
        return read(date.run(frame))
      })
    },
  }),

  operator({
    name: '$dateOf',
    group: 'dates',
    doc: 'The first or last day of the week, month, quarter or year that a date is in.',
    args: {
      subject: take.value('date', 'the date, with or without time'),
      first: take.optionalChoice(Object.keys(starts), `the first day of its ${Object.keys(starts).join(', ')}`),
      last: take.optionalChoice(Object.keys(ends), 'instead: the last day of it'),
    },
    build(call) {
      const date = call.value('subject')
      const day = starts[call.choice('first') ?? ''] ?? ends[call.choice('last') ?? '']
      if (call.has('first') === call.has('last')) {
        call.error('argument', call.node, '$dateOf wants "first" or "last".', 'For example last: month.')
      }
      if (day === undefined) return call.broken()
      return call.result(types.date, sumCosts([date]), (frame) => {
        burn(frame, call.node)
        const { year, month, day: number } = date.run(frame)
        const found = day({ year, month, day: number })
        if (found.year >= 0 && found.year <= 9999) return formatCivil(found)
        throw new Fault('fuel', call.node, 'The date leaves the years 0000 to 9999.', 'Add less.')
      })
    },
  }),
]

export function wantTime(call: CallSite, date: Checked<'date'>, what: string): void {
  const kinds = present(date.type).alternatives.map(({ kind }) => kind)
  if (kinds.length !== 1 || kinds[0] !== 'date') return
  call.error('type', date.built.node, `${nameOf(date.built)} is a date without time; ${what} needs one.`)
}

interface HolidaysArgument {
  cost: Size
  run(frame: Frame): Holidays
}

const none = new Holidays([])

/** Read once for each table, object or array, which the values keep. */
const known = new WeakMap<object, Holidays>()

function readHolidays(call: CallSite, isWanted: boolean): HolidaysArgument {
  const node = call.entry('holidays')?.value
  if (node === undefined) return { cost: 0, run: () => none }
  if (!isWanted)
    call.error('argument', node, '"holidays" goes with businessDays.', 'Count business days, or remove it.')
  if (node.kind === 'scalar' && !/^[/$]/.test(node.text)) {
    const table = call.context.tables.get(node.text)
    if (table !== undefined) {
      const holidays = holidaysOf(
        wholeTable(table).map(([key]) => key),
        node,
        call,
      )
      return { cost: 0, run: () => holidays }
    }
    const names = call.context.tables.keys()
    call.error('unknown_table', node, `There is no table "${shorten(node.text)}".`, call.suggest(node.text, names))
    return { cost: 0, run: () => none }
  }
  const built = call.builder.value(node)
  const days = checkValue(call.context, built, 'any', '"holidays"')
  const run = (frame: Frame) => {
    const value = days.run(frame)
    if (typeof value !== 'object' || value === null || value instanceof Decimal) {
      throw new Fault(
        'type',
        node,
        `${nameOf(built)} is ${describeValue(value)}; "holidays" wants dates.`,
        holidaysHint,
      )
    }
    let holidays = known.get(value)
    if (holidays === undefined) {
      holidays = holidaysOf(Array.isArray(value) ? value : Object.keys(value), node)
      known.set(value, holidays)
    }
    frame.lineage?.takeWhole(value)
    return holidays
  }
  return { cost: days.cost, run }
}

const holidaysHint = 'Give an array of dates, or a table or object with dates as keys.'

/** Reports what is no date to the call, or ends the run. */
function holidaysOf(values: readonly Value[], node: SourceNode, call?: CallSite): Holidays {
  const dates: CivilDate[] = []
  for (const value of values) {
    const date = typeof value === 'string' ? parseCivil(value) : undefined
    if (date !== undefined) {
      dates.push(date)
      continue
    }
    const message = `"holidays" has "${shorten(String(value))}", which is no date.`
    if (call === undefined) throw new Fault('type', node, message, holidaysHint)
    call.error('type', node, message, 'Write dates as YYYY-MM-DD.')
    break
  }
  return new Holidays(dates)
}
