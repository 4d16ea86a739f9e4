/**
 * Merges all schemas that apply to one value into one demand. Where they leave a choice (`anyOf`, `oneOf`, `if`,
 * `dependentSchemas`, and every `not`, which can be met in several ways), the attempt's number picks one, so that
 * further attempts take the others.
 */
import type { JsonValue } from '../../../core/json.ts'

import { conjunctsOf, dynamicTarget, type SchemaNode, type SchemaResource, typeBits } from '../model.ts'
import { waysToBreak } from './breaking.ts'
import { anyType, type Conjunct, Demand, scopeInside } from './demand.ts'
import type { Random } from './random.ts'

/** How choices are made; handed in by the generator, which knows the earlier ones. */
export interface Choosing {
  random: Random
  attempt: number
  /** Which of the branches comes first for this schema, before the attempt's number is added. */
  start(node: SchemaNode, count: number): number
  /** Whether a schema held for the value of the attempt before; undefined if there was none. */
  heldBefore(node: SchemaNode, scope: readonly SchemaResource[]): boolean | undefined
  /** Order of preference where values must stay small, least first. */
  weight: ((node: SchemaNode) => number) | undefined
  /** Counts work; throws when the budget is used up. */
  spend(steps: number): void
  isDynamic: boolean
  /** Whether an object of any kind should be preferred to be small. */
  isMinimal: boolean
}

/** Merges schemas that apply to one value. */
export function demandOf(conjuncts: readonly Conjunct[], choosing: Choosing): Demand {
  return new Merger(choosing).merge(conjuncts)
}

class Merger {
  private readonly demand = new Demand()
  private readonly plain: Conjunct[] = []
  private readonly branching: Conjunct[] = []
  private readonly negative: Conjunct[] = []
  private readonly dependent: Conjunct[] = []
  private readonly met = new Set<SchemaNode>()
  /** Conditions decided so far, and which of them should hold. */
  private conditions = 0
  private oneToHold: number | undefined

  constructor(private readonly choosing: Choosing) {}

  merge(conjuncts: readonly Conjunct[]): Demand {
    for (const conjunct of conjuncts) this.push(conjunct)
    // Choices come last, when the certain rules can exclude branches.
    while (this.demand.contradiction === undefined) {
      this.choosing.spend(1)
      const plain = this.plain.pop()
      if (plain !== undefined) {
        this.addPlain(plain)
        continue
      }
      const branching = this.branching.shift()
      if (branching !== undefined) {
        this.addBranches(branching)
        continue
      }
      const negative = this.negative.shift()
      if (negative !== undefined) {
        this.breakSchema(negative)
        continue
      }
      if (!this.addDependent()) break
    }
    return this.demand
  }

  private push(conjunct: Conjunct): void {
    if (!conjunct.positive) {
      this.negative.push(conjunct)
      return
    }
    this.plain.push(conjunct)
  }

  private part(node: SchemaNode, from: Conjunct): Conjunct {
    return { node, positive: from.positive, scope: scopeInside(from, this.choosing.isDynamic), via: from }
  }

  private addPlain(conjunct: Conjunct): void {
    const { node } = conjunct
    const { demand } = this
    if (node.always === true) return
    if (node.always === false) {
      demand.contradiction ??= 'false'
      return
    }
    const isRepeated = this.met.has(node)
    this.met.add(node)
    demand.conjuncts.push(conjunct)
    if (isRepeated && !this.choosing.isDynamic) return
    if (node.types !== undefined) demand.require(node.typeMask, 'type')
    if (node.constant !== undefined) demand.choices.push([node.constant.value])
    if (node.choices !== undefined) demand.choices.push(node.choices.values)
    if (node.minimum !== undefined) demand.minimum = Math.max(demand.minimum, node.minimum)
    if (node.maximum !== undefined) demand.maximum = Math.min(demand.maximum, node.maximum)
    if (node.exclusiveMinimum !== undefined) {
      demand.exclusiveMinimum = Math.max(demand.exclusiveMinimum, node.exclusiveMinimum)
    }
    if (node.exclusiveMaximum !== undefined) {
      demand.exclusiveMaximum = Math.min(demand.exclusiveMaximum, node.exclusiveMaximum)
    }
    if (node.multipleOf !== undefined) demand.multiples.push(node.multipleOf)
    if (node.minLength !== undefined) demand.minLength = Math.max(demand.minLength, node.minLength)
    if (node.maxLength !== undefined) demand.maxLength = Math.min(demand.maxLength, node.maxLength)
    if (node.pattern !== undefined) demand.patterns.push(node.pattern)
    if (node.format !== undefined) demand.formats.push(node.format.name)
    if (node.minItems !== undefined) demand.minItems = Math.max(demand.minItems, node.minItems)
    if (node.maxItems !== undefined) demand.maxItems = Math.min(demand.maxItems, node.maxItems)
    if (node.minProperties !== undefined) demand.minProperties = Math.max(demand.minProperties, node.minProperties)
    if (node.maxProperties !== undefined) demand.maxProperties = Math.min(demand.maxProperties, node.maxProperties)
    if (node.uniqueItems) demand.isUnique = true
    for (const name of node.required ?? []) demand.required.add(name)
    if (node.contains !== undefined || node.uniqueItems) demand.needsCheck = true
    if (node.unevaluatedItems !== undefined || node.unevaluatedProperties !== undefined) demand.needsCheck = true
    if (node.ref !== undefined) this.push(this.part(node.ref, conjunct))
    if (node.dynamicRef !== undefined) {
      const scope = scopeInside(conjunct, this.choosing.isDynamic)
      this.push(this.part(dynamicTarget(node.dynamicRef, scope), conjunct))
    }
    for (const part of node.allOf ?? []) this.push(this.part(part, conjunct))
    if (node.not !== undefined) {
      demand.needsCheck = true
      // What a `not` evaluates never counts for unevaluated members, hence no `via`.
      this.push({ ...this.part(node.not, conjunct), positive: false, via: undefined })
    }
    if (node.anyOf !== undefined || node.oneOf !== undefined || node.condition !== undefined) {
      this.branching.push(conjunct)
    }
    if (node.dependentSchemas !== undefined) this.dependent.push(conjunct)
  }

  private addBranches(conjunct: Conjunct): void {
    const { node } = conjunct
    this.demand.needsCheck = true
    if (node.anyOf !== undefined) {
      const chosen = this.choose(node, node.anyOf)
      if (chosen !== undefined) this.push(this.part(chosen, conjunct))
    }
    if (node.oneOf !== undefined) {
      const chosen = this.choose(node, node.oneOf)
      if (chosen !== undefined) {
        this.push(this.part(chosen, conjunct))
        // Usually the other branches fail by themselves; every second attempt enforces it.
        if (this.choosing.attempt % 2 === 1) {
          for (const other of node.oneOf) {
            if (other !== chosen) this.push({ ...this.part(other, conjunct), positive: false, via: undefined })
          }
        }
      }
    }
    if (node.condition !== undefined && (node.whenTrue !== undefined || node.whenFalse !== undefined)) {
      this.demand.alternatives = Math.max(this.demand.alternatives, 2)
      const holds = this.conditionHolds(node, node.condition, conjunct)
      if (holds) {
        this.push(this.part(node.condition, conjunct))
        if (node.whenTrue !== undefined) this.push(this.part(node.whenTrue, conjunct))
      } else {
        this.push({ ...this.part(node.condition, conjunct), positive: false, via: undefined })
        if (node.whenFalse !== undefined) this.push(this.part(node.whenFalse, conjunct))
      }
    }
  }

  /**
   * The seed decides first. Retries then keep the conditions that held for the failed value: its parts usually fit, and
   * it only lacked what the conditions require. Later retries choose at random.
   */
  private conditionHolds(node: SchemaNode, condition: SchemaNode, conjunct: Conjunct): boolean {
    const { choosing } = this
    const number = this.conditions++
    // A series of conditions usually tests one property for different values, so only one of them can hold.
    const total = this.conditions + this.branching.filter((other) => other.node.condition !== undefined).length
    this.oneToHold ??= total > 2 ? choosing.start(node, total) : -1
    const start = total > 2 ? number === this.oneToHold : choosing.start(node, 2) === 0
    if (choosing.attempt === 0) return start
    if (choosing.attempt % 3 === 0) return choosing.random.chance(Math.ceil(100 / Math.max(2, total)))
    return choosing.heldBefore(condition, scopeInside(conjunct, choosing.isDynamic)) ?? !start
  }

  /** Takes one of the branches that are still possible. */
  private choose(node: SchemaNode, branches: readonly SchemaNode[]): SchemaNode | undefined {
    const { demand, choosing } = this
    choosing.spend(branches.length)
    let viable = branches.filter((branch) => {
      let mask = demand.mask
      for (const part of conjunctsOf(branch)) {
        if (part.always === false) return false
        if (part.types !== undefined) mask &= part.typeMask
        if (part.constant !== undefined) mask &= typeBitOf(part.constant.value)
      }
      return mask !== 0
    })
    if (viable.length === 0) {
      demand.contradiction ??= 'anyOf'
      return undefined
    }
    demand.alternatives = Math.max(demand.alternatives, Math.min(viable.length * 2, 64))
    const { weight } = choosing
    if (weight !== undefined) {
      viable = viable
        .map((branch, index) => ({ branch, index, weight: weight(branch) }))
        .sort((left, right) => left.weight - right.weight || left.index - right.index)
        .map(({ branch }) => branch)
    }
    // oneOf tries each branch twice: first as it is, then with the others excluded.
    const round = node.oneOf === branches ? choosing.attempt >> 1 : choosing.attempt
    // In lockstep, choices of the same width would never meet in all their combinations.
    if (round >= viable.length || round % 3 === 2) return choosing.random.pick(viable)
    const start = weight === undefined ? choosing.start(node, viable.length) : 0
    return viable[(start + round) % viable.length]
  }

  /** Decides which properties with dependent schemas are present; returns whether there was one to decide. */
  private addDependent(): boolean {
    const conjunct = this.dependent.shift()
    if (conjunct === undefined) return false
    const { demand, choosing } = this
    if ((demand.mask & typeBits.object) === 0) return true
    for (const [name, schema] of conjunct.node.dependentSchemas ?? []) {
      demand.needsCheck = true
      demand.alternatives = Math.max(demand.alternatives, 4)
      if (demand.required.has(name)) this.push(this.part(schema, conjunct))
      else if (demand.forbidden.has(name)) continue
      else if (choosing.attempt % 2 === 0 && !choosing.isMinimal && choosing.random.chance(60)) {
        demand.required.add(name)
        demand.mask &= demand.mask & ~typeBits.object ? anyType : typeBits.object
        this.push(this.part(schema, conjunct))
      } else demand.forbidden.add(name)
    }
    return true
  }

  /** Takes one of the ways in which a value can fail to satisfy a schema. */
  private breakSchema(conjunct: Conjunct): void {
    const { node } = conjunct
    const { demand, choosing } = this
    if (node.always === false) return
    if (node.always === true) {
      demand.contradiction ??= 'not'
      return
    }
    demand.needsCheck = true
    // A value of another type, or without the property, breaks it already.
    if (node.types !== undefined && (demand.mask & node.typeMask) === 0) return
    for (const name of node.required ?? []) {
      if (demand.mask === typeBits.object && demand.forbidden.has(name)) return
    }
    const ways = waysToBreak(conjunct, demand, this.choosing.isDynamic, (made) => this.push(made))
    if (ways.length === 0) {
      demand.contradiction ??= 'not'
      return
    }
    choosing.spend(ways.length)
    demand.alternatives = Math.max(demand.alternatives, Math.min(ways.length * 2, 32))
    const index = (choosing.attempt >> 1) % ways.length
    const take = choosing.attempt < 2 * ways.length ? ways[index] : choosing.random.pick(ways)
    take?.()
  }
}

/** Integers have one bit and other numbers a second one; `typeBits.number` is both. */
const fractionBit = typeBits.number & ~typeBits.integer

function typeBitOf(value: JsonValue): number {
  if (typeof value === 'string') return typeBits.string
  if (typeof value === 'number') return Number.isInteger(value) ? typeBits.integer : fractionBit
  if (typeof value === 'boolean') return typeBits.boolean
  if (value === null) return typeBits.null
  return Array.isArray(value) ? typeBits.array : typeBits.object
}
