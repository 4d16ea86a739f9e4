/**
 * What changed between two contracts, and what that means for those who hand in raw input: a change is breaking when
 * input that was valid before may be refused now, compatible when everything that was valid stays valid. Pure.
 */
import { isJsonObject, type JsonObject, type JsonValue } from '../core/json.ts'
import { joinPointer, parsePointer } from '../core/pointer.ts'

export interface ContractChange {
  /** JSON Pointer into the data; `*` means every item of a list. */
  path: string
  effect: 'breaking' | 'compatible' | 'wording'
  text: string
}

/** A schema that refers to itself has no end, and nobody reads more. */
const maxDepth = 24
const maxChanges = 500

export function compareContracts(before: JsonValue, after: JsonValue): ContractChange[] {
  const comparison = new Comparison(before, after)
  comparison.schemas(before, after, '', 0)
  return comparison.changes
}

/** Keywords whose rising value refuses more. */
const lowerBounds = ['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties', 'minContains']
/** Keywords whose falling value refuses more. */
const upperBounds = ['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties', 'maxContains']
/** Keywords that are only for readers. */
const wording = ['title', 'description', '$comment', 'examples', 'default', 'deprecated', 'readOnly', 'writeOnly']
/** Keywords that hold whole schemas; if two differ, nothing here can tell which one accepts more. */
const opaque = [
  'allOf',
  'anyOf',
  'oneOf',
  'not',
  'if',
  'then',
  'else',
  'patternProperties',
  'propertyNames',
  'dependentSchemas',
  'dependentRequired',
  'prefixItems',
  'contains',
  'unevaluatedItems',
  'unevaluatedProperties',
  '$dynamicRef',
]

class Comparison {
  readonly changes: ContractChange[] = []

  constructor(
    private readonly beforeRoot: JsonValue,
    private readonly afterRoot: JsonValue,
  ) {}

  schemas(beforeGiven: JsonValue | undefined, afterGiven: JsonValue | undefined, path: string, depth: number): void {
    if (depth > maxDepth || this.changes.length >= maxChanges) return
    const before = resolve(beforeGiven, this.beforeRoot)
    const after = resolve(afterGiven, this.afterRoot)
    if (!isJsonObject(before) || !isJsonObject(after)) {
      if (canonical(before) !== canonical(after)) this.wholes(before, after, path)
      return
    }
    this.types(before, after, path)
    this.values(before, after, path)
    this.bounds(before, after, path)
    this.texts(before, after, path)
    this.members(before, after, path, depth)
    this.schemas(before.items, after.items, `${path}/*`, depth + 1)
    for (const keyword of opaque) {
      if (canonical(before[keyword]) === canonical(after[keyword])) continue
      if (after[keyword] === undefined) this.note(path, 'compatible', `the rule "${keyword}" is gone`)
      else
        this.note(
          path,
          'breaking',
          `the rule "${keyword}" ${before[keyword] === undefined ? 'is new' : 'is another one'}; input may be refused`,
        )
    }
  }

  /** A schema that says nothing, or `false`, on one side. */
  private wholes(before: JsonValue | undefined, after: JsonValue | undefined, path: string): void {
    if (after === undefined || after === true) this.note(path, 'compatible', 'anything is allowed here now')
    else if (before === false) this.note(path, 'compatible', 'a value is allowed here now')
    else
      this.note(
        path,
        'breaking',
        after === false ? 'nothing is allowed here any more' : 'there are rules now where there were none',
      )
  }

  private types(before: JsonObject, after: JsonObject, path: string): void {
    const was = typesOf(before.type)
    const is = typesOf(after.type)
    if (was === undefined && is === undefined) return
    if (was === undefined || is === undefined) {
      if (is === undefined) this.note(path, 'compatible', 'may be of any type now')
      else this.note(path, 'breaking', `must be ${listed(is)} now`)
      return
    }
    const gone = was.filter((type) => !is.includes(type) && !(type === 'integer' && is.includes('number')))
    const added = is.filter((type) => !was.includes(type) && !(type === 'integer' && was.includes('number')))
    if (gone.length > 0) this.note(path, 'breaking', `may no longer be ${listed(gone)}, must be ${listed(is)}`)
    else if (added.length > 0) this.note(path, 'compatible', `may be ${listed(added)} too`)
  }

  private values(before: JsonObject, after: JsonObject, path: string): void {
    const was = choicesOf(before)
    const is = choicesOf(after)
    if (was === undefined && is === undefined) return
    if (was === undefined || is === undefined) {
      if (is === undefined) this.note(path, 'compatible', 'may have any value now')
      else this.note(path, 'breaking', `must be one of ${[...is.values()].join(', ')} now`)
      return
    }
    const gone = [...was].filter(([identity]) => !is.has(identity)).map(([, text]) => text)
    const added = [...is].filter(([identity]) => !was.has(identity)).map(([, text]) => text)
    if (gone.length > 0) this.note(path, 'breaking', `may no longer be ${gone.join(', ')}`)
    if (added.length > 0) this.note(path, 'compatible', `may be ${added.join(', ')} too`)
  }

  private bounds(before: JsonObject, after: JsonObject, path: string): void {
    for (const [keywords, tightens] of [
      [lowerBounds, (was: number, is: number) => is > was],
      [upperBounds, (was: number, is: number) => is < was],
    ] as const) {
      for (const keyword of keywords) {
        const was = numberOf(before[keyword])
        const is = numberOf(after[keyword])
        if (was === is) continue
        if (is === undefined) this.note(path, 'compatible', `${keyword} ${was} is gone`)
        else if (was === undefined) this.note(path, 'breaking', `${keyword} is ${is} now`)
        else this.note(path, tightens(was, is) ? 'breaking' : 'compatible', `${keyword} was ${was}, is ${is}`)
      }
    }
    for (const keyword of ['pattern', 'format', 'multipleOf', 'uniqueItems']) {
      const was = before[keyword]
      const is = after[keyword]
      if (canonical(was) === canonical(is) || (keyword === 'uniqueItems' && !was === !is)) continue
      if (is === undefined || is === false) this.note(path, 'compatible', `${keyword} ${was} is gone`)
      else if (was === undefined || was === false) this.note(path, 'breaking', `${keyword} is ${is} now`)
      else this.note(path, 'breaking', `${keyword} was ${was}, is ${is}`)
    }
  }

  private texts(before: JsonObject, after: JsonObject, path: string): void {
    const changed = wording.filter((keyword) => canonical(before[keyword]) !== canonical(after[keyword]))
    if (changed.length > 0) this.note(path, 'wording', `other ${changed.join(', ')}`)
  }

  private members(before: JsonObject, after: JsonObject, path: string, depth: number): void {
    const was = isJsonObject(before.properties) ? before.properties : {}
    const is = isJsonObject(after.properties) ? after.properties : {}
    const wasRequired = namesOf(before.required)
    const isRequired = namesOf(after.required)
    const wasOpen = before.additionalProperties !== false
    const isOpen = after.additionalProperties !== false
    for (const name of new Set([...Object.keys(was), ...Object.keys(is)])) {
      const memberPath = joinPointer(path, name)
      const had = Object.hasOwn(was, name)
      const has = Object.hasOwn(is, name)
      if (had && has) this.schemas(was[name], is[name], memberPath, depth + 1)
      else if (has && isRequired.has(name)) this.note(memberPath, 'breaking', 'is new and required')
      else if (has && wasOpen) this.note(memberPath, 'breaking', 'has rules now; it could hold anything before')
      else if (has) this.note(memberPath, 'compatible', 'is new and optional')
      else if (isOpen) this.note(memberPath, 'compatible', 'has no rules any more')
      else this.note(memberPath, 'breaking', 'is gone, and would be refused')
    }
    for (const name of isRequired) {
      if (!wasRequired.has(name) && (Object.hasOwn(was, name) || !Object.hasOwn(is, name)))
        this.note(joinPointer(path, name), 'breaking', 'is required now')
    }
    for (const name of wasRequired) {
      if (!isRequired.has(name) && (Object.hasOwn(is, name) || !Object.hasOwn(was, name)))
        this.note(joinPointer(path, name), 'compatible', 'is optional now')
    }
    if (wasOpen && !isOpen) this.note(path, 'breaking', 'other properties are refused now')
    if (!wasOpen && isOpen) this.note(path, 'compatible', 'other properties are allowed now')
  }

  private note(path: string, effect: ContractChange['effect'], text: string): void {
    if (this.changes.length < maxChanges) this.changes.push({ path, effect, text })
  }
}

/** Follows references inside the document, as long as they lead somewhere and say nothing beside. */
function resolve(given: JsonValue | undefined, root: JsonValue): JsonValue | undefined {
  let schema = given
  for (let hops = 0; hops < maxDepth; hops++) {
    if (!isJsonObject(schema) || typeof schema.$ref !== 'string' || !schema.$ref.startsWith('#')) return schema
    const target = follow(schema.$ref.slice(1), root)
    if (!isJsonObject(target)) return schema
    const { $ref: _, ...beside } = schema
    schema = { ...target, ...beside }
  }
  return schema
}

function follow(pointer: string, root: JsonValue): JsonValue | undefined {
  let value: JsonValue | undefined = root
  for (const token of parsePointer(decodeURIComponent(pointer)) ?? []) {
    if (Array.isArray(value)) value = value[Number(token)]
    else if (isJsonObject(value)) value = value[token]
    else return undefined
  }
  return value
}

function canonical(value: JsonValue | undefined): string {
  return (
    JSON.stringify(value, (_, member: JsonValue) =>
      isJsonObject(member) ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1))) : member,
    ) ?? ''
  )
}

function typesOf(value: JsonValue | undefined): string[] | undefined {
  if (typeof value === 'string') return [value]
  return Array.isArray(value) ? value.filter((type) => typeof type === 'string') : undefined
}

/** Identity and text of each allowed value. */
function choicesOf(schema: JsonObject): Map<string, string> | undefined {
  const values = Array.isArray(schema.enum)
    ? schema.enum
    : Object.hasOwn(schema, 'const')
      ? [schema.const ?? null]
      : undefined
  return values && new Map(values.map((value) => [canonical(value), JSON.stringify(value)]))
}

function numberOf(value: JsonValue | undefined): number | undefined {
  return typeof value === 'number' ? value : undefined
}

function namesOf(value: JsonValue | undefined): Set<string> {
  return new Set(Array.isArray(value) ? value.filter((name) => typeof name === 'string') : [])
}

function listed(types: readonly string[]): string {
  return types.join(' or ')
}
