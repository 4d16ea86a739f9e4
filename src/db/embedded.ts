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
 * An embedded database: one writing connection for the whole process, fed by a queue. Writers that arrive while a
 * commit is on its way are collected and run as savepoints of the next one, so that they share a single fsync (group
 * commit); each gets its outcome only after that commit is durable, refusals too, because they may depend on what the
 * group wrote before. Submissions run beside each other instead, and share statements and one savepoint (gathered.ts): a
 * savepoint of its own copies every page that a writer touches. A second connection reads. Only the writer checkpoints:
 * SQLite 3.45.1 can reset the WAL wrongly when several connections do.
 */

interface Job {
  work: (tx: Transaction) => Promise<unknown>
  lane: WriteLane
  resolve: (value: unknown) => void
  reject: (error: unknown) => void
}

type JobOutcome =
  | { ok: true; value: unknown; actions: (() => void)[] }
  /** With the count of writing statements by then. */
  | { ok: false; error: unknown; written: number }

interface Done {
  job: Job
  outcome: JobOutcome
}

/** Each job by itself; then submissions, together. */
function partsOf(group: readonly Job[]): Job[][] {
  const parts = group.filter(({ lane }) => lane !== 'submissions').map((job) => [job])
  const submissions = group.filter(({ lane }) => lane === 'submissions')
  while (submissions.length > 0) parts.push(submissions.splice(0, limits.databaseGroupWriters))
  return parts
}

/** @throws DatabaseInUse when another process has the file */
export async function openLibsqlFile(path: string, log?: Log): Promise<Database> {
  const open = await clientOpener(path)
  const unlock = lockDatabaseFile(path)
  try {
    const writer = await forWriting(open('create'))
    // SQLite opens its log with the first page that it reads.
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

/** What an embedded database is made of; the connections have their settings, and `unlock` lets go of the file. */
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

/** What certainly changes other tables than families and activations; no trigger and no reference changes those along. */
const LEAVES_CONFIGURATION = /^(?:insert into|update|delete from) "(?!families"|activations")/

/** When the writer's commits write the log back: once it has SQLite's usual length, or never. */
function emptiesItself(when: 'at 1,000 pages' | 'never'): string {
  return `PRAGMA wal_autocheckpoint=${when === 'never' ? 0 : 1_000}`
}

/** Over connections that are open; `openLibsqlFile` opens them. */
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
  /** What is to be done between two groups of writers. */
  readonly #between: (() => Promise<void>)[] = []
  #followed: LogCollector | undefined
  #stepsUntilMs = 0
  #turnEndsMs = 0
  /** Statements that were run by transactions and may have changed something. */
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

  /** @throws DatabaseGone while what is written would go into files that the next start can't find */
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
      // The turns also let the engine free what the addon handed out.
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

  /** What steps record first, and of requests fewer while steps are being made: those wait for the commit under way. */
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
        // A statement that nobody awaited is refused: on this thread it would wait for the commit on the other.
        this.#current = undefined
        if (group.length === 1 && done[0]?.outcome.ok === false) await this.#takeBack(transaction.rollback())
        // What the connection acknowledged while its disk failed is not to be relied on either.
        else if (this.#writer.doubt !== undefined) throw this.#writer.doubt
        else await this.#writer.watch(transaction.commit())
      } finally {
        this.#current = undefined
        transaction.close()
        // Also after a failure: whether the commit took place may be unknown.
        this.changes++
      }
      // Files that went away meanwhile took the commit with them.
      this.#requireFiles()
    } catch (error) {
      this.#configuration++
      // The group never became durable, so nobody in it may believe anything it saw.
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

  /** Where one of them fails all is rolled back and each is run by itself; not for refusals before anything was written. */
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

  /** One after the other; jobs that have the transaction with others each get a savepoint to go back to. */
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
        // Some faults (a full disk) roll the whole transaction back; then this throws and the group fails together.
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

  /** What only reads need not wait for all of a group. */
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

  /** Between two groups, because the writing connection is theirs. */
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

  /** A reader of an older state is not waited for: everybody would wait along. */
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
      // Moving rows between pages leaves copies in free space that deleting them doesn't overwrite.
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
