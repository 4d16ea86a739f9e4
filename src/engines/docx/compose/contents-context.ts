import type { Styles } from '../scan/styles.ts'

/** What rebuilding tables of contents reads besides the main document. */
export interface ContentsContext {
  styles: Styles
  /** What the document writes before WordprocessingML names: `w:`. */
  prefix: string
  /** The numbering part of the composed document. */
  numbering(): string
}

/** A stretch of the source, as offsets, and the text that replaces it. */
export interface Change {
  start: number
  end: number
  text: string
}
