import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import postgres from 'postgres'
import { openDatabase } from '../../src/db/connect.ts'
import type { Database, Transaction, WriteLane } from '../../src/db/database.ts'
import { isDatabaseUnavailable } from '../../src/db/unavailable.ts'
import { emptyDatabaseUrl } from '../support/database.ts'
import { rejectionOf } from '../support/outcome.ts'
import { postgresAvailable } from '../support/postgres.ts'
import { patienceMs } from '../support/until.ts'

const lanes: WriteLane[] = ['requests', 'submissions', 'steps']

/**
 * The server ends single connections: an administrator does, or a time-out. What their transactions still send must neither be
 * run on a connection that was opened in their place, nor keep the place of one.
 */
describe.if(postgresAvailable)('a transaction whose connection the server ends', () => {
  let url: string
  let database: Database
  let admin: postgres.Sql
  beforeAll(async () => {
    url = await emptyDatabaseUrl('postgres')
    database = await openDatabase(url)
    admin = postgres(url, { max: 1, onnotice: () => {} })
    await admin`create table kept (name text primary key)`
  })
  afterAll(async () => {
    await database.close()
    await admin.end()
  })

  const keep = (tx: Transaction, name: string) => tx.rows(sql`insert into kept (name) values (${name})`)
  const namesKept = async () => (await admin<{ name: string }[]>`select name from kept`).map(({ name }) => name)

  test('sends nothing any more, and leaves its connection to others, more often than there are connections', async () => {
    for (let round = 0; round < 15; round++) {
      const ended = database.write(async (tx) => {
        await keep(tx, `before ${round}`)
        await tx.rows(sql`select set_config('idle_in_transaction_session_timeout', '20', true)`)
        await Bun.sleep(80)
        await keep(tx, `after ${round}`)
      })
      expect(isDatabaseUnavailable(await rejectionOf(ended))).toBe(true)
      expect(await database.read.rows(sql`select 1 as one`)).toEqual([{ one: 1 }])
    }
    expect(await namesKept()).toEqual([])
  })

  test.each(lanes)('is kept whole or not at all, and every writer in the lane of %s is answered', async (lane) => {
    const beganMs = performance.now()
    const succeeded: string[] = []
    const failed: string[] = []
    let kills = 0
    /** After a while, and on a slow machine when enough of everything has happened. */
    const isOver = () => {
      const tookMs = performance.now() - beganMs
      const isEnough = kills > 5 && succeeded.length > 24 && failed.length > 0
      return tookMs > patienceMs() || (tookMs > 1_500 && isEnough)
    }
    const writer = async (number: number) => {
      for (let turn = 0; !isOver(); turn++) {
        const name = `${lane} ${number} ${turn}`
        const work = async (tx: Transaction) => {
          for (const part of ['a', 'b', 'c']) await keep(tx, `${name} ${part}`)
        }
        await database.write(work, lane).then(
          () => succeeded.push(name),
          (error) => {
            if (!isDatabaseUnavailable(error)) throw error
            failed.push(name)
          },
        )
      }
    }
    const writers = Promise.all(Array.from({ length: 24 }, (_, number) => writer(number)))
    while (!isOver()) {
      await Bun.sleep(10)
      const killed = await admin`
        select pg_terminate_backend(pid) from (
          select pid from pg_stat_activity
          where datname = current_database() and pid <> pg_backend_pid() and state in ('active', 'idle in transaction')
          order by random() limit 1
        ) as backends`
      kills += killed.length
    }
    await writers
    const kept = new Set(await namesKept())
    const partsOf = (name: string) => ['a', 'b', 'c'].filter((part) => kept.has(`${name} ${part}`)).length
    expect(succeeded.filter((name) => partsOf(name) !== 3)).toEqual([])
    expect(failed.filter((name) => ![0, 3].includes(partsOf(name)))).toEqual([])
    expect([kills > 5, succeeded.length > 24, failed.length > 0]).toEqual([true, true, true])
    // Connections that were ended last may notice it only when they are used again.
    for (let left = 20; ; left--) {
      const error = await database
        .write((tx) => keep(tx, `${lane} at last ${left}`), lane)
        .then(
          () => undefined,
          (cause: unknown) => cause,
        )
      if (error === undefined) break
      if (left === 0 || !isDatabaseUnavailable(error)) throw error
    }
  })
})
