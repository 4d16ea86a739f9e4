/**
 * Types from a JSON Schema 2020-12 root: the types that a valid payload can have at each place. Only keywords that
 * decide a type are read. The undecidable becomes unknown: every operator accepts it and checks it at run time.
 */
import { isJsonObject, type JsonObject, type JsonValue } from '../../core/json.ts'
import { limits } from '../../core/limits.ts'
import { parsePointer } from '../../core/pointer.ts'
import {
  type Alternative,
  type Field,
  joinTypes,
  maybeMissing,
  type ObjectShape,
  once,
  remembered,
  type Type,
  typeOf,
  types,
} from './types.ts'

/** The type of every payload that the schema accepts. */
export function typeOfSchema(root: JsonValue): Type {
  return new SchemaReader(root).read(root)
}

class SchemaReader {
  private readonly known = new Map<JsonValue, Type>()

  constructor(private readonly root: JsonValue) {}

  /** Objects and arrays are read lazily, so a recursive schema ends where the reading ends. */
  read(schema: JsonValue | undefined): Type {
    if (schema === undefined || schema === true) return types.input
    if (!isJsonObject(schema)) return types.input
    const known = this.known.get(schema)
    if (known !== undefined) return known
    // A schema that leads back to itself, with no object or array in between, is unknown there.
    this.known.set(schema, types.input)
    const type = this.readParts(schema)
    this.known.set(schema, type)
    return type
  }

  private readParts(schema: JsonObject): Type {
    const parts: JsonObject[] = []
    if (!this.collect(schema, parts)) return types.input
    const choice = this.readChoice(parts)
    const stated = this.readStated(parts)
    if (choice === undefined) return stated ?? types.input
    return stated === undefined ? choice : narrow(stated, choice)
  }

  /** Collects the schema and everything that `$ref` and `allOf` add to it; false if it can't be followed. */
  private collect(schema: JsonValue | undefined, parts: JsonObject[]): boolean {
    if (schema === true || schema === undefined) return true
    if (!isJsonObject(schema)) return false
    if (parts.includes(schema)) return true
    if (parts.length >= limits.transformContractMerges) return false
    if (schema.$dynamicRef !== undefined || schema.$recursiveRef !== undefined) return false
    parts.push(schema)
    if (typeof schema.$ref === 'string') {
      const target = this.resolve(schema.$ref)
      if (target === undefined || !this.collect(target, parts)) return false
    }
    if (!Array.isArray(schema.allOf)) return true
    return schema.allOf.every((part) => this.collect(part, parts))
  }

  private resolve(reference: string): JsonValue | undefined {
    if (!reference.startsWith('#')) return undefined
    let pointer: string
    try {
      pointer = decodeURIComponent(reference.slice(1))
    } catch {
      return undefined
    }
    const tokens = parsePointer(pointer)
    if (tokens === undefined) return this.findAnchor(pointer)
    let at: JsonValue | undefined = this.root
    for (const token of tokens) {
      if (Array.isArray(at)) at = at[Number(token)]
      else if (isJsonObject(at) && Object.hasOwn(at, token)) at = at[token]
      else return undefined
    }
    return at
  }

  private findAnchor(name: string): JsonValue | undefined {
    const definitions = isJsonObject(this.root) ? this.root.$defs : undefined
    if (!isJsonObject(definitions)) return undefined
    return Object.values(definitions).find((schema) => isJsonObject(schema) && schema.$anchor === name)
  }

  /** What `oneOf` and `anyOf` leave: any of their branches. */
  private readChoice(parts: readonly JsonObject[]): Type | undefined {
    for (const part of parts) {
      const branches = part.oneOf ?? part.anyOf
      if (!Array.isArray(branches) || branches.length === 0 || branches.length > limits.transformContractMerges)
        continue
      return branches
        .filter((branch) => branch !== false)
        .map((branch) => this.read(branch))
        .reduce<Type | undefined>((all, type) => (all === undefined ? type : joinTypes(all, type)), undefined)
    }
    return undefined
  }

  /** The type by `type`, `enum`, `const` and the keywords of objects and arrays; undefined if they decide nothing. */
  private readStated(parts: readonly JsonObject[]): Type | undefined {
    const values = enumerated(parts)
    if (values !== undefined) return this.typeOfValues(values, parts)
    const kinds = allowedKinds(parts)
    if (kinds === undefined) return undefined
    const alternatives: Alternative[] = []
    for (const kind of kinds) {
      if (kind === 'string') alternatives.push(stringAlternative(parts))
      else if (kind === 'number' || kind === 'integer') {
        if (!alternatives.some((each) => each.kind === 'decimal')) alternatives.push({ kind: 'decimal' })
      } else if (kind === 'boolean') alternatives.push({ kind: 'boolean' })
      else if (kind === 'object') alternatives.push({ kind: 'object', shape: this.readObject(parts) })
      else if (kind === 'array') alternatives.push(this.readArray(parts))
    }
    return { ...typeOf(...alternatives), null: kinds.includes('null') }
  }

  private typeOfValues(values: readonly JsonValue[], parts: readonly JsonObject[]): Type {
    const strings = values.filter((value) => typeof value === 'string')
    const alternatives: Alternative[] = []
    if (strings.length > 0) alternatives.push({ kind: 'string', values: [...new Set(strings)] })
    if (values.some((value) => typeof value === 'number')) alternatives.push({ kind: 'decimal' })
    if (values.some((value) => typeof value === 'boolean')) alternatives.push({ kind: 'boolean' })
    if (values.some((value) => isJsonObject(value)))
      alternatives.push({ kind: 'object', shape: this.readObject(parts) })
    if (values.some((value) => Array.isArray(value))) alternatives.push(this.readArray(parts))
    return { ...typeOf(...alternatives), null: values.includes(null) }
  }

  private readObject(parts: readonly JsonObject[]): ObjectShape {
    const names = new Set<string>()
    const required = new Set<string>()
    let closed = false
    let rest: JsonValue | undefined
    let hasPatterns = false
    for (const part of parts) {
      if (isJsonObject(part.properties)) for (const name of Object.keys(part.properties)) names.add(name)
      if (Array.isArray(part.required))
        for (const name of part.required) if (typeof name === 'string') required.add(name)
      const additional = part.additionalProperties ?? part.unevaluatedProperties
      if (additional === false) closed = true
      else if (additional !== undefined) rest = additional
      if (part.patternProperties !== undefined) hasPatterns = true
    }
    return {
      names: [...names],
      field: remembered((name) => {
        if (!names.has(name)) return required.has(name) ? { type: types.input } : undefined
        return this.readField(parts, name, required.has(name))
      }),
      rest: once(() => {
        if (hasPatterns) return types.input
        if (closed) return undefined
        if (rest !== undefined) return this.read(rest)
        // A name that the schema doesn't declare, although it declares others, is most likely a slip.
        return names.size === 0 ? types.input : undefined
      }),
    }
  }

  private readField(parts: readonly JsonObject[], name: string, isRequired: boolean): Field {
    let type: Type | undefined
    for (const part of parts) {
      const declared =
        isJsonObject(part.properties) && Object.hasOwn(part.properties, name) ? part.properties[name] : undefined
      if (declared === undefined) continue
      const next = this.read(declared)
      type = type === undefined ? next : narrow(type, next)
    }
    const found = type ?? types.input
    return { type: isRequired ? found : maybeMissing(found) }
  }

  private readArray(parts: readonly JsonObject[]): Alternative {
    let min = 0
    let max: number = limits.transformAssumedItems
    let items: JsonValue | undefined
    let prefix: readonly JsonValue[] = []
    let bounded = false
    for (const part of parts) {
      if (typeof part.minItems === 'number') min = Math.max(min, part.minItems)
      if (typeof part.maxItems === 'number') {
        max = bounded ? Math.min(max, part.maxItems) : part.maxItems
        bounded = true
      }
      if (part.items !== undefined && items === undefined) items = part.items
      if (Array.isArray(part.prefixItems) && prefix.length === 0) prefix = part.prefixItems
    }
    if (items === false && !bounded) max = prefix.length
    const item = once(() => {
      const all = prefix.map((schema) => this.read(schema))
      if (items !== false) all.push(this.read(items))
      return all.reduce((joined, type) => joinTypes(joined, type), all[0] ?? types.input)
    })
    return { kind: 'array', item, min, max, declared: bounded || max < limits.transformAssumedItems }
  }
}

function enumerated(parts: readonly JsonObject[]): readonly JsonValue[] | undefined {
  let values: readonly JsonValue[] | undefined
  for (const part of parts) {
    const stated = part.const !== undefined ? [part.const] : Array.isArray(part.enum) ? part.enum : undefined
    if (stated === undefined) continue
    values = values === undefined ? stated : values.filter((value) => stated.includes(value))
  }
  return values
}

const allKinds = ['object', 'array', 'string', 'number', 'boolean', 'null']

function allowedKinds(parts: readonly JsonObject[]): readonly string[] | undefined {
  let kinds: readonly string[] | undefined
  for (const part of parts) {
    const stated = typeof part.type === 'string' ? [part.type] : Array.isArray(part.type) ? part.type : undefined
    if (stated === undefined) continue
    const named = stated
      .filter((kind) => typeof kind === 'string')
      .map((kind) => (kind === 'integer' ? 'number' : kind))
    kinds = kinds === undefined ? named : kinds.filter((kind) => named.includes(kind))
  }
  return kinds?.filter((kind) => allKinds.includes(kind))
}

function stringAlternative(parts: readonly JsonObject[]): Alternative {
  const formats = parts.map((part) => part.format)
  if (formats.includes('date')) return { kind: 'date' }
  if (formats.includes('date-time')) return { kind: 'datetime' }
  return { kind: 'string' }
}

/** The values that both types allow, if that is simple to say; otherwise the more specific type. */
function narrow(left: Type, right: Type): Type {
  if (left.alternatives.some(isUnknownAlternative)) return { ...right, null: left.null && right.null }
  if (right.alternatives.some(isUnknownAlternative)) return { ...left, null: left.null && right.null }
  const alternatives: Alternative[] = []
  for (const one of left.alternatives) {
    const other = right.alternatives.find((each) => each.kind === one.kind)
    if (other !== undefined) alternatives.push(narrowAlternative(one, other))
    else if (one.kind === 'string') alternatives.push(...right.alternatives.filter((each) => isTextual(each)))
    else if (isTextual(one) && right.alternatives.some((each) => each.kind === 'string')) alternatives.push(one)
  }
  return { ...typeOf(...alternatives), null: left.null && right.null }
}

function isUnknownAlternative(alternative: Alternative): boolean {
  return alternative.kind === 'unknown'
}

function isTextual(alternative: Alternative): boolean {
  return alternative.kind === 'date' || alternative.kind === 'datetime'
}

function narrowAlternative(one: Alternative, other: Alternative): Alternative {
  if (one.kind === 'object' && other.kind === 'object')
    return { kind: 'object', shape: narrowShapes(one.shape, other.shape) }
  if (one.kind === 'string' && other.kind === 'string') {
    const { values } = other
    if (one.values === undefined) return other
    return values === undefined ? one : { kind: 'string', values: one.values.filter((value) => values.includes(value)) }
  }
  if (one.kind === 'array' && other.kind === 'array') {
    return {
      kind: 'array',
      item: once(() => narrow(one.item(), other.item())),
      min: Math.max(one.min, other.min),
      max: typeof one.max === 'number' && typeof other.max === 'number' ? Math.min(one.max, other.max) : one.max,
      declared: one.declared === true || other.declared === true,
    }
  }
  return one
}

/** Both shapes describe the same object: a name declared or required by either is so in the result. */
function narrowShapes(one: ObjectShape, other: ObjectShape): ObjectShape {
  return {
    names: [...new Set([...one.names, ...other.names])],
    field: remembered((name) => {
      const left = one.field(name)
      const right = other.field(name)
      if (left === undefined || right === undefined) return left ?? right
      const both = narrow(left.type, right.type)
      return { type: { ...both, missing: left.type.missing && right.type.missing } }
    }),
    rest: once(() => {
      if (one.names.length === 0) return other.rest()
      return other.names.length === 0 ? one.rest() : (one.rest() ?? other.rest())
    }),
  }
}
