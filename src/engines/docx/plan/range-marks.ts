import type { XmlElement } from '../../ooxml/xml.ts'

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
