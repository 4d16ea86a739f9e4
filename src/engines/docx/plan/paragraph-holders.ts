/** Elements that must end with a paragraph. */
import { childElements, type XmlElement } from '../../ooxml/xml.ts'
import { isRangeMark } from './range-marks.ts'

export const paragraphHolders: ReadonlySet<string> = new Set([
  'w:tc',
  'w:hdr',
  'w:ftr',
  'w:txbxContent',
  'w:footnote',
  'w:endnote',
  'w:comment',
  'w:sdtContent',
])

/** Whether the element around a paragraph must keep it. */
export function isLastParagraph(paragraph: XmlElement, holder: XmlElement): boolean {
  return (
    paragraphHolders.has(holder.name) && (lastElement(holder) === paragraph || endBeforeMarks(holder) === paragraph)
  )
}

/**
 * The last element that is no range mark, such as a bookmark’s end; undefined if a paragraph precedes it and can end the
 * holder.
 */
function endBeforeMarks(holder: XmlElement): XmlElement | undefined {
  const known = endings.get(holder)
  if (known !== undefined) return known.end
  const elements = childElements(holder).filter((child) => !isRangeMark(child))
  const end = elements.pop()
  const ending = { end: elements.at(-1)?.name === 'w:p' ? undefined : end }
  endings.set(holder, ending)
  return ending.end
}

/** Cached because every paragraph asks, and a hostile file has hundreds of thousands of paragraphs and marks. */
const endings = new WeakMap<XmlElement, { end: XmlElement | undefined }>()

export function lastElement(element: XmlElement): XmlElement | undefined {
  return element.children.findLast((child) => child.kind === 'element')
}
