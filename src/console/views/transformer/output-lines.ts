/** A JSON value as lines of text, each with the pointer of what it shows. Pure. */
import type { JsonValue } from '../../../core/json.ts'
import { joinPointer } from '../../../core/pointer.ts'

export interface OutputLine {
  indent: string
  /** With its quotes and colon; empty for items of a list. */
  name: string
  text: string
  /** Pointer of the value, for leaves. */
  pointer?: string
  kind: 'text' | 'value' | 'frame'
}

/** More than a page can show at once. */
export const maxLines = 4_000

export function outputLines(value: JsonValue): OutputLine[] {
  const lines: OutputLine[] = []
  write(lines, value, { pointer: '', name: '', indent: '', end: '' })
  return lines
}

/** Where a value is, and what its line has before and after it. */
interface Around {
  pointer: string
  name: string
  indent: string
  end: string
}

function write(lines: OutputLine[], value: JsonValue, { pointer, name, indent, end }: Around): void {
  if (lines.length >= maxLines) return
  const isArray = Array.isArray(value)
  const members: [string, JsonValue][] = isArray
    ? value.map((item, index) => [String(index), item])
    : typeof value === 'object' && value !== null
      ? Object.entries(value)
      : []
  if (members.length === 0) {
    const kind = typeof value === 'string' ? 'text' : 'value'
    lines.push({ indent, name, text: JSON.stringify(value) + end, pointer, kind })
    return
  }
  lines.push({ indent, name, text: isArray ? '[' : '{', kind: 'frame' })
  for (const [index, [key, member]] of members.entries()) {
    write(lines, member, {
      pointer: joinPointer(pointer, key),
      name: isArray ? '' : `${JSON.stringify(key)}: `,
      indent: `${indent}  `,
      end: index < members.length - 1 ? ',' : '',
    })
  }
  lines.push({ indent, name: '', text: (isArray ? ']' : '}') + end, kind: 'frame' })
}
