/**
 * What the pool and the judge need of a worker, whether a thread or a process of its own (engine-process.ts). The
 * events are those of the web's `Worker`: `open` when it has loaded the engines, `close` when it has ended.
 */
export interface EngineWorker {
  onmessage: ((event: MessageEvent) => void) | null
  onerror: ((event: ErrorEvent) => void) | null
  addEventListener(type: 'open' | 'close', listener: () => void): void
  /** @param moved buffers that the caller has no longer */
  postMessage(message: unknown, moved: ArrayBuffer[]): void
  terminate(): void
  /** Once it has ended: why, where more is known than that it has. */
  readonly end?: Error | undefined
}

/** A worker's own side: a thread's `self`, or the channel of a process. */
export interface EnginePort {
  onmessage: ((event: MessageEvent) => void) | null
  postMessage(message: unknown, moved: ArrayBuffer[]): void
}
