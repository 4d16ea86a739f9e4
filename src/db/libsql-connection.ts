import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Client } from '@libsql/client'
import { type SQL, sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/libsql/sqlite3'
import { detailOf } from '../core/error-cause.ts'
import type { Instant } from '../core/instant.ts'
import { limits } from '../core/limits.ts'
import { BuiltStatement, type Executor, type Logger } from './built-statement.ts'
import type { Connection, Executable, Query } from './database.ts'
import { sqliteTables } from './sqlite-schema.ts'

function millisecondsFor(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(3)} seconds`
}

export type Handle = Query & { all(statement: SQL): Promise<unknown[]> }

/** Makes the query builder over a client. The simulation replaces this to reuse builders and the statements built with them. */
export const handleSource = {
  // Outside of batches and its own transactions, drizzle only calls `execute`.
  over: (executor: Executor): Handle => drizzle(executor as unknown as Client) as unknown as Handle,
}

/** A connection for stores, over anything that runs single statements. */
export function connectionOver(executor: Executor): Connection {
  const q = handleSource.over(executor)
  const { session } = q as unknown as Session
  return {
    dialect: 'sqlite',
    q,
    t: sqliteTables,
    rows: async <Row>(statement: SQL) => (await q.all(statement)) as Row[],
    clock: sql<Instant>`strftime('%Y-%m-%dT%H:%M:%f', 'now') || '000000Z'`,
    clockPlus: (milliseconds) =>
      sql<Instant>`strftime('%Y-%m-%dT%H:%M:%f', 'now', ${typeof milliseconds === 'number' ? millisecondsFor(milliseconds) : milliseconds}) || '000000Z'`,
    millisecondsFor,
    over: <Statement extends Executable>(statement: Statement) =>
      new BuiltStatement(statement, executor, () => session.logger) as Pick<Statement, 'execute'>,
  }
}

interface Session {
  session: { logger: Logger }
}

/**
 * SQLite's own file layer. libSQL's default one, for encryption, drops every read error: SQLite then takes the buffer's old
 * content for the page, answers wrongly, and writes it back (SQLite3MultipleCiphers, pull request 272).
 */
const FILE_LAYER = process.platform === 'win32' ? 'win32' : 'unix'

export type OpenClient = (mode: 'create' | 'existing') => Client

/** Opens connections to a local file; `existing` never creates the file. */
export async function clientOpener(path: string): Promise<OpenClient> {
  const { openClient } = await import('./libsql-client.ts')
  const { cachePreparedStatements } = await import('./statement-cache.ts')
  cachePreparedStatements()
  const url = `${pathToFileURL(resolve(path)).href}?vfs=${FILE_LAYER}`
  return (mode) => {
    try {
      return openClient(mode === 'create' ? url : `${url}&mode=rw`, limits.databaseBusyMs)
    } catch (error) {
      throw withCode(error)
    }
  }
}

class CannotOpen extends Error {
  override readonly name = 'CannotOpen'
  readonly code = 'SQLITE_CANTOPEN'
}

/** Adds a code: the addon's error has none if a file can't be opened. */
function withCode(error: unknown): unknown {
  if (!(error instanceof Error) || !error.message.startsWith('ConnectionFailed(')) return error
  return new CannotOpen("the database file can't be opened", { cause: error })
}

// secure_delete overwrites deleted data with zeros: erased data must not stay in the file.
const WRITING = ['journal_mode=WAL', 'synchronous=FULL', 'foreign_keys=ON', 'temp_store=MEMORY', 'secure_delete=ON']
const READING = ['wal_autocheckpoint=0', 'query_only=ON']

export function forWriting(client: Client): Promise<Client> {
  return withPragmas(client, WRITING)
}

/** Only the writer checkpoints. */
export function forReading(client: Client): Promise<Client> {
  return withPragmas(client, READING)
}

async function withPragmas(client: Client, pragmas: readonly string[]): Promise<Client> {
  try {
    for (const pragma of pragmas) await client.execute(`PRAGMA ${pragma}`)
    return client
  } catch (error) {
    client.close()
    throw error
  }
}

/** Runs work over one snapshot, on a connection of its own: long reading blocks neither writers nor other readers. */
export async function snapshotOf<T>(client: Client, work: (connection: Connection) => Promise<T>): Promise<T> {
  const transaction = await client.transaction('read')
  try {
    return await work(connectionOver(transaction))
  } finally {
    transaction.close()
  }
}

/**
 * Errors after which a connection's cache of the file can't be trusted: the disk failed, or returned something that isn't a page.
 */
const DOUBTFUL = /^SQLITE_(IOERR|CORRUPT|NOTADB|CANTOPEN)/

/** A connection that is replaced by a new one, with an empty cache, after an error that puts it in doubt. */
export class RenewedClient {
  readonly #open: () => Promise<Client>
  #client: Client
  #doubt: unknown

  constructor(client: Client, open: () => Promise<Client>) {
    this.#client = client
    this.#open = open
  }

  /** The error that put the connection in doubt. */
  get doubt(): unknown {
    return this.#doubt
  }

  /** @throws if the connection must be replaced and can't be yet; the next call tries again */
  async get(): Promise<Client> {
    if (this.#doubt === undefined) return this.#client
    const fresh = await this.#open()
    this.#client.close()
    this.#client = fresh
    this.#doubt = undefined
    return fresh
  }

  /** Awaits a statement and notes its error. */
  async watch<T>(work: Promise<T>): Promise<T> {
    try {
      return await work
    } catch (thrown) {
      const error = withCode(thrown)
      if (DOUBTFUL.test(detailOf(error) ?? '')) this.#doubt = error
      throw error
    }
  }

  close(): void {
    this.#client.close()
  }
}
