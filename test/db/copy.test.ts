import { expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { instantFromEpochMs } from '../../src/core/instant.ts'
import { limits } from '../../src/core/limits.ts'
import { allTableNames, type CopiedTable, copiedTables, digestOf, readLines, writeLines } from '../../src/db/copy.ts'
import type { Database, Dialect } from '../../src/db/database.ts'
import { describeOnBothDialects, openTestDatabase } from '../support/database.ts'
import { outcomeOf } from '../support/outcome.ts'
import { postgresAvailable } from '../support/postgres.ts'

const at = instantFromEpochMs(1_700_000_000_123)

/** One row of every kind of column, and enough rows for several pages. */
async function fill(database: Database): Promise<void> {
  const { users, families, idempotency, sessions } = database.read.t
  await database.write(async (tx) => {
    for (let index = 0; index < 230; index++) {
      await tx.q.insert(users).values({
        id: `u${String(index).padStart(4, '0')}`,
        username: `ü"\\${index}`,
        displayName: '1\u2028 漢字 😀',
        roles: ['operator'],
        passwordHash: 'h',
        mustChangePassword: index % 2 === 0,
        disabled: false,
        createdAt: at,
        updatedAt: at,
      })
    }
    await tx.q.insert(families).values({
      id: 'f1',
      kind: 'template',
      slug: 's',
      name: 'n',
      description: '',
      draftRevision: 3,
      draftSource: null,
      draftFormat: 'docx',
      draftBytes: new Uint8Array([0, 255, 10, 13]),
      draftUpdatedAt: at,
      latestNumber: 0,
      createdBy: 'u',
      createdAt: at,
      updatedAt: at,
    })
    for (const key of ['b', 'a']) {
      await tx.q
        .insert(idempotency)
        .values({ actorId: 'u', key, requestHash: 'r', status: 202, body: { a: [1.5, null] }, createdAt: at })
    }
    await tx.q.insert(sessions).values({
      id: 's',
      tokenHash: 't',
      userId: 'u',
      host: 'h',
      createdAt: at,
      lastSeenAt: at,
      expiresAt: at,
    })
  })
}

async function digests(database: Database) {
  const entries = copiedTables(database.read).map(
    async (table) => [table.name, await digestOf(database.read, table)] as const,
  )
  return Object.fromEntries(await Promise.all(entries))
}

describeOnBothDialects('a copied database', (dialect) => {
  const targets: Dialect[] = postgresAvailable ? ['sqlite', 'postgres'] : ['sqlite']
  for (const target of targets) {
    test(`has the same lines in ${target}, whatever its columns hold, and none of what is left out`, async () => {
      const source = await openTestDatabase(dialect)
      await fill(source)
      const copy = await openTestDatabase(target)
      for (const table of copiedTables(source.read)) {
        for await (const { lines } of readLines(source.read, table)) {
          await copy.write((tx) => writeLines(tx, table, lines))
        }
      }
      const expected = await digests(source)
      expect(expected.users?.rows).toBe(230)
      expect(expected.sessions).toBeUndefined()
      expect(await digests(copy)).toEqual(expected)
      const { users, families, sessions } = copy.read.t
      expect((await copy.read.q.select().from(users))[0]).toMatchObject({ mustChangePassword: true, disabled: false })
      expect((await copy.read.q.select().from(families))[0]?.draftBytes).toEqual(new Uint8Array([0, 255, 10, 13]))
      expect(await copy.read.q.select().from(sessions)).toEqual([])
      await source.close()
      await copy.close()
    })
  }

  test('has every table but those of its process, each with its own key and all of its columns', async () => {
    const source = await openTestDatabase(dialect)
    const inCatalog = await source.read.rows<{ name: string }>(
      dialect === 'postgres'
        ? sql`select table_name as name from information_schema.tables where table_schema = 'public'`
        : sql`select name from sqlite_master where type = 'table' and name not like 'sqlite%'`,
    )
    const all = inCatalog.map((row) => row.name).filter((name) => name !== 'quire_migrations')
    expect(allTableNames(source.read).sort()).toEqual(all.sort())
    const copied = copiedTables(source.read)
    expect(copied.map((table) => table.name).sort()).toEqual(
      all.filter((name) => !['leases', 'sessions', 'throttles'].includes(name)),
    )
    for (const { name, columns, key } of copied) {
      const inTable = await source.read.rows<{ name: string; key: number | null }>(
        dialect === 'postgres'
          ? sql`select c.column_name as name, k.ordinal_position as key from information_schema.columns c
              left join information_schema.table_constraints t on t.table_name = c.table_name and t.constraint_type = 'PRIMARY KEY'
              left join information_schema.key_column_usage k on k.constraint_name = t.constraint_name and k.column_name = c.column_name
              where c.table_schema = 'public' and c.table_name = ${name}`
          : sql`select name, nullif(pk, 0) as key from pragma_table_info(${name})`,
      )
      expect([name, ...columns]).toEqual([name, ...inTable.map((column) => column.name).sort()])
      const inKey = inTable.filter((column) => column.key !== null).sort((a, b) => Number(a.key) - Number(b.key))
      expect([name, ...key]).toEqual([name, ...inKey.map((column) => column.name)])
    }
    await source.close()
  })

  test('is read in pages in the order of its key, from a key on, and never a row twice', async () => {
    const source = await openTestDatabase(dialect)
    await fill(source)
    const tables = copiedTables(source.read)
    const users = tables.find((table) => table.name === 'users')!
    const read = async (table: CopiedTable, after?: readonly unknown[]) => {
      const pages: string[][] = []
      const keys: unknown[][] = []
      for await (const { lines, lastKey } of readLines(source.read, table, after)) {
        pages.push(lines)
        keys.push(lastKey)
      }
      return { pages, keys }
    }
    const whole = await read(users)
    expect(whole.pages.map((page) => page.length)).toEqual([100, 100, 30])
    expect(whole.keys).toEqual([['u0099'], ['u0199'], ['u0229']])
    const ids = whole.pages.flat().map((line) => JSON.parse(line)[users.columns.indexOf('id')])
    expect(ids).toEqual(ids.toSorted())
    expect(new Set(ids).size).toBe(230)
    expect((await read(users, ['u0129'])).pages).toEqual([whole.pages.flat().slice(130)])
    expect((await read(users, ['u0229'])).pages).toEqual([])
    const idempotency = tables.find((table) => table.name === 'idempotency')!
    expect((await read(idempotency)).keys).toEqual([['u', 'b']])
    expect((await read(idempotency, ['u', 'a'])).pages.flat()).toHaveLength(1)
    await source.close()
  })

  test('ends with its last row, also where that fills a page', async () => {
    const source = await openTestDatabase(dialect)
    const users = copiedTables(source.read).find((table) => table.name === 'users')!
    const pagesOf = async (database: Database) => {
      const pages: number[] = []
      for await (const { lines } of readLines(database.read, users)) pages.push(lines.length)
      return pages
    }
    expect(await pagesOf(source)).toEqual([])
    await fill(source)
    await source.write((tx) => tx.rows(sql`delete from users where id > 'u0199'`))
    expect(await pagesOf(source)).toEqual([limits.tablePageRows, limits.tablePageRows])
    const lines: string[] = []
    const digest = await digestOf(source.read, users, (page) => void lines.push(...page))
    expect([digest.rows, lines.length]).toEqual([200, 200])
    const hash = new Bun.CryptoHasher('sha256').update(lines.map((line) => `${line}\n`).join(''))
    expect(digest.sha256).toBe(hash.digest('hex'))
    // More lines than go into one statement.
    const copy = await openTestDatabase(dialect)
    await copy.write((tx) => writeLines(tx, users, lines))
    expect(await digestOf(copy.read, users)).toEqual(digest)
    await source.close()
    await copy.close()
  })

  test('writes the same text for a value in either dialect', async () => {
    const source = await openTestDatabase(dialect)
    await fill(source)
    const cellsOf = async (name: string) => {
      const table = copiedTables(source.read).find((each) => each.name === name)!
      for await (const { lines } of readLines(source.read, table)) {
        const row: unknown[] = JSON.parse(lines[0]!)
        return Object.fromEntries(table.columns.map((column, index) => [column, row[index]]))
      }
    }
    expect(await cellsOf('users')).toMatchObject({
      ...{ id: 'u0000', roles: '["operator"]', must_change_password: true, disabled: false },
      created_at: '2023-11-14T22:13:20.123000000Z',
    })
    expect(await cellsOf('families')).toMatchObject({
      ...{ draft_revision: 3, draft_source: null, draft_bytes: { base64: 'AP8KDQ==' }, latest_number: 0 },
    })
    expect(await cellsOf('idempotency')).toMatchObject({ key: 'a', status: 202, body: '{"a":[1.5,null]}' })
    await source.close()
  })

  test('refuses a line that lacks the values of its table’s columns, and writes none of its neighbours', async () => {
    const source = await openTestDatabase(dialect)
    await fill(source)
    const users = copiedTables(source.read).find((table) => table.name === 'users')!
    const copy = await openTestDatabase(dialect)
    for await (const { lines } of readLines(source.read, users)) {
      const short = JSON.stringify(JSON.parse(lines[1]!).slice(1))
      for (const bad of [short, '{}', 'null']) {
        expect(await outcomeOf(copy.write((tx) => writeLines(tx, users, [lines[0]!, bad])))).toThrow('users')
      }
      break
    }
    expect((await digestOf(copy.read, users)).rows).toBe(0)
    await source.close()
    await copy.close()
  })

  test('differs in its digest from one with a single other value', async () => {
    const source = await openTestDatabase(dialect)
    await fill(source)
    const before = await digests(source)
    await source.write(async (tx) => {
      await tx.q.update(tx.t.users).set({ displayName: 'other' })
    })
    const after = await digests(source)
    expect(after.users?.sha256).not.toBe(before.users?.sha256)
    expect(after.families).toEqual(before.families)
    await source.close()
  })
})
