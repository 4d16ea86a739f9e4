import type { Client } from '@libsql/client'
import { limits } from '../core/limits.ts'
import { whileBound } from './bound.ts'
import {
  type Attest,
  attestNothing,
  type Bound,
  type Connection,
  type Database,
  type Transaction,
  type WriteLoad,
  writtenNothing,
} from './database.ts'
import { isThere } from './file-identity.ts'
import { clientOpener, connectionOver, forReading, type OpenClient, snapshotOf } from './libsql-connection.ts'

/** libSQL: local files for reading only, and servers. A file opened for one process alone is in embedded.ts. */

/** For commands that only read, whether or not a process serves the file: takes no lock, and changes nothing. */
export async function openLibsqlFileToRead(path: string): Promise<Database> {
  if (!isThere(path))
    throw new Error(`there is no database ${path}; run this where "quire serve" runs, or set QUIRE_DATA`)
  const open = await clientOpener(path)
  return new ReadOnlyDatabase(await forReading(open('existing')), open)
}

/** Writes the log of an unused file back into it. @throws if it isn't a readable database */
export async function checkpointFile(path: string): Promise<void> {
  const client = (await clientOpener(path))('existing')
  try {
    await client.execute('PRAGMA wal_checkpoint(TRUNCATE)')
  } finally {
    client.close()
  }
}

export async function openLibsqlRemote(url: string): Promise<Database> {
  const { createClient } = await import('@libsql/client')
  return new RemoteDatabase(createClient({ url, fetch: fetchInTime }))
}

/** By itself, the driver waits for ever for a server that accepts the connection and doesn't answer. */
async function fetchInTime(request: Request): Promise<Response> {
  const deadline = AbortSignal.timeout(limits.databaseRequestMs)
  try {
    // A redirect would send statements to a host that nobody configured.
    return await fetch(request, { signal: deadline, redirect: 'manual' })
  } catch (cause) {
    if (!deadline.aborted) throw cause
    const seconds = limits.databaseRequestMs / 1_000
    throw Object.assign(new Error(`the libSQL server did not answer within ${seconds} s`, { cause }), {
      code: 'ETIMEDOUT',
    })
  }
}

class ReadOnlyDatabase implements Database {
  readonly dialect = 'sqlite'
  readonly writeLoad = writtenNothing
  readonly read: Connection
  readonly #reader: Client
  readonly #open: OpenClient

  constructor(reader: Client, open: OpenClient) {
    this.#reader = reader
    this.#open = open
    this.read = connectionOver(reader)
  }

  write<T>(): Promise<T> {
    return Promise.reject(new Error('the database was opened for reading only'))
  }

  async snapshot<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    const client = await forReading(this.#open('existing'))
    return snapshotOf(client, work).finally(() => client.close())
  }

  async close(): Promise<void> {
    this.#reader.close()
  }
}

/** A database over an open client; `openLibsqlRemote` opens it. */
export class RemoteDatabase implements Database {
  readonly dialect = 'sqlite'
  readonly writeLoad: WriteLoad = { ...writtenNothing }
  readonly read: Connection
  readonly #client: Client
  #bound: Bound | undefined
  #attest = attestNothing

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
        value = await whileBound(connectionOver(transaction), this.#bound, (connection) =>
          work({ ...connection, attest: this.#attest, afterCommit: (action) => actions.push(action) }),
        )
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

  bindTo(bound: Bound): void {
    this.#bound = bound
  }

  attestWith(attest: Attest): void {
    this.#attest = attest
  }

  async close(): Promise<void> {
    this.#client.close()
  }
}
