import { describe, expect, test } from 'bun:test'
import {
  addToDate,
  type CivilDate,
  compareCivil,
  daysInMonth,
  formatCivil,
  hasTime,
  isLeapYear,
  monthsBetween,
  parseCivil,
  parseDate,
  parseDateTime,
  toDayNumber,
  toEpochSeconds,
} from '../../../src/core/locale/calendar.ts'
import { seeded } from '../../engines/declarative/seeded.ts'

const date = (text: string): CivilDate => {
  const found = parseDate(text)
  if (found === undefined) throw new Error(`${text} is no date`)
  return found
}

/** The first and last value that each field may have, and those beside them. */
const edges: [field: string, taken: string[], refused: string[]][] = [
  ['month', ['2026-01-15', '2026-12-15'], ['2026-00-15', '2026-13-15']],
  ['day', ['2026-01-01', '2026-01-31', '2026-04-30'], ['2026-01-00', '2026-01-32', '2026-04-31']],
  ['hour', ['2026-01-01T00:30:00Z', '2026-01-01T23:30:00Z'], ['2026-01-01T24:00:00Z', '2026-01-01T1:00:00Z']],
  ['minute', ['2026-01-01T12:00:00Z', '2026-01-01T12:59:00Z'], ['2026-01-01T12:60:00Z']],
  ['second', ['2026-01-01T12:00:59Z', '2026-01-01T12:00:60Z'], ['2026-01-01T12:00:61Z']],
  [
    'fraction',
    ['2026-01-01T12:00:00.1Z', '2026-01-01T12:00:00.123456789Z'],
    ['2026-01-01T12:00:00.Z', '2026-01-01T12:00:00.1234567890Z', '2026-01-01T12:00.5Z'],
  ],
  [
    'offset',
    ['2026-01-01T12:00:00+23:59', '2026-01-01T12:00:00-23:59', '2026-01-01T12:00:00z'],
    ['2026-01-01T12:00:00+24:00', '2026-01-01T12:00:00+23:60', '2026-01-01T12:00:00+2359', '2026-01-01T12:00:00+23'],
  ],
]

describe('the text of a date', () => {
  test.each(edges)('is taken up to the ends of its %s, and refused past them', (_, taken, refused) => {
    for (const text of taken) expect([text, parseCivil(text) !== undefined]).toEqual([text, true])
    for (const text of refused) expect([text, parseCivil(text)]).toEqual([text, undefined])
  })

  test('gives each field as it is written', () => {
    expect(parseCivil('0987-06-05')).toEqual({ year: 987, month: 6, day: 5 })
    const time = { ...{ year: 2026, month: 11, day: 20 }, hour: 9, minute: 8, second: 7 }
    expect(parseCivil('2026-11-20T09:08:07.060+05:30')).toEqual({ ...time, fraction: '060', offsetMinutes: 330 })
    expect(parseCivil('2026-11-20T09:08:07-05:30')).toEqual({ ...time, fraction: '', offsetMinutes: -330 })
    expect(parseCivil('2026-11-20t09:08:07z')).toEqual({ ...time, fraction: '', offsetMinutes: 0 })
    expect(parseCivil('2026-11-20T09:08')).toEqual({ ...time, second: 0, fraction: '' })
    expect([hasTime(date('2026-11-20')), hasTime(parseDateTime('2026-11-20T09:08')!)]).toEqual([false, true])
    expect([parseDate('2026-11-20T09:08'), parseDateTime('2026-11-20')]).toEqual([undefined, undefined])
  })

  test.each([
    '0000-01-01',
    '9999-12-31',
    '2026-01-02T03:04:05',
    '2026-01-02T03:04:05.600Z',
    '2026-01-02T03:04:05+00:30',
    '2026-01-02T03:04:05-00:30',
    '2026-01-02T03:04:05+10:05',
    '2026-01-02T03:04:05-23:59',
  ])('comes back from what was read of it: %s', (text) => {
    expect(formatCivil(parseCivil(text)!)).toBe(text)
  })

  test('comes back with its seconds, and with Z for an offset of nothing', () => {
    expect(formatCivil(parseCivil('2026-01-02T03:04')!)).toBe('2026-01-02T03:04:00')
    expect(formatCivil(parseCivil('2026-01-02T03:04:05-00:00')!)).toBe('2026-01-02T03:04:05Z')
  })
})

describe('a year', () => {
  test('leaps every fourth time, except for the hundreds that four hundred does not divide', () => {
    const leaps = [1600, 1900, 1996, 2000, 2023, 2024, 2026, 2100, 2400].filter(isLeapYear)
    expect(leaps).toEqual([1600, 1996, 2000, 2024, 2400])
  })

  test('has months of as many days as the calendar says', () => {
    const lengths = Array.from({ length: 12 }, (_, index) => daysInMonth(2026, index + 1))
    expect(lengths).toEqual([31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31])
    expect([daysInMonth(2024, 2), daysInMonth(1900, 2)]).toEqual([29, 28])
  })
})

describe('seconds since 1970', () => {
  test('agree with the machine’s own calendar at any time and offset', () => {
    const random = seeded(5)
    for (let round = 0; round < 2_000; round++) {
      const epochMs = (random(2 ** 31) - 2 ** 30) * 1_000 * (1 + random(20))
      const minutes = random(2 * 1_439) - 1_439
      const text = new Date(epochMs + minutes * 60_000).toISOString().slice(0, 19)
      const hours = String(Math.floor(Math.abs(minutes) / 60)).padStart(2, '0')
      const offset = `${minutes < 0 ? '-' : '+'}${hours}:${String(Math.abs(minutes) % 60).padStart(2, '0')}`
      expect([text, offset, toEpochSeconds(parseCivil(text + offset)!)]).toEqual([text, offset, epochMs / 1_000])
      expect(toEpochSeconds(parseCivil(text)!)).toBe(epochMs / 1_000 + minutes * 60)
      expect(toEpochSeconds(parseCivil(text.slice(0, 10))!)).toBe(Date.parse(text.slice(0, 10)) / 1_000)
    }
  })

  test('put instants into their order, fractions and plain dates included', () => {
    const inOrder = [
      '2026-01-01T00:30:00+01:00',
      '2026-01-01',
      '2026-01-01T00:00:00.000000001Z',
      '2026-01-01T00:00:00.05Z',
      '2026-01-01T00:00:00.5Z',
      '2025-12-31T23:00:01-01:00',
    ].map((text) => parseCivil(text)!)
    for (const [place, value] of inOrder.entries()) {
      const compared = inOrder.map((other) => Math.sign(compareCivil(value, other)))
      expect(compared).toEqual(inOrder.map((_, other) => Math.sign(place - other)))
    }
    expect(compareCivil(parseCivil('2026-01-01')!, parseCivil('2026-01-01T00:00:00.0Z')!)).toBe(0)
  })
})

describe('a date that is moved', () => {
  test.each([
    ['2026-01-31', [0, 1, 0], '2026-02-28'],
    ['2024-02-29', [1, 0, 0], '2025-02-28'],
    ['2024-02-29', [4, 0, 0], '2028-02-29'],
    ['2026-01-31', [0, 1, 1], '2026-03-01'],
    ['2026-12-31', [0, 0, 1], '2027-01-01'],
    ['2026-01-01', [0, 0, -1], '2025-12-31'],
    ['2026-03-31', [0, -1, 0], '2026-02-28'],
    ['2026-05-15', [-1, -5, -15], '2024-11-30'],
    ['2026-05-15', [0, 20, 0], '2028-01-15'],
    ['9999-12-30', [0, 0, 1], '9999-12-31'],
    ['0000-01-02', [0, 0, -1], '0000-01-01'],
    ['0001-01-01', [-1, 0, 0], '0000-01-01'],
  ] as const)('from %s by %j gives %s', (from, [years, months, days], to) => {
    expect(addToDate(date(from), years, months, days)).toEqual(date(to))
  })

  test.each([
    ['9999-12-31', [0, 0, 1]],
    ['0000-01-01', [0, 0, -1]],
    ['9999-12-31', [0, 1, 0]],
    ['0000-01-31', [0, -1, 0]],
    ['9999-01-01', [1, 0, 0]],
    ['2026-01-01', [Number.NaN, 0, 0]],
  ] as const)('from %s by %j leaves the years that its text can hold', (from, [years, months, days]) => {
    expect(addToDate(date(from), years, months, days)).toBeUndefined()
  })

  test('keeps its time and offset', () => {
    const moved = addToDate(parseDateTime('2026-01-31T23:59:58.7+05:30')!, 0, 1, 1)!
    expect(formatCivil(moved)).toBe('2026-03-01T23:59:58.7+05:30')
  })
})

describe('whole months between two dates', () => {
  test.each([
    ['2026-01-15', '2026-01-15', 0],
    ['2026-01-15', '2026-02-14', 0],
    ['2026-01-15', '2026-02-15', 1],
    ['2026-01-31', '2026-02-28', 1],
    ['2026-01-31', '2026-02-27', 0],
    ['2026-12-15', '2027-01-15', 1],
    ['2024-02-29', '2025-02-28', 12],
    ['2020-03-01', '2026-02-28', 71],
  ])('are counted from %s to %s: %i, and as many back', (from, to, months) => {
    expect(monthsBetween(date(from), date(to))).toBe(months)
    expect(monthsBetween(date(to), date(from))).toBe(months === 0 ? 0 : -months)
  })
})

test('the first day of 1970 is day 0, and each day is one more than the day before', () => {
  expect(toDayNumber(date('1970-01-01'))).toBe(0)
  expect(toDayNumber(date('1970-03-01'))).toBe(59)
  expect(toDayNumber(date('1969-12-31'))).toBe(-1)
  expect(toDayNumber(date('0000-03-01'))).toBe(-719_468)
  expect(toDayNumber(date('0000-01-01'))).toBe(-719_528)
  expect(toDayNumber(date('9999-12-31'))).toBe(Date.UTC(9999, 11, 31) / 86_400_000)
})
