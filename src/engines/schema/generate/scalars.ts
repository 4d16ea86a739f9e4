/** Writes values without members, and values that the author gives: enumerated ones, examples and defaults. */
import { inCycle } from '../../../core/cycle.ts'
import { isJsonObject, type JsonValue } from '../../../core/json.ts'
import { limits } from '../../../core/limits.ts'
import { identityOf } from '../compare.ts'
import { type SchemaModel, type SchemaNode, typeBits } from '../model.ts'
import type { Conjunct, Demand } from './demand.ts'
import type { Judge } from './judge.ts'
import { proposeNumber } from './number.ts'
import type { Random } from './random.ts'
import { proposeText, type Subject } from './text.ts'

interface ScalarOptions {
  random: Random
  extreme: 'least' | 'most' | undefined
}

/** What a value is called, and who it is about. */
interface Naming {
  name: string
  subject: Subject
}

/** Every value answered here was judged. */
export class ScalarWriter {
  constructor(
    private readonly model: SchemaModel,
    private readonly judge: Judge,
    private readonly options: ScalarOptions,
    private readonly start: (node: SchemaNode, count: number) => number,
  ) {}

  /** A last resort: the author's examples and default. */
  sampleOf(demand: Demand, conjuncts: readonly Conjunct[]): JsonValue | undefined {
    for (const { node } of demand.conjuncts) {
      if (!isJsonObject(node.source)) continue
      const { examples, default: usual } = node.source
      const samples = [
        ...(Array.isArray(examples) ? examples.slice(0, 8) : []),
        ...(usual === undefined ? [] : [usual]),
      ]
      for (const sample of samples) if (this.judge.satisfies(conjuncts, sample)) return sample
    }
    return undefined
  }

  chosen(demand: Demand, conjuncts: readonly Conjunct[], attempt: number): JsonValue | undefined {
    const [first = [], ...others] = demand.choices
    let left = first
    if (others.length > 0 || demand.excluded.size > 0) {
      const allowed = others.map((values) => new Set(values.map(identityOf)))
      left = left.filter((value) => {
        const identity = identityOf(value)
        return !demand.excluded.has(identity) && allowed.every((identities) => identities.has(identity))
      })
    }
    if (left.length === 0) {
      this.judge.remember('enum')
      return undefined
    }
    const owner = demand.conjuncts.find(({ node }) => node.choices !== undefined)?.node ?? this.model.root
    const start = left.length === 1 ? 0 : this.start(owner, left.length) + attempt
    const tried = Math.min(left.length, 300)
    for (let index = 0; index < tried; index++) {
      const value = inCycle(left, start + index)
      this.judge.spend(1)
      if (this.judge.satisfies(conjuncts, value)) {
        return value
      }
    }
    this.judge.remember('enum')
    return undefined
  }

  boolean(demand: Demand, conjuncts: readonly Conjunct[]): JsonValue | undefined {
    const node = demand.conjuncts[0]?.node ?? this.model.root
    const first = this.start(node, 2) === 0
    for (const value of [first, !first]) if (this.judge.satisfies(conjuncts, value)) return value
    return undefined
  }

  number(demand: Demand, conjuncts: readonly Conjunct[], place: Naming): JsonValue | undefined {
    const { extreme, random } = this.options
    const sample = this.scalarExample(demand, conjuncts, 'number')
    if (sample !== undefined) return sample
    const isInteger = (demand.mask & typeBits.number) === typeBits.integer
    for (let attempt = 0; attempt < 10; attempt++) {
      this.judge.spend(1)
      const whole = isInteger || (attempt % 3 === 2 && (demand.mask & typeBits.integer) !== 0)
      const value = proposeNumber(
        { ...numbersOf(demand), isInteger: whole, name: place.name },
        random,
        attempt,
        attempt === 0 ? extreme : undefined,
      )
      if (value === undefined || !Number.isFinite(value)) continue
      if (!demand.excluded.has(identityOf(value)) && this.judge.satisfies(conjuncts, value)) return value
    }
    this.judge.remember('minimum')
    return undefined
  }

  string(demand: Demand, conjuncts: readonly Conjunct[], place: Naming): JsonValue | undefined {
    const { extreme, random } = this.options
    const sample = this.scalarExample(demand, conjuncts, 'string')
    if (sample !== undefined) return sample
    for (let attempt = 0; attempt < limits.caseTextAttempts; attempt++) {
      const text = proposeText(
        { ...demand, name: place.name },
        random,
        place.subject,
        attempt,
        attempt === 0 ? extreme : undefined,
      )
      if (text === undefined) break
      this.judge.spend(1 + (text.length >> 6))
      if (!demand.excluded.has(identityOf(text)) && this.judge.satisfies(conjuncts, text)) return text
    }
    this.judge.remember(demand.patterns.length > 0 ? 'pattern' : demand.formats.length > 0 ? 'format' : 'maxLength')
    return undefined
  }

  /** The author's examples are the most realistic values, so every other attempt takes one. */
  private scalarExample(
    demand: Demand,
    conjuncts: readonly Conjunct[],
    type: 'string' | 'number',
  ): JsonValue | undefined {
    if (this.options.extreme !== undefined) return undefined
    for (const { node } of demand.conjuncts) {
      if (!isJsonObject(node.source)) continue
      const { examples } = node.source
      if (!Array.isArray(examples) || examples.length === 0 || !this.options.random.chance(50)) continue
      const value = this.options.random.pick(examples)
      if (typeof value === type && this.judge.satisfies(conjuncts, value)) return value
    }
    return undefined
  }
}

function numbersOf(demand: Demand) {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multiples } = demand
  return { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multiples }
}

/** How many values a value holds, itself included. */
export function sizeOf(value: JsonValue): number {
  if (typeof value !== 'object' || value === null) return 1
  let size = 1
  for (const member of Array.isArray(value) ? value : Object.values(value)) size += sizeOf(member)
  return size
}
