/** A schema as the form that it describes: a row for each field, with what may be filled in and the rules. Pure. */

import type { JsonValue } from '../../core/json.ts'
import { joinPointer } from '../../core/pointer.ts'
import { conjunctsOf, type SchemaModel, type SchemaNode } from '../../engines/schema/model.ts'
import { t } from '../language.ts'

export interface FormRow {
  pointer: string
  depth: number
  title: string
  isRequired: boolean
  type: string
  description?: string
  choices?: readonly string[]
  rules: readonly string[]
  pattern?: string
}

/** A schema that refers to itself has no end. */
const maxDepth = 6
/** Self-references at every level multiply; nobody reads more. */
const maxRows = 20_000

export function formRowsOf(model: SchemaModel): FormRow[] {
  const rows: FormRow[] = []
  addFields(rows, model.root, '', 0)
  return rows
}

/** What to say of a schema without fields. */
export function wholeTypeOf(model: SchemaModel): string {
  return typeOf(model.root)
}

function addFields(rows: FormRow[], node: SchemaNode, pointer: string, depth: number): void {
  if (depth > maxDepth) return
  const parts = conjunctsOf(node)
  const required = new Set(parts.flatMap((part) => part.required ?? []))
  for (const [name, property] of new Map(parts.flatMap((part) => [...(part.properties ?? [])]))) {
    if (rows.length >= maxRows) return
    const own = joinPointer(pointer, name)
    rows.push(rowOf(property, { pointer: own, depth, name, isRequired: required.has(name) }))
    addFields(rows, property, own, depth + 1)
    const item = gather(property, (part) => part.items)
    if (item !== undefined) addFields(rows, item, joinPointer(own, '0'), depth + 1)
  }
}

interface Named {
  pointer: string
  depth: number
  name: string
  isRequired: boolean
}

function rowOf(node: SchemaNode, { name, ...place }: Named): FormRow {
  const description = textOf(node, 'description')
  const choices = gather(node, (part) => part.choices?.values)
  const pattern = gather(node, (part) => part.pattern?.source)
  return {
    ...place,
    title: textOf(node, 'title') ?? name,
    type: typeOf(node),
    rules: rulesOf(node),
    ...(description === undefined ? {} : { description }),
    ...(choices === undefined
      ? {}
      : { choices: choices.map((choice) => (typeof choice === 'string' ? choice : JSON.stringify(choice))) }),
    ...(pattern === undefined ? {} : { pattern }),
  }
}

/** The first value that a schema, or else anything it includes, has for this. */
export function gather<T>(node: SchemaNode, pick: (part: SchemaNode) => T | undefined): T | undefined {
  for (const part of conjunctsOf(node)) {
    const found = pick(part)
    if (found !== undefined) return found
  }
  return undefined
}

export function textOf(node: SchemaNode, keyword: string): string | undefined {
  return gather(node, ({ source }) => {
    const value: JsonValue | undefined = typeof source === 'boolean' ? undefined : source[keyword]
    return typeof value === 'string' ? value : undefined
  })
}

function typeOf(node: SchemaNode): string {
  const types = gather(node, (part) => part.types)
  if (types !== undefined) {
    const item = types.includes('array') ? gather(node, (part) => part.items) : undefined
    return item === undefined ? types.join(t` or `) : t`list of ${typeOf(item)}`
  }
  if (gather(node, (part) => part.choices) !== undefined) return 'one of'
  return gather(node, (part) => part.constant) === undefined ? 'anything' : 'fixed'
}

const figures: readonly (readonly [pick: (part: SchemaNode) => number | undefined, word: (n: number) => string])[] = [
  [(part) => part.minimum, (n) => t`at least ${n}`],
  [(part) => part.exclusiveMinimum, (n) => t`more than ${n}`],
  [(part) => part.maximum, (n) => t`at most ${n}`],
  [(part) => part.exclusiveMaximum, (n) => t`less than ${n}`],
  [(part) => part.multipleOf, (n) => t`in steps of ${n}`],
  [(part) => part.minLength, (n) => t`${n} or more characters`],
  [(part) => part.maxLength, (n) => t`up to ${n} characters`],
  [(part) => part.minItems, (n) => t`${n} or more items`],
  [(part) => part.maxItems, (n) => t`up to ${n} items`],
]

export function rulesOf(node: SchemaNode): string[] {
  const rules = figures.flatMap(([pick, word]) => {
    const found = gather(node, pick)
    return found === undefined ? [] : [word(found)]
  })
  const format = gather(node, (part) => part.format?.name)
  return format === undefined ? rules : [...rules, format]
}
