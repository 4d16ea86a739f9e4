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
  /** Whether the ledger could be read at the start; else it is read as soon as it can. */
  isReconciled: boolean
  timers?: Timers
  /** The machine's, by which objects have their times; `clock` may be the database's, and hours off. */
  machineClock?: Clock
  /** For tests: objects may be younger. */
  minAgeMs?: number
  onPoint?: (point: FinisherPoint) => void
}

/**
 * Sees to what an erasure's transaction can't: notes it in the ledger, and removes the objects that no other artifact names
 * and what the files of an embedded database still hold. A process that is killed meanwhile leaves it to the next start;
 * several instances do no harm to each other.
 */
export function startFinisher(dependencies: FinisherDependencies) {
  const { database, objects, ledger, log, timers = systemTimers, onPoint = () => {} } = dependencies
  const { machineClock = systemClock, minAgeMs = limits.erasureObjectAgeMs } = dependencies
  const since = newSince(machineClock, timers, minAgeMs)
  const noted = new Set<string>()
  let { isReconciled } = dependencies
  let isStopping = false
  let running: Promise<void> | undefined

  /** @returns false while an object is too young to be removed: a step may be about to name it */
  async function removeOf(erasureId: string): Promise<boolean> {
    let isDone = true
    const named = (hashes: readonly string[]) => namedHashes(database.read, hashes)
    const removal = { objects, named, since, timers, isStopping: () => isStopping }
    await removeObjects(removal, await listErasedObjects(database.read, erasureId), (_hash, outcome) => {
      if (outcome === 'kept') isDone = false
      // One that is gone may come back after a power cut, until the store has said that it is.
      else if (outcome !== 'named') onPoint('object-removed')
    })
    return isDone
  }

  /** An erasure is in the ledger before it counts as completed: a restore would bring back what it took otherwise. */
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
    // A clock that is set is noticed by looking at it again and again.
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
      // Policies remove batch after batch: the file is not rewritten for each of them.
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
