import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { eq, sql } from 'drizzle-orm'
import { SYSTEM_ACTOR_ID } from '../../../src/core/actor.ts'
import { newId } from '../../../src/core/ids.ts'
import { addMs, formatInstant, type Instant } from '../../../src/core/instant.ts'
import { limits } from '../../../src/core/limits.ts'
import { createLog } from '../../../src/core/log.ts'
import { signingKeyOf } from '../../../src/core/signing-key.ts'
import { contentHashOf } from '../../../src/db/audit-log.ts'
import type { Database, Transaction } from '../../../src/db/database.ts'
import { ensureStoreId } from '../../../src/db/store-id.ts'
import { demo } from '../../../src/demo/demo.ts'
import { countUncovered, newestRecords, recordKey } from '../../../src/modules/audit/audit.coverage.reads.ts'
import { type Coverage, verifyCoverage, withRemoval } from '../../../src/modules/audit/audit.coverage.ts'
import { signHead } from '../../../src/modules/audit/audit.heads.ts'
import { listSavers } from '../../../src/modules/audit/audit.savers.reads.ts'
import { startSealer } from '../../../src/modules/audit/audit.sealer.ts'
import { recordAudit } from '../../../src/modules/audit/audit.service.ts'
import { headPosition } from '../../../src/modules/audit/audit.store.ts'
import { seedDemo } from '../../../src/modules/intake-lab/intake-lab.service.ts'
import { startTestApp, type TestApp, testAuthor } from '../../http/harness.ts'
import { openTestDatabase } from '../../support/database.ts'
import { signing } from '../../support/signing.ts'
import { tamperings } from './tampering.ts'

/*
 * What `verifyCoverage` says of a small store, in this process: each tampering in a transaction that is rolled back.
 * audit.coverage.test.ts asks the command of the store of a program that ran.
 */
class RolledBack extends Error {}
const stranger = signingKeyOf('9'.repeat(64))
const log = createLog({ level: 'error', readable: false, write: () => {} })
const late = '2099-01-01T00:00:00.000000000Z'

let database: Database
let app: TestApp
let ann: string
let token: string
let submission: string
let end: number
let beganAt: Instant

beforeAll(async () => {
  database = await openTestDatabase('sqlite')
  database.attestWith?.(signing.attest)
  await ensureStoreId(database)
  app = await startTestApp('sqlite', { database })
  await seal()
  await seedDemo(database, app.clock)
  ann = (await app.addUser('ann', ['operator'])).id
  const wanted = { name: 'nightly', userId: ann, scopes: ['submission_read'] as const, days: 1 }
  token = (await app.tokens.create(wanted, testAuthor)).token.id
  const headers = { ...(await app.signIn('ann')), 'idempotency-key': 'covered-1' }
  const [scenario] = demo.scenarios
  const body = { ingestion_model: demo.ingestionModel.slug, raw_input: scenario.raw_input, metadata: scenario.metadata }
  const response = await app.send({ method: 'POST', path: '/api/v1/submissions', headers, body })
  submission = ((await response.json()) as { submission: { id: string } }).submission.id
  await seal()
  end = await headPosition(database.read)
  const [began] = await database.read.rows<{ at: Instant }>(
    sql`select at from audit_records where action = 'audit_trail.coverage_began'`,
  )
  beganAt = began!.at
})
afterAll(() => database.close())

/** One round of a sealer, as at a start. */
async function seal(): Promise<void> {
  await startSealer({ database, log, owner: newId(), key: signing, clock: app.clock, isSoleInstance: true }).drain()
}

type Change = (tx: Transaction) => Promise<unknown>
const raw =
  (text: string): Change =>
  async (tx) => {
    for (const statement of text.split(';')) await tx.rows(sql.raw(statement))
  }

/** What is said of the store after a change, which is taken back. */
async function after(change: Change, key: typeof signing | 'none' = signing) {
  const said: string[] = []
  let coverage: Coverage | undefined
  await database
    .write(async (tx) => {
      await change(tx)
      const report = (problem: string) => said.push(problem)
      coverage = await verifyCoverage({ connection: tx, report, ...(key === 'none' ? {} : { key }) })
      throw new RolledBack()
    })
    .catch((error: unknown) => {
      if (!(error instanceof RolledBack)) throw error
    })
  return { said, coverage: coverage! }
}
const saidOf = async (change: Change) => (await after(change)).said
const nothing: Change = async () => {}
const idOf = async (text: string) => (await database.read.rows<{ id: string }>(sql.raw(text)))[0]!.id
/** The position of the newest record about something. */
const placeOf = async (id: string) =>
  (
    await database.read.rows<{ n: number }>(sql`select max(position) as n from audit_records where resource_id = ${id}`)
  )[0]!.n
const contract = () => idOf("select id from families where kind = 'contract'")

describe('a store that nobody has changed', () => {
  test('is covered but for what is under way, since its first start', async () => {
    const { said, coverage } = await after(nothing)
    expect(said).toEqual([])
    // Four families, three activations, a case, a release, a user, a token and a submission; its execution isn't over.
    expect(coverage).toEqual({ covered: 12, uncovered: {}, ofOtherKey: 0, otherKeys: [], since: beganAt })
  })

  test('has tags that nobody can check without the key, which is then the one that was introduced first', async () => {
    const { said, coverage } = await after(nothing, 'none')
    expect([said, coverage.ofOtherKey, coverage.otherKeys]).toEqual([[], 1, []])
    const other = await after(nothing, stranger)
    expect([other.said, other.coverage.ofOtherKey]).toEqual([[], 1])
    expect(other.coverage.otherKeys).toEqual([{ id: signing.id, position: 2, at: beganAt }])
  })

  test('covers no state that has changed since, until its record is sealed', async () => {
    const change: Change = async (tx) => {
      await tx.q.update(tx.t.users).set({ displayName: 'Anna' }).where(eq(tx.t.users.id, ann))
      const actor = { userId: ann, correlationId: 'c', at: app.clock.now() }
      await recordAudit(tx, actor, { action: 'user.updated', resourceKind: 'user', resourceId: ann })
    }
    const { said, coverage } = await after(change)
    expect([said, coverage.covered]).toEqual([[], 11])
  })
})

describe('what the newest record does not cover is named with its place', () => {
  const not = async (kind: string, id: string, what: string) =>
    `${kind} ${id}, or ${what} not what the audit trail covers at position ${await placeOf(id)}`

  test.each<[string, () => Promise<string>, () => Promise<string>]>([
    ['a user', async () => "update users set display_name = 'x'", () => not('user', ann, 'its events are')],
    ['a token', async () => "update api_tokens set name = 'x'", () => not('api_token', token, 'its scopes are')],
    [
      'a contract',
      async () => "update families set name = 'x' where kind = 'contract'",
      async () => not('contract', await contract(), 'its versions or events are'),
    ],
    [
      'a submission',
      async () => "update submissions set correlation_id = 'x'",
      () => not('submission', submission, 'its executions or their steps are'),
    ],
    [
      'a case',
      async () => "update cases set payload = '{}'",
      async () => not('case', await idOf('select id from cases'), 'its payload is'),
    ],
    [
      'a release',
      async () => "update releases set name = 'x'",
      async () => not('release', await idOf('select id from releases'), 'its events are'),
    ],
    [
      'an activation',
      async () => "update activations set version = 7 where kind = 'template'",
      async () => not('activation', await idOf("select id from activations where kind = 'template'"), 'its events are'),
    ],
    [
      'a user who is gone',
      async () => 'delete from users',
      async () => `user ${ann} is missing; the audit trail records it at position ${await placeOf(ann)}`,
    ],
    [
      'a user whose record covers nothing',
      async () => `update audit_records set digest = null where resource_id = '${ann}'`,
      async () => `user ${ann} is in a state that the audit trail at position ${await placeOf(ann)} does not tell of`,
    ],
    [
      'a user who can’t be read',
      async () => "update users set roles = 'x'",
      async () =>
        `user ${ann}, or what belongs to it: a value can't be read (what is stored as roles can't be read (JSON Parse error: Unexpected identifier "x"))`,
    ],
  ])('%s', async (_what, statement, named) => {
    expect(await saidOf(raw(await statement()))).toEqual([await named()])
  })

  test('but not a token or a row of a time in which records covered no state', async () => {
    const withoutDigest = raw(`update audit_records set digest = null where resource_id = '${token}'`)
    expect(await saidOf(withoutDigest)).toEqual([])
    const { said, coverage } = await after(
      raw(`update audit_records set content_hash = null where resource_id = '${ann}';
        update users set display_name = 'x'`),
    )
    expect([said, coverage.covered, coverage.uncovered]).toEqual([
      ...[[`user ${ann} has no record in the audit trail`], 11, {}],
    ])
  })
})

describe('the heads of the chain', () => {
  const place = 'the head of the audit trail at position'

  test.each<[string, () => Change, () => string[]]>([
    [
      'that are gone leave records without one',
      () => raw(`delete from audit_heads where position = ${end}`),
      () => ['the records of the audit trail after position 2 have no signed head'],
    ],
    [
      'that are all gone',
      () => raw('delete from audit_heads'),
      () => ['the records of the audit trail after position 0 have no signed head'],
    ],
    [
      'with another signature',
      () => raw(`update audit_heads set signature = signature || '0' where position = ${end}`),
      () => [`${place} ${end} does not have its key's signature`],
    ],
    [
      'whose record is gone',
      () => raw(`delete from audit_records where position = ${end}`),
      () => [`the audit trail was cut: the record of its head at position ${end} is missing`],
    ],
    [
      'with another hash than the chain',
      () => raw(`update audit_records set hash = 'x' where position = ${end}`),
      () => [`the audit trail was rewritten before its head at position ${end}`],
    ],
    [
      'of a key that nobody introduced',
      () => async (tx) => {
        const [own] = await tx.q.select().from(tx.t.auditHeads).where(eq(tx.t.auditHeads.position, end))
        const { store, position, hash, at } = own!
        const head = signHead({ store, position, hash, at }, stranger)
        await tx.q.update(tx.t.auditHeads).set(head).where(eq(tx.t.auditHeads.position, end))
      },
      () => [`${place} ${end} is signed with ${stranger.id}, which is not a key of this store`],
    ],
  ])('%s are reported', async (_what, change, named) => {
    const said = await saidOf(change())
    for (const one of named()) expect(said).toContain(one)
    expect(said.filter((one) => one.includes('head'))).toHaveLength(1)
  })

  test('are not wanted of a store that never had a key', async () => {
    const change = raw(`delete from audit_heads;
      delete from audit_records where action = 'signing_key.introduced'`)
    expect((await saidOf(change)).filter((one) => one.includes('head'))).toEqual([])
  })
})

test('a record at a place that the chain does not have is named, and one at its last possible place is not', async () => {
  const insert = (id: string, position: string) =>
    raw(`insert into audit_records (id, actor_id, action, resource_kind, correlation_id, at, detail, position)
      values ('${id}', 'x', 'a.b', 'session', 'c', '${late}', '{}', ${position})`)
  for (const position of ['0', '-1', '9007199254740992']) {
    const said = await saidOf(insert('forged', position))
    expect([position, said[0]]).toEqual([
      ...[position, 'the audit record forged is at a place that the audit trail does not have'],
    ])
  }
  // Behind a hole that nobody could walk through in a lifetime.
  const said = await saidOf(insert('forged', '9007199254740991'))
  expect(said).toEqual([`the records of the audit trail after position ${end} have no signed head`])
  // What is behind the hole is checked nevertheless.
  const moved = raw(`update audit_records set position = 9007199254740991 where position = ${await placeOf(ann)};
    update users set display_name = 'x'`)
  expect(await saidOf(moved)).toContain(
    `user ${ann}, or its events are not what the audit trail covers at position 9007199254740991`,
  )
})

test('the record from which on everything is covered is missed only where something is covered', async () => {
  const lost = 'the audit trail has lost the record from which on it covers everything'
  const without = "delete from audit_records where action = 'audit_trail.coverage_began'"
  expect(await saidOf(raw(without))).toContain(lost)
  expect(await saidOf(raw(`${without}; update audit_records set content_hash = null`))).not.toContain(lost)
  // Outside the chain it says nothing.
  const outside = "update audit_records set position = null where action = 'audit_trail.coverage_began'"
  expect(await saidOf(raw(outside))).toContain(lost)
})

describe('a row that no record covers', () => {
  const insert = (id: string, at: string) =>
    raw(`insert into users (id, username, display_name, roles, password_hash, must_change_password, disabled, created_at,
      updated_at) select '${id}', '${id}', display_name, roles, password_hash, 0, 0, '${at}', updated_at from users limit 1`)

  test('is named where it is from the beginning of the coverage or later', async () => {
    for (const at of [late, beganAt]) {
      expect(await saidOf(insert('forged', at))).toEqual(['user forged has no record in the audit trail'])
    }
  })

  test('is counted where it is older, and reported where there were fewer of its kind', async () => {
    const older = addMs(beganAt, -1)
    const first = await after(insert('forged', older))
    expect(first.coverage.uncovered).toEqual({ user: 1 })
    expect(first.said).toEqual([
      `1 of the kind user have no record in the audit trail, where 0 were there at ${formatInstant(beganAt)}`,
    ])
    const known = await after(async (tx) => {
      await insert('forged', older)(tx)
      const detail = JSON.stringify({ uncovered: { user: 1 } })
      await tx.rows(sql`update audit_records set detail = ${detail} where action = 'audit_trail.coverage_began'`)
    })
    expect([known.said.filter((one) => one.includes('kind user')), known.coverage.uncovered]).toEqual([[], { user: 1 }])
  })

  test('is counted by its kind, an execution only when it is over and an answer only without a tag', async () => {
    await database
      .write(async (tx) => {
        await raw(`delete from audit_records; update executions set status = 'completed';
          update idempotency set attestation = null`)(tx)
        expect(await countUncovered(tx)).toEqual({
          ...{ submission: 1, execution: 1, user: 1, api_token: 1, family: 4, activation: 3, release: 1, case: 1 },
          answer: 1,
        })
        await raw("update executions set status = 'processing'; update idempotency set status = 0")(tx)
        const seen: string[] = []
        const counted = await countUncovered(tx, ({ what, name, madeAt }) => {
          seen.push(`${what} ${name} ${madeAt}`)
          return what === 'user'
        })
        expect(counted).toEqual({ user: 1 })
        expect(seen.some((one) => one.startsWith(`user ${ann} 2026-11-20T`))).toBe(true)
        expect(seen.some((one) => one.startsWith('execution') || one.startsWith('answer'))).toBe(false)
        throw new RolledBack()
      })
      .catch((error: unknown) => {
        if (!(error instanceof RolledBack)) throw error
      })
  })
})

describe('an unsealed record', () => {
  /** One that Quire has written, changed by a statement. */
  const changed =
    (text: string): Change =>
    async (tx) => {
      const actor = { userId: SYSTEM_ACTOR_ID, correlationId: 'c', at: late as Instant }
      await recordAudit(tx, actor, { action: 'session.refused', resourceKind: 'user' })
      await tx.rows(sql`update audit_records set id = 'fresh' where position is null`)
      const [row] = await tx.q.select().from(tx.t.auditRecords).where(eq(tx.t.auditRecords.id, 'fresh'))
      await tx.rows(sql`update audit_records set content_hash = ${contentHashOf(row!)} where id = 'fresh'`)
      const attestation = signing.attest(`audit record ${contentHashOf(row!)} null`)
      await tx.rows(sql`update audit_records set attestation = ${attestation} where id = 'fresh'`)
      if (text !== '') await raw(`update audit_records set ${text} where id = 'fresh'`)(tx)
    }
  const notQuires = "the unsealed audit record fresh is not Quire's: "

  test.each([
    ['as it was written', '', []],
    ['without a content hash', 'content_hash = null', ['it has no content hash']],
    ['that was changed', "action = 'session.opened'", ['it is not what it was when it was written']],
    ['without a tag', 'attestation = null', ["it has no tag of the store's key"]],
    ['with another tag', "attestation = attestation || '0'", ["its tag is not the store's"]],
    [
      'of another key',
      `attestation = '${stranger.attest('x')}'`,
      [`it was written under the key ${stranger.id}, which is not a key of this store`],
    ],
  ])('%s is judged by what it says, its tag and the key of that', async (_what, text, why) => {
    expect(await saidOf(changed(text))).toEqual(why.map((one) => notQuires + one))
  })

  test('of an earlier key of the store is only counted', async () => {
    const { said, coverage } = await after(async (tx) => {
      await changed(`attestation = '${stranger.attest('x')}'`)(tx)
      const detail = JSON.stringify({ public_key: stranger.publicKey })
      await tx.rows(sql`insert into audit_records (id, actor_id, action, resource_kind, resource_id, correlation_id, at, detail,
        position) values ('key', 'x', 'signing_key.introduced', 'signing_key', ${stranger.id}, 'c', ${late}, ${detail}, ${end + 1})`)
      const head = { store: 's', position: end + 1, hash: 'h', at: late as Instant }
      await tx.q.insert(tx.t.auditHeads).values(signHead(head, stranger))
    })
    expect(coverage.ofOtherKey).toBe(1)
    expect(coverage.otherKeys).toEqual([{ id: stranger.id, position: end + 1, at: late as Instant }])
    expect(said.filter((one) => one.includes('unsealed'))).toEqual([])
  })
})

test('an answer that was changed, or has a tag of somebody else, is named with its key', async () => {
  const named = 'the answer under the Idempotency-Key covered-1 is not what was answered: '
  expect(await saidOf(raw('update idempotency set status = 201'))).toEqual([`${named}its tag is not the store's`])
  expect(await saidOf(raw(`update idempotency set attestation = '${stranger.attest('x')}'`))).toEqual([
    `${named}it was written under the key ${stranger.id}, which is not a key of this store`,
  ])
})

test('an answer under an earlier key is only counted if it can be of the time before its end', async () => {
  const answered = async (createdAt: string) => {
    const { said, coverage } = await after(async (tx) => {
      // The store had another key before its own.
      const detail = JSON.stringify({ public_key: stranger.publicKey })
      await tx.rows(sql`update audit_records set detail = ${detail}, resource_id = ${stranger.id}
        where action = 'audit_trail.coverage_began'`)
      await tx.rows(sql`update audit_records set action = 'signing_key.introduced'
        where action = 'audit_trail.coverage_began'`)
      await tx.rows(sql`update idempotency set attestation = ${stranger.attest('x')}, created_at = ${createdAt}`)
    })
    return [said.filter((one) => one.includes('Idempotency-Key')), coverage.ofOtherKey] as const
  }
  const end = addMs(beganAt, limits.auditKeyOverlapMs)
  expect(await answered(end)).toEqual([[], 1])
  expect(await answered(addMs(end, 1))).toEqual([
    [
      `the answer under the Idempotency-Key covered-1 is not what was answered: it was written under the key ${stranger.id}, which was replaced more than a day before`,
    ],
    0,
  ])
})

describe('activations', () => {
  const copies = (...rows: [status: string, from: string][]): Change => {
    const set = rows.map(
      (
        [status, from],
        index,
      ) => `insert into activations (id, kind, family_id, family_slug, version_id, version, content_hash,
        effective_from, scheduled_by, correlation_id, scheduled_at, status) select 'copy-${index}', kind, 'other', family_slug,
        version_id, version, content_hash, '${from}', scheduled_by, correlation_id, scheduled_at, '${status}'
        from activations where kind = 'template' and family_id <> 'other'`,
    )
    return raw(set.join(';'))
  }
  const orderOf = async (...statuses: string[]) => {
    const rows = statuses.map((status, index): [string, string] => [
      status,
      `2030-01-0${index + 1}T00:00:00.000000000Z`,
    ])
    const said = await saidOf(copies(...rows))
    return said.filter((one) => one.includes('do not follow'))
  }

  test.each([
    [['superseded', 'superseded', 'active', 'scheduled', 'scheduled']],
    [['active']],
    [['active', 'scheduled']],
    [['scheduled', 'scheduled']],
  ])('that follow each other as %j are right', async (statuses) => {
    expect(await orderOf(...statuses)).toEqual([])
  })

  test.each([
    [['scheduled', 'active']],
    [['active', 'superseded']],
    [['active', 'active']],
    [['superseded', 'superseded']],
    [['superseded', 'scheduled']],
    [['scheduled', 'superseded', 'active']],
    [['active', 'unknown']],
  ])('that follow each other as %j are reported with their order', async (statuses) => {
    expect(await orderOf(...statuses)).toEqual([
      `the activations of family other do not follow each other: ${statuses.join(', ')}`,
    ])
  })

  test('are cancelled exactly where they say when', async () => {
    const id = await idOf("select id from activations where kind = 'template'")
    const said = async (text: string) =>
      (await saidOf(raw(`update activations set ${text} where id = '${id}'`))).filter((one) => one.includes(' is '))
    expect(await said("status = 'cancelled'")).toContain(`activation ${id} is cancelled, and nobody cancelled it`)
    expect(await said(`cancelled_at = '${late}'`)).toContain(`activation ${id} is active, and was cancelled`)
    const both = await said(`status = 'cancelled', cancelled_at = '${late}'`)
    expect(both.filter((one) => one.includes('cancelled'))).toEqual([])
  })
})

test('what was erased and is there again is named', async () => {
  const said = await saidOf(
    raw(
      `insert into erased_items (erasure_id, kind, item_id, content_hash) values ('e', 'submission', '${submission}', 'h')`,
    ),
  )
  expect(said).toContain(`submission ${submission} was erased, and is there again`)
})

test('what was deleted is not passed off as erased by tombstones of no erasure', async () => {
  const execution = await idOf('select id from executions')
  const said = await saidOf(
    raw(`delete from executions; delete from submissions; delete from steps; delete from events where aggregate = 'execution';
      insert into erased_items (erasure_id, kind, item_id) values ('forged', 'submission', '${submission}');
      insert into erased_items (erasure_id, kind, item_id) values ('forged', 'execution', '${execution}')`),
  )
  expect(said).toEqual([
    `execution ${execution} is said to be erased, by an erasure that is not there`,
    `submission ${submission} is said to be erased, by an erasure that is not there`,
  ])
})

test('rows whose user or family is missing are named', async () => {
  const forged = tamperings.filter(({ named }) => named.includes('belongs to nothing that is there'))
  expect(forged).toHaveLength(3)
  for (const { statement, named } of forged) expect(await saidOf(raw(statement))).toEqual([named])
})

test('what parts were removed of is covered by the removal since then, and by no earlier one', () => {
  const record = { position: 7, digest: 'own' }
  expect(withRemoval(record, undefined)).toBe(record)
  expect(withRemoval(record, { position: 6, digest: 'removal' })).toBe(record)
  expect(withRemoval(record, { position: 7, digest: 'removal' })).toEqual({ position: 7, digest: 'removal' })
  expect(withRemoval({ ...record, position: null }, { position: 7, digest: 'removal' })).toEqual({
    ...{ position: null, digest: 'own' },
  })
})

test('the newest record about something is found by its kind, and whether one is unsealed', async () => {
  const change: Change = async (tx) => {
    const actor = { userId: ann, correlationId: 'c', at: app.clock.now() }
    await recordAudit(tx, actor, { action: 'other.made', resourceKind: 'other', resourceId: ann })
    const newest = await newestRecords(tx, [ann, token])
    expect([...newest.keys()].toSorted()).toEqual(
      [recordKey('api_token', token), recordKey('other', ann), recordKey('user', ann)].toSorted(),
    )
    expect(newest.get(`user ${ann}`)).toEqual({ position: await placeOf(ann), hasUnsealed: false })
    expect(newest.get(`other ${ann}`)).toEqual({ position: 0, hasUnsealed: true })
    expect(await newestRecords(tx, [])).toEqual(new Map())
  }
  await after(change)
})

describe('who saved a revision', () => {
  const family = newId()
  const [maker, first, second] = ['maker', 'first', 'second']
  const savers = async (
    records: [action: string, who: string, detail: Record<string, number>][],
    after_: number,
    upTo: number,
  ) => {
    let found: string[] = []
    await after(async (tx) => {
      for (const [index, [action, userId, detail]] of records.entries()) {
        const actor = { userId, correlationId: 'c', at: addMs(app.clock.now(), index) }
        await recordAudit(tx, actor, {
          action: `contract.${action}`,
          resourceKind: 'contract',
          resourceId: family,
          detail,
        })
      }
      found = [...(await listSavers(tx, { kind: 'contract', familyId: family, after: after_, upTo }))].toSorted()
    })
    return found
  }
  const saved = (who: string, revision: number): [string, string, Record<string, number>] => [
    ...(['draft_saved', who, { revision }] as const),
  ]

  test('is whoever saved one after the first and up to the last that is asked for', async () => {
    const records = [
      ['created', maker, {}] as [string, string, Record<string, number>],
      saved(first, 1),
      saved(second, 2),
    ]
    expect(await savers(records, 0, 2)).toEqual([first, second])
    expect(await savers(records, 1, 2)).toEqual([second])
    expect(await savers(records, 0, 1)).toEqual([first])
    expect(await savers(records, 2, 3)).toEqual([])
  })

  test('is whoever made the family where nobody else saved its first, however the surface calls a revision', async () => {
    const records: [string, string, Record<string, number>][] = [
      ['created', maker, {}],
      ['draft_saved', second, { draft_revision: 2 }],
      ['version_frozen', 'another', { revision: 2 }],
    ]
    expect(await savers(records, 0, 2)).toEqual([maker, second])
    expect(await savers(records, 0, 1)).toEqual([maker])
    expect(await savers(records, 1, 2)).toEqual([second])
    expect(await savers(records, 0, 0)).toEqual([])
  })
})
