import { describe, expect, test } from 'bun:test'
import type { JsonObject, JsonValue } from '../../../src/core/json.ts'
import {
  type Draft,
  draftOf,
  guessDraft,
  isIgnoredBesideRef,
  isIgnoredBy,
  schemasIn,
} from '../../../src/engines/schema/convert/dialects.ts'

test.each<[uri: JsonValue | undefined, draft: Draft | undefined]>([
  ['https://json-schema.org/draft/2020-12/schema', 2020],
  ['http://json-schema.org/draft/2020-12/schema#', 2020],
  ['https://json-schema.org/draft/2019-09/schema/', 2019],
  ['http://json-schema.org/draft-07/schema#', 7],
  ['https://json-schema.org/draft-07/schema', 7],
  ['http://json-schema.org/draft-06/schema#', 6],
  ['http://json-schema.org/draft-05/schema#', 4],
  ['http://json-schema.org/draft-04/schema', 4],
  ['http://json-schema.org/draft-03/schema', undefined],
  ['http://json-schema.org/draft-08/schema', undefined],
  ['http://json-schema.org/schema#', undefined],
  ['http://json-schema.org/draft-07/schema#/a', undefined],
  ['see http://json-schema.org/draft-07/schema', undefined],
  [7, undefined],
  [undefined, undefined],
])('the dialect %p is draft %p', (uri, draft) => {
  expect(draftOf(uri)).toBe(draft)
})

test.each<[schema: JsonValue, draft: Draft]>([
  [{}, 7],
  [true, 7],
  [{ id: 'a' }, 4],
  [{ id: 'a', $id: 'a' }, 7],
  [{ id: { type: 'string' } }, 7],
  [{ minimum: 1, exclusiveMinimum: true }, 4],
  [{ exclusiveMinimum: 1, exclusiveMaximum: 2 }, 7],
  [{ properties: { a: [{ b: { exclusiveMaximum: false } }] } }, 4],
])('a document that names no draft, %j, reads as draft %d', (schema, draft) => {
  expect(guessDraft(schema)).toBe(draft)
})

describe('a keyword', () => {
  test('is ignored by the drafts before the one that has it', () => {
    const drafts = [4, 6, 7, 2019, 2020] as const
    const since: [keyword: string, first: Draft][] = [
      ...['$id', 'contains', 'propertyNames', 'const'].map((name): [string, Draft] => [name, 6]),
      ...['if', 'then', 'else'].map((name): [string, Draft] => [name, 7]),
      ...['$anchor', '$vocabulary', 'dependentSchemas', 'dependentRequired'].map((name): [string, Draft] => [
        name,
        2019,
      ]),
      ...['unevaluatedItems', 'unevaluatedProperties', 'minContains', 'maxContains'].map((name): [string, Draft] => [
        name,
        2019,
      ]),
      ...['prefixItems', '$dynamicRef', '$dynamicAnchor'].map((name): [string, Draft] => [name, 2020]),
      ...['type', 'items', 'x-own', 'toString'].map((name): [string, Draft] => [name, 4]),
    ]
    for (const [keyword, first] of since)
      expect([keyword, drafts.filter((draft) => !isIgnoredBy(draft, keyword))]).toEqual([
        keyword,
        drafts.filter((draft) => draft >= first),
      ])
  })

  test('that checks something is ignored beside a reference by drafts 4 to 7', () => {
    const beside = (draft: Draft, keyword: string, $ref: JsonValue = '#') =>
      isIgnoredBesideRef(draft, keyword, { $ref })
    for (const keyword of [
      'id',
      '$id',
      'allOf',
      'not',
      'if',
      'properties',
      'dependencies',
      'items',
      'enum',
      'format',
      'required',
    ])
      expect([keyword, ([4, 6, 7, 2019, 2020] as const).map((draft) => beside(draft, keyword))]).toEqual([
        keyword,
        [true, true, true, false, false],
      ])
    for (const keyword of ['$ref', 'title', 'definitions', '$defs', 'default', 'x-own'])
      expect([keyword, beside(7, keyword)]).toEqual([keyword, false])
    expect([beside(7, 'type', 7), isIgnoredBesideRef(7, 'type', {})]).toEqual([false, false])
  })
})

describe('the schemas in a schema', () => {
  const placesIn = (schema: JsonObject, draft: Draft) =>
    [...schemasIn(schema, draft)].map(([tokens]) => tokens.join('/'))

  test('are those where the draft reads one, single ones, lists and maps', () => {
    const all: JsonObject = {
      ...{ not: true, if: true, then: true, else: true, additionalProperties: true, propertyNames: true },
      ...{ contains: true, contentSchema: true, unevaluatedItems: true, unevaluatedProperties: true, items: true },
      ...{ allOf: [true, true], anyOf: [true], oneOf: [true], prefixItems: [true] },
      ...{ properties: { a: true }, patternProperties: { b: true }, definitions: { c: true }, $defs: { d: true } },
      ...{ dependentSchemas: { e: true }, dependencies: { f: true }, enum: [true], const: {} },
    }
    const newest = [
      ...['not', 'if', 'then', 'else', 'additionalProperties', 'propertyNames', 'contains', 'contentSchema'],
      ...['unevaluatedItems', 'unevaluatedProperties', 'items', 'allOf/0', 'allOf/1', 'anyOf/0', 'oneOf/0'],
      ...['prefixItems/0', 'properties/a', 'patternProperties/b', 'definitions/c', '$defs/d', 'dependentSchemas/e'],
      'dependencies/f',
    ]
    expect(placesIn(all, 2020)).toEqual(newest)
    const without = (...names: string[]) => newest.filter((place) => !names.includes(place.split('/')[0] ?? ''))
    expect(placesIn(all, 2019)).toEqual(without('prefixItems'))
    const later = ['prefixItems', 'dependentSchemas', 'unevaluatedItems', 'unevaluatedProperties']
    expect(placesIn(all, 7)).toEqual(without(...later))
    expect(placesIn(all, 4)).toEqual(without(...later, 'if', 'then', 'else', 'contains', 'propertyNames'))
    expect(placesIn({ ...all, $ref: '#' }, 7)).toEqual(['contentSchema', 'definitions/c', '$defs/d'])
  })

  test('are items one by one before 2020-12, with what comes after them', () => {
    const listed = { items: [true, false], additionalItems: { type: 'string' } }
    expect(placesIn(listed, 7)).toEqual(['items/0', 'items/1', 'additionalItems'])
    expect(placesIn({ items: [true] }, 2019)).toEqual(['items/0'])
    expect(placesIn(listed, 2020)).toEqual([])
    // Without a list, nothing comes after one.
    expect(placesIn({ items: true, additionalItems: true }, 7)).toEqual(['items'])
    expect(placesIn({ additionalItems: true }, 7)).toEqual([])
    expect([...schemasIn(listed, 7)].map(([, schema]) => schema)).toEqual([true, false, { type: 'string' }])
  })

  test('are none where a list or a map is something else', () => {
    expect(placesIn({ allOf: true, properties: [true], dependencies: 7 }, 7)).toEqual([])
  })
})
