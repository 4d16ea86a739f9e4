import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { addMs, type Instant, instantOf } from '../../../src/core/instant.ts'
import { limits } from '../../../src/core/limits.ts'
import type { Database } from '../../../src/db/database.ts'
import { activationToWire, createActivationService } from '../../../src/modules/activations/activations.service.ts'
import {
  type ActivationRow,
  activationsPage,
  aroundRange,
  findAfter,
  findInForce,
  findJustBefore,
  hasBeenInForce,
  insertActivation,
  listBetween,
  listDue,
} from '../../../src/modules/activations/activations.store.ts'
import { judgeHere } from '../../../src/modules/drafts/judge-here.service.ts'
import { openTestDatabase } from '../../support/database.ts'
import { noSuites } from '../../support/no-suites.ts'
import { rejectionOf } from '../../support/outcome.ts'

const start = instantOf('2026-11-20T00:00:00Z')
const at = (seconds: number): Instant => addMs(start, seconds * 1_000)
const day = 86_400

describe('activations in their order', () => {
  let database: Database
  beforeAll(async () => {
    database = await openTestDatabase('sqlite')
  })
  beforeEach(() => database.write((tx) => tx.q.delete(tx.t.activations).then(() => {})))
  afterAll(() => database.close())

  const row = (id: string, from: number, change: Partial<ActivationRow> = {}): ActivationRow => ({
    ...{ id, kind: 'transformer', familyId: 'one', familySlug: 'one', versionId: `v-${id}`, version: from },
    ...{ contentHash: 'h', effectiveFrom: at(from), scheduledBy: 'ann', correlationId: 'c', scheduledAt: at(0) },
    ...{ status: 'scheduled', cancelledAt: null, cancellationCode: null },
    ...change,
  })
  const add = (...rows: ActivationRow[]) =>
    database.write(async (tx) => {
      for (const each of rows) await insertActivation(tx, each)
    })
  const cancelled = { cancelledAt: at(0), cancellationCode: 'x', status: 'cancelled' } as const

  test('have one before and one after an instant, and one in force, without the cancelled and those of others', async () => {
    await add(row('a', 10), row('b', 20), row('x', 25, cancelled), row('c', 30), row('o', 15, { familyId: 'other' }))
    const around = async (seconds: number) =>
      (
        await Promise.all(
          [findJustBefore, findInForce, findAfter].map((find) => find(database.read, 'one', at(seconds))),
        )
      ).map((found) => found?.id)
    expect(await around(9)).toEqual([undefined, undefined, 'a'])
    expect(await around(10)).toEqual([undefined, 'a', 'b'])
    expect(await around(11)).toEqual(['a', 'a', 'b'])
    expect(await around(26)).toEqual(['b', 'b', 'c'])
    expect(await around(30)).toEqual(['b', 'c', undefined])
  })

  test('of a version were in force from their instant on, unless they were cancelled', async () => {
    const version = { familyId: 'one', id: 'v' }
    await add(row('a', 10, { versionId: 'v', ...cancelled }), row('o', 5, { versionId: 'v', familyId: 'other' }))
    expect(await hasBeenInForce(database.read, version, at(10))).toBe(false)
    await add(row('b', 11, { versionId: 'v' }), row('c', 5, { versionId: 'w' }))
    expect(await hasBeenInForce(database.read, version, at(10))).toBe(false)
    expect(await hasBeenInForce(database.read, version, at(11))).toBe(true)
  })

  test('are due from their instant on, the earliest first, as many as are asked for', async () => {
    await add(row('b', 20), row('a', 10, { familyId: 'other' }), row('done', 5, { status: 'active' }))
    const due = async (seconds: number, most = 9) =>
      (await listDue(database.read, at(seconds), most)).map(({ familyId }) => familyId)
    expect([await due(9), await due(19), await due(20), await due(20, 1)]).toEqual([
      ...[[], ['other'], ['other', 'one'], ['other']],
    ])
  })

  test('are listed newest scheduling first, those of one instant by their ids, and narrowed by each filter', async () => {
    await database.write((tx) =>
      tx.q
        .insert(tx.t.families)
        .values(
          ['one', 'two'].map((id) => ({
            ...{ id, kind: 'transformer' as const, slug: id, name: id, description: '', draftRevision: 0 },
            ...{ latestNumber: 0, createdBy: 'ann', createdAt: start, updatedAt: start },
          })),
        )
        .then(() => {}),
    )
    await add(
      row('a', 1, { scheduledAt: at(1) }),
      row('c', 2, { scheduledAt: at(2), status: 'active' }),
      row('b', 3, { scheduledAt: at(2), familyId: 'two' }),
      row('d', 4, { scheduledAt: at(3), kind: 'template', familyId: 'three' }),
    )
    type Filter = Parameters<typeof activationsPage>[1]
    const none = { kind: undefined, familyId: undefined, status: undefined }
    const ids = async (filter: Partial<Filter>, after?: { scheduledAt: Instant; id: string }, most = 9) =>
      (await activationsPage(database.read, { ...none, ...filter } as Filter, after, most)).map(({ id }) => id)
    expect(await ids({})).toEqual(['d', 'c', 'b', 'a'])
    expect(await ids({}, undefined, 2)).toEqual(['d', 'c'])
    expect(await ids({}, { scheduledAt: at(2), id: 'c' })).toEqual(['b', 'a'])
    expect(await ids({ kind: 'transformer' })).toEqual(['c', 'b', 'a'])
    expect(await ids({ kind: 'transformer' }, { scheduledAt: at(2), id: 'c' }, 1)).toEqual(['b'])
    expect(await ids({ familyId: 'one' })).toEqual(['c', 'a'])
    expect(await ids({ familyId: 'one', kind: 'transformer' })).toEqual(['c', 'a'])
    expect(await ids({ familyId: 'one', kind: 'template' })).toEqual([])
    expect(await ids({ status: 'active' })).toEqual(['c'])
    expect(await ids({ familyId: 'one', status: 'scheduled', kind: 'transformer' })).toEqual(['a'])
  })

  describe('in a calendar', () => {
    type Narrowing = Partial<Parameters<typeof listBetween>[1]>
    const all = { kind: undefined, familyId: undefined }
    const rows = () => [
      row('a', 10, { version: 1 }),
      row('x', 12, cancelled),
      row('b', 20, { version: 2 }),
      row('other', 20, { familyId: 'other', kind: 'template', correlationId: 'b', version: 7 }),
      row('third', 20, { familyId: 'third', kind: 'template', correlationId: 'a', version: 8 }),
      row('c', 30, { version: 3 }),
    ]
    const range = (from: number, before: number) => ({ from: at(from), before: at(before) })

    test('are those that begin from one instant on and before another, with what they follow and how long they last', async () => {
      await add(...rows())
      const told = async (from: number, before: number, filter: Narrowing = {}, most = 9) =>
        (await listBetween(database.read, { ...all, ...filter }, range(from, before), most)).map(
          ({ id, fromVersion, until }) => [...[id, fromVersion, until]],
        )
      // Those of one instant are together by what decided them.
      expect(await told(10, 30)).toEqual([
        ['a', null, at(20)],
        ['third', null, null],
        ['other', null, null],
        ['b', 1, at(30)],
      ])
      expect(await told(11, 20)).toEqual([])
      expect(await told(20, 31, { familyId: 'one' })).toEqual([
        ['b', 1, at(30)],
        ['c', 2, null],
      ])
      expect(await told(10, 31, { kind: 'template' }, 1)).toEqual([['third', null, null]])
    })

    test('are counted, and the nearest before and after are told', async () => {
      await add(...rows())
      const around = (from: number, before: number, filter: Narrowing = {}) =>
        aroundRange(database.read, { ...all, ...filter }, range(from, before))
      expect(await around(10, 30)).toEqual({ total: 4, previous: null, next: at(30) })
      expect(await around(11, 20)).toEqual({ total: 0, previous: at(10), next: at(20) })
      expect(await around(21, 31, { kind: 'transformer' })).toEqual({ total: 1, previous: at(20), next: null })
      expect(await around(0, 10, { familyId: 'third' })).toEqual({ total: 0, previous: null, next: at(20) })
    })

    test('are asked for of at most so many days, and of one instant at least', async () => {
      const service = createActivationService(database, { now: () => start }, noSuites(judgeHere))
      const calendar = (from: Instant, before: Instant) => service.calendar({ from, before })
      const days = limits.calendarDays
      expect(await rejectionOf(calendar(start, start))).toMatchObject({
        ...{ code: 'validation_failed', detail: 'Query field before is not after from. Name a later instant.' },
      })
      const long = addMs(start, days * day * 1_000)
      expect(await calendar(start, long)).toEqual({ activations: [], total: 0 })
      expect(await rejectionOf(calendar(start, addMs(long, 1)))).toMatchObject({
        code: 'validation_failed',
        detail: `Query field before is more than ${days} days after from. Ask for a shorter range.`,
      })
      await add(row('a', 10, { version: 1 }), row('b', 20, { version: 2 }))
      expect(await calendar(at(20), at(21))).toEqual({
        activations: [{ ...activationToWire(row('b', 20, { version: 2 })), from_version: 1 }],
        ...{ total: 1, previous_at: '2026-11-20T00:00:10Z' },
      })
    })
  })

  test('are shown with when and why they were cancelled only where they were', () => {
    expect(activationToWire(row('a', 10))).toEqual({
      ...{ id: 'a', kind: 'transformer', family_id: 'one', family_slug: 'one', version_id: 'v-a', version: 10 },
      ...{ content_hash: 'h', effective_from: '2026-11-20T00:00:10Z', scheduled_by: 'ann', correlation_id: 'c' },
      ...{ scheduled_at: '2026-11-20T00:00:00Z', status: 'scheduled' },
    })
    expect(activationToWire(row('a', 10, cancelled))).toMatchObject({
      ...{ status: 'cancelled', cancelled_at: '2026-11-20T00:00:00Z', cancellation_code: 'x' },
    })
  })
})
