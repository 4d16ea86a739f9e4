import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { type Actor, SYSTEM_ACTOR_ID } from '../../../src/core/actor.ts'
import { addMs, instantOf } from '../../../src/core/instant.ts'
import type { Database } from '../../../src/db/database.ts'
import {
  createFamiliesByRevision,
  type DraftByRevision,
  type FamiliesByRevision,
} from '../../../src/modules/by-revision/by-revision.service.ts'
import { familyToWire, versionToWire } from '../../../src/modules/by-revision/by-revision.wire.ts'
import { judgeHere } from '../../../src/modules/drafts/judge-here.service.ts'
import { openTestDatabase } from '../../support/database.ts'
import { noSuites } from '../../support/no-suites.ts'
import { rejectionOf } from '../../support/outcome.ts'

const nobody = '0198c3d2-7a10-7c00-8000-00000000dead'
const start = instantOf('2026-11-20T09:30:00Z')
const actor = (seconds = 0): Actor => ({
  ...{ userId: SYSTEM_ACTOR_ID, correlationId: 'by-revision', at: addMs(start, seconds * 1_000) },
})
const draft = (name: string, source = '{}'): DraftByRevision => ({
  ...{ name, description: `About ${name}`, content: { source, format: 'json' } },
})

describe('the older surface of families', () => {
  let database: Database
  let contracts: FamiliesByRevision

  beforeAll(async () => {
    database = await openTestDatabase('sqlite')
    const ports = { database, judge: judgeHere, suites: noSuites(judgeHere) }
    contracts = createFamiliesByRevision('contract', ports)
    other = createFamiliesByRevision('ingestion_model', ports)
  })
  let other: FamiliesByRevision
  beforeEach(() =>
    database.write(async ({ q, t }) => {
      for (const table of [t.families, t.versions, t.events, t.auditRecords]) await q.delete(table)
    }),
  )
  afterAll(() => database.close())

  async function trail() {
    const { q, t } = database.read
    const rows = await q.select().from(t.auditRecords).orderBy(t.auditRecords.id)
    await database.write((tx) => tx.q.delete(tx.t.auditRecords).then(() => {}))
    return rows.map(({ action, resourceKind, resourceId, detail }) => [action, resourceKind, resourceId, detail])
  }
  const faultOf = async (work: Promise<unknown>) => {
    const { code, detail } = (await rejectionOf(work)) as { code: string; detail: string }
    return [code, detail]
  }

  test('makes a family with its first draft, under a slug of its name, and records each change with its revision', async () => {
    const made = await contracts.create(actor(), draft('Order form'))
    expect(made).toMatchObject({
      ...{ kind: 'contract', slug: 'order-form', name: 'Order form', description: 'About Order form' },
      ...{ draftRevision: 1, draftSource: '{}', draftFormat: 'json', latestNumber: 0, createdAt: start },
    })
    expect(await contracts.read(made.id)).toEqual(made)
    expect(familyToWire(made)).toEqual({
      ...{ id: made.id, slug: 'order-form', name: 'Order form', description: 'About Order form', draft_revision: 1 },
      ...{ created_by: SYSTEM_ACTOR_ID, created_at: '2026-11-20T09:30:00Z', updated_at: '2026-11-20T09:30:00Z' },
    })
    expect(await trail()).toEqual([
      ['contract.created', 'contract', made.id, { name: 'Order form', slug: 'order-form' }],
    ])
    const saved = await contracts.update(actor(1), made.id, 1, draft('Orders', '{"type":"object"}'))
    expect(saved).toMatchObject({
      ...{ name: 'Orders', slug: 'order-form', description: 'About Orders', draftRevision: 2 },
      ...{ draftSource: '{"type":"object"}', updatedAt: addMs(start, 1_000) },
    })
    expect(await trail()).toEqual([
      ['contract.draft_saved', 'contract', made.id, { name: 'Orders', draft_revision: 2 }],
    ])
  })

  test('refuses a stale revision and a taken name in words that say what to do, and records nothing', async () => {
    const made = await contracts.create(actor(), draft('Orders'))
    const second = await contracts.create(actor(), draft('Others'))
    await trail()
    for (const [work, revision] of [
      [() => contracts.update(actor(), made.id, 2, draft('Orders')), 2],
      [() => contracts.update(actor(), made.id, 0, draft('Orders')), 0],
      [() => contracts.freeze(actor(), made.id, 2), 2],
    ] as const) {
      expect(await faultOf(work())).toEqual([
        'precondition_failed',
        `Body field expected_revision is ${revision}, but the draft is at revision 1. Read the contract again and repeat with that revision.`,
      ])
    }
    expect(await faultOf(contracts.create(actor(), draft('Orders')))).toEqual([
      ...['conflict', 'Body field name: there is a contract named "Orders" already. Choose another.'],
    ])
    // Whether its name is free is known by the index alone.
    const [code, detail] = await faultOf(contracts.update(actor(), second.id, 1, draft('Orders')))
    expect([code, detail?.includes('Orders') || detail?.includes('has just taken this name')]).toEqual([
      'conflict',
      true,
    ])
    expect(await trail()).toEqual([])
    expect(await contracts.read(second.id)).toEqual(second)
  })

  test('freezes, publishes and deprecates, each once, and only in this order', async () => {
    const made = await contracts.create(actor(), draft('Orders'))
    await trail()
    const frozen = await contracts.freeze(actor(1), made.id, 1)
    expect(versionToWire(frozen)).toEqual({
      ...{ id: frozen.id, number: 1, status: 'versioned', content_hash: frozen.contentHash, source_revision: 1 },
      ...{ byte_size: 2, created_by: SYSTEM_ACTOR_ID, created_at: '2026-11-20T09:30:01Z' },
    })
    const record = (what: string) => [
      ...[`contract.version_${what}`, 'contract', made.id],
      { version_id: frozen.id, number: 1, content_hash: frozen.contentHash },
    ]
    expect(await trail()).toEqual([record('frozen')])
    expect(await faultOf(contracts.deprecate(actor(), made.id, 1))).toEqual([
      ...['conflict', 'Version 1 was never published, so there is nothing to deprecate.'],
    ])
    expect(await trail()).toEqual([])
    const published = await contracts.publish(actor(2), made.id, 1)
    expect(published).toMatchObject({ status: 'published', publishedAt: addMs(start, 2_000), deprecatedAt: null })
    expect(await contracts.publish(actor(3), made.id, 1)).toEqual(published)
    expect(await trail()).toEqual([record('published')])
    const deprecated = await contracts.deprecate(actor(4), made.id, 1)
    expect(deprecated).toMatchObject({ status: 'deprecated', deprecatedAt: addMs(start, 4_000) })
    expect(await contracts.deprecate(actor(5), made.id, 1)).toEqual(deprecated)
    expect(await trail()).toEqual([record('deprecated')])
    expect(await faultOf(contracts.publish(actor(), made.id, 1))).toEqual([
      ...['conflict', 'Version 1 is deprecated and stays so. Freeze and publish a new one.'],
    ])
    expect(await contracts.readVersion(made.id, 1)).toEqual(deprecated)
    expect(versionToWire(deprecated)).toMatchObject({
      ...{ status: 'deprecated', published_at: '2026-11-20T09:30:02Z', deprecated_at: '2026-11-20T09:30:04Z' },
    })
    expect((await contracts.versionsOf(made.id)).map(({ number }) => number)).toEqual([1])
  })

  test('finds families and versions of its own kind alone, and names the kind that it did not find', async () => {
    const made = await contracts.create(actor(), draft('Orders'))
    const noModel = ['not_found', 'There is no such ingestion model.']
    for (const work of [
      () => other.read(made.id),
      () => other.requireFamily(made.id),
      () => other.readVersion(made.id, 1),
      () => other.update(actor(), made.id, 1, draft('x')),
      () => other.freeze(actor(), made.id, 1),
      () => other.publish(actor(), made.id, 1),
      () => other.deprecate(actor(), made.id, 1),
      () => other.read(nobody),
    ])
      expect(await faultOf(work())).toEqual(noModel)
    const noVersion = ['not_found', 'The contract has no version 1.']
    for (const work of [
      () => contracts.readVersion(made.id, 1),
      () => contracts.publish(actor(), made.id, 1),
      () => contracts.deprecate(actor(), made.id, 1),
    ])
      expect(await faultOf(work())).toEqual(noVersion)
    expect(await contracts.requireFamily(made.id)).toBeUndefined()
    expect((await other.list({})).rows).toEqual([])
  })

  test('lists its families newest first, page by page, and takes no cursor of another list', async () => {
    const ids: string[] = []
    for (const [index, name] of ['One', 'Two', 'Three'].entries()) {
      ids.unshift((await contracts.create(actor(index), draft(name))).id)
    }
    const page = async (query: { limit?: number; cursor?: string }) => {
      const { rows, last } = await contracts.list(query)
      return [rows.map(({ id }) => id), last?.id]
    }
    expect(await page({})).toEqual([ids, undefined])
    expect(await page({ limit: 2 })).toEqual([ids.slice(0, 2), ids[1]!])
    expect(await page({ limit: 2, cursor: ids[1]! })).toEqual([ids.slice(2), undefined])
    expect((await faultOf(contracts.list({ cursor: nobody })))[0]).toBe('validation_failed')
    expect((await faultOf(other.list({ cursor: ids[1]! })))[0]).toBe('validation_failed')
  })

  test('a draft that can not be frozen says where it is wrong, in the sentence itself, and makes no version', async () => {
    const made = await contracts.create(actor(), draft('Orders', '{"type": "unknown"}'))
    await trail()
    const refused = (await rejectionOf(contracts.freeze(actor(), made.id, 1))) as { code: string; detail: string }
    expect([refused.code, refused.detail]).toEqual(['validation_failed', expect.stringContaining('type')])
    expect(refused).toMatchObject({ extras: { resourceKind: 'contract', resourceId: made.id } })
    expect([await trail(), await contracts.versionsOf(made.id)]).toEqual([[], []])
  })
})
