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
 * Runs the engines in workers, so that a document of hundreds of pages blocks no request, and one that brings its engine down
 * harms nothing else. Workers start when they are first needed. A worker that overruns its deadline, outgrows its memory or dies
 * is replaced, and its caller gets an error that says which. The service's workers are processes (decision 24), those of commands
 * threads.
 */
export interface EnginePool {
  /** How many jobs run at once. */
  readonly size: number
  /** How many jobs wait because they are long. */
  readonly longWaiting: number
  /**
   * Resolves with the results of the job's steps, up to the first failure. Jobs nearest to an execution's end go first, and among
   * them those whose sources a free worker has compiled. Repeated jobs let some others pass, and so do jobs known to take long;
   * one of several workers is kept free of those. The job's files are moved to the worker, so the caller loses them.
   * @param onBegun called when a worker begins the job
   * @throws WorkerCrashed, WorkerOverran, WorkerOutgrew, EngineThrew
   */
  run(job: StepJob, onBegun?: () => void): Promise<StepResult[]>
  /** Ends all workers at once; running jobs are rejected. */
  close(): Promise<void>
}

/** A message to a worker. Sources that it was given before are only named, by role and hash. */
export interface WorkerRequest {
  job: Omit<StepJob, 'sources'> & { sources: Partial<Record<SourceRole, string>> }
  sources: { role: SourceRole; source: Source }[]
  /** Keys of sources that it may drop; they are sent again if needed. */
  forget: string[]
}

/** Sent to a worker before its first request: fonts besides those in the executable. */
export interface WorkerFonts {
  fonts: FontFiles
}

export type WorkerAnswer = { results: StepResult[] } | { fault: string; isOutgrown?: boolean }

export interface PoolOptions {
  size: number
  log: Log
  deadlineMs?: number
  /** Expected time from which a job counts as long. */
  longMs?: number
  fonts?: FontFiles
  /** How many workers start at once, for a caller that needs them soon; the others start when they are first needed. */
  startsNow?: number
  /** Starts a worker; a thread by default. */
  startWorker?: () => EngineWorker
}

/** What the pool is doing, for metrics. */
export interface PoolLoad {
  readonly busy: number
  readonly waiting: number
}

/** The service's own pool. */
export interface ServicePool extends EnginePool, PoolLoad {
  /** Starts a worker unless there is one, so that it loads before the caller's job comes. */
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
  /** How many jobs have passed it. */
  passedBy: number
  weighed: Weighed
  /** It is expected to take long, or has already taken long. */
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

  /** Whether a long job may begin. One worker is left for other jobs; in a pool of one, long jobs let others pass instead. */
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
 * Picks the next task and its seat. Of the tasks with the highest rank: the first whose sources a free seat has, else one whose
 * sources no seat has, so that sources are compiled as rarely as possible. No task lets others pass without end.
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

/** Steps near the end of their executions go first. Long jobs let others pass, and repeated ones let all others pass. */
function rank({ job, passedBy, isLong }: Task): number {
  if (job.isRepeated === true && passedBy < limits.stepRepeatedLetsPass) return -2
  if (isLong && passedBy < limits.jobLongLetsPass) return -1
  const [first] = job.steps
  return first === undefined ? 0 : stepNames.indexOf(first)
}

/** How many deadlines a job gets: a job for a whole document has one per step, unless it should be quick. */
function turnsOf({ steps, hasOneDeadline }: StepJob): number {
  return hasOneDeadline === true || steps.every((step) => stepKinds[step].isSmall === true) ? 1 : steps.length
}

interface Waiting {
  resolve: (answer: WorkerAnswer) => void
  reject: (error: Error) => void
}

/** A worker and what is known about it. */
class Seat {
  readonly #worker: EngineWorker
  /** The sources that the worker holds; it drops one only if told to. */
  readonly #known: LruCache<true>
  #forget: string[] = []
  #waiting: Waiting | undefined
  /** Its current task. */
  task: Task | undefined
  /** Resolves when it has loaded the engines; a job that waits for that has not started. */
  readonly #isOpen: Promise<void>

  /** @param onEnd called when the worker has ended, which may also happen without a job */
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

  /** Whether the worker has all sources of the job; true for a job without sources. */
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
