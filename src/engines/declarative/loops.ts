/** Shared by all operators over arrays: the item's variable, its slots, and reading an item by index. */

import type { SourceNode } from '../../core/source/tree.ts'
import type { Built, Checked } from './built.ts'
import type { BuildContext, Variable } from './context.ts'
import { anyItem, type Frame, originPattern, toil } from './frame.ts'
import { Turns } from './nesting.ts'
import type { Size } from './size.ts'
import { itemsOf } from './types.ts'
import type { Value } from './value.ts'

export interface Loop {
  variable: Variable
  /** Slot of the item's index in the array, which an origin's number token names. */
  indexSlot: number
  /** Slot of the item's position among those that remain. */
  positionSlot: number
  min: number
  max: Size
  turns: Turns
  /** The item as a value of its own, for operators that take items without a name. */
  item: Built
}

/** A loop over an array; without a name its variable cannot be read. */
export function openLoop(
  context: BuildContext,
  source: Checked<'array'>,
  name: string | undefined,
  node: SourceNode,
): Loop {
  const items = itemsOf(source.type)
  const { min, max } = items
  const turns = new Turns(max, context.newSize)
  const item = name === undefined ? items.item : turns.open(items)
  const slot = context.newSlot()
  const indexSlot = context.newSlot()
  const positionSlot = context.newSlot()
  const from = source.built.origin
  if (from !== undefined) context.loops.add(originPattern(from))
  const origin = from === undefined ? undefined : [...from, source.built.scattered === true ? anyItem : indexSlot]
  const place = origin === undefined ? {} : { origin }
  const variable: Variable = { name: name ?? '', slot, type: item, positionSlot, ...place }
  const run = (frame: Frame): Value => {
    frame.lineage?.readSlot(slot, frame.slots[slot])
    return frame.slots[slot]
  }
  return { variable, indexSlot, positionSlot, min, max, turns, item: { node, type: item, cost: 0, run, ...place } }
}

/** Makes one item the loop's current one. */
export function enterItem(loop: Loop, frame: Frame, array: Value[], index: number): void {
  const { slot } = loop.variable
  frame.slots[slot] = array[index]
  frame.slots[loop.indexSlot] = index
  frame.slots[loop.positionSlot] = index
  frame.lineage?.enterItem(slot, array, index)
  toil(frame)
}
