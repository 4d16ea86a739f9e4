import { describe, expect, test } from 'bun:test'
import { compareContracts } from '../../src/console/contract-diff.ts'
import type { JsonValue } from '../../src/core/json.ts'

const base: JsonValue = {
  type: 'object',
  required: ['number'],
  additionalProperties: false,
  properties: {
    number: { type: 'string', maxLength: 20 },
    kind: { enum: ['home', 'motor'] },
    lines: { type: 'array', items: { $ref: '#/$defs/line' } },
  },
  $defs: { line: { type: 'object', properties: { amount: { type: 'number', minimum: 0 } } } },
}

function changed(change: (schema: Record<string, JsonValue> & { properties: Record<string, JsonValue> }) => void) {
  const after = structuredClone(base) as Record<string, JsonValue> & { properties: Record<string, JsonValue> }
  change(after)
  return compareContracts(base, after)
}

describe('comparing contracts', () => {
  test('finds nothing between equal ones, whatever the order of their keys', () => {
    const entries = Object.entries(base as Record<string, JsonValue>).reverse()
    expect(compareContracts(base, Object.fromEntries(entries))).toEqual([])
  })

  test.each<[string, Parameters<typeof changed>[0], string]>([
    [
      'a new required property',
      (s) => {
        s.properties.date = { type: 'string' }
        s.required = ['number', 'date']
      },
      '/date',
    ],
    [
      'a property that became required',
      (s) => {
        s.required = ['number', 'kind']
      },
      '/kind',
    ],
    [
      'a property that is gone and would be refused',
      (s) => {
        delete s.properties.kind
      },
      '/kind',
    ],
    [
      'a value that is gone',
      (s) => {
        s.properties.kind = { enum: ['home'] }
      },
      '/kind',
    ],
    [
      'a narrower bound',
      (s) => {
        s.properties.number = { type: 'string', maxLength: 10 }
      },
      '/number',
    ],
    [
      'a new pattern',
      (s) => {
        s.properties.number = { type: 'string', maxLength: 20, pattern: '^C' }
      },
      '/number',
    ],
    [
      'another type',
      (s) => {
        s.properties.number = { type: 'integer', maxLength: 20 }
      },
      '/number',
    ],
    [
      'a rule inside a referenced schema',
      (s) => {
        s.$defs = { line: { type: 'object', properties: { amount: { type: 'number', minimum: 5 } } } }
      },
      '/lines/*/amount',
    ],
  ])('calls breaking: %s', (_, change, path) => {
    const changes = changed(change)
    expect(changes.filter(({ effect }) => effect === 'breaking').map((one) => one.path)).toEqual([path])
    expect(changes.filter(({ effect }) => effect === 'compatible')).toEqual([])
  })

  test.each<[string, Parameters<typeof changed>[0], string]>([
    [
      'a new optional property',
      (s) => {
        s.properties.note = { type: 'string' }
      },
      '/note',
    ],
    [
      'a value more',
      (s) => {
        s.properties.kind = { enum: ['home', 'motor', 'travel'] }
      },
      '/kind',
    ],
    [
      'a wider bound',
      (s) => {
        s.properties.number = { type: 'string', maxLength: 40 }
      },
      '/number',
    ],
    [
      'a bound that is gone',
      (s) => {
        s.properties.number = { type: 'string' }
      },
      '/number',
    ],
    [
      'a property that became optional',
      (s) => {
        s.required = []
      },
      '/number',
    ],
    [
      'other properties, allowed now',
      (s) => {
        delete s.additionalProperties
      },
      '',
    ],
  ])('calls compatible: %s', (_, change, path) => {
    const changes = changed(change)
    expect(changes.map((one) => [one.effect, one.path])).toEqual([['compatible', path]])
  })

  test('calls other words wording only', () => {
    const changes = changed((s) => {
      s.title = 'Policy'
    })
    expect(changes.map(({ effect }) => effect)).toEqual(['wording'])
  })

  /** What is found between two schemas, as `effect path: text`. */
  const found = (before: JsonValue, after: JsonValue) =>
    compareContracts(before, after).map(({ effect, path, text }) => `${effect} ${path}: ${text}`)

  test.each([
    ...['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties', 'minContains'].map((name) => [
      name,
      2,
    ]),
    ...['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties', 'maxContains'].map((name) => [
      name,
      0,
    ]),
  ] as [string, number][])('says of %s whether it is new, narrower, wider or gone', (keyword, narrower) => {
    const wider = 2 - narrower
    expect([
      ...found({}, { [keyword]: 1 }),
      ...found({ [keyword]: 1 }, { [keyword]: narrower }),
      ...found({ [keyword]: 1 }, { [keyword]: wider }),
      ...found({ [keyword]: 1 }, {}),
      ...found({ [keyword]: 1 }, { [keyword]: 1 }),
    ]).toEqual([
      `breaking : ${keyword} is 1 now`,
      `breaking : ${keyword} was 1, is ${narrower}`,
      `compatible : ${keyword} was 1, is ${wider}`,
      `compatible : ${keyword} 1 is gone`,
    ])
  })

  test.each([['pattern'], ['format'], ['multipleOf'], ['uniqueItems']])(
    'says of %s whether it is new or gone',
    (keyword) => {
      expect([...found({}, { [keyword]: 'x' }), ...found({ [keyword]: 'x' }, {})]).toEqual([
        `breaking : ${keyword} is x now`,
        `compatible : ${keyword} x is gone`,
      ])
      if (keyword !== 'uniqueItems')
        expect(found({ [keyword]: 'x' }, { [keyword]: 'y' })).toEqual([`breaking : ${keyword} was x, is y`])
    },
  )

  test('takes items that need not differ for nothing said', () => {
    expect([...found({}, { uniqueItems: false }), ...found({ uniqueItems: false }, {})]).toEqual([])
    expect([
      ...found({ uniqueItems: false }, { uniqueItems: true }),
      ...found({ uniqueItems: true }, { uniqueItems: false }),
    ]).toEqual(['breaking : uniqueItems is true now', 'compatible : uniqueItems true is gone'])
  })

  const rules =
    'allOf anyOf oneOf not if then else patternProperties propertyNames dependentSchemas dependentRequired prefixItems contains unevaluatedItems unevaluatedProperties $dynamicRef'
  test.each(rules.split(' '))('can not tell which of two rules of %s accepts more', (keyword) => {
    const rule = (value: number) => ({ [keyword]: { const: value } })
    expect([
      ...found({}, rule(1)),
      ...found(rule(1), rule(2)),
      ...found(rule(1), {}),
      ...found(rule(1), rule(1)),
    ]).toEqual([
      `breaking : the rule "${keyword}" is new; input may be refused`,
      `breaking : the rule "${keyword}" is another one; input may be refused`,
      `compatible : the rule "${keyword}" is gone`,
    ])
  })

  const words = 'title description $comment examples default deprecated readOnly writeOnly'
  test.each(words.split(' '))('takes another %s for other words', (keyword) => {
    expect(found({ [keyword]: 'a' }, { [keyword]: 'b' })).toEqual([`wording : other ${keyword}`])
  })

  test('follows types, of which every integer is a number', () => {
    const types = (before: JsonValue, after: JsonValue) =>
      found(before === null ? {} : { type: before }, after === null ? {} : { type: after })
    expect([types(null, 'string'), types('string', null), types('string', ['string', 'null'])].flat()).toEqual([
      'breaking : must be string now',
      'compatible : may be of any type now',
      'compatible : may be null too',
    ])
    expect([types(['string', 'null'], 'string'), types('string', 'boolean')].flat()).toEqual([
      'breaking : may no longer be null, must be string',
      'breaking : may no longer be string, must be boolean',
    ])
    expect([types('integer', 'number'), types('number', 'integer'), types('string', 'string')].flat()).toEqual([
      'compatible : may be number too',
      'breaking : may no longer be number, must be integer',
    ])
    expect(types('integer', ['number', 'null'])).toEqual(['compatible : may be number or null too'])
  })

  test('follows values, one or several, whatever the order of their keys', () => {
    expect([
      ...found({ enum: [1] }, {}),
      ...found({}, { const: 1 }),
      ...found({ const: 1 }, { enum: [1, 'b'] }),
      ...found({ enum: [1, 2] }, { enum: [2, 3] }),
      ...found({ const: null }, { enum: [null] }),
      ...found({ const: { a: 1, b: 2 } }, { const: { b: 2, a: 1 } }),
    ]).toEqual([
      'compatible : may have any value now',
      'breaking : must be one of 1 now',
      'compatible : may be "b" too',
      'breaking : may no longer be 1',
      'compatible : may be 3 too',
    ])
  })

  test('follows properties by whether others were and are allowed', () => {
    const open = (properties: JsonValue, required: string[] = []): JsonValue => ({ properties, required })
    const closed = (properties: JsonValue): JsonValue => ({ properties, additionalProperties: false })
    const a = { 'a/b': { type: 'string' } }
    expect([
      ...found(open({}), open(a)),
      ...found(closed({}), closed(a)),
      ...found(open({}), open(a, ['a/b'])),
      ...found(open(a), open({})),
      ...found(closed(a), closed({})),
      ...found(open(a), open(a, ['a/b'])),
      ...found(open(a, ['a/b']), open(a)),
      ...found(open({}), closed({})),
      ...found(closed({}), open({})),
    ]).toEqual([
      'breaking /a~1b: has rules now; it could hold anything before',
      'compatible /a~1b: is new and optional',
      'breaking /a~1b: is new and required',
      'compatible /a~1b: has no rules any more',
      'breaking /a~1b: is gone, and would be refused',
      'breaking /a~1b: is required now',
      'compatible /a~1b: is optional now',
      'breaking : other properties are refused now',
      'compatible : other properties are allowed now',
    ])
  })

  test('follows what is required although no property of the name is declared', () => {
    expect(compareContracts({}, { required: ['a'] })).toEqual([
      { path: '/a', effect: 'breaking', text: 'is required now' },
    ])
    expect(compareContracts({ required: ['a'] }, {})).toEqual([
      { path: '/a', effect: 'compatible', text: 'is optional now' },
    ])
  })

  test('follows schemas that are nothing but true or false', () => {
    const items = (before: JsonValue | undefined, after: JsonValue | undefined) =>
      found(before === undefined ? {} : { items: before }, after === undefined ? {} : { items: after })
    const text = { type: 'string' }
    expect(
      [items(text, true), items(text, undefined), items(false, text), items(text, false), items(true, text)].flat(),
    ).toEqual([
      'compatible /*: anything is allowed here now',
      'compatible /*: anything is allowed here now',
      'compatible /*: a value is allowed here now',
      'breaking /*: nothing is allowed here any more',
      'breaking /*: there are rules now where there were none',
    ])
    expect([...items(true, true), ...items(undefined, undefined)]).toEqual([])
  })

  test('follows references, also escaped ones and in lists, with what is beside them', () => {
    const at = ($ref: string, more = {}) => ({ items: { $ref, ...more }, $defs: { 'a/b': [{ type: 'string' }] } })
    expect(found({ items: { type: 'string' }, $defs: { 'a/b': [{ type: 'string' }] } }, at('#/$defs/a~1b/0'))).toEqual(
      [],
    )
    expect(found(at('#/$defs/a%7E1b/0'), at('#/$defs/a~1b/0', { maxLength: 1 }))).toEqual([
      'breaking /*: maxLength is 1 now',
    ])
    expect(found(at('#/nowhere'), at('#/nowhere'))).toEqual([])
  })

  test('lists a bounded number of changes', () => {
    const schema = (title: string): JsonValue => ({
      properties: Object.fromEntries(Array.from({ length: 501 }, (_, at) => [`p${at}`, { title }])),
    })
    expect(found(schema('a'), schema('b'))).toHaveLength(500)
  })

  test('ends on a schema that refers to itself', () => {
    const endless: JsonValue = {
      $ref: '#/$defs/node',
      $defs: { node: { properties: { next: { $ref: '#/$defs/node' } } } },
    }
    const other = structuredClone(endless) as { $defs: { node: { properties: Record<string, JsonValue> } } }
    other.$defs.node.properties.name = { type: 'string' }
    expect(compareContracts(endless, other as JsonValue).length).toBeGreaterThan(0)
  })
})
