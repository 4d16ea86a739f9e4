/** Edges of the operators: every comparison, every position at a limit, every form of a number. */
import { describe, expect, test } from 'bun:test'
import { Decimal } from '../../../src/core/decimal.ts'
import type { JsonValue } from '../../../src/core/json.ts'
import { compareScalars } from '../../../src/engines/declarative/compare.ts'
import { memberOf } from '../../../src/engines/declarative/path.ts'
import {
  addSizes,
  largerSize,
  multiplySizes,
  ofAnyTurn,
  overAllTurns,
  type Size,
  sizeNumber,
  sizeVariable,
} from '../../../src/engines/declarative/size.ts'
import { suggest } from '../../../src/engines/declarative/suggest.ts'
import { compareText, describeValue, scalarIdentity } from '../../../src/engines/declarative/value.ts'
import { codesOf, compile, evaluate, faultOf, findingsOf, outputOf, sourceOf } from './compile.ts'

describe('$is', () => {
  const all = ['=', '!=', '<', '<=', '>', '>=']
  /** Two values and the comparisons that hold of them. */
  const pairs: [left: JsonValue, right: JsonValue, holds: string[]][] = [
    [1, 2, ['!=', '<', '<=']],
    [2, 1, ['!=', '>', '>=']],
    [2, 2.0, ['=', '<=', '>=']],
    [-1, 0, ['!=', '<', '<=']],
    [0.1, 0.10000000000000002, ['!=', '<', '<=']],
    ['a', 'b', ['!=', '<', '<=']],
    ['b', 'a', ['!=', '>', '>=']],
    ['a', 'a', ['=', '<=', '>=']],
    ['a', 'ab', ['!=', '<', '<=']],
    ['Z', 'a', ['!=', '<', '<=']],
    [false, true, ['!=', '<', '<=']],
    [true, true, ['=', '<=', '>=']],
    ['2025-01-02', '2025-01-10', ['!=', '<', '<=']],
    ['2025-01-01T10:00:00Z', '2025-01-01T11:00:00+01:00', ['=', '<=', '>=']],
    ['2025-01-01T10:00:00.5Z', '2025-01-01T10:00:00.25Z', ['!=', '>', '>=']],
    ['2025-01-01T10:00:00Z', '2025-01-01', ['!=', '>', '>=']],
    // Text that only looks like a date with time compares as text.
    ['2025-13-01T10:00:00Z', '2025-01-01T11:00:00+09:00', ['!=', '>', '>=']],
  ]
  test.each(pairs)('of %j and %j', (left, right, holds) => {
    const held = all.filter((comparison) => outputOf(`{ $is: [/a, "${comparison}", /b] }`, { a: left, b: right }))
    expect(held).toEqual(holds)
    const inList = outputOf('{ $is: [/a, in, /b] }', { a: left, b: [null, right] })
    expect(inList).toBe(holds.includes('='))
  })

  test('knows null as equal to null and to nothing else, and gives it no order', () => {
    for (const [left, right, equal] of [
      [null, null, true],
      [null, 0, false],
      ['', null, false],
    ] as const) {
      expect(outputOf('{ $is: [/a, "=", /b] }', { a: left, b: right })).toBe(equal)
      expect(outputOf('{ $is: [/a, "!=", /b] }', { a: left, b: right })).toBe(!equal)
      expect(outputOf('{ $is: [/a, in, /b] }', { a: left, b: [right] })).toBe(equal)
    }
    for (const comparison of ['<', '<=', '>', '>=']) {
      const transformer = compile(sourceOf(`{ $is: [/a, "${comparison}", 1] }`))
      expect(faultOf(transformer, { a: null }).code).toBe('missing')
    }
  })

  test('faults where the two are of different types', () => {
    const transformer = compile(sourceOf('{ $is: [/a, "=", /b] }'))
    expect(faultOf(transformer, { a: 1, b: '1' })).toMatchObject({
      code: 'type',
      message: 'a number cannot be compared with text.',
    })
    for (const [a, b] of [
      [true, 'true'],
      [1, true],
      ['a', false],
      [[1], [1]],
    ] as const)
      expect(faultOf(transformer, { a, b } as JsonValue).code).toBe('type')
    expect(outputOf('{ $is: [/a, in, /b] }', { a: 1, b: ['1', true] })).toBe(false)
  })

  test('compares decimals beyond doubles to the last digit', () => {
    const lets = 'let:\n  a: { $calc: "x + y", x: 9007199254740991, y: 0.5 }\n'
    expect(outputOf('{ $is: [$a, ">", 9007199254740991] }', {}, lets)).toBe(true)
    expect(outputOf('{ $is: [9007199254740991, "<", $a] }', {}, lets)).toBe(true)
    expect(outputOf('{ $is: [$a, "=", { $calc: "x + y", x: 0.5, y: 9007199254740991 }] }', {}, lets)).toBe(true)
  })
})

describe('order and identity', () => {
  test('of texts follows code points, also beyond the basic plane', () => {
    const ordered = ['', 'A', 'a', 'a\u0000', 'ab', 'é', '\ud7ff', '\ue000', '\uffff', '\u{10000}', '\u{10ffff}']
    for (const [index, left] of ordered.entries()) {
      for (const [other, right] of ordered.entries())
        expect([left, right, compareText(left, right)]).toEqual([left, right, Math.sign(index - other)])
    }
  })

  test('of scalars is undefined between types', () => {
    expect(compareScalars(1, 2)).toBeLessThan(0)
    expect(compareScalars(1, 1)).toBe(0)
    expect(compareScalars(Decimal.one, 2)).toBeLessThan(0)
    expect(compareScalars(true, false)).toBeGreaterThan(0)
    for (const [left, right] of [
      [1, 'a'],
      ['a', true],
      [true, 1],
      [undefined, 1],
      [null, null],
    ] as const)
      expect(compareScalars(left, right)).toBeUndefined()
  })

  test('tells the same number in two forms from text, booleans and null', () => {
    expect(scalarIdentity(1)).toBe(scalarIdentity(Decimal.one))
    expect(scalarIdentity(1.5)).toBe(scalarIdentity(Decimal.parse('1.50') ?? null))
    expect(new Set([1, '1', true, 'true', null, 'null', 1.5].map(scalarIdentity)).size).toBe(7)
  })

  test('names every type for messages', () => {
    const named = [undefined, null, 'x', true, 1, Decimal.one, [], {}].map(describeValue)
    expect(named).toEqual(['missing', 'null', 'text', 'a boolean', 'a number', 'a number', 'an array', 'an object'])
  })
})

describe('members', () => {
  test('are own members of objects and plain indexes of arrays', () => {
    expect(memberOf({ a: 1 }, 'a')).toBe(1)
    expect(memberOf({ a: 1 }, 'toString')).toBeUndefined()
    expect(memberOf(['x', 'y'], '1')).toBe('y')
    expect(memberOf(['x'], '0')).toBe('x')
    for (const token of ['01', '-1', '1.0', '', 'length', '2']) expect(memberOf(['x', 'y'], token)).toBeUndefined()
    for (const value of [null, 'abc', 1, true, Decimal.one]) expect(memberOf(value, '0')).toBeUndefined()
  })
})

describe('operators at their limits', () => {
  /** Value, input, output. */
  const cases: [string, JsonValue, JsonValue][] = [
    ['{ $slice: abcd, from: 0, to: 2 }', {}, 'ab'],
    ['{ $slice: abcd, from: -2 }', {}, 'cd'],
    ['{ $slice: abcd, from: 1, to: -1 }', {}, 'bc'],
    ['{ $slice: abcd, from: 4 }', {}, ''],
    ['{ $slice: abcd, from: 2, to: 9 }', {}, 'cd'],
    ['{ $pad: ab, to: 1 }', {}, 'ab'],
    ['{ $pad: ab, to: 2 }', {}, 'ab'],
    ['{ $pad: ab, to: 3 }', {}, ' ab'],
    ['{ $pad: "😀", to: 2, with: "𝒞" }', {}, '𝒞😀'],
    ['{ $pad: ab, to: 4, side: end, with: 0 }', {}, 'ab00'],
    ['{ $split: "a,,b,", on: "," }', {}, ['a', '', 'b', '']],
    ['{ $join: [1, a, 2.50], with: ", " }', {}, '1, a, 2.5'],
    ['{ $join: [a] , with: "-" }', {}, 'a'],
    ['{ $join: [a, b] }', {}, 'ab'],
    ['{ $case: "ÉTÉ 2nd x-ray", to: lower }', {}, 'été 2nd x-ray'],
    ['{ $case: "straße", to: upper }', {}, 'STRASSE'],
    ['{ $case: "2nd (half) d’or l\'eau x_y", to: title }', {}, "2nd (Half) D’or L'eau X_Y"],
    ['{ $replace: aaa, find: aa, with: b }', {}, 'ba'],
    ['{ $text: "{_a}{b-2}{C3}", _a: 1, b-2: 2, C3: 3 }', {}, '123'],
    ['{ $text: "}}{{" }', {}, '}{'],
    ['{ $text: "" }', {}, ''],
    ['{ $concat: [[1], [], [2, 3]] }', {}, [1, 2, 3]],
    ['{ $concat: [/a, /b] }', { a: [1], b: ['x'] }, [1, 'x']],
    ['{ $default: [{ $pick: [a, b], at: 0 }, none] }', {}, 'a'],
    ['{ $default: [{ $pick: [a, b], at: -2 }, none] }', {}, 'a'],
    ['{ $default: [{ $pick: [a, b], at: -3 }, none] }', {}, 'none'],
    ['{ $default: [{ $pick: [a, b], at: 2 }, none] }', {}, 'none'],
    ['{ $min: [3, 1, 2] }', {}, 1],
    ['{ $max: [3, 1, 2] }', {}, 3],
    ['{ $min: [b, a] }', {}, 'a'],
    ['{ $max: [2025-01-01, 2025-03-01, 2025-02-01] }', {}, '2025-03-01'],
    ['{ $max: [false, true] }', {}, true],
    ['{ $sum: [0.1, 0.2] }', {}, 0.3],
    ['{ $sum: [-1, 1] }', {}, 0],
    ['{ $avg: [1, 2], scale: 0, round: half-up }', {}, 2],
    ['{ $avg: [1, 2], scale: 0, round: half-even }', {}, 2],
    ['{ $avg: [2, 3], scale: 0, round: half-even }', {}, 2],
    ['{ $avg: [1, 2], scale: 0, round: down }', {}, 1],
    ['{ $count: [] }', {}, 0],
    ['{ $distinct: [a, b, a, b, c] }', {}, ['a', 'b', 'c']],
    ['{ $distinct: [1, 1.0, "1", true] }', {}, [1, '1', true]],
    ['{ $flatten: [[1, 2], [], [3]] }', {}, [1, 2, 3]],
    ['{ $each: [b, a], as: x, do: { $index: x } }', {}, [1, 2]],
    [
      '{ $each: [b, a], as: x, sort: { by: $x }, do: [{ $index: x, from: 10 }, $x] }',
      {},
      [
        [10, 'a'],
        [11, 'b'],
      ],
    ],
    ['{ $each: /l, as: x, do: { $omit: $x/v } }', { l: [{ v: 1 }, {}, { v: 3 }] }, [1, 3]],
    ['{ $each: /l, as: x, where: { $exists: $x/v } }', { l: [{ v: 1 }, {}, { v: null }] }, [{ v: 1 }]],
    [
      '{ $each: /l, as: x, sort: { by: $x/k }, do: $x/v }',
      {
        l: [
          { k: 2, v: 'a' },
          { k: 1, v: 'b' },
          { k: 2, v: 'c' },
          { k: 1, v: 'd' },
        ],
      },
      ['b', 'd', 'a', 'c'],
    ],
    [
      '{ $each: /l, as: x, sort: { by: $x/k, descending: true }, do: $x/v }',
      {
        l: [
          { k: 2, v: 'a' },
          { k: 1, v: 'b' },
          { k: 2, v: 'c' },
        ],
      },
      ['a', 'c', 'b'],
    ],
    ['{ $each: [1, 2], as: x, sort: { by: $x, descending: false } }', {}, [1, 2]],
    ['{ $group: [3, 1, 3], as: x, by: $x, do: { $sum: $items } }', {}, [6, 1]],
    ['{ $group: [], as: x, by: $x, do: 1 }', {}, []],
    ['{ $group: [a], as: x, by: $x, do: { $if: false, then: 1 } }', {}, []],
    ['{ $merge: [{ a: 1, b: 2 }, { b: 3 }, { c: 4 }] }', {}, { a: 1, b: 3, c: 4 }],
    ['{ $fromEntries: [{ key: a, value: 1 }, { key: 2, value: x }, { key: a, value: 3 }] }', {}, { a: 3, '2': 'x' }],
    ['{ $any: [false, true, false] }', {}, true],
    ['{ $any: [false, false] }', {}, false],
    ['{ $all: [true, true] }', {}, true],
    ['{ $all: [true, false] }', {}, false],
    ['{ $not: true }', {}, false],
    ['{ $exists: /a }', { a: false }, true],
    ['{ $exists: /a }', { a: null }, false],
    ['{ a: { $omit: /a } }', { a: false }, { a: false }],
    ['{ a: { $omit: /a } }', { a: null }, {}],
    ['{ $default: [/a, /b, c] }', { a: null, b: '' }, ''],
    ['{ $default: [/a, 0] }', { a: false }, false],
    ['{ $lookup: t, key: 2 }', {}, 'two'],
    ['{ $lookup: t, key: none }', {}, null],
    ['{ $lookup: t, key: x, else: other }', {}, 'other'],
    ['{ $match: 1.50, "1.5": yes, else: no }', {}, 'yes'],
    ['{ $parse: "12.50", as: decimal, else: 0 }', {}, 12.5],
    ['{ $parse: " 7 ", as: decimal, else: 0 }', {}, 7],
    ['{ $parse: 7, as: decimal, else: 0 }', {}, 7],
    ['{ $parse: "7x", as: decimal, else: 0 }', {}, 0],
    ['{ $parse: true, as: decimal, else: 0 }', {}, 0],
    ['{ $parse: true, as: boolean, else: x }', {}, true],
    ['{ $parse: "true", as: boolean, else: x }', {}, true],
    ['{ $parse: "false", as: boolean, else: x }', {}, false],
    ['{ $parse: "True", as: boolean, else: x }', {}, 'x'],
    ['{ $parse: " 2025-01-01 ", as: date, else: x }', {}, '2025-01-01'],
    ['{ $parse: 20250101, as: date, else: x }', {}, 'x'],
    ['{ $parse: 2025-01-01, as: datetime, else: x }', {}, 'x'],
    ['{ $parse: " 2025-01-01T10:00:00Z", as: datetime, else: x }', {}, '2025-01-01T10:00:00Z'],
    ['{ $format: 5, number: "0", prefix: "<", suffix: ">" }', {}, '<5>'],
    ['{ $format: 1234.5, currency: EUR, locale: de }', {}, '1.234,50\u00a0€'],
    ['{ $calc: "a - b - c", a: 10, b: 3, c: 2 }', {}, 5],
    ['{ $calc: "a / b / c", a: 100, b: 5, c: 2, scale: 0, round: half-up }', {}, 10],
    ['{ $calc: "a - b * c", a: 10, b: 3, c: 2 }', {}, 4],
    ['{ $calc: "(a - b) * c", a: 10, b: 3, c: 2 }', {}, 14],
    ['{ $calc: "-a + b", a: 10, b: 3 }', {}, -7],
    ['{ $calc: "--a", a: 10 }', {}, 10],
    ['{ $calc: "-(a / b)", a: 1, b: 4, scale: 2, round: half-up }', {}, -0.25],
    ['{ $calc: "a + b / c - d", a: 1, b: 1, c: 4, d: 2, scale: 2, round: half-up }', {}, -0.75],
    ['{ $calc: "a * (b / c)", a: 3, b: 1, c: 3, scale: 2, round: half-up }', {}, 1],
    ['{ $calc: "1.5 + 2", scale: 0, round: half-up }', {}, 4],
    ['{ $calc: "a", a: 2.345, scale: 2, round: half-even }', {}, 2.34],
    ['{ $calc: "a", a: -2.345, scale: 2, round: floor }', {}, -2.35],
    ['{ $calc: "a", a: -2.345, scale: 2, round: ceiling }', {}, -2.34],
    ['{ $calc: "a", a: 2.341, scale: 2, round: up }', {}, 2.35],
    ['{ $words: 21, locale: en }', {}, 'twenty-one'],
  ]
  const tables = 'tables: { t: { "2": two, none: null } }\n'
  test.each(cases)('%s with %j is %j', (value, input, output) => {
    expect(evaluate(compile(sourceOf(value, tables)), input).output).toEqual(output)
    expect(evaluate(compile(sourceOf(value, tables)), input, { lineage: true }).output).toEqual(output)
  })

  /** Value, input, and the fault. */
  const faults: [string, JsonValue, string, string | RegExp][] = [
    ['{ $match: /v, a: 1 }', { v: 'b' }, 'no_row', '$match has no case for "b".'],
    ['{ $lookup: t, key: /v }', { v: 'b' }, 'no_row', 'The table "t" has no row "b".'],
    ['{ $require: /v, code: V_1 }', { v: null }, 'required.v_1', '/v is required and is missing (V_1).'],
    ['{ $require: { $omit: /v }, code: V }', {}, 'required.v', '$omit is required and is missing (V).'],
    ['{ $format: 1, number: "0", locale: /v }', { v: 'xx' }, 'type', 'There is no locale "xx".'],
    ['{ $fromEntries: /v }', { v: [{ key: 'a' }] }, 'missing', 'The entry "a" has no value.'],
    ['{ $default: [{ $min: /v }, 0] }', { v: [1, 'a'] }, 'type', 'text and a number have no order.'],
    [
      '{ $each: /v, as: x, sort: { by: $x } }',
      { v: ['a', 1] },
      'type',
      /^"sort" meets .* and .*, which have no order\.$/,
    ],
    ['{ $concat: [/v, /w] }', { v: 'a', w: [1] }, 'type', '$concat wants only texts or only arrays.'],
    ['{ $concat: [/v, /w] }', { v: true, w: false }, 'type', '$concat wants only texts or only arrays.'],
    ['{ $case: /v, to: upper }', { v: null }, 'missing', '/v is null.'],
    ['{ $case: /v, to: upper }', { v: 1 }, 'type', '/v is a number; $case wants text.'],
    ['{ $dateAdd: /v, days: 1 }', { v: '2025-1-1' }, 'type', '/v is text; $dateAdd wants a date.'],
    [
      '{ $pad: { $default: [/v, x] }, to: 2 }',
      { v: true },
      'type',
      '$default is a boolean; $pad wants text, a number or a date.',
    ],
    ['{ $slice: abc, from: /v }', { v: 1.5 }, 'type', '/v is a number; "from" of $slice wants a whole number.'],
    ['{ $calc: "1 / (a - a)", a: 1, scale: 2, round: up }', {}, 'division_by_zero', '1 / (a - a) divides by zero.'],
    ['{ $calc: "0 * (1 / a)", a: 0, scale: 2, round: up }', {}, 'division_by_zero', '0 * (1 / a) divides by zero.'],
  ]
  test.each(faults)('%s with %j ends with %s', (value, input, code, message) => {
    const before = 'tables: { t: { a: 1 } }\n'
    // Without a contract a value that may be missing is known only to the run.
    const fault = faultOf(compile(sourceOf(value, before)), input)
    expect(fault.code).toBe(code)
    if (typeof message === 'string') expect(fault.message).toBe(message)
    else expect(fault.message).toMatch(message)
  })
})

describe('formulas', () => {
  test('have at most five hundred parts and sixty-four levels', () => {
    const sum = (terms: number) => Array(terms).fill('1').join('+')
    expect(outputOf(`{ $calc: "${sum(250)}" }`, {})).toBe(250)
    expect(findingsOf(sourceOf(`{ $calc: "${sum(251)}" }`))[0]?.message).toBe(
      'The formula cannot be read: it has more than 500 parts.',
    )
    const nested = (levels: number) => `${'('.repeat(levels)}1${')'.repeat(levels)}`
    expect(outputOf(`{ $calc: "${nested(63)}" }`, {})).toBe(1)
    expect(findingsOf(sourceOf(`{ $calc: "${nested(64)}" }`))[0]?.message).toBe(
      'The formula cannot be read: it is nested deeper than 64.',
    )
    // Levels that were left don't count.
    expect(outputOf(`{ $calc: "${Array(70).fill('(1)').join('+')}" }`, {})).toBe(70)
  })
})

type Bounds = Record<number, [most: Size, total: Size]>

function boundsOf(bounds: Bounds) {
  return new Map(Object.entries(bounds).map(([variable, [most, total]]) => [Number(variable), { most, total }]))
}

function over(size: Size, bounds: Bounds, turns: Size): Size {
  return overAllTurns(size, boundsOf(bounds), turns)
}

function one(size: Size, bounds: Bounds): Size {
  return ofAnyTurn(size, boundsOf(bounds))
}

describe('the size of a cost', () => {
  test('is a polynomial in the open groups, and closes to a number', () => {
    const group = sizeVariable(0)
    const other = sizeVariable(1)
    const sum = addSizes(multiplySizes(group, 3), 2)
    expect(sizeNumber(sum)).toBe(Number.POSITIVE_INFINITY)
    expect(sizeNumber(over(sum, { 0: [10, 10] }, 10))).toBe(3 * 10 + 2 * 10)
    expect(sizeNumber(over(sum, { 0: [4, 10] }, 5))).toBe(3 * 10 + 2 * 5)
    expect(sizeNumber(one(sum, { 0: [4, 10] }))).toBe(3 * 4 + 2)
    expect(sizeNumber(over(multiplySizes(group, group), { 0: [10, 10] }, 10))).toBe(100)
    expect(sizeNumber(over(multiplySizes(group, group), { 0: [3, 10] }, 5))).toBe(30)
    const both = multiplySizes(multiplySizes(other, group), 4)
    expect(sizeNumber(one(over(both, { 1: [5, 5] }, 5), { 0: [2, 2] }))).toBe(4 * 5 * 2)
    // Of two sizes in one turn the cheaper one is summed up: 6 × 3 instead of 9 × 4.
    expect(sizeNumber(over(multiplySizes(group, other), { 0: [3, 9], 1: [4, 6] }, 5))).toBe(18)
    expect(sizeNumber(over(7, { 0: [3, 3] }, 3))).toBe(21)
    expect(sizeNumber(one(7, { 0: [3, 3] }))).toBe(7)
  })

  test('takes the larger of two numbers, and of each part of two sums', () => {
    expect(largerSize(3, 2)).toBe(3)
    expect(largerSize(2, 3)).toBe(3)
    const group = sizeVariable(0)
    expect(largerSize(group, group)).toEqual(group)
    const larger = largerSize(addSizes(multiplySizes(group, 2), 5), addSizes(multiplySizes(group, 3), 1))
    expect(sizeNumber(one(larger, { 0: [10, 10] }))).toBe(35)
  })

  test('is nothing times anything, infinity included', () => {
    expect(multiplySizes(0, Number.POSITIVE_INFINITY)).toBe(0)
    expect(multiplySizes(sizeVariable(0), 0)).toBe(0)
    expect(sizeNumber(one(addSizes(sizeVariable(0), Number.POSITIVE_INFINITY), { 0: [1, 1] }))).toBe(
      Number.POSITIVE_INFINITY,
    )
  })

  test('is bounded by infinity beyond sixty-four terms', () => {
    const sumOf = (count: number) => {
      let sum = addSizes(0, sizeVariable(1))
      for (let variable = 2; variable <= count; variable++) sum = addSizes(sum, sizeVariable(variable))
      return sum
    }
    // With the constant there are as many terms as variables and one more.
    expect(typeof sumOf(63)).toBe('object')
    expect(sumOf(64)).toBe(Number.POSITIVE_INFINITY)
    expect(multiplySizes(sumOf(12), sumOf(12))).toBe(Number.POSITIVE_INFINITY)
  })
})

describe('"did you mean"', () => {
  test('names the nearest name by insertions, deletions, swaps and replacements', () => {
    const names = ['amount', 'account', 'date']
    for (const slip of ['amont', 'ammount', 'amuont', 'amoumt', 'AMOUNT', 'amoutn'])
      expect(suggest(slip, names)).toBe('Did you mean amount?')
    expect(suggest('dtae', names)).toBe('Did you mean date?')
    expect(suggest('accout', names)).toBe('Did you mean account?')
    expect(suggest('dat', names, '$')).toBe('Did you mean $date?')
  })

  test('allows one slip in a short name, three in a long one, and takes the first of two as near', () => {
    expect(suggest('ab', ['ac'])).toBe('Did you mean ac?')
    expect(suggest('ab', ['cd'])).toBe('Known here: cd.')
    expect(suggest('abcdef', ['abxxef'])).toBe('Did you mean abxxef?')
    expect(suggest('abcdef', ['abxxxf'])).toBe('Known here: abxxxf.')
    expect(suggest('abcdefghijkl', ['xxxdefghijkl'])).toBe('Did you mean xxxdefghijkl?')
    expect(suggest('abcdefghijkl', ['xxxxefghijkl'])).toBe('Known here: xxxxefghijkl.')
    expect(suggest('bat', ['cat', 'rat'])).toBe('Did you mean cat?')
  })

  test('lists up to twelve names where none is near, and of more it says nothing', () => {
    const names = (count: number) => Array.from({ length: count }, (_, index) => `name-${index}`)
    expect(suggest('zzzzzzz', names(12), '$')).toBe(
      `Known here: ${names(12)
        .map((name) => `$${name}`)
        .join(', ')}.`,
    )
    expect(suggest('zzzzzzz', names(13))).toBeUndefined()
    expect(suggest('zzzzzzz', [])).toBeUndefined()
  })

  test('looks at two hundred names and at sixty-four characters', () => {
    const many = Array.from({ length: 200 }, (_, index) => `n${index}`)
    expect(suggest('wanted', [...many.slice(1), 'wanted'])).toBe('Did you mean wanted?')
    expect(suggest('wanted', [...many, 'wanted'])).toBeUndefined()
    const long = 'x'.repeat(64)
    expect(suggest(`${long}abcdefgh`, [`${long}stuvwxyz`])).toBe(`Did you mean ${long}stuvwxyz?`)
  })
})

describe('names and the top level', () => {
  test('are letters, digits, _ and -, and begin with a letter or _', () => {
    for (const name of ['a', '_', 'a1', 'a-b', 'Z_9'])
      expect(codesOf(sourceOf('1', `let: { ${name}: 1 }\n`))).toEqual([])
    for (const name of ['1a', '-a', 'a.b', 'a b', '"a$"']) {
      expect(findingsOf(sourceOf('1', `let: { ${name}: 1 }\n`))).toMatchObject([
        { code: 'argument', hint: 'A name is a letter and then letters, digits, _ and -.' },
      ])
    }
  })

  test('refuses a let with the name of a param, and lets an inner variable hide an outer one', () => {
    expect(findingsOf(sourceOf('$a', 'params: { a: string }\nlet: { a: 1 }\n'))).toMatchObject([
      { code: 'argument', message: '"a" is already the name of a param.' },
    ])
    const shadowed = '[{ $each: [1, 2], as: a, do: $a }, $a]'
    expect(outputOf(shadowed, {}, 'let: { a: outer }\n')).toEqual([[1, 2], 'outer'])
    expect(codesOf(sourceOf('[{ $each: [1], as: x, do: $x }, $x]'))).toEqual(['unknown_name'])
  })

  test('names a contract and a template by name and version', () => {
    const named = (line: string) => compile(sourceOf('1', `${line}\n`))
    expect(named('contract: letter@12').contract).toEqual({ name: 'letter', version: 12 })
    expect(named('template: letter@999999999').template).toEqual({ slug: 'letter', version: 999_999_999 })
    expect(named(`template: ${'x'.repeat(200)}@1`).template?.slug).toHaveLength(200)
    for (const wrong of ['letter', 'letter@0', 'letter@01', 'letter@1000000000', '@1', 'a@b@1', `${'x'.repeat(201)}@1`])
      expect(findingsOf(sourceOf('1', `contract: "${wrong}"\n`))).toMatchObject([
        { code: 'argument', path: '/contract' },
      ])
  })
})

test('a formula whose power divides by zero gives what zero says, or a fault', () => {
  const fraction = '{ $calc: "(1 / a) ^ 2", a: /a, scale: 3, round: up, zero: 7 }'
  const exact = '{ $calc: "mod(7, a) ^ 2", a: /a, zero: 7 }'
  expect([0, 3].map((a) => outputOf(fraction, { a }))).toEqual([7, 0.112])
  expect([0, 4].map((a) => outputOf(exact, { a }))).toEqual([7, 9])
  expect(faultOf(compile(sourceOf('{ $calc: "mod(7, a) ^ 2", a: /a }')), { a: 0 }).code).toBe('division_by_zero')
})
