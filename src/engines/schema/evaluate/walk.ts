/** State shared by all parts of an evaluation: its budget, the current place, and the reporting of faults. */
import type { JsonValue } from '../../../core/json.ts'
import { limits } from '../../../core/limits.ts'
import { nearest } from '../../../core/nearest.ts'
import type { CompiledPattern } from '../../../core/pattern/pattern.ts'
import { joinPointer } from '../../../core/pointer.ts'
import { identityOf } from '../compare.ts'
import { type ChoiceKeyword, choiceMessage, describeValue, type Fault, type Faults, optionsOf } from '../explain.ts'
import type { SchemaNode, SchemaResource } from '../model.ts'

const maxDepth = limits.schemaEvaluationDepth

/** The evaluation would take more than its budget of steps or of depth; the value is neither valid nor invalid. */
export class EvaluationExhausted extends Error {
  constructor(
    readonly reason: 'steps' | 'depth',
    readonly path: string,
  ) {
    super(`schema evaluation ran out of ${reason}`)
  }
}

/** The members that some schema on this value has evaluated, for `unevaluatedProperties` and `unevaluatedItems`. */
export class Seen {
  allProperties = false
  readonly properties = new Set<string>()
  allItems = false
  /** Items before this index are seen. */
  firstItems = 0
  readonly items = new Set<number>()

  add(other: Seen): void {
    this.allProperties ||= other.allProperties
    for (const key of other.properties) this.properties.add(key)
    this.allItems ||= other.allItems
    this.firstItems = Math.max(this.firstItems, other.firstItems)
    for (const index of other.items) this.items.add(index)
  }
}

/** What one schema says of a value. */
interface Told {
  isValid: boolean
  faults: readonly Fault[]
}

/** A place in the value, with the cached results of schemas there. It stores no pointer: that may be as long as the value. */
class Place {
  readonly told = new Map<SchemaNode, Told>()
  readonly #members = new Map<string | number, Place>()

  at(token: string | number): Place {
    const place = this.#members.get(token) ?? new Place()
    this.#members.set(token, place)
    return place
  }
}

/** One walk of schemas over a value; the families of keywords are functions of it. */
export abstract class Walk {
  private steps: number
  /** How many schemas are being applied, one in another. */
  protected depth = 0
  readonly path: (string | number)[] = []
  /** The resources entered on the way, outermost first; kept only if a `$dynamicRef` needs them. */
  readonly scope: SchemaResource[] = []
  private readonly root = new Place()

  constructor(maxSteps: number) {
    this.steps = maxSteps
  }

  /**
   * Whether a schema holds for a value. Without `faults` it answers at the first broken rule.
   * @throws EvaluationExhausted
   */
  abstract check(node: SchemaNode, value: JsonValue, faults: Faults | undefined, seen: Seen | undefined): boolean

  /** The same, by the walk and not by closures. */
  abstract apply(node: SchemaNode, value: JsonValue, faults: Faults | undefined, seen: Seen | undefined): boolean

  spend(steps: number): void {
    this.steps -= steps
    if (this.steps < 0) throw new EvaluationExhausted('steps', this.pointer())
  }

  /** Begins to apply a schema, until `leave`. */
  enter(): void {
    this.enterLeaf()
    this.depth++
  }

  /** The same of a schema that applies no others, and needs no `leave`. */
  enterLeaf(): void {
    this.spend(1)
    if (this.depth >= maxDepth) throw new EvaluationExhausted('depth', this.pointer())
  }

  /** Charges for schemas that apply no others, and have been asked at this place already. */
  spendLeaves(count: number): void {
    if (count === 0) return
    this.spend(count)
    if (this.depth >= maxDepth) throw new EvaluationExhausted('depth', this.pointer())
  }

  leave(): void {
    this.depth--
  }

  /** What a schema says of the value at this place, found out the first time that it is asked. */
  toldOnce(node: SchemaNode, findOut: () => Told): Told {
    this.spend(1 + (this.path.length >> 3))
    let place = this.root
    for (const token of this.path) place = place.at(token)
    const told = place.told.get(node) ?? findOut()
    place.told.set(node, told)
    return told
  }

  /** The identity of a structure; charges its length. */
  identity(value: JsonValue): string {
    const identity = identityOf(value)
    this.spend(identity.length >> 3)
    return identity
  }

  equals(value: JsonValue, constant: { value: JsonValue; identity: string }): boolean {
    if (typeof value !== 'object' || value === null) return value === constant.value
    return typeof constant.value === 'object' && this.identity(value) === constant.identity
  }

  isAmong(value: JsonValue, choices: NonNullable<SchemaNode['choices']>): boolean {
    if (typeof value !== 'object' || value === null) return choices.scalars.has(value)
    return choices.identities.has(this.identity(value))
  }

  matches(pattern: CompiledPattern, text: string): boolean {
    // RE2 takes some 50 ns per instruction and character once its automaton exceeds its memory. A step is 400 ns.
    this.spend(1 + Math.ceil((text.length * Math.max(2, pattern.cost)) / 8))
    return pattern.test(text)
  }

  checkMember(schema: SchemaNode, value: JsonValue, token: string | number, faults: Faults | undefined): boolean {
    if (faults === undefined) return this.check(schema, value, undefined, undefined)
    this.path.push(token)
    const isValid = this.check(schema, value, faults, undefined)
    this.path.pop()
    return isValid
  }

  wrong(faults: Faults | undefined, node: SchemaNode, keyword: string, message: () => string): false {
    if (faults !== undefined && !faults.isFull) faults.add({ ...this.place(), keyword, message, node })
    return false
  }

  wrongChoice(faults: Faults | undefined, node: SchemaNode, keyword: ChoiceKeyword, value: JsonValue): false {
    if (faults === undefined || faults.isFull) return false
    const choice = { rule: 'must be', options: optionsOf(node, keyword), actual: () => describeValue(value) }
    faults.add({ ...this.place(), keyword, message: () => choiceMessage(choice), node, choice })
    return false
  }

  missing(faults: Faults, node: SchemaNode, keyword: string, key: string, because?: string): false {
    if (faults.isFull) return false
    // A step for each: an object may lack thousands of names. Names that are present share steps.
    this.spend(1)
    const reason = because === undefined ? '' : ` because it has ${describeValue(because)}`
    const choice = { rule: 'must have the property', options: [`${describeValue(key)}${reason}`], actual: () => '' }
    faults.add({ ...this.place(), keyword, message: () => choiceMessage(choice), node, choice })
    return false
  }

  unknownProperty(faults: Faults | undefined, node: SchemaNode, keyword: string, key: string): false {
    if (faults === undefined) return false
    this.path.push(key)
    this.wrong(faults, node, keyword, () => {
      const similar = nearest(key, node.properties?.keys() ?? [])
      return `is not a known property${similar === undefined ? '' : `; did you mean ${describeValue(similar)}?`}`
    })
    this.path.pop()
    return false
  }

  /** Where a fault is. A pointer may be as long as the value, so it is charged by its length. */
  private place(): { path: string; depth: number } {
    const path = this.pointer()
    const depth = this.path.length
    this.spend((depth >> 3) + (path.length >> 6))
    return { path, depth }
  }

  protected pointer(): string {
    let pointer = ''
    for (const token of this.path) pointer = joinPointer(pointer, token)
    return pointer
  }
}
