import { type FileHandle, mkdir, open, opendir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { limits } from '../core/limits.ts'

/**
 * The files of a backup, as a folder or, where its name ends in `.tar`, as one archive of the same files (ustar, which
 * any tar reads). Written under another name, made durable, and only then given its own: a name that exists is whole.
 */
export interface BackupWriter {
  /** Starts a file; the one before it is ended. */
  begin(name: string): Promise<void>
  write(bytes: Uint8Array): Promise<void>
  /** Makes everything durable and gives the backup its name. */
  finish(): Promise<void>
  /** Leaves nothing behind. */
  abandon(): Promise<void>
}

export interface BackupFile {
  name: string
  size: number
  /** To be read to its end before the next file is asked for. */
  chunks: AsyncIterable<Uint8Array>
}

export interface BackupReader {
  /** Every file, in no particular order; as often as wanted. */
  files(): AsyncIterable<BackupFile>
}

/** Fixed by tar: its headers and files take whole blocks of so many bytes. */
const BLOCK = 512

export function isArchive(path: string): boolean {
  return /\.tar$/i.test(path)
}

/** Whether the name looks like an archive of another kind: a folder called `backup.zip` would surprise. */
export function isOtherArchive(path: string): boolean {
  return /\.(?:zip|7z|rar|tgz|tbz2?|txz|gz|bz2|xz|zst)$/i.test(path)
}

/** @throws when something is there already under that name */
export async function writeBackup(path: string): Promise<BackupWriter> {
  const target = resolve(path)
  if ((await stat(target).catch(() => undefined)) !== undefined) throw new Error(`${path} exists already`)
  const draft = `${target}.unfinished`
  await rm(draft, { recursive: true, force: true })
  return isArchive(path) ? ArchiveWriter.open(draft, target) : FolderWriter.open(draft, target)
}

/** @throws when there is no such backup */
export async function readBackup(path: string): Promise<BackupReader> {
  const found = await stat(path).catch(() => undefined)
  if (found === undefined) throw new Error('there is no such file or folder')
  return { files: () => (found.isDirectory() ? folderFiles(path) : archiveFiles(path)) }
}

class FolderWriter implements BackupWriter {
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

/** A file's size comes before it but is known only after it, so the header is written again then. */
class ArchiveWriter implements BackupWriter {
  #position = 0
  #begun: { name: string; at: number; size: number } | undefined

  private constructor(
    readonly file: FileHandle,
    readonly draft: string,
    readonly target: string,
  ) {}

  static async open(draft: string, target: string): Promise<ArchiveWriter> {
    return new ArchiveWriter(await open(draft, 'wx', 0o600), draft, target)
  }

  async begin(name: string): Promise<void> {
    await this.#end()
    this.#begun = { name, at: this.#position, size: 0 }
    this.#position += BLOCK
  }

  async write(bytes: Uint8Array): Promise<void> {
    if (this.#begun === undefined) throw new Error('a file of the backup has to be begun before it is written')
    await this.#put(bytes, this.#position)
    this.#position += bytes.length
    this.#begun.size += bytes.length
  }

  async #end(): Promise<void> {
    if (this.#begun === undefined) return
    const { name, at, size } = this.#begun
    await this.#put(header(name, size), at)
    const rest = size % BLOCK
    if (rest > 0) await this.#put(new Uint8Array(BLOCK - rest), this.#position)
    this.#position += rest > 0 ? BLOCK - rest : 0
    this.#begun = undefined
  }

  async #put(bytes: Uint8Array, at: number): Promise<void> {
    for (let written = 0; written < bytes.length; ) {
      written += (await this.file.write(bytes, written, bytes.length - written, at + written)).bytesWritten
    }
  }

  async finish(): Promise<void> {
    await this.#end()
    await this.#put(new Uint8Array(2 * BLOCK), this.#position)
    await this.file.sync()
    await this.file.close()
    await rename(this.draft, this.target)
    await syncFolder(dirname(this.target))
  }

  async abandon(): Promise<void> {
    await this.file.close().catch(() => {})
    await rm(this.draft, { force: true })
  }
}

function header(name: string, size: number): Uint8Array {
  const block = new Uint8Array(BLOCK)
  const put = (text: string, at: number) => block.set(new TextEncoder().encode(text), at)
  const octal = (value: number, digits: number) => value.toString(8).padStart(digits, '0')
  put(name, 0)
  put(`${octal(0o600, 7)}\0`, 100)
  put(`${octal(0, 7)}\0${octal(0, 7)}\0`, 108)
  put(`${octal(size, 11)} `, 124)
  put(`${octal(0, 11)} `, 136)
  put('        0', 148)
  put('ustar\x0000', 257)
  put(
    `${octal(
      block.reduce((sum, byte) => sum + byte, 0),
      6,
    )}\0 `,
    148,
  )
  return block
}

async function* folderFiles(root: string): AsyncGenerator<BackupFile> {
  for await (const entry of await opendir(root, { recursive: true })) {
    if (!entry.isFile()) continue
    const path = join(entry.parentPath, entry.name)
    const { size } = await stat(path)
    yield { name: path.slice(root.replace(/\/+$/, '').length + 1), size, chunks: Bun.file(path).stream() }
  }
}

async function* archiveFiles(path: string): AsyncGenerator<BackupFile> {
  const file = await open(path, 'r')
  try {
    for (let at = 0; ; ) {
      const block = await readAt(file, at, BLOCK)
      if (block.length < BLOCK) throw new Error(`${path} breaks off`)
      if (block.every((byte) => byte === 0)) return
      const name = textAt(block, 0, 100)
      const size = Number.parseInt(textAt(block, 124, 12), 8)
      if (textAt(block, 257, 5) !== 'ustar' || !Number.isSafeInteger(size)) throw new Error(`${path} is not an archive`)
      yield { name, size, chunks: chunksAt(file, at + BLOCK, size) }
      at += BLOCK + Math.ceil(size / BLOCK) * BLOCK
    }
  } finally {
    await file.close()
  }
}

async function* chunksAt(file: FileHandle, start: number, size: number): AsyncGenerator<Uint8Array> {
  for (let done = 0; done < size; ) {
    const chunk = await readAt(file, start + done, Math.min(limits.backupChunkBytes, size - done))
    if (chunk.length === 0) throw new Error('the archive breaks off')
    done += chunk.length
    yield chunk
  }
}

async function readAt(file: FileHandle, at: number, length: number): Promise<Uint8Array> {
  const bytes = new Uint8Array(length)
  const { bytesRead } = await file.read(bytes, 0, length, at)
  return bytes.subarray(0, bytesRead)
}

function textAt(block: Uint8Array, start: number, length: number): string {
  const text = new TextDecoder().decode(block.subarray(start, start + length))
  return text.replace(/\0.*/s, '').trim()
}

export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  await handle.sync().finally(() => handle.close())
}
