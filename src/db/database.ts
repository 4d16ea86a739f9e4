import type { Placeholder, SQL } from 'drizzle-orm'
import type { BaseSQLiteDatabase } from 'drizzle-orm/sqlite-core'
import { causesOf, detailOf } from '../core/error-cause.ts'
import { DependencyUnavailable } from '../core/faults.ts'
import type { Instant } from '../core/instant.ts'
import type { LogPart } from './log-reader.ts'
import type { Tables } from './schema.ts'

/**
 * What stores work with; both dialects support the same calls. Build queries with `q` and `t`, and await them as arrays
 * (`.get()`, `.all()` and `.run()` exist in one dialect only). `rows` is for statements that drizzle can't express.
 */
export interface Connection {
  readonly dialect: Dialect
  readonly q: Query
  readonly t: Tables
  /** Runs a raw statement. Column values are as the driver returns them (numbers, strings, null). */
  rows<Row extends Record<string, unknown>>(statement: SQL): Promise<Row[]>
  /** The database's own clock as an `Instant` expression: leases of several machines are compared by this clock only. */
  readonly clock: SQL<Instant>
  /** The clock plus some milliseconds; `millisecondsFor` makes the value of a placeholder. */
  clockPlus(milliseconds: number | Placeholder | SQL): SQL<Instant>
  millisecondsFor(milliseconds: number): string
  /**
   * Runs a statement here that another connection of the same dialect has prepared: building one takes longer than running it.
   */
  over<Statement extends Executable>(statement: Statement): Pick<Statement, 'execute'>
}

/** The part of a prepared statement that every connection can run: on SQLite it has no `all`, `get` or `run`. */
export interface Executable {
  execute(values?: Record<string, unknown>): Promise<unknown>
}

export interface Transaction extends Connection {
  /** Runs after the commit is durable, in order; never after a rollback. Must not throw. */
  afterCommit(action: () => void): void
  /** Tags a text with the store's key, for rows that the chain doesn't cover yet; null if the database has no key. */
  readonly attest: Attest
  /**
   * A number that changes whenever families or activations may have changed, also by a rollback. Absent if other processes write
   * too.
   */
  configuration?(): number
  /** For a writer that shares the transaction with others (gathered.ts). */
  readonly seat?: Seat
  /** Whether it may wait for another transaction's lock. A writer in a group that may not wait throws `MustWait`. */
  readonly mayWait?: boolean
}

/** Thrown by a writer, before it has written anything, that must wait for another transaction. It runs again when it may wait. */
export class MustWait extends Error {}

/** Runs many calls with as few statements as possible, and returns each one's result. */
export type Carry<Values, Result> = (tx: Transaction, calls: readonly Values[]) => Promise<readonly Result[]>

/** A writer's place in a shared transaction. */
export interface Seat {
  call(carry: Carry<unknown, unknown>, tx: Transaction, values: unknown): Promise<unknown>
}

export type Attest = (text: string) => string | null

export const attestNothing: Attest = () => null

export type Dialect = 'sqlite' | 'postgres'
// biome-ignore lint/suspicious/noExplicitAny: drizzle's run-result type differs by driver and is never looked at
export type Query = BaseSQLiteDatabase<'async', any, Record<string, never>>

/** What a database has written since it was opened, for metrics. */
export interface WriteLoad {
  /** Transactions that are queued or running. */
  waiting: number
  transactions: number
  commits: number
  /** Seconds spent on commits, including their transactions. */
  busySeconds: number
}

export const writtenNothing: Readonly<WriteLoad> = { waiting: 0, transactions: 0, commits: 0, busySeconds: 0 }

/**
 * Whose work a transaction is. If writers share one connection, the runner's writes go before those of requests. `submissions`
 * run concurrently there, with interleaved statements: each writes rows of its own, and a unique index refuses duplicates. If
 * each writer has a connection, writes of `steps` share a transaction in that way. `claims` never share one: they take whatever
 * is ready, even what another writer has moved but not announced yet.
 */
export type WriteLane = 'requests' | 'submissions' | 'steps' | 'claims'

export interface Database {
  readonly dialect: Dialect
  readonly writeLoad: Readonly<WriteLoad>
  /**
   * For an embedded database: a number that changes with each change, before anybody is notified. Absent if other processes write
   * too.
   */
  readonly changes?: number
  /** Reads outside any transaction: each statement sees the latest committed state. */
  readonly read: Connection
  /**
   * Runs `work` in one transaction and resolves once its commit is durable. Anything thrown rolls back and rejects. `work` may
   * run again after a transient fault, so it must have no effects but its statements. It must await nothing else: on libSQL all
   * transactions share one writer, which I/O inside would stall.
   */
  write<T>(work: (tx: Transaction) => Promise<T>, lane?: WriteLane): Promise<T>
  /**
   * Runs `work` over one snapshot of the database, however long that takes, without blocking writers: for copying and checking
   * everything.
   */
  snapshot<T>(work: (connection: Connection) => Promise<T>): Promise<T>
  /**
   * From then on, every transaction checks the database and is rolled back if it holds another store (DatabaseGone) or a schema
   * that doesn't suit this version (SchemaChanged). A local file needs no such check: its device and inode are compared, and no
   * other process can change it.
   */
  bindTo?(bound: Bound): void
  /**
   * Removes all traces of deleted rows from an embedded database's files: writes its log back, empties it, and rewrites the file
   * if it isn't larger than `rewriteBytes`. False while somebody still reads an older state.
   */
  scrub?(rewriteBytes: number): Promise<boolean>
  /** From now on an embedded database hands its log out, and empties it only after that. */
  followLog?(): Promise<FollowedLog>
  /** From then on, transactions tag their rows with this. */
  attestWith?(attest: Attest): void
  close(): Promise<void>
}

/** What the database must stay while a process uses it. */
export interface Bound {
  storeId: string
  /** How many of its migrations do more than expand the schema. */
  required: number
}

/** An embedded database's log, for keeping a copy of the database elsewhere. */
export interface FollowedLog {
  /**
   * What was committed since the last call, in order. A long log is then written back into the file, so that it starts over.
   * @throws LogBroken if something in between is missing
   */
  take(): Promise<LogPart[]>
  /**
   * From now on, until released, the file doesn't change: writes go to the log alone.
   * @throws LogBroken if a part of the log is missing, without which the file isn't a consistent state
   */
  hold(): Promise<HeldFile>
  /** Approximate bytes in the log that were not taken yet. */
  readonly waitingBytes: number
  /** Hands out nothing more; the log is emptied as if nobody followed it. */
  end(): Promise<void>
}

/** A file that, together with the epoch's log up to the position or further, is the database. */
export interface HeldFile {
  path: string
  epoch: number
  position: number
  release(): void
}

/**
 * The database is no longer the one that was opened: its file was removed, or another store is in its place. A write that fails
 * with this didn't happen, or is lost with the file. The message says what happened, for the log.
 */
export class DatabaseGone extends DependencyUnavailable {
  override readonly name = 'DatabaseGone'
  readonly dependency = 'relational-db'
  readonly reason = 'it was removed or replaced'
}

/** A newer version of Quire has changed the schema beyond what this version may run beside, or the store was moved away. */
export class SchemaChanged extends DependencyUnavailable {
  override readonly name = 'SchemaChanged'
  readonly dependency = 'relational-db'
  readonly reason = 'a newer version of Quire has changed its schema'

  constructor() {
    super('a newer version of Quire has changed the schema of the database; replace this instance')
  }
}

/** Whether a statement failed because a unique index or primary key already has the value. */
export function isUniqueViolation(error: unknown): boolean {
  for (const cause of causesOf(error)) {
    const code = detailOf(cause)
    if (code === '23505') return true
    if (/^SQLITE_CONSTRAINT_(UNIQUE|PRIMARYKEY)$/.test(detailOf(cause, 'extendedCode') ?? code ?? '')) return true
    if (code === 'SQLITE_CONSTRAINT' && /UNIQUE/.test(cause.message)) return true
  }
  return false
}
