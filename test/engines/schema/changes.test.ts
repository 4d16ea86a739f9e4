import { describe, expect, test } from 'bun:test'
import type { JsonValue } from '../../../src/core/json.ts'
import { limits } from '../../../src/core/limits.ts'
import { generateCase } from '../../../src/engines/schema/cases.ts'
import { compareSchemas, type SchemaChange } from '../../../src/engines/schema/changes.ts'
import { type CompiledSchema, compileSchemaValue, validatePayload } from '../../../src/engines/schema/schema.ts'
import { arbitraryDocument, edited, seeded } from './arbitrary.ts'

function compiled(schema: JsonValue): CompiledSchema {
  const result = compileSchemaValue(schema)
  if (!result.ok) throw new Error(JSON.stringify(result.findings))
  return result.value
}

function changes(older: JsonValue, newer: JsonValue): SchemaChange[] {
  return compareSchemas(compiled(older), compiled(newer))
}

/** `effect side pointer` of every change. */
function brief(older: JsonValue, newer: JsonValue): string[] {
  return changes(older, newer).map(({ effect, side, pointer }) => `${effect} ${side} ${pointer}`)
}

test('versions that say the same have no changes, whatever the order of their keys', () => {
  const schema = { type: 'object', properties: { a: { $ref: '#/$defs/a' } }, $defs: { a: { type: 'string' } } }
  expect(changes(schema, structuredClone(schema))).toEqual([])
  expect(changes({ type: 'string', minLength: 1 }, { minLength: 1, type: 'string' })).toEqual([])
})

test('a change has pointer, side, keyword, effect and one sentence with both', () => {
  expect(changes({ properties: { a: { minimum: 1 } } }, { properties: { a: { minimum: 5 } } })).toEqual([
    {
      pointer: '/properties/a/minimum',
      side: 'new',
      keyword: 'minimum',
      effect: 'breaking',
      message: 'The smallest number was 1 and is 5; documents that were valid can fail.',
    },
  ])
})

describe('single rules', () => {
  const table: [older: JsonValue, newer: JsonValue, expected: string[]][] = [
    [{ type: 'string' }, { type: ['string', 'null'] }, ['compatible new /type']],
    [{ type: ['string', 'null'] }, { type: 'string' }, ['breaking new /type']],
    [{ type: 'integer' }, { type: 'number' }, ['compatible new /type']],
    [{ type: 'number' }, { type: 'integer' }, ['breaking new /type']],
    [{ type: 'string' }, {}, ['compatible old /type']],
    [{ enum: ['a', 'b'] }, { enum: ['b', 'a', 'c'] }, ['compatible new /enum']],
    [{ enum: ['a', 'b'] }, { enum: ['a'] }, ['breaking new /enum']],
    [{ const: 'a' }, { enum: ['a', 'b'] }, ['compatible new /enum']],
    [{ const: 'a', enum: ['a', 'b'] }, { enum: ['a'] }, ['compatible new ']],
    [{ enum: ['a', 'b'] }, { const: 'a', enum: ['a', 'b'] }, ['breaking new /const']],
    [
      { $dynamicRef: '#x', $defs: { x: { $dynamicAnchor: 'x', minimum: 1 } } },
      { $dynamicRef: '#x', $defs: { x: { $dynamicAnchor: 'x', minimum: 2 } } },
      ['unknown new /$defs/x/minimum'],
    ],
    [{ minimum: 0 }, { exclusiveMinimum: 0 }, ['breaking new /exclusiveMinimum']],
    [{ exclusiveMinimum: 0 }, { minimum: 0 }, ['compatible new /minimum']],
    [{ maximum: 5 }, { exclusiveMaximum: 5 }, ['breaking new /exclusiveMaximum']],
    [{ maximum: 5 }, { maximum: 4 }, ['breaking new /maximum']],
    [{ type: 'integer', exclusiveMinimum: 0 }, { type: 'integer', minimum: 1 }, ['compatible new ']],
    [{ maximum: 5 }, {}, ['compatible old /maximum']],
    [{ multipleOf: 0.1 }, { multipleOf: 0.05 }, ['compatible new /multipleOf']],
    [{ multipleOf: 2 }, { multipleOf: 3 }, ['breaking new /multipleOf']],
    [{ maxLength: 5 }, { maxLength: 6 }, ['compatible new /maxLength']],
    [{ minItems: 1 }, { minItems: 2 }, ['breaking new /minItems']],
    [{ pattern: '^a' }, { pattern: '^[ab]' }, ['unknown new /pattern']],
    [{}, { pattern: '^a' }, ['breaking new /pattern']],
    [{ format: 'date' }, {}, ['compatible old /format']],
    [{}, { format: 'no-known-format' }, ['compatible new ']],
    [{ uniqueItems: true }, {}, ['compatible old /uniqueItems']],
    [{ required: ['a'] }, { required: ['a', 'b'] }, ['breaking new /required/1']],
    [{ required: ['a', 'b'] }, { required: ['b'] }, ['compatible old /required/0']],
    [
      { dependentRequired: { a: ['b'] } },
      { dependentRequired: { a: ['b', 'c'] } },
      ['breaking new /dependentRequired/a'],
    ],
    [true, false, ['breaking new ']],
    [{ type: 'string' }, { type: 'string', title: 'Name' }, ['compatible new /title']],
    [{ type: 'string', 'x-note': 1 }, { type: 'string', 'x-note': 2 }, ['compatible new /x-note']],
    [{ type: 'string', 'x-note': 1 }, { type: 'string' }, ['compatible old /x-note']],
    [{ type: 'string', title: 'Name' }, { type: 'string' }, ['compatible old /title']],
  ]
  for (const [older, newer, expected] of table) {
    test(`${JSON.stringify(older)} to ${JSON.stringify(newer)}`, () => {
      expect(brief(older, newer)).toEqual(expected)
    })
  }
})

describe('members', () => {
  test('a new property is compatible where it was forbidden, and unknown where it could be anything', () => {
    const closed = { properties: { a: {} }, additionalProperties: false }
    expect(brief(closed, { ...closed, properties: { a: {}, b: { type: 'string' } } })).toEqual([
      'compatible new /properties/b',
    ])
    expect(brief({ properties: { a: {} } }, { properties: { a: {}, b: { type: 'string' } } })).toEqual([
      'unknown new /properties/b',
    ])
    expect(brief({ properties: { a: {} } }, { properties: { a: {}, b: {} } })).toEqual(['compatible new /properties/b'])
  })

  test('a new property that further properties had rules for is compared with those rules', () => {
    const older = { additionalProperties: { type: 'string' } }
    expect(brief(older, { ...older, properties: { b: { type: ['string', 'null'] } } })).toEqual([
      'compatible new /properties/b',
      'compatible new /properties/b/type',
    ])
    expect(brief(older, { ...older, properties: { b: { type: 'integer' } } })).toContain(
      'breaking new /properties/b/type',
    )
  })

  test('a property that is gone breaks documents only where others are forbidden', () => {
    const older = { properties: { a: {}, b: { type: 'string' } } }
    expect(brief(older, { properties: { a: {} } })).toEqual(['compatible old /properties/b'])
    expect(
      brief({ ...older, additionalProperties: false }, { properties: { a: {} }, additionalProperties: false }),
    ).toEqual(['breaking old /properties/b'])
  })

  test('closing an object breaks documents, opening it does not', () => {
    expect(brief({ properties: { a: {} } }, { properties: { a: {} }, additionalProperties: false })).toEqual([
      'breaking new /additionalProperties',
    ])
    expect(brief({ additionalProperties: false }, {})).toEqual(['compatible new /additionalProperties'])
  })

  test('listed items are compared with the rule for further items where one version has no place for them', () => {
    expect(
      brief({ items: { type: 'string' } }, { prefixItems: [{ type: 'integer' }], items: { type: 'string' } }),
    ).toEqual(['breaking new /prefixItems/0/type'])
    expect(brief({ prefixItems: [true, { type: 'string' }] }, { prefixItems: [true] })).toEqual([
      'compatible old /prefixItems/1/type',
    ])
  })

  test('a listed item that further items had the same or stricter rules for is compatible', () => {
    const older = { items: { type: 'string', maxLength: 5 } }
    expect(brief(older, { prefixItems: [{ type: 'string', maxLength: 9 }], ...older })).toEqual([
      'compatible new /prefixItems/0/maxLength',
    ])
  })

  test('where unevaluated members count, declaring or not declaring one is never called compatible', () => {
    const older = { allOf: [{ properties: { a: {} } }], unevaluatedProperties: false }
    for (const part of [{}, { properties: { a: {}, b: {} } }, { properties: {} }, true]) {
      expect(changes(older, { ...older, allOf: [part] }).some(({ effect }) => effect === 'unknown')).toBe(true)
    }
  })
})

describe('where unevaluated items count', () => {
  const listing = (...prefixItems: JsonValue[]) => ({ allOf: [{ prefixItems }], unevaluatedItems: false })

  test('listing more or fewer items is unknown, reported at each that only one version lists', () => {
    expect(brief(listing(true), listing(true, true, true))).toEqual([
      'unknown new /allOf/0/prefixItems/1',
      'unknown new /allOf/0/prefixItems/2',
    ])
    expect(brief(listing(true, true), listing(true))).toEqual(['unknown old /allOf/0/prefixItems/1'])
    const [change] = changes(listing(true), listing(true, true))
    expect(change).toMatchObject({
      keyword: 'prefixItems',
      message:
        'The number of listed items changed, and with it what counts as evaluated; whether documents stay valid depends on what they hold.',
    })
    expect(brief(listing({ type: 'string' }), listing({ type: 'null' }))).toEqual([
      'breaking new /allOf/0/prefixItems/0/type',
    ])
    // Where nothing counts them, an item more that may be anything changes nothing.
    expect(brief({ prefixItems: [true] }, { prefixItems: [true, true] })).toEqual(['compatible new '])
  })
})

describe('combinations', () => {
  test('a looser branch of anyOf is compatible, a stricter one may be covered by the others', () => {
    const older = { anyOf: [{ type: 'string', maxLength: 5 }, { type: 'integer' }] }
    expect(brief(older, { anyOf: [{ type: 'string', maxLength: 9 }, { type: 'integer' }] })).toEqual([
      'compatible new /anyOf/0/maxLength',
    ])
    expect(brief(older, { anyOf: [{ type: 'string', maxLength: 3 }, { type: 'integer' }] })).toEqual([
      'unknown new /anyOf/0/maxLength',
    ])
    expect(brief(older, { anyOf: [...older.anyOf, { type: 'null' }] })).toEqual(['compatible new /anyOf/2'])
    expect(brief(older, { anyOf: [{ type: 'integer' }] })).toEqual(['breaking old /anyOf/0'])
  })

  test('in oneOf even a looser branch can break, unless no value can take two branches', () => {
    const overlapping = { oneOf: [{ maximum: 5 }, { minimum: 10 }] }
    expect(brief(overlapping, { oneOf: [{ maximum: 15 }, { minimum: 10 }] })).toEqual(['unknown new /oneOf/0/maximum'])
    const apart = { oneOf: [{ type: 'string', maxLength: 5 }, { type: 'integer' }] }
    expect(brief(apart, { oneOf: [{ type: 'string', maxLength: 7 }, { type: 'integer' }] })).toEqual([
      'compatible new /oneOf/0/maxLength',
    ])
  })

  test('under not, stricter is compatible and looser is not', () => {
    expect(brief({ not: { maximum: 5 } }, { not: { maximum: 3 } })).toEqual(['compatible new /not/maximum'])
    expect(brief({ not: { maximum: 5 } }, { not: { maximum: 9 } })).toEqual(['unknown new /not/maximum'])
    // Both at once: strings are allowed now, objects are not.
    expect(brief({ not: { type: 'string' } }, { not: { type: 'object' } })).toEqual(['unknown new /not/type'])
  })

  test('a change in a definition is reported once, with its worst effect where it is used', () => {
    const schema = (least: number) => ({
      properties: { a: { $ref: '#/$defs/n' }, b: { anyOf: [{ $ref: '#/$defs/n' }, { type: 'string' }] } },
      $defs: { n: { type: 'number', minimum: least } },
    })
    expect(brief(schema(1), schema(2))).toEqual(['breaking new /$defs/n/minimum'])
    expect(brief(schema(2), schema(1))).toEqual(['compatible new /$defs/n/minimum'])
  })

  test('moving rules into a definition changes nothing, and unused definitions do not matter', () => {
    const inline = { properties: { a: { type: 'string', maxLength: 3 } } }
    const moved = { properties: { a: { $ref: '#/$defs/a' } }, $defs: { a: { type: 'string', maxLength: 3 } } }
    expect(changes(inline, moved).every(({ effect }) => effect === 'compatible')).toBe(true)
    expect(changes(inline, { ...inline, $defs: { b: { type: 'null' } } }).map(({ effect }) => effect)).toEqual([
      'compatible',
    ])
  })

  test('comparing recursive schemas ends', () => {
    const tree = (max: number) => ({
      $ref: '#/$defs/n',
      $defs: { n: { type: 'object', properties: { name: { maxLength: max }, next: { $ref: '#/$defs/n' } } } },
    })
    expect(brief(tree(5), tree(4))).toEqual(['breaking new /$defs/n/properties/name/maxLength'])
  })
})

test('two thousand changes are reported up to the limit, with a note that there are more', () => {
  const schema = (max: number) => ({
    properties: Object.fromEntries(Array.from({ length: 2_000 }, (_, index) => [`p${index}`, { maxLength: max }])),
  })
  const told = changes(schema(1), schema(2))
  expect(told.length).toBe(limits.schemaChanges + 1)
  expect(told[told.length - 1]).toMatchObject({ effect: 'unknown', pointer: '' })
})

test('when all changes are called compatible, every document of the older version satisfies the newer', () => {
  let promises = 0
  let documents = 0
  let breaks = 0
  for (let seed = 0; seed < 500; seed++) {
    const random = seeded(seed)
    const before = arbitraryDocument(random)
    const after = edited(before, random)
    const results = [compileSchemaValue(before), compileSchemaValue(after)]
    if (!results[0]!.ok || !results[1]!.ok) continue
    const [older, newer] = [results[0]!.value, results[1]!.value]
    const effects = compareSchemas(older, newer).map(({ effect }) => effect)
    if (effects.includes('breaking')) breaks++
    if (!effects.every((effect) => effect === 'compatible')) continue
    promises++
    for (const kind of ['valid', 'boundary'] as const) {
      for (let draw = 0; draw < 3; draw++) {
        const made = generateCase(older, { kind, seed: draw })
        if (!made.ok) continue
        documents++
        const findings = validatePayload(newer, made.value.payload)
        expect({ seed, before, after, payload: made.value.payload, findings }).toMatchObject({ findings: [] })
      }
    }
  }
  expect(promises).toBeGreaterThan(150)
  expect(documents).toBeGreaterThan(500)
  expect(breaks).toBeGreaterThan(50)
})
