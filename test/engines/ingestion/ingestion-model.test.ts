import { describe, expect, test } from 'bun:test'
import type { JsonValue } from '../../../src/core/json.ts'
import { limits } from '../../../src/core/limits.ts'
import type { Reading } from '../../../src/core/reading.ts'
import { compileIngestionModel } from '../../../src/engines/ingestion/ingestion-model.ts'
import { cpuMsOf } from '../../support/cpu.ts'

const minimal = `model: ingestion-model-v1
contract: { name: Policy, version: 3 }
nodes:
  - key: letter
    label: Premium letter
    transformer: premium-data
    template: premium-letter
`

describe('an ingestion model', () => {
  test('takes reference and time from the metadata, and both formats, unless it says otherwise', () => {
    const outcome = compileIngestionModel(minimal, 'yaml')
    expect(outcome).toMatchObject({
      ok: true,
      value: {
        contract: { name: 'Policy', version: 3 },
        object: { reference: { metadata: 'source_object' }, time: { metadata: 'source_timestamp' } },
        nodes: [{ key: 'letter', template: 'premium-letter', formats: ['docx', 'pdf'], children: [] }],
      },
    })
  })

  test('means the same in JSON', () => {
    const json = JSON.stringify({
      model: 'ingestion-model-v1',
      contract: { name: 'Policy', version: 3 },
      nodes: [{ key: 'letter', label: 'Premium letter', transformer: 'premium-data', template: 'premium-letter' }],
    })
    expect(compileIngestionModel(json, 'json')).toEqual(compileIngestionModel(minimal, 'yaml'))
  })

  test('reads pointers, conditions and nested nodes', () => {
    const source = `${minimal}    when: { $is: [/product, "=", home] }
    children:
      - { key: archive, label: Archive copy, transformer: archive-data }
object: { reference: /policy/number, time: /issued }
`
    const outcome = compileIngestionModel(source, 'yaml')
    expect(outcome).toMatchObject({
      ok: true,
      value: {
        object: { reference: { pointer: '/policy/number' }, time: { pointer: '/issued' } },
        nodes: [{ when: { $is: ['/product', '=', 'home'] }, children: [{ key: 'archive', formats: [] }] }],
      },
    })
  })

  test.each([
    ['a list', '- 1', 'ingestion.type', 1],
    ['another language', minimal.replace('ingestion-model-v1', 'v2'), 'ingestion.model', 1],
    ['a version of zero', minimal.replace('version: 3', 'version: 0'), 'ingestion.type', 2],
    ['an unknown key', `${minimal}colour: red\n`, 'ingestion.unknown_key', 8],
    ['a key that is no slug', minimal.replace('key: letter', 'key: Letter'), 'ingestion.slug', 4],
    ['a PDF without its DOCX', `${minimal}    formats: [pdf]\n`, 'ingestion.formats', 8],
    [
      'formats without a template',
      minimal.replace('template: premium-letter', 'formats: [docx]'),
      'ingestion.formats',
      7,
    ],
    ['a time from nowhere', `${minimal}object: { time: metadata.nowhere }\n`, 'ingestion.source', 8],
    ['broken YAML', 'model: [', 'yaml', 1],
    ['an alias', `${minimal}object: &a {}\n`, 'no_alias', 8],
    ['no nodes', 'model: ingestion-model-v1\ncontract: { name: P, version: 1 }\nnodes: []\n', 'ingestion.required', 3],
  ])('refuses %s, with its line and a remedy', (_what, source, code, line) => {
    const outcome = compileIngestionModel(source, 'yaml')
    expect(outcome.ok).toBe(false)
    const [found] = outcome.findings
    expect(found).toMatchObject({ code, line, severity: 'error' })
    expect(found?.hint).not.toBeEmpty()
  })

  test('says which formats there are, and why', () => {
    const outcome = compileIngestionModel(`${minimal}    formats: [pdf]\n`, 'yaml')
    expect(outcome.findings.map(({ message, hint }) => [message, hint])).toEqual([
      ['Formats must be [docx] or [docx, pdf].', 'A PDF is made from the DOCX, so docx is always one of them.'],
    ])
  })

  test('reports every mistake at once', () => {
    const outcome = compileIngestionModel('model: no\nnodes: [{ key: A }]\n', 'yaml')
    expect(outcome.findings.map((found) => found.path)).toEqual([
      '/model',
      '/contract',
      '/nodes/0/key',
      '/nodes/0/label',
      '/nodes/0/transformer',
    ])
  })

  test('refuses two siblings of one key, and allows it in different places', () => {
    const node = (key: string, children = '') => `{ key: ${key}, label: L, transformer: t${children} }`
    const model = (nodes: string) => `model: ingestion-model-v1\ncontract: { name: P, version: 1 }\nnodes: [${nodes}]\n`
    expect(compileIngestionModel(model(`${node('a')}, ${node('a')}`), 'yaml').findings[0]?.code).toBe(
      'ingestion.duplicate',
    )
    expect(compileIngestionModel(model(node('a', `, children: [${node('a')}]`)), 'yaml').ok).toBe(true)
  })
})

/** A model in JSON with one node, changed and extended as given. */
function modelWith(change: { [key: string]: JsonValue }, node: { [key: string]: JsonValue } = {}): string {
  return JSON.stringify({
    model: 'ingestion-model-v1',
    contract: { name: 'Policy', version: 1 },
    nodes: [{ key: 'a', label: 'A', transformer: 't', ...node }],
    ...change,
  })
}

/** `code path` of every finding, in order. */
function refusals(source: string, format: 'yaml' | 'json' = 'json'): string[] {
  return compileIngestionModel(source, format).findings.map(({ code, path }) => `${code} ${path}`)
}

describe('each part of an ingestion model', () => {
  /** What is changed at the top, what in the node, and the findings. */
  const parts: [change: { [key: string]: JsonValue }, node: { [key: string]: JsonValue }, expected: string[]][] = [
    [{}, {}, []],
    [{ contract: 'Policy' }, {}, ['ingestion.required /contract']],
    [{ contract: { name: 'P', version: 1, more: 1 } }, {}, ['ingestion.unknown_key /contract/more']],
    [{ contract: { name: 'P', version: 1.5 } }, {}, ['ingestion.type /contract/version']],
    [{ contract: { name: 'P', version: '1' } }, {}, ['ingestion.type /contract/version']],
    [{ contract: { name: 'P', version: 0 } }, {}, ['ingestion.type /contract/version']],
    [{ contract: { name: '', version: 1 } }, {}, ['ingestion.type /contract/name']],
    [{ contract: { name: 'x'.repeat(200), version: 1 } }, {}, []],
    [{ contract: { name: 'x'.repeat(201), version: 1 } }, {}, ['ingestion.type /contract/name']],
    [{ object: {} }, {}, []],
    [{ object: [] }, {}, ['ingestion.type /object']],
    [{ object: { refrence: '/a' } }, {}, ['ingestion.unknown_key /object/refrence']],
    [{ object: { reference: '' } }, {}, ['ingestion.source /object/reference']],
    [{ object: { reference: 'policy' } }, {}, ['ingestion.source /object/reference']],
    [{ object: { reference: '/a~2' } }, {}, ['ingestion.source /object/reference']],
    [{ object: { time: 'source_timestamp' } }, {}, ['ingestion.source /object/time']],
    [{ object: { time: 'metadata.' } }, {}, ['ingestion.source /object/time']],
    [{ object: { time: 5 } }, {}, ['ingestion.source /object/time']],
    [{ nodes: {} }, {}, ['ingestion.required /nodes']],
    [{ nodes: [5] }, {}, ['ingestion.type /nodes/0']],
    [{}, { colour: 1 }, ['ingestion.unknown_key /nodes/0/colour']],
    [{}, { key: 'a--b' }, ['ingestion.slug /nodes/0/key']],
    [{}, { key: 'x'.repeat(64) }, []],
    [{}, { key: 'x'.repeat(65) }, ['ingestion.slug /nodes/0/key']],
    [{}, { key: 5 }, ['ingestion.slug /nodes/0/key']],
    [{}, { label: '' }, ['ingestion.type /nodes/0/label']],
    [{}, { label: 'x'.repeat(160) }, []],
    [{}, { label: 'x'.repeat(161) }, ['ingestion.type /nodes/0/label']],
    [{}, { transformer: 'T' }, ['ingestion.slug /nodes/0/transformer']],
    [{}, { template: 'T' }, ['ingestion.slug /nodes/0/template']],
    [{}, { children: [] }, ['ingestion.required /nodes/0/children']],
    [{}, { children: [{ key: 'b', label: 'B' }] }, ['ingestion.slug /nodes/0/children/0/transformer']],
    [{}, { template: 't', formats: ['docx'] }, []],
    [{}, { template: 't', formats: ['docx', 'pdf'] }, []],
    [{}, { template: 't', formats: ['pdf', 'docx'] }, []],
    [{}, { template: 't', formats: [] }, ['ingestion.formats /nodes/0/formats']],
    [{}, { template: 't', formats: 'docx' }, ['ingestion.formats /nodes/0/formats']],
    [{}, { template: 't', formats: ['docx', 'docx'] }, ['ingestion.formats /nodes/0/formats']],
    [{}, { template: 't', formats: ['pdf'] }, ['ingestion.formats /nodes/0/formats']],
    [{}, { template: 't', formats: ['docx', 'html'] }, ['ingestion.formats /nodes/0/formats']],
    [{}, { formats: ['docx'] }, ['ingestion.formats /nodes/0/formats']],
  ]
  test.each(parts)('with %j and a node with %j has the findings %j', (change, node, expected) => {
    expect(refusals(modelWith(change, node))).toEqual(expected)
  })

  test('is taken from every field of the metadata', () => {
    for (const field of ['source_object', 'source_timestamp', 'source_actor', 'source_system', 'scenario_id']) {
      const outcome = compileIngestionModel(modelWith({ object: { reference: `metadata.${field}` } }), 'json')
      expect(outcome).toMatchObject({ ok: true, value: { object: { reference: { metadata: field } } } })
    }
  })

  test('is read as it is written: key, label, formats, and a condition only where there is one', () => {
    const node = { key: 'k', label: 'L', transformer: 'tr', template: 'te', formats: ['docx'] }
    const outcome = compileIngestionModel(modelWith({}, node), 'json')
    if (!outcome.ok) throw new Error('refused')
    expect(outcome.value.nodes).toEqual([{ ...node, formats: ['docx'], children: [] }])
    const plain = compileIngestionModel(modelWith({}, { when: false }), 'json')
    if (!plain.ok) throw new Error('refused')
    expect(plain.value.nodes).toEqual([
      { key: 'a', label: 'A', transformer: 't', formats: [], when: false, children: [] },
    ])
  })
})

describe('the tree of nodes', () => {
  const node = (key: string, children?: JsonValue[]): JsonValue => ({
    key,
    label: 'L',
    transformer: 't',
    ...(children === undefined ? {} : { children }),
  })
  const nested = (levels: number): JsonValue => node('n', levels === 1 ? undefined : [nested(levels - 1)])

  test('may be fifteen levels deep, and no deeper', () => {
    expect(refusals(modelWith({ nodes: [nested(15)] }))).toEqual([])
    expect(refusals(modelWith({ nodes: [nested(16)] }))).toEqual([
      `ingestion.depth /nodes/0${'/children/0'.repeat(14)}/children`,
    ])
  })

  test('may have a hundred nodes in all levels together, and no more', () => {
    const row = (count: number, prefix: string) =>
      Array.from({ length: count }, (_, index) => node(`${prefix}${index}`))
    expect(refusals(modelWith({ nodes: [node('top', row(50, 'a')), ...row(49, 'b')] }))).toEqual([])
    expect(refusals(modelWith({ nodes: [node('top', row(51, 'a')), ...row(49, 'b')] }))).toEqual([
      'ingestion.count /nodes/0/children',
    ])
  })

  test('has an address of its own for each node: one key under two parents is no duplicate', () => {
    expect(refusals(modelWith({ nodes: [node('a', [node('x')]), node('b', [node('x')])] }))).toEqual([])
    expect(refusals(modelWith({ nodes: [node('a', [node('x'), node('x')])] }))).toEqual([
      'ingestion.duplicate /nodes/0/children/1/key',
    ])
  })
})

describe('the source of an ingestion model', () => {
  test('may be as long as the limit in bytes, and no longer', () => {
    const padded = (bytes: number) => modelWith({}).padEnd(bytes, ' ')
    expect(refusals(padded(limits.sourceBytes))).toEqual([])
    expect(refusals(padded(limits.sourceBytes + 1))).toEqual(['source_too_long '])
    expect(refusals(`${padded(limits.sourceBytes - 2)}é`)).not.toEqual(['source_too_long '])
    expect(refusals(`${padded(limits.sourceBytes - 1)}é`)).toEqual(['source_too_long '])
  })

  test('is refused where JSON is, with the place', () => {
    expect(compileIngestionModel('{"model": }', 'json').findings[0]).toMatchObject({ code: 'json.syntax', line: 1 })
    expect(compileIngestionModel('{"model": }', 'json').ok).toBe(false)
  })

  test('has no anchors, aliases or tags, and reports each with its place', () => {
    const refused = (what: string) =>
      compileIngestionModel(`model: ingestion-model-v1\nobject: { time: ${what} }\n`, 'yaml').findings
    expect(refused('&a /t')).toMatchObject([
      { code: 'no_alias', message: 'Anchors are not allowed.', line: 2, column: 17 },
    ])
    expect(refused('!x /t')).toMatchObject([{ code: 'no_tag', message: 'Tags are not allowed.', line: 2 }])
    expect(refused('*a')).toMatchObject([{ code: expect.stringMatching(/^(no_alias|yaml)$/), line: 2 }])
    expect(refused('!!binary dA==')).toMatchObject([{ code: 'no_tag', line: 2, column: 17 }])
    expect(refused('{ ? [a] : b }')).toMatchObject([{ code: 'yaml', line: 2, hint: expect.any(String) }])
  })

  test('names the first hundred mistakes, each in its line and column', () => {
    const keys = Array.from({ length: 150 }, (_, index) => `k${index}: 1\n`).join('')
    const { findings } = compileIngestionModel(`model: ingestion-model-v1\n${keys}`, 'yaml')
    expect(findings).toHaveLength(limits.configurationIssues)
    expect(findings[0]).toMatchObject({ code: 'ingestion.unknown_key', path: '/k0', line: 2, column: 5 })
    const aliases = Array.from({ length: 150 }, (_, index) => `k${index}: &a${index} 1\n`).join('')
    expect(compileIngestionModel(aliases, 'yaml').findings).toHaveLength(limits.configurationIssues)
    const missing = compileIngestionModel('model: ingestion-model-v1\n\nnodes:\n  - key: a\n', 'yaml').findings
    expect(missing.map(({ path, line, column }) => [path, line, column])).toEqual([
      ['/contract', 1, 1],
      ['/nodes/0/label', 4, 5],
      ['/nodes/0/transformer', 4, 5],
    ])
  })

  test('has each key once', () => {
    const [found] = compileIngestionModel('model: ingestion-model-v1\nmodel: ingestion-model-v1\n', 'yaml').findings
    expect(found).toMatchObject({ code: 'duplicate_key', line: 2, column: 1 })
  })

  test('broken YAML is named without the place in its text, which the finding has', () => {
    const [found] = compileIngestionModel('model: x\nb: [', 'yaml').findings
    expect(found).toMatchObject({ code: 'yaml', line: 2 })
    expect(found?.message).not.toContain(' at line')
  })
})

describe('a number in an ingestion model', () => {
  const comparing = (number: string, format: 'yaml' | 'json' = 'yaml', reading?: Reading) => {
    const source =
      format === 'yaml'
        ? `${minimal}    when: { $is: [/total, "=", ${number}] }\n`
        : modelWith({}, { when: { $is: ['/total', '=', 0] } }).replace(',0]', `,${number}]`)
    return compileIngestionModel(source, format, reading)
  }

  test.each([
    ...['.inf', '-.INF', '.nan', '0x1F', '0o17', '007', '+5', '.5', '5.'],
    ...['12345678901234567890', '0.1234567890123456789', '1e400', '9007199254740993'],
  ])('is refused as %s, with its place and a remedy', (number) => {
    const [found, ...more] = comparing(number).findings
    expect(found).toMatchObject({ severity: 'error', line: 8, column: 32, hint: expect.stringMatching(/[Qq]uote it/) })
    expect([found?.message, more]).toEqual([expect.stringContaining(number), []])
  })

  test.each(['0', '-1', '1.50', '1e3', '2E-2', '9007199254740991', '0.1', '123456789012345'])(
    'is taken as %s',
    (number) => {
      const value = comparing(number)
      expect(value).toMatchObject({ ok: true, value: { nodes: [{ when: { $is: ['/total', '=', Number(number)] } }] } })
      expect(comparing(number, 'json').ok).toBe(true)
    },
  )

  test('is text where it is quoted', () => {
    expect(comparing('"0x1F"')).toMatchObject({
      ok: true,
      value: { nodes: [{ when: { $is: ['/total', '=', '0x1F'] } }] },
    })
  })

  test('is refused in JSON where a double would change it', () => {
    expect(comparing('12345678901234567890', 'json').findings).toMatchObject([{ code: 'json.number', line: 1 }])
  })

  test('stays what it was in versions that were frozen with it', () => {
    for (const [number, value] of [
      ['0x1F', 31],
      ['.inf', Number.POSITIVE_INFINITY],
      ['12345678901234567890', 12345678901234567000],
    ] as const) {
      expect(comparing(number, 'yaml', 1)).toMatchObject({
        ok: true,
        value: { nodes: [{ when: { $is: ['/total', '=', value] } }] },
      })
    }
  })
})

test.each(['"a: "', '"{a: "', '"["', '"- "', '"? "', '"&a "', '"{a: ["', '"a:\\n "'])(
  'a text of %s, again and again, is refused at once and with its place',
  (piece) => {
    const text = JSON.parse(piece) as string
    const source = text.repeat(Math.floor(limits.sourceBytes / text.length))
    let compiled = compileIngestionModel(text.repeat(9), 'yaml')
    const ms = cpuMsOf(() => {
      compiled = compileIngestionModel(source, 'yaml')
    })
    // What was read without a bound took 5 to 12 s, and then the stack.
    expect(ms).toBeLessThan(1_500)
    const { ok, findings } = compiled
    expect([ok, findings[0]?.severity, typeof findings[0]?.line]).toEqual([false, 'error', 'number'])
  },
)
