import { describe, expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fuzz, tryInput } from './round.ts'
import type { Target } from './target.ts'
import { targets } from './targets.ts'
import { watchedRounds } from './watched.ts'

/** The short round; `bun test/fuzz/fuzz.ts` is the long one. */
describe('what comes from outside', () => {
  test('is read or refused in words, within its bounds, however it is broken', async () => {
    const rounds = await watchedRounds(
      targets.map(({ name }) => name),
      { seed: 1 },
    )
    expect(rounds.flatMap(({ target, problems }) => problems.map(({ what }) => `${target}: ${what}`))).toEqual([])
    expect(rounds.map(({ target, inputs }) => ({ target, inputs }))).toEqual(
      targets.map(({ name, shortRound }) => ({ target: name, inputs: shortRound })),
    )
    // Inputs that all come to the same would show nothing.
    for (const { target, outcomes, inputs, usable = 0 } of rounds) {
      const { leastOutcomes = 2, leastUsable = 0 } = targets.find(({ name }) => name === target) ?? {}
      expect([target, outcomes >= leastOutcomes, usable >= leastUsable * inputs]).toEqual([target, true, true])
    }
  }, 120_000)

  const folder = join(import.meta.dir, 'found')
  test.each(readdirSync(folder))('that once broke a reader does so no more: %s', async (name) => {
    const target = targets.find((one) => name.startsWith(`${one.name}-`))
    expect(target).toBeDefined()
    const tried = await tryInput(target!, new Uint8Array(readFileSync(join(folder, name))))
    expect(tried.problem).toBeUndefined()
  })
})

describe('a round', () => {
  const faulty: Target = {
    name: 'faulty',
    words: ['<'],
    maxBytes: 100,
    shortRound: 0,
    seeds: () => [new TextEncoder().encode('an input')],
    run(bytes) {
      if (bytes.includes(0x3c)) throw new RangeError('planted')
      return `${bytes.length % 7}`
    },
  }

  test('finds what throws, keeps what is new, and is the same again from the same seed', async () => {
    const options = { seed: 7, inputs: 200 }
    const round = await fuzz(faulty, options)
    expect(round.problems.length).toBeGreaterThan(0)
    expect(round.problems[0]?.what).toStartWith('RangeError: planted')
    expect(round.problems.every(({ input }) => input.includes(0x3c))).toBe(true)
    expect(round.kept.length).toBeGreaterThan(0)
    const again = await fuzz(faulty, options)
    expect({ ...again, slowestMs: 0 }).toEqual({ ...round, slowestMs: 0 })
  })

  test('names the input on which its process ends', async () => {
    const [round] = await watchedRounds(['planted-end'], { seed: 1 })
    expect(round?.target).toBe('planted-end')
    expect(round?.problems.map(({ input }) => new TextDecoder().decode(input))).toEqual(['the end'])
    expect(round?.problems[0]?.what).toStartWith('the process ended with 3')
  })
})
