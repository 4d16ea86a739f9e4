import type { Composition } from './composition.ts'

/** Tuned: a million small strings take ten times the memory of their characters, so this many are joined. */
const maxChunks = 16_384

/** The XML of a part while it is written, chunk by chunk. */
export class Output {
  private readonly chunks: string[] = []
  /** How many chunks at the front have been joined. */
  private joined = 0
  /** Stretches being written that may have to be taken back. */
  private revocable = 0
  private isRewriting = false

  constructor(private readonly composition: Composition) {}

  /** Adds XML. Beyond the composition's bound nothing is kept, and the composition has failed. */
  put(xml: string): void {
    if (!this.composition.mayWrite(xml.length)) return
    this.chunks.push(xml)
    if (this.chunks.length - this.joined > maxChunks && this.revocable === 0) {
      this.chunks.push(this.chunks.splice(this.joined).join(''))
      this.joined++
    }
  }

  /** Adds XML that was counted when it was written elsewhere. */
  putCounted(xml: string): void {
    this.chunks.push(xml)
  }

  /** The last chunk that is not empty, or that counts otherwise. */
  last(counts = (chunk: string) => chunk !== ''): string {
    return this.chunks.findLast(counts) ?? ''
  }

  /** Runs `write`, and takes back what it wrote unless one of its chunks passes the test. */
  keepIf(test: (chunk: string) => boolean, write: () => void): void {
    const from = this.chunks.length
    this.revocable++
    write()
    this.revocable--
    for (let index = from; index < this.chunks.length; index++) if (test(this.chunks[index] ?? '')) return
    this.chunks.length = from
  }

  /** Runs `write`, then replaces what it wrote by `change` of it. A nested call only runs `write`. */
  rewrite(write: () => void, change: (xml: string) => string): void {
    if (this.isRewriting) {
      write()
      return
    }
    const from = this.chunks.length
    this.isRewriting = true
    this.revocable++
    write()
    this.revocable--
    this.isRewriting = false
    if (this.composition.findings.length > 0) return
    const written = this.chunks.splice(from).join('')
    const changed = change(written)
    if (this.composition.mayWrite(Math.max(0, changed.length - written.length))) this.chunks.push(changed)
  }

  text(): string {
    return this.chunks.join('')
  }
}
