import { describe, expect, test } from 'bun:test'
import type { JsonValue } from '../../../src/core/json.ts'
import { compileSchema, validatePayload } from '../../../src/engines/schema/schema.ts'

function broken(schema: JsonValue, value: JsonValue): string[] {
  const compiled = compileSchema(JSON.stringify(schema))
  if (!compiled.ok) throw new Error(compiled.findings.map((finding) => finding.message).join('\n'))
  return validatePayload(compiled.value, value).map((finding) => `${finding.path} ${finding.keyword}`)
}

/** Keyword, schema, values that satisfy it, values that break it with the finding each has to give. */
type Row = [string, JsonValue, JsonValue[], [JsonValue, string][]]

const rows: Row[] = [
  ['true', true, [null, 1, 'x'], []],
  ['false', false, [], [[null, ' false']]],
  [
    'type',
    { type: 'integer' },
    [1, 1.0, -3],
    [
      [1.5, ' type'],
      ['1', ' type'],
      [null, ' type'],
    ],
  ],
  [
    'type, several',
    { type: ['string', 'null'] },
    ['', null],
    [
      [0, ' type'],
      [[], ' type'],
      [{}, ' type'],
    ],
  ],
  [
    'type number',
    { type: 'number' },
    [1, 1.5],
    [
      ['1', ' type'],
      [true, ' type'],
    ],
  ],
  [
    'type object',
    { type: 'object' },
    [{}],
    [
      [[], ' type'],
      [null, ' type'],
    ],
  ],
  [
    'const',
    { const: { a: [1, null] } },
    [{ a: [1, null] }],
    [
      [{ a: [1] }, ' const'],
      [null, ' const'],
    ],
  ],
  [
    'const null',
    { const: null },
    [null],
    [
      [0, ' const'],
      [false, ' const'],
      [{}, ' const'],
    ],
  ],
  [
    'enum',
    { enum: ['a', 1, [2], null] },
    ['a', 1, [2], null],
    [
      ['1', ' enum'],
      [[1], ' enum'],
      [true, ' enum'],
    ],
  ],
  ['minimum', { minimum: 0 }, [0, 5, 'x'], [[-0.01, ' minimum']]],
  ['exclusiveMinimum', { exclusiveMinimum: 0 }, [0.1], [[0, ' exclusiveMinimum']]],
  ['maximum', { maximum: 1.1 }, [1.1], [[1.11, ' maximum']]],
  ['exclusiveMaximum', { exclusiveMaximum: 3 }, [2.9], [[3, ' exclusiveMaximum']]],
  [
    'multipleOf',
    { multipleOf: 0.01 },
    [19.99, 4.35, 0, -1.15, 1e21],
    [
      [19.995, ' multipleOf'],
      [0.001, ' multipleOf'],
    ],
  ],
  ['multipleOf of a small step', { multipleOf: 0.0001 }, [0.0075, 1.1], [[0.00751, ' multipleOf']]],
  ['multipleOf of extremes', { multipleOf: 1e-300 }, [1e300], [[1.5e-300, ' multipleOf']]],
  ['multipleOf of an odd step', { multipleOf: 0.3 }, [0.9, 1.2, 300000000000000.3], [[1, ' multipleOf']]],
  [
    'minLength',
    { minLength: 2 },
    ['ab', '😀😀', 1],
    [
      ['😀', ' minLength'],
      ['', ' minLength'],
    ],
  ],
  ['maxLength', { maxLength: 2 }, ['😀😀'], [['abc', ' maxLength']]],
  [
    'pattern',
    { pattern: '^\\d+$' },
    ['12', 5],
    [
      ['1x', ' pattern'],
      ['٣', ' pattern'],
    ],
  ],
  ['pattern is not anchored', { pattern: 'b' }, ['abc'], [['ac', ' pattern']]],
  ['format', { format: 'date' }, ['2024-02-29', 7], [['2023-02-29', ' format']]],
  [
    'prefixItems',
    { prefixItems: [{ type: 'string' }, { type: 'number' }] },
    [['a', 1, null], ['a'], []],
    [[[1], '/0 type']],
  ],
  ['items', { items: { minimum: 1 } }, [[1, 2], []], [[[1, 0], '/1 minimum']]],
  [
    'items after prefixItems',
    { prefixItems: [true], items: { type: 'null' } },
    [['x', null]],
    [[['x', 'y'], '/1 type']],
  ],
  ['items false', { prefixItems: [true], items: false }, [['x'], []], [[['x', 1], ' items']]],
  [
    'contains',
    { contains: { const: 1 } },
    [[0, 1]],
    [
      [[0], ' contains'],
      [[], ' contains'],
    ],
  ],
  ['minContains', { contains: { const: 1 }, minContains: 2 }, [[1, 1]], [[[1], ' minContains']]],
  ['minContains zero', { contains: { const: 1 }, minContains: 0 }, [[], [0]], []],
  ['maxContains', { contains: { const: 1 }, maxContains: 1 }, [[1, 0]], [[[1, 1], ' maxContains']]],
  ['minItems', { minItems: 1 }, [[0]], [[[], ' minItems']]],
  ['maxItems', { maxItems: 1 }, [[0]], [[[0, 0], ' maxItems']]],
  [
    'uniqueItems',
    { uniqueItems: true },
    [[1, '1', [1], { a: 1 }, true]],
    [
      [
        [
          { a: 1, b: 2 },
          { b: 2, a: 1 },
        ],
        ' uniqueItems',
      ],
    ],
  ],
  ['properties', { properties: { a: { type: 'string' } } }, [{ a: '' }, {}, { b: 1 }], [[{ a: 1 }, '/a type']]],
  [
    'properties, with more members than are declared',
    { properties: { a: { type: 'string' } } },
    [
      { a: '', b: 1, c: 2 },
      { b: 1, c: 2 },
    ],
    [[{ b: 1, a: 1, c: 2 }, '/a type']],
  ],
  [
    'properties in a branch, where only the answer counts',
    { oneOf: [{ properties: { kind: { const: 'a' } } }, { properties: { kind: { const: 'b' }, x: true, y: true } }] },
    [
      { kind: 'a', n: 1 },
      { kind: 'b', n: 1, m: 2, o: 3 },
    ],
    [[{ kind: 'c', n: 1 }, '/kind const']],
  ],
  [
    'patternProperties',
    { patternProperties: { '^n_': { type: 'number' } } },
    [{ n_a: 1, x: '' }],
    [[{ n_a: '' }, '/n_a type']],
  ],
  [
    'additionalProperties',
    { properties: { a: true }, patternProperties: { '^x-': true }, additionalProperties: false },
    [{ a: 1, 'x-b': 2 }],
    [
      [{ c: 1 }, '/c additionalProperties'],
      [{ toString: 1 }, '/toString additionalProperties'],
    ],
  ],
  [
    'additionalProperties as a schema',
    { additionalProperties: { type: 'null' } },
    [{ a: null }],
    [[{ a: 1 }, '/a type']],
  ],
  ['propertyNames', { propertyNames: { maxLength: 2 } }, [{ ab: 1 }], [[{ abc: 1 }, '/abc propertyNames']]],
  ['required', { required: ['a'] }, [{ a: null }, 'x'], [[{}, ' required']]],
  ['required of an inherited name', { required: ['toString'] }, [{ toString: 1 }], [[{}, ' required']]],
  ['minProperties', { minProperties: 1 }, [{ a: 1 }], [[{}, ' minProperties']]],
  ['maxProperties', { maxProperties: 0 }, [{}], [[{ a: 1 }, ' maxProperties']]],
  [
    'dependentRequired',
    { dependentRequired: { a: ['b'] } },
    [{}, { b: 1 }, { a: 1, b: 1 }],
    [[{ a: 1 }, ' dependentRequired']],
  ],
  [
    'dependentSchemas',
    { dependentSchemas: { a: { required: ['b'] } } },
    [{ b: 1 }, { a: 1, b: 1 }],
    [[{ a: 1 }, ' required']],
  ],
  [
    'dependencies of older drafts',
    { dependencies: { a: ['b'], c: { minProperties: 2 } } },
    [{ b: 1 }],
    [
      [{ a: 1 }, ' dependentRequired'],
      [{ c: 1 }, ' minProperties'],
    ],
  ],
  [
    'allOf',
    { allOf: [{ minimum: 1 }, { maximum: 2 }] },
    [1, 2],
    [
      [0, ' minimum'],
      [3, ' maximum'],
    ],
  ],
  ['anyOf', { anyOf: [{ type: 'string' }, { minimum: 3 }] }, ['a', 3], [[2, ' minimum']]],
  ['oneOf', { oneOf: [{ multipleOf: 2 }, { multipleOf: 3 }] }, [2, 3], [[6, ' oneOf']]],
  ['not', { not: { type: 'string' } }, [1], [['a', ' not']]],
  [
    'if, then, else',
    { if: { type: 'string' }, then: { minLength: 1 }, else: { minimum: 0 } },
    ['a', 0],
    [
      ['', ' minLength'],
      [-1, ' minimum'],
    ],
  ],
  ['then without if', { then: false }, [1], []],
  ['$ref into $defs', { $defs: { p: { minimum: 0 } }, items: { $ref: '#/$defs/p' } }, [[0]], [[[-1], '/0 minimum']]],
  [
    '$ref beside other keywords',
    { $defs: { p: { minimum: 0 } }, $ref: '#/$defs/p', maximum: 1 },
    [1],
    [
      [2, ' maximum'],
      [-1, ' minimum'],
    ],
  ],
  ['$ref with escapes', { $defs: { 'a/b~c%': { type: 'null' } }, $ref: '#/$defs/a~1b~0c%25' }, [null], [[1, ' type']]],
  ['$ref to an anchor', { $defs: { p: { $anchor: 'pos', minimum: 0 } }, $ref: '#pos' }, [0], [[-1, ' minimum']]],
  [
    '$ref by relative $id',
    { $id: 'https://example.com/a/root', $defs: { p: { $id: '../b/part', minimum: 0 } }, $ref: '/b/part' },
    [0],
    [[-1, ' minimum']],
  ],
  [
    'recursion',
    { properties: { next: { $ref: '#' } }, additionalProperties: false },
    [{ next: { next: {} } }],
    [[{ next: { x: 1 } }, '/next/x additionalProperties']],
  ],
  [
    '$dynamicRef takes the outermost anchor',
    {
      $id: 'https://example.com/strings',
      $ref: 'list',
      $defs: {
        item: { $dynamicAnchor: 'item', type: 'string' },
        list: { $id: 'list', items: { $dynamicRef: '#item' }, $defs: { any: { $dynamicAnchor: 'item' } } },
      },
    },
    [['a']],
    [[[1], '/0 type']],
  ],
  [
    '$ref to the metaschema',
    { $ref: 'https://json-schema.org/draft/2020-12/schema' },
    [{ minLength: 1 }],
    [[{ minLength: -1 }, '/minLength minimum']],
  ],
  [
    'unevaluatedProperties',
    {
      $defs: { base: { properties: { a: true } } },
      allOf: [{ $ref: '#/$defs/base' }],
      properties: { b: true },
      unevaluatedProperties: false,
    },
    [{ a: 1, b: 2 }],
    [[{ a: 1, c: 1 }, '/c unevaluatedProperties']],
  ],
  [
    'unevaluatedProperties counts only branches that hold',
    {
      anyOf: [{ properties: { a: { const: 1 } }, required: ['a'] }, { properties: { b: true } }],
      unevaluatedProperties: false,
    },
    [{ a: 1 }, { b: 1 }, { a: 1, b: 2 }],
    [[{ a: 2 }, '/a unevaluatedProperties']],
  ],
  [
    'unevaluatedProperties does not see cousins',
    { allOf: [{ properties: { a: true } }, { unevaluatedProperties: false }] },
    [{}],
    [[{ a: 1 }, '/a unevaluatedProperties']],
  ],
  [
    'unevaluatedProperties does not see cousins even where the schema around both keeps account',
    { allOf: [{ properties: { a: true } }, { unevaluatedProperties: false }], unevaluatedProperties: true },
    [{}],
    [[{ a: 1 }, '/a unevaluatedProperties']],
  ],
  [
    'unevaluatedProperties inside counts as evaluation outside',
    { allOf: [{ unevaluatedProperties: { type: 'string' } }], unevaluatedProperties: false },
    [{ a: 'x' }],
    [[{ a: 1 }, '/a type']],
  ],
  [
    '$ref under an unknown keyword resolves against the schema around it',
    {
      $id: 'https://example.com/root',
      $ref: '#/$defs/a/x-part',
      $defs: { a: { $id: 'sub/a', 'x-part': { $ref: 'b' }, $defs: { b: { $id: 'b', type: 'null' } } } },
    },
    [null],
    [[1, ' type']],
  ],
  ['unevaluatedItems', { prefixItems: [true], unevaluatedItems: false }, [[1]], [[[1, 2], '/1 unevaluatedItems']]],
  [
    'unevaluatedItems after contains',
    { contains: { const: 1 }, unevaluatedItems: { const: 2 } },
    [[1, 2]],
    [[[1, 3], '/1 const']],
  ],
]

describe('each keyword accepts and refuses what JSON Schema 2020-12 says', () => {
  test.each(rows)('%s', (_name, schema, good, bad) => {
    for (const value of good) expect(broken(schema, value)).toEqual([])
    for (const [value, finding] of bad) expect(broken(schema, value)).toEqual([finding])
  })
})

test('an integer is the same whether it is written 1 or 1.0, in const, enum and uniqueItems', () => {
  expect(broken({ const: 1 }, JSON.parse('1.0'))).toEqual([])
  expect(broken({ uniqueItems: true }, JSON.parse('[1, 1.0]'))).toEqual([' uniqueItems'])
})

test('__proto__ is a property like any other', () => {
  const schema = JSON.parse('{"properties":{"__proto__":{"type":"string"}},"required":["__proto__"]}') as JsonValue
  expect(broken(schema, JSON.parse('{"__proto__":"x"}') as JsonValue)).toEqual([])
  expect(broken(schema, JSON.parse('{"__proto__":1}') as JsonValue)).toEqual(['/__proto__ type'])
  expect(broken(schema, {})).toEqual([' required'])
})
