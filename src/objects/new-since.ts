import type { Clock } from '../core/clock.ts'
import { epochMsOf } from '../core/instant.ts'
import type { Timers } from '../core/timers.ts'

/** Tuned: a clock that is only slewed takes minutes for such a step, so that few settings are kept. */
const STEP_MS = 1_000

/**
 * Tells which objects have been in the store for some time, even if the machine's clock was set meanwhile. A clock that was set
 * back dates a new object before an instant noted earlier; one that was set forward makes a new object look old. So it uses the
 * lowest of the settings that may have dated an object within that time.
 *
 * @param ageMs milliseconds for which an object counts as new
 * @returns a function that returns the instant since which objects are new, in milliseconds since 1970; call it again for each
 * object, after reading the object's age
 */
export function newSince(clock: Clock, timers: Pick<Timers, 'nowMs'>, ageMs: number): () => number {
  /**
   * By how much the clock was ahead of the monotonic one, oldest and lowest first; each setting applied until the next was seen.
   */
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
