import type { Clock } from '../core/clock.ts'
import { epochMsOf } from '../core/instant.ts'
import type { Timers } from '../core/timers.ts'

/** Tuned: a clock that is only slowed or hurried takes minutes for such a step, so few of them are kept. */
const STEP_MS = 1_000

/**
 * Tells which objects have been in the store this long, even where the machine's clock was set meanwhile. Set back, it dates a new
 * object before an instant that was noted earlier; set forward, it makes a new one look old. So what counts is the lowest that the clock
 * has shown, of those settings that may have dated an object within that age.
 *
 * @param ageMs milliseconds for which an object counts as new
 * @returns gives the instant since which objects are new, in milliseconds since 1970; asked again for each object, and after its age
 */
export function newSince(clock: Clock, timers: Pick<Timers, 'nowMs'>, ageMs: number): () => number {
  /** By how much the clock was ahead of the one that only goes forward, oldest first and lowest first; each until the next was seen. */
  let settings: { aheadMs: number; seenAtMs: number }[] = []
  return () => {
    const nowMs = timers.nowMs()
    const epochMs = epochMsOf(clock.now())
    const aheadMs = Math.floor((epochMs - nowMs) / STEP_MS) * STEP_MS
    settings = settings.filter((setting, index) => {
      const next = settings[index + 1]
      return setting.aheadMs <= aheadMs && (next === undefined || nowMs - next.seenAtMs <= ageMs)
    })
    if (settings.at(-1)?.aheadMs !== aheadMs) settings.push({ aheadMs, seenAtMs: nowMs })
    const [lowest, another] = settings
    return (lowest === undefined || another === undefined ? epochMs : nowMs + lowest.aheadMs) - ageMs
  }
}
