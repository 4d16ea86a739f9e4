/** Prints a converted document in its author's layout, so that a comparison shows only what was converted. */
import { isJsonObject, type JsonValue } from '../../../core/json.ts'

/** Which lists and objects of a text are on one line, by where they begin; and how it indents. */
export interface Layout {
  isInline(offset: number): boolean
  indent: string
  end: string
}

export function layoutOf(text: string): Layout {
  const inline = new Set<number>()
  const open: { offset: number; lines: number }[] = []
  let lines = 0
  for (const { 0: token, index } of text.matchAll(/"(?:[^"\\]|\\.)*"|[[\]{}\n]/g)) {
    if (token === '\n') lines++
    else if (token === '[' || token === '{') open.push({ offset: index, lines })
    else if (token === ']' || token === '}') {
      const began = open.pop()
      if (began !== undefined && began.lines === lines) inline.add(began.offset)
    }
  }
  // A text on a single line was written for programs; what is converted is read.
  const isPacked = !text.trim().includes('\n')
  return {
    isInline: (offset) => !isPacked && inline.has(offset),
    indent: /\n([ \t]+)"/.exec(text)?.[1] ?? '  ',
    end: isPacked || text.endsWith('\n') ? '\n' : '',
  }
}

export function printJson(value: JsonValue, layout: Layout, isInline: (value: JsonValue) => boolean): string {
  const print = (at: JsonValue, margin: string): string => {
    if (!Array.isArray(at) && !isJsonObject(at)) return JSON.stringify(at)
    const [start, end] = Array.isArray(at) ? '[]' : '{}'
    const inner = margin + layout.indent
    const isShort = isInline(at)
    const members = Array.isArray(at)
      ? at.map((item) => print(item, inner))
      : Object.entries(at).map(([key, item]) => `${JSON.stringify(key)}: ${print(item, inner)}`)
    if (members.length === 0) return `${start}${end}`
    if (!isShort) return `${start}\n${inner}${members.join(`,\n${inner}`)}\n${margin}${end}`
    return Array.isArray(at) ? `[${members.join(', ')}]` : `{ ${members.join(', ')} }`
  }
  return print(value, '') + layout.end
}
