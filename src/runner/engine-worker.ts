/**
 * What pool and judge need of a worker, whether it is a thread or a process (engine-process.ts). The events are those of the
 * web's `Worker`: `open` when it has loaded the engines, `close` when it has ended.
 */
export interface EngineWorker {
  onmessage: ((event: MessageEvent) => void) | null
  onerror: ((event: ErrorEvent) => void) | null
  addEventListener(type: 'open' | 'close', listener: () => void): void
  /** @param moved buffers that the caller loses */
  postMessage(message: unknown, moved: ArrayBuffer[]): void
  terminate(): void
  /** After its end: the reason, if it is known. */
  readonly end?: Error | undefined
}

/** A worker's own side: a thread's `self`, or the channel of a process. */
export interface EnginePort {
  onmessage: ((event: MessageEvent) => void) | null
  postMessage(message: unknown, moved: ArrayBuffer[]): void
}
