import type { XmlElement } from '../../ooxml/xml.ts'
import { carrier } from '../scan/own-declarations.ts'
import { lastIndexFrom } from '../scan/source.ts'
import type { Item, Replacement, Seam } from './items.ts'

/** Marks that pair up over paragraphs and so outlive the paragraph they are in. */
const rangeMarks = new Set([
  'w:bookmarkStart',
  'w:bookmarkEnd',
  'w:commentRangeStart',
  'w:commentRangeEnd',
  'w:permStart',
  'w:permEnd',
  'w:moveFromRangeStart',
  'w:moveFromRangeEnd',
  'w:moveToRangeStart',
  'w:moveToRangeEnd',
])

export function isRangeMark({ name }: XmlElement): boolean {
  return rangeMarks.has(name)
}

interface Range {
  start: number
  end: number
}

/** A mark, and the elements around it, innermost first, up to the one it was looked for in. */
interface RangeMark {
  mark: XmlElement
  around: readonly XmlElement[]
}

/** The marks that begin in a stretch of an element, in document order. */
function rangeMarksIn(element: XmlElement, { start, end }: Range = element): RangeMark[] {
  const found: RangeMark[] = []
  const path: XmlElement[] = []
  const walk = (holder: XmlElement) => {
    path.push(holder)
    const { children } = holder
    // One for all marks of a holder: a hostile one has hundreds of thousands.
    let around: readonly XmlElement[] | undefined
    const first = lastIndexFrom(children, (child) => child.start, start)
    for (let at = Math.max(0, first); at < children.length; at++) {
      const child = children[at]
      if (child === undefined || child.start >= end) break
      if (child.kind === 'text' || child.end <= start) continue
      if (!isRangeMark(child)) walk(child)
      else if (child.start >= start) {
        around ??= path.toReversed()
        found.push({ mark: child, around })
      }
    }
    path.pop()
  }
  walk(element)
  return found
}

/** Removes an element but keeps its range marks. `put` makes the replacement of the first piece. */
export function cutExceptMarks(element: XmlElement, source: string, put?: (range: Range) => Replacement): Item[] {
  return cutExcept(rangeMarksIn(element), element, { source, put })
}

/** The same for a stretch of an element that is divided there, before and behind. */
export function cutExceptMarksIn(element: XmlElement, range: Range, source: string): Item[] {
  const marks = rangeMarksIn(element, range).filter(({ mark }) => mark.end <= range.end)
  return cutExcept(marks, range, { source })
}

/** Removes a range of an element but keeps the marks whose other half stays; these end up directly in the element. */
export function cutExceptLoneMarks(element: XmlElement, range: Range, source: string, seam: Seam): Item[] {
  const marks = loneMarks(element, range).map(({ mark, around }) => ({ mark, around: around.slice(0, -1) }))
  return cutExcept(marks, range, { source, seam })
}

interface Cutting {
  source: string
  /** What takes the place of the first stretch. */
  put?: ((range: Range) => Replacement) | undefined
  /** What is closed before and opened behind. */
  seam?: Seam
}

/** Marks keep their place in the source, since copies need other ids. They take over declarations from removed elements. */
function cutExcept(
  marks: readonly RangeMark[],
  { start, end }: Range,
  { source, put, seam = { close: '', open: '' } }: Cutting,
): Item[] {
  const items: Item[] = []
  const of = { start, end }
  let at = start
  let text = seam.close
  for (const { mark, around } of marks) {
    const range = { start: at, end: mark.start }
    items.push(at === start && put !== undefined ? { ...put(range), of } : { kind: 'cut', ...range, text, of })
    const head = mark.start + 1 + mark.written.length
    const written = carrier(around, [])(mark, source)
    const declared = written.slice(head - mark.start, written.length - (mark.end - head))
    // In the place of the mark's name, so that only the outermost of all that goes around it writes it.
    if (declared !== '') {
      items.push({
        kind: 'cut',
        start: mark.start,
        end: head,
        text: written.slice(0, head - mark.start) + declared,
        of,
      })
    }
    at = mark.end
    text = ''
  }
  const rest = { start: at, end }
  items.push(
    at === start && put !== undefined ? { ...put(rest), of } : { kind: 'cut', ...rest, text: text + seam.open, of },
  )
  return items
}

/** The marks in a stretch of an element whose other half is not in it. */
function loneMarks(element: XmlElement, range: Range): RangeMark[] {
  const inside = rangeMarksIn(element, range)
  const keyOf = ({ mark: { name, attributes } }: RangeMark) =>
    `${name.replace(/Start$|End$/, '')} ${attributes['w:id']}`
  const counts = Map.groupBy(inside, keyOf)
  return inside.filter((held) => counts.get(keyOf(held))?.length === 1)
}
