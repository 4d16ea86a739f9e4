import { addMs, type Instant } from '../../core/instant.ts'
import { limits } from '../../core/limits.ts'

export interface Kept {
  id: string
  isOpen: boolean
  typedAt: Instant
}

/**
 * Ids of the states of one draft to remove. Kept are all of the last hour, the newest of each hour before it, and at most a fixed
 * number in total. Open states are kept unless there are too many.
 * @param states newest first
 */
export function statesToRemove(states: readonly Kept[], now: Instant): string[] {
  const dense = addMs(now, -limits.unsavedDenseMs)
  const hours = new Set<string>()
  const removed = new Set<string>()
  for (const { id, isOpen, typedAt } of states) {
    if (isOpen || typedAt >= dense) continue
    const hour = hourOf(typedAt)
    if (hours.has(hour)) removed.add(id)
    hours.add(hour)
  }
  const left = states.filter(({ id }) => !removed.has(id))
  // Open ones first, and the oldest last.
  const ranked = [...left.filter(({ isOpen }) => isOpen), ...left.filter(({ isOpen }) => !isOpen)]
  for (const { id } of ranked.slice(limits.unsavedStates)) removed.add(id)
  return [...removed]
}

/** The first characters of an instant, as `2026-11-29T01`. */
function hourOf(at: Instant): string {
  return at.slice(0, 13)
}
