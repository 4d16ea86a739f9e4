/**
 * What Word lays out differently, by the first version that does so (`w:compatibilityMode`: 11 for Word 2003, 12 for
 * 2007, 14 for 2010, 15 for all later ones). A document that names none counts as older than all.
 */
const since = {
  /** A turned object keeps room for its effects as it lies, not upright. */
  turnsRoomWithObject: 14,
  /** Lines in tables keep to the document grid; before, only where asked (`w:adjustLineHeightInTable`). */
  snapsLinesInTables: 15,
  /** A justified line squeezes its blanks to hold one more word. */
  squeezesBlanks: 15,
  /** The space above a paragraph that asks for a new page or column is dropped. */
  dropsSpaceAtBreak: 15,
  /** A table's edge is at the margin; before, the text of its first column is. */
  alignsTableEdges: 15,
  /** A floating table ends with the text of its page, even where its place is one of the page. */
  endsFloatingTablesWithText: 15,
} as const

export type Compatibility = Readonly<Record<keyof typeof since, boolean>>

/** The layout that a document asks for by its version of Word; 0 where it names none. */
export function compatibilityOf(version: number): Compatibility {
  return Object.fromEntries(Object.entries(since).map(([rule, from]) => [rule, version >= from])) as Compatibility
}
