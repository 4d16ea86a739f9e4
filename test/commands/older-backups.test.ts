import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { fillDatabase, rowsIfThere, type TableLines } from '../../src/commands/restore.store.ts'
import { openDatabase } from '../../src/db/connect.ts'
import { type CopiedTable, copiedTables, digestOf, readLines } from '../../src/db/copy.ts'
import type { Connection, Database } from '../../src/db/database.ts'
import { readSchema } from '../../src/db/live-schema.ts'
import { appliedMigrations, changedSchema, migrateIn } from '../../src/db/migrate.ts'
import { migrations } from '../../src/db/migrations.ts'
import { onTestsEnd } from '../support/cleanup.ts'
import { temporaryFolder } from '../support/database.ts'
import { rejectionOf } from '../support/outcome.ts'

async function openFile(name: string): Promise<Database> {
  const database = await openDatabase(`file:${join(temporaryFolder(), name)}`)
  onTestsEnd(() => database.close())
  return database
}

/** The tables that a backup of such a database names, with the columns that they have there. */
async function tablesOf(connection: Connection): Promise<CopiedTable[]> {
  const schema = await readSchema(connection)
  return copiedTables(connection).flatMap((table) => {
    const there = schema.get(table.name)
    return there === undefined ? [] : [{ ...table, columns: [...there.columns.keys()].sort() }]
  })
}

const known = migrations.sqlite
const versions = known.slice(0, -1).map(({ name }, index) => [name, known.slice(0, index + 1)] as const)

test.each(versions)(
  'a backup made at %s is restored, row by row, and brought to the schema of today',
  async (_, made) => {
    const older = await openFile('older.db')
    await older.write((tx) => migrateIn(tx, made))
    await older.write((tx) =>
      tx.rows(sql`insert into users (id, username, display_name, roles, password_hash, must_change_password, disabled, created_at, updated_at)
      values ('one', 'ada', 'Ada', '["auditor"]', 'x', 0, 1, '2026-01-01T00:00:00.000000000Z', '2026-01-01T00:00:00.000000000Z')`),
    )
    const tables = await tablesOf(older.read)
    const expected = await Promise.all(
      tables.map(async (table) => ({ ...table, ...(await digestOf(older.read, table)) })),
    )
    async function* lines(): AsyncGenerator<TableLines> {
      for (const table of tables)
        for await (const page of readLines(older.read, table)) yield { table, lines: page.lines }
    }
    const today = await openFile('today.db')
    await fillDatabase(today, { migrations: made.map(({ name }) => name), tables: expected }, lines, async () => {})
    expect(await appliedMigrations(today.read)).toEqual(known.map(({ name }) => name))
    expect(await changedSchema(today)).toEqual([])
    const { q, t } = today.read
    expect(await q.select().from(t.users)).toMatchObject([
      { id: 'one', username: 'ada', roles: ['auditor'], disabled: true, isService: false, oidcSubject: null },
    ])
    // With a row more than its manifest says, nothing of it is taken.
    const [first] = expected
    if (first !== undefined) first.rows++
    const refused = fillDatabase(
      today,
      { migrations: made.map(({ name }) => name), tables: expected },
      lines,
      async () => {},
    )
    expect(await refused.then(() => 'taken', String)).toContain('did not arrive as it was written')
    expect((await q.select().from(t.users)).length).toBe(1)
  },
)

test('a backup that lacks tables is refused, names them, and changes nothing', async () => {
  const database = await openFile('today.db')
  await database.write((tx) => migrateIn(tx, known))
  await database.write((tx) =>
    tx.rows(sql`insert into project_files
    values ('cases/a.json', x'7b7d', 'h', 'ada', 'c', '2026-01-01T00:00:00.000000000Z')`),
  )
  const all = await Promise.all(
    (await tablesOf(database.read)).map(async (table) => ({ ...table, ...(await digestOf(database.read, table)) })),
  )
  const tables = all.filter(({ name }) => name !== 'project_files' && name !== 'holds')
  const taken = { migrations: known.map(({ name }) => name), tables }
  const refused = await rejectionOf(
    fillDatabase(
      database,
      taken,
      async function* () {},
      async () => {},
    ),
  )
  expect(String(refused)).toMatch(
    /^Error: the backup lacks (?:project_files, holds|holds, project_files), which its migrations make: something was taken out\. Nothing was changed$/,
  )
  expect(await database.read.q.select().from(database.read.t.projectFiles)).toHaveLength(1)
})

test('only tables and columns that an older version lacks count as empty; any other fault is reported', async () => {
  const database = await openFile('today.db')
  const rows = (statement: string) => rowsIfThere(database.read.rows(sql.raw(statement)))
  await database.write((tx) => tx.rows(sql`create table some (id text)`))
  for (const older of ['select 1 from nowhere', 'select later from some']) expect(await rows(older)).toEqual([])
  for (const code of ['42P01', '42703']) {
    const cause = Object.assign(new Error('it is not there'), { code })
    expect(await rowsIfThere(Promise.reject(new Error('Failed query', { cause })))).toEqual([])
  }
  expect(String(await rejectionOf(rows('select id from')))).toContain('Failed query')
  const away = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })
  expect(await rejectionOf(rowsIfThere(Promise.reject(away)))).toBe(away)
})
