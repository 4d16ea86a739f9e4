import type { Client, InStatement, Transaction as LibsqlTransaction, ResultSet } from '@libsql/client'
import { limits } from '../core/limits.ts'
import type { Log } from '../core/log.ts'
import { systemTimers, type Timers } from '../core/timers.ts'
import {
  type Attest,
  attestNothing,
  type Connection,
  type Database,
  DatabaseGone,
  type FollowedLog,
  type Seat,
  type Transaction,
  type WriteLane,
  type WriteLoad,
  writtenNothing,
} from './database.ts'
import { FileIdentity } from './file-identity.ts'
import { lockDatabaseFile } from './file-lock.ts'
import { Gathering } from './gathered.ts'
import {
  clientOpener,
  connectionOver,
  forReading,
  forWriting,
  type OpenClient,
  RenewedClient,
  snapshotOf,
} from './libsql-connection.ts'
import { LogCollector } from './log-collector.ts'
import { gather } from './write-groups.ts'

/**
 * An embedded database: one writing connection for the whole process, fed by a queue. Writers that arrive during a commit are
 * collected and run as savepoints of the next transaction, so that they share a single fsync (group commit). Each gets its
 * outcome only after that commit is durable, even a refusal, because that may depend on what the group wrote before. Submissions
 * instead run concurrently and share statements and one savepoint (gathered.ts), because a savepoint copies every page that a
 * writer touches. A second connection reads. Only the writer checkpoints: SQLite 3.45.1 can reset the WAL wrongly if several
 * connections do.
 */

interface Job {
  work: (tx: Transaction) => Promise<unknown>
  lane: WriteLane
  resolve: (value: unknown) => void
  reject: (error: unknown) => void
}

type JobOutcome =
  | { ok: true; value: unknown; actions: (() => void)[] }
  /** With the count of writing statements so far. */
  | { ok: false; error: unknown; written: number }

interface Done {
  job: Job
  outcome: JobOutcome
}

/** Parts that run together: each job by itself, and then all submissions. */
function partsOf(group: readonly Job[]): Job[][] {
  const parts = group.filter(({ lane }) => lane !== 'submissions').map((job) => [job])
  const submissions = group.filter(({ lane }) => lane === 'submissions')
  while (submissions.length > 0) parts.push(submissions.splice(0, limits.databaseGroupWriters))
  return parts
}

/** @throws DatabaseInUse if another process uses the file */
export async function openLibsqlFile(path: string, log?: Log): Promise<Database> {
  const open = await clientOpener(path)
  const unlock = lockDatabaseFile(path)
  try {
    const writer = await forWriting(open('create'))
    // SQLite opens its log when it first reads a page.
    await writer.execute('SELECT 1 FROM sqlite_master')
    const reader = await forReading(open('existing'))
    return new EmbeddedDatabase({
      writer,
      reader,
      open,
      unlock,
      files: new FileIdentity(path),
      path,
      log,
      timers: systemTimers,
    })
  } catch (error) {
    unlock()
    throw error
  }
}

/** Parts of an embedded database. The connections are configured already; `unlock` releases the file's lock. */
export interface EmbeddedParts {
  writer: Client
  reader: Client
  open: OpenClient
  unlock: () => void
  files: Pick<FileIdentity, 'problem'>
  path: string
  log: Log | undefined
  timers: Timers
}

/**
 * Statements that certainly change neither families nor activations: no trigger or foreign key changes those along with other
 * tables.
 */
const LEAVES_CONFIGURATION = /^(?:insert into|update|delete from) "(?!families"|activations")/

/** When the writer's commits write the log back: at SQLite's usual length, or never. */
function emptiesItself(when: 'at 1,000 pages' | 'never'): string {
  return `PRAGMA wal_autocheckpoint=${when === 'never' ? 0 : 1_000}`
}

/** A database over open connections; `openLibsqlFile` opens them. */
export class EmbeddedDatabase implements Database {
  readonly dialect = 'sqlite'
  readonly writeLoad: WriteLoad = { ...writtenNothing }
  changes = 0
  readonly read: Connection
  readonly #parts: EmbeddedParts
  readonly #timers: Timers
  readonly #writer: RenewedClient
  readonly #reader: RenewedClient
  readonly #writing: Connection & Pick<Transaction, 'attest' | 'configuration'>
  #attest = attestNothing
  #current: LibsqlTransaction | undefined
  readonly #queues: Record<'requests' | 'steps', Job[]> = { requests: [], steps: [] }
  /** Work to be done between two groups of writers. */
  readonly #between: (() => Promise<void>)[] = []
  #followed: LogCollector | undefined
  #stepsUntilMs = 0
  #turnEndsMs = 0
  /** How many statements transactions have run that may have changed something. */
  #written = 0
  /** See `Transaction.configuration`. */
  #configuration = 0
  #draining: Promise<void> | undefined
  #problem: string | undefined
  #closed = false

  constructor(parts: EmbeddedParts) {
    const again = (settings: (client: Client) => Promise<Client>) => async () => {
      this.#requireFiles()
      return settings(parts.open('existing'))
    }
    this.#parts = parts
    this.#timers = parts.timers
    this.#writer = new RenewedClient(
      parts.writer,
      again(async (client) => {
        const writer = await forWriting(client)
        if (this.#followed !== undefined) await writer.execute(emptiesItself('never'))
        return writer
      }),
    )
    this.#reader = new RenewedClient(parts.reader, again(forReading))
    this.read = connectionOver({ execute: (statement) => this.#ask(statement) })
    const writing = connectionOver({
      execute: (statement) => {
        if (this.#current === undefined) throw new Error('a statement was run after its transaction ended')
        if (!statement.sql.startsWith('select ')) {
          this.#written++
          if (!LEAVES_CONFIGURATION.test(statement.sql)) this.#configuration++
        }
        return this.#writer.watch(this.#current.execute(statement))
      },
    })
    this.#writing = { ...writing, attest: (text) => this.#attest(text), configuration: () => this.#configuration }
  }

  async #ask(statement: InStatement): Promise<ResultSet> {
    const reader = await this.#reader.get()
    return this.#reader.watch(reader.execute(statement))
  }

  /** @throws DatabaseGone if writes would go into files that the next start can't find */
  #requireFiles(): void {
    const problem = this.#parts.files.problem()
    if (problem !== this.#problem) {
      this.#problem = problem
      if (problem === undefined) this.#parts.log?.info('the database is back where it was; it is written again')
      else this.#parts.log?.error('the database is gone; nothing is written any more', { problem })
    }
    if (problem !== undefined) throw new DatabaseGone(problem)
  }

  write<T>(work: (tx: Transaction) => Promise<T>, lane: WriteLane = 'requests'): Promise<T> {
    if (this.#closed) return Promise.reject(new Error('the database is closed'))
    return new Promise<T>((resolve, reject) => {
      const isOfRunner = lane === 'steps' || lane === 'claims'
      if (isOfRunner) this.#stepsUntilMs = this.#timers.nowMs() + limits.databaseStepsMs
      const queue = isOfRunner ? this.#queues.steps : this.#queues.requests
      queue.push({ work, lane, resolve: resolve as (value: unknown) => void, reject })
      this.writeLoad.waiting++
      this.#draining ??= this.#drain()
    })
  }

  async #drain(): Promise<void> {
    while (this.#queues.steps.length + this.#queues.requests.length + this.#between.length > 0) {
      for (const work of this.#between.splice(0)) await work()
      if (this.#queues.steps.length + this.#queues.requests.length === 0) continue
      // These turns also let the engine free memory that the addon returned.
      await gather(
        () => this.writeLoad.waiting,
        () => this.#timers.turn(),
      )
      const group = this.#takeGroup()
      const startedMs = this.#timers.nowMs()
      await this.#commitGroup(group)
      const load = this.writeLoad
      load.busySeconds += (this.#timers.nowMs() - startedMs) / 1_000
      load.commits++
      load.transactions += group.length
      load.waiting -= group.length
    }
    this.#draining = undefined
  }

  /** Takes the runner's writes first. While steps are running, takes fewer requests, because the steps wait for this commit. */
  #takeGroup(): Job[] {
    const isMakingSteps = this.#timers.nowMs() < this.#stepsUntilMs
    const steps = this.#queues.steps.splice(0, limits.databaseGroupJobs)
    const room = (isMakingSteps ? limits.databaseRequestJobs : limits.databaseGroupJobs) - steps.length
    return [...steps, ...this.#queues.requests.splice(0, Math.max(1, room))]
  }

  async #commitGroup(group: Job[]): Promise<void> {
    const done: Done[] = []
    try {
      this.#requireFiles()
      const writer = await this.#writer.get()
      const transaction = await this.#writer.watch(writer.transaction('write'))
      this.#current = transaction
      try {
        this.#turnEndsMs = this.#timers.nowMs() + limits.databaseTurnMs
        for (const jobs of partsOf(group)) {
          if (jobs.length > 1) done.push(...(await this.#runTogether(transaction, jobs)))
          else done.push(...(await this.#runEach(transaction, jobs, group.length > 1 ? 'with others' : 'alone')))
        }
        // Refuse statements that nobody awaited: on this thread they would wait for the commit on the other one.
        this.#current = undefined
        if (group.length === 1 && done[0]?.outcome.ok === false) await this.#takeBack(transaction.rollback())
        // Writes that the connection acknowledged while its disk failed can't be trusted, either.
        else if (this.#writer.doubt !== undefined) throw this.#writer.doubt
        else await this.#writer.watch(transaction.commit())
      } finally {
        this.#current = undefined
        transaction.close()
        // Counted after a failure as well: it may be unknown whether the commit took place.
        this.changes++
      }
      // If the files were removed meanwhile, the commit is lost with them.
      this.#requireFiles()
    } catch (error) {
      this.#configuration++
      // The group isn't durable, so none of its jobs may use its result.
      for (const job of group) job.reject(error)
      return
    }
    for (const { job, outcome } of done) {
      if (outcome.ok) {
        for (const action of outcome.actions) action()
        job.resolve(outcome.value)
      } else job.reject(outcome.error)
    }
  }

  /**
   * Runs jobs concurrently. If one fails, all are rolled back and run one by one, unless it was refused before anything was
   * written.
   */
  async #runTogether(transaction: LibsqlTransaction, jobs: readonly Job[]): Promise<Done[]> {
    await transaction.execute('SAVEPOINT jobs')
    const before = this.#written
    const gathering = new Gathering(jobs.length, () => this.#giveTurn())
    const running: Promise<Done>[] = []
    for (const job of jobs) {
      await this.#giveTurn()
      running.push(gathering.join(async (seat) => ({ job, outcome: await this.#outcomeOf(job, seat) })))
    }
    const done = await Promise.all(running)
    const isKept = done.every(({ outcome }) => outcome.ok || outcome.written === before)
    if (!isKept) await this.#takeBack(transaction.execute('ROLLBACK TO jobs'))
    await transaction.execute('RELEASE jobs')
    return isKept ? done : this.#runEach(transaction, jobs, 'with others')
  }

  /** Runs jobs one after the other; in a shared transaction, each gets a savepoint to roll back to. */
  async #runEach(
    transaction: LibsqlTransaction,
    jobs: readonly Job[],
    company: 'alone' | 'with others',
  ): Promise<Done[]> {
    const shared = company === 'with others'
    const done: Done[] = []
    for (const job of jobs) {
      await this.#giveTurn()
      if (shared) await transaction.execute('SAVEPOINT job')
      const outcome = await this.#outcomeOf(job)
      if (shared) {
        // Some faults (a full disk) roll back the whole transaction; then this throws, and the whole group fails.
        if (!outcome.ok) await this.#takeBack(transaction.execute('ROLLBACK TO job'))
        await transaction.execute('RELEASE job')
      }
      done.push({ job, outcome })
    }
    return done
  }

  async #outcomeOf(job: Job, seat?: Seat): Promise<JobOutcome> {
    const actions: (() => void)[] = []
    const afterCommit = (action: () => void) => actions.push(action)
    try {
      const tx = { ...this.#writing, afterCommit, ...(seat === undefined ? {} : { seat }) }
      const value = await job.work(tx)
      return { ok: true, value, actions }
    } catch (error) {
      return { ok: false, error, written: this.#written }
    }
  }

  async #takeBack(rollback: Promise<unknown>): Promise<void> {
    this.#configuration++
    await rollback
  }

  /** Yields to readers after `limits.databaseTurnMs` of grouped writes. */
  async #giveTurn(): Promise<void> {
    if (this.#timers.nowMs() <= this.#turnEndsMs) return
    await this.#timers.turn()
    this.#turnEndsMs = this.#timers.nowMs() + limits.databaseTurnMs
  }

  async snapshot<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    this.#requireFiles()
    const client = await forReading(this.#parts.open('existing'))
    return snapshotOf(client, work).finally(() => client.close())
  }

  /** Runs work between two groups, which need the writing connection. */
  #betweenGroups<T>(work: () => Promise<T>): Promise<T> {
    if (this.#closed) return Promise.reject(new Error('the database is closed'))
    return new Promise((resolve, reject) => {
      this.#between.push(() => work().then(resolve, reject))
      this.#draining ??= this.#drain()
    })
  }

  scrub(rewriteBytes: number): Promise<boolean> {
    return this.#betweenGroups(() => this.#scrubFiles(rewriteBytes))
  }

  followLog(): Promise<FollowedLog> {
    return this.#betweenGroups(async () => {
      const ports = {
        betweenGroups: <T>(work: () => Promise<T>) => this.#betweenGroups(work),
        emptyLog: () => this.#atOnce(() => this.#emptyLog()).then(() => {}),
        end: async () => {
          this.#followed = undefined
          await (await this.#writer.get()).execute(emptiesItself('at 1,000 pages'))
        },
      }
      const followed = new LogCollector(this.#parts.path, ports)
      await (await this.#writer.get()).execute(emptiesItself('never'))
      this.#followed = followed
      return followed
    })
  }

  async #run(statement: string): Promise<ResultSet> {
    const writer = await this.#writer.get()
    return this.#writer.watch(writer.execute(statement))
  }

  /** Doesn't wait for readers of an older state: everybody else would wait, too. */
  async #atOnce<T>(work: () => Promise<T>): Promise<T> {
    await this.#run('PRAGMA busy_timeout=0')
    return work().finally(() => this.#run(`PRAGMA busy_timeout=${limits.databaseBusyMs}`))
  }

  /** False while somebody reads an older state. */
  async #emptyLog(): Promise<boolean> {
    this.#followed?.collectAll()
    return (await this.#run('PRAGMA wal_checkpoint(TRUNCATE)')).rows[0]?.busy === 0
  }

  async #scrubFiles(rewriteBytes: number): Promise<boolean> {
    this.#requireFiles()
    if (this.#followed?.isHeld === true) return false
    return this.#atOnce(async () => {
      if (!(await this.#emptyLog())) return false
      const size = await this.#run(
        'SELECT page_count * page_size AS bytes FROM pragma_page_count(), pragma_page_size()',
      )
      if (Number(size.rows[0]?.bytes ?? 0) > rewriteBytes) return true
      // Rows that move between pages leave copies in free space, which deleting the rows doesn't overwrite.
      await this.#run('VACUUM')
      return this.#emptyLog()
    })
  }

  attestWith(attest: Attest): void {
    this.#attest = attest
  }

  async close(): Promise<void> {
    this.#closed = true
    await this.#draining
    this.#reader.close()
    await this.#writer
      .get()
      .then((writer) => writer.execute('PRAGMA wal_checkpoint(TRUNCATE)'))
      .catch(() => {})
    this.#writer.close()
    this.#parts.unlock()
  }
}
