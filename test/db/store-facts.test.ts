import { expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { writingWhile } from '../../src/db/bound.ts'
import { openDatabase } from '../../src/db/connect.ts'
import type { Database } from '../../src/db/database.ts'
import { presenceOf, runningInstances } from '../../src/db/instances.ts'
import {
  appliedMigrations,
  beginFilling,
  MOVED_AWAY,
  migrate,
  movedTo,
  requireCurrentSchema,
  requireOwnSchema,
  UNFINISHED_MOVE,
  unknownTables,
} from '../../src/db/migrate.ts'
import { migrations } from '../../src/db/migrations.ts'
import { ensureStoreId, findStoreFact, noteStoreFact } from '../../src/db/store-id.ts'
import { describeOnBothDialects, emptyDatabaseUrl, openTestDatabase } from '../support/database.ts'
import { rejectionOf } from '../support/outcome.ts'

const record = (database: Database, name: string) =>
  database.write((tx) => tx.rows(sql`insert into quire_migrations (name, applied_at) values (${name}, '')`))

describeOnBothDialects('a store', (dialect) => {
  test('says what was noted of it last, and nothing before', async () => {
    const database = await openTestDatabase(dialect)
    expect(await findStoreFact(database.read, 'backup')).toBeUndefined()
    const id = await ensureStoreId(database)
    expect(id).not.toBe('')
    expect(await findStoreFact(database.read, 'backup')).toBeUndefined()
    for (const value of ['one', 'two']) await database.write((tx) => noteStoreFact(tx, 'backup', value))
    expect([await findStoreFact(database.read, 'backup'), await findStoreFact(database.read, 'id')]).toEqual([
      'two',
      id,
    ])
    await database.close()
  })

  test('knows the instances that have said lately that they run, by version and owner, and no other lease', async () => {
    const database = await openTestDatabase(dialect)
    await database.write((tx) =>
      tx.q.insert(tx.t.leases).values([
        { name: presenceOf('1.2.0', 'b'), owner: 'b', expiresAt: tx.clockPlus(60_000) },
        { name: presenceOf('1.10.0', 'a'), owner: 'a', expiresAt: tx.clockPlus(60_000) },
        { name: presenceOf('1.2.0', 'gone'), owner: 'gone', expiresAt: tx.clockPlus(-1_000) },
        { name: 'instances/1.2.0/x', owner: 'x', expiresAt: tx.clockPlus(60_000) },
      ]),
    )
    expect(await runningInstances(database.read)).toEqual([
      { version: '1.10.0', owner: 'a' },
      { version: '1.2.0', owner: 'b' },
    ])
    await database.close()
  })

  test('that was moved away says where, and is served and read by nobody', async () => {
    const database = await openTestDatabase(dialect)
    expect(await movedTo(database.read)).toBeUndefined()
    await record(database, `${MOVED_AWAY}postgres://elsewhere/quire`)
    expect(await movedTo(database.read)).toBe('postgres://elsewhere/quire')
    for (const use of [requireOwnSchema, migrate])
      expect(String(await rejectionOf(use(database)))).toContain(
        'was moved to postgres://elsewhere/quire; use the settings that name it there, or let it serve here again with quire move --undo',
      )
    await database.close()
  })

  test('is filled from elsewhere only if it is empty, or if such a move was begun', async () => {
    const database = await openDatabase(await emptyDatabaseUrl(dialect))
    let asked = 0
    const holdsRows = (answer: boolean) => async () => {
      asked++
      return answer
    }
    expect(await beginFilling(database, holdsRows(true))).toBe(false)
    expect(await appliedMigrations(database.read)).toEqual([])
    expect(await beginFilling(database, holdsRows(false))).toBe(true)
    const names = migrations[dialect].map(({ name }) => name)
    expect(await appliedMigrations(database.read)).toEqual([...names, UNFINISHED_MOVE])
    expect(await database.read.rows(sql`select * from quire_move`)).toEqual([])
    // It is marked now, so that nobody has to ask.
    expect(await beginFilling(database, holdsRows(true))).toBe(true)
    expect(asked).toBe(2)
    expect(await appliedMigrations(database.read)).toEqual([...names, UNFINISHED_MOVE])
    expect(String(await rejectionOf(migrate(database)))).toContain('run the same quire move again')
    await database.close()
  })

  test('whose schema lacks migrations is not read by commands, and the remedy is named', async () => {
    const database = await openDatabase(await emptyDatabaseUrl(dialect))
    const all = migrations[dialect]
    await migrate(database, all.slice(0, -2))
    const missing = all.slice(-2).map(({ name }) => name)
    expect(String(await rejectionOf(requireCurrentSchema(database)))).toContain(
      `the schema lacks ${missing.join(', ')}; run quire migrate first`,
    )
    await migrate(database)
    await requireCurrentSchema(database)
    await database.close()
  })

  test('names the tables that only a newer version knows', async () => {
    const database = await openTestDatabase(dialect)
    expect(await unknownTables(database.read)).toEqual([])
    const expands = (name: string, ...tables: string[]) => ({
      name,
      sql: ['-- expands', ...tables.map((table) => `CREATE TABLE "${table}" ("id" text)`)]
        .join('\n')
        .replaceAll(')\n', ');--> statement-breakpoint\n'),
    })
    const none = { name: '9001_none', sql: '-- expands\nALTER TABLE "users" ADD COLUMN "shade" text' }
    await migrate(database, [...migrations[dialect], expands('9000_two', 'tints', 'shades'), none])
    expect(await unknownTables(database.read)).toEqual(['tints', 'shades'])
    await database.close()
  })
})

test('a database takes no commit while what it needs beside it is gone, and answers everything else', async () => {
  const database = await openTestDatabase('sqlite')
  let gone: Error | undefined
  const writing = writingWhile(database, () => gone)
  const lanes: unknown[] = []
  const write = database.write.bind(database)
  database.write = (work, lane) => {
    lanes.push(lane)
    return write(work, lane)
  }
  await writing.write((tx) => tx.rows(sql`create table kept (x text)`), 'steps')
  gone = new Error('the objects are gone')
  const refused = writing.write((tx) => tx.rows(sql`insert into kept values ('lost')`))
  expect(await rejectionOf(refused)).toBe(gone)
  expect(lanes).toEqual(['steps'])
  const count = sql`select count(*) as n from kept`
  expect(await writing.read.rows(count)).toEqual([{ n: 0 }])
  expect(await writing.snapshot((connection) => connection.rows(count))).toEqual([{ n: 0 }])
  expect(await writing.scrub?.(0)).toBe(true)
  expect([writing.dialect, writing.writeLoad]).toEqual(['sqlite', database.writeLoad])
  gone = undefined
  await writing.write((tx) => tx.rows(sql`insert into kept values ('kept')`))
  expect(await writing.read.rows(count)).toEqual([{ n: 1 }])
  expect('scrub' in writingWhile({ ...database, scrub: undefined } as never, () => undefined)).toBe(false)
  await writing.close()
  expect(String(await rejectionOf(database.write(async () => {})))).toContain('the database is closed')
})
