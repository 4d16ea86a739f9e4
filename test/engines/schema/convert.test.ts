import { describe, expect, test } from 'bun:test'
import { type JsonObject, type JsonValue, readJson } from '../../../src/core/json.ts'
import { type Convertible, convertContract, convertSchemaValue } from '../../../src/engines/schema/convert/convert.ts'
import type { Draft } from '../../../src/engines/schema/convert/dialects.ts'
import { readExactly } from '../../../src/engines/schema/convert/exact-numbers.ts'
import { writeSchemas } from '../../../src/engines/schema/convert/write-schemas.ts'
import { dialectUri } from '../../../src/engines/schema/metaschema.ts'
import { compileSchema, isValidPayload } from '../../../src/engines/schema/schema.ts'

const uris = {
  4: 'http://json-schema.org/draft-04/schema#',
  6: 'http://json-schema.org/draft-06/schema#',
  7: 'http://json-schema.org/draft-07/schema#',
  2019: 'https://json-schema.org/draft/2019-09/schema',
} as const

describe('each keyword of an older draft', () => {
  const rows: [draft: keyof typeof uris, what: string, before: JsonObject, after: JsonObject][] = [
    [4, 'id', { id: 'https://a.example/b#' }, { $id: 'https://a.example/b' }],
    [4, 'an id that is a name', { id: '#a' }, { $anchor: 'a' }],
    [7, 'an $id with a name', { $id: 'https://a.example/b#a' }, { $id: 'https://a.example/b', $anchor: 'a' }],
    [7, 'an $id that is a pointer', { $id: '#/properties/a' }, {}],
    [4, 'a bound that is exclusive', { minimum: 1, exclusiveMinimum: true }, { exclusiveMinimum: 1 }],
    [4, 'a bound that is not', { maximum: 1, exclusiveMaximum: false }, { maximum: 1 }],
    [7, 'a list in items', { items: [true], additionalItems: false }, { prefixItems: [true], items: false }],
    [7, 'an empty list in items', { items: [], additionalItems: false }, { items: false }],
    [7, 'additionalItems without a list', { items: true, additionalItems: false }, { items: true }],
    [7, 'dependencies', { dependencies: { a: ['b'] } }, { dependentRequired: { a: ['b'] } }],
    [
      7,
      'dependencies of both kinds',
      { dependencies: { a: ['b'], c: { items: [true] } } },
      { dependentRequired: { a: ['b'] }, dependentSchemas: { c: { prefixItems: [true] } } },
    ],
    [7, 'definitions', { definitions: { a: true } }, { $defs: { a: true } }],
    [
      7,
      'definitions beside $defs',
      { definitions: { a: true }, $defs: { a: false } },
      { definitions: { a: true }, $defs: { a: false } },
    ],
    [
      7,
      'a reference to what moved',
      { definitions: { a: {} }, $ref: '#/definitions/a' },
      { $defs: { a: {} }, $ref: '#/$defs/a' },
    ],
    [
      7,
      'a reference whose target has odd characters',
      { definitions: { 'a/b %': {} }, $ref: '#/definitions/a~1b%20%25' },
      { $defs: { 'a/b %': {} }, $ref: '#/$defs/a~1b%20%25' },
    ],
    [
      7,
      'checks beside a $ref',
      { $ref: '#/definitions/a', minLength: 2, title: 'T', definitions: { a: {} } },
      { $ref: '#/$defs/a', title: 'T', $defs: { a: {} } },
    ],
    [
      2019,
      'checks beside a $ref',
      { $ref: '#/$defs/a', minLength: 2, $defs: { a: {} } },
      { $ref: '#/$defs/a', minLength: 2, $defs: { a: {} } },
    ],
    [4, 'a keyword of a later draft', { const: 1, title: 'T' }, { title: 'T' }],
    [6, 'a keyword of a later draft', { if: {}, const: 1 }, { const: 1 }],
    [
      7,
      'a keyword of a later draft that is referred to',
      { prefixItems: [{ items: [true] }], properties: { a: { $ref: '#/prefixItems/0' } } },
      {
        'x-ignored': { prefixItems: [{ prefixItems: [true] }] },
        properties: { a: { $ref: '#/x-ignored/prefixItems/0' } },
      },
    ],
    [
      7,
      'a schema where no keyword has one',
      { types: { a: { items: [true] } }, not: { $ref: '#/types/a' } },
      { types: { a: { prefixItems: [true] } }, not: { $ref: '#/types/a' } },
    ],
    [
      7,
      'what only looks like a schema',
      { const: { items: [1] }, default: { id: 'a' } },
      { const: { items: [1] }, default: { id: 'a' } },
    ],
    [
      2019,
      'a $recursiveRef',
      { $recursiveAnchor: true, items: { $recursiveRef: '#' } },
      { $dynamicAnchor: 'recursive', items: { $dynamicRef: '#recursive' } },
    ],
    [2019, 'a $recursiveRef that is not dynamic', { items: { $recursiveRef: '#' } }, { items: { $ref: '#' } }],
    [
      2019,
      'an anchor with a colon',
      { $anchor: 'a:b', items: { $ref: '#a:b' } },
      { $anchor: 'a_b', items: { $ref: '#a_b' } },
    ],
    [
      2019,
      'contains beside unevaluatedItems',
      { contains: { const: 1 }, maxContains: 2, unevaluatedItems: false },
      { unevaluatedItems: false, allOf: [{ not: { not: { contains: { const: 1 }, maxContains: 2 } } }] },
    ],
    [
      2019,
      'a reference into a wrapped contains',
      { contains: {}, unevaluatedItems: false, not: { $ref: '#/contains' } },
      {
        unevaluatedItems: false,
        not: { $ref: '#/allOf/0/not/not/contains' },
        allOf: [{ not: { not: { contains: {} } } }],
      },
    ],
    [7, 'deprecated with a sentence', { deprecated: 'Use b' }, { 'x-deprecated': 'Use b' }],
    [
      7,
      'a part in a draft of its own',
      { $defs: { a: { $schema: uris[4], minimum: 1, exclusiveMinimum: true } } },
      { $defs: { a: { exclusiveMinimum: 1 } } },
    ],
  ]

  test.each(rows)('of draft %i is said in 2020-12: %s', (draft, _what, before, after) => {
    expect(convertSchemaValue(before, draft)).toEqual(after)
    expect(convertSchemaValue({ $schema: uris[draft], ...before }, 7)).toEqual({ $schema: dialectUri, ...after })
  })
})

describe('what is done to a document of an older draft', () => {
  test.each<[draft: Draft, what: string, before: JsonObject, after: JsonObject, told: string[]]>([
    [4, 'an id without a fragment', { id: 'https://a.example/b' }, { $id: 'https://a.example/b' }, ['/id id: $id']],
    [
      4,
      'an id beside a reference',
      { properties: { a: { id: 'x', $ref: '#/definitions/b' } }, definitions: { b: {} } },
      { properties: { a: { $ref: '#/$defs/b' } }, $defs: { b: {} } },
      ['! /properties/a/id id: left out: draft 4 ignores it beside $ref', '/definitions definitions: $defs'],
    ],
    [
      7,
      'an $id beside a reference at the root',
      { $id: 'https://a.example/b', $ref: '#/definitions/b', definitions: { b: {} } },
      { $id: 'https://a.example/b', $ref: '#/$defs/b', $defs: { b: {} } },
      ['/definitions definitions: $defs'],
    ],
    [
      7,
      'a reference into another resource',
      {
        $id: 'https://a.example/a',
        definitions: { b: { $id: 'b', definitions: { c: {} } } },
        items: { $ref: 'b#/definitions/c' },
      },
      { $id: 'https://a.example/a', $defs: { b: { $id: 'b', $defs: { c: {} } } }, items: { $ref: 'b#/$defs/c' } },
      ['/definitions/b/definitions definitions: $defs', '/definitions definitions: $defs'],
    ],
    [
      7,
      'a reference to a resource by its URI alone',
      { definitions: { b: { $id: 'https://a.example/b' } }, items: { $ref: 'https://a.example/b' } },
      { $defs: { b: { $id: 'https://a.example/b' } }, items: { $ref: 'https://a.example/b' } },
      ['/definitions definitions: $defs'],
    ],
    [
      7,
      'a reference within a list that moved',
      { items: [{ $ref: '#/items/1' }, { type: 'string' }] },
      { prefixItems: [{ $ref: '#/prefixItems/1' }, { type: 'string' }] },
      ['/items items: prefixItems'],
    ],
    [
      7,
      'a reference out of the document',
      { items: { $ref: 'other.json#/definitions/a' }, definitions: {} },
      { items: { $ref: 'other.json#/definitions/a' }, $defs: {} },
      ['/definitions definitions: $defs'],
    ],
    [
      7,
      'a reference by a name',
      { definitions: { a: { $id: '#n' } }, items: { $ref: '#n' } },
      { $defs: { a: { $anchor: 'n' } }, items: { $ref: '#n' } },
      ['/definitions/a/$id $id: $anchor', '/definitions definitions: $defs'],
    ],
    [
      2019,
      'anchors that would become one',
      { $defs: { a: { $anchor: 'a:b' }, b: { $anchor: 'a_b' }, c: { $ref: '#a:b' }, d: { $ref: '#a_b' } } },
      { $defs: { a: { $anchor: 'a_b-2' }, b: { $anchor: 'a_b' }, c: { $ref: '#a_b-2' }, d: { $ref: '#a_b' } } },
      [],
    ],
    [
      7,
      'a name that begins with a digit',
      { definitions: { a: { $id: '#1a' } }, items: { $ref: '#1a' } },
      { $defs: { a: { $anchor: '_1a' } }, items: { $ref: '#_1a' } },
      ['/definitions/a/$id $id: $anchor', '/definitions definitions: $defs'],
    ],
    [
      2019,
      'a $recursiveAnchor that is false',
      { $recursiveAnchor: false, items: { $recursiveRef: '#' } },
      { items: { $ref: '#' } },
      [
        '! /$recursiveAnchor $recursiveAnchor: left out: false says nothing',
        '/items/$recursiveRef $recursiveRef: $ref',
      ],
    ],
    [
      2019,
      'an anchor that is called recursive already',
      { $recursiveAnchor: true, items: { $recursiveRef: '#' }, $defs: { a: { $anchor: 'recursive' } } },
      { $dynamicAnchor: 'recursive-2', items: { $dynamicRef: '#recursive-2' }, $defs: { a: { $anchor: 'recursive' } } },
      [
        '/$recursiveAnchor $recursiveAnchor: $dynamicAnchor "recursive-2"',
        '/items/$recursiveRef $recursiveRef: $dynamicRef',
      ],
    ],
    [
      2019,
      'a $recursiveRef beside a $ref',
      { items: { $recursiveRef: '#', $ref: '#/$defs/a' }, $defs: { a: {} } },
      { items: { $ref: '#/$defs/a', allOf: [{ $ref: '#' }] }, $defs: { a: {} } },
      ['/items/$recursiveRef $recursiveRef: $ref'],
    ],
    [
      2019,
      'contains with both bounds beside unevaluatedItems',
      { contains: { const: 1 }, minContains: 2, maxContains: 3, unevaluatedItems: false, allOf: [{ minItems: 1 }] },
      {
        unevaluatedItems: false,
        allOf: [{ minItems: 1 }, { not: { not: { contains: { const: 1 }, minContains: 2, maxContains: 3 } } }],
      },
      ['! /contains contains: wrapped, so that it does not count as having evaluated items'],
    ],
    [
      2019,
      'contains elsewhere than unevaluatedItems',
      { properties: { a: { contains: {} }, b: { unevaluatedItems: false } } },
      { properties: { a: { allOf: [{ not: { not: { contains: {} } } }] }, b: { unevaluatedItems: false } } },
      ['! /properties/a/contains contains: wrapped, so that it does not count as having evaluated items'],
    ],
    [
      2019,
      'minContains without contains',
      { minContains: 2, unevaluatedItems: false },
      { minContains: 2, unevaluatedItems: false },
      [],
    ],
    [
      7,
      'minContains, which a later draft has',
      { contains: {}, minContains: 2 },
      { contains: {} },
      ['! /minContains minContains: left out: no keyword of draft 7'],
    ],
    [
      7,
      'dependencies that are empty',
      { dependencies: {} },
      {},
      ['! /dependencies dependencies: left out: it is empty'],
    ],
    [
      4,
      'dependencies as one name',
      { dependencies: { a: 'b' } },
      { dependentRequired: { a: ['b'] } },
      ['/dependencies dependencies: dependentRequired'],
    ],
    [
      2019,
      'dependencies beside dependentRequired',
      { dependentRequired: { x: ['y'] }, dependencies: { a: ['b'] } },
      { dependentRequired: { x: ['y'], a: ['b'] } },
      ['/dependencies dependencies: dependentRequired'],
    ],
    [
      7,
      'a reference into dependencies',
      { dependencies: { a: { items: [true] } }, not: { $ref: '#/dependencies/a' } },
      { dependentSchemas: { a: { prefixItems: [true] } }, not: { $ref: '#/dependentSchemas/a' } },
      ['/dependencies/a/items items: prefixItems', '/dependencies dependencies: dependentSchemas'],
    ],
    [
      4,
      'both bounds, one of them exclusive',
      { minimum: 1, exclusiveMinimum: true, maximum: 5, exclusiveMaximum: false },
      { exclusiveMinimum: 1, maximum: 5 },
      [
        '/minimum minimum: exclusiveMinimum, since exclusiveMinimum is true',
        '! /exclusiveMaximum exclusiveMaximum: left out: false is what holds without it',
      ],
    ],
    [
      6,
      'exclusive bounds as numbers',
      { exclusiveMinimum: 1, exclusiveMaximum: 2 },
      { exclusiveMinimum: 1, exclusiveMaximum: 2 },
      [],
    ],
    [7, 'an empty list in items alone', { items: [] }, {}, ['! /items items: left out: an empty list checks nothing']],
    [
      7,
      'a list of schemas within each other',
      { items: [{ items: [{ items: [true] }] }] },
      { prefixItems: [{ prefixItems: [{ prefixItems: [true] }] }] },
      ['/items/0/items/0/items items: prefixItems', '/items/0/items items: prefixItems', '/items items: prefixItems'],
    ],
    [7, 'deprecated as a truth value', { deprecated: true }, { deprecated: true }, []],
    [
      7,
      'a keyword that is ignored and led into beside a reference',
      { $ref: '#/properties/a', properties: { a: { items: [true] } } },
      { $ref: '#/x-ignored/properties/a', 'x-ignored': { properties: { a: { prefixItems: [true] } } } },
      [
        '/properties/a/items items: prefixItems',
        '! /properties properties: moved into x-ignored, since a reference leads there: draft 7 ignores it beside $ref',
      ],
    ],
    [
      7,
      'a part in 2020-12',
      {
        $defs: {
          a: { $schema: 'https://json-schema.org/draft/2020-12/schema', prefixItems: [true], $dynamicAnchor: 'x' },
          b: { $ref: '#/$defs/a' },
        },
      },
      { $defs: { a: { prefixItems: [true], $dynamicAnchor: 'x' }, b: { $ref: '#/$defs/a' } } },
      ['! /$defs/a/$schema $schema: left out: the document has one'],
    ],
    [
      7,
      'a part in a dialect of nobody',
      { $defs: { a: { $schema: 'https://a.example/own', items: [true] } } },
      { $defs: { a: { $schema: 'https://a.example/own', prefixItems: [true] } } },
      ['/$defs/a/items items: prefixItems'],
    ],
    [
      2020,
      'what is in 2020-12',
      { prefixItems: [true], items: false, $ref: '#/$defs/a', $defs: { a: {} }, definitions: { b: {} } },
      { prefixItems: [true], items: false, $ref: '#/$defs/a', $defs: { a: {} }, definitions: { b: {} } },
      [],
    ],
  ])(
    'in draft %i with %s is told, with a mark where it is more than another name',
    (draft, _what, before, after, told) => {
      const { value, changes } = writeSchemas(before, draft)
      expect(value).toEqual(after)
      expect(changes.map(({ isNotable, path, text }) => `${isNotable ? '! ' : ''}${path} ${text}`)).toEqual(told)
    },
  )
})

function converted(text: string): Extract<Convertible, { kind: 'older' }>['conversion'] {
  const made = convertContract(text)
  if (made.kind !== 'older') throw new Error(`${made.kind}: ${JSON.stringify(made)}`)
  return made.conversion
}

describe('a contract', () => {
  test('that compiles is left alone, whatever it names', () => {
    for (const text of ['{}', `{"$schema": "${dialectUri}"}`, '{"definitions": {}}']) {
      expect(convertContract(text)).toEqual({ kind: 'current' })
    }
  })

  test('that is no JSON, or of an unknown dialect, keeps its own findings', () => {
    for (const text of ['{', '{"minimum": 007}', '{"$schema": "https://a.example/own"}', '{"type": "strung"}']) {
      expect([text, convertContract(text)]).toEqual([text, { kind: 'current' }])
    }
  })

  test('keeps its layout, so that a comparison shows what was converted', () => {
    const text = `{\n\t"$schema": "${uris[7]}",\n\t"enum": ["a", "b"],\n\t"properties": {},\n\t"required": [],\n\t"items": [{ "type": "string" }]\n}\n`
    const expected = text.replace(uris[7], dialectUri).replace('"items"', '"prefixItems"')
    expect(converted(text).text).toBe(expected)
    expect(converted(text.trimEnd()).text).toBe(expected.trimEnd())
  })

  test('keeps an object on several lines whose first member is beside its brace', () => {
    const text = `{\n  "$schema": "${uris[7]}",\n  "items": [{ "type":\n "string" }, { "type": "null" }]\n}\n`
    const expected = `{\n  "$schema": "${dialectUri}",\n  "prefixItems": [\n    {\n      "type": "string"\n    },\n    { "type": "null" }\n  ]\n}\n`
    expect(converted(text).text).toBe(expected)
  })

  test('that names no draft is read as the one whose forms it has', () => {
    expect(converted('{"minimum": 1, "exclusiveMinimum": true}')).toMatchObject({ from: 'draft 4', isNamed: false })
    expect(converted('{"items": [{"type": "string"}]}')).toMatchObject({ from: 'draft 7', isNamed: false })
  })

  test('converts to one that needs no conversion', () => {
    const { text } = converted(
      `{"$schema": "${uris[4]}", "id": "a", "items": [{"minimum": 1, "exclusiveMinimum": true}]}`,
    )
    expect(compileSchema(text).ok).toBe(true)
    expect(convertContract(text)).toEqual({ kind: 'current' })
  })

  test('is refused with the reason, at its place in the text as it was given', () => {
    const text = `{\n  "$schema": "${uris[7]}",\n  "definitions": {\n    "a": { "pattern": "(?=b)" },\n    "c": { "$ref": "other.json#/a" }\n  }\n}`
    const made = convertContract(text)
    if (made.kind !== 'refused') return expect.unreachable()
    expect(made.from).toBe('draft 7')
    expect(made.findings.map(({ code, path, line }) => [code, path, line])).toEqual([
      ['schema.pattern-unsupported', '/definitions/a/pattern', 4],
      ['schema.foreign-reference', '/definitions/c/$ref', 5],
    ])
    expect(made.findings[1]?.hint).toContain('Copy that schema into')
  })
})

describe('a bound that no double keeps', () => {
  const int64 = [
    '-9223372036854775808',
    '9223372036854775807',
    '18446744073709551615',
    '0.1000000000000000055511151231257827',
  ]
  const near = [
    '-9223372036854776000',
    '-9223372036854775000',
    '9223372036854775000',
    '9223372036854776000',
    '18446744073709550000',
    '18446744073709552000',
    '0.1',
    '0.10000000000000002',
    '0',
    '-1e300',
    '1e300',
  ]

  test('accepts what it accepted, exactly: every number that can be read is on the same side', () => {
    let compared = 0
    for (const keyword of ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum']) {
      for (const bound of int64) {
        const { text } = converted(`{"$schema": "${dialectUri}", "${keyword}": ${bound}}`)
        const schema = compileSchema(text)
        if (!schema.ok) return expect.unreachable()
        for (const number of near) {
          const read = readJson(number)
          if (!read.ok) return expect.unreachable()
          const sign = compareDecimals(number, bound)
          const accepts = {
            minimum: sign >= 0,
            maximum: sign <= 0,
            exclusiveMinimum: sign > 0,
            exclusiveMaximum: sign < 0,
          }
          expect([keyword, bound, number, isValidPayload(schema.value, read.value)]).toEqual([
            keyword,
            bound,
            number,
            accepts[keyword as keyof typeof accepts],
          ])
          compared++
        }
      }
    }
    expect(compared).toBe(4 * int64.length * near.length)
  })

  test('is exact where draft 4 says with a second keyword that it is exclusive', () => {
    const accepts = (keyword: string, number: number) => {
      const exclusive = `exclusive${keyword.replace('m', 'M')}`
      const { text } = converted(`{"${keyword}": 9223372036854775807, "${exclusive}": true}`)
      const schema = compileSchema(text)
      return schema.ok && isValidPayload(schema.value, number)
    }
    // These are read as 9223372036854775000 and 9223372036854776000.
    const [below, above] = [2 ** 63 - 1024, 2 ** 63]
    expect([accepts('minimum', below), accepts('minimum', above)]).toEqual([false, true])
    expect([accepts('maximum', below), accepts('maximum', above)]).toEqual([true, false])
  })

  test('goes to the side on which it means the same, for every keyword that bounds something', () => {
    const read = (text: string) => {
      const made = readExactly(text)
      return made.ok ? made.value.root : made.findings.map(({ code }) => code)
    }
    const [above, below] = [9223372036854776000, 9223372036854775000]
    for (const keyword of ['minimum', 'minLength', 'minItems', 'minProperties', 'minContains', 'exclusiveMaximum'])
      expect(read(`{"${keyword}": 9223372036854775807}`)).toEqual({ [keyword]: above })
    for (const keyword of ['maximum', 'maxLength', 'maxItems', 'maxProperties', 'maxContains', 'exclusiveMinimum'])
      expect(read(`{"${keyword}": 9223372036854775807}`)).toEqual({ [keyword]: below })
    for (const keyword of ['default', 'example', 'examples'])
      expect(read(`{"${keyword}": 9223372036854775807, "a": [1]}`)).toEqual({ a: [1] })
    for (const other of [
      '{"multipleOf": 9223372036854775807}',
      '[9223372036854775807]',
      '{"a": 0.10000000000000000001}',
    ])
      expect(read(other)).toEqual(['json.number'])
    // Beyond all doubles there is a bound on one side only.
    expect(read('{"maximum": 1e400, "minimum": -1e400}')).toEqual({
      maximum: Number.MAX_VALUE,
      minimum: -Number.MAX_VALUE,
    })
    expect(read('{"minimum": 1e400}')).toEqual(['json.number'])
    expect(read('{"minimum": 5e-400, "maximum": -5e-400}')).toEqual({ minimum: 5e-324, maximum: -5e-324 })
    expect(JSON.stringify(read('{"maximum": 5e-400, "minimum": -5e-400}'))).toBe('{"maximum":0,"minimum":0}')
  })

  test('is reported with what it became', () => {
    expect(converted('{"maximum": 9223372036854775807}').changes).toEqual([
      {
        path: '/maximum',
        text: 'maximum: 9223372036854775000, which accepts the same numbers: Quire reads none between the two',
        isNotable: true,
      },
    ])
  })

  test('is left out where it is only a note, and refused where it is a value', () => {
    expect(JSON.parse(converted('{"type": "integer", "default": 9223372036854775807}').text)).toEqual({
      type: 'integer',
    })
    expect(convertContract('{"const": 9223372036854775807}').kind).toBe('current')
    expect(convertContract('{"minimum": 1e999}').kind).toBe('current')
    expect(JSON.parse(converted('{"maximum": 1e999}').text)).toEqual({ maximum: Number.MAX_VALUE } as JsonValue)
  })
})

/** Decimals as they are written, without doubles. */
function compareDecimals(one: string, other: string): number {
  const scaled = (text: string) => {
    const [, sign = '', whole = '', fraction = '', exponent = '0'] =
      /^(-?)(\d+)(?:\.(\d+))?(?:e(\d+))?$/.exec(text) ?? []
    return BigInt(sign + whole + fraction.padEnd(40, '0')) * 10n ** BigInt(exponent)
  }
  const [left, right] = [scaled(one), scaled(other)]
  return left < right ? -1 : left > right ? 1 : 0
}
