/**
 * A JSON text laid out for reading: a member a line, indented. Nothing but the white space between tokens changes, so
 * numbers keep their digits, and a text that breaks off or has a mistake in it is still shown with all it has. Pure.
 */

/** Longer lines are not for reading. */
const longLineChars = 200
const indentation = '  '
/** Deeper values are not indented further: a text of brackets alone would grow by the square. */
const maxIndent = 40

export interface Layout {
  text: string
  /** Where a character of the original is now. */
  offsetOf(original: number): number
}

export function layOutJson(source: string): Layout {
  return new Writer(source).layOut()
}

/** Whether a text is JSON by its beginning, and has lines that nobody wrote for reading. */
export function isPackedJson(source: string): boolean {
  const first = /\S/.exec(source)?.[0]
  return (first === '{' || first === '[') && hasLongLine(source)
}

function hasLongLine(source: string): boolean {
  for (let from = 0; from < source.length; ) {
    const end = source.indexOf('\n', from)
    const to = end === -1 ? source.length : end
    if (to - from > longLineChars) return true
    from = to + 1
  }
  return false
}

/** Writes one token after the other, and notes where each began and where it is now, so that places can be mapped. */
class Writer {
  private readonly parts: string[] = []
  private readonly from: number[] = []
  private readonly to: number[] = []
  private length = 0
  private depth = 0

  constructor(private readonly source: string) {}

  layOut(): Layout {
    const token = /"(?:[^"\\]|\\[\s\S])*"?|[[\]{},:]|[^\s"[\]{},:]+/g
    let before = ''
    for (let match = token.exec(this.source); match !== null; match = token.exec(this.source)) {
      const [text] = match
      this.space(before, text)
      this.from.push(match.index)
      this.to.push(this.length)
      this.write(text)
      before = text
    }
    const { from, to } = this
    return {
      text: this.parts.join(''),
      offsetOf(original) {
        const index = lastAtMost(from, original)
        return (to[index] ?? 0) + original - (from[index] ?? 0)
      },
    }
  }

  private space(before: string, text: string): void {
    const opens = before === '{' || before === '['
    if (opens) this.depth++
    if (text === '}' || text === ']') {
      this.depth = Math.max(0, this.depth - 1)
      if (!opens) this.newLine()
    } else if (opens || before === ',') this.newLine()
    else if (before === ':') this.write(' ')
  }

  private newLine(): void {
    this.write(`\n${indentation.repeat(Math.min(this.depth, maxIndent))}`)
  }

  private write(text: string): void {
    this.parts.push(text)
    this.length += text.length
  }
}

/** The index of the last number that isn't greater; 0 if all are. */
function lastAtMost(ascending: readonly number[], wanted: number): number {
  let low = 0
  let high = ascending.length - 1
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if ((ascending[middle] ?? 0) <= wanted) low = middle
    else high = middle - 1
  }
  return low
}
