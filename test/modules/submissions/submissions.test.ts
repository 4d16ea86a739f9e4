import { beforeAll, expect, test } from 'bun:test'
import { and, eq } from 'drizzle-orm'
import { canonicalHash } from '../../../src/core/canonical.ts'
import { sha256Hex } from '../../../src/core/hash.ts'
import { addMs } from '../../../src/core/instant.ts'
import { limits } from '../../../src/core/limits.ts'
import { judgeHere } from '../../../src/modules/drafts/judge-here.service.ts'
import { createSubmissionService } from '../../../src/modules/submissions/submissions.service.ts'
import { readQueue } from '../../../src/runner/claim.store.ts'
import { startTestApp, type TestApp } from '../../http/harness.ts'
import { contractText, templateBytes, transformerText } from '../../runner/letter.ts'
import { type Answered, Author, newKey, nobody } from '../../support/author.ts'
import { describeOnBothDialects } from '../../support/database.ts'
import { plansOf } from '../../support/plan.ts'
import { brokenBodies, brokenProperties, stateOf } from '../../support/refused.ts'

const past = '2026-01-01T00:00:00Z'
const raw = '{"total": 1234.5, "name": "Ada"}'
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
const good = { ingestion_model: 'letters', raw_input: raw, metadata }

describeOnBothDialects('submissions', (dialect) => {
  let app: TestApp
  let author: Author
  let operator: Author
  let viewer: Author
  let contractId: string
  let transformerId: string
  let templateId: string

  beforeAll(async () => {
    app = await startTestApp(dialect)
    author = await Author.signIn(app, 'author')
    operator = await Author.signIn(app, 'operator', ['operator'])
    viewer = await Author.signIn(app, 'viewer', ['business_viewer'])
    contractId = (await author.contract('letters', contractText)).id
    transformerId = (await author.frozen('transformers', 'letters', transformerText)).id
    templateId = (await author.frozen('templates', 'letters', await templateBytes())).id
    const model = (contract: string) => `model: ingestion-model-v1
contract: { name: ${contract}, version: 1 }
nodes:
  - { key: letter, label: The letter, transformer: letters, template: letters }
  - { key: data, label: Data, transformer: letters }
`
    const family = await author.frozen('ingestion-models', 'letters', model('letters'))
    await author.contract('ending', contractText)
    const ending = await author.frozen('ingestion-models', 'ending', model('ending'))
    for (const [plural, id] of [
      ['transformers', transformerId],
      ['templates', templateId],
      ['ingestion-models', family.id],
      ['ingestion-models', ending.id],
    ] as const) {
      const { status, body } = await author.publish(plural, id, 1, past)
      if (status !== 201) throw new Error(JSON.stringify(body))
    }
  })

  const submit = (body: object, headers = {}, as = operator) => as.post('/submissions', body, headers)
  async function changesNothing(work: () => Promise<Answered>): Promise<Answered> {
    const before = await stateOf(app.database)
    const answer = await work()
    expect(await stateOf(app.database)).toBe(before)
    return answer
  }

  test('first steps can be claimed at once, and the gauges count them, however wrong the clock of the application is', async () => {
    const before = (await readQueue(app.database.read)).ready
    // Some days behind the database's, as the clock of these tests is, and then years ahead.
    expect((await submit(good)).status).toBe(202)
    const years = 20 * 365 * 86_400_000
    app.clock.advance(years)
    await app.database.write((tx) =>
      tx.q.update(tx.t.sessions).set({ expiresAt: addMs(app.clock.now(), 60_000), lastSeenAt: app.clock.now() }),
    )
    expect((await submit({ ...good, metadata: { ...metadata, source_object: 'POL-2' } })).status).toBe(202)
    app.clock.advance(-years)
    await app.database.write((tx) =>
      tx.q.update(tx.t.sessions).set({ expiresAt: addMs(app.clock.now(), 3_600_000), lastSeenAt: app.clock.now() }),
    )
    const queue = await readQueue(app.database.read)
    expect(queue.ready).toBe(before + 4)
    expect(queue.oldestAgeSeconds).toBeLessThan(600)
  })

  test('a submission makes one execution for each node, and one release for each distinct pin', async () => {
    const made = await submit(good)
    expect(made.status).toBe(202)
    const { submission } = made.body
    expect(submission).toMatchObject({
      model_slug: 'letters',
      object_reference: 'POL-1',
      object_time: '2026-11-01T00:00:00Z',
      raw_input_hash: sha256Hex(raw),
      metadata,
      executions: [
        { node_label: 'The letter', node_address: 'letters:letter', status: 'queued' },
        { node_label: 'Data', node_address: 'letters:data', status: 'queued' },
      ],
    })
    expect((await viewer.get(`/submissions/${submission.id}`)).body).toEqual(submission)
    const [letter, data] = await Promise.all(
      submission.executions.map(async ({ id }: { id: string }) => (await operator.get(`/executions/${id}`)).body),
    )
    expect([letter.steps.length, data.steps.length]).toEqual([4, 2])
    expect([letter.input_hash, letter.raw_input]).toEqual([canonicalHash(JSON.parse(raw)), raw])
    const release = (await author.get(`/releases/${letter.release_id}`)).body
    expect(release).toMatchObject({ automatic: true, processing_kind: 'document_generation', name: 'The letter' })
    const again = (await submit(good)).body.submission
    const [second] = again.executions
    expect((await operator.get(`/executions/${second.id}`)).body.release_id).toBe(letter.release_id)
  })

  test('a key used fifty times at once has one effect', async () => {
    const key = { 'idempotency-key': newKey() }
    const answers = await Promise.all(Array.from({ length: 50 }, () => submit(good, key)))
    expect(new Set(answers.map(({ status, body }) => `${status} ${body.submission.id}`)).size).toBe(1)
    const changed = await changesNothing(() => submit({ ...good, raw_input: '{}' }, key))
    expect(changed.status).toBe(409)
    expect((await submit(good, key, author)).body.submission.id).not.toBe(answers[0]!.body.submission.id)
    expect((await changesNothing(() => submit(good, { 'idempotency-key': undefined }))).status).toBe(422)
  })

  test('a deprecated contract keeps its releases and refuses new ones', async () => {
    const ending = (await author.get('/contracts')).body.contracts.find(
      (one: { name: string }) => one.name === 'ending',
    )
    await author.post(`/contracts/${ending.id}/versions/1/deprecate`, {})
    const refused = await changesNothing(() => submit({ ...good, ingestion_model: 'ending' }))
    expect([refused.status, refused.body.detail]).toEqual([409, expect.stringContaining('deprecated')])
    await submit(good)
    await author.post(`/contracts/${contractId}/versions/1/deprecate`, {})
    expect((await submit(good)).status).toBe(202)
  })

  test('whatever is wrong with the request is 422, and makes nothing', async () => {
    for (const [name, text] of [
      ...brokenBodies(good),
      ...brokenProperties(good, ['metadata']),
      ...brokenProperties(metadata).map(([what, text]) => [
        what,
        JSON.stringify({ ...good, metadata: JSON.parse(text) }),
      ]),
    ]) {
      const refused = await changesNothing(() => operator.call('POST', '/submissions', text))
      expect([name, refused.status, 'errors' in refused.body]).toEqual([name, 422, false])
    }
    for (const change of [
      { ingestion_model: 'nobody' },
      { release_id: nobody },
      { raw_input: '' },
      { raw_input: 'x'.repeat(limits.payloadBytes + 1) },
      { raw_input: 'ä'.repeat(limits.payloadBytes / 2 + 1) },
      { metadata: { ...metadata, source_timestamp: 'soon' } },
      { metadata: { ...metadata, source_timestamp: '2025-12-31T23:59:59.999999999Z' } },
      { metadata: { ...metadata, schedule_interval_months: 3 } },
      { metadata: { ...metadata, source_object: `a${'b'.repeat(128)}` } },
    ]) {
      const refused = await changesNothing(() => submit({ ...good, ...change }))
      expect([JSON.stringify(change).slice(0, 80), refused.status]).toEqual([JSON.stringify(change).slice(0, 80), 422])
    }
    expect((await submit({ ...good, raw_input: 'ä'.repeat(limits.payloadBytes / 2) })).status).toBe(202)
    expect((await changesNothing(() => submit(good, {}, viewer))).status).toBe(403)
  })

  test('the list pages through all once, and is read from its index', async () => {
    const seen: string[] = []
    for (let cursor = ''; ; ) {
      const { body } = await viewer.get(`/submissions?limit=3${cursor}`)
      seen.push(...body.submissions.map((one: { id: string }) => one.id))
      if (body.next_cursor === undefined) break
      cursor = `&cursor=${body.next_cursor.toUpperCase()}`
    }
    expect([new Set(seen).size, seen.length > 3]).toEqual([seen.length, true])
    expect((await viewer.get(`/submissions?cursor=${nobody}`)).status).toBe(422)
    expect((await viewer.get(`/submissions/${nobody}`)).status).toBe(404)
    const service = createSubmissionService({ database: app.database, judge: judgeHere })
    const plans = await plansOf(app.database, 'submissions', async () => {
      await service.list({ limit: 1 })
      await service.list({ limit: 1, cursor: seen[0]! })
    })
    expect(plans).toHaveLength(2)
    for (const plan of plans) {
      expect(plan).toContain('submissions_page')
      expect(plan).not.toMatch(/USE TEMP B-TREE|Sort|Seq Scan/)
    }
  })

  test('lists those of one object, and nothing of another, through an index of its own', async () => {
    const other = { ...metadata, source_object: `POL-${newKey().slice(0, 8)}` }
    const body = { ...good, metadata: other }
    const ids = [(await submit(body)).body.submission.id]
    ids.unshift((await submit(body)).body.submission.id)
    const path = `/submissions?object_reference=${other.source_object}`
    const idsOf = (answered: Answered) => answered.body.submissions.map(({ id }: { id: string }) => id)
    expect(idsOf(await viewer.get(path))).toEqual(ids)
    const first = await viewer.get(`${path}&limit=1`)
    expect(idsOf(first)).toEqual([ids[0]])
    expect(idsOf(await viewer.get(`${path}&limit=1&cursor=${first.body.next_cursor}`))).toEqual([ids[1]])
    expect(idsOf(await viewer.get('/submissions?object_reference=POL-of-nobody'))).toEqual([])
    expect((await viewer.get('/submissions?object_reference=%20')).status).toBe(422)
    const service = createSubmissionService({ database: app.database, judge: judgeHere })
    const plans = await plansOf(app.database, 'submissions', () =>
      service.list({ limit: 1, object_reference: other.source_object, cursor: ids[0] }),
    )
    expect(plans).toHaveLength(1)
    expect(plans[0]).toContain('submissions_object_page')
    expect(plans[0]).not.toMatch(/USE TEMP B-TREE|Sort|Seq Scan/)
  })

  test('say where an execution failed and as what, and nothing of the input, which their readers may not see', async () => {
    const about = { ...metadata, source_object: 'POL-failed' }
    const { submission } = (await submit({ ...good, metadata: about })).body
    const [letter] = submission.executions
    await app.database.write(async (tx) => {
      const { executions, steps } = tx.t
      const issues = [{ path: '/name', keyword: 'type', message: 'must be a number, is "Ada"' }]
      const failure = { code: 'contract_violated', message: 'The input has "Ada".', issues }
      await tx.q.update(executions).set({ status: 'failed' }).where(eq(executions.id, letter.id))
      const isFirst = and(eq(steps.executionId, letter.id), eq(steps.position, 1))
      await tx.q.update(steps).set({ status: 'failed', failure }).where(isFirst)
    })
    const read = (await viewer.get(`/submissions/${submission.id}`)).body
    const failed = { ...letter, status: 'failed', failure: { step: 'validate', code: 'contract_violated' } }
    expect(read).toEqual({ ...submission, executions: [failed, submission.executions[1]] })
    const [listed] = (await viewer.get('/submissions?object_reference=POL-failed')).body.submissions
    expect(listed).toEqual(read)
    expect(JSON.stringify(listed)).not.toContain('Ada')
  })
})
