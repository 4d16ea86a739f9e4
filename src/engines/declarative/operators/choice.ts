/** One value out of several. */

import { shorten } from '../../../core/source/read.ts'
import type { MapEntry } from '../../../core/source/tree.ts'
import { type Built, sumCosts } from '../built.ts'
import { type CallSite, operator, take } from '../call.ts'
import { burn, Fault, type Run } from '../frame.ts'
import { addSizes, largerSize, type Size } from '../size.ts'
import { enumerationOf, isUnknown, joinTypes, type Type, types } from '../types.ts'
import { displayScalar } from '../value.ts'

/** Only the branch taken burns fuel, so the most expensive branch is the bound. */
function dearest(branches: readonly Built[]): Size {
  return branches.reduce<Size>((most, branch) => largerSize(most, branch.cost), 0)
}

function joinAll(branches: readonly Built[]): Type {
  return branches.map((branch) => branch.type).reduce((joined, type) => joinTypes(joined, type))
}

/** The texts that a value can be, if it is an enumeration or a boolean. */
function possibleCases(type: Type): readonly string[] | undefined {
  const only = type.alternatives.length === 1 ? type.alternatives[0] : undefined
  return only?.kind === 'boolean' ? ['true', 'false'] : enumerationOf(type)
}

export const choiceOperators = [
  operator({
    name: '$if',
    group: 'choice',
    doc: 'One value when a test is true, another when it is false; without `else` the key is then left out.',
    args: {
      subject: take.value('boolean', 'the test'),
      then: take.value('maybe', 'the value when the test is true'),
      else: take.optional('maybe', 'the value when it is false'),
    },
    build(call) {
      const test = call.value('subject')
      if (test.built.literal === false) call.warning('never_true', test.built.node, 'The test is never true.')
      const yes = call.context.knowing(test.built.whenTrue, () => call.value('then')).built
      const no = call.context.knowing(test.built.whenFalse, () => call.optionalValue('else'))?.built
      call.builder.warnOfNamesAmong(no === undefined ? [yes] : [yes, no])
      const noType = no?.type ?? { ...types.missing, omit: true }
      const cost = addSizes(sumCosts([test]), dearest(no === undefined ? [yes] : [yes, no]))
      return call.result(joinTypes(yes.type, noType), cost, (frame) => {
        burn(frame, call.node)
        return test.run(frame) ? yes.run(frame) : no?.run(frame)
      })
    },
  }),

  operator({
    name: '$match',
    group: 'choice',
    doc: 'The case whose key is the value: every value of an enumeration, or `else` for the rest.',
    args: {
      subject: take.value('scalar', 'the value to look at'),
      else: take.optional('maybe', 'the value for all other cases'),
    },
    open: 'cases',
    build(call) {
      const subject = call.value('subject')
      const entries = call.others()
      const cases = new Map<string, Built>()
      for (const entry of entries) cases.set(entry.key, call.builder.value(entry.value))
      const otherwise = call.optionalValue('else')?.built
      if (cases.size === 0) {
        call.error('argument', call.node, '$match has no case.', 'Write each value as a key beside $match.')
        return call.broken()
      }
      checkCases(call, subject.type, entries, otherwise !== undefined)
      const branches = otherwise === undefined ? [...cases.values()] : [...cases.values(), otherwise]
      const runs = new Map<string, Run>([...cases].map(([key, built]) => [key, built.run]))
      return call.result(joinAll(branches), addSizes(sumCosts([subject]), dearest(branches)), (frame) => {
        burn(frame, call.node)
        const key = displayScalar(subject.run(frame))
        const run = runs.get(key) ?? otherwise?.run
        if (run !== undefined) return run(frame)
        throw new Fault('no_row', call.node, `$match has no case for "${shorten(key)}".`, 'Add the case, or else.')
      })
    },
  }),
]

function checkCases(call: CallSite, type: Type, entries: readonly MapEntry[], hasElse: boolean): void {
  const possible = possibleCases(type)
  if (possible === undefined) {
    for (const entry of entries) warnOfForeignCase(call, entry, hasElse)
    if (hasElse || isUnknown(type)) return
    call.error('not_exhaustive', call.node, '$match needs else: the value is not limited to a list.', 'Add else.')
    return
  }
  for (const entry of entries) {
    if (possible.includes(entry.key)) continue
    const hint = entry.key === 'other' ? forTheRest : (foreignCase(entry.key) ?? call.suggest(entry.key, possible))
    call.warning('never_true', entry.value, `The case "${shorten(entry.key)}" never matches.`, hint)
  }
  const lacking = possible.filter((value) => !entries.some((entry) => entry.key === value))
  if (lacking.length > 0 && !hasElse) {
    call.error(
      'not_exhaustive',
      call.node,
      `$match has no case for ${lacking.slice(0, 8).join(', ')}.`,
      'Add it, or else.',
    )
  }
}

const forTheRest = 'Write else for all other cases.'

/** What is meant by a key that other languages have in such a call. */
function foreignCase(key: string): string | undefined {
  if (/^(?:default|otherwise|fallback|_|\*)$/i.test(key)) return forTheRest
  const isPart = /^(?:cases?|when|then|branches|switch|mapping)$/i.test(key)
  return isPart ? 'Write the values themselves as keys: { $match: /kind, home: …, car: … }.' : undefined
}

/** If the possible values are unknown, any text may be a case, so report these words only beyond doubt. */
function warnOfForeignCase(call: CallSite, { key, value }: MapEntry, hasElse: boolean): void {
  const hint = foreignCase(key)
  if (hint === undefined || (hint === forTheRest ? hasElse : value.kind === 'scalar' && !/^(?:when|then)$/i.test(key)))
    return
  call.warning('foreign_case', value, `The case "${key}" is for the very value "${key}".`, hint)
}
