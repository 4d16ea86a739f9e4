/** The `sort` of `$each`: one or several keys, stable, text by code point. */

import { shorten } from '../../../core/source/read.ts'
import type { SourceNode } from '../../../core/source/tree.ts'
import type { Builder } from '../build.ts'
import type { Checked } from '../built.ts'
import { checkValue } from '../check.ts'
import { compareScalars, type Scalar } from '../compare.ts'
import { Fault, type Frame } from '../frame.ts'
import { addSizes, type Size } from '../size.ts'
import { describeValue } from '../value.ts'

export interface Sort {
  node: SourceNode
  cost: Size
  descending: boolean[]
  keys(frame: Frame): Scalar[]
}

/** Undefined after a finding. The loop's variable must be in scope. */
export function readSort(builder: Builder, node: SourceNode): Sort | undefined {
  const { findings } = builder.context
  const parts = node.kind === 'list' ? node.items : [node]
  const keys: Checked<'scalar'>[] = []
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
      if (entry.key === 'by' || entry.key === 'descending') continue
      const hint = findings.suggest(entry.key, ['by', 'descending'])
      findings.error('unknown_argument', part, `"sort" has no argument "${shorten(entry.key)}".`, hint, entry)
    }
    const key = checkValue(builder.context, builder.value(by.value), 'scalar', '"by" of "sort"')
    const order = part.byKey.get('descending')?.value
    if (order !== undefined && (order.kind !== 'scalar' || typeof order.value !== 'boolean')) {
      findings.error('argument', order, '"descending" wants true or false.')
    }
    keys.push(key)
    descending.push(order?.kind === 'scalar' && order.value === true)
    cost = addSizes(cost, key.cost)
  }
  if (keys.length === 0) return undefined
  return { node, cost, descending, keys: (frame) => keys.map((key) => key.run(frame)) }
}

/** Sorts indexes by the keys at those indexes; equal ones keep their order. */
export function sortIndexes(indexes: number[], keys: readonly Scalar[][], sort: Sort): number[] {
  return indexes.sort((left, right) => {
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
