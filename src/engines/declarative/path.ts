/** Reading by pointer while a transformer runs. */

import type { SourceNode } from '../../core/source/tree.ts'
import { burn, type Frame, type Run } from './frame.ts'
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
  const last = tokens.length - 1
  return (frame) => {
    burn(frame, node)
    if (frame.lineage !== undefined) return tracedPath(frame, node, start, tokens, slot)
    let at = start(frame)
    for (let index = 0; index <= last && at !== undefined; index++) at = memberOf(at, tokens[index]!)
    return at
  }
}

function tracedPath(
  frame: Frame,
  node: SourceNode,
  start: Run,
  tokens: readonly string[],
  slot: number | undefined,
): Value {
  const lineage = frame.lineage!
  lineage.note(node)
  let at = start(frame)
  if (slot !== undefined) lineage.readSlot(slot, at)
  for (let index = 0; index < tokens.length && at !== undefined; index++) {
    const container = at
    const token = tokens[index]!
    at = memberOf(container, token)
    lineage.step(container, token, at, index === tokens.length - 1)
  }
  return at
}
