import { describe, expect, test } from 'bun:test'
import { compileIngestionModel } from '../../../src/engines/ingestion/ingestion-model.ts'

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
      ['formats must be [docx] or [docx, pdf]', 'a PDF is made from the DOCX, so docx is always one of them'],
    ])
  })

  test('tells of every mistake at once', () => {
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
