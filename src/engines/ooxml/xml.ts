export type XmlNode = XmlElement | XmlText

/**
 * An element. Its four positions are offsets in the source string (see `XmlDocument.source`): `start` of `<`, `openEnd` after
 * the start tag's `>`, `closeStart` of the end tag's `<`, and `end` after its `>`. In a self-closing element, the last three
 * are equal.
 */
export interface XmlElement {
  kind: 'element'
  /**
   * Name with the prefix that Office itself uses (`w:p`, `wp:docPr`), whatever prefix the file declares and whether it
   * is strict or transitional. Elements of unknown namespaces keep the file's name.
   */
  name: string
  /** The name as the file has it. */
  written: string
  /** Namespace URI as the file has it; empty if there is none. */
  uri: string
  /** Values by name, prefixed in the same way; `xmlns` declarations included. */
  attributes: Record<string, string>
  /** Names as written, only for those attributes where they differ. */
  writtenAttributes: Record<string, string> | undefined
  /** The `xml:space` in force: the element's own, else that of the nearest element around it (XML 1.0, 2.10). */
  space: string | undefined
  children: XmlNode[]
  start: number
  openEnd: number
  closeStart: number
  end: number
}

/** Character data with its references resolved; `start` and `end` are offsets in the source. */
export interface XmlText {
  kind: 'text'
  text: string
  start: number
  end: number
}

/** A parsed part: the root element and the source string that all offsets refer to. */
export interface XmlDocument {
  root: XmlElement
  source: string
}

/** Elements that only hold text: most have an `xml:space` of their own, and no child inherits it. */
export const holdsText = /(?:^|:)(?:t|instrText|delText|delInstrText)$/

/** The first child element of that name. */
export function childNamed(element: XmlElement, name: string): XmlElement | undefined {
  for (const child of element.children) if (child.kind === 'element' && child.name === name) return child
  return undefined
}

/** A copy of the element without children. */
export function emptied(element: XmlElement): XmlElement {
  const { name, written, uri, attributes, writtenAttributes, space, start, openEnd, closeStart, end } = element
  const names = { kind: 'element' as const, name, written, uri, attributes, writtenAttributes, space }
  return { ...names, children: [], start, openEnd, closeStart, end }
}

/** All child elements of that name, or all there are. */
export function childElements(element: XmlElement, name?: string): XmlElement[] {
  const found: XmlElement[] = []
  for (const child of element.children) {
    if (child.kind === 'element' && (name === undefined || child.name === name)) found.push(child)
  }
  return found
}

/** All character data inside the element, in document order. */
export function textOf(element: XmlElement): string {
  let text = ''
  for (const child of element.children) text += child.kind === 'text' ? child.text : textOf(child)
  return text
}
