import { childElements, childNamed, type XmlElement } from '../../ooxml/xml.ts'
import { parseXmlDocument } from '../../ooxml/xml-parser.ts'
import { carrier } from '../scan/own-declarations.ts'

/**
 * When the text of the last section is gone, the break before it would open an empty page. The section before becomes the
 * last one: its properties move to the end of the body (ECMA-376 part 1, 17.6.17). Any other text is returned unchanged.
 */
export function withLastSection(text: string): string {
  if (!mayEndTwice(text)) return text
  const parsed = parseXmlDocument(text)
  if (!parsed.ok) return text
  const { root, source } = parsed.value
  const body = childNamed(root, 'w:body')
  const [paragraph, last] = body === undefined ? [] : childElements(body).slice(-2)
  if (body === undefined || paragraph?.name !== 'w:p' || !isSection(last)) return text
  const properties = childNamed(paragraph, 'w:pPr')
  const section = properties && childNamed(properties, 'w:sectPr')
  if (properties === undefined || !isSection(section)) return text
  const moved = carrier([properties, paragraph], [body, root])(section, source)
  const kept = source.slice(0, section.start) + source.slice(section.end, paragraph.end)
  return kept + moved + source.slice(body.closeStart)
}

/** Tracked changes hold a second one inside, which stays unchanged. */
function isSection(element: XmlElement | undefined): element is XmlElement {
  return element?.name === 'w:sectPr' && childNamed(element, 'w:sectPrChange') === undefined
}

/** Whether a paragraph with section properties may come right before the body's own. Only then is the text parsed. */
function mayEndTwice(text: string): boolean {
  const end = Math.max(text.lastIndexOf('</p>'), text.lastIndexOf(':p>'))
  const isLast = /^[^>]*>\s*<(?:[^\s<>/:]+:)?sectPr[\s/>]/.test(text.slice(end))
  if (!isLast) return false
  // Look for the whole end tag: names, texts and attributes inside the paragraph may also end in `p>`.
  const start = text.lastIndexOf('<', end)
  const before = text.lastIndexOf(`${text.slice(start, end)}${text.startsWith('<', end) ? '</p>' : ':p>'}`, start - 1)
  return text.lastIndexOf('sectPr', end) > before
}
