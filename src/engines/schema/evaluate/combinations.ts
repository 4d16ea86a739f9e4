/** The keywords that apply further schemas to the same value. */
import { isJsonObject, type JsonValue } from '../../../core/json.ts'
import { describeValue, excerpt, explainAlternatives, type Fault, Faults, optionsOf, orList } from '../explain.ts'
import { dynamicTarget, type SchemaNode } from '../model.ts'
import { Seen, type Walk } from './walk.ts'

export function checkCombinations(
  walk: Walk,
  node: SchemaNode,
  value: JsonValue,
  faults: Faults | undefined,
  seen: Seen | undefined,
): boolean {
  let isValid = true
  if (node.ref !== undefined && !walk.check(node.ref, value, faults, seen)) isValid = false
  if (node.dynamicRef !== undefined && !walk.check(dynamicTarget(node.dynamicRef, walk.scope), value, faults, seen)) {
    isValid = false
  }
  if (!isValid && faults === undefined) return false
  if (node.allOf !== undefined && !checkAllOf(walk, node.allOf, value, faults, seen)) isValid = false
  if (!isValid && faults === undefined) return false
  if (!checkAlternatives(walk, node, value, faults, seen)) isValid = false
  if (!isValid && faults === undefined) return false
  if (node.not !== undefined && walk.check(node.not, value, undefined, undefined)) {
    const forbidden = node.not
    isValid = walk.wrong(faults, node, 'not', () => `must not ${describeSchema(forbidden)}`)
  }
  if (node.condition !== undefined && !checkConditional(walk, node, value, faults, seen)) isValid = false
  if (node.dependentSchemas !== undefined && isJsonObject(value)) {
    for (const [key, schema] of node.dependentSchemas) {
      if (Object.hasOwn(value, key) && !walk.check(schema, value, faults, seen)) isValid = false
    }
  }
  return isValid
}

function checkAllOf(
  walk: Walk,
  parts: readonly SchemaNode[],
  value: JsonValue,
  faults: Faults | undefined,
  seen: Seen | undefined,
): boolean {
  let isValid = true
  for (const part of parts) {
    if (walk.check(part, value, faults, seen)) continue
    if (faults === undefined) return false
    isValid = false
  }
  return isValid
}

/** Alternatives repeat the faults of alternatives nested in them, so faults are found once per place and cached. */
function checkAlternatives(
  walk: Walk,
  node: SchemaNode,
  value: JsonValue,
  faults: Faults | undefined,
  seen: Seen | undefined,
): boolean {
  if (node.anyOf === undefined && node.oneOf === undefined) return true
  const ask = (own: Faults | undefined) => {
    const isAny = node.anyOf === undefined || checkAnyOf(walk, node, value, own, seen)
    if (!isAny && own === undefined) return false
    return (node.oneOf === undefined || checkOneOf(walk, node, value, own, seen)) && isAny
  }
  // Not cached: what was seen belongs to the caller; a property's name is judged at its object's place; and the target
  // of a $dynamicRef may depend on the resources on the way.
  const isBelow = typeof value === 'object' && value !== null
  if (faults === undefined || seen !== undefined || !isBelow || walk.scope.length > 1) return ask(faults)
  const told = walk.toldOnce(node, () => {
    const own = new Faults(faults.max)
    return { isValid: ask(own), faults: own.list }
  })
  walk.spend(told.faults.length >> 3)
  for (const fault of told.faults) faults.add(fault)
  return told.isValid
}

function checkAnyOf(
  walk: Walk,
  node: SchemaNode,
  value: JsonValue,
  faults: Faults | undefined,
  seen: Seen | undefined,
): boolean {
  const told: (readonly Fault[])[] = []
  let isValid = false
  for (const branch of node.anyOf ?? []) {
    const own = faults === undefined ? undefined : new Faults(faults.max)
    const branchSeen = seen === undefined ? undefined : new Seen()
    if (walk.check(branch, value, own, branchSeen)) {
      isValid = true
      if (branchSeen === undefined) return true
      // Every branch that holds counts for unevaluated members, so the other branches are evaluated too.
      seen?.add(branchSeen)
    } else if (own !== undefined) told.push(own.list)
  }
  if (!isValid && faults !== undefined) addAlternatives(walk, node, faults, told)
  return isValid
}

function checkOneOf(
  walk: Walk,
  node: SchemaNode,
  value: JsonValue,
  faults: Faults | undefined,
  seen: Seen | undefined,
): boolean {
  const branches = node.oneOf ?? []
  if (faults === undefined && seen === undefined) return holdsOnce(walk, branches, value)
  const told: (readonly Fault[])[] = []
  const matching: { branch: SchemaNode; index: number }[] = []
  for (const [index, branch] of branches.entries()) {
    const own = faults === undefined ? undefined : new Faults(faults.max)
    const branchSeen = seen === undefined ? undefined : new Seen()
    if (walk.check(branch, value, own, branchSeen)) {
      matching.push({ branch, index })
      if (branchSeen !== undefined) seen?.add(branchSeen)
      if (matching.length > 1 && faults === undefined) return false
    } else if (own !== undefined) told.push(own.list)
  }
  if (matching.length === 1) return true
  if (faults === undefined) return false
  if (matching.length === 0) addAlternatives(walk, node, faults, told)
  else {
    const names = () => matching.map(({ branch, index }) => branchName(branch, index)).join(' and ')
    walk.wrong(faults, node, 'oneOf', () => `must match exactly one alternative, matches ${names()}`)
  }
  return false
}

function holdsOnce(walk: Walk, branches: readonly SchemaNode[], value: JsonValue): boolean {
  let matching = 0
  for (const branch of branches) {
    if (walk.check(branch, value, undefined, undefined) && ++matching > 1) return false
  }
  return matching === 1
}

function addAlternatives(walk: Walk, node: SchemaNode, faults: Faults, told: readonly (readonly Fault[])[]): void {
  const causes = explainAlternatives(told, walk.path.length, walk)
  for (const fault of causes) faults.add(fault)
  if (causes.length === 0) walk.wrong(faults, node, 'anyOf', () => 'must match one of the alternatives')
}

function checkConditional(
  walk: Walk,
  node: SchemaNode,
  value: JsonValue,
  faults: Faults | undefined,
  seen: Seen | undefined,
): boolean {
  if (node.condition === undefined) return true
  const conditionSeen = seen === undefined ? undefined : new Seen()
  const holds = walk.check(node.condition, value, undefined, conditionSeen)
  if (holds && conditionSeen !== undefined) seen?.add(conditionSeen)
  const branch = holds ? node.whenTrue : node.whenFalse
  return branch === undefined || walk.check(branch, value, faults, seen)
}

/** Words for what a schema under `not` forbids, in the simple cases that people write; otherwise the schema's place. */
function describeSchema(node: SchemaNode): string {
  if (node.constant !== undefined) return `be ${describeValue(node.constant.value)}`
  if (node.choices !== undefined) return `be ${orList(optionsOf(node, 'enum'))}`
  if (node.required !== undefined)
    return `have the properties ${node.required.map(describeValue).join(' and ')} together`
  if (node.pattern !== undefined) return `match the pattern ${excerpt(node.pattern.source)}`
  if (node.types !== undefined) return `be ${orList(optionsOf(node, 'type'))}`
  return `match the schema at #${node.pointer}`
}

function branchName(node: SchemaNode, index: number): string {
  const title = typeof node.source === 'object' ? node.source.title : undefined
  return typeof title === 'string' ? describeValue(title) : `number ${index + 1}`
}
