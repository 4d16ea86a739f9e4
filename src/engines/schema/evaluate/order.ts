/**
 * The order in which members are checked: first those whose schemas lead to no alternatives, then the others in the schema's order. A
 * wrong alternative then fails before its nested alternatives are tried. Otherwise a recursive schema would try them all once for
 * each path to them.
 */
import type { SchemaNode } from '../model.ts'

const ranks = new WeakMap<SchemaNode, ReadonlyMap<string, number>>()

/** The places of those that lead to alternatives among those that are declared. */
function ranksOf(node: SchemaNode): ReadonlyMap<string, number> {
  let known = ranks.get(node)
  if (known === undefined) {
    const leading = [...(node.properties ?? [])].filter(([, schema]) => schema.leadsToAlternatives)
    known = new Map(leading.map(([key], rank) => [key, rank]))
    ranks.set(node, known)
  }
  return known
}

/** @param keys those that an object has */
export function cheapestFirst(node: SchemaNode, keys: readonly string[]): readonly string[] {
  const places = ranksOf(node)
  if (places.size === 0 || keys.length < 2) return keys
  const placeOf = (key: string) => places.get(key) ?? -1
  return [...keys].sort((one, other) => placeOf(one) - placeOf(other))
}
