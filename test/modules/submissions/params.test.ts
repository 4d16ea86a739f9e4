import { beforeAll, expect, test } from 'bun:test'
import { canonicalHash, canonicalJson } from '../../../src/core/canonical.ts'
import { limits } from '../../../src/core/limits.ts'
import { startTestApp, type TestApp } from '../../http/harness.ts'
import { contractText, templateBytes } from '../../runner/letter.ts'
import { type Answered, Author, newKey } from '../../support/author.ts'
import { describeOnBothDialects } from '../../support/database.ts'
import { stateOf } from '../../support/refused.ts'
import { createStepRunner } from '../executions/run.ts'

const past = '2026-01-01T00:00:00Z'
const input = { name: 'Ada', total: 1234.5 }
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
const letterSource = `transform: declarative-v1
params: { letterDate: date, copies: decimal, urgent: boolean, sentAt: datetime, clerk: string }
output:
  greeting: { $text: "{who}, {day}, {by}", who: /name, day: { $format: $letterDate, date: d.M.yyyy }, by: $clerk }
  total: { $format: /total, number: "0.00" }
  copies: $copies
  urgent: $urgent
  sent: $sentAt
`
const params = {
  letterDate: '2026-11-20',
  copies: 2.5,
  urgent: true,
  sentAt: '2026-11-20T09:30:00Z',
  clerk: 'Grace',
}

describeOnBothDialects('params of transformers', (dialect) => {
  let app: TestApp
  let author: Author
  let operator: Author
  let releaseId: string
  let plainReleaseId: string
  let transformer: { id: string; versionId: string }
  let contractVersionId: string

  beforeAll(async () => {
    app = await startTestApp(dialect)
    author = await Author.signIn(app, 'author')
    operator = await Author.signIn(app, 'operator', ['operator', 'auditor'])
    contractVersionId = (await author.contract('letters', contractText)).versionId
    transformer = await author.frozen('transformers', 'dated', letterSource)
    const plain = await author.frozen('transformers', 'plain', 'transform: declarative-v1\noutput: /name\n')
    const archive = await author.frozen(
      'transformers',
      'archive',
      'transform: declarative-v1\nparams: { letterDate: date, box: string }\noutput: { day: $letterDate, box: $box }\n',
    )
    for (const { id } of [transformer, plain, archive]) await author.publish('transformers', id, 1, past)
    const model = await author.frozen(
      'ingestion-models',
      'dated',
      `model: ingestion-model-v1
contract: { name: letters, version: 1 }
nodes:
  - { key: letter, label: Letter, transformer: dated }
  - { key: box, label: Box, transformer: archive }
`,
    )
    expect((await author.publish('ingestion-models', model.id, 1, past)).status).toBe(201)
    releaseId = await release('Dated', transformer.versionId)
    plainReleaseId = await release('Plain', plain.versionId)
  })

  async function release(name: string, transformVersionId: string): Promise<string> {
    const pin = { name, contract_version_id: contractVersionId, transform_version_id: transformVersionId }
    return (await author.post('/releases', pin)).body.release.id
  }
  const execute = (body: object, headers = {}) =>
    operator.post('/executions', { release_id: releaseId, input, ...body }, headers)
  const submit = (body: object, headers = {}) =>
    operator.post(
      '/submissions',
      { ingestion_model: 'dated', raw_input: canonicalJson(input), metadata, ...body },
      headers,
    )
  const read = async (path: string) => (await operator.get(path)).body
  async function changesNothing(work: () => Promise<Answered>): Promise<Answered> {
    const before = await stateOf(app.database)
    const answer = await work()
    expect(await stateOf(app.database)).toBe(before)
    return answer
  }

  test('reach the transformer, and appear in the submission, the manifest and the events with their hash', async () => {
    const { status, body } = await execute({ params })
    expect([status, body.status]).toEqual([202, 'queued'])
    await createStepRunner(app.database, app.pool)(body.id)
    const execution = await read(`/executions/${body.id}`)
    expect(execution.output).toEqual({
      greeting: 'Ada, 20.11.2026, Grace',
      total: '1234.50',
      copies: 2.5,
      urgent: true,
      sent: '2026-11-20T09:30:00Z',
    })
    expect(execution).not.toHaveProperty('params')
    const hash = canonicalHash(params)
    const submission = await read(`/submissions/${execution.submission_id}`)
    expect([submission.params, submission.params_hash]).toEqual([params, hash])
    const manifest = await read(`/executions/${body.id}/provenance`)
    expect([manifest.params, manifest.params_hash]).toEqual([params, hash])
    const { q, t } = app.database.read
    const events = (await q.select().from(t.events)).filter(({ aggregateId }) => aggregateId === submission.id)
    expect(events.map(({ data }) => data.params_hash)).toEqual([hash])
  })

  test('are part of what verify runs again, and of what it compares', async () => {
    const { id, submission_id: submissionId } = (await execute({ params })).body
    await createStepRunner(app.database, app.pool)(id)
    const verify = async () => (await operator.post(`/executions/${id}/verify`, {})).body
    const same = await verify()
    expect(same.identical).toBe(true)
    expect(same.checks.map((check: { subject: string }) => check.subject)).toContain('params')
    const changed = canonicalJson({ ...params, clerk: 'Mallory' })
    await app.database.write(async ({ q, t }) => {
      const rows = await q.select().from(t.submissions)
      expect(rows.some((row) => row.id === submissionId)).toBe(true)
      await q.update(t.submissions).set({ params: changed })
    })
    const other = await verify()
    const different = other.checks.filter((check: { identical: boolean }) => !check.identical)
    expect(different.map((check: { subject: string }) => check.subject)).toEqual(['params', 'output'])
  })

  test('are submitted once for all nodes of a model, and each transformer takes those that it declares', async () => {
    const { status, body } = await submit({ params: { ...params, box: 'B7' } })
    expect(status).toBe(202)
    const letter = body.submission.executions[0].id
    await createStepRunner(app.database, app.pool)(letter)
    const box = (await submit({ params: { ...params, box: 'B7' } })).body.submission.executions[1].id
    await createStepRunner(app.database, app.pool)(box)
    expect((await read(`/executions/${letter}`)).output.greeting).toBe('Ada, 20.11.2026, Grace')
    expect((await read(`/executions/${box}`)).output).toEqual({ day: '2026-11-20', box: 'B7' })
    const missing = await changesNothing(() => submit({ params }))
    expect([missing.status, missing.body.detail]).toEqual([422, expect.stringContaining('params.box')])
    expect(missing.body.detail).not.toContain('params.letterDate')
  })

  test('are part of the request that an idempotency key identifies', async () => {
    const key = { 'idempotency-key': newKey() }
    const first = await execute({ params }, key)
    const reversed = Object.fromEntries(Object.entries(params).reverse())
    const again = await execute({ params: reversed }, key)
    expect([first.status, again.status, again.body.id]).toEqual([202, 202, first.body.id])
    const other = await changesNothing(() => execute({ params: { ...params, copies: 3 } }, key))
    expect([other.status, other.body.code]).toEqual([409, 'conflict'])
  })

  test.each<[string, unknown, string]>([
    ['none at all', undefined, 'params.letterDate is missing'],
    ['an empty object', {}, 'params.clerk is missing'],
    ['one too few', { ...params, clerk: undefined }, 'params.clerk is missing'],
    ['one that is not declared', { ...params, letterdate: '2026-11-20' }, 'params.letterdate is declared by no'],
    ['text for a number', { ...params, copies: '2' }, 'params.copies is no decimal'],
    ['a number for text', { ...params, clerk: 7 }, 'params.clerk is no string'],
    ['text for a truth value', { ...params, urgent: 'true' }, 'params.urgent is no boolean'],
    ['a day that does not exist', { ...params, letterDate: '2026-02-30' }, 'params.letterDate is no date'],
    ['a time for a date', { ...params, letterDate: '2026-11-20T09:30:00Z' }, 'params.letterDate is no date'],
    ['a date for a time', { ...params, sentAt: '2026-11-20' }, 'params.sentAt is no datetime'],
    ['null', { ...params, clerk: null }, 'params.clerk'],
    ['a list', { ...params, clerk: ['Grace'] }, 'params.clerk'],
    ['an object', { ...params, clerk: {} }, 'params.clerk'],
    ['a name that is none', { ...params, '1st': 'x' }, 'params.1st'],
    ['an empty name', { ...params, '': 'x' }, 'params'],
    ['a name that is too long', { ...params, ['n'.repeat(limits.paramNameChars + 1)]: 'x' }, 'params.nnn'],
    ['a text that is too long', { ...params, clerk: 'x'.repeat(limits.paramTextChars + 1) }, 'params.clerk'],
    ['too many', Object.fromEntries(Array.from({ length: limits.paramCount + 1 }, (_, n) => [`p${n}`, 'x'])), 'params'],
    ['an array of them', [], 'params'],
    ['a text', 'letterDate', 'params'],
    ['null for all', null, 'params'],
  ])('that are %s are 422 with the field, and make nothing', async (_name, given, says) => {
    const body = given === undefined ? {} : { params: given }
    for (const answer of [await changesNothing(() => execute(body)), await changesNothing(() => submit(body))]) {
      expect([answer.status, answer.body.code]).toEqual([422, 'validation_failed'])
      expect(answer.body).not.toHaveProperty('errors')
    }
    expect((await execute(body)).body.detail).toContain(says)
  })

  test('of a release whose transformer declares none are refused, and not needed', async () => {
    const refused = await changesNothing(() => execute({ release_id: plainReleaseId, params: { clerk: 'Grace' } }))
    expect([refused.status, refused.body.detail]).toEqual([422, expect.stringContaining('params.clerk')])
    const made = await execute({ release_id: plainReleaseId })
    const empty = await execute({ release_id: plainReleaseId, params: {} })
    expect([made.status, empty.status]).toEqual([202, 202])
    const [without, withNone] = await Promise.all(
      [made, empty].map(({ body }) => read(`/submissions/${body.submission_id}`)),
    )
    expect(without).not.toHaveProperty('params')
    expect(withNone).toMatchObject({ params: {}, params_hash: canonicalHash({}) })
  })

  test('are accepted at exactly their limits, whatever their names', async () => {
    const names = Array.from({ length: limits.paramCount - 2 }, (_, n) => `p${n}`)
    const declared = [...names, 'n'.repeat(limits.paramNameChars), '__proto__']
    const list = declared.map((name) => `${JSON.stringify(name)}: string`).join(', ')
    const output = '{ last: $__proto__, long: $p0 }'
    const source = `transform: declarative-v1\nparams: { ${list} }\noutput: ${output}\n`
    const many = await author.frozen('transformers', 'many', source)
    await author.publish('transformers', many.id, 1, past)
    const long = '𝒳'.repeat(limits.paramTextChars)
    const pairs = declared.map((name) => `${JSON.stringify(name)}:${JSON.stringify(name === 'p0' ? long : 'x')}`)
    const release_id = await release('Many', many.versionId)
    const text = `{"release_id":"${release_id}","input":{"name":"Ada","total":1},"params":{${pairs.join(',')}}}`
    const made = await operator.call('POST', '/executions', text)
    expect([made.status, made.body.detail]).toEqual([202, undefined])
    await createStepRunner(app.database, app.pool)(made.body.id)
    expect((await read(`/executions/${made.body.id}`)).output).toEqual({ last: 'x', long })
  })

  test('are taken by tests and previews of what declares them', async () => {
    const tried = await author.post(`/transformers/${transformer.id}/test`, { data: input, params })
    expect([tried.body.valid, tried.body.result?.output.copies]).toEqual([true, 2.5])
    const without = await author.post(`/transformers/${transformer.id}/test`, { data: input })
    expect([without.status, without.body.valid]).toEqual([200, false])
    expect(without.body.errors.map((error: { path: string }) => error.path)).toContain('/params/letterDate')
    const imported = await author.post('/cases/import', {
      contract_version_id: contractVersionId,
      kind: 'valid',
      payload: canonicalJson(input),
    })
    const preview = { source: letterSource, format: 'yaml', case_id: imported.body.id }
    const previewed = await author.post(`/transforms/${transformer.id}/preview`, { ...preview, params })
    expect([previewed.status, previewed.body.output.greeting]).toEqual([200, 'Ada, 20.11.2026, Grace'])
    const refused = await author.post(`/transforms/${transformer.id}/preview`, preview)
    expect([refused.status, refused.body.detail]).toEqual([422, expect.stringContaining('params.letterDate')])
    const template = await author.frozen('templates', 'dated', await templateBytes())
    const path = `/templates/${template.id}/versions/1/preview`
    const wanted = { transform_version_id: transformer.versionId, case_id: imported.body.id }
    const filled = await author.post(path, { ...wanted, params })
    expect([filled.status, filled.body.output.greeting]).toEqual([200, 'Ada, 20.11.2026, Grace'])
    const unfilled = await author.post(path, { ...wanted, params: { ...params, copies: 'two' } })
    expect([unfilled.status, unfilled.body.detail]).toEqual([422, expect.stringContaining('params.copies')])
  })
})
