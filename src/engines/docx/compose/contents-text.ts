import { limits } from '../../../core/limits.ts'
import { withoutMarks } from '../../../core/marks.ts'
import type { XmlElement } from '../../ooxml/xml.ts'

/** A text of at most `limits.contentsHeadingChars`; a longer one ends in an ellipsis. */
export function cut(text: string): string {
  return text.length <= limits.contentsHeadingChars
    ? text
    : `${text.slice(0, limits.contentsHeadingChars - 1).replace(/[\ud800-\udbff]$/, '')}…`
}

/** The text of a paragraph as it reads, without field codes. With `after`, only the text behind that run. */
export function resultText(paragraph: XmlElement, after?: XmlElement): string {
  let text = ''
  const walk = (element: XmlElement) => {
    for (const child of element.children) {
      if (child.kind === 'text' || silent.has(child.name)) continue
      if (after !== undefined && child.start >= after.start && child.end <= after.end) {
        text = ''
      } else if (child.name === 'w:t') {
        for (const node of child.children) if (node.kind === 'text') text += node.text
      } else if (child.name === 'w:tab' || child.name === 'w:br' || child.name === 'w:cr') text += ' '
      else if (child.name === 'w:noBreakHyphen') text += '-'
      else walk(child)
    }
  }
  walk(paragraph)
  return withoutMarks(text)
}

/** Elements whose text is not part of the heading's. */
const silent = new Set([
  'w:pPr',
  'w:rPr',
  'w:del',
  'w:moveFrom',
  'w:txbxContent',
  'mc:AlternateContent',
  'w:pict',
  'w:drawing',
  'w:instrText',
])
