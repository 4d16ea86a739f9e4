import type { Decimal } from '../decimal.ts'
import { formatPointer } from '../pointer.ts'

/** What a YAML or JSON text says, each value with its place in the text. */
export type SourceNode = ScalarNode | MapNode | ListNode

interface Place {
  offset: number
  parent: SourceNode | undefined
  /** The key or index under which the parent holds this node. */
  key: string | number
}

export interface ScalarNode extends Place {
  kind: 'scalar'
  /** Numbers are exact, read from their text. */
  value: string | boolean | null | Decimal
  /** As it is written: what `number: 0` or a key `true:` mean where text is wanted. */
  text: string
  /** Without quotes in YAML, where its form decides what it is. */
  isPlain?: true
}

export interface MapEntry {
  key: string
  keyOffset: number
  value: SourceNode
}

export interface MapNode extends Place {
  kind: 'map'
  entries: MapEntry[]
  byKey: Map<string, MapEntry>
}

export interface ListNode extends Place {
  kind: 'list'
  items: SourceNode[]
}

/** JSON Pointer of a node inside its source. */
export function pathOf(node: SourceNode): string {
  const tokens: (string | number)[] = []
  for (let at: SourceNode = node; at.parent !== undefined; at = at.parent) tokens.unshift(at.key)
  return formatPointer(tokens)
}
