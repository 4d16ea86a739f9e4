/** Objects' references inside inputs: if the intake refused an input, no model says what it is about. */
import { sha256Hex } from './hash.ts'
import { limits } from './limits.ts'
import type { InParts } from './turns.ts'

/** Whether a text has the reference as one of its values; in parts, since texts may be long. */
export function* namesReference(text: string, reference: string): InParts<boolean> {
  // Most texts don't name the reference at all. This check is quick; an escape may hide the name.
  if (!text.includes(reference) && !text.includes('\\')) return false
  for (const one of referencesIn(text)) {
    if (one === reference) return true
    yield
  }
  return false
}

/** Which of these SHA-256 hashes are of references that a text has; in one pass, which ends once all are found. */
export function* hashesNamed(text: string, hashes: ReadonlySet<string>): InParts<Set<string>> {
  const named = new Set<string>()
  if (hashes.size === 0) return named
  let last = ''
  for (const reference of referencesIn(text)) {
    if (reference !== '' && reference !== last) {
      const hash = sha256Hex(reference)
      if (hashes.has(hash)) named.add(hash)
      if (named.size === hashes.size) break
    }
    last = reference
    yield
  }
  return named
}

/**
 * All that could be a reference, each perhaps several times: whole, with nothing around it that a longer one could have.
 * An empty one comes where a part of the text has none. The text need not be whole JSON: quotes mean nothing here.
 */
function* referencesIn(text: string): Generator<string> {
  yield* asWritten(text)
  yield* behindEscapes(text)
}

/**
 * One character more than a reference may have: a text of this length isn't one. The classes are what
 * `objectReferenceRule` allows.
 */
const tooLong = limits.objectReferenceChars + 1
const pieces = new RegExp(`[A-Za-z0-9._:@+-]{1,${tooLong}}`, 'g')
const tokens = new RegExp(
  `\\\\(?:u[0-9a-fA-F]{4}|[^])|[A-Za-z0-9._:@+-]{1,${tooLong}}|[^\\\\A-Za-z0-9._:@+-]{1,${tooLong}}|\\\\`,
  'y',
)
const isPart = /^[A-Za-z0-9._:@+-]/

function* asWritten(text: string): Generator<string> {
  let end = -1
  for (const { 0: piece, index } of text.matchAll(pieces)) {
    const isRest = index === end
    end = index + piece.length
    yield isRest || piece.length === tooLong ? '' : piece
  }
}

/**
 * Strings that mean another text once JSON's escapes are read: all that have one within, or begin behind one. No
 * expression takes a whole string: the engine gives up on one of a megabyte, and finds nothing.
 */
function* behindEscapes(text: string): Generator<string> {
  let run = ''
  let hasEscape = false
  let at = 0
  while (at < text.length) {
    if (run === '' && !hasEscape) {
      const next = text.indexOf('\\', at)
      if (next < 0) return
      // What is longer before the escape is too long anyway.
      at = Math.max(at, next - tooLong)
    }
    tokens.lastIndex = at
    const token = tokens.exec(text)?.[0] ?? ''
    at += token.length
    const isEscape = token.startsWith('\\')
    const read = isEscape ? meaningOf(token) : token
    if (isPart.test(read)) {
      hasEscape ||= isEscape
      if (run.length < tooLong) run += read
      yield ''
      continue
    }
    yield hasEscape && run.length < tooLong ? run : ''
    run = ''
    hasEscape = isEscape
  }
  if (hasEscape && run.length < tooLong) yield run
}

function meaningOf(token: string): string {
  const kind = token.charAt(1)
  if (token.length > 2) return String.fromCharCode(Number.parseInt(token.slice(2), 16))
  return 'bfnrt'.includes(kind) ? ' ' : kind
}
