import type { ObjectStore } from './object-store.ts'

/** The same store with another `put`. */
export function withPut(store: ObjectStore, put: ObjectStore['put']): ObjectStore {
  return {
    put,
    get: (hash) => store.get(hash),
    open: (hash) => store.open(hash),
    size: (hash) => store.size(hash),
    modifiedAtMs: (hash) => store.modifiedAtMs(hash),
    delete: (hash) => store.delete(hash),
    deleteUnlessSince: (...given) => store.deleteUnlessSince(...given),
    list: () => store.list(),
    notes: store.notes,
    probe: () => store.probe(),
    ...(store.turns === undefined ? {} : { turns: store.turns }),
    ...(store.gone === undefined ? {} : { gone: () => store.gone?.() }),
    close: () => store.close(),
  }
}
