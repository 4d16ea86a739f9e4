/** The page of ingestion models: its examples, its tables of keys, conditions, mistakes and metadata hold. */
import { describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Value } from '@sinclair/typebox/value'
import { parse } from 'yaml'
import { isJsonObject, type JsonValue } from '../../src/core/json.ts'
import { compileIngestionModel } from '../../src/engines/ingestion/ingestion-model.ts'
import { placedIn, readInput } from '../../src/engines/ingestion/read-input.ts'
import { compileModel, decide } from '../../src/modules/drafts/conditions.service.ts'
import { intakeMetadata } from '../../src/modules/executions/executions.model.ts'
import { newSubmission } from '../../src/modules/submissions/submissions.model.ts'
import { blocksOf, placeOf, readPage, root } from './pages.ts'

const page = 'docs/ingestion-models.md'
const text = await readPage(page)
const blocks = await blocksOf(page)

/** The rows below a heading, by cells. */
function rowsBelow(heading: string): string[][] {
  const from = text.indexOf(`\n${heading}\n`)
  expect(from).toBeGreaterThan(0)
  const [section = ''] = text.slice(from + heading.length + 2).split(/^#/m)
  return [...section.matchAll(/^\| (.*) \|$/gm)]
    .map(([, row = '']) => row.split(' | '))
    .filter(([first = '']) => first.startsWith('`'))
}

function code(cell: string | undefined): string {
  return /`([^`]*)`/.exec(cell ?? '')?.[1] ?? ''
}

const base = {
  model: 'ingestion-model-v1',
  contract: { name: 'Policy', version: 3 },
  nodes: [{ key: 'letter', label: 'Letter', transformer: 'letter' }],
}

/** The keys of one level, as the hint of an unknown one tells them. */
function keysTold(model: JsonValue): string[] {
  const { findings } = compileIngestionModel(JSON.stringify(model), 'json')
  return findings
    .map(({ hint = '' }) => hint.replace(/^The keys are (.*)\.$/, '$1'))
    .flatMap((hint) => hint.split(', '))
}

const [node] = base.nodes
test.each([
  ['### Of the model', { ...base, unknown: 1 }],
  ['### Of `contract`', { ...base, contract: { ...base.contract, unknown: 1 } }],
  ['### Of `input` in CSV', { ...base, input: { format: 'csv', unknown: 1 } }],
  ['### Of `input` in XML', { ...base, input: { format: 'xml', root: 'r', unknown: 1 } }],
  ['### Of `object`', { ...base, object: { unknown: 1 } }],
  ['### Of a node', { ...base, nodes: [{ ...node, unknown: 1 }] }],
] as [string, JsonValue][])(
  'the table "%s" has every key that there is, and says which are required',
  (heading, model) => {
    const rows = rowsBelow(heading)
    expect(rows.map(([key]) => code(key))).toEqual(keysTold(model))
    const required = rows.filter(([, needed]) => needed === 'required').map(([key]) => code(key))
    const path = heading === '### Of a node' ? 'nodes/0/' : heading === '### Of `contract`' ? 'contract/' : ''
    const missing = compileIngestionModel(
      JSON.stringify(path === '' ? {} : path === 'contract/' ? { ...base, contract: {} } : { ...base, nodes: [{}] }),
      'json',
    ).findings.map((finding) => finding.path)
    if (!/(?:object|input)`/.test(heading))
      expect(missing.toSorted()).toEqual(required.map((key) => `/${path}${key}`).toSorted())
  },
)

test('every example in YAML is a whole model without findings', () => {
  const models = blocks.filter(({ language }) => language === 'yaml')
  expect(models.length).toBeGreaterThan(1)
  for (const block of models) {
    const { ok, findings } = compileModel({ source: block.text, format: 'yaml' })
    expect([placeOf(block), ok, findings]).toEqual([placeOf(block), true, []])
  }
})

describe('a condition of the page', () => {
  test.each(rowsBelow('## Conditions'))('%s is true for %s and false for %s', async (when, yes, no) => {
    const condition = parse(code(when)) as JsonValue
    const decided = [yes, no].map((input) => decide(condition, JSON.parse(code(input))))
    expect(decided).toEqual([true, false])
  })

  test('also decides in a model of that contract', () => {
    const [first] = rowsBelow('## Conditions')
    const contract = { type: 'object', properties: { kind: { type: 'string' } }, required: ['kind'] }
    const nodes = [{ ...base.nodes[0], when: parse(code(first?.[0])) }]
    const source = JSON.stringify({ ...base, nodes })
    expect(compileModel({ source, format: 'json' }, contract).findings).toEqual([])
  })
})

describe('a mistake of the page', () => {
  const rows = rowsBelow('## Mistakes')
  const contract = { type: 'object', properties: { kind: { type: 'string' } }, required: ['kind'] }

  test.each(rows.filter(([, written]) => code(written) !== ''))('%s is found in %s', (name, written) => {
    const [key = ''] = code(written).split(':')
    const kept = Object.entries(base).filter(([own]) => own !== key)
    const rest = kept.map(([own, value]) => `${own}: ${JSON.stringify(value)}\n`).join('')
    const { findings } = compileModel({ source: `${rest}${code(written)}\n`, format: 'yaml' }, contract)
    expect(findings.map((found) => found.code)).toEqual([code(name)])
  })

  test('is there for every code that a model is refused with', () => {
    const sources = ['ingestion/ingestion-model.ts', 'ingestion/input-format.ts'].map((name) => `src/engines/${name}`)
    sources.push(...['csv-format', 'xml-format', 'declaration'].map((name) => `src/engines/ingestion/${name}.ts`))
    sources.push('src/modules/drafts/conditions.service.ts')
    const written = sources.map((path) => readFileSync(join(root, path), 'utf8')).join('')
    const codes = [
      ...[...written.matchAll(/(?:this\.#|\b)refuse\(\s*(?:\[[^\]]*\]|tokens),\s*'([a-z_]+)'/g)].map(
        ([, own]) => `ingestion.${own}`,
      ),
      ...[...written.matchAll(/'(ingestion\.[a-z_]+)'/g)].map(([, own = '']) => own),
    ]
    const listed = rows.flatMap(([cell = '']) => [...cell.matchAll(/`([^`]+)`/g)].map(([, own = '']) => own))
    expect([...new Set(codes)].toSorted()).toEqual(listed.toSorted())
  })
})

test.each([
  ['csv', 'text', 0],
  ['xml', 'xml', 1],
])('the example in %s is the value that is shown beside it', (format, fence, index) => {
  const model = blocks.find(({ language, text: source }) => language === 'yaml' && source.includes(`format: ${format}`))
  const compiled = compileIngestionModel(model?.text ?? '', 'yaml')
  const input = blocks.find(({ language }) => language === fence)
  const shown = blocks.filter(({ language }) => language === 'json')[index]
  const read = readInput(input?.text ?? '', compiled.ok ? compiled.value.input : undefined)
  expect(read.ok && read.value.value).toEqual(JSON.parse(shown?.text ?? ''))
})

test('the finding that the page shows for XML is the one that its example gets', () => {
  const model = blocks.find(({ language, text: source }) => language === 'yaml' && source.includes('format: xml'))
  const compiled = compileIngestionModel(model?.text ?? '', 'yaml')
  const xml = blocks.find(({ language }) => language === 'xml')?.text.replace('12.50', '-1') ?? ''
  const read = readInput(xml, compiled.ok ? compiled.value.input : undefined)
  const [, shown = ''] = /`\/(o:line\/0[^`]*\))`/.exec(text) ?? []
  const path = `/${shown.slice(0, shown.indexOf(': '))}`
  const finding = { code: 'c', severity: 'error' as const, path, message: 'must be at least 0, is -1' }
  const [placed] = read.ok ? placedIn(read.value, [finding]) : []
  expect(`${path}: ${placed?.message}`).toBe(`/${shown}`)
})

test.each([
  ['csv', 'Csv', ['csv-records.ts', 'read-csv.ts'], '## Inputs in CSV'],
  ['xml', 'Xml', ['xml-elements.ts', 'read-xml.ts'], '### Places of elements'],
] as const)('every code that %s is refused with is in the table, and no other', (format, name, files, heading) => {
  const written = files.map((file) => readFileSync(join(root, `src/engines/ingestion/${file}`), 'utf8'))
  const refusals = new RegExp(`new ${name}Refusal\\(\\s*'([a-z-]+)'`, 'g')
  const codes = [...written.join('').matchAll(refusals)].map(([, own]) => `${format}.${own}`)
  expect(
    rowsBelow(heading)
      .map(([name]) => code(name))
      .toSorted(),
  ).toEqual([...new Set(codes)].toSorted())
})

test('the examples in JSON are a submission and its metadata, whose fields the table lists', () => {
  const [, , body, metadata] = blocks
    .filter(({ language }) => language === 'json')
    .map((block) => JSON.parse(block.text))
  expect([...Value.Errors(newSubmission, body)]).toEqual([])
  expect(isJsonObject(JSON.parse(body.raw_input))).toBe(true)
  expect([...Value.Errors(intakeMetadata, metadata)]).toEqual([])
  expect(rowsBelow('### Metadata').map(([field]) => code(field))).toEqual(Object.keys(intakeMetadata.properties))
  expect(Object.keys(metadata)).toEqual(Object.keys(intakeMetadata.properties))
})
