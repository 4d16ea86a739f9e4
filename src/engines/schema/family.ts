/** Which schemas apply to one value together, for findings that depend on all of them. */
import { limits } from '../../core/limits.ts'
import { certainConjunctsOf, inPlaceOf, type SchemaModel, type SchemaNode } from './model.ts'

/** The schemas that apply others to the same value, by the schema that is applied. */
export function ownersInPlace(model: SchemaModel): ReadonlyMap<SchemaNode, readonly SchemaNode[]> {
  const owners = new Map<SchemaNode, SchemaNode[]>()
  for (const node of model.nodes) {
    for (const part of inPlaceOf(node)) {
      const list = owners.get(part)
      if (list === undefined) owners.set(part, [node])
      else list.push(node)
    }
  }
  return owners
}

/** Every schema that may apply to the same value as this one: those that apply it, and all that these apply. */
export function familyOf(node: SchemaNode, owners: ReadonlyMap<SchemaNode, readonly SchemaNode[]>): Set<SchemaNode> {
  const above = new Set([node])
  for (const member of above) {
    if (above.size > limits.schemaFamily) break
    for (const owner of owners.get(member) ?? []) above.add(owner)
  }
  const family = new Set(above)
  for (const member of family) {
    if (family.size > limits.schemaFamily) break
    for (const part of inPlaceOf(member)) family.add(part)
  }
  return family
}

/** Every schema that may apply to a value to which these apply. */
export function appliedInPlace(nodes: Iterable<SchemaNode>): Set<SchemaNode> {
  const found = new Set(nodes)
  for (const node of found) {
    if (found.size > limits.schemaFamily) break
    for (const part of inPlaceOf(node)) if (part !== node.not && part !== node.condition) found.add(part)
  }
  return found
}

/** The types that remain after all schemas that certainly apply, as bits of `typeBits`. */
export function maskOf(node: SchemaNode): number {
  let mask = 127
  for (const part of certainConjunctsOf(node)) {
    if (part.always === false) return 0
    if (part.types !== undefined) mask &= part.typeMask
  }
  return mask
}
