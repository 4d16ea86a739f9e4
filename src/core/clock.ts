import { type Instant, instantFromEpochMs } from './instant.ts'

/** The one place that asks what time it is; handed in from start.ts so that tests can move it. */
export interface Clock {
  now(): Instant
}

/** Follows every correction of the system's clock. */
export const systemClock: Clock = { now: () => instantFromEpochMs(epochMsNow()) }

/** Tuned: `Date.now` has only whole milliseconds, so the finer clock is right if it is this close. */
const TOLERANCE_MS = 2

let offsetMs = performance.timeOrigin

/**
 * Milliseconds since 1970 by the system's clock, with a fraction. The fraction comes from the monotonic clock, which is
 * re-anchored once it deviates; on its own it would keep an error of the process's start for ever.
 */
export function epochMsNow(): number {
  const beforeMs = performance.now()
  const wallMs = Date.now()
  const monotonicMs = performance.now()
  // The process may have been paused between two of them, which is no drift.
  const aheadMs = wallMs - (monotonicMs + offsetMs)
  const behindMs = wallMs - (beforeMs + offsetMs)
  if (aheadMs > TOLERANCE_MS) offsetMs += aheadMs
  else if (behindMs < -1 - TOLERANCE_MS) offsetMs += behindMs
  return monotonicMs + offsetMs
}
