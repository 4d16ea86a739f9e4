import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { openDatabase } from '../../src/db/connect.ts'
import type { Database, Transaction } from '../../src/db/database.ts'
import { isDatabaseUnavailable } from '../../src/db/unavailable.ts'
import { emptyDatabaseUrl, openTestDatabase } from '../support/database.ts'
import { listenIn } from '../support/listen-in.ts'
import { rejectionOf } from '../support/outcome.ts'
import { postgresAvailable } from '../support/postgres.ts'
import { until } from '../support/until.ts'

test.if(postgresAvailable)('a statement with values is sent whole, without asking for their types first', async () => {
  const { url, sent, close } = await listenIn(await emptyDatabaseUrl('postgres'))
  const database = await openDatabase(url)
  const rows = [{ number: 7, text: 'é', truth: true, nothing: null, bytes: expect.anything() }]
  const select = sql`select ${7}::int as number, ${'é'}::text as text, ${true}::boolean as truth, ${null}::text as nothing,
    ${new Uint8Array([0, 255])}::bytea as bytes`
  expect(await database.read.rows(select)).toEqual(rows)
  expect(await database.write((tx) => tx.rows(select))).toEqual(rows)
  await database.close()
  close()
  // Parse, describe, bind, execute and sync; a flush (H) would wait for an answer in between.
  const letters = sent().map((messages) => messages.map(({ letter }) => letter).join(''))
  expect(letters.join(' ')).toContain('PDBES')
  expect(letters.join(' ')).not.toContain('H')
})

describe.if(postgresAvailable)('what steps record on PostgreSQL', () => {
  let database: Database
  beforeAll(async () => {
    database = await openTestDatabase('postgres')
    await database.write((tx) => tx.rows(sql`create table kept (name text primary key, xid text)`))
  })
  beforeEach(() => database.write((tx) => tx.rows(sql`delete from kept`)))
  afterAll(() => database.close())

  const keep = (tx: Transaction, name: string) =>
    tx.rows(sql`insert into kept values (${name}, pg_current_xact_id()::text)`)
  const record = (name: string) =>
    database.write(async (tx) => {
      await keep(tx, name)
      return name
    }, 'steps')

  /** What is kept, by the transaction that wrote it. */
  async function kept(): Promise<string[]> {
    const rows = await database.read.rows<{ names: string }>(
      sql`select string_agg(name, ' ' order by name) as names from kept group by xid order by min(name)`,
    )
    return rows.map(({ names }) => names)
  }

  /** Holds the transaction under way until all of the writes wait behind it. */
  async function heldUp<T>(begin: () => Promise<T>[]): Promise<PromiseSettledResult<T>[]> {
    const released = Promise.withResolvers<void>()
    const isHeld = Promise.withResolvers<void>()
    const first = database.write(async (tx) => {
      await keep(tx, 'a first')
      isHeld.resolve()
      await released.promise
    }, 'steps')
    await isHeld.promise
    const writes = begin()
    // Neither requests nor claims wait for it.
    await database.write((tx) => keep(tx, 'a request'))
    await database.write((tx) => keep(tx, 'a claim'), 'claims')
    released.resolve()
    await first
    return Promise.allSettled(writes)
  }

  test('waits for the commit under way and shares the next one, and each gets its own outcome', async () => {
    const { commits, transactions } = { ...database.writeLoad }
    const outcomes = await heldUp(() => ['b', 'c', 'd'].map(record))
    expect(outcomes).toEqual(['b', 'c', 'd'].map((value) => ({ status: 'fulfilled', value })))
    expect(await kept()).toEqual(['a claim', 'a first', 'a request', 'b c d'])
    expect(database.writeLoad).toMatchObject({ commits: commits + 4, transactions: transactions + 6, waiting: 0 })
  })

  test('shares one commit with whatever is recorded in the same turn', async () => {
    await Promise.all(['b', 'c', 'd'].map(record))
    expect(await kept()).toEqual(['b c d'])
  })

  test('is kept where another of the group is refused, and of that one nothing is kept', async () => {
    const told: string[] = []
    const lost = new Error('the fence is lost')
    const [b, c, d, e] = await heldUp(() => [
      record('b'),
      database.write(async (tx) => {
        tx.afterCommit(() => told.push('c'))
        await keep(tx, 'c')
        throw lost
      }, 'steps'),
      record('a request'),
      database.write(async (tx) => {
        tx.afterCommit(() => told.push('e'))
        await keep(tx, 'e')
        return 'e'
      }, 'steps'),
    ])
    expect([b, c, e]).toEqual([
      { status: 'fulfilled', value: 'b' },
      { status: 'rejected', reason: lost },
      { status: 'fulfilled', value: 'e' },
    ])
    expect(d?.status).toBe('rejected')
    expect(await kept()).toEqual(['a claim', 'a first', 'a request', 'b', 'e'])
    expect(told).toEqual(['e'])
  })

  test('is given up together where the server is lost, and nobody is written twice', async () => {
    const runs: string[] = []
    const writeOf = (name: string) =>
      database.write(async (tx) => {
        runs.push(name)
        await keep(tx, name)
        if (name === 'c') await tx.rows(sql`select pg_terminate_backend(pg_backend_pid())`)
      }, 'steps')
    const outcomes = await heldUp(() => ['b', 'c', 'd'].map(writeOf))
    for (const outcome of outcomes) {
      expect(outcome.status === 'rejected' && isDatabaseUnavailable(outcome.reason)).toBe(true)
    }
    expect(runs.sort()).toEqual(['b', 'c', 'd'])
    expect(await until('it is back', () => record('f').catch(() => undefined))).toBe('f')
    expect(await kept()).toEqual(['a claim', 'a first', 'a request', 'f'])
    expect(await rejectionOf(record('f'))).toBeInstanceOf(Error)
  })
})
