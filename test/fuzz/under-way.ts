import { writeFileSync } from 'node:fs'
import { bounds } from './bounds.ts'

const headBytes = 8

/**
 * The input that a process is trying, in a file whose pages both processes share: it is known when the process hangs or
 * dies, and costs no call to the system.
 */
export class UnderWay {
  readonly #bytes: Uint8Array
  readonly #view: DataView

  /** @param isNew empties the file, or makes it */
  constructor(path: string, isNew: boolean) {
    if (isNew) writeFileSync(path, new Uint8Array(headBytes + bounds.inputBytes))
    this.#bytes = Bun.mmap(path, { shared: true })
    this.#view = new DataView(this.#bytes.buffer, this.#bytes.byteOffset)
  }

  /** How many inputs were tried, this one included. */
  get number(): number {
    return this.#view.getUint32(4)
  }

  get input(): Uint8Array {
    return this.#bytes.slice(headBytes, headBytes + this.#view.getUint32(0))
  }

  begin(input: Uint8Array): void {
    this.#view.setUint32(0, input.length)
    this.#bytes.set(input, headBytes)
    this.#view.setUint32(4, this.number + 1)
  }
}
