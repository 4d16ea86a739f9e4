import { existsSync } from 'node:fs'
import type { Client, InStatement, Transaction as LibsqlTransaction } from '@libsql/client'
import { type SQL, sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/libsql/sqlite3'
import type { Instant } from '../core/instant.ts'
import { limits } from '../core/limits.ts'
import type { Connection, Database, Query, Transaction, WriteLoad } from './database.ts'
import { sqliteTables } from './sqlite-schema.ts'

/**
 * libSQL, embedded or remote.
 *
 * Embedded: one writing connection for the whole process, fed by a queue. Writers that arrive while a commit is on its
 * way are collected and run as savepoints of the next one, so that they share a single fsync (group commit); each is
 * told its outcome only after that commit is durable, refusals too, because they may rest on what the group wrote
 * before. A second connection reads. Only the writer checkpoints: SQLite 3.45.1 can reset the WAL wrongly when several
 * connections do.
 */

interface Job {
  work: (tx: Transaction) => Promise<unknown>
  resolve: (value: unknown) => void
  reject: (error: unknown) => void
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}

type JobOutcome = { ok: true; value: unknown; actions: (() => void)[] } | { ok: false; error: unknown }

/** @throws DatabaseInUse when another process has the file */
export async function openLibsqlFile(path: string): Promise<Database> {
  const { lockDatabaseFile } = await import('./file-lock.ts')
  const open = await opener(path)
  const unlock = lockDatabaseFile(path)
  try {
    const writer = open()
    for (const pragma of ['journal_mode=WAL', 'synchronous=FULL', 'foreign_keys=ON', 'temp_store=MEMORY']) {
      await writer.execute(`PRAGMA ${pragma}`)
    }
    return new EmbeddedDatabase(writer, await reading(open()), open, unlock)
  } catch (error) {
    unlock()
    throw error
  }
}

/** For commands that only read, beside a process that serves or without one: takes no lock, and changes nothing. */
export async function openLibsqlFileToRead(path: string): Promise<Database> {
  if (!existsSync(path))
    throw new Error(`there is no database ${path}; run this where "quire serve" runs, or set QUIRE_DATA`)
  const open = await opener(path)
  return new ReadOnlyDatabase(await reading(open()), open)
}

/** Writes the log of a file that nobody uses back into it. @throws when it is no database that can be read */
export async function checkpointFile(path: string): Promise<void> {
  const client = (await opener(path))()
  try {
    await client.execute('PRAGMA wal_checkpoint(TRUNCATE)')
  } finally {
    client.close()
  }
}

async function opener(path: string): Promise<() => Client> {
  const { createClient } = await import('@libsql/client/sqlite3')
  const { cachePreparedStatements } = await import('./statement-cache.ts')
  cachePreparedStatements()
  return () => createClient({ url: `file:${path}`, concurrency: 1, timeout: limits.databaseBusyMs })
}

async function reading(client: Client): Promise<Client> {
  await client.execute('PRAGMA wal_autocheckpoint=0')
  await client.execute('PRAGMA query_only=ON')
  return client
}

/** One unchanging state, on a connection of its own: a long reading keeps neither writers nor other readers waiting. */
async function snapshotOf<T>(client: Client, work: (connection: Connection) => Promise<T>): Promise<T> {
  const transaction = await client.transaction('read')
  try {
    return await work(connectionOver(transaction))
  } finally {
    transaction.close()
  }
}

export async function openLibsqlRemote(url: string): Promise<Database> {
  const { createClient } = await import('@libsql/client')
  const authToken = process.env.QUIRE_DATABASE_TOKEN
  return new RemoteDatabase(createClient(authToken === undefined ? { url } : { url, authToken }))
}

interface Executor {
  execute(statement: InStatement): Promise<unknown>
}

function connectionOver(executor: Executor): Connection {
  // drizzle asks its client for nothing but `execute` outside of batches and its own transactions.
  const q = drizzle(executor as unknown as Client) as unknown as Query & { all(statement: SQL): Promise<unknown[]> }
  return {
    dialect: 'sqlite',
    q,
    t: sqliteTables,
    rows: async <Row>(statement: SQL) => (await q.all(statement)) as Row[],
    clock: sql<Instant>`strftime('%Y-%m-%dT%H:%M:%f', 'now') || '000000Z'`,
    clockPlus: (milliseconds) =>
      sql<Instant>`strftime('%Y-%m-%dT%H:%M:%f', 'now', ${`${(milliseconds / 1000).toFixed(3)} seconds`}) || '000000Z'`,
  }
}

const nothingWritten: Readonly<WriteLoad> = { waiting: 0, transactions: 0, commits: 0, busySeconds: 0 }

class EmbeddedDatabase implements Database {
  readonly dialect = 'sqlite'
  readonly writeLoad: WriteLoad = { ...nothingWritten }
  readonly read: Connection
  readonly #writer: Client
  readonly #reader: Client
  readonly #writing: Connection
  readonly #open: () => Client
  readonly #unlock: () => void
  #current: LibsqlTransaction | undefined
  #queue: Job[] = []
  #draining: Promise<void> | undefined
  #closed = false

  constructor(writer: Client, reader: Client, open: () => Client, unlock: () => void) {
    this.#writer = writer
    this.#reader = reader
    this.#open = open
    this.#unlock = unlock
    this.read = connectionOver(reader)
    this.#writing = connectionOver({
      execute: (statement) => {
        if (this.#current === undefined) throw new Error('a statement was run after its transaction ended')
        return this.#current.execute(statement)
      },
    })
  }

  write<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    if (this.#closed) return Promise.reject(new Error('the database is closed'))
    return new Promise<T>((resolve, reject) => {
      this.#queue.push({ work, resolve: resolve as (value: unknown) => void, reject })
      this.writeLoad.waiting++
      this.#draining ??= this.#drain()
    })
  }

  async #drain(): Promise<void> {
    while (this.#queue.length > 0) {
      // A macrotask between commits lets callers gather, and lets the engine free what the addon handed out.
      await nextTurn()
      const group = this.#queue.splice(0, limits.databaseGroupJobs)
      const startedMs = performance.now()
      await this.#commitGroup(group)
      const load = this.writeLoad
      load.busySeconds += (performance.now() - startedMs) / 1_000
      load.commits++
      load.transactions += group.length
      load.waiting -= group.length
    }
    this.#draining = undefined
  }

  async #commitGroup(group: Job[]): Promise<void> {
    const outcomes: JobOutcome[] = []
    try {
      const transaction = await this.#writer.transaction('write')
      this.#current = transaction
      try {
        let turnEndsMs = performance.now() + limits.databaseTurnMs
        for (const job of group) {
          if (performance.now() > turnEndsMs) {
            await nextTurn()
            turnEndsMs = performance.now() + limits.databaseTurnMs
          }
          outcomes.push(await this.#runJob(transaction, job, group.length > 1))
        }
        if (group.length === 1 && outcomes[0]?.ok === false) await transaction.rollback()
        else await transaction.commit()
      } finally {
        this.#current = undefined
        transaction.close()
      }
    } catch (error) {
      // The group never became durable, so nobody in it may believe anything it saw.
      for (const job of group) job.reject(error)
      return
    }
    for (const [index, outcome] of outcomes.entries()) {
      if (outcome.ok) {
        for (const action of outcome.actions) action()
        group[index]!.resolve(outcome.value)
      } else group[index]!.reject(outcome.error)
    }
  }

  async #runJob(transaction: LibsqlTransaction, job: Job, shared: boolean): Promise<JobOutcome> {
    const actions: (() => void)[] = []
    if (shared) await transaction.execute('SAVEPOINT job')
    try {
      const value = await job.work({ ...this.#writing, afterCommit: (action) => actions.push(action) })
      if (shared) await transaction.execute('RELEASE job')
      return { ok: true, value, actions }
    } catch (error) {
      // Some faults (a full disk) roll the whole transaction back; then this throws and the group fails together.
      if (shared) {
        await transaction.execute('ROLLBACK TO job')
        await transaction.execute('RELEASE job')
      }
      return { ok: false, error }
    }
  }

  async snapshot<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    const client = await reading(this.#open())
    return snapshotOf(client, work).finally(() => client.close())
  }

  async close(): Promise<void> {
    this.#closed = true
    await this.#draining
    this.#reader.close()
    await this.#writer.execute('PRAGMA wal_checkpoint(TRUNCATE)').catch(() => {})
    this.#writer.close()
    this.#unlock()
  }
}

class ReadOnlyDatabase implements Database {
  readonly dialect = 'sqlite'
  readonly writeLoad = nothingWritten
  readonly read: Connection
  readonly #reader: Client
  readonly #open: () => Client

  constructor(reader: Client, open: () => Client) {
    this.#reader = reader
    this.#open = open
    this.read = connectionOver(reader)
  }

  write<T>(): Promise<T> {
    return Promise.reject(new Error('the database was opened for reading only'))
  }

  async snapshot<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    const client = await reading(this.#open())
    return snapshotOf(client, work).finally(() => client.close())
  }

  async close(): Promise<void> {
    this.#reader.close()
  }
}

class RemoteDatabase implements Database {
  readonly dialect = 'sqlite'
  readonly writeLoad: WriteLoad = { ...nothingWritten }
  readonly read: Connection
  readonly #client: Client

  constructor(client: Client) {
    this.#client = client
    this.read = connectionOver(client)
  }

  async write<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    const load = this.writeLoad
    const startedMs = performance.now()
    load.waiting++
    const actions: (() => void)[] = []
    let value: T
    try {
      const transaction = await this.#client.transaction('write')
      try {
        value = await work({ ...connectionOver(transaction), afterCommit: (action) => actions.push(action) })
        await transaction.commit()
      } finally {
        transaction.close()
      }
      load.commits++
    } finally {
      load.waiting--
      load.transactions++
      load.busySeconds += (performance.now() - startedMs) / 1_000
    }
    for (const action of actions) action()
    return value
  }

  snapshot<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    return snapshotOf(this.#client, work)
  }

  async close(): Promise<void> {
    this.#client.close()
  }
}
