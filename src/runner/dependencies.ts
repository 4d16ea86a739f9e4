import type { Bus } from '../bus/message-bus.ts'
import type { Clock } from '../core/clock.ts'
import type { Log } from '../core/log.ts'
import type { Timers } from '../core/timers.ts'
import type { Database } from '../db/database.ts'
import type { ObjectStore } from '../objects/object-store.ts'
import type { AtWork } from './at-work.ts'
import type { EnginePool } from './pool.ts'
import type { Claim } from './steps.store.ts'

/** Points at which tests may stop a runner: a kill has a different effect between any two of them. */
export type Point = 'claimed' | 'computed' | 'object-stored' | 'before-record' | 'recorded'

export interface RunnerDependencies {
  database: Database
  objects: ObjectStore
  pool: EnginePool
  bus: Bus
  clock: Clock
  log: Log
  /** Unique to this run of this process; identifies the owner of leases. */
  owner: string
  /** True if no other process can use the database: what a run before this one held is then taken over at once. */
  isSoleInstance?: boolean
  /** Present if only this process uses the database: the steps it is at work on, and those of the previous run. */
  atWork?: AtWork
  onPoint?: (point: Point, claim: Claim) => void | Promise<void>
  timing?: Partial<RunnerTiming>
  /** The system's, unless a simulation has its own. */
  timers?: Timers
}

export interface RunnerTiming {
  leaseMs: number
  heartbeatMs: number
  pollMs: number
  backoffFirstMs: number
  backoffMaxMs: number
  /** Between two tries to record a result. */
  recordFirstMs: number
  recordMaxMs: number
  /** Between two probes of an object store that can't be used. */
  probeFirstMs: number
  probeMaxMs: number
}

/** A claimed execution, by its current claim. */
export interface Held {
  claim: Claim
  /** Another owner has the step, or it was given back: its result must be dropped. */
  isLost: boolean
  /** Its next state is on the way to the database, which decides whether the claim still holds. */
  isRecording: boolean
}
