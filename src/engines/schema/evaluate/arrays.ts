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
    const least = node.minItems
    const message = () => `must have at least ${count(least, 'item')}, has ${value.length}`
    isValid = walk.wrong(faults, node, 'minItems', message)
  }
  if (node.maxItems !== undefined && value.length > node.maxItems) {
    const most = node.maxItems
    const message = () => `must have at most ${count(most, 'item')}, has ${value.length}`
    isValid = walk.wrong(faults, node, 'maxItems', message)
  }
  if (!isValid && faults === undefined) return false
  if (!checkListed(walk, node.prefixItems ?? [], value, faults)) isValid = false
  if (!isValid && faults === undefined) return false
  const listed = Math.min(node.prefixItems?.length ?? 0, value.length)
  if (seen !== undefined) {
    seen.firstItems = Math.max(seen.firstItems, listed)
    if (node.items !== undefined) seen.allItems = true
  }
  if (!checkRest(walk, node, value, listed, faults)) isValid = false
  if (!isValid && faults === undefined) return false
  if (!checkContains(walk, node, value, faults, seen)) isValid = false
  if (node.uniqueItems && !checkUnique(walk, node, value, faults)) isValid = false
  return isValid
}

function checkListed(
  walk: Walk,
  schemas: readonly SchemaNode[],
  value: readonly JsonValue[],
  faults: Faults | undefined,
): boolean {
  let isValid = true
  let index = 0
  for (const schema of schemas) {
    const item = value[index]
    if (item === undefined) break
    if (!walk.checkMember(schema, item, index, faults)) {
      if (faults === undefined) return false
      isValid = false
    }
    index++
  }
  return isValid
}

/** `items`: every item from an index on. */
function checkRest(
  walk: Walk,
  node: SchemaNode,
  value: readonly JsonValue[],
  from: number,
  faults: Faults | undefined,
): boolean {
  const schema = node.items
  if (schema === undefined) return true
  if (schema.always === false && from < value.length) {
    const allowed = from === 0 ? 'must have no items' : `must have at most ${count(from, 'item')}`
    return walk.wrong(faults, node, 'items', () => `${allowed}, has ${value.length}`)
  }
  let isValid = true
  for (let index = from; index < value.length; index++) {
    const item = value[index]
    if (item === undefined || walk.checkMember(schema, item, index, faults)) continue
    isValid = false
    if (faults === undefined || faults.isFull) break
  }
  return isValid
}

function checkContains(
  walk: Walk,
  node: SchemaNode,
  value: readonly JsonValue[],
  faults: Faults | undefined,
  seen: Seen | undefined,
): boolean {
  const { contains, minContains, maxContains } = node
  if (contains === undefined) return true
  let found = 0
  let index = 0
  for (const item of value) {
    const at = index++
    if (!walk.check(contains, item, undefined, undefined)) continue
    found++
    seen?.items.add(at)
  }
  const least = minContains ?? 1
  const most = maxContains ?? Number.POSITIVE_INFINITY
  if (found >= least && found <= most) return true
  const keyword = found >= least ? 'maxContains' : minContains === undefined ? 'contains' : 'minContains'
  const bound = found < least ? `at least ${count(least, 'item')}` : `at most ${count(most, 'item')}`
  return walk.wrong(faults, node, keyword, () => `must contain ${bound} of the required kind, contains ${found}`)
}

function checkUnique(walk: Walk, node: SchemaNode, value: readonly JsonValue[], faults: Faults | undefined): boolean {
  const places = new Map<string, number>()
  let index = 0
  for (const item of value) {
    const identity = walk.identity(item)
    const earlier = places.get(identity)
    if (earlier !== undefined) {
      const later = index
      const message = () => `must not repeat an item: ${earlier} and ${later} are both ${describeValue(item)}`
      return walk.wrong(faults, node, 'uniqueItems', message)
    }
    places.set(identity, index++)
  }
  return true
}
