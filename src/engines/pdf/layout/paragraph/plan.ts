import type { Frame, Link } from '../../frame/frame.ts'
import type { AbsoluteTab } from '../../model/document.ts'
import type { TextStyle } from '../../style/cascade.ts'
import type { AnchoredObject } from '../slice.ts'

/** What stands at a position of the paragraph; a soft hyphen is any place to break that takes no width. */
export const Kind = {
  text: 0,
  space: 1,
  tab: 2,
  line: 3,
  page: 4,
  column: 5,
  object: 6,
  mark: 7,
  softHyphen: 8,
} as const

/** A stretch of equal look, link and structure. */
export interface Span {
  style: TextStyle
  link: Link | undefined
  node: number
}

export interface InlineObject {
  width: number
  height: number
  /** Set where it stands on the line as text does: the part of its height below the baseline. */
  descent?: number
  frames: Frame[]
  /** Footnotes that its text refers to, as that of floating tables and frames may. */
  notes?: readonly string[]
}

/** A zero-width thing on the line: a bookmark, a floating object, a footnote reference, a control of direction or joining. */
export interface Mark {
  bookmark?: string
  anchored?: AnchoredObject
  note?: string
}

/** The parallel lists of a plan, one entry a character or object. */
export interface PlanLists {
  kinds: number[]
  codes: number[]
  advances: number[]
  spanOf: number[]
}

/** A paragraph as what line breaking reads. */
export interface Plan extends PlanLists {
  spans: Span[]
  /** Glyphs by entry, of those that show another one than their font has for their character. */
  glyphs: Map<number, number> | undefined
  objects: Map<number, InlineObject> | undefined
  marks: Map<number, Mark> | undefined
  /** Tabs that lead to a place of the line itself. */
  absoluteTabs?: Map<number, AbsoluteTab>
  /** The look of the paragraph mark, which gives an empty paragraph its height. */
  markStyle: TextStyle
  /** The paragraph's own look, of which a line of nothing but pictures has at least the height; set where there are any. */
  ownStyle: TextStyle | undefined
  /** Number of leading entries that are the list label. */
  labelLength: number
  labelAlign: 'left' | 'center' | 'right'
  /** How the paragraph begins, as an outline shows it. */
  text: string
  /** The characters of all entries; longer than there are entries where some take two units. */
  characters: string
  /** The paragraph reads from right to left: it is laid out from its right edge. */
  bidi: boolean
  /** Whether any character reads from right to left, and whether any needs shaping. */
  rightToLeft: boolean
  complex: boolean
  /** Whether any character is an ideograph or stands among them, and whether any has another width than its glyph. */
  eastAsian: boolean
  adjusted: boolean
  /** Space between scripts, as part of the width of the entries before it. */
  gaps?: Map<number, number>
  /** Whether any text has letter spacing. */
  spaced: boolean
  /** Characters that may not begin or end a line are kept from it; see `ParagraphStyle.kinsoku`. */
  kinsoku: boolean
  /** Embedding level by entry, where anything reads from right to left. */
  levels?: Uint8Array
  /** What shaping made of entries, by the first of each cluster; the others are `glued` to it. */
  clusters?: Map<number, Cluster>
  glued?: Set<number>
  /** Entries that may begin a line besides those that the pair rules name. */
  breaks?: Set<number>
}

export function glyphAt(plan: Plan, at: number): number {
  const { face } = plan.spans[plan.spanOf[at]!]!.style.look.font
  return plan.glyphs?.get(at) ?? face.glyph(plan.codes[at]!)
}

/** Has an entry show another glyph than its font has for its character. */
export function replaceGlyph(plan: Plan, at: number, glyph: number): void {
  plan.glyphs ??= new Map()
  plan.glyphs.set(at, glyph)
}

/** Keeps the lists of plans that are done with for the next ones: making lists grow takes longer than filling them. */
export class ListPool {
  private readonly spare: PlanLists[] = []

  take(): PlanLists {
    return this.spare.pop() ?? { kinds: [], codes: [], advances: [], spanOf: [] }
  }

  giveBack({ kinds, codes, advances, spanOf }: Plan): void {
    kinds.length = 0
    codes.length = 0
    advances.length = 0
    spanOf.length = 0
    this.spare.push({ kinds, codes, advances, spanOf })
  }
}

/** What shaping made of one or more characters that belong together; lengths in points. */
export interface Cluster {
  /** Glyphs from left to right. */
  glyphs: number[]
  advances: number[]
  dx: number[]
  dy: number[]
  /** Entries of the plan that it stands for; the ones after the first have no width of their own. */
  length: number
}
