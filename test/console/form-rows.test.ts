import { describe, expect, test } from 'bun:test'
import { formRowsOf, wholeTypeOf } from '../../src/console/engines/form-rows.ts'
import type { JsonObject } from '../../src/core/json.ts'
import { compileSchemaValue } from '../../src/engines/schema/schema.ts'

function modelOf(schema: JsonObject) {
  const compiled = compileSchemaValue(schema)
  if (!compiled.ok) throw new Error(JSON.stringify(compiled.findings))
  return compiled.value.model
}
const rowsOf = (properties: JsonObject, more: JsonObject = {}) =>
  formRowsOf(modelOf({ type: 'object', properties, ...more }))
/** The row of one field that has this schema. */
const rowOf = (schema: JsonObject) => rowsOf({ a: schema })[0]

describe('a schema as a form', () => {
  test('has a row for each field, those of objects and items of lists below them', () => {
    const person = { type: 'object', properties: { 'a/b': {}, name: { type: 'string' } }, required: ['name'] }
    const rows = rowsOf({ one: person, many: { type: 'array', items: person } }, { required: ['many'] })
    expect(rows.map(({ pointer, depth, title, isRequired }) => [pointer, depth, title, isRequired])).toEqual([
      ['/one', 0, 'one', false],
      ['/one/a~1b', 1, 'a/b', false],
      ['/one/name', 1, 'name', true],
      ['/many', 0, 'many', true],
      ['/many/0/a~1b', 1, 'a/b', false],
      ['/many/0/name', 1, 'name', true],
    ])
  })

  test('has each field once that several parts name, required where one of them wants it', () => {
    const parts = [
      { properties: { a: { title: 'First' }, b: {} } },
      { properties: { a: { title: 'Last' } }, required: ['b'] },
    ]
    expect(formRowsOf(modelOf({ allOf: parts })).map(({ title, isRequired }) => [title, isRequired])).toEqual([
      ['Last', false],
      ['b', true],
    ])
  })

  test('ends at the seventh level where a schema refers to itself', () => {
    const rows = rowsOf({ next: { $ref: '#' } })
    expect(rows.map(({ depth }) => depth)).toEqual([0, 1, 2, 3, 4, 5, 6])
    expect(rows.at(-1)?.pointer).toBe('/next/next/next/next/next/next/next')
  })

  test('ends after 20,000 rows where every field refers to all of them', () => {
    expect(rowsOf(Object.fromEntries([...'abcdefgh'].map((name) => [name, { $ref: '#' }])))).toHaveLength(20_000)
  })

  test('says what a field is called, what it means, which pattern it has and what may be chosen', () => {
    expect(rowOf({ title: 'Name', description: 'As on the card.', pattern: '^x' })).toMatchObject({
      ...{ title: 'Name', description: 'As on the card.', pattern: '^x', rules: [] },
    })
    expect(rowOf({ enum: ['a', 1, null] })).toEqual({
      ...{ pointer: '/a', depth: 0, title: 'a', isRequired: false, type: 'one of', rules: [] },
      choices: ['a', '1', 'null'],
    })
  })

  test.each<[schema: JsonObject, type: string]>([
    [{ type: 'string' }, 'string'],
    [{ type: ['string', 'null'] }, 'string or null'],
    [{ type: 'array' }, 'array'],
    [{ type: 'array', items: { type: 'number' } }, 'list of number'],
    [{ type: ['array', 'null'], items: { type: 'array', items: {} } }, 'list of list of anything'],
    [{ type: 'string', items: { type: 'number' } }, 'string'],
    [{ enum: ['a'] }, 'one of'],
    [{ type: 'string', enum: ['a'] }, 'string'],
    [{ const: 7 }, 'fixed'],
    [{}, 'anything'],
  ])('says of %j that it is: %s', (schema, type) => {
    expect(rowOf(schema)?.type).toBe(type)
    expect(wholeTypeOf(modelOf(schema))).toBe(type)
  })

  test('says every rule in words, bounds before the format', () => {
    const bounds = { minimum: 1, exclusiveMinimum: 0, maximum: 9, exclusiveMaximum: 10, multipleOf: 2 }
    const lengths = { minLength: 3, maxLength: 4, minItems: 5, maxItems: 6 }
    expect(rowOf({ ...bounds, ...lengths, format: 'date' })?.rules).toEqual([
      ...['at least 1', 'more than 0', 'at most 9', 'less than 10', 'in steps of 2'],
      ...['3 or more characters', 'up to 4 characters', '5 or more items', 'up to 6 items', 'date'],
    ])
    expect(rowOf({ minimum: 0 })?.rules).toEqual(['at least 0'])
  })
})
