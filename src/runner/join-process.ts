/** Joins many PDFs into one, in a process of its own, like engines: thousands of pages would hold up every request. */
import { limits } from '../core/limits.ts'
import type { Log } from '../core/log.ts'
import { EngineProcess } from './engine-process.ts'
import type { EngineWorker } from './engine-worker.ts'
import { EngineThrew, WorkerCrashed, WorkerOverran } from './faults.ts'

export type JoinRequest = { document: Uint8Array; title: string } | { finish: string } | { take: number }
export type JoinAnswer = { pages: number } | { size: number } | { chunk: Uint8Array } | { fault: string }

/** Tuned: bytes of the finished file that are sent at once. */
const CHUNK_BYTES = 1_048_576

export interface JoinOptions {
  log: Log
  deadlineMs?: number
  startWorker?: () => EngineWorker
}

export class PdfJoiner {
  readonly #worker: EngineWorker
  readonly #deadline: ReturnType<typeof setTimeout>
  #waiting: { resolve: (answer: JoinAnswer) => void; reject: (error: Error) => void } | undefined
  #end: Error | undefined

  constructor({ log, deadlineMs = limits.batchPrintMs, startWorker }: JoinOptions) {
    const memoryBytes = limits.batchPrintMemoryBytes
    this.#worker = (startWorker ?? (() => new EngineProcess({ role: 'joins', log, memoryBytes })))()
    this.#worker.onmessage = ({ data }: MessageEvent<JoinAnswer>) => {
      const waiting = this.#waiting
      this.#waiting = undefined
      waiting?.resolve(data)
    }
    this.#worker.addEventListener('close', () => {
      this.#fail(this.#worker.end ?? new WorkerCrashed('the process that joins PDFs ended'))
    })
    this.#deadline = setTimeout(() => {
      this.#fail(new WorkerOverran(`joining PDFs took more than ${deadlineMs} ms`))
      this.#worker.terminate()
    }, deadlineMs)
  }

  /** @throws WorkerCrashed, WorkerOverran, WorkerOutgrew, EngineThrew */
  async add(document: Uint8Array, title: string): Promise<void> {
    await this.#ask({ document, title })
  }

  /** The size of the joined file, and its bytes; the process ends after the last of them. */
  async finish(title: string): Promise<{ size: number; chunks: AsyncGenerator<Uint8Array> }> {
    const finished = await this.#ask({ finish: title })
    return { size: 'size' in finished ? finished.size : 0, chunks: this.#chunks() }
  }

  close(): void {
    clearTimeout(this.#deadline)
    this.#fail(new WorkerCrashed('the process that joins PDFs is closed'))
    this.#worker.terminate()
  }

  async *#chunks(): AsyncGenerator<Uint8Array> {
    try {
      for (;;) {
        const answer = await this.#ask({ take: CHUNK_BYTES })
        if (!('chunk' in answer) || answer.chunk.byteLength === 0) return
        yield answer.chunk
      }
    } finally {
      this.close()
    }
  }

  async #ask(request: JoinRequest): Promise<JoinAnswer> {
    if (this.#end !== undefined) throw this.#end
    const answer = await new Promise<JoinAnswer>((resolve, reject) => {
      this.#waiting = { resolve, reject }
      this.#worker.postMessage(request, [])
    })
    if ('fault' in answer) throw new EngineThrew(answer.fault)
    return answer
  }

  #fail(error: Error): void {
    this.#end ??= error
    this.#waiting?.reject(this.#end)
    this.#waiting = undefined
  }
}
