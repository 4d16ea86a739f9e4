/** The schemas of Quire's languages hold what the compilers hold, by Quire's own validator and by another. */
import { describe, expect, test } from 'bun:test'
import Ajv from 'ajv/dist/2020'
import { parse } from 'yaml'
import { parseInstant } from '../../../src/core/instant.ts'
import { isJsonObject, type JsonValue } from '../../../src/core/json.ts'
import { demo } from '../../../src/demo/demo.ts'
import { compileTransformer } from '../../../src/engines/declarative/declarative.ts'
import { operators } from '../../../src/engines/declarative/operators/table.ts'
import { compileIngestionModel } from '../../../src/engines/ingestion/ingestion-model.ts'
import { compileSchema, validatePayload } from '../../../src/engines/schema/schema.ts'
import { readActivations, writeActivations } from '../../../src/modules/projects/projects.activations.ts'
import { languages } from '../../../src/modules/projects/projects.languages.ts'
import { readFamilyTexts } from '../../../src/modules/projects/projects.texts.ts'
import { allBlocks, placeOf } from '../../docs/pages.ts'
import { startTestApp } from '../../http/harness.ts'
import { greeting, invoices, orders } from '../../project/fixture.ts'
import { runCommand } from '../../support/command.ts'
import { temporaryFolder } from '../../support/database.ts'

const ajv = new Ajv({ allErrors: false, strict: false, validateFormats: false })
const judges = Object.fromEntries(
  Object.entries(languages).map(([name, make]) => {
    const schema = make()
    const compiled = compileSchema(JSON.stringify(schema))
    if (!compiled.ok) throw new Error(JSON.stringify(compiled.findings))
    return [name, { own: compiled, other: ajv.compile(schema) }]
  }),
)

/** What the schema finds; both validators have to agree. */
function found(language: string, text: string): string[] {
  const value = parse(text) as JsonValue
  const { own, other } = judges[language] ?? {}
  if (!own?.ok || other === undefined) throw new Error(`there is no ${language}`)
  const findings = validatePayload(own.value, value)
  expect([text, other(value)]).toEqual([text, findings.length === 0])
  return findings.map(({ path, message }) => `${path}: ${message}`)
}

const blocks = (await allBlocks()).filter(({ language }) => language === 'yaml')

test('every transformer of the pages, the demo and the tests’ projects satisfies the schema', () => {
  const whole = [
    demo.transformer.source,
    ...[greeting, invoices, orders]
      .flatMap(Object.entries)
      .filter(([name]) => name.startsWith('transformers/'))
      .map(([, text]) => String(text)),
  ]
  const shown = blocks.flatMap((block) => {
    if (/^transform:/m.test(block.text)) return [block.text]
    return /^# input /.test(block.text) ? [`transform: declarative-v1\n${block.text}`] : []
  })
  expect(shown.length).toBeGreaterThan(100)
  for (const text of [...whole, ...shown]) expect([text, found('transformer', text)]).toEqual([text, []])
})

test('every ingestion model of them satisfies the schema', () => {
  const whole = [
    demo.ingestionModel.source,
    ...[greeting, invoices, orders]
      .flatMap(Object.entries)
      .filter(([name]) => name.startsWith('models/'))
      .map(([, text]) => String(text)),
  ]
  const shown = blocks.filter(({ text }) => /^model:/m.test(text))
  expect(shown.length).toBeGreaterThan(3)
  for (const text of whole) expect([text, found('ingestion-model', text)]).toEqual([text, []])
  for (const block of shown)
    expect([placeOf(block), found('ingestion-model', block.text)]).toEqual([placeOf(block), []])
})

test('every operator and argument is described, as the reference has it', () => {
  const { $defs = {} } = languages.transformer?.() ?? {}
  for (const { name, doc, args } of operators.values()) {
    const definition = isJsonObject($defs) ? $defs[name] : undefined
    const properties = isJsonObject(definition) && isJsonObject(definition.properties) ? definition.properties : {}
    expect([name, isJsonObject(definition) && definition.description]).toEqual([name, doc])
    for (const [key, spec] of Object.entries(args)) {
      expect(properties[key === 'subject' ? name : key]).toMatchObject({ description: spec.doc })
    }
  }
})

const output = (text: string) => `transform: declarative-v1\noutput: ${text}\n`

describe('a mistake in a transformer that the compiler refuses by its form', () => {
  test.each([
    ['another language', 'transform: declarative-v2\noutput: 1\n'],
    ['no output', 'transform: declarative-v1\n'],
    ['an unknown key', `${output('1')}outputs: 2\n`],
    ['a contract without a version', `${output('1')}contract: policy\n`],
    ['a version from 0', `${output('1')}template: letter@0\n`],
    ['a param of an unknown type', `${output('1')}params: { a: number }\n`],
    ['a name that is none', `${output('1')}let: { "1a": 2 }\n`],
    ['a table in a table', `${output('1')}tables: { a: { b: { c: 1 } } }\n`],
    ['lets in a list', `${output('1')}let: [1]\n`],
    ['an unknown operator', output('{ $txt: a }')],
    ['one deep inside', output('{ a: [{ b: { $sum: /x, as: i, of: { $map: $i } } }] }')],
    ['two operators', output('{ $count: /a, $sum: /b }')],
    ['two operators, one with slots', output('{ $text: a, $sum: /b }')],
    ['an unknown argument', output('{ $trim: /a, sides: both }')],
    ['a missing argument', output('{ $pad: /a }')],
    ['an unknown choice', output('{ $case: /a, to: big }')],
    ['a number out of range', output('{ $pad: /a, to: 1001 }')],
    ['no whole number', output('{ $pad: /a, to: 1.5 }')],
    ['no flag', output('{ $trim: /a, inside: "yes" }')],
    ['a variable that is no name', output('{ $each: /a, as: $x, do: 1 }')],
    ['a text that is a list', output('{ $text: [a] }')],
    ['one value where several are wanted', output('{ $dateDiff: /a, unit: days }')],
    ['too few of them', output('{ $dateDiff: [/a], unit: days }')],
    ['a list', '[1]'],
  ])('%s is refused by the schema as well', (_what, text) => {
    const compiled = compileTransformer(text, 'yaml')
    expect([text, compiled.ok]).toEqual([text, false])
    expect([text, found('transformer', text).length > 0]).toEqual([text, true])
  })

  test.each([
    ['what $const keeps', output('{ $const: { $anything: [1, { $x: 2, $y: 3 }] } }')],
    ['a key with two dollar signs', output('{ $$ref: /a, "": 1 }')],
    ['slots and cases of any name', output('{ $match: /a, x y: 1, else: { $text: "{b}", b: /c } }')],
  ])('while %s is taken by both', (_what, text) => {
    expect([text, compileTransformer(text, 'yaml').ok, found('transformer', text)]).toEqual([text, true, []])
  })
})

const model = (rest: string, node = '{ key: a, label: A, transformer: t }') =>
  `model: ingestion-model-v1\ncontract: { name: p, version: 1 }\n${rest}nodes: [${node}]\n`

describe('a mistake in an ingestion model that the compiler refuses by its form', () => {
  test.each([
    ['another language', model('').replace('v1', 'v2')],
    ['no nodes', 'model: ingestion-model-v1\ncontract: { name: p, version: 1 }\nnodes: []\n'],
    ['no contract', 'model: ingestion-model-v1\nnodes: [{ key: a, label: A, transformer: t }]\n'],
    ['an unknown key', model('node: 1\n')],
    ['a version as text', model('').replace('version: 1', 'version: "1"')],
    ['a version from 0', model('').replace('version: 1', 'version: 0')],
    ['a source that is neither pointer nor field', model('object: { reference: policy.number }\n')],
    ['a pointer with a bare tilde', model('object: { time: /a~b }\n')],
    ['an unknown field of the metadata', model('object: { time: metadata.time }\n')],
    ['a key that is no slug', model('', '{ key: A, label: A, transformer: t }')],
    ['a node without a label', model('', '{ key: a, transformer: t }')],
    ['an unknown key of a node', model('', '{ key: a, label: A, transformer: t, template_: x }')],
    ['a PDF without the DOCX', model('', '{ key: a, label: A, transformer: t, template: t, formats: [pdf] }')],
    ['formats without a template', model('', '{ key: a, label: A, transformer: t, formats: [docx] }')],
    ['a format twice', model('', '{ key: a, label: A, transformer: t, template: t, formats: [docx, docx] }')],
    ['a wrong child', model('', '{ key: a, label: A, transformer: t, children: [{ key: b }] }')],
    ['an unknown format of inputs', model('input: { format: xlsx }\n')],
    ['an unknown delimiter', model('input: { format: csv, delimiter: "::" }\n')],
    ['a key of another format', model('input: { format: csv, root: r }\n')],
    ['XML without a root', model('input: { format: xml }\n')],
    ['a list that is no place', model('input: { format: xml, root: r, lists: ["//a"] }\n')],
    ['a type of an attribute’s attribute', model('input: { format: xml, root: r, types: { "@a/@b": number } }\n')],
    ['an unknown type', model('input: { format: xml, root: r, types: { a: date } }\n')],
  ])('%s is refused by the schema as well', (_what, text) => {
    expect([text, compileIngestionModel(text, 'yaml').ok]).toEqual([text, false])
    expect([text, found('ingestion-model', text).length > 0]).toEqual([text, true])
  })

  test('and a condition by the language of conditions', () => {
    const text = model('', '{ key: a, label: A, transformer: t, when: { $exist: /a } }')
    expect(found('ingestion-model', text).length).toBeGreaterThan(0)
  })

  test('while both take formats in any order, and a header of either kind', () => {
    for (const text of [
      model('', '{ key: a, label: A, transformer: t, template: t, formats: [pdf, docx] }'),
      model('input: { format: csv, header: [a, b] }\n'),
      model('input: { format: csv, header: true }\n'),
      model('object: { reference: /a~1b/0, time: metadata.source_timestamp }\n'),
    ]) {
      expect([text, compileIngestionModel(text, 'yaml').ok, found('ingestion-model', text)]).toEqual([text, true, []])
    }
  })
})

test('activations.yaml and families.json are checked by the shapes that their readers have', () => {
  const at = parseInstant('2027-01-01T00:00:00Z')
  if (at === undefined) throw new Error('is an instant')
  const written = writeActivations(new Map([['scheduled/later/models/a.yaml', at]]))
  expect(found('activations', written)).toEqual([])
  const bytes = (text: string) => new TextEncoder().encode(text)
  for (const text of [
    'activations: 1\n',
    'activations: [{ effective_from: 2027-01-01T00:00:00Z, files: [] }]\n',
    'activation: []\n',
  ]) {
    expect([text, readActivations(bytes(text), new Set()).ok, found('activations', text).length > 0]).toEqual([
      text,
      false,
      true,
    ])
  }
  expect(found('families', '{ "models": { "a": { "name": "A", "description": "" } } }')).toEqual([])
  for (const text of [
    '{ "model": {} }',
    '{ "models": { "A": { "name": "A", "description": "" } } }',
    '{ "models": { "a": {} } }',
  ]) {
    expect([text, readFamilyTexts(bytes(text)).ok, found('families', text).length > 0]).toEqual([text, false, true])
  }
})

test('the executable prints the schemas, and a server has the same for everybody', async () => {
  const app = await startTestApp('sqlite')
  for (const [name, make] of Object.entries(languages)) {
    const served = await app.send({ path: `/schemas/${name}.json` })
    expect([served.status, served.headers.get('content-type'), await served.json()]).toEqual([
      200,
      'application/json',
      make() as object,
    ])
  }
  const { code, stdout } = await runCommand(temporaryFolder(), ['schema', 'ingestion-model'])
  expect([code, JSON.parse(stdout)]).toEqual([0, languages['ingestion-model']?.() as object])
  const refused = await runCommand(temporaryFolder(), ['schema', 'transfomer'])
  expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('did you mean transformer?')])
})
