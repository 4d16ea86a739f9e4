/** Canonical JSON (RFC 8785): the one byte form of a value, and the hash that names it. */
import { sha256Hex } from './hash.ts'
import type { JsonValue } from './json.ts'

/**
 * The value's RFC 8785 text: keys sorted by UTF-16 code units, numbers (minus zero as 0) and strings as ECMAScript writes them.
 * Recursion is bounded by the reader's depth limit for everything that came from outside.
 * @throws TypeError for what no JSON text can hold: lone surrogates, NaN, infinities, undefined
 */
export function canonicalJson(value: JsonValue | object): string {
  switch (typeof value) {
    case 'string':
      if (!value.isWellFormed()) throw new TypeError('canonical JSON cannot hold a lone surrogate')
      return JSON.stringify(value)
    case 'number':
      if (!Number.isFinite(value)) throw new TypeError(`canonical JSON cannot hold ${value}`)
      return String(value)
    case 'boolean':
      return value ? 'true' : 'false'
    case 'object': {
      if (value === null) return 'null'
      if (Array.isArray(value)) return `[${value.map((item: JsonValue) => canonicalJson(item)).join(',')}]`
      const members = value as Record<string, JsonValue>
      let text = '{'
      for (const key of Object.keys(members).sort()) {
        if (text.length > 1) text += ','
        text += `${canonicalJson(key)}:${canonicalJson(members[key] as JsonValue)}`
      }
      return `${text}}`
    }
    default:
      throw new TypeError(`canonical JSON cannot hold ${typeof value}`)
  }
}

/** Lower-case hexadecimal SHA-256 of the canonical JSON's UTF-8 bytes. */
export function canonicalHash(value: JsonValue | object): string {
  return sha256Hex(canonicalJson(value))
}
