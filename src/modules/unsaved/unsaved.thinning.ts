import { addMs, type Instant } from '../../core/instant.ts'
import { limits } from '../../core/limits.ts'

export interface Kept {
  id: string
  isOpen: boolean
  typedAt: Instant
}

/**
 * Which states of one draft to remove: all of the last hour stay, of each hour before it the newest, and this many in
 * all. What is still unsaved stays, unless there is too much of it.
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
  // The oldest last, and what is unsaved before all others.
  const ranked = [...left.filter(({ isOpen }) => isOpen), ...left.filter(({ isOpen }) => !isOpen)]
  for (const { id } of ranked.slice(limits.unsavedStates)) removed.add(id)
  return [...removed]
}

/** As an instant begins: `2026-11-29T01`. */
function hourOf(at: Instant): string {
  return at.slice(0, 13)
}
