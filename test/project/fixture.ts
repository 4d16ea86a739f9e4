import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { embeddedFonts } from '../../src/engines/pdf/font/embedded.ts'
import { type Project, readProject } from '../../src/project/project.ts'
import { createPerformer } from '../../src/runner/perform.ts'
import type { Perform } from '../../src/suite/run.ts'
import { p, wordPackage } from '../engines/docx/word-package.ts'
import { temporaryFolder } from '../support/database.ts'

/** A project by hand: a greeting for everybody, and a notice below it for those who owe something. */
export const greeting: Readonly<Record<string, string | Uint8Array>> = {
  'contracts/person.schema.json': JSON.stringify({
    type: 'object',
    required: ['name', 'owes'],
    properties: { name: { type: 'string', maxLength: 40 }, owes: { type: 'integer' } },
    additionalProperties: false,
  }),
  'transformers/greeting.yaml':
    'transform: declarative-v1\ncontract: person@1\nparams:\n  place: string\noutput:\n  name: /name\n  owes: /owes\n  place: $place\n',
  'transformers/notice.yaml': 'transform: declarative-v1\noutput:\n  amount: { $text: "{n} EUR", n: /owes }\n',
  'templates/greeting.docx': wordPackage(p('Dear {{/name}} of {{/place}},')),
  'models/greeting.yaml': [
    'model: ingestion-model-v1',
    'contract: { name: person, version: 1 }',
    'object: { reference: metadata.source_object, time: metadata.source_timestamp }',
    'nodes:',
    '  - key: letter',
    '    label: Letter',
    '    transformer: greeting',
    '    template: greeting',
    '    formats: [docx, pdf]',
    '    children:',
    '      - key: notice',
    '        label: Notice',
    '        transformer: notice',
    '        when: { $is: [/owes, ">", 0] }',
  ].join('\n'),
  'cases/greeting/ann.json': '{"name":"Ann","owes":0}',
  'cases/greeting/ann.params.json': '{"place":"Ghent"}',
  'cases/greeting/bob.json': '{"name":"Bob","owes":7}',
  'cases/greeting/bob.params.json': '{"place":"Lille"}',
}

/** A project whose inputs are CSV. */
export const invoices: Readonly<Record<string, string | Uint8Array>> = {
  'contracts/invoices.schema.json': JSON.stringify({
    type: 'object',
    required: ['rows'],
    properties: {
      rows: {
        type: 'array',
        minItems: 1,
        maxItems: 100,
        items: {
          type: 'object',
          required: ['number', 'amount'],
          properties: { number: { type: 'string' }, amount: { type: 'number', minimum: 0 } },
        },
      },
    },
  }),
  'transformers/invoices.yaml': [
    'transform: declarative-v1',
    'contract: invoices@1',
    'output:',
    '  first: /rows/0/number',
    '  total: { $format: { $sum: /rows, as: row, of: $row/amount }, number: "0.00", locale: en }',
  ].join('\n'),
  'templates/invoices.docx': wordPackage(p('Total {{/total}} from {{/first}}')),
  'models/invoices.yaml': [
    'model: ingestion-model-v1',
    'contract: { name: invoices, version: 1 }',
    'input: { format: csv, delimiter: ";", decimal: ",", types: { amount: number } }',
    'object: { reference: /rows/0/number }',
    'nodes:',
    '  - { key: list, label: List, transformer: invoices, template: invoices, formats: [docx, pdf] }',
    '',
  ].join('\n'),
  'cases/invoices/march.csv': 'number;amount\r\nA-1;1,50\r\nA-2;2\r\n',
}

/** A project whose inputs are XML. */
export const orders: Readonly<Record<string, string | Uint8Array>> = {
  'contracts/orders.schema.json': JSON.stringify({
    type: 'object',
    required: ['number', 'line'],
    properties: {
      number: { type: 'string' },
      line: {
        type: 'array',
        maxItems: 100,
        items: {
          type: 'object',
          required: ['@no', 'amount'],
          properties: { '@no': { type: 'integer' }, amount: { type: 'number', minimum: 0 } },
        },
      },
    },
  }),
  'transformers/orders.yaml': [
    'transform: declarative-v1',
    'contract: orders@1',
    'output:',
    '  number: /number',
    '  total: { $format: { $sum: /line, as: line, of: $line/amount }, number: "0.00", locale: en }',
  ].join('\n'),
  'templates/orders.docx': wordPackage(p('Total {{/total}} of {{/number}}')),
  'models/orders.yaml': [
    'model: ingestion-model-v1',
    'contract: { name: orders, version: 1 }',
    'input:',
    '  format: xml',
    '  root: order',
    '  namespaces: { "": "urn:example:order" }',
    '  lists: [line]',
    '  types: { amount: number, line/@no: number }',
    'object: { reference: /number }',
    'nodes:',
    '  - { key: letter, label: Letter, transformer: orders, template: orders, formats: [docx, pdf] }',
    '',
  ].join('\n'),
  'cases/orders/first.xml':
    '<order xmlns="urn:example:order">\n  <number>A-1</number>\n  <line no="1"><amount>1.50</amount></line>\n</order>\n',
}

/** Writes files below a new folder and gives its path. */
export function folderWith(files: Readonly<Record<string, string | Uint8Array>>): string {
  const folder = temporaryFolder()
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), content)
  }
  return folder
}

/** A project that can be used. */
export function projectAt(folder: string): Project {
  const { outcome, findings } = readProject(folder)
  if (!outcome.ok) throw new Error(JSON.stringify(findings))
  return outcome.value
}

/** The steps in this process. */
export function performHere(): Perform {
  const performer = createPerformer({ fonts: embeddedFonts })
  return async (job) => performer.perform(job)
}
