/** Maps the columns of a CSV batch to properties of a contract: the path of each, and the type of its cells. */
import { isJsonObject, type JsonObject, type JsonValue } from '../../core/json.ts'
import { limits } from '../../core/limits.ts'
import { nearest } from '../../core/nearest.ts'
import { parsePointer } from '../../core/pointer.ts'
import type { InParts } from '../../core/turns.ts'
import { CsvRefusal, type Field } from './csv-records.ts'
import type { ValueType } from './declaration.ts'

export interface BatchColumn {
  /** The names of the members that lead to the value. */
  path: string[]
  /** `json` for arrays and objects: the cell holds their JSON. */
  type: ValueType | 'json'
}

/**
 * A name is that of a property, or a path to one in nested objects: `customer.name` or `/customer/name`. Yields after
 * some hundred schemas, since a contract may be large.
 *
 * @throws CsvRefusal for a name that the contract has no property for, and for a contract that is too large for this
 */
export function* columnsOfContract(fields: readonly Field[], schema: JsonValue): InParts<BatchColumn[]> {
  const contract = new Contract(schema)
  const columns: BatchColumn[] = []
  const taken: Taken = { within: new Map() }
  for (const field of fields) {
    const column = yield* columnOf(field, contract)
    refuseTaken(field, column, taken)
    columns.push(column)
  }
  return columns
}

/** What columns lead to so far: members of members. */
interface Taken {
  /** The column for the whole value. */
  name?: string
  within: Map<string, Taken>
}

function refuseTaken({ text: name, offset }: Field, { path }: BatchColumn, taken: Taken): void {
  const refuse = (other: string): never => {
    const message = `the columns "${shown(name)}" and "${shown(other)}" lead to the same value`
    throw new CsvRefusal('header', offset, message, 'leave one of them out')
  }
  let node = taken
  for (const token of path) {
    const next: Taken = node.within.get(token) ?? { within: new Map() }
    node.within.set(token, next)
    node = next
    if (node.name !== undefined) refuse(node.name)
  }
  for (let [inner] = node.within.values(); inner !== undefined; [inner] = inner.within.values()) {
    if (inner.name !== undefined) refuse(inner.name)
  }
  node.name = name
}

function* columnOf({ text: name, offset }: Field, contract: Contract): InParts<BatchColumn> {
  const paths = [[name], name.startsWith('/') ? parsePointer(name) : name.split('.')]
  for (const path of paths) {
    // An input is no deeper.
    if (path === undefined || path.length > limits.jsonDepth || path.some((token) => token === '')) continue
    let found: readonly JsonObject[] = contract.whole
    for (const token of path) found = yield* contract.propertiesOf(found, token, offset)
    if (found.length > 0) return { path, type: yield* contract.typeOf(found, offset) }
  }
  const names = (yield* contract.partsOf(contract.whole, offset)).flatMap(({ properties }) =>
    isJsonObject(properties) ? Object.keys(properties) : [],
  )
  const meant = nearest(name, names)
  const known = names.slice(0, 8).join(', ')
  const hint =
    meant === undefined
      ? `its properties are ${known === '' ? 'none that are named' : known}; rename the column or leave it out`
      : `did you mean "${shown(meant)}"?`
  throw new CsvRefusal('header', offset, `the contract has no property "${shown(name)}"`, hint)
}

const applying = ['allOf', 'anyOf', 'oneOf'] as const
const branching = ['then', 'else'] as const

/** Tuned: schemas and alternatives examined before a yield, some .2 ms. */
const partSchemas = 200

/**
 * A contract in which properties are looked up. Schemas may refer to and contain each other in a thousand ways, so each is
 * examined once per lookup, and the number of examined ones is limited.
 */
class Contract {
  /** The schema of the input, as a list like those of properties. */
  readonly whole: readonly JsonObject[]
  private looked = 0
  /** Parts of one schema: many columns are of the same object. */
  private readonly known = new Map<JsonObject, JsonObject[]>()

  constructor(private readonly root: JsonValue) {
    this.whole = isJsonObject(root) ? [root] : []
  }

  /** The property's schemas, from all given schemas and their parts. Boolean schemas say nothing of a type. */
  *propertiesOf(nodes: readonly JsonObject[], name: string, offset: number): InParts<JsonObject[]> {
    const found = new Set<JsonObject>()
    for (const { properties } of yield* this.partsOf(nodes, offset)) {
      if (!isJsonObject(properties) || !Object.hasOwn(properties, name)) continue
      const property = properties[name]
      found.add(isJsonObject(property) ? property : {})
    }
    return [...found]
  }

  /** Schemas with all that they refer to and are made of, themselves first. */
  *partsOf(nodes: readonly JsonObject[], offset: number): InParts<JsonObject[]> {
    const [first, ...others] = nodes
    if (first === undefined) return []
    const known = others.length > 0 ? undefined : this.known.get(first)
    if (known !== undefined) return known
    const parts = yield* this.gather(nodes, offset)
    if (others.length === 0) this.known.set(first, parts)
    return parts
  }

  /** Text wherever text is allowed: a cell is text. */
  *typeOf(nodes: readonly JsonObject[], offset: number): InParts<BatchColumn['type']> {
    const types = new Set<string>()
    for (const { type, enum: choices, const: only } of yield* this.partsOf(nodes, offset)) {
      for (const each of Array.isArray(type) ? type : [type]) if (typeof each === 'string') types.add(each)
      const values = only === undefined ? (Array.isArray(choices) ? choices : []) : [only]
      for (const value of values) {
        yield* this.look(offset)
        types.add(kindOf(value))
      }
      if (types.has('string')) return 'text'
    }
    types.delete('null')
    if (types.size === 0) return 'text'
    if ([...types].every((type) => type === 'number' || type === 'integer')) return 'number'
    return types.size === 1 && types.has('boolean') ? 'boolean' : 'json'
  }

  private *gather(nodes: readonly JsonObject[], offset: number): InParts<JsonObject[]> {
    const parts = new Set<JsonObject>(nodes)
    let ring: readonly JsonObject[] = nodes
    for (let depth = 0; depth < limits.batchSchemaDepth && ring.length > 0; depth++) {
      const next: JsonObject[] = []
      for (const node of ring) {
        for (const part of this.appliedBy(node)) {
          yield* this.look(offset)
          if (!isJsonObject(part) || parts.has(part)) continue
          parts.add(part)
          next.push(part)
        }
      }
      ring = next
    }
    return [...parts]
  }

  private *look(offset: number): InParts<void> {
    if (++this.looked > limits.batchSchemaParts) refuseLarge(offset)
    if (this.looked % partSchemas === 0) yield
  }

  private *appliedBy(node: JsonObject): Generator<JsonValue> {
    for (const key of applying) {
      const list = node[key]
      if (Array.isArray(list)) yield* list
    }
    for (const key of branching) {
      const part = node[key]
      if (part !== undefined) yield part
    }
    if (node.$ref !== undefined) yield this.target(node.$ref)
  }

  private target(ref: JsonValue): JsonValue {
    if (typeof ref !== 'string' || !ref.startsWith('#')) return null
    const pointer = decodedPointer(ref.slice(1))
    if (pointer === undefined) return null
    let node: JsonValue = this.root
    for (const token of pointer) {
      this.looked++
      if (!isJsonObject(node) || !Object.hasOwn(node, token)) return null
      node = node[token] ?? null
    }
    return node
  }
}

function refuseLarge(offset: number): never {
  const message = 'the contract is made of too many schemas to find the properties of so many columns in it'
  throw new CsvRefusal('header', offset, message, 'hand in NDJSON')
}

/** Undefined for what is no pointer, such as the name of an anchor. */
function decodedPointer(fragment: string): readonly string[] | undefined {
  try {
    return parsePointer(decodeURIComponent(fragment))
  } catch {
    return undefined
  }
}

function kindOf(value: JsonValue): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : typeof value
}

function shown(name: string): string {
  return name.length <= 60 ? name : `${name.slice(0, 59)}…`
}
