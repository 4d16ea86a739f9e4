/** A value that a schema accepts, as short as it may be, to begin with. Pure. */
import { type Description, resolve, type Schema } from './description.ts'

/** Shapes may hold each other. */
const maxDepth = 8

const byFormat: Readonly<Record<string, string>> = {
  uuid: '0198c3d2-7a10-7c00-8000-000000000000',
  'date-time': '2026-11-20T09:30:00Z',
  uri: 'https://example.com',
}

/** Tried where a pattern is asked for: names, slugs, references, addresses, hashes, time zones. */
const candidates = [
  'example',
  'Example',
  'A-1',
  'clws:letter',
  'example.created',
  '"1"',
  '1',
  'a'.repeat(64),
  'a'.repeat(32),
  'a'.repeat(16),
  '123456',
]

/** The members that an object must have; of a choice the first. */
export function exampleOf(schema: Schema, api: Description, depth = 0): unknown {
  const own = resolve(schema, api)
  if (own.const !== undefined) return own.const
  if (own.enum !== undefined) return own.enum[0]
  const choices = own.anyOf ?? own.oneOf
  if (choices?.[0] !== undefined) return exampleOf(choices[0], api, depth)
  const type = Array.isArray(own.type) ? own.type[0] : own.type
  if (type === 'string') return textOf(own)
  if (type === 'integer' || type === 'number') return Math.max(own.minimum ?? 1, 0)
  if (type === 'boolean') return true
  if (type === 'array') {
    if (depth >= maxDepth || own.items === undefined || own.maxItems === 0) return []
    return [exampleOf(own.items, api, depth + 1)]
  }
  if (type === 'object' || own.properties !== undefined) return objectOf(own, api, depth)
  return {}
}

function objectOf({ properties = {}, required = [], minProperties = 0 }: Schema, api: Description, depth: number) {
  const optional = Object.keys(properties).filter((name) => !required.includes(name))
  const wanted = [...required, ...optional.slice(0, Math.max(0, minProperties - required.length))]
  const members = wanted.map((name) => [name, exampleOf(properties[name] ?? {}, api, depth + 1)])
  return Object.fromEntries(members) as Record<string, unknown>
}

function textOf({ format, pattern, minLength = 0, maxLength = Number.POSITIVE_INFINITY }: Schema): string {
  const known = byFormat[format ?? '']
  if (known !== undefined) return known
  const rule = pattern === undefined ? undefined : new RegExp(pattern, 'u')
  const fits = (text: string) => text.length <= maxLength && rule?.test(text) !== false
  return candidates.map((text) => text.padEnd(minLength, 'x')).find(fits) ?? 'x'.repeat(Math.max(minLength, 1))
}
