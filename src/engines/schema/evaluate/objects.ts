/** The keywords of objects. */
import type { JsonObject, JsonValue } from '../../../core/json.ts'
import { count, Faults } from '../explain.ts'
import type { SchemaNode } from '../model.ts'
import { cheapestFirst } from './order.ts'
import type { Seen, Walk } from './walk.ts'

export function checkObject(
  walk: Walk,
  node: SchemaNode,
  value: JsonObject,
  faults: Faults | undefined,
  seen: Seen | undefined,
): boolean {
  const keys = Object.keys(value)
  walk.spend((keys.length >> 1) + node.objectRuleCost)
  let isValid = true
  for (const key of node.required ?? []) {
    if (Object.hasOwn(value, key)) continue
    if (faults === undefined) return false
    isValid = walk.missing(faults, node, 'required', key)
    if (faults.isFull) break
  }
  if (node.minProperties !== undefined && keys.length < node.minProperties) {
    const least = node.minProperties
    const message = () => `must have at least ${count(least, 'property', 'properties')}, has ${keys.length}`
    isValid = walk.wrong(faults, node, 'minProperties', message)
  }
  if (node.maxProperties !== undefined && keys.length > node.maxProperties) {
    const most = node.maxProperties
    const message = () => `must have at most ${count(most, 'property', 'properties')}, has ${keys.length}`
    isValid = walk.wrong(faults, node, 'maxProperties', message)
  }
  if (!isValid && faults === undefined) return false
  if (!checkDependentRequired(walk, node, value, faults)) isValid = false
  if (!isValid && faults === undefined) return false
  const notes = { faults, seen }
  for (const key of faults === undefined ? cheapestFirst(node, keys) : keys) {
    const member = value[key]
    if (member === undefined || checkProperty(walk, node, key, member, notes)) continue
    if (faults === undefined) return false
    isValid = false
    if (faults.isFull) break
  }
  return isValid
}

function checkDependentRequired(walk: Walk, node: SchemaNode, value: JsonObject, faults: Faults | undefined): boolean {
  if (node.dependentRequired === undefined) return true
  let isValid = true
  for (const [key, names] of node.dependentRequired) {
    if (!Object.hasOwn(value, key)) continue
    for (const name of names) {
      if (Object.hasOwn(value, name)) continue
      if (faults === undefined) return false
      isValid = walk.missing(faults, node, 'dependentRequired', name, key)
      if (faults.isFull) return false
    }
  }
  return isValid
}

function checkProperty(
  walk: Walk,
  node: SchemaNode,
  key: string,
  value: JsonValue,
  { faults, seen }: { faults: Faults | undefined; seen: Seen | undefined },
): boolean {
  let isValid = true
  let isDeclared = false
  const declared = node.properties?.get(key)
  if (declared !== undefined) {
    isDeclared = true
    if (!walk.checkMember(declared, value, key, faults)) isValid = false
  }
  if (node.patternProperties !== undefined) {
    for (const { pattern, schema } of node.patternProperties) {
      if (!walk.matches(pattern, key)) continue
      isDeclared = true
      if (!walk.checkMember(schema, value, key, faults)) isValid = false
    }
  }
  if (!isDeclared && node.additionalProperties !== undefined) {
    isDeclared = true
    if (node.additionalProperties.always === false) {
      isValid = walk.unknownProperty(faults, node, 'additionalProperties', key)
    } else if (!walk.checkMember(node.additionalProperties, value, key, faults)) isValid = false
  }
  if (isDeclared) seen?.properties.add(key)
  if (node.propertyNames !== undefined && !walk.check(node.propertyNames, key, undefined, undefined)) {
    if (faults === undefined) return false
    isValid = wrongName(walk, faults, node, node.propertyNames, key)
  }
  return isValid
}

function wrongName(walk: Walk, faults: Faults, node: SchemaNode, names: SchemaNode, key: string): false {
  const own = new Faults(1)
  walk.check(names, key, own, undefined)
  const reason = own.list[0]?.message() ?? 'is not allowed'
  walk.path.push(key)
  walk.wrong(faults, node, 'propertyNames', () => `the property's name ${reason}`)
  walk.path.pop()
  return false
}
