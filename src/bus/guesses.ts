import { limits } from '../core/limits.ts'
import { networkOf } from '../core/networks.ts'

/** Slows down the guessing of credentials: a client's network with too many failures is refused for a while, right or wrong. */
export class Guesses {
  readonly #failures = new Map<string, { count: number; untilMs: number }>()

  constructor(private readonly nowMs: () => number = () => performance.now()) {}

  mayTry(address: string): boolean {
    const network = networkOf(address)
    const known = this.#failures.get(network)
    if (known !== undefined && known.untilMs <= this.nowMs()) this.#failures.delete(network)
    return (this.#failures.get(network)?.count ?? 0) < limits.brokerGuesses
  }

  noteFailure(address: string): void {
    const network = networkOf(address)
    const count = (this.#failures.get(network)?.count ?? 0) + 1
    this.#failures.delete(network)
    this.#failures.set(network, { count, untilMs: this.nowMs() + limits.brokerGuessesMs })
    const [oldest] = this.#failures.keys()
    if (this.#failures.size > limits.brokerGuessers && oldest !== undefined) this.#failures.delete(oldest)
  }
}
