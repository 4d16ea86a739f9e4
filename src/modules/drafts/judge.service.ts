import { Fault } from '../../core/faults.ts'
import { limits } from '../../core/limits.ts'
import type { Log } from '../../core/log.ts'
import type { EngineWorker } from '../../runner/engine-worker.ts'
import { EngineThrew, WorkerCrashed, WorkerOverran } from '../../runner/faults.ts'
import type { Given, QuestionName, Verdict } from './questions.service.ts'

/**
 * Answers questions about authored content for requests, away from the thread that serves them. One worker does it, started
 * by the first question and ended when nobody has asked for a while. One that overruns its deadline or dies is replaced.
 */
export interface Judge {
  /**
   * @throws Fault validation_failed for content that takes too long to judge, or that ended its judge twice;
   * dependency_unavailable if too many wait
   */
  ask<Name extends QuestionName>(name: Name, given: Given<Name>): Promise<Verdict<Name>>
  /** Starts it for questions that are about to come, while the request still reads what it asks about. */
  start(): void
  close(): void
}

/** What is posted to the worker, and what it posts back. */
export interface Asked {
  name: QuestionName
  given: unknown
}
export type Judged = { verdict: unknown } | { fault: string }

export interface JudgeOptions {
  log: Log
  deadlineMs?: number
  idleMs?: number
  /** Starts a worker; a thread where it is left out. */
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

class WorkerJudge implements Judge {
  readonly #log: Log
  readonly #deadlineMs: number
  readonly #idleMs: number
  readonly #startWorker: () => EngineWorker
  readonly #queue: Pending[] = []
  /** What the worker has: it answers the first, and the next waits there, so that it is never without work. */
  readonly #sent: Pending[] = []
  #worker: EngineWorker | undefined
  #deadline: ReturnType<typeof setTimeout> | undefined
  #idle: ReturnType<typeof setTimeout> | undefined

  constructor({ log, deadlineMs = limits.judgeMs, idleMs = limits.judgeIdleMs, startWorker }: JudgeOptions) {
    this.#log = log.with({ component: 'judge' })
    this.#deadlineMs = deadlineMs
    this.#idleMs = idleMs
    // Keep this exact form of URL: the bundler finds the worker's file by it.
    this.#startWorker = startWorker ?? (() => new Worker(new URL('./judge.worker.ts', import.meta.url).href))
  }

  ask<Name extends QuestionName>(name: Name, given: Given<Name>): Promise<Verdict<Name>> {
    if (this.#queue.length >= limits.judgeWaiting) return Promise.reject(tooMany())
    return new Promise<unknown>((resolve, reject) => {
      this.#queue.push({ asked: { name, given }, isRepeated: false, resolve, reject })
      this.#next()
    }) as Promise<Verdict<Name>>
  }

  start(): void {
    this.#worker ??= this.#start()
    this.#next()
  }

  close(): void {
    this.#end()
    for (const pending of this.#queue.splice(0)) pending.reject(new WorkerCrashed('the judge is closed'))
  }

  #next(): void {
    clearTimeout(this.#idle)
    for (let pending = this.#takeNext(); pending !== undefined; pending = this.#takeNext()) {
      this.#worker ??= this.#start()
      this.#sent.push(pending)
      if (this.#sent.length === 1) this.#setDeadline(pending)
      this.#worker.postMessage(pending.asked, [])
    }
    if (this.#sent.length > 0) return
    this.#idle = setTimeout(() => this.#end(), this.#idleMs)
    this.#idle.unref()
  }

  /** One that is asked once more is alone with the worker, so that nothing else is to blame for how it ends. */
  #takeNext(): Pending | undefined {
    const isAlone = this.#sent.length === 0
    if (this.#sent.length >= limits.judgeSent) return undefined
    if (!isAlone && (this.#sent[0]?.isRepeated || this.#queue[0]?.isRepeated)) return undefined
    return this.#queue.shift()
  }

  /** A worker that is just starting shares the deadline; that takes a fraction of it. */
  #setDeadline({ asked }: Pending): void {
    clearTimeout(this.#deadline)
    this.#deadline = setTimeout(() => {
      this.#replace(new WorkerOverran(`${asked.name} took more than ${this.#deadlineMs} ms to judge`))
    }, this.#deadlineMs)
  }

  #start(): EngineWorker {
    const worker = this.#startWorker()
    const isCurrent = () => this.#worker === worker
    worker.onmessage = (event: MessageEvent<Judged>) => {
      if (isCurrent()) this.#settle(event.data)
    }
    worker.onerror = (event) => {
      event.preventDefault()
      if (isCurrent()) this.#replace(new WorkerCrashed(`the judge failed: ${event.message}`))
    }
    worker.addEventListener('close', () => {
      if (isCurrent()) this.#replace(worker.end ?? new WorkerCrashed('the judge ended'))
    })
    return worker
  }

  #settle(judged: Judged): void {
    clearTimeout(this.#deadline)
    const answered = this.#sent.shift()
    const [next] = this.#sent
    if (next !== undefined) this.#setDeadline(next)
    if ('verdict' in judged) answered?.resolve(judged.verdict)
    else answered?.reject(new EngineThrew(judged.fault))
    this.#next()
  }

  /** The machine may have been asleep or busy, so a question is asked once more before its content is to blame. */
  #replace(error: Error): void {
    const [current, ...unread] = this.#sent.splice(0)
    this.#log.error('the judge was replaced', { error, question: current?.asked.name })
    this.#end()
    this.#queue.unshift(...unread)
    if (current?.isRepeated === false) this.#queue.push({ ...current, isRepeated: true })
    else current?.reject(tooMuch(this.#deadlineMs, error))
    this.#next()
  }

  #end(): void {
    clearTimeout(this.#deadline)
    clearTimeout(this.#idle)
    const worker = this.#worker
    this.#worker = undefined
    worker?.terminate()
    for (const pending of this.#sent.splice(0)) pending.reject(new WorkerCrashed('the judge is closed'))
  }
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
