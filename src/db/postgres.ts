import { type SQL, sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/postgres-js'
import postgres from 'postgres'
import { causesOf, detailOf } from '../core/error-cause.ts'
import type { Instant } from '../core/instant.ts'
import { limits } from '../core/limits.ts'
import { whileBound } from './bound.ts'
import {
  type Attest,
  attestNothing,
  type Bound,
  type Connection,
  type Database,
  type Query,
  type Seat,
  type Transaction,
  type WriteLane,
  type WriteLoad,
} from './database.ts'
import { Gathering } from './gathered.ts'
import { type PostgresHost, postgresHosts, postgresSocket } from './postgres-hosts.ts'
import { postgresTables } from './postgres-schema.ts'
import { isDatabaseUnavailable } from './unavailable.ts'
import { type GroupPorts, WriteGroups } from './write-groups.ts'

/**
 * PostgreSQL. By itself, the driver waits for a server that is gone: a sent statement for its answer, an unsent one for a
 * connection, and each failed connection longer for the next. Callers need an answer instead. So a heartbeat queries once a
 * second on its own connection. Without an answer the pool is discarded, which rejects everything that waits in it, and a new
 * pool is ready for the server's return. Long statements continue as long as the server answers the heartbeat. Writes of `steps`
 * are committed in groups (write-groups.ts), and so are submissions, in groups of their own; every other writer has a transaction
 * of its own.
 */

export async function openPostgres(url: string): Promise<Database> {
  const hosts = postgresHosts(url)
  const socket = postgresSocket(url)
  const connect: Connect = (connections, lost) => {
    // A server whose machine is gone doesn't refuse connections but costs a timeout, so each new pool begins with the next
    // server.
    const servers = hosts.map((_host, index) => hosts[(index + lost) % hosts.length] as PostgresHost)
    return postgres(url, {
      // Passed separately, because the driver splits IPv6 addresses at their colons.
      ...(hosts.length > 0
        ? { host: servers.map(({ hostname }) => hostname), port: servers.map(({ port }) => port) }
        : {}),
      ...(socket === undefined ? {} : { path: socket }),
      // Of several servers, use the one that accepts writes: after a failover, another one.
      ...(hosts.length > 1 && !/[?&]target_session_attrs=/.test(url) ? { target_session_attrs: 'primary' } : {}),
      max: connections,
      // Behind a pooler in transaction mode, a statement prepared on one connection doesn't exist on the next. The driver would
      // repeat it, which for a commit rolls back and is answered as success.
      prepare: false,
      // No pipelining outside of transactions: after each answer the pooler may pass the connection on.
      max_pipeline: 0,
      connect_timeout: limits.databaseConnectSeconds,
      backoff: (attempt) => Math.min(limits.databaseReconnectMaxSeconds, 0.05 * 2 ** attempt),
      onnotice: () => {},
      // Otherwise the driver asks each new connection for array types, which nothing here uses, and nobody awaits that query: if
      // the connection breaks meanwhile, the process ends.
      fetch_types: false,
      types: { bigint: { to: 20, from: [20], serialize: String, parse: Number } },
    })
  }
  return new PostgresDatabase(connect, Math.max(1, hosts.length))
}

/** @param lost how many pools were discarded before */
type Connect = (connections: number, lost: number) => postgres.Sql

type Handle = Pick<ReturnType<typeof drizzle>, 'execute'>

function millisecondsFor(milliseconds: number): string {
  return `${milliseconds} milliseconds`
}

function connectionOver(handle: Handle): Connection {
  const { session } = handle as unknown as { session: { client: unknown; logger: unknown } }
  return {
    dialect: 'postgres',
    // The builders' classes differ, but every method that the stores use is the same (kit.ts).
    q: handle as unknown as Query,
    t: postgresTables as Connection['t'],
    rows: async <Row>(statement: SQL) => [...(await handle.execute(statement))] as unknown as Row[],
    clock: sql<Instant>`to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"000Z"')`,
    clockPlus: (milliseconds) =>
      sql<Instant>`to_char((clock_timestamp() + ${typeof milliseconds === 'number' ? millisecondsFor(milliseconds) : milliseconds}::interval) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"000Z"')`,
    millisecondsFor,
    // drizzle's prepared statements depend on their connection only by `client`, which sends them, and `logger`.
    over: (statement) =>
      Object.create(statement, { client: { value: session.client }, logger: { value: session.logger } }),
  }
}

type Work<T> = (tx: Transaction) => Promise<T>

/** @throws one of the errors that occurred after something was written, preferably that the database is unavailable */
function requireKept(errors: readonly unknown[]): void {
  if (errors.length > 0) throw errors.find(isDatabaseUnavailable) ?? errors[0]
}

/** Watches a transaction's statements from now on. @returns a function that tells whether they may have written something */
function watchWrites(handle: Handle): () => boolean {
  let hasWritten = false
  const logQuery = (text: string) => {
    hasWritten ||= !text.startsWith('select ')
  }
  Object.assign((handle as unknown as { session: object }).session, { logger: { logQuery } })
  return () => hasWritten
}

class PostgresDatabase implements Database {
  readonly dialect = 'postgres'
  readonly writeLoad: WriteLoad = { waiting: 0, transactions: 0, commits: 0, busySeconds: 0 }
  readonly #connect: Connect
  /** Deadline for the first answer: the pulse may still be trying one server after the other. */
  readonly #firstAnswerMs: number
  readonly #heartbeat: ReturnType<typeof setInterval>
  /**
   * At most one group of each kind runs at a time, plus a few lone writers, so that neither kind takes the connections of the
   * other or of reads.
   */
  readonly #groups: Partial<Record<WriteLane, WriteGroups<Work<unknown>>>> = {
    steps: this.#openGroups(),
    submissions: this.#openGroups(() => performance.now() < this.#stepsUntilMs),
  }
  #pool: Pool
  #pulse: postgres.Sql
  /** How many pools were discarded. */
  #lost = 0
  /** The server that answered the pulse last. */
  #server: string | undefined
  #isBeating = false
  #bound: Bound | undefined
  #attest = attestNothing
  #isClosed = false
  #stepsUntilMs = 0

  constructor(connect: Connect, servers: number) {
    this.#connect = connect
    this.#firstAnswerMs = limits.databaseAnswerMs + (servers - 1) * limits.databaseConnectSeconds * 1_000
    this.#pool = poolOf(connect(limits.databaseConnections, 0))
    this.#pulse = connect(1, 0)
    this.#heartbeat = setInterval(() => void this.#beat(), limits.databaseHeartbeatMs)
    this.#heartbeat.unref()
    // At once, so that pulse and pool begin with the same server.
    void this.#beat()
  }

  get read(): Connection {
    return this.#pool.read
  }

  async #beat(): Promise<void> {
    if (this.#isBeating) return
    this.#isBeating = true
    const pulse = this.#pulse
    const deadlineMs = this.#server === undefined ? this.#firstAnswerMs : limits.databaseAnswerMs
    const answer = await answerInTime(pulse, deadlineMs)
    this.#isBeating = false
    if (this.#isClosed) return
    const before = this.#server
    this.#server = answer?.server ?? (answer === undefined ? undefined : before)
    // The pulse has switched servers, and the pool's connections may still wait for the old one.
    const isSame = before === undefined || this.#server === before
    if (answer !== undefined && isSame) return
    const lost = this.#pool
    this.#lost++
    this.#pulse = this.#connect(1, this.#lost)
    this.#pool = poolOf(this.#connect(limits.databaseConnections, this.#lost))
    await Promise.all([pulse.end({ timeout: 0 }), lost.client.end({ timeout: 0 })])
  }

  async write<T>(work: (tx: Transaction) => Promise<T>, lane: WriteLane = 'requests'): Promise<T> {
    this.writeLoad.waiting++
    if (lane === 'steps' || lane === 'claims') this.#stepsUntilMs = performance.now() + limits.databaseStepsMs
    try {
      const groups = this.#groups[lane]
      // The group returns each writer the result of its own work.
      return groups === undefined ? await this.#writeWithRetries(work, 'wait') : ((await groups.write(work)) as T)
    } finally {
      this.writeLoad.waiting--
      this.writeLoad.transactions++
    }
  }

  #openGroups(isInTheWay?: () => boolean): WriteGroups<Work<unknown>> {
    const ports: GroupPorts<Work<unknown>> = {
      alone: (work, whenHeldUp) => this.#writeWithRetries(work, whenHeldUp),
      together: (works) => this.#commit(works, 'give up'),
    }
    return new WriteGroups(ports, isInTheWay)
  }

  async #writeWithRetries<T>(work: Work<T>, whenHeldUp: 'wait' | 'give up'): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      try {
        const [outcome] = await this.#commit([work], whenHeldUp)
        if (outcome?.status === 'rejected') throw outcome.reason
        return outcome?.value as T
      } catch (error) {
        if (attempt < limits.databaseWriteTries && isRetryable(error)) continue
        throw error
      }
    }
  }

  /** One transaction in which several works send their statements concurrently, so that they share round trips. */
  async #commit<T>(works: readonly Work<T>[], whenHeldUp: 'wait' | 'give up'): Promise<PromiseSettledResult<T>[]> {
    const startedMs = performance.now()
    const actions: (() => void)[][] = works.map(() => [])
    const gathering = works.length > 1 ? new Gathering(works.length) : undefined
    try {
      const outcomes = await this.#pool.handle.transaction((handle) => {
        const hasWritten = watchWrites(handle)
        const run = async (connection: Connection) => {
          const errors: unknown[] = []
          const all = works.map((work, index) => {
            const afterCommit = (action: () => void) => actions[index]?.push(action)
            const tx = { ...connection, attest: this.#attest, afterCommit, mayWait: whenHeldUp === 'wait' }
            const noted = async (seat?: Seat) => {
              try {
                return await work(seat === undefined ? tx : { ...tx, seat })
              } catch (error) {
                // Checked before the seat is left, because then the others continue and may write.
                if (seat === undefined || hasWritten() || isDatabaseUnavailable(error)) errors.push(error)
                throw error
              }
            }
            return gathering === undefined ? noted() : gathering.join(noted)
          })
          const outcomes = await Promise.allSettled(all)
          // The driver itself throws the error of a failed statement.
          requireKept(errors)
          return outcomes
        }
        // In a group, don't let one writer's lock block the others.
        const lockWaitMs = gathering === undefined ? 0 : limits.databaseGroupWaitMs
        return whileBound(connectionOver(handle), this.#bound, run, lockWaitMs)
      })
      this.writeLoad.commits++
      for (const [index, { status }] of outcomes.entries()) {
        if (status === 'fulfilled') for (const action of actions[index] ?? []) action()
      }
      return outcomes
    } finally {
      this.writeLoad.busySeconds += (performance.now() - startedMs) / 1_000
    }
  }

  snapshot<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    return this.#pool.handle.transaction((tx) => work(connectionOver(tx)), {
      isolationLevel: 'repeatable read',
      accessMode: 'read only',
    })
  }

  bindTo(bound: Bound): void {
    this.#bound = bound
  }

  attestWith(attest: Attest): void {
    this.#attest = attest
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearInterval(this.#heartbeat)
    await Promise.all([this.#pulse.end({ timeout: 0 }), this.#pool.client.end({ timeout: 5 })])
  }
}

interface Pool {
  client: postgres.Sql
  handle: ReturnType<typeof drizzle>
  read: Connection
}

function poolOf(client: postgres.Sql): Pool {
  const handle = drizzle(client)
  return { client, handle, read: connectionOver(handle) }
}

/** Fixed by the algorithm: how many ticks a deadline has. */
const DEADLINE_TICKS = 8

/**
 * Counts the deadline in ticks. A process that was stopped or busy for long misses only one tick instead of the deadline, and
 * reads an answer that has arrived before the next one.
 */
function answerInTime(pulse: postgres.Sql, deadlineMs: number): Promise<{ server?: string } | undefined> {
  return new Promise((resolve) => {
    let ticks = 0
    const timer = setInterval(() => ++ticks >= DEADLINE_TICKS && settle(undefined), deadlineMs / DEADLINE_TICKS)
    const settle = (answer: { server?: string } | undefined) => {
      clearInterval(timer)
      resolve(answer)
    }
    pulse<{ server: string }[]>`select pg_postmaster_start_time()::text as server`.then(
      ([row]) => settle({ ...row }),
      // A server that refuses for another reason, such as too many connections, still serves the existing ones.
      (error: unknown) => settle(isConnectionFault(error) ? undefined : {}),
    )
  })
}

function isConnectionFault(error: unknown): boolean {
  const code = detailOf(error) ?? ''
  return !/^[0-9A-Z]{5}$/.test(code) || code.startsWith('57P') || code.startsWith('08')
}

/**
 * True for serialisation failures, deadlocks, and two transactions that took the same event sequence or key: a repetition sees
 * what the other one has committed.
 */
function isRetryable(error: unknown): boolean {
  for (const cause of causesOf(error)) {
    const code = detailOf(cause)
    if (code === '40001' || code === '40P01') return true
    const constraint = code === '23505' ? detailOf(cause, 'constraint_name') : undefined
    if (constraint === 'events_sequence' || constraint === 'idempotency_actor_id_key_pk') return true
  }
  return false
}
