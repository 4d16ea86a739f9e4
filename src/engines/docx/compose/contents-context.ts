import type { Styles } from '../scan/styles.ts'

export interface ContentsContext {
  styles: Styles
  /** What the document writes before WordprocessingML names: `w:`. */
  prefix: string
  /** The numbering part of the composed document. */
  numbering(): string
}

export interface Change {
  start: number
  end: number
  text: string
}
