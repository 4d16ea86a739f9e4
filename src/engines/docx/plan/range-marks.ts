import type { XmlElement } from '../../ooxml/xml.ts'
import { lastIndexFrom } from '../scan/source.ts'

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
  return lone.map((mark) => source.slice(mark.start, mark.end)).join('')
}
