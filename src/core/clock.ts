import { type Instant, instantFromEpochMs } from './instant.ts'

/** The one place that asks what time it is; handed in from start.ts so that tests can move it. */
export interface Clock {
  now(): Instant
}

export const systemClock: Clock = {
  now: () => instantFromEpochMs(performance.timeOrigin + performance.now()),
}
