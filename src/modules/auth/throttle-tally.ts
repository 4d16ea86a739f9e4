import type { Instant } from '../../core/instant.ts'
import { limits } from '../../core/limits.ts'

/**
 * Counts the attempts that a block refuses, and decides which ones go into the audit trail: the first, the tenth, the hundredth.
 * So no block goes unnoticed, and nobody can fill the trail by repeated attempts. Each instance counts its own refusals; the many
 * others write nothing.
 */
export class ThrottleTally {
  readonly #blocks = new Map<string, { until: Instant; attempts: number }>()

  /** How many attempts this block has refused, if the trail should record that; else undefined. */
  add(counter: string, until: Instant, at: Instant): number | undefined {
    const block = this.#blocks.get(counter)
    const attempts = block?.until === until ? block.attempts + 1 : 1
    if (block === undefined && this.#blocks.size >= limits.throttleTallies) this.#forgetBefore(at)
    // Full of current blocks. Each of them has left five refused attempts in the trail already.
    if (block === undefined && this.#blocks.size >= limits.throttleTallies) return undefined
    this.#blocks.set(counter, { until, attempts })
    return /^10*$/.test(String(attempts)) ? attempts : undefined
  }

  #forgetBefore(at: Instant): void {
    for (const [counter, { until }] of this.#blocks) if (until <= at) this.#blocks.delete(counter)
  }
}
