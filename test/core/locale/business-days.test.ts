import { describe, expect, test } from 'bun:test'
import { addBusinessDays, businessDaysBetween, Holidays } from '../../../src/core/locale/business-days.ts'
import {
  addSeconds,
  type CivilDate,
  dayOfWeek,
  formatCivil,
  fromDayNumber,
  hasTime,
  isoWeekOf,
  parseCivil,
  parseDate,
  toDayNumber,
} from '../../../src/core/locale/calendar.ts'

const date = (text: string): CivilDate => parseDate(text)!
const holidays = new Holidays(['2026-12-25', '2026-12-26', '2027-01-01', '2027-01-06'].map(date))
const none = new Holidays([])

function isBusinessDay(day: number): boolean {
  return dayOfWeek(fromDayNumber(day)) <= 5 && !holidays.has(day)
}

describe('business days', () => {
  test('are counted after the first date up to the second, as one by one', () => {
    for (let start = toDayNumber(date('2026-12-14')); start < toDayNumber(date('2027-01-12')); start++) {
      let count = 0
      for (let day = start; day < start + 40; day++) {
        if (day > start && isBusinessDay(day)) count++
        const [from, to] = [fromDayNumber(start), fromDayNumber(day)]
        expect([from, to, businessDaysBetween(from, to, holidays)]).toEqual([from, to, count])
        expect(businessDaysBetween(to, from, holidays)).toBe(0 - count)
      }
    }
  })

  test('are added and taken off, as one by one', () => {
    for (let start = toDayNumber(date('2026-12-14')); start < toDayNumber(date('2027-01-12')); start++) {
      for (const step of [1, -1]) {
        let day = start
        for (let count = 1; count <= 20; count++) {
          do day += step
          while (!isBusinessDay(day))
          const found = addBusinessDays(fromDayNumber(start), step * count, holidays)
          expect([start, step * count, found && toDayNumber(found)]).toEqual([start, step * count, day])
        }
      }
    }
  })

  test('end at the last date of four digits, and are none for zero', () => {
    expect(addBusinessDays(date('2026-12-26'), 0, holidays)).toEqual(date('2026-12-26'))
    expect(addBusinessDays(date('9999-12-30'), 5, none)).toBeUndefined()
    expect(addBusinessDays(date('2026-01-01'), 1e15, none)).toBeUndefined()
    expect(addBusinessDays(date('2026-01-01'), -1e15, none)).toBeUndefined()
  })
})

describe('weeks of ISO 8601', () => {
  test.each([
    ['2027-01-01', 2026, 53],
    ['2026-01-01', 2026, 1],
    ['2024-12-30', 2025, 1],
    ['2021-01-03', 2020, 53],
    ['2021-01-04', 2021, 1],
    ['2026-07-15', 2026, 29],
  ])('%s is in %d week %d', (text, year, week) => expect(isoWeekOf(date(text))).toEqual({ year, week }))
})

test('seconds pass midnight, months and years in the offset of the date', () => {
  const added = (text: string, seconds: number) => {
    const value = parseCivil(text)
    if (value === undefined || !hasTime(value)) throw new Error(text)
    const result = addSeconds(value, seconds)
    return result && formatCivil(result)
  }
  expect(added('2026-12-31T23:59:30+02:00', 45)).toBe('2027-01-01T00:00:15+02:00')
  expect(added('2026-01-01T00:00:00.5Z', -1)).toBe('2025-12-31T23:59:59.5Z')
  expect(added('9999-12-31T23:59:59Z', 1)).toBeUndefined()
})
