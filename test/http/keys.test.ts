import { beforeAll, beforeEach, expect, test } from 'bun:test'
import { addMs, formatInstant } from '../../src/core/instant.ts'
import { limits } from '../../src/core/limits.ts'
import { writeZip } from '../../src/engines/ooxml/zip-writer.ts'
import { contractText, templateBytes, transformerText, validInput } from '../runner/letter.ts'
import { type Answered, Author, newKey } from '../support/author.ts'
import { describeOnBothDialects } from '../support/database.ts'
import { stateOf } from '../support/refused.ts'
import { startTestApp, type TestApp } from './harness.ts'

/** A request that succeeds, and another one each time it is made. */
interface Request {
  path: string
  body: object
  headers?: Record<string, string>
}

const firstDraft = { 'if-none-match': '*' }
const firstRevision = { 'if-match': '"1"' }
const past = '2026-01-01T00:00:00Z'

describeOnBothDialects('an Idempotency-Key', (dialect) => {
  let app: TestApp
  let author: Author
  let other: Author
  let docx: Uint8Array
  let contractVersionId: string
  let transformVersionId: string
  let releaseId: string
  let count = 0
  const next = (word: string) => `${word}-${++count}`

  beforeAll(async () => {
    app = await startTestApp(dialect)
    author = await Author.signIn(app, 'first-author', ['engineer'])
    docx = await templateBytes()
    contractVersionId = (await author.contract('letters', contractText)).versionId
    const transformer = await author.frozen('transformers', 'letters', transformerText)
    await author.publish('transformers', transformer.id, 1, past)
    transformVersionId = transformer.versionId
    releaseId = (await author.post('/releases', newRelease().body)).body.release.id
  })
  // Anew for each test: a session ends when the clock goes on.
  beforeEach(async () => {
    author = await Author.signIn(app, next('author'), ['engineer', 'administrator'])
    other = await Author.signIn(app, next('other'), ['engineer', 'administrator'])
  })

  const newRelease = (): Request => ({
    path: '/releases',
    body: { name: next('Release'), contract_version_id: contractVersionId, transform_version_id: transformVersionId },
  })
  const newFamily = (plural: string) => (): Request => {
    const slug = next('family')
    return { path: `/${plural}`, body: { slug, name: slug, description: '' } }
  }
  type Plural = Parameters<Author['family']>[0]
  const sourceOf = (plural: Plural) =>
    plural === 'transformers'
      ? `transform: declarative-v1\noutput: { text: "${next('output')}" }\n`
      : `model: ingestion-model-v1\ncontract: { name: letters, version: 1 }\nnodes: [{ key: a, label: ${next('Label')}, transformer: letters }]\n`
  const frozen = (plural: Plural) =>
    author.frozen(plural, next('family'), plural === 'templates' ? docx : sourceOf(plural))
  const newDraft = (plural: Plural) => async (): Promise<Request> => ({
    path: `/${plural}/${await author.family(plural, next('family'))}/draft`,
    body: plural === 'templates' ? docx : { source: sourceOf(plural), format: 'yaml' },
    headers: {
      ...firstDraft,
      ...(plural === 'templates'
        ? { 'content-type': 'application/vnd.openxmlformats-officedocument.wordprocessingml.document' }
        : {}),
    },
  })
  const newVersion = (plural: Plural) => async (): Promise<Request> => {
    const { path, body, headers } = await newDraft(plural)()
    await author.call('PUT', path, body, headers)
    return { path: path.replace('/draft', '/versions'), body: {}, headers: firstRevision }
  }
  const newPublication = (plural: Plural) => async (): Promise<Request> => ({
    path: `/${plural}/${(await frozen(plural)).id}/versions/1/publish`,
    body: { effective_from: past },
  })
  const newCancellation = async (): Promise<Request> => {
    const { id } = await frozen('transformers')
    const planned = await author.publish('transformers', id, 1, formatInstant(addMs(app.clock.now(), 3_600_000)))
    return { path: `/activations/${planned.body.resource_id}/cancel`, body: { cancellation_code: 'not_needed' } }
  }
  /** A project of one new family, as it was planned. */
  const newProject = async (): Promise<Request> => {
    const source = new TextEncoder().encode(sourceOf('transformers'))
    const archive = writeZip([{ name: `transformers/${next('project')}.yaml`, data: source }])
    const planned = await author.form('POST', '/project/plan', {}, archive, {}, 'application/zip')
    const form = new FormData()
    form.set('plan_hash', planned.body.plan_hash)
    form.set('file', new File([archive as BlobPart], 'file', { type: 'application/zip' }))
    const encoded = new Response(form)
    const headers = { 'content-type': encoded.headers.get('content-type') ?? '' }
    return { path: '/project/apply', body: await encoded.bytes(), headers }
  }
  /** A model of its own, put in force as it was planned. */
  const newSet = async (): Promise<Request> => {
    const { id } = await frozen('ingestion-models')
    const planned = await author.post('/activation-sets/plan', { ingestion_model_id: id })
    return { path: '/activation-sets', body: { ingestion_model_id: id, plan_hash: planned.body.plan_hash } }
  }
  const newSetCancellation = async (): Promise<Request> => {
    const { path } = await newCancellation()
    const id = path.split('/')[2] ?? ''
    return { path: '/activation-sets/cancel', body: { activation_ids: [id], cancellation_code: 'not_needed' } }
  }
  /** An object whose one execution has ended. */
  const newErasure = async (): Promise<Request> => {
    const object = next('OBJECT')
    await author.post('/submissions', { release_id: releaseId, raw_input: rawInput(), object_reference: object })
    await app.database.write(({ q, t }) => q.update(t.executions).set({ status: 'failed' }))
    return { path: '/erasures', body: { object_reference: object, reason: 'a request' } }
  }
  const newHold = (): Request => ({ path: '/holds', body: { object_reference: next('HELD'), reason: 'a lawsuit' } })
  const newHoldRelease = async (): Promise<Request> => {
    const { path, body } = newHold()
    const placed = await author.post(path, body)
    return { path: `/holds/${placed.body.id}/release`, body: { reason: 'it is settled' } }
  }
  const newRetention = async (): Promise<Request> => {
    const { body } = await author.call('GET', '/retention')
    return { path: '/retention', body: { policies: [{ keep_days: 10_000 + ++count }], expected_number: body.number } }
  }
  /** A file of one row, for a model in force. */
  const newBatch = async (): Promise<Request> => {
    const model = await frozen('ingestion-models')
    await author.publish('ingestion-models', model.id, 1, past)
    const { slug } = (await author.call('GET', `/ingestion-models/${model.id}`)).body
    const form = new FormData()
    form.set('ingestion_model', slug)
    form.set('file', new File([rawInput()], 'file', { type: 'application/x-ndjson' }))
    const encoded = new Response(form)
    const headers = { 'content-type': encoded.headers.get('content-type') ?? '' }
    return { path: '/batches', body: await encoded.bytes(), headers }
  }
  /** A case of a model in force, which is run. */
  const newSuiteCase = async (): Promise<Request> => {
    const model = await frozen('ingestion-models')
    await author.publish('ingestion-models', model.id, 1, past)
    return { path: `/suites/${model.id}/cases/${next('case')}`, body: { input: rawInput() } }
  }
  const newAcceptance = async (): Promise<Request> => {
    const { path, body } = await newSuiteCase()
    const put = await author.call('PUT', path, body)
    const suite = path.split('/cases/')[0] ?? ''
    const run = await author.post(`${suite}/runs`, { state: 'in_force', cases: [put.body.name] })
    const [{ name, case_hash, made_hash }] = run.body.cases
    return { path: `${suite}/acceptances`, body: { state: 'in_force', cases: [{ name, case_hash, made_hash }] } }
  }
  const newSuitePolicy = async (): Promise<Request> => {
    const { id } = await frozen('ingestion-models')
    return { path: `/suites/${id}/policy`, body: { requires: 'in_force' } }
  }
  const rawInput = () => JSON.stringify({ name: next('Ada'), total: 1 })

  /** For every operation that takes a key and can conflict, how to make a request of it. */
  const requests: Record<string, () => Request | Promise<Request>> = {
    createSubmission: () => ({ path: '/submissions', body: { release_id: releaseId, raw_input: rawInput() } }),
    createExecution: () => ({ path: '/executions', body: { release_id: releaseId, raw_input: rawInput() } }),
    createBatch: newBatch,
    createRelease: newRelease,
    createIngestionModel: newFamily('ingestion-models'),
    createTransformer: newFamily('transformers'),
    createTemplate: newFamily('templates'),
    updateCanonicalIngestionModelDraft: newDraft('ingestion-models'),
    updateCanonicalTransformerDraft: newDraft('transformers'),
    updateCanonicalTemplateDraft: newDraft('templates'),
    freezeIngestionModelVersion: newVersion('ingestion-models'),
    freezeTransformerVersion: newVersion('transformers'),
    createTemplateVersion: newVersion('templates'),
    publishIngestionModelVersion: newPublication('ingestion-models'),
    publishTransformerVersion: newPublication('transformers'),
    publishTemplateVersion: newPublication('templates'),
    cancelActivation: newCancellation,
    applyProject: newProject,
    applyActivationSet: newSet,
    cancelActivationSet: newSetCancellation,
    createErasure: newErasure,
    placeHold: newHold,
    releaseHold: newHoldRelease,
    setRetention: newRetention,
    putSuiteCase: newSuiteCase,
    acceptSuite: newAcceptance,
    setSuitePolicy: newSuitePolicy,
  }
  /** Those that answer what is so, and never conflict. */
  const probes: Record<string, () => Request | Promise<Request>> = {
    validateCanonicalIngestionModel: async () => ({
      path: `/ingestion-models/${await author.family('ingestion-models', next('family'))}/validate`,
      body: { source: sourceOf('ingestion-models'), format: 'yaml' },
    }),
    validateCanonicalTransformer: async () => ({
      path: `/transformers/${await author.family('transformers', next('family'))}/validate`,
      body: { source: sourceOf('transformers'), format: 'yaml' },
    }),
    validateCanonicalTemplate: async () => ({
      path: `/templates/${(await frozen('templates')).id}/validate`,
      body: {},
    }),
    testCanonicalTransformerDraft: async () => ({
      path: `/transformers/${(await frozen('transformers')).id}/test`,
      body: { data: JSON.parse(validInput) },
    }),
    testCanonicalTemplateDraft: async () => ({
      path: `/templates/${(await frozen('templates')).id}/test`,
      body: { data: { greeting: 'Dear Ada', total: '1' } },
    }),
  }

  const operationOf = (id: string) => app.app.operations.find((operation) => operation.id === id)!
  const sendAs = (who: Author, id: string, { path, body, headers }: Request, key: string): Promise<Answered> =>
    who.call(operationOf(id).method, path, body, { 'idempotency-key': key, ...headers })
  /** What of an answer a replay may say otherwise. */
  const settled = ({ status, body }: Answered) => {
    const { idempotent_replay: _replay, correlation_id: _correlation, ...rest } = body
    return JSON.stringify([status, rest])
  }

  test('is taken by exactly the operations that are tried here', () => {
    const taking = app.app.operations.filter(({ headers }) => headers.idempotencyKey !== undefined)
    const [conflicting, never] = [true, false].map((can) =>
      taking.filter(({ failures }) => failures.includes(409) === can).map(({ id }) => id),
    )
    expect(conflicting!.sort()).toEqual(Object.keys(requests).sort())
    expect(never!.sort()).toEqual(Object.keys(probes).sort())
  })

  test('replays its first answer, refuses other content, and is another key in somebody else’s hands', async () => {
    for (const [id, make] of Object.entries(requests)) {
      const [mine, changed] = [await make(), await make()]
      const key = newKey()
      const first = await sendAs(author, id, mine, key)
      expect([id, first.status, first.body.detail]).toEqual([id, operationOf(id).success[0]!.status, undefined])
      const before = await stateOf(app.database)
      const again = await sendAs(author, id, mine, key)
      // A freeze that made nothing new is 200, and so is its replay.
      const isFreeze = mine.path.endsWith('/versions')
      expect([id, settled(again)]).toEqual([id, settled(isFreeze ? { ...first, status: 200 } : first)])
      if ('idempotent_replay' in first.body) {
        expect([id, first.body.idempotent_replay, again.body.idempotent_replay]).toEqual([id, false, true])
      }
      const refused = await sendAs(author, id, changed, key)
      expect([id, refused.status, refused.body.code]).toEqual([id, 409, 'conflict'])
      expect([id, refused.body.detail]).toEqual([id, expect.stringContaining('Idempotency-Key')])
      expect([id, await stateOf(app.database)]).toEqual([id, before])
      // Made now: what it builds on is what the first one left.
      const theirs = await make()
      const between = await stateOf(app.database)
      const foreign = await sendAs(other, id, theirs, key)
      expect([id, foreign.status, foreign.body.detail]).toEqual([id, first.status, undefined])
      expect([id, settled(foreign)]).not.toEqual([id, settled(first)])
      expect([id, await stateOf(app.database)]).not.toEqual([id, between])
    }
  })

  test('is free again after seven days, and not a millisecond before', async () => {
    const [first, second] = [newFamily('transformers')(), newFamily('transformers')()]
    const key = newKey()
    expect((await sendAs(author, 'createTransformer', first, key)).status).toBe(201)
    const late = await Author.signIn(app, 'late', ['engineer'])
    const own = newFamily('transformers')()
    expect((await sendAs(late, 'createTransformer', own, key)).status).toBe(201)
    app.clock.advance(limits.idempotencyMs - 2)
    const back = await app.signIn('late')
    const send = (request: Request) =>
      app.send({
        method: 'POST',
        path: `/api/v1${request.path}`,
        body: request.body,
        headers: { ...back, 'idempotency-key': key },
      })
    expect((await send(second)).status).toBe(409)
    app.clock.advance(3)
    expect((await send(second)).status).toBe(201)
  })

  test('of what only looks stands for nothing: other content and other people are answered', async () => {
    for (const [id, make] of Object.entries(probes)) {
      const key = newKey()
      const [one, two] = [await make(), await make()]
      const before = await stateOf(app.database)
      for (const [who, request] of [
        [author, one],
        [author, one],
        [author, two],
        [other, one],
      ] as const) {
        const { status, body } = await sendAs(who, id, request, key)
        expect([id, status, body.valid]).toEqual([id, 200, true])
      }
      expect([id, await stateOf(app.database)]).toEqual([id, before])
    }
  })
})
