import type { XmlElement } from '../../ooxml/xml.ts'
import { carrier, elementsAround } from '../scan/own-declarations.ts'
import { lastIndexFrom } from '../scan/source.ts'
import type { Item } from './items.ts'
import { cut } from './segments.ts'

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

/** The marks inside an element, in document order. */
export function rangeMarksIn(element: XmlElement): XmlElement[] {
  return element.children.flatMap((child) => {
    if (child.kind === 'text') return []
    return isRangeMark(child) ? [child] : rangeMarksIn(child)
  })
}

/** A mark's text in the place of an element that held it. */
export function markOutside(element: XmlElement, mark: XmlElement, source: string): string {
  return carrier(elementsAround(element, mark), [])(mark, source)
}

/** Takes out an element except its marks, which stay and declare what they had from it. `put` is what comes first in its place. */
export function cutExceptMarks(element: XmlElement, source: string, put: (range: Range) => Item = cut): Item[] {
  const items: Item[] = []
  let { start } = element
  for (const mark of [...rangeMarksIn(element), undefined]) {
    const end = mark?.start ?? element.end
    if (start === element.start) items.push(put({ start, end }))
    else if (end > start) items.push(cut({ start, end }))
    if (mark === undefined) break
    const head = mark.start + 1 + mark.written.length
    const written = markOutside(element, mark, source)
    const text = written.slice(head - mark.start, written.length - (mark.end - head))
    if (text !== '') items.push({ kind: 'cut', start: head, end: head, text })
    start = mark.end
  }
  return items
}

interface Range {
  start: number
  end: number
}

/** The marks in a stretch of an element that is taken out whose other half stays. */
export function loneMarks(element: XmlElement, { start, end }: { start: number; end: number }, source: string): string {
  const inside: XmlElement[] = []
  const walk = ({ children }: XmlElement) => {
    for (
      let at = Math.max(
        0,
        lastIndexFrom(children, (child) => child.start, start),
      );
      at < children.length;
      at++
    ) {
      const child = children[at]
      if (child === undefined || child.start >= end) break
      if (child.kind === 'text' || child.end <= start) continue
      if (!isRangeMark(child)) walk(child)
      else if (child.start >= start) inside.push(child)
    }
  }
  walk(element)
  const keyOf = ({ name, attributes }: XmlElement) => `${name.replace(/Start$|End$/, '')} ${attributes['w:id']}`
  const counts = Map.groupBy(inside, keyOf)
  const lone = inside.filter((mark) => counts.get(keyOf(mark))?.length === 1)
  return lone.map((mark) => carrier(elementsAround(element, mark).slice(0, -1), [])(mark, source)).join('')
}
