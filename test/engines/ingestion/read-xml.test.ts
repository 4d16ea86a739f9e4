import { describe, expect, test } from 'bun:test'
import { canonicalJson } from '../../../src/core/canonical.ts'
import { type JsonValue, readJson } from '../../../src/core/json.ts'
import { limits } from '../../../src/core/limits.ts'
import { compileIngestionModel } from '../../../src/engines/ingestion/ingestion-model.ts'
import type { InputFormat } from '../../../src/engines/ingestion/input-format.ts'
import { asJsonText, placedIn, readInput } from '../../../src/engines/ingestion/read-input.ts'
import { leastCpuMsOf } from '../../support/cpu.ts'

function compiled(input: string) {
  const source = `model: ingestion-model-v1\ncontract: { name: P, version: 1 }\ninput: ${input}\nnodes: [{ key: a, label: A, transformer: t }]\n`
  return compileIngestionModel(source, 'yaml')
}

/** @param rest of a declaration whose root is `r` */
function formatOf(rest = ''): InputFormat {
  const model = compiled(`{ format: xml, root: r${rest === '' ? '' : `, ${rest}`} }`)
  if (!model.ok || model.value.input === undefined) throw new Error(JSON.stringify(model.findings))
  return model.value.input
}

function readValue(text: string, rest?: string): JsonValue {
  const read = readInput(text, formatOf(rest))
  if (!read.ok) throw new Error(JSON.stringify(read.findings))
  return read.value.value
}

/** `code line:column` */
function refusalOf(text: string, rest?: string): string {
  const read = readInput(text, formatOf(rest))
  const [found] = read.findings
  expect([text, read.ok, read.findings.length, found?.hint]).toEqual([text, false, 1, expect.stringMatching(/./)])
  return `${found?.code} ${found?.line}:${found?.column}`
}

const u = 'namespaces: { u: "urn:u" }'

describe('a text in XML becomes a value', () => {
  const rows: [what: string, text: string, expected: JsonValue, rest?: string][] = [
    ['with the texts of elements', '<r><a>1</a><b>x</b></r>', { a: '1', b: 'x' }],
    ['with elements inside of elements', '<r><a><b>x</b></a></r>', { a: { b: 'x' } }],
    ['with attributes', '<r no="1"><a b="x"/></r>', { '@no': '1', a: { '@b': 'x' } }],
    ['with text beside attributes', '<r><a b="x">y</a></r>', { a: { '@b': 'x', '#text': 'y' } }],
    ['with other names for these', '<r><a b="x">y</a></r>', { a: { b: 'x', v: 'y' } }, 'attributes: "", text: v'],
    ['with a list of one', '<r><a>1</a></r>', { a: ['1'] }, 'lists: [a]'],
    ['with a list of several, whatever is between', '<r><a>1</a><b/><a>2</a></r>', { a: ['1', '2'] }, 'lists: [a]'],
    [
      'with a list at the end of a path only',
      '<r><a>1</a><b><a>2</a></b></r>',
      { a: '1', b: { a: ['2'] } },
      'lists: [b/a]',
    ],
    [
      'with a list at a whole path only',
      '<r><a>1</a><b><a>2</a></b></r>',
      { a: ['1'], b: { a: '2' } },
      'lists: [/r/a]',
    ],
    ['with an object for a text', '<r><a>1</a><b/></r>', { a: { '#text': '1' }, b: {} }, 'objects: [a, b]'],
    [
      'with numbers and truth values',
      '<r n="2"><a>1.5</a><b>true</b></r>',
      { '@n': 2, a: 1.5, b: true },
      'types: { a: number, b: boolean, "@n": number }',
    ],
    ['with a decimal comma', '<r><a>-1,50</a></r>', { a: -1.5 }, 'types: { a: number }, decimal: ","'],
    [
      'by the most specific type',
      '<r><a>1</a><b><a>2</a></b></r>',
      { a: '1', b: { a: 2 } },
      'types: { a: number, /r/a: text }',
    ],
    [
      'with the number of an element that has attributes',
      '<r><a c="EUR">5</a></r>',
      { a: { '@c': 'EUR', '#text': 5 } },
      'types: { a: number }',
    ],
    ['without white space around text', '<r>\n <a> x  y\n</a>\n</r>', { a: 'x  y' }],
    ['with white space', '<r><a> x </a><b> </b></r>', { a: ' x ', b: ' ' }, 'trim: false'],
    ['without empty elements', '<r><a/><b></b><c> </c></r>', {}],
    ['with null for them', '<r><a/><b></b></r>', { a: null, b: null }, 'empty: "null"'],
    ['with empty texts', '<r><a/></r>', { a: '' }, 'empty: text'],
    ['without empty items of lists', '<r><a/><a>1</a></r>', { a: ['1'] }, 'lists: [a]'],
    ['with a list of none', '<r><a/></r>', { a: [] }, 'lists: [a]'],
    ['with attributes without text', '<r a=""/>', { '@a': '' }],
    ['with nothing in it', '<r/>', {}],
    [
      'with the five entities and characters by number',
      '<r><a>&lt;&amp;&gt;&quot;&apos;&#65;&#x42;</a></r>',
      { a: '<&>"\'AB' },
    ],
    ['with CDATA', '<r><a>x<![CDATA[<y>&amp;]]>z</a></r>', { a: 'x<y>&amp;z' }],
    [
      'past comments and instructions',
      '<?xml version="1.0"?><!-- a --><?b c?><r><a>x<!-- y -->z</a></r><!-- d -->',
      { a: 'xz' },
    ],
    ['with line ends as XML has them', '<r><a>x\r\ny\rz</a></r>', { a: 'x\ny\nz' }],
    ['behind a byte order mark', '\uFEFF<r><a>1</a></r>', { a: '1' }],
    [
      'by the prefixes of the model, not those of the document',
      '<x:r xmlns:x="urn:u"><x:a x:b="1"/></x:r>',
      { 'u:a': { '@u:b': '1' } },
      `root: u:r, ${u}`,
    ],
    ['of a namespace without a prefix', '<r xmlns="urn:u"><a>1</a></r>', { a: '1' }, 'namespaces: { "": "urn:u" }'],
    [
      'with its language, and without what is for validators',
      '<r xml:lang="de" xmlns:i="http://www.w3.org/2001/XMLSchema-instance" i:schemaLocation="a b"/>',
      { '@xml:lang': 'de' },
    ],
    [
      'with null where it says so',
      '<r xmlns:i="http://www.w3.org/2001/XMLSchema-instance"><a i:nil="true" b="1"/></r>',
      { a: null },
    ],
    [
      'whatever elements are called',
      '<r><__proto__>1</__proto__><constructor>2</constructor></r>',
      JSON.parse('{"__proto__":"1","constructor":"2"}'),
    ],
  ]
  test.each(rows.map(([what, text, expected, rest = '']) => [what, text, expected, rest] as const))(
    '%s',
    (_what, text, expected, rest) => {
      const own = rest.startsWith('root:')
        ? { root: rest.slice(6, rest.indexOf(',')), more: rest.slice(rest.indexOf(',') + 2) }
        : undefined
      if (own === undefined) return expect(canonicalJson(readValue(text, rest))).toBe(canonicalJson(expected))
      const model = compiled(`{ format: xml, root: "${own.root}", ${own.more} }`)
      const read = readInput(text, model.ok ? model.value.input : undefined)
      expect(canonicalJson(read.ok ? read.value.value : null)).toBe(canonicalJson(expected))
    },
  )
})

describe('a text in XML is refused at its place', () => {
  const rows: [what: string, text: string, expected: string, rest?: string][] = [
    ['nothing', '', 'xml.syntax 1:1'],
    ['no XML', '\n{"a": 1}', 'xml.syntax 2:1'],
    ['an element that is never closed', '<r><a></r>', 'xml.syntax 1:10'],
    ['an attribute twice', '<r a="1" a="2"/>', 'xml.syntax 1:16'],
    ['an entity that XML has not', '<r>\n&nbsp;</r>', 'xml.syntax 2:6'],
    ['two roots', '<r/><r/>', 'xml.syntax 1:7'],
    ['a prefix that nothing declares', '<r><x:a/></r>', 'xml.syntax 1:9'],
    ['a DOCTYPE', '<?xml version="1.0"?>\n<!DOCTYPE r [<!ENTITY a "x">]>\n<r>&a;</r>', 'xml.doctype 2:1'],
    ['a DOCTYPE that leads elsewhere', '<!DOCTYPE r SYSTEM "file:///etc/passwd"><r/>', 'xml.doctype 1:1'],
    ['another root', '<s/>', 'xml.root 1:1'],
    ['a root of another namespace', '<r xmlns="urn:v"/>', 'xml.namespace 1:1', u],
    ['an element of a namespace that the model has not', '<r>\n<a xmlns="urn:v"/></r>', 'xml.namespace 2:1'],
    ['an attribute of one', '<r xmlns:v="urn:v" v:a="1"/>', 'xml.namespace 1:1'],
    [
      'an element in no namespace where the model has one for names without a prefix',
      '<r xmlns="urn:u"><a xmlns=""/></r>',
      'xml.namespace 1:18',
      'namespaces: { "": "urn:u" }',
    ],
    ['an element twice that is no list', '<r>\n <a/>\n <a/></r>', 'xml.repeated 3:2'],
    ['text beside elements', '<r>\n x <a/></r>', 'xml.mixed 2:2'],
    ['text behind elements', '<r><a/>\n y</r>', 'xml.mixed 2:2'],
    ['no number', '<r><a>\n x</a></r>', 'xml.value 2:2', 'types: { a: number }'],
    ['no number in an attribute', '<r a="1"\n b="x"/>', 'xml.value 2:2', 'types: { "@b": number }'],
    ['a number that no double keeps', '<r><a>12345678901234567890</a></r>', 'xml.value 1:7', 'types: { a: number }'],
    ['no truth value', '<r><a>1</a></r>', 'xml.value 1:7', 'types: { a: boolean }'],
    ['elements where a number is wanted', '<r><a><b/></a></r>', 'xml.value 1:4', 'types: { a: number }'],
    [
      'nil with content',
      '<r xmlns:i="http://www.w3.org/2001/XMLSchema-instance"><a i:nil="1">x</a></r>',
      'xml.value 1:56',
    ],
    ['an attribute and an element of one name', '<r><a b="1"><b/></a></r>', 'xml.repeated 1:13', 'attributes: ""'],
    ['an attribute of the name that text has', '<r><a v="1">x</a></r>', 'xml.repeated 1:4', 'attributes: "", text: v'],
    ['the character NUL', '<r>\0</r>', 'xml.character 1:4'],
    ['a noncharacter by number', '<r><a>&#xFDD0;</a></r>', 'xml.character 1:7'],
    ['half a character', '<r>\ud800</r>', 'xml.character 1:4'],
  ]
  test.each(rows.map(([what, text, expected, rest = '']) => [what, text, expected, rest] as const))(
    '%s',
    (_what, text, expected, rest) => {
      expect(refusalOf(text, rest)).toBe(expected)
    },
  )

  test('beyond its bounds, and taken at them', () => {
    const nested = (depth: number) => `<r>${'<a>'.repeat(depth - 1)}x${'</a>'.repeat(depth - 1)}</r>`
    expect(refusalOf(nested(limits.xmlInputDepth + 1))).toStartWith('xml.depth 1:')
    const deepest = readValue(nested(limits.xmlInputDepth), 'lists: [a]')
    expect(readJson(JSON.stringify(deepest)).ok).toBe(true)
    const attributes = (count: number) =>
      `<r><a ${Array.from({ length: count }, (_, index) => `b${index}="1"`).join(' ')}/></r>`
    expect(refusalOf(attributes(limits.xmlInputAttributes + 1))).toBe('xml.size 1:4')
    expect(Object.keys(readValue(attributes(limits.xmlInputAttributes)) as object)).toEqual(['a'])
    const many = (count: number) => `<r>${'<a/>'.repeat(count - 1)}</r>`
    expect(refusalOf(many(limits.xmlInputElements + 1), 'lists: [a]')).toStartWith('xml.size 1:')
    expect(readValue(many(limits.xmlInputElements), 'lists: [a]')).toEqual({ a: [] })
    const prefix = 'p'.repeat(40)
    const longer = `<r xmlns:p="urn:p">${'<p:a><p:b/></p:a>'.repeat(12_000)}</r>`
    const names = `namespaces: { ${prefix}: "urn:p" }, lists: [${prefix}:a], empty: text`
    expect(refusalOf(longer, names)).toBe('xml.size 1:1')
  })
})

test('every text is either a value with places, or refused: drawn texts of XML’s own characters', () => {
  const format = formatOf('lists: [a], types: { "@n": number }')
  const pieces = [
    '<a>',
    '</a>',
    '<b n="1">',
    '</b>',
    '<b/>',
    ' ',
    '\n',
    'x',
    '&lt;',
    '&',
    '<!-- c -->',
    '<![CDATA[',
    ']]>',
    '1',
    '"',
    '<',
    '>',
  ]
  let seed = 1
  let accepted = 0
  for (let round = 0; round < 12_000; round++) {
    let text = ''
    for (let length = round % 8; length > 0; length--) {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
      text += pieces[Math.floor(seed / 65_536) % pieces.length]
    }
    const whole = `<r>\n${text}</r>`
    const read = readInput(whole, format)
    if (!read.ok) {
      expect([whole, read.findings[0]?.line]).toEqual([whole, expect.any(Number)])
      continue
    }
    accepted++
    const { a = [] } = read.value.value as { a?: JsonValue[] }
    for (const index of a.keys()) {
      const place = read.value.placeOf(`/a/${index}`)
      const rest = whole
        .split('\n')
        .slice((place?.line ?? 0) - 1)
        .join('\n')
        .slice((place?.column ?? 0) - 1)
      expect([whole, rest]).toEqual([whole, expect.stringMatching(/^<a>/)])
    }
  }
  expect(accepted).toBeGreaterThan(500)
})

test('findings about values name element, line and column', () => {
  const text = '<r>\n <l no="1"><t>x</t></l>\n <l\n  no="2"/>\n <c k="EUR"> 5</c>\n</r>'
  const read = readInput(text, formatOf('lists: [l]'))
  if (!read.ok) return expect.unreachable()
  const at = (path: string) => {
    const [found] = placedIn(read.value, [{ code: 'c', severity: 'error', message: 'is wrong', path }])
    return `${found?.message} ${found?.line}:${found?.column}`
  }
  expect(at('/l/0/t')).toBe('is wrong, in /r/l[1]/t (line 2, column 12) 2:12')
  expect(at('/l/1/@no')).toBe('is wrong, in /r/l[2]/@no (line 4, column 3) 4:3')
  expect(at('/l/1/t')).toBe('is wrong, in /r/l[2] (line 3, column 2) 3:2')
  expect(at('/c/#text')).toBe('is wrong, in /r/c (line 5, column 14) 5:14')
  expect(at('/gone')).toBe('is wrong, in /r (line 1, column 1) 1:1')
  expect(at('')).toBe('is wrong, in /r (line 1, column 1) 1:1')
})

test('what can’t be read is left as it is, what can becomes JSON', () => {
  expect(asJsonText('<r', formatOf())).toBe('<r')
  expect(asJsonText('<r><a>1</a></r>', formatOf())).toBe('{"a":"1"}')
})

describe('a text of the largest size is read in linear time', () => {
  const hostile: [what: string, make: (bytes: number) => string][] = [
    ['elements', (bytes) => `<r>${'<l n="1"><t>x</t></l>\n'.repeat(bytes / 22)}</r>`],
    ['white space in a text', (bytes) => `<r><t>x${' '.repeat(bytes)}y</t></r>`],
    ['white space between elements', (bytes) => `<r>${' \n'.repeat(bytes / 2)}<t/></r>`],
    ['references', (bytes) => `<r><t>${'&#120;'.repeat(bytes / 6)}</t></r>`],
    ['a name', (bytes) => `<r><${'n'.repeat(bytes / 2)}/></r>`],
    ['open tags', (bytes) => `<r>${'<'.repeat(bytes)}</r>`],
    ['a comment', (bytes) => `<r><!--${' -'.repeat(bytes / 2)}--></r>`],
    ['a DOCTYPE', (bytes) => `<!DOCTYPE r [${'<!ENTITY a "b">'.repeat(bytes / 15)}]><r/>`],
  ]
  test.each(hostile)('of %s', (_what, make) => {
    const format = formatOf('lists: [l], types: { "@n": number }')
    const [small, large] = [limits.payloadBytes / 8, limits.payloadBytes / 2].map((bytes) => {
      const text = make(bytes)
      return leastCpuMsOf(() => readInput(text, format))
    })
    expect(large).toBeLessThan(Math.max(500, 16 * (small ?? 0)))
  })
})

describe('a model’s declaration of XML', () => {
  const rows: [input: string, codes: string[]][] = [
    ['{ format: xml }', ['ingestion.input /input/root']],
    ['{ format: xml, root: "a b" }', ['ingestion.input /input/root']],
    ['{ format: xml, root: "u:r" }', ['ingestion.input /input/root']],
    ['{ format: xml, root: r, delimiter: ";" }', ['ingestion.unknown_key /input/delimiter']],
    ['{ format: xml, root: r, lists: line }', ['ingestion.type /input/lists']],
    ['{ format: xml, root: r, lists: ["a/@b"] }', ['ingestion.input /input/lists/0']],
    ['{ format: xml, root: r, lists: [a, 1] }', ['ingestion.input /input/lists/1']],
    ['{ format: xml, root: r, objects: ["//a"] }', ['ingestion.input /input/objects/0']],
    ['{ format: xml, root: r, objects: ["x:a"] }', ['ingestion.input /input/objects/0']],
    ['{ format: xml, root: r, types: [a] }', ['ingestion.type /input/types']],
    ['{ format: xml, root: r, types: { a: date } }', ['ingestion.input /input/types/a']],
    ['{ format: xml, root: r, types: { "a b": number } }', ['ingestion.input /input/types/a b']],
    ['{ format: xml, root: r, namespaces: [a] }', ['ingestion.type /input/namespaces']],
    ['{ format: xml, root: r, namespaces: { "a:b": "urn:u" } }', ['ingestion.input /input/namespaces/a:b']],
    ['{ format: xml, root: r, namespaces: { xmlns: "urn:u" } }', ['ingestion.input /input/namespaces/xmlns']],
    ['{ format: xml, root: r, namespaces: { a: "" } }', ['ingestion.input /input/namespaces/a']],
    ['{ format: xml, root: r, namespaces: { a: "urn:u", b: "urn:u" } }', ['ingestion.input /input/namespaces/b']],
    ['{ format: xml, root: r, text: "" }', ['ingestion.type /input/text']],
    ['{ format: xml, root: r, attributes: "$" }', ['ingestion.input /input/attributes']],
    ['{ format: xml, root: r, trim: 1 }', ['ingestion.input /input/trim']],
    ['{ format: xml, root: r, empty: null }', ['ingestion.input /input/empty']],
    ['{ format: xml, root: r, types: { a: text, "b/@xml:lang": text } }', []],
  ]
  test.each(rows)('%s is refused with %j', (input, codes) => {
    const { ok, findings } = compiled(input)
    expect([ok, findings.map(({ code, path }) => `${code} ${path}`)]).toEqual([codes.length === 0, codes])
    for (const { hint } of findings) expect(hint).toMatch(/./)
  })
})
