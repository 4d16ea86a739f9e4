import { beforeAll, expect, test } from 'bun:test'
import { addMs, formatInstant } from '../../../src/core/instant.ts'
import type { CalendarActivation } from '../../../src/modules/activations/activations.model.ts'
import { p, wordPackage } from '../../engines/docx/word-package.ts'
import { startTestApp, type TestApp } from '../../http/harness.ts'
import { contractText, templateBytes, transformerText } from '../../runner/letter.ts'
import { type Answered, Author, newKey, nobody } from '../../support/author.ts'
import { describeOnBothDialects } from '../../support/database.ts'
import { stateOf } from '../../support/refused.ts'

interface Told {
  kind: string
  slug: string
  action: string
  from_version?: number
  to_version?: number
}

describeOnBothDialects('a set that is put in force', (dialect) => {
  let app: TestApp
  let author: Author
  let viewer: Author

  beforeAll(async () => {
    app = await startTestApp(dialect)
    author = await Author.signIn(app, 'author')
    viewer = await Author.signIn(app, 'viewer', ['operator'])
  })

  let count = 0
  /** A model that nothing of is in force, with a contract that isn't published, a transformer and a template. */
  async function makeSet() {
    const slug = `set-${++count}`
    const made = await author.post('/contracts', { name: slug, description: '', schema: contractText })
    const contractId: string = made.body.contract.id
    await author.post(`/contracts/${contractId}/versions`, { expected_revision: 1 })
    const transformer = (await author.frozen('transformers', slug, transformerText.replace(/letters@/g, `${slug}@`))).id
    const template = (await author.frozen('templates', slug, await templateBytes())).id
    const model = (
      await author.frozen(
        'ingestion-models',
        slug,
        `model: ingestion-model-v1
contract: { name: ${slug}, version: 1 }
nodes:
  - { key: letter, label: Letter, transformer: ${slug}, template: ${slug} }
  - { key: data, label: Data, transformer: ${slug} }
`,
      )
    ).id
    return { slug, contractId, transformer, template, model }
  }
  const plan = (model: string, more: object = {}) =>
    author.post('/activation-sets/plan', { ingestion_model_id: model, ...more })
  const apply = (model: string, planHash: string, more: object = {}) =>
    author.post('/activation-sets', { ingestion_model_id: model, plan_hash: planHash, ...more })
  async function force(model: string, more: object = {}): Promise<Answered> {
    return apply(model, (await plan(model, more)).body.plan_hash, more)
  }
  async function changesNothing(work: () => Promise<Answered>): Promise<Answered> {
    const before = await stateOf(app.database)
    const answer = await work()
    expect(await stateOf(app.database)).toBe(before)
    return answer
  }
  const inForceOf = async (plural: string, id: string, at = formatInstant(app.clock.now())) => {
    const { status, body } = await author.get(`/${plural}/${id}/versions:resolve?at=${at}`)
    return status === 200 ? { version: body.version, since: body.effective_from } : undefined
  }
  const later = (days: number) => formatInstant(addMs(app.clock.now(), days * 86_400_000))
  const brief = (members: Told[]) =>
    members.map(({ kind, action, from_version: from = 0, to_version: to = 0 }) => `${kind} ${action} ${from}>${to}`)
  async function freezeAgain(transformer: string, slug: string, revision = 2): Promise<void> {
    const { headers } = await author.get(`/transformers/${transformer}/draft`)
    const source = `${transformerText.replace(/letters@/g, `${slug}@`)}# again ${revision}\n`
    const ifMatch = { 'if-match': headers.get('etag') ?? '' }
    const saved = await author.call('PUT', `/transformers/${transformer}/draft`, { source, format: 'yaml' }, ifMatch)
    expect(saved.status).toBe(200)
    expect((await author.freeze('transformers', transformer, revision)).status).toBe(201)
  }

  async function redraft(contractId: string, name: string, schema: string): Promise<void> {
    const draft = { name, description: '', schema, expected_revision: 1 }
    expect((await author.call('PUT', `/contracts/${contractId}`, draft)).status).toBe(200)
  }

  test('is planned whole, from the contract to the model, and planning changes nothing', async () => {
    const { slug, model } = await makeSet()
    const planned = await changesNothing(() => plan(model))
    expect([planned.status, planned.body.valid, planned.body.issues]).toEqual([200, true, []])
    expect(brief(planned.body.members)).toEqual([
      'contract publish 0>1',
      'transformer activate 0>1',
      'template activate 0>1',
      'ingestion_model activate 0>1',
    ])
    expect(planned.body.members[1].nodes).toEqual([`${slug}:letter`, `${slug}:data`])
    expect(planned.body.members[2].nodes).toEqual([`${slug}:letter`])
  })

  test('has a template that several of its templates include once, also if a transformer has the same slug', async () => {
    const { slug } = await makeSet()
    // The transformer of this slug is in the set as well.
    await author.frozen('templates', `${slug}-clause`, wordPackage(p('A clause.')))
    await author.frozen('transformers', `${slug}-clause`, transformerText.replace(/letters@/g, `${slug}@`))
    for (const name of ['first', 'second'])
      await author.frozen('templates', `${slug}-${name}`, wordPackage(p('Dear,') + p(`{{> ${slug}-clause}}`)))
    const nodes = ['first', 'second'].map(
      (name) => `  - { key: ${name}, label: L, transformer: ${slug}-clause, template: ${slug}-${name} }\n`,
    )
    const source = `model: ingestion-model-v1\ncontract: { name: ${slug}, version: 1 }\nnodes:\n${nodes.join('')}`
    const { id } = await author.frozen('ingestion-models', `${slug}-both`, source)
    const planned = await plan(id)
    expect(planned.body.issues).toEqual([])
    expect(planned.body.members.map(({ kind, slug: of }: Told) => `${kind} ${of.slice(slug.length)}`)).toEqual([
      'contract ',
      'transformer -clause',
      'template -first',
      'template -second',
      'template -clause',
      'ingestion_model -both',
    ])
  })

  test('is in force from one instant on, and a submission finds all of it', async () => {
    const { slug, model, transformer, template } = await makeSet()
    const applied = await force(model)
    expect(applied.status).toBe(200)
    const { effective_from: from, activations } = applied.body
    expect(activations.map(({ kind, status }: { kind: string; status: string }) => `${kind} ${status}`)).toEqual([
      'transformer active',
      'template active',
      'ingestion_model active',
    ])
    for (const [plural, id] of [
      ['transformers', transformer],
      ['templates', template],
      ['ingestion-models', model],
    ] as const) {
      expect(await inForceOf(plural, id)).toEqual({ version: 1, since: from })
    }
    const submitted = await author.post('/submissions', {
      ingestion_model: slug,
      raw_input: '{"total": 1, "name": "Ada"}',
    })
    expect([submitted.status, submitted.body.submission.executions.length]).toEqual([202, 2])
    const again = await plan(model)
    expect(again.body.members.every(({ action }: Told) => action === 'none')).toBe(true)
  })

  test('goes back to what was in force before the last change, as one', async () => {
    const { slug, model, transformer, template } = await makeSet()
    await force(model)
    app.clock.advance(60_000)
    await freezeAgain(transformer, slug)
    const second = await force(model)
    expect(second.body.activations).toHaveLength(1)
    expect((await inForceOf('transformers', transformer))?.version).toBe(2)
    app.clock.advance(60_000)
    const back = await plan(model, { state: 'before' })
    expect([back.body.valid, brief(back.body.members)]).toEqual([
      true,
      ['contract none 0>1', 'transformer activate 2>1', 'template none 1>1', 'ingestion_model none 1>1'],
    ])
    const applied = await apply(model, back.body.plan_hash, { state: 'before' })
    expect(applied.status).toBe(200)
    expect((await inForceOf('transformers', transformer))?.version).toBe(1)
    expect((await inForceOf('templates', template))?.version).toBe(1)
  })

  test('goes back to what was in force at any instant that has been, as one', async () => {
    const { slug, model, transformer } = await makeSet()
    await force(model)
    const asOf = formatInstant(app.clock.now())
    for (const number of [2, 3]) {
      app.clock.advance(60_000)
      await freezeAgain(transformer, slug, number)
      await force(model)
    }
    expect((await inForceOf('transformers', transformer))?.version).toBe(3)
    app.clock.advance(60_000)
    const past = { state: 'past', as_of: asOf }
    const back = await plan(model, past)
    expect([back.body.valid, brief(back.body.members)]).toEqual([
      true,
      ['contract none 0>1', 'transformer activate 3>1', 'template none 1>1', 'ingestion_model none 1>1'],
    ])
    expect((await apply(model, back.body.plan_hash, past)).status).toBe(200)
    expect((await inForceOf('transformers', transformer))?.version).toBe(1)
    const nothing = await plan(model, { state: 'past', as_of: later(-12) })
    expect(nothing.body.issues[0].message).toBe(
      `Nothing of the ingestion model "${slug}" was in force before. Choose a version of it.`,
    )
    for (const [more, told] of [
      [{ state: 'past' }, 'Body field as_of is missing.'],
      [{ state: 'before', as_of: asOf }, 'Body field as_of is only for the state past.'],
      [{ as_of: asOf }, 'Body field as_of is only for the state past.'],
      [{ state: 'past', as_of: later(1) }, 'Body field as_of is still to come.'],
    ] as const) {
      const { status, body } = await changesNothing(() => plan(model, more))
      expect([status, body.detail]).toEqual([422, expect.stringContaining(told)])
    }
  })

  test('is one change of the calendar, with its contract, what it takes over from and how long it lasts', async () => {
    const { slug, contractId, model, transformer } = await makeSet()
    const first = await force(model)
    const from: string = first.body.effective_from
    await freezeAgain(transformer, slug)
    const at = later(2)
    const coming = await force(model, { effective_from: at })
    const calendar = async (query: string) => (await author.get(`/activations/calendar?${query}`)).body
    const all = await calendar(`from=${from}&before=${later(3)}`)
    const own: CalendarActivation[] = all.activations.filter((one: CalendarActivation) => one.family_slug === slug)
    expect(new Set(own.map((one) => one.correlation_id)).size).toBe(2)
    expect(all.total).toBe(all.activations.length)
    expect(own).toHaveLength(first.body.activations.length + coming.body.activations.length)
    const isOf = (kind: string) => own.filter((one) => one.kind === kind)
    expect(isOf('ingestion_model')).toEqual([
      expect.objectContaining({ contract: { family_id: contractId, slug, version: 1 } }),
    ])
    const [before, after] = isOf('transformer')
    expect(before).toMatchObject({ version: 1, status: 'active', effective_from: from, until: at })
    expect(before).not.toHaveProperty('from_version')
    expect(after).toMatchObject({ version: 2, status: 'scheduled', effective_from: at, from_version: 1 })
    expect(after).not.toHaveProperty('until')
    // The range has its first instant and not its last.
    const ofFamily = `family_id=${transformer.toUpperCase()}`
    const between = await calendar(`from=${later(1)}&before=${at}&${ofFamily}`)
    expect(between).toEqual({ activations: [], total: 0, previous_at: from, next_at: at })
    const last = await calendar(`from=${at}&before=${later(4)}&${ofFamily}`)
    expect([last.total, last.previous_at, last.next_at]).toEqual([1, from, undefined])
    expect((await calendar(`from=${from}&before=${later(3)}&kind=template&${ofFamily}`)).total).toBe(0)
    // What was taken back never comes, and ends nothing.
    const ids = coming.body.activations.map(({ id }: { id: string }) => id)
    await author.post('/activation-sets/cancel', { activation_ids: ids, cancellation_code: 'not_yet' })
    const { activations: left } = await calendar(`from=${from}&before=${later(3)}&${ofFamily}`)
    const { until: _until, ...lasting } = before!
    expect(left).toEqual([lasting])
  })

  test('can be planned for later with chosen versions, and taken back as one', async () => {
    const { slug, model, transformer } = await makeSet()
    await freezeAgain(transformer, slug)
    const from = later(3)
    const more = { effective_from: from, versions: [{ family_id: transformer.toUpperCase(), version: 1 }] }
    const planned = await plan(model, more)
    expect(planned.body.members[1]).toMatchObject({ to_version: 1, newest_version: 2 })
    const { body } = await apply(model, planned.body.plan_hash, more)
    expect(await inForceOf('ingestion-models', model)).toBeUndefined()
    expect(await inForceOf('ingestion-models', model, later(4))).toEqual({ version: 1, since: from })
    const now = await plan(model)
    expect(now.body.members[1].next).toEqual({ version: 1, effective_from: from })
    const ids = body.activations.map(({ id }: { id: string }) => id)
    const cancel = (activationIds: string[]) =>
      author.post('/activation-sets/cancel', { activation_ids: activationIds, cancellation_code: 'not_yet' })
    // One that is none leaves all the others as they are.
    expect((await changesNothing(() => cancel([...ids, nobody]))).status).toBe(404)
    expect((await changesNothing(() => cancel([]))).status).toBe(422)
    const cancelled = await cancel(ids)
    expect(cancelled.body.activations.map(({ status }: { status: string }) => status)).toEqual(
      ids.map(() => 'cancelled'),
    )
    expect(await inForceOf('ingestion-models', model, later(4))).toBeUndefined()
    expect((await changesNothing(() => cancel(ids))).status).toBe(409)
  })

  test('of drafts is frozen and in force in one step, with the contract that the model names next', async () => {
    const { slug, model, transformer, contractId } = await makeSet()
    await force(model)
    app.clock.advance(60_000)
    const put = async (plural: string, id: string, source: string) => {
      const { headers } = await author.get(`/${plural}/${id}/draft`)
      const ifMatch = { 'if-match': headers.get('etag') ?? '' }
      expect((await author.call('PUT', `/${plural}/${id}/draft`, { source, format: 'yaml' }, ifMatch)).status).toBe(200)
    }
    const looser = contractText.replace('"minimum":0', '"minimum":-5')
    await redraft(contractId, slug, looser)
    await put('transformers', transformer, `${transformerText.replace(/letters@/g, `${slug}@`)}# drafted\n`)
    // Without the model's, the contract's draft is no part of it.
    const drafts = { state: 'drafts' }
    const own = await changesNothing(() => plan(model, drafts))
    expect(brief(own.body.members)).toEqual([
      'contract none 0>1',
      'transformer activate 1>2',
      'template none 1>1',
      'ingestion_model none 1>1',
    ])
    expect(own.body.members.map((member: { freezes_revision?: number }) => member.freezes_revision)).toEqual([
      undefined,
      2,
      undefined,
      undefined,
    ])
    await put(
      'ingestion-models',
      model,
      `model: ingestion-model-v1\ncontract: { name: ${slug}, version: 2 }\nnodes:\n  - { key: letter, label: Letter, transformer: ${slug}, template: ${slug} }\n`,
    )
    const planned = await changesNothing(() => plan(model, drafts))
    expect([planned.body.valid, brief(planned.body.members)]).toEqual([
      true,
      ['contract publish 1>2', 'transformer activate 1>2', 'template none 1>1', 'ingestion_model activate 1>2'],
    ])
    // A draft that is saved meanwhile is not what somebody looked at.
    await put('transformers', transformer, `${transformerText.replace(/letters@/g, `${slug}@`)}# later\n`)
    expect((await changesNothing(() => apply(model, planned.body.plan_hash, drafts))).status).toBe(409)
    const applied = await force(model, drafts)
    expect(applied.status).toBe(200)
    expect((await inForceOf('transformers', transformer))?.version).toBe(2)
    expect((await author.get(`/contracts/${contractId}`)).body.versions.at(0).status).toBe('published')
    expect((await plan(model, drafts)).body.members.every(({ action }: Told) => action === 'none')).toBe(true)
    // And all of it goes back as one.
    app.clock.advance(60_000)
    expect((await force(model, { state: 'before' })).status).toBe(200)
    expect((await inForceOf('ingestion-models', model))?.version).toBe(1)
  })

  test('of a draft with errors is refused at its place, unless another version is named', async () => {
    const { slug, model, transformer } = await makeSet()
    const wrong = { source: 'transform: declarative-v1\noutput: { a: { $nothing: 1 } }\n', format: 'yaml' }
    await author.call('PUT', `/transformers/${transformer}/draft`, wrong, { 'if-match': '"1"' })
    const drafts = { state: 'drafts' }
    const planned = await changesNothing(() => plan(model, drafts))
    expect([planned.body.valid, planned.body.issues[0].path]).toEqual([false, `${slug}#/output/a/$nothing`])
    expect((await changesNothing(() => apply(model, planned.body.plan_hash, drafts))).status).toBe(422)
    const versions = [{ family_id: transformer, version: 1 }]
    expect((await plan(model, { ...drafts, versions })).body).toMatchObject({ valid: true, issues: [] })
  })

  test('is tried with the cases of its contract, and those of the version before where the new one has none', async () => {
    const { slug, model, contractId, transformer } = await makeSet()
    const versionId = (await author.get(`/contracts/${contractId}`)).body.versions[0].id
    const payload = '{"name":"Ada","total":1}'
    await author.post('/cases/import', { contract_version_id: versionId, kind: 'valid', payload })
    expect((await plan(model)).body).toMatchObject({ cases_run: 1, broken_cases: [] })
    const stricter = contractText.replace('"minimum":0', '"minimum":5')
    await redraft(contractId, slug, stricter)
    const source = `model: ingestion-model-v1\ncontract: { name: ${slug}, version: 2 }\nnodes:\n  - { key: data, label: Data, transformer: ${slug} }\n`
    await author.call('PUT', `/ingestion-models/${model}/draft`, { source, format: 'yaml' }, { 'if-match': '"1"' })
    const named = transformerText.replace(/letters@\d/g, `${slug}@2`)
    await author.call(
      'PUT',
      `/transformers/${transformer}/draft`,
      { source: named, format: 'yaml' },
      { 'if-match': '"1"' },
    )
    const broken = await plan(model, { state: 'drafts' })
    expect([broken.body.valid, broken.body.cases_run]).toEqual([true, 1])
    expect(broken.body.broken_cases).toMatchObject([{ node: 'data', step: 'validate' }])
    expect(broken.body.broken_cases[0].name).toStartWith(`${slug}@1 valid`)
  })

  test('that does not fit together is reported by its parts, and nothing of it comes into force', async () => {
    const { slug, model, transformer } = await makeSet()
    const wrong = `transform: declarative-v1\ncontract: ${slug}@1\noutput: { other: /name }\n`
    const ifMatch = { 'if-match': '"1"' }
    await author.call('PUT', `/transformers/${transformer}/draft`, { source: wrong, format: 'yaml' }, ifMatch)
    await author.freeze('transformers', transformer, 2)
    const planned = await changesNothing(() => plan(model))
    expect(planned.body.valid).toBe(false)
    expect(planned.body.issues[0].path).toStartWith(slug)
    const refused = await changesNothing(() => apply(model, planned.body.plan_hash))
    expect([refused.status, refused.body.errors.length > 0]).toEqual([422, true])
    const chosen = { versions: [{ family_id: transformer, version: 1 }] }
    expect((await plan(model, chosen)).body.valid).toBe(true)
    const gone = await plan(model, { versions: [{ family_id: transformer, version: 9 }] })
    expect(gone.body.issues).toMatchObject([{ code: 'set.no_version', path: slug }])
    expect((await plan(model, { state: 'before' })).body.valid).toBe(false)
  })

  test('refuses a version that it has no use for: of a family outside of it, given twice, or of the contract', async () => {
    const [{ slug, model, transformer, contractId }, other] = [await makeSet(), await makeSet()]
    const of = (family_id: string, version = 1) => ({ family_id, version })
    for (const [versions, words] of [
      [[of(other.transformer)], `versions/0: The set has no family ${other.transformer}.`],
      [[of(transformer), of(nobody)], `versions/1: The set has no family ${nobody}.`],
      [[of(transformer), of(transformer, 2)], `versions/1: A version of ${slug} is named already.`],
      [[of(contractId, 2)], `versions/0: The ingestion model names version 1 of ${slug}.`],
    ] as const) {
      const planned = await changesNothing(() => plan(model, { versions }))
      expect([planned.status, planned.body.valid]).toEqual([200, false])
      const told = planned.body.issues.map(({ path, message }: Record<string, string>) => `${path}: ${message}`)
      expect(told).toEqual([expect.stringContaining(words)])
      expect((await changesNothing(() => apply(model, planned.body.plan_hash, { versions }))).status).toBe(422)
    }
    const own = { versions: [of(transformer), of(contractId), of(model)] }
    expect((await plan(model, own)).body).toMatchObject({ valid: true, issues: [] })
    expect((await force(other.model)).status).toBe(200)
  })

  test('is applied only as it was planned, once for each key, and by authors', async () => {
    const { slug, model, transformer } = await makeSet()
    const planned = await plan(model)
    await freezeAgain(transformer, slug)
    expect((await changesNothing(() => apply(model, planned.body.plan_hash))).status).toBe(409)
    const fresh = (await plan(model)).body.plan_hash
    const key = { 'idempotency-key': newKey() }
    const body = { ingestion_model_id: model, plan_hash: fresh }
    const first = await author.post('/activation-sets', body, key)
    expect(first.status).toBe(200)
    expect((await changesNothing(() => author.post('/activation-sets', body, key))).body).toEqual(first.body)
    expect(
      (await changesNothing(() => viewer.post('/activation-sets/plan', { ingestion_model_id: model }))).status,
    ).toBe(403)
    expect((await plan(nobody)).status).toBe(404)
    expect((await apply(nobody, fresh)).status).toBe(404)
    for (const wrong of [{ effective_from: '2020-01-01T00:00:00Z' }, { state: 'old' }, { versions: [{}] }]) {
      expect((await changesNothing(() => plan(model, wrong))).status).toBe(422)
    }
  })
})
