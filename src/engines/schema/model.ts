/**
 * The schema model: one node for every schema of a document, with its keywords read and its references resolved.
 * The validator, the transformer's checker and the case generator all walk this, so that they cannot disagree.
 */
import type { JsonObject, JsonValue } from '../../core/json.ts'
import type { CompiledPattern } from '../../core/pattern/pattern.ts'

export const typeNames = ['null', 'boolean', 'string', 'integer', 'number', 'array', 'object'] as const
export type TypeName = (typeof typeNames)[number]

/** `number` has the bit of `integer` as well, since every integer is a number. */
export const typeBits: Readonly<Record<TypeName, number>> = {
  null: 1,
  boolean: 2,
  string: 4,
  integer: 8,
  number: 24,
  array: 32,
  object: 64,
}

/** The bit of `typeMask` that allows a value. A number that isn't an integer sets only the upper bit of `number`. */
export function typeBit(value: JsonValue): number {
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

/** A schema document, or a part of one that has an `$id` of its own. */
export interface SchemaResource {
  /** Absolute where the document says so; empty for a document without `$id`. */
  uri: string
  document: SchemaDocument
  /** Where the resource starts in its document. */
  pointer: string
  anchors: Map<string, SchemaNode>
  dynamicAnchors: Map<string, SchemaNode>
}

export interface SchemaDocument {
  root: JsonValue
  /** Every schema found so far, by its JSON Pointer in this document. */
  nodes: Map<string, SchemaNode>
  /** False for the metaschemas, which are not the author's. */
  isAuthors: boolean
  /** Vocabularies in force, by the last segment of their URI; undefined means all. */
  vocabularies: ReadonlySet<string> | undefined
}

export interface PatternSchema {
  pattern: CompiledPattern
  schema: SchemaNode
}

/** The rules of a schema on objects where they are no more than these. */
export interface PlainObject {
  required: readonly string[]
  /** Required names that are not declared. */
  others: readonly string[]
  properties: ReadonlyMap<string, SchemaNode>
  /** No other properties are allowed. */
  isClosed: boolean
}

/**
 * One schema. Absent keywords are undefined, even those with a default (`minContains`), so that the author's text can
 * be told from the default. The constructor sets every field, so all nodes share one hidden class and the walk is fast.
 */
export class SchemaNode {
  /** The answer of a boolean schema; undefined for an object. */
  always: boolean | undefined
  types: readonly TypeName[] | undefined = undefined
  /** The same as bits of `typeBits`. */
  typeMask = 0
  constant: { value: JsonValue; identity: string } | undefined = undefined
  choices:
    | { values: readonly JsonValue[]; scalars: ReadonlySet<JsonValue>; identities: ReadonlySet<string> }
    | undefined = undefined

  ref: SchemaNode | undefined = undefined
  /** With an anchor, the target is the fallback if no outer resource has that dynamic anchor. */
  dynamicRef: { target: SchemaNode; anchor: string | undefined } | undefined = undefined
  allOf: readonly SchemaNode[] | undefined = undefined
  anyOf: readonly SchemaNode[] | undefined = undefined
  oneOf: readonly SchemaNode[] | undefined = undefined
  not: SchemaNode | undefined = undefined
  /** `if`, `then` and `else` under other names: an object with a member `then` would be taken for a promise. */
  condition: SchemaNode | undefined = undefined
  whenTrue: SchemaNode | undefined = undefined
  whenFalse: SchemaNode | undefined = undefined

  minimum: number | undefined = undefined
  maximum: number | undefined = undefined
  exclusiveMinimum: number | undefined = undefined
  exclusiveMaximum: number | undefined = undefined
  multipleOf: number | undefined = undefined

  minLength: number | undefined = undefined
  maxLength: number | undefined = undefined
  pattern: CompiledPattern | undefined = undefined
  /** Without a test it asserts nothing. */
  format: { name: string; test: ((text: string) => boolean) | undefined } | undefined = undefined

  prefixItems: readonly SchemaNode[] | undefined = undefined
  items: SchemaNode | undefined = undefined
  contains: SchemaNode | undefined = undefined
  minContains: number | undefined = undefined
  maxContains: number | undefined = undefined
  minItems: number | undefined = undefined
  maxItems: number | undefined = undefined
  uniqueItems = false
  unevaluatedItems: SchemaNode | undefined = undefined

  properties: ReadonlyMap<string, SchemaNode> | undefined = undefined
  patternProperties: readonly PatternSchema[] | undefined = undefined
  additionalProperties: SchemaNode | undefined = undefined
  propertyNames: SchemaNode | undefined = undefined
  required: readonly string[] | undefined = undefined
  minProperties: number | undefined = undefined
  maxProperties: number | undefined = undefined
  dependentRequired: ReadonlyMap<string, readonly string[]> | undefined = undefined
  dependentSchemas: ReadonlyMap<string, SchemaNode> | undefined = undefined
  unevaluatedProperties: SchemaNode | undefined = undefined

  /** Steps to charge for the names that are looked up in every object. */
  objectRuleCost = 0
  plainObject: PlainObject | undefined = undefined
  /** Whether any keyword applies another schema to the same value. */
  hasCombinations = false
  /** Whether a value may have to be tried with several schemas, itself or further inside. */
  leadsToAlternatives = false

  constructor(
    readonly source: boolean | JsonObject,
    /** JSON Pointer in its document. */
    readonly pointer: string,
    readonly resource: SchemaResource,
  ) {
    this.always = typeof source === 'boolean' ? source : undefined
  }

  /** The value of a keyword as the author wrote it; undefined if it is absent. */
  keyword(name: string): JsonValue | undefined {
    return typeof this.source === 'boolean' ? undefined : this.source[name]
  }
}

export interface SchemaModel {
  root: SchemaNode
  /** Every node, in the order found; metaschemas only if the document refers to them. */
  nodes: readonly SchemaNode[]
  /** Whether a `$dynamicRef` can lead to different schemas, so that the dynamic scope has to be kept. */
  isDynamic: boolean
}

/** The schemas that apply to every value that this one applies to: itself, `$ref` and `allOf`, transitively. */
export function conjunctsOf(node: SchemaNode): SchemaNode[] {
  return closureOf(node, (schema) => schema.dynamicRef?.target)
}

/** The same, without targets of a `$dynamicRef` that depend on the path to it. */
export function certainConjunctsOf(node: SchemaNode): SchemaNode[] {
  return closureOf(node, ({ dynamicRef }) => (dynamicRef?.anchor === undefined ? dynamicRef?.target : undefined))
}

function closureOf(node: SchemaNode, dynamicOf: (schema: SchemaNode) => SchemaNode | undefined): SchemaNode[] {
  const found = new Set<SchemaNode>([node])
  for (const schema of found) {
    for (const part of [schema.ref, dynamicOf(schema), ...(schema.allOf ?? [])]) if (part !== undefined) found.add(part)
  }
  return [...found]
}

/** Every schema that may apply to the same value as this one, directly below it. */
export function* inPlaceOf(node: SchemaNode): Generator<SchemaNode> {
  if (node.ref !== undefined) yield node.ref
  if (node.dynamicRef !== undefined) yield node.dynamicRef.target
  for (const list of [node.allOf, node.anyOf, node.oneOf]) if (list !== undefined) yield* list
  for (const part of [node.not, node.condition, node.whenTrue, node.whenFalse]) if (part !== undefined) yield part
  if (node.dependentSchemas !== undefined) yield* node.dependentSchemas.values()
}

/** Every schema that this one applies, to the same value or to a part of it. */
export function* appliedBy(node: SchemaNode): Generator<SchemaNode> {
  yield* inPlaceOf(node)
  const parts = [
    node.items,
    node.contains,
    node.additionalProperties,
    node.unevaluatedItems,
    node.unevaluatedProperties,
  ]
  for (const part of parts) if (part !== undefined) yield part
  if (node.prefixItems !== undefined) yield* node.prefixItems
  if (node.properties !== undefined) yield* node.properties.values()
  for (const { schema } of node.patternProperties ?? []) yield schema
}

/** The target of a `$dynamicRef` that is reached through these resources, outermost first. */
export function dynamicTarget(
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
