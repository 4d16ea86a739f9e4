import { othersTurn } from './turns.ts'

/**
 * How time passes for background work: the runner, the relay, the sealer, the database's writers. Injected, so that a
 * simulation can control it. Times in records come from a `Clock`.
 */
export interface Timers {
  /** Milliseconds of a clock that only goes forward; no instant of the calendar. */
  nowMs(): number
  /** Calls back once, unless it is stopped before. */
  after(milliseconds: number, action: () => void): Stop
  /** Calls back again and again, until it is stopped. */
  every(milliseconds: number, action: () => void): Stop
  sleep(milliseconds: number): Promise<void>
  /** Lets what waits for the thread run first: answers of others, timers, what arrived meanwhile. */
  turn(): Promise<void>
  /** From 0 up to 1, by which waits that began together end apart. */
  jitter(): number
}

export type Stop = () => void

export const systemTimers: Timers = {
  nowMs: () => performance.now(),
  after(milliseconds, action) {
    const timer = setTimeout(action, milliseconds)
    return () => clearTimeout(timer)
  },
  every(milliseconds, action) {
    const timer = setInterval(action, milliseconds)
    return () => clearInterval(timer)
  },
  sleep: (milliseconds) => Bun.sleep(milliseconds),
  turn: othersTurn,
  jitter: () => Math.random(),
}
