/** Canonical JSON (RFC 8785): the one byte form of a value, and the hash that names it. */
import { sha256Hasher, sha256Hex } from './hash.ts'
import type { InParts } from './turns.ts'

/** What JSON can hold, also where nobody may change it. */
export type Canonical = string | number | boolean | null | readonly Canonical[] | { readonly [key: string]: Canonical }

/**
 * The value's RFC 8785 text: keys sorted by UTF-16 code units, numbers (minus zero as 0) and strings as ECMAScript writes them.
 * @throws TypeError for what no JSON text can hold: lone surrogates, NaN, infinities, undefined
 */
export function canonicalJson(value: Canonical): string {
  let text = ''
  for (const part of partsOf(value)) text += part
  return text
}

/** Lower-case hexadecimal SHA-256 of the canonical JSON's UTF-8 bytes. */
export function canonicalHash(value: Canonical): string {
  return sha256Hex(canonicalJson(value))
}

/** The text and its hash, for a large value on a thread that others wait for. */
export function* canonicalInParts(value: Canonical): InParts<{ text: string; hash: string }> {
  const hasher = sha256Hasher()
  let text = ''
  for (const part of partsOf(value)) {
    text += part
    hasher.update(part)
    yield
  }
  return { text, hash: hasher.digest('hex') }
}

/** Tuned: characters of a part, which are written in some .3 ms. */
const partChars = 16_384

/** An array or object that is being written: its keys, if it has any, and how many of its members are. */
interface Begun {
  of: readonly Canonical[] | { readonly [key: string]: Canonical }
  keys: readonly string[] | undefined
  written: number
}

/** The text, piece by piece; with a stack of its own, so that it can stop anywhere. */
function* partsOf(value: Canonical): Generator<string, void, void> {
  let text = ''
  const begun: Begun[] = []
  let next: Canonical | undefined = present(value)
  while (next !== undefined) {
    if (typeof next === 'object' && next !== null) {
      const keys = isList(next) ? undefined : inOrder(Object.keys(next))
      begun.push({ of: next, keys, written: 0 })
      text += keys === undefined ? '[' : '{'
    } else text += scalar(next)
    next = undefined
    for (let top = begun.at(-1); top !== undefined && next === undefined; top = begun.at(-1)) {
      const at = top.written++
      const key: string | undefined = top.keys?.[at]
      if (at < (top.keys ?? (top.of as readonly Canonical[])).length) {
        if (at > 0) text += ','
        if (key !== undefined) text += `${quoted(key)}:`
        next = present((top.of as { readonly [key: string]: Canonical })[key ?? at])
      } else {
        text += top.keys === undefined ? ']' : '}'
        begun.pop()
      }
    }
    if (text.length > partChars) {
      yield text
      text = ''
    }
  }
  yield text
}

function present(member: Canonical | undefined): Canonical {
  if (member === undefined) throw new TypeError('canonical JSON cannot hold undefined')
  return member
}

/** Most objects are written by programs that sort their keys, or have been canonical before. */
function inOrder(keys: string[]): string[] {
  for (let at = 1; at < keys.length; at++) if (keys[at - 1]! > keys[at]!) return keys.sort()
  return keys
}

function scalar(value: Canonical): string {
  switch (typeof value) {
    case 'string':
      return quoted(value)
    case 'number':
      if (!Number.isFinite(value)) throw new TypeError(`canonical JSON cannot hold ${value}`)
      return String(value)
    case 'boolean':
      return value ? 'true' : 'false'
    case 'object':
      return 'null'
    default:
      throw new TypeError(`canonical JSON cannot hold ${typeof value}`)
  }
}

function quoted(text: string): string {
  if (!text.isWellFormed()) throw new TypeError('canonical JSON cannot hold a lone surrogate')
  return JSON.stringify(text)
}

function isList(value: object): value is readonly Canonical[] {
  return Array.isArray(value)
}
