import { describe, expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { sha256Hex } from '../../src/core/hash.ts'
import { newestReading } from '../../src/core/reading.ts'
import { checkSchemaAt, openDatabase } from '../../src/db/connect.ts'
import type { Dialect } from '../../src/db/database.ts'
import { MigrationDiffersError, migrate, pendingMigrations, SchemaTooNewError } from '../../src/db/migrate.ts'
import { isExpanding, type Migration, migrations, statementsOf, tablesMadeBy } from '../../src/db/migrations.ts'
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

  const mayExpand = [
    /^CREATE TABLE [`"]\w+[`"] \([\s\S]*\);?$/,
    // Whoever doesn't know the column writes its rows without it.
    /^ALTER TABLE [`"]\w+[`"] ADD (COLUMN )?[`"]\w+[`"] ((?!.*NOT NULL).*|.*DEFAULT .*)$/,
    /^CREATE INDEX [`"]\w+[`"] ON [\s\S]*$/,
  ]
  /** What a migration says that it only expands the schema for, and doesn't. */
  function beyondExpanding(migration: Migration): string[] {
    const made = tablesMadeBy(migration)
    return statementsOf(migration)
      .map((statement) => statement.replace(/^--.*\n/, '').trim())
      .filter((statement) => !mayExpand.some((allowed) => allowed.test(statement)))
      .filter(
        (statement) =>
          !made.some((table) => new RegExp(`^CREATE UNIQUE INDEX \\S+ ON [\`"]${table}[\`"]`).test(statement)),
      )
  }

  test('only add, where they say that older versions may run beside them', () => {
    const marked = (...statements: string[]) =>
      beyondExpanding({ name: 'x', sql: `-- expands\n${statements.join(';--> statement-breakpoint\n')}` })
    const made = 'CREATE TABLE "made" (\n\t"id" text PRIMARY KEY NOT NULL\n)'
    const fine = ['ALTER TABLE "users" ADD COLUMN "shade" text collate "C"', 'CREATE INDEX "a" ON "users" ("shade")']
    expect(marked(made, 'CREATE UNIQUE INDEX "b" ON "made" ("id")', ...fine)).toEqual([])
    expect(marked('ALTER TABLE "users" ADD COLUMN "n" bigint DEFAULT 1 NOT NULL')).toEqual([])
    for (const statement of [
      'ALTER TABLE "users" ADD COLUMN "shade" text NOT NULL',
      'CREATE UNIQUE INDEX "c" ON "users" ("shade")',
      'ALTER TABLE "users" DROP COLUMN "shade"',
      'ALTER TABLE "users" RENAME COLUMN "shade" TO "tint"',
      'DROP TABLE "users"',
      'update users set shade = 1',
    ]) {
      expect([statement, marked(statement)]).toEqual([statement, [statement]])
    }
    for (const dialect of ['sqlite', 'postgres'] as const) {
      for (const migration of migrations[dialect].filter(isExpanding)) expect(beyondExpanding(migration)).toEqual([])
    }
    expect(migrations.sqlite.filter(isExpanding).map(({ name }) => name)).toEqual(
      migrations.postgres.filter(isExpanding).map(({ name }) => name),
    )
  })

  test('keep versions apart whose readings differ: an older one would make other documents of what was frozen', () => {
    const apart = migrations.sqlite.filter((migration) => !isExpanding(migration)).map(({ name }) => name.slice(5))
    for (let reading = 6; reading <= newestReading; reading++) expect(apart).toContain(`reading_${reading}`)
  })

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

/** What other hands may do to a schema, and what it is called then. */
const tamperings: Record<'both' | Dialect, readonly [statement: string, named: string][]> = {
  both: [
    ['drop table throttles', 'the table throttles is missing'],
    ['alter table steps drop column duration_ms', 'the column steps.duration_ms is missing'],
    ['alter table steps add column colour text', "the column steps.colour is not Quire's"],
    ['drop index steps_ready', 'the index steps_ready is missing'],
    [
      'drop index erasures_page; create index erasures_page on erasures (id)',
      'the index erasures_page is on erasures(id) instead of on erasures(erased_at,id)',
    ],
    ['create unique index one_each on users (display_name)', "the unique index one_each is not Quire's"],
  ],
  sqlite: [
    [
      'drop table leases; create table leases (name text primary key not null, owner integer, expires_at text not null references users (id), check (owner > 0))',
      "the column leases.owner is integer instead of text not null, of the table leases, the foreign key on expires_at is not Quire's, of the table leases, the check is not Quire's",
    ],
    [
      'create trigger unheard before insert on audit_records begin select raise(ignore)\\; end',
      "of the table audit_records, the trigger unheard is not Quire's",
    ],
    [
      'create trigger with_records after update on quire_migrations begin delete from users\\; end',
      "of the table quire_migrations, the trigger with_records is not Quire's",
    ],
  ],
  postgres: [
    [
      'alter table users alter column display_name type varchar(40)',
      'the column users.display_name is character varying(40) not null instead of text collate C not null',
    ],
    [
      'alter table users alter column username drop not null',
      'the column users.username is text collate C instead of text collate C not null',
    ],
    [
      'alter table versions alter column reading set default 2',
      'the column versions.reading is bigint not null default 2 instead of bigint not null default 1',
    ],
    ['alter table leases drop constraint leases_pkey', 'the index leases_pkey is missing'],
    [
      "alter table users add constraint named check (display_name <> '')",
      "of the table users, the constraint named is not Quire's",
    ],
    [
      'alter table executions add constraint whose foreign key (submission_id) references submissions (id)',
      "of the table executions, the constraint whose is not Quire's",
    ],
    [
      'create trigger unheard before update on users for each row execute function suppress_redundant_updates_trigger()',
      "of the table users, the trigger unheard is not Quire's",
    ],
    [
      'create trigger with_records before update on quire_migrations for each row execute function suppress_redundant_updates_trigger()',
      "of the table quire_migrations, the trigger with_records is not Quire's",
    ],
    [
      "create rule instead as on delete to users do also update users set roles = '[]'",
      "of the table users, the rule instead is not Quire's",
    ],
  ],
}

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
    expect(await checkSchemaAt(url)).toEqual({ pending: [], changed: [], later: [] })
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
    expect(await checkSchemaAt(url)).toEqual({ pending: [], changed: [], later: [] })
    const again = await openDatabase(url)
    const all = [...tamperings.both, ...tamperings[dialect]]
    for (const statement of all.flatMap(([statements]) => statements.split(/(?<!\\); /))) {
      await again.write((tx) => tx.rows(sql.raw(statement.replace('\\;', ';'))))
    }
    await again.close()
    const { changed } = await checkSchemaAt(url)
    expect(changed.toSorted()).toEqual(all.flatMap(([, named]) => named.split(/, (?=of the)/)).toSorted())
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
