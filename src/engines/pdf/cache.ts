import { sha256Hex } from '../../core/hash.ts'

/**
 * Shared by the renderings of one process: pictures prepared for the PDF, font subsets and parsed style sheets. Each
 * entry follows from its key alone, so a rendering gives the same bytes with any cache, and without one.
 */
export interface RenderCache {
  /** The value kept under a key, else the one made now. The key must name everything that the value depends on. */
  once<T>(key: string, make: () => { value: T; bytes: number }): T
  /** A short name for an object, the same for as long as it lives; other objects never get it. */
  nameOf(object: object): string
}

/** Memory that an entry takes besides its payload. */
const ENTRY_BYTES = 256

/** Keeps the most recently used entries, up to a total size in bytes; a single entry of over a quarter of it is not kept. */
export function createRenderCache(options: { maxBytes: number }): RenderCache {
  const { maxBytes } = options
  const entries = new Map<string, { value: unknown; bytes: number }>()
  const names = new WeakMap<object, string>()
  let named = 0
  let total = 0

  function keep(key: string, value: unknown, size: number): void {
    const bytes = size + key.length * 2 + ENTRY_BYTES
    if (bytes > maxBytes / 4) return
    entries.set(key, { value, bytes })
    total += bytes
    for (const [oldest, entry] of entries) {
      if (total <= maxBytes) return
      entries.delete(oldest)
      total -= entry.bytes
    }
  }

  return {
    once<T>(key: string, make: () => { value: T; bytes: number }): T {
      const known = entries.get(key)
      if (known) {
        // A Map iterates in the order of insertion, so inserting it again makes this the youngest.
        entries.delete(key)
        entries.set(key, known)
        return known.value as T
      }
      const { value, bytes } = make()
      keep(key, value, bytes)
      return value
    },
    nameOf(object) {
      let name = names.get(object)
      if (name === undefined) {
        name = `${++named}`
        names.set(object, name)
      }
      return name
    },
  }
}

/** For renderings without a cache. */
export const noCache: RenderCache = {
  once: (_key, make) => make().value,
  nameOf: () => '',
}

export function contentKey(kind: string, ...contents: (Uint8Array | undefined)[]): string {
  return `${kind} ${contents.map((content) => (content ? sha256Hex(content) : '-')).join(' ')}`
}
