/** Small changes of a source's text. */
import type { MapEntry, MapNode, ScalarNode, SourceNode } from '../../core/source/tree.ts'

/** The text from `start` to `end` becomes `text`. */
export interface Edit {
  start: number
  end: number
  text: string
  /** JSON Pointer of what is changed: cases that reach it may notice. */
  at: string
  /** What kind of change it is, in a few words. */
  what: string
}

export function edited(source: string, { start, end, text }: Edit): string {
  return source.slice(0, start) + text + source.slice(end)
}

/** The source range of a scalar, with its quotes; undefined for block scalars and text over several lines. */
export function spanOf(
  source: string,
  { offset, text }: ScalarNode,
): { start: number; end: number; quote: string } | undefined {
  const quote = source.charAt(offset)
  if (quote !== '"' && quote !== "'") {
    return text !== '' && source.startsWith(text, offset)
      ? { start: offset, end: offset + text.length, quote: '' }
      : undefined
  }
  for (let at = offset + 1; at < source.length && source.charAt(at) !== '\n'; at++) {
    if (quote === '"' && source.charAt(at) === '\\') at++
    else if (source.charAt(at) === quote) {
      if (quote === "'" && source.charAt(at + 1) === quote) at++
      else return { start: offset, end: at + 1, quote }
    }
  }
  return undefined
}

/** A text as it is written in a source: in quotes wherever it could be taken for something else. */
export function written(value: string, quote: string): string {
  const isPlain = /^[\p{L}][\p{L}\p{N} _.-]*$/u.test(value) && !/^(?:true|false|null|yes|no)$|\s$/i.test(value)
  return quote === '' && isPlain ? value : JSON.stringify(value)
}

/** The range to cut to remove an entry from a mapping; undefined if no cut does that. */
export function withoutEntry(
  source: string,
  map: MapNode,
  entry: MapEntry,
): { start: number; end: number } | undefined {
  const next = map.entries[map.entries.indexOf(entry) + 1]
  const lineStart = source.lastIndexOf('\n', entry.keyOffset - 1) + 1
  const indent = source.slice(lineStart, entry.keyOffset)
  const sharesLine = next !== undefined && !source.slice(entry.keyOffset, next.keyOffset).includes('\n')
  if (/^ *$/.test(indent) && !sharesLine && !isJson(source)) {
    return { start: lineStart, end: endOfBlock(source, entry, indent.length) }
  }
  if (next !== undefined) return { start: entry.keyOffset, end: next.keyOffset }
  // The comma before the last one goes with it, where the end of its value is known.
  const span = entry.value.kind === 'scalar' ? spanOf(source, entry.value) : undefined
  const comma = /,\s*$/.exec(source.slice(0, entry.keyOffset))
  return span === undefined || comma === null ? undefined : { start: comma.index, end: span.end }
}

/** The range to cut to remove an item from a sequence on one line or in JSON; undefined for the last one. */
export function withoutItem(items: readonly SourceNode[], index: number): { start: number; end: number } | undefined {
  const [item, next] = [items[index], items[index + 1]]
  return item === undefined || next === undefined ? undefined : { start: item.offset, end: next.offset }
}

function isJson(source: string): boolean {
  return /^\s*\{/.test(source)
}

/** The end of the last line that belongs to an entry of a block mapping. */
function endOfBlock(source: string, { keyOffset, value }: MapEntry, indent: number): number {
  let end = lineEnd(source, keyOffset)
  for (let at = end; at < source.length; ) {
    const stop = lineEnd(source, at)
    const line = source.slice(at, stop)
    const depth = /^ */.exec(line)?.[0].length ?? 0
    const isBlank = line.trim() === ''
    const isItem = value.kind === 'list' && depth === indent && line.trimStart().startsWith('-')
    if (!isBlank && depth <= indent && !isItem) break
    at = stop
    if (!isBlank) end = stop
  }
  return end
}

function lineEnd(source: string, offset: number): number {
  const at = source.indexOf('\n', offset)
  return at < 0 ? source.length : at + 1
}
