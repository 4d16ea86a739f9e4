import { Fault } from '../../core/faults.ts'
import { limits } from '../../core/limits.ts'
import type { Log } from '../../core/log.ts'
import type { EngineWorker } from '../../runner/engine-worker.ts'
import { EngineThrew, WorkerCrashed, WorkerOverran } from '../../runner/faults.ts'
import type { Given, QuestionName, Verdict } from './questions.service.ts'

/**
 * Answers questions about authored content for requests, away from the thread that serves them. The first question starts a
 * worker, which ends when nobody has asked for a while. While a question takes long and others wait, a second worker answers
 * those. A worker that overruns its deadline or dies is replaced.
 */
export interface Judge {
  /**
   * @throws Fault validation_failed for content that takes too long to judge, or that ended its worker twice;
   * dependency_unavailable if too many questions wait
   */
  ask<Name extends QuestionName>(name: Name, given: Given<Name>): Promise<Verdict<Name>>
  /** Starts the worker early, while the request still reads its content. */
  start(): void
  close(): void
}

/** Messages to and from the worker. */
export interface Asked {
  name: QuestionName
  given: unknown
}
export type Judged = { verdict: unknown } | { fault: string }

export interface JudgeOptions {
  log: Log
  deadlineMs?: number
  idleMs?: number
  patienceMs?: number
  /** Starts a worker; a thread by default. */
  startWorker?: () => EngineWorker
}

interface Pending {
  asked: Asked
  isRepeated: boolean
  resolve: (verdict: unknown) => void
  reject: (error: Error) => void
}

export function openJudge(options: JudgeOptions): Judge {
  return new WorkerJudge(options)
}

/**
 * Two lanes, of which nearly always one suffices. If a question takes long while others wait, its lane becomes the slow one, and
 * a new lane answers the others. Further slow questions move to the slow lane and start again there, one at a time.
 */
class WorkerJudge implements Judge {
  readonly #log: Log
  readonly #deadlineMs: number
  readonly #idleMs: number
  readonly #patienceMs: number
  readonly #startWorker: () => EngineWorker
  readonly #queue: Pending[] = []
  readonly #slowQueue: Pending[] = []
  #lane: Lane | undefined
  #slowLane: Lane | undefined
  #patience: ReturnType<typeof setTimeout> | undefined
  #idle: ReturnType<typeof setTimeout> | undefined
  #isClosed = false

  constructor({ log, deadlineMs, idleMs, patienceMs, startWorker }: JudgeOptions) {
    this.#log = log.with({ component: 'judge' })
    this.#deadlineMs = deadlineMs ?? limits.judgeMs
    this.#idleMs = idleMs ?? limits.judgeIdleMs
    this.#patienceMs = patienceMs ?? limits.judgePatienceMs
    // Keep this exact form of URL: the bundler finds the worker's file by it.
    this.#startWorker = startWorker ?? (() => new Worker(new URL('./judge.worker.ts', import.meta.url).href))
  }

  ask<Name extends QuestionName>(name: Name, given: Given<Name>): Promise<Verdict<Name>> {
    if (this.#isClosed) return Promise.reject(closed())
    if (this.#queue.length + this.#slowQueue.length >= limits.judgeWaiting) return Promise.reject(tooMany())
    return new Promise<unknown>((resolve, reject) => {
      this.#queue.push({ asked: { name, given }, isRepeated: false, resolve, reject })
      this.#next()
    }) as Promise<Verdict<Name>>
  }

  start(): void {
    if (this.#isClosed) return
    this.#lane ??= this.#start()
    this.#next()
  }

  close(): void {
    this.#isClosed = true
    clearTimeout(this.#patience)
    clearTimeout(this.#idle)
    const lanes = [this.#lane, this.#slowLane]
    this.#lane = undefined
    this.#slowLane = undefined
    const sent = lanes.flatMap((lane) => lane?.end() ?? [])
    for (const pending of [...sent, ...this.#queue.splice(0), ...this.#slowQueue.splice(0)]) {
      pending?.reject(closed())
    }
  }

  #next(): void {
    clearTimeout(this.#idle)
    this.#nextOfSlowLane()
    for (let pending = this.#takeNext(); pending !== undefined; pending = this.#takeNext()) {
      this.#lane ??= this.#start()
      this.#lane.send(pending)
    }
    this.#waitPatiently()
    if (this.#slowLane !== undefined || (this.#lane?.sent.length ?? 0) > 0) return
    this.#idle = setTimeout(() => {
      this.#lane?.end()
      this.#lane = undefined
    }, this.#idleMs)
    this.#idle.unref()
  }

  /**
   * Advances the slow lane. It ends after its last question, without finishing answers that nobody waits for. If there is no
   * other lane, its worker becomes the fast one.
   */
  #nextOfSlowLane(): void {
    const sent = this.#slowLane?.sent ?? []
    if (sent.some((pending) => pending !== undefined)) return
    if (sent.length > 0) {
      this.#slowLane?.end()
      this.#slowLane = undefined
    }
    const pending = this.#slowQueue.shift()
    if (pending !== undefined) {
      this.#slowLane ??= this.#start()
      this.#slowLane.send(pending)
    } else if (this.#lane === undefined) {
      this.#lane = this.#slowLane
      this.#slowLane = undefined
    } else {
      this.#slowLane?.end()
      this.#slowLane = undefined
    }
  }

  /** A repeated question gets the worker to itself, so that nothing else can have caused the worker's end. */
  #takeNext(): Pending | undefined {
    const sent = this.#lane?.sent ?? []
    if (sent.length >= limits.judgeSent) return undefined
    if (sent.length > 0 && (sent[0]?.isRepeated || this.#queue[0]?.isRepeated)) return undefined
    return this.#queue.shift()
  }

  #waitPatiently(): void {
    clearTimeout(this.#patience)
    const lane = this.#lane
    if (lane?.begunMs === undefined || lane.sent.length + this.#queue.length < 2) return
    const leftMs = lane.begunMs + this.#patienceMs - performance.now()
    this.#patience = setTimeout(() => this.#giveWay(lane), Math.max(0, leftMs))
  }

  /** Makes room for other questions while this lane's takes long. */
  #giveWay(lane: Lane): void {
    this.#lane = undefined
    this.#queue.unshift(...lane.takeUnread())
    if (this.#slowLane === undefined) this.#slowLane = lane
    else for (const pending of lane.end()) if (pending !== undefined) this.#slowQueue.push(pending)
    this.#next()
  }

  #start(): Lane {
    const lane: Lane = new Lane(this.#startWorker(), {
      deadlineMs: this.#deadlineMs,
      onOpen: () => this.#next(),
      onAnswer: () => this.#next(),
      onFailure: (error) => this.#replace(lane, error),
    })
    return lane
  }

  /** Asks the question once more before blaming its content: the machine may have been asleep or busy. */
  #replace(lane: Lane, error: Error): void {
    const [current, ...unread] = lane.end()
    const isSlow = lane === this.#slowLane
    if (isSlow) this.#slowLane = undefined
    else this.#lane = undefined
    this.#log.error('the judge was replaced', { error, question: current?.asked.name })
    this.#queue.unshift(...unread.filter((pending) => pending !== undefined))
    if (current?.isRepeated === false) (isSlow ? this.#slowQueue : this.#queue).push({ ...current, isRepeated: true })
    else current?.reject(tooMuch(this.#deadlineMs, error))
    this.#next()
  }
}

interface LanePorts {
  deadlineMs: number
  /** The worker has started. */
  onOpen(): void
  /** The worker has answered a question. */
  onAnswer(): void
  /** The worker has ended, or overrun its deadline. */
  onFailure(error: Error): void
}

/** A worker and its questions. It answers the first while the next is already with it, so that it never idles. */
class Lane {
  /** Undefined for a question whose answer is no longer wanted. */
  readonly #sent: (Pending | undefined)[] = []
  readonly #worker: EngineWorker
  readonly #ports: LanePorts
  #begunMs = 0
  #isOpen = false
  #deadline: ReturnType<typeof setTimeout> | undefined
  #isOver = false

  constructor(worker: EngineWorker, ports: LanePorts) {
    this.#worker = worker
    this.#ports = ports
    worker.onmessage = (event: MessageEvent<Judged>) => this.#settle(event.data)
    worker.addEventListener('open', () => this.#open())
    worker.onerror = (event) => {
      event.preventDefault()
      this.#fail(new WorkerCrashed(`the judge failed: ${event.message}`))
    }
    worker.addEventListener('close', () => this.#fail(worker.end ?? new WorkerCrashed('the judge ended')))
  }

  get sent(): readonly (Pending | undefined)[] {
    return this.#sent
  }

  /**
   * When the current question began; undefined while the worker starts, which on a busy machine takes longer than most questions.
   */
  get begunMs(): number | undefined {
    return this.#isOpen ? this.#begunMs : undefined
  }

  send(pending: Pending): void {
    this.#sent.push(pending)
    if (this.#sent.length === 1) this.#begin()
    this.#worker.postMessage(pending.asked, [])
  }

  /** Takes back the questions that have not begun. The worker still answers them, but the answers are ignored. */
  takeUnread(): Pending[] {
    const [, ...unread] = this.#sent
    this.#sent.fill(undefined, 1)
    return unread.filter((pending) => pending !== undefined)
  }

  /** Ends the worker. @returns the unanswered questions */
  end(): readonly (Pending | undefined)[] {
    this.#isOver = true
    clearTimeout(this.#deadline)
    this.#worker.terminate()
    return this.#sent.splice(0)
  }

  /** The deadline includes the worker's start, which takes a fraction of it. */
  #begin(): void {
    clearTimeout(this.#deadline)
    this.#begunMs = performance.now()
    const { deadlineMs } = this.#ports
    const name = this.#sent[0]?.asked.name ?? 'a question'
    const overrun = () => this.#fail(new WorkerOverran(`${name} took more than ${deadlineMs} ms to judge`))
    this.#deadline = setTimeout(overrun, deadlineMs)
  }

  #open(): void {
    if (this.#isOver || this.#isOpen) return
    this.#isOpen = true
    this.#begunMs = performance.now()
    this.#ports.onOpen()
  }

  #settle(judged: Judged): void {
    if (this.#isOver) return
    this.#isOpen = true
    clearTimeout(this.#deadline)
    const answered = this.#sent.shift()
    if (this.#sent.length > 0) this.#begin()
    if ('verdict' in judged) answered?.resolve(judged.verdict)
    else answered?.reject(new EngineThrew(judged.fault))
    this.#ports.onAnswer()
  }

  #fail(error: Error): void {
    if (!this.#isOver) this.#ports.onFailure(error)
  }
}

function closed(): Error {
  return new WorkerCrashed('the judge is closed')
}

function tooMany(): Fault {
  return new Fault('dependency_unavailable', 'Too much content waits to be checked. Send the request again shortly.', {
    retryAfterSeconds: limits.busyRetrySeconds,
    isTurnedAway: true,
  })
}

function tooMuch(deadlineMs: number, cause: Error): Fault {
  const message = `It could not be checked within ${deadlineMs / 1000} s and the memory that is allowed for it.`
  const hint = 'Simplify it, or split it.'
  return new Fault('validation_failed', `${message} ${hint}`, {
    findings: [{ code: 'too_slow', severity: 'error', path: '', message, hint }],
    cause,
  })
}
