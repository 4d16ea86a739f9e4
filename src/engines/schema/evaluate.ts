/**
 * Evaluation of a schema model on a value. One walk serves both questions: without a fault collector it answers at the
 * first broken rule, with one it continues and reports them all.
 */
import type { JsonValue } from '../../core/json.ts'
import { limits } from '../../core/limits.ts'
import { checkArray } from './evaluate/arrays.ts'
import { checkCombinations } from './evaluate/combinations.ts'
import { checkObject } from './evaluate/objects.ts'
import { checkNumber, checkString } from './evaluate/scalars.ts'
import { checkUnevaluated } from './evaluate/unevaluated.ts'
import { EvaluationExhausted, Seen, Walk } from './evaluate/walk.ts'
import { describeType, describeValue, type Faults } from './explain.ts'
import { type SchemaModel, type SchemaNode, type SchemaResource, typeBits } from './model.ts'

export { EvaluationExhausted }

export class Evaluation extends Walk {
  private depth = 0

  constructor(
    private readonly model: SchemaModel,
    maxSteps: number,
  ) {
    super(maxSteps)
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
      // Only this schema's own subschemas count, not those of the schemas beside it.
      const own = new Seen()
      isValid = this.checkKeywords(node, value, faults, own) && checkUnevaluated(this, node, value, faults, own)
      if (isValid) seen?.add(own)
    }
    if (entersResource) this.scope.pop()
    this.depth--
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
      return this.wrongChoice(faults, node, 'type', node.types.map(describeType), value)
    }
    if (node.constant !== undefined && !this.equals(value, node.constant)) {
      return this.wrongChoice(faults, node, 'const', [describeValue(node.constant.value)], value)
    }
    if (node.choices !== undefined && !this.isAmong(value, node.choices)) {
      return this.wrongChoice(faults, node, 'enum', node.choices.values.map(describeValue), value)
    }
    let isValid = true
    if (typeof value === 'string') isValid = checkString(this, node, value, faults)
    else if (typeof value === 'number') isValid = checkNumber(this, node, value, faults)
    else if (Array.isArray(value)) isValid = checkArray(this, node, value, faults, seen)
    else if (value !== null && typeof value === 'object') isValid = checkObject(this, node, value, faults, seen)
    if (!isValid && faults === undefined) return false
    return (!node.hasCombinations || checkCombinations(this, node, value, faults, seen)) && isValid
  }

  private equals(value: JsonValue, constant: { value: JsonValue; identity: string }): boolean {
    if (typeof value !== 'object' || value === null) return value === constant.value
    return typeof constant.value === 'object' && this.identity(value) === constant.identity
  }

  private isAmong(value: JsonValue, choices: NonNullable<SchemaNode['choices']>): boolean {
    if (typeof value !== 'object' || value === null) return choices.scalars.has(value)
    return choices.identities.has(this.identity(value))
  }
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
