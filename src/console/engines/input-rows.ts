/**
 * An input as a form: the contract gives the fields, the input's text their values. There is a row for each field, group,
 * list and choice between alternatives; what is inside a folded one has no rows. Pure.
 */

import { isJsonObject, type JsonObject, type JsonValue } from '../../core/json.ts'
import { joinPointer } from '../../core/pointer.ts'
import type { SchemaNode } from '../../engines/schema/model.ts'
import { t } from '../language.ts'
import { rulesOf, textOf } from './form-rows.ts'
import {
  first,
  isNull,
  labelOf,
  nameOfOption,
  type RowKind,
  type RowRequest,
  resolve,
  shapeOf,
  typesOf,
  type Variant,
} from './input-parts.ts'
import { starterOf } from './starter.ts'

export interface InputRow {
  pointer: string
  depth: number
  kind: RowKind
  title: string
  description?: string
  isRequired: boolean
  isPresent: boolean
  /** May be taken out: an item, or a member that isn't required. */
  mayRemove: boolean
  /** A scalar's text, else its JSON. */
  value: string
  choices?: readonly { label: string; json: string }[]
  rules: readonly string[]
  /** What is put in when it is added, as JSON. */
  starter: string
  /** For groups, lists and alternatives: whether the rows inside follow. */
  isOpen?: boolean
  /** For a folded group: what is in it. */
  summary?: string
  /** For lists. */
  itemCount?: number
  mayAdd?: boolean
  itemStarter?: string
  /** For objects that take members of any name. */
  memberStarter?: string
  chosen?: number
  accepts: { null: boolean }
}

/** Nobody fills in more by hand, and the page has to draw the blocks. */
const maxRows = 10_000
const maxDepth = 24
/** Lists of more items show them folded. */
const openItems = 3
const summaryChars = 80

export function inputRowsOf(request: RowRequest): InputRow[] {
  const rows: InputRow[] = []
  const root = request.schema.model.root
  const place = { pointer: '', depth: 0, title: t`The input`, isRequired: true, mayRemove: false }
  const resolved = resolve(request, [root], request.value, '')
  if (shapeOf(resolved.parts, request.value) === 'object') {
    if (resolved.variant !== undefined) rows.push(variantRow(place, resolved.variant, resolved.parts))
    addMembers(rows, request, resolved.parts, isJsonObject(request.value) ? request.value : {}, {
      pointer: '',
      depth: 0,
    })
  } else addValue(rows, request, [root], request.value, place)
  return rows
}

interface Place {
  pointer: string
  depth: number
  title: string
  isRequired: boolean
  mayRemove: boolean
}

function addValue(
  rows: InputRow[],
  request: RowRequest,
  nodes: readonly SchemaNode[],
  value: JsonValue | undefined,
  place: Place,
): void {
  if (rows.length >= maxRows) return
  const { parts, variant } = resolve(request, nodes, value, place.pointer)
  const kind = place.depth > maxDepth ? 'json' : shapeOf(parts, value)
  const row = rowOf(kind, parts, value, place)
  rows.push(row)
  if (kind !== 'object' && kind !== 'array') {
    if (variant !== undefined) rows.push(variantRow({ ...place, depth: place.depth + 1 }, variant, parts))
    return
  }
  const isThere = value !== undefined && value !== null
  // A required group shows its fields before anything is in it.
  const opensByItself = kind === 'object' ? (isThere || place.isRequired) && !isItemOfMany(place) : true
  row.isOpen = (isThere || place.isRequired) && opensByItself !== request.toggled.has(place.pointer)
  if (isThere) row.summary = summaryOf(value)
  if (kind === 'array') {
    const items = Array.isArray(value) ? value : []
    const most = first(parts, (part) => part.maxItems)
    const prefix = first(parts, (part) => part.prefixItems)
    const next = prefix?.[items.length] ?? first(parts, (part) => part.items)
    row.itemCount = items.length
    row.mayAdd = (most === undefined || items.length < most) && next?.always !== false
    row.itemStarter = next === undefined ? 'null' : starterOf(next)
    if (row.isOpen) addItems(rows, request, parts, items, place)
    return
  }
  const others = first(parts, (part) => part.additionalProperties)
  const isMap = !parts.some((part) => part.properties !== undefined && part.properties.size > 0)
  if (others !== undefined ? others.always !== false : isMap)
    row.memberStarter = others === undefined ? '""' : starterOf(others)
  if (!row.isOpen) return
  if (variant !== undefined) rows.push(variantRow({ ...place, depth: place.depth + 1 }, variant, parts))
  addMembers(rows, request, parts, isJsonObject(value) ? value : {}, {
    pointer: place.pointer,
    depth: place.depth + 1,
  })
}

interface ItemPlace extends Place {
  siblings?: number
}

function isItemOfMany(place: ItemPlace): boolean {
  return (place.siblings ?? 0) > openItems
}

function addItems(
  rows: InputRow[],
  request: RowRequest,
  parts: readonly SchemaNode[],
  items: readonly JsonValue[],
  place: Place,
): void {
  const prefix = first(parts, (part) => part.prefixItems)
  const rest = parts.flatMap((part) => part.items ?? [])
  for (const [index, item] of items.entries()) {
    const own = prefix?.[index]
    const itemPlace: ItemPlace = {
      pointer: joinPointer(place.pointer, index),
      depth: place.depth + 1,
      title: `${place.title} ${index + 1}`,
      isRequired: true,
      mayRemove: true,
      siblings: items.length,
    }
    addValue(rows, request, own === undefined ? rest : [own], item, itemPlace)
  }
}

function addMembers(
  rows: InputRow[],
  request: RowRequest,
  parts: readonly SchemaNode[],
  value: JsonObject,
  /** The object's pointer, and the depth of its members. */
  { pointer, depth }: Pick<Place, 'pointer' | 'depth'>,
): void {
  const required = new Set(parts.flatMap((part) => part.required ?? []))
  for (const part of parts) {
    for (const [name, needed] of part.dependentRequired ?? []) {
      if (Object.hasOwn(value, name)) for (const each of needed) required.add(each)
    }
  }
  const declared = new Map<string, SchemaNode[]>()
  for (const part of parts) {
    for (const [name, property] of part.properties ?? []) {
      const nodes = declared.get(name)
      if (nodes === undefined) declared.set(name, [property])
      else if (!nodes.includes(property)) nodes.push(property)
    }
  }
  for (const [name, nodes] of declared) {
    if (nodes.some((node) => node.always === false) && !Object.hasOwn(value, name)) continue
    const isRequired = required.has(name)
    const title = nodes.map((node) => textOf(node, 'title')).find((text) => text !== undefined) ?? name
    addValue(rows, request, nodes, ownOf(value, name), {
      pointer: joinPointer(pointer, name),
      depth,
      title,
      isRequired,
      mayRemove: !isRequired,
    })
  }
  const other = first(parts, (part) => part.additionalProperties)
  for (const name of [...Object.keys(value), ...required]) {
    if (declared.has(name)) continue
    declared.set(name, [])
    const patterned = parts.flatMap((part) =>
      (part.patternProperties ?? []).flatMap(({ pattern, schema }) => (pattern.test(name) ? [schema] : [])),
    )
    const nodes = patterned.length > 0 ? patterned : other === undefined ? [] : [other]
    addValue(rows, request, nodes, ownOf(value, name), {
      pointer: joinPointer(pointer, name),
      depth,
      title: name,
      isRequired: required.has(name),
      mayRemove: !required.has(name),
    })
  }
}

function ownOf(value: JsonObject, name: string): JsonValue | undefined {
  return Object.hasOwn(value, name) ? value[name] : undefined
}

function rowOf(kind: RowKind, parts: readonly SchemaNode[], value: JsonValue | undefined, place: Place): InputRow {
  const { pointer, depth, title, isRequired, mayRemove } = place
  const description = first(parts, (part) => textOf(part, 'description'))
  const choices = first(parts, (part) => part.choices?.values)
  const constant = first(parts, (part) => part.constant)
  const isNullable =
    typesOf(parts).includes('null') || parts.some((part) => (part.oneOf ?? part.anyOf)?.some(isNull) ?? false)
  const isText = kind === 'text' || kind === 'long' || kind === 'date'
  const shown =
    isText && typeof value === 'string' ? value : value === undefined || value === null ? '' : JSON.stringify(value)
  return {
    pointer,
    depth,
    kind,
    title,
    isRequired,
    isPresent: value !== undefined,
    mayRemove,
    value: value === null && !isText ? 'null' : kind === 'object' || kind === 'array' ? '' : shown,
    rules: kind === 'date' ? [] : [...new Set(parts.flatMap(ownRulesOf))],
    starter: starterOf(parts),
    accepts: { null: isNullable },
    ...(description === undefined ? {} : { description }),
    ...(choices === undefined
      ? {}
      : { choices: choices.map((choice) => ({ label: labelOf(choice), json: JSON.stringify(choice) })) }),
    ...(constant === undefined
      ? {}
      : { choices: [{ label: labelOf(constant.value), json: JSON.stringify(constant.value) }] }),
  }
}

/** Without what it includes, which is among the parts already. */
function ownRulesOf(part: SchemaNode): string[] {
  return part.ref === undefined && part.allOf === undefined ? rulesOf(part) : []
}

function variantRow(place: Place, { options, chosen }: Variant, parts: readonly SchemaNode[]): InputRow {
  return {
    ...place,
    kind: 'variant',
    title: place.pointer === '' ? t`Kind of input` : t`Kind of ${place.title}`,
    isRequired: true,
    isPresent: true,
    mayRemove: false,
    value: String(chosen),
    chosen,
    choices: options.map((option, index) => ({ label: nameOfOption(option, index), json: starterOf(option) })),
    rules: [],
    starter: starterOf(parts),
    accepts: { null: false },
  }
}

function summaryOf(value: JsonValue): string {
  if (Array.isArray(value)) return ''
  if (!isJsonObject(value)) return ''
  const scalars = Object.values(value).filter((one) => typeof one === 'string' || typeof one === 'number')
  const text = scalars.slice(0, 4).join(' · ')
  return text.length > summaryChars ? `${text.slice(0, summaryChars)}…` : text
}
