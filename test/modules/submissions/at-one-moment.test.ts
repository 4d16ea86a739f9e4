import { beforeAll, expect, test } from 'bun:test'
import { addMs } from '../../../src/core/instant.ts'
import { KnownConfiguration } from '../../../src/modules/submissions/submissions.known.ts'
import { planSubmission } from '../../../src/modules/submissions/submissions.plan.ts'
import { startTestApp, type TestApp } from '../../http/harness.ts'
import { Author } from '../../support/author.ts'
import { describeOnBothDialects } from '../../support/database.ts'

const past = '2026-01-01T00:00:00Z'
const transformer = (number: number) => `transform: declarative-v1\noutput: ${number}\n`
const model = (label: string) => `model: ingestion-model-v1
contract: { name: invoices, version: 1 }
nodes:
  - { key: letter, label: ${label}, transformer: letter }
`

describeOnBothDialects('a submission at the moment at which a set comes into force', (dialect) => {
  let app: TestApp
  let author: Author
  let letterId: string
  let modelId: string

  beforeAll(async () => {
    app = await startTestApp(dialect)
    author = await Author.signIn(app, 'author')
    await author.contract('invoices', '{"type":"object"}')
    letterId = (await author.frozen('transformers', 'letter', transformer(1))).id
    await author.publish('transformers', letterId, 1, past)
    modelId = (await author.frozen('ingestion-models', 'invoices', model('First'))).id
    await author.publish('ingestion-models', modelId, 1, past)
    for (const [plural, family, source] of [
      ['transformers', letterId, transformer(2)],
      ['ingestion-models', modelId, model('Second')],
    ] as const) {
      const path = `/${plural}/${family}/draft`
      await author.call('PUT', path, { source, format: 'yaml' }, { 'if-match': '"1"' })
      expect((await author.freeze(plural, family, 2)).status).toBe(201)
    }
  })

  async function putInForce(): Promise<void> {
    const set = { ingestion_model_id: modelId }
    const { plan_hash } = (await author.post('/activation-sets/plan', set)).body
    expect((await author.post('/activation-sets', { ...set, plan_hash })).status).toBe(200)
  }

  test('runs what is in force together, and no mixture', async () => {
    const known = new KnownConfiguration()
    const list = known.inForce.list.bind(known.inForce)
    let looks = 0
    known.inForce.list = async (...asked) => {
      const found = await list(...asked)
      // The model is read; what it names is not yet.
      if (looks++ === 0) await putInForce()
      return found
    }
    const at = addMs(app.clock.now(), 60_000)
    const request = {
      modelSlug: 'invoices',
      input: {},
      objectReference: undefined,
      officialTime: undefined,
      id: 'x',
      at,
    }
    const plan = await planSubmission(app.database.read, request, known)
    const letter = (await author.get(`/transformers/${letterId}/versions/2`)).body
    expect(plan.nodes.map(({ label, pin }) => [label, pin.transformer.contentHash])).toEqual([
      ['Second', letter.content_hash],
    ])
  })
})
