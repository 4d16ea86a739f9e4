/** A template that is included, and what copying its text has to know of it. */
import { limits } from '../../../core/limits.ts'
import type { OoxmlPackage } from '../../ooxml/package.ts'
import { childElements, childNamed, type XmlElement } from '../../ooxml/xml.ts'
import { relatedPart } from '../scan/parts.ts'
import { plainSource } from '../scan/scan.ts'

/** A part of styles, lists or notes, with its elements by their ids. */
export interface Catalogue {
  root: XmlElement
  source: string
  byId: ReadonlyMap<string, XmlElement>
}

export function readCatalogue(
  opened: OoxmlPackage,
  word: string,
  element: string,
  id: string,
): (Catalogue & { part: string }) | undefined {
  const part = relatedPart(opened, word)
  const document = part === undefined ? undefined : opened.readXmlDocument(part)
  if (part === undefined || !document?.ok) return undefined
  const { root, source } = plainSource(document.value)
  const byId = new Map(childElements(root, element).map((one) => [one.attributes[id] ?? '', one]))
  return { part, root, source, byId }
}

export function childValue(element: XmlElement | undefined, name: string): string | undefined {
  return element === undefined ? undefined : childNamed(element, name)?.attributes['w:val']
}

const trueValues = new Set(['1', 'true', 'on'])

/** The default style of a type, which text without a style has. */
export function defaultStyle(styles: Catalogue | undefined, type: string): string | undefined {
  for (const [id, style] of styles?.byId ?? []) {
    const isOfType = (style.attributes['w:type'] ?? 'paragraph') === type
    if (isOfType && trueValues.has(style.attributes['w:default'] ?? '')) return id
  }
  return undefined
}

/** The definition that a list counts by: its own, or that of the numbering style it refers to (17.9.21). */
export function definitionOf(
  lists: Catalogue,
  definitions: Catalogue,
  styles: Catalogue | undefined,
  numId: string,
): XmlElement | undefined {
  let id = childValue(lists.byId.get(numId), 'w:abstractNumId')
  for (let step = 0; step < limits.styleBasedOnDepth; step++) {
    const definition = definitions.byId.get(id ?? '')
    const link = childValue(definition, 'w:numStyleLink')
    if (definition === undefined || link === undefined) return definition
    const style = styles?.byId.get(link)
    const properties = style === undefined ? undefined : childNamed(style, 'w:pPr')
    const numbering = properties === undefined ? undefined : childNamed(properties, 'w:numPr')
    id = childValue(lists.byId.get(childValue(numbering, 'w:numId') ?? ''), 'w:abstractNumId')
  }
  return undefined
}
