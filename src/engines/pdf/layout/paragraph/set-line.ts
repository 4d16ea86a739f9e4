import type { Frame } from '../../frame/frame.ts'
import type { TabStop } from '../../model/properties.ts'
import type { ParagraphStyle } from '../../style/cascade.ts'
import type { AnchoredObject } from '../slice.ts'
import type { HyphenSettings } from './hyphenate.ts'
import type { Plan } from './plan.ts'
import type { Intrusion, Opening } from './wrap.ts'

/** One set line: frames relative to the column's left and the line's top. */
export interface Line {
  /** The entry that it begins with. */
  from: number
  /** Space above, where the line had to move below a floating object. */
  lead: number
  height: number
  baseline: number
  /** See `Slice.slack`. */
  slack: number
  frames: Frame[]
  breakAfter: 'page' | 'column' | undefined
  anchors: AnchoredObject[] | undefined
  notes: string[] | undefined
}

/** How a line moves around floating objects; `offset` is from its paragraph's top to its own. */
export type GiveWay = (offset: number, height: number, opening?: Opening) => Intrusion

export interface LineSettings {
  /** Width of the column. */
  width: number
  defaultTab: number
  gridPitch: number
  /** Stretch lines that end in a manual break, as Word does unless told otherwise. */
  expandBrokenLines: boolean
  /** Squeeze the blanks of a justified line if one more word then fits, as Word does since 2013. */
  squeezeBlanks: boolean
  /** Hyphenation, where the document has it on. */
  hyphens?: HyphenSettings | undefined
  /** The entry to begin with; lines before it are already placed. */
  from?: number | undefined
  giveWay?: GiveWay | undefined
}

/** A paragraph to be broken into lines. */
export interface ParagraphText {
  readonly plan: Plan
  readonly style: ParagraphStyle
  readonly settings: LineSettings
}

/** A tab on a set line: where the gap begins and ends. */
export interface TabPlace {
  at: number
  from: number
  to: number
  leader: TabStop['leader']
}

/** Edges of the room that a line has, from the column's left. */
export interface Room {
  left: number
  right: number
}

/** Rounding errors must not wrap a word that fits exactly. */
export const TOLERANCE = 0.001
