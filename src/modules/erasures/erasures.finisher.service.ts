import { type Clock, systemClock } from '../../core/clock.ts'
import { limits } from '../../core/limits.ts'
import type { Log } from '../../core/log.ts'
import { systemTimers, type Timers } from '../../core/timers.ts'
import type { Database } from '../../db/database.ts'
import { newSince } from '../../objects/new-since.ts'
import type { ObjectStore } from '../../objects/object-store.ts'
import { removeObjects } from '../../objects/removal.ts'
import { noteHolds } from '../holds/holds.notes.service.ts'
import type { Ledger } from '../ledger/ledger.service.ts'
import { noteRetention } from '../policies/policies.notes.service.ts'
import { namedHashes } from '../storage/storage.reads.ts'
import { logBroughtBack, note, reconcileAll } from './erasures.reconcile.service.ts'
import { listErasedObjects, listPending, markCompleted } from './erasures.store.ts'

/** Points at which tests may end the process. */
export type FinisherPoint = 'noted' | 'object-removed' | 'objects-removed' | 'files-scrubbed' | 'completed'

export interface FinisherDependencies {
  database: Database
  objects: ObjectStore
  ledger: Ledger
  clock: Clock
  log: Log
  /** Whether the ledger could be read at the start; if not, it is read as soon as possible. */
  isReconciled: boolean
  timers?: Timers
  /** The machine's clock, which sets the times of objects; `clock` may be the database's, and hours off. */
  machineClock?: Clock
  /** For tests: the minimum age at which objects are removed. */
  minAgeMs?: number
  onPoint?: (point: FinisherPoint) => void
}

/**
 * Finishes erasures after their transaction: notes them in the ledger, removes objects that no other artifact names, and scrubs
 * what an embedded database's files still hold. If the process is killed meanwhile, the next start continues. Several instances
 * may do this at once.
 */
export function startFinisher(dependencies: FinisherDependencies) {
  const { database, objects, ledger, log, timers = systemTimers, onPoint = () => {} } = dependencies
  const { machineClock = systemClock, minAgeMs = limits.erasureObjectAgeMs } = dependencies
  const since = newSince(machineClock, timers, minAgeMs)
  const noted = new Set<string>()
  let { isReconciled } = dependencies
  let isStopping = false
  let running: Promise<void> | undefined

  /** @returns false while an object is too young to be removed, because a step may be about to name it */
  async function removeOf(erasureId: string): Promise<boolean> {
    let isDone = true
    const named = (hashes: readonly string[]) => namedHashes(database.read, hashes)
    const removal = { objects, named, since, timers, isStopping: () => isStopping }
    await removeObjects(removal, await listErasedObjects(database.read, erasureId), (_hash, outcome) => {
      if (outcome === 'kept') isDone = false
      // A removed object may come back after a power cut until the store has confirmed the removal.
      else if (outcome !== 'named') onPoint('object-removed')
    })
    return isDone
  }

  /** Writes an erasure to the ledger before it counts as completed; else a restore could bring the erased data back. */
  async function noteOnce(erasureId: string): Promise<void> {
    if (noted.has(erasureId)) return
    await note({ database, ledger }, erasureId)
    noted.add(erasureId)
    onPoint('noted')
  }

  async function complete(removed: readonly string[], rewriteBytes: number): Promise<void> {
    if ((await database.scrub?.(rewriteBytes)) === false) return
    onPoint('files-scrubbed')
    await database.write(async (tx) => {
      for (const id of removed) await markCompleted(tx, id)
    })
    onPoint('completed')
    for (const id of removed) noted.delete(id)
    log.info('erasures were completed', { erasures: removed })
  }

  async function round(): Promise<void> {
    // Called in every round: it notices that the clock was set only by looking repeatedly.
    since()
    try {
      if (!isReconciled) {
        logBroughtBack(log, await reconcileAll(dependencies))
        isReconciled = true
      }
      await noteHolds({ database, ledger })
      await noteRetention({ database, ledger })
      const pending = await listPending(database.read, limits.tablePageRows)
      const removed: string[] = []
      let failure: unknown
      for (const { id } of pending) {
        try {
          await noteOnce(id)
          if (await removeOf(id)) removed.push(id)
        } catch (error) {
          failure = error
          break
        }
      }
      onPoint('objects-removed')
      // Policies remove batch after batch, so the file is not rewritten for those.
      const rewriteBytes = pending.some(({ rule }) => rule === null) ? limits.erasureRewriteBytes : 0
      if (removed.length > 0) await complete(removed, rewriteBytes)
      if (failure !== undefined) throw failure
    } catch (error) {
      log.warn('an erasure could not be completed; the next round tries again', { cause: error })
    }
  }

  const look = () => {
    if (!isStopping) running ??= round().finally(() => (running = undefined))
  }
  const stopLooking = timers.every(limits.erasureFinishMs, look)
  look()
  return {
    round,
    async stop() {
      isStopping = true
      stopLooking()
      await running
    },
  }
}
