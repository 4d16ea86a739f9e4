import { describe, expect, test } from 'bun:test'
import { addMs, epochMsOf, formatInstant, instantFromEpochMs, instantOf, parseInstant } from '../../src/core/instant.ts'

describe('an instant', () => {
  test.each([
    ['2026-11-20T09:30:00Z', '2026-11-20T09:30:00.000000000Z', '2026-11-20T09:30:00Z'],
    ['2026-11-20t09:30:00.5z', '2026-11-20T09:30:00.500000000Z', '2026-11-20T09:30:00.5Z'],
    ['2026-11-20T09:30:00.123456789Z', '2026-11-20T09:30:00.123456789Z', '2026-11-20T09:30:00.123456789Z'],
    ['2026-11-20T00:30:00+01:00', '2026-11-19T23:30:00.000000000Z', '2026-11-19T23:30:00Z'],
    ['2026-12-31T23:59:59.999999999-00:30', '2027-01-01T00:29:59.999999999Z', '2027-01-01T00:29:59.999999999Z'],
    ['2028-02-29T00:00:00.100Z', '2028-02-29T00:00:00.100000000Z', '2028-02-29T00:00:00.1Z'],
    ['0099-01-01T00:00:00Z', '0099-01-01T00:00:00.000000000Z', '0099-01-01T00:00:00Z'],
  ])('reads %s in UTC with nine digits, and writes it without trailing zeros', (text, stored, written) => {
    expect(parseInstant(text) as string).toBe(stored)
    expect(formatInstant(parseInstant(text)!)).toBe(written)
  })

  test.each([
    '2026-11-20',
    '2026-11-20T09:30Z',
    '2026-11-20T09:30:00',
    '2026-11-20 09:30:00Z',
    '2026-11-20T09:30:00.1234567890Z',
    '2026-11-20T09:30:00.Z',
    '2026-02-29T00:00:00Z',
    '2026-13-01T00:00:00Z',
    '2026-11-20T24:00:00Z',
    '2026-11-20T23:59:60Z',
    '2026-11-20T09:30:00+24:00',
    '0001-01-01T00:00:00+00:01',
    '9999-12-31T23:59:59-00:01',
    '',
  ])('refuses %p', (text) => {
    expect(parseInstant(text)).toBeUndefined()
  })

  test('is taken up to the ends of each field, and refused past them', () => {
    const taken = ['01-01T00:00:00Z', '12-31T23:59:59Z', '06-30T12:00:00+23:59', '06-30T12:00:00-23:59']
    const refused = [
      ...['00-01T00:00:00Z', '13-01T00:00:00Z', '01-00T00:00:00Z', '06-31T00:00:00Z', '02-30T00:00:00Z'],
      ...['01-01T24:00:00Z', '01-01T00:60:00Z', '01-01T00:00:60Z', '01-01T00:00:00+24:00', '01-01T00:00:00+00:60'],
    ]
    for (const text of taken) expect([text, parseInstant(`2026-${text}`) !== undefined]).toEqual([text, true])
    for (const text of refused) expect([text, parseInstant(`2026-${text}`)]).toEqual([text, undefined])
  })

  test('is in the years 1 to 9999 in UTC, wherever its text was written', () => {
    const edges = [
      '0001-01-01T00:00:00Z',
      '0001-01-01T00:01:00+00:01',
      '9999-12-31T23:59:59Z',
      '9999-12-31T23:58:59-00:01',
    ]
    for (const text of edges) expect([text, parseInstant(text) !== undefined]).toEqual([text, true])
    for (const text of ['0000-12-31T23:59:59Z', '9999-12-31T23:59:00-00:01', '0001-01-01T00:00:59+00:01'])
      expect([text, parseInstant(text)]).toEqual([text, undefined])
    expect(String(parseInstant('0100-03-01T00:00:00Z'))).toBe('0100-03-01T00:00:00.000000000Z')
    expect(String(parseInstant('0004-02-29T00:00:00Z'))).toBe('0004-02-29T00:00:00.000000000Z')
  })

  test('is the one that the machine’s own calendar finds, at any offset', () => {
    for (let round = 0; round < 500; round++) {
      const epochMs = Date.UTC(1900, 0, 1) + round * 13_579_864_217
      const minutes = ((round * 37) % 2_879) - 1_439
      const local = new Date(epochMs + minutes * 60_000).toISOString().slice(0, -1)
      const size = Math.abs(minutes)
      const offset = `${minutes < 0 ? '-' : '+'}${String(Math.floor(size / 60)).padStart(2, '0')}:${String(size % 60).padStart(2, '0')}`
      expect([local, offset, epochMsOf(parseInstant(local + offset)!)]).toEqual([local, offset, epochMs])
    }
  })

  test('sorts as text in the order of time, to the nanosecond', () => {
    const texts = [
      '2026-01-01T00:00:00Z',
      '2026-01-01T00:00:00.000000001Z',
      '2026-01-01T00:00:01Z',
      '2025-12-31T23:59:59.9Z',
    ]
    const sorted = texts.map((text) => parseInstant(text)!).sort()
    expect(sorted.map(formatInstant)).toEqual([texts[3]!, texts[0]!, texts[1]!, texts[2]!])
  })

  test('moves by milliseconds and keeps its nanoseconds', () => {
    const start = parseInstant('2026-12-31T23:59:59.999000007Z')!
    expect(formatInstant(addMs(start, 1))).toBe('2027-01-01T00:00:00.000000007Z')
    expect(formatInstant(addMs(start, -86_400_000))).toBe('2026-12-30T23:59:59.999000007Z')
  })

  test('moves by whole milliseconds only, and never in its nanoseconds', () => {
    const start = parseInstant('2026-01-01T00:00:00.001000009Z')!
    const moved = [1.9, -1.9, 0.5, -0.5, 0].map((milliseconds) => String(addMs(start, milliseconds)).slice(20, 29))
    expect(moved).toEqual(['002000009', '000000009', '001000009', '001000009', '001000009'])
  })

  test('has nine digits of a fraction, however few of them milliseconds give', () => {
    expect(String(instantFromEpochMs(0))).toBe('1970-01-01T00:00:00.000000000Z')
    expect(String(instantFromEpochMs(1.000001))).toBe('1970-01-01T00:00:00.001000000Z')
    expect(String(instantFromEpochMs(1.5))).toBe('1970-01-01T00:00:00.001500000Z')
    expect(String(instantFromEpochMs(-0.5))).toBe('1969-12-31T23:59:59.999500000Z')
  })

  test('comes from a clock with microseconds and goes back to milliseconds', () => {
    const instant = instantFromEpochMs(1_795_426_200_000.25)
    expect(formatInstant(instant)).toBe('2026-11-23T09:30:00.00025Z')
    expect(epochMsOf(instant)).toBe(1_795_426_200_000)
  })
})

test('reads a text that was checked before, and throws for one that isn’t an instant', () => {
  expect(instantOf('2026-11-20T10:30:00+01:00')).toBe(parseInstant('2026-11-20T09:30:00Z')!)
  expect(() => instantOf('2026-11-20')).toThrow(new RangeError('2026-11-20 is no instant'))
})
