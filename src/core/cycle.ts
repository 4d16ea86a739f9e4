/** The item at an index of a list that repeats without end. @throws RangeError for an empty list */
export function inCycle<T>(list: readonly T[], index: number): T {
  const item = list[index % list.length]
  if (item === undefined) throw new RangeError(`a list of ${list.length} has no item for index ${index}`)
  return item
}
