/** The columns of a batch in CSV as properties of a contract: where each goes, and what its cells become. */
import { isJsonObject, type JsonObject, type JsonValue } from '../../core/json.ts'
import { limits } from '../../core/limits.ts'
import { nearest } from '../../core/nearest.ts'
import { parsePointer } from '../../core/pointer.ts'
import { CsvRefusal, type Field } from './csv-records.ts'
import type { ValueType } from './declaration.ts'

export interface BatchColumn {
  /** The names of the members that lead to the value. */
  path: string[]
  /** `json` for arrays and objects: the cell holds their JSON. */
  type: ValueType | 'json'
}

/**
 * A name is that of a property, or leads to one of an object within: `customer.name` or `/customer/name`.
 *
 * @throws CsvRefusal for a name that the contract has no property for
 */
export function columnsOfContract(fields: readonly Field[], schema: JsonValue): BatchColumn[] {
  const columns = fields.map((field) => columnOf(field, schema))
  const taken = new Map<string, string>()
  for (const [index, { path }] of columns.entries()) {
    const { text: name, offset } = fields[index] as Field
    for (let length = 1; length <= path.length; length++) {
      const key = JSON.stringify(path.slice(0, length))
      const other = taken.get(key)
      const isWhole = length === path.length
      if (other !== undefined && (isWhole || other !== '')) {
        const message = `the columns "${shown(name)}" and "${shown(other === '' ? name : other)}" lead to the same value`
        throw new CsvRefusal('header', offset, message, 'leave one of them out')
      }
      taken.set(key, isWhole ? name : '')
    }
  }
  return columns
}

function columnOf({ text: name, offset }: Field, schema: JsonValue): BatchColumn {
  const paths = [[name], name.startsWith('/') ? parsePointer(name) : name.split('.')]
  for (const path of paths) {
    if (path === undefined || path.some((token) => token === '')) continue
    const found = path.reduce<JsonValue[]>(
      (nodes, token) => nodes.flatMap((node) => propertiesOf(node, token, schema, 0)),
      [schema],
    )
    if (found.length > 0) return { path, type: typeOf(found, schema) }
  }
  const names = [...namesIn(schema, schema, 0)]
  const meant = nearest(name, names)
  const known = names.slice(0, 8).join(', ')
  const hint =
    meant === undefined
      ? `its properties are ${known === '' ? 'none that are named' : known}; rename the column or leave it out`
      : `did you mean "${shown(meant)}"?`
  throw new CsvRefusal('header', offset, `the contract has no property "${shown(name)}"`, hint)
}

const applying = ['allOf', 'anyOf', 'oneOf'] as const
const branching = ['then', 'else', '$ref'] as const

/** A schema with all that it refers to and is made of, itself first. */
function* partsOf(node: JsonValue, root: JsonValue, depth: number): Generator<JsonObject> {
  if (!isJsonObject(node) || depth > limits.batchSchemaDepth) return
  yield node
  for (const key of applying) {
    const list = node[key]
    if (Array.isArray(list)) for (const part of list) yield* partsOf(part, root, depth + 1)
  }
  for (const key of branching) {
    const part = node[key]
    if (part === undefined) continue
    yield* partsOf(key === '$ref' ? target(part, root) : part, root, depth + 1)
  }
}

function target(ref: JsonValue, root: JsonValue): JsonValue {
  if (typeof ref !== 'string' || !ref.startsWith('#')) return null
  let node: JsonValue = root
  for (const token of parsePointer(decodeURIComponent(ref.slice(1))) ?? []) {
    if (!isJsonObject(node) || !Object.hasOwn(node, token)) return null
    node = node[token] ?? null
  }
  return node
}

function propertiesOf(node: JsonValue, name: string, root: JsonValue, depth: number): JsonValue[] {
  return [...partsOf(node, root, depth)].flatMap(({ properties }) =>
    isJsonObject(properties) && Object.hasOwn(properties, name) ? [properties[name] ?? null] : [],
  )
}

function* namesIn(node: JsonValue, root: JsonValue, depth: number): Generator<string> {
  for (const { properties } of partsOf(node, root, depth)) {
    if (isJsonObject(properties)) yield* Object.keys(properties)
  }
}

/** Text wherever text is allowed: a cell is text. */
function typeOf(nodes: readonly JsonValue[], root: JsonValue): BatchColumn['type'] {
  const types = new Set<string>()
  for (const node of nodes) {
    for (const part of partsOf(node, root, 0)) {
      const { type, enum: choices, const: only } = part
      for (const each of Array.isArray(type) ? type : [type]) if (typeof each === 'string') types.add(each)
      const values = only === undefined ? (Array.isArray(choices) ? choices : []) : [only]
      for (const value of values) types.add(kindOf(value))
    }
  }
  types.delete('null')
  if (types.size === 0 || types.has('string')) return 'text'
  if ([...types].every((type) => type === 'number' || type === 'integer')) return 'number'
  return types.size === 1 && types.has('boolean') ? 'boolean' : 'json'
}

function kindOf(value: JsonValue): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : typeof value
}

function shown(name: string): string {
  return name.length <= 60 ? name : `${name.slice(0, 59)}…`
}
