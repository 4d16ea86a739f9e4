/** What texts hold, and texts written otherwise; plural forms, powers and parts of dates. */
import { describe, expect, test } from 'bun:test'
import type { JsonValue } from '../../../src/core/json.ts'
import { limits } from '../../../src/core/limits.ts'
import { codesOf, compile, faultOf, findingsOf, outputOf, sourceOf } from './compile.ts'

const contract: JsonValue = {
  type: 'object',
  required: ['d', 'at', 'n', 't', 'tag', 'code', 'days'],
  properties: {
    d: { type: 'string', format: 'date' },
    at: { type: 'string', format: 'date-time' },
    n: { type: 'number' },
    t: { type: 'string' },
    tag: { enum: ['de', 'pl'] },
    code: { enum: ['EUR', 'CHF'] },
    days: { type: 'array', items: { type: 'string', format: 'date' } },
  },
}
const messagesOf = (value: string) =>
  findingsOf(sourceOf(value), { contract }).map(({ code, message }) => `${code}: ${message}`)

describe('a text', () => {
  test.each<[string, JsonValue]>([
    ['{ $trim: "  a  b " }', 'a  b'],
    ['{ $trim: "  a  b ", side: start }', 'a  b '],
    ['{ $trim: "  a  b ", side: end }', '  a  b'],
    ['{ $trim: "\\u00a0a\\u2003\\n b ", inside: true }', 'a b'],
    ['{ $length: "a😀" }', 2],
    ['{ $length: 12.50 }', 4],
    ['{ $length: "" }', 0],
    ['{ $contains: abc, find: b }', true],
    ['{ $contains: abc, find: B }', false],
    ['{ $contains: abc, find: B, anyCase: true }', true],
    ['{ $contains: abc, find: "" }', true],
    ['{ $startsWith: abc, find: ab }', true],
    ['{ $startsWith: abc, find: bc }', false],
    ['{ $endsWith: abc, find: bc }', true],
    ['{ $endsWith: abc, find: ab, anyCase: false }', false],
    ['{ $matches: AB-12, pattern: "^[A-Z]{2}-\\\\d+$" }', true],
    ['{ $matches: xAB-12, pattern: "^[A-Z]{2}" }', false],
    ['{ $matches: xAB-12, pattern: "B-" }', true],
    ['{ $normalize: "e\\u0301" }', 'é'],
    ['{ $normalize: "é", to: NFD }', 'e\u0301'],
    ['{ $normalize: "ﬁ", to: NFKC }', 'fi'],
    ['{ $normalize: "Łódź, Ñandú", to: plain }', 'Łodz, Nandu'],
    ['{ $blocks: "DE89 3704 0044", sizes: [4] }', 'DE89 3704 0044'],
    ['{ $blocks: 1234567, sizes: [3], side: end }', '1 234 567'],
    ['{ $blocks: abcdefgh, sizes: [1, 3], with: "-" }', 'a-bcd-efg-h'],
    ['{ $blocks: "", sizes: [4] }', ''],
    ['{ $blocks: abc, sizes: [1, 1000] }', 'a bc'],
    ['{ $replace: a-b-c, find: "-", with: "" }', 'abc'],
    ['{ $replace: "a1b22", pattern: "[0-9]+", with: "<{0}>" }', 'a<1>b<22>'],
    ['{ $replace: "2026-03-01", pattern: "(\\\\d+)-(\\\\d+)-(\\\\d+)", with: "{3}.{2}.{1}" }', '01.03.2026'],
    ['{ $replace: "ab", pattern: "(x)?b", with: "{1}{{}}" }', 'a{}'],
    ['{ $replace: "aaa", pattern: "(?:a)(?<last>a)", with: "[{1}]" }', '[a]a'],
    ['{ $replace: "abc", pattern: "", with: "-" }', '-a-b-c-'],
    ['{ $case: "istanbul ILI", to: title, locale: tr }', 'İstanbul Ilı'],
    ['{ $case: "ijsselmeer", to: title, locale: nl }', 'IJsselmeer'],
    ['{ $case: "Ωμέγα ϊ", to: upper, locale: el }', 'ΩΜΕΓΑ Ϊ'],
    ['{ $case: "straße", to: upper, locale: de }', 'STRASSE'],
  ])('%s is %j', (value, result) => expect(outputOf(value, {})).toEqual(result))

  test('is matched only by patterns that take linear time, and only if it is short', () => {
    expect(messagesOf('{ $matches: /t, pattern: "(?=a)" }')[0]).toStartWith(
      'pattern: The pattern "(?=a)" cannot be used',
    )
    expect(messagesOf('{ $replace: /t, pattern: "(", with: x }')[0]).toStartWith('pattern: ')
    expect(messagesOf('{ $replace: /t, pattern: "(a)", with: "{2}" }')).toEqual([
      'slot: "{2}" is no group of the pattern, which has 1.',
    ])
    expect(messagesOf('{ $replace: /t, pattern: "a", with: "{" }')).toEqual([
      'slot: "{" is no group of the pattern, which has 0.',
    ])
    expect(messagesOf('{ $replace: /t, with: x }')).toEqual(['argument: $replace wants "find" or "pattern".'])
    for (const size of ['[1001]', '[1.5]', '[a]', '[]', '[3, 0]']) {
      expect(messagesOf(`{ $blocks: /t, sizes: ${size} }`)).toHaveLength(1)
    }
    expect(messagesOf('{ $blocks: /t, sizes: [0] }')).toEqual([
      'argument: "sizes" of $blocks wants whole numbers from 1 to 1000.',
    ])
    const most = limits.transformPatternChars
    for (const value of ['{ $matches: /t, pattern: "a$" }', '{ $length: { $replace: /t, pattern: "b", with: c } }']) {
      const transformer = compile(sourceOf(value))
      expect(outputOf(value, { t: 'a'.repeat(most) })).toBeDefined()
      expect(faultOf(transformer, { t: 'a'.repeat(most + 1) }).code).toBe('fuel')
    }
  })

  test('is not replaced in places without number: each reads the rest of it', () => {
    const transformer = compile(sourceOf('{ $length: { $replace: /t, pattern: "a(.*b)?", with: x } }'))
    const most = limits.transformPatternChars
    expect(outputOf('{ $length: { $replace: /t, pattern: "a(.*b)?", with: x } }', { t: 'a'.repeat(300) })).toBe(300)
    expect(faultOf(transformer, { t: 'a'.repeat(most) })).toMatchObject({
      code: 'fuel',
      message: 'The pattern has too many matches in so long a text.',
    })
  })
})

describe('$plural', () => {
  const days = (n: number, rest: string) => outputOf(`{ $plural: /n, ${rest} }`, { n })

  test('writes the text of the form that the number has, with the number in it', () => {
    const en = 'one: "{n} day", other: "{n} days"'
    expect([0, 1, 2, 1.5, 1234].map((n) => days(n, en))).toEqual([
      '0 days',
      '1 day',
      '2 days',
      '1.5 days',
      '1,234 days',
    ])
    const pl = 'locale: pl, one: "{n} dzień", few: "{n} dni", many: "{n} dni", other: "{n} dnia"'
    expect([1, 3, 5, 1.5].map((n) => days(n, pl))).toEqual(['1 dzień', '3 dni', '5 dni', '1,5 dnia'])
    expect(days(3, 'locale: ar-EG, zero: z, one: o, two: t, few: "{n}", many: m, other: x')).toBe('٣')
    expect(days(2, '0: none, one: one, other: "{n} or {n}"')).toBe('2 or 2')
    expect(days(0, '0: none, one: one, other: many')).toBe('none')
  })

  test('has values of any kind, and the forms of ordinals', () => {
    expect(days(2, 'one: { a: 1 }, other: { a: /n }')).toEqual({ a: 2 })
    const th = 'ordinal: true, one: "{n}st", two: "{n}nd", few: "{n}rd", other: "{n}th"'
    expect([1, 2, 3, 4, 11, 22].map((n) => days(n, th))).toEqual(['1st', '2nd', '3rd', '4th', '11th', '22nd'])
  })

  test('wants every form that the language tells apart', () => {
    expect(messagesOf('{ $plural: /n, one: a }')).toEqual(['not_exhaustive: $plural has no text for other of en.'])
    expect(messagesOf('{ $plural: /n, locale: pl, one: a, other: b }')).toEqual([
      'not_exhaustive: $plural has no text for few, many of pl.',
    ])
    expect(messagesOf('{ $plural: /n, locale: fr, one: a, other: b }')).toEqual([])
    expect(messagesOf('{ $plural: /n, locale: /tag, other: b }')).toEqual([])
    expect(messagesOf('{ $plural: /n, locale: /tag, one: b }')).toEqual([
      'not_exhaustive: $plural has no text for other.',
    ])
    expect(messagesOf('{ $plural: /n, one: a, few: b, other: c }')).toEqual([
      'never_true: The locale en has no form "few".',
    ])
    expect(messagesOf('{ $plural: /n, ones: a, one: b, other: c }')).toEqual(['argument: "ones" is no plural form.'])
  })
})

describe('a formula', () => {
  const calc = (formula: string, rest = '') => outputOf(`{ $calc: "${formula}", a: 7, b: -2.5${rest} }`, {})
  const round = ', scale: 4, round: half-up'

  test('has functions of exact numbers', () => {
    expect(calc('abs(b) + a * 0')).toBe(2.5)
    expect(calc('sign(b) + 0 * a')).toBe(-1)
    expect(calc('sign(a - 7) + 0 * b')).toBe(0)
    expect(calc('min(a, b, 3)')).toBe(-2.5)
    expect(calc('max(a, b) - min(a, b)')).toBe(9.5)
    expect(calc('mod(a, 4) + 0 * b')).toBe(3)
    expect(calc('mod(a, b)')).toBe(-0.5)
    expect(calc('mod(b, a)')).toBe(4.5)
    expect(calc('abs(b / a)', round)).toBe(0.3571)
    expect(calc('max(a / 3, b)', round)).toBe(2.3333)
    expect(calc('mod(a / 2, 1) + 0 * b', round)).toBe(0.5)
  })

  test('has powers by whole numbers', () => {
    expect(calc('a ^ 2 + b ^ 0')).toBe(50)
    expect(calc('(b) ^ 3 + 0 * a')).toBe(-15.625)
    expect(calc('2 * a ^ 2 + 0 * b')).toBe(98)
    expect(calc('-a ^ 2 + 0 * b')).toBe(-49)
    expect(calc('(1 + 1 / 3) ^ 2 + 0 * a * b', round)).toBe(1.7778)
    expect(outputOf('{ $calc: "(1 + r / 100) ^ 12", r: 1, scale: 6, round: half-even }', {})).toBe(1.126825)
  })

  test('is refused where functions and powers are not as they should be', () => {
    const problem = (formula: string) =>
      messagesOf(`{ $calc: "${formula}", a: /n }`)[0]?.replace(/.*cannot be read: /, '')
    expect(problem('round(a)')).toBe('there is no function "round"; there are abs, sign, min, max, mod.')
    expect(problem('abs(a, 1)')).toBe('abs takes 1 value.')
    expect(problem('min(a)')).toBe('min takes 2 to 20 values.')
    expect(problem('mod(a, 1')).toBe('a parenthesis is not closed.')
    expect(problem('a ^ 101')).toBe('an exponent is a whole number from 0 to 100.')
    expect(problem('a ^ -1')).toBe('an exponent is a whole number from 0 to 100.')
    expect(problem('a ^ 2 ^ 3')).toBe('a power of a power wants parentheses.')
    expect(problem('((a ^ 100) ^ 100)')).toBe('its powers come to more than 500 factors.')
    expect(outputOf('{ $calc: "abs + 1", abs: 2 }', {})).toBe(3)
  })

  test('ends in a fault at a remainder of zero, or takes "zero" instead', () => {
    expect(faultOf(compile(sourceOf('{ $calc: "mod(a, b)", a: 1, b: /b }')), { b: 0 }).code).toBe('division_by_zero')
    expect(outputOf('{ $calc: "mod(a, b)", a: 1, b: /b, zero: -1 }', { b: 0 })).toBe(-1)
    expect(faultOf(compile(sourceOf('{ $calc: "a ^ 100", a: /a }')), { a: 1e15 }).message).toContain('digits')
  })
})

describe('a date', () => {
  const on = { d: '2024-02-10', at: '2026-12-31T23:30:15+01:00', days: ['2024-02-12'], days2: { '2024-02-12': 'x' } }
  const parts = 'year quarter month day weekday week weekYear dayOfYear hour minute second'.split(' ')

  test('has its parts', () => {
    const of = (path: string) => parts.map((part) => outputOf(`{ $datePart: ${path}, part: ${part} }`, on))
    expect(of('/d')).toEqual([2024, 1, 2, 10, 6, 6, 2024, 41, 0, 0, 0])
    expect(of('/at')).toEqual([2026, 4, 12, 31, 4, 53, 2026, 365, 23, 30, 15])
    expect(messagesOf('{ $datePart: /d, part: hour }')).toEqual(['type: /d is a date without time; "hour" needs one.'])
  })

  test('is in a week, month, quarter and year, which begin and end', () => {
    const of = (side: string) =>
      ['week', 'month', 'quarter', 'year'].map((period) => outputOf(`{ $dateOf: /d, ${side}: ${period} }`, on))
    expect(of('first')).toEqual(['2024-02-05', '2024-02-01', '2024-01-01', '2024-01-01'])
    expect(of('last')).toEqual(['2024-02-11', '2024-02-29', '2024-03-31', '2024-12-31'])
    expect(outputOf('{ $dateOf: /at, last: month }', on)).toBe('2026-12-31')
    expect(codesOf(sourceOf('{ $dateOf: /d }'))).toEqual(['argument'])
    expect(codesOf(sourceOf('{ $dateOf: /d, first: week, last: week }'))).toEqual(['argument'])
  })

  test('is moved by hours and minutes if it has a time', () => {
    expect(outputOf('{ $dateAdd: /at, hours: 1, minutes: -15 }', on)).toBe('2027-01-01T00:15:15+01:00')
    expect(messagesOf('{ $dateAdd: /d, hours: 1 }')).toEqual([
      'type: /d is a date without time; a step of hours or minutes needs one.',
    ])
    expect(faultOf(compile(sourceOf('{ $dateAdd: /d, hours: 1 }')), on).code).toBe('type')
  })

  test('is moved and compared by business days without holidays from a table, an object or an array', () => {
    const tables = 'tables: { off: { 2024-02-12: Rosenmontag } }\n'
    for (const holidays of ['off', '/days', '/days2', '{ $indexBy: /days, as: x, by: $x }']) {
      expect(outputOf(`{ $dateAdd: /d, businessDays: 2, holidays: ${holidays} }`, on, tables)).toBe('2024-02-14')
      expect(outputOf(`{ $dateDiff: [/d, "2024-02-14"], unit: businessDays, holidays: ${holidays} }`, on, tables)).toBe(
        2,
      )
    }
    expect(outputOf('{ $dateAdd: /d, businessDays: 2 }', on)).toBe('2024-02-13')
    expect(outputOf('{ $dateAdd: /at, businessDays: -1 }', on)).toBe('2026-12-30T23:30:15+01:00')
    expect(messagesOf('{ $dateAdd: /d, days: 1, holidays: /days }')).toEqual([
      'argument: "holidays" goes with businessDays.',
    ])
    expect(codesOf(sourceOf('{ $dateAdd: /d, businessDays: 1, holidays: none }'))).toEqual(['unknown_table'])
    const wrong = 'tables: { off: { soon: 1 } }\n'
    expect(codesOf(sourceOf('{ $dateAdd: /d, businessDays: 1, holidays: off }', wrong))).toEqual(['type'])
    const transformer = compile(sourceOf('{ $dateAdd: /d, businessDays: 1, holidays: /h }'))
    expect(faultOf(transformer, { d: '2024-01-01', h: ['soon'] }).message).toContain('"soon", which is no date')
    expect(faultOf(transformer, { d: '2024-01-01', h: 5 }).code).toBe('type')
  })
})

test('a currency may be read from the data, limited to known ones', () => {
  const value = '{ $format: /n, currency: /code, locale: de }'
  expect(outputOf(value, { n: 5, code: 'CHF' })).toBe('5,00\u00a0CHF')
  expect(messagesOf(value)).toEqual([])
  expect(messagesOf('{ $format: /n, currency: /tag, locale: de }')[0]).toStartWith(
    'argument: There is no currency "de".',
  )
  expect(faultOf(compile(sourceOf(value)), { n: 5, code: 'XYZ' }).message).toBe('There is no currency "XYZ".')
  expect(faultOf(compile(sourceOf(value)), { n: 5, code: 'usd' }).hint).toBe('Write USD.')
})
