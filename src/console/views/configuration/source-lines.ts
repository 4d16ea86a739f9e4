/** Lines of a source by what they say. Pure. */
import { isMap, isSeq, LineCounter, type Node, parseDocument } from 'yaml'
import { parsePointer } from '../../../core/pointer.ts'

/** JSON is YAML, so one reader finds the line of a pointer in both. */
export function lineOfPointer(source: string, pointer: string | undefined): number | undefined {
  const tokens = pointer === undefined || pointer === '' ? undefined : parsePointer(pointer)
  if (tokens === undefined) return undefined
  const lines = new LineCounter()
  let node: unknown = parseDocument(source, { schema: 'core', lineCounter: lines }).contents
  let offset: number | undefined
  for (const token of tokens) {
    const next: unknown = isSeq(node) ? node.get(Number(token), true) : isMap(node) ? node.get(token, true) : undefined
    if (next === undefined) break
    node = next
    offset = (node as Node | null)?.range?.[0]
  }
  return offset === undefined ? undefined : lines.linePos(offset).line
}
