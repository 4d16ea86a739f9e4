import { beforeAll, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { addMs, formatInstant } from '../../../src/core/instant.ts'
import { limits } from '../../../src/core/limits.ts'
import { describeOperations } from '../../../src/http/openapi.ts'
import { recordAudit } from '../../../src/modules/audit/audit.service.ts'
import { seedDemo } from '../../../src/modules/intake-lab/intake-lab.service.ts'
import { p, wordPackage } from '../../engines/docx/word-package.ts'
import { startTestApp, type TestApp } from '../../http/harness.ts'
import { contractText, templateBytes, transformerText } from '../../runner/letter.ts'
import { type Answered, Author } from '../../support/author.ts'
import { describeOnBothDialects } from '../../support/database.ts'
import { contract, type Files, hello, zipOf } from '../projects/fixture.ts'

const code = 'four_eyes.own_work'

interface Described {
  operationId: string
  responses: Record<string, { description: string }>
}

describeOnBothDialects('with QUIRE_FOUR_EYES', (dialect) => {
  let app: TestApp
  let anna: Author
  let ben: Author
  let annasToken: Author
  let robot: Author
  const ids = new Map<Author, string>()

  beforeAll(async () => {
    app = await startTestApp(dialect, { fourEyes: true })
    anna = await Author.signIn(app, 'anna')
    ben = await Author.signIn(app, 'ben')
    const admin = await Author.signIn(app, 'admin', ['administrator'])
    const scopes = ['configuration_read', 'configuration_write']
    const own = await anna.post('/tokens', { name: 'own', scopes })
    annasToken = anna.withToken(own.body.secret)
    const account = { username: 'robot', display_name: 'Robot', roles: ['engineer'] }
    const { user } = (await admin.post('/admin/service-accounts', account)).body
    robot = anna.withToken((await admin.post('/tokens', { name: 'its', scopes, user_id: user.id })).body.secret)
    for (const [author, name] of [
      [anna, 'anna'],
      [annasToken, 'anna'],
      [ben, 'ben'],
    ] as const) {
      ids.set(author, (await app.users.findByUsername(name))!.id)
    }
    ids.set(robot, user.id)
  })

  /** When the next request comes. */
  const now = () => formatInstant(addMs(app.clock.now(), 1))
  const later = () => formatInstant(addMs(app.clock.now(), 86_400_000))
  let count = 0
  const fresh = () => `letter-${++count}`
  const template = () => wordPackage(p(`Dear reader ${++count}`))
  const source = (n = ++count) => `${transformerText}# ${n}\n`

  async function refused(answer: Answered): Promise<void> {
    expect([answer.status, answer.body.code]).toEqual([403, 'forbidden'])
    const told = JSON.stringify(answer.body)
    expect(told).toMatch(/of the (?:contract|transformer|template|ingestion model) |The errors name it/)
    for (const word of ['QUIRE_FOUR_EYES', 'another engineer or administrator']) expect(told).toContain(word)
    for (const issue of answer.body.errors ?? []) expect(issue.code).toBe(code)
  }
  /** Without when tokens were used. */
  async function stored(): Promise<string> {
    const { t, q } = app.database.read
    const tables = [t.versions, t.activations, t.families, t.auditRecords]
    const counts = await Promise.all(
      tables.map((table) => app.database.read.rows(sql`select count(*) as n from ${table}`)),
    )
    const versions = await q.select({ id: t.versions.id, status: t.versions.status }).from(t.versions)
    return JSON.stringify([counts, versions.sort((a, b) => (a.id < b.id ? -1 : 1))])
  }
  /** Nobody of the one side may, and nothing changes by trying; the other may. */
  async function onlyOther(act: (as: Author) => Promise<Answered>, own: Author[], other: Author): Promise<Answered> {
    for (const one of own) {
      const before = await stored()
      await refused(await act(one))
      expect(await stored()).toBe(before)
    }
    const answer = await act(other)
    expect([answer.status, answer.status < 300 ? '' : answer.body]).toEqual([
      answer.status < 300 ? answer.status : 0,
      '',
    ])
    return answer
  }
  async function lastRecord(action: string) {
    const { t, q } = app.database.read
    const rows = (await q.select().from(t.auditRecords)).filter((row) => row.action === action)
    return rows.sort((a, b) => (a.at < b.at ? -1 : 1)).at(-1)!
  }
  async function redraft(as: Author, id: string, revision: number, text: string): Promise<void> {
    const draft = { source: text, format: 'yaml' }
    const saved = await as.call('PUT', `/transformers/${id}/draft`, draft, { 'if-match': `"${revision}"` })
    expect(saved.status).toBe(200)
  }

  test('is announced beforehand, of each kind, in the words of the refusal', async () => {
    const { id } = await anna.frozen('transformers', fresh(), source())
    const approval = (as: Author, kind = 'transformer', familyId = id, version = 1) =>
      as.get(`/approvals?kind=${kind}&family_id=${familyId}&version=${version}`)
    const own = await approval(anna)
    const refusal = await anna.publish('transformers', id, 1, later())
    expect(own.body).toEqual({ four_eyes: true, allowed: false, reason: refusal.body.detail })
    expect((await approval(annasToken)).body.allowed).toBe(false)
    expect((await approval(ben)).body).toEqual({ four_eyes: true, allowed: true })
    expect((await ben.publish('transformers', id, 1, now())).status).toBe(201)
    // What has been in force may come back.
    app.clock.advance(1_000)
    expect((await approval(anna)).body).toEqual({ four_eyes: true, allowed: true })
    const made = await anna.post('/contracts', { name: fresh(), description: '', schema: contractText })
    const contractId: string = made.body.contract.id
    await anna.post(`/contracts/${contractId}/versions`, { expected_revision: 1 })
    expect((await approval(anna, 'contract', contractId)).body.allowed).toBe(false)
    await ben.post(`/contracts/${contractId}/versions/1/publish`, {})
    expect((await approval(anna, 'contract', contractId)).body.allowed).toBe(true)
    for (const none of [await approval(anna, 'template'), await approval(anna, 'transformer', id, 9)]) {
      expect([none.status, none.body.detail]).toEqual([404, expect.stringContaining('has no version')])
    }
    const operator = await Author.signIn(app, 'operator', ['operator'])
    expect((await approval(operator)).status).toBe(403)
  })

  test('its author, by session or by token, publishes no contract and no transform of the older surface', async () => {
    const made = await anna.post('/contracts', { name: fresh(), description: '', schema: contractText })
    const id: string = made.body.contract.id
    await anna.post(`/contracts/${id}/versions`, { expected_revision: 1 })
    await onlyOther((as) => as.post(`/contracts/${id}/versions/1/publish`, {}), [anna, annasToken], robot)
    const { detail } = await lastRecord('contract.version_published')
    const annasId = ids.get(anna)!
    expect(detail.four_eyes).toEqual({ approved_by: ids.get(robot)!, frozen_by: [annasId], saved_by: [annasId] })
    // A second time changes nothing, and so nothing is refused.
    expect((await anna.post(`/contracts/${id}/versions/1/publish`, {})).status).toBe(200)
    // Who saved it through the older surface has a hand in it.
    const changed = {
      name: fresh(),
      description: '',
      schema: contractText.replace('"minLength":1', '"minLength":2'),
      expected_revision: 1,
    }
    expect((await ben.call('PUT', `/contracts/${id}`, changed)).status).toBe(200)
    await anna.post(`/contracts/${id}/versions`, { expected_revision: 2 })
    await onlyOther((as) => as.post(`/contracts/${id}/versions/2/publish`, {}), [anna, ben], robot)
    const transform = await anna.post('/transforms', {
      name: fresh(),
      description: '',
      source: source(),
      format: 'yaml',
    })
    const transformId: string = transform.body.transform.id
    await anna.post(`/transforms/${transformId}/versions`, { expected_revision: 1 })
    await onlyOther((as) => as.post(`/transforms/${transformId}/versions/1/publish`, {}), [anna], ben)
  })

  test('its author publishes and schedules no transformer, and the record names who froze, saved and approved', async () => {
    const { id } = await anna.frozen('transformers', fresh(), source())
    await onlyOther((as) => as.publish('transformers', id, 1, later()), [anna, annasToken], ben)
    const { detail } = await lastRecord('activation.scheduled')
    const annasId = ids.get(anna)!
    expect(detail.four_eyes).toEqual({ approved_by: ids.get(ben)!, frozen_by: [annasId], saved_by: [annasId] })
    // Approved for later is not in force: its author brings it forward no more than before.
    await refused(await anna.publish('transformers', id, 1, now()))
  })

  test('what a service account froze is put in force by a person, and what a token froze not by its owner', async () => {
    const byRobot = await robot.frozen('transformers', fresh(), source())
    await onlyOther((as) => as.publish('transformers', byRobot.id, 1, now()), [robot], anna)
    const byToken = await annasToken.frozen('transformers', fresh(), source())
    await onlyOther((as) => as.publish('transformers', byToken.id, 1, now()), [anna, annasToken], robot)
  })

  test('who only saved the draft has a hand in it, and so has who froze it', async () => {
    const id = await anna.family('transformers', fresh())
    await anna.call('PUT', `/transformers/${id}/draft`, { source: source(), format: 'yaml' }, { 'if-none-match': '*' })
    expect((await ben.freeze('transformers', id, 1)).status).toBe(201)
    await onlyOther((as) => as.publish('transformers', id, 1, now()), [anna, ben], robot)
    // Of the next version, who saved the one before it that is published has no hand in it.
    await redraft(ben, id, 1, source())
    expect((await ben.freeze('transformers', id, 2)).status).toBe(201)
    await onlyOther((as) => as.publish('transformers', id, 2, now()), [ben], anna)
  })

  test('work that comes along unpublished counts, however trivial the last change was', async () => {
    const { id } = await anna.frozen('transformers', fresh(), source())
    await redraft(ben, id, 1, source())
    expect((await ben.freeze('transformers', id, 2)).status).toBe(201)
    await onlyOther((as) => as.publish('transformers', id, 2, now()), [anna, ben], robot)
  })

  test('an older save is found behind more records than one page has', async () => {
    const id = await anna.family('transformers', fresh())
    await anna.call('PUT', `/transformers/${id}/draft`, { source: source(), format: 'yaml' }, { 'if-none-match': '*' })
    expect((await ben.freeze('transformers', id, 1)).status).toBe(201)
    const actor = { userId: ids.get(ben)!, correlationId: 'test', at: addMs(app.clock.now(), 1) }
    const about = { action: 'transformer.draft_saved', resourceKind: 'transformer', resourceId: id }
    await app.database.write(async (tx) => {
      for (let revision = 2; revision < limits.tablePageRows + 3; revision++) {
        await recordAudit(tx, actor, { ...about, detail: { revision } })
      }
    })
    await refused(await anna.publish('transformers', id, 1, now()))
  })

  test('an upload is published by somebody else, with an instant and without one', async () => {
    const uploaded = await anna.form('POST', '/templates', { name: fresh(), description: '' }, template())
    const id: string = uploaded.body.template.id
    const path = `/templates/${id}/versions/1/publish`
    await onlyOther((as) => as.post(path, {}), [anna, annasToken], ben)
    // Published is not in force.
    await onlyOther((as) => as.publish('templates', id, 1, now()), [anna], ben)
    await ben.form('POST', `/templates/${id}/versions`, {}, template())
    await onlyOther((as) => as.publish('templates', id, 2, now()), [ben], anna)
  })

  test('anybody goes back to what was in force before, and cancels what has not begun', async () => {
    const { id } = await anna.frozen('transformers', fresh(), source())
    expect((await ben.publish('transformers', id, 1, now())).status).toBe(201)
    await redraft(anna, id, 1, source())
    await anna.freeze('transformers', id, 2)
    expect((await ben.publish('transformers', id, 2, now())).status).toBe(201)
    expect((await anna.publish('transformers', id, 1, now())).status).toBe(201)
    expect((await lastRecord('activation.scheduled')).detail.four_eyes).toEqual({ in_force_before: true })
    await redraft(anna, id, 2, source())
    await anna.freeze('transformers', id, 3)
    const coming = await ben.publish('transformers', id, 3, later())
    const cancel = `/activations/${coming.body.resource_id}/cancel`
    expect((await anna.post(cancel, { cancellation_code: 'wrong' })).status).toBe(200)
    // It never was in force.
    await refused(await anna.publish('transformers', id, 3, now()))
  })

  test('a set is planned as it would be refused, and applied by somebody else', async () => {
    const slug = fresh()
    const made = await anna.post('/contracts', { name: slug, description: '', schema: contractText })
    await anna.post(`/contracts/${made.body.contract.id}/versions`, { expected_revision: 1 })
    await anna.frozen('transformers', slug, source())
    await anna.frozen('templates', slug, await templateBytes())
    const node = `{ key: letter, label: Letter, transformer: ${slug}, template: ${slug} }`
    const text = `model: ingestion-model-v1\ncontract: { name: ${slug}, version: 1 }\nnodes: [${node}]\n`
    const { id } = await anna.frozen('ingestion-models', slug, text)
    const planned = (await anna.post('/activation-sets/plan', { ingestion_model_id: id })).body
    expect([planned.valid, planned.issues.map((issue: { code: string }) => issue.code)]).toEqual([
      false,
      Array(4).fill(code),
    ])
    const apply = async (as: Author) => {
      const { body } = await as.post('/activation-sets/plan', { ingestion_model_id: id })
      return as.post('/activation-sets', { ingestion_model_id: id, plan_hash: body.plan_hash })
    }
    await onlyOther(apply, [anna, annasToken], ben)
    // Drafts that are frozen with a set are the work of whoever applies it.
    await anna.call(
      'PUT',
      `/ingestion-models/${id}/draft`,
      { source: `${text}# again\n`, format: 'yaml' },
      { 'if-match': '"1"' },
    )
    const drafts = (await ben.post('/activation-sets/plan', { ingestion_model_id: id, state: 'drafts' })).body
    expect(drafts.issues.map((issue: { message: string }) => issue.message).join()).toContain(
      'Freeze it without putting it in force',
    )
  })

  test('a project is planned as it would be refused; somebody else applies what is frozen', async () => {
    const send = (as: Author, what: string, files: Files, fields = {}) =>
      as.form('POST', `/project/${what}`, fields, zipOf(files), {}, 'application/zip')
    const plan = await send(anna, 'plan', hello)
    expect([plan.body.valid, new Set(plan.body.issues.map((issue: { code: string }) => issue.code))]).toEqual([
      false,
      new Set([code]),
    ])
    const files = { 'contracts/person.schema.json': contract() }
    const apply = async (as: Author) => {
      const { body } = await send(as, 'plan', files)
      return send(as, 'apply', files, { plan_hash: body.plan_hash })
    }
    // Who applies what no version has freezes it.
    await refused(await apply(ben))
    const schema = files['contracts/person.schema.json']
    const made = await anna.post('/contracts', { name: 'Person', description: '', schema })
    await anna.post(`/contracts/${made.body.contract.id}/versions`, { expected_revision: 1 })
    await onlyOther(apply, [anna, annasToken], robot)
  })

  test('an author freezes a project at once, and somebody else puts it in force, as a set too', async () => {
    const renamed = Object.entries(hello).map(([path, content]) => {
      const own = (text: string) => text.replaceAll('hello', 'frozen').replaceAll('Person', 'Frozen')
      return [own(path).replace('person', 'frozen'), typeof content === 'string' ? own(content) : content]
    })
    const files: Files = Object.fromEntries(renamed)
    const send = (as: Author, what: string, fields: Record<string, string> = {}) =>
      as.form('POST', `/project/${what}`, fields, zipOf(files), {}, 'application/zip')
    const freezing = { freeze_only: 'true' }
    const planned = (await send(anna, 'plan', freezing)).body
    expect([planned.valid, planned.issues]).toEqual([true, []])
    const frozen = await send(anna, 'apply', { ...freezing, plan_hash: planned.plan_hash })
    expect([frozen.status, frozen.body.changes.length]).toEqual([200, 4])
    const { ingestion_models: models } = (await ben.get('/ingestion-models?limit=100')).body
    const { id } = models.find(({ slug }: { slug: string }) => slug === 'frozen')
    const activate = async (as: Author) => {
      const { body } = await as.post('/activation-sets/plan', { ingestion_model_id: id })
      return as.post('/activation-sets', { ingestion_model_id: id, plan_hash: body.plan_hash })
    }
    await onlyOther(activate, [anna, annasToken], ben)
    expect((await send(ben, 'plan')).body.changes).toEqual([])
  })

  test('the description says it of every operation that puts something in force', () => {
    const { paths } = describeOperations(app.app.operations) as { paths: Record<string, Record<string, Described>> }
    const told = Object.values(paths)
      .flatMap((methods) => Object.values(methods))
      .filter(({ responses }) => responses['403']?.description.includes(code) === true)
    expect(told.map(({ operationId }) => operationId).sort()).toEqual([
      'applyActivationSet',
      'applyProject',
      'publishContractVersion',
      'publishIngestionModelVersion',
      'publishTemplateVersion',
      'publishTransformVersion',
      'publishTransformerVersion',
    ])
  })

  test('Quire itself is free: the demo is seeded and in force', async () => {
    expect(await seedDemo(app.database, app.clock)).toBe(true)
  })
})
