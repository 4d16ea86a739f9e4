import { type FileHandle, mkdir, open, opendir, stat } from 'node:fs/promises'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { detailOf, isMissing } from '../core/error-cause.ts'
import { limits } from '../core/limits.ts'
import { ArchiveWriter, archiveFiles, EncryptedWriter, openEncrypted, openFile, readAt } from './backup-archive.ts'
import type { BackupFile, BackupReader, BackupWriter } from './backup-content.ts'
import { Draft, type ReadBack } from './backup-draft.ts'
import { type BackupKey, type BackupLock, BackupLocked, isEncrypted, requireHeader } from './backup-encryption.ts'
import { CommandFailure, reasonOf, syncFolder } from './files.ts'

export function isArchive(path: string): boolean {
  return /\.tar$/i.test(path)
}

/** Whether the name looks like an archive of another kind: a folder called `backup.zip` would surprise. */
export function isOtherArchive(path: string): boolean {
  return /\.(?:zip|7z|rar|tgz|tbz2?|txz|gz|bz2|xz|zst)$/i.test(path)
}

/**
 * @param lock encrypts the backup, which is then one file whatever its name
 * @throws CommandFailure when something is there already under that name, or it cannot be written
 */
export async function writeBackup(path: string, lock?: Pick<BackupLock, 'encrypt'>): Promise<BackupWriter> {
  const target = resolve(path)
  if ((await stat(target).catch(() => undefined)) !== undefined)
    throw new CommandFailure(`${path} exists already; choose another name, or remove it first`)
  try {
    if (lock !== undefined) return await EncryptedWriter.open(target, lock)
    return await (isArchive(path) ? ArchiveWriter.open(target) : FolderWriter.open(target))
  } catch (error) {
    const isHomeless = detailOf(error) === 'ENOENT'
    const why = isHomeless ? `there is no folder ${dirname(target)}; make it, or mount it` : reasonOf(error)
    throw new CommandFailure(`${path} cannot be written: ${why}`)
  }
}

/**
 * @param key opens it where it is encrypted
 * @throws when there is no such backup; BackupLocked when the key is missing, or the backup isn't encrypted
 */
export async function readBackup(path: string, key?: BackupKey): Promise<BackupReader> {
  const found = await stat(path).catch((error: unknown) => {
    if (!isMissing(error)) throw error
  })
  if (found === undefined) throw new Error('there is no such file or folder')
  const beginning = found.isDirectory() ? undefined : await beginningOf(path)
  if (beginning === undefined || !isEncrypted(beginning)) {
    if (key !== undefined)
      throw new BackupLocked('it is not encrypted, or its first line was changed; see it without --identity')
    return { files: () => (beginning === undefined ? folderFiles(path) : archiveFiles(path, () => openFile(path))) }
  }
  if (key === undefined) {
    throw new BackupLocked(
      'it is encrypted, and nothing in it tells to whom; add --identity FILE, with the identity of a recipient it was encrypted to',
    )
  }
  requireHeader(beginning)
  return { files: () => archiveFiles(path, () => openEncrypted(path, key)) }
}

async function beginningOf(path: string): Promise<Uint8Array> {
  const file = await open(path, 'r')
  return readAt(file, 0, limits.backupHeaderBytes).finally(() => file.close())
}

class FolderWriter implements BackupWriter {
  readonly wantsSizes = false
  #file: FileHandle | undefined
  readonly #folders = new Set<string>()

  private constructor(readonly draft: Draft) {}

  static async open(target: string): Promise<FolderWriter> {
    // If a file is in the place of the folder above, making the draft below it reports that.
    await mkdir(dirname(target), { recursive: true, mode: 0o700 }).catch((error: unknown) => {
      if (detailOf(error) !== 'EEXIST') throw error
    })
    const [draft] = await Draft.make(target, (path) => mkdir(path, { mode: 0o700 }))
    return new FolderWriter(draft)
  }

  async begin(name: string): Promise<void> {
    await this.#end()
    await this.draft.requireOwn()
    const file = join(this.draft.path, name)
    const folder = dirname(file)
    if (folder !== this.draft.path && !this.#folders.has(folder)) {
      await mkdir(folder, { mode: 0o700 })
      this.#folders.add(folder)
    }
    this.#file = await open(file, 'wx', 0o600)
  }

  async write(bytes: Uint8Array): Promise<void> {
    if (this.#file === undefined) throw new Error('a file of the backup has to be begun before it is written')
    await this.#file.writeFile(bytes)
  }

  async #end(): Promise<void> {
    const file = this.#file
    this.#file = undefined
    if (file === undefined) return
    await file.sync().finally(() => file.close())
  }

  async finish(readBack?: ReadBack): Promise<void> {
    await this.#end()
    await this.draft.requireOwn()
    for (const folder of [...this.#folders, this.draft.path]) await syncFolder(folder)
    await readBack?.(this.draft.path)
    await this.draft.publish()
  }

  async abandon(): Promise<void> {
    await this.#file?.close().catch(() => {})
    await this.draft.remove()
  }
}

async function* folderFiles(folder: string): AsyncGenerator<BackupFile> {
  // Resolved, since joined paths don't begin with a folder that is written as ./copy.
  const root = resolve(folder)
  for await (const entry of await opendir(root, { recursive: true })) {
    if (!entry.isFile()) continue
    const path = join(entry.parentPath, entry.name)
    const { size } = await stat(path)
    yield { name: relative(root, path).replaceAll(sep, '/'), size, chunks: Bun.file(path).stream() }
  }
}
