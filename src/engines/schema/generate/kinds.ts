/** Which kinds of value to try for a demand, and in which order. */
import { typeBits } from '../model.ts'
import { anyType, type Demand, impliedMask } from './demand.ts'
import type { Random } from './random.ts'

export type Kind = 'null' | 'boolean' | 'number' | 'string' | 'array' | 'object'

const richestFirst: readonly Kind[] = ['object', 'array', 'string', 'number', 'boolean', 'null']
const smallestFirst: readonly Kind[] = ['string', 'number', 'boolean', 'null', 'array', 'object']
const kindMasks: Readonly<Record<Kind, number>> = {
  null: typeBits.null,
  boolean: typeBits.boolean,
  number: typeBits.number,
  string: typeBits.string,
  array: typeBits.array,
  object: typeBits.object,
}

/** The kinds of value to try, in this order. */
export function kindsOf(demand: Demand, isMinimal: boolean, random: Random, depth: number): Kind[] {
  const isTyped = demand.conjuncts.some(({ node }) => node.types !== undefined)
  const implied = impliedMask(demand)
  const allowed = richestFirst.filter((kind) => (demand.mask & kindMasks[kind]) !== 0)
  const isImplied = (kind: Kind) => (implied & kindMasks[kind]) !== 0
  const first = allowed.filter(isImplied)
  let rest = allowed.filter((kind) => !isImplied(kind))
  if (!isTyped && demand.mask === anyType) {
    // If any type is allowed, write a text, or an object at the root.
    const usual: Kind[] = depth === 0 ? ['object', 'string'] : ['string', 'number', 'boolean']
    rest = [...usual.filter((kind) => rest.includes(kind)), ...rest.filter((kind) => !usual.includes(kind))]
  }
  if (isMinimal) return smallestFirst.filter((kind) => allowed.includes(kind))
  const kinds = [...first, ...rest]
  // In one case of six, take another of several kinds, null included.
  if (isTyped && kinds.length > 1 && random.below(6) === 0)
    kinds.unshift(...kinds.splice(random.below(kinds.length), 1))
  return kinds
}
