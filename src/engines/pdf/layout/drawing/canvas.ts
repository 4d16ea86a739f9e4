import type { Frame } from '../../frame/frame.ts'
import type { Context } from '../context.ts'

/** The area that something is drawn on; coordinates count from its upper left. */
export interface Canvas {
  readonly context: Context
  readonly width: number
  readonly height: number
  /** The node of the structure tree that its frames belong to. */
  readonly node: number
}

/** The canvas of a graphic, and its place in the document. */
export interface Place extends Canvas {
  /** The node that text and pictures in the graphic belong to. */
  readonly parent: number
  /** How many groups surround it. */
  readonly depth: number
}

export interface DrawnGraphic {
  width: number
  height: number
  /** Relative to the top left of the graphic's box before it is turned. */
  frames: Frame[]
  /** Footnotes that its text refers to. */
  notes?: readonly string[]
}
