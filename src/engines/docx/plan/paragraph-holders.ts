/** Elements that must end with a paragraph. */
import type { XmlElement } from '../../ooxml/xml.ts'

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
  return paragraphHolders.has(holder.name) && lastElement(holder) === paragraph
}

export function lastElement(element: XmlElement): XmlElement | undefined {
  return element.children.findLast((child) => child.kind === 'element')
}
