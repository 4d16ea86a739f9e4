import { type FileHandle, open } from 'node:fs/promises'
import { limits } from '../core/limits.ts'
import type { BackupFile, BackupWriter } from './backup-content.ts'
import { Draft, type ReadBack } from './backup-draft.ts'
import type { BackupKey, BackupLock } from './backup-encryption.ts'

/** Fixed by tar: headers and files take whole blocks of this many bytes. */
const BLOCK = 512

/** A tar header comes before its file but holds the size, which is known only afterwards, so it is written last. */
export class ArchiveWriter implements BackupWriter {
  readonly wantsSizes = false
  #position = 0
  #begun: { name: string; at: number; size: number } | undefined

  private constructor(
    readonly file: FileHandle,
    readonly draft: Draft,
  ) {}

  static async open(target: string): Promise<ArchiveWriter> {
    const [draft, file] = await Draft.make(target, openNew)
    return new ArchiveWriter(file, draft)
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
    const padding = paddingOf(size)
    await this.#put(new Uint8Array(padding), this.#position)
    this.#position += padding
    this.#begun = undefined
  }

  async #put(bytes: Uint8Array, at: number): Promise<void> {
    for (let written = 0; written < bytes.length; ) {
      written += (await this.file.write(bytes, written, bytes.length - written, at + written)).bytesWritten
    }
  }

  async finish(readBack?: ReadBack): Promise<void> {
    await this.#end()
    await this.#put(new Uint8Array(2 * BLOCK), this.#position)
    await this.file.sync()
    await this.draft.requireOwn()
    await readBack?.(this.draft.path)
    await this.draft.publish()
    await this.file.close()
  }

  async abandon(): Promise<void> {
    await this.draft.remove()
    await this.file.close().catch(() => {})
  }
}

/** The same archive as one stream, encrypted on its way to the disk: nothing is ever written unencrypted. */
export class EncryptedWriter implements BackupWriter {
  readonly wantsSizes = true
  readonly #content: WritableStreamDefaultWriter<Uint8Array>
  /** Settled when all is on its way to the disk; rejected with the reason when it can't be. */
  readonly #written: Promise<void>
  /** Bytes that the file begun still lacks, and those that fill its last block. */
  #missing = 0
  #padding = 0

  private constructor(
    readonly file: FileHandle,
    readonly draft: Draft,
    { content, encrypted }: { content: WritableStream<Uint8Array>; encrypted: ReadableStream<Uint8Array> },
  ) {
    this.#content = content.getWriter()
    this.#content.closed.catch(() => {})
    this.#written = this.#take(encrypted)
    this.#written.catch(() => {})
  }

  static async open(target: string, lock: Pick<BackupLock, 'encrypt'>): Promise<EncryptedWriter> {
    const { readable, writable: content } = new TransformStream<Uint8Array, Uint8Array>()
    const encrypted = await lock.encrypt(readable)
    const [draft, file] = await Draft.make(target, openNew)
    return new EncryptedWriter(file, draft, { content, encrypted })
  }

  async #take(encrypted: ReadableStream<Uint8Array>): Promise<void> {
    for await (const chunk of encrypted) await this.file.writeFile(chunk)
  }

  async begin(name: string, size?: number): Promise<void> {
    if (size === undefined) throw new Error('a file of an encrypted backup is begun with its size')
    await this.#end()
    await this.#put(header(name, size))
    this.#missing = size
    this.#padding = paddingOf(size)
  }

  async write(bytes: Uint8Array): Promise<void> {
    this.#missing -= bytes.length
    await this.#put(bytes)
  }

  async #end(): Promise<void> {
    if (this.#missing !== 0) throw new Error('a file of the backup has another size than it was begun with')
    await this.#put(new Uint8Array(this.#padding))
    this.#padding = 0
  }

  /** Waits until there is room again, so that no more than a few chunks are in memory. */
  async #put(bytes: Uint8Array): Promise<void> {
    // The stream only says that it has ended; why is what `#written` was rejected with.
    const put = this.#content.write(bytes).catch(() => this.#written)
    await Promise.race([put, this.#written])
  }

  async finish(readBack?: ReadBack): Promise<void> {
    await this.#end()
    await this.#put(new Uint8Array(2 * BLOCK))
    this.#content.close().catch(() => {})
    await this.#written
    await this.file.sync()
    await this.draft.requireOwn()
    await readBack?.(this.draft.path)
    await this.draft.publish()
    await this.file.close()
  }

  async abandon(): Promise<void> {
    await this.#content.abort().catch(() => {})
    await this.#written.catch(() => {})
    await this.draft.remove()
    await this.file.close().catch(() => {})
  }
}

function openNew(path: string): Promise<FileHandle> {
  return open(path, 'wx', 0o600)
}

/** What fills a file's last block. */
function paddingOf(size: number): number {
  return (BLOCK - (size % BLOCK)) % BLOCK
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

/** Bytes one after the other, from a file or out of an encrypted one. */
interface Source {
  /** At most this many bytes; none only at the end. */
  next(length: number): Promise<Uint8Array>
  skip(length: number): Promise<void>
  close(): Promise<void>
}

export async function openFile(path: string): Promise<Source> {
  const file = await open(path, 'r')
  let at = 0
  return {
    async next(length) {
      const bytes = await readAt(file, at, Math.min(length, limits.backupChunkBytes))
      at += bytes.length
      return bytes
    },
    async skip(length) {
      at += length
    },
    close: () => file.close(),
  }
}

/** @throws BackupLocked when the key doesn't open it */
export async function openEncrypted(path: string, key: BackupKey): Promise<Source> {
  const file = await open(path, 'r')
  let content: AsyncIterator<Uint8Array>
  try {
    content = (await key.decrypt(streamOf(file)))[Symbol.asyncIterator]()
  } catch (error) {
    await file.close()
    throw error
  }
  let rest: Uint8Array = new Uint8Array()
  const next = async (length: number): Promise<Uint8Array> => {
    while (rest.length === 0) {
      const { done, value } = await content.next()
      if (done) return rest
      rest = value
    }
    const bytes = rest.subarray(0, length)
    rest = rest.subarray(bytes.length)
    return bytes
  }
  return {
    next,
    async skip(length) {
      for (let left = length; left > 0; ) {
        const { length: skipped } = await next(left)
        if (skipped === 0) return
        left -= skipped
      }
    },
    async close() {
      await content.return?.()
      await file.close()
    },
  }
}

/** A file as a stream that is read as far as somebody wants. */
function streamOf(file: FileHandle): ReadableStream<Uint8Array> {
  let at = 0
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const bytes = await readAt(file, at, limits.backupChunkBytes)
        at += bytes.length
        if (bytes.length > 0) controller.enqueue(bytes)
        else controller.close()
      },
    },
    { highWaterMark: 0 },
  )
}

export async function* archiveFiles(path: string, opened: () => Promise<Source>): AsyncGenerator<BackupFile> {
  const source = await opened()
  try {
    for (;;) {
      const block = await blockOf(source)
      if (block.length < BLOCK) throw new Error(`${path} breaks off`)
      if (block.every((byte) => byte === 0)) break
      // The tar of a backup's folder, made by hand, may begin each name so.
      const name = textAt(block, 0, 100).replace(/^\.\//, '')
      const size = Number.parseInt(textAt(block, 124, 12), 8)
      // A size below zero would lead back to this header.
      const isFile = textAt(block, 257, 5) === 'ustar' && Number.isSafeInteger(size) && size >= 0
      if (!isFile) throw new Error(`${path} is not an archive`)
      const left = { bytes: size }
      const isFolder = textAt(block, 156, 1) === '5'
      if (!isFolder) yield { name, size, chunks: chunksOf(source, left) }
      await source.skip(left.bytes + paddingOf(size))
    }
    // Only its end shows that an encrypted file was not cut off.
    while ((await source.next(limits.backupChunkBytes)).length > 0);
  } finally {
    await source.close()
  }
}

async function blockOf(source: Source): Promise<Uint8Array> {
  const block = new Uint8Array(BLOCK)
  for (let filled = 0; filled < BLOCK; ) {
    const bytes = await source.next(BLOCK - filled)
    if (bytes.length === 0) return block.subarray(0, filled)
    block.set(bytes, filled)
    filled += bytes.length
  }
  return block
}

/** Counts in `left` what nobody has read. */
async function* chunksOf(source: Source, left: { bytes: number }): AsyncGenerator<Uint8Array> {
  while (left.bytes > 0) {
    const chunk = await source.next(left.bytes)
    if (chunk.length === 0) throw new Error('the archive breaks off')
    left.bytes -= chunk.length
    yield chunk
  }
}

export async function readAt(file: FileHandle, at: number, length: number): Promise<Uint8Array> {
  const bytes = new Uint8Array(length)
  const { bytesRead } = await file.read(bytes, 0, length, at)
  return bytes.subarray(0, bytesRead)
}

function textAt(block: Uint8Array, start: number, length: number): string {
  const text = new TextDecoder().decode(block.subarray(start, start + length))
  return text.replace(/\0.*/s, '').trim()
}
