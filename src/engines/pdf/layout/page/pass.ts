import type { StructureNode } from '../../frame/frame.ts'
import type { Context } from '../context.ts'
import type { FieldGuesses } from './fields.ts'
import type { Notes } from './notes.ts'
import type { RunningMatter } from './running.ts'
import type { RunningHeads } from './running-heads.ts'
import type { Growing, Work } from './work.ts'

/** The results of one pass over the document, page by page. */
export interface Collected extends Growing {
  /** For the whole document; those of sections are derived from it. */
  readonly context: Context
  /** The label of the page that each bookmark is on. */
  readonly bookmarks: Map<string, string>
  readonly structure: StructureNode[]
  readonly notes: Notes
  readonly running: RunningMatter
  readonly heads: RunningHeads
  /** Values given to fields before all pages existed: in the body, and in headers and footers while these were measured. */
  readonly guesses: { readonly body: FieldGuesses; readonly running: FieldGuesses }
}

/** One pass: its results so far, and the work that is left. */
export interface Pass extends Collected {
  readonly work: Work
}
