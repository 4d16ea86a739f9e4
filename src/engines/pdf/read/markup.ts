import { childElements, childNamed, emptied, textOf, type XmlElement, type XmlNode } from '../../ooxml/xml.ts'
import { parseXml } from '../../ooxml/xml-parser.ts'

/** Elements that are read as their content alone. */
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
  'w:smartTagPr',
  'w:customXmlPr',
  'w:sectPr',
  'w:subDoc',
  'mc:AlternateContent',
])

/** Elements of paragraphs whose text is also shown where they stand alone: between paragraphs or inside a run. */
export const inlines = new Set(['w:r', 'w:t', 'w:hyperlink', 'w:fldSimple', 'm:oMath', 'm:oMathPara'])

/** Extensions whose content is understood, or may be left out without harm. */
const supported = new Set(['wps', 'wpg', 'wpc', 'wp14', 'w14', 'w15', 'a14', 'c14', 'v'])

/** The child elements, with those of the chosen alternative in place of each `mc:AlternateContent`, at any level. */
export function contentOf(element: XmlElement): XmlElement[] {
  const { children } = element
  // Most elements hold nothing else, and a long document has a hundred thousand.
  if (children.every(isPlain)) return children
  return childElements(element).flatMap((child) =>
    child.name === 'mc:AlternateContent' ? contentOf(chooseAlternative(child)) : [child],
  )
}

function isPlain(node: XmlNode): node is XmlElement {
  return node.kind === 'element' && node.name !== 'mc:AlternateContent'
}

/** The element itself, or a copy whose alternatives are chosen. */
export function withChoices(element: XmlElement): XmlElement {
  return childNamed(element, 'mc:AlternateContent') ? { ...emptied(element), children: contentOf(element) } : element
}

/** How to treat elements of unknown vocabularies (ECMA-376 part 3, 7.2 and 7.3), as the part's root states it. */
export class ForeignContent {
  private readonly shown = new Set<string>()
  private readonly ignored = new Set<string>()

  /** @param source the part's XML; names of unknown vocabularies have the prefixes that its root declares */
  constructor(source: string) {
    const start = source.search(/<[^?!]/)
    const tag = source.slice(start, source.indexOf('>', start)).replace(/\/$/, '')
    const root = start < 0 ? undefined : parseXml(`${tag}/>`)
    if (!root?.ok) return
    for (const name of wordsOf(root.value.attributes['mc:ProcessContent'])) this.shown.add(name)
    for (const prefix of wordsOf(root.value.attributes['mc:Ignorable'])) this.ignored.add(prefix)
  }

  /** True for an element that is read as its content alone. */
  isTransparent(name: string): boolean {
    if (this.shown.size === 0) return false
    return this.shown.has(name) || this.shown.has(`${prefixOf(name)}:*`)
  }

  /** True for an element that shows nothing, which is no reason for a remark. */
  isIgnored(name: string): boolean {
    return this.ignored.has(prefixOf(name))
  }
}

function prefixOf(name: string): string {
  return name.slice(0, Math.max(0, name.indexOf(':')))
}

function wordsOf(list: string | undefined): string[] {
  return (list ?? '').split(/\s+/).filter((word) => word !== '')
}

/** The first alternative whose requirements we know, else the fallback (ECMA-376 part 3, 9.3). */
export function chooseAlternative(element: XmlElement): XmlElement {
  for (const choice of childElements(element, 'mc:Choice')) {
    const required = (choice.attributes.Requires ?? '').split(/\s+/)
    if (required.every((prefix) => supported.has(prefix))) return choice
  }
  return childNamed(element, 'mc:Fallback') ?? emptied(element)
}

const otherSpaces = /[\t\n\r]+/g

/** The text of a `w:t`, with tabs and line ends as blanks. Blanks at its ends are markup unless `xml:space` preserves them. */
export function runText(element: XmlElement): string {
  const text = textOf(element).replace(otherSpaces, ' ')
  if (element.space === 'preserve') return text
  let [from, to] = [0, text.length]
  while (from < to && text[from] === ' ') from++
  while (to > from && text[to - 1] === ' ') to--
  return text.slice(from, to)
}
