import { describe, expect, test } from 'bun:test'
import { answer, questions } from '../../../src/modules/drafts/questions.service.ts'

/** What the judge's worker answers, asked directly. */
const contract = {
  type: 'object',
  required: ['number'],
  properties: {
    number: { type: 'string', minLength: 1 },
    kind: { enum: ['home', 'away'] },
    amount: { type: 'number' },
    at: { type: 'string', format: 'date-time' },
    items: { type: 'array', items: { type: 'object', properties: { n: { type: 'string' } } } },
  },
}
const schema = JSON.stringify(contract)

const modelText = (object: string, when = 'true') => `model: ingestion-model-v1
contract: { name: invoices, version: 1 }
object: ${object}
nodes:
  - key: letter
    label: Letter
    transformer: letter
    children: [{ key: part, label: Part, transformer: letter, when: ${when} }]
`
const model = (object: string, when?: string) =>
  questions.model({ source: modelText(object, when), format: 'yaml', contract })

describe('an ingestion model beside its contract', () => {
  test('may take its object from whatever can be a reference and a time', () => {
    for (const object of ['{ reference: /number, time: /at }', '{ reference: /amount, time: /number }']) {
      expect([object, model(object)]).toMatchObject([object, { ok: true, findings: [] }])
    }
  })

  test('is warned at the place of what the contract does not have, or never as what is wanted there', () => {
    const told = (object: string) => {
      const { ok, findings } = model(object)
      expect(ok).toBe(true)
      for (const finding of findings) expect(finding).toMatchObject({ code: 'ingestion.source', severity: 'warning' })
      return findings.map(({ path, message, hint, line, column }) => [path, message, hint, line, column])
    }
    const reads = '{ reference: /nmber, time: /at }'
    expect(told(reads)).toEqual([
      [
        ...['/object/reference', 'The contract has no /nmber, so no input has its object reference there.'],
        ...['Did you mean number?', 3, 9 + reads.indexOf('/nmber')],
      ],
    ])
    expect(told('{ reference: /other/deep }').map(([, , hint]) => hint)).toEqual([
      'Known here: number, kind, amount, at, items.',
    ])
    expect(told('{ reference: /items, time: /amount }').map((each) => each.slice(0, 3))).toEqual([
      ['/object/reference', '/items is never a text or number in the contract.', 'Point to a text or number.'],
      ['/object/time', '/amount is never an RFC 3339 time in the contract.', 'Point to an RFC 3339 time.'],
    ])
  })

  test('has errors in conditions that are not true or false, or read what may be missing, at their own place', () => {
    const told = (when: string) => {
      const { ok, findings } = model('{ reference: /number }', when)
      return [ok, ...findings.map(({ code, path, line }) => [code, path, line])]
    }
    const place = '/nodes/0/children/0/when'
    expect(told('{ $exists: /kind }')).toEqual([true])
    expect(told('/number')).toEqual([false, ['ingestion.when', place, 8]])
    expect(told('{ a: true }')).toEqual([false, ['ingestion.when', place, 8]])
    expect(told('{ $is: [/kind, "=", home] }')).toEqual([false, ['may_be_missing', `${place}/$is/0`, 8]])
    // Nobody knows what is missing without the contract, and a frozen model is read by the rules of its time.
    const source = modelText('{ reference: /number }', '{ $is: [/kind, "=", home] }')
    expect(questions.model({ source, format: 'yaml' })).toMatchObject({ ok: true, findings: [] })
    expect(questions.conditions({ source, format: 'yaml', reading: 1, contract: schema })).toMatchObject([
      { code: 'may_be_missing', path: `${place}/$is/0`, line: 8 },
    ])
  })
})

describe('a contract', () => {
  const loop = (name: string) => ({
    source: `transform: declarative-v1\ncontract: ${name}\noutput: { $each: /items, as: i, do: $i/n }\n`,
    format: 'yaml' as const,
  })

  test('is reviewed with the loops of those transformers alone that read it', () => {
    const review = (name: string) => questions.contract({ schema, name: 'invoices', transformers: [loop(name)] })
    expect(review('invoices@1')).toMatchObject({
      findings: [],
      review: [{ code: 'schema.unbounded-loop', path: '/properties/items', line: 1 }],
    })
    expect(review('others@1')).toEqual({ findings: [], review: [] })
    const broken = { source: 'output: [', format: 'yaml' as const }
    expect(questions.contract({ schema, name: 'invoices', transformers: [broken] }).review).toEqual([])
  })

  test('with errors is not reviewed', () => {
    const { findings, review } = questions.contract({ schema: '{"type":"objct"}', name: 'invoices', transformers: [] })
    expect([findings.map(({ code, path }) => [code, path]), review]).toEqual([[['schema.keyword', '/type']], []])
  })

  test('is compared from the older to the newer one', () => {
    const newer = JSON.stringify({ ...contract, required: ['number', 'kind'] })
    const compare = (older: string, newer: string) =>
      questions.contractChanges({ older, newer }).map(({ side, effect }) => [side, effect])
    expect(compare(schema, newer)).toEqual([['new', 'breaking']])
    expect(compare(newer, schema)).toEqual([['old', 'compatible']])
    expect(compare(schema, schema)).toEqual([])
  })
})

test('a payload is no JSON, or is held against its contract', () => {
  const payload = (text: string) => questions.payload({ contract: schema, payload: text })
  expect(payload('{')).toMatchObject({ isJson: false, findings: [{ code: 'json.syntax' }] })
  expect(payload('{"number":""}')).toMatchObject({ isJson: true, findings: [{ path: '/number' }] })
  expect(payload('{"number":"1"}')).toEqual({ isJson: true, findings: [] })
})

test('a case is made for each kind, one that violates the contract with the place and the rule', () => {
  const made = (kind: 'valid' | 'invalid') => {
    const answer = questions.generatedCase({ contract: schema, kind, seed: 1 })
    if (!answer.ok) throw new Error(JSON.stringify(answer.findings))
    return answer.value
  }
  const valid = made('valid')
  expect(Object.keys(valid)).toEqual(['text'])
  expect(questions.payload({ contract: schema, payload: valid.text }).findings).toEqual([])
  const { text, path, keyword } = made('invalid')
  expect(questions.payload({ contract: schema, payload: text }).findings).toMatchObject([{ path, keyword }])
})

test('what nobody is there to answer is said by its name', () => {
  expect(() => answer({}, 'model', {})).toThrow('nobody answers model here')
  expect(answer({ reviewText: () => 'text' }, 'reviewText', {})).toBe('text')
})
