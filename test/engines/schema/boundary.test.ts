import { describe, expect, test } from 'bun:test'
import type { JsonObject, JsonValue } from '../../../src/core/json.ts'
import { findBoundary } from '../../../src/engines/schema/generate/boundary.ts'
import { Random } from '../../../src/engines/schema/generate/random.ts'
import { compileSchemaValue } from '../../../src/engines/schema/schema.ts'

/** Every limit that may be named for a payload, by place and keyword. */
function reached(schema: JsonObject, payload: JsonValue): string[] {
  const compiled = compileSchemaValue(schema)
  if (!compiled.ok) throw new Error(JSON.stringify(compiled.findings))
  const found = Array.from({ length: 40 }, (_, seed) => findBoundary(compiled.value, payload, new Random(seed, 0)))
  return [...new Set(found.flatMap((one) => (one === undefined ? [] : [`${one.path} ${one.keyword}`])))].sort()
}

describe('a limit that a payload reaches', () => {
  test.each<[schema: JsonObject, atLimit: JsonValue, keyword: string, others: JsonValue[]]>([
    [{ minimum: 2 }, 2, 'minimum', [1, 3, '2', [0, 0]]],
    [{ maximum: 2 }, 2, 'maximum', [1, 3]],
    [{ type: 'integer', exclusiveMinimum: 2 }, 3, 'exclusiveMinimum', [2, 4]],
    [{ type: 'integer', exclusiveMinimum: 2.5 }, 3, 'exclusiveMinimum', [2, 4]],
    [{ type: 'integer', exclusiveMaximum: 2 }, 1, 'exclusiveMaximum', [2, 0]],
    [{ type: 'integer', exclusiveMaximum: 2.5 }, 2, 'exclusiveMaximum', [3, 1]],
    [{ minLength: 2 }, 'ab', 'minLength', ['a', 'abc', 2, [1, 2]]],
    [{ minLength: 1 }, '😀', 'minLength', ['😀😀']],
    [{ maxLength: 2 }, 'ab', 'maxLength', ['a', 'abc']],
    [{ minItems: 2 }, [1, 2], 'minItems', [[1], [1, 2, 3], 'ab']],
    [{ maxItems: 2 }, [1, 2], 'maxItems', [[1], [1, 2, 3]]],
    [{ minProperties: 1 }, { a: 1 }, 'minProperties', [{ a: 1, b: 2 }, ['a']]],
    [{ maxProperties: 1 }, { a: 1 }, 'maxProperties', [{ a: 1, b: 2 }]],
  ])('of %j is reached by %j: %s', (schema, atLimit, keyword, others) => {
    expect(reached(schema, atLimit)).toEqual([` ${keyword}`])
    for (const other of others) expect([other, reached(schema, other)]).toEqual([other, []])
  })

  test('that is open is reached by integers alone', () => {
    expect(reached({ exclusiveMinimum: 2 }, 3)).toEqual([])
    expect(reached({ type: 'number', exclusiveMaximum: 2 }, 1)).toEqual([])
  })

  test('of members is reached where all optional ones are there, or none of them', () => {
    const schema = { properties: { a: {}, b: {}, c: {} }, required: ['a'] }
    expect(reached(schema, { a: 1, b: 2, c: 3 })).toEqual([' properties'])
    expect(reached(schema, { a: 1 })).toEqual([' required'])
    expect(reached(schema, { a: 1, b: 2 })).toEqual([])
    expect(reached({ properties: { a: {} } }, { b: 1 })).toEqual([' properties'])
    expect(reached({ properties: { a: {} }, required: ['a'] }, { a: 1 })).toEqual([])
    expect(reached({ properties: { a: {} } }, ['a'])).toEqual([])
  })

  test('of a type is reached by what is empty, and of items by no items', () => {
    for (const [type, empty] of [
      ['string', ''],
      ['array', []],
      ['object', {}],
    ] as [string, JsonValue][])
      expect([type, reached({ type }, empty)]).toEqual([type, [' type']])
    expect(reached({ items: {} }, [])).toEqual([' items'])
    for (const payload of ['', {}]) expect(reached({ items: {} }, payload)).toEqual([])
    for (const payload of ['x', [0], { a: 1 }, 0, false, null])
      expect(reached({ type: ['string', 'array', 'object', 'number', 'boolean', 'null'] }, payload)).toEqual([])
  })

  test('is a bound before one of members, and that before emptiness; of its kind any may be named, wherever it is', () => {
    const inner = { type: 'object', properties: { a: {} }, minProperties: 0 }
    expect(reached(inner, {})).toEqual([' minProperties'])
    expect(reached({ type: 'object', properties: { a: {} } }, {})).toEqual([' properties'])
    const schema = { properties: { n: { minimum: 1, maximum: 1 }, list: { items: { maxLength: 1 } } } }
    expect(reached(schema, { n: 1, list: ['', 'x'] })).toEqual(['/list/1 maxLength', '/n maximum', '/n minimum'])
  })
})
