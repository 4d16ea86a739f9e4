import { afterAll, beforeAll, expect, test } from 'bun:test'
import { eq, sql } from 'drizzle-orm'
import { parseInstant } from '../../src/core/instant.ts'
import { openDatabase } from '../../src/db/connect.ts'
import { type Database, isUniqueViolation, type Transaction } from '../../src/db/database.ts'
import { isDatabaseUnavailable } from '../../src/db/unavailable.ts'
import { ObjectStoreUnavailable } from '../../src/objects/object-store.ts'
import { describeOnBothDialects, emptyDatabaseUrl, openTestDatabase } from '../support/database.ts'
import { outcomeOf } from '../support/outcome.ts'

const at = parseInstant('2026-11-20T09:30:00Z')!

function insertThrottle(tx: Transaction, key: string) {
  return tx.q.insert(tx.t.throttles).values({ key, failures: 1, windowStartedAt: at, blockedUntil: at })
}

describeOnBothDialects('a database', (dialect) => {
  let database: Database
  beforeAll(async () => {
    database = await openTestDatabase(dialect)
  })
  afterAll(() => database.close())

  async function keys(): Promise<string[]> {
    const { throttles } = database.read.t
    const rows = await database.read.q.select({ key: throttles.key }).from(throttles).orderBy(throttles.key)
    return rows.map((row) => row.key)
  }

  test('gives back every column type as it was written', async () => {
    const { families } = database.read.t
    const draft = new Uint8Array([0, 1, 2, 255])
    await database.write((tx) =>
      tx.q.insert(families).values({
        id: 'f1',
        kind: 'template',
        slug: 'letter',
        name: 'Brief «Ä» 🙂',
        description: '',
        draftRevision: 9_007_199_254_740_991,
        draftBytes: draft,
        latestNumber: 0,
        createdBy: 'u1',
        createdAt: at,
        updatedAt: at,
      }),
    )
    const [row] = await database.read.q.select().from(families).where(eq(families.id, 'f1'))
    expect(row).toMatchObject({ name: 'Brief «Ä» 🙂', draftRevision: 9_007_199_254_740_991, createdAt: at })
    expect(row?.draftBytes).toEqual(draft)
    expect(row?.draftSource).toBeNull()
  })

  for (const [doomed, place] of ['the first', 'one in the middle', 'the last'].entries()) {
    test(`keeps nothing of a transaction that throws, and all of its neighbours in the same commit: ${place}`, async () => {
      const told: number[] = []
      const outcomes = await Promise.allSettled(
        Array.from({ length: 3 }, (_, index) =>
          database.write(async (tx) => {
            tx.afterCommit(() => told.push(index))
            await insertThrottle(tx, `group-${doomed}-${index}`)
            if (index === doomed) throw new Error('changed its mind')
            return index
          }),
        ),
      )
      const kept = [0, 1, 2].filter((index) => index !== doomed)
      expect(
        outcomes.map((outcome) => (outcome.status === 'fulfilled' ? outcome.value : outcome.reason.message)),
      ).toEqual([0, 1, 2].map((index) => (index === doomed ? 'changed its mind' : index)))
      expect((await keys()).filter((key) => key.startsWith(`group-${doomed}-`))).toEqual(
        kept.map((index) => `group-${doomed}-${index}`),
      )
      expect(told.sort()).toEqual(kept)
    })
  }

  test('keeps nothing of a transaction that throws alone', async () => {
    const write = database.write(async (tx) => {
      await insertThrottle(tx, 'alone')
      throw new Error('changed its mind')
    })
    expect(await outcomeOf(write)).toThrow('changed its mind')
    expect(await keys()).not.toContain('alone')
  })

  test('counts what it writes: transactions, commits, those that wait and the time they take', async () => {
    const before = { ...database.writeLoad }
    const writes = Array.from({ length: 300 }, (_, index) =>
      database.write((tx) => (index === 7 ? Promise.reject(new Error('no')) : insertThrottle(tx, `load-${index}`))),
    )
    expect(database.writeLoad.waiting - before.waiting).toBe(300)
    await Promise.allSettled(writes)
    const { waiting, transactions, commits, busySeconds } = database.writeLoad
    expect([waiting, transactions - before.transactions]).toEqual([0, 300])
    expect(busySeconds).toBeGreaterThan(before.busySeconds)
    // libSQL shares each commit among 128 at most; PostgreSQL commits each by itself.
    const least = dialect === 'sqlite' ? 3 : 299
    expect(commits - before.commits).toBeGreaterThanOrEqual(least)
    expect(commits - before.commits).toBeLessThanOrEqual(dialect === 'sqlite' ? 10 : 299)
  })

  test('counts the time that a write takes, in seconds', async () => {
    const before = database.writeLoad.busySeconds
    const startedMs = performance.now()
    await database.write(async (tx) => {
      await tx.rows(sql`select 1`)
      const until = performance.now() + 30
      while (performance.now() < until);
    })
    // It is written down a moment after the answer.
    await Bun.sleep(0)
    const busySeconds = database.writeLoad.busySeconds - before
    expect(busySeconds).toBeGreaterThanOrEqual(0.03)
    expect(busySeconds).toBeLessThanOrEqual((performance.now() - startedMs) / 1_000)
  })

  test('lets nobody read what is not committed', async () => {
    await database.write(async (tx) => {
      await insertThrottle(tx, 'uncommitted')
      expect(await keys()).not.toContain('uncommitted')
    })
    expect(await keys()).toContain('uncommitted')
  })

  test('shows one unchanging state in a snapshot, and lets nobody write through it', async () => {
    await database.write((tx) => insertThrottle(tx, 'snapshot-before'))
    await database.snapshot(async (connection) => {
      const { throttles } = connection.t
      const seen = async () => (await connection.q.select({ key: throttles.key }).from(throttles)).map((row) => row.key)
      const first = await seen()
      expect(first).toContain('snapshot-before')
      await database.write((tx) => insertThrottle(tx, 'snapshot-after'))
      expect(await seen()).toEqual(first)
    })
    expect(
      await outcomeOf(
        database.snapshot(({ q, t }) => q.delete(t.throttles).where(eq(t.throttles.key, 'snapshot-before'))),
      ),
    ).toThrow()
    expect(await keys()).toEqual(expect.arrayContaining(['snapshot-before', 'snapshot-after']))
  })

  test('names a unique violation as one, and nothing else', async () => {
    await database.write((tx) => insertThrottle(tx, 'once'))
    const again = await database.write((tx) => insertThrottle(tx, 'once')).catch((error: unknown) => error)
    expect(isUniqueViolation(again)).toBe(true)
    const other = await database.write((tx) => tx.rows(sql`select nonsense`)).catch((error: unknown) => error)
    expect(other).toBeInstanceOf(Error)
    expect(isUniqueViolation(other)).toBe(false)
  })

  test('runs afterCommit actions once, in order, and never for a rolled-back transaction', async () => {
    const told: string[] = []
    await database.write(async (tx) => {
      tx.afterCommit(() => told.push('first'))
      tx.afterCommit(() => told.push('second'))
      await insertThrottle(tx, 'told')
      expect(told).toEqual([])
    })
    await database
      .write(async (tx) => {
        tx.afterCommit(() => told.push('never'))
        throw new Error('rolled back')
      })
      .catch(() => {})
    expect(told).toEqual(['first', 'second'])
  })

  test('serves 500 parallel writers with no lost update', async () => {
    await database.write((tx) => insertThrottle(tx, 'counter'))
    const { throttles } = database.read.t
    await Promise.all(
      Array.from({ length: 500 }, () =>
        database.write((tx) =>
          tx.q
            .update(throttles)
            .set({ failures: sql`${throttles.failures} + 1` })
            .where(eq(throttles.key, 'counter')),
        ),
      ),
    )
    const [row] = await database.read.q.select().from(throttles).where(eq(throttles.key, 'counter'))
    expect(row?.failures).toBe(501)
  })

  test('lets others have their turns while many writers share a commit', async () => {
    let turns = 0
    let counting = setImmediate(function count() {
      turns++
      counting = setImmediate(count)
    })
    const seen: number[] = []
    const write = () =>
      database.write(async (tx) => {
        seen.push(turns)
        const until = performance.now() + 2
        while (performance.now() < until);
        await tx.rows(sql`select 1`)
      })
    await Promise.all(Array.from({ length: 20 }, write))
    clearImmediate(counting)
    // The 40 ms that they take in all are one turn otherwise.
    expect(seen.at(-1)! - seen[0]!).toBeGreaterThan(1)
  })

  test('has a clock in the fixed-width form that sorts', async () => {
    const [row] = await database.read.rows<{ now: string; later: string }>(
      sql`select ${database.read.clock} as now, ${database.read.clockPlus(90_500)} as later`,
    )
    expect(row?.now).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{9}Z$/)
    const elapsedMs = Date.parse(`${row?.later.slice(0, 23)}Z`) - Date.parse(`${row?.now.slice(0, 23)}Z`)
    expect(Math.abs(elapsedMs - 90_500)).toBeLessThan(50)
  })

  test('sorts text by code point, whatever the machine’s locale', async () => {
    for (const key of ['sort-é', 'sort-Z', 'sort-a', 'sort-_']) await database.write((tx) => insertThrottle(tx, key))
    expect((await keys()).filter((key) => key.startsWith('sort-'))).toEqual(['sort-Z', 'sort-_', 'sort-a', 'sort-é'])
  })

  test('frees the instant of a cancelled activation, and only that one', async () => {
    const { activations } = database.read.t
    const insert = (id: string, cancelled: boolean) =>
      database.write((tx) =>
        tx.q.insert(activations).values({
          id,
          kind: 'template',
          familyId: 'f1',
          familySlug: 'letter',
          versionId: 'v1',
          version: 1,
          contentHash: 'h',
          effectiveFrom: at,
          scheduledBy: 'u1',
          correlationId: 'c1',
          scheduledAt: at,
          status: cancelled ? 'cancelled' : 'active',
          cancelledAt: cancelled ? at : null,
        }),
      )
    await insert('a1', true)
    await insert('a2', false)
    const third = await insert('a3', false).catch((error: unknown) => error)
    expect(isUniqueViolation(third)).toBe(true)
  })

  test('keeps what was acknowledged when it is opened again', async () => {
    const url = await emptyDatabaseUrl(dialect)
    const first = await openDatabase(url)
    await first.write((tx) => tx.rows(sql`create table kept (x text)`))
    await first.write((tx) => tx.rows(sql`insert into kept values ('here')`))
    await first.close()
    const late = first.write((tx) => tx.rows(sql`insert into kept values ('late')`))
    expect(await outcomeOf(late)).toThrow()
    const second = await openDatabase(url)
    expect(await second.read.rows<{ x: string }>(sql`select x from kept`)).toEqual([{ x: 'here' }])
    await second.close()
  })
})

test('takes a taken value for a unique violation, whichever driver reports it, and no other constraint', () => {
  const told = (message: string, details: object) =>
    new Error('Failed query', { cause: Object.assign(new Error(message), details) })
  for (const taken of [
    told('duplicate key', { code: '23505' }),
    told('failed', { code: 'SQLITE_CONSTRAINT', extendedCode: 'SQLITE_CONSTRAINT_UNIQUE' }),
    told('failed', { code: 'SQLITE_CONSTRAINT', extendedCode: 'SQLITE_CONSTRAINT_PRIMARYKEY' }),
    told('failed', { code: 'SQLITE_CONSTRAINT_UNIQUE' }),
    told('failed', { code: 'SQLITE_CONSTRAINT_PRIMARYKEY' }),
    told('SQLite error: UNIQUE constraint failed: users.id', { code: 'SQLITE_CONSTRAINT' }),
    Object.assign(new Error('duplicate key'), { code: '23505' }),
  ])
    expect([String(taken.cause ?? taken), isUniqueViolation(taken)]).toEqual([String(taken.cause ?? taken), true])
  for (const other of [
    told('null value', { code: '23502' }),
    told('failed', { code: 'SQLITE_CONSTRAINT', extendedCode: 'SQLITE_CONSTRAINT_NOTNULL' }),
    told('FOREIGN KEY constraint failed', { code: 'SQLITE_CONSTRAINT' }),
    told('UNIQUE', { code: 'SQLITE_ERROR' }),
    told('UNIQUE constraint failed', {}),
    'SQLITE_CONSTRAINT_UNIQUE',
    undefined,
  ])
    expect([String(other), isUniqueViolation(other)]).toEqual([String(other), false])
})

test('takes network, shutdown and disk codes for an unavailable database, at any depth, and no refusal', () => {
  const lost = [
    ...['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH'],
    ...['CONNECTION_CLOSED', 'CONNECT_TIMEOUT', '08006', '57P01', '57P03', '53100', '25006', '25P03', '58030'],
    ...['SQLITE_FULL', 'SQLITE_BUSY', 'SQLITE_IOERR_WRITE', 'SQLITE_READONLY_DBMOVED', 'HRANA_WEBSOCKET_ERROR'],
  ]
  const others = ['23505', '40001', '57014', '25001', 'SQLITE_ERROR', 'XCONNECT_TIMEOUT', '', undefined]
  const wrapped = (code: string | undefined, depth: number): Error =>
    depth === 0 ? Object.assign(new Error('inner'), { code }) : new Error('outer', { cause: wrapped(code, depth - 1) })
  for (const code of lost) {
    for (const depth of [0, 1, 4])
      expect([code, depth, isDatabaseUnavailable(wrapped(code, depth))]).toEqual([code, depth, true])
  }
  for (const code of others) expect([code, isDatabaseUnavailable(wrapped(code, 1))]).toEqual([code, false])
  expect(isDatabaseUnavailable('ECONNRESET')).toBe(false)
})

test('a broken connection to the object store is not taken for one to the database', () => {
  const refused = Object.assign(new Error('inner'), { code: 'ECONNREFUSED' })
  expect(isDatabaseUnavailable(new ObjectStoreUnavailable('outer', { cause: refused }))).toBe(false)
})
