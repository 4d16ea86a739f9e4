/** Parts of the engine that a case or a converted contract shows only in the whole. */
import { describe, expect, test } from 'bun:test'
import type { JsonValue } from '../../../src/core/json.ts'
import { layoutOf, printJson } from '../../../src/engines/schema/convert/print.ts'
import { proposeNumber } from '../../../src/engines/schema/generate/number.ts'
import { Random } from '../../../src/engines/schema/generate/random.ts'
import { leastSizes } from '../../../src/engines/schema/generate/size.ts'
import { compileSchemaValue } from '../../../src/engines/schema/schema.ts'

describe('a number of a property', () => {
  const open = {
    ...{ isInteger: false, minimum: Number.NEGATIVE_INFINITY, maximum: Number.POSITIVE_INFINITY },
    ...{ exclusiveMinimum: Number.NEGATIVE_INFINITY, exclusiveMaximum: Number.POSITIVE_INFINITY },
    ...{ multiples: [], name: '' },
  }
  const draws = (demand: Partial<typeof open>, attempt = 0) => {
    const random = new Random(11, 0)
    return Array.from(
      { length: 3_000 },
      () => proposeNumber({ ...open, ...demand }, random, attempt, undefined) ?? Number.NaN,
    )
  }
  const range = (values: readonly number[]) => [Math.min(...values), Math.max(...values)]

  test.each([
    ['year', 2018, 2027],
    ['startMonth', 1, 12],
    ['months', 1, 12],
    ['day', 1, 28],
    ['hours', 0, 23],
    ['minute', 0, 59],
    ['seconds', 0, 59],
    ['age', 18, 79],
    ['latitude', 30, 47],
    ['lng', -120, -74],
    ['stars', 1, 5],
    ['level', 1, 5],
    ['pct', 0, 100],
    ['share', 0, 1],
    ['qty', 1, 12],
    ['mass', 1, 90],
  ])('called %s is a whole one from %d to %d', (name, least, most) => {
    expect(range(draws({ name, isInteger: true }))).toEqual([least, most])
  })

  test.each([
    ['port', 1024, 49_151],
    ['income', 38_000, 125_000],
    ['limit', 1, 1_000],
    ['grossAmount', 10, 2_500],
    ['depth', 1, 400],
    ['', 0, 1_000],
    ['monthly', 0, 1_000],
  ])('called %p is spread over %d to %d', (name, least, most) => {
    const [from = 0, to = 0] = range(draws({ name, isInteger: true }))
    const near = (most - least) / 50
    expect([from >= least, from < least + near, to <= most, to > most - near]).toEqual([true, true, true, true])
  })

  test('has cents where its name is one of money, shares or places, and none otherwise', () => {
    const hasCents = (name: string) => draws({ name }).some((value) => !Number.isInteger(value))
    expect(['lat', 'longitude', 'rate', 'price', 'weight', ''].map(hasCents)).toEqual(Array(6).fill(true))
    expect(['year', 'month', 'age', 'salary', 'rating', 'percent', 'count', 'width'].map(hasCents)).toEqual(
      Array(8).fill(false),
    )
    for (const value of draws({ name: 'price' })) expect(Math.round(value * 100) / 100).toBe(value)
  })

  test('lies within a thousand of its bounds where they are elsewhere', () => {
    const above = range(draws({ name: 'year', isInteger: true, minimum: 3_000 }))
    expect([above[0]! >= 3_000, above[1]! <= 4_000, above[1]! > 3_950]).toEqual([true, true, true])
    const below = range(draws({ name: 'year', isInteger: true, maximum: 1_000 }))
    expect([below[0]! >= 0, below[0]! < 50, below[1]! <= 1_000]).toEqual([true, true, true])
    expect(range(draws({ name: 'year', isInteger: true, minimum: 3_000, maximum: 3_004 }))).toEqual([3_000, 3_004])
    expect(range(draws({ name: 'year', minimum: 3_000, maximum: 3_004 }))).toEqual([3_000, 3_004])
    expect(range(draws({ name: 'year', minimum: 1_000, maximum: 1_004 }))).toEqual([1_000, 1_004])
    expect(range(draws({ isInteger: true, exclusiveMinimum: 7, exclusiveMaximum: 10 }))).toEqual([8, 9])
  })

  test('keeps its bounds in later attempts too, open ones left out', () => {
    for (const attempt of [2, 3]) {
      for (const demand of [
        { minimum: 1, maximum: 2 },
        { exclusiveMinimum: 1, exclusiveMaximum: 1.5 },
        { minimum: 5 },
        { exclusiveMaximum: -5 },
        { exclusiveMinimum: 1e300 },
      ]) {
        const all = { ...open, ...demand }
        for (const value of draws(demand, attempt))
          expect([
            attempt,
            demand,
            value >= all.minimum &&
              value <= all.maximum &&
              value > all.exclusiveMinimum &&
              value < all.exclusiveMaximum,
          ]).toEqual([attempt, demand, true])
      }
    }
    expect(draws({ minimum: 4, maximum: 4 }, 2)[0]).toBe(4)
  })

  test('is a multiple of every step', () => {
    for (const multiples of [
      [4, 6],
      [0.1, 0.25],
      [0.5, 3],
    ] as const) {
      const step = { '4,6': 12, '0.1,0.25': 0.5, '0.5,3': 3 }[String(multiples)] ?? 0
      const counts = draws({ multiples: multiples as never, minimum: 1 }).map((value) => value / step)
      expect([multiples, counts.every(Number.isInteger)]).toEqual([multiples, true])
      // And of no larger one.
      expect(counts.some((count) => count % 2 === 1)).toBe(true)
    }
  })
})

describe('the least size of a value', () => {
  const sizeOf = (schema: JsonValue) => {
    const made = compileSchemaValue(schema)
    if (!made.ok) throw new Error(JSON.stringify(made.findings))
    return leastSizes(made.value.model).get(made.value.model.root)
  }
  const three = { type: 'object', required: ['a', 'b', 'c'] }
  const endless = 1_000_000_000

  test.each<[JsonValue, number]>([
    [true, 1],
    [false, endless],
    [{ type: 'string' }, 1],
    [{}, 1],
    [three, 4],
    [{ required: ['a'] }, 2],
    [{ type: ['string', 'object'], required: ['a'] }, 1],
    [{ ...three, properties: { a: three } }, 7],
    [{ ...three, additionalProperties: three }, 13],
    [{ type: 'array' }, 1],
    [{ type: 'array', minItems: 3 }, 4],
    [{ type: 'array', minItems: 3, items: three }, 13],
    [{ type: 'array', minItems: 2, prefixItems: [three], items: { type: 'string' } }, 6],
    [{ type: 'array', contains: three }, 5],
    [{ type: ['array', 'object'], minItems: 3, required: ['a'] }, 2],
    [{ type: 'array', minItems: 5_000 }, 1_001],
    [{ allOf: [three, { type: 'object', required: ['a'] }] }, 4],
    [{ anyOf: [three, { type: 'string' }] }, 1],
    [{ oneOf: [three, { ...three, additionalProperties: three }] }, 4],
    [{ $ref: '#/$defs/a', $defs: { a: three } }, 4],
    [{ type: 'object', required: ['a'], properties: { a: { $ref: '#' } } }, endless],
    [{ type: 'object', required: ['a'], properties: { a: { anyOf: [{ $ref: '#' }, { type: 'null' }] } } }, 2],
  ])('of %j is %d', (schema, size) => {
    expect(sizeOf(schema)).toBe(size)
  })
})

describe('a converted document', () => {
  const again = (text: string) => {
    const layout = layoutOf(text)
    const offsets = new Map<JsonValue, number>()
    // Each list and object where it begins, in the order of the text.
    const at = [...text.matchAll(/"(?:[^"\\]|\\.)*"|[[{]/g)]
      .filter(([token]) => token.length === 1)
      .map(({ index }) => index)
    const note = (value: JsonValue) => {
      if (typeof value !== 'object' || value === null) return
      offsets.set(value, at.shift() ?? -1)
      for (const inner of Object.values(value)) note(inner as JsonValue)
    }
    const value = JSON.parse(text)
    note(value)
    return printJson(value, layout, (one) => layout.isInline(offsets.get(one) ?? -1))
  }

  test.each([
    '{\n  "a": [1, 2],\n  "b": { "c": "{ [" },\n  "d": [\n    1\n  ],\n  "e": [],\n  "f": {}\n}\n',
    '{\n\t"a": {\n\t\t"b": true\n\t}\n}',
    '[\n  [1, [2, 3]],\n  { "a": null }\n]\n',
    '{\n    "a": "\\"[\\n"\n}\n',
  ])('is laid out as it was: %j', (text) => {
    expect(again(text)).toBe(text)
  })

  test('is laid out for readers where it was one line', () => {
    expect(again('{"a":[1,{"b":2}]}')).toBe('{\n  "a": [\n    1,\n    {\n      "b": 2\n    }\n  ]\n}\n')
  })
})
