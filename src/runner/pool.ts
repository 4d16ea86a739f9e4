import { fileFormatNames } from '../core/formats.ts'
import { limits } from '../core/limits.ts'
import type { Log } from '../core/log.ts'
import { type SourceRole, sourceRoles, stepKinds, stepNames } from '../core/steps.ts'
import type { FontFiles } from '../font-files.ts'
import { Costs, type Weighed, weigh } from './costs.ts'
import type { EngineWorker } from './engine-worker.ts'
import { EngineThrew, WorkerCrashed, WorkerOutgrew, WorkerOverran } from './faults.ts'
import { type Source, type StepJob, type StepResult, sourceKey } from './job.ts'
import { LruCache } from './lru.ts'

/**
 * The engines run in workers, so that a document of hundreds of pages keeps no request waiting, and one that brings its
 * engine down takes nothing else with it. Workers are started when they are first needed. A worker that overruns its
 * deadline, outgrows its memory or dies is replaced, and its caller learns which it was. The service's are processes (decision 24),
 * those of commands threads.
 */
export interface EnginePool {
  /** How many jobs run at once. */
  readonly size: number
  /** Jobs that wait because they are long. */
  readonly longWaiting: number
  /**
   * Resolves with the results of the job's steps, up to the first that fails. Jobs nearest to an execution's end go
   * first, among them those whose sources a free worker has compiled; repeated ones let some others pass before, and so do those
   * that are known to take long. One worker of several is kept free of those. The job's files are moved to the worker: the caller
   * has them no longer.
   * @param onBegun called when a worker begins the job
   * @throws WorkerCrashed, WorkerOverran, WorkerOutgrew, EngineThrew
   */
  run(job: StepJob, onBegun?: () => void): Promise<StepResult[]>
  /** Ends all workers at once; what they were doing is rejected. */
  close(): Promise<void>
}

/** What is posted to a worker. Sources it has been given before are named by role and hash only. */
export interface WorkerRequest {
  job: Omit<StepJob, 'sources'> & { sources: Partial<Record<SourceRole, string>> }
  sources: { role: SourceRole; source: Source }[]
  /** Keys of sources it may let go of, because they will be sent again if they are needed. */
  forget: string[]
}

/** What a worker gets before its first request: the fonts it draws with besides those in the executable. */
export interface WorkerFonts {
  fonts: FontFiles
}

export type WorkerAnswer = { results: StepResult[] } | { fault: string; isOutgrown?: boolean }

export interface PoolOptions {
  size: number
  log: Log
  deadlineMs?: number
  /** From when on a job counts as long. */
  longMs?: number
  fonts?: FontFiles
  /** How many workers start now, for a caller who will need them soon; the others start when they are first needed. */
  startsNow?: number
  /** Starts a worker; a thread where it is left out. */
  startWorker?: () => EngineWorker
}

/** What the pool is doing, for metrics. */
export interface PoolLoad {
  readonly busy: number
  readonly waiting: number
}

/** The service's own pool. */
export interface ServicePool extends EnginePool, PoolLoad {
  /** Starts a worker unless there is one: for a caller whose job comes in a moment, so that it loads meanwhile. */
  warm(): void
}

export function openPool(options: PoolOptions): ServicePool {
  return new WorkerPool(options)
}

interface Task {
  job: StepJob
  onBegun: (() => void) | undefined
  resolve: (results: StepResult[]) => void
  reject: (error: Error) => void
  /** How many went before it. */
  passedBy: number
  weighed: Weighed
  /** It is expected to take long, or has taken long already. */
  isLong: boolean
}

class WorkerPool implements ServicePool {
  readonly size: number
  readonly #log: Log
  readonly #deadlineMs: number
  readonly #startWorker: () => EngineWorker
  readonly #fonts: FontFiles | undefined
  readonly #seats = new Set<Seat>()
  readonly #longMs: number
  readonly #costs: Costs
  #queue: Task[] = []
  #isClosed = false

  constructor(options: PoolOptions) {
    this.size = options.size
    this.#log = options.log.with({ component: 'workers' })
    this.#fonts = options.fonts
    this.#deadlineMs = options.deadlineMs ?? limits.renderMs + limits.workerMarginMs
    this.#longMs = options.longMs ?? limits.jobLongMs
    this.#costs = new Costs(this.#longMs)
    // Keep this exact form of URL: the bundler finds the worker's file by it.
    this.#startWorker = options.startWorker ?? (() => new Worker(new URL('./engine.worker.ts', import.meta.url).href))
    for (let count = options.startsNow ?? 0; count > 0; count--) this.#startSeat()
  }

  get busy(): number {
    return [...this.#seats].filter((seat) => !seat.isIdle).length
  }

  get waiting(): number {
    return this.#queue.length
  }

  get longWaiting(): number {
    return this.#queue.filter(({ isLong }) => isLong).length
  }

  run(job: StepJob, onBegun?: () => void): Promise<StepResult[]> {
    if (this.#isClosed) return Promise.reject(new WorkerCrashed('the engine workers are closed'))
    return new Promise((resolve, reject) => {
      this.#queue.push({ job, onBegun, resolve, reject, passedBy: 0, weighed: weigh(job), isLong: false })
      this.#dispatch()
    })
  }

  warm(): void {
    if (this.#seats.size === 0 && !this.#isClosed) this.#startSeat()
  }

  #dispatch(): void {
    for (const task of this.#queue) task.isLong = this.#costs.isLong(task.weighed)
    for (;;) {
      const tasks = this.#takesLong ? this.#queue : this.#queue.filter(({ isLong }) => !isLong)
      if (tasks.length === 0) return
      const idle = [...this.#seats].filter((candidate) => candidate.isIdle)
      if (idle.length === 0 && this.#seats.size >= this.size) return
      const seats = idle.length > 0 ? idle : [this.#startSeat()]
      const { task, seat } = chosen(tasks, seats, this.#seats)
      this.#take(task)
      void this.#serve(seat, task)
    }
  }

  /** One worker is left for jobs that aren't long; a pool of one lets them pass instead. */
  get #takesLong(): boolean {
    const long = [...this.#seats].filter((seat) => seat.task?.isLong === true).length
    return long < Math.max(1, this.size - 1)
  }

  #startSeat(): Seat {
    const worker = this.#startWorker()
    if (this.#fonts !== undefined) worker.postMessage({ fonts: this.#fonts } satisfies WorkerFonts, [])
    const seat: Seat = new Seat(worker, () => this.#seats.delete(seat))
    this.#seats.add(seat)
    return seat
  }

  #take(taken: Task): void {
    this.#queue.splice(this.#queue.indexOf(taken), 1)
    for (const task of this.#queue) task.passedBy++
  }

  async #serve(seat: Seat, task: Task): Promise<void> {
    seat.task = task
    let begunMs: number | undefined
    let whenLong: ReturnType<typeof setTimeout> | undefined
    const onBegun = () => {
      task.onBegun?.()
      begunMs = performance.now()
      whenLong = setTimeout(() => {
        task.isLong = true
        this.#costs.note(task.weighed, this.#longMs + 1)
      }, this.#longMs)
    }
    try {
      const answer = await seat.ask(task.job, this.#deadlineMs * turnsOf(task.job), onBegun)
      if ('results' in answer) task.resolve(answer.results)
      else if (answer.isOutgrown === true) throw new WorkerOutgrew(answer.fault)
      else task.reject(new EngineThrew(answer.fault))
    } catch (error) {
      this.#seats.delete(seat)
      seat.end()
      if (!this.#isClosed) this.#log.error('an engine worker was replaced', { error, steps: task.job.steps })
      task.reject(error as Error)
    }
    clearTimeout(whenLong)
    if (begunMs !== undefined) this.#costs.note(task.weighed, performance.now() - begunMs)
    seat.task = undefined
    this.#dispatch()
  }

  async close(): Promise<void> {
    this.#isClosed = true
    for (const task of this.#queue.splice(0)) task.reject(new WorkerCrashed('the engine workers are closed'))
    for (const seat of this.#seats) seat.end()
  }
}

/**
 * The next task and who does it: of those with the highest rank the first that a free seat has the sources of, else one
 * that no seat has them of, so that a source is compiled no more often than it must. No task lets others pass without end.
 */
function chosen(queue: readonly Task[], free: readonly Seat[], all: ReadonlySet<Seat>): { task: Task; seat: Seat } {
  const highest = Math.max(...queue.map(rank))
  const tasks = queue.filter((task) => rank(task) === highest)
  const waited = tasks.find(({ passedBy }) => passedBy >= limits.stepRepeatedLetsPass)
  for (const task of waited === undefined ? tasks : [waited]) {
    const seat = free.find((each) => each.knows(task.job))
    if (seat !== undefined) return { task, seat }
  }
  const unknown = tasks.find(({ job }) => ![...all].some((seat) => seat.knows(job)))
  return { task: waited ?? unknown ?? present(tasks[0]), seat: present(free[0]) }
}

function present<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('nothing waits for a worker')
  return value
}

/** Steps near the end of their executions go first, but what takes long lets others pass, and what was begun before all of them. */
function rank({ job, passedBy, isLong }: Task): number {
  if (job.isRepeated === true && passedBy < limits.stepRepeatedLetsPass) return -2
  if (isLong && passedBy < limits.jobLongLetsPass) return -1
  const [first] = job.steps
  return first === undefined ? 0 : stepNames.indexOf(first)
}

/** A job of a whole document has the time that its steps would have one by one, unless it should take moments. */
function turnsOf({ steps, hasOneDeadline }: StepJob): number {
  return hasOneDeadline === true || steps.every((step) => stepKinds[step].isSmall === true) ? 1 : steps.length
}

interface Waiting {
  resolve: (answer: WorkerAnswer) => void
  reject: (error: Error) => void
}

/** One worker and what is known of it. */
class Seat {
  readonly #worker: EngineWorker
  /** The sources that it holds; the worker drops one only if told to. */
  readonly #known: LruCache<true>
  #forget: string[] = []
  #waiting: Waiting | undefined
  /** What it works on. */
  task: Task | undefined
  /** It has loaded the engines; a job that waits for that has not started. */
  readonly #isOpen: Promise<void>

  /** @param onEnd called when the worker has ended, which it may also do while it has no job */
  constructor(worker: EngineWorker, onEnd: () => void) {
    this.#worker = worker
    this.#isOpen = new Promise((resolve) => worker.addEventListener('open', () => resolve()))
    this.#known = new LruCache(limits.compiledSources, (key) => this.#forget.push(key))
    worker.onmessage = (event: MessageEvent<WorkerAnswer>) => this.#settle((waiting) => waiting.resolve(event.data))
    worker.onerror = (event) => {
      event.preventDefault()
      this.#settle((waiting) => waiting.reject(new WorkerCrashed(`an engine worker failed: ${event.message}`)))
    }
    worker.addEventListener('close', () => {
      onEnd()
      this.#settle((waiting) => waiting.reject(worker.end ?? new WorkerCrashed('an engine worker ended')))
    })
  }

  get isIdle(): boolean {
    return this.#waiting === undefined
  }

  /** Whether it was given all that the job reads; a job without sources is anybody's. */
  knows({ sources }: StepJob): boolean {
    return sourceRoles.every((role) => {
      const source = sources[role]
      return source === undefined || this.#known.has(sourceKey(role, source))
    })
  }

  ask(job: StepJob, deadlineMs: number, onBegun: () => void): Promise<WorkerAnswer> {
    const { sources, ...rest } = job
    const request: WorkerRequest = { job: { ...rest, sources: {} }, sources: [], forget: [] }
    for (const role of sourceRoles) {
      const source = sources[role]
      if (source === undefined) continue
      const key = sourceKey(role, source)
      request.job.sources[role] = key
      if (this.#known.get(key) === undefined) request.sources.push({ role, source })
      this.#known.set(key, true)
    }
    request.forget = this.#forget.splice(0)
    const moved = fileFormatNames.flatMap((format) => (job[format]?.buffer as ArrayBuffer | undefined) ?? [])
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        const message = `an engine worker took more than ${deadlineMs} ms over ${job.steps.join(', ')}`
        this.#settle((waiting) => waiting.reject(new WorkerOverran(message)))
      }, deadlineMs)
      const settled =
        <T>(then: (value: T) => void) =>
        (value: T) => {
          clearTimeout(timer)
          then(value)
        }
      const waiting = { resolve: settled(resolve), reject: settled(reject) }
      this.#waiting = waiting
      void this.#isOpen.then(() => this.#waiting === waiting && onBegun())
      this.#worker.postMessage(request, moved)
    })
  }

  end(): void {
    this.#worker.terminate()
    this.#settle((waiting) => waiting.reject(new WorkerCrashed('the engine workers are closed')))
  }

  #settle(how: (waiting: Waiting) => void): void {
    const waiting = this.#waiting
    this.#waiting = undefined
    if (waiting !== undefined) how(waiting)
  }
}
