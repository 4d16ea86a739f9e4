import { Decimal } from '../decimal.ts'
import type { ListNode, MapNode, SourceNode } from './tree.ts'

const numberToken = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y
const blank = /[ \t\n\r]*/y

/**
 * The tree of a JSON text that `readJson` has accepted (so form, depth, numbers and keys need no second check), with
 * every value's offset.
 */
export function readJsonTree(text: string): SourceNode {
  let at = 0

  function skipBlank(): void {
    blank.lastIndex = at
    blank.test(text)
    at = blank.lastIndex
  }

  function readString(): string {
    const start = at
    at++
    while (text[at] !== '"') at += text[at] === '\\' ? 2 : 1
    at++
    return JSON.parse(text.slice(start, at)) as string
  }

  function readMap(map: MapNode): MapNode {
    at++
    skipBlank()
    while (text[at] !== '}') {
      const keyOffset = at
      const key = readString()
      skipBlank()
      at++
      const entry = { key, keyOffset, value: readValue(map, key) }
      map.entries.push(entry)
      map.byKey.set(key, entry)
      skipBlank()
      if (text[at] === ',') at++
      skipBlank()
    }
    at++
    return map
  }

  function readList(list: ListNode): ListNode {
    at++
    skipBlank()
    while (text[at] !== ']') {
      list.items.push(readValue(list, list.items.length))
      skipBlank()
      if (text[at] === ',') at++
      skipBlank()
    }
    at++
    return list
  }

  function readValue(parent: SourceNode | undefined, key: string | number): SourceNode {
    skipBlank()
    const place = { offset: at, parent, key }
    if (text[at] === '{') return readMap({ kind: 'map', entries: [], byKey: new Map(), ...place })
    if (text[at] === '[') return readList({ kind: 'list', items: [], ...place })
    if (text[at] === '"') {
      const value = readString()
      return { kind: 'scalar', value, text: value, ...place }
    }
    for (const [word, value] of [
      ['true', true],
      ['false', false],
      ['null', null],
    ] as const) {
      if (!text.startsWith(word, at)) continue
      at += word.length
      return { kind: 'scalar', value, text: word, ...place }
    }
    numberToken.lastIndex = at
    const digits = numberToken.exec(text)?.[0] ?? '0'
    at += digits.length
    return { kind: 'scalar', value: Decimal.parse(digits) ?? Decimal.zero, text: digits, ...place }
  }

  return readValue(undefined, '')
}
