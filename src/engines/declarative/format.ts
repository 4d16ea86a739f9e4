/** The source in one layout, comments kept: what `check --fix` writes. */
import { parseDocument } from 'yaml'
import { Decimal } from '../../core/decimal.ts'
import { type Outcome, succeed } from '../../core/finding.ts'
import type { JsonValue } from '../../core/json.ts'
import { readSource, type SourceFormat, type SourceNode } from './source.ts'

const lineWidth = 120

/**
 * Lays a source out anew: two blanks an indent, lines of at most 120 characters where that is possible, one newline at
 * the end. What it means never changes; a text whose meaning the layout would touch comes back as it was. Refuses what
 * `readSource` refuses.
 */
export function formatSource(source: string, format: SourceFormat): Outcome<string> {
  const read = readSource(source, format)
  if (!read.ok) return read
  const formatted = format === 'json' ? formatJson(read.value) : formatYaml(source)
  const again = readSource(formatted, format)
  return succeed(again.ok && sameTree(read.value, again.value) ? formatted : source)
}

function formatYaml(source: string): string {
  const document = parseDocument(source, {
    version: '1.2',
    schema: 'core',
    merge: false,
    uniqueKeys: false,
    intAsBigInt: true,
  })
  return document.toString({ lineWidth, indent: 2, minContentWidth: 20, flowCollectionPadding: true })
}

function formatJson(root: SourceNode): string {
  return `${JSON.stringify(toPlain(root), null, 2)}\n`
}

function toPlain(node: SourceNode): JsonValue {
  if (node.kind === 'list') return node.items.map(toPlain)
  if (node.kind === 'map') return Object.fromEntries(node.entries.map((entry) => [entry.key, toPlain(entry.value)]))
  return node.value instanceof Decimal ? (node.value.toNumber() ?? 0) : node.value
}

function sameTree(left: SourceNode, right: SourceNode): boolean {
  if (left.kind === 'scalar' && right.kind === 'scalar') return sameScalar(left.value, right.value)
  if (left.kind === 'list' && right.kind === 'list') {
    return (
      left.items.length === right.items.length && left.items.every((item, index) => sameTree(item, right.items[index]!))
    )
  }
  if (left.kind !== 'map' || right.kind !== 'map' || left.entries.length !== right.entries.length) return false
  return left.entries.every((entry, index) => {
    const other = right.entries[index]!
    return entry.key === other.key && sameTree(entry.value, other.value)
  })
}

function sameScalar(left: string | boolean | null | Decimal, right: string | boolean | null | Decimal): boolean {
  if (left instanceof Decimal && right instanceof Decimal) return left.equals(right)
  return left === right
}
