import { childElements, childNamed, emptied, textOf, type XmlElement } from '../../ooxml/xml.ts'

/** Elements whose content belongs to what is around them. */
export const transparent = new Set(['w:smartTag', 'w:customXml', 'w:ins', 'w:moveTo', 'w:dir', 'w:bdo'])
/** Elements that show nothing by themselves, or whose content is not part of the final text. */
export const silent = new Set([
  'w:pPr',
  'w:rPr',
  'w:del',
  'w:moveFrom',
  'w:bookmarkEnd',
  'w:proofErr',
  'w:commentRangeStart',
  'w:commentRangeEnd',
  'w:permStart',
  'w:permEnd',
  'w:lastRenderedPageBreak',
  'w:moveFromRangeStart',
  'w:moveFromRangeEnd',
  'w:moveToRangeStart',
  'w:moveToRangeEnd',
  'w:customXmlInsRangeStart',
  'w:customXmlInsRangeEnd',
  'w:customXmlDelRangeStart',
  'w:customXmlDelRangeEnd',
  'w:sdtPr',
  'w:sdtEndPr',
  'w:tblPr',
  'w:tblGrid',
  'w:trPr',
  'w:tcPr',
  'w:tblPrEx',
  'w:annotationRef',
  'w:commentReference',
  'w:delText',
  'w:delInstrText',
  'w:fldData',
  'w:softHyphen',
  'w:smartTagPr',
  'w:customXmlPr',
  'w:sectPr',
  'w:subDoc',
  'mc:AlternateContent',
])

/** Extensions whose content is understood, or may be left out without harm. */
const supported = new Set(['wps', 'wpg', 'wpc', 'wp14', 'w14', 'w15', 'a14', 'c14', 'v'])

/** The first alternative whose requirements we know, else the fallback (ECMA-376 part 3, 9.3). */
export function chooseAlternative(element: XmlElement): XmlElement {
  for (const choice of childElements(element, 'mc:Choice')) {
    const required = (choice.attributes.Requires ?? '').split(/\s+/)
    if (required.every((prefix) => supported.has(prefix))) return choice
  }
  return childNamed(element, 'mc:Fallback') ?? emptied(element)
}

/** The text of a `w:t`; unless `xml:space` preserves them, the blanks at its ends are markup; other spaces are not. */
export function runText(element: XmlElement): string {
  const text = textOf(element).replace(/[\t\n\r]+/g, ' ')
  if (element.space === 'preserve') return text
  let [from, to] = [0, text.length]
  while (from < to && text[from] === ' ') from++
  while (to > from && text[to - 1] === ' ') to--
  return text.slice(from, to)
}
