import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { asc, eq, sql } from 'drizzle-orm'
import { SYSTEM_ACTOR_ID } from '../../../src/core/actor.ts'
import { newId } from '../../../src/core/ids.ts'
import { addMs, instantOf } from '../../../src/core/instant.ts'
import { limits } from '../../../src/core/limits.ts'
import { createLog } from '../../../src/core/log.ts'
import { signingKeyOf } from '../../../src/core/signing-key.ts'
import { contentHashOf } from '../../../src/db/audit-log.ts'
import type { Database } from '../../../src/db/database.ts'
import { ensureStoreId } from '../../../src/db/store-id.ts'
import { verifyCoverage } from '../../../src/modules/audit/audit.coverage.ts'
import { isGenuine, signHead } from '../../../src/modules/audit/audit.heads.ts'
import { sealBatch, startSealer } from '../../../src/modules/audit/audit.sealer.ts'
import { CHAIN_START, linkOf, recordAudit, verifyChain } from '../../../src/modules/audit/audit.service.ts'
import { digestOfState, readStates } from '../../../src/modules/audit/audit.states.reads.ts'
import { findHead, headPosition, listSealed } from '../../../src/modules/audit/audit.store.ts'
import { settlePerson } from '../../../src/modules/users/provider-users.service.ts'
import { openTestDatabase } from '../../support/database.ts'
import { signing } from '../../support/signing.ts'
import { until } from '../../support/until.ts'

const start = instantOf('2026-11-20T09:30:00Z')
const later = addMs(start, 60_000)

describe('a sealer with a key', () => {
  let database: Database
  let store: string
  let logged: string[]

  beforeEach(async () => {
    database = await openTestDatabase('sqlite')
    database.attestWith?.(signing.attest)
    store = await ensureStoreId(database)
    logged = []
  })
  afterEach(() => database.close())

  const log = createLog({ level: 'info', readable: false, write: (line) => logged.push(line) })
  const seal = (key = signing, at = later) =>
    startSealer({
      ...{ database, log, owner: newId(), key, clock: { now: () => at }, isSoleInstance: true },
    }).drain()
  const write = (count: number, from = 0) =>
    database.write(async (tx) => {
      for (let index = from; index < from + count; index++) {
        const actor = { userId: SYSTEM_ACTOR_ID, correlationId: 'sealing', at: addMs(start, index) }
        await recordAudit(tx, actor, { action: 'session.refused', resourceKind: 'user', detail: { index } })
      }
    })
  const records = () =>
    database.read.q.select().from(database.read.t.auditRecords).orderBy(asc(database.read.t.auditRecords.position))

  test('begins with how much was there before and with its key, once each, and ends in a head of that', async () => {
    const person = { issuer: 'i', subject: 's', usernames: ['ann'], displayName: 'Ann', roles: ['operator'] as const }
    await database.write(async (tx) => {
      await settlePerson(tx, person, { at: start, correlationId: 'c', createsUsers: true })
      // As a version before left it.
      await tx.rows(sql`delete from audit_records`)
    })
    await seal()
    await seal()
    const [began, introduced, ...more] = await records()
    expect([began, introduced, more]).toMatchObject([
      {
        ...{
          position: 1,
          action: 'audit_trail.coverage_began',
          resourceKind: 'audit_trail',
          resourceId: null,
          at: later,
        },
        ...{
          detail: { uncovered: { user: 1 } },
          previousHash: CHAIN_START,
          attestation: null,
          actorId: SYSTEM_ACTOR_ID,
        },
      },
      {
        ...{ position: 2, action: 'signing_key.introduced', resourceKind: 'signing_key', resourceId: signing.id },
        ...{ detail: { public_key: signing.publicKey }, previousHash: began!.hash },
      },
      [],
    ])
    const head = await findHead(database.read)
    expect(head).toMatchObject({ store, position: 2, hash: introduced!.hash, at: later, publicKey: signing.publicKey })
    expect(isGenuine(head!)).toBe(true)
    const other = signingKeyOf('5'.repeat(64))
    await seal(other)
    const all = await records()
    expect(all.map(({ action, resourceId }) => [action, resourceId]).slice(2)).toEqual([
      ['signing_key.introduced', other.id],
    ])
    expect((await verifyChain(database.read, 1)).ok).toBe(true)
  })

  test('takes no record that Quire did not write, says so once, and goes on with the others', async () => {
    await seal()
    await write(2)
    await database.write((tx) =>
      tx.rows(sql`insert into audit_records (id, actor_id, action, resource_kind, correlation_id, at, detail)
        values ('forged', 'x', 'session.opened', 'session', 'c', ${start}, '{}')`),
    )
    const sealer = startSealer({
      ...{ database, log, owner: newId(), key: signing, clock: { now: () => later }, isSoleInstance: true },
    })
    await until('the first round is over', async () => (await verifyChain(database.read, 1)).head_position === 4)
    // Another round meets it again.
    await write(1, 50)
    await sealer.drain()
    const told = logged.map((line) => JSON.parse(line)).filter(({ message }) => message.includes('is not sealed'))
    expect(told).toMatchObject([
      {
        message: 'an audit record is not sealed: Quire did not write it',
        ...{ record_id: 'forged', why: 'it has no content hash' },
      },
    ])
    const unsealed = (await records()).filter(({ position }) => position === null)
    expect([unsealed.map(({ id }) => id), (await verifyChain(database.read, 1)).head_position]).toEqual([['forged'], 5])
  })

  test('seals the next record though as many that it refused are gone', async () => {
    await seal()
    const forged = (id: string) =>
      database.write((tx) =>
        tx.rows(sql`insert into audit_records (id, actor_id, action, resource_kind, correlation_id, at, detail)
          values (${id}, 'x', 'session.opened', 'session', 'c', ${start}, '{}')`),
      )
    await forged('one')
    const sealer = startSealer({
      ...{ database, log, owner: newId(), key: signing, clock: { now: () => later }, isSoleInstance: true },
    })
    await until('it is refused', () => logged.some((line) => line.includes('is not sealed')))
    // As it goes where another instance has the key of such a record, and seals it.
    await database.write((tx) => tx.rows(sql`delete from audit_records where id = 'one'`))
    await write(1)
    await until('it is sealed', async () => (await headPosition(database.read)) === 3)
    await sealer.drain()
  })

  test('takes tags of an earlier key for a day after a change of keys, and of none that anybody can name later', async () => {
    const other = signingKeyOf('5'.repeat(64))
    const inChain = async () => (await verifyChain(database.read, 1)).head_position
    await seal()
    // Left by the old key, and written by an instance that still has it.
    await write(1)
    await seal(other)
    await write(1, 1)
    await seal(other, addMs(later, limits.auditKeyOverlapMs))
    expect(await inChain()).toBe(5)
    expect(logged.filter((line) => line.includes('is not sealed'))).toEqual([])
    await write(1, 2)
    const after = addMs(later, limits.auditKeyOverlapMs + 1)
    await seal(other, after)
    expect(await inChain()).toBe(5)
    const why = `it was written under the key ${signing.id}, which was replaced more than a day before`
    expect(logged.filter((line) => line.includes('is not sealed')).map((line) => JSON.parse(line).why)).toEqual([why])
    // `later` is more than a day before the database's clock.
    const problems: string[] = []
    const report = (problem: string) => problems.push(problem)
    await verifyCoverage({ connection: database.read, key: other, report })
    expect(problems).toEqual([expect.stringContaining(`is not Quire's: ${why}`)])
    // A key that comes back is the newest again, and so are others the earlier ones.
    await seal(signing, after)
    expect(await inChain()).toBe(7)
    const introduced = (await records()).filter(({ action }) => action === 'signing_key.introduced')
    expect(introduced.map(({ resourceId }) => resourceId)).toEqual([signing.id, other.id, signing.id])
    await seal(signing, after)
    expect(await inChain()).toBe(7)
    // And then the new one again, as docs/operations.md has it: what was refused is sealed, and stays so.
    await seal(other, addMs(after, 1))
    expect(await inChain()).toBe(8)
    problems.length = 0
    await verifyCoverage({ connection: database.read, key: other, report })
    expect(problems).toEqual([])
  })

  test('takes tags of an earlier key for no longer because somebody introduces keys under such a tag', async () => {
    const other = signingKeyOf('5'.repeat(64))
    await seal()
    await seal(other)
    const end = addMs(later, limits.auditKeyOverlapMs)
    const far = addMs(end, limits.auditKeyOverlapMs)
    // While tags of the earlier key are taken unchecked, anybody can have these sealed.
    for (const key of [other, signing]) {
      await database.write((tx) =>
        recordAudit(
          tx,
          { userId: SYSTEM_ACTOR_ID, correlationId: 'c', at: far },
          {
            ...{ action: 'signing_key.introduced', resourceKind: 'signing_key', resourceId: key.id },
            detail: { public_key: key.publicKey },
          },
        ),
      )
      await sealBatch(database, { key: other, clock: { now: () => end } })
    }
    expect(await headPosition(database.read)).toBe(5)
    await write(1)
    await seal(other, addMs(end, 1))
    expect(await headPosition(database.read)).toBe(5)
    expect(logged.join('')).toContain('which was replaced more than a day before')
  })

  test('takes tags of an earlier key for no longer because somebody takes heads away, or puts one in', async () => {
    const other = signingKeyOf('5'.repeat(64))
    const stranger = signingKeyOf('7'.repeat(64))
    await seal()
    await seal(other)
    const end = addMs(later, limits.auditKeyOverlapMs)
    database.attestWith?.(other.attest)
    await write(1)
    await seal(other, end)
    expect(await headPosition(database.read)).toBe(4)
    const heads = () => database.read.rows(sql`select position from audit_heads order by position`)
    expect(await heads()).toEqual([{ position: 2 }, { position: 3 }, { position: 4 }])
    // The head of the batch that introduces the newer key: the next one is of a day later.
    await database.write((tx) => tx.rows(sql`delete from audit_heads where position = 3`))
    database.attestWith?.(signing.attest)
    await write(1, 1)
    await seal(other, addMs(end, 1))
    expect(await headPosition(database.read)).toBe(4)
    // One that seems to be the last of the key before, and is of nobody's.
    const forged = signHead({ store, position: 1, hash: 'h', at: addMs(end, limits.auditKeyOverlapMs) }, stranger)
    await database.write(async (tx) => {
      await tx.rows(sql`delete from audit_heads where position = 2`)
      await tx.q.insert(tx.t.auditHeads).values(forged)
    })
    await seal(other, addMs(end, 2))
    expect(await headPosition(database.read)).toBe(4)
  })

  test('takes tags of an earlier key for a day after it signed last, if a clock was behind when another was introduced', async () => {
    const other = signingKeyOf('5'.repeat(64))
    await seal()
    await seal(other, addMs(later, -3 * limits.auditKeyOverlapMs))
    const end = addMs(later, limits.auditKeyOverlapMs)
    await write(1)
    await seal(other, end)
    expect(await headPosition(database.read)).toBe(4)
    await write(1, 1)
    await seal(other, addMs(end, 1))
    expect(await headPosition(database.read)).toBe(4)
  })

  /** As an instance has it that is killed after so many writes. */
  const killedAfter = (most: number) => {
    let writes = 0
    return new Proxy(database, {
      get(own, name) {
        if (name !== 'write') return Reflect.get(own, name, own)
        return (work: Parameters<Database['write']>[0]) => {
          if (++writes > most) throw new Error('killed')
          return own.write(work)
        }
      },
    })
  }

  test('begins again where the first start was killed before it sealed anything, and the next one has another key', async () => {
    const other = signingKeyOf('5'.repeat(64))
    const clock = { now: () => later }
    await write(limits.auditSealBatch + 50)
    // The lease, and the records of the beginning and of the key.
    await startSealer({
      ...{ database: killedAfter(2), log, owner: newId(), key: signing, clock, isSoleInstance: true },
    }).drain()
    expect(await headPosition(database.read)).toBe(0)
    database.attestWith?.(other.attest)
    await seal(other)
    const problems: string[] = []
    await verifyCoverage({ connection: database.read, key: other, report: (problem) => problems.push(problem) })
    expect(problems).toEqual([])
    expect((await records()).filter(({ position }) => position === null)).toEqual([])
  })

  test('leaves nothing that verify would name, wherever its first start is killed', async () => {
    const clock = { now: () => later }
    for (let writes = 0; writes < 5; writes++) {
      await write(1, writes)
      await startSealer({
        ...{ database: killedAfter(writes), log, owner: newId(), key: signing, clock, isSoleInstance: true },
      }).drain()
      const problems: string[] = []
      await verifyCoverage({ connection: database.read, key: signing, report: (problem) => problems.push(problem) })
      expect([writes, ...problems]).toEqual([writes])
    }
    expect(await headPosition(database.read)).toBeGreaterThan(0)
  })

  test('introduces its key in the first batch that it signs, however many records wait, and whenever it is killed', async () => {
    const other = signingKeyOf('5'.repeat(64))
    await seal()
    await write(limits.auditSealBatch + 50)
    // The lease, the introduction and a batch.
    const killed = killedAfter(3)
    database.attestWith?.(other.attest)
    const clock = { now: () => later }
    await startSealer({ database: killed, log, owner: newId(), key: other, clock, isSoleInstance: true }).drain()
    expect(await headPosition(database.read)).toBe(2 + limits.auditSealBatch)
    const problems: string[] = []
    await verifyCoverage({ connection: database.read, key: other, report: (problem) => problems.push(problem) })
    expect(problems.filter((problem) => problem.includes('head'))).toEqual([])
    database.attestWith?.(signing.attest)
    await seal(other)
    expect(await headPosition(database.read)).toBe(2 + limits.auditSealBatch + 51)
  })

  /** A record that somebody puts behind the end of the chain, with all hashes that it needs. */
  async function append(action: string): Promise<void> {
    const [last] = await listSealed(database.read, await headPosition(database.read), Number.MAX_SAFE_INTEGER)
    const content = {
      ...{ id: newId(), actorId: SYSTEM_ACTOR_ID, action, resourceKind: 'user', resourceId: newId() },
      ...{ correlationId: 'forged', at: start, detail: {} },
    }
    const [contentHash, position, previousHash] = [contentHashOf(content), last!.position! + 1, last!.hash!]
    const hash = linkOf({ contentHash, digest: 'd' }, position, previousHash)
    await database.write((tx) =>
      tx.q
        .insert(tx.t.auditRecords)
        .values({ ...content, contentHash, digest: 'd', position, previousHash, hash, attestation: null }),
    )
  }

  test('takes no record because the trail is changed for a moment, and says so', async () => {
    await seal()
    const sealer = startSealer({
      ...{ database, log, owner: newId(), key: signing, clock: { now: () => later }, isSoleInstance: true },
    })
    await write(3)
    await until('they are sealed', async () => (await headPosition(database.read)) === 5)
    const stranger = signingKeyOf('7'.repeat(64))
    const changes = [
      sql`action = 'signing_key.gone' where position = 2`,
      sql`action = 'signing_key.introduced', resource_id = ${stranger.id}, detail = ${JSON.stringify({ public_key: stranger.publicKey })} where position = 4`,
    ]
    for (const [index, change] of changes.entries()) {
      const before = await records()
      database.attestWith?.(stranger.attest)
      await database.write(async (tx) => {
        await tx.rows(sql`update audit_records set ${change}`)
        await tx.q.insert(tx.t.auditHeads).values(signHead({ store, position: 4, hash: 'h', at: later }, stranger))
      })
      await write(1, 10 + index)
      await until('it is said', () => logged.filter((line) => line.includes('introduces another key')).length > index)
      expect(await headPosition(database.read)).toBe(5)
      await database.write(async (tx) => {
        await tx.rows(sql`delete from audit_heads where position = 4`)
        await tx.rows(sql`delete from audit_records where position is null`)
        for (const row of before) {
          await tx.q.update(tx.t.auditRecords).set(row).where(eq(tx.t.auditRecords.id, row.id))
        }
      })
    }
    database.attestWith?.(signing.attest)
    await write(1, 20)
    await until('the next is sealed', async () => (await headPosition(database.read)) === 6)
    await sealer.drain()
    const problems: string[] = []
    await verifyCoverage({ connection: database.read, key: signing, report: (problem) => problems.push(problem) })
    expect(problems).toEqual([])
  })

  test('signs nothing that somebody else put at the end of the chain, and says so once', async () => {
    await seal()
    await append('user.updated')
    expect((await verifyChain(database.read, 1)).ok).toBe(true)
    await write(1)
    await seal()
    await seal()
    expect((await findHead(database.read))!.position).toBe(2)
    expect((await records()).filter(({ position }) => position === null)).toHaveLength(1)
    const told = logged.map((line) => JSON.parse(line)).filter(({ level }) => level === 'error')
    expect(told).toMatchObject([
      ...[0, 1].map(() => ({
        message: 'no audit record is sealed any more: somebody else changed the end of the trail',
        why: 'the trail ends at position 3, and its last head is of 2',
        remedy: expect.stringContaining('quire restore --replace'),
      })),
    ])
    // Without it all is as before.
    await database.write((tx) => tx.rows(sql`delete from audit_records where correlation_id = 'forged'`))
    await seal()
    expect((await findHead(database.read))!.position).toBe(3)
  })

  test('blames nobody where another instance introduced its key and sealed in its place', async () => {
    const other = signingKeyOf('5'.repeat(64))
    await seal()
    await write(1)
    let writes = 0
    // The first write takes the lease, and the second would seal; in between this instance sleeps.
    const asleep = new Proxy(database, {
      get(own, name) {
        if (name !== 'write') return Reflect.get(own, name, own)
        return async (work: Parameters<Database['write']>[0]) => {
          if (++writes === 2) await seal(other)
          return own.write(work)
        }
      },
    })
    const clock = { now: () => later }
    await startSealer({ database: asleep, log, owner: newId(), key: signing, clock, isSoleInstance: true }).drain()
    expect(writes).toBeGreaterThanOrEqual(2)
    expect((await findHead(database.read))!.position).toBe(4)
    expect(logged.filter((line) => JSON.parse(line).level === 'error')).toEqual([])
  })

  test.each([
    [
      'a head of a key that nobody introduced',
      signingKeyOf('9'.repeat(64)),
      /no key of this store signed the head of 3/,
    ],
    ['a head that was changed', undefined, /no key of this store signed the head of 2/],
    ['no head any more', null, /the trail ends at position 2, and its last head is of 0/],
  ])('signs nothing behind %s', async (_what, key, why) => {
    await seal()
    if (key === null) await database.write((tx) => tx.rows(sql`delete from audit_heads`))
    else if (key !== undefined) {
      await append('user.updated')
      const [last] = await listSealed(database.read, 3, 4)
      await database.write((tx) =>
        tx.q.insert(tx.t.auditHeads).values(signHead({ store, position: 3, hash: last!.hash!, at: start }, key)),
      )
    }
    if (key === undefined) await database.write((tx) => tx.rows(sql`update audit_heads set signature = 'x'`))
    const before = await headPosition(database.read)
    await write(1)
    await seal()
    expect(await headPosition(database.read)).toBe(before)
    expect(logged.join('')).toMatch(why)
  })

  test('seals in batches, each with a head of its last record, and others behind those that it refuses', async () => {
    await seal()
    const { auditRecords } = database.read.t
    await write(limits.auditSealBatch + 1)
    await database.write((tx) =>
      tx.q.update(auditRecords).set({ attestation: null }).where(eq(auditRecords.correlationId, 'sealing')),
    )
    await write(limits.auditSealBatch + 1, 1_000)
    const refused: string[] = []
    const batch = () => sealBatch(database, { key: signing, onRefused: (_row, why) => refused.push(why) })
    expect([await batch(), await batch(), await batch()]).toEqual([limits.auditSealBatch, 1, 0])
    expect(new Set(refused)).toEqual(new Set(["it has no tag of the store's key"]))
    const heads = await database.read.q
      .select()
      .from(database.read.t.auditHeads)
      .orderBy(database.read.t.auditHeads.position)
    expect(heads.map(({ position }) => position)).toEqual([2, limits.auditSealBatch + 2, limits.auditSealBatch + 3])
    const [last] = await listSealed(database.read, limits.auditSealBatch + 3, limits.auditSealBatch + 4)
    expect([heads.at(-1)!.hash, last!.detail.index]).toEqual([last!.hash!, 1_000 + limits.auditSealBatch])
  })

  test('covers with a record the state of what it is about, if that is final, and keeps what came with it', async () => {
    await seal()
    const person = { issuer: 'i', subject: 's', usernames: ['ann'], displayName: 'Ann', roles: ['operator'] as const }
    const settled = await database.write((tx) =>
      settlePerson(tx, person, { at: start, correlationId: 'c', createsUsers: true }),
    )
    const id = settled.user!.id
    await database.write(async (tx) => {
      const actor = { userId: SYSTEM_ACTOR_ID, correlationId: 'c', at: start }
      const about = { resourceKind: 'case', resourceId: newId() }
      await recordAudit(tx, actor, { action: 'case.generated', ...about, digest: 'given' })
      await recordAudit(tx, actor, { action: 'case.lost', ...about })
      await recordAudit(tx, actor, { action: 'other.made', resourceKind: 'other', resourceId: id })
    })
    await seal()
    const state = (await readStates(database.read, 'user', [id])).get(id)!
    const digests = new Map((await records()).map(({ action, digest }) => [action, digest]))
    expect([...digests].slice(2)).toEqual([
      ['user.created', digestOfState(state)],
      ['case.generated', 'given'],
      // There is no such case, and nothing covers a session.
      ['case.lost', null],
      ['other.made', null],
    ])
  })
})
