import { appliedBy, type SchemaNode } from './model.ts'

/** Marks the schemas that lead to alternatives, however far away. */
export function markAlternatives(nodes: readonly SchemaNode[]): void {
  const users = new Map<SchemaNode, SchemaNode[]>()
  for (const node of nodes) {
    for (const applied of appliedBy(node)) {
      const known = users.get(applied)
      if (known === undefined) users.set(applied, [node])
      else known.push(node)
    }
  }
  const leading = nodes.filter(hasAlternatives)
  for (const node of leading) {
    if (node.leadsToAlternatives) continue
    node.leadsToAlternatives = true
    for (const user of users.get(node) ?? []) leading.push(user)
  }
}

function hasAlternatives({
  anyOf,
  oneOf,
  not,
  condition,
  contains,
  dynamicRef,
  dependentSchemas,
}: SchemaNode): boolean {
  return [anyOf, oneOf, not, condition, contains, dynamicRef, dependentSchemas].some((rule) => rule !== undefined)
}
