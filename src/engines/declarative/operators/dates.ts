/** Calendar arithmetic. */

import {
  addToDate,
  type Civil,
  formatCivil,
  monthsBetween,
  toDayNumber,
  toEpochSeconds,
} from '../../../core/locale/calendar.ts'
import { sumCosts } from '../built.ts'
import { operator, take } from '../call.ts'
import { nameOf } from '../check.ts'
import { burn, Fault } from '../frame.ts'
import { isUnknown, present, typeOf, types } from '../types.ts'

/** Whole units, counted toward zero; never the -0 that truncating a negative fraction leaves. */
function whole(count: number): number {
  return Math.trunc(count) + 0
}

const units: Record<string, (from: Civil, to: Civil) => number> = {
  days: (from, to) => toDayNumber(to) - toDayNumber(from),
  weeks: (from, to) => whole((toDayNumber(to) - toDayNumber(from)) / 7),
  months: monthsBetween,
  years: (from, to) => whole(monthsBetween(from, to) / 12),
  hours: (from, to) => whole((toEpochSeconds(to) - toEpochSeconds(from)) / 3600),
  minutes: (from, to) => whole((toEpochSeconds(to) - toEpochSeconds(from)) / 60),
  seconds: (from, to) => toEpochSeconds(to) - toEpochSeconds(from),
}

export const dateOperators = [
  operator({
    name: '$dateAdd',
    group: 'dates',
    doc: 'A date so many years, months and days later (or earlier); a day past the end of a month becomes its last.',
    args: {
      subject: take.value('date', 'the date, with or without time'),
      years: take.optional('integer', 'years to add'),
      months: take.optional('integer', 'months to add, with the years'),
      days: take.optional('integer', 'days to add, after the months'),
    },
    build(call) {
      const date = call.value('subject')
      const years = call.optionalValue('years')
      const months = call.optionalValue('months')
      const days = call.optionalValue('days')
      const added = [years, months, days].filter((part) => part !== undefined)
      if (added.length === 0) call.error('argument', call.node, '$dateAdd wants years, months or days.')
      const kinds = present(date.type).alternatives.filter(({ kind }) => kind === 'date' || kind === 'datetime')
      const type = isUnknown(date.type) || kinds.length === 0 ? types.unknown : typeOf(...kinds)
      return call.result(type, sumCosts([date, ...added]), (frame) => {
        burn(frame, call.node)
        const result = addToDate(
          date.run(frame),
          years?.run(frame) ?? 0,
          months?.run(frame) ?? 0,
          days?.run(frame) ?? 0,
        )
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
    },
    build(call) {
      const [from, to, ...more] = call.values('subject')
      const unit = call.choice('unit')
      if (more.length > 0) call.error('argument', call.nodeOf('subject'), '$dateDiff wants exactly two dates.')
      const count = unit === undefined ? undefined : units[unit]
      if (from === undefined || to === undefined || unit === undefined || count === undefined) return call.broken()
      for (const date of [from, to]) {
        const kinds = present(date.type).alternatives.map(({ kind }) => kind)
        if (!/hours|minutes|seconds/.test(unit) || kinds.length !== 1 || kinds[0] !== 'date') continue
        call.error('type', date.built.node, `${nameOf(date.built)} is a date without time; "${unit}" needs one.`)
      }
      return call.result(types.decimal, sumCosts([from, to]), (frame) => {
        burn(frame, call.node)
        return count(from.run(frame), to.run(frame))
      })
    },
  }),
]
