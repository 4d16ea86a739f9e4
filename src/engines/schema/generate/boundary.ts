/** Finds a limit of the schema that a payload reaches. */
import { isJsonObject, type JsonValue } from '../../../core/json.ts'
import { limits } from '../../../core/limits.ts'
import { codePointLength } from '../compare.ts'
import { EvaluationExhausted } from '../evaluate.ts'
import type { SchemaNode } from '../model.ts'
import type { CompiledSchema } from '../schema.ts'
import { type Applied, appliedSchemas } from './applied.ts'
import type { Random } from './random.ts'

export interface Limit {
  path: string
  keyword: string
}

/** A limit that some value of the payload reaches: preferably numeric, then presence, then emptiness. */
export function findBoundary(schema: CompiledSchema, payload: JsonValue, random: Random): Limit | undefined {
  let applied: Applied[]
  try {
    applied = appliedSchemas(schema.model, payload, limits.schemaEvaluationSteps)
  } catch (error) {
    if (error instanceof EvaluationExhausted) return undefined
    throw error
  }
  const bounds: Limit[] = []
  const presences: Limit[] = []
  const empties: Limit[] = []
  for (const { path, value, nodes } of applied) {
    for (const node of nodes) {
      for (const keyword of boundsReached(node, value)) bounds.push({ path, keyword })
      const presence = presenceReached(node, value)
      if (presence !== undefined) presences.push({ path, keyword: presence })
      const emptiness = emptinessReached(node, value)
      if (emptiness !== undefined) empties.push({ path, keyword: emptiness })
    }
  }
  const found = [bounds, presences, empties].find((list) => list.length > 0) ?? []
  return found.length === 0 ? undefined : random.pick(found)
}

function boundsReached(node: SchemaNode, value: JsonValue): string[] {
  const reached: string[] = []
  const meet = (keyword: string, bound: number | undefined, actual: number) => {
    if (bound === actual) reached.push(keyword)
  }
  if (typeof value === 'number') {
    meet('minimum', node.minimum, value)
    meet('maximum', node.maximum, value)
    // The nearest integer is as close to an open limit as an integer comes.
    if (node.types?.includes('integer') === true) {
      if (node.exclusiveMinimum !== undefined) meet('exclusiveMinimum', Math.floor(node.exclusiveMinimum) + 1, value)
      if (node.exclusiveMaximum !== undefined) meet('exclusiveMaximum', Math.ceil(node.exclusiveMaximum) - 1, value)
    }
  } else if (typeof value === 'string') {
    const length = codePointLength(value)
    meet('minLength', node.minLength, length)
    meet('maxLength', node.maxLength, length)
  } else if (Array.isArray(value)) {
    meet('minItems', node.minItems, value.length)
    meet('maxItems', node.maxItems, value.length)
  } else if (isJsonObject(value)) {
    const count = Object.keys(value).length
    meet('minProperties', node.minProperties, count)
    meet('maxProperties', node.maxProperties, count)
  }
  return reached
}

/** `required` if only required members are present, `properties` if all declared ones are. */
function presenceReached(node: SchemaNode, value: JsonValue): string | undefined {
  if (!isJsonObject(value) || node.properties === undefined) return undefined
  const optional = [...node.properties.keys()].filter((name) => !(node.required?.includes(name) ?? false))
  if (optional.length === 0) return undefined
  if (optional.every((name) => Object.hasOwn(value, name))) return 'properties'
  if (optional.some((name) => Object.hasOwn(value, name))) return undefined
  return node.required === undefined ? 'properties' : 'required'
}

/** Without further bounds, the limit of a length or size is zero. */
function emptinessReached(node: SchemaNode, value: JsonValue): string | undefined {
  const isEmpty =
    value === '' ||
    (Array.isArray(value) && value.length === 0) ||
    (isJsonObject(value) && Object.keys(value).length === 0)
  if (!isEmpty) return undefined
  if (node.types !== undefined) return 'type'
  return Array.isArray(value) && node.items !== undefined ? 'items' : undefined
}
