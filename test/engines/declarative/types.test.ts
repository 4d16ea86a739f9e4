/** What a contract and the operators say about a value, as the list of writes shows it to authors. */
import { describe, expect, test } from 'bun:test'
import type { JsonObject, JsonValue } from '../../../src/core/json.ts'
import { codesOf, compile, sourceOf } from './compile.ts'

/** The schema of the one required member `x`, a value under output, what it writes, and more of the contract. */
const writes: [x: string, value: string, written: string, more?: string][] = [
  ['true', '/x', 'unknown'],
  ['{}', '/x', 'unknown'],
  ['false', '/x', 'unknown'],
  ['{"type":"string"}', '/x', 'string'],
  ['{"type":"integer"}', '/x', 'decimal'],
  ['{"type":["integer","number","null"]}', '/x', 'decimal|null'],
  ['{"type":["boolean","null"]}', '/x', 'boolean|null'],
  ['{"type":"null"}', '/x', 'null'],
  ['{"type":"string","format":"date"}', '/x', 'date'],
  ['{"type":"string","format":"date-time"}', '/x', 'datetime'],
  ['{"type":["string","null"],"format":"date"}', '/x', 'date|null'],
  ['{"format":"date"}', '/x', 'unknown'],
  ['{"type":"string","format":"email"}', '/x', 'string'],
  ['{"enum":["a","b"]}', '/x', 'string'],
  ['{"enum":["a",1,null,true]}', '/x', 'string|decimal|boolean|null'],
  ['{"enum":[{"a":1},[1]]}', '/x', 'object|array'],
  ['{"const":5}', '/x', 'decimal'],
  ['{"const":"a"}', '/x', 'string'],
  ['{"const":null}', '/x', 'null'],
  ['{"enum":["2025-01-01"]}', '/x', 'string'],
  ['{"type":"string","enum":["a"]}', '/x', 'string'],
  ['{"enum":["a","b"],"const":"a"}', '/x', 'string'],
  [
    '{"type":"object","required":["a"],"properties":{"a":{"type":"string"},"b":{"type":"number"}}}',
    '/x',
    '/a string, /b decimal?',
  ],
  [
    '{"type":"object","required":["a"],"properties":{"a":{"type":"string"},"b":{"type":"number"}}}',
    '{ $merge: [/x, { b: 2, c: 3 }] }',
    '/a string, /b decimal, /c decimal',
  ],
  ['{"type":"object","required":["z"],"properties":{"a":{"type":"string"}}}', '/x/z', 'unknown'],
  ['{"type":"object","additionalProperties":{"type":"number"}}', '{ v: { $omit: /x/any } }', '/v decimal?'],
  ['{"type":"object","additionalProperties":{"type":"number"}}', '{ $entries: /x }', '/*/key string, /*/value decimal'],
  [
    '{"type":"object","properties":{"a":{"type":"string"}},"additionalProperties":{"type":"number"}}',
    '{ v: { $omit: /x/any } }',
    '/v decimal?',
  ],
  [
    '{"type":"object","properties":{"a":{"type":"string"}},"unevaluatedProperties":{"type":"number"}}',
    '{ v: { $omit: /x/any } }',
    '/v decimal?',
  ],
  [
    '{"type":"object","properties":{"a":{"type":"string"}},"patternProperties":{"^b":{}}}',
    '{ v: { $omit: /x/any } }',
    '/v unknown?',
  ],
  ['{"type":"object","additionalProperties":false}', '{ $entries: /x }', '/*/key string, /*/value unknown'],
  [
    '{"type":"object","required":["o"],"properties":{"o":{"type":"object","properties":{"a":{"type":"number"}}}},"allOf":[{"properties":{"o":{"type":"object","properties":{"b":{"type":"string"}}}}}]}',
    '{ $entries: /x/o }',
    '/*/key string, /*/value decimal|string',
  ],
  [
    '{"type":"object","required":["a"],"properties":{"a":{"type":"number"},"b":{"type":"string","format":"date"}}}',
    '{ $entries: /x }',
    '/*/key string, /*/value decimal|date',
  ],
  [
    '{"type":"object","properties":{"a":{"type":"number"}},"additionalProperties":{"type":"string"}}',
    '{ $entries: /x }',
    '/*/key string, /*/value string|decimal',
  ],
  [
    '{"type":"object","properties":{"a":{"type":"number"},"b":{"type":"string"}}}',
    '{ v: { $lookup: /x, key: { $text: b }, else: true } }',
    '/v decimal|string|boolean',
  ],
  [
    '{"type":"object","required":["a"],"properties":{"a":{"type":"number"},"o":{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"boolean"}}}}}',
    '{ $merge: [/x, { $default: [/x/o, {}] }] }',
    '/a decimal|string, /o/a string?, /o/b boolean?, /b boolean?',
  ],
  [
    '{"anyOf":[{"type":"object","required":["a"],"properties":{"a":{"type":"number"}},"additionalProperties":{"type":"string"}},{"type":"object","required":["b"],"properties":{"b":{"type":"boolean"}}}]}',
    '{ v: { $omit: /x/z }, a: { $omit: /x/a }, b: { $omit: /x/b } }',
    '/v string?, /a decimal?, /b string|boolean?',
  ],
  [
    '{"anyOf":[{"type":"object","required":["a"],"properties":{"a":{"type":"number"}},"additionalProperties":{"type":"string"}},{"type":"object","properties":{"b":{"type":"boolean"}},"additionalProperties":{"type":"number"}}]}',
    '{ v: { $omit: /x/z } }',
    '/v string|decimal?',
  ],
  ['{"type":"array","items":{"type":"string"}}', '/x', '/* string'],
  ['{"type":"array"}', '/x', '/* unknown'],
  ['{"type":"array","items":false}', '/x', '/* unknown'],
  ['{"type":"array","prefixItems":[{"type":"string"},{"type":"number"}]}', '/x', '/* string|decimal|unknown'],
  ['{"type":"array","prefixItems":[{"type":"string"},{"type":"number"}],"items":false}', '/x', '/* string|decimal'],
  ['{"type":"array","prefixItems":[{"type":"string"}],"items":{"type":"number"}}', '/x', '/* string|decimal'],
  ['{"anyOf":[{"type":"string"},{"type":"number"}]}', '/x', 'string|decimal'],
  ['{"oneOf":[{"type":"string"},{"type":"null"}]}', '/x', 'string|null'],
  ['{"anyOf":[{"type":"string"},false]}', '/x', 'string'],
  ['{"anyOf":[true,{"type":"string"}]}', '/x', 'unknown|string'],
  ['{"anyOf":[]}', '/x', 'unknown'],
  ['{"anyOf":[{"enum":["a"]},{"enum":["b",null]}]}', '/x', 'string|null'],
  ['{"type":"string","anyOf":[{"format":"date"},{"format":"date-time"}]}', '/x', 'string'],
  [
    '{"type":"string","anyOf":[{"type":"string","format":"date"},{"type":"string","format":"date-time"}]}',
    '/x',
    'date|datetime',
  ],
  ['{"type":["string","number","null"],"anyOf":[{"type":"string"},{"type":"null"}]}', '/x', 'string|null'],
  ['{"allOf":[{"type":["string","number"]},{"type":["number","boolean"]}]}', '/x', 'decimal'],
  ['{"allOf":[{"type":"string"},{"format":"date"}]}', '/x', 'date'],
  ['{"type":"string","allOf":[true]}', '/x', 'string'],
  ['{"type":"string","allOf":[false]}', '/x', 'unknown'],
  ['{"type":"string","allOf":[{"enum":["a","b"]},{"enum":["b","c"]}]}', '/x', 'string'],
  [
    '{"anyOf":[{"type":"object","required":["a"],"properties":{"a":{"type":"string"}}},{"type":"object","required":["a"],"properties":{"a":{"type":"number"},"b":{"type":"null"}}}]}',
    '/x',
    '/a string|decimal, /b null?',
  ],
  [
    '{"type":"object","properties":{"a":{}},"anyOf":[{"type":"object","required":["a"],"properties":{"a":{"type":"string"}}},{"type":"object","required":["a"],"properties":{"a":{"type":"number"}}}]}',
    '/x',
    '/a string|decimal',
  ],
  [
    '{"type":"object","properties":{"a":{"type":["string","null"]}},"allOf":[{"properties":{"a":{"type":"string"},"b":{"type":"number"}},"required":["b"]}]}',
    '/x',
    '/a string?, /b decimal',
  ],
  [
    '{"type":"array","items":{"type":["string","null"]},"anyOf":[{"type":"array","items":{"type":"string"},"minItems":1},{"type":"array","items":{"type":"string"},"minItems":2}]}',
    '{ $pick: /x, at: 0 }',
    'string',
  ],
  ['{"type":"array","minItems":1,"maxItems":3,"items":{"type":"number"}}', '{ $max: /x }', 'decimal'],
  [
    '{"type":["array","null"],"minItems":1,"items":{"type":"number"}}',
    '{ $default: [{ $max: { $default: [/x, [1]] } }, none] }',
    'decimal|string',
  ],
  [
    '{"type":["string","object"],"properties":{"a":{"type":"number"}},"required":["a"]}',
    '{ v: { $omit: /x/a } }',
    '/v decimal?',
  ],
  [
    '{"type":["object","array"],"properties":{"0":{"type":"number"}},"required":["0"],"items":{"type":"string"},"minItems":1}',
    '/x/0',
    'decimal|string',
  ],
  ['{"$ref":"#/$defs/a"}', '/x', 'decimal', '{"$defs":{"a":{"type":"number"}}}'],
  ['{"$ref":"#/$defs/a~1b"}', '/x', 'decimal', '{"$defs":{"a/b":{"type":"number"}}}'],
  ['{"$ref":"#/$defs/a%20b"}', '/x', 'decimal', '{"$defs":{"a b":{"type":"number"}}}'],
  ['{"$ref":"#/$defs/%zz"}', '/x', 'unknown', '{"$defs":{"a":{"type":"number"}}}'],
  ['{"$ref":"#nm"}', '/x', 'decimal', '{"$defs":{"q":{"type":"string"},"a":{"$anchor":"nm","type":"number"}}}'],
  [
    '{"$ref":"#/$defs/n"}',
    '{ v: { $default: [/x/next/next/v, none] } }',
    '/v decimal|string',
    '{"$defs":{"n":{"type":"object","required":["v"],"properties":{"v":{"type":"number"},"next":{"$ref":"#/$defs/n"}}}}}',
  ],
  ['{"$ref":"#/$defs/a","type":["number","string"]}', '/x', 'decimal', '{"$defs":{"a":{"type":["number","null"]}}}'],
  ['{"$ref":"#/allOf/0"}', '/x', 'string', '{"allOf":[{"properties":{"x":{"type":"string"}}}]}'],
  ['{"$recursiveRef":"#"}', '/x', 'unknown'],
  ['{"type":"array","items":{"type":"number"},"allOf":[{"items":{"type":"string"}}]}', '/x', '/* decimal'],
  [
    '{"type":"array","allOf":[{"prefixItems":[{"type":"string"}]},{"prefixItems":[{"type":"number"}],"items":false}]}',
    '/x',
    '/* string',
  ],
  [
    '{"type":"array","minItems":1,"allOf":[{"minItems":2}],"items":{"type":"number"}}',
    '{ $pick: /x, at: 1 }',
    'decimal',
  ],
  [
    '{"type":"array","minItems":2,"allOf":[{"minItems":1}],"items":{"type":"number"}}',
    '{ $pick: /x, at: 1 }',
    'decimal',
  ],
  [
    '{"type":"object","properties":{"a":{"type":["string","number"]}},"required":["a"],"anyOf":[{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"null"}}}]}',
    '/x',
    '/a string, /b null?',
  ],
  [
    '{"type":"object","properties":{"a":{"type":"string"}},"anyOf":[{"type":"object","properties":{},"required":["a"]}]}',
    '/x',
    '/a string',
  ],
  ['{"type":"string","anyOf":[true]}', '/x', 'string'],
  ['{"anyOf":[{"type":"string","format":"date"}],"type":["string","null"]}', '/x', 'date'],
  ['{"type":"string","format":"date","anyOf":[{"type":"string"},{"type":"number"}]}', '/x', 'date'],
  ['{"oneOf":[{"type":"string"}],"anyOf":[{"type":"number"}]}', '/x', 'string'],
  [
    '{"type":["object","string"],"required":["a"],"properties":{"a":{"type":"number"}}}',
    '{ v: { $omit: /x/a } }',
    '/v decimal?',
  ],
  [
    '{"type":["object","null"],"required":["a"],"properties":{"a":{"type":"number"}}}',
    '{ v: { $omit: /x/a } }',
    '/v decimal?',
  ],
  [
    '{"anyOf":[{"type":"object","required":["a"],"properties":{"a":{"type":"number"}}},{"type":"object","additionalProperties":{"type":"string"}}]}',
    '{ v: { $omit: /x/a }, w: { $omit: /x/b } }',
    '/v decimal|string?, /w string?',
  ],
  [
    '{"anyOf":[{"type":"array","minItems":2,"items":{"type":"number"}},{"type":"array","minItems":1,"items":{"type":"string"}}]}',
    '{ a: { $default: [{ $max: /x }, none] }, b: { $omit: /x/1 }, c: /x/0 }',
    '/a decimal|string, /b decimal|string?, /c decimal|string',
  ],
  ['{"type":"boolean"}', '{ $if: /x, then: 1, else: a }', 'decimal|string'],
  ['{"type":"boolean"}', '{ a: { $if: /x, then: 1 } }', '/a decimal?'],
  ['{"type":"boolean"}', '[{ $if: /x, then: 1 }, b]', '/* decimal|string'],
  [
    '{"type":"boolean"}',
    '{ a: { $if: /x, then: { $omit: /y } , else: 2 } }',
    '/a string|decimal?',
    '{"properties":{"x":{"type":"boolean"},"y":{"type":"string"}}}',
  ],
  ['{"type":"boolean"}', '{ a: { $if: /x, then: null, else: 2 } }', '/a decimal|null'],
  [
    '{"type":"boolean"}',
    '{ $if: /x, then: { a: 1, b: 2 }, else: { b: x, c: 3 } }',
    '/a decimal?, /b decimal|string, /c decimal?',
  ],
  ['{"type":"boolean"}', '{ $if: /x, then: [1], else: [a, b] }', '/* decimal|string'],
  [
    '{"type":"boolean"}',
    '{ $default: [{ $pick: { $if: /x, then: [1, 2], else: [a, b] }, at: 1 }, none] }',
    'decimal|string',
  ],
  ['{"type":"number"}', '{ $const: { a: [1, x, null], b: true } }', '/a/* decimal|string|null, /b boolean'],
  ['{"type":"number"}', '{ $const: [] }', '/* unknown'],
  ['{"type":"number"}', '[]', '/* unknown'],
  ['{"type":"number"}', '[[1], [a]]', '/*/* decimal|string'],
  [
    '{"type":"array","items":{"type":"number"},"maxItems":4}',
    '{ $group: /x, as: i, by: $i, do: { k: $key, all: $items } }',
    '/*/k decimal, /*/all/* decimal',
  ],
  [
    '{"type":"array","items":{"type":"number"},"maxItems":4}',
    '{ $each: /x, as: i, do: { $if: { $is: [$i, ">", 1] }, then: $i } }',
    '/* decimal',
  ],
  [
    '{"type":"array","items":{"type":"array","minItems":1,"maxItems":9,"items":{"type":"number"}},"minItems":1}',
    '{ $max: { $flatten: /x } }',
    'decimal',
  ],
  [
    '{"type":"array","items":{"type":"array","maxItems":9,"items":{"type":"number"}},"minItems":1}',
    '{ $default: [{ $max: { $flatten: /x } }, none] }',
    'decimal|string',
  ],
  ['{"type":"array","items":{"type":"number"},"minItems":2}', '{ $max: { $distinct: /x } }', 'decimal'],
  ['{"type":"array","items":{"type":"number"},"minItems":2}', '{ $max: { $each: /x, as: i, do: $i } }', 'decimal'],
  [
    '{"type":"array","items":{"type":"number"},"minItems":2}',
    '{ $default: [{ $max: { $each: /x, as: i, where: { $is: [$i, ">", 1] } } }, none] }',
    'decimal|string',
  ],
  ['{"type":"array","items":{"type":"number"},"minItems":2}', '{ $pick: { $concat: [/x, [1]] }, at: 2 }', 'decimal'],
  [
    '{"type":"object","required":["a"],"properties":{"a":{"type":"number"},"b":{"type":"string"}}}',
    '{ $fromEntries: { $entries: /x } }',
    'object',
  ],
  ['{"type":"string"}', '{ $parse: /x, as: decimal, else: none }', 'decimal|string'],
  ['{"type":"string"}', '{ a: { $omit: { $parse: /x, as: boolean } } }', '/a boolean?'],
  ['{"type":"string"}', '{ $parse: /x, as: datetime, else: null }', 'datetime|null'],
  ['{"type":"string"}', '{ $lookup: t, key: /x }', 'string'],
  ['{"type":"string"}', '{ $lookup: mixed, key: /x, else: null }', 'decimal|boolean|string|null'],
  ['{"type":["number","null"]}', '{ $default: [/x, a] }', 'decimal|string'],
  ['{"type":["number","null"]}', '{ $default: [/x, null] }', 'decimal|null'],
  ['{"type":["number","null"]}', '{ a: { $omit: /x } }', '/a decimal?'],
  ['{"type":["number","null"]}', '{ $require: /x, code: A }', 'decimal'],
  ['{"type":"string"}', '{ a: /x, b: { c: [/x] }, d: [{ e: 1 }] }', '/a string, /b/c/* string, /d/*/e decimal'],
]

function contractFor(x: string, more = '{}'): JsonValue {
  return { type: 'object', required: ['x'], properties: { x: JSON.parse(x) }, ...(JSON.parse(more) as JsonObject) }
}

describe('the list of writes', () => {
  test.each(writes)('for x of %s has for %s: %s', (...[x, value, written, more]) => {
    const tables = 'tables: { t: { a: x }, mixed: { a: 1, b: true, c: x } }\n'
    const transformer = compile(sourceOf(value, tables), { contract: contractFor(x, more) })
    expect(transformer.writes.map(({ pointer, type }) => `${pointer} ${type}`.trim()).join(', ')).toBe(written)
  })

  test('ends at sixteen levels of a part that is passed on whole and never ends', () => {
    const node = '{"type":"object","required":["next"],"properties":{"next":{"$ref":"#/$defs/n"}}}'
    const contract = contractFor('{"$ref":"#/$defs/n"}', `{"$defs":{"n":${node}}}`)
    expect(compile(sourceOf('/x'), { contract }).writes).toEqual([{ pointer: '/next'.repeat(16), type: 'object' }])
    const list = '{"type":"array","items":{"$ref":"#/$defs/n"}}'
    const lists = contractFor('{"$ref":"#/$defs/n"}', `{"$defs":{"n":${list}}}`)
    expect(compile(sourceOf('/x'), { contract: lists }).writes).toEqual([{ pointer: '/*'.repeat(16), type: 'array' }])
  })

  test('ends after two thousand places', () => {
    const members = (count: number) => Array.from({ length: count }, (_, index) => `m${index}: 1`).join('\n')
    expect(compile(sourceOf(members(1_999))).writes.length).toBe(1_999)
    expect(compile(sourceOf(members(2_001))).writes.length).toBe(2_000)
  })
})

describe('an enumeration', () => {
  /** Schema of `x`, a match on it, and the codes of the findings. */
  const matches: [x: string, cases: string, codes: string[]][] = [
    ['{"enum":["a","b"]}', 'a: 1, b: 2', []],
    ['{"enum":["a","b"]}', 'a: 1', ['not_exhaustive']],
    ['{"enum":["a","b","a"]}', 'a: 1, b: 2', []],
    ['{"enum":["a","b"],"allOf":[{"enum":["b","c"]}]}', 'b: 1', []],
    ['{"enum":["a","b"],"allOf":[{"const":"b"}]}', 'a: 1, b: 2', ['never_true']],
    ['{"enum":["a","b"],"anyOf":[{"enum":["b"]},{"enum":["c"]}]}', 'b: 1', []],
    ['{"type":"string","anyOf":[{"const":"a"},{"const":"b"}]}', 'a: 1, b: 2', []],
    ['{"enum":["a","b"],"anyOf":[{"type":"string"}]}', 'a: 1, b: 2', []],
    ['{"anyOf":[{"const":"a"},{"type":"string"}]}', 'a: 1', ['not_exhaustive']],
    ['{"anyOf":[{"type":"string"},{"const":"a"}]}', 'a: 1', ['not_exhaustive']],
    ['{"anyOf":[{"const":"a"},{"type":"number"}]}', 'a: 1', ['not_exhaustive']],
    ['{"enum":["a",1]}', 'a: 1', ['not_exhaustive']],
    ['{"type":"boolean"}', 'true: 1, false: 2', []],
    ['{"type":"boolean"}', 'true: 1, else: 2', []],
  ]
  test.each(matches)('%s is matched by %s with the findings %j', (x, cases, codes) => {
    expect(codesOf(sourceOf(`{ $match: /x, ${cases} }`), { contract: contractFor(x) })).toEqual(codes)
  })

  test('of two hundred texts is followed through a choice, and of more is any text', () => {
    const texts = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => `t${from + index}`)
    const union = (count: number) =>
      `{"anyOf":[{"enum":${JSON.stringify(texts(0, 100))}},{"enum":${JSON.stringify(texts(100, count))}}]}`
    const cases = (count: number) =>
      texts(0, count)
        .map((text) => `${text}: 1`)
        .join(', ')
    const codes = (count: number) =>
      codesOf(sourceOf(`{ $match: /x, ${cases(count)} }`), { contract: contractFor(union(count)) })
    expect(codes(200)).toEqual([])
    expect(codes(201)).toEqual(['not_exhaustive'])
  })

  test('of dates alone is taken where a date is wanted, with one other text it is not', () => {
    const codes = (values: string[], value: string) =>
      codesOf(sourceOf(value), { contract: contractFor(JSON.stringify({ enum: values })) })
    expect(codes(['2025-01-01', '2025-01-01T10:00:00Z'], '{ $dateAdd: /x, days: 1 }')).toEqual([])
    expect(codes(['2025-01-01', 'soon'], '{ $dateAdd: /x, days: 1 }')).toEqual(['type'])
    expect(codes(['2025-13-01'], '{ $dateAdd: /x, days: 1 }')).toEqual(['type'])
  })
})

describe('a contract that leads round in a circle or too far', () => {
  test('is unknown after two hundred parts for one place', () => {
    const chain = (length: number) => {
      const definitions = Array.from({ length }, (_, index) => [
        `d${index}`,
        index === length - 1 ? { type: 'string' } : { $ref: `#/$defs/d${index + 1}` },
      ])
      return contractFor('{"$ref":"#/$defs/d0"}', JSON.stringify({ $defs: Object.fromEntries(definitions) }))
    }
    const typeOf = (length: number) => compile(sourceOf('/x'), { contract: chain(length) }).writes[0]?.type
    expect(typeOf(199)).toBe('string')
    expect(typeOf(200)).toBe('unknown')
  })

  test('is unknown where more than two hundred branches are offered', () => {
    const branches = (count: number) =>
      contractFor(JSON.stringify({ anyOf: Array.from({ length: count }, () => ({ type: 'string' })) }))
    const typeOf = (count: number) => compile(sourceOf('/x'), { contract: branches(count) }).writes[0]?.type
    expect(typeOf(200)).toBe('string')
    expect(typeOf(201)).toBe('unknown')
  })

  test('keeps what is said beside a reference to itself', () => {
    const contract = contractFor(
      '{"$ref":"#/$defs/n"}',
      '{"$defs":{"n":{"type":"string","allOf":[{"$ref":"#/$defs/n"}]}}}',
    )
    expect(compile(sourceOf('/x'), { contract }).writes[0]?.type).toBe('string')
  })
})
