/** The combined demand of all schemas on one value. */
import { isJsonObject, type JsonValue } from '../../../core/json.ts'
import type { CompiledPattern } from '../../../core/pattern/pattern.ts'
import { type SchemaNode, type SchemaResource, typeBits } from '../model.ts'

/** A schema that a value must satisfy or, unless `positive`, must not. */
export interface Conjunct {
  node: SchemaNode
  positive: boolean
  /** The resources entered on the way, outermost first; always empty if no `$dynamicRef` needs it. */
  scope: readonly SchemaResource[]
  /** The schema on the same value that applied this one; evaluated members count for that schema's `unevaluated*`. */
  via: Conjunct | undefined
}

export const anyType = 127

export class Demand {
  readonly conjuncts: Conjunct[] = []
  mask = anyType
  /** The values of each `const` and each `enum`, one list for each. */
  readonly choices: (readonly JsonValue[])[] = []
  readonly excluded = new Set<string>()
  minimum = Number.NEGATIVE_INFINITY
  maximum = Number.POSITIVE_INFINITY
  exclusiveMinimum = Number.NEGATIVE_INFINITY
  exclusiveMaximum = Number.POSITIVE_INFINITY
  readonly multiples: number[] = []
  minLength = 0
  maxLength = Number.POSITIVE_INFINITY
  readonly patterns: CompiledPattern[] = []
  readonly formats: string[] = []
  minItems = 0
  maxItems = Number.POSITIVE_INFINITY
  isUnique = false
  minProperties = 0
  maxProperties = Number.POSITIVE_INFINITY
  readonly required = new Set<string>()
  readonly forbidden = new Set<string>()
  /** What `not` asks of members: a property or an item that breaks a schema. */
  readonly memberBreaks = new Map<string, Conjunct[]>()
  readonly itemBreaks = new Map<number, Conjunct[]>()
  /** Schemas that no item may satisfy. */
  readonly itemsNever: Conjunct[] = []
  /** An undeclared property must break this. */
  readonly strangerBreaks: Conjunct[] = []
  /** A property whose name matches the pattern must break the schema. */
  readonly patternBreaks: { pattern: CompiledPattern; breaks: Conjunct }[] = []
  /** Set if the choices taken contradict each other. */
  contradiction: string | undefined
  /** How many choices there were; with none, another attempt would make the same demand. */
  alternatives = 1
  /** Whether the value must be validated as a whole: valid parts alone don't make it valid. */
  needsCheck = false

  require(mask: number, keyword: string): void {
    this.mask &= mask
    if (this.mask === 0) this.contradiction ??= keyword
  }
}

/** The scope inside a schema. */
export function scopeInside(conjunct: Conjunct, isDynamic: boolean): readonly SchemaResource[] {
  if (!isDynamic) return conjunct.scope
  const { scope, node } = conjunct
  return scope[scope.length - 1] === node.resource ? scope : [...scope, node.resource]
}

/** A schema that a member of the value that a conjunct applies to has to keep. */
export function memberConjunct(node: SchemaNode, from: Conjunct, isDynamic: boolean): Conjunct {
  return { node, positive: true, scope: scopeInside(from, isDynamic), via: undefined }
}

/** The types that the schemas imply without saying so with `type`, as bits of `typeBits`. */
export function impliedMask(demand: Demand): number {
  let mask = 0
  for (const { node } of demand.conjuncts) {
    if (!isJsonObject(node.source)) continue
    if (node.properties || node.required || node.patternProperties || node.minProperties) mask |= typeBits.object
    if (node.additionalProperties || node.propertyNames || node.dependentRequired) mask |= typeBits.object
    if (node.dependentSchemas || node.maxProperties !== undefined) mask |= typeBits.object
    if (node.unevaluatedProperties) mask |= typeBits.object
    if (node.items || node.prefixItems || node.contains || node.minItems || node.uniqueItems) mask |= typeBits.array
    if (node.maxItems !== undefined || node.unevaluatedItems) mask |= typeBits.array
    if (node.pattern || node.format || node.minLength || node.maxLength !== undefined) mask |= typeBits.string
    if (node.minimum !== undefined || node.maximum !== undefined || node.multipleOf !== undefined) {
      mask |= typeBits.number
    }
    if (node.exclusiveMinimum !== undefined || node.exclusiveMaximum !== undefined) mask |= typeBits.number
  }
  return mask & demand.mask
}
