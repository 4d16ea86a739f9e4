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

/** What an element ends with before the ends of bookmarks and the like; undefined where a paragraph before it would do. */
function endBeforeMarks(holder: XmlElement): XmlElement | undefined {
  const known = endings.get(holder)
  if (known !== undefined) return known.end
  const elements = childElements(holder).filter((child) => !isRangeMark(child))
  const end = elements.pop()
  const ending = { end: elements.at(-1)?.name === 'w:p' ? undefined : end }
  endings.set(holder, ending)
  return ending.end
}

/** Each paragraph of an element asks, and a hostile one has hundreds of thousands of them, and of marks. */
const endings = new WeakMap<XmlElement, { end: XmlElement | undefined }>()

export function lastElement(element: XmlElement): XmlElement | undefined {
  return element.children.findLast((child) => child.kind === 'element')
}
