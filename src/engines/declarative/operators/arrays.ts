/** Loops over arrays that make arrays: `$each`, `$group` and the rearranging ones. */

import { type Built, type Checked, sumCosts } from '../built.ts'
import { type Call, operator, take } from '../call.ts'
import { checkItem } from '../check.ts'
import type { Scalar } from '../compare.ts'
import type { Variable } from '../context.ts'
import { burn, type Frame } from '../frame.ts'
import { enterItem, type Loop, openLoop } from '../loops.ts'
import { itemOrigin, type tracedValue } from '../members.ts'
import { flattened, Turns } from '../nesting.ts'
import { addSizes } from '../size.ts'
import { arrayOf, asItem, itemsOf, type Type, types } from '../types.ts'
import { scalarIdentity, type Value } from '../value.ts'
import { readSort, type Sort, sortForm, sortIndexes } from './sort.ts'

export const arrayOperators = [
  operator({
    name: '$each',
    group: 'arrays',
    doc: 'A value made of each item of an array, after leaving out and sorting.',
    args: {
      subject: take.value('array', 'the array'),
      as: take.name('the name of the item'),
      where: take.optionalInner('boolean', 'a test; items that fail it are left out'),
      sort: take.optionalNode('{by, descending}, or a sequence of them: values to sort by', sortForm),
      do: take.optionalInner('maybe', 'the value to make of each item; the item itself unless given'),
    },
    build: (call) => buildEach(call),
  }),

  operator({
    name: '$group',
    group: 'arrays',
    doc: 'A value made of each group of items that have the same key, in the order of first appearance.',
    args: {
      subject: take.value('array', 'the array'),
      as: take.name('the name of the item inside "by"'),
      by: take.inner('scalar', 'the key of an item'),
      do: take.inner('maybe', 'the value to make of a group, of $key and $items'),
    },
    build: (call) => buildGroup(call),
  }),

  operator({
    name: '$distinct',
    group: 'arrays',
    doc: 'The different scalars of an array, each where it first appears.',
    args: { subject: take.value('array', 'the array') },
    build(call) {
      const source = call.value('subject')
      const loop = openLoop(call.context, source, undefined, call.nodeOf('subject'))
      const item = call.check(loop.item, 'scalar')
      const type = arrayOf(item.type, loop.max, Math.min(1, loop.min))
      return call.result(type, addSizes(sumCosts([source]), loop.max), (frame) => {
        burn(frame, call.node)
        const array = source.run(frame)
        burn(frame, call.node, array.length)
        const seen = new Set<string>()
        const result: Value[] = []
        for (let index = 0; index < array.length; index++) {
          enterItem(loop, frame, array, index)
          const identity = scalarIdentity(item.run(frame))
          if (seen.has(identity)) continue
          seen.add(identity)
          itemOrigin(frame, array, index, result, result.length)
          result.push(array[index])
        }
        return result
      })
    },
  }),

  operator({
    name: '$flatten',
    group: 'arrays',
    doc: 'The items of the arrays in an array, one after the other.',
    args: { subject: take.value('array', 'an array of arrays') },
    build(call) {
      const source = call.value('subject')
      const loop = openLoop(call.context, source, undefined, call.nodeOf('subject'))
      const inner = call.check(loop.item, 'array')
      const { item, min, max } = flattened(itemsOf(source.type))
      const cost = addSizes(sumCosts([source]), addSizes(loop.max, max))
      return call.result(arrayOf(item, max, min), cost, (frame) => {
        burn(frame, call.node)
        const outer = source.run(frame)
        const result: Value[] = []
        for (let index = 0; index < outer.length; index++) {
          enterItem(loop, frame, outer, index)
          const array = inner.run(frame)
          burn(frame, call.node, array.length + 1)
          for (let at = 0; at < array.length; at++) {
            itemOrigin(frame, array, at, result, result.length)
            result.push(array[at])
          }
        }
        return result
      })
    },
  }),

  operator({
    name: '$index',
    group: 'arrays',
    doc: 'The position of a loop variable among the items that are left after `where` and `sort`.',
    args: {
      subject: take.word('the name of the loop variable'),
      from: take.optionalInteger(-1_000_000, 1_000_000, 'the number of the first one; 1 unless given'),
    },
    build(call) {
      const name = (call.word('subject') ?? '').replace(/^\$/, '')
      const from = call.integer('from') ?? 1
      const slot = call.context.lookUp(name)?.positionSlot
      if (slot === undefined) {
        call.error(
          'unknown_name',
          call.nodeOf('subject'),
          `"${name}" is no loop variable here.`,
          'Name the one that "as" gives.',
        )
        return call.broken()
      }
      return call.result(types.decimal, 1, (frame) => {
        burn(frame, call.node)
        return (frame.slots[slot] as number) + from
      })
    },
  }),
]

type EachArguments = {
  subject: { kind: 'value'; want: 'array'; doc: string }
  as: { kind: 'name'; doc: string }
  where: { kind: 'value'; want: 'boolean'; doc: string }
  sort: { kind: 'node'; doc: string }
  do: { kind: 'value'; want: 'maybe'; doc: string }
}

function buildEach(call: Call<EachArguments>): Built {
  const source = call.value('subject')
  const loop = openLoop(call.context, source, call.variableName('as'), call.node)
  let where: Checked<'boolean'> | undefined
  let sort: Sort | undefined
  let body: Built | undefined
  call.within([loop.variable], () => {
    where = call.optionalValue('where')
    call.context.knowing(where?.built.whenTrue, () => {
      const sortNode = call.entry('sort')?.value
      sort = sortNode === undefined ? undefined : readSort(call.builder, sortNode)
      const made = call.optionalValue('do')
      body = made === undefined ? undefined : checkItem(call.context, made.built)
    })
  })
  const itemType: Type = loop.turns.close(body === undefined ? loop.variable.type : asItem(body.type))
  const perItem = addSizes(addSizes(where?.cost ?? 0, sort?.cost ?? 0), addSizes(body?.cost ?? 0, 1))
  const min = where === undefined && body?.type.missing !== true ? loop.min : 0
  const cost = addSizes(sumCosts([source]), loop.turns.over(perItem))
  const parts = { where, sort, body }
  return call.result(arrayOf(itemType, loop.max, min), cost, (frame) => {
    burn(frame, call.node)
    return runEach(frame, call.node, loop, source.run(frame), parts)
  })
}

interface EachParts {
  where: Checked<'boolean'> | undefined
  sort: Sort | undefined
  body: Built | undefined
}

function runEach(
  frame: Frame,
  node: Built['node'],
  loop: Loop,
  array: Value[],
  { where, sort, body }: EachParts,
): Value[] {
  burn(frame, node, array.length)
  let indexes: number[] | undefined
  if (where !== undefined || sort !== undefined) {
    indexes = []
    const keys: Scalar[][] = []
    for (let index = 0; index < array.length; index++) {
      enterItem(loop, frame, array, index)
      if (where !== undefined && !where.run(frame)) continue
      indexes.push(index)
      if (sort !== undefined) keys[index] = sort.keys(frame)
    }
    if (sort !== undefined) indexes = sortIndexes(frame, indexes, keys, sort)
  }
  const count = indexes?.length ?? array.length
  const result: Value[] = []
  const { lineage } = frame
  for (let position = 0; position < count; position++) {
    const index = indexes?.[position] ?? position
    if (body === undefined) {
      itemOrigin(frame, array, index, result, result.length)
      result.push(array[index])
      continue
    }
    enterItem(loop, frame, array, index)
    frame.slots[loop.positionSlot] = position
    if (lineage === undefined) {
      const value = body.run(frame)
      if (value !== undefined) result.push(value)
      continue
    }
    const { value, trace } = lineage.collect(() => body.run(frame))
    if (value === undefined) continue
    trace.nodes.add(body.node)
    lineage.setMember(result, result.length, trace)
    result.push(value)
  }
  return result
}

type GroupArguments = {
  subject: { kind: 'value'; want: 'array'; doc: string }
  as: { kind: 'name'; doc: string }
  by: { kind: 'value'; want: 'scalar'; doc: string }
  do: { kind: 'value'; want: 'maybe'; doc: string }
}

function buildGroup(call: Call<GroupArguments>): Built {
  const { context, node } = call
  const source = call.value('subject')
  const loop = openLoop(context, source, call.variableName('as'), node)
  const by = call.within([loop.variable], () => call.value('by'))
  const groups = new Turns(loop.max, context.newSize)
  const key: Variable = { name: 'key', slot: context.newSlot(), type: loop.turns.closeOne(by.type) }
  const items: Variable = {
    name: 'items',
    slot: context.newSlot(),
    type: groups.openGroups(itemsOf(source.type)),
    // Which items a group has is not known before it runs, only that they are items of the array.
    ...(source.built.origin === undefined ? {} : { origin: source.built.origin, scattered: true as const }),
  }
  const body = call.within([key, items], () => checkItem(context, call.value('do').built))
  const perItem = addSizes(by.cost, 1)
  const bodies = groups.over(addSizes(body.cost, 1))
  const cost = addSizes(addSizes(sumCosts([source]), loop.turns.over(perItem)), bodies)
  const itemType = groups.close(asItem(body.type))
  const type = arrayOf(itemType, loop.max, body.type.missing ? 0 : Math.min(1, loop.min))
  return call.result(type, cost, (frame) => {
    burn(frame, node)
    return runGroup(frame, node, { loop, by, key: key.slot, items: items.slot, body }, source.run(frame))
  })
}

interface GroupParts {
  loop: Loop
  by: Checked<'scalar'>
  key: number
  items: number
  body: Built
}

function runGroup(frame: Frame, node: Built['node'], parts: GroupParts, array: Value[]): Value[] {
  const { loop, by, body } = parts
  const { lineage } = frame
  const groups = new Map<string, { key: Scalar; items: Value[]; trace: ReturnType<typeof tracedValue>['trace'] }>()
  burn(frame, node, array.length)
  for (let index = 0; index < array.length; index++) {
    enterItem(loop, frame, array, index)
    const { value: key, trace } =
      lineage === undefined ? { value: by.run(frame), trace: undefined } : lineage.collect(() => by.run(frame))
    const identity = scalarIdentity(key)
    let found = groups.get(identity)
    if (found === undefined) {
      found = { key, items: [], trace }
      groups.set(identity, found)
    }
    itemOrigin(frame, array, index, found.items, found.items.length)
    found.items.push(array[index])
  }
  const result: Value[] = []
  for (const found of groups.values()) {
    burn(frame, node)
    frame.slots[parts.key] = found.key
    frame.slots[parts.items] = found.items
    if (found.trace !== undefined) lineage?.setSlot(parts.key, found.trace)
    const { value, trace } =
      lineage === undefined ? { value: body.run(frame), trace: undefined } : lineage.collect(() => body.run(frame))
    if (value === undefined) continue
    if (lineage !== undefined && trace !== undefined) {
      trace.nodes.add(body.node)
      lineage.setMember(result, result.length, trace)
    }
    result.push(value)
  }
  return result
}
