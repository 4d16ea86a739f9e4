import { sha256Hex } from '../../src/core/hash.ts'
import {
  ObjectDamaged,
  type ObjectStore,
  ObjectStoreFull,
  ObjectStoreRefused,
  ObjectStoreUnavailable,
} from '../../src/objects/object-store.ts'
import type { Process, World } from './world.ts'

export type StoreFault = 'away' | 'full' | 'refused' | 'slow' | 'unanswered'

/** An object store that several instances share, behind the port: bytes are there once it has taken them. */
export class SimulatedObjects {
  readonly stored = new Map<string, Uint8Array>()
  /** By the clock on the wall. */
  readonly #storedAtMs = new Map<string, number>()
  fault: StoreFault | undefined
  /** Requests that have not got there yet. */
  underWay = 0
  /** A removal was sent; gives how long it is on its way, where that is not as usual. */
  onRemoval: (hash: string) => number | undefined = () => undefined

  constructor(readonly world: World) {}

  /** When each object was stored, by the clock on the wall. */
  storedAtMs(): number[] {
    return [...this.stored.keys()].map((hash) => this.#storedAtMs.get(hash) ?? 0)
  }

  /** The port of one process. */
  portOf(process: Process): ObjectStore {
    const { world } = this
    const ask = <T>(what: string, effect: () => T, givenMs?: number): Promise<T> =>
      new Promise((resolve, reject) => {
        const { fault } = this
        const wayMs = givenMs ?? (fault === 'slow' ? world.random.between(500, 6_000) : world.random.between(0.5, 5))
        this.underWay++
        world.after(wayMs, () => {
          this.underWay--
          world.note(() => `object store: ${what}${this.fault === undefined ? '' : ` (${this.fault})`}`)
          const refusal = this.#refusal(what)
          const done = refusal === undefined || this.fault === 'unanswered' ? attempt(effect) : undefined
          const answer = () => {
            if (refusal !== undefined) reject(refusal)
            else if (done !== undefined && 'error' in done) reject(done.error)
            else if (done !== undefined) resolve(done.value)
          }
          world.after(world.random.between(0.2, 2), answer, process)
        })
      })
    const modifiedAtMs = (hash: string) =>
      ask(`age of ${hash.slice(0, 8)}`, () => (this.stored.has(hash) ? this.#storedAtMs.get(hash) : undefined))
    const unused = () => Promise.reject(new Error('the simulation has no use for this'))
    return {
      put: (hash, bytes) =>
        ask(`put ${hash.slice(0, 8)}`, () => {
          if (sha256Hex(bytes) !== hash) throw new TypeError('the hash is not that of the bytes')
          const outcome = this.stored.has(hash) ? 'found' : 'new'
          this.stored.set(hash, bytes.slice())
          this.#storedAtMs.set(hash, world.epochMs)
          return outcome
        }),
      get: (hash) =>
        ask(`get ${hash.slice(0, 8)}`, () => {
          const bytes = this.stored.get(hash)?.slice()
          if (bytes !== undefined && sha256Hex(bytes) !== hash) throw new ObjectDamaged(hash)
          return bytes
        }),
      probe: () => ask('probe', () => undefined),
      open: unused,
      size: unused,
      modifiedAtMs,
      delete: unused,
      deleteUnlessSince: async (hash, sinceMs, mayRemove = () => true) => {
        const storedAtMs = await modifiedAtMs(hash)
        if (storedAtMs === undefined) return 'missing'
        if (storedAtMs > sinceMs || !mayRemove()) return 'kept'
        const wasThere = await ask(`delete ${hash.slice(0, 8)}`, () => this.stored.delete(hash), this.onRemoval(hash))
        return wasThere ? 'removed' : 'missing'
      },
      list: () => {
        throw new Error('the simulation has no use for this')
      },
      notes: { names: unused, get: unused, put: unused, delete: unused },
      close: () => Promise.resolve(),
    }
  }

  #refusal(what: string): Error | undefined {
    switch (this.fault) {
      case 'away':
        return new ObjectStoreUnavailable('simulated: it answers 503')
      case 'full':
        return what.startsWith('get') ? undefined : new ObjectStoreFull('simulated: its disk is full')
      case 'refused':
        return new ObjectStoreRefused('simulated: its credentials have expired')
      case 'unanswered':
        return this.world.random.chance(0.5) ? new ObjectStoreUnavailable('simulated: no answer came') : undefined
      default:
        return undefined
    }
  }
}

function attempt<T>(effect: () => T): { value: T } | { error: unknown } {
  try {
    return { value: effect() }
  } catch (error) {
    return { error }
  }
}
