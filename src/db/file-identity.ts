import { existsSync, realpathSync, statSync } from 'node:fs'
import { detailOf, isMissing } from '../core/error-cause.ts'

/**
 * The files of an open database, by device and number. A process keeps a file that was removed, or that another took the
 * name of, and goes on writing to it: all of that is gone when the process ends. Asking costs some 2 µs a file.
 */
export class FileIdentity {
  readonly #files: ReadonlyMap<string, string>

  /** @param path of the database, which must be open: its log is looked for as well */
  constructor(path: string) {
    const log = `${realpathSync(path)}-wal`
    this.#files = new Map([path, ...(existsSync(log) ? [log] : [])].map((file) => [file, identityOf(file) ?? '']))
  }

  /** What happened to the files; undefined while the names still lead to them. */
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

/** Whether there is such a file. @throws if that can't be told, as by a user who may not look, or of a disk that fails */
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

/** Device and number of a file; undefined where there is none. */
export function identityOf(file: string): string | undefined {
  const found = statSync(file, { bigint: true, throwIfNoEntry: false })
  return found === undefined ? undefined : `${found.dev}:${found.ino}`
}
