/** Where a contract declares what a pointer into the input reads. Pure. */

import type { JsonValue } from '../../../core/json.ts'
import { joinPointer, parsePointer } from '../../../core/pointer.ts'

/** A schema on the way, with its own pointer in the contract. */
interface SchemaAt {
  schema: Record<string, JsonValue>
  pointer: string
}

export interface Declared {
  /** JSON Pointer into the contract: what declares the last name that is declared. */
  place: string
  /** The first name that is not declared; absent if all are, or that can't be known. */
  missing?: {
    name: string
    /** The object that could declare it: its pointer into the contract, and into the input. */
    parent: string
    within: string
    /** The names that are declared there. */
    siblings: readonly string[]
  }
}

/** A schema may refer to itself. */
const maxHops = 16
/** More than any contract nests in earnest. */
const maxParts = 64

/** @param pointer into the input; `*` is any item */
export function declaredAt(root: JsonValue, pointer: string): Declared {
  let at = partsOf({ pointer: '', value: root }, root)
  let place = ''
  let within = ''
  for (const token of parsePointer(pointer) ?? []) {
    const isItem = /^(?:\*|0|[1-9]\d*)$/.test(token)
    const items = isItem ? at.flatMap((part) => itemsOf(part)) : []
    const members = at.flatMap((part) =>
      membersOf(part)
        .filter(([name]) => name === token)
        .map(([, member]) => member),
    )
    const next = [...items, ...members]
    const [first] = next
    if (first === undefined) {
      const siblings = [...new Set(at.flatMap((part) => membersOf(part).map(([name]) => name)))]
      const parent = at.find((part) => isObject(part.schema.properties))
      if (isItem || parent === undefined || at.some(({ schema }) => takesAnyName(schema))) return { place }
      return { place, missing: { name: token, parent: parent.pointer, within, siblings } }
    }
    place = first.pointer
    within = joinPointer(within, token)
    at = next.flatMap((each) => partsOf(each, root)).slice(0, maxParts)
    if (at.length === 0) return { place }
  }
  return { place }
}

/** A schema with all that it takes together or chooses from: each may declare names. */
function partsOf(from: { pointer: string; value: JsonValue }, root: JsonValue): SchemaAt[] {
  const found: SchemaAt[] = []
  const visit = (value: JsonValue | undefined, pointer: string, hops: number): void => {
    if (!isObject(value) || hops > maxHops || found.length >= maxParts) return
    found.push({ schema: value, pointer })
    const { $ref } = value
    if (typeof $ref === 'string' && /^#(?:$|\/)/.test($ref))
      visit(valueAt(root, $ref.slice(1)), $ref.slice(1), hops + 1)
    for (const word of ['allOf', 'anyOf', 'oneOf']) {
      const choices = value[word]
      if (!Array.isArray(choices)) continue
      for (const [index, choice] of choices.entries()) visit(choice, `${pointer}/${word}/${index}`, hops + 1)
    }
    for (const word of ['if', 'then', 'else']) visit(value[word], `${pointer}/${word}`, hops + 1)
  }
  visit(from.value, from.pointer, 0)
  return found
}

function membersOf({ schema, pointer }: SchemaAt): [name: string, member: { pointer: string; value: JsonValue }][] {
  const { properties } = schema
  if (!isObject(properties)) return []
  return Object.entries(properties).map(([name, value]) => [
    name,
    { pointer: joinPointer(`${pointer}/properties`, name), value },
  ])
}

function itemsOf({ schema, pointer }: SchemaAt): { pointer: string; value: JsonValue }[] {
  const { items, prefixItems } = schema
  return [
    ...(items === undefined ? [] : [{ pointer: `${pointer}/items`, value: items }]),
    ...(Array.isArray(prefixItems) ? prefixItems : []).map((value, index) => {
      return { pointer: `${pointer}/prefixItems/${index}`, value }
    }),
  ]
}

/** Names that no property lists may be meant: nobody can tell whether one is a slip. */
function takesAnyName({ additionalProperties, patternProperties }: Record<string, JsonValue>): boolean {
  return additionalProperties === true || isObject(additionalProperties) || isObject(patternProperties)
}

function valueAt(root: JsonValue, pointer: string): JsonValue | undefined {
  return parsePointer(pointer)?.reduce<JsonValue | undefined>(
    (value, token) => (Array.isArray(value) ? value[Number(token)] : isObject(value) ? value[token] : undefined),
    root,
  )
}

function isObject(value: JsonValue | undefined): value is Record<string, JsonValue> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
