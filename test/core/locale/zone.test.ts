import { describe, expect, test } from 'bun:test'
import { parseDateTime, toEpochSeconds } from '../../../src/core/locale/calendar.ts'
import { inZone, readZone, type Zone } from '../../../src/core/locale/zone.ts'

const rows = {
  '2026-10-25T01:00:00Z': '+01:00',
  '2026-03-29T01:00:00Z': '+02:00',
  '2025-10-26T01:00:00Z': '+01:00',
  until: '2027-03-28T01:00:00Z',
}
const zoneOf = (given: Record<string, unknown>): Zone => {
  const read = readZone(Object.entries(given))
  if (!read.ok) throw new Error(read.problem)
  return read.zone
}
const at = (text: string) => toEpochSeconds(parseDateTime(text) as never)

describe('a zone', () => {
  test.each([
    ['2025-10-26T00:59:59Z', undefined],
    ['2025-10-26T01:00:00Z', 60],
    ['2026-03-29T00:59:59Z', 60],
    ['2026-03-29T01:00:00Z', 120],
    ['2026-10-25T00:59:59Z', 120],
    ['2026-10-25T01:00:00Z', 60],
    ['2027-03-28T00:59:59Z', 60],
    ['2027-03-28T01:00:00Z', undefined],
  ] as const)('has at %s the offset that began last, in whatever order its rows are', (instant, offset) => {
    expect(zoneOf(rows).offsetAt(at(instant))).toBe(offset as never)
  })

  test('shows an instant as its clocks do, whatever offset it is written with', () => {
    const shown = (text: string) => inZone(parseDateTime(text) as never, zoneOf(rows))
    expect(shown('2026-07-01T23:30:00Z')).toMatchObject({ month: 7, day: 2, hour: 1, minute: 30, offsetMinutes: 120 })
    expect(shown('2026-07-01T12:00:00-05:00')).toMatchObject({ day: 1, hour: 19, offsetMinutes: 120 })
    expect(shown('2026-12-01T12:00:00Z')).toMatchObject({ hour: 13, offsetMinutes: 60 })
    expect(shown('2028-01-01T00:00:00Z')).toBeUndefined()
  })

  test.each([
    [{}, 'has no offset'],
    [{ until: '2027-03-28T01:00:00Z' }, 'has no offset'],
    [{ '2026-03-29T01:00:00Z': '+02:00' }, 'has no row "until", which says where it ends'],
    [{ ...rows, until: 'never' }, 'has "never", which is no instant such as 2026-03-29T01:00:00Z'],
    [{ ...rows, until: 3 }, 'has "3", which is no instant such as 2026-03-29T01:00:00Z'],
    [
      { ...rows, '2026-03-29T01:00:00': '+02:00' },
      'has "2026-03-29T01:00:00", which is no instant such as 2026-03-29T01:00:00Z',
    ],
    [{ ...rows, '2026-04-01T00:00:00Z': '2' }, 'has no offset such as "+02:00" at 2026-04-01T00:00:00Z'],
    [{ ...rows, '2026-04-01T00:00:00Z': 2 }, 'has no offset such as "+02:00" at 2026-04-01T00:00:00Z'],
    [
      { ...rows, ['x'.repeat(80)]: '+02:00' },
      `has "${'x'.repeat(60)}", which is no instant such as 2026-03-29T01:00:00Z`,
    ],
  ])('is refused by the row that is wrong: %j', (given, problem) => {
    expect(readZone(Object.entries(given))).toEqual({ ok: false, problem })
  })
})
