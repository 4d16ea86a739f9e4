import type { Database } from './database.ts'

/**
 * Caches reads by key for as long as an embedded database doesn't change: a query takes longer than much of what is done with its
 * result. If other processes write too, or nothing was found, it reads each time.
 *
 * @param most how many results are kept
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
    // If the database changed during the read, the result may be older than the change.
    if (found === undefined || database.changes !== changes || kept.size >= most) return found
    kept.set(key, found)
    return found
  }
}
