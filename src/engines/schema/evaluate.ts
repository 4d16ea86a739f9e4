/**
 * Evaluates a schema model on a value. Closures answer whether it is valid. The walk answers that too, and why not:
 * without a fault collector it stops at the first broken rule, with one it reports them all.
 */
import type { JsonValue } from '../../core/json.ts'
import { checkArray } from './evaluate/arrays.ts'
import { checkCombinations } from './evaluate/combinations.ts'
import { type CompiledModel, compiledModelOf } from './evaluate/compiled.ts'
import { checkObject } from './evaluate/objects.ts'
import { checkNumber, checkString } from './evaluate/scalars.ts'
import { checkUnevaluated } from './evaluate/unevaluated.ts'
import { EvaluationExhausted, Seen, Walk } from './evaluate/walk.ts'
import type { Faults } from './explain.ts'
import { type SchemaModel, type SchemaNode, type SchemaResource, typeBit } from './model.ts'

export { EvaluationExhausted }

export class Evaluation extends Walk {
  private readonly compiled: CompiledModel | undefined

  constructor(
    private readonly model: SchemaModel,
    maxSteps: number,
  ) {
    super(maxSteps)
    this.compiled = compiledModelOf(model)
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

  /**
   * Adds the faults of a value to a collector, which keeps what was found before an exhaustion.
   * @throws EvaluationExhausted
   */
  explain(value: JsonValue, faults: Faults): void {
    this.check(this.model.root, value, faults, undefined)
  }

  override check(node: SchemaNode, value: JsonValue, faults: Faults | undefined, seen: Seen | undefined): boolean {
    if (faults === undefined && seen === undefined && this.compiled !== undefined) {
      return this.compiled.holds(node, this, value)
    }
    return this.apply(node, value, faults, seen)
  }

  override apply(node: SchemaNode, value: JsonValue, faults: Faults | undefined, seen: Seen | undefined): boolean {
    if (node.always !== undefined) {
      this.spend(1)
      return node.always || this.wrong(faults, node, 'false', () => 'is not allowed here')
    }
    this.enter()
    const entersResource = this.model.isDynamic && this.scope[this.scope.length - 1] !== node.resource
    if (entersResource) this.scope.push(node.resource)
    let isValid: boolean
    if (node.unevaluatedProperties === undefined && node.unevaluatedItems === undefined) {
      isValid = this.checkKeywords(node, value, faults, seen)
    } else {
      // Only this schema's own subschemas count, not those of the schemas beside it.
      const own = new Seen()
      isValid = this.checkKeywords(node, value, faults, own) && checkUnevaluated(this, node, value, faults, own)
      if (isValid) seen?.add(own)
    }
    if (entersResource) this.scope.pop()
    this.leave()
    return isValid
  }

  private checkKeywords(
    node: SchemaNode,
    value: JsonValue,
    faults: Faults | undefined,
    seen: Seen | undefined,
  ): boolean {
    // A value of the wrong type or outside its choices would break other rules only as a consequence.
    if (node.types !== undefined && (node.typeMask & typeBit(value)) === 0) {
      return this.wrongChoice(faults, node, 'type', value)
    }
    if (node.constant !== undefined && !this.equals(value, node.constant)) {
      return this.wrongChoice(faults, node, 'const', value)
    }
    if (node.choices !== undefined && !this.isAmong(value, node.choices)) {
      return this.wrongChoice(faults, node, 'enum', value)
    }
    let isValid = true
    if (typeof value === 'string') isValid = checkString(this, node, value, faults)
    else if (typeof value === 'number') isValid = checkNumber(this, node, value, faults)
    else if (Array.isArray(value)) isValid = checkArray(this, node, value, faults, seen)
    else if (value !== null && typeof value === 'object') isValid = checkObject(this, node, value, faults, seen)
    if (!isValid && faults === undefined) return false
    return (!node.hasCombinations || checkCombinations(this, node, value, faults, seen)) && isValid
  }
}
