import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { openDatabase } from '../../src/db/connect.ts'
import type { Database } from '../../src/db/database.ts'
import { launchPooler, poolerAvailable } from '../support/pooler.ts'
import { postgresAvailable, startPostgres } from '../support/postgres.ts'

describe.if(postgresAvailable && poolerAvailable)('behind a pooler that lends connections by the transaction', () => {
  let database: Database
  beforeAll(async () => {
    const server = await startPostgres()
    // Fewer than Quire opens, so that each of its connections is served by all of them in turn.
    const pooler = await launchPooler(await server.createDatabase(), 3)
    database = await openDatabase(pooler.url)
    await database.write((tx) => tx.rows(sql`create table kept (x int)`))
  })
  afterAll(() => database?.close())

  test('what was committed is there', async () => {
    const writers = Array.from({ length: 12 }, async (_, writer) => {
      for (let row = 0; row < 10; row++) {
        await database.write((tx) => tx.rows(sql`insert into kept values (${writer * 10 + row})`))
      }
    })
    await Promise.all(writers)
    const rows = await database.read.rows<{ x: number }>(sql`select x from kept order by x`)
    expect(rows.map(({ x }) => x)).toEqual(Array.from({ length: 120 }, (_, x) => x))
  })

  test('everything that is asked at once is answered', async () => {
    const callers = Array.from({ length: 40 }, async (_, caller) => {
      for (let round = 0; round < 12; round++) {
        if (caller % 3 === 0) {
          // Without parameters the driver could send one behind another, before that is answered.
          await Promise.all([1, 2, 3].map(() => database.read.rows(sql`select 1`)))
        } else if (caller % 3 === 1) {
          await database.write(async (tx) => {
            await Promise.all([tx.rows(sql`select 1`), tx.rows(sql`select ${caller}::int`), tx.rows(sql`select 2`)])
            await tx.rows(sql`select ${caller}::int, pg_sleep(0.002)::text`)
          })
        } else await database.read.rows(sql`select ${caller}::int, pg_sleep(0.001)::text`)
      }
    })
    const late = Bun.sleep(20_000).then(() => 'not answered within 20 s')
    expect(await Promise.race([Promise.all(callers).then((all) => all.length), late])).toBe(40)
  })
})
