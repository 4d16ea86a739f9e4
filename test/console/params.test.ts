import { describe, expect, test } from 'bun:test'
import { paramValue, readParams } from '../../src/console/params.ts'

describe('a parameter that is typed', () => {
  test('is nothing while nothing is typed, and any text where a text is wanted', () => {
    for (const type of ['string', 'boolean', 'decimal', 'date', 'datetime'] as const)
      expect(paramValue(type, undefined)).toBeUndefined()
    for (const text of ['', ' a ', 'true', '7']) expect(paramValue('string', text)).toBe(text)
  })

  test('is true or false by the word alone, with blanks around it', () => {
    expect([paramValue('boolean', ' true'), paramValue('boolean', 'false ')]).toEqual([true, false])
    for (const text of ['', 'True', '1', 'yes', 'truefalse']) expect(paramValue('boolean', text)).toBeUndefined()
  })

  test('is a number of up to 15 digits, which none is lost of', () => {
    for (const [text, value] of [
      ['0', 0],
      ['-2.50', -2.5],
      [' 12 ', 12],
      ['123456789012345', 123_456_789_012_345],
      ['-12345678.9012345', -12_345_678.901_234_5],
    ] as const)
      expect(paramValue('decimal', text)).toBe(value)
    for (const text of ['', '.5', '1.', '1e3', '+1', '1,5', '0x1', '1234567890123456', '1.2.3', '--1'])
      expect([text, paramValue('decimal', text)]).toEqual([text, undefined])
  })

  test('is a day that there is', () => {
    expect(paramValue('date', ' 2028-02-29 ')).toBe('2028-02-29')
    for (const text of ['', '2027-02-29', '2027-13-01', '1.2.2027', 'today'])
      expect(paramValue('date', text)).toBeUndefined()
  })

  test('is an instant by the clock of whoever types it, to the millisecond where it has one', () => {
    expect(paramValue('datetime', '2027-01-01T09:30')).toBe(
      new Date('2027-01-01T09:30').toISOString().replace('.000Z', 'Z'),
    )
    expect(paramValue('datetime', '2027-01-01T09:30:00Z')).toBe('2027-01-01T09:30:00Z')
    expect(paramValue('datetime', '2027-01-01T09:30:00.25+01:00')).toBe('2027-01-01T08:30:00.250Z')
    for (const text of ['', 'now', '2027-13-01T00:00']) expect(paramValue('datetime', text)).toBeUndefined()
  })
})

test('of the parameters that are declared, those without a value of their type are named, and no others are handed in', () => {
  const declared = { a: 'string', n: 'decimal', b: 'boolean', toString: 'string' } as const
  expect(readParams(declared, { a: '', n: 'x', more: '1' })).toEqual({
    values: { a: '' },
    missing: ['n', 'b', 'toString'],
  })
  expect(readParams(declared, { a: 'x', n: '1', b: 'false', toString: 'y' })).toEqual({
    values: { a: 'x', n: 1, b: false, toString: 'y' },
    missing: [],
  })
  expect(readParams({}, { a: '1' })).toEqual({ values: {}, missing: [] })
})
