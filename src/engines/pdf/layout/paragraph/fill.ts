import { isEastAsian } from '../../font/scripts.ts'
import type { TextStyle } from '../../style/cascade.ts'
import { isSpace, mayBreakBehindSlash, mayBreakBetween } from '../../text/breaks.ts'
import { type HyphenSettings, hyphenBreak } from './hyphenate.ts'
import { mayHang } from './ideographs.ts'
import { hyphenAdvance, Kind, labelShift, type Plan, spaceBehind } from './plan.ts'
import { type ParagraphText, type Room, type TabPlace, TOLERANCE } from './set-line.ts'
import { tabTarget } from './tabs.ts'

/** How far tab stops in the margin are followed: two inches, which no page has more of. */
const TAB_REACH = 144
const TWIP = 0.05

/** How much of a justified line's blanks may be taken away to hold one more word. */
const SQUEEZE = 0.25

export interface FilledLine {
  /** Exclusive end of what is drawn, and where the next line starts. */
  end: number
  next: number
  tabs: TabPlace[]
  ending: 'wrap' | 'line' | 'page' | 'column' | 'end'
  /** Width of the punctuation that hangs outside the right edge. */
  hanging?: number
  /** The last word is hyphenated here, with a hyphen that the layout adds. */
  hyphen?: boolean
  /** Not even the first word fits: it is cut where the room ends. */
  torn?: boolean
}

/** A line while it is being filled: how far its room is taken, and where it could end. */
interface Filling {
  readonly text: ParagraphText
  readonly start: number
  readonly hyphens: HyphenSettings | undefined
  /** The room as it was given; a tab stop in the margin moves `right` beyond it. */
  readonly room: Room
  right: number
  x: number
  /** The last entry so far that may begin the next line; -1 before there is one. */
  breakAt: number
  visible: boolean
  /** How much narrower the blanks of the line could be. */
  spare: number
  /** See `TabTarget.pulled`. */
  pulled: number
  /** Where the stretch of one look began. */
  stretchAt: number
  stretchX: number
  readonly tabs: TabPlace[]
}

/** Takes as many entries from `start` as fit the room, first fit as Word does. */
export function fillLine(text: ParagraphText, start: number, room: Room, hyphens?: HyphenSettings): FilledLine {
  const { plan } = text
  const { spanOf } = plan
  const count = plan.length
  const x = start === 0 ? room.left + labelShift(plan) : room.left
  const line: Filling = {
    text,
    start,
    hyphens,
    room,
    right: room.right,
    x,
    breakAt: -1,
    visible: false,
    spare: 0,
    pulled: 0,
    stretchAt: start,
    stretchX: x,
    tabs: [],
  }
  let span = -1
  for (let at = start; at < count; at++) {
    if (spanOf[at] !== span) {
      span = spanOf[at] ?? -1
      beginStretch(line, at)
    }
    let ended: FilledLine | undefined
    switch (plan.kind(at)) {
      case Kind.mark:
        break
      case Kind.line:
        return { end: at, next: at + 1, tabs: line.tabs, ending: 'line' }
      case Kind.page:
        return { end: at, next: at + 1, tabs: line.tabs, ending: 'page' }
      case Kind.column:
        return { end: at, next: at + 1, tabs: line.tabs, ending: 'column' }
      case Kind.tab:
        ended = addTab(line, at)
        break
      case Kind.space:
        addBlank(line, at)
        break
      default:
        ended = addVisible(line, at)
    }
    if (ended) return ended
  }
  return keepLean(line) ?? { end: count, next: count, tabs: line.tabs, ending: 'end' }
}

/** Stretches of one look are whole twips wide, rounded down; inside them, fractions count. */
function beginStretch(line: Filling, at: number): void {
  line.x = Math.floor(line.x * 20 + TOLERANCE) / 20
  line.stretchAt = at
  line.stretchX = line.x
}

function addTab(line: Filling, at: number): FilledLine | undefined {
  const { plan, settings } = line.text
  const { x, right, room } = line
  const place = tabTarget(line.text, at, { x, left: room.left, right })
  if (place.reach > right) line.right = Math.min(place.reach, room.right + TAB_REACH)
  let { to } = place
  if (to > line.right + TOLERANCE && place.beyond && line.visible) {
    // A tab at the end of its paragraph moves no text, so it begins no new line if its stop is outside the column.
    if (to < settings.width || !endsParagraph(plan, at)) return wrapped(line, at)
    to = Math.max(x, line.right)
  }
  line.tabs.push({ at, from: x, to, leader: place.leader })
  line.x = to
  line.pulled = place.pulled
  line.breakAt = at + 1
  line.visible = true
  // Blanks of a line with tabs are not squeezed, since text behind a tab would leave its stop. A label's tab precedes
  // all text.
  if (at >= plan.labelLength) line.spare = Number.NEGATIVE_INFINITY
  return undefined
}

function addBlank(line: Filling, at: number): void {
  const { plan, style, settings } = line.text
  const advance = plan.advance(at)
  line.x += advance
  if (line.visible && settings.squeezeBlanks && style.align === 'justify') line.spare += advance * SQUEEZE
  line.breakAt = at + 1
}

/** Adds a character, object or soft hyphen, unless the line ends before it. */
function addVisible(line: Filling, at: number): FilledLine | undefined {
  const { plan } = line.text
  const { start, right } = line
  if (at > start && line.visible && line.breakAt !== at && mayBreakAt(plan, at)) line.breakAt = at
  const advance = plan.advance(at)
  // Text that a tab aligns by its end ends there, however it is rounded.
  const tolerance = line.pulled > 0 ? TWIP : TOLERANCE
  const reach = line.x + advance - spaceBehind(plan, at)
  if (
    reach > right + spareFor(line, at) + tolerance &&
    line.visible &&
    !(reach < right + TWIP && fitsWhole(plan, line.stretchAt, at, right - line.stretchX))
  )
    return endBefore(line, at)
  const kind = plan.kind(at)
  if (kind === Kind.object && line.x + advance > right + TOLERANCE && line.breakAt > start)
    return { end: line.breakAt, next: line.breakAt, tabs: line.tabs, ending: 'wrap' }
  line.x += advance
  line.visible = true
  if (kind === Kind.softHyphen) line.breakAt = at + 1
  return undefined
}

/** How much a line's blanks may be squeezed to hold an entry: not at all for an ideograph or a Hangul syllable, as in Word. */
function spareFor({ text: { plan }, spare }: Filling, at: number): number {
  return isEastAsian(plan.code(at)) ? 0 : Math.max(0, spare)
}

/** Ends a line whose room does not hold the entry `at`. */
function endBefore(line: Filling, at: number): FilledLine {
  const { plan, style } = line.text
  const { start, breakAt, tabs, hyphens } = line
  if (line.x <= line.right + TOLERANCE && mayHang(plan, at, style)) {
    const next = at + 1
    return { end: next, next, tabs, ending: next < plan.length ? 'wrap' : 'end', hanging: plan.advance(at) }
  }
  const parted = hyphens && partWord(line, at, hyphens)
  if (parted !== undefined) return { ...wrapped(line, parted), hyphen: true }
  const cut = slashCut(line, at) ?? (breakAt > start ? breakAt : at)
  return cut === at && breakAt <= start ? { ...wrapped(line, cut), torn: true } : wrapped(line, cut)
}

function wrapped({ tabs }: Filling, at: number): FilledLine {
  return { end: at, next: at, tabs: tabs.filter((tab) => tab.at < at), ending: 'wrap' }
}

/** Slanted letters overhang their advance, so a paragraph that ends in italics keeps room for them before the margin. */
function keepLean(line: Filling): FilledLine | undefined {
  const { plan } = line.text
  const last = plan.length - 1
  if (last < line.start || plan.kind(last) !== Kind.text || line.breakAt <= line.start || line.spare > 0)
    return undefined
  const lean = leanOf(plan.style(last))
  return lean > 0 && line.x - line.pulled > line.right - lean + TOLERANCE ? wrapped(line, line.breakAt) : undefined
}

/** A twelfth of the line's height. */
function leanOf({ italic, ascent, descent }: TextStyle): number {
  return italic ? Math.floor(((ascent + descent) * 20) / 12) / 20 : 0
}

/**
 * Whether a stretch of one look that ends with `at` may exceed its room by a fraction of a twip. It may if the room is
 * wide: more than half a line's height per character.
 */
function fitsWhole(plan: Plan, from: number, at: number, room: number): boolean {
  let next = at + 1
  while (plan.kind(next) === Kind.mark) next++
  if (plan.spanOf[next] === plan.spanOf[at] && plan.kind(next) !== Kind.line) return false
  const { ascent, descent } = plan.style(at)
  return room * 2 > (at - from + 1) * (ascent + descent)
}

function endsParagraph(plan: Plan, at: number): boolean {
  let next = at + 1
  while (plan.kind(next) === Kind.mark) next++
  return next === plan.length
}

/** Longest prefix, slash included, that is never split from what follows; LibreOffice's figure. */
const GLUED_CHARACTERS = 66

/**
 * Where a line ends if its last break opportunity before `at` is behind a slash; undefined if it is elsewhere. Text
 * joined by a slash stays together: the line ends before it or, if the text begins the line, at `at`. The line ends
 * behind the slash only if the text up to it is longer than `GLUED_CHARACTERS` or begins the paragraph.
 */
function slashCut({ text: { plan }, start, breakAt }: Filling, at: number): number | undefined {
  const { codes, glued, labelLength } = plan
  let cut = at - 1
  while (cut > start && cut > breakAt && !(mayBreakBehindSlash(codes, cut) && !glued?.has(cut))) cut--
  if (cut <= start || cut <= breakAt || plan.kind(cut) !== Kind.text) return undefined
  for (let blank = cut - 2; blank >= labelLength && blank >= cut - GLUED_CHARACTERS; blank--) {
    if (isBlankAt(plan, blank)) return blank + 1 > start ? blank + 1 : at
  }
  return cut
}

function isBlankAt(plan: Plan, at: number): boolean {
  const kind = plan.kind(at)
  return kind === Kind.text
    ? isSpace(plan.code(at))
    : kind !== Kind.object && kind !== Kind.mark && kind !== Kind.softHyphen
}

/** Where the word that does not fit is hyphenated; undefined if the room left without it is within the hyphenation zone. */
function partWord(line: Filling, at: number, hyphens: HyphenSettings): number | undefined {
  const { start, breakAt, right } = line
  const { plan } = line.text
  const from = Math.max(breakAt, start)
  let x = line.x
  for (let entry = from; entry < at; entry++) x -= plan.advance(entry)
  let end = x
  for (let entry = from - 1; entry >= start && plan.kind(entry) === Kind.space; entry--) end -= plan.advance(entry)
  if (from > start && right - end <= hyphens.zone) return undefined
  const word = { from, x, right: right + TOLERANCE }
  return hyphenBreak(plan, word, (entry) => hyphenAdvance(plan, entry), hyphens)
}

export function mayBreakAt(plan: Plan, at: number): boolean {
  if (plan.glued?.has(at)) return false
  if (plan.breaks?.has(at)) return true
  const code = plan.code(at)
  const before = plan.code(at - 1)
  if (!plan.kinsoku && (isEastAsian(code) || isEastAsian(before))) return true
  if (plan.kind(at) === Kind.object || plan.kind(at - 1) === Kind.object) return true
  // Most pairs of characters are two small letters, between which no line ends.
  if (code >= 0x61 && code <= 0x7a && before >= 0x61 && before <= 0x7a) return false
  return mayBreakBetween(plan.code(at - 2), before, code)
}
