/** The keywords of arrays. */
import type { JsonValue } from '../../../core/json.ts'
import { count, describeValue, type Faults } from '../explain.ts'
import type { SchemaNode } from '../model.ts'
import type { Seen, Walk } from './walk.ts'

export function checkArray(
  walk: Walk,
  node: SchemaNode,
  value: readonly JsonValue[],
  faults: Faults | undefined,
  seen: Seen | undefined,
): boolean {
  let isValid = true
  if (node.minItems !== undefined && value.length < node.minItems) {
    isValid = walk.wrong(
      faults,
      node,
      'minItems',
      `must have at least ${count(node.minItems, 'item')}, has ${value.length}`,
    )
  }
  if (node.maxItems !== undefined && value.length > node.maxItems) {
    isValid = walk.wrong(
      faults,
      node,
      'maxItems',
      `must have at most ${count(node.maxItems, 'item')}, has ${value.length}`,
    )
  }
  if (!isValid && faults === undefined) return false
  const listed = Math.min(node.prefixItems?.length ?? 0, value.length)
  for (let index = 0; index < listed; index++) {
    if (walk.checkMember(node.prefixItems![index]!, value[index]!, index, faults)) continue
    if (faults === undefined) return false
    isValid = false
  }
  if (seen !== undefined) seen.firstItems = Math.max(seen.firstItems, listed)
  if (node.items !== undefined) {
    if (seen !== undefined) seen.allItems = true
    if (!checkRest(walk, node, node.items, value, listed, faults)) isValid = false
  }
  if (!isValid && faults === undefined) return false
  if (node.contains !== undefined && !checkContains(walk, node, node.contains, value, faults, seen)) isValid = false
  if (node.uniqueItems && !checkUnique(walk, node, value, faults)) isValid = false
  return isValid
}

function checkRest(
  walk: Walk,
  node: SchemaNode,
  schema: SchemaNode,
  value: readonly JsonValue[],
  from: number,
  faults: Faults | undefined,
): boolean {
  if (schema.always === false && from < value.length) {
    const allowed = from === 0 ? 'must have no items' : `must have at most ${count(from, 'item')}`
    return walk.wrong(faults, node, 'items', `${allowed}, has ${value.length}`)
  }
  let isValid = true
  for (let index = from; index < value.length; index++) {
    if (walk.checkMember(schema, value[index]!, index, faults)) continue
    isValid = false
    if (faults === undefined || faults.isFull) break
  }
  return isValid
}

function checkContains(
  walk: Walk,
  node: SchemaNode,
  schema: SchemaNode,
  value: readonly JsonValue[],
  faults: Faults | undefined,
  seen: Seen | undefined,
): boolean {
  let found = 0
  for (let index = 0; index < value.length; index++) {
    if (!walk.check(schema, value[index]!, undefined, undefined)) continue
    found++
    seen?.items.add(index)
  }
  const least = node.minContains ?? 1
  const keyword = found < least ? (node.minContains === undefined ? 'contains' : 'minContains') : 'maxContains'
  if (found >= least && (node.maxContains === undefined || found <= node.maxContains)) return true
  const bound = found < least ? `at least ${count(least, 'item')}` : `at most ${count(node.maxContains!, 'item')}`
  return walk.wrong(faults, node, keyword, `must contain ${bound} of the required kind, contains ${found}`)
}

function checkUnique(walk: Walk, node: SchemaNode, value: readonly JsonValue[], faults: Faults | undefined): boolean {
  const places = new Map<string, number>()
  for (let index = 0; index < value.length; index++) {
    const identity = walk.identity(value[index]!)
    const earlier = places.get(identity)
    if (earlier !== undefined) {
      const message = `must not repeat an item: ${earlier} and ${index} are both ${describeValue(value[index]!)}`
      return walk.wrong(faults, node, 'uniqueItems', message)
    }
    places.set(identity, index)
  }
  return true
}
