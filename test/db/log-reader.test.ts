import { Database } from 'bun:sqlite'
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { applyLog } from '../../src/db/log-apply.ts'
import { LogBroken, type LogPart, LogReader } from '../../src/db/log-reader.ts'
import { temporaryFolder } from '../support/database.ts'

const MANY = 1 << 20
let path: string
let database: Database
let reader: LogReader

beforeEach(() => {
  path = join(temporaryFolder(), 'data.db')
  database = new Database(path)
  database.run('PRAGMA journal_mode=WAL')
  database.run('PRAGMA wal_autocheckpoint=0')
  database.run('create table rows (id integer primary key, text text)')
  reader = new LogReader(path)
})
afterEach(() => database.close())

const insert = (text: string) => database.run('insert into rows (text) values (?)', [text])
function all(maxBytes = MANY): LogPart[] {
  const parts: LogPart[] = []
  for (let part = reader.read(maxBytes); part !== undefined; part = reader.read(maxBytes)) parts.push(part)
  return parts
}
/** What a database has that is the file as it was, and a log of these parts. */
function rowsOf(file: Uint8Array, parts: readonly LogPart[]): string[] {
  const copy = join(temporaryFolder(), 'copy.db')
  writeFileSync(copy, file)
  for (const { bytes } of parts) appendFileSync(`${copy}-wal`, bytes)
  const opened = new Database(copy)
  try {
    return opened
      .query<{ text: string }, []>('select text from rows order by id')
      .all()
      .map(({ text }) => text)
  } finally {
    opened.close()
  }
}
const emptyLog = () => {
  reader.expectNewEpoch()
  database.run('PRAGMA wal_checkpoint(TRUNCATE)')
}

test('the parts of a log, one after the other, are the log, however they are cut', () => {
  const file = readFileSync(path)
  const parts = all()
  insert('one')
  parts.push(...all())
  insert('two'.repeat(10_000))
  parts.push(...all(10_000))
  expect(parts.length).toBeGreaterThan(4)
  for (const [index, part] of parts.entries()) {
    const before = parts[index - 1]
    expect([part.epoch, part.from]).toEqual([0, before === undefined ? 0 : before.from + before.bytes.length])
  }
  expect(rowsOf(file, parts)).toEqual(['one', 'two'.repeat(10_000)])
  expect(rowsOf(file, parts.slice(0, 2))).toEqual(['one'])
  expect(all()).toEqual([])
})

test('what was rolled back is not handed out, and what is written in its place is', () => {
  insert('before')
  const file = readFileSync(path)
  const parts = all()
  // A cache of ten pages spills into the log before the end of the transaction.
  database.run('PRAGMA cache_size=10')
  database.run('begin')
  for (let row = 0; row < 200; row++) insert('x'.repeat(4_000))
  expect(all()).toEqual([])
  database.run('rollback')
  expect(all()).toEqual([])
  insert('after')
  parts.push(...all())
  expect(rowsOf(file, parts)).toEqual(['before', 'after'])
})

test('a log that was written back goes on as the next epoch, and an empty one has nothing', () => {
  insert('first')
  all()
  emptyLog()
  expect(all()).toEqual([])
  const file = readFileSync(path)
  insert('second')
  const parts = all()
  expect(parts.map(({ epoch, from }) => [epoch, from])).toEqual([[1, 0]])
  expect(rowsOf(file, parts)).toEqual(['first', 'second'])
  emptyLog()
  emptyLog()
  insert('third')
  expect(all().map(({ epoch, from }) => [epoch, from])).toEqual([[2, 0]])
})

test('a log is written into its file as SQLite would, up to its last commit', async () => {
  database.run('PRAGMA cache_size=10')
  for (let row = 0; row < 50; row++) insert(`${row}`.repeat(2_000))
  database.run('delete from rows where id > 10')
  database.run('vacuum')
  insert('last')
  const parts = all(5_000)
  const cut = parts.slice(0, -1)
  for (const [given, expected] of [
    [parts, 11],
    [cut, 10],
  ] as const) {
    const copy = join(temporaryFolder(), 'copy.db')
    writeFileSync(copy, readFileSync(path))
    for (const { bytes } of given) appendFileSync(`${copy}.log`, bytes)
    await applyLog(copy, `${copy}.log`)
    const opened = new Database(copy)
    expect(opened.query('pragma integrity_check').get()).toEqual({ integrity_check: 'ok' })
    expect(opened.query('select count(*) as rows from rows').get()).toEqual({ rows: expected })
    opened.close()
  }
})

test('a log that started over behind the reader is reported, and not taken for the next one', () => {
  insert('first')
  all()
  insert('lost to the reader')
  database.run('PRAGMA wal_checkpoint(TRUNCATE)')
  insert('second')
  expect(() => all()).toThrow(LogBroken)
})

test('a database without a log has nothing to read, and a log that can not be opened is no such one', () => {
  expect(new LogReader(join(temporaryFolder(), 'none.db')).read(MANY)).toBeUndefined()
  expect(() => new LogReader(join(path, 'data.db')).read(MANY)).toThrow('ENOTDIR')
})
