import { limits } from '../core/limits.ts'

/** Slows down whoever guesses credentials: an address with too many failures is refused for a while, right or wrong. */
export class Guesses {
  readonly #failures = new Map<string, { count: number; untilMs: number }>()

  constructor(private readonly nowMs: () => number = () => performance.now()) {}

  mayTry(address: string): boolean {
    const known = this.#failures.get(address)
    if (known !== undefined && known.untilMs <= this.nowMs()) this.#failures.delete(address)
    return (this.#failures.get(address)?.count ?? 0) < limits.brokerGuesses
  }

  noteFailure(address: string): void {
    const count = (this.#failures.get(address)?.count ?? 0) + 1
    this.#failures.delete(address)
    this.#failures.set(address, { count, untilMs: this.nowMs() + limits.brokerGuessesMs })
    const [oldest] = this.#failures.keys()
    if (this.#failures.size > limits.brokerGuessers && oldest !== undefined) this.#failures.delete(oldest)
  }
}
