import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type SQL, sql } from 'drizzle-orm'
import { limits } from '../../src/core/limits.ts'
import { openDatabase } from '../../src/db/connect.ts'
import type { Database, Transaction } from '../../src/db/database.ts'
import { openTestDatabase } from '../support/database.ts'
import { outcomeOf } from '../support/outcome.ts'
import { postgresAvailable, startPostgres } from '../support/postgres.ts'
import { until } from '../support/until.ts'

/** Fails in the server with that SQLSTATE, as the refusals do that only a race would bring about. */
const refusal = (code: string) => sql.raw(`do $$ begin raise exception 'refused' using errcode = '${code}'; end $$`)

function insertEvent(tx: Transaction, id: string, aggregateId: string) {
  const event = { id, aggregate: 'execution', aggregateId, sequence: 1, type: 't', data: {}, correlationId: 'c' }
  const at = tx.clock as unknown as typeof tx.t.events.$inferInsert.createdAt
  return tx.q.insert(tx.t.events).values({ ...event, createdAt: at })
}

describe.if(postgresAvailable)('a write on PostgreSQL', () => {
  let database: Database
  beforeAll(async () => {
    database = await openTestDatabase('postgres')
    await database.write((tx) => tx.rows(sql`create table kept (x text)`))
  })
  afterAll(() => database.close())

  /** How often a write was run that each time wrote a row and then was refused, how it ended, and what it left. */
  async function refusedWith(statement: (attempt: number) => SQL | undefined) {
    await database.write((tx) => tx.rows(sql`delete from kept`))
    const told: number[] = []
    let attempts = 0
    const outcome = await database
      .write(async (tx) => {
        const attempt = ++attempts
        tx.afterCommit(() => told.push(attempt))
        await tx.rows(sql`insert into kept values (${String(attempt)})`)
        const refused = statement(attempt)
        if (refused !== undefined) await tx.rows(refused)
        return 'written'
      })
      .catch(() => 'refused')
    const rows = await database.read.rows<{ x: string }>(sql`select x from kept`)
    return { attempts, outcome, kept: rows.map(({ x }) => x), told }
  }

  for (const [code, name] of [
    ['40001', 'a serialization failure'],
    ['40P01', 'a deadlock'],
  ] as const) {
    test(`is tried again after ${name}, and keeps the last attempt alone`, async () => {
      const twice = await refusedWith((attempt) => (attempt < 3 ? refusal(code) : undefined))
      expect(twice).toEqual({ attempts: 3, outcome: 'written', kept: ['3'], told: [3] })
    })

    test(`is given up when ${name} is all that it meets`, async () => {
      const always = await refusedWith(() => refusal(code))
      expect(always).toEqual({ attempts: limits.databaseWriteTries, outcome: 'refused', kept: [], told: [] })
    })
  }

  test('is not tried again after any other refusal', async () => {
    for (const code of ['23505', '23503', '22012', '57014', 'P0001']) {
      const other = await refusedWith(() => refusal(code))
      expect([code, other]).toEqual([code, { attempts: 1, outcome: 'refused', kept: [], told: [] }])
    }
  })

  test('is tried again where another has taken the next number of an event, and not where an id is taken', async () => {
    await database.write((tx) => insertEvent(tx, 'e1', 'x1'))
    let attempts = 0
    await database.write(async (tx) => {
      // The second attempt counts anew, as the outbox does.
      await insertEvent(tx, 'e2', ++attempts === 1 ? 'x1' : 'x2')
    })
    expect(attempts).toBe(2)
    let others = 0
    const taken = database.write(async (tx) => {
      others++
      await insertEvent(tx, 'e1', 'x3')
    })
    expect(await outcomeOf(taken)).toThrow()
    expect(others).toBe(1)
  })

  test('counts as one transaction however often it is tried', async () => {
    const before = { ...database.writeLoad }
    await refusedWith((attempt) => (attempt < 3 ? refusal('40001') : undefined))
    await refusedWith(() => refusal('22012'))
    const { waiting, transactions, commits } = database.writeLoad
    // Each of the two empties the table first.
    expect([waiting, transactions - before.transactions, commits - before.commits]).toEqual([0, 4, 3])
  })
})

describe.if(postgresAvailable)('PostgreSQL', () => {
  test('gives large counts as numbers, and refuses a write in a snapshot', async () => {
    const database = await openTestDatabase('postgres')
    const [row] = await database.read.rows(sql`select 9007199254740991::bigint as n, count(*) as rows from users`)
    expect(row).toEqual({ n: 9_007_199_254_740_991, rows: 0 })
    const written = await database.snapshot((connection) => connection.rows(sql`delete from users`)).catch(String)
    expect(written).toContain('delete from users')
    await database.close()
  })

  test('lets its statements go on when it refuses a further connection', async () => {
    const admin = await openTestDatabase('postgres')
    const role = `limited_${process.pid}_${Date.now()}`
    await admin.read.rows(sql.raw(`create role ${role} login connection limit 3`))
    const [own] = await admin.read.rows<{ name: string }>(sql`select current_database() as name`)
    const url = new URL(await (await startPostgres()).createDatabase())
    Object.assign(url, { username: role, pathname: `/${own?.name}` })
    const database = await openDatabase(url.href)
    // All connections but the heartbeat's are taken for longer than a server has to show that it is there, and that one is ended.
    const patienceMs = limits.databaseHeartbeatMs + limits.databaseAnswerMs
    const sleeps = Array.from({ length: 2 }, () =>
      database.read.rows(sql`select 'slept' as done from pg_sleep(${(patienceMs + 1_000) / 1_000})`),
    )
    const count = async (condition: SQL) =>
      (
        await admin.read.rows<{ n: number }>(
          sql`select count(*) as n from pg_stat_activity where usename = ${role} and ${condition}`,
        )
      )[0]?.n
    await until('both sleep', async () => (await count(sql`query like '%pg_sleep%'`)) === 2)
    await until('the heartbeat has its own', async () => (await count(sql`query not like '%pg_sleep%'`)) === 1)
    await admin.read.rows(sql.raw(`alter role ${role} connection limit 2`))
    const ended = await admin.read.rows(sql`select pg_terminate_backend(pid) from pg_stat_activity
      where usename = ${role} and query not like '%pg_sleep%'`)
    expect(ended).toHaveLength(1)
    expect(await Promise.all(sleeps)).toEqual([[{ done: 'slept' }], [{ done: 'slept' }]])
    await database.close()
    await admin.read.rows(sql.raw(`drop role ${role}`))
    await admin.close()
  })

  test('ends its connections when it is closed, those of its heartbeat too', async () => {
    const database = await openTestDatabase('postgres')
    const observer = await openTestDatabase('postgres')
    const [own] = await database.read.rows<{ name: string }>(sql`select current_database() as name`)
    await Promise.all(Array.from({ length: 30 }, () => database.read.rows(sql`select pg_sleep(0.01)`)))
    const connections = async () => {
      // Not those that vacuum it.
      const counted = sql`select count(*) as n from pg_stat_activity
        where datname = ${own?.name} and backend_type = 'client backend'`
      return (await observer.read.rows<{ n: number }>(counted))[0]?.n
    }
    const open = await connections()
    expect(open).toBeGreaterThan(1)
    expect(open).toBeLessThanOrEqual(limits.databaseConnections + 1)
    await Bun.sleep(limits.databaseHeartbeatMs + 300)
    expect(await connections()).toBeLessThanOrEqual(limits.databaseConnections + 1)
    await database.close()
    await until('the server has noticed', async () => (await connections()) === 0)
    await Bun.sleep(limits.databaseHeartbeatMs + 300)
    expect(await connections()).toBe(0)
    expect(await database.read.rows(sql`select 1`).catch(() => 'closed')).toBe('closed')
    await observer.close()
  })
})
