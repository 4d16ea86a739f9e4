/** "Did you mean": the nearest of a few known names. */

import { editDistance } from '../../core/edit-distance.ts'

/** A hint that names the nearest candidate, else lists them while they are few, else undefined. */
export function suggest(name: string, candidates: Iterable<string>, prefix = ''): string | undefined {
  const known: string[] = []
  let best: string | undefined
  let bestDistance = Math.max(1, Math.min(3, Math.floor(name.length / 3))) + 1
  const wanted = name.slice(0, 64).toLowerCase()
  for (const candidate of candidates) {
    if (known.length >= 200) break
    known.push(candidate)
    const found = editDistance(wanted, candidate.slice(0, 64).toLowerCase(), bestDistance - 1)
    if (found < bestDistance) {
      best = candidate
      bestDistance = found
    }
  }
  if (best !== undefined) return `Did you mean ${prefix}${best}?`
  if (known.length === 0 || known.length > 12) return undefined
  return `Known here: ${known.map((each) => prefix + each).join(', ')}.`
}
