/**
 * Schemas of scalars that apply no other schema. Their rules are data: objects and arrays check such members in their
 * own loops, without a closure call for each.
 */
import type { JsonValue } from '../../../core/json.ts'
import type { CompiledPattern } from '../../../core/pattern/pattern.ts'
import { codePointLength, isMultipleOf } from '../compare.ts'
import { type SchemaNode, typeBit } from '../model.ts'
import type { Walk } from './walk.ts'

type Scalar = Exclude<JsonValue, object>

/** Numbers, which are told apart sooner than names. */
const stringKind = 0
const numberKind = 1
const booleanKind = 2
const choiceKind = 3

export interface Leaf {
  readonly kind: typeof stringKind | typeof numberKind | typeof booleanKind | typeof choiceKind
  readonly isNullable: boolean
  /** The values of a choice: one, or any of a set. */
  readonly only: JsonValue | undefined
  readonly scalars: ReadonlySet<JsonValue>
  /** Length of a string in code points. From `surelyLeast` to `most` UTF-16 units, no counting is needed. */
  readonly least: number
  readonly surelyLeast: number
  readonly most: number
  readonly pattern: CompiledPattern | undefined
  readonly isOfFormat: ((text: string) => boolean) | undefined
  readonly isPlainText: boolean
  /** Of a number; both may be reached. */
  readonly low: number
  readonly high: number
  readonly isInteger: boolean
  readonly multipleOf: number | undefined
}

/** More than any string has. */
const unbounded = 2 ** 30

/** Undefined for a schema of anything else. */
export function leafOf(node: SchemaNode): Leaf | undefined {
  if (node.always !== undefined || node.hasCombinations) return undefined
  if (node.unevaluatedProperties !== undefined || node.unevaluatedItems !== undefined) return undefined
  const kind = kindOf(node)
  if (kind === undefined) return undefined
  const { minLength = 0, maxLength = unbounded, pattern, format } = node
  const scalars = kind === choiceKind ? (scalarsOf(node) ?? []) : []
  return {
    kind,
    isNullable: kind !== choiceKind && (node.types?.includes('null') ?? false),
    only: scalars.length === 1 ? scalars[0] : undefined,
    scalars: new Set(scalars),
    least: minLength,
    surelyLeast: 2 * minLength - 1,
    most: Math.min(maxLength, unbounded),
    pattern,
    isOfFormat: format?.test,
    isPlainText: pattern === undefined && format?.test === undefined,
    low: Math.max(node.minimum ?? -Infinity, nextAbove(node.exclusiveMinimum ?? -Infinity)),
    high: Math.min(node.maximum ?? Infinity, -nextAbove(-(node.exclusiveMaximum ?? Infinity))),
    isInteger: !(node.types?.includes('number') ?? false),
    multipleOf: node.multipleOf,
  }
}

function kindOf(node: SchemaNode): Leaf['kind'] | undefined {
  if (node.constant !== undefined || node.choices !== undefined) {
    return scalarsOf(node) === undefined || hasRules(node) ? undefined : choiceKind
  }
  const [type, ...others] = node.types?.filter((name) => name !== 'null') ?? []
  if (others.length > 0) return undefined
  if (type === 'string') return stringKind
  if (type === 'number' || type === 'integer') return numberKind
  return type === 'boolean' ? booleanKind : undefined
}

/** Whether scalars have to keep other rules than their type and their choices. */
function hasRules(node: SchemaNode): boolean {
  const ofText = [node.minLength, node.maxLength, node.pattern, node.format?.test]
  const ofNumbers = [node.minimum, node.maximum, node.exclusiveMinimum, node.exclusiveMaximum, node.multipleOf]
  return [...ofText, ...ofNumbers].some((rule) => rule !== undefined)
}

/** All values that `type`, `const` and `enum` allow; undefined without `const` and `enum`, or if some value is no scalar. */
export function scalarsOf({ constant, choices, types, typeMask }: SchemaNode): Scalar[] | undefined {
  const listed = constant === undefined ? choices?.values : [constant.value]
  if (listed === undefined) return undefined
  const scalars: Scalar[] = []
  for (const value of listed) {
    if (typeof value === 'object' && value !== null) return undefined
    const isChoice = constant === undefined || choices === undefined || choices.scalars.has(value)
    if (isChoice && (types === undefined || (typeMask & typeBit(value)) !== 0)) scalars.push(value)
  }
  return scalars
}

/** The least double above a number. */
function nextAbove(value: number): number {
  if (!Number.isFinite(value)) return value
  const double = new Float64Array([value === 0 ? 0 : value])
  const bits = new BigInt64Array(double.buffer)
  bits[0] = (bits[0] ?? 0n) + (value < 0 ? -1n : 1n)
  return double[0] ?? value
}

/** Whether a value is as a leaf asks. The caller charges for the leaf (`Walk.spendLeaves`). */
export function leafHolds(leaf: Leaf, walk: Walk, value: JsonValue): boolean {
  if (leaf.kind === stringKind) {
    if (typeof value !== 'string') return value === null && leaf.isNullable
    const isSurelyLong = value.length >= leaf.surelyLeast && value.length <= leaf.most
    return (isSurelyLong || hasLength(leaf, walk, value)) && (leaf.isPlainText || isLike(leaf, walk, value))
  }
  if (leaf.kind === numberKind) {
    if (typeof value !== 'number') return value === null && leaf.isNullable
    if (!(value >= leaf.low && value <= leaf.high) || (leaf.isInteger && !Number.isInteger(value))) return false
    return leaf.multipleOf === undefined || isMultipleOf(value, leaf.multipleOf)
  }
  if (leaf.kind === choiceKind) return leaf.only === undefined ? leaf.scalars.has(value) : leaf.only === value
  return typeof value === 'boolean' || (value === null && leaf.isNullable)
}

function hasLength({ least, most }: Leaf, walk: Walk, text: string): boolean {
  walk.spend(text.length >> 6)
  const length = codePointLength(text)
  return length >= least && length <= most
}

function isLike({ pattern, isOfFormat }: Leaf, walk: Walk, text: string): boolean {
  if (pattern !== undefined && !walk.matches(pattern, text)) return false
  if (isOfFormat === undefined) return true
  walk.spend(text.length)
  return isOfFormat(text)
}
