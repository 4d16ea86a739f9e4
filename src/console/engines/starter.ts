/** What a form begins with: the parts in which a schema leaves no choice, and its defaults. Pure. */
import type { JsonObject, JsonValue } from '../../core/json.ts'
import { conjunctsOf, type SchemaNode } from '../../engines/schema/model.ts'

const maxDepth = 8

/** As JSON. Fields that somebody has to fill in are left out, so that none is filled with something by accident. */
export function starterOf(of: SchemaNode | readonly SchemaNode[]): string {
  const nodes = 'length' in of ? of : [of]
  return JSON.stringify(startOf(nodes, 0) ?? emptyOf(nodes), undefined, 2)
}

function startOf(nodes: readonly SchemaNode[], depth: number): JsonValue | undefined {
  if (depth > maxDepth) return undefined
  const parts = [...new Set(nodes.flatMap(conjunctsOf))]
  for (const part of parts) {
    if (part.constant !== undefined) return part.constant.value
    const given = part.keyword('default')
    if (given !== undefined) return given
    if (part.choices?.values.length === 1) return part.choices.values[0]
  }
  if (!parts.some((part) => part.properties !== undefined || part.types?.includes('object'))) return undefined
  const required = new Set(parts.flatMap((part) => part.required ?? []))
  const made: JsonObject = {}
  for (const part of parts) {
    for (const [name, property] of part.properties ?? []) {
      const start = required.has(name) && name !== '__proto__' ? startOf([property], depth + 1) : undefined
      if (start !== undefined && !isEmptyObject(start)) made[name] = start
    }
  }
  return made
}

function isEmptyObject(value: JsonValue): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).length === 0
}

function emptyOf(nodes: readonly SchemaNode[]): JsonValue {
  const types = nodes.flatMap(conjunctsOf).flatMap((part) => part.types ?? [])
  if (types.includes('array')) return []
  if (types.includes('object')) return {}
  if (types.includes('string')) return ''
  if (types.includes('boolean')) return false
  if (types.includes('integer') || types.includes('number')) return 0
  return types.includes('null') ? null : ''
}
