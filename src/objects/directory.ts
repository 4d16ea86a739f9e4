import { opendir, readdir, stat, unlink } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { detailOf, isMissing } from '../core/error-cause.ts'
import { sha256Hex } from '../core/hash.ts'
import { limits } from '../core/limits.ts'
import { isHash, requireContent, requireHash, streamOf, verified } from './content.ts'
import { type DiskFiles, systemFiles } from './disk-files.ts'
import { folderNotes, type RemovableNotes } from './notes.ts'
import {
  ObjectDamaged,
  type ObjectStore,
  ObjectStoreFull,
  ObjectStoreGone,
  ObjectStoreRefused,
  ObjectStoreUnavailable,
  ObjectsUrlInvalid,
  type OpenedObject,
  type OpenObjectsOptions,
  type StoredObject,
} from './object-store.ts'

/**
 * Objects as files of a local directory: `ab/cd/<hash>`, with two levels of 256 folders each, so that no folder grows large. A
 * file is first written elsewhere in the directory, synced, and then renamed; the changed folders are synced, too, because a
 * rename is an entry of its folder. So a name exists with all of its bytes, or not at all.
 */
const UNFINISHED = 'unfinished'
const NOTES = 'notes'
const PROBE = Buffer.from('probe')

/** @param files the file system; a simulation has its own */
export async function openDirectoryStore(
  path: string,
  options: OpenObjectsOptions,
  files: DiskFiles = systemFiles,
): Promise<ObjectStore> {
  const root = directoryOf(path)
  try {
    const made = await files.mkdir(join(root, UNFINISHED), { recursive: true })
    // Each folder is an entry of the one above it. An existing one may not be durable yet: the start that made it may have been
    // cut short.
    const isNew = made !== undefined && made.length <= root.length
    const top = dirname(isNew ? made : root)
    for (let folder = root; folder.length >= top.length; folder = dirname(folder)) {
      await syncEntry(files, folder).catch((error) => {
        // This process's user may not have the right to read the folders above.
        if (isNew || folder === root || !/^(EACCES|EPERM)$/.test(detailOf(error) ?? '')) throw error
      })
      if (folder === dirname(folder)) break
    }
  } catch (cause) {
    throw new ObjectStoreUnavailable(`the object directory ${root} can't be made`, { cause })
  }
  if (options.clearLeftovers === true) await clearLeftovers(join(root, UNFINISHED))
  return new DirectoryStore(root, options.reserveBytes ?? limits.objectReserveBytes, files)
}

function directoryOf(path: string): string {
  if (path === '') throw new ObjectsUrlInvalid('the object store names no directory; write file:<directory>')
  if (!path.startsWith('//')) return resolve(path)
  try {
    return fileURLToPath(`file:${path}`)
  } catch {
    throw new ObjectsUrlInvalid('the object directory must be on this machine: file:<path> or file:///<path>')
  }
}

async function clearLeftovers(folder: string): Promise<void> {
  for (const name of await readdir(folder)) await unlink(join(folder, name)).catch(ignoreMissing)
}

class DirectoryStore implements ObjectStore {
  readonly #root: string
  readonly #files: DiskFiles
  /** Folders known to be durable, so that only the first object in each pays for that. */
  readonly #folders = new Set<string>()
  /** The newest operation that stores or removes an object, by its hash. */
  readonly #writing = new Map<string, Promise<unknown>>()

  readonly #reserveBytes: number
  /** Device and inode of the directory: another one of the same name, as below an unmounted volume, is not the store. */
  readonly #identity: string | undefined
  readonly notes: RemovableNotes

  constructor(root: string, reserveBytes: number, files: DiskFiles) {
    this.#root = root
    this.#files = files
    this.#reserveBytes = reserveBytes
    this.#identity = files.identityNow(root)
    this.notes = this.#notesIn(folderNotes(join(root, NOTES)))
  }

  /**
   * Notes that are read only while the directory is the one that was opened: below an unmounted volume there are none, which
   * would be misread.
   */
  #notesIn(notes: RemovableNotes): RemovableNotes {
    const checked = async <T>(ask: () => Promise<T>): Promise<T> => {
      try {
        await this.#requireStore()
        return await ask()
      } catch (cause) {
        if (cause instanceof TypeError) throw cause
        throw storeFault(cause, 'the notes of the object directory can not be used')
      }
    }
    return {
      names: () => checked(() => notes.names()),
      get: (name) => checked(() => notes.get(name)),
      put: (name, bytes) => checked(() => notes.put(name, bytes)),
      delete: (name) => checked(() => notes.delete(name)),
    }
  }

  gone(): ObjectStoreGone | undefined {
    return this.#goneAs(this.#files.identityNow(this.#root))
  }

  #goneAs(now: string | undefined): ObjectStoreGone | undefined {
    if (now === this.#identity) return undefined
    const what = now === undefined ? 'was removed' : 'was replaced by another directory'
    return new ObjectStoreGone(`the object directory ${this.#root} ${what}`)
  }

  /** Asynchronous, unlike `gone()`, which would block every request on a network file system that hangs. */
  async #requireStore(): Promise<void> {
    const gone = this.#goneAs(await this.#files.identity(this.#root))
    if (gone !== undefined) throw gone
  }

  #place(hash: string): { folder: string; file: string } {
    requireHash(hash)
    const folder = join(this.#root, hash.slice(0, 2), hash.slice(2, 4))
    return { folder, file: join(folder, hash) }
  }

  async put(hash: string, bytes: Uint8Array): Promise<'new' | 'found'> {
    requireContent(hash, bytes)
    return this.#alone(hash, () => this.#put(hash, bytes))
  }

  async #put(hash: string, bytes: Uint8Array): Promise<'new' | 'found'> {
    const { folder, file } = this.#place(hash)
    try {
      await this.#requireStore()
      const stored = await this.#stored(hash, file, bytes.length)
      if (stored === 'intact' && (await this.#renew(hash))) return 'found'
      await this.#requireRoom(bytes.length)
      const unfinished = join(this.#root, UNFINISHED, `${hash}.${crypto.randomUUID()}`)
      try {
        await writeDurably(this.#files, unfinished, bytes)
        if ((await this.#files.mkdir(folder, { recursive: true })) !== undefined) this.#folders.delete(folder)
        await this.#files.rename(unfinished, file)
        await this.#syncFolders(hash, folder)
        await this.#requireStore()
        return stored === 'missing' ? 'new' : 'found'
      } catch (error) {
        await this.#files.unlink(unfinished).catch(() => {})
        throw error
      }
    } catch (cause) {
      throw storeFault(cause, 'the object directory could not store an object')
    }
  }

  /** Makes a stored object durable and renews its age; false if another process has removed it meanwhile. */
  async #renew(hash: string): Promise<boolean> {
    const { folder, file } = this.#place(hash)
    try {
      // The rename may not be durable yet, if its writer was killed or is still running; and files that were copied here by other
      // means may never have been synced.
      await syncEntry(this.#files, file)
      await this.#syncFolders(hash, folder)
      const now = new Date()
      await this.#files.utimes(file, now, now)
    } catch (cause) {
      ignoreMissing(cause)
      return false
    }
    await this.#requireStore()
    return true
  }

  /** Refuses before the disk is full, so that a database on the same disk still has room to record the refusal. */
  async #requireRoom(size: number): Promise<void> {
    const freeBytes = await this.#files.freeBytes(this.#root)
    if (freeBytes < size + this.#reserveBytes) {
      throw new ObjectStoreFull(
        `the disk of the object directory has ${freeBytes} bytes left, of which ${this.#reserveBytes} are kept free`,
      )
    }
  }

  /** @throws ObjectDamaged for a folder, and for a pipe, a device or a link to one, reading which might never end */
  async #sizeOf(hash: string, file: string): Promise<number | undefined> {
    const found = await this.#files.stat(file).catch(ignoreMissing)
    if (found?.isFile() === false) throw new ObjectDamaged(hash)
    return found?.size
  }

  /** Reads the stored bytes, because a size doesn't prove their content. */
  async #stored(hash: string, file: string, size: number): Promise<'missing' | 'damaged' | 'intact'> {
    const found = await this.#files.stat(file).catch(ignoreMissing)
    if (found === undefined) return 'missing'
    if (!found.isFile() || found.size !== size) return 'damaged'
    const bytes = await this.#files.readFile(file).catch(ignoreMissing)
    return bytes !== undefined && sha256Hex(bytes) === hash ? 'intact' : 'damaged'
  }

  /** Makes the object's entry durable and, for the first object of a folder, the entries that lead to the folder. */
  async #syncFolders(hash: string, folder: string): Promise<void> {
    const above = this.#folders.has(folder) ? [] : [join(this.#root, hash.slice(0, 2)), this.#root]
    await Promise.all([folder, ...above].map((changed) => syncEntry(this.#files, changed)))
    this.#folders.add(folder)
  }

  async get(hash: string): Promise<Uint8Array | undefined> {
    const { file } = this.#place(hash)
    let bytes: Uint8Array | undefined
    try {
      const size = await this.#sizeOf(hash, file)
      if (size !== undefined && size > limits.objectBytes) throw new ObjectDamaged(hash)
      bytes = size === undefined ? undefined : await this.#files.readFile(file).catch(ignoreMissing)
      if (bytes === undefined) await this.#requireStore()
    } catch (cause) {
      if (cause instanceof ObjectStoreGone || cause instanceof ObjectDamaged) throw cause
      throw new ObjectStoreUnavailable(`the object directory could not be read at ${hash}`, { cause })
    }
    if (bytes !== undefined && sha256Hex(bytes) !== hash) throw new ObjectDamaged(hash)
    return bytes
  }

  async open(hash: string): Promise<OpenedObject | undefined> {
    const { file } = this.#place(hash)
    const size = await this.#sizeOf(hash, file).catch((cause) => {
      if (cause instanceof ObjectDamaged) throw cause
      throw new ObjectStoreUnavailable(`the object directory could not be read at ${hash}`, { cause })
    })
    if (size === undefined) return undefined
    return { size, stream: streamOf(verified(hash, size, Bun.file(file).stream())) }
  }

  async size(hash: string): Promise<number | undefined> {
    const { file } = this.#place(hash)
    try {
      return (await this.#files.stat(file).catch(ignoreMissing))?.size
    } catch (cause) {
      throw new ObjectStoreUnavailable('the object directory could not be read', { cause })
    }
  }

  async modifiedAtMs(hash: string): Promise<number | undefined> {
    const { file } = this.#place(hash)
    try {
      return (await this.#files.stat(file).catch(ignoreMissing))?.mtimeMs
    } catch (cause) {
      throw new ObjectStoreUnavailable('the object directory could not be read', { cause })
    }
  }

  async delete(hash: string): Promise<boolean> {
    return (await this.deleteUnlessSince(hash, Number.POSITIVE_INFINITY)) === 'removed'
  }

  deleteUnlessSince(hash: string, sinceMs: number, mayRemove = () => true): Promise<'removed' | 'missing' | 'kept'> {
    const { folder, file } = this.#place(hash)
    return this.#alone(hash, async () => {
      try {
        const found = await this.#files.stat(file).catch(ignoreMissing)
        if (found !== undefined && (found.mtimeMs > sinceMs || !mayRemove())) return 'kept'
        const removed = found && (await this.#files.unlink(file).then(() => true, ignoreMissing))
        // Sync the folder even if somebody else has removed the name: after a power cut it could come back.
        await syncEntry(this.#files, folder).catch(ignoreMissing)
        return removed === true ? 'removed' : 'missing'
      } catch (cause) {
        throw new ObjectStoreUnavailable('the object directory could not remove an object', { cause })
      }
    })
  }

  /** Runs operations that store or remove the same object one after the other. */
  async #alone<T>(hash: string, work: () => Promise<T>): Promise<T> {
    const before = this.#writing.get(hash) ?? Promise.resolve()
    const own = before.then(work, work)
    this.#writing.set(hash, own)
    try {
      return await own
    } finally {
      if (this.#writing.get(hash) === own) this.#writing.delete(hash)
    }
  }

  async *list(): AsyncIterable<StoredObject> {
    for await (const first of await opendir(this.#root)) {
      if (!/^[0-9a-f]{2}$/.test(first.name)) continue
      for await (const second of await opendir(join(this.#root, first.name))) {
        const folder = join(this.#root, first.name, second.name)
        for await (const entry of await opendir(folder)) {
          if (!isHash(entry.name)) continue
          const found = await stat(join(folder, entry.name)).catch(ignoreMissing)
          if (found !== undefined) yield { hash: entry.name, size: found.size, modifiedAtMs: found.mtimeMs }
        }
      }
    }
  }

  /** Writes, syncs, reads and removes a file, because a full or read-only disk still allows reading. */
  async probe(): Promise<void> {
    const file = join(this.#root, UNFINISHED, `probe.${crypto.randomUUID()}`)
    try {
      await this.#requireStore()
      await this.#requireRoom(0)
      try {
        await writeDurably(this.#files, file, PROBE)
        if (!PROBE.equals(await this.#files.readFile(file))) throw new Error(`${file} was read back changed`)
      } finally {
        await this.#files.unlink(file).catch(ignoreMissing)
      }
    } catch (cause) {
      throw storeFault(cause, 'the object directory can not be used')
    }
  }

  async close(): Promise<void> {}
}

function storeFault(cause: unknown, message: string): ObjectStoreUnavailable {
  if (cause instanceof ObjectStoreFull || cause instanceof ObjectStoreGone) return cause
  if (['ENOSPC', 'EDQUOT'].includes(detailOf(cause) ?? '')) {
    return new ObjectStoreFull('the disk of the object directory is full', { cause })
  }
  if (['EROFS', 'EACCES', 'EPERM'].includes(detailOf(cause) ?? '')) return new ObjectStoreRefused(message, { cause })
  return new ObjectStoreUnavailable(message, { cause })
}

async function writeDurably(files: DiskFiles, file: string, bytes: Uint8Array): Promise<void> {
  const handle = await files.open(file, 'wx', 0o600)
  try {
    await handle.writeFile(bytes)
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Syncs a file's content or a folder's entries. */
async function syncEntry(files: DiskFiles, path: string): Promise<void> {
  const handle = await files.open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

function ignoreMissing(error: unknown): undefined {
  if (!isMissing(error)) throw error
  return undefined
}
