/** Tells keywords that judge a value from those that only describe it. */
import { isJsonObject, type JsonObject } from '../../../core/json.ts'
import type { SchemaNode } from '../model.ts'

const annotations = [
  'title',
  'description',
  'default',
  'examples',
  'deprecated',
  'readOnly',
  'writeOnly',
  '$comment',
  '$id',
  '$schema',
  'contentEncoding',
  'contentMediaType',
  'contentSchema',
]

/** Keywords that say something about a value without judging it, and the author's own. */
export function annotationsOf(older: JsonObject, newer: JsonObject): Set<string> {
  const found = new Set(annotations.filter((keyword) => keyword in older || keyword in newer))
  for (const source of [older, newer]) for (const key of Object.keys(source)) if (key.startsWith('x-')) found.add(key)
  return found
}

/** Keywords that judge nothing by themselves. */
const silentKeywords = new Set([...annotations, '$defs', 'definitions', '$anchor', '$dynamicAnchor', '$vocabulary'])

export function speakingKeywords(node: SchemaNode): string[] {
  if (!isJsonObject(node.source)) return []
  return Object.keys(node.source).filter((key) => !silentKeywords.has(key) && !key.startsWith('x-'))
}

export function acceptsAll(node: SchemaNode): boolean {
  return node.always === true || (node.always === undefined && speakingKeywords(node).length === 0)
}

/** Whether it matters here which members the schemas on the same value evaluate. */
export function countsMembers(node: SchemaNode): boolean {
  return node.unevaluatedItems !== undefined || node.unevaluatedProperties !== undefined
}
