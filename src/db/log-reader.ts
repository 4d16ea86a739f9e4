import { closeSync, openSync, readSync } from 'node:fs'
import { detailOf } from '../core/error-cause.ts'
import { logLayout } from './log-layout.ts'

/**
 * A part of SQLite's write-ahead log: bytes of whole frames, in the order of writing. Once the whole log is in the database's
 * file, it starts over as the next epoch. An epoch's parts from 0 on, concatenated, are a log that SQLite reads up to its last
 * commit.
 */
export interface LogPart {
  epoch: number
  /** Where the part begins in its epoch's log, in bytes; the part from 0 has the log's header. */
  from: number
  bytes: Uint8Array<ArrayBuffer>
}

/** The log started over before this reader had read all of it, so a part may be lost. */
export class LogBroken extends Error {
  override readonly name = 'LogBroken'

  constructor(path: string) {
    super(`the log of ${path} began anew before all of it was read`)
  }
}

const { headerBytes, pageSizeAt, saltsAt, saltsBytes, frameHeaderBytes, frameCommitAt, frameSaltsAt } = logLayout

/**
 * Reads the log of a database that one connection of this process writes, while that connection writes nothing. Frames after the
 * last commit are ignored: a rolled-back transaction leaves some.
 */
export class LogReader {
  readonly #path: string
  #salts: string | undefined
  #position = 0
  #epoch = 0
  #mayBeginAnew = false

  /** @param path of the database */
  constructor(path: string) {
    this.#path = path
  }

  get epoch(): number {
    return this.#epoch
  }

  /** How far the epoch's log has been read, in bytes. */
  get position(): number {
    return this.#position
  }

  /** Call it when everything was read and the log is about to be written back: from then on it may start over. */
  expectNewEpoch(): void {
    this.#mayBeginAnew = true
  }

  /**
   * What was committed since the last part, up to this many bytes but at least one frame; undefined if there is nothing.
   * @throws LogBroken
   */
  read(maxBytes: number): LogPart | undefined {
    const file = openLog(`${this.#path}-wal`)
    if (file === undefined) return undefined
    try {
      const header = readAt(file, 0, headerBytes)
      if (header.length < headerBytes) return undefined
      this.#noteSalts(header.subarray(saltsAt, saltsAt + saltsBytes).toString('hex'))
      const frameBytes = frameHeaderBytes + header.readUInt32BE(pageSizeAt)
      const end = this.#endOfCommits(file, frameBytes)
      if (end <= this.#position) return undefined
      const frames = Math.max(1, Math.floor((maxBytes - headerBytes) / frameBytes))
      const to = Math.min(end, Math.max(headerBytes, this.#position) + frames * frameBytes)
      const from = this.#position
      const bytes = readAt(file, from, to - from)
      if (bytes.length < to - from) throw new LogBroken(this.#path)
      this.#position = to
      return { epoch: this.#epoch, from, bytes: new Uint8Array(bytes) }
    } finally {
      closeSync(file)
    }
  }

  #noteSalts(salts: string): void {
    if (this.#salts === salts) return
    if (this.#salts !== undefined) {
      if (!this.#mayBeginAnew) throw new LogBroken(this.#path)
      this.#epoch++
      this.#position = 0
    }
    this.#salts = salts
    this.#mayBeginAnew = false
  }

  #endOfCommits(file: number, frameBytes: number): number {
    let end = this.#position
    for (let at = Math.max(headerBytes, this.#position); ; at += frameBytes) {
      const frame = readAt(file, at, frameHeaderBytes)
      const isOfEpoch = frame.subarray(frameSaltsAt, frameSaltsAt + saltsBytes).toString('hex') === this.#salts
      if (frame.length < frameHeaderBytes || !isOfEpoch) return end
      if (frame.readUInt32BE(frameCommitAt) !== 0) end = at + frameBytes
    }
  }
}

function openLog(path: string): number | undefined {
  try {
    return openSync(path, 'r')
  } catch (error) {
    if (detailOf(error) === 'ENOENT') return undefined
    throw error
  }
}

/** Returns fewer bytes at the end of the file. */
function readAt(file: number, at: number, length: number): Buffer<ArrayBuffer> {
  const bytes = Buffer.alloc(length)
  let done = 0
  while (done < length) {
    const count = readSync(file, bytes, done, length - done, at + done)
    if (count === 0) break
    done += count
  }
  return bytes.subarray(0, done)
}
