import { describe, expect, test } from 'bun:test'
import { nameOfOption, resolve, shapeOf, typesOf } from '../../src/console/engines/input-parts.ts'
import { starterOf } from '../../src/console/engines/starter.ts'
import type { JsonObject, JsonValue } from '../../src/core/json.ts'
import { compileSchemaValue } from '../../src/engines/schema/schema.ts'

function compiled(schema: JsonObject) {
  const found = compileSchemaValue(schema)
  if (!found.ok) throw new Error(JSON.stringify(found.findings))
  return found.value
}
function resolved(schema: JsonObject, value?: JsonValue, chosen: Record<string, number> = {}) {
  const of = compiled(schema)
  return resolve({ schema: of, value, toggled: new Set(), chosen }, [of.model.root], value, '/at')
}
const shape = (schema: JsonObject, value?: JsonValue) => shapeOf(resolved(schema, value).parts, value)

describe('a value of an input', () => {
  test.each<[schema: JsonObject, value: JsonValue | undefined, kind: string]>([
    [{ const: 'x', enum: ['x'] }, undefined, 'fixed'],
    [{ enum: ['x', 'y'], type: 'string' }, 'z', 'choice'],
    [{ type: 'string' }, undefined, 'text'],
    [{ type: 'string' }, 'a'.repeat(120), 'text'],
    [{ type: 'string' }, 'a'.repeat(121), 'long'],
    [{ type: 'string' }, 'a\nb', 'long'],
    [{ type: 'string', maxLength: 120 }, '', 'text'],
    [{ type: 'string', maxLength: 121 }, '', 'long'],
    [{ type: 'string' }, 7, 'json'],
    [{ type: 'string' }, null, 'text'],
    [{ type: 'string', format: 'date' }, undefined, 'date'],
    [{ type: 'string', format: 'date' }, '2027-01-01', 'date'],
    [{ type: 'string', format: 'date' }, '1.1.2027', 'text'],
    [{ type: 'string', format: 'time' }, '', 'text'],
    [{ type: 'integer' }, 3, 'integer'],
    [{ type: 'integer' }, 3.5, 'json'],
    [{ type: 'integer' }, undefined, 'integer'],
    [{ type: 'number' }, 3, 'number'],
    [{ type: ['number', 'null'] }, null, 'number'],
    [{ type: 'boolean' }, 'true', 'json'],
    [{ type: 'boolean' }, false, 'boolean'],
    [{ type: 'array' }, [], 'array'],
    [{ type: 'array' }, {}, 'json'],
    [{ type: 'object' }, {}, 'object'],
    [{ type: ['string', 'integer'] }, 3, 'integer'],
    [{ type: ['string', 'integer'] }, 'x', 'text'],
    [{ type: ['string', 'integer'] }, undefined, 'json'],
    [{ type: ['string', 'integer'] }, [], 'array'],
    [{}, undefined, 'json'],
    [{}, { a: 1 }, 'object'],
    [{}, [1], 'array'],
    [{}, 'x', 'json'],
    [{ properties: { a: {} } }, undefined, 'object'],
    [{ items: {} }, undefined, 'array'],
    [{ prefixItems: [{}] }, undefined, 'array'],
  ])('under %j is shown, as %j, in a field of the kind %s', (schema, value, kind) => {
    expect(shape(schema, value)).toBe(kind as never)
  })

  test('has the types that all parts of its schema allow, in the words of the first', () => {
    const types = (...parts: JsonObject[]) => [...typesOf(resolved({ allOf: parts }).parts)]
    expect(types({ type: ['string', 'null', 'integer'] }, { type: ['integer', 'string'] })).toEqual([
      'string',
      'integer',
    ])
    expect(types({ type: 'integer' }, { type: 'number' })).toEqual(['integer'])
    expect(types({ type: 'number' }, { type: 'integer' })).toEqual(['number'])
    expect(types({ type: 'string' }, { type: 'number' })).toEqual(['string'])
    expect(types({ type: 'string' }, { type: 'number' }, { properties: { a: {} } })).toEqual(['object'])
    expect(types({})).toEqual([])
  })
})

describe('the schema of a value', () => {
  const circle = {
    title: 'Circle',
    properties: { kind: { const: 'circle' }, r: { type: 'number' } },
    required: ['kind', 'r'],
  }
  const square = {
    title: 'Square',
    properties: { kind: { const: 'square' }, a: { type: 'number' } },
    required: ['kind', 'a'],
  }
  const chosenOf = (value?: JsonValue, chosen?: number) =>
    resolved({ oneOf: [circle, square] }, value, chosen === undefined ? {} : { '/at': chosen }).variant?.chosen

  test('is the alternative that it fits, else the one that somebody chose, else the most alike, else the first', () => {
    expect(chosenOf({ kind: 'square', a: 1 })).toBe(1)
    expect(chosenOf({ kind: 'square' })).toBe(1)
    expect(chosenOf({ kind: 'circle' })).toBe(0)
    expect([chosenOf(undefined), chosenOf('x'), chosenOf({ kind: 'other' })]).toEqual([0, 0, 0])
    expect([chosenOf(undefined, 1), chosenOf({ kind: 'circle' }, 1), chosenOf({}, 1), chosenOf({}, 2)]).toEqual([
      1, 1, 1, 0,
    ])
    expect(chosenOf({ kind: 'circle', r: 1 }, 1)).toBe(0)
    expect(chosenOf({ kind: 'square' }, 0)).toBe(0)
  })

  test('stays the chosen one of two that it fits', () => {
    const either = { anyOf: [{ properties: { a: {} } }, { properties: { b: {} } }] }
    expect(resolved(either, {}, { '/at': 1 }).variant?.chosen).toBe(1)
    expect(resolved(either, {}).variant?.chosen).toBe(0)
  })

  test('has no alternatives where all but one are null', () => {
    const { variant, parts } = resolved({ anyOf: [{ type: 'null' }, { type: 'string', maxLength: 3 }] })
    expect([variant, parts.some((part) => part.maxLength === 3)]).toEqual([undefined, true])
    expect(resolved({ oneOf: [{ type: 'null' }] }).variant).toBeUndefined()
    expect(resolved({ anyOf: [{ type: ['null', 'string'] }, { type: 'number' }] }).variant?.options).toHaveLength(2)
  })

  test('has the branch of its condition, and what depends on a member that is there', () => {
    const schema = {
      if: { properties: { a: { const: 1 } }, required: ['a'] },
      ...{ then: { title: 'then' }, else: { title: 'else' } },
      dependentSchemas: { b: { title: 'b' } },
    }
    const titles = (value?: JsonValue) => {
      const { parts } = resolved(schema, value)
      return ['then', 'else', 'b'].filter((title) => parts.some(({ source }) => (source as JsonObject).title === title))
    }
    expect([titles({ a: 1 }), titles({ a: 2, b: 1 }), titles(undefined)]).toEqual([
      ...[['then'], ['else', 'b'], ['else']],
    ])
  })

  test.each<[schema: JsonObject, name: string]>([
    [{ title: 'Title', const: 'x' }, 'Title'],
    [{ const: 'x' }, 'x'],
    [{ const: 7 }, '7'],
    [circle, 'Circle'],
    [{ properties: { a: {}, kind: { const: 'square' } } }, 'square'],
    [{ type: ['string', 'null'] }, 'string or null'],
    [{ type: 'object', required: ['a', 'b', 'c', 'd'] }, 'With a, b, c'],
    [{ type: 'object' }, 'Alternative 3'],
    [{}, 'Alternative 3'],
  ])('as an alternative, %j is called: %s', (schema, name) => {
    expect(nameOfOption(compiled(schema).model.root, 2)).toBe(name)
  })
})

describe('what a form begins with', () => {
  const starter = (schema: JsonObject) => JSON.parse(starterOf(compiled(schema).model.root))

  test('has what leaves no choice, and defaults, of fields that are required alone', () => {
    const fields = {
      ...{ fixed: { const: 1 }, one: { enum: ['x'] }, two: { enum: ['x', 'y'] }, given: { default: false } },
      ...{
        open: { type: 'string' },
        inner: { properties: { a: { const: 2 } }, required: ['a'] },
        none: { type: 'object' },
      },
    }
    const required = Object.keys(fields)
    expect(starter({ properties: fields, required })).toEqual({ fixed: 1, one: 'x', given: false, inner: { a: 2 } })
    expect(starter({ properties: fields })).toEqual({})
    expect(starter({ properties: { list: { default: [] } }, required: ['list'] })).toEqual({ list: [] })
  })

  test('takes what is fixed before a default, and a default before the only choice', () => {
    expect(starter({ const: 1, default: 2 })).toBe(1)
    expect(starter({ default: 2, enum: [3] })).toBe(2)
    expect(starter({ allOf: [{ enum: [3] }, { default: 2 }] })).toBe(3)
  })

  test('is the empty value of its type where nothing is given', () => {
    for (const [type, value] of [
      ['array', []],
      ['object', {}],
      ['string', ''],
      ['boolean', false],
      ['integer', 0],
      ['number', 0],
      ['null', null],
      [['string', 'array'], []],
    ] as const)
      expect([type, starter({ type: type as JsonValue })]).toEqual([type, value])
    expect(starter({})).toBe('')
  })

  test('ends where a schema refers to itself, eight levels deep', () => {
    const within = { properties: { next: { $ref: '#' }, at: { const: 1 } }, required: ['next', 'at'] }
    let depth = 0
    for (let at = starter(within); at !== undefined; at = at.next) depth++
    expect(depth).toBe(8)
  })
})
