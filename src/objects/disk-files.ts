import { constants, statSync } from 'node:fs'
import { mkdir, open, readFile, rename, stat, statfs, unlink, utimes } from 'node:fs/promises'
import { isMissing } from '../core/error-cause.ts'

/** The file system functions of the directory store; passed in, so that a simulation can cut its power. */
export interface DiskFiles {
  /** @returns the first folder that it had to make */
  mkdir(path: string, options: { recursive: true }): Promise<string | undefined>
  open(path: string, flags: 'r' | 'wx', mode?: number): Promise<OpenedFile>
  readFile(path: string): Promise<Uint8Array>
  rename(from: string, to: string): Promise<void>
  stat(path: string): Promise<{ size: number; mtimeMs: number; isFile(): boolean }>
  unlink(path: string): Promise<void>
  utimes(path: string, accessed: Date, modified: Date): Promise<void>
  freeBytes(path: string): Promise<number>
  /** Device and inode of a folder; undefined if there is none. */
  identity(path: string): Promise<string | undefined>
  identityNow(path: string): string | undefined
}

export interface OpenedFile {
  writeFile(bytes: Uint8Array): Promise<void>
  /** Syncs a file's content, or a folder's entries. */
  sync(): Promise<void>
  close(): Promise<void>
}

export const systemFiles: DiskFiles = {
  ...{ mkdir, open, rename, stat, unlink, utimes },
  // Without blocking, a pipe in place of a file is empty; otherwise all of the process's reads would end up waiting for its
  // writer.
  readFile: (path) => readFile(path, { flag: constants.O_RDONLY | constants.O_NONBLOCK }),
  async freeBytes(path) {
    const { bavail, bsize } = await statfs(path)
    return bavail * bsize
  },
  identity: (path) => stat(path, { bigint: true }).then(nameOf, orMissing),
  identityNow(path) {
    const found = statSync(path, { bigint: true, throwIfNoEntry: false })
    return found === undefined ? undefined : nameOf(found)
  },
}

function nameOf({ dev, ino }: { dev: bigint; ino: bigint }): string {
  return `${dev}:${ino}`
}

function orMissing(error: unknown): undefined {
  if (!isMissing(error)) throw error
  return undefined
}
