import { describe, expect, test } from 'bun:test'
import { codesOf, compile, evaluate, faultOf, findingsOf, outputOf, sourceOf } from './compile.ts'

describe('$dateDiff counts whole units, toward zero in both directions', () => {
  /** From, to, unit, how many; the other way round it is as many below zero. */
  const differences: [from: string, to: string, unit: string, count: number][] = [
    ['2025-03-01', '2025-03-02', 'days', 1],
    ['2024-02-28', '2024-03-01', 'days', 2],
    ['2023-12-31', '2024-12-31', 'days', 366],
    ['2025-03-01', '2025-03-07', 'weeks', 0],
    ['2025-03-01', '2025-03-08', 'weeks', 1],
    ['2025-03-01', '2025-03-14', 'weeks', 1],
    ['2025-03-01', '2025-03-15', 'weeks', 2],
    ['2025-01-31', '2025-02-27', 'months', 0],
    ['2025-01-31', '2025-02-28', 'months', 1],
    ['2025-01-31', '2025-03-30', 'months', 1],
    ['2025-01-31', '2025-03-31', 'months', 2],
    ['2023-11-15', '2025-01-14', 'months', 13],
    ['2024-03-01', '2025-02-28', 'years', 0],
    ['2024-03-01', '2025-03-01', 'years', 1],
    ['2000-02-29', '2025-02-28', 'years', 25],
    ['2025-03-01T10:00:00Z', '2025-03-01T11:59:59Z', 'hours', 1],
    ['2025-03-01T10:00:00Z', '2025-03-01T12:00:00Z', 'hours', 2],
    ['2025-03-30T00:00:00+01:00', '2025-03-30T12:00:00+02:00', 'hours', 11],
    ['2025-03-01T10:00:00Z', '2025-03-01T10:00:59Z', 'minutes', 0],
    ['2025-03-01T10:00:00Z', '2025-03-01T10:01:59Z', 'minutes', 1],
    ['2025-03-01T23:59:58Z', '2025-03-02T00:00:01Z', 'seconds', 3],
    ['2025-03-01T23:59:58Z', '2025-03-02T00:00:01Z', 'days', 1],
  ]
  for (const [from, to, unit, count] of differences) {
    test(`${count} ${unit} from ${from} to ${to}`, () => {
      const transformer = compile(sourceOf(`[{ $dateDiff: [/a, /b], unit: ${unit} }]`))
      expect(evaluate(transformer, { a: from, b: to }).output).toEqual([count])
      // No difference is plain zero in both directions, never -0.
      expect(evaluate(transformer, { a: to, b: from }).output).toEqual([0 - count])
    })
  }

  test('refuses one date, a third one, and a unit that it does not know', () => {
    expect(codesOf(sourceOf('{ $dateDiff: [/a], unit: days }'))).toEqual(['argument'])
    expect(codesOf(sourceOf('{ $dateDiff: /a, unit: days }'))).toEqual(['argument'])
    expect(findingsOf(sourceOf('{ $dateDiff: [/a, /b, /c], unit: days }'))).toMatchObject([
      { code: 'argument', message: '$dateDiff wants exactly two dates.' },
    ])
    expect(findingsOf(sourceOf('{ $dateDiff: [/a, /b], unit: week }'))).toMatchObject([
      { code: 'argument', hint: 'Did you mean weeks?' },
    ])
  })

  test('refuses hours, minutes and seconds of what is known to be a date without time', () => {
    const properties = { d: { type: 'string', format: 'date' }, t: { type: 'string', format: 'date-time' } }
    const contract = { type: 'object', required: ['d', 't'], properties }
    for (const unit of ['hours', 'minutes', 'seconds']) {
      expect(findingsOf(sourceOf(`{ $dateDiff: [/t, /d], unit: ${unit} }`), { contract })).toMatchObject([
        { code: 'type', path: '/output/$dateDiff/1', message: `/d is a date without time; "${unit}" needs one.` },
      ])
    }
    for (const unit of ['days', 'weeks', 'months', 'years'])
      expect(codesOf(sourceOf(`{ $dateDiff: [/t, /d], unit: ${unit} }`), { contract })).toEqual([])
  })
})

describe('$dateAdd adds years and months first and days after them', () => {
  const sums: [date: string, added: string, result: string][] = [
    ['2025-01-31', 'months: 1', '2025-02-28'],
    ['2024-01-31', 'months: 1', '2024-02-29'],
    ['2024-02-29', 'years: 1', '2025-02-28'],
    ['2024-02-29', 'years: 4', '2028-02-29'],
    ['2025-01-31', 'months: 1, days: 1', '2025-03-01'],
    ['2025-12-31', 'days: 1', '2026-01-01'],
    ['2025-01-01', 'days: -1', '2024-12-31'],
    ['2025-01-15', 'months: -1', '2024-12-15'],
    ['2025-01-15', 'years: 1, months: -13', '2024-12-15'],
    ['2025-12-15', 'months: 13', '2027-01-15'],
    ['2025-06-30T23:59:59.250+02:00', 'days: 1', '2025-07-01T23:59:59.250+02:00'],
    ['9999-12-30', 'days: 1', '9999-12-31'],
    ['0000-01-02', 'days: -1', '0000-01-01'],
  ]
  for (const [date, added, result] of sums) {
    test(`${date} and ${added} is ${result}`, () => {
      expect(outputOf(`{ $dateAdd: /d, ${added} }`, { d: date })).toBe(result)
    })
  }

  test('ends with a fault where the date leaves the years 0000 to 9999', () => {
    for (const [date, added] of [
      ['9999-12-31', 'days: 1'],
      ['9999-01-01', 'months: 12'],
      ['0000-01-01', 'days: -1'],
      ['0000-01-01', 'months: -1'],
    ] as const) {
      const fault = faultOf(compile(sourceOf(`{ $dateAdd: /d, ${added} }`)), { d: date })
      expect(fault).toMatchObject({ code: 'fuel', hint: 'Add less.' })
    }
  })

  test('finds no first or last day outside of these years', () => {
    const found = (date: string, day: string) => compile(sourceOf(`{ $dateOf: ${date}, ${day} }`))
    for (const [date, day] of [
      ['0000-01-01', 'first: week'],
      ['9999-12-27', 'last: week'],
    ] as const) {
      expect(faultOf(found(date, day), {})).toMatchObject({ code: 'fuel', path: '/output' })
    }
    for (const [date, day, result] of [
      ['0000-01-09', 'first: week', '0000-01-03'],
      ['9999-12-26', 'last: week', '9999-12-26'],
      ['0000-12-31', 'first: year', '0000-01-01'],
      ['9999-01-01', 'last: year', '9999-12-31'],
    ] as const) {
      expect(evaluate(found(date, day), {}).output).toBe(result)
    }
  })

  test('refuses to add nothing, and wants whole numbers', () => {
    expect(codesOf(sourceOf('{ $dateAdd: /d }'))).toEqual(['argument'])
    expect(codesOf(sourceOf('{ $dateAdd: 2025-01-01, days: 1.5 }'))).toEqual(['type'])
    expect(faultOf(compile(sourceOf('{ $dateAdd: 2025-01-01, days: /n }')), { n: 1.5 }).code).toBe('type')
  })

  test('gives a date for a date and a date with time for a date with time', () => {
    const properties = {
      d: { type: 'string', format: 'date' },
      t: { type: 'string', format: 'date-time' },
      n: { type: ['string', 'null'], format: 'date' },
    }
    const contract = { type: 'object', required: ['d', 't', 'n'], properties }
    const typeOf = (value: string) => compile(sourceOf(value), { contract }).writes[0]?.type
    expect(typeOf('{ $dateAdd: /d, days: 1 }')).toBe('date')
    expect(typeOf('{ $dateAdd: /t, days: 1 }')).toBe('datetime')
    expect(typeOf('{ $dateAdd: { $default: [/n, /t] }, days: 1 }')).toBe('date|datetime')
    expect(typeOf('{ $dateAdd: 2025-01-01, days: 1 }')).toBe('unknown')
  })
})
