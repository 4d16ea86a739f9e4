import { Fault } from '../core/faults.ts'
import { limits } from '../core/limits.ts'

/**
 * The end of a service, in two phases. After `refuse`, new requests get 503, and those received before are answered as
 * usual. After `giveUp`, requests still at work get 503, too, so that no connection is cut without an answer.
 */
export class Closing {
  readonly #refusing = new AbortController()
  /** Rejects each answer that is awaited. One promise of the end, shared by all, would keep every request ever made in memory. */
  readonly #awaited = new Set<(fault: Fault) => void>()

  /** Aborted by `refuse`: streams that would go on for long end themselves. */
  get refusing(): AbortSignal {
    return this.#refusing.signal
  }

  refuse(): void {
    this.#refusing.abort()
  }

  giveUp(): void {
    this.refuse()
    for (const reject of this.#awaited) reject(stopping('It may or may not have been carried out'))
  }

  /** @throws Fault dependency_unavailable from `refuse` on */
  requireOpen(): void {
    if (this.refusing.aborted) throw stopping('Nothing was changed')
  }

  /** The answer, or from `giveUp` on a refusal. @throws Fault dependency_unavailable, and what the answer throws */
  answer<T>(answer: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#awaited.add(reject)
      answer.then(resolve, reject).finally(() => this.#awaited.delete(reject))
    })
  }
}

function stopping(outcome: string): Fault {
  return new Fault('dependency_unavailable', `The service is stopping. ${outcome}. Send the request again shortly.`, {
    retryAfterSeconds: limits.closingRetrySeconds,
    isTurnedAway: true,
  })
}
