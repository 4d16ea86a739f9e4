import { describe, expect, test } from 'bun:test'
import { existsSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type SQL, sql } from 'drizzle-orm'
import { limits } from '../../src/core/limits.ts'
import { systemTimers } from '../../src/core/timers.ts'
import { openDatabase } from '../../src/db/connect.ts'
import { type Database, isUniqueViolation, type Transaction } from '../../src/db/database.ts'
import { EmbeddedDatabase } from '../../src/db/embedded.ts'
import { gathered } from '../../src/db/gathered.ts'
import { checkpointFile } from '../../src/db/libsql.ts'
import { clientOpener, forReading, forWriting } from '../../src/db/libsql-connection.ts'
import { temporaryFolder } from '../support/database.ts'
import { outcomeOf } from '../support/outcome.ts'
import { statementsDuring } from '../support/statements.ts'

async function openFile(): Promise<{ path: string; database: Database }> {
  const path = join(temporaryFolder(), 'quire.db')
  const database = await openDatabase(`file:${path}`)
  await database.write((tx) => tx.rows(sql`create table kept (x text)`))
  return { path, database }
}

const insert = (text: string) => (tx: Transaction) => tx.rows(sql`insert into kept values (${text})`)

async function keptIn(database: Database): Promise<string[]> {
  const rows = await database.read.rows<{ x: string }>(sql`select x from kept order by x`)
  return rows.map(({ x }) => x)
}

/** The one value of a pragma. */
async function setting(connection: { rows(statement: SQL): Promise<Record<string, unknown>[]> }, name: string) {
  const [row] = await connection.rows(sql.raw(`pragma ${name}`))
  return Object.values(row ?? {})[0]
}

describe('an embedded database', () => {
  test('lets what steps record pass requests that wait, and commits fewer of those together meanwhile', async () => {
    const { database } = await openFile()
    const order: string[] = []
    const write = (name: string, lane: 'requests' | 'steps') =>
      database.write(insert(name), lane).then(() => order.push(name))
    const requests = Array.from({ length: 300 }, (_, index) => write(`r${index}`, 'requests'))
    // By the end of the first commit all others wait.
    await requests[0]
    const early = order.length
    await write('step', 'steps')
    expect(order.indexOf('step') - early).toBeLessThanOrEqual(limits.databaseGroupJobs)
    const atStep = database.writeLoad.commits
    await Promise.all(requests)
    expect(order).toHaveLength(301)
    expect(database.writeLoad.commits - atStep).toBeGreaterThanOrEqual(2)
    await database.close()
  })

  test('writes every commit to the disk before it is reported, and checks references', async () => {
    const { database } = await openFile()
    const written = await database.write(async (tx) => ({
      journal_mode: await setting(tx, 'journal_mode'),
      synchronous: await setting(tx, 'synchronous'),
      foreign_keys: await setting(tx, 'foreign_keys'),
      temp_store: await setting(tx, 'temp_store'),
    }))
    // 2 is FULL, and 2 is memory.
    expect(written).toEqual({ journal_mode: 'wal', synchronous: 2, foreign_keys: 1, temp_store: 2 })
    await database.close()
  })

  test('lets others have their turns while a commit waits for the disk', async () => {
    const { database } = await openFile()
    let isCommitting = false
    let turns = 0
    const count = () => {
      if (!isCommitting) return
      turns++
      setImmediate(count)
    }
    await database.write(async (tx) => {
      await tx.rows(sql`insert into kept values (${'x'.repeat(2 ** 23)})`)
      isCommitting = true
      setImmediate(count)
    })
    isCommitting = false
    expect(turns).toBeGreaterThan(0)
    await database.close()
  })

  test('lets others have their turns between the writers of a group that take long, and only then', async () => {
    const path = join(temporaryFolder(), 'quire.db')
    const open = await clientOpener(path)
    const [writer, reader] = [await forWriting(open('create')), await forReading(open('existing'))]
    let nowMs = 0
    let turns = 0
    const timers = { ...systemTimers, nowMs: () => nowMs, turn: () => systemTimers.turn().then(() => void turns++) }
    const files = { problem: () => undefined }
    const database = new EmbeddedDatabase({
      writer,
      reader,
      open,
      files,
      path,
      timers,
      unlock: () => {},
      log: undefined,
    })
    const turnsSeen = async (takesMs: number) => {
      turns = 0
      const work = async () => {
        nowMs += takesMs
        return turns
      }
      const seen = await Promise.all(Array.from({ length: 6 }, () => database.write(work)))
      // Two gather the group.
      return seen.map((count) => count - 2)
    }
    expect(await turnsSeen(0)).toEqual([0, 0, 0, 0, 0, 0])
    expect(await turnsSeen(limits.databaseTurnMs * 0.6)).toEqual([0, 0, 1, 1, 2, 2])
    expect(await turnsSeen(limits.databaseTurnMs * 1.5)).toEqual([0, 1, 2, 3, 4, 5])
    // Submissions take long together, between what they call together.
    const call = gathered<undefined, undefined>(async (_tx, calls) => [...calls])
    const submit = async (tx: Transaction) => {
      const seen: number[] = []
      for (const _ of Array(3)) {
        await call(tx, undefined)
        seen.push(turns - 2)
        nowMs += limits.databaseTurnMs * 0.6
      }
      return seen
    }
    turns = 0
    const seen = await Promise.all([submit, submit].map((work) => database.write(work, 'submissions')))
    expect(seen).toEqual([
      [0, 1, 2],
      [0, 1, 2],
    ])
    await database.close()
  })

  test('has written nothing when it is opened', async () => {
    const database = await openDatabase(`file:${join(temporaryFolder(), 'quire.db')}`)
    expect(database.writeLoad).toEqual({ waiting: 0, transactions: 0, commits: 0, busySeconds: 0 })
    await database.close()
  })

  test('reads on connections that neither write nor move the log', async () => {
    const { path, database } = await openFile()
    const reader = await openDatabase(`file:${path}`, { readOnly: true })
    for (const each of [database, reader]) {
      expect([await setting(each.read, 'query_only'), await setting(each.read, 'wal_autocheckpoint')]).toEqual([1, 0])
      const inSnapshot = await each.snapshot(async (connection) => [
        await setting(connection, 'query_only'),
        await setting(connection, 'wal_autocheckpoint'),
      ])
      expect(inSnapshot).toEqual([1, 0])
    }
    await reader.close()
    await database.close()
  })

  test('ends what it was asked to do before it closes, and takes nothing more', async () => {
    const { path, database } = await openFile()
    const writes = ['a', 'b', 'c'].map((text) => database.write(insert(text)))
    const closing = database.close()
    expect(await outcomeOf(database.write(insert('late')))).toThrow('the database is closed')
    await Promise.all([...writes, closing])
    expect(await outcomeOf(database.write(insert('later')))).toThrow('the database is closed')
    const again = await openDatabase(`file:${path}`)
    expect(await keptIn(again)).toEqual(['a', 'b', 'c'])
    await again.close()
  })

  test('leaves one file when it is closed: its log is back in it', async () => {
    const { path, database } = await openFile()
    await database.write(insert('a'))
    expect(statSync(`${path}-wal`).size).toBeGreaterThan(0)
    await database.close()
    expect(existsSync(`${path}-wal`) && statSync(`${path}-wal`).size > 0).toBe(false)
  })

  test('runs no statement of a transaction that has ended', async () => {
    const { database } = await openFile()
    let kept: Transaction | undefined
    await database.write(async (tx) => {
      kept = tx
    })
    const late = await kept!.rows(sql`insert into kept values ('late')`).catch((error: unknown) => error)
    expect(String(late instanceof Error ? late.cause : late)).toContain('after its transaction ended')
    expect(await keptIn(database)).toEqual([])
    await database.close()
  })

  test('refuses a statement at once that comes while its transaction commits', async () => {
    const { database } = await openFile()
    let late: Promise<unknown> | undefined
    await database.write(async (tx) => {
      await insert('x'.repeat(2 ** 23))(tx)
      setImmediate(() => {
        late = insert('late')(tx).catch((error: unknown) => error)
      })
    })
    const error = await late
    expect(String(error instanceof Error ? error.cause : error)).toContain('after its transaction ended')
    await database.close()
  })

  test('reports to nobody of a group whose commit fails, keeps none of it, and goes on', async () => {
    const { database } = await openFile()
    await database.write(async (tx) => {
      await tx.rows(sql`create table parents (id integer primary key)`)
      await tx.rows(sql`create table children (parent integer references parents (id) deferrable initially deferred)`)
    })
    const told: string[] = []
    const outcomes = await Promise.allSettled([
      database.write(async (tx) => {
        tx.afterCommit(() => told.push('never'))
        await insert('neighbour')(tx)
      }),
      // Such a reference is looked at by the commit.
      database.write((tx) => tx.rows(sql`insert into children values (1)`)),
      database.write(insert('other neighbour')),
    ])
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
    expect([await keptIn(database), told]).toEqual([[], []])
    await database.write(insert('next'))
    expect(await keptIn(database)).toEqual(['next'])
    expect(database.writeLoad.waiting).toBe(0)
    await database.close()
  })

  test('shares a commit among as many as wait for it, up to a bound', async () => {
    const { database } = await openFile()
    const commitsFor = async (count: number) => {
      const before = database.writeLoad.commits
      await Promise.all(Array.from({ length: count }, (_, index) => database.write(insert(`${count} ${index}`))))
      // The count is written down a moment after the answers.
      await Bun.sleep(0)
      return database.writeLoad.commits - before
    }
    expect(await commitsFor(1)).toBe(1)
    expect(await commitsFor(limits.databaseGroupJobs)).toBe(1)
    expect(await commitsFor(limits.databaseGroupJobs + 1)).toBe(2)
    await database.close()
  })

  test('waits for those who come one turn after the other, up to a bound', async () => {
    const { database } = await openFile()
    const before = database.writeLoad.commits
    const writes: Promise<unknown>[] = []
    await new Promise<void>((done) => {
      setImmediate(function next() {
        if (writes.length < limits.databaseGatherTurns / 2) setImmediate(next)
        else done()
        writes.push(database.write(insert(`turn ${writes.length}`)))
      })
    })
    await Promise.all(writes)
    await Bun.sleep(0)
    expect(database.writeLoad.commits - before).toBe(1)
    await database.close()
  })

  describe('submissions that come together', () => {
    const gatheredInsert = gathered<string, number>(async (tx, texts) => {
      const values = texts.map((text) => sql`(${text})`)
      await tx.rows(sql`insert into kept values ${sql.join(values, sql`, `)}`)
      return texts.map(({ length }) => length)
    })

    async function openUnique(): Promise<Database> {
      const { database } = await openFile()
      await database.write((tx) => tx.rows(sql`create unique index only_once on kept (x)`))
      return database
    }

    test('share a statement, and each gets its own result', async () => {
      const database = await openUnique()
      const submit = (text: string) => database.write((tx) => gatheredInsert(tx, text), 'submissions')
      const ran = await statementsDuring(async () => {
        expect(await Promise.all(['a', 'bb', 'ccc'].map(submit))).toEqual([1, 2, 3])
      })
      expect(ran).toEqual(['begin', 'savepoint', 'insert kept', 'release', 'commit'])
      await database.close()
    })

    test('are each run alone where one fails, and only that one is refused', async () => {
      const database = await openUnique()
      const runs: string[] = []
      const told: string[] = []
      const submit = (text: string, error?: Error) =>
        database.write(async (tx) => {
          runs.push(text)
          tx.afterCommit(() => told.push(text))
          await gatheredInsert(tx, text)
          if (error !== undefined) throw error
        }, 'submissions')
      const no = new Error('no more')
      const outcomes = await Promise.allSettled([submit('a'), submit('b', no), submit('c'), submit('c')])
      const [a, b, c, again] = outcomes.map((outcome) => (outcome.status === 'rejected' ? outcome.reason : 'kept'))
      expect([a, b, c]).toEqual(['kept', no, 'kept'])
      expect(isUniqueViolation(again)).toBe(true)
      expect(await keptIn(database)).toEqual(['a', 'c'])
      expect(told).toEqual(['a', 'c'])
      expect(runs).toEqual(['a', 'b', 'c', 'c', 'a', 'b', 'c', 'c'])
      await database.close()
    })

    test('go on beside one that is refused before anything was written', async () => {
      const database = await openUnique()
      const runs: string[] = []
      const submit = (text: string) =>
        outcomeOf(
          database.write(async (tx) => {
            runs.push(text)
            if ((await tx.rows(sql`select 1 from kept where x = ${text}`)).length > 0) throw new Error('there already')
            await gatheredInsert(tx, text)
          }, 'submissions'),
        )
      await submit('a')
      const outcomes = await Promise.all(['a', 'b', 'c'].map(submit))
      expect(outcomes[0]).toThrow('there already')
      expect(await keptIn(database)).toEqual(['a', 'b', 'c'])
      expect(runs).toEqual(['a', 'a', 'b', 'c'])
      await database.close()
    })

    test('see what others of their commit have changed', async () => {
      const { database } = await openFile()
      const seen: number[] = []
      const look = () =>
        database.write(async (tx) => {
          seen.push((await tx.rows(sql`select x from kept`)).length)
        }, 'submissions')
      await Promise.all([look(), look(), database.write(insert('a'))])
      expect(seen).toEqual([1, 1])
      await database.close()
    })
  })

  test('runs the writers of a group in the order in which they came', async () => {
    const { database } = await openFile()
    const order: number[] = []
    await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        database.write(async (tx) => {
          order.push(index)
          await insert(String(index))(tx)
        }),
      ),
    )
    expect(order).toEqual(Array.from({ length: 20 }, (_, index) => index))
    await database.close()
  })

  test('answers while it is open, and not once it is closed', async () => {
    const { path, database } = await openFile()
    const reader = await openDatabase(`file:${path}`, { readOnly: true })
    for (const each of [reader, database]) {
      await each.read.rows(sql`select 1`)
      await each.close()
      expect(await each.read.rows(sql`select 1`).catch(() => 'closed')).toBe('closed')
    }
  })

  test('lets go of a file that it cannot read', async () => {
    const path = join(temporaryFolder(), 'quire.db')
    writeFileSync(path, 'this is no database, and it is long enough to be taken for the header of one'.repeat(20))
    for (let attempt = 0; attempt < 2; attempt++) {
      expect(String(await openDatabase(`file:${path}`).catch((error: unknown) => error))).toContain('not a database')
    }
    expect(existsSync(`${path}.owner`)).toBe(false)
  })
})

describe('a file that nobody uses', () => {
  test('takes back its log', async () => {
    const { path, database } = await openFile()
    const reader = await openDatabase(`file:${path}`, { readOnly: true })
    await database.write(insert('a'))
    const log = statSync(`${path}-wal`).size
    expect(log).toBeGreaterThan(0)
    await reader.close()
    await checkpointFile(path)
    expect(statSync(`${path}-wal`).size).toBe(0)
    expect(await keptIn(database)).toEqual(['a'])
    await database.close()
  })

  test('is refused where it is no database', async () => {
    const path = join(temporaryFolder(), 'quire.db')
    writeFileSync(path, 'no database'.repeat(100))
    expect(await outcomeOf(checkpointFile(path))).toThrow()
  })
})
