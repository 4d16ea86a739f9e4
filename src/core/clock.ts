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
  const monotonicMs = performance.now()
  const driftMs = Date.now() - (monotonicMs + offsetMs)
  if (driftMs > TOLERANCE_MS || driftMs < -1 - TOLERANCE_MS) offsetMs += driftMs
  return monotonicMs + offsetMs
}
