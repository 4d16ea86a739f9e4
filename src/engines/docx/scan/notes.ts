import type { OoxmlPackage } from '../../ooxml/package.ts'
import { childElements, type XmlElement } from '../../ooxml/xml.ts'
import { idOf } from '../plan/ids.ts'
import type { Item, NoteKind } from '../plan/items.ts'
import { attributeSpan } from './scan.ts'
import { relatedPart } from './styles.ts'

/** The footnotes or endnotes of a document. */
export interface NotesPart {
  kind: NoteKind
  part: string
  /** Notes that text refers to, as `footnote:2`; separators are none. */
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

/** In the part of the notes: those that loops copy become programs, and the copies come last. */
export function planNotes(root: XmlElement, source: string, kind: NoteKind, copied: ReadonlySet<string>): Item[] {
  const items: Item[] = []
  for (const note of childElements(root, `w:${kind}`)) {
    const name = `${kind}:${note.attributes['w:id']}`
    const span = copied.has(name) ? attributeSpan(note, 'w:id', source) : undefined
    if (span === undefined) continue
    items.push({ kind: 'extract', start: note.start, end: note.end, note: name }, { kind: 'noteId', ...span })
  }
  if (items.length > 0) items.push({ kind: 'notes', start: root.closeStart, end: root.closeStart, noteKind: kind })
  return items
}
