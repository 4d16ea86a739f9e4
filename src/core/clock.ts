import { type Instant, instantFromEpochMs } from './instant.ts'

/** The one place that asks what time it is; handed in from start.ts so that tests can move it. */
export interface Clock {
  now(): Instant
}

/** Follows every correction of the system's clock. */
export const systemClock: Clock = { now: () => instantFromEpochMs(epochMsNow()) }

/** Tuned: `Date.now` has whole milliseconds only, so the finer clock is right as long as it is this close. */
const TOLERANCE_MS = 2

let offsetMs = performance.timeOrigin

/**
 * Milliseconds since 1970 by the system's clock, with microseconds. Those come from the monotonic clock, which is anchored
 * again as soon as it differs: by itself it would keep the time of the process's start for ever, wrong as it may have been.
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
