import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { createClient } from '@libsql/client/sqlite3'
import { sql } from 'drizzle-orm'
import Libsql from 'libsql'
import { limits } from '../../src/core/limits.ts'
import { openDatabase } from '../../src/db/connect.ts'
import type { Database } from '../../src/db/database.ts'
import { temporaryFolder } from '../support/database.ts'
import { rejectionOf } from '../support/outcome.ts'
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
    database.write((tx) => tx.rows(sql`insert into items (id, name) values (${id}, ${name})`))
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
    expect(await rejectionOf(insert(30, 'kept out'))).toMatchObject({ code: 'SQLITE_BUSY' })
    await release()
    await insert(31, 'let in')
    expect(await names()).toContainEqual({ id: 31, name: 'let in' } as never)
    expect(await names()).not.toContainEqual({ id: 30, name: 'kept out' } as never)
  })

  test('see what another connection has committed, and a column that was added', async () => {
    const before = await names()
    const other = createClient({ url: `file:${path}` })
    await other.execute("insert into items (id, name) values (10, 'from elsewhere')")
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
    await insert(40, 'after them')
    expect(await names()).toContainEqual({ id: 40, name: 'after them' } as never)
  })

  test('are made once for each text and connection, and the one unused for longest makes room', () => {
    const [one, other] = [new Libsql(':memory:'), new Libsql(':memory:')]
    const text = (index: number) => `select ${index} as n`
    const first = one.prepare(text(0))
    expect(one.prepare(text(0))).toBe(first)
    expect(other.prepare(text(0))).not.toBe(first)
    const second = one.prepare(text(1))
    for (let index = 2; index < limits.databaseStatements; index++) one.prepare(text(index))
    // Now there are as many as are kept, and the first was used again since the second.
    expect(one.prepare(text(0))).toBe(first)
    one.prepare('select 1 as makes_room')
    expect(one.prepare(text(0))).toBe(first)
    expect(one.prepare(text(1))).not.toBe(second)
    for (const each of [one, other]) each.close()
  })

  test('are asked for their columns once, and made again after a fault', () => {
    const connection = new Libsql(':memory:')
    connection.exec('create table unique_items (id integer primary key)')
    const select = connection.prepare('select id, id + 1 as next from unique_items')
    const columns = select.columns()
    expect(columns.map(({ name }) => name)).toEqual(['id', 'next'])
    expect(select.columns()).toBe(columns)
    expect(select.raw(true)).toBe(select)
    const insert = connection.prepare('insert into unique_items values (1)')
    // A statement without rows has none to give raw, and says so each time.
    for (let time = 0; time < 2; time++) expect(() => insert.raw(true)).toThrow()
    insert.run()
    expect(connection.prepare('insert into unique_items values (1)')).toBe(insert)
    expect(() => insert.run()).toThrow('UNIQUE')
    expect(connection.prepare('insert into unique_items values (1)')).not.toBe(insert)
    expect(select.raw(true).all()).toEqual([[1, 2]])
    expect(select.raw(false).all()).toEqual([{ id: 1, next: 2 }])
    connection.close()
  })
})
