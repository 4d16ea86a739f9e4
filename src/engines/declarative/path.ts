/** Reading by pointer while a transformer runs. */

import type { SourceNode } from '../../core/source/tree.ts'
import { burn, type Frame, type Run } from './frame.ts'
import type { Lineage } from './lineage.ts'
import { isObjectValue, type Value } from './value.ts'

const indexPattern = /^(?:0|[1-9]\d{0,8})$/

/** The member of a value, or undefined; only own members of objects and indexes of arrays count. */
export function memberOf(value: Value, token: string): Value {
  if (Array.isArray(value)) return indexPattern.test(token) ? value[Number(token)] : undefined
  if (!isObjectValue(value)) return undefined
  return Object.hasOwn(value, token) ? value[token] : undefined
}

/** Walks from a start (the input or a variable) along the tokens; costs one unit. */
export function readPath(node: SourceNode, start: Run, tokens: readonly string[], slot: number | undefined): Run {
  const path = { node, start, tokens, slot }
  return (frame) => {
    burn(frame, node)
    if (frame.lineage !== undefined) return tracedPath(frame, frame.lineage, path)
    let at = start(frame)
    for (const token of tokens) {
      if (at === undefined) break
      at = memberOf(at, token)
    }
    return at
  }
}

interface Path {
  node: SourceNode
  start: Run
  tokens: readonly string[]
  slot: number | undefined
}

function tracedPath(frame: Frame, lineage: Lineage, { node, start, tokens, slot }: Path): Value {
  lineage.note(node)
  let at = start(frame)
  if (slot !== undefined) lineage.readSlot(slot, at)
  for (const [index, token] of tokens.entries()) {
    if (at === undefined) break
    const container: Value = at
    at = memberOf(container, token)
    lineage.step(container, token, at, index < tokens.length - 1 ? 'on its way' : 'at its end')
  }
  return at
}
