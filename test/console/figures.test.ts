import { describe, expect, test } from 'bun:test'
import {
  formatBytes,
  formatDuration,
  formatInstant,
  formatNumber,
  formatRelative,
  instantMs,
} from '../../src/console/format.ts'
import { countText, durationText } from '../../src/console/views/operations/texts.ts'

describe('a figure of the operations', () => {
  test('has a sign behind it where there are more than were counted', () => {
    expect([countText({ count: 12_345, is_exact: true }), countText({ count: 10_000, is_exact: false })]).toEqual([
      ...['12,345', '10,000+'],
    ])
  })

  test('of seconds is in the unit that suits what is shown, never 60 min beside an hour', () => {
    for (const [seconds, shown] of [
      [0, 'less than 1 s'],
      [0.99, 'less than 1 s'],
      [1, '1 s'],
      [59.4, '59 s'],
      [59.5, '1 min 0 s'],
      [425, '7 min 5 s'],
      [3_599.4, '59 min 59 s'],
      [3_599.6, '1 h 0 min'],
      [7_169, '1 h 59 min'],
      [7_190, '2 h 0 min'],
      [12_000, '3 h 20 min'],
      [172_769, '47 h 59 min'],
      [172_770, '2 days'],
      [172_800, '2 days'],
      [259_199, '3 days'],
      [258_000, '2 days'],
    ] as const)
      expect([seconds, durationText(seconds)]).toEqual([seconds, shown])
  })
})

describe('a figure for people', () => {
  test('has its thousands apart, and as many digits behind the point as are wanted', () => {
    expect([formatNumber(12_345), formatNumber(12_345.6, 2), formatNumber(-1.005, 1)]).toEqual([
      '12,345',
      '12,345.60',
      '-1.0',
    ])
  })

  test('of a duration is in the unit that suits what is shown, never 60 s or 1000 ms of the smaller one', () => {
    for (const [ms, shown] of [
      [0, '0 ms'],
      [6.5, '7 ms'],
      [999.4, '999 ms'],
      [999.6, '1.00 s'],
      [1_000, '1.00 s'],
      [1_239, '1.24 s'],
      [9_994, '9.99 s'],
      [9_996, '10.0 s'],
      [59_940, '59.9 s'],
      [59_960, '1 min 0 s'],
      [60_000, '1 min 0 s'],
      [119_499, '1 min 59 s'],
      [119_700, '2 min 0 s'],
      [125_000, '2 min 5 s'],
      [7_205_000, '120 min 5 s'],
    ] as const)
      expect([ms, formatDuration(ms)]).toEqual([ms, shown])
  })

  test('of bytes is in thousands, never 1000 of the smaller unit', () => {
    for (const [bytes, shown] of [
      [0, '0 B'],
      [999, '999 B'],
      [1_000, '1.0 KB'],
      [14_249, '14.2 KB'],
      [999_949, '999.9 KB'],
      [999_950, '1.0 MB'],
      [1_000_000, '1.0 MB'],
      [999_949_999, '999.9 MB'],
      [999_950_000, '1.0 GB'],
      [1_000_000_000, '1.0 GB'],
      [57_800_000_000, '57.8 GB'],
    ] as const)
      expect([bytes, formatBytes(bytes)]).toEqual([bytes, shown])
  })

  test('of a moment seen from another is in the largest unit of which it is one, before and after', () => {
    const now = new Date('2027-01-01T00:00:00Z')
    const [second, minute, hour, day] = [1000, 60_000, 3_600_000, 86_400_000]
    for (const [ms, before, after] of [
      [0, 'just now', 'just now'],
      [999, 'just now', 'just now'],
      [second, '1 second ago', 'in 1 second'],
      [59.4 * second, '59 seconds ago', 'in 59 seconds'],
      [59.5 * second, '1 minute ago', 'in 1 minute'],
      [minute, '1 minute ago', 'in 1 minute'],
      [59.4 * minute, '59 minutes ago', 'in 59 minutes'],
      [59.5 * minute, '1 hour ago', 'in 1 hour'],
      [23.4 * hour, '23 hours ago', 'in 23 hours'],
      [23.6 * hour, 'yesterday', 'tomorrow'],
      [2 * day, '2 days ago', 'in 2 days'],
      [29.8 * day, '30 days ago', 'in 30 days'],
      [30.2 * day, 'last month', 'next month'],
      [351 * day, 'last year', 'next year'],
      [345 * day, '11 months ago', 'in 11 months'],
      [800 * day, '2 years ago', 'in 2 years'],
    ] as const) {
      expect([ms, formatRelative(new Date(now.getTime() - ms), now)]).toEqual([ms, before])
      expect([ms, formatRelative(new Date(now.getTime() + ms), now)]).toEqual([ms, after])
    }
  })

  test('of an instant has the day, the time to the minute and the zone', () => {
    const at = '2026-11-23T03:58:31.5Z'
    expect(instantMs(at)).toBe(Date.UTC(2026, 10, 23, 3, 58, 31, 500))
    expect(formatInstant(new Date(at))).toBe(formatInstant(instantMs(at)))
    expect(formatInstant(new Date(at))).toMatch(/^\d+ Nov 2026, \d\d:\d\d \S+$/)
  })
})
