/** Checks a value: statically as far as its type is known, and otherwise as it runs. */

import { pointerMeant } from '../../core/path-slips.ts'
import { plainSlip } from '../../core/source/plain-slips.ts'
import { shorten } from '../../core/source/read.ts'
import type { Built, Checked } from './built.ts'
import type { BuildContext } from './context.ts'
import { Fault, type Frame, originPointer, toilOver } from './frame.ts'
import { describeType, isDateText, isUnknown, type Kind, present, type Type } from './types.ts'
import { describeValue } from './value.ts'
import { type Want, type WantTypes, wants } from './wants.ts'

/** A member or item may be left out on purpose, but not by accident. */
export function checkItem(context: BuildContext, built: Built): Built {
  if (built.type.missing && built.type.omit) return built
  const { type, run } = checkValue(context, built, 'any', 'The value')
  return { ...built, type, run }
}

/** Reports a value that may be missing or null, and returns the type that remains. */
function there(context: BuildContext, built: Built, nullAllowed: boolean): Type {
  const { type } = built
  const mayBeNull = type.null && !nullAllowed
  if (!type.missing && !mayBeNull) return type
  if (isUnknown(type) && !type.missing) return present(type)
  const how = type.missing ? (mayBeNull ? 'missing or null' : 'missing') : 'null'
  context.findings.error(
    'may_be_missing',
    built.node,
    `${nameOf(built)} may be ${how}.`,
    'Say what happens then: $default, $omit, $require, or a test with $exists.',
  )
  return nullAllowed ? { ...type, missing: false, omit: false } : present(type)
}

/** Checks statically that a value is what is wanted; returns it with a run that checks and converts at run time. */
export function checkValue<W extends Want>(context: BuildContext, built: Built, want: W, role: string): Checked<W> {
  const rule = wants[want]
  if (want === 'maybe') return { built, type: built.type, cost: built.cost, run: built.run as Checked<W>['run'] }
  const type = there(context, built, want === 'any')
  if (rule.kinds !== 'all') checkKinds(context, built, type, want, role)
  const { node, run, origin, literal } = built
  const { convert } = rule
  // A literal that can't be converted has just been reported.
  const converted = literal === undefined ? undefined : convert(literal)
  if (converted !== undefined) return { built, type, cost: built.cost, run: () => converted }
  const checkedRun = (frame: Frame): WantTypes[W] => {
    const value = run(frame)
    const result = value === undefined || (value === null && want !== 'any') ? undefined : convert(value)
    if (typeof result === 'string') toilOver(frame, result)
    if (result !== undefined) return result
    const name = origin === undefined ? nameOf(built) : originPointer(origin, frame)
    if (value === undefined || value === null) {
      throw new Fault(
        'missing',
        node,
        `${name} is ${describeValue(value)}.`,
        'Say what happens then, for example with $default.',
      )
    }
    throw new Fault('type', node, `${name} is ${describeValue(value)}; ${role} wants ${rule.name}.`)
  }
  return { built, type, cost: built.cost, run: checkedRun }
}

function checkKinds(context: BuildContext, built: Built, type: Type, want: Want, role: string): void {
  const { kinds, name } = wants[want]
  if (kinds === 'all' || (type.alternatives.length === 0 && (built.type.missing || built.type.null))) return
  for (const alternative of type.alternatives) {
    if (alternative.kind === 'unknown' || kinds.includes(alternative.kind)) continue
    const textForDate = want === 'date' && alternative.kind === 'string'
    if (textForDate && (isDateText(alternative.values) || (!context.hasContract && alternative.values === undefined)))
      continue
    const hint =
      hintFor(textForDate ? 'date' : want, alternative.kind, role) ?? generalHint(built, want, alternative.kind)
    context.findings.error(
      'type',
      built.node,
      `${role} wants ${name}; ${nameOf(built)} is ${describeType(type)}.`,
      hint,
    )
    return
  }
  const literal = built.literal
  if (literal !== undefined && want === 'integer' && wants.integer.convert(literal) === undefined) {
    context.findings.error('type', built.node, `${role} wants a whole number.`)
  }
}

/** What operators on texts are called for arrays. */
const formsForArrays: ReadonlyMap<string, string> = new Map([
  ['$slice', 'For a part of an array use $take.'],
  ['$length', 'For the number of items use $count.'],
  ['$contains', 'For an array use { $is: [value, in, array] }.'],
])

function hintFor(want: Want, found: Kind, role: string): string | undefined {
  if (found === 'array') return formsForArrays.get(role)
  if (found !== 'string' || (want !== 'date' && want !== 'decimal')) return undefined
  return `Read it with { $parse: …, as: ${want} }.`
}

/** For a literal where a path was meant, and for values of the wrong form. */
function generalHint({ literal, node }: Built, want: Want, found: Kind): string | undefined {
  const text = node.kind === 'scalar' ? node.text : ''
  const isName = typeof literal === 'string' && /^[A-Za-z_][\w-]*(?:[./][\w-]+)*$/.test(literal)
  const slip = node.kind === 'scalar' && want === 'boolean' ? plainSlip(node) : undefined
  if (slip?.code === 'boolean') return slip.hint
  if (isName && (want === 'array' || want === 'object' || want === 'decimal' || want === 'boolean')) {
    return `Write ${pointerMeant(literal) ?? `/${literal}`} to read it.`
  }
  if (typeof literal === 'string' && want === 'integer' && /^-?\d+$/.test(literal))
    return `Write ${literal} without quotes.`
  if (want === 'array')
    return found === 'object'
      ? `Loop over its members with { $entries: ${shorten(text === '' ? '/object' : text)} }.`
      : 'Point to a list.'
  if (want === 'boolean') return 'Compare it: { $is: [/kind, "=", home] }, or ask { $exists: /kind }.'
  if (found === 'object') return 'Point to a member of it, such as /customer/name.'
  if (want === 'date') return 'Point to a date such as 2026-01-31, or read text with { $parse: …, as: date }.'
  if (want === 'integer' || want === 'decimal') {
    return found === 'date' || found === 'datetime'
      ? 'Write a date with date in place of number.'
      : 'Point to a number.'
  }
  return undefined
}

/** How a message names a value: by its source text or its operator. */
export function nameOf(built: Built): string {
  const { node } = built
  if (node.kind === 'scalar') return shorten(node.text === '' ? 'The value' : node.text)
  if (node.kind === 'list') return 'The array'
  return node.entries.find((entry) => entry.key.startsWith('$') && !entry.key.startsWith('$$'))?.key ?? 'The object'
}
