import { expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import type { AuditLine } from '../../../src/core/audit-line.ts'
import type { Clock } from '../../../src/core/clock.ts'
import { newId } from '../../../src/core/ids.ts'
import { addMs, type Instant, parseInstant } from '../../../src/core/instant.ts'
import { limits } from '../../../src/core/limits.ts'
import { createLog } from '../../../src/core/log.ts'
import { signingKeyOf } from '../../../src/core/signing-key.ts'
import type { Database } from '../../../src/db/database.ts'
import { ensureStoreId, findStoreId } from '../../../src/db/store-id.ts'
import { verifyCoverage } from '../../../src/modules/audit/audit.coverage.ts'
import { exportRecords, positionBefore } from '../../../src/modules/audit/audit.export.ts'
import { type AuditForwarder, startAuditForwarder } from '../../../src/modules/audit/audit.forwarder.service.ts'
import { headLine, readHeads, signHead } from '../../../src/modules/audit/audit.heads.ts'
import { verifyKeptHeads } from '../../../src/modules/audit/audit.kept-heads.ts'
import { sealBatch, startSealer } from '../../../src/modules/audit/audit.sealer.ts'
import { recordAudit } from '../../../src/modules/audit/audit.service.ts'
import {
  type AuditHeadRow,
  forwardedPosition,
  listSealed,
  saveForwarded,
} from '../../../src/modules/audit/audit.store.ts'
import { COVERAGE_BEGAN, KEY_INTRODUCED } from '../../../src/modules/audit/audit.unsealed.ts'
import { openTestDatabase } from '../../support/database.ts'
import { signing } from '../../support/signing.ts'
import { patienceMs, until } from '../../support/until.ts'

/** What leaves the store: records to a receiver, and heads that are kept beside it. */
const start = parseInstant('2026-11-20T09:30:00Z')!
const at = (seconds: number) => addMs(start, seconds * 1_000)
const later: Clock = { now: () => at(10) }

/** A database with so many sealed records, one a second from `start`. */
async function trail(count: number): Promise<Database> {
  const database = await openTestDatabase('sqlite')
  await add(database, 1, count)
  return database
}

async function add(database: Database, from: number, to: number): Promise<void> {
  await database.write(async (tx) => {
    for (let index = from; index <= to; index++) {
      const actor = { userId: newId(), correlationId: 'elsewhere', at: at(index) }
      await recordAudit(tx, actor, { action: 'case.generated', resourceKind: 'case', resourceId: `case-${index}` })
    }
  })
  while ((await sealBatch(database)) > 0) {}
}

async function exported(database: Database, after: number) {
  const batches: { positions: number[]; position: number; broken: string[] }[] = []
  for await (const { lines, position, broken } of exportRecords(database.read, after)) {
    batches.push({ positions: lines.map((line) => line.position), position, broken })
  }
  return batches
}

const count = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index)

test('an export goes on behind any position, and only behind it', async () => {
  const database = await trail(5)
  expect(await exported(database, 0)).toEqual([{ positions: [1, 2, 3, 4, 5], position: 5, broken: [] }])
  expect(await exported(database, 3)).toEqual([{ positions: [4, 5], position: 5, broken: [] }])
  expect(await exported(database, 5)).toEqual([])
})

test('an export gives each record once across its batches, and a hole of a whole batch is reported behind it', async () => {
  const batch = limits.auditSealBatch
  const database = await trail(2 * batch + 3)
  const whole = await exported(database, 0)
  expect(whole.map(({ position }) => position)).toEqual([batch, 2 * batch, 2 * batch + 3])
  expect(whole.flatMap(({ positions }) => positions)).toEqual(count(1, 2 * batch + 3))
  expect(whole.flatMap(({ broken }) => broken)).toEqual([])
  await database.write((tx) => tx.rows(sql`delete from audit_records where position > 1 and position < ${batch + 3}`))
  expect((await exported(database, 1)).map(({ broken }) => broken)).toEqual([
    [`the chain does not hold at position ${batch + 2}`],
    [],
  ])
})

test('an export comes past a hole of any size at once', async () => {
  const database = await trail(2)
  await database.write((tx) =>
    tx.rows(sql`update audit_records set position = ${Number.MAX_SAFE_INTEGER} where position = 2`),
  )
  const [first, second, ...more] = await exported(database, 0)
  expect([first, more]).toEqual([{ positions: [1], position: 1, broken: [] }, []])
  expect(second).toMatchObject({ positions: [Number.MAX_SAFE_INTEGER], position: Number.MAX_SAFE_INTEGER })
  expect(second!.broken).toEqual([expect.stringMatching(/^the chain does not hold at position \d{16}$/)])
})

test.each([
  ['action', sql`update audit_records set action = 'case.imported' where position = 2`, [2]],
  ['hash', sql`update audit_records set hash = ${'0'.repeat(64)} where position = 2`, [2, 3]],
  ['previous hash', sql`update audit_records set previous_hash = ${'0'.repeat(64)} where position = 2`, [2]],
  ['absence', sql`delete from audit_records where position = 2`, [2]],
])('an export hands on records around a changed %s and says where the chain breaks', async (_name, change, places) => {
  const database = await trail(4)
  await database.write((tx) => tx.rows(change))
  const [batch] = await exported(database, 0)
  expect(batch!.broken).toEqual(places.map((place) => `the chain does not hold at position ${place}`))
  expect(batch!.positions).toEqual(_name === 'absence' ? [1, 3, 4] : [1, 2, 3, 4])
})

test('an export behind a record that is gone reports the next one', async () => {
  const database = await trail(3)
  await database.write((tx) => tx.rows(sql`delete from audit_records where position = 2`))
  expect((await exported(database, 2))[0]!.broken).toEqual(['the chain does not hold at position 3'])
})

test('an export hands on records behind the last head, which the store did not sign, and says so', async () => {
  const database = await trail(3)
  const head = { position: 2, store: 's', hash: 'h', at: at(2), publicKey: '', signature: '' }
  await database.write((tx) => tx.q.insert(tx.t.auditHeads).values(head))
  const unsigned = ['the records after position 2 have no signed head']
  expect(await exported(database, 0)).toEqual([{ positions: [1, 2, 3], position: 3, broken: unsigned }])
  await database.write((tx) => tx.q.update(tx.t.auditHeads).set({ position: 3 }))
  expect((await exported(database, 0))[0]!.broken).toEqual([])
})

test('an export leaves out a record that can’t be read, and says so', async () => {
  const database = await trail(3)
  await database.write((tx) => tx.rows(sql`update audit_records set at = x'00ff' where position = 2`))
  const [batch] = await exported(database, 0)
  expect(batch!.positions).toEqual([1, 3])
  expect(batch!.broken).toContain("the record at position 2 can't be read, and is left out")
  await database.write((tx) =>
    tx.rows(sql`insert into audit_heads (position, store, hash, at, public_key, signature)
      values (9223372036854775807, '', '', ${at(1)}, '', '')`),
  )
  expect((await exported(database, 0))[0]!.broken).toContain('the records after position 0 have no signed head')
})

test.each([
  ['an export before it reads', KEY_INTRODUCED, 'before'],
  ['a check after it has read', COVERAGE_BEGAN, 'after'],
])('nothing is wrong with a trail that is signed for the first time, %s %s', async (_what, action, when) => {
  const database = await trail(3)
  database.attestWith?.(signing.attest)
  await ensureStoreId(database)
  const begin = () =>
    startSealer({
      ...{ database, log: createLog({ level: 'error', readable: false, write() {} }), owner: newId() },
      ...{ key: signing, clock: later, isSoleInstance: true },
    }).drain()
  let isBegun = false
  const over: typeof database.read.over = (prepared) => {
    const own = database.read.over(prepared)
    const execute = async (values?: Record<string, unknown>) => {
      const isIt = values?.action === action && !isBegun
      if (isIt) isBegun = true
      if (isIt && when === 'before') await begin()
      const rows = await own.execute(values)
      if (isIt && when === 'after') await begin()
      return rows
    }
    return { execute } as typeof own
  }
  const connection = { ...database.read, over }
  const problems: string[] = []
  if (when === 'before') {
    for await (const { broken } of exportRecords(connection, 0)) problems.push(...broken)
  } else {
    await database.write((tx) => tx.rows(sql`delete from audit_records`))
    await verifyCoverage({ connection, key: signing, report: (problem) => problems.push(problem) })
  }
  expect([isBegun, problems]).toEqual([true, []])
})

test('an exported line has what its hash is made of', async () => {
  const database = await trail(1)
  for await (const { lines } of exportRecords(database.read, 0)) {
    const [row] = await listSealed(database.read, 1, 2)
    expect(lines[0]).toMatchObject({ position: 1, hash: row!.hash, at: at(1), action: 'case.generated' })
    expect(JSON.parse(lines[0]!.json)).toMatchObject({
      ...{ resource_id: 'case-1', position: 1, hash: row!.hash, content_hash: row!.contentHash, digest: row!.digest },
    })
  }
})

test('an export since a time begins with the first record of that time', async () => {
  const database = await trail(3)
  expect(await positionBefore(database.read, at(2))).toBe(1)
  expect(await positionBefore(database.read, at(0))).toBe(0)
  expect(await positionBefore(database.read, at(4))).toBe(3)
})

interface Forwarding {
  forwarder: AuditForwarder
  sent: AuditLine[][]
  logged: string[]
  state: { isAway: boolean; tries: number }
}

function forward(database: Database, clock: Clock, state = { isAway: false, tries: 0 }, pollMs = 2): Forwarding {
  const [sent, logged]: [AuditLine[][], string[]] = [[], []]
  const outlet = {
    name: 'receiver',
    async send(lines: readonly AuditLine[]) {
      state.tries++
      if (state.isAway) throw new Error('nobody listens')
      sent.push([...lines])
    },
  }
  const log = createLog({ level: 'info', readable: false, write: (line) => logged.push(line) })
  const forwarder = startAuditForwarder({
    ...{ database, clock, log, owner: newId(), outlet, pollMs, retryMs: 2 },
  })
  return { forwarder, sent, logged, state }
}

const positionsOf = (sent: readonly AuditLine[][]) => sent.flat().map(({ position }) => position)
const logLines = (logged: readonly string[], text: string) => logged.filter((line) => line.includes(text))

test('a receiver gets what is sealed, what is sealed later, and from the next run only what it lacks', async () => {
  const database = await trail(3)
  const first = forward(database, later)
  await until('the receiver has it', () => first.sent.length > 0)
  await add(database, 4, 5)
  await until('the receiver has it', () => first.sent.length > 1)
  await first.forwarder.drain(1_000)
  expect(positionsOf(first.sent)).toEqual([1, 2, 3, 4, 5])
  expect(await first.forwarder.health()).toEqual({ waiting: 0, oldestAgeSeconds: 0, failures: 0 })
  await add(database, 6, 6)
  // The role was given up: the next run need not wait until the lease ends.
  const second = forward(database, later)
  await until('the receiver has it', () => second.sent.length > 0)
  await second.forwarder.drain(1_000)
  expect([positionsOf(second.sent), first.sent.length]).toEqual([[6], 2])
})

test('a receiver that is away gets every record once it is back, and the log says both once', async () => {
  const database = await trail(2)
  const away = forward(database, later, { isAway: true, tries: 0 })
  await until('it was tried again', () => away.state.tries > 3)
  const { waiting, oldestAgeSeconds, failures } = await away.forwarder.health()
  // The oldest of both is from the first second.
  expect([waiting, oldestAgeSeconds]).toEqual([2, 9])
  expect(failures).toBeGreaterThanOrEqual(3)
  away.state.isAway = false
  await until('the receiver has it', () => away.sent.length > 0)
  await add(database, 3, 3)
  await until('the receiver has it', () => away.sent.length > 1)
  await away.forwarder.drain(1_000)
  expect(positionsOf(away.sent)).toEqual([1, 2, 3])
  expect(logLines(away.logged, 'waits for its receiver')).toHaveLength(1)
  expect(logLines(away.logged, 'nobody listens')).toHaveLength(1)
  expect(logLines(away.logged, 'takes records again')).toHaveLength(1)
})

test('a broken chain is handed on as it is, and the log has where it breaks', async () => {
  const database = await trail(3)
  await database.write((tx) => tx.rows(sql`update audit_records set action = 'case.imported' where position = 2`))
  const { forwarder, sent, logged } = forward(database, later)
  await until('the receiver has it', () => sent.length > 0)
  await forwarder.drain(1_000)
  expect(positionsOf(sent)).toEqual([1, 2, 3])
  expect(logLines(logged, 'the chain does not hold at position 2')).toHaveLength(1)
})

test('a forwarder that rests stops at once, however seldom it looks', async () => {
  const database = await trail(1)
  const { forwarder, sent } = forward(database, later, undefined, 3_600_000)
  await until('the receiver has it', () => sent.length > 0)
  const late = Bun.sleep(patienceMs()).then(() => 'late')
  expect(await Promise.race([forwarder.drain(3_600_000), late])).toBeUndefined()
})

async function head(database: Database, position: number, changes: Partial<AuditHeadRow> = {}, key = signing) {
  const store = (await findStoreId(database.read)) ?? ''
  const hash = (await listSealed(database.read, position, position + 1))[0]?.hash ?? '0'.repeat(64)
  return signHead({ store, position, hash, at: at(9), ...changes }, key)
}

async function problemsOf(database: Database, heads: readonly AuditHeadRow[]): Promise<string[]> {
  const problems: string[] = []
  const report = (problem: string) => problems.push(problem)
  expect(await verifyKeptHeads({ connection: database.read, heads, report })).toBe(heads.length)
  return problems
}

test('each head that was kept is checked against its signature, the store, its keys and the chain', async () => {
  const database = await trail(2)
  const store = await ensureStoreId(database)
  const actor = { userId: newId(), correlationId: 'elsewhere', at: at(3) }
  const introduced = { action: KEY_INTRODUCED, resourceKind: 'signing_key', resourceId: signing.id }
  const detail = { public_key: signing.publicKey }
  await database.write((tx) => recordAudit(tx, actor, { ...introduced, detail }))
  while ((await sealBatch(database)) > 0) {}
  expect(await problemsOf(database, [await head(database, 1), await head(database, 3)])).toEqual([])

  const stranger = signingKeyOf('7'.repeat(64))
  const forged = { ...(await head(database, 1)), hash: 'f'.repeat(64) }
  expect(
    await problemsOf(database, [
      forged,
      await head(database, 1, { store: 'another' }),
      await head(database, 1, {}, stranger),
      await head(database, 4),
      await head(database, 2, { hash: 'f'.repeat(64) }),
    ]),
  ).toEqual([
    "the kept head at position 1 does not have its key's signature",
    `the kept head at position 1 is of the store another, and this is the store ${store}`,
    `the kept head at position 1 is signed with ${stranger.id}, which is not a key of this store`,
    'the audit trail was cut: it ends at position 3, before the kept head at position 4',
    'the audit trail was rewritten before the kept head at position 2',
  ])
})

test('kept heads are read from lines, empty ones aside, and each line that is none is named', () => {
  const kept = signHead({ store: 'store', position: 1, hash: 'a', at: at(1) }, signing)
  const line = headLine(kept)
  expect(readHeads(`${line}\n  \n${line}`)).toMatchObject({ ok: true, value: [kept, kept] })
  const told = (text: string) => readHeads(text).findings.map(({ message }) => message)
  expect(told('')).toEqual(['It holds no head of an audit trail.'])
  expect(told(`${line}{}\n${line}[`)).toEqual([
    'Line 2 is no head of an audit trail.',
    'Line 4 is no head of an audit trail.',
  ])
  const but = (changes: object) => told(JSON.stringify({ ...JSON.parse(line), ...changes }))
  expect(but({})).toEqual([])
  for (const change of [
    ...[{ format: 'quire-head-2' }, { store: 1 }, { hash: null }, { public_key: 1 }, { signature: 1 }],
    ...[{ position: 0 }, { position: 1.5 }, { position: '1' }, { position: 2 ** 53 }],
    ...[{ at: 1 }, { at: 'yesterday' }, { at: '2026-11-20T10:30:00+01:00' }],
  ])
    expect([change, but(change)]).toEqual([change, ['Line 1 is no head of an audit trail.']])
})

test('an instance that comes late takes back nothing of what a receiver has', async () => {
  const database = await trail(3)
  const save = (position: number, sentAt: Instant) =>
    database.write((tx) => saveForwarded(tx, { name: 'receiver', position, sentAt }))
  expect(await forwardedPosition(database.read, 'receiver')).toBeUndefined()
  await save(2, at(1))
  await save(1, at(2))
  expect(await forwardedPosition(database.read, 'receiver')).toBe(2)
  await save(3, at(3))
  expect(await forwardedPosition(database.read, 'receiver')).toBe(3)
  expect(await forwardedPosition(database.read, 'another')).toBeUndefined()
})
