import { beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { canonicalHash } from '../../../src/core/canonical.ts'
import { addMs, formatInstant, type Instant, instantFromEpochMs } from '../../../src/core/instant.ts'
import { limits } from '../../../src/core/limits.ts'
import { newestReading, type Reading } from '../../../src/core/reading.ts'
import { demo } from '../../../src/demo/demo.ts'
import { createActivationService } from '../../../src/modules/activations/activations.service.ts'
import { findActivation, insertActivation } from '../../../src/modules/activations/activations.store.ts'
import { judgeHere } from '../../../src/modules/drafts/judge-here.service.ts'
import { startTestApp, type TestApp } from '../../http/harness.ts'
import { contractText, templateBytes, transformerText } from '../../runner/letter.ts'
import { type Answered, Author, newKey, nobody } from '../../support/author.ts'
import { describeOnBothDialects } from '../../support/database.ts'
import { noSuites } from '../../support/no-suites.ts'
import { plansOf } from '../../support/plan.ts'
import { brokenBodies, brokenProperties, stateOf } from '../../support/refused.ts'

const source = (number: number) => `transform: declarative-v1\noutput: ${number}\n`

describeOnBothDialects('activations', (dialect) => {
  let app: TestApp
  let author: Author
  let slugs = 0
  let id: string

  beforeAll(async () => {
    app = await startTestApp(dialect)
    author = await Author.signIn(app, 'author')
  })

  /** A transformer with three frozen versions. */
  beforeEach(async () => {
    id = (await author.frozen('transformers', `timeline-${++slugs}`, source(1))).id
    for (const number of [2, 3]) {
      const headers = { 'if-match': `"${number - 1}"` }
      await author.call('PUT', `/transformers/${id}/draft`, { source: source(number), format: 'yaml' }, headers)
      await author.freeze('transformers', id, number)
    }
  })

  const inMs = (milliseconds: number) => formatInstant(addMs(app.clock.now(), milliseconds))
  const publish = (number: number, from: string, headers = {}) =>
    author.publish('transformers', id, number, from, headers)
  const resolve = (at: string) => author.get(`/transformers/${id}/versions:resolve?at=${encodeURIComponent(at)}`)
  const versionAt = async (at: string) => (await resolve(at)).body.version as number | undefined
  const statuses = async () =>
    (await author.get(`/activations?family_id=${id}`)).body.activations.map(
      (one: { version: number; status: string }) => [one.version, one.status],
    )
  const cancel = (activationId: string, headers = {}) =>
    author.post(`/activations/${activationId}/cancel`, { cancellation_code: 'not_needed' }, headers)
  async function changesNothing(work: () => Promise<Answered>): Promise<Answered> {
    const before = await stateOf(app.database)
    const answer = await work()
    expect(await stateOf(app.database)).toBe(before)
    return answer
  }

  test('a publication says what is in force from when, and publishes the version', async () => {
    const from = inMs(60_000)
    const published = await publish(1, from)
    expect(published.status).toBe(201)
    const { result, response_hash: hash } = structuredClone(published.body)
    expect(hash).toBe(canonicalHash(result))
    const version = (await author.get(`/transformers/${id}/versions/1`)).body
    expect(version.status).toBe('published')
    expect(published.body).toMatchObject({ resource_kind: 'activation', resource_id: result.activation_id })
    expect(result).toEqual({
      kind: 'transformer',
      family_id: id,
      family_slug: `timeline-${slugs}`,
      version_id: version.id,
      version: 1,
      content_hash: version.content_hash,
      activation_id: result.activation_id,
      effective_from: from,
      scheduled_at: result.scheduled_at,
    })
    const { body } = await author.get(`/activations?family_id=${id}`)
    expect(body.activations).toEqual([
      {
        id: result.activation_id,
        kind: 'transformer',
        family_id: id,
        family_slug: `timeline-${slugs}`,
        version_id: version.id,
        version: 1,
        content_hash: version.content_hash,
        effective_from: from,
        scheduled_by: expect.any(String),
        correlation_id: published.body.correlation_id,
        scheduled_at: result.scheduled_at,
        status: 'scheduled',
      },
    ])
  })

  test('the active one is the latest that started, to the nanosecond', async () => {
    await publish(1, '2026-01-01T00:00:00Z')
    await publish(2, '2027-01-01T00:00:00.000000001Z')
    await publish(3, '2027-01-01T00:00:00.000000002Z')
    expect(await versionAt('2025-12-31T23:59:59.999999999Z')).toBeUndefined()
    expect((await resolve('2025-12-31T23:59:59.999999999Z')).status).toBe(404)
    expect(await versionAt('2026-01-01T00:00:00Z')).toBe(1)
    expect(await versionAt('2027-01-01T00:00:00Z')).toBe(1)
    expect(await versionAt('2027-01-01T00:00:00.000000001Z')).toBe(2)
    expect(await versionAt('2027-01-01T00:00:00.0000000019Z')).toBeUndefined()
    expect(await versionAt('2027-01-01T00:00:00.000000002Z')).toBe(3)
    expect(await versionAt('2027-01-01T01:00:00.000000001+01:00')).toBe(2)
    expect(await statuses()).toEqual([
      [3, 'scheduled'],
      [2, 'scheduled'],
      [1, 'active'],
    ])
  })

  test('statuses follow the clock, and filters with them', async () => {
    await publish(1, '2026-01-01T00:00:00Z')
    const next = addMs(app.clock.now(), 60_000)
    await publish(2, formatInstant(next))
    const only = async (status: string) =>
      (await author.get(`/activations?family_id=${id}&status=${status}`)).body.activations.map(
        (one: { version: number; status: string }) => {
          expect(one.status).toBe(status)
          return one.version
        },
      )
    expect([await only('active'), await only('scheduled'), await only('superseded')]).toEqual([[1], [2], []])
    app.clock.advance(60_000)
    expect([await only('active'), await only('scheduled'), await only('superseded')]).toEqual([[2], [], [1]])
    expect(await only('cancelled')).toEqual([])
    expect(await statuses()).toEqual([
      [2, 'active'],
      [1, 'superseded'],
    ])
  })

  describe('history never changes', () => {
    test('the first activation may lie in the past, a later one only after the one in force', async () => {
      expect((await publish(1, '2020-01-01T00:00:00Z')).status).toBe(201)
      const earlier = await changesNothing(() => publish(2, '2019-12-31T23:59:59.999999999Z'))
      expect([earlier.status, earlier.body.errors.length]).toEqual([409, 1])
      expect((await publish(2, '2020-01-01T00:00:00.000000001Z')).status).toBe(201)
      expect((await changesNothing(() => publish(3, '2020-01-01T00:00:00.000000001Z'))).status).toBe(409)
      // Between the two, where version 1 was in force for a nanosecond.
      expect((await changesNothing(() => publish(3, '2020-01-01T00:00:00Z'))).status).toBe(409)
      expect((await author.get(`/transformers/${id}/versions/3`)).body.status).toBe('versioned')
    })

    test('with only a scheduled one, nothing more may begin in the past', async () => {
      await publish(1, inMs(3_600_000))
      expect((await changesNothing(() => publish(2, inMs(-1000)))).status).toBe(409)
      expect((await publish(2, inMs(1000))).status).toBe(201)
    })

    test('one version may be in force again, as a new activation', async () => {
      await publish(1, '2026-01-01T00:00:00Z')
      await publish(2, inMs(1000))
      expect((await publish(1, inMs(2000))).status).toBe(201)
      app.clock.advance(5000)
      expect(await statuses()).toEqual([
        [1, 'active'],
        [2, 'superseded'],
        [1, 'superseded'],
      ])
    })

    test('only an activation that has not started is cancelled, and its instant is free again', async () => {
      const begun = (await publish(1, '2026-01-01T00:00:00Z')).body.resource_id
      const from = inMs(60_000)
      const planned = (await publish(2, from)).body.resource_id
      expect((await changesNothing(() => publish(3, from))).status).toBe(409)
      expect((await changesNothing(() => cancel(begun))).status).toBe(409)
      const cancelled = await cancel(planned)
      const { result } = structuredClone(cancelled.body)
      expect([cancelled.status, cancelled.body.response_hash]).toEqual([200, canonicalHash(result)])
      expect(result).toEqual({
        activation_id: planned,
        kind: 'transformer',
        family_id: id,
        version_id: expect.any(String),
        effective_from: from,
        cancelled_at: expect.any(String),
        cancellation_code: 'not_needed',
      })
      expect((await changesNothing(() => cancel(planned))).status).toBe(409)
      expect((await publish(3, from)).status).toBe(201)
      expect(await versionAt(from)).toBe(3)
      expect(await statuses()).toEqual([
        [3, 'scheduled'],
        [2, 'cancelled'],
        [1, 'active'],
      ])
      const [, one] = (await author.get(`/activations?family_id=${id}`)).body.activations
      expect(one).toMatchObject({
        status: 'cancelled',
        cancellation_code: 'not_needed',
        cancelled_at: expect.any(String),
      })
      app.clock.advance(120_000)
      expect((await changesNothing(() => cancel(planned))).status).toBe(409)
    })

    test('a family whose every activation was cancelled may begin in the past again', async () => {
      const planned = (await publish(1, inMs(60_000))).body.resource_id
      await cancel(planned)
      expect((await publish(1, '2020-01-01T00:00:00Z')).status).toBe(201)
    })

    test('of many publications for one instant at once, one is taken', async () => {
      const from = inMs(3_600_000)
      const answers = await Promise.all([1, 2, 3, 1, 2, 3].map((number) => publish(number, from)))
      expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409, 409])
      expect(await statuses()).toHaveLength(1)
    })
  })

  test('keys are honoured by publish and cancel', async () => {
    const key = { 'idempotency-key': newKey() }
    const from = inMs(60_000)
    const published = await publish(1, from, key)
    const replayed = await changesNothing(() => publish(1, from, key))
    expect([replayed.status, replayed.body]).toEqual([201, { ...published.body, idempotent_replay: true }])
    expect((await changesNothing(() => publish(1, inMs(61_000), key))).status).toBe(409)
    const cancelling = { 'idempotency-key': newKey() }
    const cancelled = await cancel(published.body.resource_id, cancelling)
    const again = await changesNothing(() => cancel(published.body.resource_id, cancelling))
    expect([again.status, again.body]).toEqual([200, { ...cancelled.body, idempotent_replay: true }])
    for (const headers of [{ 'idempotency-key': undefined }, { 'idempotency-key': '-leading' }]) {
      expect((await publish(2, from, headers)).status).toBe(422)
      expect((await cancel(published.body.resource_id, headers)).status).toBe(422)
    }
  })

  test('events and audit records tell of both', async () => {
    const { resource_id: activationId } = (await publish(1, inMs(60_000))).body
    await cancel(activationId)
    const { q, t } = app.database.read
    const events = (await q.select().from(t.events)).filter((event) => event.aggregateId === activationId)
    expect(events.map(({ type, sequence }) => [type, sequence]).sort()).toEqual([
      ['cancelled', 2],
      ['scheduled', 1],
    ])
    const audit = (await q.select().from(t.auditRecords)).filter(({ resourceId }) => resourceId === activationId)
    expect(audit.map(({ action }) => action).sort()).toEqual(['activation.cancelled', 'activation.scheduled'])
  })

  describe('bad input', () => {
    test.each([
      ...brokenBodies({ effective_from: '2027-01-01T00:00:00Z' }),
      ...brokenProperties({ effective_from: '2027-01-01T00:00:00Z' }),
    ])('a publication of %s is 422', async (_name, text) => {
      const refused = await changesNothing(() => author.call('POST', `/transformers/${id}/versions/1/publish`, text))
      expect(refused.status).toBe(422)
    })

    test.each([
      '2027-01-01',
      '2027-01-01T00:00:00',
      '2027-02-30T00:00:00Z',
      '2027-01-01T00:00:60Z',
      '2027-01-01T00:00:00.0000000001Z',
      'soon',
      '',
    ])('the time %p is 422', async (time) => {
      expect((await changesNothing(() => publish(1, time))).status).toBe(422)
      expect((await resolve(time)).status).toBe(422)
    })

    test('ids, numbers, codes and filters of the wrong form or of nothing are refused', async () => {
      expect((await resolve('2027-01-01T00:00:00Z')).status).toBe(404)
      expect((await author.get(`/transformers/${id}/versions:resolve`)).status).toBe(422)
      expect((await author.get(`/transformers/${nobody}/versions:resolve?at=2027-01-01T00:00:00Z`)).status).toBe(404)
      expect((await publish(4, '2027-01-01T00:00:00Z')).status).toBe(404)
      expect((await author.publish('templates', id, 1, '2027-01-01T00:00:00Z')).status).toBe(404)
      expect((await cancel(nobody)).status).toBe(404)
      expect((await cancel('nobody')).status).toBe(422)
      const planned = (await publish(1, inMs(60_000))).body.resource_id
      for (const code of ['Not_Needed', 'a-b', '_a', 'a__b', 'a'.repeat(65), '', 7]) {
        const refused = await changesNothing(() =>
          author.post(`/activations/${planned}/cancel`, { cancellation_code: code }),
        )
        expect([code, refused.status]).toEqual([code, 422])
      }
      for (const query of ['kind=contract', 'status=done', 'family_id=x', 'limit=0', `cursor=${nobody}`, 'at=1']) {
        expect([query, (await author.get(`/activations?${query}`)).status]).toEqual([query, 422])
      }
      expect((await cancel(planned)).status).toBe(200)
    })
  })

  test('lists page through every activation once, and are read from their indexes', async () => {
    for (const number of [1, 2, 3, 1, 2]) await publish(number, inMs(1000 * (slugs * 10 + ++counter)))
    const seen: string[] = []
    for (let cursor = ''; ; ) {
      const { body } = await author.get(`/activations?kind=transformer&limit=2${cursor}`)
      seen.push(...body.activations.map((one: { id: string }) => one.id))
      if (body.next_cursor === undefined) break
      cursor = `&cursor=${body.next_cursor}`
    }
    expect(new Set(seen).size).toBe(seen.length)
    expect(seen.length).toBeGreaterThanOrEqual(5)
    const service = createActivationService(app.database, app.clock, noSuites(judgeHere))
    const plan = async (query: object) => {
      const [due, page] = await plansOf(app.database, 'activations', () => service.list({ limit: 1, ...query }))
      expect(due).toContain('activations_due')
      expect(due).not.toMatch(/USE TEMP B-TREE|Sort|Seq Scan/)
      return page!
    }
    const cursor = { cursor: seen[0]! }
    for (const [query, index] of [
      [{}, 'activations_page'],
      [cursor, 'activations_page'],
      [{ kind: 'transformer' }, 'activations_kind_page'],
      [{ kind: 'transformer', ...cursor }, 'activations_kind_page'],
      [{ family_id: id }, 'activations_family_page'],
      [{ family_id: id, ...cursor }, 'activations_family_page'],
      [{ family_id: id, status: 'active' }, 'activations_family_status_page'],
      [{ family_id: id, kind: 'transformer', status: 'active' }, 'activations_family_status_page'],
      [{ family_id: id, status: 'scheduled', ...cursor }, 'activations_family_status_page'],
      [{ kind: 'transformer', status: 'superseded', ...cursor }, 'activations_kind_status_page'],
      [{ status: 'active' }, 'activations_status_page'],
      [{ status: 'cancelled', ...cursor }, 'activations_status_page'],
    ] as const) {
      const text = await plan(query)
      expect(text).toContain(index)
      expect(text).not.toMatch(/USE TEMP B-TREE|Sort|Seq Scan/)
    }
  })

  test('of a calendar are bounded in their range and their number, and read along their index', async () => {
    const first = Date.UTC(2050, 0, 1)
    const at = (days: number) => formatInstant(instantFromEpochMs(first + days * 86_400_000))
    const { resource_id: activationId } = (await publish(1, at(0))).body
    const count = limits.calendarActivations + 1
    await app.database.write(async (tx) => {
      const row = (await findActivation(tx, activationId))!
      for (let number = 1; number < count; number++) {
        const effectiveFrom = addMs(row.effectiveFrom, number * 60_000)
        await insertActivation(tx, { ...row, id: crypto.randomUUID(), effectiveFrom })
      }
    })
    const calendar = (query: string) => author.get(`/activations/calendar?${query}`)
    const { body } = await calendar(`from=${at(0)}&before=${at(400)}`)
    expect([body.total, body.activations.length]).toEqual([count, count - 1])
    expect(body.activations[0].effective_from).toBe(at(0))
    expect(body.activations[0].until).toBe(body.activations[1].effective_from)
    for (const [query, told] of [
      [`from=${at(1)}&before=${at(1)}`, 'is not after from'],
      [`from=${at(1)}&before=${at(402)}`, 'is more than 400 days after from'],
      [`from=${at(1)}`, 'before'],
      [`from=today&before=${at(1)}`, 'from'],
    ] as const) {
      const refused = await calendar(query)
      expect([refused.status, JSON.stringify(refused.body)]).toEqual([422, expect.stringContaining(told)])
    }
    const service = createActivationService(app.database, app.clock, noSuites(judgeHere))
    for (const more of [{}, { kind: 'transformer' as const }]) {
      const plans = await plansOf(app.database, 'activations', () =>
        service.calendar({ from: at(0), before: at(1), ...more }),
      )
      for (const text of plans) expect(text).not.toMatch(/USE TEMP B-TREE|Sort|Seq Scan/)
      expect(plans.filter((text) => text.includes('activations_calendar'))).toHaveLength(3)
    }
    // Whatever comes into force in the tests below would be checked at each of these instants.
    await app.database.write((tx) => tx.q.delete(tx.t.activations).where(eq(tx.t.activations.familyId, id)))
  })

  let counter = 0

  describe('what would be in force together must fit', () => {
    const past = '2026-01-01T00:00:00Z'
    const model = (contract: string, transformer: string, template?: string) => `model: ingestion-model-v1
contract: { name: ${contract}, version: 1 }
nodes:
  - { key: letter, label: Letter, transformer: ${transformer}${template === undefined ? '' : `, template: ${template}`} }
`
    async function chain() {
      const name = `chain-${++slugs}`
      await author.contract(name, contractText)
      const transformer = await author.frozen('transformers', name, transformerText)
      const template = await author.frozen('templates', name, await templateBytes())
      const ingestion = await author.frozen('ingestion-models', name, model(name, name, name))
      return { name, transformer: transformer.id, template: template.id, model: ingestion.id }
    }
    const change = async (plural: string, familyId: string, text: string) => {
      const path = `/${plural}/${familyId}/draft`
      await author.call('PUT', path, { source: text, format: 'yaml' }, { 'if-match': '"1"' })
      await author.freeze(plural, familyId, 2)
    }

    test('a model wants its contract published and its parts in force', async () => {
      const made = await chain()
      const refused = await changesNothing(() => author.publish('ingestion-models', made.model, 1, past))
      expect(refused.status).toBe(422)
      expect(refused.body.errors.map((one: { path: string; code: string }) => [one.path, one.code])).toEqual([
        ['/nodes/0/transformer', 'nothing_in_force'],
        ['/nodes/0/template', 'nothing_in_force'],
      ])
      expect(refused.body.errors[0]).toMatchObject({
        stage: 'chain',
        resource_kind: 'ingestion_model',
        resource_id: made.model,
      })
      expect((await author.publish('transformers', made.transformer, 1, past)).status).toBe(201)
      expect((await author.publish('templates', made.template, 1, past)).status).toBe(201)
      expect((await author.publish('ingestion-models', made.model, 1, past)).status).toBe(201)
      const lost = await author.frozen('ingestion-models', `lost-${slugs}`, model('no-such-contract', made.name))
      const unknown = await author.publish('ingestion-models', lost.id, 1, past)
      expect([unknown.status, unknown.body.errors[0].code]).toEqual([422, 'contract_unavailable'])
    })

    test('a model names its contract by name or slug, and compares its conditions with it', async () => {
      const made = await chain()
      await author.publish('transformers', made.transformer, 1, past)
      await author.publish('templates', made.template, 1, past)
      const name = `Slugged Order ${++slugs}`
      await author.contract(name, contractText)
      const naming = (contract: string, condition: string) =>
        model(contract, made.name, made.name).replace(/ }\n$/, `, when: ${condition} }\n`)
      const published = async (source: string, reading: Reading = newestReading) => {
        const { id: familyId, versionId } = await author.frozen('ingestion-models', `names-${++slugs}`, source)
        const { versions } = app.database.read.t
        await app.database.write((tx) =>
          tx.q.update(versions).set({ reading, status: 'published' }).where(eq(versions.id, versionId)),
        )
        const { status, body } = await author.publish('ingestion-models', familyId, 1, past)
        return status === 201 ? status : body.errors.map((one: { path: string; code: string }) => [one.path, one.code])
      }
      const fits = '{ $is: [/total, ">", 1] }'
      expect(await published(naming(name, fits))).toBe(201)
      const bySlug = naming(name.toLowerCase().replaceAll(' ', '-'), fits)
      expect(await published(bySlug)).toBe(201)
      const raw = JSON.stringify({ name: 'Ada', total: 3 })
      const metadata = { ...demo.scenarios[0]!.metadata, source_timestamp: '2026-02-01T00:00:00Z' }
      const submission = { ingestion_model: `names-${slugs}`, raw_input: raw, metadata }
      expect((await author.post('/submissions', submission)).status).toBe(202)
      const lacking = naming(name, '{ $is: [/totl, ">", 1] }')
      expect(await published(lacking)).toEqual([['/nodes/0/when/$is/0', 'unknown_path']])
      // What was frozen before conditions were compared keeps its rules.
      expect(await published(lacking, 1)).toBe(201)
    })

    test('a transformer or a template that breaks a model in force is refused, with its place', async () => {
      const made = await chain()
      for (const [plural, family] of [
        ['transformers', made.transformer],
        ['templates', made.template],
        ['ingestion-models', made.model],
      ] as const) {
        expect((await author.publish(plural, family, 1, past)).status).toBe(201)
      }
      await change('transformers', made.transformer, 'transform: declarative-v1\noutput: { greeting: /name }\n')
      const lacking = await changesNothing(() => author.publish('transformers', made.transformer, 2, inMs(1000)))
      expect([lacking.status, lacking.body.errors[0].message]).toEqual([422, expect.stringContaining('/total')])
      expect(lacking.body.errors[0].message).toContain(`${made.name}:letter`)

      const wanting = await author.frozen(
        'transformers',
        `reads-${++slugs}`,
        'transform: declarative-v1\noutput: { greeting: /nobody, total: /total }\n',
      )
      const reader = await author.frozen('ingestion-models', `reads-${slugs}`, model(made.name, `reads-${slugs}`))
      expect((await author.publish('transformers', wanting.id, 1, past)).status).toBe(201)
      const unread = await changesNothing(() => author.publish('ingestion-models', reader.id, 1, past))
      expect([unread.status, unread.body.errors[0]]).toMatchObject([
        422,
        { path: '/nodes/0', message: expect.stringContaining('nobody') },
      ])
    })

    test('so is one that would break what is scheduled for later', async () => {
      const made = await chain()
      await author.publish('transformers', made.transformer, 1, past)
      await author.publish('templates', made.template, 1, past)
      const later = addMs(app.clock.now(), 3_600_000) as Instant
      expect((await author.publish('ingestion-models', made.model, 1, formatInstant(later))).status).toBe(201)
      await change('transformers', made.transformer, 'transform: declarative-v1\noutput: { greeting: /name }\n')
      expect((await author.publish('transformers', made.transformer, 2, inMs(1000))).status).toBe(422)
      expect(
        (await author.publish('transformers', made.transformer, 2, formatInstant(addMs(later, 1000)))).status,
      ).toBe(422)
    })

    test('a transformer must fit the contract and the template that it names itself', async () => {
      const name = `named-${++slugs}`
      const naming = (output: string) =>
        `transform: declarative-v1\ncontract: ${name}@1\ntemplate: ${name}@1\noutput: ${output}\n`
      const early = await author.frozen('transformers', name, naming('{ greeting: /name, total: /total }'))
      const refused = await author.publish('transformers', early.id, 1, past)
      expect([refused.status, refused.body.errors[0].code]).toEqual([422, 'unknown_contract'])
      await author.contract(name, contractText)
      // The template may come later than the transformer that is written for it.
      expect((await author.publish('transformers', early.id, 1, past)).status).toBe(201)
      await author.frozen('templates', name, await templateBytes())
      await change('transformers', early.id, naming('{ greeting: /name }'))
      const unbound = await author.publish('transformers', early.id, 2, inMs(1000))
      expect([unbound.status, unbound.body.errors[0].message]).toEqual([422, expect.stringContaining('/total')])
    })
  })
})
