import type { Random } from '../../src/engines/schema/generate/random.ts'
import type { mutate } from './mutate.ts'

/** A reader of what comes from outside, and what inputs for it are made of. */
export interface Target {
  name: string
  /** Pieces of its format, which changes put in. */
  words: readonly string[]
  maxBytes: number
  /** Inputs in the round that CI makes: some 400 ms of processor time. */
  shortRound: number
  /** Outcomes that the short round comes to; 2 where nothing is said. */
  leastOutcomes?: number
  /** Inputs that it accepts, to begin with; they cost nothing until they are asked for. */
  seeds(): Uint8Array[]
  /** An input that has the format's structure, for readers that changes of bytes seldom get into. */
  made?(random: Random): Uint8Array
  /** A change of an input that keeps the structure, in place of changes of bytes anywhere. */
  change?: typeof mutate
  /** Whether an outcome is that of an input which got past the first checks of the reader. */
  isUsable?(outcome: string): boolean
  /** The share of usable inputs that the short round has at least. */
  leastUsable?: number
  /**
   * What came of an input, in a few words, whatever it was. Nothing may be thrown: what a caller of the reader answers by
   * itself is an outcome.
   */
  run(bytes: Uint8Array): string | Promise<string>
}
