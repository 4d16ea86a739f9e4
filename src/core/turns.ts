import { limits } from './limits.ts'

/** Lets what waits for the thread run before what follows: answers of others, timers, what arrived meanwhile. */
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
 * Does the work while others get their turns: all work of this kind has one slice of the thread between them. What is small
 * is done at once, and large inputs take turns among themselves.
 */
export async function inTurns<T>(work: InParts<T>): Promise<T> {
  for (;;) {
    if (sliceClock.nowMs() >= sliceEnd()) await nextSlice()
    const { done, value } = work.next()
    if (done === true) return value as T
  }
}

/** By which slices are measured; a simulation, in which work takes no time, puts its own here. */
export const sliceClock = { nowMs: (): number => performance.now() }

let sliceEndsMs: number | undefined
const waiting: (() => void)[] = []

/** The slice that is under way; one that begins now ends with this turn of the event loop at the latest. */
function sliceEnd(): number {
  if (sliceEndsMs === undefined) {
    sliceEndsMs = sliceClock.nowMs() + limits.turnMs
    setImmediate(beginSlice)
  }
  return sliceEndsMs
}

function nextSlice(): Promise<void> {
  return new Promise((resolve) => waiting.push(resolve))
}

/** One of those that wait goes on, and gives the rest of its slice to whoever asks meanwhile. */
function beginSlice(): void {
  sliceEndsMs = undefined
  if (waiting.length === 0) return
  sliceEnd()
  waiting.shift()?.()
}
