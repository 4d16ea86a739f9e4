import type { Placeholder, SQL } from 'drizzle-orm'
import type { BaseSQLiteDatabase } from 'drizzle-orm/sqlite-core'
import { causesOf, detailOf } from '../core/error-cause.ts'
import { DependencyUnavailable } from '../core/faults.ts'
import type { Instant } from '../core/instant.ts'
import type { LogPart } from './log-reader.ts'
import type { Tables } from './schema.ts'

/**
 * What stores work with. Both dialects answer the same calls: build queries with `q` and `t`, and await them as arrays
 * (`.get()`, `.all()` and `.run()` exist in one dialect only). `rows` is for statements that drizzle can't say.
 */
export interface Connection {
  readonly dialect: Dialect
  readonly q: Query
  readonly t: Tables
  /** Runs a raw statement; column values as the driver gives them (numbers, strings, null). */
  rows<Row extends Record<string, unknown>>(statement: SQL): Promise<Row[]>
  /** The database's own clock as an `Instant` expression: leases of several machines are compared by this one clock. */
  readonly clock: SQL<Instant>
  /** The same, some milliseconds later; a placeholder is given them by `millisecondsFor`. */
  clockPlus(milliseconds: number | Placeholder | SQL): SQL<Instant>
  millisecondsFor(milliseconds: number): string
  /**
   * A prepared statement of another connection of the same dialect, to be run on this one: building it takes longer than running it.
   */
  over<Statement extends Executable>(statement: Statement): Pick<Statement, 'execute'>
}

/** A prepared statement as far as every connection can run it: on SQLite it has no `all`, `get` or `run`. */
export interface Executable {
  execute(values?: Record<string, unknown>): Promise<unknown>
}

export interface Transaction extends Connection {
  /** Runs after the commit is durable, in order; never when the transaction is rolled back. Must not throw. */
  afterCommit(action: () => void): void
  /** The tag of the store's key over a text, for rows that nothing covers yet; null if the database was given none. */
  readonly attest: Attest
  /**
   * A number that changes whenever families or activations may have changed, or a change was taken back. Absent where other
   * processes write too.
   */
  configuration?(): number
  /** For a writer that shares the transaction with others: see gathered.ts. */
  readonly seat?: Seat
  /** Whether it may wait for what another transaction holds; a writer of a group that may not throws `MustWait`. */
  readonly mayWait?: boolean
}

/** Said by a writer, before it has written anything, that has to wait for another transaction. It is carried out again when it may. */
export class MustWait extends Error {}

/** Carries out many calls by as few statements as it can; gives what each came to. */
export type Carry<Values, Result> = (tx: Transaction, calls: readonly Values[]) => Promise<readonly Result[]>

/** A writer's place among those of its transaction. */
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
  /** Transactions that wait for their turn or are under way. */
  waiting: number
  transactions: number
  commits: number
  /** Time spent over commits, their transactions included. */
  busySeconds: number
}

export const writtenNothing: Readonly<WriteLoad> = { waiting: 0, transactions: 0, commits: 0, busySeconds: 0 }

/**
 * Whose work it is. If writers share one connection, what runners write goes before what requests change; `submissions`
 * run beside each other there, and their statements interleave: each writes rows of its own, and a unique index refuses
 * what two of them would make. If each writer has a connection, writes of `steps` share a transaction in that way. `claims`
 * keep theirs apart: they take whatever is ready, also what another has moved but not yet announced.
 */
export type WriteLane = 'requests' | 'submissions' | 'steps' | 'claims'

export interface Database {
  readonly dialect: Dialect
  readonly writeLoad: Readonly<WriteLoad>
  /**
   * For an embedded database: a number that changes with each change, before anybody hears of it. Absent if other
   * processes write too.
   */
  readonly changes?: number
  /** Reads outside any transaction: each statement sees the newest committed state. */
  readonly read: Connection
  /**
   * Runs `work` in one transaction and resolves once its commit is durable. Anything thrown rolls it back and rejects.
   * `work` may be run again after a transient fault, so it must have no effect but its statements; and it must await
   * nothing but them: on libSQL all transactions share one writer, and I/O inside would stall every other one.
   */
  write<T>(work: (tx: Transaction) => Promise<T>, lane?: WriteLane): Promise<T>
  /**
   * Runs `work` over one unchanging state of the database, however long that takes, without keeping writers waiting: for
   * copying and checking all of it.
   */
  snapshot<T>(work: (connection: Connection) => Promise<T>): Promise<T>
  /**
   * From then on every transaction makes sure that the database still holds this store, or is rolled back with DatabaseGone,
   * and that its schema is one for this version, or is rolled back with SchemaChanged. A local file needs none of it: its
   * device and number are compared, and no other process can change it.
   */
  bindTo?(bound: Bound): void
  /**
   * Removes all traces of deleted rows from the files of an embedded database: writes its log back, empties it, and
   * rewrites the file if it isn't larger than this. False while somebody still reads an older state.
   */
  scrub?(rewriteBytes: number): Promise<boolean>
  /** An embedded database hands its log out from now on, and empties it only once it was handed out. */
  followLog?(): Promise<FollowedLog>
  /** From then on transactions tag their rows by this. */
  attestWith?(attest: Attest): void
  close(): Promise<void>
}

/** What a database must be for as long as a process uses it. */
export interface Bound {
  storeId: string
  /** Migrations that do more than expand. */
  required: number
}

/** An embedded database's log, for whoever keeps a copy of the database elsewhere. */
export interface FollowedLog {
  /**
   * What was committed since the last call, in order. The log is then written back into the file if it is long, so that
   * it starts over.
   * @throws LogBroken when something is missing in between
   */
  take(): Promise<LogPart[]>
  /**
   * From now on the file does not change until it is let go: what is written is in the log alone.
   * @throws LogBroken when something is missing of the log, with which the file would be no state
   */
  hold(): Promise<HeldFile>
  /** What is in the log and was not taken, in bytes, more or less. */
  readonly waitingBytes: number
  /** Hands out nothing more, and the log is emptied as if nobody followed. */
  end(): Promise<void>
}

/** The database is this file, and the log of the epoch from its beginning to the position, at least. */
export interface HeldFile {
  path: string
  epoch: number
  position: number
  release(): void
}

/**
 * The database is no longer the one that was opened: its file was removed, or another store is in its place. A write
 * that fails with this was not made, or is lost with the file. The message says what happened, for the log.
 */
export class DatabaseGone extends DependencyUnavailable {
  override readonly name = 'DatabaseGone'
  readonly dependency = 'relational-db'
  readonly reason = 'it was removed or replaced'
}

/** A newer version of Quire has changed the schema beyond what this one may run beside, or the store was moved away. */
export class SchemaChanged extends DependencyUnavailable {
  override readonly name = 'SchemaChanged'
  readonly dependency = 'relational-db'
  readonly reason = 'a newer version of Quire has changed its schema'

  constructor() {
    super('a newer version of Quire has changed the schema of the database; replace this instance')
  }
}

/** True when a statement failed because a unique index or primary key already holds the value. */
export function isUniqueViolation(error: unknown): boolean {
  for (const cause of causesOf(error)) {
    const code = detailOf(cause)
    if (code === '23505') return true
    if (/^SQLITE_CONSTRAINT_(UNIQUE|PRIMARYKEY)$/.test(detailOf(cause, 'extendedCode') ?? code ?? '')) return true
    if (code === 'SQLITE_CONSTRAINT' && /UNIQUE/.test(cause.message)) return true
  }
  return false
}
