import { escapeAttribute } from '../../ooxml/xml-write.ts'
import type { FreshCounter } from '../plan/items.ts'
import type { GreatestIds } from '../scan/greatest-ids.ts'
import type { NoteKind } from '../scan/notes.ts'

/** Gives new numbers to ids that must differ in every copy, above the template's own. */
export class FreshIds {
  private readonly counters: GreatestIds
  /** The current number of the open bookmark of a slot. */
  private readonly bookmarks = new Map<string, number>()
  private readonly copiesOfName = new Map<string, number>()

  constructor(greatest: GreatestIds) {
    this.counters = { ...greatest }
  }

  note(kind: NoteKind): number {
    return ++this.counters[kind]
  }

  drawing(): number {
    return ++this.counters.drawing
  }

  /** The value of a counter for the copy that is being written; `text` is what the template has. */
  text(counter: FreshCounter, slot: string, text: string): string {
    switch (counter) {
      case 'drawing':
        return String(this.drawing())
      case 'bookmark':
        this.bookmarks.set(slot, ++this.counters.bookmark)
        return String(this.counters.bookmark)
      case 'bookmarkEnd':
        return String(this.bookmarks.get(slot) ?? slot)
      case 'bookmarkName':
        return escapeAttribute(this.bookmarkName(slot, text))
    }
  }

  /** The first copy keeps its name; those after it count up. */
  private bookmarkName(slot: string, name: string): string {
    const copy = (this.copiesOfName.get(slot) ?? 0) + 1
    this.copiesOfName.set(slot, copy)
    // Word's names have at most 40 characters; a copy's number has at most seven.
    return copy === 1 ? name : `${name.slice(0, 32)}_${copy}`
  }
}
