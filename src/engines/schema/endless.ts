/** Schemas that apply themselves to the same value, directly or through others: meaningless, and evaluation would never end. */
import { inPlaceOf, type SchemaNode } from './model.ts'

/** The first schema found that closes such a circle, and the schema it applies again. Depth-first, without recursion. */
export function findEndlessReference(nodes: readonly SchemaNode[]): { from: SchemaNode; to: SchemaNode } | undefined {
  const done = new Set<SchemaNode>()
  for (const start of nodes) {
    if (done.has(start)) continue
    const open = new Set([start])
    const stack = [{ node: start, next: inPlaceOf(start) }]
    for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
      const step = top.next.next()
      if (step.done) {
        stack.pop()
        open.delete(top.node)
        done.add(top.node)
      } else if (open.has(step.value)) return { from: top.node, to: step.value }
      else if (!done.has(step.value)) {
        open.add(step.value)
        stack.push({ node: step.value, next: inPlaceOf(step.value) })
      }
    }
  }
  return undefined
}
