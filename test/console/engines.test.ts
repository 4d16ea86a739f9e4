import { describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { answers } from '../../src/console/engines/answers.ts'
import { checkDocument } from '../../src/console/engines/document.ts'
import type { JsonValue } from '../../src/core/json.ts'
import { limits } from '../../src/core/limits.ts'
import type { CsvFormat } from '../../src/engines/ingestion/csv-format.ts'
import { expectGoldenLines } from '../support/golden.ts'

const golden = (name: string) => join(import.meta.dir, 'golden', `${name}.txt`)
/** One line for each entry of a list, so that a difference is seen at its place; words of the engines are held where they are made. */
const told = (value: unknown): string[] =>
  Array.isArray(value)
    ? value.map((each) => JSON.stringify(each, withoutWords))
    : [JSON.stringify(value, withoutWords) ?? 'undefined']

const withoutWords = (name: string, value: unknown) => (name === 'message' || name === 'hint' ? undefined : value)

interface Form {
  schema: JsonValue
  value?: JsonValue
  text?: string
  toggled?: readonly string[]
  chosen?: Readonly<Record<string, number>>
}

const line = { type: 'object', required: ['text'], properties: { text: { type: 'string' }, at: { type: 'integer' } } }
const lines = (more: object = {}) => ({ type: 'array', items: line, ...more })
const object = (properties: object, more: object = {}) => ({ type: 'object', properties, ...more }) as JsonValue
const either = {
  oneOf: [
    { title: 'A card', ...line, properties: { by: { const: 'card' }, text: {} } },
    { type: 'null' },
    { type: 'object', required: ['iban', 'bic'], properties: { by: { const: 'transfer' }, iban: {} } },
  ],
}
let nested: JsonValue = { type: 'string' }
for (let depth = 0; depth < 27; depth++) nested = object({ a: nested }, { required: ['a'] })
let nestedValue: JsonValue = 'x'
for (let depth = 0; depth < 27; depth++) nestedValue = { a: nestedValue }

const forms: Readonly<Record<string, Form>> = {
  'fields of each kind, of which nothing is filled': {
    schema: object(
      {
        text: { type: 'string', title: 'A text', description: 'Any.', maxLength: 9 },
        day: { type: 'string', format: 'date', minLength: 3 },
        flag: { type: 'boolean' },
        one: { enum: ['x', 2, null] },
        fixed: { const: { a: 1 } },
        word: { const: 'x' },
        number: { type: 'number', minimum: 1, default: 3 },
        maybe: { type: ['string', 'null'] },
        perhaps: { anyOf: [{ type: 'null' }, { type: 'integer' }] },
        never: false,
        any: true,
      },
      { required: ['text', 'fixed', 'undeclared'] },
    ),
    value: {},
  },
  'fields of each kind, filled': {
    schema: object({
      text: { type: 'string' },
      number: { type: 'number' },
      maybe: { type: ['string', 'null'] },
      perhaps: { type: ['integer', 'null'] },
      list: { type: ['array', 'null'] },
      wrong: { type: 'string' },
      never: false,
    }),
    value: {
      text: 'a "b"',
      number: 1.5,
      maybe: null,
      perhaps: null,
      list: null,
      wrong: { a: 1 },
      never: 1,
      other: [1],
    },
  },
  'groups that are required, there, empty and left out': {
    schema: object(
      { needed: line, there: line, none: line, nil: { type: ['object', 'null'], properties: { a: {} } } },
      { required: ['needed', 'nil'] },
    ),
    value: { there: { text: 'x', at: 1, more: true, list: ['a'] }, nil: null },
  },
  'groups that somebody opened and folded': {
    schema: object({ needed: line, there: line, none: line }, { required: ['needed'] }),
    value: { there: { text: 'x' } },
    toggled: ['/needed', '/there', '/none'],
  },
  'a list of three, and what it may hold': {
    schema: object({ of: lines({ maxItems: 3 }) }),
    value: { of: [{ text: 'a' }, {}, { text: 'c', at: 3 }] },
  },
  'a list of four, whose items are folded': {
    schema: object({ of: lines({ maxItems: 5 }) }),
    value: {
      of: [{ text: 'a', at: 1 }, { text: 'x'.repeat(90) }, { a: 1, b: 'two', c: 3, d: 'four', e: 5, f: true }, {}],
    },
    toggled: ['/of/3'],
  },
  'a list that is folded, one of anything, one that takes no more, and a tuple': {
    schema: object({
      folded: lines(),
      any: { type: 'array' },
      none: { type: 'array', items: false, prefixItems: [{ type: 'boolean' }, { type: 'string', title: 'Second' }] },
      part: { type: 'array', prefixItems: [{ type: 'boolean' }], items: { type: 'integer' } },
      left: lines(),
    }),
    value: { folded: [{ text: 'a' }], any: [1, 'x'], none: [true], part: [true, 2] },
    toggled: ['/folded'],
  },
  'maps, and members that nobody declares': {
    schema: object(
      {
        map: { type: 'object', additionalProperties: { type: 'boolean' } },
        closed: { type: 'object', additionalProperties: false },
        open: { type: 'object' },
        both: { type: 'object', properties: { a: {} }, additionalProperties: { type: 'integer' } },
        named: {
          type: 'object',
          patternProperties: { '^n': { type: 'number' }, e$: { minimum: 3 } },
          additionalProperties: { type: 'string' },
        },
      },
      { additionalProperties: { type: 'boolean' } },
    ),
    value: {
      map: { x: true },
      closed: {},
      open: { any: 1 },
      both: { a: 1, b: 2 },
      named: { name: 1, other: 'x', ne: 2 },
      extra: true,
    },
  },
  'what is wanted beside what is there': {
    schema: object({ a: {}, b: {}, c: {} }, { dependentRequired: { a: ['b', 'd'], e: ['c'] } }),
    value: { a: 1 },
  },
  'one member that two parts declare': {
    schema: {
      allOf: [
        object({ a: { type: 'string' }, same: { $ref: '#/$defs/s' } }),
        object({ a: { title: 'Both', maxLength: 3 }, same: { $ref: '#/$defs/s' } }),
      ],
      $defs: { s: { type: 'string', minLength: 1 } },
    },
    value: { a: 'x', same: 'y' },
  },
  'alternatives of an input, none of which it is': { schema: either, value: {} },
  'alternatives of an input, of which it is the last': {
    schema: either,
    value: { by: 'transfer', iban: 'x', bic: 'y' },
  },
  'alternatives of a member, chosen and folded': {
    schema: object(
      { pay: either, other: either, text: { anyOf: [{ type: 'string' }, { type: 'integer' }] } },
      { required: ['pay'] },
    ),
    value: { text: 3 },
    chosen: { '/pay': 1 },
  },
  'an input that is a list': { schema: lines({ title: 'Lines' }), value: [{ text: 'a' }] },
  'an input that is a text': { schema: { type: 'string', maxLength: 3 }, value: 'abcd' },
  'an input that may be anything': { schema: true, value: { a: { b: 1 } } },
  'an input with more levels than a form has': { schema: nested, value: nestedValue },
  'no input yet': { schema: object({ a: { const: 1 }, b: {} }, { required: ['a'] }), text: ' ' },
  'an input that is no JSON': { schema: object({ a: {} }), text: '{"a": 1,\n "b": }' },
  'a contract with errors': { schema: { type: 'objekt' }, value: {} },
  'an input that is wrong in places': {
    schema: object({ a: { type: 'string' }, of: lines() }, { required: ['b'] }),
    text: '{\n "a": 1,\n "of": [\n  {"text": 2}\n ]\n}',
  },
}

describe('what the engines answer of an input', () => {
  test('is the same form, row by row, for each kind of contract', () => {
    const all = Object.entries(forms).flatMap(([name, { schema, value, text, toggled = [], chosen = {} }]) => {
      const asked = { schema: JSON.stringify(schema), text: text ?? JSON.stringify(value), toggled, chosen }
      const { rows, findings, ...rest } = answers.input(asked)
      return [`# ${name}`, ...told(rows), '## findings', ...told(findings), '## all', ...told(rest)]
    })
    expectGoldenLines(golden('input-rows'), all)
  })

  test('is read under the contract that was asked about, whichever came before', () => {
    const rowsOf = (name: string) =>
      answers.input({ schema: JSON.stringify(object({ [name]: {} })), text: '{}', toggled: [], chosen: {} }).rows
    const [first, second, again] = [rowsOf('a'), rowsOf('b'), rowsOf('a')]
    expect([first, second, again].map(([row]) => row?.pointer)).toEqual(['/a', '/b', '/a'])
  })

  test('ends after ten thousand rows', () => {
    const wide = object({ of: { type: 'array', items: { type: 'integer' } } })
    const text = JSON.stringify({ of: Array.from({ length: 12_000 }, (_, index) => index) })
    const { rows } = answers.input({ schema: JSON.stringify(wide), text, toggled: [], chosen: {} })
    expect([rows.length, rows.at(-1)?.pointer, rows[0]?.itemCount]).toEqual([10_000, '/of/9998', 12_000])
  })

  test('in CSV has no rows where the contract has errors', () => {
    const format: CsvFormat = {
      ...{
        format: 'csv',
        delimiter: ',',
        header: 'first line',
        rows: 'rows',
        decimal: '.',
        trim: false,
        empty: 'omit',
      },
      types: {},
    }
    const none = { columns: [], rows: [], count: 0, isRead: false, findings: [] }
    expect(answers.rows({ schema: '{"type": "x"}', text: 'a\n1\n', format })).toEqual(none)
    const schema = JSON.stringify(object({ rows: { type: 'array', items: object({ a: {} }) } }))
    expect(answers.rows({ schema, text: 'a\n1\n', format })).toEqual({
      ...none,
      ...{ columns: ['a'], rows: [{ line: 2, cells: ['1'] }], count: 1, isRead: true },
    })
  })
})

describe('what the engines answer of a contract', () => {
  const current = { $schema: 'https://json-schema.org/draft/2020-12/schema' }
  const many = (count: number, schema: object) =>
    object(Object.fromEntries(Array.from({ length: count }, (_, index) => [`p${index}`, schema])))
  const schemas: Readonly<Record<string, string>> = {
    nothing: '',
    'no JSON': '{',
    'a form': JSON.stringify(object({ a: { type: 'string' } })),
    'no form': JSON.stringify({ ...current, type: ['string', 'null'] }),
    'errors of today’s draft': JSON.stringify({ ...current, type: 'objekt' }),
    'an older draft': JSON.stringify(
      {
        $schema: 'http://json-schema.org/draft-07/schema#',
        definitions: { a: {} },
        items: [{}],
        additionalItems: false,
      },
      undefined,
      1,
    ),
    'an older draft that is not named': JSON.stringify({ type: 'number', minimum: 1, exclusiveMinimum: true }),
    'an older draft that cannot be said today': JSON.stringify({
      $schema: 'http://json-schema.org/draft-03/schema#',
      extends: { type: 'any' },
    }),
  }

  test('is what freezing will say, and a form where there are no errors', () => {
    const all = Object.entries(schemas).flatMap(([name, text]) => {
      const { findings, form, older } = answers.schema(text)
      return [`# ${name}`, ...told(findings), '## form', ...told(form), '## older', ...told(older)]
    })
    expectGoldenLines(golden('schemas'), all)
  })

  test('has no more findings than anybody reads', () => {
    for (const schema of [
      many(150, { type: 'objekt' }),
      many(150, { pattern: '^(a+)+$', minLength: 9, maxLength: 1 }),
    ]) {
      const { findings } = answers.schema(JSON.stringify(schema))
      expect(findings.length).toBe(limits.configurationIssues)
    }
  })
})

describe('what the engines answer of pages', () => {
  /** A page with boxes at these places. */
  const svg = (...places: number[]) =>
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 200"><defs></defs><rect width="100%" height="100%" fill="#fff"/>${places
      .map((at) => `<rect x="${at}" y="${at}" width="7" height="8" fill="#000000"/>`)
      .join('')}</svg>`

  test('keeps drawings out of the thread that asks', async () => {
    const page = { width: 1, height: 2, svg: '<svg/>', marks: [] }
    const filled = await answers.filled(new Blob([JSON.stringify({ total_pages: 3, pages: [page] })]))
    if (!('pages' in filled)) throw new Error('there are no pages')
    const [{ svg: drawing, ...rest } = page] = filled.pages
    expect([filled.total_pages, rest]).toEqual([3, { width: 1, height: 2, marks: [] }])
    expect(drawing).toBeInstanceOf(Blob)
    expect(await (drawing as Blob).text()).toBe('<svg/>')
    const refused = { valid: false, errors: [] }
    expect(await answers.filled(new Blob([JSON.stringify(refused)]))).toEqual(refused as never)
  })

  test('makes pictures of a drawing, whether it is a text or is kept by the browser', async () => {
    for (const drawing of [svg(5), new Blob([svg(5)])]) {
      const layers = await answers.layers(drawing)
      expect(layers.map(({ type }) => type)).toEqual(layers.map(() => 'image/svg+xml'))
      expect((await Promise.all(layers.map((layer) => layer.text()))).join('')).toContain('x="5"')
    }
  })

  test('tells apart pages that are alike, that differ, and that only one of the two has', async () => {
    const asked = { before: [svg(5, 50), svg(20)], after: [svg(5, 50), new Blob([svg(30)]), svg(90)] }
    const pairs = await answers.pages(asked)
    expect(pairs.map(({ before, after, isSame }) => [before, after, isSame])).toEqual([
      [0, 0, true],
      [1, 1, false],
      [undefined, 2, false],
    ])
    const boxAt = (at: number) => ({ x: at, y: at, width: 7, height: 8 })
    expect(pairs.map(({ regions }) => regions)).toEqual([
      { before: [], after: [] },
      { before: [boxAt(20)], after: [boxAt(30)] },
      { before: [], after: [] },
    ])
  })
})

describe('what the engines answer of a document', () => {
  const source = (output: string, head = '') => `transform: declarative-v1\n${head}output:\n${output}`
  const schema = JSON.stringify(object({ number: { type: 'string', maxLength: 3 } }, { required: ['number'] }))
  const binding = (pointer: string) => ({
    ...{ pointer, shape: 'scalar' as const, required: true, part: 'word/document.xml', paragraph: 1, position: 0 },
  })
  const whole = source('  no: /number\n  more: 1\n')
  const asked = {
    ...{ source: whole, format: 'yaml' as const, schema, bindings: [binding('/no')], includesOthers: false },
    ...{ input: '{"number": "A"}', params: {}, above: [] },
  }
  const documents: Readonly<Record<string, object>> = {
    'all that fits': {},
    'an output that nothing uses, but what it includes may': { includesOthers: true },
    'a binding that nothing writes': { bindings: [binding('/no'), binding('/none')] },
    'a place that the contract does not have': { source: source('  no: /numbr\n') },
    'a source with an error of its own': { source: source('  no: { $nothing: 1 }\n') },
    'no template and no contract': { schema: undefined, bindings: undefined },
    'a contract that is no JSON': { schema: '{' },
    'an input that breaks the contract': { input: '{"number": "long"}' },
    'no input': { input: '' },
    'what the nodes above make of it': {
      above: [{ source: source('  deep: /number\n'), format: 'yaml' }],
      source: source('  no: { $default: [/deep, none] }\n  other: { $default: [/number, none] }\n'),
      input: '{"number": "long"}',
    },
    'nodes above that make nothing': {
      above: [{ source: '', format: 'yaml' }],
      source: source('  no: { $default: [/deep, none] }\n'),
    },
    'values that are given': {
      source: source('  no: $tone\n', 'params: { tone: string }\n'),
      params: { tone: 'dear' },
    },
  }

  test('is checked as far as it goes, with its broken links', () => {
    const all = Object.entries(documents).flatMap(([name, more]) => {
      const { findings, links, lineage, ...rest } = checkDocument({ ...asked, ...more })
      const { sourceFindings, inputFindings, pointers, ...made } = rest
      return [
        ...[`# ${name}`, ...told(findings), '## links', ...told(links), '## lineage', ...told(lineage)],
        ...['## source', ...told(sourceFindings), '## input', ...told(inputFindings), '## pointers', ...told(pointers)],
        ...['## made', ...told(made)],
      ]
    })
    expectGoldenLines(golden('documents'), all)
  })

  test('mends a broken link only where its fix fits', () => {
    const { links } = checkDocument({ ...asked, source: source('  no: /numbr\n') })
    const fix = links.find((link) => link.fix !== undefined)?.fix
    if (fix === undefined) throw new Error('no link can be mended')
    const texts = { contract: schema, transformer: source('  no: /numbr\n') }
    expect(answers.fixed({ fix, texts })).not.toEqual(texts)
    expect(answers.fixed({ fix, texts })).toBeDefined()
  })
})
