import { beforeAll, expect, test } from 'bun:test'
import { canonicalHash } from '../../../src/core/canonical.ts'
import { sha256Hex } from '../../../src/core/hash.ts'
import { startTestApp, type TestApp } from '../../http/harness.ts'
import { Author } from '../../support/author.ts'
import { describeOnBothDialects } from '../../support/database.ts'

const past = '2026-01-01T00:00:00Z'
const contract = JSON.stringify({
  type: 'object',
  required: ['rows'],
  properties: {
    rows: {
      type: 'array',
      minItems: 1,
      items: {
        type: 'object',
        required: ['number', 'amount'],
        properties: { number: { type: 'string' }, amount: { type: 'number', minimum: 0 } },
      },
    },
  },
})
const model = `model: ingestion-model-v1
contract: { name: invoices, version: 1 }
input: { format: csv, delimiter: ";", decimal: ",", types: { amount: number } }
object: { reference: /rows/0/number }
nodes:
  - { key: list, label: List, transformer: list }
  - { key: single, label: Single, transformer: list, when: { $is: [{ $count: /rows }, "=", 1] } }
`

const order = `model: ingestion-model-v1
contract: { name: orders, version: 1 }
input: { format: xml, root: o:order, namespaces: { o: "urn:o" }, lists: [o:line], types: { "@amount": number } }
object: { reference: /o:number }
nodes:
  - { key: letter, label: Letter, transformer: order }
  - { key: single, label: Single, transformer: order, when: { $is: [{ $count: /o:line }, "=", 1] } }
`
const orders = JSON.stringify({
  type: 'object',
  required: ['o:number', 'o:line'],
  properties: {
    'o:number': { type: 'string' },
    'o:line': { type: 'array', items: { type: 'object', properties: { '@amount': { type: 'number', minimum: 0 } } } },
  },
})

describeOnBothDialects('submissions to a model that reads CSV or XML', (dialect) => {
  let app: TestApp
  let operator: Author

  beforeAll(async () => {
    app = await startTestApp(dialect)
    const author = await Author.signIn(app, 'author')
    operator = await Author.signIn(app, 'operator', ['operator'])
    await author.contract('invoices', contract)
    const list = await author.frozen(
      'transformers',
      'list',
      'transform: declarative-v1\ncontract: invoices@1\noutput: { n: { $count: /rows } }\n',
    )
    await author.publish('transformers', list.id, 1, past)
    const { id } = await author.frozen('ingestion-models', 'invoices', model)
    const { status, body } = await author.publish('ingestion-models', id, 1, past)
    if (status !== 201) throw new Error(JSON.stringify(body))
    await author.contract('orders', orders)
    const letter = 'transform: declarative-v1\ncontract: orders@1\noutput: { n: { $count: /o:line } }\n'
    const { id: transformerId } = await author.frozen('transformers', 'order', letter)
    await author.publish('transformers', transformerId, 1, past)
    const reader = await author.frozen('ingestion-models', 'orders', order)
    const published = await author.publish('ingestion-models', reader.id, 1, past)
    if (published.status !== 201) throw new Error(JSON.stringify(published.body))
  })

  const body = (raw_input: string) => ({ ingestion_model: 'invoices', raw_input })

  test('are kept as they were submitted, and read by the model: reference, conditions, input and its hash', async () => {
    const raw = 'number;amount\r\nA-1;1,50\r\nA-2;2\r\n'
    const { status, body: answer } = await operator.post('/submissions', body(raw))
    expect(status).toBe(202)
    const { submission } = answer
    expect(submission.object_reference).toBe('A-1')
    expect(submission.raw_input_hash).toBe(sha256Hex(raw))
    // Two rows: the node for a single one is not wanted.
    expect(submission.executions.map((execution: { node_label: string }) => execution.node_label)).toEqual(['List'])
    const execution = (await operator.get(`/executions/${submission.executions[0].id}`)).body
    const input = {
      rows: [
        { number: 'A-1', amount: 1.5 },
        { number: 'A-2', amount: 2 },
      ],
    }
    expect(execution).toMatchObject({
      raw_input: raw,
      input,
      input_hash: canonicalHash(input),
      raw_input_hash: sha256Hex(raw),
    })
  })

  test('are planned with findings that name line and column', async () => {
    const { body: fine } = await operator.post('/submissions/plan', body('number;amount\nA-1;1\n'))
    expect(fine).toMatchObject({ valid: true, input_is_json: true, issues: [], object_reference: 'A-1' })
    expect(fine.nodes.map((node: { runs: boolean }) => node.runs)).toEqual([true, true])
    expect(fine.input_format).toEqual({
      ...{ format: 'csv', delimiter: ';', rows: 'rows', decimal: ',', trim: false, empty: 'omit' },
      types: { amount: 'number' },
    })
    const { body: wrong } = await operator.post('/submissions/plan', body('number;amount\nA-1;1\nA-2;-3\n'))
    expect(wrong.issues).toMatchObject([
      { stage: 'input', path: '/rows/1/amount', message: expect.stringContaining('(line 3, column 5)') },
    ])
    const { body: unread } = await operator.post('/submissions/plan', body('number;amount\nA-1;x\n'))
    expect(unread).toMatchObject({ valid: false, input_is_json: false, issues: [{ code: 'csv.value' }] })
  })

  test('are taken in where they can’t be read, since the execution says what is wrong', async () => {
    const raw = 'number;amount\nA-1\n'
    const { status, body: answer } = await operator.post('/submissions', body(raw))
    expect(status).toBe(202)
    const [first] = answer.submission.executions
    const execution = (await operator.get(`/executions/${first.id}`)).body
    expect(execution).toMatchObject({ raw_input: raw, input_hash: sha256Hex(raw) })
    expect(execution).not.toHaveProperty('input')
  })

  test('that are JSON are no CSV, and a text that is both is read as the model says', async () => {
    const { body: json } = await operator.post('/submissions/plan', body('{"rows": []}'))
    expect(json).toMatchObject({ valid: false, input_is_json: false })
    const { body: answer } = await operator.post('/submissions', body('1'))
    const execution = (await operator.get(`/executions/${answer.submission.executions[0].id}`)).body
    expect(execution).not.toHaveProperty('input')
  })

  test('in XML are read by the model: reference, conditions, input and its hash, with places in plans', async () => {
    const line = (amount: number) => `<x:line amount="${amount}"/>`
    const xml = (...lines: string[]) => `<x:order xmlns:x="urn:o">\n<x:number>B-7</x:number>${lines.join('')}</x:order>`
    const raw = xml(line(1), line(2.5))
    const { status, body: answer } = await operator.post('/submissions', { ingestion_model: 'orders', raw_input: raw })
    expect(status).toBe(202)
    const { submission } = answer
    expect([submission.object_reference, submission.raw_input_hash]).toEqual(['B-7', sha256Hex(raw)])
    expect(submission.executions.map((each: { node_label: string }) => each.node_label)).toEqual(['Letter'])
    const execution = (await operator.get(`/executions/${submission.executions[0].id}`)).body
    const input = { 'o:number': 'B-7', 'o:line': [{ '@amount': 1 }, { '@amount': 2.5 }] }
    expect(execution).toMatchObject({ raw_input: raw, input, input_hash: canonicalHash(input) })

    const plan = async (text: string) =>
      (await operator.post('/submissions/plan', { ingestion_model: 'orders', raw_input: text })).body
    const fine = await plan(xml(line(3)))
    expect(fine).toMatchObject({ valid: true, input: { 'o:line': [{ '@amount': 3 }] }, object_reference: 'B-7' })
    expect(fine.nodes.map((node: { runs: boolean }) => node.runs)).toEqual([true, true])
    expect(fine.input_format).toEqual({
      ...{ format: 'xml', root: 'o:order', namespaces: { o: 'urn:o' }, lists: ['o:line'], objects: [] },
      ...{ types: { '@amount': 'number' }, text: '#text', attributes: '@', decimal: '.', trim: true, empty: 'omit' },
    })
    expect((await plan(xml(line(1), line(-2)))).issues).toMatchObject([
      {
        path: '/o:line/1/@amount',
        message: expect.stringContaining('is -2, in /o:order/o:line[2]/@amount (line 2, column'),
        context: { line: '2', column: '53' },
      },
    ])
    const unread = await plan('<!DOCTYPE a><a/>')
    expect(unread).toMatchObject({ valid: false, input_is_json: false, issues: [{ code: 'xml.doctype' }] })
    expect(unread).not.toHaveProperty('input')
  })
})
