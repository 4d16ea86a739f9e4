import { inCycle } from '../../src/core/cycle.ts'
import { sha256Hex } from '../../src/core/hash.ts'
import { othersTurn } from '../../src/core/turns.ts'
import { Random } from '../../src/engines/schema/generate/random.ts'
import { bounds } from './bounds.ts'
import { mutate } from './mutate.ts'
import type { Target } from './target.ts'

/** What came of the inputs of one target. */
export interface Round {
  inputs: number
  /** Different outcomes: how far the inputs reached. */
  outcomes: number
  /** Inputs that got past the first checks of the reader, where the target knows. */
  usable?: number
  slowestMs: number
  problems: Problem[]
  /** Inputs, besides the seeds, that were the first with their outcome. */
  kept: Uint8Array[]
}

export interface Problem {
  input: Uint8Array
  what: string
}

export interface RoundOptions {
  seed: number
  /** The round ends when it has tried as many, or when as much time is over. */
  inputs: number
  ms?: number
  /** Inputs besides the target's own seeds. */
  corpus?: readonly Uint8Array[]
  /** Called with each input before it is tried, so that somebody knows it if it never ends. */
  announce?: (input: Uint8Array) => void
}

/**
 * Tries a target's seeds, and then changes of them and of inputs that the target makes. An input whose outcome is new is changed further itself. The same seed
 * gives the same inputs, unless `ms` ends the round.
 */
export async function fuzz(target: Target, options: RoundOptions): Promise<Round> {
  const random = new Random(options.seed, 0)
  const begin = performance.now()
  const pool = [...target.seeds(), ...(options.corpus ?? [])]
  const seeds = pool.length
  const known = new Set<string>()
  const round: Round = { inputs: 0, outcomes: 0, slowestMs: 0, problems: [], kept: [] }
  const isOver = () =>
    round.inputs >= options.inputs || performance.now() - begin >= (options.ms ?? Number.POSITIVE_INFINITY)
  while (!isOver() && round.problems.length < bounds.problems) {
    const input = round.inputs < seeds ? inCycle(pool, round.inputs) : nextInput(target, pool, random)
    options.announce?.(input)
    round.inputs++
    const { outcome, ms, problem } = await tryInput(target, input)
    round.slowestMs = Math.max(round.slowestMs, ms)
    if (problem !== undefined) round.problems.push({ input, what: problem })
    else if (round.inputs % 64 === 0 && (await holdsTooMuch())) {
      round.problems.push({ input, what: 'the process holds too much since one of the last 64 inputs' })
    }
    if (outcome !== undefined && target.isUsable?.(outcome)) round.usable = (round.usable ?? 0) + 1
    // An outcome is often a part of its input, and would hold all of it.
    const kind = outcome === undefined ? undefined : sha256Hex(outcome)
    if (kind === undefined || known.has(kind)) continue
    known.add(kind)
    if (round.inputs > seeds && round.kept.length < bounds.keptInputs) {
      pool.push(input)
      round.kept.push(input)
    }
  }
  round.outcomes = known.size
  return round
}

function nextInput(target: Target, pool: readonly Uint8Array[], random: Random): Uint8Array {
  const made = target.made !== undefined && random.chance(60) ? target.made(random) : undefined
  if (made !== undefined && made.length <= target.maxBytes && random.chance(60)) return made
  // Late arrivals are tried more often than their number would make them.
  const kept = random.chance(50)
    ? inCycle(pool, pool.length - 1 - random.below(Math.min(pool.length, 8)))
    : random.pick(pool)
  return (target.change ?? mutate)(made ?? kept, random.pick(pool), target.words, random, target.maxBytes)
}

/** After a collection: what only waits for one is not held. */
async function holdsTooMuch(): Promise<boolean> {
  // What was closed is let go in the next turn of the event loop.
  await othersTurn()
  if (process.memoryUsage.rss() <= bounds.processBytes) return false
  Bun.gc(true)
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external > bounds.processBytes
}

interface Tried {
  outcome?: string
  ms: number
  problem?: string
}

/** Tries one input. A problem is whatever a target throws: it answers for bad input with an outcome. */
export async function tryInput(target: Target, input: Uint8Array): Promise<Tried> {
  const begin = performance.now()
  try {
    const outcome = await target.run(input)
    const ms = performance.now() - begin
    if (ms <= bounds.inputMs) return { outcome, ms }
    // Other work on the machine takes time as well. (Asking for the processor's takes a third of a millisecond here.)
    const before = process.cpuUsage()
    await target.run(input)
    const { user, system } = process.cpuUsage(before)
    const own = Math.min(ms, (user + system) / 1_000)
    return { outcome, ms: own, ...(own > bounds.inputMs ? { problem: `took ${Math.round(own)} ms` } : {}) }
  } catch (error) {
    const what = error instanceof Error ? (error.stack ?? `${error.name}: ${error.message}`) : String(error)
    return { ms: performance.now() - begin, problem: what.split('\n').slice(0, 4).join(' ') }
  }
}
