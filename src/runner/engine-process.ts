import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Subprocess } from 'bun'
import { limits } from '../core/limits.ts'
import type { Log } from '../core/log.ts'
import { othersTurn } from '../core/turns.ts'
import { REVISION } from '../core/version.ts'
import type { EngineWorker } from './engine-worker.ts'
import { WorkerCrashed, WorkerOutgrew } from './faults.ts'
import { type MessagePiece, piecesOf } from './message-pieces.ts'

/** What a process of the executable serves; an argument of its hidden command. */
export const engineRoles = ['engines', 'judge', 'joins'] as const
export type EngineRole = (typeof engineRoles)[number]

/** The hidden command that starts such a process; not for people. */
export const ENGINE_COMMAND = 'engine-process'

/** What a process sends: once, that it has loaded its engines, with the rights that it could not drop; then its answers. */
export type FromProcess = { open: { unconfined: string[] } } | { answer: unknown }

/** Signals with which a process ends itself: out of memory, or a defect of the runtime. */
const ownSignals: readonly unknown[] = ['SIGABRT', 'SIGBUS', 'SIGFPE', 'SIGILL', 'SIGSEGV', 'SIGTRAP']

/**
 * The whole environment of a process. The judge lives only for a burst of questions and ends before the runtime's last compiler
 * pays off, which took a third of its time (decision 21). Engines live for weeks.
 */
const variables: Readonly<Record<EngineRole, Record<string, string>>> = {
  engines: {},
  judge: { BUN_JSC_useFTLJIT: '0' },
  joins: {},
}

export interface EngineProcessOptions {
  role: EngineRole
  log: Log
  /** The memory that it may hold; the system refuses it more than about twice as much. */
  memoryBytes?: number
}

/**
 * A worker that is a process of the same executable (decision 24), so that its content can neither take the server's memory nor
 * end it. It has none of the server's environment, files and sockets, and no working directory. Once its engines are loaded, it
 * drops the rights that it doesn't need (native/confine.ts). On Linux it is ended when it holds more memory than it may.
 */
export class EngineProcess implements EngineWorker {
  onmessage: EngineWorker['onmessage'] = null
  onerror: EngineWorker['onerror'] = null
  readonly #listeners = { open: [] as (() => void)[], close: [] as (() => void)[] }
  readonly #child: Subprocess<'ignore', 'ignore', 'ignore'>
  readonly #log: Log
  readonly #memoryBytes: number
  #watch: ReturnType<typeof setInterval> | undefined
  /** How many messages are unanswered; while there are any, the process's memory is watched. */
  #unanswered = 0
  #end: Error | undefined
  readonly #unsent: Iterable<MessagePiece>[] = []
  #isSending = false

  constructor({ role, log, memoryBytes = limits.engineMemoryBytes }: EngineProcessOptions) {
    this.#log = log
    this.#memoryBytes = memoryBytes
    this.#child = Bun.spawn([...program(), ENGINE_COMMAND, role, String(memoryBytes)], {
      ...{ env: variables[role], cwd: '/', stdin: 'ignore', stdout: 'ignore', stderr: 'ignore' },
      serialization: 'advanced',
      ipc: (message: FromProcess) => this.#receive(message),
      onExit: (child, exitCode) => this.#ended(exitCode, child.signalCode),
    })
  }

  get end(): Error | undefined {
    return this.#end
  }

  get pid(): number {
    return this.#child.pid
  }

  addEventListener(type: 'open' | 'close', listener: () => void): void {
    this.#listeners[type].push(listener)
  }

  postMessage(message: unknown): void {
    // Any content may make it grow.
    if (isAnswered(message)) this.#unanswered++
    this.#watch ??= setInterval(() => this.#endIfOutgrown(), limits.engineMemoryLookMs)
    this.#unsent.push(piecesOf(message))
    if (!this.#isSending) void this.#sendAll()
  }

  /** Other work runs after each piece of a message. */
  async #sendAll(): Promise<void> {
    this.#isSending = true
    for (let message = this.#unsent.shift(); message !== undefined; message = this.#unsent.shift()) {
      for (const piece of message) {
        this.#send(piece)
        if ('piece' in piece) await othersTurn()
      }
    }
    this.#isSending = false
  }

  #send(piece: MessagePiece): void {
    if (this.#end !== undefined) return
    try {
      this.#child.send(piece)
    } catch {
      // The process has ended, which `close` reports.
    }
  }

  terminate(): void {
    this.#stopWatching()
    this.#child.kill('SIGKILL')
  }

  #receive(message: FromProcess): void {
    if ('open' in message) {
      const { unconfined } = message.open
      if (unconfined.length > 0) this.#log.warn('an engine process is less confined than it should be', { unconfined })
      for (const listener of this.#listeners.open) listener()
      return
    }
    this.#unanswered--
    if (this.#unanswered === 0) this.#stopWatching()
    this.onmessage?.(new MessageEvent('message', { data: message.answer }))
  }

  #stopWatching(): void {
    clearInterval(this.#watch)
    this.#watch = undefined
  }

  #endIfOutgrown(): void {
    const held = residentBytes(this.#child.pid)
    if (held === undefined || held <= this.#memoryBytes) return
    this.#stopWatching()
    this.#end ??= new WorkerOutgrew(`an engine process held ${held} bytes of memory`)
    this.#child.kill('SIGKILL')
  }

  #ended(exitCode: number | null, signal: NodeJS.Signals | number | null): void {
    this.#stopWatching()
    // If a process ends itself, its content is to blame; if it was ended from outside, it isn't.
    const Kind = ownSignals.includes(signal) ? WorkerOutgrew : WorkerCrashed
    this.#end ??= new Kind(`an engine process ended: ${signal ?? `exit code ${exitCode}`}`)
    for (const listener of this.#listeners.close) listener()
  }
}

/** A process answers every message except its fonts. */
function isAnswered(message: unknown): boolean {
  return !(typeof message === 'object' && message !== null && 'fonts' in message)
}

/** The running program itself, even if its file was replaced or removed meanwhile. */
function program(): string[] {
  const self = process.platform === 'linux' ? '/proc/self/exe' : process.execPath
  return REVISION === 'development' ? [self, join(import.meta.dir, '../main.ts')] : [self]
}

/** @returns undefined if the system doesn't say, or the process has ended */
function residentBytes(pid: number): number | undefined {
  if (process.platform !== 'linux') return undefined
  try {
    const [, pages] = readFileSync(`/proc/${pid}/statm`, 'latin1').split(' ')
    return Number(pages) * pageBytes
  } catch {
    return undefined
  }
}

/** Fixed by x64, and by arm64 as distributions build it; a kernel with larger pages only looks less strict. */
const pageBytes = 4096
