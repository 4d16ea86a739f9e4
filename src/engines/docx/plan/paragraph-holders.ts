/** Elements that must end with a paragraph. */
import type { XmlElement } from '../../ooxml/xml.ts'
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
  return paragraphHolders.has(holder.name) && (lastElement(holder) === paragraph || onlyBlock(holder) === paragraph)
}

/** What an element holds beside its properties and the ends of bookmarks and the like; undefined where that is not one. */
function onlyBlock(holder: XmlElement): XmlElement | undefined {
  const known = onlyBlocks.get(holder)
  if (known !== undefined) return known.block
  const block = findOnlyBlock(holder)
  onlyBlocks.set(holder, { block })
  return block
}

/** Each paragraph of an element asks, and a hostile one begins with hundreds of thousands of marks. */
const onlyBlocks = new WeakMap<XmlElement, { block: XmlElement | undefined }>()

function findOnlyBlock({ children }: XmlElement): XmlElement | undefined {
  let only: XmlElement | undefined
  for (const child of children) {
    if (child.kind === 'text' || isRangeMark(child) || child.name === 'w:tcPr') continue
    if (only !== undefined) return undefined
    only = child
  }
  return only
}

export function lastElement(element: XmlElement): XmlElement | undefined {
  return element.children.findLast((child) => child.kind === 'element')
}
