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
  const small = smallText(value)
  if (small !== undefined) return small
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
  const small = smallText(value)
  if (small !== undefined) return { text: small, hash: sha256Hex(small) }
  const hasher = sha256Hasher()
  let text = ''
  for (const part of partsOf(value)) {
    text += part
    hasher.update(part)
    yield
  }
  return { text, hash: hasher.digest('hex') }
}

/** Tuned: values and characters of what is written at once, in some 10 µs. */
const smallValues = 250
const smallChars = 4_096

/**
 * The text of a small value: JSON.stringify is twice as fast, once keys are sorted. Undefined where this can't be used: for larger
 * values, values without a JSON text, and keys that objects don't keep in text order.
 */
function smallText(value: Canonical): string | undefined {
  const ordered = inKeyOrder(value, { values: smallValues, chars: smallChars })
  const text = ordered === undefined ? undefined : JSON.stringify(ordered)
  // A lone surrogate, unless it is a backslash before these letters.
  return text?.includes('\\ud') ? undefined : text
}

/** The value itself if its keys are in order, else a copy of it. */
function inKeyOrder(value: Canonical | undefined, room: { values: number; chars: number }): Canonical | undefined {
  room.values--
  if (typeof value === 'string') room.chars -= value.length
  if (room.values < 0 || room.chars < 0) return undefined
  if (typeof value === 'string') return value
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined
  if (typeof value !== 'object') return typeof value === 'boolean' ? value : undefined
  if (value === null) return value
  return isList(value) ? listInOrder(value, room) : objectInOrder(value, room)
}

function listInOrder(list: readonly Canonical[], room: { values: number; chars: number }): Canonical | undefined {
  let copy: Canonical[] | undefined
  for (let at = 0; at < list.length; at++) {
    const member = inKeyOrder(list[at], room)
    if (member === undefined) return undefined
    if (member !== list[at]) {
      copy ??= [...list]
      copy[at] = member
    }
  }
  return copy ?? list
}

function objectInOrder(
  object: { readonly [key: string]: Canonical },
  room: { values: number; chars: number },
): Canonical | undefined {
  const keys = Object.keys(object)
  if (keys.length > room.values) return undefined
  const isSorted = isInOrder(keys)
  if (!isSorted) {
    keys.sort()
    // An object has numbers first, whatever their place.
    if (keys.some(isNumeral)) return undefined
  }
  let copy: { [key: string]: Canonical } | undefined = isSorted ? undefined : {}
  for (const key of keys) {
    // Assigning it would set the prototype.
    if (key === '__proto__') return undefined
    const before = object[key]
    const member = inKeyOrder(before, room)
    if (member === undefined) return undefined
    room.chars -= key.length
    if (copy === undefined && member !== before) copy = { ...object }
    if (copy !== undefined) copy[key] = member
  }
  return copy ?? object
}

function isNumeral(key: string): boolean {
  const code = key.charCodeAt(0)
  return code >= 0x30 && code <= 0x39
}

/** Tuned: characters of a part, which are written in some .3 ms. */
const partChars = 16_384

/** An array or object being written: its keys, if it has any, and the number of members written. */
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
  return isInOrder(keys) ? keys : keys.sort()
}

function isInOrder(keys: readonly string[]): boolean {
  let before = ''
  for (const key of keys) {
    if (before > key) return false
    before = key
  }
  return true
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
