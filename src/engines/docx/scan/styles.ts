import type { OoxmlPackage } from '../../ooxml/package.ts'
import { childElements, childNamed, type XmlElement } from '../../ooxml/xml.ts'
import { relatedPart } from './parts.ts'

/** What rich text and numbering need to know of a template's styles. */
export interface Styles {
  /** Style ids of the headings 1 to 6; undefined where the template has none. */
  headings: readonly (string | undefined)[]
  hyperlink: string | undefined
  tableGrid: string | undefined
  /** Numbering that a paragraph style brings with it, its own or that of the style it is based on. */
  numbered: ReadonlyMap<string, { numId: string; level: number }>
  defaultParagraph: string | undefined
  /** Names, in lower case, and outline levels (0 to 9) of paragraph styles, by id. */
  paragraphs: ReadonlyMap<string, { name: string; outlineLevel: number | undefined }>
  /** Style ids of the levels 1 to 9 of a table of contents; undefined where the template has none. */
  contents: readonly (string | undefined)[]
  /** The size of text in a paragraph of that style (or of none) that says no other, in half points. */
  halfPointsOf(style: string | undefined): number
}

/** ECMA-376 part 1, 17.3.2.38: text without any size is 10 points. */
const halfPointsOfNone = 20

export const noStyles: Styles = {
  headings: [],
  hyperlink: undefined,
  tableGrid: undefined,
  numbered: new Map(),
  defaultParagraph: undefined,
  paragraphs: new Map(),
  contents: [],
  halfPointsOf: () => halfPointsOfNone,
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
    paragraphs: paragraphStyles(elements),
    contents: [1, 2, 3, 4, 5, 6, 7, 8, 9].map((level) => byName.get(`paragraph toc ${level}`)),
    halfPointsOf: sizes(root.value, elements, defaultParagraph),
  }
}

function paragraphStyles(elements: Map<string, XmlElement>): Styles['paragraphs'] {
  const found = new Map<string, { name: string; outlineLevel: number | undefined }>()
  for (const [id, element] of elements) {
    const name = childNamed(element, 'w:name')?.attributes['w:val']?.toLowerCase() ?? ''
    let outlineLevel: number | undefined
    let at: XmlElement | undefined = element
    for (let step = 0; at !== undefined && outlineLevel === undefined && step < maxBasedOn; step++) {
      const properties = childNamed(at, 'w:pPr')
      const own = properties === undefined ? undefined : childNamed(properties, 'w:outlineLvl')?.attributes['w:val']
      if (own !== undefined) outlineLevel = Number(own) || 0
      at = elements.get(childNamed(at, 'w:basedOn')?.attributes['w:val'] ?? '')
    }
    found.set(id, { name, outlineLevel })
  }
  return found
}

function sizes(
  root: XmlElement,
  elements: Map<string, XmlElement>,
  defaultParagraph: string | undefined,
): Styles['halfPointsOf'] {
  const sizeIn = (holder: XmlElement | undefined) => {
    const properties = holder === undefined ? undefined : childNamed(holder, 'w:rPr')
    const size = Number(properties === undefined ? 0 : childNamed(properties, 'w:sz')?.attributes['w:val'])
    return size > 0 && size <= 3_276 ? size : undefined
  }
  const defaults = childNamed(root, 'w:docDefaults')
  const size = sizeIn(defaults === undefined ? undefined : childNamed(defaults, 'w:rPrDefault')) ?? halfPointsOfNone
  const byStyle = new Map<string, number>()
  for (const id of elements.keys()) {
    let at = elements.get(id)
    let own = sizeIn(at)
    for (let step = 0; at !== undefined && own === undefined && step < maxBasedOn; step++) {
      at = elements.get(childNamed(at, 'w:basedOn')?.attributes['w:val'] ?? '')
      own = sizeIn(at)
    }
    byStyle.set(id, own ?? size)
  }
  return (style) => byStyle.get(style ?? defaultParagraph ?? '') ?? size
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
