import { Fault } from '../../core/faults.ts'
import { limits } from '../../core/limits.ts'

export interface BacklogPorts {
  /** Counts the steps in the queue of the whole database, up to `most`. */
  countQueued: (most: number) => Promise<number>
  /** How many steps may be queued before submissions are refused. */
  limit: number
  /** Milliseconds of a monotonic clock. */
  nowMs: () => number
}

/**
 * Bounds the queue, so that a day of outage or a caller's endless loop doesn't fill the disk. The queue is counted now and then,
 * and accepted work is added in between. As it fills up, a user who sent most of it is refused before the others. Shares count
 * what this instance accepted since the queue was last low.
 */
export class Backlog {
  readonly #ports: BacklogPorts
  readonly #nowMs: () => number
  #counted = 0
  #countedAtMs = Number.NEGATIVE_INFINITY
  #counting: Promise<void> | undefined
  #acceptedSince = 0
  #accepted = 0
  readonly #acceptedOf = new Map<string, number>()

  constructor(ports: BacklogPorts) {
    this.#ports = ports
    this.#nowMs = ports.nowMs
  }

  /**
   * Counts the queue again if the last count is too old. Waits for that only if it is the first count, or the queue may be too
   * long.
   */
  async refresh(): Promise<void> {
    if (this.#nowMs() - this.#countedAtMs < limits.backlogCountMs) return
    this.#counting ??= this.#count().finally(() => {
      this.#counting = undefined
    })
    if (this.#isHigh || this.#countedAtMs === Number.NEGATIVE_INFINITY) return this.#counting
    // If the database fails, the following write reports it.
    this.#counting.catch(() => {})
  }

  /** @throws Fault dependency_unavailable if the queue has no room for more work of the user */
  requireRoom(userId: string): void {
    const { limit } = this.#ports
    const queued = this.#counted + this.#acceptedSince
    if (queued >= limit) throw full(`${limit} steps wait for the workers`)
    const own = this.#acceptedOf.get(userId) ?? 0
    const share = own / Math.max(1, this.#accepted)
    if (this.#isHigh && queued * share >= this.#mostOfOne) {
      throw full(`Some ${Math.round(queued * share)} steps of yours wait for the workers`)
    }
  }

  /** Call it once the work is in the database. */
  noteAccepted(userId: string, steps: number): void {
    this.#acceptedSince += steps
    this.#accepted += steps
    this.#acceptedOf.set(userId, (this.#acceptedOf.get(userId) ?? 0) + steps)
  }

  get #mostOfOne(): number {
    return (this.#ports.limit * limits.requestUserPercent) / 100
  }

  get #isHigh(): boolean {
    return this.#counted + this.#acceptedSince >= this.#mostOfOne
  }

  async #count(): Promise<void> {
    const before = this.#acceptedSince
    this.#counted = await this.#ports.countQueued(this.#ports.limit)
    this.#countedAtMs = this.#nowMs()
    // Work accepted during the count stays in the sum: the count may have missed it.
    this.#acceptedSince -= before
    if (this.#counted > (this.#ports.limit * limits.backlogLowPercent) / 100) return
    this.#accepted = 0
    this.#acceptedOf.clear()
  }
}

function full(what: string): Fault {
  return new Fault('dependency_unavailable', `${what}, which is the limit. Nothing was changed. Submit again later.`, {
    retryAfterSeconds: limits.backlogRetrySeconds,
    isTurnedAway: true,
  })
}
