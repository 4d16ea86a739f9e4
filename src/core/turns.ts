import { limits } from './limits.ts'

/** Yields to whatever waits for the thread: other requests, timers, new arrivals. */
export function othersTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}

/** Work on a large value that can stop between its parts; each takes well under a millisecond. */
export type InParts<T> = Generator<unknown, T, void>

export function atOnce<T>(work: InParts<T>): T {
  for (;;) {
    const { done, value } = work.next()
    if (done === true) return value as T
  }
}

/**
 * Does the work while yielding to others. Small work is done at once. Larger work continues in slices, one per turn of the event loop:
 * waiting callers get slices in order, and pass on what is left of theirs.
 */
export async function inTurns<T>(work: InParts<T>): Promise<T> {
  let endsMs = sliceClock.nowMs() + limits.turnAtOnceMs
  let hasSlice = false
  try {
    for (;;) {
      const { done, value } = work.next()
      if (done === true) return value as T
      if (sliceClock.nowMs() < endsMs) continue
      hasSlice = false
      endsMs = await nextSlice()
      hasSlice = true
    }
  } finally {
    if (hasSlice && sliceClock.nowMs() < endsMs) waiting.shift()?.(endsMs)
  }
}

/**
 * Waits for a turn of the event loop of its own. For work that holds the thread for a while and can't pause, such as reading a
 * file from an embedded database: simultaneous callers get separate turns.
 */
export async function ownTurn(): Promise<void> {
  await nextSlice()
}

/** By which slices are measured; a simulation, in which work takes no time, puts its own here. */
export const sliceClock = { nowMs: (): number => performance.now() }

/** Those whose work goes on when their slice begins; they get the time at which it ends. */
const waiting: ((endsMs: number) => void)[] = []
let isSliceComing = false

function nextSlice(): Promise<number> {
  return new Promise((resolve) => {
    waiting.push(resolve)
    comeAgain()
  })
}

function comeAgain(): void {
  if (isSliceComing || waiting.length === 0) return
  isSliceComing = true
  setImmediate(() => {
    isSliceComing = false
    waiting.shift()?.(sliceClock.nowMs() + limits.turnMs)
    comeAgain()
  })
}
