import type { Database } from './database.ts'

/**
 * Keeps what was read, by its key, for as long as an embedded database doesn't change: asking it again takes longer than much of
 * what is done with the answer. Where others write too, it is read each time. What isn't there is read each time as well.
 *
 * @param most how many answers are kept
 */
export function untilChanged<T>(
  database: Pick<Database, 'changes'>,
  most: number,
  read: (key: string) => Promise<T | undefined>,
): (key: string) => Promise<T | undefined> {
  const kept = new Map<string, T>()
  let keptAt = database.changes
  return async (key) => {
    const { changes } = database
    if (changes === undefined) return read(key)
    if (changes !== keptAt) {
      kept.clear()
      keptAt = changes
    }
    const known = kept.get(key)
    if (known !== undefined) return known
    const found = await read(key)
    // What was read while the database changed may be older than the change.
    if (found === undefined || database.changes !== changes || kept.size >= most) return found
    kept.set(key, found)
    return found
  }
}
