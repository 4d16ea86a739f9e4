import { beforeAll, expect, test } from 'bun:test'
import { eq, getTableColumns, sql } from 'drizzle-orm'
import type { Actor } from '../../../src/core/actor.ts'
import { newId } from '../../../src/core/ids.ts'
import { addMs, type Instant, parseInstant } from '../../../src/core/instant.ts'
import { limits } from '../../../src/core/limits.ts'
import { createLog } from '../../../src/core/log.ts'
import type { Database } from '../../../src/db/database.ts'
import { sealBatch, startSealer } from '../../../src/modules/audit/audit.sealer.ts'
import { createAuditService, recordAudit, verifyChain } from '../../../src/modules/audit/audit.service.ts'
import { headPosition, listSealed, listUnsealed } from '../../../src/modules/audit/audit.store.ts'
import { jsonOf, startTestApp, type TestApp } from '../../http/harness.ts'
import { describeOnBothDialects, openTestDatabase } from '../../support/database.ts'
import { rejectionOf } from '../../support/outcome.ts'
import { plansOf } from '../../support/plan.ts'
import { until } from '../../support/until.ts'

const start = parseInstant('2026-11-20T09:30:00Z')!
const people = [newId(), newId()] as const
const log = createLog({ level: 'error', readable: false, write: () => {} })

function actorAt(at: Instant, userId: string = people[0]): Actor {
  return { userId, correlationId: 'audit-test', at }
}

/** Records one a second, each in its own transaction, unless `refuse` makes the transaction fail. */
async function write(database: Database, count: number, options: { from?: number; refuse?: boolean } = {}) {
  for (let index = 0; index < count; index++) {
    const at = addMs(start, ((options.from ?? 0) + index) * 1_000)
    const entry = {
      action: index % 2 === 0 ? 'contract.created' : 'case.generated',
      resourceKind: index % 2 === 0 ? 'contract' : 'case',
      resourceId: `resource-${(options.from ?? 0) + index}`,
      detail: { index, umlaut: 'ü', nothing: null },
    }
    await database
      .write(async (tx) => {
        await recordAudit(tx, actorAt(at, people[index % 2]), entry)
        if (options.refuse) throw new Error('refused')
      })
      .catch((error: unknown) => {
        if (!options.refuse) throw error
      })
  }
}

async function sealAll(database: Database): Promise<void> {
  while ((await sealBatch(database)) > 0) {}
}

describeOnBothDialects('the audit chain', (dialect) => {
  test('a record is there exactly when its change is', async () => {
    const database = await openTestDatabase(dialect)
    await write(database, 2, { refuse: true })
    expect((await createAuditService(database).list({})).audit).toEqual([])
    await write(database, 2)
    expect((await createAuditService(database).list({})).audit).toHaveLength(2)
  })

  test('sealing gives positions from 1 without gaps, each record chained to the one before', async () => {
    const database = await openTestDatabase(dialect)
    await write(database, 5)
    const audit = createAuditService(database)
    expect((await audit.list({})).audit.every(({ position }) => position === undefined)).toBe(true)
    expect(await audit.verify(undefined)).toMatchObject({ ok: true, checked: 0, head_position: 0, unsealed: 5 })
    await sealAll(database)
    await write(database, 3, { from: 5 })
    await sealAll(database)
    const records = (await audit.list({})).audit.reverse()
    expect(records.map(({ position }) => position)).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
    expect(records[0]!.previous_hash).toBe('0'.repeat(64))
    for (const [index, record] of records.entries()) {
      if (index > 0) expect(record.previous_hash).toBe(records[index - 1]!.hash!)
    }
    const verified = await audit.verify(undefined)
    expect(verified).toEqual({
      ok: true,
      checked: 8,
      from_position: 1,
      head_position: 8,
      head_hash: records[7]!.hash!,
      unsealed: 0,
    })
    expect(await audit.verify(5)).toEqual({ ...verified, checked: 4, from_position: 5 })
    expect(await audit.verify(9)).toEqual({ ...verified, checked: 0, from_position: 9 })
    expect(await rejectionOf(audit.verify(10))).toMatchObject({ code: 'validation_failed' })
  })

  test('a long chain is verified a part at a time, and each part says where the next one begins', async () => {
    const database = await openTestDatabase(dialect)
    await write(database, 7)
    await sealAll(database)
    const part = (from: number) => verifyChain(database.read, from, 3)
    const hashOf = new Map((await createAuditService(database).list({})).audit.map((one) => [one.position, one.hash]))
    expect(await part(1)).toMatchObject({
      ok: true,
      checked: 3,
      head_position: 3,
      head_hash: hashOf.get(3)!,
      next_position: 4,
    })
    expect(await part(4)).toMatchObject({ ok: true, checked: 3, from_position: 4, head_position: 6, next_position: 7 })
    const last = await part(7)
    expect(last).toMatchObject({ ok: true, checked: 1, head_position: 7, head_hash: hashOf.get(7)! })
    expect(last).not.toHaveProperty('next_position')
    expect(await part(5)).not.toHaveProperty('next_position')
    // Where it breaks it doesn't go on.
    const { auditRecords } = database.read.t
    await database.write((tx) => tx.q.update(auditRecords).set({ action: 'other' }).where(eq(auditRecords.position, 2)))
    expect(await part(1)).toMatchObject({ ok: false, checked: 1, broken: { position: 2 } })
    expect(await part(1)).not.toHaveProperty('next_position')
  })

  test('a record sealed late keeps the chain whole, whatever its time', async () => {
    const database = await openTestDatabase(dialect)
    await write(database, 2, { from: 10 })
    await sealAll(database)
    await write(database, 1, { from: 0 })
    await sealAll(database)
    const [early] = (await createAuditService(database).list({ to: addMs(start, 5_000) })).audit
    expect(early!.position).toBe(3)
    expect((await verifyChain(database.read, 1)).ok).toBe(true)
  })

  const tampering: [string, (position: number) => ReturnType<typeof sql>, number, string][] = [
    [
      'a changed detail',
      (n) => sql`update audit_records set detail = '{"index":7}' where position = ${n}`,
      3,
      'not what it was',
    ],
    [
      'a changed actor',
      (n) => sql`update audit_records set actor_id = 'x' where position = ${n}`,
      3,
      'not what it was',
    ],
    [
      'a changed time',
      (n) => sql`update audit_records set at = '2020-01-01T00:00:00.000000000Z' where position = ${n}`,
      3,
      'not what it was',
    ],
    [
      'a changed hash',
      (n) => sql`update audit_records set hash = ${'a'.repeat(64)} where position = ${n}`,
      3,
      'not what it was',
    ],
    [
      'a rewritten link',
      (n) => sql`update audit_records set previous_hash = ${'a'.repeat(64)} where position = ${n}`,
      3,
      'not chained',
    ],
    ['a removed record', (n) => sql`delete from audit_records where position = ${n}`, 3, 'missing'],
    ['a removed first record', () => sql`delete from audit_records where position = 1`, 1, 'missing'],
    [
      'a record taken out of the chain',
      (n) => sql`update audit_records set position = null where position = ${n}`,
      3,
      'missing',
    ],
  ]
  test.each(tampering)('%s is found, at its position', async (_name, statement, position, reason) => {
    const database = await openTestDatabase(dialect)
    await write(database, 6)
    await sealAll(database)
    expect((await verifyChain(database.read, 1)).ok).toBe(true)
    await database.write((tx) => tx.rows(statement(3)))
    const verified = await verifyChain(database.read, 1)
    expect(verified).toMatchObject({ ok: false, checked: position - 1, head_position: position - 1 })
    expect(verified.broken?.position).toBe(position)
    expect(verified.broken?.reason).toContain(reason)
    expect(verified.next_position).toBeUndefined()
  })

  const unreadable =
    dialect === 'sqlite' ? ['{', '"\\ud800"', 'null', '[]', `${'['.repeat(200_000)}`] : ['null', '[]', '5']
  const shown = unreadable.map((detail) => [detail.slice(0, 9), detail] as const)
  test.each(shown)('a detail of %s is found, and what is before and behind it is verified', async (_shown, detail) => {
    const database = await openTestDatabase(dialect)
    await write(database, 9)
    await sealAll(database)
    await database.write((tx) => tx.rows(sql`update audit_records set detail = ${detail} where position = 6`))
    expect(await verifyChain(database.read, 1)).toMatchObject({
      ...{ ok: false, checked: 5, head_position: 5 },
      broken: { position: 6, reason: expect.stringMatching(/can't be read|not what it was/) },
    })
    expect(await verifyChain(database.read, 7)).toMatchObject({ ok: true, checked: 3, head_position: 9 })
    expect(await verifyChain(database.read, 6)).toMatchObject({ ok: false, checked: 0, broken: { position: 6 } })
    await database.write((tx) => tx.rows(sql`delete from audit_records where position = 5`))
    const missing = { position: 5, reason: 'the record at this position is missing' }
    expect(await verifyChain(database.read, 1)).toMatchObject({ ok: false, checked: 4, broken: missing })
  })

  test('a change to any column of a sealed record is found', async () => {
    const database = await openTestDatabase(dialect)
    await write(database, 3)
    await sealAll(database)
    const { auditRecords } = database.read.t
    const columns = Object.values(getTableColumns(auditRecords)).map((column) => column.name)
    expect(columns.length).toBeGreaterThan(8)
    for (const column of columns) {
      const [row] = await database.read.rows<Record<string, unknown>>(
        sql`select * from audit_records where position = 2`,
      )
      const isOnly = column === 'id' ? sql`hash = ${row!.hash}` : sql`id = ${row!.id}`
      const set = (value: unknown) =>
        database.write((tx) =>
          tx.rows(sql`update audit_records set ${sql.identifier(column)} = ${value} where ${isOnly}`),
        )
      await set(column === 'position' ? 7 : column === 'detail' ? '{"other":1}' : 'other')
      expect([column, (await verifyChain(database.read, 1)).ok]).toEqual([column, false])
      await set(column === 'detail' && typeof row![column] !== 'string' ? JSON.stringify(row![column]) : row![column])
      expect([column, (await verifyChain(database.read, 1)).ok]).toEqual([column, true])
    }
  })

  test('two sealers at once give one chain, and nothing is sealed twice', async () => {
    const database = await openTestDatabase(dialect)
    await write(database, 40)
    const outcomes = await Promise.allSettled(Array.from({ length: 4 }, () => sealBatch(database)))
    expect(outcomes.some(({ status }) => status === 'fulfilled')).toBe(true)
    await sealAll(database)
    expect(await verifyChain(database.read, 1)).toMatchObject({ ok: true, checked: 40, head_position: 40, unsealed: 0 })
  })

  test('the running sealer adds records within a second, and stops when asked to', async () => {
    const database = await openTestDatabase(dialect)
    const sealer = startSealer({ database, log, owner: 'one' })
    const other = startSealer({ database, log, owner: 'two' })
    await write(database, 3)
    expect(limits.auditSealMs).toBeLessThanOrEqual(1_000)
    await until('all is sealed', async () => (await verifyChain(database.read, 1)).head_position === 3)
    await Promise.all([sealer.drain(), other.drain()])
    await write(database, 1, { from: 3 })
    await Bun.sleep(limits.auditSealMs + 200)
    expect(await verifyChain(database.read, 1)).toMatchObject({ ok: true, head_position: 3, unsealed: 1 })
  })
})

describeOnBothDialects('GET /api/v1/audit', (dialect) => {
  let started: TestApp
  let auditor: Record<string, string>
  const total = 7

  beforeAll(async () => {
    started = await startTestApp(dialect)
    await started.addUser('auditor', ['auditor'])
    auditor = await started.signIn('auditor')
    // What signing in recorded would only make the figures below harder to read.
    await started.database.write((tx) => tx.rows(sql`delete from audit_records`))
    await write(started.database, total)
  })

  const list = async (query: string) => {
    const response = await started.send({ path: `/api/v1/audit${query}`, headers: auditor })
    return {
      status: response.status,
      body: (await jsonOf(response)) as {
        audit: { resource_id: string; at: string }[]
        next_cursor?: string
        detail?: string
      },
    }
  }
  const idsOf = (body: { audit: { resource_id: string }[] }) =>
    body.audit.map(({ resource_id }) => Number(resource_id.slice(9)))

  test('lists newest first, page by page, each record once', async () => {
    const seen: number[] = []
    let cursor = ''
    do {
      const { status, body } = await list(`?limit=3${cursor}`)
      expect(status).toBe(200)
      seen.push(...idsOf(body))
      cursor = body.next_cursor === undefined ? '' : `&cursor=${body.next_cursor}`
    } while (cursor !== '')
    expect(seen).toEqual([6, 5, 4, 3, 2, 1, 0])
  })

  test.each([
    [`?actor_id=${people[0]}`, [6, 4, 2, 0]],
    [`?actor_id=${people[1]}`, [5, 3, 1]],
    [`?actor_id=${people[1].toUpperCase()}`, [5, 3, 1]],
    ['?action=case.generated', [5, 3, 1]],
    ['?action=case', []],
    ['?resource_kind=contract', [6, 4, 2, 0]],
    ['?resource_id=resource-4', [4]],
    ['?resource_kind=case&resource_id=resource-4', []],
    ['?from=2026-11-20T09:30:04Z', [6, 5, 4]],
    ['?to=2026-11-20T09:30:02Z', [1, 0]],
    ['?from=2026-11-20T10:30:02%2B01:00&to=2026-11-20T09:30:04.000000001Z', [4, 3, 2]],
    [`?resource_kind=case&actor_id=${people[1]}&limit=2`, [5, 3]],
  ])('%s lists exactly what it names', async (query, wanted) => {
    const { status, body } = await list(query)
    expect(status).toBe(200)
    expect(idsOf(body)).toEqual([...wanted])
  })

  test.each([
    ['?limit=0', 'limit'],
    ['?limit=101', 'limit'],
    ['?limit=two', 'limit'],
    ['?cursor=x', 'cursor'],
    [`?cursor=${newId()}`, 'cursor'],
    ['?actor_id=me', 'actor_id'],
    ['?action=Has Spaces', 'action'],
    [`?action=${'a'.repeat(65)}`, 'action'],
    ['?resource_kind=', 'resource_kind'],
    [`?resource_id=${'a'.repeat(129)}`, 'resource_id'],
    ['?from=yesterday', 'from'],
    ['?to=2026-11-31T00:00:00Z', 'to'],
    ['?colour=red', 'colour'],
    ['?action=a.b&action=a.b', 'action'],
  ])('%s is refused, naming the field', async (query, field) => {
    const { status, body } = await list(query)
    expect([status, body.detail]).toEqual([422, expect.stringContaining(field)])
  })

  test('at exactly their limits, fields are accepted', async () => {
    for (const query of ['?limit=1', '?limit=100', `?action=${'a'.repeat(64)}`, `?resource_id=${'a'.repeat(128)}`]) {
      expect([query, (await list(query)).status]).toEqual([query, 200])
    }
  })

  test('verify answers over HTTP, and reading changes nothing', async () => {
    await sealAll(started.database)
    const verify = async (query = '') => {
      const response = await started.send({ path: `/api/v1/audit/verify${query}`, headers: auditor })
      return [response.status, await jsonOf(response)] as const
    }
    expect(await verify()).toEqual([200, expect.objectContaining({ ok: true, checked: total, unsealed: 0 })])
    expect((await verify('?from_position=0'))[0]).toBe(422)
    expect((await verify(`?from_position=${total + 2}`))[0]).toBe(422)
    expect((await verify('?from_position=1.5'))[0]).toBe(422)
    expect((await list('')).body.audit).toHaveLength(total)
  })
})

describeOnBothDialects('queries of the audit list', (dialect) => {
  let database: Database
  beforeAll(async () => {
    database = await openTestDatabase(dialect)
    await write(database, 3)
  })

  test.each([
    ['audit_page', {}],
    ['audit_actor_page', { actor_id: people[0] }],
    ['audit_action_page', { action: 'case.generated' }],
    ['audit_kind_page', { resource_kind: 'case' }],
    ['audit_resource_page', { resource_id: 'resource-1' }],
  ] as const)('use %s for the first page and the next', async (index, query) => {
    const audit = createAuditService(database)
    const plans = await plansOf(database, 'audit_records', async () => {
      const first = await audit.list({ ...query, limit: 1 })
      await audit.list({ ...query, limit: 1, cursor: first.audit[0]!.id })
    })
    expect(plans).toHaveLength(2)
    for (const plan of plans) {
      expect(plan).toContain(index)
      expect(plan).not.toMatch(/USE TEMP B-TREE|Sort|Seq Scan/)
    }
  })

  // PostgreSQL goes by its statistics; SQLite has none, so the declaration says which filter leaves the fewest rows.
  if (dialect === 'sqlite') {
    test.each([
      ['audit_actor_page', { actor_id: people[0], action: 'case.generated', resource_kind: 'case' }],
      ['audit_action_page', { action: 'case.generated', resource_kind: 'case' }],
      ['audit_resource_page', { actor_id: people[0], action: 'case.generated', resource_id: 'resource-1' }],
    ] as const)('take %s for several filters, the one that leaves the fewest rows', async (index, query) => {
      const audit = createAuditService(database)
      const plans = await plansOf(database, 'audit_records', () => audit.list({ ...query, limit: 1 }))
      expect(plans).toHaveLength(1)
      expect(plans[0]).toContain(index)
    })
  }

  test('use the index of unsealed records alone to find those, and the position to walk the chain', async () => {
    const plans = await plansOf(database, 'audit_records', async () => {
      await listUnsealed(database.read, 10)
      await listSealed(database.read, 1, 10)
      await headPosition(database.read)
    })
    for (const plan of plans) expect(plan).not.toMatch(/USE TEMP B-TREE|Sort|Seq Scan/)
    expect(plans.map((plan) => /audit_\w+/.exec(plan.replaceAll('audit_records', ''))?.[0])).toEqual([
      'audit_unsealed',
      'audit_position',
      'audit_position',
    ])
  })
})
