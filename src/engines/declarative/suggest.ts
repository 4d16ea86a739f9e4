/** "Did you mean": the nearest of a few known names. */

/** Edit distance with transpositions, or more than `limit` as soon as it must be. */
function distance(left: string, right: string, limit: number): number {
  if (Math.abs(left.length - right.length) > limit) return limit + 1
  let beforePrevious: number[] = []
  let previous = Array.from({ length: right.length + 1 }, (_, index) => index)
  for (let row = 1; row <= left.length; row++) {
    const current = [row]
    let smallest = row
    for (let column = 1; column <= right.length; column++) {
      const same = left[row - 1] === right[column - 1]
      let cost = Math.min(previous[column]! + 1, current[column - 1]! + 1, previous[column - 1]! + (same ? 0 : 1))
      if (row > 1 && column > 1 && left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1]) {
        cost = Math.min(cost, beforePrevious[column - 2]! + 1)
      }
      current.push(cost)
      if (cost < smallest) smallest = cost
    }
    if (smallest > limit) return limit + 1
    beforePrevious = previous
    previous = current
  }
  return previous[right.length]!
}

/** A hint that names the nearest candidate, else lists them while they are few, else undefined. */
export function suggest(name: string, candidates: Iterable<string>, prefix = ''): string | undefined {
  const known: string[] = []
  let best: string | undefined
  let bestDistance = Math.max(1, Math.min(3, Math.floor(name.length / 3))) + 1
  const wanted = name.slice(0, 64).toLowerCase()
  for (const candidate of candidates) {
    if (known.length >= 200) break
    known.push(candidate)
    const found = distance(wanted, candidate.slice(0, 64).toLowerCase(), bestDistance - 1)
    if (found < bestDistance) {
      best = candidate
      bestDistance = found
    }
  }
  if (best !== undefined) return `Did you mean ${prefix}${best}?`
  if (known.length === 0 || known.length > 12) return undefined
  return `Known here: ${known.map((each) => prefix + each).join(', ')}.`
}
