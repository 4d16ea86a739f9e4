import type { ParagraphStyle, TextStyle } from '../style/cascade.ts'
import { isEastAsian } from '../text/script.ts'
import { mayBreakBetween } from './breaks.ts'
import type { AnchoredObject } from './context.ts'
import type { Frame } from './frame.ts'
import { type HyphenSettings, hyphenBreak } from './hyphenate.ts'
import { mayHang, stretchesAfter } from './ideographs.ts'
import { Kind, type Plan } from './inline.ts'
import { hyphenAdvance, LinePainter } from './line-paint.ts'
import { type TabPlace, tabTarget } from './tabs.ts'
import type { Intrusion } from './wrap.ts'

/** One set line: frames relative to the column's left and the line's top. */
export interface Line {
  /** Space above, where the line had to move below a floating object. */
  lead: number
  height: number
  baseline: number
  /** See `Slice.slack`. */
  slack: number
  frames: Frame[]
  breakAfter: 'page' | 'column' | undefined
  anchors: AnchoredObject[]
  notes: string[]
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
  /** What floating objects take from a line that starts so far below the paragraph's top. */
  giveWay?: ((offset: number, height: number) => Intrusion) | undefined
}

/** How far tab stops in the margin are followed: two inches, which no page has more of. */
const TAB_REACH = 144
/** Rounding of widths must not wrap a word that fits exactly. */
const TOLERANCE = 0.04

/** How much of a justified line's blanks may be taken away to hold one more word. */
const SQUEEZE = 0.25

/** Breaks a paragraph into lines, first fit as Word does, and places what stands on each. */
export function breakLines(plan: Plan, style: ParagraphStyle, settings: LineSettings): Line[] {
  const lines: Line[] = []
  const count = plan.kinds.length
  const boxes: LineBox[] = []
  const openEmpty = () => {
    const box = lineBox(markMetrics(plan.markStyle), style, settings, lines.length === 0)
    boxes.push(box)
    lines.push(emptyLine(box))
  }
  if (count === 0) openEmpty()
  const { giveWay } = settings
  const expected = plan.markStyle.ascent + plan.markStyle.descent
  const limit = settings.hyphens?.limit ?? 0
  let parted = 0
  let offset = 0
  let start = 0
  while (start < count) {
    const first = lines.length === 0
    const given = giveWay?.(offset, expected)
    // A right-to-left paragraph is laid out from its right edge, so what is left of it comes last.
    const room = given && style.bidi ? { ...given, left: given.right, right: given.left } : given
    // Indents may reach into the margin; only what floats there keeps the text inside.
    const own = style.left + (first ? style.firstLine : 0)
    const left = room && room.left > 0 ? Math.max(own, room.left) : own
    const end = settings.width - style.right
    const right = Math.max(room && room.right > 0 ? Math.min(end, settings.width - room.right) : end, left + 1)
    const hyphens = style.suppressHyphens || (limit > 0 && parted >= limit) ? undefined : settings.hyphens
    const filled = fillLine(plan, start, left, right, style, settings, first, hyphens)
    parted = filled.hyphen ? parted + 1 : 0
    const metrics = measureLine(plan, start, filled.end)
    const box = lineBox(metrics, style, settings, first)
    const line = placeLine(plan, start, filled, left, right, style, settings, first, box)
    line.lead = room?.skip ?? 0
    offset += line.lead + line.height + box.extra
    lines.push(line)
    boxes.push(box)
    start = filled.next
  }
  const last = plan.kinds[count - 1]
  // A manual line break at the very end opens one more, empty line; a page break leaves the mark where it was.
  if (last === Kind.line) openEmpty()
  return spread(lines, boxes)
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
  const { kinds, advances } = plan
  const count = kinds.length
  const tabs: TabPlace[] = []
  let x = first ? left + labelShift(plan) : left
  let breakAt = -1
  let visible = false
  const squeeze = settings.squeezeBlanks && style.align === 'justify' ? SQUEEZE : 0
  let spare = 0
  for (let at = start; at < count; at++) {
    const kind = kinds[at]!
    if (kind === Kind.line) return { end: at, next: at + 1, tabs, ending: 'line' }
    if (kind === Kind.page || kind === Kind.column)
      return { end: at, next: at + 1, tabs, ending: kind === Kind.page ? 'page' : 'column' }
    if (kind === Kind.mark) continue
    if (kind === Kind.tab) {
      const place = tabTarget(plan, at, x, left, right, style, settings)
      if (place.reach > right) right = Math.min(place.reach, edge + TAB_REACH)
      if (place.to > right + TOLERANCE && place.beyond && visible) return { end: at, next: at, tabs, ending: 'wrap' }
      tabs.push({ at, from: x, to: place.to, leader: place.leader })
      x = place.to
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
    if (x + advance > right + Math.max(0, spare) + TOLERANCE && visible) {
      if (x <= right + TOLERANCE && mayHang(plan, at, style))
        return { end: at + 1, next: at + 1, tabs, ending: at + 1 < count ? 'wrap' : 'end', hanging: advance }
      const parted = hyphens && partWord(plan, start, breakAt, x, at, right, hyphens)
      if (parted !== undefined)
        return { end: parted, next: parted, tabs: tabs.filter((tab) => tab.at < parted), ending: 'wrap', hyphen: true }
      if (breakAt > start)
        return { end: breakAt, next: breakAt, tabs: tabs.filter((tab) => tab.at < breakAt), ending: 'wrap' }
      return { end: at, next: at, tabs, ending: 'wrap' }
    }
    if (x + advance > right + TOLERANCE && breakAt > start && kind === Kind.object) {
      return { end: breakAt, next: breakAt, tabs, ending: 'wrap' }
    }
    x += advance
    visible = true
    if (kind === Kind.softHyphen) breakAt = at + 1
  }
  const lean = count > start ? leanOf(plan.spans[plan.spanOf[count - 1]!]!.style) : 0
  if (lean > 0 && kinds[count - 1] === Kind.text && x > right - lean + TOLERANCE && breakAt > start && spare <= 0)
    return { end: breakAt, next: breakAt, tabs: tabs.filter((tab) => tab.at < breakAt), ending: 'wrap' }
  return { end: count, next: count, tabs, ending: 'end' }
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

function mayBreakAt(plan: Plan, at: number): boolean {
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

/** Heights are whole twips, cut off where the yardstick cuts: fractions would add up to lines over some pages. */
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
      baseline: (ascent + Math.trunc((height - natural) / 2)) / 20,
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

function emptyLine(box: LineBox): Line {
  const { height, baseline } = box
  return { height, baseline, slack: 0, lead: 0, frames: [], breakAfter: undefined, anchors: [], notes: [] }
}

function markMetrics(mark: TextStyle): LineMetrics {
  const { ascent, descent } = mark
  return { ascent, descent, textAscent: ascent, textDescent: descent, mark: ascent + descent, blanks: 0 }
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
  const metrics: LineMetrics = { ascent: 0, descent: 0, textAscent: 0, textDescent: 0, mark, blanks: 0 }
  let ascent = 0
  let descent = 0
  let lastSpan = -1
  let measured = -1
  let drawn = false
  for (let at = start; at < end; at++) {
    const kind = kinds[at]!
    if (kind === Kind.object) {
      metrics.ascent = Math.max(metrics.ascent, plan.objects.get(at)?.height ?? 0)
      drawn = true
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
    if (kinds[lineEnd] === Kind.line) metrics.descent = ownStyle.descent
    metrics.ascent = Math.max(metrics.ascent, ownStyle.ascent + ownStyle.descent - metrics.descent)
  }
  if (!drawn) {
    metrics.textAscent = markStyle.ascent
    metrics.textDescent = markStyle.descent
  }
  metrics.ascent = Math.max(metrics.ascent, metrics.textAscent)
  metrics.descent = Math.max(metrics.descent, metrics.textDescent)
  metrics.blanks = ascent + descent
  return metrics
}

function placeLine(
  plan: Plan,
  start: number,
  filled: FilledLine,
  left: number,
  right: number,
  style: ParagraphStyle,
  settings: LineSettings,
  first: boolean,
  box: LineBox,
): Line {
  const { end, tabs, ending } = filled
  const trimmed = withoutBlanks(plan, start, end)
  const line = emptyLine(box)
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
