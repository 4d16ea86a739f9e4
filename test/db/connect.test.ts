import { describe, expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { checkSchemaAt, openDatabase } from '../../src/db/connect.ts'
import { migrate } from '../../src/db/migrate.ts'
import { migrations } from '../../src/db/migrations.ts'
import { describeOnBothDialects, emptyDatabaseUrl, temporaryFolder } from '../support/database.ts'
import { outcomeOf } from '../support/outcome.ts'
import { freePort } from '../support/postgres.ts'

describe('the address of a database', () => {
  test('says which driver reads it', async () => {
    const port = await freePort()
    const dialects: string[] = []
    for (const url of [
      `file:${join(temporaryFolder(), 'quire.db')}`,
      `postgres://quire@127.0.0.1:${port}/quire`,
      `postgresql://quire@127.0.0.1:${port}/quire`,
      `libsql://127.0.0.1:${port}?tls=0`,
      `http://127.0.0.1:${port}`,
    ]) {
      const database = await openDatabase(url)
      dialects.push(database.dialect)
      await database.close()
    }
    expect(dialects).toEqual(['sqlite', 'postgres', 'postgres', 'sqlite', 'sqlite'])
  })

  test('of nobody is refused by every call, and not by opening it', async () => {
    const port = await freePort()
    for (const url of [`libsql://127.0.0.1:${port}?tls=0`, `postgres://quire@127.0.0.1:${port}/quire`]) {
      const database = await openDatabase(url)
      expect(await database.read.rows(sql`select 1`).catch(() => 'refused')).toBe('refused')
      expect(await database.write(async (tx) => tx.q.select().from(tx.t.leases)).catch(() => 'refused')).toBe('refused')
      expect([database.writeLoad.waiting, database.writeLoad.transactions, database.writeLoad.commits]).toEqual([
        0, 1, 0,
      ])
      await database.close()
    }
  }, 60_000)

  test('of a file can be opened to read beside its process, and must exist then', async () => {
    const path = join(temporaryFolder(), 'quire.db')
    expect(await outcomeOf(openDatabase(`file:${path}`, { readOnly: true }))).toThrow(`there is no database ${path}`)
    const database = await openDatabase(`file:${path}`, { readOnly: false })
    const reader = await openDatabase(`file:${path}`, { readOnly: true })
    expect(await outcomeOf(reader.write(async () => {}))).toThrow('for reading only')
    await reader.close()
    await database.close()
  })
})

describe('migrations that are missing', () => {
  test('are all of them where there is no file, and none is made', async () => {
    const path = join(temporaryFolder(), 'quire.db')
    expect((await checkSchemaAt(`file:${path}`)).pending).toEqual(migrations.sqlite.map(({ name }) => name))
    expect(existsSync(path)).toBe(false)
  })
})

describeOnBothDialects('migrations that are missing', (dialect) => {
  test('are reported without making a table, and without keeping the database', async () => {
    const url = await emptyDatabaseUrl(dialect)
    await (await openDatabase(url)).close()
    expect((await checkSchemaAt(url)).pending).toEqual(migrations[dialect].map(({ name }) => name))
    expect((await checkSchemaAt(url)).pending).toEqual(migrations[dialect].map(({ name }) => name))
    const database = await openDatabase(url)
    await database.close()
  })

  test('are none once the schema is up to date, also while a process has the database', async () => {
    const url = await emptyDatabaseUrl(dialect)
    const database = await openDatabase(url)
    await migrate(database)
    expect((await checkSchemaAt(url)).pending).toEqual([])
    await database.close()
  })
})
