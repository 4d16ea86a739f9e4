import type { Finding } from '../../../core/finding.ts'
import { relationshipType } from '../../ooxml/namespaces.ts'
import type { OoxmlPackage } from '../../ooxml/package.ts'
import type { XmlElement } from '../../ooxml/xml.ts'
import type { Item } from '../plan/items.ts'
import { attributeSpan } from './scan.ts'

/** External relationships that go: a reader's Word would fetch what they point to when it opens the document. */
const stripped = new Set([relationshipType('attachedTemplate'), relationshipType('image')])

/** Attributes that refer to such a relationship, by element. Without them the picture is one that shows nothing. */
const references: Record<string, readonly string[]> = {
  'a:blip': ['r:link'],
  'v:imagedata': ['r:id', 'r:href', 'r:link', 'r:pict'],
}

/** Ids of the relationships of a part that a composed document does not keep. */
export function strippedRelationships(opened: OoxmlPackage, part: string): ReadonlySet<string> {
  const ids = new Set<string>()
  for (const { id, type, external } of opened.relationships(part)) if (external && stripped.has(type)) ids.add(id)
  return ids
}

/** Everything external that is neither a link nor stripped, and documents inside of documents, are refused. */
export function reportForeignContent(opened: OoxmlPackage, findings: Finding[]): void {
  for (const part of ['', ...opened.parts]) {
    for (const { type, external } of opened.relationships(part)) {
      const word = type.slice(type.lastIndexOf('/') + 1)
      const isForeign = word === 'aFChunk' || word === 'subDocument' || word === 'afChunk'
      if (!isForeign && (!external || word === 'hyperlink' || stripped.has(type))) continue
      findings.push({
        code: 'docx.foreign_content',
        severity: 'error',
        message: `${part} takes in ${external ? 'an external' : 'an embedded'} ${word}, which a template may not.`,
        hint: 'Paste the content into the template itself.',
        path: part,
      })
    }
  }
}

/** Takes the references to stripped relationships out of a part. */
export function planStripping(root: XmlElement, source: string, ids: ReadonlySet<string>): Item[] {
  if (ids.size === 0) return []
  const items: Item[] = []
  const walk = (element: XmlElement) => {
    for (const name of references[element.name] ?? []) {
      const span = ids.has(element.attributes[name] ?? '') ? attributeSpan(element, name, source) : undefined
      if (span === undefined) continue
      const written = element.writtenAttributes?.[name] ?? name
      items.push({ kind: 'cut', start: source.lastIndexOf(written, span.start), end: span.end + 1, text: '' })
    }
    for (const child of element.children) if (child.kind === 'element') walk(child)
  }
  walk(root)
  return items
}
