/**
 * The language as a JSON Schema for editors, made from the declarations that the compiler reads. Whatever compiles
 * satisfies it; a call without its operator's form does not. Only the compiler checks types, names and costs.
 */
import type { JsonObject, JsonValue } from '../../core/json.ts'
import { type ArgumentSpec, type Operator, valueForm as value } from './call.ts'
import { namePattern } from './context.ts'
import { operators } from './operators/table.ts'
import { paramTypes } from './params.ts'
import { languageName, topLevel, versionNamePattern } from './program.ts'

/** A key that calls no operator: text without a dollar sign before it, or with two. */
const plainKey = String.raw`^(?:[^$]|\$\$|$)`

/** The schema of a source that is read as YAML or JSON. */
export function transformerSchema(): JsonObject {
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: `A transformer, ${languageName}`,
    type: 'object',
    required: Object.entries(topLevel).flatMap(([key, { required }]) => (required ? [key] : [])),
    additionalProperties: false,
    properties: Object.fromEntries(
      Object.entries(topLevel).map(([key, { doc }]) => [key, { description: doc, ...topForms[key as TopKey] }]),
    ),
    $defs: valueDefinitions(),
  }
}

type TopKey = keyof typeof topLevel

const scalar: JsonValue = ['string', 'number', 'boolean', 'null']
const named = (rest: JsonObject): JsonObject => ({
  type: 'object',
  propertyNames: { pattern: namePattern.source },
  additionalProperties: rest,
})

const topForms: Record<TopKey, JsonObject> = {
  transform: { const: languageName },
  contract: { type: 'string', pattern: versionNamePattern.source },
  template: { type: 'string', pattern: versionNamePattern.source },
  params: named({ enum: [...paramTypes] }),
  tables: named({ type: 'object', additionalProperties: { type: scalar } }),
  let: named(value),
  output: value,
}

/** `#/$defs/value`, which is any value of the language, and what it refers to. */
export function valueDefinitions(): JsonObject {
  const all = [...operators.values()]
  const calls = all.map(({ name }) => ({ if: { required: [name] }, then: { $ref: `#/$defs/${name}` } }))
  return {
    value: {
      description: 'Text that starts with / reads the input, and $name a let, param or loop variable.',
      if: { type: 'object' },
      then: { $ref: '#/$defs/mapping' },
      else: { if: { type: 'array' }, then: { items: value } },
    },
    mapping: {
      description: 'An object, or a call of one operator, whose arguments are beside it.',
      // For completion; what else belongs to each is said below.
      properties: Object.fromEntries(all.map(({ name, doc }) => [name, { description: doc }])),
      if: { propertyNames: { pattern: plainKey } },
      then: { additionalProperties: value },
      else: { anyOf: all.map(({ name }) => ({ required: [name] })), allOf: calls },
    },
    ...Object.fromEntries(all.map((operator) => [operator.name, schemaOf(operator)])),
  }
}

function schemaOf({ name, doc, args, open }: Operator): JsonObject {
  const entries = Object.entries(args).map(([key, spec]) => [key === 'subject' ? name : key, spec] as const)
  return {
    description: doc,
    properties: Object.fromEntries(entries.map(([key, spec]) => [key, { description: spec.doc, ...formOf(spec) }])),
    required: entries.flatMap(([key, { optional }]) => (optional === true ? [] : [key])),
    ...(open === undefined
      ? { additionalProperties: false }
      : { additionalProperties: value, propertyNames: { anyOf: [{ const: name }, { pattern: plainKey }] } }),
  }
}

/** The schema of an argument. A node that the operator reads itself counts as a value, unless it declares a form. */
function formOf(spec: ArgumentSpec): JsonObject {
  switch (spec.kind) {
    case 'value':
      return value
    case 'values':
      return { type: 'array', minItems: spec.min, items: value }
    case 'word':
      return { type: ['string', 'number', 'boolean'] }
    case 'choice':
      return { enum: [...spec.choices] }
    case 'integer':
      return { type: 'integer', minimum: spec.min, maximum: spec.max }
    case 'flag':
      return { type: 'boolean' }
    case 'name':
      return { type: 'string', pattern: namePattern.source }
    case 'node':
      return spec.form ?? value
  }
}
