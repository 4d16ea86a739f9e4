import { conventionalPrefix, conventionalPrefixes } from './namespaces.ts'
import type { XmlNode } from './xml.ts'
import { illegalCharacter } from './xml-write.ts'

export interface ResolvedName {
  name: string
  written: string
  uri: string
  /** Inherited by the elements of this name. */
  space: string | undefined
  /** What elements of this name held, if equal ones share it. */
  alike: AlikeContent[] | undefined
}

/** The content of an element, by which equal ones are found. */
export interface AlikeContent {
  /** From behind the start tag to behind the end tag. */
  text: string
  /** Where in it the end tag begins. */
  closeStart: number
  children: XmlNode[]
  /** The number of elements and texts inside, and the nesting depth of elements, this one included. */
  nodes: number
  depth: number
  /** The remembered start tag that was read last in it. */
  last: StartTag | undefined
}

/** What a start tag says, shared by all elements that are written alike. */
export interface StartTag {
  text: string
  label: ResolvedName
  attributes: Record<string, string>
  writtenAttributes: Record<string, string> | undefined
  closed: boolean
  /** The start tag that followed it last time: usually the same follows again. */
  next: StartTag | undefined
}

/**
 * Namespace declarations and `xml:space` in force, and two caches: `names` maps written names to resolved ones, which
 * nearly always hits; `tags` maps whole start tags. A document of Word repeats a few hundred start tags, and looking one
 * up is faster than reading it.
 */
export interface Scope {
  prefixes: Map<string, string>
  space: string | undefined
  names: Map<string, ResolvedName>
  tags: Map<string, StartTag>
  /** The remembered start tag that was read last. */
  last: StartTag | undefined
}

export function scopeOf(prefixes: Map<string, string>, space?: string): Scope {
  return { prefixes, space, names: new Map(), tags: new Map(), last: undefined }
}

export const nameStart = /^[\p{L}_]/u

export const nameWhole = /^[\p{L}_][\p{L}\p{N}\p{M}._·-]*(?::[\p{L}_][\p{L}\p{N}\p{M}._·-]*)?$/u

export const xmlUri = 'http://www.w3.org/XML/1998/namespace'

/** Most elements have no attributes; they share this. */
export const noAttributes: Record<string, string> = Object.freeze({})

const namedReferences: Record<string, string> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" }

export function resolveReference(name: string): string | undefined {
  if (name.charCodeAt(0) !== 0x23) return Object.hasOwn(namedReferences, name) ? namedReferences[name] : undefined
  const match = /^#(?:x([0-9a-fA-F]{1,6})|([0-9]{1,7}))$/.exec(name)
  if (match === null) return undefined
  const code = match[1] === undefined ? Number(match[2]) : Number.parseInt(match[1], 16)
  if (code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) return undefined
  const character = String.fromCodePoint(code)
  return illegalCharacter.test(character) ? undefined : character
}

export function conventionalName(written: string, prefix: string, local: string, uri: string): string {
  const conventional = conventionalPrefix(uri)
  if (conventional === prefix) return written
  if (conventional !== undefined) return conventional === '' ? local : `${conventional}:${local}`
  // A foreign namespace under a prefix of Office's must not pass for Office's.
  return conventionalPrefixes.has(prefix) && prefix !== '' ? `{${uri}}${local}` : written
}

/** Whether a code unit may continue a name. The full rules are checked once for each distinct name. */
export function isNameCode(code: number): boolean {
  if (code <= 0x20 || code === 0x3d || code === 0x3e || code === 0x2f) return false
  return !Number.isNaN(code) && code !== 0x22 && code !== 0x27 && code !== 0x3c
}
