import { editDistance } from './edit-distance.ts'

/** The candidate most like a misspelt word, or undefined when none is within a third of its length in edits. */
export function nearest(word: string, candidates: Iterable<string>): string | undefined {
  let best: string | undefined
  let bestDistance = Math.floor(word.length / 3) + 1
  // Beyond this length nobody misspells, and the distance costs the product of both lengths.
  if (word.length > 64) return undefined
  for (const candidate of candidates) {
    const distance = editDistance(word.toLowerCase(), candidate.toLowerCase(), bestDistance - 1)
    if (distance >= bestDistance) continue
    best = candidate
    bestDistance = distance
  }
  return best
}
