import { childElements } from '../../ooxml/xml.ts'
import type { ScannedPart } from '../scan/scan.ts'
import { attributeSpan } from '../scan/source.ts'
import type { Item } from './items.ts'

/** In the part of the notes: those that loops copy become programs, and the copies come last. */
export function planNotes({ root, source, notes }: ScannedPart, copied: ReadonlySet<string>): Item[] {
  if (notes === undefined) return []
  const { kind } = notes
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
