/** How small a value of a schema can be, so that recursion ends when values have to stay small. */
import { limits } from '../../../core/limits.ts'
import { type SchemaModel, type SchemaNode, typeBits } from '../model.ts'

const unbounded = 1_000_000_000
const containerMask = typeBits.array | typeBits.object

const known = new WeakMap<SchemaModel, ReadonlyMap<SchemaNode, number>>()

/** Roughly the number of values in the smallest value of each schema; `Infinity` or close to it for endless ones. */
export function leastSizes(model: SchemaModel): ReadonlyMap<SchemaNode, number> {
  const ready = known.get(model)
  if (ready !== undefined) return ready
  const sizes = new Map<SchemaNode, number>()
  for (const node of model.nodes) sizes.set(node, unbounded)
  for (let round = 0; round < limits.caseSizeRounds; round++) {
    let hasChanged = false
    for (const node of model.nodes) {
      const size = sizeOf(node, sizes)
      if (size >= (sizes.get(node) ?? unbounded)) continue
      sizes.set(node, size)
      hasChanged = true
    }
    if (!hasChanged) break
  }
  known.set(model, sizes)
  return sizes
}

function sizeOf(node: SchemaNode, sizes: ReadonlyMap<SchemaNode, number>): number {
  if (node.always !== undefined) return node.always ? 1 : unbounded
  const at = (part: SchemaNode | undefined) => (part === undefined ? 1 : (sizes.get(part) ?? 1))
  const least = (parts: readonly SchemaNode[]) => Math.min(unbounded, ...parts.map(at))
  let size = ownSize(node, at)
  if (node.ref !== undefined) size = Math.max(size, at(node.ref))
  if (node.dynamicRef !== undefined) size = Math.max(size, at(node.dynamicRef.target))
  for (const part of node.allOf ?? []) size = Math.max(size, at(part))
  if (node.anyOf !== undefined) size = Math.max(size, least(node.anyOf))
  if (node.oneOf !== undefined) size = Math.max(size, least(node.oneOf))
  return Math.min(size, unbounded)
}

function ownSize(node: SchemaNode, at: (part: SchemaNode | undefined) => number): number {
  if (node.types === undefined || (node.typeMask & ~containerMask) !== 0) {
    // Without a type, required members still imply an object.
    if (node.types !== undefined || node.required === undefined) return 1
  }
  if (node.typeMask === typeBits.array) {
    let size = 1
    const count = Math.min(node.minItems ?? 0, 1_000)
    for (let index = 0; index < count; index++) size += at(node.prefixItems?.[index] ?? node.items)
    return size + (node.contains !== undefined ? at(node.contains) : 0)
  }
  let size = 1
  for (const name of node.required ?? []) size += at(node.properties?.get(name) ?? node.additionalProperties)
  return size
}
