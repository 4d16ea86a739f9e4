import { randomBytes } from 'node:crypto'
import type { BigIntStats } from 'node:fs'
import { type FileHandle, open, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { isMissing } from '../core/error-cause.ts'
import { UNFINISHED } from './backup-leftovers.ts'
import { CommandFailure, syncFolder } from './files.ts'

/** Looks at the draft before it gets its name, and throws where it isn't right. */
export type ReadBack = (draft: string) => Promise<void>

/**
 * The file or folder of a backup until it is whole. Two backups of one name, as of a job that is started twice, share
 * the draft's name, and the later one takes it over. So each checks that the draft is still its own before it publishes
 * or removes it.
 */
export class Draft {
  private constructor(
    readonly path: string,
    readonly target: string,
    /** Open as long as it is a draft, so that no other file gets its number. */
    readonly held: FileHandle,
  ) {}

  /**
   * Makes the draft. One of that name is removed: it was interrupted, or its backup is under way and fails later.
   *
   * @param make makes a file or folder of that name, and fails where there is one
   */
  static async make<T>(target: string, make: (path: string) => Promise<T>): Promise<[Draft, T]> {
    const path = `${target}${UNFINISHED}`
    // Away at once, so that no backup writes into what is being removed.
    const aside = join(dirname(path), `.${randomBytes(4).toString('hex')}.${basename(path)}`)
    const isTaken = await rename(path, aside).then(
      () => true,
      (error: unknown) => {
        if (!isMissing(error)) throw error
        return false
      },
    )
    if (isTaken) await rm(aside, { recursive: true, force: true })
    const made = await make(path)
    return [new Draft(path, target, await open(path, 'r')), made]
  }

  /** @throws CommandFailure when another backup has taken the name over */
  async requireOwn(): Promise<void> {
    if (await this.#isOwn()) return
    throw new CommandFailure(
      `another backup to ${this.target} was begun, and takes the place of this one; see whether two are started at once`,
    )
  }

  /** Gives it the backup's name. */
  async publish(): Promise<void> {
    await this.requireOwn()
    if ((await lookAt(this.target)) !== undefined)
      throw new CommandFailure(`${this.target} exists already: it was made meanwhile, and stays as it is`)
    await rename(this.path, this.target)
    await syncFolder(dirname(this.target))
    await this.held.close()
  }

  async remove(): Promise<void> {
    if (await this.#isOwn().catch(() => false)) await rm(this.path, { recursive: true, force: true })
    await this.held.close().catch(() => {})
  }

  async #isOwn(): Promise<boolean> {
    const [own, found] = [await this.held.stat({ bigint: true }), await lookAt(this.path)]
    return found !== undefined && found.dev === own.dev && found.ino === own.ino
  }
}

/** Undefined for a missing file. */
async function lookAt(path: string): Promise<BigIntStats | undefined> {
  try {
    return await stat(path, { bigint: true })
  } catch (error) {
    if (isMissing(error)) return undefined
    throw error
  }
}
