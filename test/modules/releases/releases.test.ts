import { beforeAll, expect, test } from 'bun:test'
import { SYSTEM_ACTOR_ID } from '../../../src/core/actor.ts'
import type { Fault } from '../../../src/core/faults.ts'
import { sha256Hex } from '../../../src/core/hash.ts'
import { judgeHere } from '../../../src/modules/drafts/judge-here.service.ts'
import { withVerdicts } from '../../../src/modules/drafts/judge-known.service.ts'
import { createReleaseService, pinRelease } from '../../../src/modules/releases/releases.service.ts'
import { findVersionHead } from '../../../src/modules/versions/versions.reads.ts'
import { startTestApp, type TestApp } from '../../http/harness.ts'
import { contractText, templateBytes, transformerText } from '../../runner/letter.ts'
import { type Answered, Author, newKey, nobody } from '../../support/author.ts'
import { describeOnBothDialects } from '../../support/database.ts'
import { plansOf } from '../../support/plan.ts'
import { brokenBodies, brokenProperties, stateOf } from '../../support/refused.ts'

describeOnBothDialects('releases', (dialect) => {
  let app: TestApp
  let author: Author
  let slugs = 0
  let wanted: { name: string; contract_version_id: string; transform_version_id: string; template_version_id: string }

  beforeAll(async () => {
    app = await startTestApp(dialect)
    author = await Author.signIn(app, 'author')
    const contract = await author.contract('letters', contractText)
    const transformer = await publishedTransform(transformerText)
    const uploaded = await author.form('POST', '/templates', { name: 'Letter', description: '' }, await templateBytes())
    const [version] = uploaded.body.template.versions
    await author.post(`/templates/${uploaded.body.template.id}/versions/1/publish`, {})
    wanted = {
      name: 'Letters, first edition',
      contract_version_id: contract.versionId,
      transform_version_id: transformer,
      template_version_id: version.id,
    }
  })

  async function publishedTransform(source: string): Promise<string> {
    const made = await author.post('/transforms', { name: `t-${++slugs}`, description: '', source, format: 'yaml' })
    const { id } = made.body.transform
    const frozen = await author.post(`/transforms/${id}/versions`, { expected_revision: 1 })
    await author.post(`/transforms/${id}/versions/1/publish`, {})
    return frozen.body.version.id
  }
  const create = (change: object = {}, headers = {}) => author.post('/releases', { ...wanted, ...change }, headers)
  async function changesNothing(work: () => Promise<Answered>): Promise<Answered> {
    const before = await stateOf(app.database)
    const answer = await work()
    expect(await stateOf(app.database)).toBe(before)
    return answer
  }

  test('a release pins exact versions under one hash, which only their content decides', async () => {
    const made = await create()
    expect(made.status).toBe(201)
    const { release } = structuredClone(made.body)
    expect(release).toEqual({
      ...wanted,
      id: expect.any(String),
      release_hash: expect.stringMatching(/^[0-9a-f]{64}$/),
      processing_kind: 'document_generation',
      automatic: false,
      created_by: expect.any(String),
      created_at: expect.any(String),
    })
    expect((await author.get(`/releases/${made.body.release.id}`)).body).toEqual(made.body.release)
    expect((await author.get('/releases?limit=1')).body.releases).toEqual([made.body.release])
    const same = (await create({ name: 'Another name' })).body.release
    expect(same.release_hash).toBe(made.body.release.release_hash)
    expect(same.id).not.toBe(made.body.release.id)
    const { template_version_id: _, ...without } = wanted
    const plain = (await author.post('/releases', without)).body.release
    expect([plain.processing_kind, 'template_version_id' in plain]).toEqual(['transformation', false])
    expect(plain.release_hash).not.toBe(same.release_hash)
    const { q, t } = app.database.read
    const audit = (await q.select().from(t.auditRecords)).filter(({ resourceId }) => resourceId === plain.id)
    const detail = { name: plain.name, release_hash: plain.release_hash, automatic: false }
    expect(audit).toEqual([expect.objectContaining({ action: 'release.created', resourceKind: 'release', detail })])
  })

  test('a release’s hash is that of the content hashes that it pins and of what it processes', async () => {
    const { read } = app.database
    const contentHash = async (id: string) => (await findVersionHead(read, id))!.contentHash
    const contract = await contentHash(wanted.contract_version_id)
    const transformer = await contentHash(wanted.transform_version_id)
    const template = await contentHash(wanted.template_version_id)
    const hashOf = (kind: string, third: string | null) =>
      sha256Hex(
        `{"contract":"${contract}","processing_kind":"${kind}","template":${JSON.stringify(third)},"transformer":"${transformer}"}`,
      )
    expect((await create()).body.release.release_hash).toBe(hashOf('document_generation', template))
    const { template_version_id: _, ...without } = wanted
    const plain = (await author.post('/releases', without)).body.release
    expect(plain.release_hash).toBe(hashOf('transformation', null))
  })

  test.each<[string, () => object, string]>([
    ['an unknown contract version', () => ({ contract_version_id: nobody }), 'contract_version_id'],
    [
      'a transform where a contract belongs',
      () => ({ contract_version_id: wanted.transform_version_id }),
      'contract_version_id',
    ],
    ['an unknown transform version', () => ({ transform_version_id: nobody }), 'transform_version_id'],
    [
      'a template where a transform belongs',
      () => ({ transform_version_id: wanted.template_version_id }),
      'transform_version_id',
    ],
    ['an unknown template version', () => ({ template_version_id: nobody }), 'template_version_id'],
  ])('%s is 422 with its place, and makes nothing', async (_name, change, field) => {
    const refused = await changesNothing(() => create(change()))
    expect([refused.status, refused.body.errors]).toMatchObject([
      422,
      [{ code: 'unknown_version', path: `/${field}`, resource_kind: 'release' }],
    ])
  })

  test('versions that are not published are refused, all of them at once', async () => {
    const contract = await author.post('/contracts', { name: 'unpublished', description: '', schema: contractText })
    const frozen = await author.post(`/contracts/${contract.body.contract.id}/versions`, { expected_revision: 1 })
    const transformer = await author.frozen('transformers', `unpublished-${++slugs}`, transformerText)
    const refused = await changesNothing(() =>
      create({ contract_version_id: frozen.body.version.id, transform_version_id: transformer.versionId }),
    )
    expect([refused.status, refused.body.errors.map((one: { code: string }) => one.code)]).toEqual([
      422,
      ['not_published', 'not_published'],
    ])
  })

  test('a deprecated contract refuses new releases and keeps its existing ones', async () => {
    const contract = await author.contract('outdated', contractText)
    const made = await create({ contract_version_id: contract.versionId })
    await author.post(`/contracts/${contract.id}/versions/1/deprecate`, {})
    const refused = await changesNothing(() => create({ contract_version_id: contract.versionId }))
    expect([refused.status, refused.body.code, refused.body.errors.length]).toEqual([409, 'conflict', 1])
    expect((await author.get(`/releases/${made.body.release.id}`)).status).toBe(200)
  })

  test('the chain is checked before a release exists, every finding with its place', async () => {
    const reading = await publishedTransform(
      'transform: declarative-v1\noutput:\n  greeting: /nobody\n  total: /nothing\n',
    )
    const unread = await changesNothing(() => create({ transform_version_id: reading }))
    expect(unread.status).toBe(422)
    expect(unread.body.errors.length).toBeGreaterThanOrEqual(2)
    expect(unread.body.errors[0]).toMatchObject({
      stage: 'chain',
      resource_kind: 'transformer',
      resource_id: reading,
      path: '/output/greeting',
      context: { line: '3' },
    })
    const lacking = await publishedTransform('transform: declarative-v1\noutput: { greeting: /name }\n')
    const unbound = await changesNothing(() => create({ transform_version_id: lacking }))
    expect([unbound.status, unbound.body.errors[0].message]).toEqual([422, expect.stringContaining('/total')])
    expect(unbound.body.errors[0].message).toContain('word/document.xml')
    const { template_version_id: _, ...without } = wanted
    expect((await author.post('/releases', { ...without, transform_version_id: lacking })).status).toBe(201)
  })

  test('a release that a submission makes itself is checked as well, a child by its template only', async () => {
    const reading = await publishedTransform('transform: declarative-v1\noutput: { greeting: /other, total: /total }\n')
    const { read } = app.database
    const pinned = async (id: string) => ({ id, contentHash: (await findVersionHead(read, id))!.contentHash })
    const pin = {
      contract: await pinned(wanted.contract_version_id),
      transformer: await pinned(reading),
      template: await pinned(wanted.template_version_id),
    }
    const actor = { userId: SYSTEM_ACTOR_ID, correlationId: 'test', at: app.clock.now() }
    const make = (reads: 'raw input' | 'output of its parent') =>
      withVerdicts(judgeHere, () => app.database.write((tx) => pinRelease(tx, actor, 'Letter', pin, reads)))
    const refused = await make('raw input').catch((error: unknown) => error)
    expect([(refused as Fault).code, (refused as Fault).detail]).toEqual([
      'validation_failed',
      expect.stringContaining('other'),
    ])
    const made = await make('output of its parent')
    expect((await author.get(`/releases/${made.id}`)).body).toMatchObject({
      automatic: true,
      transform_version_id: reading,
    })
    expect((await make('output of its parent')).id).toBe(made.id)
  })

  test('a release that a child made first is checked against the contract by the first root that shares it', async () => {
    const { read } = app.database
    const pinned = async (id: string) => ({ id, contentHash: (await findVersionHead(read, id))!.contentHash })
    const pinOf = async (source: string) => ({
      contract: await pinned(wanted.contract_version_id),
      transformer: await pinned(await publishedTransform(source)),
      template: await pinned(wanted.template_version_id),
    })
    const actor = { userId: SYSTEM_ACTOR_ID, correlationId: 'test', at: app.clock.now() }
    const make = (pin: Awaited<ReturnType<typeof pinOf>>, reads: 'raw input' | 'output of its parent') =>
      withVerdicts(judgeHere, () => app.database.write((tx) => pinRelease(tx, actor, 'Letter', pin, reads)))
    const unfit = await pinOf('transform: declarative-v1\noutput: { greeting: /other, total: /total }\n')
    await make(unfit, 'output of its parent')
    for (const _attempt of [1, 2]) {
      const refused = await make(unfit, 'raw input').catch((error: unknown) => error)
      expect((refused as Fault).code).toBe('validation_failed')
    }
    const fit = await pinOf('transform: declarative-v1\noutput: { greeting: /name, total: /total }\n')
    const made = await make(fit, 'output of its parent')
    expect(made.contractChecked).toBe(false)
    const shared = await make(fit, 'raw input')
    expect([shared.id, shared.contractChecked]).toEqual([made.id, true])
    expect((await make(fit, 'output of its parent')).contractChecked).toBe(true)
  })

  test('a key has one effect, and a refusal does not use it up', async () => {
    const key = { 'idempotency-key': newKey() }
    expect((await create({ contract_version_id: nobody }, key)).status).toBe(422)
    const answers = await Promise.all(Array.from({ length: 20 }, () => create({}, key)))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]))
    expect(new Set(answers.map(({ body }) => body.release.id)).size).toBe(1)
    expect((await create({ name: 'Changed' }, key)).status).toBe(409)
    expect((await create({}, { 'idempotency-key': undefined })).status).toBe(422)
  })

  test('bodies of every wrong shape are 422', async () => {
    for (const [name, text] of [...brokenBodies(wanted), ...brokenProperties(wanted, ['template_version_id'])]) {
      const refused = await changesNothing(() => author.call('POST', '/releases', text))
      expect([name, refused.status, refused.body.errors.length > 0]).toEqual([name, 422, true])
    }
    for (const change of [{ name: '' }, { name: 'n'.repeat(161) }, { contract_version_id: 'x' }]) {
      expect((await changesNothing(() => create(change))).status).toBe(422)
    }
    expect((await create({ name: 'n'.repeat(160) })).status).toBe(201)
  })

  test('reading what doesn’t exist is refused in the configuration variant', async () => {
    const missing = await author.get(`/releases/${nobody}`)
    expect([missing.status, missing.body.errors[0].resource_kind]).toEqual([404, 'release'])
    expect((await author.get('/releases/x')).status).toBe(422)
    expect((await author.get(`/releases?cursor=${nobody}`)).status).toBe(422)
    const wrong = await author.call('DELETE', '/releases')
    expect([wrong.status, wrong.headers.get('allow'), wrong.body.errors.length]).toEqual([405, 'GET, POST', 1])
  })

  test('the list pages through all once, and is read from its index', async () => {
    const seen: string[] = []
    for (let cursor = ''; ; ) {
      const { body } = await author.get(`/releases?limit=2${cursor}`)
      seen.push(...body.releases.map((one: { id: string }) => one.id))
      if (body.next_cursor === undefined) break
      cursor = `&cursor=${body.next_cursor}`
    }
    expect([new Set(seen).size, seen.length > 4]).toEqual([seen.length, true])
    const service = createReleaseService(app.database, judgeHere)
    const plans = await plansOf(app.database, 'releases', async () => {
      await service.list({ limit: 1 })
      await service.list({ limit: 1, cursor: seen[0]! })
    })
    expect(plans).toHaveLength(2)
    for (const plan of plans) {
      expect(plan).toContain('releases_page')
      expect(plan).not.toMatch(/USE TEMP B-TREE|Sort|Seq Scan/)
    }
  })
})
