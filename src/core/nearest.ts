import { editDistance } from './edit-distance.ts'
import { limits } from './limits.ts'

/**
 * The candidate most like a misspelt word; undefined if every one needs more edits than a third of its length. Compares candidates
 * in order, up to `limits.nearestCharacters` in total.
 */
export function nearest(word: string, candidates: Iterable<string>): string | undefined {
  let best: string | undefined
  let bestDistance = Math.floor(word.length / 3) + 1
  // Beyond this length nobody misspells, and the distance costs the product of both lengths.
  if (word.length > 64) return undefined
  const wanted = word.toLowerCase()
  let left: number = limits.nearestCharacters
  for (const candidate of candidates) {
    const lower = candidate.toLowerCase()
    if (Math.abs(lower.length - wanted.length) >= bestDistance) continue
    left -= lower.length
    if (left < 0) break
    const distance = editDistance(wanted, lower, bestDistance - 1)
    if (distance >= bestDistance) continue
    best = candidate
    bestDistance = distance
  }
  return best
}
