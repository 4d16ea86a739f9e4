import type { Frame } from '../../frame/frame.ts'
import type { ParagraphStyle, TextStyle } from '../../style/cascade.ts'
import { isSpace, mayBreakBehindSlash, mayBreakBetween } from '../../text/breaks.ts'
import { isEastAsian } from '../../text/script.ts'
import type { AnchoredObject } from '../slice.ts'
import { type HyphenSettings, hyphenBreak } from './hyphenate.ts'
import { mayHang, stretchesAfter } from './ideographs.ts'
import { hyphenAdvance, LinePainter } from './line-paint.ts'
import { Kind, type Plan } from './plan.ts'
import { type TabPlace, tabTarget } from './tabs.ts'
import type { Gap, Intrusion, Opening } from './wrap.ts'

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

export interface LineSettings {
  /** Width of the column. */
  width: number
  defaultTab: number
  gridPitch: number
  /** Stretch lines that end in a manual break, as Word does unless told otherwise. */
  expandBrokenLines: boolean
  /** Squeeze the blanks of a justified line when one more word fits by it, as Word does since 2013. */
  squeezeBlanks: boolean
  /** Hyphenation, where the document has it on. */
  hyphens?: HyphenSettings | undefined
  /** The entry to begin with, where the lines of those before it stand in another column already. */
  from?: number | undefined
  /** What floating objects take from a line that starts so far below the paragraph's top. */
  giveWay?: ((offset: number, height: number, opening?: Opening) => Intrusion) | undefined
}

/** How far tab stops in the margin are followed: two inches, which no page has more of. */
const TAB_REACH = 144
/** What binary fractions are off by must not wrap a word that fits exactly. */
const TOLERANCE = 0.001
const TWIP = 0.05

/** How much of a justified line's blanks may be taken away to hold one more word. */
const SQUEEZE = 0.25

/** Breaks a paragraph into lines, first fit as Word does, and places what stands on each. */
export function breakLines(plan: Plan, style: ParagraphStyle, settings: LineSettings): Line[] {
  const lines: Line[] = []
  const count = plan.kinds.length
  const boxes: LineBox[] = []
  const { giveWay, from = 0 } = settings
  const expected = plan.markStyle.ascent + plan.markStyle.descent
  const openEmpty = () => {
    const box = lineBox(markMetrics(plan.markStyle), style, settings, lines.length === 0 && from === 0)
    boxes.push(box)
    const line = emptyLine(box, count)
    if (lines.length === 0) line.lead = leadOf(giveWay?.(0, expected), style, settings)
    lines.push(line)
  }
  if (count === 0 || from >= count) openEmpty()
  const limit = settings.hyphens?.limit ?? 0
  let parted = 0
  let offset = 0
  let start = from
  while (start < count) {
    const first = start === 0
    const given = giveWay?.(offset, expected, objectAt(plan, start))
    const hyphens = style.suppressHyphens || (limit > 0 && parted >= limit) ? undefined : settings.hyphens
    const pieces = fillGaps(plan, start, gapsOf(given, style.bidi), style, settings, hyphens)
    const { filled } = pieces.at(-1)!
    parted = filled.hyphen ? parted + 1 : 0
    const lead = leadOf(given, style, settings)
    const metrics = measureLine(plan, start, filled.end)
    const box = lead > 0 && isBlank(plan) ? noBox : lineBox(metrics, style, settings, first)
    const line = joined(pieces.map((piece) => placeLine(plan, piece, style, settings, box)))
    line.lead = lead
    offset += line.lead + line.height + box.extra
    lines.push(line)
    boxes.push(box)
    start = filled.next
  }
  const last = plan.kinds[count - 1]
  // A manual line break at the very end opens one more, empty line; a page break leaves the mark where it was.
  if (last === Kind.line && from < count) openEmpty()
  return spread(lines, boxes)
}

/** The picture that a line begins with. */
function objectAt({ kinds, objects }: Plan, start: number): Opening | undefined {
  let at = start
  while (kinds[at] === Kind.mark) at++
  return kinds[at] === Kind.object ? objects?.get(at) : undefined
}

/** Blanks hang off the line that something floating leaves no room, and begin none below it. */
const noBox: LineBox = { height: 0, baseline: 0, extra: 0, trailing: 0 }

function isBlank({ kinds }: Plan): boolean {
  return kinds.includes(Kind.space) && kinds.every((kind) => kind === Kind.space || kind === Kind.mark)
}

/** Where a line has room, in the order of its text. */
function gapsOf(given: Intrusion | undefined, bidi: boolean): readonly Gap[] {
  if (!given) return [{ left: 0, right: 0 }]
  const gaps = [given, ...(given.more ?? [])]
  // A right-to-left paragraph is laid out from its right edge, so what is left of it comes last.
  return bidi ? gaps.map(({ left, right }) => ({ left: right, right: left })).reverse() : gaps
}

/** What stands of a line between two floating objects, or between one and an edge of the column. */
interface Piece {
  start: number
  filled: FilledLine
  left: number
  right: number
  /** The paragraph begins with it. */
  first: boolean
}

/** Fills the gaps of a line one after the other; a word too long for one goes into the next. */
function fillGaps(
  plan: Plan,
  start: number,
  gaps: readonly Gap[],
  style: ParagraphStyle,
  settings: LineSettings,
  hyphens: HyphenSettings | undefined,
): Piece[] {
  const pieces: Piece[] = []
  let at = start
  for (const [index, gap] of gaps.entries()) {
    const first = at === 0
    // Indents may reach into the margin; only what floats there keeps the text inside.
    const own = style.left + (first ? style.firstLine : 0)
    const left = gap.left > 0 ? Math.max(own, gap.left) : own
    const end = settings.width - style.right
    const right = Math.max(gap.right > 0 ? Math.min(end, settings.width - gap.right) : end, left + 1)
    const filled = fillLine(plan, at, left, right, style, settings, first, hyphens)
    if (filled.torn && (pieces.length > 0 || index + 1 < gaps.length)) continue
    pieces.push({ start: at, filled, left, right, first })
    at = filled.next
    if (filled.ending !== 'wrap') break
  }
  return pieces
}

/** The pieces of a line as one line. */
function joined([line, ...others]: readonly Line[]): Line {
  for (const other of others) {
    line!.frames.push(...other.frames)
    line!.breakAfter = other.breakAfter
    if (other.anchors) line!.anchors = [...(line!.anchors ?? []), ...other.anchors]
    if (other.notes) line!.notes = [...(line!.notes ?? []), ...other.notes]
  }
  return line!
}

/** How far a line moves down: on a document grid by whole lines of it. */
function leadOf(room: Intrusion | undefined, style: ParagraphStyle, { gridPitch }: LineSettings): number {
  const skip = room?.skip ?? 0
  if (skip <= 0 || gridPitch <= 0 || !style.snapToGrid) return skip
  return Math.ceil((skip - TOLERANCE) / gridPitch) * gridPitch
}

interface FilledLine {
  /** Exclusive end of what is drawn, and where the next line starts. */
  end: number
  next: number
  tabs: TabPlace[]
  ending: 'wrap' | 'line' | 'page' | 'column' | 'end'
  /** Width of the punctuation that stands outside of the right edge. */
  hanging?: number
  /** The last word is parted here, with a hyphen of layout's own. */
  hyphen?: boolean
  /** Not even the first word fits: it is cut where the room ends. */
  torn?: boolean
}

function fillLine(
  plan: Plan,
  start: number,
  left: number,
  edge: number,
  style: ParagraphStyle,
  settings: LineSettings,
  first: boolean,
  hyphens: HyphenSettings | undefined,
): FilledLine {
  let right = edge
  const { kinds, advances, spanOf } = plan
  const count = kinds.length
  const tabs: TabPlace[] = []
  let x = first ? left + labelShift(plan) : left
  let breakAt = -1
  let visible = false
  const squeeze = settings.squeezeBlanks && style.align === 'justify' ? SQUEEZE : 0
  let spare = 0
  let pulled = 0
  let span = -1
  let stretchAt = start
  let stretchX = x
  for (let at = start; at < count; at++) {
    const kind = kinds[at]!
    // Stretches of one look are whole twips wide, rounded down; inside of them, fractions count.
    if (spanOf[at] !== span) {
      span = spanOf[at]!
      x = Math.floor(x * 20 + TOLERANCE) / 20
      stretchAt = at
      stretchX = x
    }
    if (kind === Kind.line) return { end: at, next: at + 1, tabs, ending: 'line' }
    if (kind === Kind.page || kind === Kind.column)
      return { end: at, next: at + 1, tabs, ending: kind === Kind.page ? 'page' : 'column' }
    if (kind === Kind.mark) continue
    if (kind === Kind.tab) {
      const place = tabTarget(plan, at, x, left, right, style, settings)
      if (place.reach > right) right = Math.min(place.reach, edge + TAB_REACH)
      let { to } = place
      if (to > right + TOLERANCE && place.beyond && visible) {
        // A tab that ends its paragraph leads nothing on: it opens no line where its stop lies outside of the column.
        if (to < settings.width || !endsParagraph(plan, at)) return { end: at, next: at, tabs, ending: 'wrap' }
        to = Math.max(x, right)
      }
      tabs.push({ at, from: x, to, leader: place.leader })
      x = to
      pulled = place.pulled
      breakAt = at + 1
      visible = true
      // A line with tabs keeps its blanks, for what stands behind a tab would move away from it.
      spare = Number.NEGATIVE_INFINITY
      continue
    }
    if (kind === Kind.space) {
      x += advances[at]!
      if (visible) spare += advances[at]! * squeeze
      breakAt = at + 1
      continue
    }
    if (at > start && visible && breakAt !== at && mayBreakAt(plan, at)) breakAt = at
    const advance = advances[at]!
    // What a tab places by its end ends there, however it is rounded.
    const tolerance = pulled > 0 ? TWIP : TOLERANCE
    const reach = x + advance - behind(plan, at)
    if (
      reach > right + Math.max(0, spare) + tolerance &&
      visible &&
      !(reach < right + TWIP && fitsWhole(plan, stretchAt, at, right - stretchX))
    ) {
      if (x <= right + TOLERANCE && mayHang(plan, at, style))
        return { end: at + 1, next: at + 1, tabs, ending: at + 1 < count ? 'wrap' : 'end', hanging: advance }
      const parted = hyphens && partWord(plan, start, breakAt, x, at, right, hyphens)
      if (parted !== undefined)
        return { end: parted, next: parted, tabs: tabs.filter((tab) => tab.at < parted), ending: 'wrap', hyphen: true }
      const cut = slashCut(plan, start, breakAt, at) ?? (breakAt > start ? breakAt : at)
      const torn = cut === at && breakAt <= start ? { torn: true } : {}
      return { end: cut, next: cut, tabs: tabs.filter((tab) => tab.at < cut), ending: 'wrap', ...torn }
    }
    if (x + advance > right + TOLERANCE && breakAt > start && kind === Kind.object) {
      return { end: breakAt, next: breakAt, tabs, ending: 'wrap' }
    }
    x += advance
    visible = true
    if (kind === Kind.softHyphen) breakAt = at + 1
  }
  const lean = count > start ? leanOf(plan.spans[plan.spanOf[count - 1]!]!.style) : 0
  if (
    lean > 0 &&
    kinds[count - 1] === Kind.text &&
    x - pulled > right - lean + TOLERANCE &&
    breakAt > start &&
    spare <= 0
  )
    return { end: breakAt, next: breakAt, tabs: tabs.filter((tab) => tab.at < breakAt), ending: 'wrap' }
  return { end: count, next: count, tabs, ending: 'end' }
}

/**
 * Whether a stretch of one look that ends with `at` is given the fraction of a twip that it is too wide for its room.
 * That is so where the room looks like much at first sight: more than half a line's height for each character.
 */
function fitsWhole(plan: Plan, from: number, at: number, room: number): boolean {
  const span = plan.spanOf[at]!
  if (plan.spanOf[at + 1] === span && plan.kinds[at + 1] !== Kind.line) return false
  const { ascent, descent } = plan.spans[span]!.style
  return room * 2 > (at - from + 1) * (ascent + descent)
}

/** The space behind a character, of its letter spacing or between scripts, which needs no room at the end of a line. */
function behind(plan: Plan, at: number): number {
  const spacing = plan.spaced ? plan.spans[plan.spanOf[at]!]!.style.spacing : 0
  return plan.gaps ? spacing + (plan.gaps.get(at) ?? 0) : spacing
}

function endsParagraph({ kinds }: Plan, at: number): boolean {
  let next = at + 1
  while (next < kinds.length && kinds[next] === Kind.mark) next++
  return next === kinds.length
}

/** How long what stands before a slash may be, with it, to be kept with what follows: as LibreOffice has it. */
const GLUED_CHARACTERS = 66

/**
 * Where a line ends whose last opportunity before `at` is behind a slash. Slashes hold words together: the line ends
 * before the word, or, where the word begins the line, where its room ends. Behind the slash it ends only where the word
 * is overly long up to it, or begins the paragraph.
 */
function slashCut(plan: Plan, start: number, breakAt: number, at: number): number | undefined {
  const { codes, kinds, glued, labelLength } = plan
  let cut = at - 1
  while (cut > start && cut > breakAt && !(mayBreakBehindSlash(codes, cut) && !glued?.has(cut))) cut--
  if (cut <= start || cut <= breakAt || kinds[cut] !== Kind.text) return undefined
  for (let blank = cut - 2; blank >= labelLength && blank >= cut - GLUED_CHARACTERS; blank--) {
    if (isBlankAt(plan, blank)) return blank + 1 > start ? blank + 1 : at
  }
  return cut
}

function isBlankAt({ codes, kinds }: Plan, at: number): boolean {
  const kind = kinds[at]
  return kind === Kind.text
    ? isSpace(codes[at]!)
    : kind !== Kind.object && kind !== Kind.mark && kind !== Kind.softHyphen
}

/** Slanted letters reach beyond their advance: a paragraph in italics ends a twelfth of its line before the margin. */
function leanOf({ italic, ascent, descent }: TextStyle): number {
  return italic ? Math.floor(((ascent + descent) * 20) / 12) / 20 : 0
}

/** Where the word that does not fit is parted, unless enough of it fits the line's end as it is. */
function partWord(
  plan: Plan,
  start: number,
  breakAt: number,
  x: number,
  at: number,
  right: number,
  hyphens: HyphenSettings,
): number | undefined {
  const from = Math.max(breakAt, start)
  let width = x
  for (let entry = from; entry < at; entry++) width -= plan.advances[entry]!
  let end = width
  for (let entry = from - 1; entry >= start && plan.kinds[entry] === Kind.space; entry--) end -= plan.advances[entry]!
  if (from > start && right - end <= hyphens.zone) return undefined
  return hyphenBreak(plan, from, width, right + TOLERANCE, (entry) => hyphenAdvance(plan, entry), hyphens)
}

export function mayBreakAt(plan: Plan, at: number): boolean {
  const { kinds, codes } = plan
  if (plan.glued?.has(at)) return false
  if (plan.breaks?.has(at)) return true
  if (!plan.kinsoku && (isEastAsian(codes[at]!) || isEastAsian(codes[at - 1]!))) return true
  if (kinds[at] === Kind.object || kinds[at - 1] === Kind.object) return true
  const code = codes[at]!
  const before = codes[at - 1]!
  // Most pairs of characters are two small letters, between which no line ends.
  if (code >= 0x61 && code <= 0x7a && before >= 0x61 && before <= 0x7a) return false
  return mayBreakBetween(at > 1 ? codes[at - 2]! : 0, codes[at - 1]!, codes[at]!)
}

/** Right-aligned and centred numbers end or lie at the indent instead of starting there. */
function labelShift(plan: Plan): number {
  if (plan.labelAlign === 'left' || plan.labelLength === 0) return 0
  let width = 0
  for (let at = 0; at < plan.labelLength; at++) width += plan.advances[at]!
  return plan.labelAlign === 'right' ? -width : -width / 2
}

interface LineMetrics {
  ascent: number
  descent: number
  textAscent: number
  textDescent: number
  /** Height of the paragraph mark, whose share of spacing a line of pictures gets. */
  mark: number
  /** Height of the tallest picture. */
  objects: number
  /** Height of the text and of its blanks, whose share of spacing stands below a paragraph. */
  blanks: number
}

interface LineBox {
  height: number
  baseline: number
  /** Room that spacing beyond single keeps clear above the line, where another line of the paragraph stands there. */
  extra: number
  /** The same below the paragraph's last line. */
  trailing: number
}

/** The least share of its height that a line is set in: less would not be readable. */
const LEAST_PERCENT = 50

/** Heights are whole twips, cut off where LibreOffice cuts: fractions would add up to lines over some pages. */
function lineBox(metrics: LineMetrics, style: ParagraphStyle, settings: LineSettings, first: boolean): LineBox {
  const ascent = Math.round(metrics.ascent * 20)
  const natural = ascent + Math.round(metrics.descent * 20)
  const text = Math.round((metrics.textAscent + metrics.textDescent) * 20) || Math.round(metrics.mark * 20)
  const whole = Math.max(text, Math.round(metrics.blanks * 20))
  const percent = style.lineRule === 'auto' ? Math.max(LEAST_PERCENT, linePercent(style.line)) : 100
  const line = style.lineRule === 'auto' ? 0 : Math.max(1, Math.round(style.line * 20))
  if (settings.gridPitch > 0 && style.snapToGrid) {
    const pitch = Math.max(1, Math.round(settings.gridPitch * 20))
    let height = Math.max(1, Math.ceil(natural / pitch)) * pitch
    if (style.lineRule === 'exact') height = line
    else if (style.lineRule === 'atLeast') height = Math.max(height, line)
    const more = Math.max(0, percent - 100)
    return {
      height: height / 20,
      // What is left of the grid's lines is shared out above and below text, but left below a picture.
      baseline: (ascent + (metrics.objects * 20 > text ? 0 : Math.trunc((height - natural) / 2))) / 20,
      extra: Math.trunc((height * more) / 100) / 20,
      trailing: Math.trunc((whole * more) / 100) / 20,
    }
  }
  if (style.lineRule === 'exact') return { height: line / 20, baseline: fourFifths(line), extra: 0, trailing: 0 }
  if (style.lineRule === 'atLeast') {
    const height = Math.max(natural, line)
    return { height: height / 20, baseline: (height - natural + ascent) / 20, extra: 0, trailing: 0 }
  }
  if (percent < 100) {
    const height = first
      ? Math.floor((natural * percent) / 100)
      : natural - Math.floor((natural * (100 - percent)) / 100)
    return { height: Math.max(1, height) / 20, baseline: fourFifths(height), extra: 0, trailing: 0 }
  }
  // Spacing is a share of the text's height: a picture itself gets no more room by it.
  const extra = Math.trunc((text * (percent - 100)) / 100) / 20
  const trailing = Math.trunc((whole * (percent - 100)) / 100) / 20
  return { height: natural / 20, baseline: ascent / 20, extra, trailing }
}

function fourFifths(twips: number): number {
  return Math.floor((twips * 4) / 5) / 20
}

/** Line spacing in whole percents, by way of hundredths of a millimetre, of which a single line has 423. */
function linePercent(factor: number): number {
  return Math.round((Math.round((factor * 240 * 127) / 72) * 100) / 423)
}

/**
 * A line's room for spacing stands above it, but is given to the line before: at the top of a page it then falls away.
 */
function spread(lines: Line[], boxes: readonly LineBox[]): Line[] {
  for (const [index, line] of lines.entries()) {
    line.slack = boxes[index + 1]?.extra ?? boxes[index]!.trailing
    line.height += line.slack
  }
  return lines
}

/** Heights of text are a good seventh above the size of its font; by that much LibreOffice spaces the ends of cells. */
const HEIGHT_OF_SIZE = 1.15

/**
 * What spacing beyond single leaves below a paragraph that ends its cell: by the size that the paragraph's style
 * names, whatever its text is set in.
 */
export function spaceBelowCell(style: ParagraphStyle, size: number): number {
  const percent = style.lineRule === 'auto' ? linePercent(style.line) : 100
  return Math.trunc((Math.round(size * 20) * Math.max(0, percent - 100) * HEIGHT_OF_SIZE) / 100) / 20
}

function emptyLine(box: LineBox, from: number): Line {
  const { height, baseline } = box
  return {
    from,
    height,
    baseline,
    slack: 0,
    lead: 0,
    frames: [],
    breakAfter: undefined,
    anchors: undefined,
    notes: undefined,
  }
}

function markMetrics(mark: TextStyle): LineMetrics {
  const { ascent, descent } = mark
  return { ascent, descent, textAscent: ascent, textDescent: descent, mark: ascent + descent, blanks: 0, objects: 0 }
}

/** The end of a line without the blanks that hang off it. */
function withoutBlanks(plan: Plan, start: number, end: number): number {
  let trimmed = end
  while (trimmed > start && (plan.kinds[trimmed - 1] === Kind.space || plan.kinds[trimmed - 1] === Kind.mark)) trimmed--
  return trimmed
}

function measureLine(plan: Plan, start: number, lineEnd: number): LineMetrics {
  const end = Math.max(withoutBlanks(plan, start, lineEnd), Math.min(lineEnd, start + 1))
  const { kinds, markStyle } = plan
  const mark = markStyle.ascent + markStyle.descent
  const metrics: LineMetrics = { ascent: 0, descent: 0, textAscent: 0, textDescent: 0, mark, blanks: 0, objects: 0 }
  let ascent = 0
  let descent = 0
  let lastSpan = -1
  let measured = -1
  let drawn = false
  for (let at = start; at < end; at++) {
    const kind = kinds[at]!
    if (kind === Kind.object) {
      const { height, descent: under } = plan.objects!.get(at)!
      if (under !== undefined) {
        metrics.textAscent = Math.max(metrics.textAscent, height - under)
        metrics.textDescent = Math.max(metrics.textDescent, under)
        drawn = true
        continue
      }
      // A picture is raised and lowered with the run that it stands in.
      const { position } = plan.spans[plan.spanOf[at]!]!.style
      metrics.objects = Math.max(metrics.objects, height)
      metrics.ascent = Math.max(metrics.ascent, height + position)
      metrics.descent = Math.max(metrics.descent, -position)
      drawn ||= at >= plan.labelLength
      continue
    }
    const span = plan.spanOf[at]!
    if (span === lastSpan || kind === Kind.mark) continue
    const { style } = plan.spans[span]!
    const above = style.ascent + Math.max(0, style.position)
    const below = style.descent - Math.min(0, style.position)
    if (span !== measured) {
      measured = span
      ascent = Math.max(ascent, above)
      descent = Math.max(descent, below)
    }
    // Blanks and tabs of another size leave a line as high as its text is, or its mark.
    if (kind === Kind.space || kind === Kind.tab) continue
    lastSpan = span
    drawn = true
    metrics.textAscent = Math.max(metrics.textAscent, above)
    metrics.textDescent = Math.max(metrics.textDescent, below)
  }
  const { ownStyle } = plan
  if (drawn && metrics.textAscent === 0 && ownStyle) {
    // A manual break behind the pictures is text below them.
    if (kinds[lineEnd] === Kind.line) metrics.descent = Math.max(metrics.descent, ownStyle.descent)
    const own = ownStyle.ascent + ownStyle.descent + Math.abs(ownStyle.position)
    metrics.ascent = Math.max(metrics.ascent, own - metrics.descent)
  }
  // The mark stands beside a label that is all there is.
  const isLabelOnly = plan.labelLength > 0 && end <= plan.labelLength && lineEnd === kinds.length
  if (!drawn || isLabelOnly) {
    // A line that only a manual break ends is as high as text would be there.
    const isBreak = start === lineEnd && kinds[lineEnd] === Kind.line
    const style = isBreak ? plan.spans[plan.spanOf[lineEnd]!]!.style : markStyle
    metrics.textAscent = Math.max(metrics.textAscent, style.ascent)
    metrics.textDescent = Math.max(metrics.textDescent, style.descent)
  }
  metrics.ascent = Math.max(metrics.ascent, metrics.textAscent)
  metrics.descent = Math.max(metrics.descent, metrics.textDescent)
  metrics.blanks = ascent + descent
  return metrics
}

function placeLine(
  plan: Plan,
  { start, filled, left, right, first }: Piece,
  style: ParagraphStyle,
  settings: LineSettings,
  box: LineBox,
): Line {
  const { end, tabs, ending } = filled
  const trimmed = withoutBlanks(plan, start, end)
  const line = emptyLine(box, start)
  if (ending === 'page' || ending === 'column') line.breakAfter = ending
  const origin = first ? left + labelShift(plan) : left
  const lastTab = tabs.at(-1)
  const segmentStart = lastTab ? lastTab.at + 1 : start
  let used = lastTab ? lastTab.to : origin
  let gaps = 0
  for (let at = segmentStart; at < trimmed; at++) {
    used += plan.advances[at]!
    if (stretchesAfter(plan, at, trimmed)) gaps++
  }
  if (filled.hanging !== undefined) used -= filled.hanging
  else if (trimmed > segmentStart) used -= behind(plan, trimmed - 1)
  const softHyphen =
    filled.hyphen === true ||
    (ending === 'wrap' && plan.kinds[end - 1] === Kind.softHyphen && plan.codes[end - 1] === 0xad)
  if (softHyphen) used += hyphenAdvance(plan, end - 1)
  const free = right - used
  let shift = 0
  let stretch = 0
  if (style.align === 'justify') {
    const full =
      ending === 'wrap' || (ending === 'line' && settings.expandBrokenLines) || (ending === 'end' && style.lastLineToo)
    if (gaps > 0 && ((full && free > 0) || (free < -TOLERANCE && settings.squeezeBlanks && tabs.length === 0)))
      stretch = free / gaps
  } else if (tabs.length === 0 || style.align !== 'left') {
    shift = style.align === 'right' ? free : style.align === 'center' ? free / 2 : 0
    // Text too long for its line (nothing to break) starts at the indent instead of left of it.
    if (shift < 0) shift = 0
  }
  new LinePainter(plan, line, style, settings.width).paint(
    start,
    end,
    trimmed,
    origin + shift,
    tabs,
    segmentStart,
    stretch,
    shift,
    softHyphen,
  )
  return line
}
