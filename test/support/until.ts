import { availableParallelism, loadavg } from 'node:os'

/** What a quiet machine does in less, if it does it at all. */
const PATIENCE_MS = 10_000
/** Shorter than a test's own time, so that what never comes fails with its name. */
const LONGEST_MS = 40_000

/** How long to wait for what takes no time on a quiet machine: longer on a busy one, by the processes that share each core. */
export function patienceMs(): number {
  const perCore = (loadavg()[0] ?? 0) / availableParallelism()
  return Math.min(LONGEST_MS, PATIENCE_MS * Math.max(1, perCore))
}

/** How long to pause before asking again, by how long it has been waited. */
export type Pause = (waitedMs: number) => number

/**
 * For what stays once it is so and costs something to ask, such as a request to a server: the answer comes at most a tenth later, and
 * whoever is asked has the processor meanwhile.
 */
export const askedLessOften: Pause = (waitedMs) => Math.min(100, 5 + waitedMs / 10)

/**
 * Polls until the condition gives something, and gives that; fails with its name when it doesn't in time. Every 5 ms, if nothing else is
 * said, since some of what is waited for is soon over again.
 */
export async function until<T>(
  what: string,
  condition: () => T | Promise<T>,
  timeoutMs = patienceMs(),
  pauseMs: Pause = () => 5,
): Promise<Exclude<T, false | null | undefined>> {
  const startedMs = performance.now()
  for (;;) {
    const value = await condition()
    if (isGiven(value)) return value
    const waitedMs = performance.now() - startedMs
    if (waitedMs > timeoutMs) throw new Error(`waited ${Math.round(waitedMs)} ms in vain until ${what}`)
    await Bun.sleep(pauseMs(waitedMs))
  }
}

function isGiven<T>(value: T): value is Exclude<T, false | null | undefined> {
  return Boolean(value)
}
