/** The `sort` of `$each`: one or several keys, stable; text by code point, or in a locale's dictionary order. */

import type { JsonObject } from '../../../core/json.ts'
import { collationKey } from '../../../core/locale/collation.ts'
import { shorten } from '../../../core/source/read.ts'
import type { SourceNode } from '../../../core/source/tree.ts'
import type { Builder } from '../build.ts'
import { valueForm } from '../call.ts'
import { checkValue } from '../check.ts'
import { compareScalars, type Scalar } from '../compare.ts'
import { ownArgument } from '../foreign.ts'
import { Fault, type Frame, toil } from '../frame.ts'
import { addSizes, type Size } from '../size.ts'
import { describeValue } from '../value.ts'
import { type LocaleArgument, readLocale } from './locale.ts'

export interface Sort {
  node: SourceNode
  cost: Size
  descending: boolean[]
  keys(frame: Frame): Scalar[]
}

const sortKey: JsonObject = {
  type: 'object',
  required: ['by'],
  additionalProperties: false,
  properties: { by: valueForm, descending: { type: 'boolean' }, locale: valueForm },
}

/** What the schema for editors says of `sort`. */
export const sortForm: JsonObject = { if: { type: 'array' }, then: { items: sortKey }, else: sortKey }

const sortArguments = ['by', 'descending', 'locale']

/** Undefined after a finding. The loop's variable must be in scope. */
export function readSort(builder: Builder, node: SourceNode): Sort | undefined {
  const { findings } = builder.context
  const parts = node.kind === 'list' ? node.items : [node]
  const keys: ((frame: Frame) => Scalar)[] = []
  const descending: boolean[] = []
  let cost: Size = 0
  for (const part of parts) {
    const by = part.kind === 'map' ? part.byKey.get('by') : undefined
    if (part.kind !== 'map' || by === undefined) {
      findings.error(
        'argument',
        part,
        '"sort" wants { by: …, descending: true or false }.',
        'For example sort: { by: $l/name }.',
      )
      continue
    }
    for (const entry of part.entries) {
      if (sortArguments.includes(entry.key)) continue
      const hint = ownArgument('sort', entry.key, sortArguments) ?? findings.suggest(entry.key, sortArguments)
      findings.error('unknown_argument', part, `"sort" has no argument "${shorten(entry.key)}".`, hint, entry)
    }
    const key = checkValue(builder.context, builder.value(by.value), 'scalar', '"by" of "sort"')
    const order = part.byKey.get('descending')?.value
    if (order !== undefined && (order.kind !== 'scalar' || typeof order.value !== 'boolean')) {
      findings.error('argument', order, '"descending" wants true or false.')
    }
    const localeNode = part.byKey.get('locale')?.value
    const locale = localeNode === undefined ? undefined : readLocale(builder, localeNode)
    keys.push(locale === undefined ? key.run : byLocale(key.run, locale))
    descending.push(order?.kind === 'scalar' && order.value === true)
    cost = addSizes(addSizes(cost, key.cost), locale?.cost ?? 0)
  }
  if (keys.length === 0) return undefined
  return { node, cost, descending, keys: (frame) => keys.map((key) => key(frame)) }
}

/** Text is compared by its key; everything else as it is. */
function byLocale(run: (frame: Frame) => Scalar, locale: LocaleArgument): (frame: Frame) => Scalar {
  return (frame) => {
    const value = run(frame)
    return typeof value === 'string' ? collationKey(value, locale.run(frame)) : value
  }
}

/** Sorts indexes by the keys at those indexes; equal ones keep their order. */
export function sortIndexes(frame: Frame, indexes: number[], keys: readonly Scalar[][], sort: Sort): number[] {
  return indexes.sort((left, right) => {
    toil(frame)
    const leftKeys = keys[left] ?? []
    const rightKeys = keys[right] ?? []
    for (let at = 0; at < leftKeys.length; at++) {
      const order = compareScalars(leftKeys[at], rightKeys[at])
      if (order === undefined) {
        const [one, other] = [describeValue(leftKeys[at]), describeValue(rightKeys[at])]
        throw new Fault('type', sort.node, `"sort" meets ${one} and ${other}, which have no order.`)
      }
      if (order !== 0) return sort.descending[at] ? -order : order
    }
    return 0
  })
}
