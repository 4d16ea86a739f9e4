import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { createClient } from '@libsql/client/sqlite3'
import { sql } from 'drizzle-orm'
import { openDatabase } from '../../src/db/connect.ts'
import type { Database } from '../../src/db/database.ts'
import { temporaryFolder } from '../support/database.ts'
import { holdWriteLock } from '../support/write-lock.ts'

describe('statements that are kept', () => {
  const path = join(temporaryFolder(), 'quire.db')
  let database: Database
  beforeAll(async () => {
    database = await openDatabase(`file:${path}`)
    await database.write((tx) => tx.rows(sql`create table items (id integer primary key, name text not null unique)`))
  })
  afterAll(() => database.close())

  const insert = (id: number, name: string) =>
    database.write((tx) => tx.rows(sql`insert into items values (${id}, ${name})`))
  const names = () => database.read.rows<{ name: string }>(sql`select id, name from items order by id`)

  test('take new parameters each time, and give rows and none alike', async () => {
    await insert(1, 'one')
    await insert(2, 'two')
    const byId = (id: number) => database.read.rows(sql`select name from items where id = ${id}`)
    expect(await byId(1)).toEqual([{ name: 'one' }])
    expect(await byId(3)).toEqual([])
    expect(await byId(2)).toEqual([{ name: 'two' }])
  })

  test('let the next transaction commit, after one that found the file locked by another process', async () => {
    const release = await holdWriteLock(path)
    await expect(insert(30, 'kept out')).rejects.toMatchObject({ code: 'SQLITE_BUSY' })
    await release()
    await insert(31, 'let in')
    expect(await names()).toContainEqual({ id: 31, name: 'let in' } as never)
    expect(await names()).not.toContainEqual({ id: 30, name: 'kept out' } as never)
  }, 30_000)

  test('see what another connection has committed, and a column that was added', async () => {
    const before = await names()
    const other = createClient({ url: `file:${path}` })
    await other.execute("insert into items values (10, 'from elsewhere')")
    expect(await names()).toHaveLength(before.length + 1)
    await database.write((tx) => tx.rows(sql`alter table items add column colour text`))
    await database.write((tx) => tx.rows(sql`insert into items (id, name, colour) values (11, 'red one', 'red')`))
    expect(await names()).toContainEqual({ id: 11, name: 'red one' } as never)
    expect(await database.read.rows(sql`select colour from items where id = 11`)).toEqual([{ colour: 'red' }])
    other.close()
  })

  test('hold nothing back after they have failed, and work again', async () => {
    const again = () => database.write((tx) => tx.rows(sql`insert into items (id, name) values (20, 'once')`))
    await again()
    for (let round = 0; round < 3; round++) {
      expect(await again().catch((error: unknown) => String((error as Error).cause))).toContain('UNIQUE')
      await database.write((tx) => tx.rows(sql`delete from items where id = 20`))
      await again()
    }
    const other = createClient({ url: `file:${path}`, timeout: 0 })
    await other.execute("update items set name = 'writable' where id = 20")
    other.close()
    expect(await names()).toContainEqual({ id: 20, name: 'writable' } as never)
  })

  test('are released when there are too many of them', async () => {
    for (let index = 0; index < 600; index++) {
      const [row] = await database.read.rows<{ n: number }>(sql.raw(`select ${index} as n`))
      expect(row?.n).toBe(index)
    }
    expect(await names()).not.toBeEmpty()
  })
})
