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
  /** True if no other process can use the database: the previous run's claims are then taken over at once. */
  isSoleInstance?: boolean
  /** Present if only this process uses the database: the steps it is working on, and those of the previous run. */
  atWork?: AtWork
  onPoint?: (point: Point, claim: Claim) => void | Promise<void>
  timing?: Partial<RunnerTiming>
  /** The system's by default; a simulation has its own. */
  timers?: Timers
}

export interface RunnerTiming {
  leaseMs: number
  heartbeatMs: number
  pollMs: number
  backoffFirstMs: number
  backoffMaxMs: number
  /** Pause between two attempts to record a result. */
  recordFirstMs: number
  recordMaxMs: number
  /** Pause between two probes of an unusable object store. */
  probeFirstMs: number
  probeMaxMs: number
}

/** A claimed execution, by its current claim. */
export interface Held {
  claim: Claim
  /** Another owner has the step, or it was given back: its result must be discarded. */
  isLost: boolean
  /** Its next state is on the way to the database, which decides whether the claim is still valid. */
  isRecording: boolean
}
