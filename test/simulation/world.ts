import { drainMicrotasks } from 'bun:jsc'
import { commitNews } from '../../src/bus/outbox.ts'
import { idSource } from '../../src/core/ids.ts'
import type { Timers } from '../../src/core/timers.ts'
import { sliceClock } from '../../src/core/turns.ts'
import { Random } from './random.ts'

/** Some moment on a Monday, at which every history begins. */
const BEGINNING_MS = Date.UTC(2026, 2, 2, 8)

interface Happening {
  atMs: number
  /** Of two at one moment the one that was arranged first comes first. */
  order: number
  action: () => void
  /** Whose it is: it never comes once the process is dead, and waits while the process is stopped. */
  process: Process | undefined
}

/** A run of one simulated process, from its start to its end. */
export class Process {
  isAlive = true
  stoppedUntilMs = 0
  readonly listeners: typeof commitNews.listeners = new Set()
  /** What others notice of its death. */
  readonly atDeath = new Set<() => void>()

  /** @param clockAheadMs by how much the clock of its machine is wrong */
  constructor(
    readonly name: string,
    readonly clockAheadMs: number,
  ) {}
}

export function kill(process: Process): void {
  process.isAlive = false
  for (const notice of process.atDeath) notice()
}

/**
 * One simulated world: its time, its chances and all that will happen in it. What the processes do between two happenings
 * is done before the next one comes, so one seed always gives one history.
 */
export class World {
  readonly random: Random
  nowMs = 0
  /** By how much the machines' common clock, that of the database too, was set since the beginning. */
  clockSetMs = 0
  /**
   * How long everything was asleep: all clocks have gone on by it, those that only go forward as well, and nothing has happened
   * meanwhile. So days pass without anybody who looks every second.
   */
  sleptMs = 0
  happened = 0
  readonly #queue: Happening[] = []
  #order = 0
  #hash = 0
  #ids = 0
  #current: Process | undefined
  #lines: string[] | undefined

  /** @param keepsTrace whether what happens is told in words, too */
  constructor(seed: number, keepsTrace = false) {
    this.random = new Random(seed)
    if (keepsTrace) this.#lines = []
  }

  get trace(): readonly string[] {
    return this.#lines ?? []
  }

  /** Of everything that happened so far and when. */
  get hash(): number {
    return this.#hash >>> 0
  }

  /** What the clock on the wall shows, in milliseconds since 1970. */
  get epochMs(): number {
    return BEGINNING_MS + this.clockSetMs + this.sleptMs + this.nowMs
  }

  /** Tells what happens, where a trace is kept. */
  note(what: () => string): void {
    this.#lines?.push(
      `${(this.nowMs / 1_000).toFixed(4).padStart(9)} ${(this.#current?.name ?? '–').padEnd(4)} ${what()}`,
    )
  }

  get keepsTrace(): boolean {
    return this.#lines !== undefined
  }

  after(delayMs: number, action: () => void, process?: Process): Happening {
    const happening = { atMs: this.nowMs + Math.max(0, delayMs), order: this.#order++, action, process }
    this.#push(happening)
    return happening
  }

  timersOf(process: Process): Timers {
    const after = (milliseconds: number, action: () => void) => {
      const happening = this.after(milliseconds, action, process)
      return () => {
        happening.action = nothing
      }
    }
    return {
      nowMs: () => this.sleptMs + this.nowMs,
      after,
      every: (milliseconds, action) => {
        let stop = nothing
        const again = () => {
          stop = after(milliseconds, again)
          action()
        }
        stop = after(milliseconds, again)
        return () => stop()
      },
      sleep: (milliseconds) => new Promise((resolve) => void this.after(milliseconds, resolve, process)),
      turn: () => new Promise((resolve) => void this.after(0, resolve, process)),
      jitter: () => this.random.next(),
    }
  }

  /** Lets everything happen up to that moment, or until `isOver`, which is asked after each happening. */
  run(untilMs: number, isOver: () => boolean = () => false): void {
    for (let next = this.#queue[0]; next !== undefined && next.atMs <= untilMs; next = this.#queue[0]) {
      this.#pop()
      const { process } = next
      if (next.action === nothing || process?.isAlive === false) continue
      if (process !== undefined && process.stoppedUntilMs > next.atMs) {
        this.#push({ ...next, atMs: process.stoppedUntilMs, order: this.#order++ })
        continue
      }
      this.nowMs = Math.max(this.nowMs, next.atMs)
      this.happened++
      this.mix(Math.round(this.nowMs * 1_000))
      this.#act(process, next.action)
      if (isOver()) return
    }
    this.nowMs = Math.max(this.nowMs, untilMs)
  }

  /** Does something as that process, with all that follows from it at once. */
  #act(process: Process | undefined, action: () => void): void {
    const [{ listeners }, { next }, { nowMs }] = [commitNews, idSource, sliceClock]
    this.#current = process
    if (process !== undefined) commitNews.listeners = process.listeners
    idSource.next = this.#nextId
    sliceClock.nowMs = () => 0
    try {
      action()
      drainMicrotasks()
    } finally {
      // What else runs in this process, such as the tests after these, has its own.
      commitNews.listeners = listeners
      idSource.next = next
      sliceClock.nowMs = nowMs
      this.#current = undefined
    }
  }

  /** A stopped process goes on now. */
  wake(process: Process): void {
    const waitedUntilMs = process.stoppedUntilMs
    if (waitedUntilMs <= this.nowMs) return
    process.stoppedUntilMs = this.nowMs
    for (const happening of this.#queue)
      if (happening.process === process && happening.atMs === waitedUntilMs) happening.atMs = this.nowMs
    // What is sorted is a heap.
    this.#queue.sort((one, other) => (isBefore(one, other) ? -1 : 1))
  }

  /** Takes something that was seen into the hash. */
  mix(value: number): void {
    this.#hash = Math.imul((this.#hash ^ value) + 0x9e3779b9, 0x85ebca6b)
    this.#hash ^= this.#hash >>> 13
  }

  /** As UUIDv7: by the clock of the machine that makes it. */
  readonly #nextId = (): string => {
    const at = Math.floor(this.epochMs + (this.#current?.clockAheadMs ?? 0))
      .toString(16)
      .padStart(12, '0')
    const count = (this.#ids++).toString(16).padStart(12, '0')
    return `${at.slice(0, 8)}-${at.slice(8)}-7${count.slice(0, 3)}-8${count.slice(3, 6)}-000000${count.slice(6)}`
  }

  #push(happening: Happening): void {
    const queue = this.#queue
    let place = queue.push(happening) - 1
    while (place > 0) {
      const above = (place - 1) >> 1
      const parent = queue[above]
      if (parent === undefined || !isBefore(happening, parent)) break
      queue[place] = parent
      place = above
    }
    queue[place] = happening
  }

  #pop(): void {
    const queue = this.#queue
    const last = queue.pop()
    if (last === undefined || queue.length === 0) return
    let place = 0
    for (;;) {
      let below = 2 * place + 1
      const [left, right] = [queue[below], queue[below + 1]]
      if (left === undefined) break
      let least = left
      if (right !== undefined && isBefore(right, left)) {
        least = right
        below++
      }
      if (!isBefore(least, last)) break
      queue[place] = least
      place = below
    }
    queue[place] = last
  }
}

function isBefore(one: Happening, other: Happening): boolean {
  return one.atMs < other.atMs || (one.atMs === other.atMs && one.order < other.order)
}

function nothing(): void {}
