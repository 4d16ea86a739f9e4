/** One value out of an array: sums, extremes, counts, joins, picks. */
import { Decimal, Rational, roundings } from '../../../core/decimal.ts'
import { limits } from '../../../core/limits.ts'
import { joinList } from '../../../core/locale/list.ts'
import type { Locale } from '../../../core/locale/locale.ts'
import { sampleLists } from '../../../core/locale/samples.ts'
import { type Built, type Checked, sumCosts } from '../built.ts'
import { type Call, operator, take } from '../call.ts'
import { compareScalars, type Scalar } from '../compare.ts'
import { inEachLocale } from '../earlier.ts'
import { boundDecimal, burn, Fault, type Frame } from '../frame.ts'
import { enterItem, type Loop, openLoop } from '../loops.ts'
import { addSizes, type Size } from '../size.ts'
import { maybeMissing, type Type, types } from '../types.ts'
import { describeValue, isNumberValue, toDecimal, type Value } from '../value.ts'
import type { Want } from '../wants.ts'
import { readLocale } from './locale.ts'
import { neverApplied, readRounding } from './numbers.ts'
import { joinBounded } from './text.ts'

const overItems = {
  subject: take.value('array', 'the array'),
  as: take.optionalName('the name of the item'),
  of: take.optionalInner('maybe', 'the value taken of each item; the item itself unless given'),
} as const

interface Aggregate<W extends Want> {
  source: Checked<'array'>
  loop: Loop
  of: Checked<W>
  cost: Size
}

/** The array and the value taken of each of its items. */
function openAggregate<W extends Want>(call: Call<typeof overItems>, want: W): Aggregate<W> {
  const source = call.value('subject')
  if (call.has('as') !== call.has('of')) {
    call.error(
      'argument',
      call.node,
      `${call.name}: "as" and "of" belong together.`,
      'For example as: l, of: $l/amount.',
    )
  }
  const loop = openLoop(call.context, source, call.variableName('as'), call.nodeOf('subject'))
  const of = call.has('of')
    ? call.within([loop.variable], () => call.check(call.builder.value(call.nodeOf('of')), want))
    : call.check(loop.item, want)
  const cost = addSizes(sumCosts([source]), loop.turns.over(addSizes(of.cost, 1)))
  return { source, loop, of, cost }
}

function visit<W extends Want>(
  aggregate: Aggregate<W>,
  frame: Frame,
  node: Built['node'],
  each: (value: ReturnType<Checked<W>['run']>) => void,
): number {
  burn(frame, node)
  const array = aggregate.source.run(frame)
  burn(frame, node, array.length)
  for (let index = 0; index < array.length; index++) {
    enterItem(aggregate.loop, frame, array, index)
    each(aggregate.of.run(frame))
  }
  return array.length
}

function sumUp(aggregate: Aggregate<'decimal'>, frame: Frame, node: Built['node']): { sum: Decimal; count: number } {
  let sum = Decimal.zero
  const count = visit(aggregate, frame, node, (value) => {
    sum = sum.add(value)
  })
  return { sum: boundDecimal(sum, node), count }
}

function extreme(call: Call<typeof overItems>, sign: 1 | -1): Built {
  const aggregate = openAggregate(call, 'scalar')
  const found = aggregate.loop.turns.closeOne(aggregate.of.type)
  const type: Type = aggregate.loop.min > 0 ? found : maybeMissing(found)
  return call.result(type, aggregate.cost, (frame) => {
    let found: Scalar | undefined
    visit(aggregate, frame, call.node, (value) => {
      const order = found === undefined ? -1 : compareScalars(value, found)
      if (order === undefined) {
        throw new Fault('type', call.node, `${describeValue(value)} and ${describeValue(found)} have no order.`)
      }
      if (found === undefined || order * sign < 0) found = value
    })
    return found
  })
}

export const aggregateOperators = [
  operator({
    name: '$sum',
    group: 'arrays',
    doc: 'The exact sum over an array; 0 when it is empty.',
    args: overItems,
    build(call) {
      const aggregate = openAggregate(call, 'decimal')
      return call.result(types.decimal, aggregate.cost, (frame) => sumUp(aggregate, frame, call.node).sum)
    },
  }),

  operator({
    name: '$min',
    group: 'arrays',
    doc: 'The least number, date or text of an array; missing when it is empty.',
    args: overItems,
    build: (call) => extreme(call, 1),
  }),

  operator({
    name: '$max',
    group: 'arrays',
    doc: 'The greatest number, date or text of an array; missing when it is empty.',
    args: overItems,
    build: (call) => extreme(call, -1),
  }),

  operator({
    name: '$avg',
    group: 'arrays',
    doc: 'The mean over an array, rounded once; missing when it is empty.',
    args: {
      ...overItems,
      scale: take.optionalInteger(0, limits.transformScaleDigits, 'decimal places of the result; required'),
      round: take.optionalChoice(roundings, `how it is rounded; required: ${roundings.join(', ')}`),
    },
    build(call) {
      const aggregate = openAggregate(call, 'decimal')
      const { scale, rounding } = readRounding(call, 'a mean needs "scale" and "round"') ?? neverApplied
      const type = aggregate.loop.min > 0 ? types.decimal : maybeMissing(types.decimal)
      return call.result(type, aggregate.cost, (frame) => {
        const { sum, count } = sumUp(aggregate, frame, call.node)
        if (count === 0) return undefined
        const mean = Rational.from(sum).divide(new Rational(BigInt(count), 1n))
        return mean?.round(scale, rounding)
      })
    },
  }),

  operator({
    name: '$count',
    group: 'arrays',
    doc: 'How many items an array has.',
    args: { subject: take.value('array', 'the array') },
    build(call) {
      const source = call.value('subject')
      return call.result(types.decimal, sumCosts([source]), (frame) => {
        burn(frame, call.node)
        const array = source.run(frame)
        frame.lineage?.takeWhole(array)
        return array.length
      })
    },
  }),

  operator({
    name: '$join',
    group: 'arrays',
    doc: 'The texts, numbers or dates of an array as one text.',
    args: {
      subject: take.value('array', 'the array'),
      with: take.optionalWord('text between them; none unless given'),
      list: take.optionalChoice(['and', 'or'], 'instead: and or or, as the locale joins them ("a, b and c")'),
      locale: take.optionalNode('with list: a locale such as de (en unless given), or a value that is one'),
    },
    build(call) {
      const source = call.value('subject')
      const separator = call.word('with') ?? ''
      const list = call.choice('list') === 'or' ? 'or' : 'and'
      const locale = call.has('list') ? readLocale(call.builder, call.entry('locale')?.value) : undefined
      if (call.has('list') && call.has('with')) {
        call.error('argument', call.nodeOf('with'), '$join takes "with" or "list", not both.', 'Remove one.')
      }
      if (call.has('locale') && !call.has('list')) {
        call.error('argument', call.nodeOf('locale'), '"locale" of $join goes with "list".', 'Add list: and.')
      }
      const loop = openLoop(call.context, source, undefined, call.nodeOf('subject'))
      const item = call.check(loop.item, 'text')
      const cost = addSizes(addSizes(sumCosts([source]), locale?.cost ?? 0), loop.max)
      if (locale !== undefined) {
        const samples = (one: Locale) => sampleLists.map((texts) => joinList(texts, one, list))
        call.context.sample(call.node, () => inEachLocale(locale, call.context.reading, samples))
      }
      return call.result(types.string, cost, (frame) => {
        burn(frame, call.node)
        const array = source.run(frame)
        burn(frame, call.node, array.length)
        const parts: string[] = []
        for (let index = 0; index < array.length; index++) {
          enterItem(loop, frame, array, index)
          parts.push(item.run(frame))
        }
        if (locale === undefined) return joinBounded(parts, separator, call.node)
        // No pattern of a list has more than a few characters.
        joinBounded(parts, '        ', call.node)
        return joinList(parts, locale.run(frame), list)
      })
    },
  }),

  operator({
    name: '$pick',
    group: 'arrays',
    doc: 'One item of an array by its position from 0; a negative one counts from the end. Missing when there is none.',
    args: { subject: take.value('array', 'the array'), at: take.value('integer', 'the position') },
    build(call) {
      const source = call.value('subject')
      const at = call.value('at')
      const loop = openLoop(call.context, source, undefined, call.nodeOf('subject'))
      const { literal } = at.built
      const position = isNumberValue(literal) ? toDecimal(literal).toNumber() : undefined
      const certain = position !== undefined && (position >= 0 ? position < loop.min : -position <= loop.min)
      const type = certain ? loop.item.type : maybeMissing(loop.item.type)
      const built = call.result(type, sumCosts([source, at]), (frame) => {
        burn(frame, call.node)
        const array = source.run(frame)
        const wanted = at.run(frame)
        const index = wanted < 0 ? array.length + wanted : wanted
        frame.slots[loop.indexSlot] = index
        const found: Value = array[index]
        if (found === undefined) return undefined
        enterItem(loop, frame, array, index)
        return loop.item.run(frame)
      })
      return loop.item.origin === undefined ? built : { ...built, origin: loop.item.origin }
    },
  }),
]
