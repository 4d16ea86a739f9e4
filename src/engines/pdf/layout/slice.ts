import type { Frame } from '../frame/frame.ts'
import type { Anchor, Inline, Paragraph } from '../model/document.ts'
import type { Edge } from '../model/properties.ts'

/** A table that floats, in its box. */
export type FloatingTable = Extract<Inline, { kind: 'textbox' }>

/** Where a table that would run off its page goes in the text flow: how far below the text above it, and from the column's left. */
export interface Landing {
  below: number
  left: number
}

/** A picture or text box at a place of its own; its frames are relative to its top left. */
export interface AnchoredObject {
  anchor: Anchor
  width: number
  height: number
  frames: Frame[]
  notes?: readonly string[]
  /** The table, if the object is one: if it would run off its page, it goes into the text flow instead. */
  table?: FloatingTable
}

/**
 * The unit of pagination: one line of a paragraph or one row of a table, which stays whole unless it can split itself.
 * Frames are relative to the column's left and the slice's top.
 */
export interface Slice {
  /** Space above; dropped if the slice comes first in a page or column that the text ran over to. */
  before: number
  /** What remains of the block's own space above if a break puts it at the top of a page. */
  beforeAtTop?: number
  /** The part of the space above by which a line moved below a floating object. */
  lead?: number
  height: number
  /** The entry of the paragraph that a line begins with. */
  entry?: number
  /** Line spacing beyond single, below the text: this part of the height may run over the foot of the page. */
  slack?: number
  frames: Frame[]
  /** Must be on the same page as the next slice (keep-next, keep-lines, widows and orphans). */
  stick: boolean
  pageBreakBefore?: boolean
  breakAfter?: 'page' | 'column'
  anchors?: AnchoredObject[]
  /** The baseline of a line that is counted where lines are numbered. */
  baseline?: number
  /** Footnotes referred to in the slice. */
  notes?: string[]
  /** The repeated rows of the table this row belongs to. */
  repeat?: Slice[]
  isRepeated?: boolean
  /** Frames to add when the next slice is on another page, or none follows: a table's lower edge. */
  closing?: Frame[]
  /** Room that those frames need below the slice. */
  foot?: number
  /**
   * Cuts the slice at a height; undefined if either part would be empty. A slice taller than a page is cut anywhere, or
   * it would run off the page.
   */
  split?(available: number, cut: Cut): [Slice, Slice] | undefined
  /** The paragraph that begins with the slice, and its style: what running heads may quote. */
  begins?: { paragraph: Paragraph; style: string | undefined }
  /** A heading, for the outline. */
  heading?: { title: string; level: number }
}

/** Whether anything of a slice is visible; nothing of an empty line is. */
export function isSeen({ frames, anchors = [] }: Pick<Slice, 'frames' | 'anchors'>): boolean {
  const isFrameSeen = (frame: Frame): boolean => {
    if (frame.kind === 'text') return frame.text.trim() !== ''
    if (frame.kind === 'clip' || frame.kind === 'group') return frame.frames.some(isFrameSeen)
    return frame.kind === 'image' || frame.kind === 'path'
  }
  return frames.some(isFrameSeen) || anchors.some((object) => object.frames.some(isFrameSeen))
}

/** Where a slice may be cut: where the document allows it, or also where it doesn't. */
export type Cut = 'where allowed' | 'anywhere'

/** A laid-out block, with what decides the space around it. */
export interface BlockBox {
  slices: Slice[]
  before: number
  after: number
  styleId: string | undefined
  contextual: boolean
  /** The list whose item it is: between two items of one list automatic spacing vanishes. */
  listId?: string | undefined
  /** Space that comes from automatic spacing vanishes at the edge of cells and documents. */
  beforeAuto: boolean
  afterAuto: boolean
  /** How much of the space after it has been left already, above columns that begin below it. */
  spent?: number
  /** Floating objects have changed its lines: they hold for one place on one page. */
  gaveWay?: boolean
  /** Takes no room: the blocks before and after it count as neighbours. */
  collapsed?: boolean
}

export interface Stack {
  slices: Slice[]
  height: number
}

/** The space above a block: below the preceding block, and at the top of a page after a break. */
export interface Gap {
  below: number
  atTop: number
}

/** A cell as floating objects see it: it is every page area that their position may refer to (20.4.2.3, layoutInCell). */
export interface CellRoom {
  width: number
  margins: Record<Edge, number>
}
