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

/** Polls until the condition gives something, and gives that; fails with its name when it doesn't in time. */
export async function until<T>(
  what: string,
  condition: () => T | Promise<T>,
  timeoutMs = patienceMs(),
): Promise<Exclude<T, false | null | undefined>> {
  const startedMs = performance.now()
  for (;;) {
    const value = await condition()
    if (isGiven(value)) return value
    const waitedMs = performance.now() - startedMs
    if (waitedMs > timeoutMs) throw new Error(`waited ${Math.round(waitedMs)} ms in vain until ${what}`)
    await Bun.sleep(5)
  }
}

function isGiven<T>(value: T): value is Exclude<T, false | null | undefined> {
  return Boolean(value)
}
