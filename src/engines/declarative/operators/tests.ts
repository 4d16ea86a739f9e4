/** Tests: comparisons and their combinations. */

import type { JsonObject } from '../../../core/json.ts'
import { isUnordered } from '../../../core/locale/calendar.ts'
import { shorten } from '../../../core/source/read.ts'
import { type Built, sumCosts } from '../built.ts'
import { type CallSite, operator, take, valueForm } from '../call.ts'
import { checkValue } from '../check.ts'
import { compareScalars } from '../compare.ts'
import { burn, Fault, type Frame } from '../frame.ts'
import { addSizes, multiplySizes, type Size } from '../size.ts'
import { describeType, enumerationOf, isDateText, isUnknown, itemsOf, type Type, types } from '../types.ts'
import { describeValue, type Value } from '../value.ts'

const comparisons = ['=', '!=', '<', '<=', '>', '>=', 'in']

const comparisonForm: JsonObject = {
  type: 'array',
  prefixItems: [valueForm, { enum: comparisons }, valueForm],
  minItems: 3,
  maxItems: 3,
}
const testsForm: JsonObject = { type: 'array', minItems: 1, items: valueForm }

type Family = 'number' | 'text' | 'boolean' | 'other'

function familiesOf(type: Type): Set<Family> {
  const families = new Set<Family>()
  for (const { kind } of type.alternatives) {
    if (kind === 'decimal') families.add('number')
    else if (kind === 'boolean') families.add('boolean')
    else if (kind === 'string' || kind === 'date' || kind === 'datetime') families.add('text')
    else families.add('other')
  }
  return families
}

function holdsDate(type: Type): boolean {
  return type.alternatives.some(({ kind }) => kind === 'date' || kind === 'datetime')
}

/** Reports a comparison that can never hold or never makes sense. */
function checkComparable(call: CallSite, left: Built, right: Built, rightType: Type, comparison: string): void {
  const leftType = left.type
  if (isUnknown(leftType) || isUnknown(rightType)) return
  if (leftType.null && leftType.alternatives.length === 0) return
  if (rightType.null && rightType.alternatives.length === 0) return
  // All possible types of both must be of one family, or the run could fail on a valid input.
  const families = [...new Set([...familiesOf(leftType), ...familiesOf(rightType)])]
  const [family] = families
  if (families.length > 1 || family === 'other' || (family === 'boolean' && /[<>]/.test(comparison))) {
    call.error(
      'type',
      call.node,
      `${describeType(leftType)} cannot be compared (${comparison}) with ${describeType(rightType)}.`,
      family === 'other'
        ? 'Compare single values: members of objects, and items in a loop or with in.'
        : families.includes('boolean')
          ? 'A boolean is a test by itself, or compares with true and false without quotes.'
          : 'Write a literal of the same type, without quotes for a number, or read text with { $parse: …, as: decimal }.',
    )
    return
  }
  if (holdsDate(leftType) !== holdsDate(rightType) && family === 'text') {
    const [text, node] = holdsDate(leftType) ? [rightType, right.node] : [leftType, left.node]
    const onlyDates = text.alternatives.every((each) => each.kind !== 'string' || isDateText(each.values))
    if (!onlyDates && call.context.hasContract) {
      call.error('type', node, 'A date is compared with text.', 'Write the date as YYYY-MM-DD, or read it with $parse.')
    }
    return
  }
  const leftValues = enumerationOf(leftType)
  const rightValues = enumerationOf(rightType)
  if (leftValues === undefined || rightValues === undefined || (comparison !== '=' && comparison !== 'in')) return
  if (leftValues.some((value) => rightValues.includes(value))) return
  const [first, ...others] = leftValues
  const [value, among] =
    first !== undefined && others.length === 0 ? [first, rightValues] : [rightValues[0] ?? '', leftValues]
  call.warning(
    'never_true',
    call.node,
    `This is never true: the value is one of ${list(leftValues)}.`,
    call.suggest(value, among),
  )
}

function list(values: readonly string[]): string {
  const shown = values.slice(0, 8).join(', ')
  return values.length > 8 ? `${shown}, …` : shown
}

function compare(call: CallSite, comparison: string, left: Value, right: Value): boolean {
  // null is refused where order is asked for.
  if (left === null || right === null) return (left === right) === (comparison === '=')
  const order = compareScalars(left, right)
  if (order === undefined) {
    throw new Fault('type', call.node, `${describeValue(left)} cannot be compared with ${describeValue(right)}.`)
  }
  switch (comparison) {
    case '=':
      return order === 0
    case '!=':
      return order !== 0
    case '<':
      return order < 0
    case '<=':
      return order <= 0
    case '>':
      return order > 0
    default:
      return order >= 0
  }
}

export const testOperators = [
  operator({
    name: '$is',
    group: 'tests',
    doc: 'Compares two values: `[left, op, right]` with = != < <= > >= in.',
    args: { subject: take.node('[left, op, right]', comparisonForm) },
    build(call) {
      const node = call.nodeOf('subject')
      const [leftNode, opNode, rightNode, ...rest] = node.kind === 'list' ? node.items : []
      if (leftNode === undefined || opNode === undefined || rightNode === undefined || rest.length > 0) {
        call.error('argument', node, '$is wants [left, op, right].', 'For example $is: [/qty, ">", 0].')
        return call.broken()
      }
      const comparison = opNode.kind === 'scalar' ? opNode.text : ''
      // null has no order, but it can be equal, or one of several.
      const want = /^[<>]/.test(comparison) ? 'scalar' : 'any'
      const left = call.check(call.builder.value(leftNode), want)
      const right = call.check(call.builder.value(rightNode), want)
      if (!comparisons.includes(comparison)) {
        call.error(
          'argument',
          opNode,
          `The comparison is one of ${comparisons.join(' ')}.`,
          comparisonMeant(comparison),
        )
        return call.broken()
      }
      const cost = sumCosts([left, right])
      if (comparison !== 'in') {
        checkComparable(call, left.built, right.built, right.type, comparison)
        if (/^[<>]/.test(comparison)) for (const { built } of [left, right]) warnOfOrder(call, built)
        return call.result(types.boolean, cost, (frame) => {
          burn(frame, call.node)
          return compare(call, comparison, left.run(frame), right.run(frame))
        })
      }
      const array = checkValue(call.context, right.built, 'array', 'The right side of "in"')
      const { item, max } = itemsOf(array.type)
      if (array.type.alternatives.length > 0) checkComparable(call, left.built, right.built, item, comparison)
      return call.result(types.boolean, addSizes(cost, max), (frame) => {
        burn(frame, call.node)
        const wanted = left.run(frame)
        const values = array.run(frame)
        burn(frame, call.node, values.length)
        return values.some((value) => {
          if (value === null || wanted === null) return value === wanted
          return compareScalars(wanted, value) === 0
        })
      })
    },
  }),

  operator({
    name: '$all',
    group: 'tests',
    doc: 'True when every one of several tests is; the rest is not looked at after the first that is not.',
    args: { subject: take.node('a sequence of tests', testsForm) },
    build: (call) => combine(call, 'every'),
  }),

  operator({
    name: '$any',
    group: 'tests',
    doc: 'True when one of several tests is; the rest is not looked at after the first that is.',
    args: { subject: take.node('a sequence of tests', testsForm) },
    build: (call) => combine(call, 'any'),
  }),

  operator({
    name: '$not',
    group: 'tests',
    doc: 'True when a test is false.',
    args: { subject: take.value('boolean', 'the test') },
    build(call) {
      const test = call.value('subject')
      const result = call.result(types.boolean, sumCosts([test]), (frame) => {
        burn(frame, call.node)
        return !test.run(frame)
      })
      const { whenTrue, whenFalse } = test.built
      return {
        ...result,
        ...(whenFalse === undefined ? {} : { whenTrue: whenFalse }),
        ...(whenTrue === undefined ? {} : { whenFalse: whenTrue }),
      }
    },
  }),
]

/** `$all` and `$any`: each test is checked knowing what the ones before it have settled. */
function combine(call: CallSite, wanted: 'every' | 'any'): Built {
  const every = wanted === 'every'
  const node = call.nodeOf('subject')
  if (node.kind !== 'list' || node.items.length === 0) {
    call.error('argument', node, `${call.name} wants a sequence of tests.`)
    return call.broken()
  }
  const known: string[] = []
  const runs: ((frame: Frame) => boolean)[] = []
  let cost: Size = 1
  for (const item of node.items) {
    const test = call.context.knowing([...known], () => call.check(call.builder.value(item), 'boolean'))
    known.push(...((every ? test.built.whenTrue : test.built.whenFalse) ?? []))
    cost = addSizes(cost, multiplySizes(test.cost, 1))
    runs.push((frame) => test.run(frame))
  }
  const result = call.result(types.boolean, cost, (frame) => {
    burn(frame, call.node)
    for (const run of runs) if (run(frame) !== every) return !every
    return every
  })
  return every ? { ...result, whenTrue: known } : { ...result, whenFalse: known }
}

const otherComparisons: ReadonlyMap<string, string> = new Map(
  Object.entries({
    '==': '"="',
    '===': '"="',
    eq: '"="',
    equals: '"="',
    '!==': '"!="',
    '<>': '"!="',
    ne: '"!="',
    neq: '"!="',
    gt: '">"',
    gte: '">="',
    ge: '">="',
    '=>': '">="',
    lt: '"<"',
    lte: '"<="',
    le: '"<="',
    '=<': '"<="',
    IN: 'in',
  }),
)

/** What there is here for a comparison of another language. */
function comparisonMeant(written: string): string {
  const meant = otherComparisons.get(written)
  return meant === undefined ? 'Quote it, as in [a, "<", b].' : `Write ${meant} instead of ${shorten(written)}.`
}

/** A date in another form than ISO's is a text, whose order is that of its characters. */
function warnOfOrder(call: CallSite, { literal, node }: Built): void {
  if (typeof literal !== 'string' || !isUnordered(literal)) return
  const message = `"${literal}" is compared character by character, which is not the order of dates.`
  call.warning('odd_date', node, message, 'Write dates as 2026-03-01, and read others with { $parse: …, as: date }.')
}
