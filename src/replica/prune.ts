import { dayMs } from '../core/instant.ts'
import type { ObjectStore } from '../objects/object-store.ts'
import { idsOf, madeAtMs, noteName, readBase } from './format.ts'

export interface PruneWanted {
  target: ObjectStore
  /** The store of which the replica is a copy. */
  objects: ObjectStore
  keepDays: number
  nowMs?: number
}

/**
 * Removes from a replica what no restore to the kept days needs: bases older than the newest one before these days, the log
 * before the oldest remaining base, and objects that neither a base nor the store has.
 */
export async function prune({ target, objects, keepDays, nowMs = Date.now() }: PruneWanted): Promise<void> {
  const untilMs = nowMs - keepDays * dayMs
  const names = await target.notes.names()
  const ids = idsOf('base', names)
  const firstKept = ids.findLast((id) => madeAtMs(id) <= untilMs) ?? ids[0]
  if (firstKept === undefined) return
  const kept = new Set<string>()
  let since = firstKept
  for (const id of ids) {
    if (id < firstKept) continue
    const bytes = await target.notes.get(noteName('base', id))
    const base = bytes === undefined ? undefined : readBase(bytes)
    // An unreadable base: only the version that wrote it knows what it needs, so nothing is removed.
    if (base === undefined) return
    if (base.since < since) since = base.since
    for (const piece of base.pieces) kept.add(piece)
  }
  for (const id of ids) if (id < firstKept) await target.notes.delete(noteName('base', id))
  for (const id of idsOf('log', names)) if (id < since) await target.notes.delete(noteName('log', id))
  for await (const { hash, modifiedAtMs } of target.list()) {
    if (kept.has(hash) || modifiedAtMs >= untilMs || (await objects.size(hash)) !== undefined) continue
    await target.delete(hash)
  }
}
