import { relationshipType } from '../ooxml/namespaces.ts'
import type { OoxmlPackage } from '../ooxml/package.ts'
import { childElements, childNamed, type XmlElement } from '../ooxml/xml.ts'

/** What rich text and numbering need to know of a template's styles. */
export interface Styles {
  /** Style ids of the headings 1 to 6; undefined where the template has none. */
  headings: readonly (string | undefined)[]
  hyperlink: string | undefined
  tableGrid: string | undefined
  /** Numbering that a paragraph style brings with it, its own or that of the style it is based on. */
  numbered: ReadonlyMap<string, { numId: string; level: number }>
  defaultParagraph: string | undefined
}

export const noStyles: Styles = {
  headings: [],
  hyperlink: undefined,
  tableGrid: undefined,
  numbered: new Map(),
  defaultParagraph: undefined,
}

/** The part that the main document is related to by the given word, whatever its name. */
export function relatedPart(opened: OoxmlPackage, word: string): string | undefined {
  const type = relationshipType(word)
  return opened.relationships(opened.mainPart).find((relation) => relation.type === type && !relation.external)?.target
}

export function readStyles(opened: OoxmlPackage): Styles {
  const part = relatedPart(opened, 'styles')
  const root = part === undefined ? undefined : opened.readXml(part)
  if (root === undefined || !root.ok) return noStyles
  const byName = new Map<string, string>()
  const elements = new Map<string, XmlElement>()
  let defaultParagraph: string | undefined
  for (const style of childElements(root.value, 'w:style')) {
    const id = style.attributes['w:styleId'] ?? ''
    const type = style.attributes['w:type'] ?? 'paragraph'
    // Word matches built-in names without regard to case, whatever id a localised version gave them.
    byName.set(`${type} ${childNamed(style, 'w:name')?.attributes['w:val']?.toLowerCase()}`, id)
    if (type !== 'paragraph') continue
    elements.set(id, style)
    if (/^(1|true|on)$/.test(style.attributes['w:default'] ?? '')) defaultParagraph = id
  }
  return {
    headings: [1, 2, 3, 4, 5, 6].map((level) => byName.get(`paragraph heading ${level}`)),
    hyperlink: byName.get('character hyperlink'),
    tableGrid: byName.get('table table grid'),
    numbered: numberedStyles(elements),
    defaultParagraph,
  }
}

/** Styles may be based on each other in a circle, in a broken file; so deep a chain is cut off. */
const maxBasedOn = 32

function numberedStyles(elements: Map<string, XmlElement>): Map<string, { numId: string; level: number }> {
  const found = new Map<string, { numId: string; level: number }>()
  for (const id of elements.keys()) {
    let at: XmlElement | undefined = elements.get(id)
    let numId: string | undefined
    let level: string | undefined
    for (let step = 0; at !== undefined && numId === undefined && step < maxBasedOn; step++) {
      const properties = childNamed(at, 'w:pPr')
      const numbering = properties === undefined ? undefined : childNamed(properties, 'w:numPr')
      if (numbering !== undefined) {
        numId = childNamed(numbering, 'w:numId')?.attributes['w:val']
        level ??= childNamed(numbering, 'w:ilvl')?.attributes['w:val']
      }
      at = elements.get(childNamed(at, 'w:basedOn')?.attributes['w:val'] ?? '')
    }
    if (numId !== undefined && numId !== '0') found.set(id, { numId, level: Number(level ?? 0) || 0 })
  }
  return found
}
