import { afterAll, beforeEach, expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import type { Actor } from '../../../src/core/actor.ts'
import { newId } from '../../../src/core/ids.ts'
import { addMs, instantOf } from '../../../src/core/instant.ts'
import type { Database } from '../../../src/db/database.ts'
import type { RetentionPolicy } from '../../../src/db/schema.ts'
import { createFamily } from '../../../src/modules/families/families.service.ts'
import { openLedger } from '../../../src/modules/ledger/ledger.service.ts'
import { noteRetention, reconcileRetention } from '../../../src/modules/policies/policies.notes.service.ts'
import { findInForce, findSet } from '../../../src/modules/policies/policies.reads.ts'
import { createPolicyService } from '../../../src/modules/policies/policies.service.ts'
import { folderNotes } from '../../../src/objects/notes.ts'
import { describeOnBothDialects, openTestDatabase, temporaryFolder } from '../../support/database.ts'
import { rejectionOf } from '../../support/outcome.ts'

const start = instantOf('2026-11-20T09:30:00.000Z')
const setter = '0198c3d2-7a10-7c00-8000-0000000000a1'
const actor = (at = start): Actor => ({ userId: setter, correlationId: 'setting', at })
const once = () => ({ actorId: setter, key: crypto.randomUUID(), requestHash: '0'.repeat(64) })

describeOnBothDialects('retention policies', (dialect) => {
  let database: Database
  let policies: ReturnType<typeof createPolicyService>

  beforeEach(async () => {
    if (database === undefined) {
      database = await openTestDatabase(dialect)
      await database.write(async (tx) => {
        const names = { slug: 'letters', name: 'Letters', description: '' }
        await createFamily(tx, actor(), { kind: 'ingestion_model', ...names })
        await createFamily(tx, actor(), { kind: 'template', slug: 'page', name: 'Page', description: '' })
      })
    }
    await database.write((tx) => tx.q.delete(tx.t.retention))
    await database.write((tx) => tx.q.delete(tx.t.auditRecords))
    policies = createPolicyService(database)
  })
  afterAll(() => database?.close())

  const set = (expected: number, wanted: RetentionPolicy[], at = start) =>
    policies.set(actor(at), once(), { policies: wanted, expected_number: expected })
  const trail = async () => {
    const rows = await database.read.q.select().from(database.read.t.auditRecords)
    return rows.map(({ action, actorId, correlationId, resourceKind, resourceId, detail }) => ({
      ...{ action, actorId, correlationId, resourceKind, resourceId, detail },
    }))
  }

  test('are none before the first set, and then those of the newest, with who set them and when', async () => {
    expect(await policies.read()).toEqual({ number: 0, policies: [] })
    const first = [
      { keep_days: 30, parts: { output: 7 } },
      { ingestion_model: 'letters', keep_days: 365 },
    ]
    const put = await set(0, first)
    expect(put).toEqual({ number: 1, policies: first, set_by: setter, set_at: '2026-11-20T09:30:00Z' })
    expect(await policies.read()).toEqual(put)
    const emptied = await set(1, [], addMs(start, 5))
    expect(emptied).toEqual({ number: 2, policies: [], set_by: setter, set_at: '2026-11-20T09:30:00.005Z' })
    expect(await policies.read()).toEqual(emptied)
    // What was in force stays as it was.
    expect(await findSet(database.read, 1)).toMatchObject({ number: 1, policies: first })
    expect(await findSet(database.read, 3)).toBeUndefined()
    const records = await trail()
    const about = { action: 'retention.set', actorId: setter, correlationId: 'setting', resourceKind: 'retention' }
    expect(records.map(({ resourceId: _id, ...record }) => record)).toEqual([
      { ...about, detail: { number: 1, policies: first } },
      { ...about, detail: { number: 2, policies: [] } },
    ])
    expect(records[1]?.resourceId).toBe((await findInForce(database.read))!.id)
  })

  test('take the place only of the set that whoever sets them has seen', async () => {
    await set(0, [{ keep_days: 30 }])
    for (const expected of [0, 2]) {
      expect(await rejectionOf(set(expected, [{ keep_days: 1 }]))).toMatchObject({
        code: 'conflict',
        detail: 'The retention policies were changed: set 1 is in force. Read them again.',
      })
    }
    const both = await Promise.allSettled([set(1, [{ keep_days: 40 }]), set(1, [{ keep_days: 50 }])])
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    expect([(await policies.read()).number, (await trail()).length]).toEqual([2, 2])
  })

  test('of a missing model, of two for one model, or of a part that outlives its whole are not set', async () => {
    for (const [wanted, detail] of [
      [[{ ingestion_model: 'page', keep_days: 1 }], 'There is no ingestion model page. Correct the policy'],
      [[{ keep_days: 9 }, { ingestion_model: 'nobody', keep_days: 1 }], 'There is no ingestion model nobody. Correct'],
      [[{ keep_days: 9 }, { keep_days: 9 }], 'There are two policies without a model. Keep one of them.'],
      [[{ keep_days: 9, parts: { steps: 9 } }], 'The policy of all other models keeps steps 9 days'],
    ] as const) {
      const refused = await rejectionOf(set(0, [...wanted]))
      expect(refused).toMatchObject({ code: 'validation_failed', detail: expect.stringContaining(detail) })
    }
    expect([await policies.read(), await trail()]).toEqual([{ number: 0, policies: [] }, []])
  })

  test('are set once under one key', async () => {
    const key = once()
    const wanted = { policies: [{ keep_days: 30 }], expected_number: 0 }
    const put = await policies.set(actor(), key, wanted)
    expect(await policies.set(actor(addMs(start, 1)), key, wanted)).toEqual(put)
    expect((await trail()).length).toBe(1)
  })

  function openNotes() {
    const folder = temporaryFolder()
    const beside = join(folder, 'objects')
    const places = { dataFolder: join(folder, 'data'), erasureLedger: undefined }
    const clock = { now: () => addMs(start, 60_000) }
    return { beside, ports: { database, clock, ledger: openLedger(places, { notes: folderNotes(beside) }) } }
  }
  const notesIn = (folder: string) =>
    readdirSync(folder)
      .filter((name) => name.startsWith('retention.'))
      .map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')))
      .sort((one, other) => one.number - other.number)

  test('are noted outside of the database once each, in a form of its own where parts are kept for less', async () => {
    const { beside, ports } = openNotes()
    const whole = [{ ingestion_model: 'letters', keep_days: 365 }]
    const inParts = [...whole, { keep_days: 30, parts: { artifacts: 7 } }]
    await set(0, whole)
    await set(1, inParts, addMs(start, 5))
    await noteRetention(ports)
    const [first, second] = [await findSet(database.read, 1), await findSet(database.read, 2)]
    const by = { set_by: setter, correlation_id: 'setting' }
    expect(notesIn(beside)).toEqual([
      { format: 'quire-retention-1', id: first?.id, number: 1, policies: whole, ...by, set_at: start },
      { format: 'quire-retention-2', id: second?.id, number: 2, policies: inParts, ...by, set_at: addMs(start, 5) },
    ])
    expect([first?.notedAt, second?.notedAt]).not.toContain(null)
    const again = openNotes()
    await noteRetention(again.ports)
    expect([...(await again.ports.ledger.names('retention')).inSome]).toEqual([])
  })

  test('that an older copy lacks are brought back by their numbers, and those that the notes lack are noted', async () => {
    const { beside, ports } = openNotes()
    for (const days of [10, 20, 30]) await set(days / 10 - 1, [{ keep_days: days, parts: { events: 1 } }])
    await noteRetention(ports)
    const newest = await findSet(database.read, 3)
    await database.write(async (tx) => {
      await tx.rows(sql`delete from ${tx.t.retention} where number >= 2`)
      await tx.q.delete(tx.t.auditRecords)
    })
    expect(await reconcileRetention(ports)).toEqual([2, 3])
    expect(await findSet(database.read, 3)).toEqual({ ...newest!, notedAt: expect.any(String) })
    expect((await policies.read()).policies).toEqual([{ keep_days: 30, parts: { events: 1 } }])
    const system = '00000000-0000-0000-0000-000000000000'
    expect((await trail()).map(({ resourceId: _id, ...record }) => record)).toEqual(
      [2, 3].map((number) => ({
        ...{ action: 'retention.set', actorId: system, correlationId: 'setting', resourceKind: 'retention' },
        detail: { number, from: 'ledger' },
      })),
    )
    await set(3, [])
    expect(await reconcileRetention(ports)).toEqual([])
    expect(notesIn(beside).map(({ number }) => number)).toEqual([1, 2, 3, 4])
  })

  test('of another store take no place that is taken', async () => {
    const { ports } = openNotes()
    const own = await set(0, [{ keep_days: 30 }])
    for (const number of [1, 2]) {
      const id = newId()
      await ports.ledger.write('retention', id, {
        ...{ format: 'quire-retention-1', id, number, policies: [{ keep_days: number }] },
        ...{ set_by: setter, correlation_id: 'there', set_at: start },
      })
    }
    expect(await reconcileRetention(ports)).toEqual([2])
    expect(await findSet(database.read, 1)).toMatchObject({ policies: own.policies })
    expect((await policies.read()).policies).toEqual([{ keep_days: 2 }])
  })
})
