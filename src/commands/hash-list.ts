import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { limits } from '../core/limits.ts'

const HASH = /^[0-9a-f]{64}$/
/** Fixed by SHA-256. */
const BYTES = 32

export function isHash(text: unknown): text is string {
  return typeof text === 'string' && HASH.test(text)
}

/** Tuned: what a list has room for at first. */
const FIRST_HASHES = 256

/**
 * Holds any number of hashes in little memory: as bytes, since texts take four times as much. Beyond `limits.backupHashesInMemory` they
 * move to a temporary folder, into one file for each first byte. Hashes spread evenly, so each file is small enough to be read as a
 * set.
 */
export class HashList {
  readonly #inMemory: number
  #waiting: Buffer
  #count = 0
  #folder: string | undefined

  /** @param inMemory for tests, which have few */
  constructor(inMemory: number = limits.backupHashesInMemory) {
    this.#inMemory = inMemory
    this.#waiting = Buffer.alloc(Math.min(inMemory, FIRST_HASHES) * BYTES)
  }

  /** Where those are that are not in memory; undefined while all are. */
  get folder(): string | undefined {
    return this.#folder
  }

  /** @param hash 64 hexadecimal digits; the same may come often */
  add(hash: string): void {
    const at = this.#count * BYTES
    if (at === this.#waiting.length) {
      const larger = Buffer.alloc(Math.min(2 * at, this.#inMemory * BYTES))
      larger.set(this.#waiting)
      this.#waiting = larger
    }
    this.#waiting.write(hash, at, 'hex')
    if (++this.#count >= this.#inMemory) this.#putAside()
  }

  #putAside(): void {
    this.#folder ??= mkdtempSync(join(tmpdir(), 'quire-hashes-'))
    for (let first = 0; first < 256; first++) {
      const hashes = this.#waitingOf(first)
      if (hashes.length > 0) appendFileSync(join(this.#folder, nameOf(first)), hashes, { mode: 0o600 })
    }
    this.#count = 0
  }

  #waitingOf(first: number): Buffer {
    const own: Buffer[] = []
    for (let at = 0; at < this.#count * BYTES; at += BYTES) {
      if (this.#waiting[at] === first) own.push(this.#waiting.subarray(at, at + BYTES))
    }
    return Buffer.concat(own)
  }

  /** Each hash once, a part at a time: part `n` of two lists has the same ones. */
  *parts(): Generator<Set<string>> {
    for (let first = 0; first < 256; first++) {
      const part = new Set<string>()
      for (const bytes of [this.#waitingOf(first), this.#putAsideOf(first)]) {
        for (let at = 0; at < bytes.length; at += BYTES) part.add(bytes.toString('hex', at, at + BYTES))
      }
      yield part
    }
  }

  #putAsideOf(first: number): Buffer {
    const file = this.#folder === undefined ? undefined : join(this.#folder, nameOf(first))
    return file === undefined || !existsSync(file) ? Buffer.alloc(0) : readFileSync(file)
  }

  /** Removes its folder. */
  close(): void {
    if (this.#folder !== undefined) rmSync(this.#folder, { recursive: true, force: true })
    this.#folder = undefined
  }
}

const nameOf = (first: number): string => first.toString(16).padStart(2, '0')
