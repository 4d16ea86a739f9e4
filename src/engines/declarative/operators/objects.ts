/** Objects as wholes, and quoting. */
import { limits } from '../../../core/limits.ts'
import type { SourceNode } from '../../../core/source/tree.ts'
import { type Built, sumCosts, typeOfLiteral } from '../built.ts'
import { operator, take } from '../call.ts'
import { burn, Fault, type Frame } from '../frame.ts'
import { enterItem, openLoop } from '../loops.ts'
import { asItemsOf } from '../nesting.ts'
import { addSizes } from '../size.ts'
import {
  arrayOf,
  type Field,
  joinTypes,
  maybeMissing,
  memberType,
  type ObjectShape,
  objectOf,
  once,
  remembered,
  stepInto,
  type Type,
  typeOf,
  types,
  withinOf,
} from '../types.ts'
import { compareText, isObjectValue, type ObjectValue, setValue, type Value } from '../value.ts'

export const objectOperators = [
  operator({
    name: '$merge',
    group: 'objects',
    doc: 'One object with the members of several; a later one wins.',
    args: { subject: take.values('object', 1, 'the objects') },
    build(call) {
      const parts = call.values('subject')
      const shapes = parts.map((part) => shapeOf(part.type))
      const known = shapes.every((shape) => shape !== undefined)
      const type: Type = known
        ? typeOf({ kind: 'object', shape: mergeShapes(shapes as ObjectShape[]) })
        : typeOf({ kind: 'unknown', within: parts.map((part) => withinOf(part.type)).reduce(addSizes, 0) })
      return call.result(type, sumCosts(parts), (frame) => {
        burn(frame, call.node)
        const result: ObjectValue = {}
        for (const part of parts) {
          const object = part.run(frame)
          for (const key of Object.keys(object)) {
            frame.lineage?.copyMember(object, key, result, key)
            setValue(result, key, object[key])
          }
        }
        return result
      })
    },
  }),

  operator({
    name: '$entries',
    group: 'objects',
    doc: 'An array of {key, value}, one for each member, ordered by key.',
    args: { subject: take.value('object', 'the object') },
    build(call) {
      const object = call.value('subject')
      const shape = shapeOf(object.type)
      const closed = shape !== undefined && shape.rest() === undefined
      const max = closed ? shape.names.length : limits.transformAssumedItems
      const fields = new Map<string, Field>([
        ['key', { type: types.string }],
        ['value', { type: asItemsOf(shape === undefined ? memberOf(object.type) : memberType(shape), max) }],
      ])
      return call.result(arrayOf(objectOf(fields), max), addSizes(sumCosts([object]), max), (frame) => {
        burn(frame, call.node)
        const source = object.run(frame)
        const keys = Object.keys(source).sort(compareText)
        burn(frame, call.node, keys.length)
        return keys.map((key) => {
          const entry: ObjectValue = { key, value: source[key] }
          frame.lineage?.copyMember(source, key, entry, 'value')
          return entry
        })
      })
    },
  }),

  operator({
    name: '$fromEntries',
    group: 'objects',
    doc: 'An object of an array of {key, value}; a later entry wins.',
    args: { subject: take.value('array', 'the entries') },
    build(call) {
      const source = call.value('subject')
      const node = call.nodeOf('subject')
      const loop = openLoop(call.context, source, undefined, node)
      const item = call.check(loop.item, 'object')
      const key = stepInto(item.type, 'key')
      const value = stepInto(item.type, 'value')
      if (!key.ok || !value.ok) {
        call.error('type', node, '$fromEntries wants objects with "key" and "value".', 'Make them with $each.')
        return call.broken()
      }
      const read = (frame: Frame) => (frame.slots[loop.variable.slot] as ObjectValue).key
      const { origin } = loop.item
      const place = origin === undefined ? {} : { origin: [...origin, 'key'] }
      const keyText = call.check({ node, type: key.type, cost: 0, run: read, ...place }, 'text')
      const shape: ObjectShape = { names: [], field: () => undefined, rest: once(() => value.type) }
      return call.result(typeOf({ kind: 'object', shape }), addSizes(sumCosts([source]), loop.max), (frame) => {
        burn(frame, call.node)
        const array = source.run(frame)
        burn(frame, call.node, array.length)
        const result: ObjectValue = {}
        for (let index = 0; index < array.length; index++) {
          enterItem(loop, frame, array, index)
          const entry = item.run(frame)
          const name = keyText.run(frame)
          if (!Object.hasOwn(entry, 'value')) throw new Fault('missing', node, `The entry "${name}" has no value.`)
          frame.lineage?.copyMember(entry, 'value', result, name)
          setValue(result, name, entry.value)
        }
        return result
      })
    },
  }),

  operator({
    name: '$const',
    group: 'objects',
    doc: 'The value under it, unchanged: nothing in it is read as an expression.',
    args: { subject: take.node('any value', {}) },
    build(call): Built {
      const node = call.nodeOf('subject')
      const value = quote(node)
      return { node: call.node, type: typeOfQuoted(node), cost: 0, run: () => value, ...literalOf(value) }
    },
  }),
]

function literalOf(value: Value): { literal?: Value } {
  return isObjectValue(value) || Array.isArray(value) ? {} : { literal: value }
}

function quote(node: SourceNode): Value {
  if (node.kind === 'scalar') return node.value
  if (node.kind === 'list') return node.items.map(quote)
  const object: ObjectValue = {}
  for (const entry of node.entries) setValue(object, entry.key, quote(entry.value))
  return object
}

function typeOfQuoted(node: SourceNode): Type {
  if (node.kind === 'scalar') return typeOfLiteral(node.value)
  if (node.kind === 'map') {
    return objectOf(
      new Map(node.entries.map((entry) => [entry.key, { type: typeOfQuoted(entry.value), at: entry.value }])),
    )
  }
  const items = node.items.map(typeOfQuoted)
  const item = items.length === 0 ? types.unknown : items.reduce((joined, type) => joinTypes(joined, type))
  return arrayOf(item, items.length, items.length)
}

function shapeOf(type: Type): ObjectShape | undefined {
  const only = type.alternatives[0]
  return type.alternatives.length === 1 && only?.kind === 'object' ? only.shape : undefined
}

function mergeShapes(shapes: readonly ObjectShape[]): ObjectShape {
  const rests = once(() => shapes.map((shape) => shape.rest()).filter((rest) => rest !== undefined))
  return {
    names: [...new Set(shapes.flatMap((shape) => shape.names))],
    field: remembered((name) => {
      let result: Field | undefined
      for (const shape of shapes) {
        const rest = shape.rest()
        const field = shape.field(name) ?? (rest === undefined ? undefined : { type: maybeMissing(rest) })
        if (field === undefined) continue
        if (result === undefined || !field.type.missing) result = field
        else
          result = {
            ...result,
            type: { ...joinTypes(result.type, field.type), missing: result.type.missing, omit: result.type.omit },
          }
      }
      return result
    }),
    rest: () => (rests().length === 0 ? undefined : rests().reduce((joined, type) => joinTypes(joined, type))),
  }
}

/** A member of something that may be anything, which has all of its arrays at most. */
function memberOf(type: Type): Type {
  return typeOf({ kind: 'unknown', within: withinOf(type) })
}
