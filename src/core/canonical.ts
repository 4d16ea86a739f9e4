/** Canonical JSON (RFC 8785): the one byte form of a value, and the hash that names it. */
import { sha256Hex } from './hash.ts'

/** What JSON can hold, also where nobody may change it. */
export type Canonical = string | number | boolean | null | readonly Canonical[] | { readonly [key: string]: Canonical }

/**
 * The value's RFC 8785 text: keys sorted by UTF-16 code units, numbers (minus zero as 0) and strings as ECMAScript writes them.
 * Recursion is bounded by the reader's depth limit for everything that came from outside.
 * @throws TypeError for what no JSON text can hold: lone surrogates, NaN, infinities, undefined
 */
export function canonicalJson(value: Canonical): string {
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
      if (isList(value)) return `[${value.map(canonicalJson).join(',')}]`
      let text = '{'
      for (const key of Object.keys(value).sort()) {
        const member = value[key]
        if (member === undefined) throw new TypeError('canonical JSON cannot hold undefined')
        if (text.length > 1) text += ','
        text += `${canonicalJson(key)}:${canonicalJson(member)}`
      }
      return `${text}}`
    }
    default:
      throw new TypeError(`canonical JSON cannot hold ${typeof value}`)
  }
}

function isList(value: object): value is readonly Canonical[] {
  return Array.isArray(value)
}

/** Lower-case hexadecimal SHA-256 of the canonical JSON's UTF-8 bytes. */
export function canonicalHash(value: Canonical): string {
  return sha256Hex(canonicalJson(value))
}
