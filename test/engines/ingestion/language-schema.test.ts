import { describe, expect, test } from 'bun:test'
import { valueDefinitions } from '../../../src/engines/declarative/language-schema.ts'
import { compileIngestionModel } from '../../../src/engines/ingestion/ingestion-model.ts'
import { ingestionModelSchema } from '../../../src/engines/ingestion/language-schema.ts'
import { judgeOf } from '../../support/judge.ts'

const found = judgeOf(ingestionModelSchema(valueDefinitions()))

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
    expect([text, found(text).length > 0]).toEqual([text, true])
  })

  test('and a condition by the language of conditions', () => {
    const text = model('', '{ key: a, label: A, transformer: t, when: { $exist: /a } }')
    expect(found(text).length).toBeGreaterThan(0)
  })

  test('while both take formats in any order, and a header of either kind', () => {
    for (const text of [
      model('', '{ key: a, label: A, transformer: t, template: t, formats: [pdf, docx] }'),
      model('input: { format: csv, header: [a, b] }\n'),
      model('input: { format: csv, header: true }\n'),
      model('object: { reference: /a~1b/0, time: metadata.source_timestamp }\n'),
    ]) {
      expect([text, compileIngestionModel(text, 'yaml').ok, found(text)]).toEqual([text, true, []])
    }
  })
})
