import { Database as Sqlite } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { copyFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { limits } from '../../src/core/limits.ts'
import { openDatabase } from '../../src/db/connect.ts'
import type { Database, FollowedLog } from '../../src/db/database.ts'
import { applyLog } from '../../src/db/log-apply.ts'
import { LogBroken, type LogPart } from '../../src/db/log-reader.ts'
import { temporaryFolder } from '../support/database.ts'
import { rejectionOf } from '../support/outcome.ts'

async function followed(): Promise<{ path: string; database: Database; log: FollowedLog }> {
  const path = join(temporaryFolder(), 'quire.db')
  const database = await openDatabase(`file:${path}`)
  await database.write((tx) => tx.rows(sql`create table kept (x text)`))
  const log = await database.followLog?.()
  if (log === undefined) throw new Error('an embedded database has a log')
  return { path, database, log }
}

const insert = (database: Database, text: string) =>
  database.write((tx) => tx.rows(sql`insert into kept values (${text})`))

const logBytes = (path: string) => statSync(`${path}-wal`).size

/** What a file has once these parts of its log are written into it. */
async function keptWith(file: string, parts: readonly LogPart[]): Promise<string[]> {
  const copy = join(temporaryFolder(), 'copy.db')
  copyFileSync(file, copy)
  writeFileSync(`${copy}.log`, Buffer.concat(parts.map(({ bytes }) => bytes)))
  await applyLog(copy, `${copy}.log`)
  const opened = new Sqlite(copy)
  try {
    return opened
      .query<{ x: string }, []>('select x from kept order by rowid')
      .all()
      .map(({ x }) => x)
  } finally {
    opened.close()
  }
}

/** Makes the log longer than it may become before it is written back. */
const fill = (database: Database) => insert(database, 'x'.repeat(limits.followedLogBytes))

test('a log that is followed hands out each commit once, and makes the file what the database is', async () => {
  const { path, database, log } = await followed()
  await insert(database, 'one')
  const first = await log.take()
  expect(await log.take()).toEqual([])
  await insert(database, 'two')
  const second = await log.take()
  expect([...first, ...second].map(({ epoch }) => epoch)).toEqual([0, 0])
  expect(second[0]?.from).toBe(first[0]?.bytes.length)
  expect(await keptWith(path, [...first, ...second])).toEqual(['one', 'two'])
  await database.close()
})

test('what is written while a file is held is in the log alone, however long that becomes and whoever asks', async () => {
  const { path, database, log } = await followed()
  await insert(database, 'before')
  const held = await log.hold()
  const also = await log.hold()
  const bytes = await Bun.file(path).bytes()
  expect([held.path, held.epoch, held.position]).toEqual([path, 0, logBytes(path)])
  await fill(database)
  await log.take()
  expect(await database.scrub?.(Number.MAX_SAFE_INTEGER)).toBe(false)
  held.release()
  // Letting go twice doesn't let go for the other.
  held.release()
  await log.take()
  expect(await database.scrub?.(Number.MAX_SAFE_INTEGER)).toBe(false)
  expect(Buffer.compare(await Bun.file(path).bytes(), bytes)).toBe(0)
  also.release()
  expect(await database.scrub?.(Number.MAX_SAFE_INTEGER)).toBe(true)
  expect(logBytes(path)).toBe(0)
  await database.close()
})

test('a log is written back by whoever takes all of it once it is long, and goes on as the next epoch', async () => {
  const { path, database, log } = await followed()
  await insert(database, 'short')
  await log.take()
  expect(logBytes(path)).toBeGreaterThan(0)
  await fill(database)
  const parts = await log.take()
  // More than one part holds, in order and without a gap.
  expect(parts.length).toBeGreaterThan(1)
  for (const part of parts) expect(part.bytes.length).toBeLessThanOrEqual(limits.replicaPartBytes)
  expect(logBytes(path)).toBe(0)
  await insert(database, 'next')
  const next = await log.take()
  expect(next.map(({ epoch, from }) => [epoch, from])).toEqual([[1, 0]])
  expect((await keptWith(path, next)).at(-1)).toBe('next')
  await database.close()
})

test('a log is written back on the way, and nothing that nobody took is lost by it', async () => {
  const { path, database, log } = await followed()
  const empty = join(temporaryFolder(), 'empty.db')
  copyFileSync(path, empty)
  await insert(database, 'one')
  expect(await database.scrub?.(0)).toBe(true)
  expect(logBytes(path)).toBe(0)
  expect(log.waitingBytes).toBe(0)
  await insert(database, 'two')
  const parts = await log.take()
  expect(parts.map(({ epoch, from }) => [epoch, from])).toEqual([
    [0, 0],
    [1, 0],
  ])
  expect(await keptWith(path, parts.slice(1))).toEqual(['one', 'two'])
  await database.close()
})

test('says how much of the log waits to be taken', async () => {
  const { path, database, log } = await followed()
  expect(log.waitingBytes).toBe(logBytes(path))
  await log.take()
  expect(log.waitingBytes).toBe(0)
  const before = logBytes(path)
  await insert(database, 'x'.repeat(100_000))
  expect(log.waitingBytes).toBe(logBytes(path) - before)
  expect(log.waitingBytes).toBeGreaterThan(100_000)
  await database.close()
  // Neither is there more than was taken when the log is gone, nor where there never was one.
  rmSync(`${path}-wal`, { force: true })
  expect(log.waitingBytes).toBe(0)
  const other = await followed()
  await other.database.close()
  rmSync(`${other.path}-wal`, { force: true })
  expect(other.log.waitingBytes).toBe(0)
})

test('a log that started over behind its follower is reported at every call, and holds up nobody else', async () => {
  const { path, database, log } = await followed()
  await insert(database, 'taken')
  await log.take()
  await insert(database, 'lost')
  // By another hand: every commit that the follower hasn't taken is gone from the log.
  const other = `import { Database } from 'bun:sqlite'; new Database(process.argv[1]).run('PRAGMA wal_checkpoint(TRUNCATE)')`
  expect(Bun.spawnSync([process.execPath, '-e', other, path]).exitCode).toBe(0)
  expect(logBytes(path)).toBe(0)
  await insert(database, 'after')
  expect(await rejectionOf(log.hold())).toBeInstanceOf(LogBroken)
  for (let call = 0; call < 2; call++) expect(await rejectionOf(log.take())).toBeInstanceOf(LogBroken)
  expect(await database.scrub?.(0)).toBe(true)
  await insert(database, 'later')
  expect(await rejectionOf(log.take())).toBeInstanceOf(LogBroken)
  await database.close()
})

test('a log that nobody follows any more is written back at once when it is long', async () => {
  const { path, database, log } = await followed()
  const fileBytes = () => statSync(path).size
  await fill(database)
  await insert(database, 'a commit')
  expect(fileBytes()).toBeLessThan(limits.followedLogBytes)
  await log.end()
  await insert(database, 'another')
  expect(fileBytes()).toBeGreaterThan(limits.followedLogBytes)
  await database.close()
})

test('nobody follows the log of a database that is closed', async () => {
  const { database, log } = await followed()
  await database.close()
  for (const late of [log.take(), log.hold(), log.end(), database.followLog!()])
    expect(String(await rejectionOf(late))).toContain('the database is closed')
})
