import type { LinkTemplate } from '../scan/links.ts'
import type { LocatedTag } from '../scan/scan.ts'
import type { Condition, Expression } from '../scan/tags.ts'

/** What decides whether, and how often, a block's content appears. */
export type Test = { kind: 'each'; list: Expression; restarts: boolean } | { kind: 'if'; condition: Condition }

/** A change to the source of a part. Ranges are source offsets; they nest or follow each other, and never cross. */
export type Item =
  /** The range is replaced by `text`; whatever else is planned inside of it is void. */
  | { kind: 'cut'; start: number; end: number; text: string }
  | { kind: 'hole'; start: number; end: number; tag: LocatedTag }
  | BlockItem
  /** Content that stays only if one of the blocks in it produces something: a paragraph made of nothing but blocks. */
  | { kind: 'any'; start: number; end: number; tests: Test[] }
  /** A table all of whose rows may vanish; Word can't read one without rows. */
  | { kind: 'table'; start: number; end: number }
  /** The end of a cell, header or text box that must not end up without a paragraph. */
  | { kind: 'tail'; start: number; end: number; text: string }
  /** The id of a relationship to the address that the template comes to. */
  | { kind: 'link'; start: number; end: number; template: LinkTemplate }
  /** Something of which a document may have only one, such as the anchor of a comment. */
  | { kind: 'once'; start: number; end: number; text: string }
  /** A value that must differ in every copy. */
  | { kind: 'fresh'; start: number; end: number; counter: FreshCounter; slot: string; text: string }
  /** The id in a reference to a note, of which every copy gets its own. */
  | { kind: 'note'; start: number; end: number; note: string }
  /** A note that loops copy: it leaves its place and becomes a program of its own. */
  | { kind: 'extract'; start: number; end: number; note: string }
  /** The id of such a note, and the place in the part where the copies go. */
  | { kind: 'noteId'; start: number; end: number }
  | { kind: 'notes'; start: number; end: number; noteKind: NoteKind }
  /** The id of a list that begins anew in every turn, with what stands before and behind it. */
  | { kind: 'number'; start: number; end: number; numId: string; before: string; after: string }

export type NoteKind = 'footnote' | 'endnote'

/** `bookmark` numbers and `bookmarkName` names go in pairs, by slot. */
export type FreshCounter = 'drawing' | 'bookmark' | 'bookmarkEnd' | 'bookmarkName'

export interface BlockItem {
  kind: 'block'
  start: number
  end: number
  test: Test
  tag: LocatedTag
  /** Where `#else` stands: the first part ends at `start`, the other one begins at `end`. */
  middle?: Seam & { start: number; end: number }
  opening: Seam
  closing: Seam
}

/** Tags that close, before a boundary, what is open there, and open it again behind. Empty between whole elements. */
export interface Seam {
  close: string
  open: string
}
