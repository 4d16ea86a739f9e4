/** Makes the edits that `links.ts` proposes, and changes nothing else in the texts. Pure. */

import { isMap, isScalar, type Node, type Pair, parseDocument, visit, type YAMLMap } from 'yaml'
import { joinPointer, parsePointer } from '../../../core/pointer.ts'
import { setAt } from '../../json-edit.ts'
import { type Fix, namePattern } from './links.ts'

export interface Texts {
  contract: string
  transformer: string
}

/** The texts with a fix in them; undefined if it doesn't fit what is written. */
export function applyFix(fix: Fix, texts: Texts): Texts | undefined {
  if (fix.kind === 'declare') {
    const contract = setAt(texts.contract, joinPointer(`${fix.parent}/properties`, fix.name), '{ "type": "string" }')
    return contract === undefined ? undefined : { ...texts, contract }
  }
  const transformer = inTransformer(fix, texts.transformer)
  return transformer === undefined || transformer === texts.transformer ? undefined : { ...texts, transformer }
}

function inTransformer(fix: Exclude<Fix, { kind: 'declare' }>, source: string): string | undefined {
  if (fix.kind === 'read-other') return withOtherName(source, fix)
  const map = outputMap(source, fix.at)
  if (map === undefined) return undefined
  if (fix.kind === 'add-output') return withEntry(source, map, fix.name, fix.reads)
  const name = fix.kind === 'rename-output' ? fix.from : fix.name
  const index = map.items.findIndex(({ key }) => isScalar(key) && String(key.value) === name)
  const pair = map.items[index]
  const range = rangeOf(pair?.key)
  if (pair === undefined || range === undefined) return undefined
  if (fix.kind === 'rename-output')
    return source.slice(0, range[0]) + keyLike(source, range, fix.to) + source.slice(range[1])
  return without(source, map, index)
}

/** Reads another name in the values on some lines. */
function withOtherName(source: string, { from, to, lines }: Extract<Fix, { kind: 'read-other' }>): string {
  const inPlace = (text: string, name: string) => text.replace(namePattern(from), () => name)
  const name = joinPointer('', to)
  const starts = [0, ...[...source.matchAll(/\n/g)].map(({ index }) => index + 1)]
  const lineAt = (offset: number) => starts.findLastIndex((start) => start <= offset) + 1
  const edits: { range: readonly [number, number]; text: string }[] = []
  visit(parseDocument(source, { schema: 'core' }), {
    Scalar(role, node) {
      const range = rangeOf(node)
      if (role === 'key' || range === undefined || typeof node.value !== 'string') return
      const [first, last] = [lineAt(range[0]), lineAt(Math.max(range[0], range[1] - 1))]
      if (!lines.some((line) => first <= line && line <= last)) return
      const text = source.slice(range[0], range[1])
      const { type, value } = node
      const written =
        type === 'QUOTE_DOUBLE'
          ? inPlace(text, JSON.stringify(name).slice(1, -1))
          : type === 'QUOTE_SINGLE'
            ? inPlace(text, name.replaceAll("'", "''"))
            : type === 'PLAIN' && !plainPattern.test(name)
              ? JSON.stringify(inPlace(value, name))
              : inPlace(text, name)
      if (inPlace(value, name) !== value) edits.push({ range, text: written })
    },
  })
  return edits.reduceRight((text, { range, text: put }) => text.slice(0, range[0]) + put + text.slice(range[1]), source)
}

/** A pointer that YAML takes without quotes for itself, in braces, too. */
const plainPattern = /^[/$\p{L}_][\p{L}\p{N}/_$~.-]*$/u

/** The map in the source that writes an object of the output; undefined if something else makes it. */
function outputMap(source: string, pointer: string): YAMLMap<Node, Node> | undefined {
  const root = parseDocument(source, { schema: 'core' }).contents
  let node: unknown = isMap(root) ? root.get('output', true) : undefined
  for (const token of parsePointer(pointer) ?? []) {
    if (!isMap(node)) return undefined
    node = token === '*' && node.has('$each') ? node.get('do', true) : node.get(token, true)
  }
  if (!isMap(node) || node.items.some(({ key }) => isScalar(key) && String(key.value).startsWith('$'))) return undefined
  return node as YAMLMap<Node, Node>
}

function withEntry(source: string, map: YAMLMap<Node, Node>, name: string, reads: string): string | undefined {
  const last = map.items.at(-1)
  const start = rangeOf(map.items[0]?.key)
  const end = endOf(last)
  if (last === undefined || start === undefined || end === undefined) return undefined
  const key = keyLike(source, start, name)
  const value = source[start[0]] === '"' || !plainPattern.test(reads) ? JSON.stringify(reads) : reads
  const entry = `${key}: ${value}`
  if (map.flow !== true) {
    const lineEnd = source.indexOf('\n', Math.max(start[0], end - 1))
    const at = lineEnd < 0 ? source.length : lineEnd
    const indent = start[0] - (source.lastIndexOf('\n', start[0] - 1) + 1)
    return `${source.slice(0, at)}\n${' '.repeat(indent)}${entry}${source.slice(at)}`
  }
  // In braces, on a line of its own if the others are.
  const before = source.slice(source.lastIndexOf('\n', start[0] - 1) + 1, start[0])
  const between = /^\s*$/.test(before) && source.slice(0, start[0]).includes('\n') ? `\n${before}` : ' '
  return `${source.slice(0, end)},${between}${entry}${source.slice(end)}`
}

function without(source: string, map: YAMLMap<Node, Node>, index: number): string | undefined {
  const pair = map.items[index]
  const [from, to] = [rangeOf(pair?.key)?.[0], endOf(pair)]
  // A map without entries would be another value.
  if (from === undefined || to === undefined || map.items.length < 2) return undefined
  if (map.flow !== true) {
    const lineStart = source.lastIndexOf('\n', from - 1) + 1
    const lineEnd = source.indexOf('\n', Math.max(from, to - 1))
    return source.slice(0, lineStart) + (lineEnd < 0 ? '' : source.slice(lineEnd + 1))
  }
  const next = rangeOf(map.items[index + 1]?.key)?.[0]
  const before = endOf(map.items[index - 1])
  return next === undefined
    ? source.slice(0, before ?? from) + source.slice(to)
    : source.slice(0, from) + source.slice(next)
}

/** A name as a key, quoted if the keys beside it are, or if it has to be. */
function keyLike(source: string, [from]: readonly [number, number], name: string): string {
  const isPlain = /^[A-Za-z_][\w-]*$/.test(name) && !/^(true|false|null)$/i.test(name)
  return source[from] === '"' || !isPlain ? JSON.stringify(name) : name
}

function rangeOf(node: unknown): [from: number, to: number] | undefined {
  const range = (node as Node | null | undefined)?.range
  return range === undefined || range === null ? undefined : [range[0], range[1]]
}

/** Where an entry ends, without what follows it. */
function endOf(pair: Pair<Node, Node> | undefined): number | undefined {
  return rangeOf(pair?.value)?.[1] ?? rangeOf(pair?.key)?.[1]
}
