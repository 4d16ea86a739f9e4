/**
 * Writes a value for a set of schemas: merges them into one demand, builds a value, judges it, and makes other choices
 * if it fails. All chance comes from the seed and all bounds are counted in steps, never in time.
 */
import { type JsonObject, type JsonValue, setMember } from '../../../core/json.ts'
import { limits } from '../../../core/limits.ts'
import type { CompiledPattern } from '../../../core/pattern/pattern.ts'
import { identityOf } from '../compare.ts'
import { type SchemaModel, type SchemaNode, typeBits } from '../model.ts'
import { type Conjunct, type Demand, memberConjunct } from './demand.ts'
import { Judge } from './judge.ts'
import { type Kind, kindsOf } from './kinds.ts'
import { type Choosing, demandOf } from './merge.ts'
import { isInside, isPropertySeen, ObjectPlan, openPatterns } from './object-plan.ts'
import type { Random } from './random.ts'
import { ScalarWriter, sizeOf } from './scalars.ts'
import { leastSizes } from './size.ts'
import { newSubject, proposeText, type Subject } from './text.ts'

export interface WriterOptions {
  random: Random
  /** Rotates through the branches, so that neighbouring seeds take different ones. */
  seed: number
  /** About how many values the payload may have, beside those that are required. */
  values: number
  /** Which optional properties the payload has. */
  optional: 'most' | 'all' | 'none'
  /** Which limits a boundary case reaches. */
  extreme: 'least' | 'most' | undefined
  maxSteps: number
}

interface Place {
  name: string
  subject: Subject
  depth: number
  /** Values that may still be spent in this part. */
  budget: number
}

/** Steps that one value costs beside its evaluation; a step takes about a microsecond. */
const valueSteps = 8
/** Levels of data. Reading JSON deeper than `limits.jsonDepth` is refused. */
const maxDepth = limits.jsonDepth - 8
/** Below this many values only what is required is written. */
const minimalBudget = 1
/** A demand that failed this often is not tried again in the same payload. */
const failuresBeforeGivingUp = 2

/** One of several attempts at a value, each with different choices. */
interface Attempt {
  place: Place
  /** 0 for the first. */
  attempt: number
  /** Whether only what is required is written. */
  isMinimal: boolean
}

export class CaseWriter {
  private written = 0
  private readonly visits = new Map<SchemaNode, number>()
  private readonly numbers = new Map<SchemaNode, number>()
  private readonly failures = new Map<string, number>()
  private readonly judge: Judge
  private readonly scalars: ScalarWriter

  constructor(
    private readonly model: SchemaModel,
    private readonly options: WriterOptions,
  ) {
    this.judge = new Judge(model, options.maxSteps)
    this.scalars = new ScalarWriter(model, this.judge, options, (node, count) => this.start(node, count))
  }

  /** Where nothing was found, with the keyword in the way. */
  get obstacles(): ReadonlyMap<string, number> {
    return this.judge.obstacles
  }

  /** A value for the whole schema, or undefined when no choice led to one. @throws CaseExhausted */
  write(): JsonValue | undefined {
    const root: Conjunct = { node: this.model.root, positive: true, scope: [], via: undefined }
    const { random, values } = this.options
    return this.value([root], { name: '', subject: newSubject(random), depth: 0, budget: values })
  }

  /** @param starts the first choice of each schema in the first attempt; later attempts count on from it */
  private choosing({
    attempt,
    isMinimal,
    starts,
    before,
  }: {
    attempt: number
    isMinimal: boolean
    starts: Map<SchemaNode, number>
    before?: JsonValue | undefined
  }): Choosing {
    const sizes = isMinimal ? leastSizes(this.model) : undefined
    return {
      random: this.options.random,
      attempt,
      start: (node, count) => {
        let start = starts.get(node)
        if (start === undefined) {
          start = this.start(node, count)
          starts.set(node, start)
        }
        return start % count
      },
      heldBefore: (node, scope) => (before === undefined ? undefined : this.judge.holds(node, before, scope)),
      weight: sizes === undefined ? undefined : (node) => sizes.get(node) ?? 1,
      spend: (steps) => this.judge.spend(steps),
      isDynamic: this.model.isDynamic,
      isMinimal,
    }
  }

  /** Each use of a schema takes its next branch, within this payload and from seed to seed. */
  private start(node: SchemaNode, count: number): number {
    const visits = this.visits.get(node) ?? 0
    this.visits.set(node, visits + 1)
    const { random, seed } = this.options
    // Rotation alone would keep nested choices with equally many branches in step.
    return visits === 0 && random.chance(40) ? random.below(count) : (seed + visits) % count
  }

  private value(conjuncts: readonly Conjunct[], place: Place): JsonValue | undefined {
    this.judge.spend(valueSteps)
    if (place.depth > maxDepth) return undefined
    const key = this.keyOf(conjuncts)
    if ((this.failures.get(key) ?? 0) >= failuresBeforeGivingUp) return undefined
    const isMinimal = place.budget <= minimalBudget || place.depth > 24
    const writtenBefore = this.written
    let attempts = 1
    let last: Demand | undefined
    let before: JsonValue | undefined
    const starts = new Map<SchemaNode, number>()
    for (let attempt = 0; attempt < attempts; attempt++) {
      this.written = writtenBefore + 1
      const demand = demandOf(conjuncts, this.choosing({ attempt, isMinimal, starts, before }))
      last = demand
      attempts = Math.min(
        limits.caseValueAttempts,
        Math.max(attempts, demand.alternatives + (demand.needsCheck ? 10 : 0)),
      )
      if (demand.contradiction !== undefined) {
        this.judge.remember(demand.contradiction)
        continue
      }
      const kinds = kindsOf(demand, isMinimal, this.options.random, place.depth)
      if (kinds.length > 1 && demand.choices.length === 0) {
        attempts = Math.min(limits.caseValueAttempts, Math.max(attempts, kinds.length * 2))
      }
      attempts = Math.max(attempts, 2)
      const kind = kinds[attempt % Math.max(1, kinds.length)]
      const made = this.build(demand, conjuncts, kind, { place, attempt, isMinimal })
      if (made !== undefined && this.isAccepted(conjuncts, demand, made)) return made
      before = made ?? before
    }
    const sample = last === undefined ? undefined : this.scalars.sampleOf(last, conjuncts)
    if (sample !== undefined) return sample
    if (place.depth <= 40) this.failures.set(key, (this.failures.get(key) ?? 0) + 1)
    return undefined
  }

  private keyOf(conjuncts: readonly Conjunct[]): string {
    let key = ''
    for (const { node, positive } of conjuncts) {
      let number = this.numbers.get(node)
      if (number === undefined) {
        number = this.numbers.size
        this.numbers.set(node, number)
      }
      key += positive ? `+${number}` : `-${number}`
    }
    return key
  }

  private isAccepted(conjuncts: readonly Conjunct[], demand: Demand, value: JsonValue): boolean {
    const isContainer = typeof value === 'object' && value !== null
    // Scalars were validated when they were made; containers are valid if their parts are, unless schemas combine.
    if (!isContainer || !demand.needsCheck) return true
    if (this.judge.satisfies(conjuncts, value)) return true
    this.judge.remember(obstacleOf(demand))
    return false
  }

  private build(
    demand: Demand,
    conjuncts: readonly Conjunct[],
    kind: Kind | undefined,
    { place, attempt, isMinimal }: Attempt,
  ): JsonValue | undefined {
    if (demand.choices.length > 0) {
      const chosen = this.scalars.chosen(demand, conjuncts, attempt)
      if (chosen !== undefined) this.written += sizeOf(chosen) - 1
      return chosen
    }
    switch (kind) {
      case 'null':
        return this.judge.satisfies(conjuncts, null) ? null : undefined
      case 'boolean':
        return this.scalars.boolean(demand, conjuncts)
      case 'number':
        return this.scalars.number(demand, conjuncts, place)
      case 'string':
        return this.scalars.string(demand, conjuncts, place)
      case 'array':
        return this.array(demand, { place, attempt, isMinimal })
      case 'object':
        return this.object(demand, { place, attempt, isMinimal })
      default:
        return undefined
    }
  }

  private array(demand: Demand, { place, attempt, isMinimal }: Attempt): JsonValue | undefined {
    const { extreme, random } = this.options
    let listed = 0
    let hasItems = false
    for (const { node } of demand.conjuncts) {
      listed = Math.max(listed, node.prefixItems?.length ?? 0)
      if (node.items !== undefined && node.items.always === undefined) hasItems = true
      if (node.unevaluatedItems !== undefined && node.unevaluatedItems.always === undefined) hasItems = true
    }
    const slots = containsSlots(demand, listed, attempt, this.model.isDynamic)
    const least = Math.max(Math.ceil(demand.minItems), slots.length)
    const most = Math.floor(demand.maxItems)
    if (least > most || least > limits.caseValues * 50) return undefined
    let wanted = least
    if (extreme === 'most' && most <= limits.caseArrayItems) wanted = most
    else if (extreme !== 'least' && !isMinimal) {
      const usual = listed + (hasItems || listed === 0 ? 1 + random.below(place.depth < 4 ? 3 : 2) : 0)
      wanted = Math.min(most, Math.max(least, Math.min(usual, place.budget)))
      if (attempt >= 6) wanted = least
    }
    const made: JsonValue[] = []
    const identities = new Set<string>()
    let left = place.budget - 1
    for (let index = 0; index < wanted; index++) {
      const conjuncts = this.itemConjuncts(demand, index, slots[index])
      let item: JsonValue | undefined
      const before = this.written
      // A repeated item is no fault of its schema: try again with another branch and other values.
      for (let round = 0; round < (demand.isUnique ? 12 : 1); round++) {
        this.written = before
        const budget = Math.floor(left / (wanted - index))
        const proposed = this.value(conjuncts, { ...place, name: singular(place.name), depth: place.depth + 1, budget })
        if (proposed === undefined) break
        if (demand.isUnique && identities.has(identityOf(proposed))) continue
        item = proposed
        break
      }
      if (item === undefined) {
        if (index >= least) break
        return undefined
      }
      left -= this.written - before
      if (demand.isUnique) identities.add(identityOf(item))
      made.push(item)
    }
    return made
  }

  private itemConjuncts(demand: Demand, index: number, slot: readonly Conjunct[] | undefined): Conjunct[] {
    const found: Conjunct[] = []
    for (const conjunct of demand.conjuncts) {
      const { node } = conjunct
      const schema = node.prefixItems?.[index] ?? node.items
      if (schema !== undefined) found.push(memberConjunct(schema, conjunct, this.model.isDynamic))
      if (node.unevaluatedItems !== undefined && !this.isItemSeen(demand, conjunct, index, slot)) {
        found.push(memberConjunct(node.unevaluatedItems, conjunct, this.model.isDynamic))
      }
      if (node.contains !== undefined && node.maxContains !== undefined && slot === undefined) {
        found.push({ ...memberConjunct(node.contains, conjunct, this.model.isDynamic), positive: false })
      }
    }
    if (slot !== undefined) found.push(...slot)
    found.push(...(demand.itemBreaks.get(index) ?? []), ...demand.itemsNever)
    return found
  }

  private isItemSeen(demand: Demand, owner: Conjunct, index: number, slot: readonly Conjunct[] | undefined): boolean {
    for (const conjunct of demand.conjuncts) {
      if (!isInside(conjunct, owner)) continue
      const { node } = conjunct
      if (node.items !== undefined || index < (node.prefixItems?.length ?? 0)) return true
      if (conjunct !== owner && node.unevaluatedItems !== undefined) return true
      if (slot?.some((entry) => entry.node === node.contains)) return true
    }
    return false
  }

  private object(demand: Demand, attempt: Attempt): JsonValue | undefined {
    const { place } = attempt
    const plan = new ObjectPlan(demand)
    if (!this.planMembers(plan, demand, attempt)) return undefined
    const made: JsonObject = {}
    let left = place.budget - plan.names.size
    const subject = place.depth === 0 || !sharesSubject(place.name) ? newSubject(this.options.random) : place.subject
    const members = plan.inOrder().map((name) => ({ name, conjuncts: this.memberConjuncts(demand, name) }))
    let structures = members.filter(({ conjuncts }) => mayHoldMembers(conjuncts)).length
    for (const { name, conjuncts } of members) {
      const isStructure = mayHoldMembers(conjuncts)
      const budget = isStructure ? Math.floor(Math.max(0, left) / Math.max(1, structures--)) : 1
      const before = this.written
      const member = this.value(conjuncts, { name, subject, depth: place.depth + 1, budget })
      if (member === undefined) {
        this.written = before
        if (!plan.canDrop(name)) return undefined
        plan.drop(name)
        continue
      }
      left -= this.written - before - 1
      setMember(made, name, member)
    }
    // A member is dropped too if a member that it requires could not be made.
    for (const name of Object.keys(made)) if (!plan.names.has(name)) delete made[name]
    return Object.keys(made).length < demand.minProperties ? undefined : made
  }

  /** Decides which properties the object has; false when a required one is impossible. */
  private planMembers(plan: ObjectPlan, demand: Demand, { place, attempt, isMinimal }: Attempt): boolean {
    const { extreme, optional, random } = this.options
    for (const name of demand.required) if (!plan.add(name)) return false
    const most = Math.min(demand.maxProperties, limits.caseObjectMembers)
    if (plan.names.size > demand.maxProperties) {
      this.judge.remember('maxProperties')
      return false
    }
    for (const { pattern, breaks } of demand.patternBreaks) {
      const name = this.newName(demand, plan, pattern, place)
      if (name === undefined) return false
      plan.addBreak(name, breaks)
    }
    for (const breaks of demand.strangerBreaks) {
      const name = this.newName(demand, plan, undefined, place)
      if (name === undefined) return false
      plan.addBreak(name, breaks)
    }
    const percent = optional === 'none' ? 0 : optional === 'all' ? (attempt < 6 ? 100 : 50) : this.percentAt(attempt)
    const offered = plan.declared.filter((name) => !plan.names.has(name) && !demand.forbidden.has(name))
    const sizes = leastSizes(this.model)
    if (!isMinimal && percent > 0) {
      let left = place.budget - plan.names.size
      for (const name of offered.length > left ? random.shuffled(offered) : offered) {
        if (plan.names.size >= most || left < 1) break
        if (!random.chance(percent)) continue
        const conjuncts = this.memberConjuncts(demand, name)
        if (conjuncts.some(({ node }) => node.always === false)) continue
        if (conjuncts.some(({ node }) => (sizes.get(node) ?? 1) > Math.max(left, 1))) continue
        if (!this.isNameAllowed(demand, name)) continue
        const before = plan.names.size
        if (plan.add(name) && plan.names.size > demand.maxProperties) plan.drop(name)
        left -= plan.names.size - before
      }
    }
    if (!isMinimal && percent > 0 && extreme === undefined) this.planFurther(plan, demand, place, most)
    const least =
      extreme === 'most' && demand.maxProperties <= limits.caseObjectMembers
        ? demand.maxProperties
        : demand.minProperties
    if (least > limits.caseValues * 50) return false
    for (const name of random.shuffled(offered)) {
      if (plan.names.size >= least) break
      if (!plan.names.has(name) && this.isNameAllowed(demand, name) && plan.names.size < demand.maxProperties)
        plan.add(name)
    }
    for (let round = 0; plan.names.size < least && round < least + 20; round++) {
      const patterns = openPatterns(demand)
      const pattern = patterns.length === 0 ? undefined : patterns[round % (patterns.length + 1)]
      const name = this.newName(demand, plan, pattern, place)
      if (name !== undefined) plan.addUndeclared(name)
      else if (round > 10 + patterns.length) break
    }
    for (const name of [...plan.names]) {
      if (this.isNameAllowed(demand, name)) continue
      if (!plan.canDrop(name)) {
        this.judge.remember('propertyNames')
        return false
      }
      plan.drop(name)
    }
    return plan.names.size >= demand.minProperties
  }

  /** One property for each pattern, and one or two if additional properties have a schema of their own. */
  private planFurther(plan: ObjectPlan, demand: Demand, place: Place, most: number): void {
    const { random } = this.options
    let left = place.budget - plan.names.size
    for (const pattern of openPatterns(demand)) {
      if (plan.names.size >= most || left-- < 1) return
      const name = this.newName(demand, plan, pattern, place)
      if (name !== undefined) plan.addUndeclared(name)
    }
    const hasSchema = demand.conjuncts.some(({ node }) => {
      const further = node.additionalProperties ?? node.unevaluatedProperties
      return further !== undefined && further.always === undefined
    })
    const count = hasSchema ? 1 + random.below(2) : 0
    for (let index = 0; index < count && plan.names.size < most && left-- > 0; index++) {
      const name = this.newName(demand, plan, undefined, place)
      if (name !== undefined) plan.addUndeclared(name)
    }
  }

  private percentAt(attempt: number): number {
    return attempt < 3 ? 88 : attempt < 6 ? 60 : attempt < 10 ? 25 : 0
  }

  /** A new property name that the schemas allow. */
  private newName(
    demand: Demand,
    plan: ObjectPlan,
    pattern: CompiledPattern | undefined,
    place: Place,
  ): string | undefined {
    const names = demand.conjuncts.flatMap((conjunct) => {
      const { propertyNames } = conjunct.node
      return propertyNames === undefined ? [] : [memberConjunct(propertyNames, conjunct, this.model.isDynamic)]
    })
    for (let round = 0; round < 8; round++) {
      const text = demandOf(names, this.choosing({ attempt: round, isMinimal: false, starts: new Map() }))
      if (pattern !== undefined) text.patterns.push(pattern)
      if (text.contradiction !== undefined || (text.mask & typeBits.string) === 0) return undefined
      let name: JsonValue | undefined
      if (text.choices.length > 0) name = this.scalars.chosen(text, names, round)
      else {
        const asked = {
          ...text,
          name: text.patterns.length > 0 || text.formats.length > 0 ? '' : `${singular(place.name)}Name`,
        }
        name = proposeText(
          asked,
          this.options.random,
          place.subject,
          round + (text.patterns.length > 0 ? 1 : 3),
          undefined,
        )
      }
      this.judge.spend(2)
      if (typeof name !== 'string' || name === '__proto__') continue
      if (plan.names.has(name) || plan.isDeclared(name) || demand.forbidden.has(name)) continue
      if (pattern !== undefined && !pattern.test(name)) continue
      if (!this.judge.satisfies(names, name)) continue
      if (this.memberConjuncts(demand, name).some(({ node }) => node.always === false)) continue
      return name
    }
    return undefined
  }

  private isNameAllowed(demand: Demand, name: string): boolean {
    return demand.conjuncts.every(
      ({ node, scope }) =>
        node.propertyNames === undefined || this.judge.holds(node.propertyNames, name, scope) === true,
    )
  }

  /** Every schema that applies to a property of that name. */
  private memberConjuncts(demand: Demand, name: string): Conjunct[] {
    const found: Conjunct[] = []
    const { isDynamic } = this.model
    this.judge.spend(demand.conjuncts.length)
    for (const conjunct of demand.conjuncts) {
      const { node } = conjunct
      const declared = node.properties?.get(name)
      if (declared !== undefined) found.push(memberConjunct(declared, conjunct, isDynamic))
      let isCovered = declared !== undefined
      for (const { pattern, schema } of node.patternProperties ?? []) {
        if (!pattern.test(name)) continue
        isCovered = true
        found.push(memberConjunct(schema, conjunct, isDynamic))
      }
      if (!isCovered && node.additionalProperties !== undefined) {
        found.push(memberConjunct(node.additionalProperties, conjunct, isDynamic))
      }
      if (node.unevaluatedProperties !== undefined && !isPropertySeen(demand, conjunct, name)) {
        found.push(memberConjunct(node.unevaluatedProperties, conjunct, isDynamic))
      }
    }
    found.push(...(demand.memberBreaks.get(name) ?? []))
    return found
  }
}

/** The schemas that `contains` adds to items, by index. */
function containsSlots(
  demand: Demand,
  listed: number,
  attempt: number,
  isDynamic: boolean,
): (Conjunct[] | undefined)[] {
  const slots: (Conjunct[] | undefined)[] = []
  let next = attempt % 2 === 0 ? listed : 0
  let wanted = 0
  for (const { node } of demand.conjuncts) if (node.contains !== undefined) wanted += node.minContains ?? 1
  if (next + wanted > demand.maxItems) next = Math.max(0, Math.floor(demand.maxItems) - wanted)
  const isShared = attempt % 4 >= 2
  const start = next
  for (const conjunct of demand.conjuncts) {
    const { node } = conjunct
    if (node.contains === undefined) continue
    const count = Math.min(node.minContains ?? 1, limits.caseArrayItems)
    // Several `contains` may be met by the same items.
    if (isShared) next = start
    for (let index = 0; index < count; index++, next++) {
      while (slots.length <= next) slots.push(undefined)
      const slot = slots[next] ?? []
      slot.push(memberConjunct(node.contains, conjunct, isDynamic))
      slots[next] = slot
    }
  }
  return slots
}

/** Whether a value of these schemas can have members, judged without making choices. */
function mayHoldMembers(conjuncts: readonly Conjunct[]): boolean {
  for (const { node, positive } of conjuncts) {
    if (!positive || node.always !== undefined) continue
    if (node.types !== undefined) {
      if ((node.typeMask & (typeBits.array | typeBits.object)) !== 0) return true
    } else if (node.hasCombinations || node.properties !== undefined || node.items !== undefined) return true
  }
  return false
}

/** `address` of a `customer` is about the same person and place; a list of `items` is not. */
function sharesSubject(name: string): boolean {
  return /address|name|contact|location|details|info/i.test(name)
}

function singular(name: string): string {
  if (/ies$/i.test(name)) return `${name.slice(0, -3)}y`
  return /[^s]s$/i.test(name) ? name.slice(0, -1) : name
}

function obstacleOf(demand: Demand): string {
  for (const { node } of demand.conjuncts) {
    if (node.oneOf !== undefined) return 'oneOf'
    if (node.not !== undefined) return 'not'
    if (node.contains !== undefined) return 'contains'
    if (node.condition !== undefined) return 'if'
    if (node.unevaluatedProperties !== undefined) return 'unevaluatedProperties'
    if (node.unevaluatedItems !== undefined) return 'unevaluatedItems'
  }
  return 'allOf'
}
