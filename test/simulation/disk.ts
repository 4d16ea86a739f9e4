import { dirname } from 'node:path'
import type { DiskFiles, OpenedFile } from '../../src/objects/disk-files.ts'
import type { Process, World } from './world.ts'

export type DiskFault = 'away' | 'full' | 'refused' | 'slow' | 'gone'

/** What a file or a folder is, however it is called. */
interface Node {
  isFolder: boolean
  bytes: Uint8Array
  /** By the clock on the wall. */
  changedAtMs: number
  /** What a power cut leaves of it. */
  synced: Uint8Array
}

class DiskError extends Error {
  constructor(
    readonly code: string,
    path: string,
  ) {
    super(`simulated: ${code} ${path}`)
  }
}

export const objectsRoot = '/objects'
/** Once it has one more, the directory store's disk has room enough. */
const PLENTY_BYTES = 2 ** 40

/**
 * A disk that keeps what was synced, and may keep the rest: a file's content when the file was synced, a name when its folder
 * was. A killed process leaves everything; a power cut takes what was not synced, each entry by itself.
 */
export class SimulatedDisk {
  fault: DiskFault | undefined
  /** Told of each operation that changes something, before it is done. */
  onChange: (process: Process) => void = () => {}
  #names: Map<string, Node>
  #synced: Map<string, Node>

  constructor(readonly world: World) {
    const top: [string, Node] = ['/', this.#node(true)]
    this.#names = new Map([top])
    this.#synced = new Map([top])
  }

  filesOf(process: Process): DiskFiles {
    const { world } = this
    const act = <T>(what: string, path: string, mostMs: number, work: () => T): Promise<T> =>
      new Promise((resolve, reject) => {
        const takesMs = world.random.between(0.02, mostMs) * (this.fault === 'slow' ? 400 : 1)
        world.after(
          takesMs,
          () => {
            try {
              this.#refuse(what, path)
              resolve(work())
            } catch (error) {
              reject(error)
            }
          },
          process,
        )
      })
    const change = <T>(what: string, path: string, mostMs: number, work: () => T): Promise<T> => {
      this.onChange(process)
      return act(what, path, mostMs, work)
    }
    return {
      mkdir: (path) => change('mkdir', path, 0.3, () => this.#makeFolders(path)),
      open: async (path, flags) => {
        await act('open', path, 0.1, () => {
          if (flags === 'wx') this.#names.set(path, this.#node(false))
          else this.#find(path)
        })
        return {
          writeFile: (bytes) =>
            change('write', path, 0.3, () => {
              Object.assign(this.#find(path), { bytes: bytes.slice(), changedAtMs: world.epochMs })
            }),
          sync: () => change('sync', path, 4, () => this.#sync(path)),
          close: async () => {},
        } satisfies OpenedFile
      },
      readFile: (path) => act('read', path, 0.2, () => this.#find(path).bytes.slice()),
      rename: (from, to) =>
        change('rename', to, 0.2, () => {
          this.#names.set(to, this.#find(from))
          this.#names.delete(from)
        }),
      stat: (path) =>
        act('stat', path, 0.1, () => {
          const { bytes, changedAtMs } = this.#find(path)
          return { size: bytes.length, mtimeMs: changedAtMs, isFile: () => true }
        }),
      unlink: (path) =>
        act('unlink', path, 0.2, () => {
          this.#find(path)
          this.#names.delete(path)
        }),
      utimes: (path) =>
        act('utimes', path, 0.1, () => {
          this.#find(path).changedAtMs = world.epochMs
        }),
      freeBytes: (path) => act('statfs', path, 0.1, () => (this.fault === 'full' ? 0 : PLENTY_BYTES)),
      identity: (path) => act('identity', path, 0.1, () => this.#identity(path)),
      identityNow: (path) => this.#identity(path),
    }
  }

  /** What was not synced is lost or kept, each entry by itself; all of it is lost where the worst is asked for. */
  cutPower(worst = false): void {
    const isKept = () => !worst && this.world.random.chance(0.5)
    for (const [name, node] of this.#names) {
      if (this.#synced.get(name) !== node && isKept()) this.#synced.set(name, node)
    }
    for (const name of this.#synced.keys()) if (!this.#names.has(name) && isKept()) this.#synced.delete(name)
    const nodes = new Set(this.#synced.values())
    for (const node of nodes) {
      if (isKept()) node.synced = node.bytes
      node.bytes = node.synced
    }
    // A file whose folder is lost is lost with it.
    const isReached = (name: string): boolean => name === '/' || (this.#synced.has(name) && isReached(dirname(name)))
    this.#synced = new Map([...this.#synced].filter(([name]) => isReached(name)))
    this.#names = new Map(this.#synced)
  }

  /** Objects by their hash. */
  stored(): Map<string, Uint8Array> {
    return new Map(this.#objects().map(([name, { bytes }]) => [name.slice(-64), bytes]))
  }

  /** When each object was stored, by the clock on the wall. */
  storedAtMs(): number[] {
    return this.#objects().map(([, { changedAtMs }]) => changedAtMs)
  }

  #objects(): [string, Node][] {
    return [...this.#names].filter(([name, { isFolder }]) => !isFolder && /\/[0-9a-f]{64}$/.test(name))
  }

  #node(isFolder: boolean): Node {
    return { isFolder, bytes: new Uint8Array(), synced: new Uint8Array(), changedAtMs: this.world.epochMs }
  }

  #identity(path: string): string | undefined {
    return this.fault === 'gone' || !this.#names.has(path) ? undefined : `1:${path}`
  }

  #refuse(what: string, path: string): void {
    const isChange = ['mkdir', 'write', 'sync', 'rename', 'unlink'].includes(what)
    if (this.fault === 'away') throw new DiskError('EIO', path)
    if (this.fault === 'refused' && isChange) throw new DiskError('EROFS', path)
    if (this.fault === 'gone') throw new DiskError('ENOENT', path)
  }

  #find(path: string): Node {
    const node = this.#names.get(path)
    if (node === undefined) throw new DiskError('ENOENT', path)
    return node
  }

  #makeFolders(path: string): string | undefined {
    if (this.#names.has(path)) return undefined
    const first = this.#makeFolders(dirname(path))
    this.#names.set(path, this.#node(true))
    return first ?? path
  }

  #sync(path: string): void {
    const node = this.#find(path)
    node.synced = node.bytes
    if (!node.isFolder) return
    const isIn = (name: string) => dirname(name) === path && name !== path
    for (const [name, entry] of this.#names) if (isIn(name)) this.#synced.set(name, entry)
    for (const name of this.#synced.keys()) if (isIn(name) && !this.#names.has(name)) this.#synced.delete(name)
  }
}
