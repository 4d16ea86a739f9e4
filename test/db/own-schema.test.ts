import { expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { Lease } from '../../src/bus/lease.ts'
import { fillDatabase } from '../../src/commands/restore.store.ts'
import { sha256Hex } from '../../src/core/hash.ts'
import { openDatabase } from '../../src/db/connect.ts'
import { copiedTables } from '../../src/db/copy.ts'
import type { Database } from '../../src/db/database.ts'
import { presenceOf } from '../../src/db/instances.ts'
import {
  appliedMigrations,
  changedSchema,
  InstancesRunningError,
  laterMigrations,
  migrate,
  migrateIn,
  pendingMigrations,
  requireCurrentSchema,
  requireNothingLater,
  requireOwnSchema,
  SchemaTooNewError,
  UNFINISHED_MOVE,
} from '../../src/db/migrate.ts'
import { migrations } from '../../src/db/migrations.ts'
import { describeOnBothDialects, emptyDatabaseUrl, openTestDatabase } from '../support/database.ts'
import { outcomeOf } from '../support/outcome.ts'

/** Three small migrations, the second of two statements. */
const three = [
  { name: '0000_one', sql: 'create table one (x text)' },
  { name: '0001_two', sql: 'create table two (x text);--> statement-breakpoint\ninsert into two values (1)' },
  { name: '0002_three', sql: 'insert into one select x from two' },
]

const record = (database: Database, name: string) =>
  database.write((tx) => tx.rows(sql`insert into quire_migrations (name, applied_at) values (${name}, '')`))

const refusalOf = (work: Promise<unknown>) =>
  work.then(
    () => 'accepted',
    (error: unknown) => error,
  )

describeOnBothDialects('a schema of several migrations', (dialect) => {
  test('is brought up in their order, each with the time of the database’s clock', async () => {
    const database = await openDatabase(await emptyDatabaseUrl(dialect))
    expect(await appliedMigrations(database.read)).toEqual([])
    expect(await migrate(database, three.slice(0, 1))).toEqual(['0000_one'])
    expect(await migrate(database, three)).toEqual(['0001_two', '0002_three'])
    expect(await database.read.rows(sql`select x from one`)).toEqual([{ x: '1' }])
    expect(await appliedMigrations(database.read)).toEqual(three.map(({ name }) => name))
    const times = await database.read.rows<{ at: string }>(sql`select applied_at as at from quire_migrations`)
    for (const { at } of times) expect(at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{9}Z$/)
    await database.close()
  })

  if (dialect === 'postgres') {
    test('is brought up once by however many instances start at the same moment', async () => {
      const url = await emptyDatabaseUrl(dialect)
      const instances = await Promise.all(Array.from({ length: 12 }, () => openDatabase(url)))
      // Each has its connection, so that nothing but the lock puts them in order.
      await Promise.all(instances.map((each) => each.read.rows(sql`select 1`)))
      const applied = await Promise.all(instances.map((each) => migrate(each, three)))
      expect(applied.flat().sort()).toEqual(three.map(({ name }) => name))
      for (const each of instances) await each.close()
    })
  }

  test('is brought up inside a transaction too, all of it or nothing', async () => {
    const database = await openDatabase(await emptyDatabaseUrl(dialect))
    const broken = database.write(async (tx) => {
      await migrateIn(tx, three)
      throw new Error('changed its mind')
    })
    expect(await outcomeOf(broken)).toThrow('changed its mind')
    expect(await appliedMigrations(database.read)).toEqual([])
    await database.write((tx) => migrateIn(tx, three))
    expect(await appliedMigrations(database.read)).toEqual(three.map(({ name }) => name))
    await database.close()
  })

  test('is taken by those that only read when it is this version’s, or older', async () => {
    const database = await openDatabase(await emptyDatabaseUrl(dialect))
    expect(await refusalOf(requireOwnSchema(database))).toBe('accepted')
    await migrate(database)
    expect(await refusalOf(requireOwnSchema(database))).toBe('accepted')
    expect(await pendingMigrations(database)).toEqual([])
    await database.close()
  })

  test('is refused by all when a newer version has written it', async () => {
    const database = await openTestDatabase(dialect)
    await record(database, '9999_future')
    for (const use of [requireOwnSchema, migrate]) {
      const refusal = await refusalOf(use(database))
      expect(refusal).toBeInstanceOf(SchemaTooNewError)
      expect(String(refusal)).toContain('9999_future')
    }
    // The names that it knows are not missing.
    expect(await pendingMigrations(database)).toEqual([])
    expect(await appliedMigrations(database.read)).toEqual([
      ...migrations[dialect].map(({ name }) => name),
      '9999_future',
    ])
    await database.close()
  })

  /** What a newer version may add while this one runs, and something that it may not. */
  const expands = {
    name: '9000_expands',
    sql: [
      '-- expands\nCREATE TABLE "shades" ("id" text PRIMARY KEY NOT NULL)',
      'ALTER TABLE "users" ADD COLUMN "shade" text',
      'CREATE INDEX "users_shade" ON "users" ("shade")',
    ].join(';--> statement-breakpoint\n'),
  }
  const changes = { name: '9001_changes', sql: 'DROP INDEX "users_shade"' }
  const known = migrations[dialect]

  test('that a newer version has expanded is used, checked and rebuilt by this one', async () => {
    const database = await openTestDatabase(dialect)
    expect(await migrate(database, [...known, expands])).toEqual(['9000_expands'])
    expect(await migrate(database)).toEqual([])
    expect(await laterMigrations(database.read)).toEqual(['9000_expands'])
    expect(await refusalOf(requireCurrentSchema(database))).toBe('accepted')
    expect(await changedSchema(database)).toEqual([])
    await database.write((tx) => tx.rows(sql`drop index steps_ready`))
    expect(await changedSchema(database)).toEqual(['the index steps_ready is missing'])
    // A move would leave behind what was added.
    expect(await refusalOf(requireNothingLater(database.read))).toBeInstanceOf(SchemaTooNewError)
    // What comes before an addition can't be missing.
    const refusal = await refusalOf(migrate(database, [...known, { ...expands, name: '8000_between' }]))
    expect(refusal).toBeInstanceOf(SchemaTooNewError)
    // A restore by this version drops what the newer one had added, so that it can add it again.
    const none = { rows: 0, sha256: sha256Hex('') }
    const tables = copiedTables(database.read).map((table) => ({ ...table, ...none }))
    const empty = { migrations: known.map(({ name }) => name), tables }
    await fillDatabase(
      database,
      empty,
      async function* () {},
      async () => {},
    )
    expect(await laterMigrations(database.read)).toEqual([])
    expect(await migrate(database, [...known, expands])).toEqual(['9000_expands'])
    await database.close()
  })

  test('is changed beyond that only while no instance says that it runs', async () => {
    const database = await openTestDatabase(dialect)
    const lease = new Lease(database, { name: presenceOf('0.1.2', 'somebody'), owner: 'somebody', leaseMs: 60_000 })
    await lease.hold()
    expect(await migrate(database, [...known, expands])).toEqual(['9000_expands'])
    const refusal = await refusalOf(migrate(database, [...known, expands, changes]))
    expect(refusal).toBeInstanceOf(InstancesRunningError)
    expect(String(refusal)).toContain(
      'migration 9001_changes is not for instances that run without it, and 1 uses this',
    )
    expect(String(refusal)).toContain('(version 0.1.2)')
    expect(await appliedMigrations(database.read)).not.toContain('9001_changes')
    await lease.release()
    expect(await migrate(database, [...known, expands, changes])).toEqual(['9001_changes'])
    expect(await refusalOf(migrate(database))).toBeInstanceOf(SchemaTooNewError)
    await database.close()
  })

  test('is refused by all while a move into it is not finished, with the remedy', async () => {
    const database = await openTestDatabase(dialect)
    await record(database, UNFINISHED_MOVE)
    for (const use of [requireOwnSchema, migrate]) {
      const refusal = await refusalOf(use(database))
      expect(refusal).not.toBeInstanceOf(SchemaTooNewError)
      expect(String(refusal)).toContain('run the same quire move again')
    }
    await database.close()
  })
})
