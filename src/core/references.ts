/** Finds object references inside inputs: if the intake refused an input, no model says what it is about. */
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

/** Which of these SHA-256 hashes are hashes of references in a text. One pass, which ends once all are found. */
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
 * All candidates for references, possibly repeated: maximal runs of the characters that references allow. Yields an
 * empty text for parts without one. The text need not be complete JSON: quotes mean nothing here.
 */
function* referencesIn(text: string): Generator<string> {
  yield* asWritten(text)
  yield* behindEscapes(text)
}

/**
 * One character more than a reference may have: text of this length isn't one. The classes are those of
 * `objectReferenceRule`.
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
 * Candidates that contain or follow a JSON escape, with escapes resolved. No single expression matches a whole string:
 * for one of a megabyte, the engine gives up and finds nothing.
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
