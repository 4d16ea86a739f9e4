/** Random schemas and random edits of them, for tests of properties that must hold whatever the schema is. */
import { isJsonObject, type JsonObject, type JsonValue } from '../../../src/core/json.ts'
import { Random } from '../../../src/engines/schema/generate/random.ts'

const names = ['alpha', 'beta', 'gamma', 'delta', 'epsilon']

export function arbitrarySchema(random: Random, depth = 3): JsonValue {
  if (depth <= 0 || random.chance(35)) return scalarSchema(random)
  switch (random.below(11)) {
    case 0:
    case 1:
    case 2:
      return objectSchema(random, depth)
    case 3:
    case 4:
      return arraySchema(random, depth)
    case 5:
      return { anyOf: list(random, 1, 3, () => arbitrarySchema(random, depth - 1)) }
    case 6:
      return { oneOf: list(random, 1, 3, () => arbitrarySchema(random, depth - 1)) }
    case 7:
      return { allOf: [objectSchema(random, depth - 1), objectSchema(random, depth - 1)] }
    case 8:
      return {
        ...(objectSchema(random, depth) as JsonObject),
        if: { properties: { alpha: scalarSchema(random) }, required: ['alpha'] },
        then: objectSchema(random, 1),
        else: random.chance(50) ? objectSchema(random, 1) : true,
      }
    case 9:
      return { not: scalarSchema(random) }
    default:
      return { $ref: `#/$defs/${random.pick(['one', 'two'])}` }
  }
}

/** A whole document, with definitions that its parts refer to. */
export function arbitraryDocument(random: Random): JsonObject {
  const root = arbitrarySchema(random)
  const $defs = { one: scalarSchema(random), two: objectSchema(random, 1) }
  return isJsonObject(root) ? { ...root, $defs } : { allOf: [root], $defs }
}

function scalarSchema(random: Random): JsonValue {
  switch (random.below(10)) {
    case 0:
      return true
    case 1:
      return { type: 'boolean' }
    case 2:
      return { type: ['string', 'null'] }
    case 3:
      return { enum: [...names.slice(0, 1 + random.below(3)), 1, null] }
    case 4:
      return { const: random.pick(['alpha', 1, null]) }
    case 5:
      return { type: 'number', minimum: random.below(5), maximum: 5 + random.below(10) }
    case 6:
      return { type: 'integer', exclusiveMinimum: random.below(4), multipleOf: 1 + random.below(3) }
    case 7:
      return { type: 'string', minLength: random.below(3), maxLength: 3 + random.below(8) }
    case 8:
      return { type: 'string', pattern: random.pick(['^[a-z]+$', '^a', '[0-9]{2}']) }
    default:
      return { type: random.pick(['string', 'integer', 'number', 'null']) }
  }
}

function objectSchema(random: Random, depth: number): JsonValue {
  const declared = names.filter(() => random.chance(50))
  const schema: JsonObject = {
    properties: Object.fromEntries(declared.map((name) => [name, arbitrarySchema(random, depth - 1)])),
  }
  if (random.chance(70)) schema.type = 'object'
  const required = declared.filter(() => random.chance(35))
  if (required.length > 0) schema.required = required
  if (random.chance(30)) schema.additionalProperties = random.chance(50) ? false : scalarSchema(random)
  if (random.chance(15)) schema.patternProperties = { '^e': scalarSchema(random) }
  if (random.chance(15)) schema.unevaluatedProperties = random.chance(60) ? false : scalarSchema(random)
  if (random.chance(15)) schema.minProperties = 1
  if (random.chance(10)) schema.maxProperties = 3
  if (random.chance(10)) schema.dependentRequired = { alpha: ['beta'] }
  if (random.chance(10)) schema.dependentSchemas = { beta: objectSchema(random, 0) }
  if (random.chance(10)) schema.propertyNames = { maxLength: 6 }
  if (depth > 1 && random.chance(15)) schema.anyOf = [objectSchema(random, 1), objectSchema(random, 1)]
  return schema
}

function arraySchema(random: Random, depth: number): JsonValue {
  const schema: JsonObject = { type: 'array' }
  if (random.chance(70)) schema.items = arbitrarySchema(random, depth - 1)
  if (random.chance(30)) schema.prefixItems = list(random, 1, 2, () => arbitrarySchema(random, depth - 1))
  if (random.chance(30)) schema.minItems = random.below(3)
  if (random.chance(30)) schema.maxItems = 3 + random.below(3)
  if (random.chance(20)) schema.uniqueItems = true
  if (random.chance(20)) schema.contains = scalarSchema(random)
  if (schema.contains !== undefined && random.chance(40)) schema.maxContains = 2
  if (random.chance(15)) schema.unevaluatedItems = false
  return schema
}

function list(random: Random, least: number, most: number, make: () => JsonValue): JsonValue[] {
  return Array.from({ length: random.between(least, most) }, make)
}

/** The document with one to three edits somewhere inside. */
export function edited(document: JsonObject, random: Random): JsonObject {
  const copy = structuredClone(document)
  for (let edit = 0; edit <= random.below(3); edit++) {
    const places: JsonObject[] = []
    collect(copy, places)
    editOne(random.pick(places), random)
  }
  return copy
}

const mapKeywords = new Set(['properties', 'patternProperties', '$defs', 'dependentSchemas'])

function collect(value: JsonValue, places: JsonObject[]): void {
  if (Array.isArray(value)) for (const item of value) collect(item, places)
  else if (isJsonObject(value)) {
    places.push(value)
    for (const [key, part] of Object.entries(value)) {
      if (mapKeywords.has(key) && isJsonObject(part)) for (const inner of Object.values(part)) collect(inner, places)
      else if (key !== 'enum' && key !== 'const' && key !== 'dependentRequired') collect(part, places)
    }
  }
}

function editOne(schema: JsonObject, random: Random): void {
  const keys = Object.keys(schema).filter((key) => key !== '$defs')
  const key = keys.length > 0 ? random.pick(keys) : ''
  const value = schema[key]
  switch (random.below(4)) {
    case 0:
      if (key !== '') delete schema[key]
      return
    case 1: {
      const added = random.chance(50) ? objectSchema(random, 1) : scalarSchema(random)
      if (isJsonObject(added)) {
        const name = random.pick([...Object.keys(added), 'description'])
        schema[name] = name === 'description' ? 'Edited' : added[name]!
      }
      return
    }
    default:
      if (typeof value === 'number') schema[key] = Math.max(1, value + random.pick([-1, 1, 2]))
      else if (key === 'properties' && isJsonObject(value)) {
        const name = random.pick(names)
        if (Object.hasOwn(value, name) && random.chance(50)) delete value[name]
        else value[name] = arbitrarySchema(random, 1)
      } else if (Array.isArray(value) && key !== 'type') {
        if (random.chance(50) && value.length > 1) value.splice(random.below(value.length), 1)
        else if (key === 'required') {
          const name = random.pick(names)
          if (!value.includes(name)) value.push(name)
        } else if (key === 'enum') value.push(random.below(100))
        else value.push(arbitrarySchema(random, 1))
      } else if (key === 'type') schema.type = random.pick(['string', 'number', 'integer', 'object', 'array'])
      else if (typeof value === 'boolean') schema[key] = !value
      else if (/^(items|contains|not|additionalProperties|unevaluatedProperties|then|else|if)$/.test(key)) {
        schema[key] = arbitrarySchema(random, 1)
      }
  }
}

export function seeded(seed: number): Random {
  return new Random(seed, 1_000)
}
