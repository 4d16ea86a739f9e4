import type { Instant } from '../../core/instant.ts'
import { limits } from '../../core/limits.ts'

/**
 * Counts the attempts that a block refuses, and says which of them go into the audit trail: the first, the tenth, the
 * hundredth. So a block is never unseen, and nobody fills the trail by hammering at one. Each instance counts what it
 * refuses itself; nothing is written for the others, which are the many.
 */
export class ThrottleTally {
  readonly #blocks = new Map<string, { until: Instant; attempts: number }>()

  /** The number of attempts that this block has refused, when the trail is to have a record of it. */
  add(counter: string, until: Instant, at: Instant): number | undefined {
    const block = this.#blocks.get(counter)
    const attempts = block?.until === until ? block.attempts + 1 : 1
    if (block === undefined && this.#blocks.size >= limits.throttleTallies) this.#forgetBefore(at)
    // Full of blocks that last: whoever opened this many has left five refused attempts of each in the trail.
    if (block === undefined && this.#blocks.size >= limits.throttleTallies) return undefined
    this.#blocks.set(counter, { until, attempts })
    return /^10*$/.test(String(attempts)) ? attempts : undefined
  }

  #forgetBefore(at: Instant): void {
    for (const [counter, { until }] of this.#blocks) if (until <= at) this.#blocks.delete(counter)
  }
}
