/** A text as rows of one height: lines too long for the box are cut, and a mark says below its line what is wrong. Pure. */

export interface SourceMark {
  /** 1-based. */
  line: number
  column?: number
  message?: string
}

export interface SourceRow {
  /** On the first row of a line. */
  line?: number
  text: string
  /** The line is marked. */
  isLit: boolean
  /** The marked part of the text: index of its first character, and of the one behind its last. */
  marked?: [from: number, to: number]
  /** A remark below a line, under this column of the box. */
  noteAt?: number
}

/** @param columns how many characters of one width the box has */
export function rowsOf(text: string, marks: readonly SourceMark[], columns: number): SourceRow[] {
  const byLine = Map.groupBy(marks, ({ line }) => line)
  const rows: SourceRow[] = []
  for (const [index, line] of text.split('\n').entries()) {
    const own = byLine.get(index + 1) ?? []
    const places = own.flatMap(({ column }) => (column === undefined ? [] : [tokenAt(line, column - 1)]))
    let from = 0
    do {
      const to = cutAfter(line, from, columns)
      const row: SourceRow = { text: line.slice(from, to), isLit: own.length > 0 }
      if (from === 0) row.line = index + 1
      const place = places.find(([start]) => start >= from && start < to)
      if (place !== undefined) row.marked = [place[0] - from, Math.min(place[1], to) - from]
      rows.push(row)
      from = to
    } while (from < line.length)
    for (const { column, message } of own) {
      if (message === undefined) continue
      const noteAt = Math.min(((column ?? 1) - 1) % columns, Math.floor(columns / 3))
      rows.push({ text: message, isLit: true, noteAt })
    }
  }
  return rows
}

function cutAfter(line: string, from: number, columns: number): number {
  const to = from + columns
  if (to >= line.length) return line.length
  // Never between the halves of a character.
  return /[\uD800-\uDBFF]/.test(line.charAt(to - 1)) ? to - 1 : to
}

/** The string, number or word at a place, or the one character. */
function tokenAt(line: string, from: number): [number, number] {
  const token = /^(?:"(?:[^"\\]|\\.)*"|[\w.+-]+)/.exec(line.slice(from))
  return [from, from + Math.max(1, token?.[0].length ?? 1)]
}
