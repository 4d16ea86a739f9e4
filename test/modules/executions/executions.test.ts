import { beforeAll, describe, expect, test } from 'bun:test'
import { and, eq } from 'drizzle-orm'
import { cloudEvent } from '../../../src/bus/cloudevent.ts'
import { canonicalHash, canonicalJson } from '../../../src/core/canonical.ts'
import { sha256Hex } from '../../../src/core/hash.ts'
import { limits } from '../../../src/core/limits.ts'
import type { Connection } from '../../../src/db/database.ts'
import type { StepFailure } from '../../../src/db/schema.ts'
import type { TraceEvent } from '../../../src/modules/executions/executions.model.ts'
import { createExecutionService } from '../../../src/modules/executions/executions.service.ts'
import { eventStream } from '../../../src/modules/executions/trace.stream.ts'
import { claimReady } from '../../../src/runner/claim.store.ts'
import { recordFailure, recordSuccess } from '../../../src/runner/record.store.ts'
import type { Claim } from '../../../src/runner/steps.store.ts'
import { startTestApp, type TestApp } from '../../http/harness.ts'
import { contractText, templateBytes, transformerText } from '../../runner/letter.ts'
import { type Answered, Author, newKey, nobody } from '../../support/author.ts'
import { describeOnBothDialects } from '../../support/database.ts'
import { plansOf } from '../../support/plan.ts'
import { brokenBodies, brokenProperties, stateOf } from '../../support/refused.ts'
import { until } from '../../support/until.ts'

const input = { name: 'Ada', total: 1234.5 }
const failure: StepFailure = { code: 'transform_failed', message: 'It failed.', issues: [] }
const metadata = {
  schema: 'svc-intake-metadata-v1',
  source_object: 'POL-1',
  source_timestamp: '2026-11-01T00:00:00Z',
  source_actor: 'someone@example.test',
  source_system: 'policies',
  fixture_family: 'tests',
  scenario_id: 'one',
  schedule_interval_months: 1,
}

describeOnBothDialects('executions through the API', (dialect) => {
  let app: TestApp
  let author: Author
  let operator: Author
  let auditor: Author
  let releaseId: string
  let plainReleaseId: string
  let letter: Uint8Array

  beforeAll(async () => {
    app = await startTestApp(dialect)
    author = await Author.signIn(app, 'author')
    operator = await Author.signIn(app, 'operator', ['operator'])
    auditor = await Author.signIn(app, 'auditor', ['auditor'])
    const contract = await author.contract('letters', contractText)
    const transformer = await author.frozen('transformers', 'letters', transformerText)
    letter = await templateBytes()
    const template = await author.frozen('templates', 'letters', letter)
    await author.publish('transformers', transformer.id, 1, '2026-01-01T00:00:00Z')
    await author.publish('templates', template.id, 1, '2026-01-01T00:00:00Z')
    const pin = {
      name: 'Letters',
      contract_version_id: contract.versionId,
      transform_version_id: transformer.versionId,
    }
    const made = await author.post('/releases', { ...pin, template_version_id: template.versionId })
    releaseId = made.body.release.id
    plainReleaseId = (await author.post('/releases', pin)).body.release.id
  })

  const execute = (body: object, headers = {}) => operator.post('/executions', body, headers)
  const retry = (id: string, as = operator) => as.post(`/executions/${id}/retry`, {})
  async function changesNothing(work: () => Promise<Answered>): Promise<Answered> {
    const before = await stateOf(app.database)
    const answer = await work()
    expect(await stateOf(app.database)).toBe(before)
    return answer
  }
  /** Claims the execution's ready step as a runner would. */
  async function claim(id: string): Promise<Claim> {
    const claims = await app.database.write(async (tx) => {
      const { steps } = tx.t
      // Steps of other tests stay out of the way.
      const isMine = and(eq(steps.status, 'queued'), eq(steps.executionId, id))
      expect(await tx.q.select().from(steps).where(isMine)).toHaveLength(1)
      return claimReady(tx, { owner: 'test', leaseMs: 60_000, limit: 1000 })
    })
    return claims.find((one) => one.executionId === id)!
  }
  async function fail(id: string, code = failure.code): Promise<void> {
    const claimed = await claim(id)
    await app.database.write((tx) => recordFailure(tx, claimed, { durationMs: 1, failure: { ...failure, code } }))
  }
  async function succeed(id: string, output?: object): Promise<void> {
    const claimed = await claim(id)
    const text = output === undefined ? undefined : canonicalJson(output as never)
    await app.database.write((tx) =>
      recordSuccess(tx, claimed, {
        durationMs: 1,
        summary: {},
        laterMs: 0,
        ...(text === undefined ? {} : { output: { text, hash: sha256Hex(text) } }),
      } as Parameters<typeof recordSuccess>[2]),
    )
  }
  /** Runs it to its end with the real engines, files kept nowhere. */
  async function run(id: string): Promise<void> {
    const { createStepRunner } = await import('./run.ts')
    await createStepRunner(app.database, app.pool)(id)
  }
  const eventsOf = async (id: string) =>
    (await operator.get(`/executions/${id}/trace`)).body.events.map((event: { type: string }) => event.type)

  describe('created from a release', () => {
    test('an execution is answered bare, with a submission made for it', async () => {
      const made = await execute({ release_id: releaseId, input, metadata })
      expect(made.status).toBe(202)
      expect(made.body).toMatchObject({
        release_id: releaseId,
        processing_kind: 'document_generation',
        status: 'queued',
        input,
        raw_input: canonicalJson(input),
        input_hash: canonicalHash(input),
        raw_input_hash: sha256Hex(canonicalJson(input)),
        metadata,
        steps: [
          { name: 'validate', position: 1, status: 'queued', attempt: 0 },
          { name: 'transform.declarative', status: 'not_started' },
          { name: 'compose', status: 'not_started' },
          { name: 'render', status: 'not_started' },
        ],
        artifacts: [],
      })
      expect((await operator.get(`/executions/${made.body.id}`)).body).toEqual(made.body)
      const submission = (await operator.get(`/submissions/${made.body.submission_id}`)).body
      expect(submission).toMatchObject({ model_slug: 'letters', object_reference: 'POL-1' })
      expect(submission.executions).toMatchObject([{ id: made.body.id, node_address: 'letters:document-generation' }])
      expect((await execute({ release_id: plainReleaseId, input })).body.steps).toHaveLength(2)
    })

    test('raw input is kept as it came, JSON or not', async () => {
      const spaced = ' {"total": 1234.5, "name": "Ada"} '
      const made = (await execute({ release_id: releaseId, raw_input: spaced })).body
      expect([made.raw_input, made.input_hash, made.raw_input_hash]).toEqual([
        spaced,
        canonicalHash(input),
        sha256Hex(spaced),
      ])
      const broken = (await execute({ release_id: releaseId, raw_input: 'not JSON' })).body
      expect([broken.input_hash, broken.raw_input_hash]).toEqual([sha256Hex('not JSON'), sha256Hex('not JSON')])
      expect(broken).not.toHaveProperty('input')
    })

    test('a key is optional, and has one effect where it is given', async () => {
      expect((await execute({ release_id: releaseId, input }, { 'idempotency-key': undefined })).status).toBe(202)
      const key = { 'idempotency-key': newKey() }
      const answers = await Promise.all(
        Array.from({ length: 10 }, () => execute({ release_id: releaseId, input }, key)),
      )
      expect(new Set(answers.map(({ status, body }) => `${status} ${body.id}`)).size).toBe(1)
      expect((await execute({ release_id: releaseId, input: 1 }, key)).status).toBe(409)
    })

    test('whatever is wrong with the request is 422 and makes nothing', async () => {
      const good = { release_id: releaseId, raw_input: '{}' }
      for (const [name, text] of [...brokenBodies(good), ...brokenProperties(good)]) {
        const refused = await changesNothing(() => operator.call('POST', '/executions', text))
        expect([name, refused.status, 'errors' in refused.body]).toEqual([name, 422, false])
      }
      const long = 'x'.repeat(limits.payloadBytes)
      for (const change of [
        { release_id: nobody },
        { input: {} },
        { raw_input: '' },
        { raw_input: `${long}x` },
        { metadata: {} },
        { metadata: { ...metadata, source_object: '-x' } },
      ]) {
        expect((await changesNothing(() => execute({ ...good, ...change }))).status).toBe(422)
      }
      // As JSON text it has two quotes more.
      expect((await changesNothing(() => execute({ release_id: releaseId, input: long.slice(1) }))).status).toBe(422)
      expect((await execute({ release_id: releaseId, input: long.slice(2) })).status).toBe(202)
      expect((await execute({ release_id: releaseId, raw_input: long })).status).toBe(202)
      expect((await changesNothing(() => auditor.post('/executions', good))).status).toBe(403)
    })
  })

  test('all its events belong to the trace of its request, whatever the correlation id', async () => {
    const trace = '4bf92f3577b34da6a3ce929d0e0e4736'
    const headers = { traceparent: `00-${trace}-00f067aa0ba902b7-01`, 'x-correlation-id': 'order-7' }
    const traced = (await execute({ release_id: plainReleaseId, input }, headers)).body
    await run(traced.id)
    const untraced = (await execute({ release_id: plainReleaseId, input }, { 'x-correlation-id': 'order-8' })).body
    await run(untraced.id)
    const { q, t } = app.database.read
    const events = await q.select().from(t.events)
    const of = (id: string) => events.filter(({ aggregateId }) => aggregateId === id)
    expect(of(traced.id).length).toBeGreaterThan(4)
    for (const event of [...of(traced.id), ...of(traced.submission_id)]) {
      expect(event.correlationId).toBe('order-7')
      expect(JSON.parse(cloudEvent(event)).traceparent).toStartWith(`00-${trace}-`)
    }
    for (const event of of(untraced.id)) expect(JSON.parse(cloudEvent(event))).not.toHaveProperty('traceparent')
  })

  describe('retry', () => {
    const make = async (id = plainReleaseId) => (await execute({ release_id: id, input })).body.id as string

    test('puts the failed step back into the queue, with its attempts still counted', async () => {
      const id = await make()
      await succeed(id)
      await fail(id)
      const failed = (await operator.get(`/executions/${id}`)).body
      expect([failed.status, failed.steps[1].status]).toEqual(['failed', 'failed'])
      const retried = await retry(id)
      expect([retried.status, retried.body.status]).toEqual([202, 'processing'])
      expect(retried.body).not.toHaveProperty('completed_at')
      expect(retried.body.steps).toMatchObject([
        { status: 'succeeded', attempt: 1 },
        { status: 'queued', attempt: 1, state_version: failed.steps[1].state_version + 1 },
      ])
      expect(retried.body.steps[1]).not.toHaveProperty('failure')
      await succeed(id, { greeting: 'Dear Ada', total: '1' })
      expect((await operator.get(`/executions/${id}`)).body).toMatchObject({
        status: 'completed',
        steps: [{}, { attempt: 2, status: 'succeeded' }],
      })
      expect(await eventsOf(id)).toEqual([
        'queued',
        'step.started',
        'step.succeeded',
        'step.started',
        'step.failed',
        'failed',
        'retried',
        'queued',
        'step.started',
        'step.succeeded',
        'completed',
      ])
      const { q, t } = app.database.read
      const audit = (await q.select().from(t.auditRecords)).filter(({ resourceId }) => resourceId === id)
      expect(audit.map(({ action }) => action)).toContain('execution.retried')
    })

    test('a live trace continues through a failure that was retried', async () => {
      const id = await make()
      await fail(id)
      await retry(id)
      await fail(id)
      const response = await app.send({
        path: `/api/v1/executions/${id}/trace`,
        headers: { ...operator.headers, accept: 'text/event-stream' },
      })
      const text = await response.text()
      expect(text.match(/^event: .*$/gm)?.filter((line) => line === 'event: failed')).toHaveLength(2)
    })

    test('a live trace ends whole when the service stops, before its execution has ended', async () => {
      const id = await make()
      const stop = new AbortController()
      const service = createExecutionService(app.database)
      const stream = await eventStream(service, id, { lastEventId: null, until: stop.signal })
      let text = ''
      const decoder = new TextDecoder()
      for await (const chunk of stream) {
        text += decoder.decode(chunk, { stream: true })
        if (text.includes('event: queued\n')) stop.abort()
      }
      expect(text).toEndWith('\n\n')
    })

    test('is refused while nothing has failed, and once the attempts are used up', async () => {
      const id = await make()
      expect((await changesNothing(() => retry(id))).status).toBe(409)
      for (let attempt = 1; attempt < limits.stepAttempts; attempt++) {
        await fail(id)
        expect((await retry(id)).status).toBe(202)
      }
      await fail(id)
      const refused = await changesNothing(() => retry(id))
      expect([refused.status, refused.body.detail]).toEqual([409, expect.stringContaining('5 attempts')])
      expect((await operator.get(`/executions/${id}`)).body.steps[0].attempt).toBe(limits.stepAttempts)
    })

    test('of many at once, one is taken', async () => {
      const id = await make()
      await fail(id)
      const answers = await Promise.all(Array.from({ length: 6 }, () => retry(id)))
      expect(answers.map(({ status }) => status).sort()).toEqual([202, 409, 409, 409, 409, 409])
    })

    test('belongs to administrators and operators, and wants an empty object', async () => {
      const id = await make()
      await fail(id)
      expect((await changesNothing(() => retry(id, author))).status).toBe(403)
      expect((await changesNothing(() => retry(id, auditor))).status).toBe(403)
      expect((await changesNothing(() => operator.post(`/executions/${id}/retry`, { force: true }))).status).toBe(422)
      expect((await retry(nobody)).status).toBe(404)
    })

    test('of a parent lets the children that waited for it wait again, and theirs too', async () => {
      const model = `model: ingestion-model-v1
contract: { name: letters, version: 1 }
nodes:
  - key: root
    label: Root
    transformer: plain
    children:
      - key: child
        label: Child
        transformer: plain
        children:
          - { key: leaf, label: Leaf, transformer: plain }
`
      const plain = await author.frozen('transformers', 'plain', 'transform: declarative-v1\noutput: { name: /name }\n')
      await author.publish('transformers', plain.id, 1, '2026-01-01T00:00:00Z')
      const family = await author.frozen('ingestion-models', 'tree', model)
      expect((await author.publish('ingestion-models', family.id, 1, '2026-01-01T00:00:00Z')).status).toBe(201)
      const raw = canonicalJson(input)
      const handed = await operator.post('/submissions', { ingestion_model: 'tree', raw_input: raw, metadata })
      expect(handed.status).toBe(202)
      const [root, child, leaf] = handed.body.submission.executions.map((one: { id: string }) => one.id)
      const statuses = async () =>
        Promise.all([root, child, leaf].map(async (id) => (await operator.get(`/executions/${id}`)).body.status))
      await fail(root)
      expect(await statuses()).toEqual(['failed', 'failed', 'failed'])
      const refused = await changesNothing(() => retry(child))
      expect([refused.status, refused.body.detail]).toEqual([409, expect.stringContaining('parent')])
      await retry(root)
      expect(await statuses()).toEqual(['processing', 'queued', 'queued'])
      await succeed(root)
      await succeed(root, { name: 'Ada' })
      for (const id of [child, leaf]) {
        await succeed(id)
        await succeed(id, { name: 'Ada' })
      }
      expect(await statuses()).toEqual(['completed', 'completed', 'completed'])
      expect((await operator.get(`/executions/${leaf}`)).body.input_hash).toBe(canonicalHash({ name: 'Ada' }))
    })
  })

  describe('provenance and verify', () => {
    test('the manifest holds every hash from raw input to artifact, and its own', async () => {
      const { id } = (await execute({ release_id: releaseId, raw_input: ` ${canonicalJson(input)}`, metadata })).body
      await run(id)
      const { status, body } = await auditor.get(`/executions/${id}/provenance`)
      expect(status).toBe(200)
      const { manifest_hash: hash, ...manifest } = structuredClone(body)
      expect(hash).toBe(canonicalHash(manifest))
      const execution = (await auditor.get(`/executions/${id}`)).body
      expect(body).toMatchObject({
        execution_id: id,
        submission_id: execution.submission_id,
        status: 'completed',
        release: { id: releaseId, name: 'Letters', release_hash: execution.release_hash },
        contract: { name: 'letters', version: 1, content_hash: sha256Hex(contractText) },
        transformer: { slug: 'letters', version: 1, content_hash: sha256Hex(transformerText) },
        template: { slug: 'letters', version: 1, content_hash: sha256Hex(letter) },
        object_reference: 'POL-1',
        raw_input_hash: sha256Hex(` ${canonicalJson(input)}`),
        input_hash: canonicalHash(input),
        output_hash: execution.output_hash,
        artifacts: execution.artifacts,
      })
      expect(body.steps.map((step: { name: string; attempts: number }) => [step.name, step.attempts])).toEqual([
        ['validate', 1],
        ['transform.declarative', 1],
        ['compose', 1],
        ['render', 1],
      ])
      expect(body).not.toHaveProperty('ingestion_model')
      expect((await auditor.get(`/executions/${nobody}/provenance`)).status).toBe(404)
    })

    test('verify runs it again and finds every hash the same', async () => {
      const { id } = (await execute({ release_id: releaseId, input })).body
      await run(id)
      const verified = await changesNothing(() => auditor.post(`/executions/${id}/verify`, {}))
      expect([verified.status, verified.body.identical]).toEqual([200, true])
      expect(verified.body.checks.map((check: { subject: string }) => check.subject)).toEqual([
        'raw_input',
        'input',
        'contract',
        'transformer',
        'template',
        'release',
        'output',
        'docx',
        'pdf',
      ])
      for (const check of verified.body.checks) expect(check.computed).toBe(check.recorded)
    })

    test('verify tells which hash is not what it was', async () => {
      const { id } = (await execute({ release_id: releaseId, input })).body
      await run(id)
      const wrong = 'f'.repeat(64)
      await app.database.write(async ({ q, t }) => {
        await q
          .update(t.artifacts)
          .set({ contentHash: wrong })
          .where(and(eq(t.artifacts.executionId, id), eq(t.artifacts.kind, 'pdf')))
        await q.update(t.executions).set({ inputHash: wrong }).where(eq(t.executions.id, id))
      })
      const { body } = await auditor.post(`/executions/${id}/verify`, {})
      expect(body.identical).toBe(false)
      const different = body.checks.filter((check: { identical: boolean }) => !check.identical)
      expect(different.map((check: { subject: string }) => check.subject)).toEqual(['input', 'pdf'])
      expect(different[1].recorded).toBe(wrong)
      expect(different[1].computed).not.toBe(wrong)
    })

    test('custom fonts are listed with the rendering, and verify reports if they have changed', async () => {
      const { id } = (await execute({ release_id: releaseId, input })).body
      await run(id)
      const before = (await auditor.get(`/executions/${id}/provenance`)).body
      expect(before.steps[3]).not.toHaveProperty('fonts_hash')
      expect(before.steps[3].fonts).toContainEqual({ family: 'Times New Roman', drawn_with: 'Tinos', match: 'twin' })
      const fonts = 'a'.repeat(64)
      await app.database.write(({ q, t }) =>
        q
          .update(t.steps)
          .set({ summary: { pages: 1, fonts_hash: fonts } })
          .where(and(eq(t.steps.executionId, id), eq(t.steps.name, 'render'))),
      )
      const { body: manifest } = await auditor.get(`/executions/${id}/provenance`)
      expect(manifest.steps[3].fonts_hash).toBe(fonts)
      expect(manifest.manifest_hash).not.toBe(before.manifest_hash)
      const { body } = await auditor.post(`/executions/${id}/verify`, {})
      const check = body.checks.find(({ subject }: { subject: string }) => subject === 'fonts')
      expect(check).toEqual({
        subject: 'fonts',
        recorded: fonts,
        computed: 'those of the executable',
        identical: false,
      })
    })

    test('verify repeats a failure as well, and refuses what has not ended', async () => {
      const { id } = (await execute({ release_id: releaseId, input: { name: 'Ada' } })).body
      expect((await changesNothing(() => auditor.post(`/executions/${id}/verify`, {}))).status).toBe(409)
      await run(id)
      const { body } = await auditor.post(`/executions/${id}/verify`, {})
      expect([body.identical, body.checks.at(-1)]).toEqual([
        true,
        { subject: 'failure', recorded: 'contract_violated', computed: 'contract_violated', identical: true },
      ])
      expect((await auditor.post(`/executions/${nobody}/verify`, {})).status).toBe(404)
      expect((await auditor.post(`/executions/${id}/verify`, { deep: true })).status).toBe(422)
    })
  })

  test('a live trace gets every change from the commit that makes it, without polling', async () => {
    const never = 2 ** 31 - 1
    const service = createExecutionService(app.database, { activeMs: never, idleMs: never })
    const { id } = (await execute({ release_id: plainReleaseId, input })).body
    const stop = new AbortController()
    const seen: string[] = []
    const ended = (async () => {
      for await (const event of await service.follow(id, 0, stop.signal)) seen.push(event.type)
    })()
    // Each is there before the next is made, so nothing waits for a later one either.
    await until('it has begun', () => seen.includes('queued'))
    const claimed = await claim(id)
    await until('the claim has come', () => seen.at(-1) === 'step.started')
    await app.database.write((tx) => recordFailure(tx, claimed, { durationMs: 1, failure }))
    await ended
    expect(seen).toEqual(['queued', 'step.started', 'step.failed', 'failed'])
  }, 90_000)

  test('a live trace reads no event that its own process committed while it followed', async () => {
    const { id } = (await execute({ release_id: plainReleaseId, input })).body
    let readings = 0
    const over: Connection['over'] = (statement) => {
      const { getQuery } = statement as { getQuery?: () => { sql: string } }
      if (getQuery?.call(statement).sql.includes('from "events"') === true) readings++
      return app.database.read.over(statement)
    }
    const service = createExecutionService({
      ...app.database,
      read: { ...app.database.read, over },
    } as typeof app.database)
    const seen: TraceEvent[] = []
    const ended = (async () => {
      for await (const event of await service.follow(id, 0, new AbortController().signal)) seen.push(event)
    })()
    await until('it has begun', () => seen.length === 1)
    const claimed = await claim(id)
    await until('the claim has come', () => seen.length === 2)
    await app.database.write((tx) => recordFailure(tx, claimed, { durationMs: 1, failure }))
    await ended
    expect(readings).toBe(1)
    // Told as they are read.
    expect(seen.map((event) => JSON.parse(JSON.stringify(event)))).toEqual((await service.trace(id)).events)
  }, 90_000)

  test('lists are read from their indexes, whatever the filter', async () => {
    const service = createExecutionService(app.database)
    const { id: cursor, submission_id: submissionId } = (await execute({ release_id: releaseId, input })).body
    for (const [query, index] of [
      [{}, 'executions_page'],
      [{ status: 'completed' }, 'executions_status_page'],
      [{ release_id: releaseId }, 'executions_release'],
      [{ submission_id: submissionId }, 'executions_submission'],
    ] as const) {
      for (const place of [{}, { cursor }]) {
        const [plan] = await plansOf(app.database, 'executions', () => service.list({ ...query, ...place, limit: 1 }))
        expect(plan).toContain(index)
        expect(plan).not.toMatch(/USE TEMP B-TREE|Sort|Seq Scan/)
      }
    }
  })
})
