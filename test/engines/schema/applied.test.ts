import { describe, expect, test } from 'bun:test'
import type { JsonValue } from '../../../src/core/json.ts'
import { appliedSchemas } from '../../../src/engines/schema/generate/applied.ts'
import { leastSizes } from '../../../src/engines/schema/generate/size.ts'
import { type CompiledSchema, compileSchemaValue } from '../../../src/engines/schema/schema.ts'

function compiled(schema: JsonValue): CompiledSchema {
  const result = compileSchemaValue(schema)
  if (!result.ok) throw new Error(result.findings[0]?.message)
  return result.value
}

describe('the schemas that apply to each part of a payload', () => {
  /** Schema, payload, and for each path the places of the schemas. */
  const rows: [schema: JsonValue, payload: JsonValue, applied: Record<string, string[]>][] = [
    [{ type: 'string' }, 'a', { '': [''] }],
    [{ properties: { a: { type: 'string' } } }, { a: 'x', b: 1 }, { '': [''], '/a': ['/properties/a'], '/b': [] }],
    [{ $ref: '#/$defs/a', $defs: { a: { minimum: 1 } } }, 2, { '': ['', '/$defs/a'] }],
    [{ anyOf: [{ type: 'string' }, { type: 'number' }, true] }, 2, { '': ['', '/anyOf/1'] }],
    [{ oneOf: [{ minimum: 5 }, { maximum: 5 }] }, 6, { '': ['', '/oneOf/0'] }],
    [{ if: { minimum: 5 }, then: { maximum: 9 }, else: { minimum: 0 } }, 6, { '': ['', '/if', '/then'] }],
    [{ if: { minimum: 5 }, then: { maximum: 9 }, else: { minimum: 0 } }, 1, { '': ['', '/else'] }],
    [{ if: { minimum: 5 }, then: { maximum: 9 } }, 1, { '': [''] }],
    [
      { dependentSchemas: { a: { required: ['b'] }, c: { required: ['d'] } } },
      { a: 1, b: 2 },
      { '': ['', '/dependentSchemas/a'], '/a': [], '/b': [] },
    ],
    [
      { patternProperties: { '^x': { type: 'number' } }, additionalProperties: { type: 'string' } },
      { x1: 1, y: 'a' },
      { '': [''], '/x1': ['/patternProperties/^x'], '/y': ['/additionalProperties'] },
    ],
    [
      { properties: { a: { type: 'number' } }, unevaluatedProperties: { type: 'string' } },
      { a: 1, b: 'x' },
      { '': [''], '/a': ['/properties/a'], '/b': ['/unevaluatedProperties'] },
    ],
    [
      { prefixItems: [{ type: 'string' }], items: { type: 'number' } },
      ['a', 1, 2],
      { '': [''], '/0': ['/prefixItems/0'], '/1': ['/items'], '/2': ['/items'] },
    ],
    [{ contains: { type: 'string' } }, ['a', 1], { '': [''], '/0': ['/contains'], '/1': [] }],
    [
      { allOf: [{ allOf: [{ minimum: 1 }] }, { $ref: '#/allOf/0' }] },
      2,
      { '': ['', '/allOf/0', '/allOf/1', '/allOf/0/allOf/0'] },
    ],
  ]
  test.each(rows)('%j on %j', (schema, payload, applied) => {
    const found = appliedSchemas(compiled(schema).model, payload, 100_000)
    const places = found.map(({ path, nodes }) => [path, nodes.map((node) => node.pointer)])
    expect(Object.fromEntries(places)).toEqual(applied)
  })
})

describe('the least size of a value', () => {
  /** Schema and how many values its smallest value has; undefined if it never ends. */
  const rows: [schema: JsonValue, size: number | undefined][] = [
    [true, 1],
    [false, undefined],
    [{ type: 'string' }, 1],
    [{ type: ['object', 'string'], required: ['a', 'b'] }, 1],
    [{ type: 'object', required: ['a', 'b'] }, 3],
    [{ required: ['a'] }, 2],
    [{ type: 'object', required: ['a'], properties: { a: { type: 'object', required: ['b'] } } }, 3],
    [{ type: 'object', required: ['a'], additionalProperties: { type: 'object', required: ['b'] } }, 3],
    [{ type: 'array', minItems: 3 }, 4],
    [{ type: 'array', minItems: 2, items: { type: 'array', minItems: 2 } }, 7],
    [{ type: 'array', minItems: 2, prefixItems: [{ type: 'array', minItems: 4 }] }, 7],
    [{ type: 'array', contains: { type: 'object', required: ['a'] } }, 3],
    [
      {
        allOf: [
          { type: 'array', minItems: 2 },
          { type: 'array', minItems: 4 },
        ],
      },
      5,
    ],
    [
      {
        anyOf: [
          { type: 'array', minItems: 2 },
          { type: 'array', minItems: 1 },
        ],
      },
      2,
    ],
    [{ oneOf: [{ type: 'array', minItems: 2 }, false] }, 3],
    [{ $ref: '#/$defs/a', $defs: { a: { type: 'array', minItems: 5 } } }, 6],
    [{ type: 'object', required: ['next'], properties: { next: { $ref: '#' } } }, undefined],
    [{ type: 'object', required: ['next'], properties: { next: { anyOf: [{ $ref: '#' }, { type: 'null' }] } } }, 2],
  ]
  test.each(rows)('of %j is %p', (schema, size) => {
    const { model } = compiled(schema)
    const found = leastSizes(model).get(model.root) ?? 0
    if (size === undefined) expect(found).toBeGreaterThanOrEqual(1_000_000_000)
    else expect(found).toBe(size)
  })
})
