import type { ObjectStore } from './object-store.ts'
import { withPut } from './with-put.ts'

/** The same store, with a listener that gets each object once its bytes are stored, before any row names it. */
export function noticed(store: ObjectStore, onPut: (hash: string) => void): ObjectStore {
  return withPut(store, async (hash, bytes) => {
    const outcome = await store.put(hash, bytes)
    onPut(hash)
    return outcome
  })
}
