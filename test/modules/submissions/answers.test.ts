/** What a submission answers, records and tells, word by word; on one database, because nothing of it differs by the other. */
import { beforeAll, describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { canonicalHash, canonicalJson } from '../../../src/core/canonical.ts'
import { sha256Hex } from '../../../src/core/hash.ts'
import { formatInstant } from '../../../src/core/instant.ts'
import { limits } from '../../../src/core/limits.ts'
import { judgeHere } from '../../../src/modules/drafts/judge-here.service.ts'
import { createSubmissionService, formatsOfRelease } from '../../../src/modules/submissions/submissions.service.ts'
import { startTestApp, type TestApp } from '../../http/harness.ts'
import { contractText } from '../../runner/letter.ts'
import { Author, nobody } from '../../support/author.ts'

const past = '2026-01-01T00:00:00Z'
const raw = ' {"total": 5, "name": "Ada"}'
const params = { place: 'Bern' }
const metadata = {
  ...{ schema: 'svc-intake-metadata-v1', source_object: 'POL-1', source_timestamp: '2026-11-01T00:00:00Z' },
  ...{ source_actor: 'someone', source_system: 'policies', fixture_family: 'tests', scenario_id: 'one' },
  schedule_interval_months: 1,
}

let app: TestApp
let operator: Author
let operatorId: string
let releaseId: string
let model: { id: string; versionId: string }

beforeAll(async () => {
  app = await startTestApp('sqlite')
  const author = await Author.signIn(app, 'author')
  operator = await Author.signIn(app, 'operator', ['operator'])
  const { q, t } = app.database.read
  const [user] = await q.select().from(t.users).where(eq(t.users.username, 'operator'))
  operatorId = user!.id
  const contract = await author.contract('letters', contractText)
  const source = 'transform: declarative-v1\nparams: { place: string }\noutput: { name: /name }\n'
  const plain = await author.frozen('transformers', 'plain', source)
  await author.publish('transformers', plain.id, 1, past)
  const nodes = '  - { key: data, label: Data, transformer: plain }\n'
  model = await author.frozen(
    ...(['ingestion-models', 'letters'] as const),
    `model: ingestion-model-v1\ncontract: { name: letters, version: 1 }\nnodes:\n${nodes}`,
  )
  await author.publish('ingestion-models', model.id, 1, past)
  const tree = await author.frozen(
    ...(['ingestion-models', 'tree'] as const),
    `model: ingestion-model-v1
contract: { name: letters, version: 1 }
nodes:
  - key: data
    label: Data
    transformer: plain
    children:
      - { key: large, label: Data, transformer: plain, when: { $is: [/total, ">", 5] }, children: [{ key: part, label: Data, transformer: plain }] }
  - { key: small, label: Data, transformer: plain, when: { $is: [/total, "<=", 5] } }
`,
  )
  await author.publish('ingestion-models', tree.id, 1, past)
  const pin = { name: 'Some Letters', contract_version_id: contract.versionId, transform_version_id: plain.versionId }
  releaseId = (await author.post('/releases', pin)).body.release.id
})

const submit = (body: object) => operator.post('/submissions', body)
const toldOf = async (id: string) => {
  const { auditRecords, events } = app.database.read.t
  const [record] = await app.database.read.q.select().from(auditRecords).where(eq(auditRecords.resourceId, id))
  const [event] = await app.database.read.q.select().from(events).where(eq(events.aggregateId, id))
  return { record: record!, event: event! }
}

describe('a submission to a model', () => {
  test('is answered, audited and announced with its references and hashes', async () => {
    const { status, body } = await submit({ ingestion_model: 'letters', raw_input: raw, metadata, params })
    expect(status).toBe(202)
    const { submission } = body
    const { id, correlation_id: correlationId } = submission
    const [execution] = submission.executions
    const hashes = { raw_input_hash: sha256Hex(raw), params_hash: sha256Hex(canonicalJson(params)) }
    expect(submission).toEqual({
      ...{ id, model_slug: 'letters', object_reference: 'POL-1', object_time: '2026-11-01T00:00:00Z', ...hashes },
      ...{ submitted_by: operatorId, correlation_id: correlationId, created_at: formatInstant(app.clock.now()) },
      ...{ metadata, params },
      executions: [{ id: execution.id, node_label: 'Data', node_address: 'letters:data', status: 'queued' }],
    })
    const { record, event } = await toldOf(id)
    const about = { model_slug: 'letters', object_reference: 'POL-1', ...hashes }
    expect(record).toMatchObject({ action: 'submission.created', resourceKind: 'submission', actorId: operatorId })
    expect([record.detail, record.correlationId, typeof record.digest]).toEqual([about, correlationId, 'string'])
    expect([event.aggregate, event.type, event.correlationId]).toEqual(['submission', 'created', correlationId])
    expect(event.data).toEqual({ ...about, object_time: '2026-11-01T00:00:00Z' })
    const { submissions } = app.database.read.t
    const [row] = await app.database.read.q.select().from(submissions).where(eq(submissions.id, id))
    expect(row).toMatchObject({
      rawInput: raw,
      modelVersionId: model.versionId,
      params: canonicalJson(params),
      corrects: null,
    })
  })

  test('without metadata or params has neither, and is about itself as of its receipt', async () => {
    const { body } = await submit({ ingestion_model: 'letters', raw_input: raw, params })
    const { submission } = body
    expect(submission).toMatchObject({ object_reference: submission.id, object_time: submission.created_at })
    expect(submission).not.toHaveProperty('metadata')
    const wanting = await submit({ ingestion_model: 'letters', raw_input: raw })
    expect([wanting.status, wanting.body.detail]).toEqual([422, expect.stringContaining('params.place')])
  })

  test('corrects one that is there, and the list finds it by that', async () => {
    const first = (await submit({ ingestion_model: 'letters', raw_input: raw, params })).body.submission
    const corrects = first.id.toUpperCase()
    const second = (await submit({ ingestion_model: 'letters', raw_input: raw, params, corrects })).body.submission
    expect([second.corrects, 'corrects' in first]).toEqual([first.id, false])
    const found = (await operator.get(`/submissions?corrects=${first.id}`)).body.submissions
    expect(found.map(({ id }: { id: string }) => id)).toEqual([second.id])
    const unknown = await submit({ ingestion_model: 'letters', raw_input: raw, params, corrects: nobody })
    expect([unknown.status, unknown.body.detail]).toEqual([
      422,
      `Body field corrects: there is no submission ${nobody}.`,
    ])
  })
})

describe('the plan of a submission', () => {
  const plan = async (body: object) =>
    (await operator.post('/submissions/plan', { raw_input: raw, params, ...body })).body
  const versionOf = async (slug: string, kind: string) => {
    const { versions, families } = app.database.read.t
    const rows = await app.database.read.q
      .select({ family_id: families.id, version_id: versions.id, version: versions.number, slug: families.slug })
      .from(versions)
      .innerJoin(families, eq(families.id, versions.familyId))
    const { kind: _, ...own } = rows.map((row) => ({ ...row, kind })).find((row) => row.slug === slug)!
    return own
  }
  const steps = ['validate', 'transform.declarative']
  const judged = {
    ...{ params: [{ name: 'place', type: 'string', transformers: ['plain'] }], valid: true, input_is_json: true },
    issues: [],
  }

  test('to a model says what runs, in the order of its tree, with what is in force and since when, and what does not and why', async () => {
    const { correlation_id: id, model: of, contract, ...told } = await plan({ ingestion_model: 'tree', metadata })
    const transformer = { ...(await versionOf('plain', 'transformer')), in_force_since: past }
    const node = (address: string, more: object) => ({
      ...{ address, label: 'Data', depth: address.split(':').length - 2, transformer, formats: [], steps, ...more },
    })
    expect(told).toEqual({
      ...judged,
      ...{ object_reference: 'POL-1', object_reference_from: 'metadata', object_time: '2026-11-01T00:00:00Z' },
      object_time_from: 'metadata',
      nodes: [
        node('tree:data', { runs: true, reason: 'always' }),
        node('tree:data:large', { runs: false, reason: 'condition_false' }),
        node('tree:data:large:part', { runs: false, reason: 'parent_unwanted' }),
        node('tree:small', { runs: true, reason: 'condition_true' }),
      ],
    })
    expect([id, of, contract]).toEqual([
      expect.any(String),
      { ...(await versionOf('tree', 'ingestion_model')), in_force_since: past },
      { family_id: expect.any(String), version_id: expect.any(String), version: 1, name: 'letters' },
    ])
  })

  test('to a release says the versions that it pins, and what the object and its time are taken from', async () => {
    const release = { release_id: releaseId.toUpperCase() }
    const { correlation_id: _, contract, ...told } = await plan(release)
    const now = formatInstant(app.clock.now())
    expect(told).toEqual({
      ...{ ...judged, params: [{ ...judged.params[0], transformers: ['of the release'] }], release_id: releaseId },
      ...{ object_reference_from: 'default', object_time: now, object_time_from: 'default' },
      nodes: [
        {
          ...{ address: 'some-letters:transformation', label: 'Some Letters', depth: 0, runs: true, reason: 'always' },
          ...{ transformer: await versionOf('plain', 'transformer'), formats: [], steps },
        },
      ],
    })
    expect(contract).toEqual({
      ...{ family_id: expect.any(String), version_id: expect.any(String), version: 1, name: 'letters' },
    })
    expect(await plan({ ...release, object_reference: 'P-2', official_time: past })).toMatchObject({
      ...{ object_reference: 'P-2', object_reference_from: 'request', object_time: past, object_time_from: 'request' },
    })
    expect(await plan({ ...release, metadata })).toMatchObject({
      ...{ object_reference: 'POL-1', object_reference_from: 'metadata' },
    })
  })

  test('says what is wrong with the params and the input, and refuses what the submission would be refused for', async () => {
    const told = await plan({ ingestion_model: 'letters', raw_input: '{"total": "five"}', params: { plaice: 'Bern' } })
    expect([told.valid, told.nodes[0].runs, told.input_is_json]).toEqual([false, true, true])
    expect(told.issues.map(({ stage, path }: { stage: string; path: string }) => [stage, path])).toEqual([
      ...[
        ['params', '/params/plaice'],
        ['params', '/params/place'],
      ],
      ...[
        ['input', ''],
        ['input', '/total'],
      ],
    ])
    const either = 'The body must have either ingestion_model or release_id. Give one of them.'
    expect((await plan({})).detail).toBe(either)
    expect((await plan({ ingestion_model: 'letters', release_id: releaseId })).detail).toBe(either)
    expect((await plan({ release_id: nobody })).detail).toBe(`Body field release_id: there is no release ${nobody}.`)
    expect((await plan({ ingestion_model: 'letters', corrects: nobody })).detail).toBe(
      `Body field corrects: there is no submission ${nobody}.`,
    )
  })
})

describe('a submission to a release', () => {
  test('has the release’s name for a model, and one execution of it', async () => {
    const { status, body } = await submit({ release_id: releaseId.toUpperCase(), raw_input: 'no JSON', params })
    const { submission } = body
    expect([status, submission.model_slug, submission.object_reference]).toEqual([202, 'some-letters', submission.id])
    expect(submission.object_time).toBe(submission.created_at)
    const [execution] = submission.executions
    expect(execution).toMatchObject({ node_label: 'Some Letters', node_address: 'some-letters:transformation' })
    const read = (await operator.get(`/executions/${execution.id}`)).body
    expect(read).toMatchObject({ release_id: releaseId, input_hash: sha256Hex('no JSON'), status: 'queued' })
    const { submissions } = app.database.read.t
    const [row] = await app.database.read.q.select().from(submissions).where(eq(submissions.id, submission.id))
    expect(row?.modelVersionId).toBeNull()
  })

  test('names one that is there, and either that or a model', async () => {
    const detail = async (body: object) => {
      const { status, body: problem } = await submit({ raw_input: raw, params, ...body })
      return [status, problem.detail]
    }
    const either = 'The body must have either ingestion_model or release_id. Give one of them.'
    expect(await detail({})).toEqual([422, either])
    expect(await detail({ ingestion_model: 'letters', release_id: releaseId })).toEqual([422, either])
    expect(await detail({ release_id: nobody })).toEqual([422, `Body field release_id: there is no release ${nobody}.`])
  })

  test('makes the files of its kind', () => {
    const release = (processingKind: string) => ({ processingKind }) as Parameters<typeof formatsOfRelease>[0]
    expect(formatsOfRelease(release('transformation'))).toEqual([])
    expect(formatsOfRelease(release('document_generation'))).toEqual(['docx', 'pdf'])
  })
})

describe('an execution that is asked for', () => {
  const execute = (body: object) => operator.post('/executions', body)

  test('takes one input, as it is or as text', async () => {
    const detail = async (body: object) => (await execute({ release_id: releaseId, params, ...body })).body.detail
    expect(await detail({ input: 1, raw_input: '1' })).toBe(
      'The body must have either input or raw_input. Leave one of them out.',
    )
    expect(await detail({})).toBe('The body must have either input or raw_input. Give one of them.')
    expect(await detail({ input: 'x'.repeat(limits.payloadBytes) })).toBe(
      `Body field input must be at most ${limits.payloadBytes} bytes of canonical JSON.`,
    )
    const made = await execute({ release_id: releaseId, params, input: { total: 5, name: 'Ada' } })
    expect(made.body).toMatchObject({
      ...{ raw_input: '{"name":"Ada","total":5}', input_hash: canonicalHash({ name: 'Ada', total: 5 }) },
      raw_input_hash: sha256Hex('{"name":"Ada","total":5}'),
    })
  })
})

test('a submission that nobody knows is not found', async () => {
  const { status, body } = await operator.get(`/submissions/${nobody}`)
  expect([status, body.code, body.detail]).toEqual([404, 'not_found', `There is no submission ${nobody}.`])
})

test('the engines are woken while a submission is taken in, and a raw input is read once for its hashes', async () => {
  const input = await createSubmissionService({ database: app.database, judge: judgeHere }).readRow(raw)
  expect(input).toEqual({
    ...{ text: raw, rawHash: sha256Hex(raw), value: { total: 5, name: 'Ada' } },
    inputHash: canonicalHash({ total: 5, name: 'Ada' }),
  })
  const broken = await createSubmissionService({ database: app.database, judge: judgeHere }).readRow('{')
  expect(broken).toEqual({ text: '{', rawHash: sha256Hex('{'), value: undefined, inputHash: sha256Hex('{') })
  let woken = 0
  const service = createSubmissionService({ database: app.database, judge: judgeHere, warmEngines: () => void woken++ })
  const actor = { userId: operatorId, correlationId: 'c', at: app.clock.now() }
  const request = { actorId: operatorId, key: 'waking', requestHash: '0'.repeat(64) }
  const body = { ingestion_model: 'letters', raw_input: raw, params }
  const first = await service.submit(actor, request, body)
  const again = await service.submit(actor, request, body)
  expect([woken, again.body.submission.id]).toEqual([1, first.body.submission.id])
})
