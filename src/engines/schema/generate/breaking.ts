/** The ways in which a value can fail to satisfy a schema, which is what `not` asks for. */

import { dynamicTarget, type SchemaNode, typeBits } from '../model.ts'
import { anyType, type Conjunct, type Demand, memberConjunct, scopeInside } from './demand.ts'

/** Pushes narrower demands, each making the value break one keyword of the schema; the easiest first. */
export function waysToBreak(
  conjunct: Conjunct,
  demand: Demand,
  isDynamic: boolean,
  push: (conjunct: Conjunct) => void,
): (() => void)[] {
  const { node } = conjunct
  const ways: (() => void)[] = []
  const kept = (node: SchemaNode): Conjunct => ({
    node,
    positive: true,
    scope: scopeInside(conjunct, isDynamic),
    via: undefined,
  })
  const broken = (node: SchemaNode): Conjunct => ({ ...kept(node), positive: false })
  const breakMember = (schema: SchemaNode) => ({ ...memberConjunct(schema, conjunct, isDynamic), positive: false })
  const narrow = (mask: number, keyword: string, change: () => void) => {
    if ((demand.mask & mask) === 0) return
    ways.push(() => {
      demand.require(mask, keyword)
      change()
    })
  }
  const nothing = () => {}
  if (node.constant !== undefined) {
    const { identity } = node.constant
    ways.push(() => demand.excluded.add(identity))
  }
  if (node.choices !== undefined) {
    const { identities } = node.choices
    ways.push(() => {
      for (const identity of identities) demand.excluded.add(identity)
    })
  }
  for (const name of node.required ?? []) {
    if (demand.required.has(name)) continue
    narrow(typeBits.object, 'required', () => demand.forbidden.add(name))
  }
  for (const [name, schema] of node.properties ?? []) {
    if (demand.forbidden.has(name) || schema.always === true) continue
    narrow(typeBits.object, 'properties', () => {
      demand.required.add(name)
      add(demand.memberBreaks, name, breakMember(schema))
    })
  }
  if (node.types !== undefined) narrow(anyType & ~node.typeMask, 'type', nothing)
  if (node.minimum !== undefined) {
    const bound = node.minimum
    narrow(typeBits.number, 'minimum', () => {
      demand.exclusiveMaximum = Math.min(demand.exclusiveMaximum, bound)
    })
  }
  if (node.maximum !== undefined) {
    const bound = node.maximum
    narrow(typeBits.number, 'maximum', () => {
      demand.exclusiveMinimum = Math.max(demand.exclusiveMinimum, bound)
    })
  }
  if (node.exclusiveMinimum !== undefined) {
    const bound = node.exclusiveMinimum
    narrow(typeBits.number, 'exclusiveMinimum', () => {
      demand.maximum = Math.min(demand.maximum, bound)
    })
  }
  if (node.exclusiveMaximum !== undefined) {
    const bound = node.exclusiveMaximum
    narrow(typeBits.number, 'exclusiveMaximum', () => {
      demand.minimum = Math.max(demand.minimum, bound)
    })
  }
  if (node.multipleOf !== undefined) narrow(typeBits.number, 'multipleOf', nothing)
  if (node.minLength !== undefined && node.minLength > 0) {
    const bound = Math.ceil(node.minLength) - 1
    narrow(typeBits.string, 'minLength', () => {
      demand.maxLength = Math.min(demand.maxLength, bound)
    })
  }
  if (node.maxLength !== undefined) {
    const bound = Math.floor(node.maxLength) + 1
    narrow(typeBits.string, 'maxLength', () => {
      demand.minLength = Math.max(demand.minLength, bound)
    })
  }
  if (node.pattern !== undefined || node.format !== undefined) narrow(typeBits.string, 'pattern', nothing)
  if (node.minItems !== undefined && node.minItems > 0) {
    const bound = Math.ceil(node.minItems) - 1
    narrow(typeBits.array, 'minItems', () => {
      demand.maxItems = Math.min(demand.maxItems, bound)
    })
  }
  if (node.maxItems !== undefined) {
    const bound = Math.floor(node.maxItems) + 1
    narrow(typeBits.array, 'maxItems', () => {
      demand.minItems = Math.max(demand.minItems, bound)
    })
  }
  node.prefixItems?.forEach((schema, index) => {
    if (schema.always === true) return
    narrow(typeBits.array, 'prefixItems', () => {
      demand.minItems = Math.max(demand.minItems, index + 1)
      add(demand.itemBreaks, index, breakMember(schema))
    })
  })
  if (node.items !== undefined && node.items.always !== true) {
    const schema = node.items
    const index = node.prefixItems?.length ?? 0
    narrow(typeBits.array, 'items', () => {
      demand.minItems = Math.max(demand.minItems, index + 1)
      add(demand.itemBreaks, index, breakMember(schema))
    })
  }
  if (node.contains !== undefined && node.minContains !== 0) {
    const schema = node.contains
    narrow(typeBits.array, 'contains', () => demand.itemsNever.push(breakMember(schema)))
  }
  if (node.minProperties !== undefined && node.minProperties > 0) {
    const bound = Math.ceil(node.minProperties) - 1
    narrow(typeBits.object, 'minProperties', () => {
      demand.maxProperties = Math.min(demand.maxProperties, bound)
    })
  }
  if (node.maxProperties !== undefined) {
    const bound = Math.floor(node.maxProperties) + 1
    narrow(typeBits.object, 'maxProperties', () => {
      demand.minProperties = Math.max(demand.minProperties, bound)
    })
  }
  for (const [name, names] of node.dependentRequired ?? []) {
    for (const other of names) {
      narrow(typeBits.object, 'dependentRequired', () => {
        demand.required.add(name)
        demand.forbidden.add(other)
      })
    }
  }
  for (const [name, schema] of node.dependentSchemas ?? []) {
    narrow(typeBits.object, 'dependentSchemas', () => {
      demand.required.add(name)
      push(broken(schema))
    })
  }
  for (const { pattern, schema } of node.patternProperties ?? []) {
    if (schema.always === true) continue
    narrow(typeBits.object, 'patternProperties', () =>
      demand.patternBreaks.push({ pattern, breaks: breakMember(schema) }),
    )
  }
  for (const schema of [node.additionalProperties, node.unevaluatedProperties]) {
    if (schema === undefined || schema.always === true) continue
    narrow(typeBits.object, 'additionalProperties', () => demand.strangerBreaks.push(breakMember(schema)))
  }
  if (node.ref !== undefined) {
    const schema = node.ref
    ways.push(() => push(broken(schema)))
  }
  if (node.dynamicRef !== undefined) {
    const schema = dynamicTarget(node.dynamicRef, scopeInside(conjunct, isDynamic))
    ways.push(() => push(broken(schema)))
  }
  for (const schema of node.allOf ?? []) ways.push(() => push(broken(schema)))
  for (const branches of [node.anyOf, node.oneOf]) {
    if (branches === undefined) continue
    ways.push(() => {
      for (const schema of branches) push(broken(schema))
    })
  }
  if (node.oneOf !== undefined && node.oneOf.length > 1) {
    const [first, second] = node.oneOf
    ways.push(() => {
      for (const branch of [first, second]) if (branch !== undefined) push(kept(branch))
    })
  }
  if (node.not !== undefined) {
    const schema = node.not
    ways.push(() => push(kept(schema)))
  }
  if (node.condition !== undefined) {
    const { condition, whenTrue, whenFalse } = node
    if (whenTrue !== undefined) {
      ways.push(() => {
        push(kept(condition))
        push(broken(whenTrue))
      })
    }
    if (whenFalse !== undefined) {
      ways.push(() => {
        push(broken(condition))
        push(broken(whenFalse))
      })
    }
  }
  if (node.uniqueItems || node.propertyNames !== undefined || node.unevaluatedItems !== undefined) {
    // These are found by chance; the check refuses values that don't break them.
    narrow(node.propertyNames !== undefined ? typeBits.object : typeBits.array, 'not', nothing)
  }
  return ways
}

function add<Key>(map: Map<Key, Conjunct[]>, key: Key, conjunct: Conjunct): void {
  const list = map.get(key)
  if (list === undefined) map.set(key, [conjunct])
  else list.push(conjunct)
}
