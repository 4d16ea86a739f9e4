/** The source in one layout, comments kept: what `check --fix` writes. */

import type { CollectionTag, ScalarTag } from 'yaml'
import { Decimal } from '../../core/decimal.ts'
import { type Outcome, succeed } from '../../core/finding.ts'
import type { JsonValue } from '../../core/json.ts'
import { limits } from '../../core/limits.ts'
import { yamlLibrary } from '../../core/source/libraries.ts'
import type { SourceFormat } from '../../core/source/read.ts'
import type { SourceNode } from '../../core/source/tree.ts'
import { readSource } from './source.ts'

const lineWidth = 120

/**
 * Formats a source: two blanks an indent, lines of at most 120 characters if possible, one newline at the end. The
 * meaning never changes; a text whose meaning the layout would affect is returned unchanged. Refuses what `readSource`
 * refuses.
 */
export function formatSource(source: string, format: SourceFormat): Outcome<string> {
  const read = readSource(source, format)
  if (!read.ok) return read
  const formatted = format === 'json' ? formatJson(read.value) : formatYaml(source)
  const again = readSource(formatted, format)
  return succeed(again.ok && sameTree(read.value, again.value) ? formatted : source)
}

/** The library moves some comments and blank lines only in text of its own layout, so repeat until nothing moves. */
function formatYaml(source: string): string {
  let text = source
  for (let round = 0; round < limits.formatRounds; round++) {
    const before = text
    text = formatYamlOnce(text)
    if (text === before) break
  }
  return text
}

function formatYamlOnce(source: string): string {
  const document = yamlLibrary().parseDocument(source, {
    version: '1.2',
    schema: 'core',
    merge: false,
    uniqueKeys: false,
    customTags: (tags) => tags.map((tag) => (typeof tag === 'object' ? adapted(tag) : tag)),
  })
  return document.toString({ lineWidth, indent: 2, minContentWidth: 20, flowCollectionPadding: true })
}

function adapted(tag: CollectionTag | ScalarTag): CollectionTag | ScalarTag {
  if (tag.tag === 'tag:yaml.org,2002:str') return visible(tag as ScalarTag)
  return isNumberTag(tag) ? asWritten(tag) : tag
}

/** Blanks, hyphens and marks that are invisible or look like others. */
const unseen = /[\u00a0\u00ad\u2000-\u2011\u2028-\u202f\u205f-\u2064\ufeff]/g

/** In double quotes such characters are always escaped, so that the author sees them. */
function visible(tag: ScalarTag): ScalarTag {
  return {
    ...tag,
    stringify(...args) {
      const text = tag.stringify?.(...args) ?? ''
      return text.startsWith('"') ? text.replaceAll(unseen, escaped) : text
    },
  }
}

function escaped(character: string): string {
  return character === '\u00a0' ? '\\_' : `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}

function isNumberTag(tag: CollectionTag | ScalarTag): tag is ScalarTag {
  return tag.tag === 'tag:yaml.org,2002:int' || tag.tag === 'tag:yaml.org,2002:float'
}

/** A number keeps the author's notation and every digit; the library would print a double. */
function asWritten(tag: ScalarTag): ScalarTag {
  return { ...tag, stringify: (item) => item.source ?? String(item.value) }
}

function formatJson(root: SourceNode): string {
  return `${JSON.stringify(toPlain(root), null, 2)}\n`
}

function toPlain(node: SourceNode): JsonValue {
  if (node.kind === 'list') return node.items.map(toPlain)
  if (node.kind === 'map') return Object.fromEntries(node.entries.map((entry) => [entry.key, toPlain(entry.value)]))
  return node.value instanceof Decimal ? (node.value.toNumber() ?? 0) : node.value
}

function sameTree(left: SourceNode, right: SourceNode | undefined): boolean {
  if (right === undefined) return false
  if (left.kind === 'scalar' && right.kind === 'scalar') return sameScalar(left.value, right.value)
  if (left.kind === 'list' && right.kind === 'list') {
    return (
      left.items.length === right.items.length && left.items.every((item, index) => sameTree(item, right.items[index]))
    )
  }
  if (left.kind !== 'map' || right.kind !== 'map' || left.entries.length !== right.entries.length) return false
  return left.entries.every((entry, index) => {
    const other = right.entries[index]
    return entry.key === other?.key && sameTree(entry.value, other.value)
  })
}

function sameScalar(left: string | boolean | null | Decimal, right: string | boolean | null | Decimal): boolean {
  if (left instanceof Decimal && right instanceof Decimal) return left.equals(right)
  return left === right
}
