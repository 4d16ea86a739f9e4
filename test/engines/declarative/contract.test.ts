import { describe, expect, test } from 'bun:test'
import type { JsonValue } from '../../../src/core/json.ts'
import { codesOf, compile, sourceOf } from './compile.ts'
import { letterContract } from './examples.ts'

/** Codes for an output value where the input is an object with one required member `x` of the given schema. */
function codes(value: string, schema: JsonValue, more: { [key: string]: JsonValue } = {}): string[] {
  return codesOf(sourceOf(value), { contract: { type: 'object', required: ['x'], properties: { x: schema }, ...more } })
}

const person = {
  type: 'object',
  required: ['name'],
  properties: { name: { type: 'string' }, age: { type: 'integer' } },
}

describe('types from a contract', () => {
  test('of an object without declared members lead anywhere, unless it allows no others', () => {
    expect(codes('{ $default: [/x/any, 0] }', { type: 'object' })).toEqual([])
    for (const keyword of ['additionalProperties', 'unevaluatedProperties'])
      expect(codes('{ $default: [/x/any, 0] }', { type: 'object', [keyword]: false })).toEqual(['unknown_path'])
  })

  test('follow $ref by pointer and anchor, and recursion as deep as it is read', () => {
    expect(codesOf(sourceOf('/policyholder/lastNam'), { contract: letterContract })).toEqual(['unknown_path'])
    expect(codes('/x/nme', { $ref: '#p' }, { $defs: { p: { $anchor: 'p', ...person } } })).toEqual(['unknown_path'])
    const node = {
      type: 'object',
      required: ['v'],
      properties: { v: { type: 'number' }, next: { $ref: '#/$defs/node' } },
    }
    const definitions = { $defs: { node } }
    expect(codes('{ $default: [/x/next/next/v, 0] }', { $ref: '#/$defs/node' }, definitions)).toEqual([])
    expect(codes('{ $default: [/x/next/nxt/v, 0] }', { $ref: '#/$defs/node' }, definitions)).toEqual(['unknown_path'])
    expect(codes('/x', { $ref: '#/$defs/node' }, definitions)).toEqual([])
  })

  test('know null from missing', () => {
    const nullable = { type: ['string', 'null'] }
    expect(codes('{ $case: /x, to: upper }', nullable)).toEqual(['may_be_missing'])
    expect(codes('{ $is: [/x, "<", a] }', nullable)).toEqual(['may_be_missing'])
    expect(codes('{ $is: [/x, "=", null] }', nullable)).toEqual([])
    expect(codes('/x', nullable)).toEqual([])
    expect(codes('{ $case: { $default: [/x, a] }, to: upper }', nullable)).toEqual([])
    expect(codes('v: { $omit: /x }', { enum: ['a', null] })).toEqual([])
  })

  test('merge allOf: what one part requires or declares counts for the other', () => {
    const merged = {
      type: 'object',
      allOf: [{ properties: { a: { type: 'string' } } }, { required: ['a'], properties: { b: {} } }],
    }
    expect(codes('{ $case: /x/a, to: upper }', merged)).toEqual([])
    expect(codes('{ $sum: [/x/a] }', merged)).toEqual(['type'])
    expect(codes('/x/b', merged)).toEqual(['may_be_missing'])
    expect(codes('/x/c', merged)).toEqual(['unknown_path'])
    const narrowed = {
      type: 'object',
      required: ['a'],
      properties: { a: { type: ['number', 'null'] } },
      allOf: [{ properties: { a: { type: 'number' } } }],
    }
    expect(codes('{ $sum: [/x/a] }', narrowed)).toEqual([])
  })

  test('take an undeclared member of what two parts describe where one of them invites it', () => {
    const both = (one: JsonValue, other: JsonValue) => ({
      ...{ type: 'object', required: ['o'], properties: { o: one } },
      allOf: [{ properties: { o: other } }],
    })
    const [a, b] = ['a', 'b'].map((name) => ({ type: 'object', properties: { [name]: { type: 'string' } } }))
    const any = { type: 'object' }
    const numbers = { ...a!, additionalProperties: { type: 'number' } }
    for (const [one, other] of [
      [a!, b!],
      [a!, any],
      [any, a!],
    ] as const) {
      expect(codes('{ $default: [/x/o/z, 1] }', both(one, other))).toEqual(['unknown_path'])
      expect(codes('{ $default: [/x/o/a, q] }', both(one, other))).toEqual([])
    }
    expect(codes('{ $default: [/x/o/z, 1] }', both(any, any))).toEqual([])
    for (const [one, other] of [
      [numbers, b!],
      [b!, numbers],
    ] as const) {
      expect(codes('{ $sum: [{ $default: [/x/o/z, 1] }] }', both(one, other))).toEqual([])
      expect(codes('{ $case: { $default: [/x/o/z, q] }, to: upper }', both(one, other))).toEqual(['type'])
    }
  })

  test('join oneOf and anyOf: a member that only one branch has may be missing', () => {
    const union = {
      oneOf: [
        { type: 'object', required: ['kind', 'a'], properties: { kind: { const: 'one' }, a: { type: 'string' } } },
        { type: 'object', required: ['kind', 'b'], properties: { kind: { const: 'two' }, b: { type: 'number' } } },
      ],
    }
    expect(codes('{ $match: /x/kind, one: 1, two: 2 }', union)).toEqual([])
    expect(codes('{ $match: /x/kind, one: 1 }', union)).toEqual(['not_exhaustive'])
    expect(codes('/x/a', union)).toEqual(['may_be_missing'])
    expect(codes('/x/c', union)).toEqual(['unknown_path'])
  })

  test('treat a member that only one of two choices has as one that may be missing', () => {
    const open = { type: 'object', additionalProperties: { type: 'string' } }
    const closed = { type: 'object', properties: { b: { type: 'string' } }, additionalProperties: false }
    const found = (...anyOf: JsonValue[]) => codes('{ $lookup: /x, key: z }', { anyOf })
    expect([found(open, closed), found(closed, open), found(open, open)]).toEqual([[], [], []])
    expect(found(closed, { ...closed, properties: { c: { type: 'string' } } })).toEqual(['not_exhaustive'])
  })

  test('know formats, enumerations, constants and the sizes of arrays', () => {
    expect(codes('{ $dateAdd: /x, days: 1 }', { type: 'string', format: 'date' })).toEqual([])
    expect(codes('{ $dateDiff: [/x, /x], unit: hours }', { type: 'string', format: 'date-time' })).toEqual([])
    expect(codes('{ $dateDiff: [/x, /x], unit: hours }', { type: 'string', format: 'date' })).toEqual(['type', 'type'])
    expect(codes('{ $sum: [/x] }', { const: 5 })).toEqual([])
    expect(codes('{ $pick: /x, at: 1 }', { type: 'array', minItems: 2, items: { type: 'number' } })).toEqual([])
    expect(codes('{ $pick: /x, at: 2 }', { type: 'array', minItems: 2, items: { type: 'number' } })).toEqual([
      'may_be_missing',
    ])
    expect(codes('/x/1', { type: 'array', minItems: 2, items: { type: 'number' } })).toEqual([])
    expect(codes('{ $max: /x }', { type: 'array', minItems: 1, items: { type: 'number' } })).toEqual([])
    expect(
      codes('{ $join: /x }', { type: 'array', prefixItems: [{ type: 'string' }, { type: 'boolean' }], items: false }),
    ).toEqual(['type'])
  })

  test('take undeclared members only where the schema invites them', () => {
    expect(codes('{ $default: [/x/any, 1] }', person)).toEqual(['unknown_path'])
    expect(codes('{ $default: [/x/any, 1] }', { ...person, additionalProperties: { type: 'number' } })).toEqual([])
    expect(codes('{ $default: [/x/any, 1] }', { ...person, patternProperties: { '^a': {} } })).toEqual([])
    expect(codes('{ $default: [/x/any, 1] }', { type: 'object' })).toEqual([])
  })

  test('are unknown, hence permissive, wherever the schema does not decide', () => {
    for (const schema of [
      true,
      {},
      { $ref: 'other.json' },
      { $dynamicRef: '#x' },
      { $ref: '#/nowhere' },
      { not: { type: 'null' } },
    ] as JsonValue[]) {
      expect(codes('[{ $sum: /x }, { $case: /x/y, to: upper }]', schema)).toEqual([])
    }
    expect(codes('/x', { $ref: '#/$defs/loop' }, { $defs: { loop: { $ref: '#/$defs/loop' } } })).toEqual([])
    expect(codes('/x', { $ref: '#/$defs/loop' }, { $defs: { loop: { anyOf: [{ $ref: '#/$defs/loop' }] } } })).toEqual(
      [],
    )
  })

  test('bound the cost by the maxItems of nested arrays', () => {
    const nested = { type: 'array', maxItems: 10, items: { type: 'array', maxItems: 20, items: { type: 'number' } } }
    const contract = { type: 'object', required: ['x'], properties: { x: nested } }
    // The path, the loop, and for each of 10 items itself, a path and a sum over 20.
    expect(compile(sourceOf('{ $each: /x, as: y, do: { $sum: $y } }'), { contract }).costBound).toBe(
      2 + 10 * (1 + 2 + 20),
    )
  })
  test('the arrays of the input that are looped over are listed, and no others', () => {
    const lets = 'let:\n  lines: /lines\n  made: { $each: /made, as: m, do: $m/x }\n'
    const value = `a: { $each: $lines, as: l, do: { $sum: $l/parts, as: p, of: $p/net } }
b: { $each: $made, as: m, do: $m }
c: /taken
d: { $join: /names, with: " " }`
    const parts = { type: 'array', maxItems: 9 }
    const lines = { type: 'array', maxItems: 9, items: { type: 'object', required: ['parts'], properties: { parts } } }
    const contract = {
      type: 'object',
      required: ['lines', 'made', 'names', 'taken'],
      properties: { lines, made: true, names: true, taken: true },
    }
    const loops = compile(sourceOf(value, lets), { contract }).loops
    expect(loops).toEqual(['/lines', '/lines/*/parts', '/made', '/names'])
  })
  test('null stays possible in the items of made arrays', () => {
    const contract = {
      type: 'object',
      required: ['b', 'l'],
      properties: { b: { type: 'boolean' }, l: { type: 'array' } },
    }
    const item = '{ $if: /b, then: a, else: null }'
    for (const array of [`[${item}]`, `{ $each: /l, as: x, do: ${item} }`, '[null]']) {
      expect(codesOf(sourceOf(`{ $distinct: ${array} }`), { contract })).toEqual(['may_be_missing'])
      expect(codesOf(sourceOf(array), { contract })).toEqual([])
    }
  })

  test('a comparison must make sense for everything that its sides may be', () => {
    const properties = { t: { type: 'string' }, u: { type: ['string', 'array'] }, n: { type: ['string', 'number'] } }
    const contract = { type: 'object', required: ['t', 'u', 'n'], properties }
    expect(codesOf(sourceOf('{ $is: [/t, "=", /u] }'), { contract })).toEqual(['type'])
    expect(codesOf(sourceOf('{ $is: [/n, "!=", /t] }'), { contract })).toEqual(['type'])
    expect(codesOf(sourceOf('{ $is: [/t, in, [1, a]] }'), { contract })).toEqual(['type'])
    expect(codesOf(sourceOf('{ $is: [/t, in, [a, null]] }'), { contract })).toEqual([])
  })
})
