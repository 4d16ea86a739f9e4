import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import postgres from 'postgres'
import { Fault } from '../../src/core/faults.ts'
import { limits } from '../../src/core/limits.ts'
import { openDatabase } from '../../src/db/connect.ts'
import type { Database, Transaction } from '../../src/db/database.ts'
import { migrate, requiredMigrations } from '../../src/db/migrate.ts'
import { ensureStoreId } from '../../src/db/store-id.ts'
import { isDatabaseUnavailable } from '../../src/db/unavailable.ts'
import { WriteGroups } from '../../src/db/write-groups.ts'
import { emptyDatabaseUrl } from '../support/database.ts'
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

const lanes = ['steps', 'submissions'] as const

describe.if(postgresAvailable).each(lanes)('what is written to PostgreSQL in the lane of %s', (lane) => {
  let database: Database
  let url: string
  beforeAll(async () => {
    url = await emptyDatabaseUrl('postgres')
    database = await openDatabase(url)
    await migrate(database)
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
    }, lane)

  /** As a service does before its first transaction. */
  async function boundTo(database: Database): Promise<void> {
    database.bindTo?.({ storeId: await ensureStoreId(database), required: requiredMigrations('postgres') })
  }

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
    }, lane)
    await isHeld.promise
    const writes = begin()
    // Neither requests nor claims wait for it, nor what the other lane groups.
    await database.write((tx) => keep(tx, 'a request'))
    await database.write(async () => {}, lane === 'steps' ? 'submissions' : 'steps')
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
    expect(database.writeLoad).toMatchObject({ commits: commits + 5, transactions: transactions + 7, waiting: 0 })
  })

  test('shares one commit with whatever is recorded in the same turn', async () => {
    await Promise.all(['b', 'c', 'd'].map(record))
    expect(await kept()).toEqual(['b c d'])
  })

  test('is kept where another of the group fails, and of that one nothing is kept', async () => {
    const told: string[] = []
    const lost = new Error('the fence is lost')
    const [b, c, d, e] = await heldUp(() => [
      record('b'),
      database.write(async (tx) => {
        tx.afterCommit(() => told.push('c'))
        await keep(tx, 'c')
        throw lost
      }, lane),
      record('a request'),
      database.write(async (tx) => {
        tx.afterCommit(() => told.push('e'))
        await keep(tx, 'e')
        return 'e'
      }, lane),
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

  test('shares its commit with others where some are refused before anything was written', async () => {
    const told: string[] = []
    const refusal = new Fault('conflict', 'The fence is lost.')
    const refused = () =>
      database.write(async (tx) => {
        tx.afterCommit(() => told.push('refused'))
        await tx.rows(sql`select 'looked'`)
        throw refusal
      }, lane)
    const recordLater = async (name: string) =>
      database.write(async (tx) => {
        await tx.rows(sql`select pg_sleep(.05)`)
        await keep(tx, name)
        return name
      }, lane)
    const outcomes = await heldUp(() => [refused(), refused(), recordLater('b'), recordLater('c')])
    const rejected = { status: 'rejected', reason: refusal } as const
    expect(outcomes).toEqual([
      rejected,
      rejected,
      { status: 'fulfilled', value: 'b' },
      { status: 'fulfilled', value: 'c' },
    ])
    expect(await kept()).toEqual(['a claim', 'a first', 'a request', 'b c'])
    expect(told).toEqual([])
  })

  test('is carried out alone where another is refused after a statement of anyone that may have written', async () => {
    const refusal = new Fault('conflict', 'The key was used.')
    const outcomes = await heldUp(() => [
      record('b'),
      database.write(async (tx) => {
        await tx.rows(sql`select pg_sleep(.05)`)
        throw refusal
      }, lane),
      record('c'),
    ])
    expect(outcomes[1]).toEqual({ status: 'rejected', reason: refusal })
    expect(await kept()).toEqual(['a claim', 'a first', 'a request', 'b', 'c'])
  })

  test('is carried out alone where a statement of another failed, also if its writer makes a refusal of it', async () => {
    const outcomes = await heldUp(() => [
      database.write(async (tx) => {
        await tx.rows(sql`select 1 / 0`).catch(() => {})
        throw new Fault('conflict', 'Nothing can be divided by it.')
      }, lane),
      record('b'),
      record('c'),
    ])
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled'])
    expect(await kept()).toEqual(['a claim', 'a first', 'a request', 'b', 'c'])
  })

  test('waits for what another instance holds alone, while others and those after them are written', async () => {
    await boundTo(database)
    const other = postgres(url, { max: 1, onnotice: () => {} })
    const held = Promise.withResolvers<void>()
    const isHeld = Promise.withResolvers<void>()
    const holding = other.begin(async (tx) => {
      await tx`insert into kept values ('held', 'by another')`
      isHeld.resolve()
      await held.promise
    })
    await isHeld.promise
    const [b, waiting, c] = ['b', 'held', 'c'].map((name) => record(name))
    expect(await Promise.all([b, c])).toEqual(['b', 'c'])
    expect(await record('d')).toBe('d')
    expect(await kept()).toEqual(['b', 'c', 'd'])
    // Refused as soon as the other has committed, maybe before that is known here.
    const refusal = rejectionOf(waiting as Promise<unknown>)
    held.resolve()
    await holding
    expect(await refusal).toBeInstanceOf(Error)
    await other.end()
  })

  test('is ended by the server if it falls silent, which counts as the database being away', async () => {
    await boundTo(database)
    const [row] = await database.write(
      (tx) => tx.rows<{ ms: string }>(sql`select current_setting('idle_in_transaction_session_timeout') as ms`),
      lane,
    )
    expect(row?.ms).toBe('30s')
    const silent = database.write(async (tx) => {
      await tx.rows(sql`select set_config('idle_in_transaction_session_timeout', '50', true)`)
      await keep(tx, 'silent')
      await Bun.sleep(500)
      await keep(tx, 'late')
    }, lane)
    expect(isDatabaseUnavailable(await rejectionOf(silent))).toBe(true)
    expect(await kept()).toEqual([])
  })

  test('is given up together where the server is lost, and nobody is written twice', async () => {
    const runs: string[] = []
    const writeOf = (name: string) =>
      database.write(async (tx) => {
        runs.push(name)
        await keep(tx, name)
        if (name === 'c') await tx.rows(sql`select pg_terminate_backend(pg_backend_pid())`)
      }, lane)
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

describe('groups that get in the way of others', () => {
  const workMs = 200

  /** Three full groups, which come at once; gives how long after the end of each the next one began. */
  async function pausesOf(isInTheWay?: () => boolean): Promise<number[]> {
    const spans: { fromMs: number; toMs: number }[] = []
    const together = async (works: readonly string[]): Promise<PromiseSettledResult<unknown>[]> => {
      const fromMs = performance.now()
      await Bun.sleep(workMs)
      spans.push({ fromMs, toMs: performance.now() })
      return works.map((value) => ({ status: 'fulfilled', value }))
    }
    const groups = new WriteGroups<string>({ alone: async (work) => work, together }, isInTheWay)
    await Promise.all(Array.from({ length: 3 * limits.databaseGroupWriters }, (_, index) => groups.write(`${index}`)))
    return spans.slice(1).map(({ fromMs }, index) => fromMs - (spans[index]?.toMs ?? 0))
  }

  test('leave as much time as they took to them, and none where they do not', async () => {
    const asked: number[] = []
    const [first = 0, second = 0] = await pausesOf(() => asked.push(asked.length) === 1)
    expect(first).toBeGreaterThanOrEqual(workMs - 1)
    expect(second).toBeLessThan(first)
    const [none = 0] = await pausesOf()
    expect(none).toBeLessThan(first)
    expect(asked).toEqual([0, 1])
  })
})

test.if(postgresAvailable)(
  'submissions that wait for others leave time to steps while those are being made',
  async () => {
    const database = await openDatabase(await emptyDatabaseUrl('postgres'))
    await database.write(async () => {}, 'steps')
    const isBegun = Promise.withResolvers<void>()
    const endMs = database.write(async (tx) => {
      isBegun.resolve()
      await tx.rows(sql`select pg_sleep(.2)`)
      return performance.now()
    }, 'submissions')
    await isBegun.promise
    const nextMs = database.write(async () => performance.now(), 'submissions')
    expect((await nextMs) - (await endMs)).toBeGreaterThanOrEqual(199)
    await database.close()
  },
)
