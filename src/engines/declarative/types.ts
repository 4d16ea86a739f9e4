/** Static types: the types a value may have, and whether it may be missing or null. */
import type { ItemBounds } from '../../core/coverage.ts'
import { limits } from '../../core/limits.ts'
import { parseDate, parseDateTime } from '../../core/locale/calendar.ts'
import type { SourceNode } from '../../core/source/tree.ts'
import { addSizes, largerSize, multiplySizes, type Size } from './size.ts'

export interface Field {
  type: Type
  /** Where the source makes this member, for findings about outputs. */
  at?: SourceNode
}

/** Members of an object. Those of a contract are read lazily, because schemas may be recursive. */
export interface ObjectShape {
  names: readonly string[]
  field(name: string): Field | undefined
  /** What undeclared members are; undefined when there are none. */
  rest(): Type | undefined
}

/** What is known of the sizes of arrays, or of values that may hold arrays, in the items of another array. */
interface Nested {
  /** The total of their items; absent if it must be computed from the number of arrays and the largest one. */
  total?: Size
  /** For arrays of the input: whether the contract gives them `maxItems`. */
  declared?: boolean
}

/** `within` bounds the items that all arrays inside an unknown value have together. */
export type Alternative =
  | ({ kind: 'unknown'; within?: Size } & Nested)
  | { kind: 'string'; values?: readonly string[] }
  | { kind: 'boolean' }
  | { kind: 'decimal' }
  | { kind: 'date' }
  | { kind: 'datetime' }
  | { kind: 'object'; shape: ObjectShape }
  | ({ kind: 'array'; item: () => Type; min: number; max: Size } & Nested)

export type Kind = Alternative['kind']

export interface Type {
  alternatives: readonly Alternative[]
  missing: boolean
  null: boolean
  /** If it is missing, that is on purpose (`$omit`), and its key is left out. */
  omit: boolean
}

export function typeOf(...alternatives: Alternative[]): Type {
  return { alternatives, missing: false, null: false, omit: false }
}

export const types = {
  /** Anything at all, also missing or null; only the run can tell. */
  unknown: typeOf({ kind: 'unknown' }),
  /** The same, as a part of the input that the contract does not describe. */
  input: typeOf({ kind: 'unknown', within: limits.transformAssumedItems, declared: false }),
  string: typeOf({ kind: 'string' }),
  boolean: typeOf({ kind: 'boolean' }),
  decimal: typeOf({ kind: 'decimal' }),
  date: typeOf({ kind: 'date' }),
  datetime: typeOf({ kind: 'datetime' }),
  null: { ...typeOf(), null: true },
  missing: { ...typeOf(), missing: true },
}

export function arrayOf(item: Type, max: Size, min = 0): Type {
  return typeOf({ kind: 'array', item: () => item, min, max })
}

export function objectOf(fields: ReadonlyMap<string, Field>): Type {
  const shape: ObjectShape = { names: [...fields.keys()], field: (name) => fields.get(name), rest: () => undefined }
  return typeOf({ kind: 'object', shape })
}

export function isUnknown(type: Type): boolean {
  return type.alternatives.some((alternative) => alternative.kind === 'unknown')
}

/** A type as the item of an array: what is missing is left out of arrays, null stays in them. */
export function asItem(type: Type): Type {
  return type.missing || type.omit ? { ...type, missing: false, omit: false } : type
}

/** The type without missing and null: what remains once the source has handled them. */
export function present(type: Type): Type {
  return type.missing || type.null ? { ...type, missing: false, null: false, omit: false } : type
}

export function maybeMissing(type: Type): Type {
  return type.missing ? type : { ...type, missing: true, omit: false }
}

/** What either of two types may be. */
export function joinTypes(left: Type, right: Type): Type {
  if (left === right) return left
  const alternatives = [...left.alternatives]
  for (const added of right.alternatives) {
    const index = alternatives.findIndex((existing) => existing.kind === added.kind)
    const existing = alternatives[index]
    if (existing === undefined) alternatives.push(added)
    else alternatives[index] = joinAlternatives(existing, added)
  }
  return {
    alternatives,
    missing: left.missing || right.missing,
    null: left.null || right.null,
    omit: (left.missing || right.missing) && (!left.missing || left.omit) && (!right.missing || right.omit),
  }
}

function joinAlternatives(left: Alternative, right: Alternative): Alternative {
  if (left.kind === 'string' && right.kind === 'string') {
    if (left.values === undefined || right.values === undefined) return { kind: 'string' }
    const values = [...new Set([...left.values, ...right.values])]
    return values.length > limits.transformEnumeration ? { kind: 'string' } : { kind: 'string', values }
  }
  if (left.kind === 'array' && right.kind === 'array') {
    const item = once(() => joinTypes(left.item(), right.item()))
    const max = largerSize(left.max, right.max)
    return { kind: 'array', item, min: Math.min(left.min, right.min), max, ...joinNested(left, right) }
  }
  if (left.kind === 'unknown' && right.kind === 'unknown') {
    return { kind: 'unknown', within: largerSize(sizeOf(left), sizeOf(right)), ...joinNested(left, right) }
  }
  if (left.kind === 'object' && right.kind === 'object')
    return { kind: 'object', shape: joinShapes(left.shape, right.shape) }
  return left
}

/** Some values may be the one and some the other, so together they have as many items as both. */
function joinNested(left: Nested, right: Nested): Nested {
  if (left.total !== undefined && right.total !== undefined) return { total: addSizes(left.total, right.total) }
  const isAlike = left.total === undefined && right.total === undefined && left.declared === right.declared
  return isAlike && left.declared !== undefined ? { declared: left.declared } : {}
}

/** The size of an array, or of all arrays that an unknown value may hold. */
export function sizeOf(alternative: Alternative): Size {
  if (alternative.kind === 'array') return alternative.max
  return alternative.kind === 'unknown' ? (alternative.within ?? limits.transformAssumedItems) : 0
}

/** The items of all arrays in a value, as far as its type tells; the number assumed for one array below a certain depth. */
export function withinOf(type: Type, depth = 0): Size {
  return type.alternatives.reduce<Size>((sum, alternative) => addSizes(sum, withinAlternative(alternative, depth)), 0)
}

function withinAlternative(alternative: Alternative, depth: number): Size {
  const { kind } = alternative
  if (kind !== 'array' && kind !== 'object') return sizeOf(alternative)
  if (depth > 3) return limits.transformAssumedItems
  if (kind === 'array') {
    return multiplySizes(alternative.max, addSizes(1, withinOf(alternative.item(), depth + 1)))
  }
  const { names, field, rest } = alternative.shape
  if (rest() !== undefined) return limits.transformAssumedItems
  return names.reduce<Size>((sum, name) => addSizes(sum, withinOf(field(name)?.type ?? types.missing, depth + 1)), 0)
}

function joinShapes(left: ObjectShape, right: ObjectShape): ObjectShape {
  if (left === right) return left
  const names = [...new Set([...left.names, ...right.names])]
  return {
    names,
    field: remembered((name) => {
      const one = left.field(name) ?? restField(left)
      const other = right.field(name) ?? restField(right)
      if (one === undefined || other === undefined) {
        const only = one ?? other
        return only === undefined ? undefined : { ...only, type: maybeMissing(only.type) }
      }
      const at = one.at ?? other.at
      return { type: joinTypes(one.type, other.type), ...(at === undefined ? {} : { at }) }
    }),
    rest: once(() => {
      const one = left.rest()
      const other = right.rest()
      return one !== undefined && other !== undefined ? joinTypes(one, other) : (one ?? other)
    }),
  }
}

/** What any member of an object may be, if it is there. */
export function memberType(shape: ObjectShape): Type {
  let result: Type | undefined = shape.rest()
  for (const name of shape.names) {
    const type = shape.field(name)?.type
    if (type === undefined) continue
    const there = { ...type, missing: false, omit: false }
    result = result === undefined ? there : joinTypes(result, there)
  }
  return result ?? types.unknown
}

function restField(shape: ObjectShape): Field | undefined {
  const rest = shape.rest()
  return rest === undefined ? undefined : { type: maybeMissing(rest) }
}

/** Any member that is there, for a loop over them. */
function anyField(shape: ObjectShape): Field | undefined {
  const fields = shape.names.flatMap((name) => shape.field(name)?.type ?? [])
  const rest = shape.rest()
  const all = rest === undefined ? fields : [...fields, rest]
  const [first, ...others] = all.map((type) => (type.missing ? { ...type, missing: false } : type))
  return first === undefined ? undefined : { type: others.reduce(joinTypes, first) }
}

export function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}

export function remembered<T>(make: (name: string) => T): (name: string) => T {
  const known = new Map<string, T>()
  return (name) => {
    if (!known.has(name)) known.set(name, make(name))
    return known.get(name) as T
  }
}

export type Step = { ok: true; type: Type; at?: SourceNode } | { ok: false; names: readonly string[]; isArray: boolean }

/**
 * The type of a member or item; not ok when no alternative has it, so that the path leads nowhere.
 * @param star what `*` means: a member of that name, or every item
 */
export function stepInto(
  type: Type,
  token: string,
  { star }: { star: 'a name' | 'every item' } = { star: 'a name' },
): Step {
  const isEveryItem = token === '*' && star === 'every item'
  let result: Type | undefined
  let at: SourceNode | undefined
  let maybe = type.missing || type.null
  const names: string[] = []
  let isArray = false
  for (const alternative of type.alternatives) {
    let found: Type | undefined
    if (alternative.kind === 'unknown') found = typeOf(alternative)
    else if (alternative.kind === 'object') {
      const field =
        alternative.shape.field(token) ?? (isEveryItem ? anyField(alternative.shape) : restField(alternative.shape))
      found = field?.type
      at ??= field?.at
      if (found === undefined) names.push(...alternative.shape.names)
    } else if (alternative.kind === 'array') {
      isArray = true
      if (isEveryItem) found = alternative.item()
      else if (/^(?:0|[1-9]\d{0,8})$/.test(token)) {
        found = Number(token) < alternative.min ? alternative.item() : maybeMissing(alternative.item())
      }
    }
    if (found === undefined) maybe = true
    else result = result === undefined ? found : joinTypes(result, found)
  }
  if (result === undefined) return { ok: false, names, isArray }
  return { ok: true, type: maybe ? maybeMissing(result) : result, ...(at === undefined ? {} : { at }) }
}

export interface Items {
  item: Type
  min: number
  max: Size
  /** As of the array itself. */
  declared?: boolean
}

/** Bounds of the length of the list at a place of a value; undefined if something else may be there. `*` means every item. */
export function itemBoundsAt(type: Type, tokens: readonly string[]): ItemBounds | undefined {
  let at = type
  for (const token of tokens) {
    const step = stepInto(at, token, { star: 'every item' })
    if (!step.ok) return undefined
    at = step.type
  }
  const isList = at.alternatives.length > 0 && at.alternatives.every(({ kind }) => kind === 'array')
  if (!isList || at.missing || at.null) return undefined
  const { min, max } = itemsOf(at)
  return { min, max: typeof max === 'number' ? max : Number.POSITIVE_INFINITY }
}

/** The item type and size of whatever arrays a type may be; unknown items if it may be anything. */
export function itemsOf(type: Type): Items {
  let result: Items | undefined
  for (const alternative of type.alternatives) {
    const found = itemsOfAlternative(alternative)
    if (found === undefined) continue
    result =
      result === undefined
        ? found
        : {
            item: joinTypes(result.item, found.item),
            min: Math.min(result.min, found.min),
            max: largerSize(result.max, found.max),
          }
  }
  return result ?? { item: types.unknown, min: 0, max: 0 }
}

function itemsOfAlternative(alternative: Alternative): Items | undefined {
  const { kind } = alternative
  if (kind !== 'array' && kind !== 'unknown') return undefined
  const max = sizeOf(alternative)
  const declared = alternative.declared === undefined ? {} : { declared: alternative.declared }
  if (kind === 'array') return { item: alternative.item(), min: alternative.min, max, ...declared }
  // Whatever arrays are in the items of one are also in the value itself.
  return { item: typeOf({ kind, within: max, total: max }), min: 0, max, ...declared }
}

/** All texts that a type may have; undefined if they are not listed or it may be something else. */
export function enumerationOf(type: Type): readonly string[] | undefined {
  const only = type.alternatives[0]
  return type.alternatives.length === 1 && only?.kind === 'string' ? only.values : undefined
}

/** Text is accepted for a date when all its possible values are ISO dates. */
export function isDateText(values: readonly string[] | undefined): boolean {
  return values?.every((value) => parseDate(value) !== undefined || parseDateTime(value) !== undefined) ?? false
}

const names: Record<Kind, string> = {
  unknown: 'unknown',
  string: 'text',
  boolean: 'a boolean',
  decimal: 'a number',
  date: 'a date',
  datetime: 'a date with time',
  object: 'an object',
  array: 'an array',
}

/** "text or a number", for messages. */
export function describeType(type: Type): string {
  const parts = type.alternatives.map((alternative) => names[alternative.kind])
  if (type.null) parts.push('null')
  return parts.length === 0 ? 'missing' : parts.join(' or ')
}

/** The short form that the lists of writes carry: `string`, `decimal?`, `date|null`. */
export function typeLabel(type: Type): string {
  const parts: string[] = type.alternatives.map((alternative) => alternative.kind)
  if (type.null) parts.push('null')
  return `${parts.join('|')}${type.missing ? '?' : ''}`
}
