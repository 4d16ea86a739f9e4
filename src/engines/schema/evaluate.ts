/**
 * Evaluation of a schema model on a value. One walk serves both questions: without a fault collector it answers at the
 * first broken rule, with one it goes on and tells them all.
 */
import { isJsonObject, type JsonObject, type JsonValue } from '../../core/json.ts'
import { limits } from '../../core/limits.ts'
import { joinPointer } from '../../core/pointer.ts'
import { codePointLength, identityOf, isMultipleOf } from './compare.ts'
import {
  choiceMessage,
  count,
  describeType,
  describeValue,
  excerpt,
  explainAlternatives,
  type Fault,
  Faults,
  formatWords,
  orList,
} from './explain.ts'
import { type SchemaModel, type SchemaNode, type SchemaResource, typeBits } from './model.ts'
import { nearest } from './nearest.ts'
import type { CompiledPattern } from './pattern.ts'

/** The evaluation would take more than its budget of steps or of depth; the value is neither valid nor invalid. */
export class EvaluationExhausted extends Error {
  constructor(
    readonly reason: 'steps' | 'depth',
    readonly path: string,
  ) {
    super(`schema evaluation ran out of ${reason}`)
  }
}

/** What `unevaluatedProperties` and `unevaluatedItems` have to know: which members a schema on this value has seen. */
class Seen {
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

export class Evaluation {
  private steps: number
  private depth = 0
  private readonly path: (string | number)[] = []
  private readonly scope: SchemaResource[] = []

  constructor(
    private readonly model: SchemaModel,
    maxSteps: number,
  ) {
    this.steps = maxSteps
  }

  /** @throws EvaluationExhausted */
  isValid(value: JsonValue): boolean {
    return this.check(this.model.root, value, undefined, undefined)
  }

  /**
   * Whether one schema of the model holds for a value.
   * @param scope the resources entered on the way to that schema, outermost first; it decides `$dynamicRef`
   * @throws EvaluationExhausted
   */
  holds(node: SchemaNode, value: JsonValue, scope: readonly SchemaResource[] = []): boolean {
    this.scope.length = 0
    this.scope.push(...scope)
    this.depth = 0
    return this.check(node, value, undefined, undefined)
  }

  /** The schema a `$dynamicRef` leads to when it is reached through these resources, outermost first. */
  static dynamicTarget(
    reference: { target: SchemaNode; anchor: string | undefined },
    scope: readonly SchemaResource[],
  ): SchemaNode {
    // The outermost resource in the dynamic scope that has the anchor wins (JSON Schema Core, 8.2.3.2).
    if (reference.anchor === undefined) return reference.target
    for (const resource of scope) {
      const found = resource.dynamicAnchors.get(reference.anchor)
      if (found !== undefined) return found
    }
    return reference.target
  }

  /** Steps left of those given to the constructor. */
  get stepsLeft(): number {
    return this.steps
  }

  /**
   * Adds the faults of a value to a collector, which keeps what was found before an exhaustion.
   * @throws EvaluationExhausted
   */
  explain(value: JsonValue, faults: Faults): void {
    this.check(this.model.root, value, faults, undefined)
  }

  private check(node: SchemaNode, value: JsonValue, faults: Faults | undefined, seen: Seen | undefined): boolean {
    this.spend(1)
    if (node.always === true) return true
    if (node.always === false) return this.wrong(faults, node, 'false', 'is not allowed here')
    if (++this.depth > limits.schemaEvaluationDepth) throw new EvaluationExhausted('depth', this.pointer())
    const entersResource = this.model.isDynamic && this.scope[this.scope.length - 1] !== node.resource
    if (entersResource) this.scope.push(node.resource)
    let isValid: boolean
    if (node.unevaluatedProperties === undefined && node.unevaluatedItems === undefined) {
      isValid = this.checkKeywords(node, value, faults, seen)
    } else {
      // Cousins are not seen: what the schemas beside this one evaluated stays outside.
      const own = new Seen()
      isValid = this.checkKeywords(node, value, faults, own) && this.checkUnevaluated(node, value, faults, own)
      if (isValid) seen?.add(own)
    }
    if (entersResource) this.scope.pop()
    this.depth--
    return isValid
  }

  private spend(steps: number): void {
    this.steps -= steps
    if (this.steps < 0) throw new EvaluationExhausted('steps', this.pointer())
  }

  private checkKeywords(
    node: SchemaNode,
    value: JsonValue,
    faults: Faults | undefined,
    seen: Seen | undefined,
  ): boolean {
    // A value of the wrong type or outside its choices would break other rules only as a consequence.
    if (node.types !== undefined && (node.typeMask & typeBit(value)) === 0) {
      return this.wrongChoice(faults, node, 'type', node.types.map(describeType), value)
    }
    if (node.constant !== undefined && !this.equals(value, node.constant)) {
      return this.wrongChoice(faults, node, 'const', [describeValue(node.constant.value)], value)
    }
    if (node.choices !== undefined && !this.isAmong(value, node.choices)) {
      return this.wrongChoice(faults, node, 'enum', node.choices.values.map(describeValue), value)
    }
    let isValid = true
    if (typeof value === 'string') isValid = this.checkString(node, value, faults)
    else if (typeof value === 'number') isValid = this.checkNumber(node, value, faults)
    else if (Array.isArray(value)) isValid = this.checkArray(node, value, faults, seen)
    else if (value !== null && typeof value === 'object') isValid = this.checkObject(node, value, faults, seen)
    if (!isValid && faults === undefined) return false
    return (!node.hasCombinations || this.checkCombinations(node, value, faults, seen)) && isValid
  }

  private equals(value: JsonValue, constant: { value: JsonValue; identity: string }): boolean {
    if (typeof value !== 'object' || value === null) return value === constant.value
    return typeof constant.value === 'object' && this.identity(value) === constant.identity
  }

  private isAmong(value: JsonValue, choices: NonNullable<SchemaNode['choices']>): boolean {
    if (typeof value !== 'object' || value === null) return choices.scalars.has(value)
    return choices.identities.has(this.identity(value))
  }

  private checkNumber(node: SchemaNode, value: number, faults: Faults | undefined): boolean {
    let isValid = true
    if (node.minimum !== undefined && value < node.minimum) {
      isValid = this.wrong(faults, node, 'minimum', `must be at least ${node.minimum}, is ${value}`)
    }
    if (node.exclusiveMinimum !== undefined && value <= node.exclusiveMinimum) {
      isValid = this.wrong(
        faults,
        node,
        'exclusiveMinimum',
        `must be greater than ${node.exclusiveMinimum}, is ${value}`,
      )
    }
    if (node.maximum !== undefined && value > node.maximum) {
      isValid = this.wrong(faults, node, 'maximum', `must be at most ${node.maximum}, is ${value}`)
    }
    if (node.exclusiveMaximum !== undefined && value >= node.exclusiveMaximum) {
      isValid = this.wrong(faults, node, 'exclusiveMaximum', `must be less than ${node.exclusiveMaximum}, is ${value}`)
    }
    if (node.multipleOf !== undefined && !isMultipleOf(value, node.multipleOf)) {
      isValid = this.wrong(faults, node, 'multipleOf', `must be a multiple of ${node.multipleOf}, is ${value}`)
    }
    return isValid
  }

  private checkString(node: SchemaNode, value: string, faults: Faults | undefined): boolean {
    let isValid = true
    if (node.minLength !== undefined || node.maxLength !== undefined) {
      this.spend(value.length >> 6)
      const length = codePointLength(value)
      if (node.minLength !== undefined && length < node.minLength) {
        const message = `must have at least ${count(node.minLength, 'character')}, has ${length}`
        isValid = this.wrong(faults, node, 'minLength', value === '' ? 'must not be empty' : message)
      }
      if (node.maxLength !== undefined && length > node.maxLength) {
        const message = `must have at most ${count(node.maxLength, 'character')}, has ${length}`
        isValid = this.wrong(faults, node, 'maxLength', message)
      }
    }
    if (node.pattern !== undefined && !this.matches(node.pattern, value)) {
      const message = `must match the pattern ${excerpt(node.pattern.source)}, is ${describeValue(value)}`
      isValid = this.wrong(faults, node, 'pattern', message)
    }
    if (node.format?.test !== undefined && !this.hasFormat(node.format.test, value)) {
      const message = `must be ${formatWords(node.format.name)}, is ${describeValue(value)}`
      isValid = this.wrong(faults, node, 'format', message)
    }
    return isValid
  }

  private hasFormat(test: (text: string) => boolean, text: string): boolean {
    this.spend(text.length)
    return test(text)
  }

  /** The identity of a structure, paid by its length. */
  private identity(value: JsonValue): string {
    const identity = identityOf(value)
    this.spend(identity.length >> 3)
    return identity
  }

  private matches(pattern: CompiledPattern, text: string): boolean {
    // RE2 does at most weight steps a character, but never less than reading it.
    this.spend(1 + Math.ceil((text.length * Math.max(16, pattern.weight)) / 64))
    return pattern.test(text)
  }

  private checkArray(
    node: SchemaNode,
    value: readonly JsonValue[],
    faults: Faults | undefined,
    seen: Seen | undefined,
  ): boolean {
    let isValid = true
    if (node.minItems !== undefined && value.length < node.minItems) {
      isValid = this.wrong(
        faults,
        node,
        'minItems',
        `must have at least ${count(node.minItems, 'item')}, has ${value.length}`,
      )
    }
    if (node.maxItems !== undefined && value.length > node.maxItems) {
      isValid = this.wrong(
        faults,
        node,
        'maxItems',
        `must have at most ${count(node.maxItems, 'item')}, has ${value.length}`,
      )
    }
    if (!isValid && faults === undefined) return false
    const listed = Math.min(node.prefixItems?.length ?? 0, value.length)
    for (let index = 0; index < listed; index++) {
      if (this.checkMember(node.prefixItems![index]!, value[index]!, index, faults)) continue
      if (faults === undefined) return false
      isValid = false
    }
    if (seen !== undefined) seen.firstItems = Math.max(seen.firstItems, listed)
    if (node.items !== undefined) {
      if (seen !== undefined) seen.allItems = true
      if (!this.checkRest(node, node.items, value, listed, faults)) isValid = false
    }
    if (!isValid && faults === undefined) return false
    if (node.contains !== undefined && !this.checkContains(node, node.contains, value, faults, seen)) isValid = false
    if (node.uniqueItems && !this.checkUnique(node, value, faults)) isValid = false
    return isValid
  }

  private checkRest(
    node: SchemaNode,
    schema: SchemaNode,
    value: readonly JsonValue[],
    from: number,
    faults: Faults | undefined,
  ): boolean {
    if (schema.always === false && from < value.length) {
      const allowed = from === 0 ? 'must have no items' : `must have at most ${count(from, 'item')}`
      return this.wrong(faults, node, 'items', `${allowed}, has ${value.length}`)
    }
    let isValid = true
    for (let index = from; index < value.length; index++) {
      if (this.checkMember(schema, value[index]!, index, faults)) continue
      isValid = false
      if (faults === undefined || faults.isFull) break
    }
    return isValid
  }

  private checkContains(
    node: SchemaNode,
    schema: SchemaNode,
    value: readonly JsonValue[],
    faults: Faults | undefined,
    seen: Seen | undefined,
  ): boolean {
    let found = 0
    for (let index = 0; index < value.length; index++) {
      if (!this.check(schema, value[index]!, undefined, undefined)) continue
      found++
      seen?.items.add(index)
    }
    const least = node.minContains ?? 1
    const keyword = found < least ? (node.minContains === undefined ? 'contains' : 'minContains') : 'maxContains'
    if (found >= least && (node.maxContains === undefined || found <= node.maxContains)) return true
    const bound = found < least ? `at least ${count(least, 'item')}` : `at most ${count(node.maxContains!, 'item')}`
    return this.wrong(faults, node, keyword, `must contain ${bound} of the required kind, contains ${found}`)
  }

  private checkUnique(node: SchemaNode, value: readonly JsonValue[], faults: Faults | undefined): boolean {
    const places = new Map<string, number>()
    for (let index = 0; index < value.length; index++) {
      const identity = this.identity(value[index]!)
      const earlier = places.get(identity)
      if (earlier !== undefined) {
        const message = `must not repeat an item: ${earlier} and ${index} are both ${describeValue(value[index]!)}`
        return this.wrong(faults, node, 'uniqueItems', message)
      }
      places.set(identity, index)
    }
    return true
  }

  private checkObject(
    node: SchemaNode,
    value: JsonObject,
    faults: Faults | undefined,
    seen: Seen | undefined,
  ): boolean {
    let isValid = true
    const keys = Object.keys(value)
    this.spend((keys.length >> 1) + node.objectRuleCost)
    if (node.required !== undefined) {
      for (const key of node.required) {
        if (Object.hasOwn(value, key)) continue
        if (faults === undefined) return false
        isValid = this.missing(faults, node, 'required', key, '')
      }
    }
    if (node.minProperties !== undefined && keys.length < node.minProperties) {
      const message = `must have at least ${count(node.minProperties, 'property', 'properties')}, has ${keys.length}`
      isValid = this.wrong(faults, node, 'minProperties', message)
    }
    if (node.maxProperties !== undefined && keys.length > node.maxProperties) {
      const message = `must have at most ${count(node.maxProperties, 'property', 'properties')}, has ${keys.length}`
      isValid = this.wrong(faults, node, 'maxProperties', message)
    }
    if (!isValid && faults === undefined) return false
    if (node.dependentRequired !== undefined) isValid = this.checkDependentRequired(node, value, faults) && isValid
    if (!isValid && faults === undefined) return false
    if (faults === undefined && seen === undefined && hasOnlyProperties(node)) {
      return this.checkDeclared(node.properties, value, keys)
    }
    for (const key of keys) {
      if (this.checkProperty(node, key, value[key]!, faults, seen)) continue
      if (faults === undefined) return false
      isValid = false
      if (faults.isFull) break
    }
    return isValid
  }

  /** The quick answer where nothing but `properties` looks at members: the shorter of both lists is walked. */
  private checkDeclared(
    properties: ReadonlyMap<string, SchemaNode> | undefined,
    value: JsonObject,
    keys: readonly string[],
  ): boolean {
    if (properties === undefined) return true
    if (properties.size < keys.length) {
      for (const [key, schema] of properties) {
        if (Object.hasOwn(value, key) && !this.check(schema, value[key]!, undefined, undefined)) return false
      }
      return true
    }
    for (const key of keys) {
      const schema = properties.get(key)
      if (schema !== undefined && !this.check(schema, value[key]!, undefined, undefined)) return false
    }
    return true
  }

  private checkDependentRequired(node: SchemaNode, value: JsonObject, faults: Faults | undefined): boolean {
    let isValid = true
    for (const [key, names] of node.dependentRequired!) {
      if (!Object.hasOwn(value, key)) continue
      for (const name of names) {
        if (Object.hasOwn(value, name)) continue
        if (faults === undefined) return false
        isValid = this.missing(faults, node, 'dependentRequired', name, ` because it has ${describeValue(key)}`)
      }
    }
    return isValid
  }

  private checkProperty(
    node: SchemaNode,
    key: string,
    value: JsonValue,
    faults: Faults | undefined,
    seen: Seen | undefined,
  ): boolean {
    let isValid = true
    let isDeclared = false
    const declared = node.properties?.get(key)
    if (declared !== undefined) {
      isDeclared = true
      if (!this.checkMember(declared, value, key, faults)) isValid = false
    }
    if (node.patternProperties !== undefined) {
      for (const { pattern, schema } of node.patternProperties) {
        if (!this.matches(pattern, key)) continue
        isDeclared = true
        if (!this.checkMember(schema, value, key, faults)) isValid = false
      }
    }
    if (!isDeclared && node.additionalProperties !== undefined) {
      isDeclared = true
      if (node.additionalProperties.always === false) {
        isValid = this.unknownProperty(faults, node, 'additionalProperties', key)
      } else if (!this.checkMember(node.additionalProperties, value, key, faults)) isValid = false
    }
    if (isDeclared) seen?.properties.add(key)
    if (node.propertyNames !== undefined && !this.check(node.propertyNames, key, undefined, undefined)) {
      if (faults === undefined) return false
      isValid = this.wrongName(faults, node, node.propertyNames, key)
    }
    return isValid
  }

  private checkMember(
    schema: SchemaNode,
    value: JsonValue,
    token: string | number,
    faults: Faults | undefined,
  ): boolean {
    if (faults === undefined) return this.check(schema, value, undefined, undefined)
    this.path.push(token)
    const isValid = this.check(schema, value, faults, undefined)
    this.path.pop()
    return isValid
  }

  private checkCombinations(
    node: SchemaNode,
    value: JsonValue,
    faults: Faults | undefined,
    seen: Seen | undefined,
  ): boolean {
    let isValid = true
    if (node.ref !== undefined && !this.check(node.ref, value, faults, seen)) isValid = false
    if (
      node.dynamicRef !== undefined &&
      !this.check(Evaluation.dynamicTarget(node.dynamicRef, this.scope), value, faults, seen)
    ) {
      isValid = false
    }
    if (!isValid && faults === undefined) return false
    for (const part of node.allOf ?? []) {
      if (this.check(part, value, faults, seen)) continue
      if (faults === undefined) return false
      isValid = false
    }
    if (node.anyOf !== undefined && !this.checkAnyOf(node, node.anyOf, value, faults, seen)) isValid = false
    if (!isValid && faults === undefined) return false
    if (node.oneOf !== undefined && !this.checkOneOf(node, node.oneOf, value, faults, seen)) isValid = false
    if (node.not !== undefined && this.check(node.not, value, undefined, undefined)) {
      isValid = this.wrong(faults, node, 'not', `must not ${describeSchema(node.not)}`)
    }
    if (node.condition !== undefined && !this.checkConditional(node, node.condition, value, faults, seen))
      isValid = false
    if (node.dependentSchemas !== undefined && isJsonObject(value)) {
      for (const [key, schema] of node.dependentSchemas) {
        if (Object.hasOwn(value, key) && !this.check(schema, value, faults, seen)) isValid = false
      }
    }
    return isValid
  }

  private checkAnyOf(
    node: SchemaNode,
    branches: readonly SchemaNode[],
    value: JsonValue,
    faults: Faults | undefined,
    seen: Seen | undefined,
  ): boolean {
    const told: (readonly Fault[])[] = []
    let isValid = false
    for (const branch of branches) {
      const own = faults === undefined ? undefined : new Faults(faults.max)
      const branchSeen = seen === undefined ? undefined : new Seen()
      if (this.check(branch, value, own, branchSeen)) {
        isValid = true
        if (branchSeen === undefined) return true
        // Every branch that holds counts for unevaluated members, so the others are still asked.
        seen!.add(branchSeen)
      } else if (own !== undefined) told.push(own.list)
    }
    if (!isValid && faults !== undefined) this.addAlternatives(node, faults, told)
    return isValid
  }

  private checkOneOf(
    node: SchemaNode,
    branches: readonly SchemaNode[],
    value: JsonValue,
    faults: Faults | undefined,
    seen: Seen | undefined,
  ): boolean {
    const told: (readonly Fault[])[] = []
    const matching: number[] = []
    for (let index = 0; index < branches.length; index++) {
      const own = faults === undefined ? undefined : new Faults(faults.max)
      const branchSeen = seen === undefined ? undefined : new Seen()
      if (this.check(branches[index]!, value, own, branchSeen)) {
        matching.push(index)
        if (branchSeen !== undefined) seen!.add(branchSeen)
        if (matching.length > 1 && faults === undefined) return false
      } else if (own !== undefined) told.push(own.list)
    }
    if (matching.length === 1) return true
    if (faults === undefined) return false
    if (matching.length === 0) this.addAlternatives(node, faults, told)
    else {
      const names = matching.map((index) => branchName(branches[index]!, index))
      this.wrong(faults, node, 'oneOf', `must match exactly one alternative, matches ${names.join(' and ')}`)
    }
    return false
  }

  private addAlternatives(node: SchemaNode, faults: Faults, told: readonly (readonly Fault[])[]): void {
    const causes = explainAlternatives(told, this.path.length)
    for (const fault of causes) faults.add(fault)
    if (causes.length === 0) this.wrong(faults, node, 'anyOf', 'must match one of the alternatives')
  }

  private checkConditional(
    node: SchemaNode,
    condition: SchemaNode,
    value: JsonValue,
    faults: Faults | undefined,
    seen: Seen | undefined,
  ): boolean {
    const conditionSeen = seen === undefined ? undefined : new Seen()
    const holds = this.check(condition, value, undefined, conditionSeen)
    if (holds && conditionSeen !== undefined) seen!.add(conditionSeen)
    const branch = holds ? node.whenTrue : node.whenFalse
    return branch === undefined || this.check(branch, value, faults, seen)
  }

  private checkUnevaluated(node: SchemaNode, value: JsonValue, faults: Faults | undefined, seen: Seen): boolean {
    let isValid = true
    if (Array.isArray(value) && node.unevaluatedItems !== undefined && !seen.allItems) {
      for (let index = seen.firstItems; index < value.length; index++) {
        if (seen.items.has(index)) continue
        if (node.unevaluatedItems.always === false) {
          this.path.push(index)
          isValid = this.wrong(faults, node, 'unevaluatedItems', 'must not be present: no rule covers this item')
          this.path.pop()
        } else if (!this.checkMember(node.unevaluatedItems, value[index]!, index, faults)) isValid = false
        if (!isValid && (faults === undefined || faults.isFull)) return false
      }
      seen.allItems = true
    }
    if (isJsonObject(value) && node.unevaluatedProperties !== undefined && !seen.allProperties) {
      for (const key of Object.keys(value)) {
        if (seen.properties.has(key)) continue
        if (node.unevaluatedProperties.always === false) {
          isValid = this.unknownProperty(faults, node, 'unevaluatedProperties', key)
        } else if (!this.checkMember(node.unevaluatedProperties, value[key]!, key, faults)) isValid = false
        if (!isValid && (faults === undefined || faults.isFull)) return false
      }
      seen.allProperties = true
    }
    return isValid
  }

  private wrong(faults: Faults | undefined, node: SchemaNode, keyword: string, message: string): false {
    faults?.add({ path: this.pointer(), depth: this.path.length, keyword, message, node })
    return false
  }

  private wrongChoice(
    faults: Faults | undefined,
    node: SchemaNode,
    keyword: string,
    options: readonly string[],
    value: JsonValue,
  ): false {
    if (faults === undefined) return false
    const choice = { rule: 'must be', options, actual: describeValue(value) }
    faults.add({ path: this.pointer(), depth: this.path.length, keyword, message: choiceMessage(choice), node, choice })
    return false
  }

  private missing(faults: Faults, node: SchemaNode, keyword: string, key: string, reason: string): false {
    const choice = { rule: 'must have the property', options: [`${describeValue(key)}${reason}`], actual: '' }
    faults.add({ path: this.pointer(), depth: this.path.length, keyword, message: choiceMessage(choice), node, choice })
    return false
  }

  private unknownProperty(faults: Faults | undefined, node: SchemaNode, keyword: string, key: string): false {
    if (faults === undefined) return false
    const similar = nearest(key, node.properties?.keys() ?? [])
    const suggestion = similar === undefined ? '' : `; did you mean ${describeValue(similar)}?`
    this.path.push(key)
    this.wrong(faults, node, keyword, `is not a known property${suggestion}`)
    this.path.pop()
    return false
  }

  private wrongName(faults: Faults, node: SchemaNode, names: SchemaNode, key: string): false {
    const own = new Faults(1)
    this.check(names, key, own, undefined)
    const reason = own.list[0]?.message ?? 'is not allowed'
    this.path.push(key)
    this.wrong(faults, node, 'propertyNames', `the property's name ${reason}`)
    this.path.pop()
    return false
  }

  private pointer(): string {
    let pointer = ''
    for (const token of this.path) pointer = joinPointer(pointer, token)
    return pointer
  }
}

function hasOnlyProperties(node: SchemaNode): boolean {
  return (
    node.patternProperties === undefined && node.additionalProperties === undefined && node.propertyNames === undefined
  )
}

/** The bit that `typeMask` must have for a value; a number that is no integer has only the upper bit of `number`. */
function typeBit(value: JsonValue): number {
  switch (typeof value) {
    case 'string':
      return typeBits.string
    case 'number':
      return Number.isInteger(value) ? typeBits.integer : typeBits.number & ~typeBits.integer
    case 'boolean':
      return typeBits.boolean
    default:
      return value === null ? typeBits.null : Array.isArray(value) ? typeBits.array : typeBits.object
  }
}

/** What a schema under `not` forbids, for the simple cases people write; by its place otherwise. */
function describeSchema(node: SchemaNode): string {
  if (node.constant !== undefined) return `be ${describeValue(node.constant.value)}`
  if (node.choices !== undefined) return `be ${orList(node.choices.values.map(describeValue))}`
  if (node.required !== undefined)
    return `have the properties ${node.required.map(describeValue).join(' and ')} together`
  if (node.pattern !== undefined) return `match the pattern ${excerpt(node.pattern.source)}`
  if (node.types !== undefined) return `be ${orList(node.types.map(describeType))}`
  return `match the schema at #${node.pointer}`
}

function branchName(node: SchemaNode, index: number): string {
  const title = typeof node.source === 'object' ? node.source.title : undefined
  return typeof title === 'string' ? describeValue(title) : `number ${index + 1}`
}
