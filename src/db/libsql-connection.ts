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

/** How the builder of statements over a client is made. The simulation keeps builders, with all that was built once over each. */
export const handleSource = {
  // drizzle asks its client for nothing but `execute` outside of batches and its own transactions.
  over: (executor: Executor): Handle => drizzle(executor as unknown as Client) as unknown as Handle,
}

/** What stores work with, over anything that runs one statement. */
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
 * SQLite's own file layer. The one that libSQL takes by itself, for encryption, drops every read error: SQLite then takes
 * whatever the buffer held for the page, answers wrongly, and writes it back (SQLite3MultipleCiphers, pull request 272).
 */
const FILE_LAYER = process.platform === 'win32' ? 'win32' : 'unix'

export type OpenClient = (mode: 'create' | 'existing') => Client

/** How connections to a local file are made; `existing` never makes the file. */
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

/** The addon gives no code when a file can't be opened. */
function withCode(error: unknown): unknown {
  if (!(error instanceof Error) || !error.message.startsWith('ConnectionFailed(')) return error
  return new CannotOpen("the database file can't be opened", { cause: error })
}

// What is deleted is overwritten with zeros: what was erased must not stay in the file.
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

/** One unchanging state, on a connection of its own: a long reading keeps neither writers nor other readers waiting. */
export async function snapshotOf<T>(client: Client, work: (connection: Connection) => Promise<T>): Promise<T> {
  const transaction = await client.transaction('read')
  try {
    return await work(connectionOver(transaction))
  } finally {
    transaction.close()
  }
}

/** Errors after which nobody knows what a connection still holds of the file: its disk failed, or gave what is no page. */
const DOUBTFUL = /^SQLITE_(IOERR|CORRUPT|NOTADB|CANTOPEN)/

/** A connection that is replaced by a new one, with nothing in its cache, after an error that puts it in doubt. */
export class RenewedClient {
  readonly #open: () => Promise<Client>
  #client: Client
  #doubt: unknown

  constructor(client: Client, open: () => Promise<Client>) {
    this.#client = client
    this.#open = open
  }

  /** The error since which the connection is in doubt. */
  get doubt(): unknown {
    return this.#doubt
  }

  /** @throws when the connection has to be replaced and can't be yet; the next caller tries again */
  async get(): Promise<Client> {
    if (this.#doubt === undefined) return this.#client
    const fresh = await this.#open()
    this.#client.close()
    this.#client = fresh
    this.#doubt = undefined
    return fresh
  }

  /** Runs a statement and learns from its error. */
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
