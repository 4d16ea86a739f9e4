import type { ParagraphStyle, TextStyle } from '../style/cascade.ts'
import { mayBreakBetween } from './breaks.ts'
import type { AnchoredObject } from './context.ts'
import type { Frame } from './frame.ts'
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
  /** What floating objects take from a line that starts so far below the paragraph's top. */
  giveWay?: ((offset: number, height: number) => Intrusion) | undefined
}

/** How far tab stops in the margin are followed: two inches, which no page has more of. */
const TAB_REACH = 144
/** Rounding of widths must not wrap a word that fits exactly. */
const TOLERANCE = 0.02

/** How much of a justified line's blanks may be taken away to hold one more word. */
const SQUEEZE = 0.25

/** Breaks a paragraph into lines, first fit as Word does, and places what stands on each. */
export function breakLines(plan: Plan, style: ParagraphStyle, settings: LineSettings): Line[] {
  const lines: Line[] = []
  const count = plan.kinds.length
  if (count === 0) return [emptyLine(plan.markStyle, style, settings)]
  const { giveWay } = settings
  const expected = plan.markStyle.ascent + plan.markStyle.descent
  let offset = 0
  let start = 0
  while (start < count) {
    const first = lines.length === 0
    const room = giveWay?.(offset, expected)
    // Indents may reach into the margin; only what floats there keeps the text inside.
    const own = style.left + (first ? style.firstLine : 0)
    const left = room && room.left > 0 ? Math.max(own, room.left) : own
    const end = settings.width - style.right
    const right = Math.max(room && room.right > 0 ? Math.min(end, settings.width - room.right) : end, left + 1)
    const filled = fillLine(plan, start, left, right, style, settings, first)
    const line = placeLine(plan, start, filled, left, right, style, settings, first)
    line.lead = room?.skip ?? 0
    offset += line.lead + line.height
    lines.push(line)
    start = filled.next
  }
  const last = plan.kinds[count - 1]
  // A manual line break at the very end opens one more, empty line; a page break leaves the mark where it was.
  if (last === Kind.line) lines.push(emptyLine(plan.markStyle, style, settings))
  return lines
}

interface FilledLine {
  /** Exclusive end of what is drawn, and where the next line starts. */
  end: number
  next: number
  tabs: TabPlace[]
  ending: 'wrap' | 'line' | 'page' | 'column' | 'end'
}

function fillLine(
  plan: Plan,
  start: number,
  left: number,
  edge: number,
  style: ParagraphStyle,
  settings: LineSettings,
  first: boolean,
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
  return { end: count, next: count, tabs, ending: 'end' }
}

function mayBreakAt(plan: Plan, at: number): boolean {
  const { kinds, codes } = plan
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
}

function lineBox(
  metrics: LineMetrics,
  style: ParagraphStyle,
  settings: LineSettings,
): { height: number; baseline: number; slack: number } {
  const natural = metrics.ascent + metrics.descent
  if (style.lineRule === 'exact') return { height: style.line, baseline: style.line * 0.8, slack: 0 }
  if (style.lineRule === 'atLeast') {
    const height = Math.max(natural, style.line)
    return { height, baseline: height - metrics.descent, slack: 0 }
  }
  let pitch = natural
  let above = 0
  if (settings.gridPitch > 0 && style.snapToGrid) {
    pitch = Math.max(1, Math.ceil(natural / settings.gridPitch - 0.001)) * settings.gridPitch
    above = (pitch - natural) / 2
    return { height: pitch * style.line, baseline: above + metrics.ascent, slack: 0 }
  }
  const text = metrics.textAscent + metrics.textDescent
  // Spacing is a share of the text's height: a picture itself gets no more room by it.
  const extra = (style.line - 1) * (text > 0 ? text : metrics.mark)
  // Cut to whole twips, as the single line was.
  const height = extra === 0 ? pitch : Math.floor((pitch + extra) * 20 + 0.01) / 20
  // More than single spacing adds below the line, less than single takes from above it.
  return { height: Math.max(1, height), baseline: metrics.ascent + Math.min(0, extra), slack: Math.max(0, extra) }
}

function emptyLine(mark: TextStyle, style: ParagraphStyle, settings: LineSettings): Line {
  const { ascent, descent } = mark
  const metrics = { ascent, descent, textAscent: ascent, textDescent: descent, mark: ascent + descent }
  return { ...lineBox(metrics, style, settings), lead: 0, frames: [], breakAfter: undefined, anchors: [], notes: [] }
}

function measureLine(plan: Plan, start: number, end: number): LineMetrics {
  const { markStyle } = plan
  const mark = markStyle.ascent + markStyle.descent
  const metrics: LineMetrics = { ascent: 0, descent: 0, textAscent: 0, textDescent: 0, mark }
  let lastSpan = -1
  let drawn = false
  for (let at = start; at < end; at++) {
    if (plan.kinds[at] === Kind.object) {
      metrics.ascent = Math.max(metrics.ascent, plan.objects.get(at)?.height ?? 0)
      drawn = true
      continue
    }
    if (plan.kinds[at] === Kind.mark) continue
    const span = plan.spanOf[at]!
    if (span === lastSpan) continue
    lastSpan = span
    drawn = true
    const { style } = plan.spans[span]!
    metrics.textAscent = Math.max(metrics.textAscent, style.ascent + Math.max(0, style.position))
    metrics.textDescent = Math.max(metrics.textDescent, style.descent - Math.min(0, style.position))
  }
  if (!drawn) {
    metrics.textAscent = markStyle.ascent
    metrics.textDescent = markStyle.descent
  }
  metrics.ascent = Math.max(metrics.ascent, metrics.textAscent)
  metrics.descent = Math.max(metrics.descent, metrics.textDescent)
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
): Line {
  const { end, tabs, ending } = filled
  let trimmed = end
  while (trimmed > start && (plan.kinds[trimmed - 1] === Kind.space || plan.kinds[trimmed - 1] === Kind.mark)) trimmed--
  const box = lineBox(measureLine(plan, start, Math.max(trimmed, Math.min(end, start + 1))), style, settings)
  const line: Line = {
    ...box,
    lead: 0,
    frames: [],
    breakAfter: ending === 'page' || ending === 'column' ? ending : undefined,
    anchors: [],
    notes: [],
  }
  const origin = first ? left + labelShift(plan) : left
  const lastTab = tabs.at(-1)
  const segmentStart = lastTab ? lastTab.at + 1 : start
  let used = lastTab ? lastTab.to : origin
  let gaps = 0
  for (let at = segmentStart; at < trimmed; at++) {
    used += plan.advances[at]!
    if (plan.kinds[at] === Kind.space) gaps++
  }
  const softHyphen = ending === 'wrap' && plan.kinds[end - 1] === Kind.softHyphen && plan.codes[end - 1] === 0xad
  if (softHyphen) used += hyphenAdvance(plan, end - 1)
  const free = right - used
  let shift = 0
  let stretch = 0
  if (style.align === 'justify') {
    const full = ending === 'wrap' || (ending === 'line' && settings.expandBrokenLines)
    if (gaps > 0 && ((full && free > 0) || (free < -TOLERANCE && settings.squeezeBlanks && tabs.length === 0)))
      stretch = free / gaps
  } else if (tabs.length === 0 || style.align !== 'left') {
    shift = style.align === 'right' ? free : style.align === 'center' ? free / 2 : 0
    // Text too long for its line (nothing to break) starts at the indent instead of left of it.
    if (shift < 0) shift = 0
  }
  new LinePainter(plan, line, style).paint(
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
