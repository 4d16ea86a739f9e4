/**
 * How many edits turn one text into the other: adding, removing or replacing a character, or swapping two adjacent
 * ones. A number above `limit` comes back as `limit + 1`, as early as it is certain.
 */
export function editDistance(one: string, other: string, limit: number): number {
  if (Math.abs(one.length - other.length) > limit) return limit + 1
  const [shorter, longer] = one.length <= other.length ? [one, other] : [other, one]
  if (shorter === '') return longer.length
  return shorter.length <= 32 ? byBits(shorter, longer, limit) : byTable(shorter, longer, limit)
}

/**
 * Computes a column of the table in a few operations: each bit says whether a cell is larger, smaller or the same as the adjacent
 * one (Hyyrö, "A Bit-Vector Algorithm for Computing Levenshtein and Damerau Edit Distances", 2003). `left` has 1 to 32 characters.
 */
function byBits(left: string, right: string, limit: number): number {
  const places = new Map<number, number>()
  for (let at = 0; at < left.length; at++) {
    const code = left.charCodeAt(at)
    places.set(code, (places.get(code) ?? 0) | (1 << at))
  }
  const last = 1 << (left.length - 1)
  let distance = left.length
  /** Where a cell is one more, or one less, than that above it. */
  let [more, less] = [-1, 0]
  let [matchesBefore, sameBefore] = [0, 0]
  for (let at = 0; at < right.length; at++) {
    const matches = places.get(right.charCodeAt(at)) ?? 0
    const swapped = ((~sameBefore & matches) << 1) & matchesBefore
    /** Where a cell is no more than that above and before it. */
    const same = (((matches & more) + more) ^ more) | matches | less | swapped
    const moreThanBefore = less | ~(same | more)
    const lessThanBefore = same & more
    if ((moreThanBefore & last) !== 0) distance++
    if ((lessThanBefore & last) !== 0) distance--
    // Each character that is left can take one away.
    if (distance - (right.length - at - 1) > limit) return limit + 1
    const moreAbove = (moreThanBefore << 1) | 1
    more = (lessThanBefore << 1) | ~(same | moreAbove)
    less = moreAbove & same
    matchesBefore = matches
    sameBefore = same
  }
  return distance
}

function byTable(left: string, right: string, limit: number): number {
  let beforePrevious: number[] = []
  let previous = Array.from({ length: right.length + 1 }, (_, index) => index)
  for (let row = 1; row <= left.length; row++) {
    const current = [row]
    let smallest = row
    for (let column = 1; column <= right.length; column++) {
      const replaced = costAt(previous, column - 1) + (left[row - 1] === right[column - 1] ? 0 : 1)
      let cost = Math.min(replaced, costAt(previous, column) + 1, costAt(current, column - 1) + 1)
      if (left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1]) {
        cost = Math.min(cost, costAt(beforePrevious, column - 2) + 1)
      }
      current.push(cost)
      if (cost < smallest) smallest = cost
    }
    if (smallest > limit) return limit + 1
    beforePrevious = previous
    previous = current
  }
  return Math.min(costAt(previous, right.length), limit + 1)
}

/** Places outside the table can't be reached. */
function costAt(row: readonly number[], column: number): number {
  return row[column] ?? Number.POSITIVE_INFINITY
}
