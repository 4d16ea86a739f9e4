import { statSync } from 'node:fs'
import { limits } from '../core/limits.ts'
import type { FollowedLog, HeldFile } from './database.ts'
import { LogBroken, type LogPart, LogReader } from './log-reader.ts'

/** What an embedded database does for a follower of its log. */
export interface CollectorPorts {
  betweenGroups<T>(work: () => Promise<T>): Promise<T>
  /** Collects the rest of the log, writes it back and empties it, unless somebody reads an older state. */
  emptyLog(): Promise<void>
  end(): Promise<void>
}

/** A log that is always read to its end before it is emptied. */
export class LogCollector implements FollowedLog {
  readonly #path: string
  readonly #ports: CollectorPorts
  readonly #reader: LogReader
  #parts: LogPart[] = []
  #holds = 0
  /** Why the log can't be followed any more. */
  #broken: LogBroken | undefined

  constructor(path: string, ports: CollectorPorts) {
    this.#path = path
    this.#ports = ports
    this.#reader = new LogReader(path)
  }

  get isHeld(): boolean {
    return this.#holds > 0
  }

  get waitingBytes(): number {
    const { size } = statSync(`${this.#path}-wal`, { throwIfNoEntry: false }) ?? { size: 0 }
    return Math.max(0, size - this.#reader.position)
  }

  /** Called between two groups, before the log is emptied. */
  collectAll(): void {
    this.#collect()
    this.#reader.expectNewEpoch()
  }

  /** Never throws, so that a log that can't be followed doesn't block emptying it; the follower gets the error. */
  #collect(): void {
    if (this.#broken !== undefined) return
    try {
      for (;;) {
        const part = this.#reader.read(limits.replicaPartBytes)
        if (part === undefined) return
        this.#parts.push(part)
      }
    } catch (error) {
      if (!(error instanceof LogBroken)) throw error
      this.#broken = error
    }
  }

  take(): Promise<LogPart[]> {
    return this.#ports.betweenGroups(async () => {
      this.#collect()
      if (this.#broken !== undefined) throw this.#broken
      if (!this.isHeld && this.#reader.position > limits.followedLogBytes) await this.#ports.emptyLog()
      const parts = this.#parts
      this.#parts = []
      return parts
    })
  }

  hold(): Promise<HeldFile> {
    return this.#ports.betweenGroups(async () => {
      this.#collect()
      // The file may be newer than the log that was read; together they would not be a consistent state.
      if (this.#broken !== undefined) throw this.#broken
      this.#holds++
      const { epoch, position } = this.#reader
      let isReleased = false
      const release = () => {
        if (isReleased) return
        isReleased = true
        this.#holds--
      }
      return { path: this.#path, epoch, position, release }
    })
  }

  end(): Promise<void> {
    return this.#ports.betweenGroups(() => this.#ports.end())
  }
}
