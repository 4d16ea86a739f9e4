/** Which schemas say how a value of an input may be, and how it is shown for that. Pure. */

import { isJsonObject, type JsonValue } from '../../core/json.ts'
import { conjunctsOf, type SchemaNode, type TypeName } from '../../engines/schema/model.ts'
import { type CompiledSchema, isValidPayload } from '../../engines/schema/schema.ts'
import { t } from '../language.ts'
import { gather, textOf } from './form-rows.ts'

export type RowKind =
  | 'text'
  | 'long'
  | 'number'
  | 'integer'
  | 'boolean'
  | 'date'
  | 'choice'
  | 'fixed'
  /** Any JSON, or a value that fits none of the others. */
  | 'json'
  | 'object'
  | 'array'
  /** Which of some alternatives the value is. */
  | 'variant'

export interface RowRequest {
  schema: CompiledSchema
  /** Undefined if the text is no JSON yet. */
  value: JsonValue | undefined
  /** Pointers that somebody opened or folded, unlike their default. */
  toggled: ReadonlySet<string>
  /** By pointer, the alternative that somebody chose. */
  chosen: Readonly<Record<string, number>>
}

/** Longer texts have a field of several lines. */
const longTextChars = 120

export interface Variant {
  options: readonly SchemaNode[]
  chosen: number
}

/** The schemas that say how a value may be: its own and all that it includes, with the alternative that the value takes. */
export interface Resolved {
  parts: SchemaNode[]
  variant: Variant | undefined
}

export function resolve(
  request: RowRequest,
  nodes: readonly SchemaNode[],
  value: JsonValue | undefined,
  pointer: string,
): Resolved {
  const parts: SchemaNode[] = []
  let variant: Variant | undefined
  const add = (node: SchemaNode) => {
    for (const part of conjunctsOf(node)) {
      if (parts.includes(part)) continue
      parts.push(part)
      const options = part.oneOf ?? part.anyOf
      if (options !== undefined && variant === undefined) {
        const named = options.filter((option) => !isNull(option))
        if (named.length === 1) add(named[0] as SchemaNode)
        else if (named.length > 1) {
          variant = { options: named, chosen: chosenOf(request, named, value, pointer) }
          add(named[variant.chosen] as SchemaNode)
        }
      }
      if (part.condition !== undefined) {
        const holds = value !== undefined && holdsFor(request.schema, part.condition, value)
        const branch = holds ? part.whenTrue : part.whenFalse
        if (branch !== undefined) add(branch)
      }
      for (const [name, dependent] of part.dependentSchemas ?? []) {
        if (isJsonObject(value) && Object.hasOwn(value, name)) add(dependent)
      }
    }
  }
  for (const node of nodes) add(node)
  return { parts, variant }
}

export function isNull(node: SchemaNode): boolean {
  return node.types?.length === 1 && node.types[0] === 'null'
}

function chosenOf(
  request: RowRequest,
  options: readonly SchemaNode[],
  value: JsonValue | undefined,
  pointer: string,
): number {
  const asked = request.chosen[pointer]
  if (value !== undefined) {
    const valid = options.findIndex((option) => holdsFor(request.schema, option, value))
    // What somebody chose counts as long as the value doesn't fit another one.
    if (
      valid >= 0 &&
      (asked === undefined || !holdsFor(request.schema, options[asked] ?? (options[valid] as SchemaNode), value))
    ) {
      if (asked === undefined || !likens(options[asked], value)) return valid
    }
  }
  if (asked !== undefined && asked < options.length) return asked
  const alike = options.findIndex((option) => value !== undefined && likens(option, value))
  return Math.max(0, alike)
}

/** Whether an object has every value that an alternative fixes. */
function likens(option: SchemaNode | undefined, value: JsonValue): boolean {
  if (option === undefined || !isJsonObject(value)) return false
  return conjunctsOf(option).every((part) =>
    [...(part.properties ?? [])].every(([name, property]) => {
      const constant = gather(property, (own) => own.constant)
      return constant === undefined || JSON.stringify(constant.value) === JSON.stringify(value[name])
    }),
  )
}

function holdsFor(schema: CompiledSchema, root: SchemaNode, value: JsonValue): boolean {
  return isValidPayload({ ...schema, model: { ...schema.model, root } }, value)
}

export function first<T>(parts: readonly SchemaNode[], pick: (part: SchemaNode) => T | undefined): T | undefined {
  for (const part of parts) {
    const found = pick(part)
    if (found !== undefined) return found
  }
  return undefined
}

/** The types that all parts allow, in the words of the first that names any. */
export function typesOf(parts: readonly SchemaNode[]): readonly TypeName[] {
  const named = parts.flatMap((part) => (part.types === undefined ? [] : [part.types]))
  const [types = []] = named
  const narrowed = types.filter((type) =>
    named.every((each) => each.includes(type) || (type === 'integer' && each.includes('number'))),
  )
  if (narrowed.length > 0) return narrowed
  if (parts.some((part) => part.properties !== undefined)) return ['object']
  if (parts.some((part) => part.items !== undefined || part.prefixItems !== undefined)) return ['array']
  return types
}

export function shapeOf(parts: readonly SchemaNode[], value: JsonValue | undefined): RowKind {
  if (first(parts, (part) => part.constant) !== undefined) return 'fixed'
  if (first(parts, (part) => part.choices) !== undefined) return 'choice'
  const types = typesOf(parts).filter((type) => type !== 'null')
  const fitting = value === undefined ? undefined : types.find((type) => type === typeOfValue(value, type))
  const type = fitting ?? (types.length === 1 ? types[0] : undefined)
  switch (type) {
    case 'object':
    case 'array':
    case 'boolean':
    case 'number':
    case 'integer':
      return value === undefined || value === null || fitting !== undefined ? type : 'json'
    case 'string': {
      if (value !== undefined && value !== null && typeof value !== 'string') return 'json'
      const text = value ?? ''
      const format = first(parts, (part) => part.format?.name)
      if (format === 'date' && (text === '' || /^\d{4}-\d\d-\d\d$/.test(text))) return 'date'
      const longest = first(parts, (part) => part.maxLength)
      return text.includes('\n') || text.length > longTextChars || (longest !== undefined && longest > longTextChars)
        ? 'long'
        : 'text'
    }
    default:
      if (isJsonObject(value)) return 'object'
      if (Array.isArray(value)) return 'array'
      return 'json'
  }
}

function typeOfValue(value: JsonValue, wanted: TypeName): TypeName {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  if (typeof value === 'number') return wanted === 'integer' && Number.isInteger(value) ? 'integer' : 'number'
  return typeof value as TypeName
}

/** Its title, what it fixes, or its number. */
export function nameOfOption(option: SchemaNode, index: number): string {
  const title = textOf(option, 'title')
  if (title !== undefined) return title
  for (const part of conjunctsOf(option)) {
    const constant = part.constant
    if (constant !== undefined) return labelOf(constant.value)
    for (const [, property] of part.properties ?? []) {
      const fixed = gather(property, (own) => own.constant)
      if (fixed !== undefined) return labelOf(fixed.value)
    }
  }
  const types = gather(option, (part) => part.types)
  if (types !== undefined && !types.includes('object')) return types.join(t` or `)
  const required = gather(option, (part) => part.required)
  return required === undefined ? t`Alternative ${index + 1}` : t`With ${required.slice(0, 3).join(', ')}`
}

export function labelOf(value: JsonValue): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}
