import { mkdir, open, readdir, readFile, rename, stat, unlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { detailOf } from '../core/error-cause.ts'

/**
 * Small files by name, beside a store's objects or in a folder of their own, for what must outlive the database. Writing a name
 * again replaces it.
 */
export interface Notes {
  names(): Promise<string[]>
  get(name: string): Promise<Uint8Array | undefined>
  /** Durable once it resolves. */
  put(name: string, bytes: Uint8Array): Promise<void>
}

export interface RemovableNotes extends Notes {
  /** Does nothing for an unknown name. */
  delete(name: string): Promise<void>
}

const NAME = /^[a-z]+\.[0-9a-f-]{36}$/

/** Whether a name is safe as a file's: a word, a dot and a UUID. */
export function isNoteName(name: string): boolean {
  return NAME.test(name)
}

export function requireNoteName(name: string): void {
  if (!isNoteName(name)) throw new TypeError(`${name} names no note: write a word, a point and a UUID`)
}

/** Notes as files of a folder, which the first note creates; without the folder there are none. */
export function folderNotes(folder: string): RemovableNotes {
  return {
    async names() {
      const found = await readdir(folder).catch(orMissing)
      return (found ?? []).filter(isNoteName)
    },
    async get(name) {
      requireNoteName(name)
      const path = join(folder, name)
      const found = await stat(path).catch(orMissing)
      // Reading a pipe or a device might never end, and it has no note.
      if (found?.isFile() === false) return new Uint8Array(0)
      return found && (await readFile(path).catch(orMissing))
    },
    async put(name, bytes) {
      requireNoteName(name)
      const made = await mkdir(folder, { recursive: true, mode: 0o700 })
      const draft = join(folder, `${name}.${crypto.randomUUID()}`)
      try {
        const file = await open(draft, 'wx', 0o600)
        try {
          await file.writeFile(bytes)
          await file.sync()
        } finally {
          await file.close()
        }
        await rename(draft, join(folder, name))
      } catch (error) {
        await unlink(draft).catch(() => {})
        throw error
      }
      for (const changed of made === undefined ? [folder] : [folder, dirname(made)]) await syncFolder(changed)
    },
    async delete(name) {
      requireNoteName(name)
      await unlink(join(folder, name)).catch(orMissing)
    },
  }
}

async function syncFolder(path: string): Promise<void> {
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

function orMissing(error: unknown): undefined {
  if (detailOf(error) !== 'ENOENT') throw error
  return undefined
}
