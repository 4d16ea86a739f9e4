import { existsSync, realpathSync, statSync } from 'node:fs'
import { detailOf, isMissing } from '../core/error-cause.ts'

/**
 * The files of an open database, by device and inode. If a file is removed or replaced, the process keeps the old one and goes on
 * writing to it; all of that is lost when the process ends. A check costs some 2 µs per file.
 */
export class FileIdentity {
  readonly #files: ReadonlyMap<string, string>

  /** @param path of the database, which must be open: its log is included if it exists */
  constructor(path: string) {
    const log = `${realpathSync(path)}-wal`
    this.#files = new Map([path, ...(existsSync(log) ? [log] : [])].map((file) => [file, identityOf(file) ?? '']))
  }

  /** What happened to the files; undefined while their names still lead to them. */
  problem(): string | undefined {
    for (const [file, identity] of this.#files) {
      try {
        const now = identityOf(file)
        if (now === undefined) return `${file} was removed`
        if (now !== identity) return `${file} was replaced by another file`
      } catch (error) {
        return `${file} can't be looked at (${detailOf(error) ?? error})`
      }
    }
    return undefined
  }
}

/** Whether the file exists. @throws if that can't be determined, for example without the right to look, or on a failing disk */
export function isThere(file: string): boolean {
  try {
    return identityOf(file) !== undefined
  } catch (error) {
    if (isMissing(error)) return false
    const code = detailOf(error)
    const remedy = code === 'EACCES' || code === 'EPERM' ? 'run this as the user that runs Quire' : 'see to its disk'
    throw new Error(`${file} can't be looked at (${code ?? error}); ${remedy}`)
  }
}

/** Device and inode of a file; undefined if it doesn't exist. */
export function identityOf(file: string): string | undefined {
  const found = statSync(file, { bigint: true, throwIfNoEntry: false })
  return found === undefined ? undefined : `${found.dev}:${found.ino}`
}
