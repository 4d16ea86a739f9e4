import { type FileHandle, mkdir, open, opendir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { detailOf } from '../core/error-cause.ts'
import { limits } from '../core/limits.ts'
import { ArchiveWriter, archiveFiles, EncryptedWriter, openEncrypted, openFile, readAt } from './backup-archive.ts'
import type { BackupFile, BackupReader, BackupWriter } from './backup-content.ts'
import { type BackupKey, type BackupLock, BackupLocked, isEncrypted, requireHeader } from './backup-encryption.ts'
import { UNFINISHED } from './backup-leftovers.ts'
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
  const draft = `${target}${UNFINISHED}`
  try {
    await rm(draft, { recursive: true, force: true })
    if (lock !== undefined) return await EncryptedWriter.open(draft, target, lock)
    return await (isArchive(path) ? ArchiveWriter.open(draft, target) : FolderWriter.open(draft, target))
  } catch (error) {
    const isHomeless = detailOf(error) === 'ENOENT'
    const why = isHomeless ? `there is no folder ${dirname(target)}; make it, or mount it` : reasonOf(error)
    throw new CommandFailure(`${path} cannot be written: ${why}`)
  }
}

/**
 * @param key opens it where it is encrypted
 * @throws when there is no such backup, and BackupLocked when the key is missing, or there is one and nothing to open
 */
export async function readBackup(path: string, key?: BackupKey): Promise<BackupReader> {
  const found = await stat(path).catch(() => undefined)
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

  private constructor(
    readonly draft: string,
    readonly target: string,
  ) {}

  static async open(draft: string, target: string): Promise<FolderWriter> {
    await mkdir(draft, { recursive: true, mode: 0o700 })
    return new FolderWriter(draft, target)
  }

  async begin(name: string): Promise<void> {
    await this.#end()
    const file = join(this.draft, name)
    const folder = dirname(file)
    if (!this.#folders.has(folder)) {
      await mkdir(folder, { recursive: true, mode: 0o700 })
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

  async finish(): Promise<void> {
    await this.#end()
    for (const folder of [...this.#folders, this.draft]) await syncFolder(folder)
    await rename(this.draft, this.target)
    await syncFolder(dirname(this.target))
  }

  async abandon(): Promise<void> {
    await this.#file?.close().catch(() => {})
    await rm(this.draft, { recursive: true, force: true })
  }
}

async function* folderFiles(root: string): AsyncGenerator<BackupFile> {
  for await (const entry of await opendir(root, { recursive: true })) {
    if (!entry.isFile()) continue
    const path = join(entry.parentPath, entry.name)
    const { size } = await stat(path)
    yield { name: path.slice(root.replace(/\/+$/, '').length + 1), size, chunks: Bun.file(path).stream() }
  }
}
