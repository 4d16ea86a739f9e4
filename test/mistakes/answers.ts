/** What Quire answers to a mistake, wherever an author can make it. */

import { reviewContract } from '../../src/commands/check-contract.ts'
import { checkAgainstContract } from '../../src/commands/check-template.ts'
import type { Finding } from '../../src/core/finding.ts'
import { type JsonValue, readJson } from '../../src/core/json.ts'
import { newestReading } from '../../src/core/reading.ts'
import { compileTransformer } from '../../src/engines/declarative/declarative.ts'
import { compileTemplate, composeTemplate, type Fragments } from '../../src/engines/docx/docx.ts'
import { readInput } from '../../src/engines/ingestion/read-input.ts'
import { compileSchema, validatePayload } from '../../src/engines/schema/schema.ts'
import { checkShape } from '../../src/http/shape.ts'
import { compileModel } from '../../src/modules/drafts/conditions.service.ts'
import { newSubmission } from '../../src/modules/submissions/submissions.model.ts'
import { p, wordPackage } from '../engines/docx/word-package.ts'

/** What is written, the code and place of the first finding, and how it says what to write. */
export type Mistake = readonly [written: string, found: string, form: string]

/** What the inputs of all mistakes are like. */
const contract = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  required: ['customer', 'lines', 'total', 'kind', 'due', 'paid', 'country'],
  properties: {
    customer: {
      type: 'object',
      required: ['name', 'firstName'],
      properties: { name: { type: 'string' }, firstName: { type: 'string' }, email: { type: 'string' } },
      additionalProperties: false,
    },
    lines: {
      type: 'array',
      maxItems: 100,
      items: {
        type: 'object',
        required: ['text', 'amount', 'quantity'],
        properties: { text: { type: 'string' }, amount: { type: 'number' }, quantity: { type: 'integer', minimum: 1 } },
        additionalProperties: false,
      },
    },
    total: { type: 'number', minimum: 0 },
    kind: { enum: ['home', 'car'] },
    due: { type: 'string', format: 'date' },
    paid: { type: 'boolean' },
    country: { type: 'string', pattern: '^[A-Z]{2}$' },
    note: { type: 'string' },
    logo: { type: 'string' },
  },
  additionalProperties: false,
} satisfies JsonValue

const clause = wordPackage(p('Dear {{/customer/name}}'))
const fragments: Fragments = new Map([
  ['clause', clause],
  ['circle', wordPackage(p('{{> circle}}'))],
])

/** A template: `¶` divides its paragraphs, `¦` the pieces that Word cuts them into. */
export function ofTemplate(text: string): Finding[] {
  const body = text
    .split('¶')
    .map((each) => p(...each.split('¦').map(escaped)))
    .join('')
  const template = compileTemplate(wordPackage(body), newestReading, fragments)
  return template.ok
    ? [...template.findings, ...checkAgainstContract(template.value.bindings, contract)]
    : template.findings
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
}

/** What composing says. @param written the template and the data, as JSON */
export function ofData(written: string): Finding[] {
  const [text, data] = JSON.parse(written) as [string, JsonValue]
  const template = compileTemplate(wordPackage(p(escaped(text))), newestReading)
  return template.ok ? composeTemplate(template.value, data).findings : template.findings
}

/** @param text the output in YAML, or the whole source if it has one */
export function ofTransformer(text: string): Finding[] {
  const source = /^output:/m.test(text) ? text : `transform: declarative-v1\noutput:\n  x: ${text}\n`
  return compileTransformer(source, 'yaml', { contract }).findings
}

const draft = '"$schema": "https://json-schema.org/draft/2020-12/schema"'

/** @param text an object, which gets the name of the draft */
export function ofContract(text: string): Finding[] {
  return reviewContract(text.replace(/^\{/, `{${draft}, `), [])
}

const head = 'model: ingestion-model-v1\ncontract: { name: P, version: 1 }\n'

/** @param text what follows the head of a model, or a node of it */
export function ofModel(text: string): Finding[] {
  const whole = /^model:/m.test(text)
    ? text
    : `${head}${text}\n${/^nodes:/m.test(text) ? '' : 'nodes: [{ key: a, label: A, transformer: t }]\n'}`
  return compileModel({ source: whole, format: 'yaml' }, contract).findings
}

/** @param written the declaration of the format and the text, as JSON */
export function ofInput(written: string): Finding[] {
  const [input, text] = JSON.parse(written) as [string, string]
  const model = compileModel({
    source: `${head}input: ${input}\nnodes: [{ key: a, label: A, transformer: t }]\n`,
    format: 'yaml',
  })
  if (!model.ok) return model.findings
  return readInput(text, model.value.input).findings
}

const rightCase = {
  customer: { name: 'Daly', firstName: 'Ann' },
  lines: [{ text: 'Water', amount: 1, quantity: 1 }],
  total: 1,
  kind: 'home',
  due: '2026-01-01',
  paid: true,
  country: 'DE',
}

/** A case that keeps the contract but for what is changed. */
export function ofChangedCase(changed: string): Finding[] {
  return ofCase(JSON.stringify({ ...rightCase, ...JSON.parse(changed) }))
}

/** A case's file, as JSON. */
export function ofCase(text: string): Finding[] {
  const read = readJson(text)
  const schema = compileSchema(JSON.stringify(contract))
  if (!read.ok || !schema.ok) return read.findings
  return validatePayload(schema.value, read.value)
}

const metadata = {
  schema: 'svc-intake-metadata-v1',
  source_object: 'POL-4711',
  source_timestamp: '2026-11-20T09:30:00Z',
  source_actor: 'ann@example.com',
  source_system: 'policy-core',
  fixture_family: 'clws-policy-v1',
  scenario_id: 'monthly',
  schedule_interval_months: 1,
}

/** The metadata of a submission with something changed. */
export function ofMetadata(changed: string): Finding[] {
  return checkShape(
    newSubmission,
    { ingestion_model: 'm', raw_input: '{}', metadata: { ...metadata, ...JSON.parse(changed) } },
    'body',
  )
}
