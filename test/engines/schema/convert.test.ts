import { describe, expect, test } from 'bun:test'
import { type JsonObject, type JsonValue, readJson } from '../../../src/core/json.ts'
import { type Convertible, convertContract, convertSchemaValue } from '../../../src/engines/schema/convert/convert.ts'
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
