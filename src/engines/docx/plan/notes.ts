import { childElements, type XmlElement } from '../../ooxml/xml.ts'
import type { ScannedPart } from '../scan/scan.ts'
import { attributeSpan, isInRanges } from '../scan/source.ts'
import type { Item } from './items.ts'
import { cut } from './segments.ts'

/** In the part of the notes: those that loops copy become programs, and the copies come last. */
export function planNotes(
  { root, source, notes }: ScannedPart,
  copied: ReadonlySet<string>,
  commented: ReadonlySet<string>,
): Item[] {
  if (notes === undefined) return []
  const { kind } = notes
  const items: Item[] = []
  for (const note of childElements(root, `w:${kind}`)) {
    const name = `${kind}:${note.attributes['w:id']}`
    if (commented.has(name)) {
      items.push(cut(note))
      continue
    }
    const span = copied.has(name) ? attributeSpan(note, 'w:id', source) : undefined
    if (span === undefined) continue
    items.push({ kind: 'extract', start: note.start, end: note.end, note: name }, { kind: 'noteId', ...span })
  }
  if (items.some(({ kind }) => kind === 'extract'))
    items.push({ kind: 'notes', start: root.closeStart, end: root.closeStart, noteKind: kind })
  return items
}

/** The notes, as `footnote:2`, that only stretches refer to which comments take out. */
export function commentedNotes(root: XmlElement, items: readonly Item[]): Set<string> {
  const ranges = items
    .filter((item) => item.kind === 'cut' && item.comment !== undefined)
    .sort((a, b) => a.start - b.start)
  const [inside, outside] = [new Set<string>(), new Set<string>()]
  if (ranges.length === 0) return inside
  const walk = (element: XmlElement) => {
    const kind = /^w:(footnote|endnote)Reference$/.exec(element.name)?.[1]
    if (kind !== undefined) {
      const names = isInRanges(ranges, element.start) ? inside : outside
      names.add(`${kind}:${element.attributes['w:id']}`)
    }
    for (const child of element.children) if (child.kind === 'element') walk(child)
  }
  walk(root)
  return inside.difference(outside)
}
