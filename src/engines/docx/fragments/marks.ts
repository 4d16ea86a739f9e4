/** Numbers and names that must differ within a document: drawings, bookmarks and notes. */
import type { OoxmlPackage } from '../../ooxml/package.ts'
import type { XmlElement } from '../../ooxml/xml.ts'
import { type GreatestIds, greatestIds } from '../scan/greatest-ids.ts'
import { idOf } from '../scan/ids.ts'
import { findNotes, type NoteKind } from '../scan/notes.ts'
import { textualParts } from '../scan/parts.ts'

/** What one copy of a text gets. */
export interface CopyMarks {
  drawing(): number
  /** The number of a bookmark of the text, the same for its start and its end. */
  bookmark(id: string): number
  /** A name that the document has once; the text's own if it is free. */
  name(name: string): string
}

export class Marks {
  private readonly greatest: GreatestIds
  private readonly names = new Set<string>()

  constructor(opened: OoxmlPackage) {
    this.greatest = greatestIds(opened, findNotes(opened))
    const walk = (element: XmlElement) => {
      // Word compares names of bookmarks without regard to case.
      if (element.name === 'w:bookmarkStart') this.names.add((element.attributes['w:name'] ?? '').toLowerCase())
      for (const child of element.children) if (child.kind === 'element') walk(child)
    }
    for (const { part, kind } of textualParts(opened)) {
      const root = kind === 'word' ? opened.readXml(part) : undefined
      if (root?.ok) walk(root.value)
    }
  }

  freshNote(kind: NoteKind): number {
    return ++this.greatest[kind]
  }

  /** Keeps the ids of notes that are taken over as they are. */
  reserveNotes(kind: NoteKind, ids: readonly (string | undefined)[]): void {
    for (const id of ids) this.greatest[kind] = Math.max(this.greatest[kind], idOf(id))
  }

  forCopy(): CopyMarks {
    const bookmarks = new Map<string, number>()
    return {
      drawing: () => ++this.greatest.drawing,
      bookmark: (id) => {
        const known = bookmarks.get(id) ?? ++this.greatest.bookmark
        bookmarks.set(id, known)
        return known
      },
      name: (name) => {
        let free = name
        for (let number = 2; this.names.has(free.toLowerCase()); number++) free = `${name}_${number}`
        this.names.add(free.toLowerCase())
        return free
      },
    }
  }
}
