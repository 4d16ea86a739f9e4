import { randomBytes } from 'node:crypto'
import { readFileSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { causesOf, detailOf } from '../core/error-cause.ts'
import { ObjectStoreUnavailable } from '../objects/object-store.ts'
import { UsageError } from './command.ts'

/** Why a command could not do its work, in one line for the person who called it. */
export class CommandFailure extends Error {}

/** What `-` is called in messages, as an input. */
export const standardInput = '-'

/**
 * The bytes of a file, or with `-` those of standard input.
 *
 * @throws CommandFailure naming the file and saying why
 */
export function readInput(path: string): Uint8Array {
  try {
    return new Uint8Array(readFileSync(path === standardInput ? process.stdin.fd : path))
  } catch (error) {
    throw new CommandFailure(`${path} cannot be read: ${reasonOf(error)}`)
  }
}

/** @throws UsageError when two of the inputs are standard input, which can be read once */
export function refuseTwoStandardInputs(paths: readonly string[]): void {
  if (paths.filter((path) => path === standardInput).length > 1) {
    throw new UsageError('only one input can be -, which is standard input')
  }
}

export const standardOutput = '-'

/**
 * Requires a name, where a command can't use a stream.
 *
 * @throws UsageError for `-`, which is one stream and would make a folder of that name, and for the empty name that a
 *   shell gives for a variable that isn't set
 */
export function folderNamed(path: string, what = 'a folder'): string {
  if (path === '')
    throw new UsageError(`a name is empty, and this takes ${what}; see whether the variable that it comes from is set`)
  if (path !== standardOutput) return path
  throw new UsageError(`- is standard input or output, and this takes ${what}; ./- is one that is called so`)
}

/**
 * Writes a file whole or not at all: the bytes go to a file beside it, which is then renamed. So no reader sees half a
 * document, and no crash leaves one. With `-` the bytes go to standard output.
 */
export function writeOutput(path: string, bytes: Uint8Array | string): void {
  if (path === standardOutput) {
    process.stdout.write(bytes)
    return
  }
  let temporary: string | undefined
  try {
    const known = statSync(path, { throwIfNoEntry: false })
    // Write into devices and pipes: a file can't replace most, and must not replace /dev/null. A folder fails here.
    if (known !== undefined && !known.isFile()) {
      writeFileSync(path, bytes)
      return
    }
    const target = known === undefined ? path : realpathSync(path)
    temporary = join(dirname(target), `.quire-${randomBytes(8).toString('hex')}.tmp`)
    writeFileSync(temporary, bytes, { flag: 'wx' })
    renameSync(temporary, target)
  } catch (error) {
    if (temporary !== undefined) removeDraft(temporary)
    throw new CommandFailure(`${path} cannot be written: ${reasonOf(error)}`)
  }
}

/** Removes what could not be written whole. */
export function removeDraft(path: string): void {
  try {
    rmSync(path, { force: true })
  } catch {
    // If it can't be removed, it couldn't be written either, and the caller reports that.
  }
}

/** Makes the names in a folder durable. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  await handle.sync().finally(() => handle.close())
}

export function reasonOf(error: unknown): string {
  const code = detailOf(error)
  if (code !== undefined) return reasons[code] ?? code
  return error instanceof Error ? error.message : String(error)
}

/** Whether a file's disk, or a user's quota on it, is full; also as SQLite reports it. The object store reports that itself. */
export function isFull(error: unknown): boolean {
  if (error instanceof ObjectStoreUnavailable) return false
  return causesOf(error).some((cause) => ['ENOSPC', 'EDQUOT', 'SQLITE_FULL'].includes(detailOf(cause) ?? ''))
}

const reasons: Record<string, string> = {
  ENOENT: 'there is no such file or folder',
  EISDIR: 'it is a folder',
  EEXIST: 'there is a file of that name',
  ENOTDIR: 'a file is where a folder would be',
  EACCES: 'permission denied',
  EROFS: 'the file system is read-only',
  ENOSPC: 'no space is left',
  EDQUOT: 'no space is left to this user',
}
