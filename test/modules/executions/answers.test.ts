/** What lists, retries, manifests and checks of executions answer; on one database, because nothing of it differs by the other. */
import { beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { and, eq } from 'drizzle-orm'
import { SYSTEM_ACTOR_ID } from '../../../src/core/actor.ts'
import { canonicalHash, canonicalJson } from '../../../src/core/canonical.ts'
import { sha256Hex } from '../../../src/core/hash.ts'
import { newId } from '../../../src/core/ids.ts'
import { addMs, formatInstant, type Instant, instantOf } from '../../../src/core/instant.ts'
import { limits } from '../../../src/core/limits.ts'
import type { StepName } from '../../../src/core/steps.ts'
import { PRODUCT_VERSION, REVISION } from '../../../src/core/version.ts'
import { createExecutionService, makeExecution } from '../../../src/modules/executions/executions.service.ts'
import type { ExecutionRow } from '../../../src/modules/executions/executions.store.ts'
import { createRetryService } from '../../../src/modules/executions/retries.service.ts'
import { listFailed } from '../../../src/modules/executions/retries.store.ts'
import { createVerifyService } from '../../../src/modules/executions/verify.service.ts'
import type { EnginePool } from '../../../src/runner/pool.ts'
import { startTestApp, type TestApp } from '../../http/harness.ts'
import { contractText } from '../../runner/letter.ts'
import { seedExecution } from '../../runner/seed.ts'
import { Author, nobody } from '../../support/author.ts'
import { openTestDatabase } from '../../support/database.ts'
import { rejectionOf } from '../../support/outcome.ts'
import { runAll } from './run.ts'

const start = instantOf('2026-11-01T00:00:00Z')
const by = { userId: SYSTEM_ACTOR_ID, correlationId: 'c', at: start }

describe('an execution that is made', () => {
  const release = { id: newId(), releaseHash: 'rh', processingKind: 'transformation' } as never
  const wanted = {
    ...{ submissionId: newId(), release, formats: [], processingNodeId: newId(), nodeLabel: 'Letter' },
    ...{ nodeAddress: 'm:letter', parentExecutionId: null, inputHash: 'ih', rawInputHash: 'rih' },
  }

  test('has the steps of the files that are wanted, the first of which waits only for a parent', () => {
    const stepsOf = (change: object) =>
      makeExecution(by, { ...wanted, ...change }).steps.map(
        ({ name, position, status }) => `${position} ${name} ${status}`,
      )
    expect(stepsOf({})).toEqual(['1 validate queued', '2 transform.declarative not_started'])
    expect(stepsOf({ formats: ['docx'] })).toEqual([
      ...['1 validate queued', '2 transform.declarative not_started', '3 compose not_started'],
    ])
    expect(stepsOf({ formats: ['docx', 'pdf'], parentExecutionId: newId() })).toEqual([
      ...['1 validate not_started', '2 transform.declarative not_started'],
      ...['3 compose not_started', '4 render not_started'],
    ])
  })

  test('belongs to who submitted it and to the trace of the request, and is announced with its hashes', () => {
    const made = makeExecution({ ...by, traceparent: 'trace' }, wanted)
    const { row, event, steps } = made
    expect(row).toMatchObject({
      ...{ submissionId: wanted.submissionId, processingNodeId: wanted.processingNodeId, status: 'queued' },
      ...{ submittedBy: by.userId, correlationId: 'c', traceparent: 'trace', createdAt: start, updatedAt: start },
    })
    expect(steps[0]).toMatchObject({ executionId: row.id, attempt: 0, stateVersion: 1 })
    expect(event).toEqual({
      ...{ aggregate: 'execution', aggregateId: row.id, type: 'queued', correlationId: 'c', traceparent: 'trace' },
      data: {
        ...{ submission_id: wanted.submissionId, release_id: row.releaseId, release_hash: 'rh' },
        ...{ processing_kind: 'transformation', input_hash: 'ih' },
      },
    })
    expect(makeExecution(by, wanted).row.traceparent).toBeNull()
  })
})

describe('executions that are written for it', () => {
  let database: Awaited<ReturnType<typeof openTestDatabase>>
  let service: ReturnType<typeof createExecutionService>

  beforeEach(async () => {
    database ??= await openTestDatabase('sqlite')
    await database.write(async (tx) => {
      for (const table of [tx.t.executions, tx.t.steps, tx.t.submissions, tx.t.erasedItems, tx.t.erasures])
        await tx.q.delete(table)
    })
    service = createExecutionService(database)
  })

  interface Wanted extends Partial<ExecutionRow> {
    failed?: { step?: StepName; code: string; attempt?: number }
  }
  async function execution(second: number, { failed, ...change }: Wanted = {}): Promise<ExecutionRow> {
    const id = await seedExecution(database, { stepCount: 2 })
    const { executions, steps } = database.read.t
    await database.write(async (tx) => {
      const status = failed === undefined ? 'queued' : 'failed'
      const row = { createdAt: addMs(start, second * 1_000), status, ...change } as Partial<ExecutionRow>
      await tx.q.update(executions).set(row).where(eq(executions.id, id))
      if (failed === undefined) return
      const failure = { code: failed.code, message: 'No.', issues: [] }
      const step = { status: 'failed', attempt: failed.attempt ?? 1, failure } as const
      const isIt = and(eq(steps.executionId, id), eq(steps.name, failed.step ?? 'validate'))
      await tx.q.update(steps).set(step).where(isIt)
    })
    const [row] = await database.read.q.select().from(executions).where(eq(executions.id, id))
    return row!
  }
  async function removed(part: 'raw_input' | 'output' | 'events' | 'artifacts', submissionId: string): Promise<void> {
    const id = newId()
    const counts = {
      ...{ submissions: 0, executions: 0, steps: 0, artifacts: 0, artifact_bytes: 0 },
      ...{ events: 0, audit_records: 0, answers: 0 },
    }
    await database.write(async (tx) => {
      await tx.q.insert(tx.t.erasures).values({
        ...{ id, objectReferenceHash: '', rule: { retention: 3, keep_days: 9 }, reason: 'policy', counts },
        ...{ erasedBy: by.userId, correlationId: 'c', erasedAt: start, completedAt: null },
      })
      await tx.q.insert(tx.t.erasedItems).values({ erasureId: id, kind: part, itemId: submissionId, contentHash: null })
    })
  }

  test('are listed newest first, page by page, without their texts, and by each filter', async () => {
    const releaseId = newId()
    const oldest = await execution(1)
    const [twin, other] = [await execution(2, { releaseId }), await execution(2, { status: 'completed', releaseId })]
    const newest = await execution(3, { failed: { code: 'a' }, releaseId })
    const ids = async (query: object) => (await service.list(query)).executions.map(({ id }) => id)
    const all = [newest.id, other.id, twin.id, oldest.id]
    expect(await ids({})).toEqual(all)
    const first = await service.list({ limit: 2 })
    expect([first.executions.map(({ id }) => id), first.next_cursor]).toEqual([all.slice(0, 2), other.id])
    const second = await service.list({ limit: 2, cursor: first.next_cursor! })
    expect(second.executions.map(({ id }) => id)).toEqual(all.slice(2))
    expect(Object.keys(second)).toEqual(['executions'])
    expect(await ids({ status: 'failed' })).toEqual([newest.id])
    expect(await ids({ status: 'queued' })).toEqual([twin.id, oldest.id])
    expect(await ids({ release_id: releaseId })).toEqual(all.slice(0, 3))
    expect(await ids({ release_id: releaseId, status: 'failed' })).toEqual([newest.id])
    expect(await ids({ release_id: releaseId, status: 'completed' })).toEqual([other.id])
    expect(await ids({ release_id: releaseId, status: 'queued' })).toEqual([twin.id])
    expect(await ids({ submission_id: oldest.submissionId })).toEqual([oldest.id])
    expect(await ids({ submission_id: oldest.submissionId, status: 'failed' })).toEqual([])
    expect(await ids({ submission_id: newest.submissionId, release_id: releaseId, status: 'failed' })).toEqual([
      newest.id,
    ])
    expect(await ids({ submission_id: newest.submissionId, release_id: newId(), status: 'failed' })).toEqual([])
    const [shown] = (await service.list({ limit: 1 })).executions
    expect(shown?.steps.map(({ name, status }) => [name, status])).toEqual([
      ['validate', 'failed'],
      ['transform.declarative', 'not_started'],
    ])
    expect(shown).not.toHaveProperty('raw_input')
    expect(await rejectionOf(service.list({ cursor: nobody }))).toMatchObject({ code: 'validation_failed' })
  })

  test('have each their own steps and removed parts in a list, and none while they are under way', async () => {
    const ended = await execution(1, { status: 'completed' })
    const atWork = await execution(2)
    for (const { submissionId } of [ended, atWork]) await removed('raw_input', submissionId)
    const { executions } = await service.list({})
    expect(executions.map(({ id, removed: parts }) => [id, parts?.map(({ part }) => part)])).toEqual([
      [atWork.id, undefined],
      [ended.id, ['raw_input']],
    ])
    expect(executions.map(({ steps }) => steps.map(({ status }) => status))).toEqual([
      ['queued', 'not_started'],
      ['queued', 'not_started'],
    ])
  })

  test('can’t be made again once a policy has removed what they began from: a child’s output of its parent, too', async () => {
    const verify = createVerifyService({ database, pool: {} as EnginePool })
    const parentExecutionId = (await execution(1, { status: 'completed' })).id
    for (const part of ['raw_input', 'output'] as const) {
      const child = await execution(2, { status: 'completed', parentExecutionId })
      await removed(part, child.submissionId)
      expect(await rejectionOf(verify.verify(child.id))).toMatchObject({
        code: 'conflict',
        detail: expect.stringContaining("can't be made again"),
      })
    }
    const root = await execution(3, { status: 'completed' })
    await removed('raw_input', root.submissionId)
    expect(await rejectionOf(verify.verify(root.id))).toMatchObject({ code: 'conflict' })
  })

  test('that nobody knows are not found, by whatever they are asked for', async () => {
    const told = { code: 'not_found', detail: `There is no execution ${nobody}.` }
    const signal = new AbortController().signal
    for (const ask of [
      () => service.read(nobody),
      () => service.retry(by, nobody),
      () => service.provenance(nobody),
      () => service.trace(nobody),
      () => service.follow(nobody, 0, signal),
    ]) {
      expect(await rejectionOf(ask())).toMatchObject(told)
    }
    expect(await rejectionOf(service.artifact(nobody, newId()))).toMatchObject({ code: 'not_found' })
  })

  test('are retried only where something failed of their own, attempts are left and nothing was removed', async () => {
    const detailOf = async (row: ExecutionRow) => {
      const fault = (await rejectionOf(service.retry(by, row.id))) as { code: string; detail: string }
      expect(fault.code).toBe('conflict')
      return fault.detail
    }
    expect(await detailOf(await execution(1))).toBe(
      'The execution has no failed step. Only a failed one can be retried.',
    )
    expect(await detailOf(await execution(2, { failed: { code: 'parent_failed' } }))).toBe(
      'The execution failed because its parent did. Retry the parent.',
    )
    const exhausted = await execution(3, { failed: { code: 'a', attempt: limits.stepAttempts } })
    expect(await detailOf(exhausted)).toBe('The failed step has used its 5 attempts. Hand the input in again.')
    const without = await execution(4, { failed: { code: 'a' } })
    await removed('output', without.submissionId)
    expect(await detailOf(without)).toBe(
      "The execution can't be retried: its output was removed at 2026-11-01T00:00:00Z under retention policies, set 3. Hand the input in again.",
    )
    const records = await database.read.q.select().from(database.read.t.auditRecords)
    expect(records.filter(({ action }) => action === 'execution.retried')).toEqual([])
    const good = await execution(5, { failed: { code: 'a', attempt: limits.stepAttempts - 1 } })
    expect((await service.retry(by, good.id)).status).toBe('processing')
    const [record] = (await database.read.q.select().from(database.read.t.auditRecords)).filter(
      ({ resourceId, action }) => resourceId === good.id && action === 'execution.retried',
    )
    expect(record).toMatchObject({ actorId: by.userId, correlationId: 'c', resourceKind: 'execution' })
  })

  test('tell in their trace that events were removed, and nothing of other parts', async () => {
    const { id, submissionId } = await execution(1, { status: 'completed' })
    const trace = await service.trace(id)
    expect([trace.execution_id, trace.events.map(({ type }) => type), 'removed' in trace]).toEqual([
      ...[id, ['queued'], false],
    ])
    await removed('output', submissionId)
    expect(await service.trace(id)).not.toHaveProperty('removed')
    await removed('events', submissionId)
    expect((await service.trace(id)).removed?.map(({ part }) => part)).toEqual(['events'])
  })

  describe('and failed', () => {
    const filter = { step: undefined, releaseId: undefined, from: undefined, to: undefined }

    test('are looked at oldest first, by step, release and time, those of one instant by their ids', async () => {
      const releaseId = newId()
      const second = await execution(2, { failed: { code: 'b', step: 'transform.declarative', attempt: 4 }, releaseId })
      const [first, twin] = [
        await execution(1, { failed: { code: 'a' } }),
        await execution(1, { failed: { code: 'a' } }),
      ]
      await execution(1)
      const list = async (change: object, after?: ExecutionRow, limit = 9) =>
        (await listFailed(database.read, { ...filter, ...change }, { after, limit })).map(({ id }) => id)
      expect(await list({})).toEqual([first.id, twin.id, second.id])
      expect(await list({}, undefined, 2)).toEqual([first.id, twin.id])
      expect(await list({}, first)).toEqual([twin.id, second.id])
      expect(await list({ step: 'transform.declarative' })).toEqual([second.id])
      expect(await list({ step: 'validate' })).toEqual([first.id, twin.id])
      expect(await list({ releaseId })).toEqual([second.id])
      // From an instant on, and before another.
      expect(await list({ from: second.createdAt })).toEqual([second.id])
      expect(await list({ from: addMs(second.createdAt, 1) })).toEqual([])
      expect(await list({ to: second.createdAt })).toEqual([first.id, twin.id])
      expect(await list({ to: addMs(second.createdAt, 1) })).toEqual([first.id, twin.id, second.id])
      expect((await listFailed(database.read, { ...filter, releaseId }, { after: undefined, limit: 1 }))[0]).toEqual({
        ...{ id: second.id, submissionId: second.submissionId, createdAt: second.createdAt },
        ...{ step: 'transform.declarative', attempt: 4, code: 'b' },
      })
      const { steps } = database.read.t
      await database.write(async (tx) => {
        await tx.q.update(steps).set({ failure: null }).where(eq(steps.executionId, second.id))
      })
      const [nameless] = await listFailed(database.read, { ...filter, releaseId }, { after: undefined, limit: 1 })
      expect(nameless?.code).toBe('removed')
    })

    test('are put back by a code that is asked for while attempts are left, and without one only where it may pass', async () => {
      const retries = createRetryService(database)
      const last = limits.stepAttempts
      await execution(1, { failed: { code: 'contract_violated', attempt: last - 1 } })
      await execution(2, { failed: { code: 'contract_violated', attempt: last } })
      await execution(3, { failed: { code: 'render_failed', attempt: last - 1 } })
      await execution(4, { failed: { code: 'render_failed', attempt: last } })
      await execution(5, { failed: { code: 'parent_failed' } })
      const gone = await execution(6, { failed: { code: 'render_failed' } })
      await removed('artifacts', gone.submissionId)
      const count = async (body: object) => (await retries.retry(by, { ...body, dry_run: true })).retried
      expect(await count({})).toBe(1)
      expect(await count({ code: 'contract_violated' })).toBe(1)
      expect(await count({ code: 'render_failed' })).toBe(1)
      expect(await count({ code: 'parent_failed' })).toBe(0)
      const { causes } = await retries.retry(by, { dry_run: true })
      expect(causes).toEqual([
        { step: 'validate', code: 'render_failed', executions: 3, retried: 1 },
        { step: 'validate', code: 'contract_violated', executions: 2, retried: 0 },
        { step: 'validate', code: 'parent_failed', executions: 1, retried: 0 },
      ])
      expect((await retries.retry(by, { code: 'render_failed' })).causes).toEqual([
        { step: 'validate', code: 'render_failed', executions: 3, retried: 1 },
      ])
    })

    test('are put back in as many transactions as it takes, all of a page, and the next page is named by its last', async () => {
      const rows: ExecutionRow[] = []
      for (let second = 0; second < limits.retryBatch + 2; second++) {
        rows.push(await execution(second, { failed: { code: 'render_failed' } }))
      }
      const retries = createRetryService(database, limits.retryBatch + 1)
      const page = await retries.retry(by, {})
      expect([page.retried, page.next_after]).toEqual([limits.retryBatch + 1, rows.at(-2)!.id])
      const rest = await retries.retry(by, { after: page.next_after!.toUpperCase() })
      expect([rest.retried, 'next_after' in rest]).toEqual([1, false])
      const from = formatInstant(rows[0]!.createdAt as Instant)
      expect((await retries.retry(by, { from })).retried).toBe(0)
      expect(await rejectionOf(retries.retry(by, { after: nobody }))).toMatchObject({
        ...{ code: 'validation_failed', detail: 'No execution has the id in `after`. Begin again without it.' },
      })
    })
  })
})

describe('executions of a submission', () => {
  let app: TestApp
  let operator: Author
  let root: string
  let child: string
  const raw = '{"name":"Ada","total":1}'
  const params = { place: 'Bern' }
  const metadata = {
    ...{ schema: 'svc-intake-metadata-v1', source_object: 'POL-1', source_timestamp: '2026-11-01T00:00:00Z' },
    ...{ source_actor: 'someone', source_system: 'policies', fixture_family: 'tests', scenario_id: 'one' },
    schedule_interval_months: 1,
  }
  const plain = 'transform: declarative-v1\nparams: { place: string }\noutput: { name: /name }\n'
  const model = `model: ingestion-model-v1
contract: { name: letters, version: 1 }
nodes:
  - { key: root, label: Root, transformer: plain, children: [{ key: child, label: Child, transformer: plain }] }
`

  let family: { id: string; versionId: string }
  let handed: Awaited<ReturnType<Author['post']>>
  beforeAll(async () => {
    app = await startTestApp('sqlite')
    const author = await Author.signIn(app, 'author')
    operator = await Author.signIn(app, 'operator', ['operator', 'auditor'])
    await author.contract('letters', contractText)
    const transformer = await author.frozen('transformers', 'plain', plain)
    await author.publish('transformers', transformer.id, 1, '2026-01-01T00:00:00Z')
    family = await author.frozen('ingestion-models', 'tree', model)
    await author.publish('ingestion-models', family.id, 1, '2026-01-01T00:00:00Z')
    handed = await operator.post('/submissions', { ingestion_model: 'tree', raw_input: raw, metadata, params })
    expect([handed.status, handed.body.detail]).toEqual([202, undefined])
    ;[root, child] = handed.body.submission.executions.map(({ id }: { id: string }) => id)
  })

  test('that were not made yet are not verified, nor those whose parent failed', async () => {
    const refused = async (id: string) => {
      const { status, body } = await operator.post(`/executions/${id}/verify`, {})
      return [status, body.detail]
    }
    expect(await refused(root)).toEqual([409, 'The execution is queued. Verify it when it has ended.'])
    const { executions, steps } = app.database.read.t
    const set = (status: 'failed' | 'queued', code?: string) =>
      app.database.write(async (tx) => {
        const failure = code === undefined ? null : { code, message: 'No.', issues: [] }
        const step = { failure, status: code === undefined ? 'not_started' : 'failed' } as const
        await tx.q.update(executions).set({ status }).where(eq(executions.id, child))
        await tx.q
          .update(steps)
          .set(step)
          .where(and(eq(steps.executionId, child), eq(steps.position, 1)))
      })
    await set('failed', 'parent_failed')
    expect(await refused(child)).toEqual([
      ...[409, 'The execution never began because its parent failed. Verify the parent.'],
    ])
    await set('queued')
    expect(await refused(child)).toEqual([409, 'The execution is queued. Verify it when it has ended.'])
  })

  test('have a manifest that names the model, the params and the parent, and each is made again from its own input', async () => {
    await runAll(app.database, app.pool)
    const { steps } = app.database.read.t
    const made = { engine_revision: 'r1', renderer: 'another' }
    await app.database.write(async (tx) => {
      await tx.q
        .update(steps)
        .set({ summary: made })
        .where(and(eq(steps.executionId, child), eq(steps.position, 2)))
    })
    const of = async (id: string, path: string) => (await operator.get(`/executions/${id}${path}`)).body
    const { submission } = handed.body
    const manifest = await of(child, '/provenance')
    const execution = await of(child, '')
    const parent = await of(root, '')
    expect(execution).toMatchObject({
      status: 'completed',
      raw_input: raw,
      input: { name: 'Ada' },
      output: { name: 'Ada' },
    })
    expect(parent).toMatchObject({ input: { name: 'Ada', total: 1 }, metadata })
    expect(manifest).toMatchObject({
      ...{ execution_id: child, submission_id: submission.id, parent_execution_id: root, status: 'completed' },
      ...{ model_slug: 'tree', object_reference: 'POL-1', object_time: '2026-11-01T00:00:00Z' },
      ...{
        node_label: 'Child',
        node_address: 'tree:root:child',
        params,
        params_hash: sha256Hex(canonicalJson(params)),
      },
      ...{
        raw_input_hash: sha256Hex(raw),
        input_hash: canonicalHash({ name: 'Ada' }),
        product_version: PRODUCT_VERSION,
      },
      ...{ output_hash: sha256Hex('{"name":"Ada"}'), artifacts: [], submitted_at: submission.created_at },
      ...{ submitted_by: execution.submitted_by, correlation_id: execution.correlation_id },
      ...{ created_at: execution.created_at, completed_at: execution.completed_at },
      ingestion_model: {
        ...{ family_id: family.id, slug: 'tree', name: 'tree', version_id: family.versionId, version: 1 },
        content_hash: sha256Hex(model),
      },
      release: { processing_kind: 'transformation', release_hash: execution.release_hash },
    })
    for (const member of ['template', 'fragments', 'removed']) expect(manifest).not.toHaveProperty(member)
    expect(await of(root, '/provenance')).not.toHaveProperty('parent_execution_id')
    const shown = execution.steps.map(
      ({ name, position, started_at, finished_at, duration_ms }: Record<string, unknown>) => {
        return { name, position, status: 'succeeded', attempts: 1, started_at, finished_at, duration_ms }
      },
    )
    expect(manifest.steps).toEqual([shown[0], { ...shown[1], ...made }])
    for (const id of [root, child]) {
      const { status, body } = await operator.post(`/executions/${id}/verify`, {})
      expect([status, body.execution_id, body.identical]).toEqual([200, id, true])
      expect([body.engine_revision, body.product_version]).toEqual([REVISION, PRODUCT_VERSION])
      expect(body.checks.map(({ subject }: { subject: string }) => subject)).toEqual([
        ...['raw_input', 'input', 'params', 'contract', 'transformer', 'release', 'output'],
      ])
    }
  })
})
