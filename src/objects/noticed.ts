import type { ObjectStore } from './object-store.ts'

/** The same store, with a listener that gets each object once its bytes are stored, and so before any row names it. */
export function noticed(store: ObjectStore, onPut: (hash: string) => void): ObjectStore {
  return {
    async put(hash, bytes) {
      await store.put(hash, bytes)
      onPut(hash)
    },
    get: (hash) => store.get(hash),
    open: (hash) => store.open(hash),
    size: (hash) => store.size(hash),
    modifiedAtMs: (hash) => store.modifiedAtMs(hash),
    delete: (hash) => store.delete(hash),
    list: () => store.list(),
    notes: store.notes,
    probe: () => store.probe(),
    ...(store.gone === undefined ? {} : { gone: () => store.gone?.() }),
    close: () => store.close(),
  }
}
