import { limits } from '../../core/limits.ts'
import type { Log } from '../../core/log.ts'
import type { Database } from '../../db/database.ts'
import type { ObjectStore } from '../../objects/object-store.ts'
import { sweepObjects } from '../../objects/sweep.ts'
import { namedHashes } from './storage.reads.ts'

export interface SweeperDependencies {
  database: Database
  objects: ObjectStore
  log: Log
  /** True while this instance has the role; one of several sweeps. */
  isLeader: () => Promise<boolean>
  everyMs?: number
}

/** What a round of this instance found. */
export interface SweepRound {
  atMs: number
  /** All objects of the store, and their bytes. */
  objects: number
  bytes: number
  /** Orphans. */
  found: number
  removed: number
}

/** The sweep of a running service. An orphan is removed by the second round that finds it; the first round only logs it. */
export function startSweeper({
  database,
  objects,
  log,
  isLeader,
  everyMs = limits.orphanSweepMs,
}: SweeperDependencies) {
  let seen = new Set<string>()
  let last: SweepRound | undefined
  let nextAtMs = Date.now() + everyMs
  async function round(): Promise<void> {
    try {
      if (!(await isLeader())) return
      const swept = await sweepObjects({
        objects,
        named: (hashes) => namedHashes(database.read, hashes),
        nowMs: Date.now(),
        minAgeMs: limits.orphanAgeMs,
        mayDelete: ({ hash }) => seen.has(hash),
      })
      seen = new Set(swept.orphans.map(({ hash }) => hash))
      if (swept.orphans.length > 0) {
        log.info('objects that no row names', { found: swept.orphans.length, removed: swept.deleted })
      }
      const { objects: count, bytes, orphans, deleted } = swept
      last = { atMs: Date.now(), objects: count, bytes, found: orphans.length, removed: deleted }
    } catch (error) {
      log.warn('the object store could not be swept; the next round tries again', { cause: error })
    }
  }
  const timer = setInterval(() => {
    nextAtMs = Date.now() + everyMs
    void round()
  }, everyMs)
  return {
    round,
    get last() {
      return last
    },
    get nextAtMs() {
      return nextAtMs
    },
    stop: () => clearInterval(timer),
  }
}
