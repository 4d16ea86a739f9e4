import { describe, expect, test } from 'bun:test'
import { type JsonObject, type JsonValue, readJson } from '../../../src/core/json.ts'
import { type CompiledPattern, compilePattern } from '../../../src/core/pattern/pattern.ts'
import { generateCase } from '../../../src/engines/schema/cases.ts'
import { formatTest } from '../../../src/engines/schema/format.ts'
import { proposeNumber } from '../../../src/engines/schema/generate/number.ts'
import { extentOf, textMatching, textMatchingAll } from '../../../src/engines/schema/generate/pattern-text.ts'
import { prune } from '../../../src/engines/schema/generate/prune.ts'
import { Random } from '../../../src/engines/schema/generate/random.ts'
import { proposeText, wordsOf } from '../../../src/engines/schema/generate/text.ts'
import { CaseWriter } from '../../../src/engines/schema/generate/values.ts'
import { places } from '../../../src/engines/schema/generate/words.ts'
import { compileSchemaValue } from '../../../src/engines/schema/schema.ts'

function pattern(source: string): CompiledPattern {
  const result = compilePattern(source)
  if (!result.ok) throw new Error(result.fault.message)
  return result.value
}

describe('the source of chance', () => {
  test('gives the same numbers for a seed in every release', () => {
    const random = new Random(42, 0)
    expect([random.bits(), random.bits(), random.bits()]).toEqual(goldenBits)
    expect(new Random(42, 1).bits()).not.toBe(goldenBits[0]!)
    expect(new Random(43, 0).bits()).not.toBe(goldenBits[0]!)
  })

  test('spreads evenly, for neighbouring seeds as well', () => {
    const counts = new Array<number>(10).fill(0)
    for (let seed = 0; seed < 20_000; seed++) counts[new Random(seed, 0).below(10)]!++
    for (const count of counts) expect(count).toBeWithin(1_800, 2_200)
  })

  test('stays within its bounds, also beyond 32 bits', () => {
    const random = new Random(1, 0)
    for (let index = 0; index < 1_000; index++) {
      expect(random.between(-3, 3)).toBeWithin(-3, 4)
      expect(random.between(5, 2 ** 33)).toBeWithin(5, 2 ** 33 + 1)
      const wide = random.between(-(2 ** 52), 2 ** 52)
      expect(Number.isSafeInteger(wide)).toBe(true)
      expect(Math.abs(wide)).toBeLessThanOrEqual(2 ** 52)
    }
  })
})

/** The first three numbers of seed 42; stored cases depend on them. */
const goldenBits = [1711383363, 1151756210, 2730871621]

describe('texts that match a pattern', () => {
  const sources = [
    '^[A-Z]{2}-\\d{6}$',
    '^(foo|bar)+$',
    'a|b|^c$',
    '^[^a-z0-9]+$',
    '^\\p{L}+$',
    '^\\p{Lu}\\p{Nd}\\p{Sc}$',
    '^\\P{L}+$',
    '^\\p{Script=Greek}+$',
    '^\\P{sc=Latin}{2}$',
    '^[\\p{Script=Han}\\d]{3}$',
    '^[\\u4e00-\\u9fff]{3}$',
    '^\\S+@\\S+\\.\\S+$',
    '^(?:[01]\\d|2[0-3]):[0-5]\\d$',
    '\\bword\\b',
    '^$',
    '',
    '^.{3,5}$',
    '^[\\s\\S]*$',
    '^(?<year>\\d{4})-(?<month>0[1-9]|1[0-2])$',
    '^v?(0|[1-9]\\d*)(\\.(0|[1-9]\\d*)){2}(-[0-9A-Za-z.-]+)?$',
    '^a{900}$',
    '^[\\x00-\\x1f\\x7f]$',
  ]
  for (const source of sources) {
    test(`match ${JSON.stringify(source)} with every seed, and are strings that JSON can hold`, () => {
      const compiled = pattern(source)
      for (let seed = 0; seed < 20; seed++) {
        const text = textMatching(compiled, new Random(seed, 0), 4 + seed)
        expect({ text, matches: compiled.test(text) }).toEqual({ text, matches: true })
        expect(readJson(JSON.stringify(text)).ok).toBe(true)
      }
    })
  }

  test('reach the length that is wanted where the pattern allows it', () => {
    const random = new Random(1, 0)
    expect(textMatching(pattern('^[a-z]*$'), random, 37)).toHaveLength(37)
    expect(textMatching(pattern('^[a-z]{2,9}$'), random, 37)).toHaveLength(9)
    expect(textMatching(pattern('[0-9]{3}'), random, 12)).toHaveLength(12)
    expect(textMatching(pattern('^(a|bcd)+$'), random, 0)).not.toHaveLength(0)
    expect(extentOf(pattern('^a{2,5}b?$'))).toEqual({ least: 2, most: 6 })
    expect(extentOf(pattern('a{2,5}'))).toEqual({ least: 2, most: Number.POSITIVE_INFINITY })
  })

  test('match several patterns when one is at the start and one at the end', () => {
    const patterns = [pattern('[0-9]$'), pattern('^[A-Z]'), pattern('-')]
    const text = textMatchingAll(patterns, new Random(1, 0), 8)
    for (const one of patterns) expect(one.test(text)).toBe(true)
    expect(text).toHaveLength(8)
  })
})

describe('numbers', () => {
  const open = {
    isInteger: false,
    minimum: Number.NEGATIVE_INFINITY,
    maximum: Number.POSITIVE_INFINITY,
    exclusiveMinimum: Number.NEGATIVE_INFINITY,
    exclusiveMaximum: Number.POSITIVE_INFINITY,
    multiples: [],
    name: '',
  }
  const propose = (demand: Partial<typeof open>, extreme?: 'least' | 'most') =>
    proposeNumber({ ...open, ...demand } as typeof open, new Random(5, 0), 0, extreme)

  test('are exactly at their limits, in decimals', () => {
    expect(propose({ multiples: [0.01] as never, minimum: 0.105, maximum: 19.999 }, 'least')).toBe(0.11)
    expect(propose({ multiples: [0.01] as never, minimum: 0.105, maximum: 19.999 }, 'most')).toBe(19.99)
    expect(propose({ isInteger: true, exclusiveMinimum: 3, exclusiveMaximum: 7 }, 'least')).toBe(4)
    expect(propose({ isInteger: true, exclusiveMinimum: 3, exclusiveMaximum: 7 }, 'most')).toBe(6)
    expect(propose({ minimum: -2.5 }, 'least')).toBe(-2.5)
  })

  test('are found between bounds that leave no whole cent between them', () => {
    for (const name of ['', 'rate', 'price']) {
      const made = propose({ name, exclusiveMinimum: 0.001, exclusiveMaximum: 0.002 })
      expect(made).toBeGreaterThan(0.001)
      expect(made).toBeLessThan(0.002)
    }
  })

  test('are not made where the bounds leave none', () => {
    expect(propose({ minimum: 5, maximum: 4 })).toBeUndefined()
    expect(propose({ isInteger: true, minimum: 4.1, maximum: 4.9 })).toBeUndefined()
    expect(propose({ multiples: [10] as never, exclusiveMinimum: 10, exclusiveMaximum: 20 })).toBeUndefined()
  })

  test('fit the name of their property unless bounds say otherwise', () => {
    expect(propose({ isInteger: true, name: 'birthYear' })).toBeWithin(2018, 2028)
    expect(propose({ isInteger: true, name: 'birthYear', maximum: 1990 })).toBeLessThanOrEqual(1990)
    expect(propose({ name: 'quantity' })).toBeWithin(1, 13)
  })
})

describe('the size of a payload', () => {
  const forty = Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`m${index}`, { type: 'integer' }]))
  /** Members of `b`, for which what `a` takes of the budget is lacking. */
  function membersBeside(a: JsonObject, values: number): number[] {
    const schema = compileSchemaValue({
      type: 'object',
      required: ['a', 'b'],
      properties: { a, b: { type: 'object', properties: forty } },
    })
    if (!schema.ok) throw new Error(JSON.stringify(schema.findings))
    const { model } = schema.value
    return Array.from({ length: 16 }, (_, seed) => {
      const options = { seed, values, optional: 'all', extreme: undefined, maxSteps: 1_000_000 } as const
      const made = new CaseWriter(model, { ...options, random: new Random(seed, 0) }).write()
      return Object.keys((made as { b: JsonObject }).b).length
    })
  }
  const listOf = (length: number): JsonValue[] => new Array(length).fill(0)

  test('counts all that a listed value holds', () => {
    for (const keyword of ['const', 'enum'])
      for (const [length, left] of [
        [2, 40],
        [10, 40],
        [30, 28],
        [40, 18],
        [90, 0],
      ] as const) {
        const value = listOf(length)
        const a = { type: 'array', [keyword]: keyword === 'const' ? value : [value] }
        expect([keyword, length, ...new Set(membersBeside(a, 60))]).toEqual([keyword, length, left])
      }
  })

  test('does not count what was written and left out again', () => {
    const large = { const: listOf(20) }
    // Two items that repeat each other now and then, which is tried again.
    const unique = (key: JsonObject): JsonObject => ({
      ...{ type: 'array', uniqueItems: true, minItems: 2, maxItems: 2 },
      items: { type: 'object', required: ['key', 'large'], properties: { key, large } },
    })
    for (const key of [{ type: 'integer', minimum: 1, maximum: 3 }, { type: 'boolean' }])
      expect(new Set(membersBeside(unique(key), 110))).toEqual(new Set([40]))
    // A value of several schemas that isn't right at once.
    const lists = [20, 21, 22].map((length) => ({ const: listOf(length) }))
    const oneOf = [{ required: ['x'] }, { properties: { large: { minItems: 22 } } }]
    const retried = { type: 'object', required: ['large'], properties: { large: { anyOf: lists }, x: false }, oneOf }
    expect(new Set(membersBeside(retried, 110))).toEqual(new Set([40]))
    // A member that can't be made, behind one that takes much.
    const impossible = {
      type: 'object',
      required: ['large', 'x'],
      properties: { large, x: { type: 'string', pattern: '^a$', minLength: 3 } },
    }
    expect(new Set(membersBeside({ type: 'object', properties: { impossible } }, 60))).toEqual(new Set([40]))
  })
})

describe('a value that must not satisfy a schema', () => {
  const whole = { type: 'integer', minimum: -1_000_000, maximum: 1_000_000 }
  /** Only 1 breaks it. */
  const notOne = { anyOf: [{ minimum: 2 }, { maximum: 0 }] }
  const list = { type: 'array', items: whole, maxItems: 4 }
  const strings = { type: 'string' }
  const isOne = (value: JsonValue | undefined) => value === 1
  const member = (value: JsonValue, name: string) => (value as JsonObject)[name]
  const items = (value: JsonValue) => value as JsonValue[]

  test.each<[not: JsonValue, schema: JsonObject, breaks: (value: JsonValue) => boolean]>([
    [{ anyOf: [{ exclusiveMinimum: 1 }, { exclusiveMaximum: 1 }] }, whole, isOne],
    [{ minLength: 3 }, { type: 'string', minLength: 2 }, (value) => String(value).length === 2],
    [{ maxLength: 30 }, { type: 'string', maxLength: 31 }, (value) => String(value).length === 31],
    [{ maxItems: 20 }, { ...list, maxItems: 21 }, (value) => items(value).length === 21],
    [{ prefixItems: [true, notOne] }, list, (value) => isOne(items(value)[1])],
    [{ items: notOne }, list, (value) => items(value).includes(1)],
    [{ prefixItems: [true], items: notOne }, list, (value) => items(value).slice(1).includes(1)],
    [{ contains: notOne }, { ...list, minItems: 3 }, (value) => items(value).every(isOne)],
    [
      { maxProperties: 8 },
      { type: 'object', additionalProperties: whole, maxProperties: 9 },
      (value) => Object.keys(value as JsonObject).length === 9,
    ],
    [
      { dependentRequired: { a: ['b'] } },
      { type: 'object' },
      (value) => member(value, 'a') !== undefined && member(value, 'b') === undefined,
    ],
    [
      { dependentSchemas: { a: { properties: { b: notOne } } } },
      { type: 'object', properties: { b: whole } },
      (value) => member(value, 'a') !== undefined && isOne(member(value, 'b')),
    ],
    [{ properties: { a: notOne } }, { type: 'object', properties: { a: whole } }, (value) => isOne(member(value, 'a'))],
    [
      { patternProperties: { '^x-': notOne } },
      { type: 'object', additionalProperties: whole },
      (value) => Object.entries(value as JsonObject).some(([name, one]) => name.startsWith('x-') && isOne(one)),
    ],
    ...['additionalProperties', 'unevaluatedProperties'].map(
      (keyword): [JsonValue, JsonObject, (value: JsonValue) => boolean] => [
        { properties: { a: true }, [keyword]: notOne },
        { type: 'object', additionalProperties: whole },
        (value) => Object.entries(value as JsonObject).some(([name, one]) => name !== 'a' && isOne(one)),
      ],
    ),
    [{ $ref: '#/$defs/notOne' }, { ...whole, $defs: { notOne } }, isOne],
    [{ $dynamicRef: '#notOne' }, { ...whole, $defs: { notOne: { $dynamicAnchor: 'notOne', ...notOne } } }, isOne],
    [{ allOf: [{ type: 'integer' }, notOne] }, whole, isOne],
    [notOne, whole, isOne],
    [{ oneOf: [{ maximum: 1 }, { minimum: 1 }] }, whole, isOne],
    [{ not: { const: 1 } }, whole, isOne],
    [{ if: { minimum: 1 }, then: { minimum: 2 } }, whole, isOne],
    [{ if: { minimum: 2 }, else: { maximum: 0 } }, whole, isOne],
    [{ enum: [1, 2, 3] }, { type: 'integer', minimum: 1, maximum: 4 }, (value) => value === 4],
    [
      { propertyNames: { maxLength: 3 } },
      { type: 'object', properties: { abcd: strings } },
      (value) => Object.keys(value as JsonObject).some((name) => name.length > 3),
    ],
  ])('breaks %j where the rest leaves it no other way', (not, schema, breaks) => {
    const made = compileSchemaValue({ ...schema, not })
    if (!made.ok) throw new Error(JSON.stringify(made.findings))
    for (let seed = 0; seed < 4; seed++) {
      const found = generateCase(made.value, { kind: 'valid', seed })
      expect(found.ok && [found.value.text, breaks(found.value.payload)]).toEqual([expect.any(String), true])
    }
  })

  test.each<JsonValue>([
    { type: 'array', not: { contains: true, minContains: 0 } },
    { type: 'array', not: { items: true } },
    { type: 'array', not: { minItems: 0 } },
    { type: 'string', not: { minLength: 0 } },
    { type: 'object', not: { minProperties: 0 } },
    { type: 'object', not: { properties: { a: true } } },
    { type: 'object', not: { additionalProperties: true } },
    { not: true },
  ])('is not made of %j, which every value breaks', (schema) => {
    const made = compileSchemaValue(schema)
    if (!made.ok) throw new Error(JSON.stringify(made.findings))
    const { findings } = generateCase(made.value, { kind: 'valid', seed: 0 })
    expect(findings.map(({ code, keyword }) => [code, keyword])).toEqual([['case.none', 'not']])
  })
})

test.each<[type: string, ...rules: JsonObject[]]>([
  ['string', { pattern: '^ab$' }, { format: 'date' }, { minLength: 3 }, { maxLength: 9 }],
  ['number', { minimum: 0 }, { maximum: 0 }, { exclusiveMinimum: 0 }, { exclusiveMaximum: 0 }, { multipleOf: 3 }],
  [
    'array',
    ...[
      { items: { type: 'null' } },
      { prefixItems: [{ type: 'null' }] },
      { contains: { type: 'null' } },
      { minItems: 1 },
    ],
    ...[{ maxItems: 0 }, { uniqueItems: true }, { unevaluatedItems: false }],
  ],
])('a value of no stated type is a %s if it has a rule of one', (type, ...rules) => {
  for (const rule of rules) {
    const made = compileSchemaValue(rule)
    if (!made.ok) throw new Error(JSON.stringify(made.findings))
    const types: unknown[] = Array.from({ length: 6 }, (_, seed) => {
      const one = generateCase(made.value, { kind: 'valid', seed })
      if (!one.ok) return one.findings
      return Array.isArray(one.value.payload) ? 'array' : typeof one.value.payload
    })
    expect<unknown[]>([rule, ...new Set(types)]).toEqual([rule, type])
  }
})

describe('a payload that breaks its schema', () => {
  const pruned = (schema: JsonValue, value: JsonValue) => {
    const made = compileSchemaValue(schema)
    if (!made.ok) throw new Error(JSON.stringify(made.findings))
    return prune(made.value, value, 100_000)
  }
  const few = { type: 'object', required: ['a'], properties: { a: { type: 'integer' }, b: { type: 'integer' } } }

  test('loses the members and items at fault, and nothing else', () => {
    expect(pruned(few, { a: 1, b: 'x', c: 2 })).toEqual({ a: 1, c: 2 })
    expect(pruned({ properties: { l: { items: few } } }, { l: [{ a: 1 }, 2, { a: 3, b: null }] })).toEqual({
      l: [{ a: 1 }, { a: 3 }],
    })
    expect(pruned(few, { a: 1 })).toEqual({ a: 1 })
    // Taking one out may put others in the wrong.
    expect(pruned({ ...few, dependentRequired: { c: ['b'] }, required: [] }, { b: 'x' })).toEqual({})
  })

  test('is given up where what is at fault can’t be spared', () => {
    expect(pruned(few, { a: 'x' })).toBeUndefined()
    expect(pruned({ type: 'object' }, 5)).toBeUndefined()
    expect(pruned({ minItems: 2, items: { type: 'integer' } }, [1, 'x'])).toBeUndefined()
  })
})

test('a text of the format color is one, and another format that nobody knows is any text', () => {
  const propose = (format: string) => {
    const open = { patterns: [], minLength: 0, maxLength: Number.POSITIVE_INFINITY, name: 'city' }
    return proposeText({ ...open, formats: [format] }, new Random(3, 0), { person: 1, place: 1 }, 0, undefined)
  }
  expect(propose('color')).toMatch(/^#[0-9a-f]{6}$/)
  expect(places.map(([city]) => city)).toContain(propose('shape') as never)
})

describe('a text of a format and a length', () => {
  const propose = (format: string, minLength: number, maxLength: number, attempt = 0) => {
    const demand = { patterns: [], formats: [format], minLength, maxLength, name: '' }
    return proposeText(demand, new Random(attempt, 0), { person: 3, place: 1 }, attempt, undefined) ?? ''
  }

  test('is as long as it has to be, up to what the format allows', () => {
    const longest = {
      uri: 400,
      'iri-reference': 400,
      'json-pointer': 400,
      regex: 400,
      'uri-template': 400,
      duration: 60,
    }
    for (const [format, most] of Object.entries(longest))
      for (let length = Math.min(most, 45); length <= most; length++) {
        const text = propose(format, length, length)
        expect([format, length, text.length, formatTest(format)?.(text)]).toEqual([format, length, length, true])
      }
    // One of several proposals, since labels have at most 63 characters, and local parts 64.
    for (const [format, lengths] of [
      ['hostname', [20, 63, 64, 65, 82, 83, 128, 129, 192, 253]],
      ['idn-hostname', [20, 63, 64, 65, 82, 83, 128, 129, 192, 253]],
      ['email', [30, 64, 75, 76, 90, 140, 142, 204, 206, 254]],
    ] as const)
      for (const length of lengths) {
        const found = Array.from({ length: 12 }, (_, attempt) => propose(format, length, length, attempt))
        const valid = found.filter((text) => formatTest(format)?.(text) === true)
        expect([format, length, ...new Set(valid.map((text) => text.length))]).toEqual([format, length, length])
      }
  })

  test('is as short as it has to be', () => {
    for (const format of ['hostname', 'email', 'uri', 'uri-reference'])
      for (const most of [6, 7, 8, 30]) {
        const text = propose(format, 0, most)
        expect([format, text, text.length <= most && formatTest(format)?.(text)]).toEqual([format, text, true])
      }
  })
})

test('a rule under not is broken by a value that any of its parts lists', () => {
  const made = compileSchemaValue({ type: 'string', not: { allOf: [{ anyOf: [{ const: 'x' }, { const: 'y' }] }] } })
  if (!made.ok) throw new Error(JSON.stringify(made.findings))
  const broken = Array.from({ length: 12 }, (_, seed) => generateCase(made.value, { kind: 'invalid', seed }))
  const found = broken.flatMap((one) => (one.ok && one.value.keyword === 'not' ? [one.value.payload] : []))
  expect(new Set(found)).toEqual(new Set(['x', 'y']))
})

test('the words of a property name are found in every way of writing it', () => {
  expect(wordsOf('billingZipCode')).toEqual(['billing', 'zip', 'code'])
  expect(wordsOf('billing_zip-code')).toEqual(['billing', 'zip', 'code'])
  expect(wordsOf('HTMLTitle2')).toEqual(['html', 'title2'])
  expect(wordsOf('')).toEqual([])
})
