/** What a value may cost before it runs, and what it does cost: each evaluated node and each item is one. */
import { describe, expect, test } from 'bun:test'
import type { JsonValue } from '../../../src/core/json.ts'
import { limits } from '../../../src/core/limits.ts'
import { codesOf, compile, evaluate, faultOf, findingsOf, sourceOf } from './compile.ts'

const numbers = { type: 'array', maxItems: 10, items: { type: 'number' } }
const properties = {
  n: { type: 'number' },
  c: { enum: ['EUR', 'CHF'] },
  g: { enum: ['de', 'en'] },
  b: { type: 'boolean' },
  d: { type: 'string', format: 'date' },
  l: numbers,
  t: { type: 'array', maxItems: 10, items: { type: 'string' } },
  o: { type: 'object', required: ['a', 'b'], properties: { a: { type: 'string' }, b: { type: 'number' } } },
  m: { type: 'array', maxItems: 5, items: { ...numbers, maxItems: 4 } },
  rows: {
    type: 'array',
    maxItems: 10,
    items: { type: 'object', required: ['k', 'v'], properties: { k: { type: 'string' }, v: { type: 'number' } } },
  },
}
const contract = { type: 'object', required: Object.keys(properties), properties }
const input = {
  n: 2,
  c: 'EUR',
  g: 'de',
  b: true,
  d: '2025-01-31',
  l: [3, 1, 2],
  t: ['a', 'b', 'a'],
  o: { a: 'x', b: 1 },
  m: [[1, 2], [3]],
  rows: [
    { k: 'p', v: 1 },
    { k: 'q', v: 2 },
    { k: 'p', v: 3 },
  ],
}

/** Value, the bound, and the fuel that the input above takes. */
const costs: [value: string, bound: number, used: number][] = [
  ['1', 0, 0],
  ['/n', 1, 1],
  ['[1, /n]', 2, 2],
  ['{ a: 1, b: /n }', 2, 2],
  ['{ $text: "{a} {b}", a: /n, b: x }', 2, 2],
  ['{ $case: x, to: upper }', 1, 1],
  ['{ $case: /o/a, to: upper, locale: /g }', 3, 3],
  ['{ $trim: /o/a }', 2, 2],
  ['{ $length: /o/a }', 2, 2],
  ['{ $normalize: /o/a, to: NFC }', 2, 2],
  ['{ $blocks: /o/a, sizes: [4] }', 2, 2],
  ['{ $matches: /o/a, pattern: "x" }', 2, 2],
  ['{ $concat: [/n, x] }', 2, 2],
  ['{ $concat: [/l, /l] }', 23, 9],
  ['{ $split: "a b", on: " " }', 10001, 3],
  ['{ $replace: x, find: x, with: y }', 1, 1],
  ['{ $slice: xyz, from: /n, to: 3 }', 2, 2],
  ['{ $slice: xyz, from: 1 }', 1, 1],
  ['{ $pad: /n, to: 3 }', 2, 2],
  ['{ $calc: "a + b", a: /n, b: 1 }', 2, 2],
  ['{ $calc: "a / b", a: /n, b: 1, scale: 1, round: up, zero: /n }', 3, 2],
  ['{ $format: /n, number: "0" }', 2, 2],
  ['{ $format: /n, number: "0", locale: /g }', 3, 3],
  ['{ $format: /d, date: "d" }', 2, 2],
  ['{ $format: /n, currency: EUR }', 2, 2],
  ['{ $format: /n, currency: /c, locale: /g }', 4, 4],
  ['{ $plural: /n, locale: /g, one: x, other: "{n} y" }', 3, 3],
  ['{ $plural: /n, one: [/n, /n], other: /n }', 5, 3],
  ['{ $parse: "1", as: decimal, else: /n }', 2, 1],
  ['{ $words: /n, locale: en }', 2, 2],
  ['{ $default: [{ $omit: /n }, /n] }', 4, 3],
  ['{ $require: /n, code: X }', 2, 2],
  ['{ $exists: /n }', 2, 2],
  ['{ $if: /b, then: /n, else: [/n, /n] }', 5, 3],
  ['{ $if: false, then: [/n, /n], else: /n }', 4, 2],
  ['{ $match: /o/a, x: /n, else: [/n, /n] }', 5, 3],
  ['{ $lookup: t, key: /o/a, else: /n }', 3, 3],
  ['{ $lookup: t, key: y }', 1, 1],
  ['{ $lookup: /o, key: a }', 2, 2],
  ['{ $lookup: { $indexBy: /rows, as: r, by: $r/v }, key: p, else: [/n, /n] }', 26, 12],
  ['{ $indexBy: /rows, as: r, by: $r/k, keep: last }', 22, 8],
  ['{ $is: [/n, ">", 1] }', 2, 2],
  ['{ $is: [/n, in, /l] }', 13, 6],
  ['{ $all: [/b, { $not: /b }, /b] }', 5, 4],
  ['{ $any: [/b, { $not: /b }] }', 4, 2],
  ['{ $each: /l, as: x }', 12, 5],
  ['{ $each: /l, as: x, do: $x }', 22, 8],
  ['{ $each: /l, as: x, where: { $is: [$x, ">", 1] }, sort: { by: $x }, do: [$x] }', 62, 17],
  ['{ $group: /rows, as: r, by: $r/k, do: { $sum: $items, as: i, of: $i/v } }', 72, 20],
  ['{ $group: /rows, as: r, by: $r/k, do: $key }', 42, 12],
  ['{ $group: /rows, as: r, by: $r/k, do: { $each: $items, as: x, do: { $count: $items } } }', 82, 23],
  ['{ $distinct: /t }', 12, 5],
  ['{ $flatten: /m }', 27, 7],
  ['{ $each: /l, as: x, do: { $index: x } }', 22, 8],
  ['{ $sum: /l }', 12, 5],
  ['{ $sum: /rows, as: r, of: $r/v }', 22, 8],
  ['{ $default: [{ $min: /l }, 0] }', 13, 6],
  ['{ $default: [{ $avg: /l, scale: 1, round: up }, 0] }', 13, 6],
  ['{ $default: [{ $max: /rows, as: r, of: $r/v }, 0] }', 23, 9],
  ['{ $fold: /l, as: x, into: s, from: 0, do: { $calc: "a + b", a: $s, b: $x } }', 42, 14],
  ['{ $fold: /l, as: x, into: s, from: /n, do: $x, each: [$s, $x] }', 53, 18],
  ['{ $range: [1, /n], most: 7 }', 9, 4],
  ['{ $take: /l, count: 2 }', 4, 4],
  ['{ $take: /l, count: 20, from: 1 }', 12, 4],
  ['{ $take: /l, count: /n, from: /n }', 14, 5],
  ['{ $count: /l }', 2, 2],
  ['{ $join: /t, with: "-" }', 12, 5],
  ['{ $default: [{ $pick: /l, at: 0 }, 0] }', 3, 3],
  ['{ $merge: [/o, { c: 1 }] }', 3, 3],
  ['{ $entries: /o }', 4, 4],
  ['{ $fromEntries: { $entries: /o } }', 7, 7],
  ['{ $const: [1, 2] }', 0, 0],
  ['{ $dateAdd: /d, days: /n }', 3, 3],
  ['{ $dateDiff: [/d, /d], unit: days }', 3, 3],
  ['{ $dateOf: /d, last: month }', 2, 2],
  ['{ $datePart: /d, part: year }', 2, 2],
  ['{ $inZone: 2026-05-01T00:00:00Z, zone: z }', 1, 1],
  ['{ $each: /m, as: x, do: { $each: $x, as: y, do: $y } }', 57, 14],
  ['{ $group: /rows, as: r, by: $r/k, do: { $group: $items, as: s, by: $s/v, do: { $count: $items } } }', 102, 29],
  ['{ $group: /rows, as: r, by: $r/k, do: { $each: $items, as: x, do: { $sum: $items, as: y, of: $y/v } } }', 282, 33],
]

const tables = `tables:
  t: { y: 1 }
  z: { 2026-01-01T00:00:00Z: "+01:00", until: 2027-01-01T00:00:00Z }
`

describe('a value costs', () => {
  test.each(costs)('%s: at most %d, here %d', (value, bound, used) => {
    const transformer = compile(sourceOf(value, tables), { contract })
    expect(transformer.costBound).toBe(bound)
    expect(evaluate(transformer, input).fuelUsed).toBe(used)
  })

  test('what its lets cost besides, each once', () => {
    const lets = 'let:\n  sum: { $sum: /l }\n  twice: { $calc: "a + a", a: $sum }\n'
    const transformer = compile(sourceOf('[$sum, $twice]', lets), { contract })
    expect(transformer.costBound).toBe(12 + 2 + 3)
    expect(evaluate(transformer, input).fuelUsed).toBe(5 + 2 + 3)
  })

  test('the square of an array that is looped over inside itself', () => {
    const transformer = compile(sourceOf('{ $each: /l, as: x, do: { $sum: /l } }'), { contract })
    expect(transformer.costBound).toBe(2 + 10 * (1 + 12))
  })
})

describe('loops that follow the nesting of the input', () => {
  const list = (items: JsonValue, maxItems?: number): JsonValue => ({
    type: 'array',
    items,
    ...(maxItems === undefined ? {} : { maxItems }),
  })
  const record = (members: Record<string, JsonValue>): JsonValue => ({
    type: 'object',
    required: Object.keys(members),
    properties: members,
  })
  const line = record({ sku: { type: 'string' }, net: { type: 'number' }, tags: list({ type: 'string' }) })
  const orders = (most?: number, mostLines?: number) => {
    const order = record({ no: { type: 'string' }, lines: list(line, mostLines), payments: list(line) })
    return { contract: record({ orders: list(order, most), rates: list(line) }) }
  }
  const boundOf = (value: string, context: { contract?: JsonValue } = {}) => compile(sourceOf(value), context).costBound
  const sums = '{ $each: /orders, as: o, do: { $sum: $o/lines, as: l, of: $l/net } }'

  test('cost what all inner items cost together, whatever is said of their number', () => {
    const all = limits.transformAssumedItems
    for (const context of [{}, orders()]) {
      // Each order: the item, the sum, its path. Each line: the item, its path.
      expect(boundOf(sums, context)).toBe(2 + 3 * all + 2 * all)
    }
    expect(boundOf(sums, orders(100))).toBe(2 + 3 * 100 + 2 * all)
    expect(boundOf(sums, orders(100, 50))).toBe(2 + 3 * 100 + 2 * 5_000)
    expect(boundOf(sums, orders(1_000, 1_000))).toBe(2 + 3 * 1_000 + 2 * limits.transformInputItems)
    // So are lists longer than what is assumed, and those whose items are all named.
    expect(boundOf(sums, orders(2 * all, 2))).toBe(2 + 3 * 2 * all + 2 * 4 * all)
    const pair = record({ no: { type: 'string' }, lines: { type: 'array', prefixItems: [line, line], items: false } })
    expect(boundOf(sums, { contract: record({ orders: list(pair, 100) }) })).toBe(2 + 3 * 100 + 2 * 200)
    const either = { anyOf: [list(record({ no: true, lines: list(line) })), list(record({ lines: list(line) }))] }
    expect(boundOf(sums, { contract: record({ orders: either }) })).toBe(2 + 3 * all + 2 * all)
    const tags = '{ $each: /orders, as: o, do: { $each: $o/lines, as: l, do: { $each: $l/tags, as: t, do: $t } } }'
    for (const context of [{}, orders()]) expect(boundOf(tags, context)).toBe(2 + 3 * all + 3 * all + 2 * all)
  })

  test.each([
    '{ $flatten: { $each: /orders, as: o, do: $o/lines } }',
    '{ $each: { $each: /orders, as: o, do: { l: $o/lines } }, as: p, do: { $sum: $p/l, as: l, of: $l/net } }',
    '{ $each: { $each: /orders, as: o, do: { $each: $o/lines, as: l, do: $l } }, as: p, do: { $each: $p, as: q, do: $q/net } }',
    '{ $each: /orders, as: o, where: { $is: [$o/no, "!=", x] }, sort: { by: $o/no }, do: { $count: $o/lines } }',
    '{ $group: /orders, as: o, by: $o/no, do: { $each: $items, as: i, do: { $sum: $i/lines, as: l, of: $l/net } } }',
    '{ $group: { $flatten: { $each: /orders, as: o, do: $o/lines } }, as: l, by: $l/sku, do: { $group: $items, as: m, by: $m/net, do: { $count: $items } } }',
    '{ $each: { $concat: [/orders, /orders] }, as: o, do: { $each: $o/lines, as: l, do: $l/net } }',
    '{ $each: [/orders, /orders], as: a, do: { $each: $a, as: o, do: { $each: $o/lines, as: l, do: $l/net } } }',
    '{ $each: /orders, as: o, do: { $each: { $concat: [$o/lines, $o/payments] }, as: l, do: $l/net } }',
    '{ $each: /orders, as: o, do: { $if: { $is: [$o/no, "=", x] }, then: { $sum: $o/lines, as: l, of: $l/net }, else: { $sum: $o/payments, as: l, of: $l/net } } }',
    '{ $each: { $each: /orders, as: o, do: { $merge: [$o, { x: 1 }] } }, as: m, do: { $sum: $m/lines, as: l, of: $l/net } }',
    '{ $each: { $default: [{ $pick: { $each: /orders, as: o, do: $o/lines }, at: 0 }, []] }, as: l, do: { $join: $l/tags } }',
  ])('need no maxItems: %s', (value) => {
    for (const context of [{}, orders()])
      expect(boundOf(value, context)).toBeLessThan(40 * limits.transformAssumedItems)
  })

  test.each([
    '{ $each: /orders, as: o, do: { $sum: /rates, as: l, of: $l/net } }',
    '{ $each: /orders, as: o, do: { $each: $o/lines, as: l, do: { $sum: $o/payments, as: p, of: $p/net } } }',
    '{ $each: { $each: /orders, as: o, do: /rates }, as: r, do: { $each: $r, as: s, do: $s/net } }',
    '{ $flatten: { $each: /orders, as: o, do: { $each: /rates, as: r, do: $r } } }',
    '{ $group: /orders, as: o, by: $o/no, do: { $each: $items, as: i, do: { $each: $items, as: j, do: $j/no } } }',
  ])('multiply across each other: %s', (value) => {
    for (const context of [{}, orders()]) expect(codesOf(sourceOf(value), context)).toEqual(['cost'])
  })

  test('may be of as many items as the payload has, if the contract says how many', () => {
    const transformer = compile(sourceOf(sums), orders(200, 200))
    const input = { orders: [{ no: 'a', lines: [], payments: [] }, ...many(199, 200)], rates: [] }
    expect(evaluate(transformer, input).fuelUsed).toBe(2 + 3 * 200 + 2 * 199 * 200)
  })

  const many = (count: number, lines: number) =>
    Array.from({ length: count }, () => ({
      no: 'b',
      payments: [],
      lines: Array.from({ length: lines }, () => ({ sku: 's', net: 1, tags: [] })),
    }))

  test('end in a fault where there are more items than assumed, but not for how they are spread', () => {
    const transformer = compile(sourceOf(sums), orders())
    const all = limits.transformAssumedItems
    const most = { orders: many(1, all), rates: [] }
    expect(evaluate(transformer, most).fuelUsed).toBe(2 + 3 + 2 * all)
    expect(faultOf(transformer, { orders: many(4, all), rates: [] }).code).toBe('fuel')
  })

  test('cost versions of the first rules nothing more than they did', () => {
    const product = '{ $each: /orders, as: o, do: { $sum: /rates, as: l, of: $l/net } }'
    const transformer = compile(sourceOf(product), { ...orders(), reading: 1 })
    expect(transformer.costBound).toBe(limits.transformFuel)
  })
})

describe('an evaluation that reaches its bound', () => {
  const atLeast = (items: number) => ({
    type: 'object',
    required: ['l'],
    properties: { l: { ...numbers, maxItems: items } },
  })

  test('ends well with the last unit of fuel and with a fault one unit further', () => {
    const transformer = compile(sourceOf('{ $each: /l, as: x, do: $x }'), { contract: atLeast(3) })
    expect(transformer.costBound).toBe(8)
    expect(evaluate(transformer, { l: [1, 2, 3] }).fuelUsed).toBe(8)
    expect(faultOf(transformer, { l: [1, 2, 3, 4] })).toMatchObject({
      code: 'fuel',
      message: 'The input is larger than the cost bound allows for.',
      hint: 'Give the arrays of the contract the maxItems that really occur.',
    })
  })

  test('may be published up to the budget and not one above it', () => {
    const most = limits.transformFuel - 2
    expect(compile(sourceOf('{ $sum: /l }'), { contract: atLeast(most) }).costBound).toBe(limits.transformFuel)
    expect(findingsOf(sourceOf('{ $sum: /l }'), { contract: atLeast(most + 1) })).toMatchObject([
      {
        code: 'cost',
        path: '/output',
        message: `It may take ${limits.transformFuel + 1} steps; ${limits.transformFuel} are allowed.`,
      },
    ])
  })

  test('is not reported if something else is wrong', () => {
    expect(codesOf(sourceOf('[{ $sum: /l }, /k]'), { contract: atLeast(limits.transformFuel) })).toEqual([
      'unknown_path',
    ])
  })

  test('tells costs beyond 10^15 without their figure', () => {
    const nested = `${'{ $each: /l, as: x, do: '.repeat(5)}1${' }'.repeat(5)}`
    expect(findingsOf(sourceOf(nested))[0]?.message).toBe(
      `It may take more than 10^15 steps; ${limits.transformFuel} are allowed.`,
    )
    const three = `${'{ $each: /l, as: x, do: '.repeat(3)}1${' }'.repeat(3)}`
    expect(findingsOf(sourceOf(three))[0]?.message).toMatch(/^It may take \d{13} steps; /)
  })
})

describe('what a transformer makes is bounded', () => {
  const text = (chars: number) => 'x'.repeat(chars)

  test('texts may have as many characters as the limit, and no more', () => {
    const most = limits.transformTextChars
    for (const value of ['{ $text: "{a}{b}", a: /a, b: /b }', '{ $concat: [/a, /b] }', '{ $join: [/a, /b] }']) {
      const transformer = compile(sourceOf(`{ $exists: ${value} }`))
      expect(evaluate(transformer, { a: text(most - 1), b: 'x' }).output).toBe(true)
      expect(faultOf(transformer, { a: text(most), b: 'x' })).toMatchObject({
        code: 'fuel',
        message: `A text grew beyond ${most} characters.`,
      })
    }
    const joined = compile(sourceOf('{ $exists: { $join: [/a, /b], with: "-" } }'))
    expect(evaluate(joined, { a: text(most - 2), b: 'x' }).output).toBe(true)
    expect(faultOf(joined, { a: text(most - 1), b: 'x' }).code).toBe('fuel')
  })

  test('numbers may have as many digits as the limit, before and after the point', () => {
    const most = limits.transformDecimalDigits
    const product = (...factors: string[]) => {
      const names = ['a', 'b', 'c', 'd'].slice(0, factors.length)
      const slots = names.map((name, index) => `${name}: ${factors[index]}`).join(', ')
      return compile(sourceOf(`{ $exists: { $calc: "${names.join(' * ')}", ${slots} } }`))
    }
    const whole = (digits: number) => '9'.repeat(digits)
    const places = (digits: number) => `0.${'9'.repeat(digits)}`
    const rest = most - 900
    expect(evaluate(product(whole(300), whole(300), whole(300), whole(rest)), {}).output).toBe(true)
    expect(evaluate(product(places(most / 2), places(most / 2)), {}).output).toBe(true)
    for (const beyond of [
      product(whole(300), whole(300), whole(300), whole(rest + 1)),
      product(places(most / 2), places(most / 2 + 1)),
    ]) {
      expect(faultOf(beyond, {})).toMatchObject({
        code: 'fuel',
        message: `A number grew beyond ${most} digits.`,
        hint: 'Round it with scale and round.',
      })
    }
  })

  test('an output may have as many values as the limit, counted wherever they are repeated', () => {
    const transformer = compile(sourceOf('[/l, /l]'))
    const half = limits.transformOutputValues / 2
    const longest = Array.from({ length: half - 2 }, () => 1)
    expect((evaluate(transformer, { l: longest }).output as unknown[]).length).toBe(2)
    expect(faultOf(transformer, { l: [...longest, 1] }).message).toBe(
      `The output has more than ${limits.transformOutputValues} values.`,
    )
  })

  test('an output may be nested as deep as the limit, and no deeper', () => {
    const nested = (levels: number): string => `${'['.repeat(levels)}1${']'.repeat(levels)}`
    const half = limits.jsonDepth / 2
    const lets = `let:\n  inner: ${nested(half)}\n`
    const around = (levels: number) => `${'['.repeat(levels)}$inner${']'.repeat(levels)}`
    expect(JSON.stringify(evaluate(compile(sourceOf(around(half), lets)), {}).output)).toBe(nested(limits.jsonDepth))
    expect(faultOf(compile(sourceOf(around(half + 1), lets)), {}).message).toBe(
      `The output is nested deeper than ${limits.jsonDepth}.`,
    )
  })
})
