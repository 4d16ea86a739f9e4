/**
 * How many edits turn one text into the other: a character added, removed or replaced, or two neighbours swapped. Any
 * number above `limit` comes back as `limit + 1`, as early as it is certain.
 */
export function editDistance(left: string, right: string, limit: number): number {
  if (Math.abs(left.length - right.length) > limit) return limit + 1
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
