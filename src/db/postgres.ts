import { type SQL, sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/postgres-js'
import postgres from 'postgres'
import type { Connection, Database, Query, Transaction, WriteLoad } from './database.ts'
import { postgresTables } from './postgres-schema.ts'

/** Connections of one instance; PostgreSQL's own default allows a hundred in all. */
const POOL_SIZE = 10
const CONNECT_TIMEOUT_SECONDS = 5
const WRITE_TRIES = 5

export async function openPostgres(url: string): Promise<Database> {
  const client = postgres(url, {
    max: POOL_SIZE,
    connect_timeout: CONNECT_TIMEOUT_SECONDS,
    onnotice: () => {},
    types: { bigint: { to: 20, from: [20], serialize: String, parse: Number } },
  })
  return new PostgresDatabase(client)
}

type Handle = Pick<ReturnType<typeof drizzle>, 'execute'>

function connectionOver(handle: Handle): Connection {
  return {
    dialect: 'postgres',
    // The builders differ in class and agree in every method the stores use: see kit.ts.
    q: handle as unknown as Query,
    t: postgresTables as Connection['t'],
    rows: async <Row>(statement: SQL) => [...(await handle.execute(statement))] as unknown as Row[],
    clock: sql<string>`to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"000Z"')`,
    clockPlus: (milliseconds) =>
      sql<string>`to_char((clock_timestamp() + ${`${milliseconds} milliseconds`}::interval) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"000Z"')`,
  }
}

class PostgresDatabase implements Database {
  readonly dialect = 'postgres'
  readonly writeLoad: WriteLoad = { waiting: 0, transactions: 0, commits: 0, busySeconds: 0 }
  readonly read: Connection
  readonly #client: postgres.Sql
  readonly #handle: ReturnType<typeof drizzle>

  constructor(client: postgres.Sql) {
    this.#client = client
    this.#handle = drizzle(client)
    this.read = connectionOver(this.#handle)
  }

  async write<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    const startedMs = performance.now()
    this.writeLoad.waiting++
    try {
      const value = await this.#writeWithRetries(work)
      this.writeLoad.commits++
      return value
    } finally {
      this.writeLoad.waiting--
      this.writeLoad.transactions++
      this.writeLoad.busySeconds += (performance.now() - startedMs) / 1_000
    }
  }

  async #writeWithRetries<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      const actions: (() => void)[] = []
      let value: T
      try {
        value = await this.#handle.transaction((tx) =>
          work({ ...connectionOver(tx), afterCommit: (action) => actions.push(action) }),
        )
      } catch (error) {
        if (attempt < WRITE_TRIES && isRetryable(error)) continue
        throw error
      }
      for (const action of actions) action()
      return value
    }
  }

  snapshot<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    return this.#handle.transaction((tx) => work(connectionOver(tx)), {
      isolationLevel: 'repeatable read',
      accessMode: 'read only',
    })
  }

  async ping(): Promise<void> {
    await this.#client`select 1`
  }

  async close(): Promise<void> {
    await this.#client.end({ timeout: 5 })
  }
}

/** Serialisation failures, deadlocks, and two transactions that took the same next event sequence: try again. */
function isRetryable(error: unknown): boolean {
  for (let cause: unknown = error, depth = 0; cause instanceof Error && depth < 5; cause = cause.cause, depth++) {
    const { code, constraint_name: constraint } = cause as { code?: unknown; constraint_name?: unknown }
    if (code === '40001' || code === '40P01') return true
    if (code === '23505' && constraint === 'events_sequence') return true
  }
  return false
}
