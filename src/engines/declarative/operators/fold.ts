/** Values carried from item to item, and sequences of a bounded length: `$fold`, `$range`, `$take`. */

import { limits } from '../../../core/limits.ts'
import { type Built, type Checked, sumCosts } from '../built.ts'
import { type Call, operator, take } from '../call.ts'
import { checkItem, nameOf } from '../check.ts'
import type { Variable } from '../context.ts'
import { burn, Fault, type Frame } from '../frame.ts'
import { enterItem, type Loop, openLoop } from '../loops.ts'
import { itemOrigin } from '../members.ts'
import { withTotals } from '../nesting.ts'
import { addSizes, type Size } from '../size.ts'
import {
  type Alternative,
  arrayOf,
  asItem,
  describeType,
  itemsOf,
  objectOf,
  type Type,
  typeOf,
  types,
} from '../types.ts'
import { isNumberValue, isObjectValue, toDecimal, type Value } from '../value.ts'

export const foldOperators = [
  operator({
    name: '$fold',
    group: 'arrays',
    doc: 'A value carried from item to item, such as a running total: its last state, or with `each` what is made on the way.',
    args: {
      subject: take.value('array', 'the array'),
      as: take.name('the name of the item'),
      into: take.name('the name of the carried value'),
      from: take.value('any', 'what it is before the first item: a scalar, or an object of scalars'),
      do: take.inner('any', 'what it is after an item'),
      each: take.optionalInner('maybe', 'a value to make after each item, when `into` already has its new state'),
    },
    build: (call) => buildFold(call),
  }),

  operator({
    name: '$range',
    group: 'arrays',
    doc: 'The whole numbers from one to another, both included; none when the second is smaller.',
    args: {
      subject: take.values('integer', 2, '[first, last]'),
      most: take.integer(1, limits.transformAssumedItems, 'how many there are at most; more is the fault `too_many`'),
    },
    build(call) {
      const [first, last, ...more] = call.values('subject')
      const most = call.integer('most') ?? 1
      if (more.length > 0) call.error('argument', call.nodeOf('subject'), '$range wants exactly two numbers.')
      if (first === undefined || last === undefined) return call.broken()
      const cost = addSizes(sumCosts([first, last]), most)
      return call.result(arrayOf(types.decimal, most), cost, (frame) => {
        burn(frame, call.node)
        const from = first.run(frame)
        const count = Math.max(0, last.run(frame) - from + 1)
        if (count > most) {
          throw new Fault('too_many', call.node, `$range has ${count} numbers; "most" allows ${most}.`, 'Raise "most".')
        }
        burn(frame, call.node, count)
        return Array.from({ length: count }, (_, index) => from + index)
      })
    },
  }),

  operator({
    name: '$take',
    group: 'arrays',
    doc: 'Some items of an array, one after the other: the first ones, or those from a position on.',
    args: {
      subject: take.value('array', 'the array'),
      count: take.optional('integer', 'how many; all that follow unless given'),
      from: take.optional(
        'integer',
        'position of the first one, from 0; a negative one counts from the end; 0 unless given',
      ),
    },
    build(call) {
      const source = call.value('subject')
      const count = call.optionalValue('count')
      const from = call.optionalValue('from')
      if (count === undefined && from === undefined) {
        call.error('argument', call.node, '$take wants "count" or "from".', 'For example count: 3.')
      }
      const literal = count?.built.literal
      if (isNumberValue(literal) && toDecimal(literal).isNegative() && call.context.reading >= 6) {
        const last = toDecimal(literal).toString()
        const hint = `Write from: ${last} for the last ones.`
        call.error('argument', call.nodeOf('count'), `"count" of $take says how many, and ${last} gives nothing.`, hint)
      }
      const items = itemsOf(source.type)
      const most = literalCount(count)
      const max: Size =
        most === undefined ? items.max : typeof items.max === 'number' ? Math.min(items.max, most) : most
      const given = [source, count, from].filter((part) => part !== undefined)
      return call.result(arrayOf(withTotals(items), max), addSizes(sumCosts(given), max), (frame) => {
        burn(frame, call.node)
        const array = source.run(frame)
        const wanted = from?.run(frame) ?? 0
        const start = wanted < 0 ? Math.max(0, array.length + wanted) : Math.min(wanted, array.length)
        const end = Math.min(array.length, start + Math.max(0, count?.run(frame) ?? array.length))
        burn(frame, call.node, end - start)
        const result: Value[] = []
        for (let index = start; index < end; index++) {
          itemOrigin(frame, array, index, result, result.length)
          result.push(array[index])
        }
        return result
      })
    },
  }),
]

function literalCount(count: Checked<'integer'> | undefined): number | undefined {
  const literal = count?.built.literal
  const number = isNumberValue(literal) ? toDecimal(literal).toNumber() : undefined
  return number === undefined ? undefined : Math.max(0, number)
}

type FoldArguments = {
  subject: { kind: 'value'; want: 'array'; doc: string }
  as: { kind: 'name'; doc: string }
  into: { kind: 'name'; doc: string }
  from: { kind: 'value'; want: 'any'; doc: string }
  do: { kind: 'value'; want: 'any'; doc: string }
  each: { kind: 'value'; want: 'maybe'; doc: string }
}

interface FoldParts {
  loop: Loop
  from: Checked<'any'>
  slot: number
  step: Checked<'any'>
  each: Built | undefined
}

function buildFold(call: Call<FoldArguments>): Built {
  const source = call.value('subject')
  const from = call.value('from')
  const loop = openLoop(call.context, source, call.variableName('as'), call.node)
  const carried = carriedType(from.type)
  if (carried === undefined) {
    const message = `$fold carries a scalar or an object of scalars; ${nameOf(from.built)} is ${describeType(from.type)}.`
    call.error('type', from.built.node, message, 'Make arrays with "each".')
    return call.broken()
  }
  const into: Variable = { name: call.variableName('into') ?? '', slot: call.context.newSlot(), type: carried }
  if (into.name !== '' && into.name === loop.variable.name) {
    call.error('argument', call.nodeOf('into'), '"as" and "into" of $fold want different names.')
  }
  const variables = [loop.variable, into]
  const step = call.within(variables, () => call.value('do'))
  checkStep(call, step, carried)
  const made = call.within(variables, () => call.optionalValue('each'))
  const each = made === undefined ? undefined : checkItem(call.context, made.built)
  const perItem = addSizes(addSizes(step.cost, each?.cost ?? 0), 1)
  const cost = addSizes(sumCosts([source, from]), loop.turns.over(perItem))
  const min = each?.type.missing === true ? 0 : loop.min
  const type = each === undefined ? carried : arrayOf(loop.turns.close(asItem(each.type)), loop.max, min)
  const parts: FoldParts = { loop, from, slot: into.slot, step, each }
  return call.result(type, cost, (frame) => runFold(frame, call, source.run(frame), parts))
}

function runFold(
  frame: Frame,
  call: Call<FoldArguments>,
  array: Value[],
  { loop, from, slot, step, each }: FoldParts,
): Value {
  burn(frame, call.node, array.length + 1)
  const { lineage } = frame
  const carry = (run: (frame: Frame) => Value, node: Built['node']) => {
    if (lineage === undefined) {
      frame.slots[slot] = checkCarried(run(frame), node)
      return
    }
    const { value, trace } = lineage.collect(() => run(frame))
    trace.nodes.add(node)
    frame.slots[slot] = checkCarried(value, node)
    lineage.setSlot(slot, trace)
  }
  carry(from.run, from.built.node)
  const result: Value[] = []
  for (let index = 0; index < array.length; index++) {
    enterItem(loop, frame, array, index)
    carry(step.run, step.built.node)
    if (each === undefined) continue
    if (lineage === undefined) {
      const value = each.run(frame)
      if (value !== undefined) result.push(value)
      continue
    }
    const { value, trace } = lineage.collect(() => each.run(frame))
    if (value === undefined) continue
    trace.nodes.add(each.node)
    lineage.setMember(result, result.length, trace)
    result.push(value)
  }
  if (each !== undefined) return result
  lineage?.readSlot(slot, frame.slots[slot])
  return frame.slots[slot]
}

/** No turn can change the size of the carried value: it has no arrays, and no objects in objects. */
function checkCarried(value: Value, node: Built['node']): Value {
  const isFlat = (member: Value) => !Array.isArray(member) && !isObjectValue(member)
  if (isFlat(value) || (isObjectValue(value) && Object.values(value).every(isFlat))) return value
  throw new Fault('type', node, '$fold carries a scalar or an object of scalars.', 'Make arrays with "each".')
}

const withoutArrays: Alternative = { kind: 'unknown', within: 0 }

/** The type of the carried value, from its first value: text may become any text. Undefined if it can't be carried. */
function carriedType(type: Type, of: 'all' | 'a member' = 'all'): Type | undefined {
  // Null doesn't say what will be there.
  if (type.alternatives.length === 0) return { ...typeOf(withoutArrays), null: true }
  const alternatives: Alternative[] = []
  for (const alternative of type.alternatives) {
    const { kind } = alternative
    if (kind === 'array' || (kind === 'object' && of === 'a member')) return undefined
    if (kind !== 'object') {
      alternatives.push(kind === 'string' ? { kind } : kind === 'unknown' ? withoutArrays : alternative)
      continue
    }
    const { names, field, rest } = alternative.shape
    if (rest() !== undefined) return undefined
    const fields = names.map((name) => [name, carriedType(field(name)?.type ?? types.missing, 'a member')] as const)
    const known = fields.flatMap(([name, one]) => (one === undefined ? [] : [[name, { type: one }] as const]))
    if (known.length < fields.length) return undefined
    alternatives.push(...objectOf(new Map(known)).alternatives)
  }
  return { ...typeOf(...alternatives), missing: type.missing, null: type.null, omit: type.omit }
}

/** After an item it has a type that it had before. */
function checkStep(call: Call<FoldArguments>, step: Checked<'any'>, carried: Type): void {
  const problem = mismatch(step.type, carried)
  if (problem === undefined) return
  const message = `"do" of $fold makes ${problem}; "from" is ${describeType(carried)}.`
  call.error('type', step.built.node, message, 'Begin with a value of the type that it has later.')
}

/** What of a type another one does not have, in words. */
function mismatch(made: Type, carried: Type): string | undefined {
  if (carried.alternatives.some(({ kind }) => kind === 'unknown')) return undefined
  if (made.missing && !carried.missing) return 'what may be missing'
  if (made.null && !carried.null) return 'what may be null'
  for (const alternative of made.alternatives) {
    if (alternative.kind === 'unknown') continue
    const same = carried.alternatives.find(({ kind }) => kind === alternative.kind)
    if (same === undefined) return describeType(typeOf(alternative))
    if (alternative.kind !== 'object' || same.kind !== 'object') continue
    for (const name of new Set([...same.shape.names, ...alternative.shape.names])) {
      const [one, other] = [alternative.shape.field(name), same.shape.field(name)]
      if (one === undefined) return `an object without "${name}"`
      if (other === undefined) return `an object with "${name}"`
      const problem = mismatch(one.type, other.type)
      if (problem !== undefined) return `${problem} in "${name}"`
    }
  }
  return undefined
}
