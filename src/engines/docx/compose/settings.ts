import type { OoxmlPackage } from '../../ooxml/package.ts'
import { childElements, childNamed } from '../../ooxml/xml.ts'
import { strippedRelationships } from '../scan/external.ts'
import { relatedPart } from '../scan/parts.ts'

/** What follows `w:updateFields` in the order of ECMA-376 part 1, 17.15.1.78 (CT_Settings). */
const afterUpdateFields = new Set(
  'hdrShapeDefaults footnotePr endnotePr compat docVars rsids attachedSchema themeFontLang clrSchemeMapping doNotIncludeSubdocsInStats doNotAutoCompressPictures forceUpgrade captions readModeInkLockDown smartTagType shapeDefaults doNotEmbedSmartTags decimalSymbol listSeparator'
    .split(' ')
    .map((name) => `w:${name}`),
)

/**
 * The settings part of a composed document; undefined if it stays unchanged. Word is asked to update fields only for a
 * table of contents, because it first asks the reader. An attached template outside of the document is dropped: Word
 * would fetch it.
 */
export function composedSettings(
  opened: OoxmlPackage,
  hasContents: boolean,
): { part: string; text: string } | undefined {
  const part = relatedPart(opened, 'settings')
  const document = part === undefined ? undefined : opened.readXmlDocument(part)
  if (part === undefined || document === undefined || !document.ok) return undefined
  const { root, source } = document.value
  const changes: { start: number; end: number; text: string }[] = []
  const template = childNamed(root, 'w:attachedTemplate')
  if (template !== undefined && strippedRelationships(opened, part).has(template.attributes['r:id'] ?? '')) {
    changes.push({ start: template.start, end: template.end, text: '' })
  }
  const known = childNamed(root, 'w:updateFields')
  if (hasContents && known === undefined) {
    const next = childElements(root).find(({ name }) => afterUpdateFields.has(name) || !name.startsWith('w:'))
    const at = next?.start ?? root.closeStart
    changes.push({ start: at, end: at, text: `<w:updateFields xmlns:w="${root.uri}" w:val="true"/>` })
  }
  if (changes.length === 0 || root.openEnd === root.end) return undefined
  changes.sort((a, b) => b.start - a.start)
  let text = source
  for (const { start, end, text: inserted } of changes) text = text.slice(0, start) + inserted + text.slice(end)
  return { part, text }
}
