import { inCycle } from '../../../core/cycle.ts'

/**
 * The source of chance for cases: SplitMix32, in integer arithmetic only, so that a seed gives the same numbers on
 * every machine and every release of the runtime. Nothing here may ever change, or stored cases could not be
 * reproduced.
 */
export class Random {
  private state: number

  /** @param seed 0..2147483647 @param stream tells apart the uses of one seed */
  constructor(seed: number, stream: number) {
    this.state = (Math.imul(seed | 0, 0x9e3779b1) ^ Math.imul((stream + 1) | 0, 0x85ebca6b)) | 0
    // Neighbouring seeds differ in few bits, which the first steps spread.
    for (let step = 0; step < 4; step++) this.bits()
  }

  /** 32 random bits as an integer from 0. */
  bits(): number {
    this.state = (this.state + 0x9e3779b9) | 0
    let mixed = this.state ^ (this.state >>> 16)
    mixed = Math.imul(mixed, 0x21f0aaad)
    mixed ^= mixed >>> 15
    mixed = Math.imul(mixed, 0x735a2d97)
    return (mixed ^ (mixed >>> 15)) >>> 0
  }

  /** An integer from 0 below `count`, which is at least 1 and at most 2^32. */
  below(count: number): number {
    return this.bits() % count
  }

  /** An integer between both bounds, which are safe integers; both are included. */
  between(least: number, most: number): number {
    const count = most - least + 1
    if (count <= 0x100000000) return least + this.below(count)
    // 52 bits: two draws make one integer that a double holds exactly.
    const wide = (this.bits() % 0x100000) * 0x100000000 + this.bits()
    return least + (wide % count)
  }

  /** True in `percent` of a hundred cases. */
  chance(percent: number): boolean {
    return this.below(100) < percent
  }

  /** One of the items. @throws RangeError for an empty list */
  pick<T>(list: readonly T[]): T {
    return inCycle(list, this.bits())
  }

  /** The same members in another order (Fisher-Yates). */
  shuffled<T>(list: readonly T[]): T[] {
    const made = [...list]
    for (let index = made.length - 1; index > 0; index--) {
      const other = this.below(index + 1)
      // biome-ignore lint/style/noNonNullAssertion: an index of the list.
      const kept = made[index]!
      // biome-ignore lint/style/noNonNullAssertion: so is this.
      made[index] = made[other]!
      made[other] = kept
    }
    return made
  }
}
