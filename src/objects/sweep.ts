import { limits } from '../core/limits.ts'
import type { Timers } from '../core/timers.ts'
import type { ObjectStore, StoredObject } from './object-store.ts'
import { removeObjects } from './removal.ts'

export interface SweepOptions {
  objects: ObjectStore
  /** Which of these content hashes a row names. */
  named: (hashes: readonly string[]) => Promise<Set<string>>
  nowMs: number
  minAgeMs: number
  /** Whether to remove an orphan; by default orphans are only listed. */
  mayDelete?: (orphan: StoredObject) => boolean
  timers?: Timers
}

export interface Swept {
  /** Number of objects that the store lists. */
  objects: number
  bytes: number
  orphans: StoredObject[]
  deleted: number
}

/**
 * Finds objects that no row names and that are too old for a step to be about to name them: bytes are stored first, and the row
 * is written a moment later; storing an object again renews its age. Row and age are checked once more before an object is
 * removed.
 */
export async function sweepObjects(options: SweepOptions): Promise<Swept> {
  const swept: Swept = { objects: 0, bytes: 0, orphans: [], deleted: 0 }
  let batch: StoredObject[] = []
  for await (const object of options.objects.list()) {
    swept.objects++
    swept.bytes += object.size
    if (options.nowMs - object.modifiedAtMs < options.minAgeMs) continue
    batch.push(object)
    if (batch.length < limits.orphanSweepBatch) continue
    await sweepBatch(batch, options, swept)
    batch = []
  }
  await sweepBatch(batch, options, swept)
  return swept
}

async function sweepBatch(batch: readonly StoredObject[], options: SweepOptions, swept: Swept): Promise<void> {
  if (batch.length === 0) return
  const { objects, named, nowMs, minAgeMs, mayDelete, timers } = options
  const namedNow = await named(batch.map(({ hash }) => hash))
  const orphans = batch.filter(({ hash }) => !namedNow.has(hash))
  swept.orphans.push(...orphans)
  const doomed = orphans.filter((orphan) => mayDelete?.(orphan) === true).map(({ hash }) => hash)
  // Long enough to outlast the turn of a killed process.
  const patienceMs = limits.objectTurnMs + limits.objectTurnPatienceMs
  const since = () => nowMs - minAgeMs
  const removal = { objects, named, since, patienceMs, ...(timers === undefined ? {} : { timers }) }
  await removeObjects(removal, doomed, (_hash, outcome) => {
    if (outcome === 'removed') swept.deleted++
  })
}
