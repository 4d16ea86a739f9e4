/** The closures that say whether a value is valid, beside the walk that says why it is not. */
import { describe, expect, test } from 'bun:test'
import { isJsonObject, type JsonObject, type JsonValue } from '../../../src/core/json.ts'
import { limits } from '../../../src/core/limits.ts'
import { Evaluation } from '../../../src/engines/schema/evaluate.ts'
import { Faults } from '../../../src/engines/schema/explain.ts'
import { Random } from '../../../src/engines/schema/generate/random.ts'
import type { SchemaModel } from '../../../src/engines/schema/model.ts'
import { compileSchemaValue, validatePayload } from '../../../src/engines/schema/schema.ts'
import { arbitraryDocument } from './arbitrary.ts'

const names = ['alpha', 'beta', 'gamma', 'delta', 'epsilon', 'zeta']
const scalars: readonly JsonValue[] = [null, true, 0, 1, 2.5, 6, '', 'a', 'alpha', 'a12', 'alphabet soup']

/** Mostly of the kind that the schema names, so that more than types are looked at. */
function arbitraryValue(random: Random, schema: JsonValue | undefined, depth: number): JsonValue {
  const { type, properties, items, const: constant } = isJsonObject(schema) ? schema : ({} as JsonObject)
  if (constant !== undefined && random.chance(60)) return constant
  const isDeep = depth > 0 && random.chance(90)
  if (isDeep && (type === 'array' || items !== undefined || random.chance(10))) {
    return Array.from({ length: random.below(5) }, () => arbitraryValue(random, items, depth - 1))
  }
  if (isDeep && (type === 'object' || properties !== undefined || random.chance(20))) {
    const declared = isJsonObject(properties) ? properties : {}
    const keys = names.filter((name) => random.chance(name in declared ? 85 : 15))
    if (random.chance(30)) keys.reverse()
    return Object.fromEntries(keys.map((key) => [key, arbitraryValue(random, declared[key], depth - 1)]))
  }
  return random.pick(scalars)
}

test('closures and the walk agree on every value', () => {
  const random = new Random(13, 0)
  const answers = { valid: 0, invalid: 0 }
  for (let round = 0; round < 800; round++) {
    const document: JsonObject = arbitraryDocument(random)
    const compiled = compileSchemaValue(document)
    if (!compiled.ok) continue
    const { model } = compiled.value
    // The same closures for all: what they remember of one value must not matter for the next.
    for (let at = 0; at < 8; at++) {
      const value = arbitraryValue(random, document, 4)
      const isValid = new Evaluation(model, limits.schemaEvaluationSteps).isValid(value)
      const faults = new Faults(limits.schemaFindings)
      new Evaluation(model, limits.schemaEvaluationSteps).explain(value, faults)
      if (isValid !== (faults.list.length === 0)) expect({ document, value, isValid, faults: faults.list }).toBeNull()
      answers[isValid ? 'valid' : 'invalid']++
    }
  }
  expect(answers.valid).toBeGreaterThan(1_000)
  expect(answers.invalid).toBeGreaterThan(1_000)
})

test('what objects had before does not matter: order, missing, unknown and further names', () => {
  const properties = { a: { type: 'integer' }, b: { type: 'integer' }, c: { type: 'integer' } }
  const open = compileSchemaValue({ required: ['a', 'b', 'z'], additionalProperties: true, properties })
  const plain = compileSchemaValue({ required: ['a', 'b', 'z'], properties })
  const closed = compileSchemaValue({ required: ['a', 'b'], additionalProperties: false, properties })
  if (!open.ok || !plain.ok || !closed.ok) throw new Error('a schema is refused')
  const holds = (model: SchemaModel, value: JsonObject) =>
    new Evaluation(model, limits.schemaEvaluationSteps).isValid(value)
  for (let round = 0; round < 2; round++) {
    for (const { model } of [open.value, plain.value]) {
      expect(holds(model, { a: 1, b: 2, z: 0 })).toBe(true)
      expect(holds(model, { z: 0, x: 'free', b: 2, c: 3, a: 1 })).toBe(true)
      expect(holds(model, { a: 1, b: 2 })).toBe(false)
      expect(holds(model, { a: 1, z: 0, c: 3 })).toBe(false)
      expect(holds(model, { a: 1, z: 0, b: 'two' })).toBe(false)
    }
    expect(holds(closed.value.model, { a: 1, b: 2 })).toBe(true)
    expect(holds(closed.value.model, { b: 2, a: 1, c: 3 })).toBe(true)
    expect(holds(closed.value.model, { a: 1, c: 3 })).toBe(false)
    expect(holds(closed.value.model, { a: 1, b: 2, x: 3 })).toBe(false)
    expect(holds(closed.value.model, { a: 1, b: 'two' })).toBe(false)
  }
})

/** Whether a schema holds for each of the values, by the closures and by the walk, which must agree. */
function answersOf(document: JsonObject, values: readonly JsonValue[]): boolean[] {
  const compiled = compileSchemaValue(document)
  if (!compiled.ok) throw new Error('the schema is refused')
  const { model } = compiled.value
  return values.map((value) => {
    const isValid = new Evaluation(model, limits.schemaEvaluationSteps).isValid(value)
    const faults = new Faults(limits.schemaFindings)
    new Evaluation(model, limits.schemaEvaluationSteps).explain(value, faults)
    expect({ value, isValid }).toEqual({ value, isValid: faults.list.length === 0 })
    return isValid
  })
}

test('rules of scalars hold to the last digit, for members, items and alone', () => {
  const next = 1 + Number.EPSILON
  const most = 100_000
  const rules: [rule: JsonObject, valid: JsonValue[], invalid: JsonValue[]][] = [
    [{ type: 'number', exclusiveMinimum: 1, exclusiveMaximum: most }, [next, 99_999.99999999999], [1, most, '2', null]],
    [{ type: 'number', exclusiveMinimum: 0, exclusiveMaximum: 1 }, [5e-324, 0.9999999999999999], [0, -5e-324, 1]],
    [{ type: 'number', exclusiveMinimum: -1, exclusiveMaximum: 0 }, [-0.9999999999999999, -5e-324], [-1, 0]],
    [{ type: 'number', minimum: 1, exclusiveMinimum: 0, maximum: 2, exclusiveMaximum: 3 }, [1, 2], [0.5, 2.5]],
    [{ type: 'integer', minimum: -3, maximum: 3 }, [-3, 0, 3], [-4, 4, 1.5, '1']],
    [{ type: ['number', 'null'], multipleOf: 0.01 }, [null, 19.99, 3], [0.005, 'x']],
    [{ type: ['integer', 'null'], maximum: 3 }, [null, 3], [3.5, 4, false]],
    [
      { type: ['string', 'null'], minLength: 2, maxLength: 3 },
      [null, 'ab', '😀😀', '😀😀😀', 'abc'],
      ['a', '😀', 'abcd', 1],
    ],
    [{ type: 'string', pattern: '^[a-z]{2}-\\d$', format: 'email', maxLength: 9 }, [], ['ab-1', 'a@b.de']],
    [{ type: 'string', pattern: '^[^@]+@b', format: 'email' }, ['a@b.de'], ['a@c.de', 'a@b..de']],
    [{ type: 'string', enum: ['a', 1, 'b', null] }, ['a', 'b'], [1, null, 'c']],
    [{ type: 'integer', enum: [1, 1.5, 2], const: 2 }, [2], [1, 1.5, '2']],
    [{ type: 'integer', enum: [1, 3], const: 2 }, [], [1, 2, 3]],
    [{ type: 'boolean' }, [true, false], [null, 0, 'true']],
    [{ type: ['boolean', 'null'] }, [true, null], [0]],
  ]
  for (const [rule, valid, invalid] of rules) {
    const values = [...valid, ...invalid]
    const expected = values.map((value) => valid.includes(value))
    const closed = { additionalProperties: false, properties: { a: rule } }
    expect([rule, answersOf(rule, values)]).toEqual([rule, expected])
    expect(
      answersOf(
        { items: rule },
        values.map((value) => [value]),
      ),
    ).toEqual(expected)
    for (const object of [{ properties: { a: rule } }, closed]) {
      expect(
        answersOf(
          object,
          values.map((a) => ({ a })),
        ),
      ).toEqual(expected)
    }
  }
})

test('names that every object inherits are members only where an object has them itself', () => {
  const names = ['constructor', 'toString', '__proto__']
  for (const name of names) {
    const own = JSON.parse(`{ ${JSON.stringify(name)}: 1 }`) as JsonObject
    const wrong = JSON.parse(`{ ${JSON.stringify(name)}: "x" }`) as JsonObject
    const properties = JSON.parse(`{ ${JSON.stringify(name)}: { "type": "integer" } }`) as JsonObject
    expect(answersOf({ properties }, [{}, own, wrong])).toEqual([true, true, false])
    expect(answersOf({ required: [name] }, [{}, own])).toEqual([false, true])
  }
})

test('alternatives that a member tells apart are those that hold, whatever else they say', () => {
  const of = (kind: JsonValue, more: JsonObject = {}): JsonObject => ({ properties: { kind }, ...more })
  const [a, b] = [of({ const: 'a' }, { required: ['x'] }), of({ enum: ['b', 'c'] }, { required: ['y'] })]
  const values = [{ kind: 'a' }, { kind: 'a', x: 1 }, { kind: 'c', y: 1 }, { kind: 'd', x: 1 }, { kind: ['a'], x: 1 }]
  for (const keyword of ['anyOf', 'oneOf']) {
    expect(answersOf({ [keyword]: [a, b] }, values)).toEqual([false, true, true, false, false])
    // Without the member both may hold, and what is no object is none of their business.
    expect(answersOf({ [keyword]: [a, b] }, [{ x: 1 }, { x: 1, y: 1 }, {}, 'a'])).toEqual([
      ...[true, keyword === 'anyOf', false],
      keyword === 'anyOf',
    ])
    const referring = { [keyword]: [{ $ref: '#/$defs/a' }, { $ref: '#/$defs/b' }], $defs: { a, b } }
    expect(answersOf(referring, values)).toEqual([false, true, true, false, false])
    // One that allows every value of the member, or a structure, may always hold.
    expect(answersOf({ [keyword]: [a, of({})] }, values.slice(3))).toEqual([true, true])
    expect(answersOf({ [keyword]: [a, of({ const: ['a'] })] }, values.slice(3))).toEqual([false, true])
  }
  expect(answersOf({ oneOf: [a, of({ enum: ['a', 'b'] })] }, [{ kind: 'a' }, { kind: 'a', x: 1 }])).toEqual([
    true,
    false,
  ])
})

test('what another rule has evaluated is not unevaluated, whichever way the rules are combined', () => {
  const a = { properties: { a: { const: 1 } }, required: ['a'] }
  const b = { properties: { b: true }, required: ['b'] }
  const [noProperties, noItems] = [{ unevaluatedProperties: false }, { unevaluatedItems: false }]
  const rows: [schema: JsonObject, valid: JsonValue[], invalid: JsonValue[]][] = [
    [{ oneOf: [a, b], ...noProperties }, [{ a: 1 }, { b: 1 }], [{ a: 1, b: 1 }, { a: 1, c: 1 }, {}, { a: 2 }]],
    [{ oneOf: [b, a, { required: ['c'] }], ...noProperties }, [{ a: 1 }, { b: 1 }], [{ a: 1, b: 1 }, { c: 1 }]],
    [{ anyOf: [a, b], ...noProperties }, [{ a: 1 }, { b: 1 }, { a: 1, b: 1 }], [{ a: 2, b: 1 }, { b: 1, c: 1 }, {}]],
    [{ allOf: [a, b], ...noProperties }, [{ a: 1, b: 1 }], [{ a: 1 }, { a: 1, b: 1, c: 1 }]],
    [
      { if: a, then: { properties: { c: true } }, else: { properties: { d: true } }, ...noProperties },
      [{ a: 1, c: 1 }, { a: 1 }, { d: 1 }, {}],
      [{ a: 1, d: 1 }, { c: 1 }, { a: 2 }],
    ],
    [{ not: a, ...noProperties }, [{}], [{ a: 2 }, { a: 1 }]],
    [
      { dependentSchemas: { a: { ...b, properties: { a: true, b: true } } }, ...noProperties },
      [{ a: 1, b: 1 }, {}],
      [{ b: 1 }, { a: 1 }],
    ],
    [{ $ref: '#/$defs/a', $defs: { a }, ...noProperties }, [{ a: 1 }], [{ a: 1, b: 1 }]],
    [{ allOf: [{ unevaluatedProperties: { type: 'integer' } }], ...noProperties }, [{ a: 1 }], [{ a: 'x' }]],
    [{ allOf: [{ additionalProperties: { type: 'integer' } }], ...noProperties }, [{ a: 1 }], [{ a: 'x' }]],
    [{ patternProperties: { '^a': true }, ...noProperties }, [{ ab: 1 }], [{ ba: 1 }]],
    [{ properties: { a: true }, unevaluatedProperties: { type: 'integer' } }, [{ a: 'x', b: 1 }], [{ b: 'x' }]],
    // What is beside in another branch of allOf is none of this schema's own.
    [{ allOf: [{ properties: { a: true } }, noProperties] }, [{}, 7], [{ a: 1 }]],
    [{ allOf: [{ prefixItems: [true] }], ...noItems }, [[], [1]], [[1, 2]]],
    [{ anyOf: [{ prefixItems: [true, true] }, { prefixItems: [true] }], ...noItems }, [[1, 2]], [[1, 2, 3]]],
    [
      { oneOf: [{ items: { type: 'integer' } }, { items: { type: 'string' } }], ...noItems },
      [[1, 2], ['a']],
      [[1, 'a'], []],
    ],
    [
      { contains: { type: 'integer' }, unevaluatedItems: { type: 'string' } },
      [
        [1, 'a'],
        ['a', 1],
      ],
      [['a'], [1, true]],
    ],
    [{ allOf: [{ contains: { const: 1 }, minContains: 0 }], ...noItems }, [[], [1, 1]], [[1, 2], [2]]],
    [{ if: { prefixItems: [{ const: 1 }] }, ...noItems }, [[], [1]], [[2], [1, 2]]],
    [{ allOf: [{ unevaluatedItems: true }], ...noItems }, [[1, 2]], []],
  ]
  for (const [schema, valid, invalid] of rows) {
    const expected = [...valid.map(() => true), ...invalid.map(() => false)]
    expect([schema, answersOf(schema, [...valid, ...invalid])]).toEqual([schema, expected])
    // The same behind a reference, where it is asked with others beside it.
    const inner = { $defs: { whole: { $id: 'whole', ...schema } }, allOf: [{ $ref: 'whole' }], title: 'outer' }
    expect([inner, answersOf(inner, [...valid, ...invalid])]).toEqual([inner, expected])
  }
})

test('many looks at one large object are charged by its size, also where its last member is wrong', () => {
  const names = Array.from({ length: 2_000 }, (_, index) => `p${index}`)
  const value = { ...Object.fromEntries(names.map((name) => [name, 1])), last: 'wrong' }
  const properties = { last: { type: 'integer' }, other: true, third: true }
  const rule = { properties: { ...properties, ...Object.fromEntries(names.map((name) => [name, true])) } }
  for (const part of [{ properties }, { ...rule, additionalProperties: false }]) {
    const compiled = compileSchemaValue({
      $defs: { part },
      anyOf: names.slice(0, 100).map(() => ({ $ref: '#/$defs/part' })),
    })
    if (!compiled.ok) throw new Error('the schema is refused')
    const evaluation = new Evaluation(compiled.value.model, 20_000)
    expect(() => evaluation.isValid(value)).toThrow('ran out of steps')
  }
})

describe('a recursive schema with alternatives', () => {
  const node = (kind: string) => ({
    properties: { type: { const: kind }, content: { type: 'array', items: { $ref: '#/$defs/node' } } },
    required: ['type'],
  })
  const kinds = ['a', 'b', 'c', 'd', 'e', 'f']
  /** As it is kept, in the order of the names. */
  const nested = (depth: number): JsonObject => ({ content: depth === 0 ? [] : [nested(depth - 1)], type: 'f' })
  const within = (depth: number): JsonObject => ({ content: depth === 0 ? [] : [within(depth - 1)], of: { kind: 'f' } })
  const names = { name: {}, title: {}, children: { type: 'array', items: { $ref: '#/$defs/node' } } }
  const titled = (depth: number): JsonObject => ({ children: depth === 0 ? [] : [titled(depth - 1)], title: 'x' })
  const recursive: [what: string, model: JsonObject, value: JsonObject][] = [
    ['that differ by a constant', { oneOf: kinds.map(node) }, nested(20)],
    [
      'that differ by a name that is there',
      {
        anyOf: [
          { properties: names, required: ['name'] },
          { properties: names, required: ['title'] },
        ],
      },
      titled(20),
    ],
    [
      'of many names, in which constants come last',
      {
        oneOf: kinds.map((kind) => ({
          ...node(kind),
          properties: { text: { type: 'string' }, ...node(kind).properties, more: { minItems: 0 } },
        })),
      },
      nested(20),
    ],
    [
      'that differ by a constant within what is declared first',
      {
        oneOf: kinds.map((kind) => ({
          properties: { of: { properties: { kind: { const: kind } } }, ...node('x').properties, type: {} },
        })),
      },
      within(20),
    ],
  ]
  test.each(recursive)(
    '%s is asked in steps that grow with the depth alone, whichever way it is asked',
    (_what, alternatives, value) => {
      for (const dynamic of [{}, { $dynamicAnchor: 'node', properties: { none: { $dynamicRef: '#node' } } }]) {
        const compiled = compileSchemaValue({ $ref: '#/$defs/node', $defs: { node: alternatives }, ...dynamic })
        if (!compiled.ok) throw new Error('the schema is refused')
        expect(compiled.value.model.isDynamic).toBe('$dynamicAnchor' in dynamic)
        expect(new Evaluation(compiled.value.model, 5_000).isValid(value)).toBe(true)
      }
    },
  )

  /** The same value with a number in place of its innermost array. */
  const spoilt = (value: JsonValue): JsonValue => {
    if (!isJsonObject(value)) return value
    const [key, list] = Object.entries(value).find(([, member]) => Array.isArray(member)) as [string, JsonValue[]]
    return { ...value, [key]: list[0] === undefined ? 1 : [spoilt(list[0])] }
  }
  test.each(recursive)('%s tells in as few steps what is wrong at the bottom', (_what, alternatives, value) => {
    for (const dynamic of [{}, { $dynamicAnchor: 'node', properties: { none: { $dynamicRef: '#node' } } }]) {
      const compiled = compileSchemaValue({ $ref: '#/$defs/node', $defs: { node: alternatives }, ...dynamic })
      if (!compiled.ok) throw new Error('the schema is refused')
      const findings = validatePayload(compiled.value, spoilt(value), { maxSteps: 20_000 })
      expect(findings.map(({ code }) => code)).toContain('payload.type')
      expect(findings.find(({ code }) => code === 'payload.type')?.path).toMatch(
        /^(\/(content|children)\/0){20}\/(content|children)$/,
      )
    }
  })

  test('holds no pointers of what it has asked, which may each be as long as the value', () => {
    const [full, empty] = [
      { type: 'object', required: ['a'] },
      { type: 'object', maxProperties: 0 },
    ]
    const list = { type: 'array', items: { anyOf: [full, empty] } }
    const compiled = compileSchemaValue({ required: ['missing'], additionalProperties: list })
    if (!compiled.ok) throw new Error('the schema is refused')
    const before = process.memoryUsage.rss()
    const value = { ['k'.repeat(200_000)]: Array.from({ length: 3_000 }, () => ({})) }
    expect(validatePayload(compiled.value, value)).toMatchObject([{ code: 'payload.required', path: '' }])
    // The pointers alone are 600 MB.
    expect((process.memoryUsage.rss() - before) / 2 ** 20).toBeLessThan(300)
  })
})
