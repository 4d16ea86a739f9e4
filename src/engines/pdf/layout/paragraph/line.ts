import type { ParagraphStyle } from '../../style/cascade.ts'
import { type FilledLine, fillLine } from './fill.ts'
import type { HyphenSettings } from './hyphenate.ts'
import { stretchesAfter } from './ideographs.ts'
import { LinePainter } from './line-paint.ts'
import { type LineBox, lineBox, markMetrics, measureLine } from './measure.ts'
import { hyphenAdvance, Kind, labelShift, type Plan, spaceBehind, withoutBlanks } from './plan.ts'
import { type Line, type LineSettings, type ParagraphText, TOLERANCE } from './set-line.ts'
import type { Gap, Intrusion, Opening } from './wrap.ts'

/** Breaks a paragraph into lines, first fit as Word does, and places what is on each. */
export function breakLines(text: ParagraphText): Line[] {
  const { plan, style, settings } = text
  const { giveWay, from = 0 } = settings
  const count = plan.length
  const limit = settings.hyphens?.limit ?? 0
  const expected = plan.markStyle.ascent + plan.markStyle.descent
  const lines: Line[] = []
  const boxes: LineBox[] = []
  if (count === 0 || from >= count) addEmpty(text, lines, boxes)
  let hyphenated = 0
  let offset = 0
  for (let start = from; start < count; ) {
    const given = giveWay?.(offset, expected, objectAt(plan, start))
    const mayHyphenate = !style.suppressHyphens && (limit === 0 || hyphenated < limit)
    const hyphens = mayHyphenate ? settings.hyphens : undefined
    const { first, others } = fillGaps(text, start, gapsOf(given, style), hyphens)
    const { filled } = others.at(-1) ?? first
    hyphenated = filled.hyphen ? hyphenated + 1 : 0
    const lead = leadOf(given, style, settings)
    const metrics = measureLine(plan, start, filled.end)
    const box = lead > 0 && isBlank(plan) ? noBox : lineBox(metrics, text, start === 0 ? 'first line' : 'later line')
    const line = placeLine(text, first, box)
    for (const other of others) join(line, placeLine(text, other, box))
    line.lead = lead
    offset += lead + line.height + box.extra
    lines.push(line)
    boxes.push(box)
    start = filled.next
  }
  // A manual line break at the very end opens one more, empty line; a page break leaves the paragraph mark on its line.
  if (plan.kind(count - 1) === Kind.line && from < count) addEmpty(text, lines, boxes)
  return spread(lines, boxes)
}

/** Adds a line that holds only the paragraph mark. */
function addEmpty(text: ParagraphText, lines: Line[], boxes: LineBox[]): void {
  const { plan, style, settings } = text
  const { giveWay, from = 0 } = settings
  const { markStyle } = plan
  const isFirst = lines.length === 0
  const box = lineBox(markMetrics(markStyle), text, isFirst && from === 0 ? 'first line' : 'later line')
  const line = emptyLine(box, plan.length)
  if (isFirst) line.lead = leadOf(giveWay?.(0, markStyle.ascent + markStyle.descent), style, settings)
  lines.push(line)
  boxes.push(box)
}

/** The picture that a line begins with. */
function objectAt(plan: Plan, start: number): Opening | undefined {
  let at = start
  while (plan.kind(at) === Kind.mark) at++
  return plan.kind(at) === Kind.object ? plan.objects?.get(at) : undefined
}

/** The box of a line in a paragraph of blanks that a floating object moves down: it takes no height. */
const noBox: LineBox = { height: 0, baseline: 0, extra: 0, trailing: 0 }

function isBlank({ kinds }: Plan): boolean {
  return kinds.includes(Kind.space) && kinds.every((kind) => kind === Kind.space || kind === Kind.mark)
}

const wholeLine: readonly [Gap] = [{ left: 0, right: 0 }]

/** Where a line has room, in the order of its text. */
function gapsOf(given: Intrusion | undefined, { bidi }: ParagraphStyle): readonly Gap[] {
  if (!given) return wholeLine
  const gaps = [given, ...(given.more ?? [])]
  // A right-to-left paragraph is laid out from its right edge, so a gap further left comes later.
  return bidi ? gaps.map(({ left, right }) => ({ left: right, right: left })).reverse() : gaps
}

/** A part of a line: between two floating objects, or between one and an edge of the column. */
interface Piece {
  start: number
  filled: FilledLine
  left: number
  right: number
}

/** Fills the gaps of a line one after the other; a word too long for one goes into the next. */
function fillGaps(
  text: ParagraphText,
  start: number,
  gaps: readonly Gap[],
  hyphens: HyphenSettings | undefined,
): { first: Piece; others: readonly Piece[] } {
  if (gaps === wholeLine) return { first: fillGap(text, start, wholeLine[0], hyphens), others: noPieces }
  let first: Piece | undefined
  const others: Piece[] = []
  let at = start
  for (const [index, gap] of gaps.entries()) {
    const piece = fillGap(text, at, gap, hyphens)
    const { filled } = piece
    if (filled.torn && (first || index + 1 < gaps.length)) continue
    if (first) others.push(piece)
    else first = piece
    at = filled.next
    if (filled.ending !== 'wrap') break
  }
  if (!first) throw new Error('a line has no room at all')
  return { first, others }
}

const noPieces: readonly Piece[] = []

function fillGap(text: ParagraphText, start: number, gap: Gap, hyphens: HyphenSettings | undefined): Piece {
  const { style, settings } = text
  // Indents may reach into the margin; only what floats there keeps the text inside.
  const own = style.left + (start === 0 ? style.firstLine : 0)
  const left = gap.left > 0 ? Math.max(own, gap.left) : own
  const end = settings.width - style.right
  const right = Math.max(gap.right > 0 ? Math.min(end, settings.width - gap.right) : end, left + 1)
  return { start, filled: fillLine(text, start, { left, right }, hyphens), left, right }
}

/** Adds a further piece to its line. */
function join(line: Line, { frames, breakAfter, anchors, notes }: Line): void {
  line.frames.push(...frames)
  line.breakAfter = breakAfter
  if (anchors) line.anchors = [...(line.anchors ?? []), ...anchors]
  if (notes) line.notes = [...(line.notes ?? []), ...notes]
}

/** How far a line moves down: on a document grid by whole lines of it. */
function leadOf(room: Intrusion | undefined, style: ParagraphStyle, { gridPitch }: LineSettings): number {
  const skip = room?.skip ?? 0
  if (skip <= 0 || gridPitch <= 0 || !style.snapToGrid) return skip
  return Math.ceil((skip - TOLERANCE) / gridPitch) * gridPitch
}

/** Adds the spacing above each line to the line before it, so that it is dropped at the top of a page. */
function spread(lines: Line[], boxes: readonly LineBox[]): Line[] {
  for (const [index, line] of lines.entries()) {
    line.slack = boxes[index + 1]?.extra ?? boxes[index]?.trailing ?? 0
    line.height += line.slack
  }
  return lines
}

function emptyLine({ height, baseline }: LineBox, from: number): Line {
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

function placeLine(text: ParagraphText, { start, filled, left, right }: Piece, box: LineBox): Line {
  const { plan, style, settings } = text
  const { end, tabs, ending } = filled
  const trimmed = withoutBlanks(plan, start, end)
  const line = emptyLine(box, start)
  if (ending === 'page' || ending === 'column') line.breakAfter = ending
  const origin = start === 0 ? left + labelShift(plan) : left
  const lastTab = tabs.at(-1)
  const stretchFrom = lastTab ? lastTab.at + 1 : start
  let used = lastTab ? lastTab.to : origin
  let gaps = 0
  for (let at = stretchFrom; at < trimmed; at++) {
    used += plan.advance(at)
    if (stretchesAfter(plan, at, trimmed)) gaps++
  }
  if (filled.hanging !== undefined) used -= filled.hanging
  else if (trimmed > stretchFrom) used -= spaceBehind(plan, trimmed - 1)
  const hyphen = endsInHyphen(plan, filled)
  if (hyphen) used += hyphenAdvance(plan, end - 1)
  const free = right - used
  const stretch = gaps > 0 && stretches(text, filled, free) ? free / gaps : 0
  const shift = tabs.length === 0 || style.align !== 'left' ? shiftOf(style, free) : 0
  const placed = { start, end, trimmed, x: origin + shift, tabs, stretchFrom, stretch, shift, hyphen }
  new LinePainter(plan, line, style, settings.width).paint(placed)
  return line
}

function endsInHyphen(plan: Plan, { end, ending, hyphen }: FilledLine): boolean {
  if (hyphen) return true
  return ending === 'wrap' && plan.kind(end - 1) === Kind.softHyphen && plan.code(end - 1) === 0xad
}

/** Whether the blanks of a line are widened or narrowed to fill it. */
function stretches({ plan, style, settings }: ParagraphText, { ending, tabs }: FilledLine, free: number): boolean {
  if (style.align !== 'justify') return false
  const isFull =
    ending === 'wrap' || (ending === 'line' && settings.expandBrokenLines) || (ending === 'end' && style.lastLineToo)
  return (
    (isFull && free > 0) ||
    (free < -TOLERANCE && settings.squeezeBlanks && tabs.every(({ at }) => at < plan.labelLength))
  )
}

/** How far alignment moves a line to the right. Text too long for its line starts at the indent, not left of it. */
function shiftOf({ align }: ParagraphStyle, free: number): number {
  return align === 'right' ? Math.max(0, free) : align === 'center' ? Math.max(0, free / 2) : 0
}
