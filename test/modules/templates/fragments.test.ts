import { beforeAll, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { canonicalHash } from '../../../src/core/canonical.ts'
import { formatInstant } from '../../../src/core/instant.ts'
import { demo } from '../../../src/demo/demo.ts'
import { readStates } from '../../../src/modules/audit/audit.states.reads.ts'
import { p, wordPackage } from '../../engines/docx/word-package.ts'
import { startTestApp, type TestApp } from '../../http/harness.ts'
import { contractText, transformerText } from '../../runner/letter.ts'
import { Author } from '../../support/author.ts'
import { describeOnBothDialects } from '../../support/database.ts'
import { createStepRunner } from '../executions/run.ts'
import {
  contract as contractFile,
  type Files,
  model as modelFile,
  transformer as transformerFile,
  zipOf,
} from '../projects/fixture.ts'

const model = (template: string) => `model: ingestion-model-v1
contract: { name: orders, version: 1 }
nodes: [{ key: letter, label: Letter, transformer: data, template: ${template}, formats: [docx] }]
`
const metadata = { ...demo.scenarios[0]!.metadata, source_timestamp: '2099-01-01T00:00:00Z' }
const early = '2026-01-01T00:00:00Z'

describeOnBothDialects('templates that include others', (dialect) => {
  let app: TestApp
  let author: Author
  let transformer: { id: string; versionId: string }
  let contract: { id: string; versionId: string }

  beforeAll(async () => {
    app = await startTestApp(dialect)
    author = await Author.signIn(app, 'author')
    contract = await author.contract('orders', contractText)
    transformer = await author.frozen('transformers', 'data', transformerText)
    await author.publish('transformers', transformer.id, 1, early)
  })

  const frozen = (slug: string, ...texts: string[]) =>
    author.frozen('templates', slug, wordPackage(texts.map((text) => p(text)).join('')))

  async function version(id: string, number: number, ...texts: string[]): Promise<void> {
    const bytes = wordPackage(texts.map((text) => p(text)).join(''))
    await author.put(`/templates/${id}/draft`, bytes, { 'if-match': `"${number - 1}"` })
    expect((await author.freeze('templates', id, number)).status).toBe(201)
  }

  async function executed(id: string): Promise<string> {
    await createStepRunner(app.database, app.pool)(id)
    const { body } = await author.get(`/executions/${id}`)
    expect([body.status, body.steps.at(-1)?.failure]).toEqual(['completed', undefined])
    return body.artifacts?.[0]?.content_hash ?? ''
  }

  const submit = async (slug: string, at?: string) =>
    author.post('/submissions', {
      ingestion_model: slug,
      raw_input: '{"total": 1, "name": "Ada"}',
      ...(at === undefined ? {} : { official_time: at }),
    })

  test('are frozen where the others exist, and put in force where these are in force', async () => {
    const letter = await author.family('templates', 'early-letter')
    const bytes = wordPackage(p('Dear,') + p('{{> early-clause}}'))
    await author.put(`/templates/${letter}/draft`, bytes, { 'if-none-match': '*' })
    const told = [
      (await author.post(`/templates/${letter}/validate`, {})).body.errors,
      (await author.freeze('templates', letter, 1)).body.errors,
    ]
    const issue = {
      code: 'docx.fragment_missing',
      path: 'word/document.xml#2:0',
      context: { words: 'Dear, ¶ {{> early-clause}}' },
    }
    expect(told).toMatchObject([[issue], [issue]])
    const clause = await frozen('early-clause', 'A clause.')
    expect((await author.freeze('templates', letter, 1)).status).toBe(201)
    const refused = await author.publish('templates', letter, 1, early)
    expect([refused.status, refused.body.errors]).toMatchObject([
      422,
      [{ path: 'word/document.xml#2:0', message: expect.stringContaining('"early-clause" has no version in force') }],
    ])
    expect((await author.publish('templates', clause.id, 1, early)).status).toBe(201)
    expect((await author.publish('templates', letter, 1, early)).status).toBe(201)
    const read = await author.get(`/templates/${letter}`)
    expect([read.body.versions[0].fragments, read.body.included_by]).toEqual([['early-clause'], undefined])
    expect((await author.get(`/templates/${clause.id}`)).body.included_by).toEqual([
      { template_id: letter, slug: 'early-letter', version: 1, chain: ['early-letter', 'early-clause'] },
    ])
  })

  test('are pinned with what they include, as it was in force at the object’s time', async () => {
    const inner = await frozen('inner', 'Inner {{/total}}.')
    await author.publish('templates', inner.id, 1, early)
    const clause = await frozen('clause', 'Clause 1 of {{/greeting}}.', '{{> inner}}')
    await author.publish('templates', clause.id, 1, early)
    const letter = await frozen('letter', '{{/greeting}},', '{{> clause}}')
    await author.publish('templates', letter.id, 1, early)
    const models = await author.frozen('ingestion-models', 'letter', model('letter'))
    expect((await author.publish('ingestion-models', models.id, 1, early)).status).toBe(201)
    const before = formatInstant(app.clock.now())
    app.clock.advance(1_000)
    await version(clause.id, 2, 'Clause 2.')
    const change = formatInstant(app.clock.now())
    expect((await author.publish('templates', clause.id, 2, change)).status).toBe(201)
    app.clock.advance(1_000)

    const releases = []
    const hashes = []
    for (const at of [before, formatInstant(app.clock.now())]) {
      const submitted = await submit('letter', at)
      expect(submitted.status).toBe(202)
      const [{ id }] = submitted.body.submission.executions
      hashes.push(await executed(id))
      const { body } = await author.post(`/executions/${id}/verify`, {})
      expect([body.identical, body.checks.filter(({ identical }: { identical: boolean }) => !identical)]).toEqual([
        true,
        [],
      ])
      const provenance = (await author.get(`/executions/${id}/provenance`)).body
      releases.push((await author.get(`/releases/${provenance.release.id}`)).body)
      expect(
        provenance.fragments.map(({ slug, version: number }: { slug: string; version: number }) => `${slug}@${number}`),
      ).toEqual(at === before ? ['clause@1', 'inner@1'] : ['clause@2'])
    }
    expect(hashes[0]).not.toBe(hashes[1])
    const [first, second] = releases
    expect([first.fragments.map(({ slug }: { slug: string }) => slug), second.fragments.length]).toEqual([
      ['clause', 'inner'],
      1,
    ])
    expect([first.template_version_id, first.release_hash !== second.release_hash]).toEqual([
      second.template_version_id,
      true,
    ])
    // The hash covers them, and the audit trail's state of the release has them.
    const { versions } = app.database.read.t
    const hashOf = async (id: string) =>
      (await app.database.read.q.select().from(versions).where(eq(versions.id, id)))[0]?.contentHash
    expect(first.release_hash).toBe(
      canonicalHash({
        contract: (await hashOf(first.contract_version_id)) ?? '',
        transformer: (await hashOf(first.transform_version_id)) ?? '',
        template: (await hashOf(first.template_version_id)) ?? '',
        processing_kind: 'document_generation',
        fragments: first.fragments.map(({ slug, content_hash: hash }: { slug: string; content_hash: string }) => ({
          slug,
          hash,
        })),
      }),
    )
    const states = await readStates(app.database.read, 'release', [first.id])
    expect(JSON.stringify(states.get(first.id))).toContain('clause')
    // A release that is made by hand pins what is in force now.
    const byHand = await author.post('/releases', {
      name: 'by hand',
      contract_version_id: contract.versionId,
      transform_version_id: transformer.versionId,
      template_version_id: letter.versionId,
    })
    expect([byHand.status, byHand.body.release?.fragments]).toEqual([201, second.fragments])
  })

  test('are refused where an included one takes what the transformer doesn’t write, whoever is activated', async () => {
    const part = await frozen('part', '{{/greeting}}')
    await author.publish('templates', part.id, 1, early)
    const whole = await frozen('whole', '{{> part}}')
    await author.publish('templates', whole.id, 1, early)
    const models = await author.frozen('ingestion-models', 'whole', model('whole'))
    expect((await author.publish('ingestion-models', models.id, 1, early)).status).toBe(201)
    await version(part.id, 2, '{{/nowhere}}')
    const refused = await author.publish('templates', part.id, 2, formatInstant(app.clock.now()))
    expect([refused.status, JSON.stringify(refused.body.errors)]).toEqual([422, expect.stringContaining('/nowhere')])
    await version(part.id, 3, '{{> whole}}')
    const circle = await author.publish('templates', part.id, 3, formatInstant(app.clock.now()))
    expect([circle.status, JSON.stringify(circle.body.errors)]).toEqual([
      422,
      expect.stringContaining('whole → part → whole'),
    ])
  })

  test('name what is not in force when something is submitted', async () => {
    const late = await frozen('late-clause', 'Late.')
    const start = formatInstant(app.clock.now())
    app.clock.advance(1_000)
    await author.publish('templates', late.id, 1, start)
    const letter = await frozen('late-letter', '{{> late-clause}}')
    expect((await author.publish('templates', letter.id, 1, start)).status).toBe(201)
    const models = await author.frozen('ingestion-models', 'late', model('late-letter'))
    await author.publish('ingestion-models', models.id, 1, start)
    const { activations } = (await author.get(`/activations?family_id=${late.id}`)).body
    await author.post(`/activations/${activations[0].id}/cancel`, { reason_code: 'test' })
    await app.database.write(({ q, t }) =>
      q
        .update(t.activations)
        .set({ cancelledAt: app.clock.now(), cancellationCode: 'test' })
        .where(eq(t.activations.familyId, late.id)),
    )
    const submitted = await submit('late')
    expect([submitted.status, submitted.body.detail]).toEqual([
      422,
      expect.stringContaining('"late-clause" has no version in force'),
    ])
  })

  test('are tried with what is in force, else with drafts', async () => {
    const draft = await author.family('templates', 'drafted')
    await author.put(`/templates/${draft}/draft`, wordPackage(p('Drafted {{/total}}')), { 'if-none-match': '*' })
    const letter = await frozen('trial-letter', '{{> drafted}}')
    const tried = await author.post(`/templates/${letter.id}/test`, { data: { total: '1' } })
    expect([tried.status, tried.body.errors]).toEqual([200, []])
    const missing = await author.post(`/templates/${letter.id}/test`, { data: {} })
    expect(missing.body.errors[0]).toMatchObject({ path: 'drafted>word/document.xml#1:8' })
    // The draft says what it includes, and so does a file that nobody has saved.
    expect((await author.get(`/templates/${letter.id}/draft`)).body.fragments).toEqual(['drafted'])
    expect((await author.get(`/templates/${draft}/draft`)).body).not.toHaveProperty('fragments')
    const bytes = (text: string) => wordPackage(p(text))
    const includes = async (text: string, accept: string) => {
      const sent = await author.form('POST', `/templates/${draft}/test`, { data: '{"total":"1"}' }, bytes(text), {
        accept,
      })
      return sent.body.fragments
    }
    for (const accept of ['application/json', 'application/vnd.quire.pages+json']) {
      expect([await includes('{{> drafted}}', accept), await includes('{{/total}}', accept)]).toEqual([
        ['drafted'],
        undefined,
      ])
    }
  })

  test('are planned and applied with what they include, in whatever order their files come', async () => {
    const files = {
      'contracts/person.schema.json': contractFile(),
      'templates/a-letter.docx': wordPackage(p('{{> z-closing}}')),
      'templates/z-closing.docx': wordPackage(p('{{/line}}')),
      'transformers/hello.yaml': transformerFile('Hello').replace('template: hello@1', 'template: a-letter@1'),
      'models/hello.yaml': modelFile().replace('template: hello', 'template: a-letter'),
      'cases/hello/ann.json': '{"name":"Ann"}',
    }
    const send = (path: string, sent: Files, fields = {}) =>
      author.form('POST', path, fields, zipOf(sent), {}, 'application/zip')
    const missing = await send('/project/plan', {
      ...files,
      'templates/z-closing.docx': wordPackage(p('{{/nowhere}}')),
    })
    expect([missing.body.valid, JSON.stringify(missing.body.issues)]).toEqual([
      false,
      expect.stringContaining('/nowhere'),
    ])
    const planned = (await send('/project/plan', files)).body
    expect([planned.issues, planned.cases_run, planned.broken_cases]).toEqual([[], 1, []])
    const applied = await send('/project/apply', files, { plan_hash: planned.plan_hash })
    expect(applied.status).toBe(200)
    const submitted = await author.post('/submissions', {
      ingestion_model: 'hello',
      raw_input: '{"name":"Ann"}',
      metadata,
    })
    expect(submitted.status).toBe(202)
    await executed(submitted.body.submission.executions[0].id)
    // What is not in the project is included as it is in force.
    const { 'templates/z-closing.docx': _, ...rest } = files
    expect((await send('/project/plan', rest)).body.issues).toEqual([])
  })

  test('come into force as one set with the model', async () => {
    await frozen('set-clause', 'Set.')
    await frozen('set-letter', '{{> set-clause}}')
    const models = await author.frozen('ingestion-models', 'set', model('set-letter'))
    const planned = await author.post('/activation-sets/plan', { ingestion_model_id: models.id })
    expect([planned.body.valid, planned.body.issues]).toEqual([true, []])
    expect(
      planned.body.members.map(({ slug, action }: { slug: string; action: string }) => `${slug} ${action}`),
    ).toEqual([...['orders none', 'data none', 'set-letter activate', 'set-clause activate', 'set activate']])
    const applied = await author.post('/activation-sets', {
      ingestion_model_id: models.id,
      plan_hash: planned.body.plan_hash,
    })
    expect(applied.status).toBe(200)
    expect((await submit('set')).status).toBe(202)
  })
})
