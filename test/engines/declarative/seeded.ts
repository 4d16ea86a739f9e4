export type Random = (below: number) => number

/** A small seeded generator (mulberry32), so that a failure can be repeated by its seed. */
export function seeded(seed: number): Random {
  let state = seed
  return (below) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below
  }
}

export function pick<T>(random: Random, values: readonly T[]): T {
  return values[random(values.length)]!
}
