import type { Chart } from './chart.ts'
import type { Block } from './document.ts'
import type { Geometry, ShapePath } from './geometry.ts'
import type { Fill, Line } from './paint.ts'

export interface ShapeText {
  blocks: Block[]
  insets: { left: number; top: number; right: number; bottom: number }
  vertical: 'top' | 'center' | 'bottom'
  /** The text is centred as a block, whatever its paragraphs say. */
  centered: boolean
  /** The shape is as high as its text. */
  autoHeight: boolean
  /** False for text that is as wide as its longest line. */
  wrap: boolean
  /** Text of the drawing, not of the document; it may be larger than the form's text area. */
  spills?: true
  /** Degrees clockwise that the text is turned within its shape. */
  turn: 0 | 90 | 270
  /** Colour of text that states none. */
  color?: string
}

/** The form of a shape: formulas, or outlines in the coordinates of the shape. */
export type ShapeForm =
  | { kind: 'geometry'; geometry: Geometry; adjustments: ReadonlyMap<string, number> }
  | { kind: 'paths'; paths: ShapePath[]; text?: { left: number; top: number; right: number; bottom: number } }

export interface Crop {
  left: number
  top: number
  right: number
  bottom: number
}

export type GraphicContent =
  | { kind: 'shape'; form: ShapeForm; fill?: Fill; line?: Line; text?: ShapeText }
  | {
      kind: 'picture'
      part: string | undefined
      /** The part with the same picture as an SVG drawing, where the document has one. */
      drawing?: string
      crop: Crop
      form?: ShapeForm
      fill?: Fill
      line?: Line
    }
  /** Children in their own coordinates: the group's box covers `width` × `height` of their units, from `x` and `y`. */
  | { kind: 'group'; x: number; y: number; width: number; height: number; children: Graphic[] }
  | { kind: 'chart'; chart: Chart }
  | { kind: 'word-art'; text: string; font: string; bold: boolean; italic: boolean; fill?: Fill; line?: Line }
  | { kind: 'placeholder'; label: string }

/** Something drawn in a box of its parent, in points; turned clockwise by `rotation` degrees after it was mirrored. */
export interface Graphic {
  x: number
  y: number
  width: number
  height: number
  rotation: number
  flipH: boolean
  flipV: boolean
  /** The description; empty for decoration. */
  alt: string
  content: GraphicContent
}
