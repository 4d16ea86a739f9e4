import { describe, expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { sha256Hex } from '../../src/core/hash.ts'
import { checkSchemaAt, openDatabase } from '../../src/db/connect.ts'
import {
  appliedMigrations,
  MigrationDiffersError,
  migrate,
  pendingMigrations,
  SchemaTooNewError,
} from '../../src/db/migrate.ts'
import { migrations } from '../../src/db/migrations.ts'
import { describeOnBothDialects, emptyDatabaseUrl } from '../support/database.ts'
import { outcomeOf } from '../support/outcome.ts'

describe('the embedded migrations', () => {
  for (const dialect of ['sqlite', 'postgres'] as const) {
    test(`are exactly the ${dialect} folder's, in its order`, () => {
      const folder = join(import.meta.dir, '../../drizzle', dialect)
      const files = readdirSync(folder)
        .filter((name) => name.endsWith('.sql'))
        .sort()
      expect(migrations[dialect].map(({ name }) => `${name}.sql`)).toEqual(files)
      for (const migration of migrations[dialect]) {
        expect(migration.sql).toBe(readFileSync(join(folder, `${migration.name}.sql`), 'utf8'))
      }
    })
  }

  test('give both dialects the same tables and columns', () => {
    const columnsOf = (text: string) =>
      [...text.matchAll(/CREATE TABLE [`"](\w+)[`"] \(([\s\S]*?)\n\);/g)].map(([, table, body]) => [
        table,
        [...body!.matchAll(/^\t[`"](\w+)[`"] /gm)].map((match) => match[1]),
      ])
    const sqlite = columnsOf(migrations.sqlite.map((migration) => migration.sql).join('\n'))
    expect(sqlite.length).toBeGreaterThan(10)
    expect(columnsOf(migrations.postgres.map((migration) => migration.sql).join('\n')).sort()).toEqual(sqlite.sort())
  })
})

describeOnBothDialects('migrate', (dialect) => {
  test('applies each migration once, and nothing the second time', async () => {
    const database = await openDatabase(await emptyDatabaseUrl(dialect))
    expect(await pendingMigrations(database)).toEqual(migrations[dialect].map(({ name }) => name))
    expect(await migrate(database)).toEqual(migrations[dialect].map(({ name }) => name))
    expect(await migrate(database)).toEqual([])
    expect(await pendingMigrations(database)).toEqual([])
    await database.close()
  })

  // A local file is for one process at a time (see file-lock.test.ts): there it is one instance that asks twice.
  const instances = dialect === 'postgres' ? 'two instances start at once on' : 'one instance migrate twice at once in'
  test(`lets ${instances} one empty database`, async () => {
    const url = await emptyDatabaseUrl(dialect)
    const first = await openDatabase(url)
    const second = dialect === 'postgres' ? await openDatabase(url) : first
    const applied = await Promise.all([first, second].map((database) => migrate(database)))
    expect(applied.flat().sort()).toEqual(migrations[dialect].map(({ name }) => name))
    for (const database of new Set([first, second])) await database.close()
  })

  test('refuses a database that a newer version has migrated, and changes nothing in it', async () => {
    const database = await openDatabase(await emptyDatabaseUrl(dialect))
    await migrate(database)
    await database.write((tx) =>
      tx.rows(sql`insert into quire_migrations (name, applied_at) values ('9999_future', '')`),
    )
    const refusal = await migrate(database).catch((error: unknown) => error)
    expect(refusal).toBeInstanceOf(SchemaTooNewError)
    expect(String(refusal)).toContain('9999_future')
    await database.close()
  })

  test('is complete or absent wherever its process is killed, and resumes from there', async () => {
    const url = await emptyDatabaseUrl(dialect)
    const statements = migrations[dialect].flatMap((migration) => migration.sql.split('--> statement-breakpoint'))
    // What is around the statements themselves: locks, the record of what was applied.
    const last = statements.length + 4 * (migrations[dialect].length + 1)
    const step = process.env.CRASH_TESTS === 'full' ? 1 : Math.ceil(last / 16)
    let kills = 0
    for (let at = 0; at <= last; at += step) {
      const child = Bun.spawn([process.execPath, join(import.meta.dir, 'killed-migration.ts'), url, String(at)], {
        stderr: 'inherit',
      })
      await child.exited
      if (child.signalCode === 'SIGKILL') kills++
      const database = await openDatabase(url)
      const recorded = await appliedMigrations(database.read)
      const tables = await database.read.rows(sql`select count(*) as n from steps`).catch(() => undefined)
      // There is one migration, so its tables and its record come together.
      expect(tables === undefined).toBe(recorded.length === 0)
      await database.close()
    }
    expect(kills).toBeGreaterThan(5)
    const database = await openDatabase(url)
    await migrate(database)
    expect(await appliedMigrations(database.read)).toEqual(migrations[dialect].map(({ name }) => name))
    await database.close()
  }, 240_000)

  /** The schema as a version made it that recorded no hashes. */
  async function withoutHashes(url: string): Promise<void> {
    const database = await openDatabase(url)
    await migrate(database)
    await database.write((tx) => tx.rows(sql`alter table quire_migrations drop column sha256`))
    await database.close()
  }

  test('adopts a database without hashes whose schema is the one it makes, and knows it by its hashes from then on', async () => {
    const url = await emptyDatabaseUrl(dialect)
    await withoutHashes(url)
    expect(await checkSchemaAt(url)).toEqual({ pending: [], changed: [] })
    const database = await openDatabase(url)
    expect(await migrate(database)).toEqual([])
    const recorded = await database.read.rows<{ sha256: string }>(
      sql`select sha256 from quire_migrations order by name`,
    )
    expect(recorded.map(({ sha256 }) => sha256)).toEqual(migrations[dialect].map(({ sql: text }) => sha256Hex(text)))
    await database.close()
  })

  test.each([
    ['alter table steps drop column duration_ms', 'the column steps.duration_ms is missing'],
    ['alter table steps add column colour text', "steps.colour is not Quire's"],
    ['drop index steps_ready', 'the index steps_ready is missing'],
    ['drop table leases', 'the table leases is missing'],
    ['create unique index one_each on users (display_name)', "the unique index one_each is not Quire's"],
  ])(
    'refuses a database whose first migration did other things (%s), and says what differs',
    async (statement, difference) => {
      const url = await emptyDatabaseUrl(dialect)
      await withoutHashes(url)
      const database = await openDatabase(url)
      await database.write((tx) => tx.rows(sql.raw(statement)))
      const refusal = await migrate(database).catch((error: unknown) => error)
      await database.close()
      expect(refusal).toBeInstanceOf(MigrationDiffersError)
      for (const part of ['0000_initial', difference, 'quire restore --replace'])
        expect(String(refusal)).toContain(part)
      expect(await outcomeOf(checkSchemaAt(url))).toThrow(difference)
    },
  )

  test('refuses a migration whose recorded hash is another, even where the tables are the same', async () => {
    const url = await emptyDatabaseUrl(dialect)
    const database = await openDatabase(url)
    await migrate(database)
    await database.write((tx) => tx.rows(sql`update quire_migrations set sha256 = 'x'`))
    expect(await outcomeOf(migrate(database))).toThrow('the tables are the same, but the text of the migration is not')
    await database.close()
  })

  test('lists with --check what other hands have changed since, and leaves tables and indexes of their own alone', async () => {
    const url = await emptyDatabaseUrl(dialect)
    const database = await openDatabase(url)
    await migrate(database)
    for (const statement of ['create table mine (x text)', 'create index mine_too on users (display_name)']) {
      await database.write((tx) => tx.rows(sql.raw(statement)))
    }
    await database.close()
    expect(await checkSchemaAt(url)).toEqual({ pending: [], changed: [] })
    const again = await openDatabase(url)
    await again.write((tx) => tx.rows(sql`drop index steps_ready`))
    await again.close()
    expect((await checkSchemaAt(url)).changed).toEqual(['the index steps_ready is missing'])
  })

  test('leaves nothing of a migration that fails halfway', async () => {
    const database = await openDatabase(await emptyDatabaseUrl(dialect))
    const broken = [
      { name: '0000_broken', sql: 'create table half (x text);--> statement-breakpoint\ncreate nonsense' },
    ]
    expect(await migrate(database, broken).catch(() => 'refused')).toBe('refused')
    expect(await database.read.rows(sql`select * from half`).catch(() => 'no such table')).toBe('no such table')
    expect(await migrate(database)).not.toContain('0000_broken')
    await database.close()
  })
})
