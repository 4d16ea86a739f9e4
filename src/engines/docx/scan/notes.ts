import type { OoxmlPackage } from '../../ooxml/package.ts'
import { childElements, type XmlElement } from '../../ooxml/xml.ts'
import { idOf } from './ids.ts'
import { relatedPart } from './parts.ts'

export type NoteKind = 'footnote' | 'endnote'

/** The footnotes or endnotes of a document. */
export interface NotesPart {
  kind: NoteKind
  part: string
  /** Notes that text refers to, as `footnote:2`; without separators. */
  ids: ReadonlySet<string>
  greatestId: number
}

export function findNotes(opened: OoxmlPackage): NotesPart[] {
  const found: NotesPart[] = []
  for (const kind of ['footnote', 'endnote'] as const) {
    const part = relatedPart(opened, `${kind}s`)
    const root = part === undefined ? undefined : opened.readXml(part)
    if (part === undefined || root === undefined || !root.ok) continue
    const ids = new Set<string>()
    let greatestId = 0
    for (const note of childElements(root.value, `w:${kind}`)) {
      const id = note.attributes['w:id']
      greatestId = Math.max(greatestId, idOf(id))
      const type = note.attributes['w:type'] ?? 'normal'
      if (type === 'normal' && id !== undefined) ids.add(`${kind}:${id}`)
    }
    found.push({ kind, part, ids, greatestId })
  }
  return found
}

/** The elements of some notes of a part, in the order of the source. */
export function notesWithin(root: XmlElement, { kind }: NotesPart, names: ReadonlySet<string>): XmlElement[] {
  if (names.size === 0) return []
  return childElements(root, `w:${kind}`).filter(({ attributes }) => names.has(`${kind}:${attributes['w:id']}`))
}
