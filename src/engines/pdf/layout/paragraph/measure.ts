import type { ParagraphStyle, TextStyle } from '../../style/cascade.ts'
import { Kind, type Plan, withoutBlanks } from './plan.ts'
import type { ParagraphText } from './set-line.ts'

export interface LineMetrics {
  ascent: number
  descent: number
  textAscent: number
  textDescent: number
  /** Height of the paragraph mark; line spacing of a line of pictures is a share of it. */
  mark: number
  /** Height of the tallest picture. */
  objects: number
  /** Height of the text and its blanks; spacing below a paragraph is a share of it. */
  blanks: number
}

export interface LineBox {
  height: number
  baseline: number
  /** Room that spacing beyond single keeps clear above the line, if the paragraph has another line above it. */
  extra: number
  /** The same below the paragraph's last line. */
  trailing: number
}

/** The least share of its height that a line gets: less would not be readable. */
const LEAST_PERCENT = 50

/** Heights are whole twips, truncated where LibreOffice truncates: fractions would add up to lines over some pages. */
export function lineBox(
  metrics: LineMetrics,
  { style, settings }: ParagraphText,
  order: 'first line' | 'later line',
): LineBox {
  const ascent = Math.round(metrics.ascent * 20)
  const natural = ascent + Math.round(metrics.descent * 20)
  const text = Math.round((metrics.textAscent + metrics.textDescent) * 20) || Math.round(metrics.mark * 20)
  const whole = Math.max(text, Math.round(metrics.blanks * 20))
  const percent = style.lineRule === 'auto' ? Math.max(LEAST_PERCENT, linePercent(style.line)) : 100
  const line = style.lineRule === 'auto' ? 0 : Math.max(1, Math.round(style.line * 20))
  if (settings.gridPitch > 0 && style.snapToGrid) {
    const height = gridHeight(natural, line, settings.gridPitch, style.lineRule)
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
    const height =
      order === 'first line'
        ? Math.floor((natural * percent) / 100)
        : natural - Math.floor((natural * (100 - percent)) / 100)
    return { height: Math.max(1, height) / 20, baseline: fourFifths(height), extra: 0, trailing: 0 }
  }
  // Spacing is a share of the text's height: a picture itself gets no more room by it.
  const extra = Math.trunc((text * (percent - 100)) / 100) / 20
  const trailing = Math.trunc((whole * (percent - 100)) / 100) / 20
  return { height: natural / 20, baseline: ascent / 20, extra, trailing }
}

/** As many lines of the document grid as hold the line, in twips. */
function gridHeight(natural: number, line: number, gridPitch: number, rule: ParagraphStyle['lineRule']): number {
  if (rule === 'exact') return line
  const pitch = Math.max(1, Math.round(gridPitch * 20))
  const height = Math.max(1, Math.ceil(natural / pitch)) * pitch
  return rule === 'atLeast' ? Math.max(height, line) : height
}

function fourFifths(twips: number): number {
  return Math.floor((twips * 4) / 5) / 20
}

/** Line spacing in whole percent, rounded by way of hundredths of a millimetre (a single line has 423). */
function linePercent(factor: number): number {
  return Math.round((Math.round((factor * 240 * 127) / 72) * 100) / 423)
}

/** Height of text per point of font size; LibreOffice derives the space at the end of a cell from it. */
const HEIGHT_OF_SIZE = 1.15

/**
 * The space that spacing beyond single leaves below a paragraph that ends its cell. It follows from the size that the
 * paragraph's style names, not from that of its text.
 */
export function spaceBelowCell(style: ParagraphStyle, size: number): number {
  const percent = style.lineRule === 'auto' ? linePercent(style.line) : 100
  return Math.trunc((Math.round(size * 20) * Math.max(0, percent - 100) * HEIGHT_OF_SIZE) / 100) / 20
}

/** Metrics of a line with nothing but the paragraph mark. */
export function markMetrics(mark: TextStyle): LineMetrics {
  const { ascent, descent } = mark
  return { ascent, descent, textAscent: ascent, textDescent: descent, mark: ascent + descent, blanks: 0, objects: 0 }
}

/** The heights of what is on a line. */
export function measureLine(plan: Plan, start: number, lineEnd: number): LineMetrics {
  const end = Math.max(withoutBlanks(plan, start, lineEnd), Math.min(lineEnd, start + 1))
  const { markStyle } = plan
  const mark = markStyle.ascent + markStyle.descent
  const metrics: LineMetrics = { ascent: 0, descent: 0, textAscent: 0, textDescent: 0, mark, blanks: 0, objects: 0 }
  const isDrawn = addEntries(metrics, plan, start, end)
  const { ownStyle } = plan
  if (isDrawn && metrics.textAscent === 0 && ownStyle) {
    // A manual break behind the pictures is text below them.
    if (plan.kind(lineEnd) === Kind.line) metrics.descent = Math.max(metrics.descent, ownStyle.descent)
    const own = ownStyle.ascent + ownStyle.descent + Math.abs(ownStyle.position)
    metrics.ascent = Math.max(metrics.ascent, own - metrics.descent)
  }
  // The paragraph has only a label: the mark is beside it.
  const isLabelOnly = plan.labelLength > 0 && end <= plan.labelLength && lineEnd === plan.length
  if (!isDrawn || isLabelOnly) {
    // A line that only a manual break ends is as high as text would be there.
    const isBreak = start === lineEnd && plan.kind(lineEnd) === Kind.line
    const style = isBreak ? plan.style(lineEnd) : markStyle
    metrics.textAscent = Math.max(metrics.textAscent, style.ascent)
    metrics.textDescent = Math.max(metrics.textDescent, style.descent)
  }
  metrics.ascent = Math.max(metrics.ascent, metrics.textAscent)
  metrics.descent = Math.max(metrics.descent, metrics.textDescent)
  return metrics
}

/** Adds the heights of the entries; true if any of them is drawn, not counting pictures in the label. */
function addEntries(metrics: LineMetrics, plan: Plan, start: number, end: number): boolean {
  const { spanOf } = plan
  let ascent = 0
  let descent = 0
  let lastSpan = -1
  let measured = -1
  let isDrawn = false
  for (let at = start; at < end; at++) {
    const kind = plan.kind(at)
    if (kind === Kind.object) {
      const counts = addObject(metrics, plan, at)
      isDrawn ||= counts
      continue
    }
    const span = spanOf[at] ?? -1
    // Text of the label's own look still has its depth.
    if (at === plan.labelLength) {
      lastSpan = -1
      measured = -1
    }
    if (span === lastSpan || kind === Kind.mark) continue
    const style = plan.style(at)
    const above = style.ascent + Math.max(0, style.position)
    // As in Word, a list's label raises its line but does not deepen it: text in Cambria keeps its depth beside a
    // bullet in Courier New.
    const below = at < plan.labelLength ? 0 : style.descent - Math.min(0, style.position)
    if (span !== measured) {
      measured = span
      ascent = Math.max(ascent, above)
      descent = Math.max(descent, below)
    }
    // Blanks and tabs of another size leave a line as high as its text is, or its mark.
    if (kind === Kind.space || kind === Kind.tab) continue
    lastSpan = span
    isDrawn = true
    metrics.textAscent = Math.max(metrics.textAscent, above)
    metrics.textDescent = Math.max(metrics.textDescent, below)
  }
  metrics.blanks = ascent + descent
  return isDrawn
}

function addObject(metrics: LineMetrics, plan: Plan, at: number): boolean {
  const object = plan.objects?.get(at)
  if (!object) return false
  const { height, descent } = object
  if (descent !== undefined) {
    metrics.textAscent = Math.max(metrics.textAscent, height - descent)
    metrics.textDescent = Math.max(metrics.textDescent, descent)
    return true
  }
  // A picture is raised and lowered with its run.
  const { position } = plan.style(at)
  metrics.objects = Math.max(metrics.objects, height)
  metrics.ascent = Math.max(metrics.ascent, height + position)
  metrics.descent = Math.max(metrics.descent, -position)
  return at >= plan.labelLength
}
