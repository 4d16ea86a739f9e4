import { expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { openDatabase } from '../../src/db/connect.ts'
import { probeDatabase } from '../../src/db/probe.ts'
import { describeOnBothDialects, emptyDatabaseUrl, openTestDatabase } from '../support/database.ts'
import { outcomeOf } from '../support/outcome.ts'

describeOnBothDialects('a probe of a database', (dialect) => {
  test('passes on one that takes a commit, any number of them at once, and leaves nothing behind', async () => {
    const database = await openTestDatabase(dialect)
    const before = database.writeLoad.commits
    await Promise.all(Array.from({ length: 20 }, () => probeDatabase(database)))
    expect(database.writeLoad.commits).toBeGreaterThan(before)
    const { leases } = database.read.t
    expect(await database.read.q.select().from(leases)).toEqual([])
    await database.close()
  })

  test('fails when the tables are missing, and when it is closed', async () => {
    const database = await openDatabase(await emptyDatabaseUrl(dialect))
    await database.read.rows(sql`select 1`)
    expect(await outcomeOf(probeDatabase(database))).toThrow()
    await database.close()
    expect(await outcomeOf(probeDatabase(database))).toThrow()
  })
  test('fails where rows are read, and refused when they are written', async () => {
    const database = await openTestDatabase(dialect)
    const refusal =
      dialect === 'postgres'
        ? sql`alter table leases add constraint no_rows check (false) not valid`
        : sql`create trigger no_rows before insert on leases begin select raise(abort, 'no rows'); end`
    await database.write((tx) => tx.rows(refusal))
    expect(await database.read.rows(sql`select owner from leases`)).toEqual([])
    expect(await outcomeOf(probeDatabase(database))).toThrow()
    await database.close()
  })
})
