import { beforeAll, expect, test } from 'bun:test'
import { formatInstant } from '../../../src/core/instant.ts'
import { startTestApp, type TestApp } from '../../http/harness.ts'
import { contractText, templateBytes, transformerText } from '../../runner/letter.ts'
import { type Answered, Author, nobody } from '../../support/author.ts'
import { describeOnBothDialects } from '../../support/database.ts'
import { stateOf } from '../../support/refused.ts'

const past = '2026-01-01T00:00:00Z'
const summer = '2026-07-01T00:00:00Z'
const raw = '{"total": 1, "name": "Ada"}'
const metadata = {
  schema: 'svc-intake-metadata-v1',
  source_object: 'POL-1',
  source_timestamp: '2026-11-01T00:00:00Z',
  source_actor: 'someone@example.test',
  source_system: 'policies',
  fixture_family: 'tests',
  scenario_id: 'one',
  schedule_interval_months: 6,
}
const anyObject = '{"type": "object"}'

describeOnBothDialects('submissions without metadata', (dialect) => {
  let app: TestApp
  let operator: Author
  let releaseId: string

  beforeAll(async () => {
    app = await startTestApp(dialect)
    const author = await Author.signIn(app, 'author')
    operator = await Author.signIn(app, 'operator', ['operator'])
    const letters = await author.contract('letters', contractText)
    await author.contract('anything', anyObject)
    const transformer = await author.frozen('transformers', 'letters', transformerText)
    const template = await author.frozen('templates', 'letters', await templateBytes())
    await author.publish('templates', template.id, 1, past)
    const echo = await author.frozen('transformers', 'echo', 'transform: declarative-v1\noutput: { a: 1 }\n')
    const dated = await author.frozen(
      'transformers',
      'dated',
      'transform: declarative-v1\nparams: { day: date }\noutput: { day: $day }\n',
    )
    for (const { id } of [transformer, echo, dated]) await author.publish('transformers', id, 1, past)
    const models: [slug: string, source: string][] = [
      [
        'plain',
        `contract: { name: letters, version: 1 }
nodes:
  - { key: data, label: Data, transformer: letters, template: letters }
  - key: big
    label: Big
    transformer: letters
    when: { $is: [/total, ">", 100] }
    children:
      - { key: copy, label: Copy, transformer: echo }
`,
      ],
      [
        'by-input',
        `contract: { name: anything, version: 1 }
object: { reference: /ref, time: /at }
nodes:
  - { key: data, label: Data, transformer: echo }
`,
      ],
      [
        'by-scenario',
        `contract: { name: anything, version: 1 }
object: { reference: metadata.scenario_id }
nodes:
  - { key: data, label: Data, transformer: dated }
`,
      ],
    ]
    for (const [slug, source] of models) {
      const { id } = await author.frozen('ingestion-models', slug, `model: ingestion-model-v1\n${source}`)
      const { status, body } = await author.publish('ingestion-models', id, 1, slug === 'by-input' ? summer : past)
      if (status !== 201) throw new Error(JSON.stringify(body))
    }
    const pin = { name: 'Letters', contract_version_id: letters.versionId, transform_version_id: transformer.versionId }
    releaseId = (await author.post('/releases', pin)).body.release.id
  })

  const submit = (body: object) => operator.post('/submissions', body)
  const plan = (body: object) => operator.post('/submissions/plan', body)
  async function changesNothing(work: () => Promise<Answered>): Promise<Answered> {
    const before = await stateOf(app.database)
    const answer = await work()
    expect(await stateOf(app.database)).toBe(before)
    return answer
  }

  test('a model and an input are enough: the object is the submission, its time that of the receipt', async () => {
    const { status, body } = await submit({ ingestion_model: 'plain', raw_input: raw })
    expect(status).toBe(202)
    const { submission } = body
    expect(submission.object_reference).toBe(submission.id)
    expect(submission.object_time).toBe(submission.created_at)
    expect(submission).not.toHaveProperty('metadata')
    const execution = (await operator.get(`/executions/${submission.executions[0].id}`)).body
    expect(execution).not.toHaveProperty('metadata')
    expect((await operator.get(`/submissions/${submission.id}`)).body).toEqual(submission)
  })

  test('reference and time of the request count, for models, releases and executions alike', async () => {
    const own = { object_reference: 'INV@7', official_time: '2026-03-01T01:00:00.5+01:00' }
    const told = { object_reference: 'INV@7', object_time: '2026-03-01T00:00:00.5Z' }
    const ofModel = (await submit({ ingestion_model: 'plain', raw_input: raw, ...own })).body.submission
    expect(ofModel).toMatchObject(told)
    const ofRelease = (await submit({ release_id: releaseId, raw_input: raw, ...own })).body.submission
    expect(ofRelease).toMatchObject(told)
    const execution = (await operator.post('/executions', { release_id: releaseId, raw_input: raw, ...own })).body
    expect((await operator.get(`/submissions/${execution.submission_id}`)).body).toMatchObject(told)
  })

  test('what the model takes from the input needs no field, and no field may say otherwise', async () => {
    const input = JSON.stringify({ ref: 'ORD-7', at: '2026-08-01T00:00:00Z' })
    const body = { ingestion_model: 'by-input', raw_input: input }
    const taken = { object_reference: 'ORD-7', object_time: '2026-08-01T00:00:00Z' }
    expect((await submit(body)).body.submission).toMatchObject(taken)
    const same = { object_reference: 'ORD-7', official_time: '2026-08-01T02:00:00+02:00' }
    expect((await submit({ ...body, ...same })).body.submission).toMatchObject(taken)
    for (const [field, value, place] of [
      ['object_reference', 'ORD-8', 'raw_input/ref'],
      ['official_time', '2026-08-01T00:00:00.000000001Z', 'raw_input/at'],
    ] as const) {
      const refused = await changesNothing(() => submit({ ...body, [field]: value }))
      expect([refused.status, refused.body.code]).toEqual([422, 'validation_failed'])
      expect(refused.body.detail).toContain(field)
      expect(refused.body.detail).toContain(place)
    }
    // Where the input has none, the fields and their defaults are what is left.
    const bare = { ...body, raw_input: '{}', object_reference: 'ORD-9', official_time: '2026-09-01T00:00:00Z' }
    expect((await submit(bare)).body.submission).toMatchObject({
      object_reference: 'ORD-9',
      object_time: '2026-09-01T00:00:00Z',
    })
  })

  test('a field of the metadata that a model names is the request’s where there is no metadata', async () => {
    const params = { day: '2026-11-20' }
    const body = { ingestion_model: 'by-scenario', raw_input: '{}', params }
    expect((await submit({ ...body, metadata })).body.submission.object_reference).toBe('one')
    expect((await submit({ ...body, object_reference: 'S-1' })).body.submission.object_reference).toBe('S-1')
  })

  test('metadata stays what it was, and is not mixed with what stands for it', async () => {
    const body = { ingestion_model: 'plain', raw_input: raw, metadata }
    expect((await submit(body)).body.submission).toMatchObject({
      object_reference: 'POL-1',
      object_time: '2026-11-01T00:00:00Z',
      metadata,
    })
    for (const extra of [{ object_reference: 'POL-1' }, { official_time: '2026-11-01T00:00:00Z' }]) {
      const refused = await changesNothing(() => submit({ ...body, ...extra }))
      expect(refused.status).toBe(422)
      expect(refused.body.detail).toContain(Object.keys(extra)[0]!)
    }
  })

  test('a wrong reference, time or instant at which nothing is in force is 422 by its field, and makes nothing', async () => {
    for (const [change, said] of [
      [{ object_reference: '' }, 'object_reference'],
      [{ object_reference: '-x' }, 'object_reference'],
      [{ object_reference: 'a'.repeat(129) }, 'object_reference'],
      [{ object_reference: null }, 'object_reference'],
      [{ official_time: 'soon' }, 'official_time'],
      [{ official_time: '2026-02-30T00:00:00Z' }, 'official_time'],
      [{ official_time: '2025-12-31T23:59:59.999999999Z' }, 'official_time'],
      [{ corrects: nobody }, 'corrects'],
      [{ corrects: 'x' }, 'corrects'],
    ] as const) {
      const refused = await changesNothing(() => submit({ ingestion_model: 'plain', raw_input: raw, ...change }))
      expect([JSON.stringify(change).slice(0, 60), refused.status]).toEqual([JSON.stringify(change).slice(0, 60), 422])
      expect(refused.body.detail).toContain(said)
      const planned = await plan({ ingestion_model: 'plain', raw_input: raw, ...change })
      expect([planned.status, planned.body.detail]).toEqual([422, refused.body.detail])
    }
  })

  test('a submission tells which one it corrects, and the list finds those that correct one', async () => {
    const body = { ingestion_model: 'plain', raw_input: '{"total": "none"}' }
    const first = (await submit(body)).body.submission
    const second = (await submit({ ...body, raw_input: raw, corrects: first.id.toUpperCase() })).body.submission
    expect(second.corrects).toBe(first.id)
    expect(first).not.toHaveProperty('corrects')
    expect((await operator.get(`/submissions/${second.id}`)).body.corrects).toBe(first.id)
    const listed = (await operator.get(`/submissions?corrects=${first.id}`)).body.submissions
    expect(listed.map(({ id }: { id: string }) => id)).toEqual([second.id])
    expect((await operator.get(`/submissions?corrects=${second.id}`)).body.submissions).toEqual([])
  })

  test('the plan names every node with its versions and the reason, and makes nothing', async () => {
    const planned = await changesNothing(() => plan({ ingestion_model: 'plain', raw_input: raw }))
    expect(planned.status).toBe(200)
    const { nodes, ...rest } = planned.body
    expect(rest).toMatchObject({
      model: { slug: 'plain', version: 1, in_force_since: past },
      contract: { name: 'letters', version: 1 },
      object_reference_from: 'default',
      object_time_from: 'default',
      object_time: formatInstant(app.clock.now()),
      params: [],
      valid: true,
      input_is_json: true,
      issues: [],
    })
    expect(rest).not.toHaveProperty('object_reference')
    const part = { version: 1, in_force_since: past }
    expect(nodes).toMatchObject([
      {
        address: 'plain:data',
        depth: 0,
        runs: true,
        reason: 'always',
        transformer: { slug: 'letters', ...part },
        template: { slug: 'letters', ...part },
        formats: ['docx', 'pdf'],
        steps: ['validate', 'transform.declarative', 'compose', 'render'],
      },
      { address: 'plain:big', depth: 0, runs: false, reason: 'condition_false' },
      { address: 'plain:big:copy', depth: 1, runs: false, reason: 'parent_unwanted', transformer: { slug: 'echo' } },
    ])
    const all = (await plan({ ingestion_model: 'plain', raw_input: '{"total": 101, "name": "Ada"}' })).body
    expect(all.nodes.map((node: { reason: string }) => node.reason)).toEqual(['always', 'condition_true', 'always'])
  })

  test('the plan says by place what is wrong with the input and the params, where the submission would fail later', async () => {
    const faulty = (await plan({ ingestion_model: 'plain', raw_input: '{"total": "none"}' })).body
    expect([faulty.valid, faulty.nodes[1].reason]).toEqual([false, 'undecided'])
    expect(faulty.issues.map(({ stage, path }: { stage: string; path: string }) => `${stage} ${path}`)).toEqual(
      expect.arrayContaining(['input /total']),
    )
    const noJson = (await plan({ ingestion_model: 'plain', raw_input: '{' })).body
    expect(noJson).not.toHaveProperty('input_format')
    expect([noJson.valid, noJson.input_is_json, noJson.issues.length]).toEqual([false, false, 1])
    const body = { ingestion_model: 'by-scenario', raw_input: '{}' }
    const without = (await plan(body)).body
    expect(without.params).toEqual([{ name: 'day', type: 'date', transformers: ['dated'] }])
    expect(without.issues).toMatchObject([{ stage: 'params', path: '/params/day', code: 'param.missing' }])
    expect((await plan({ ...body, params: { day: '2026-11-20' } })).body.valid).toBe(true)
  })

  test('the plan says where reference and time come from', async () => {
    const input = JSON.stringify({ ref: 'ORD-7', at: '2026-08-01T00:00:00Z' })
    expect((await plan({ ingestion_model: 'by-input', raw_input: input })).body).toMatchObject({
      object_reference: 'ORD-7',
      object_reference_from: 'input',
      object_reference_source: '/ref',
      object_time: '2026-08-01T00:00:00Z',
      object_time_from: 'input',
      object_time_source: '/at',
    })
    const own = { object_reference: 'A', official_time: '2026-03-01T00:00:00Z' }
    expect((await plan({ ingestion_model: 'plain', raw_input: raw, ...own })).body).toMatchObject({
      object_reference_from: 'request',
      object_time_from: 'request',
    })
    expect((await plan({ ingestion_model: 'plain', raw_input: raw, metadata })).body).toMatchObject({
      object_reference: 'POL-1',
      object_reference_from: 'metadata',
      object_time_from: 'metadata',
    })
  })

  test('the plan of a release has its one node; what a submission refuses, its plan refuses', async () => {
    const { body } = await plan({ release_id: releaseId, raw_input: raw })
    expect(body).toMatchObject({
      release_id: releaseId,
      contract: { name: 'letters', version: 1 },
      nodes: [{ address: 'letters:transformation', runs: true, transformer: { slug: 'letters', version: 1 } }],
      valid: true,
    })
    expect(body).not.toHaveProperty('model')
    for (const refused of [
      { release_id: nobody, raw_input: raw },
      { ingestion_model: 'nobody', raw_input: raw },
      { raw_input: raw },
      { release_id: releaseId, ingestion_model: 'plain', raw_input: raw },
      { ingestion_model: 'plain', raw_input: raw, official_time: '2025-01-01T00:00:00Z' },
      { ingestion_model: 'plain', raw_input: '' },
    ]) {
      const [planned, submitted] = [await plan(refused), await changesNothing(() => submit(refused))]
      expect([planned.status, submitted.status]).toEqual([422, 422])
      expect(planned.body.detail).toBe(submitted.body.detail)
    }
  })
})
