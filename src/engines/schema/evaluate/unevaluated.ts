/** `unevaluatedProperties` and `unevaluatedItems`: members that no other schema on the value has seen. */
import { isJsonObject, type JsonValue } from '../../../core/json.ts'
import type { Faults } from '../explain.ts'
import type { SchemaNode } from '../model.ts'
import type { Seen, Walk } from './walk.ts'

export function checkUnevaluated(
  walk: Walk,
  node: SchemaNode,
  value: JsonValue,
  faults: Faults | undefined,
  seen: Seen,
): boolean {
  let isValid = true
  if (Array.isArray(value) && node.unevaluatedItems !== undefined && !seen.allItems) {
    for (const [index, item] of value.entries()) {
      if (index < seen.firstItems || seen.items.has(index)) continue
      if (node.unevaluatedItems.always === false) {
        walk.path.push(index)
        isValid = walk.wrong(faults, node, 'unevaluatedItems', () => 'must not be present: no rule covers this item')
        walk.path.pop()
      } else if (!walk.checkMember(node.unevaluatedItems, item, index, faults)) isValid = false
      if (!isValid && (faults === undefined || faults.isFull)) return false
    }
    seen.allItems = true
  }
  if (isJsonObject(value) && node.unevaluatedProperties !== undefined && !seen.allProperties) {
    for (const [key, member] of Object.entries(value)) {
      if (seen.properties.has(key)) continue
      if (node.unevaluatedProperties.always === false) {
        isValid = walk.unknownProperty(faults, node, 'unevaluatedProperties', key)
      } else if (!walk.checkMember(node.unevaluatedProperties, member, key, faults)) isValid = false
      if (!isValid && (faults === undefined || faults.isFull)) return false
    }
    seen.allProperties = true
  }
  return isValid
}
