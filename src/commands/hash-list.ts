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

/**
 * Any number of hashes in little memory. Beyond `limits.backupHashesInMemory` they are in a temporary folder, in a file for each first
 * byte: hashes spread evenly, so a 256th of them can be looked at as a set.
 */
export class HashList {
  readonly #inMemory: number
  #waiting = new Map<string, string[]>()
  #count = 0
  #folder: string | undefined

  /** @param inMemory for tests, which have few */
  constructor(inMemory: number = limits.backupHashesInMemory) {
    this.#inMemory = inMemory
  }

  /** Where those are that are not in memory; undefined while all are. */
  get folder(): string | undefined {
    return this.#folder
  }

  /** @param hash 64 hexadecimal digits; the same may come often */
  add(hash: string): void {
    const first = hash.slice(0, 2)
    const part = this.#waiting.get(first)
    if (part === undefined) this.#waiting.set(first, [hash])
    else part.push(hash)
    if (++this.#count >= this.#inMemory) this.#putAside()
  }

  #putAside(): void {
    this.#folder ??= mkdtempSync(join(tmpdir(), 'quire-hashes-'))
    for (const [first, hashes] of this.#waiting) {
      appendFileSync(join(this.#folder, first), Buffer.from(hashes.join(''), 'hex'), { mode: 0o600 })
    }
    this.#waiting = new Map()
    this.#count = 0
  }

  /** Each hash once, a part at a time: part `n` of two lists has the same ones. */
  *parts(): Generator<Set<string>> {
    for (let first = 0; first < 256; first++) yield this.#part(first.toString(16).padStart(2, '0'))
  }

  #part(first: string): Set<string> {
    const part = new Set(this.#waiting.get(first))
    const file = this.#folder === undefined ? undefined : join(this.#folder, first)
    if (file === undefined || !existsSync(file)) return part
    const bytes = readFileSync(file)
    for (let at = 0; at < bytes.length; at += BYTES) part.add(bytes.toString('hex', at, at + BYTES))
    return part
  }

  /** Removes its folder. */
  close(): void {
    if (this.#folder !== undefined) rmSync(this.#folder, { recursive: true, force: true })
    this.#folder = undefined
  }
}
