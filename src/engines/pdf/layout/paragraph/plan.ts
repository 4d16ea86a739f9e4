import type { Frame, Link } from '../../frame/frame.ts'
import type { AbsoluteTab } from '../../model/document.ts'
import type { TextStyle } from '../../style/cascade.ts'
import type { AnchoredObject } from '../slice.ts'

/** The kind of an entry; a soft hyphen is any place to break that takes no width. */
export const Kind = {
  none: -1,
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
  /** Set if it is on the line as text is: the part of its height below the baseline. */
  descent?: number
  frames: Frame[]
  /** Footnotes that its text refers to. */
  notes?: readonly string[]
  /** What floats beside its text, and is not part of its frames. */
  anchored?: readonly AnchoredObject[]
}

/** Something of zero width on the line: a bookmark, a floating object, a footnote reference, a control of direction or joining. */
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

/** What a new plan starts from. */
export interface PlanOutset {
  readonly markStyle: TextStyle
  /** See `ParagraphStyle`. */
  readonly bidi: boolean
  readonly kinsoku: boolean
}

/** A flattened paragraph: the input of line breaking. */
export class Plan implements PlanLists {
  readonly kinds: number[]
  readonly codes: number[]
  readonly advances: number[]
  readonly spanOf: number[]
  readonly spans: Span[] = []
  /** Glyphs by entry, where they differ from the font's glyph for the character. */
  glyphs: Map<number, number> | undefined
  objects: Map<number, InlineObject> | undefined
  marks: Map<number, Mark> | undefined
  /** Tabs whose target is a fixed place on the line instead of a stop. */
  absoluteTabs: Map<number, AbsoluteTab> | undefined
  /** The look of the paragraph mark, which gives an empty paragraph its height. */
  readonly markStyle: TextStyle
  /** The paragraph's own look, set where there are pictures: minimum height of a line that holds only pictures. */
  ownStyle: TextStyle | undefined
  /** Number of leading entries that are the list label. */
  labelLength = 0
  labelAlign: 'left' | 'center' | 'right' = 'left'
  /** How the paragraph begins, as an outline shows it. */
  text = ''
  /** The characters of all entries; longer than there are entries where some take two units. */
  characters = ''
  /** The paragraph reads from right to left: it is laid out from its right edge. */
  readonly bidi: boolean
  /** Whether any character reads from right to left, and whether any needs shaping. */
  rightToLeft = false
  complex = false
  /** Whether any character is East Asian, and whether any entry's width differs from its glyph's. */
  eastAsian = false
  adjusted = false
  /** Space between scripts, as part of the width of the entries before it. */
  gaps: Map<number, number> | undefined
  /** Whether any text has letter spacing. */
  spaced = false
  /** Characters that may not begin or end a line are kept from it; see `ParagraphStyle.kinsoku`. */
  readonly kinsoku: boolean
  /** Embedding level by entry, where anything reads from right to left. */
  levels: Uint8Array | undefined
  /** The results of shaping, by the first entry of each cluster; the others are `glued` to it. */
  clusters: Map<number, Cluster> | undefined
  glued: Set<number> | undefined
  /** Entries that may begin a line in addition to those that the pair rules name. */
  breaks: Set<number> | undefined

  constructor({ kinds, codes, advances, spanOf }: PlanLists, { markStyle, bidi, kinsoku }: PlanOutset) {
    this.kinds = kinds
    this.codes = codes
    this.advances = advances
    this.spanOf = spanOf
    this.markStyle = markStyle
    this.bidi = bidi
    this.kinsoku = kinsoku
  }

  /** How many entries there are. */
  get length(): number {
    return this.kinds.length
  }

  /** `Kind.none` before the first entry and behind the last one. */
  kind(at: number): number {
    return this.kinds[at] ?? Kind.none
  }

  /** The code point; 0 for what is no character. */
  code(at: number): number {
    return this.codes[at] ?? 0
  }

  /** The width in points. */
  advance(at: number): number {
    return this.advances[at] ?? 0
  }

  widen(at: number, points: number): void {
    this.advances[at] = this.advance(at) + points
  }

  span(at: number): Span {
    const span = this.spans[this.spanOf[at] ?? -1]
    if (!span) throw new Error(`a plan of ${this.length} entries has none at ${at}`)
    return span
  }

  style(at: number): TextStyle {
    return this.span(at).style
  }

  /** Embedding level; 0 if all text reads from left to right. */
  level(at: number): number {
    return this.levels?.[at] ?? 0
  }

  character(at: number): string {
    return String.fromCodePoint(this.code(at))
  }

  glyph(at: number): number {
    return this.glyphs?.get(at) ?? this.style(at).look.font.face.glyph(this.code(at))
  }

  /** Has an entry show another glyph than its font has for its character. */
  replaceGlyph(at: number, glyph: number): void {
    this.glyphs ??= new Map()
    this.glyphs.set(at, glyph)
  }
}

/** The end of a line without the blanks that hang off it. */
export function withoutBlanks(plan: Plan, start: number, end: number): number {
  let trimmed = end
  while (trimmed > start && (plan.kind(trimmed - 1) === Kind.space || plan.kind(trimmed - 1) === Kind.mark)) trimmed--
  return trimmed
}

/** Right-aligned and centred numbers end or lie at the indent instead of starting there. */
export function labelShift(plan: Plan): number {
  if (plan.labelAlign === 'left' || plan.labelLength === 0) return 0
  let width = 0
  for (let at = 0; at < plan.labelLength; at++) width += plan.advance(at)
  return plan.labelAlign === 'right' ? -width : -width / 2
}

/** The space behind a character from letter spacing or between scripts; it needs no room at the end of a line. */
export function spaceBehind(plan: Plan, at: number): number {
  const spacing = plan.spaced ? plan.style(at).spacing : 0
  return plan.gaps ? spacing + (plan.gaps.get(at) ?? 0) : spacing
}

/** Width of the hyphen that a soft hyphen becomes at the end of a line. */
export function hyphenAdvance(plan: Plan, at: number): number {
  const { look } = plan.style(at)
  return look.font.face.advance(look.font.face.glyph(0x2d)) * look.size * look.scale
}

/** Reuses the lists of finished plans: growing a list takes longer than filling it. */
export class ListPool {
  private readonly spare: PlanLists[] = []

  take(): PlanLists {
    return this.spare.pop() ?? { kinds: [], codes: [], advances: [], spanOf: [] }
  }

  giveBack({ kinds, codes, advances, spanOf }: PlanLists): void {
    kinds.length = 0
    codes.length = 0
    advances.length = 0
    spanOf.length = 0
    this.spare.push({ kinds, codes, advances, spanOf })
  }
}

/** The shaped glyphs of one or more characters that belong together; lengths in points. */
export interface Cluster {
  /** From left to right. */
  glyphs: { glyph: number; advance: number; dx: number; dy: number }[]
  /** How many entries of the plan it covers; all but the first have zero width. */
  length: number
}
