import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { eq, inArray, sql } from 'drizzle-orm'
import { parseInstant } from '../../src/core/instant.ts'
import { openDatabase } from '../../src/db/connect.ts'
import { type Database, isUniqueViolation, type Transaction } from '../../src/db/database.ts'
import { migrate } from '../../src/db/migrate.ts'
import { outcomeOf } from '../support/outcome.ts'
import { type PrivateSqld, sqldAvailable, startSqld } from './sqld.ts'

const at = parseInstant('2026-11-20T09:30:00Z')!

function insertThrottle(tx: Transaction, key: string) {
  return tx.q.insert(tx.t.throttles).values({ key, failures: 0, windowStartedAt: at, blockedUntil: at })
}

describe.if(sqldAvailable)('a libSQL server', () => {
  let server: PrivateSqld
  let one: Database
  let two: Database
  beforeAll(async () => {
    server = await startSqld()
    one = await openDatabase(server.url)
    two = await openDatabase(server.url)
    await Promise.all([migrate(one), migrate(two)])
  }, 120_000)
  afterAll(async () => {
    for (const database of [one, two]) await database.close()
    await server.kill()
  })

  test('keeps what was committed and nothing of what was thrown, and names a unique violation', async () => {
    await one.write((tx) => insertThrottle(tx, 'kept'))
    const doomed = one.write(async (tx) => {
      await insertThrottle(tx, 'doomed')
      throw new Error('changed its mind')
    })
    expect(await outcomeOf(doomed)).toThrow('changed its mind')
    const again = await one.write((tx) => insertThrottle(tx, 'kept')).catch((error: unknown) => error)
    expect(isUniqueViolation(again)).toBe(true)
    const { throttles } = two.read.t
    const written = two.read.q.select({ key: throttles.key }).from(throttles)
    expect(await written.where(inArray(throttles.key, ['kept', 'doomed']))).toEqual([{ key: 'kept' }])
  })

  test('serialises the transactions of two processes: no update is lost, and no commit is reported too early', async () => {
    await one.write((tx) => insertThrottle(tx, 'counter'))
    const { throttles } = one.read.t
    const raise = (database: Database) =>
      database.write(async (tx) => {
        const [row] = await tx.q.select().from(throttles).where(eq(throttles.key, 'counter'))
        await tx.q
          .update(throttles)
          .set({ failures: row!.failures + 1 })
          .where(eq(throttles.key, 'counter'))
      })
    await Promise.all(Array.from({ length: 60 }, (_, index) => raise(index % 2 === 0 ? one : two)))
    const [counted] = await one.read.q.select().from(throttles).where(eq(throttles.key, 'counter'))
    expect(counted?.failures).toBe(60)
  })

  test('shows a snapshot one state, while others write', async () => {
    const counts = await one.snapshot(async (connection) => {
      const count = async () => Number((await connection.rows(sql`select count(*) as n from throttles`))[0]?.n)
      const before = await count()
      await two.write((tx) => insertThrottle(tx, 'written during the snapshot'))
      return [before, await count()]
    })
    expect(counts[1]).toBe(counts[0]!)
  })

  test('gives bytes and large numbers back as they were written', async () => {
    const { families } = one.read.t
    const draft = new Uint8Array([0, 1, 2, 255])
    const family = { id: 'f1', kind: 'template', slug: 'letter', name: 'Ä 🙂', description: '' } as const
    const made = { latestNumber: 0, createdBy: 'u1', createdAt: at, updatedAt: at }
    await one.write((tx) =>
      tx.q.insert(families).values({ ...family, ...made, draftRevision: Number.MAX_SAFE_INTEGER, draftBytes: draft }),
    )
    const [row] = await two.read.q.select().from(families).where(eq(families.id, 'f1'))
    expect(row).toMatchObject({ ...family, draftRevision: Number.MAX_SAFE_INTEGER, createdAt: at })
    expect(row?.draftBytes).toEqual(draft)
  })

  test('counts what it writes, and reports a commit once it is one', async () => {
    const before = { ...one.writeLoad }
    const told: string[] = []
    const write = one.write(async (tx) => {
      for (const name of ['first', 'second']) tx.afterCommit(() => told.push(name))
      await insertThrottle(tx, 'counted')
      expect([one.writeLoad.waiting, told]).toEqual([1, []])
    })
    await write
    const doomed = one.write((tx) => {
      tx.afterCommit(() => told.push('never'))
      return Promise.reject(new Error('changed its mind'))
    })
    expect(await outcomeOf(doomed)).toThrow('changed its mind')
    const { waiting, transactions, commits, busySeconds } = one.writeLoad
    expect([waiting, transactions - before.transactions, commits - before.commits]).toEqual([0, 2, 1])
    expect(busySeconds).toBeGreaterThan(before.busySeconds)
    expect(told).toEqual(['first', 'second'])
  })

  test('keeps nothing that is written through a snapshot, and answers nobody once it is closed', async () => {
    const { throttles } = one.read.t
    await one.write((tx) => insertThrottle(tx, 'stays'))
    await one.snapshot(({ q }) => q.delete(throttles)).catch(() => {})
    const rows = await two.read.q.select({ key: throttles.key }).from(throttles)
    expect(rows.map(({ key }) => key)).toContain('stays')
    // Nor does it hold up those who write.
    await two.write((tx) => insertThrottle(tx, 'after the snapshot'))
    const third = await openDatabase(server.url)
    await third.read.rows(sql`select 1`)
    await third.close()
    expect(await third.read.rows(sql`select 1`).catch(() => 'closed')).toBe('closed')
  })
})
