import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Actor } from '../../../src/core/actor.ts'
import { addMs, formatInstant, type Instant, instantOf } from '../../../src/core/instant.ts'
import type { Database } from '../../../src/db/database.ts'
import type { FindStoredCases } from '../../../src/modules/activations/activations.cases.ts'
import { scheduleActivation } from '../../../src/modules/activations/activations.service.ts'
import type { SetRequest } from '../../../src/modules/activations/activations.sets.model.ts'
import { createActivationSetService } from '../../../src/modules/activations/activations.sets.service.ts'
import { judgeHere } from '../../../src/modules/drafts/judge-here.service.ts'
import type { Content } from '../../../src/modules/versions/versions.service.ts'
import { p, wordPackage } from '../../engines/docx/word-package.ts'
import { openTestDatabase } from '../../support/database.ts'
import { noSuites } from '../../support/no-suites.ts'
import { rejectionOf } from '../../support/outcome.ts'
import { type Made, make, actor as maker } from './made.ts'

const now = instantOf('2026-06-01T00:00:00Z')
const actor: Actor = { ...maker, at: now, correlationId: 'planning' }
const later = (seconds: number): Instant => addMs(now, seconds * 1_000)
const yaml = (source: string): Content => ({ source, format: 'yaml' })
const nobody = '0198c3d2-7a10-7c00-8000-00000000dead'

describe('a set', () => {
  let database: Database
  let keys = 0
  const made: Record<string, Made> = {}

  beforeAll(async () => {
    database = await openTestDatabase('sqlite')
    const schema = (more: string) => ({ source: `{"type":"object","required":["id"]${more}}`, format: 'json' as const })
    const data = (name: string) => yaml(`transform: declarative-v1\noutput: { ${name}: /id }\n`)
    const model = (nodes: string, version = 1) =>
      yaml(`model: ingestion-model-v1\ncontract: { name: order, version: ${version} }\nnodes:\n${nodes}`)
    const node = '  - { key: a, label: A, transformer: data, template: letter }\n'
    const file = (text: string) => ({ bytes: wordPackage(p(text)), format: 'docx' as const })
    made.order = await make(database, 'contract', 'order', [
      schema(',"properties":{"id":{"type":"string"}}'),
      schema(',"properties":{"id":{"type":"string"},"more":{}}'),
    ])
    made.data = await make(database, 'transformer', 'data', [data('id'), data('other')])
    made.letter = await make(database, 'template', 'letter', [file('{{/id}}'), file('{{/other}}')])
    made.orders = await make(database, 'ingestion_model', 'orders', [model(node), model(node, 2)])
    made.aside = await make(database, 'transformer', 'aside', [data('id')])
    made.lost = await make(database, 'ingestion_model', 'lost', [
      model('  - { key: a, label: A, transformer: nowhere, template: unfrozen }\n'),
    ])
    made.unfrozen = await make(database, 'template', 'unfrozen', [])
    const begin = (name: string, number: number, from: Instant) =>
      database.write((tx) => scheduleActivation(tx, maker, made[name]!.family, made[name]!.versions[number - 1]!, from))
    for (const name of ['data', 'letter', 'orders']) await begin(name, 1, later(-100))
    await begin('data', 2, later(500))
  })
  afterAll(() => database.close())

  const service = (storedCases: FindStoredCases = async () => [], at = actor.at) =>
    createActivationSetService({
      ...{ database, clock: { now: () => at }, judge: judgeHere, suites: noSuites(judgeHere), storedCases },
    })
  const plan = (request: Partial<SetRequest> = {}) =>
    service().plan(actor, { ingestion_model_id: made.orders!.family.id, ...request })
  const chosen = (...wanted: [name: string, version: number][]) =>
    wanted.map(([name, version]) => ({ family_id: made[name]?.family.id ?? name, version }))
  const told = async (request: Partial<SetRequest>) =>
    (await plan(request)).issues.map(({ code, path, message }) => [code, path, message])
  /** An issue says what to do in its message. */
  const joined = ([code, path, message, hint]: string[]) => [code!, path!, `${message} ${hint}`]

  test('tells of each member what would take the place of what, since when, and what follows', async () => {
    const { members, valid, issues, effective_from: from, cases_run: run } = await plan()
    expect([valid, issues, from, run]).toEqual([true, [], formatInstant(now), 0])
    const since = formatInstant(later(-100))
    const of = (name: string, number: number) => ({
      ...{ family_id: made[name]!.family.id, slug: name, name, newest_version: 2 },
      ...{ to_version: number, content_hash: made[name]!.versions[number - 1]!.contentHash },
    })
    expect(members).toEqual([
      { kind: 'contract', ...of('order', 2), action: 'none', from_version: 1, nodes: [] },
      {
        ...{ kind: 'transformer', ...of('data', 2), action: 'activate', from_version: 1, since, nodes: ['orders:a'] },
        next: { version: 2, effective_from: formatInstant(later(500)) },
      },
      { kind: 'template', ...of('letter', 2), action: 'activate', from_version: 1, since, nodes: ['orders:a'] },
      { kind: 'ingestion_model', ...of('orders', 2), action: 'activate', from_version: 1, since, nodes: [] },
    ])
    // What is chosen is in force already, and by then something else is.
    const same = chosen(['data', 1], ['letter', 1], ['orders', 1])
    const actions = (await plan({ versions: same })).members.map(({ action }) => action)
    expect(actions).toEqual(['none', 'none', 'none', 'none'])
    const byThen = await plan({ effective_from: formatInstant(later(500)) })
    expect(byThen.members[1]).toMatchObject({ action: 'none', from_version: 2, since: formatInstant(later(500)) })
    expect(byThen.members[1]).not.toHaveProperty('next')
  })

  test('has one hash as long as it would do the same, and another for another instant that was named', async () => {
    const { plan_hash: first } = await plan()
    expect((await plan()).plan_hash).toBe(first)
    expect((await plan({ versions: chosen(['letter', 1]) })).plan_hash).not.toBe(first)
    const named = await plan({ effective_from: formatInstant(now) })
    expect([named.plan_hash === first, named.effective_from]).toEqual([false, formatInstant(now)])
  })

  test('is refused for an instant that does not go with its state', async () => {
    const refusal = async (request: Partial<SetRequest>) => {
      const { code, detail } = (await rejectionOf(plan(request))) as { code: string; detail: string }
      return [code, detail]
    }
    const [past, future] = [formatInstant(later(-1)), formatInstant(later(1))]
    expect(await refusal({ state: 'past' })).toEqual([
      ...[
        'validation_failed',
        'Body field as_of is missing. Name the instant whose versions are to be in force again.',
      ],
    ])
    expect(await refusal({ state: 'before', as_of: past })).toEqual([
      ...['validation_failed', 'Body field as_of is only for the state past. Leave it out, or choose that state.'],
    ])
    expect(await refusal({ state: 'past', as_of: future })).toEqual([
      ...['validation_failed', 'Body field as_of is still to come. Name an instant that has been.'],
    ])
    expect(await refusal({ effective_from: past })).toEqual([
      ...[
        'validation_failed',
        'Body field effective_from is in the past. Name an instant from now on, or leave it out.',
      ],
    ])
    expect((await plan({ state: 'past', as_of: formatInstant(now) })).valid).toBe(true)
    expect(await refusal({ ingestion_model_id: nobody })).toEqual([
      'not_found',
      `There is no ingestion model ${nobody}.`,
    ])
  })

  test('names versions that it has no use for, each at its place', async () => {
    expect(
      await told({ versions: chosen(['aside', 1], ['letter', 2], ['letter', 1], ['order', 1], [nobody, 1]) }),
    ).toEqual(
      [
        [
          ...['set.unused_version', 'versions/0', `The set has no family ${made.aside!.family.id}.`],
          'Name only families of its members.',
        ],
        [
          'set.unused_version',
          'versions/2',
          'A version of letter is named already.',
          'Name one version of each family.',
        ],
        [
          ...['set.unused_version', 'versions/3', 'The ingestion model names version 2 of order.'],
          'Leave it out, or choose another model.',
        ],
        ['set.unused_version', 'versions/4', `The set has no family ${nobody}.`, 'Name only families of its members.'],
      ].map(joined),
    )
    expect(await told({ versions: chosen(['order', 2]) })).toEqual([])
  })

  test('says what is missing, and for which of its states', async () => {
    const lost = { ingestion_model_id: made.lost!.family.id }
    expect(await told(lost)).toEqual(
      [
        [
          'set.missing',
          'nowhere',
          'There is no transformer "nowhere", which the ingestion model names.',
          'Make it first.',
        ],
        ['set.no_version', 'unfrozen', 'The template "unfrozen" has no version to put in force.', 'Freeze one first.'],
      ].map(joined),
    )
    expect(await told({ ...lost, state: 'past', as_of: formatInstant(now) })).toEqual(
      [
        [
          ...['set.nothing_before', 'lost', 'Nothing of the ingestion model "lost" was in force before.'],
          'Choose a version of it.',
        ],
      ].map(joined),
    )
    const before = { state: 'before' as const, versions: chosen(['orders', 1]) }
    expect(await told(before)).toEqual(
      [
        ['transformer', 'data'],
        ['template', 'letter'],
      ].map(([kind, slug = '']) =>
        joined([
          ...['set.nothing_before', slug, `Nothing of the ${kind} "${slug}" was in force before.`],
          'Choose a version of it.',
        ]),
      ),
    )
    const { members } = await plan(lost)
    expect(members.map(({ slug }) => slug)).toEqual(['order', 'nowhere', 'unfrozen', 'lost'])
    expect(members[1]).toMatchObject({ slug: 'nowhere', action: 'missing', name: 'nowhere' })
    expect(members[1]!.family_id).toBe('00000000-0000-0000-0000-000000000000')
  })

  test('runs the cases that are kept for its model, else those of its contract, and tells which break', async () => {
    const input = (name: string, raw: string, ...refusing: string[]) => ({
      ...{ name, raw, params: undefined, refusing: new Set(refusing) },
    })
    const asked: unknown[] = []
    const kept: FindStoredCases = async (_connection, slug, at) => {
      asked.push([slug, at])
      return [input('good', '{"id":"x"}'), input('bad', '{}'), input('expected', '{}', 'a')]
    }
    const request = { ingestion_model_id: made.orders!.family.id }
    const { cases_run: run, broken_cases: broken } = await service(kept).plan(actor, request)
    expect([run, broken.map(({ name, node, step }) => [name, node, step])]).toEqual([3, [['bad', 'a', 'validate']]])
    expect(asked).toEqual([['orders', now]])
    // Of the contract's version before, because the new one has none.
    const [first] = made.order!.versions
    const row = (id: string, payload: string, change: object = {}) => ({
      ...{ id, contractId: first!.familyId, contractVersionId: first!.id, contractVersionNumber: 1, contractHash: 'h' },
      ...{ kind: 'valid' as const, seed: 7, provider: 'external-generator' as const, payload, correlationId: 'c' },
      ...{ invalidPath: null, invalidKeyword: null },
      ...{ contentHash: `hash-of-${id}`, createdBy: 'ann', createdAt: now, ...change },
    })
    await database.write((tx) =>
      tx.q.insert(tx.t.cases).values([row('c-1', '{"id":"x"}'), row('c-2', '{}', { provider: 'svc fixture' })]),
    )
    const ofContract = await service().plan(actor, request)
    expect([ofContract.cases_run, ofContract.broken_cases.map(({ name }) => name)]).toEqual([
      2,
      ['order@1 valid hash-of-'],
    ])
    const own = { contractVersionId: made.order!.versions[1]!.id, contractVersionNumber: 2 }
    await database.write((tx) => tx.q.insert(tx.t.cases).values([row('c-3', '{"id":"x"}', own)]))
    expect((await service().plan(actor, request)).cases_run).toBe(1)
    // A set that does not fit runs none.
    expect((await service(kept).plan(actor, { ingestion_model_id: made.lost!.family.id })).cases_run).toBe(0)
  })

  test('is applied as it was planned, with one record, and cancelled as one before it begins', async () => {
    const effective_from = formatInstant(later(100))
    const request = { ingestion_model_id: made.orders!.family.id, effective_from }
    const { plan_hash } = await plan(request)
    const key = () => ({ actorId: maker.userId, key: `set-${++keys}`, requestHash: `hash-${keys}` })
    expect(await rejectionOf(service().apply(actor, key(), { ...request, plan_hash: 'another' }))).toMatchObject({
      code: 'conflict',
      detail: 'The configuration has changed since the plan was made. Plan again, then apply that plan.',
    })
    const applied = await service().apply(actor, key(), { ...request, plan_hash })
    expect(applied.activations.map(({ family_slug, version, status }) => [family_slug, version, status])).toEqual([
      ['data', 2, 'scheduled'],
      ['letter', 2, 'scheduled'],
      ['orders', 2, 'scheduled'],
    ])
    const { q, t } = database.read
    const records = (await q.select().from(t.auditRecords)).filter(({ action }) => action === 'activation.set_applied')
    expect(records.map(({ resourceKind, resourceId, detail }) => [resourceKind, resourceId, detail])).toEqual([
      [
        ...['activation_set', plan_hash],
        { ingestion_model_id: made.orders!.family.id, activations: 3, effective_from },
      ],
    ] as never)
    const ids = applied.activations.map(({ id }) => id)
    const cancel = (activation_ids: string[], at = now) =>
      service(undefined, at).cancel({ ...actor, at }, key(), { activation_ids, cancellation_code: 'a_mistake' })
    expect(await rejectionOf(cancel(ids, later(100)))).toMatchObject({ code: 'conflict' })
    expect(await rejectionOf(cancel([...ids, nobody]))).toMatchObject({ code: 'not_found' })
    const cancelled = await cancel([...ids, ids[0]!.toUpperCase()])
    expect(cancelled.activations.map(({ id, status }) => [id, status])).toEqual(
      ids.toSorted().map((id) => [id, 'cancelled']),
    )
    expect(await rejectionOf(cancel(ids))).toMatchObject({ code: 'conflict' })
  })
})
