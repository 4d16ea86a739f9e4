import type { Finding } from '../../../core/finding.ts'
import type { XmlElement } from '../../ooxml/xml.ts'
import { placeOf } from '../scan/paragraphs.ts'
import { lastIndexFrom } from '../scan/source.ts'
import type { Item } from './items.ts'

/** A block may hold whole fields only: half of one would leave its begin or its end mark without the other. */
export function reportDividedFields(part: string, root: XmlElement, items: Item[], findings: Finding[]): void {
  const marks = new FieldMarks(root)
  if (marks.isEmpty) return
  for (const item of items) {
    const tag = item.kind === 'block' ? item.tag : item.kind === 'cut' ? item.comment : undefined
    if (tag === undefined) continue
    const { start, end } = item.kind === 'cut' ? (item.of ?? item) : item
    // Of a comment that is taken out in pieces, once for all of them.
    if (item.start !== start) continue
    const middles = item.kind === 'block' ? item.middles : []
    const starts = [start, ...middles.map((middle) => middle.end)]
    const ends = [...middles.map((middle) => middle.start), end]
    if (starts.every((from, index) => marks.isBalanced(from, ends[index] ?? end))) continue
    findings.push({
      code: 'docx.misplaced',
      severity: 'error',
      message: `${tag.raw} begins or ends inside of a field.`,
      hint: 'Put both tags of the block inside of the text of the field, or both outside of it.',
      path: placeOf(part, tag.paragraph, tag.from),
    })
  }
}

/** Begin and end marks of complex fields (ECMA-376 part 1, 17.16.18), in document order. */
class FieldMarks {
  private readonly marks: Mark[] = []

  constructor(root: XmlElement) {
    let depth = 0
    const walk = (element: XmlElement) => {
      const type = element.name === 'w:fldChar' ? element.attributes['w:fldCharType'] : undefined
      if (type === 'begin' || type === 'end') {
        const after = depth + (type === 'begin' ? 1 : -1)
        this.marks.push({ offset: element.start, before: depth, after, fall: Number.POSITIVE_INFINITY })
        depth = after
      }
      for (const child of element.children) if (child.kind === 'element') walk(child)
    }
    walk(root)
    this.findFalls()
  }

  /**
   * Goes from the last mark to the first; `waiting` is a stack of later marks, each with fewer fields open after it
   * than the next.
   */
  private findFalls(): void {
    const waiting: { index: number; after: number }[] = []
    for (const [index, mark] of [...this.marks.entries()].reverse()) {
      waiting.push({ index, after: mark.after })
      while ((waiting[waiting.length - 1]?.after ?? Number.NEGATIVE_INFINITY) >= mark.before) waiting.pop()
      mark.fall = waiting[waiting.length - 1]?.index ?? Number.POSITIVE_INFINITY
    }
  }

  get isEmpty(): boolean {
    return this.marks.length === 0
  }

  /** Whether every field that begins in the range ends in it, and the reverse. */
  isBalanced(start: number, end: number): boolean {
    const first = this.firstFrom(start)
    const stop = this.firstFrom(end)
    if (this.depthBefore(first) !== this.depthBefore(stop)) return false
    return first >= stop || (this.marks[first]?.fall ?? stop) >= stop
  }

  /** Fields open before a mark, or after the last. */
  private depthBefore(index: number): number {
    return this.marks[index]?.before ?? this.marks[this.marks.length - 1]?.after ?? 0
  }

  /** Index of the first mark at or behind the offset. */
  private firstFrom(offset: number): number {
    return lastIndexFrom(this.marks, (mark) => mark.offset, offset - 1) + 1
  }
}

interface Mark {
  offset: number
  /** Fields open before it, and after it. */
  before: number
  after: number
  /** Index of the next mark that leaves fewer fields open than there were before this one. */
  fall: number
}
