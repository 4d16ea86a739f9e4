import type { Finding } from '../../../core/finding.ts'
import { relationshipType } from '../../ooxml/namespaces.ts'
import type { OoxmlPackage } from '../../ooxml/package.ts'

/** External relationships that are removed: Word would fetch their targets on opening the document. */
const stripped = new Set([relationshipType('attachedTemplate'), relationshipType('image')])

/** Ids of the relationships of a part that a composed document does not keep. */
export function strippedRelationships(opened: OoxmlPackage, part: string): ReadonlySet<string> {
  const ids = new Set<string>()
  for (const { id, type, external } of opened.relationships(part)) if (external && stripped.has(type)) ids.add(id)
  return ids
}

/** Refuses documents inside documents, and everything external that is neither a link nor stripped. */
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
