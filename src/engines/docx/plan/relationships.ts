/** Plans what becomes of a part's references to relationships. */
import type { XmlElement } from '../../ooxml/xml.ts'
import type { ScannedPart } from '../scan/scan.ts'
import { attributeSpan, wholeAttributeSpan } from '../scan/source.ts'
import type { Item } from './items.ts'
import { cut } from './segments.ts'

const linking = new Set(['w:hyperlink', 'a:hlinkClick', 'a:hlinkHover'])

/** A reference to a link with tags becomes a hole for the id of the new relationship. */
export function planLinks({ root, source, links }: ScannedPart): Item[] {
  const byId = new Map(links.map((template) => [template.id, template]))
  const items: Item[] = []
  const walk = (element: XmlElement) => {
    if (linking.has(element.name)) {
      const template = byId.get(element.attributes['r:id'] ?? '')
      const span = template === undefined ? undefined : attributeSpan(element, 'r:id', source)
      if (template !== undefined && span !== undefined) items.push({ kind: 'link', ...span, template })
    }
    for (const child of element.children) if (child.kind === 'element') walk(child)
  }
  walk(root)
  return items
}

/** Attributes that refer to external content, by element. Without them the picture is empty. */
const references: ReadonlyMap<string, readonly string[]> = new Map([
  ['a:blip', ['r:link']],
  ['v:imagedata', ['r:id', 'r:href', 'r:link', 'r:pict']],
])

/** Removes the references to stripped relationships. */
export function planStripping({ root, source, external }: ScannedPart): Item[] {
  if (external.size === 0) return []
  const items: Item[] = []
  const walk = (element: XmlElement) => {
    for (const name of references.get(element.name) ?? []) {
      const span = external.has(element.attributes[name] ?? '') ? wholeAttributeSpan(element, name, source) : undefined
      if (span !== undefined) items.push(cut(span))
    }
    for (const child of element.children) if (child.kind === 'element') walk(child)
  }
  walk(root)
  return items
}
