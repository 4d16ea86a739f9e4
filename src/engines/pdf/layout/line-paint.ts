import type { TabStop } from '../read/model.ts'
import type { ParagraphStyle, TextStyle } from '../style/cascade.ts'
import { type Frame, type LinkFrame, moveFrames, type TextFrame } from './frame.ts'
import { stretchesAfter } from './ideographs.ts'
import { Kind, type Plan } from './inline.ts'
import type { Line } from './line.ts'
import { placeGlyphs } from './shaping.ts'
import type { TabPlace } from './tabs.ts'
import { piecesOf } from './visual.ts'

/** Width of the hyphen that a soft hyphen becomes at the end of a line. */
export function hyphenAdvance(plan: Plan, at: number): number {
  const { look } = plan.spans[plan.spanOf[at]!]!.style
  return look.font.face.advance(look.font.face.glyph(0x2d)) * look.size * look.scale
}

const leaderCodes: Record<TabStop['leader'], number> = {
  none: 0,
  dot: 0x2e,
  hyphen: 0x2d,
  underscore: 0x5f,
  middleDot: 0xb7,
}

/** Turns the characters of one broken line into frames, with everything that is drawn around them. */
export class LinePainter {
  private x = 0
  private readonly behind: Frame[] = []
  private readonly front: Frame[] = []
  private link: LinkFrame | undefined

  constructor(
    private readonly plan: Plan,
    private readonly line: Line,
    private readonly style: ParagraphStyle,
    /** Width of the column, at whose middle the frames of right-to-left paragraphs are turned over. */
    private readonly width: number,
  ) {}

  paint(
    start: number,
    end: number,
    trimmed: number,
    x: number,
    tabs: readonly TabPlace[],
    stretchFrom: number,
    stretch: number,
    shift: number,
    hyphen: boolean,
  ): void {
    const { plan } = this
    this.x = x
    // One blank past the last word keeps words apart for readers of the text; it takes no width.
    const shown = trimmed < end && plan.kinds[trimmed] === Kind.space ? trimmed + 1 : trimmed
    let tab = 0
    const set = (at: number, to: number, reversed: boolean): number => {
      const kind = plan.kinds[at]!
      if (kind === Kind.mark) this.mark(at)
      else if (at >= shown) return at + 1
      else if (kind === Kind.tab) {
        const place = tabs[tab++]
        if (place) {
          this.leader(at, place, shift)
          this.decorateGap(at, this.x, place.to + shift)
          this.x = place.to + shift
        }
      } else if (kind === Kind.object) this.object(at)
      else if (kind !== Kind.softHyphen)
        return this.run(at, Math.min(to, shown), trimmed, stretchFrom, stretch, reversed)
      return at + 1
    }
    if (plan.levels) {
      for (const { from, to, reversed } of piecesOf(plan, start, end, trimmed)) set(from, to, reversed)
    } else for (let at = start; at < end; ) at = set(at, shown, false)
    if (hyphen) this.hyphen(end - 1)
    if (this.link) this.front.push(this.link)
    if (plan.bidi) this.turnOver()
    this.line.frames.push(...this.behind, ...this.front)
    for (const stop of this.style.tabs) {
      if (stop.kind === 'bar')
        this.line.frames.push({
          kind: 'line',
          x1: plan.bidi ? this.width - stop.position : stop.position,
          y1: 0,
          x2: plan.bidi ? this.width - stop.position : stop.position,
          y2: this.line.height,
          width: 0.5,
          color: '000000',
          dash: 'solid',
        })
    }
  }

  /** Objects are placed where they belong at once; everything else is measured from the right edge until here. */
  private readonly placed = new Set<Frame>()

  private turnOver(): void {
    for (const frame of [...this.behind, ...this.front]) {
      if (this.placed.has(frame)) continue
      if (frame.kind === 'line') {
        const { x1, x2 } = frame
        frame.x1 = this.width - x2
        frame.x2 = this.width - x1
      } else if (frame.kind === 'destination') frame.x = this.width - frame.x
      else if ('width' in frame) frame.x = this.width - frame.x - frame.width
    }
  }

  /** Places the characters from `at` that share one look; answers where they end. */
  private run(
    at: number,
    shown: number,
    trimmed: number,
    stretchFrom: number,
    stretch: number,
    reversed: boolean,
  ): number {
    const { plan } = this
    const { kinds, advances, spanOf } = plan
    const span = spanOf[at]!
    let to = at
    let width = 0
    for (; to < shown && spanOf[to] === span && (kinds[to] === Kind.text || kinds[to] === Kind.space); to++) {
      if (to >= trimmed) continue
      width += advances[to]!
      if (stretch !== 0 && to >= stretchFrom && stretchesAfter(plan, to, trimmed)) width += stretch
    }
    const { style, node } = plan.spans[span]!
    const { look } = style
    const frame: TextFrame = {
      kind: 'text',
      x: this.x,
      y: this.line.baseline - style.rise,
      width,
      text: textOfCodes(plan.codes.slice(at, to)),
      glyphs: plan.glyphs.slice(at, to),
      shifts: undefined,
      look,
      node,
    }
    if (reversed || plan.clusters) {
      const placed = placeGlyphs(plan, at, to, reversed, (index) => {
        if (index >= trimmed) return 0
        return advances[index]! + (index >= stretchFrom && stretchesAfter(plan, index, trimmed) ? stretch : 0)
      })
      Object.assign(frame, placed)
      frame.x += placed.lead
    } else if (stretch !== 0 || style.kern || style.spacing !== 0 || plan.adjusted) {
      const { face } = look.font
      const unit = look.size * look.scale
      frame.shifts = frame.glyphs.map((glyph, offset) => {
        const index = at + offset
        const extra = index >= stretchFrom && index < trimmed && stretchesAfter(plan, index, trimmed) ? stretch : 0
        return advances[index]! + extra - face.advance(glyph) * unit
      })
    }
    this.front.push(frame)
    this.decorate(span, this.x, this.x + width, frame.text)
    this.x += width
    return to
  }

  private hyphen(at: number): void {
    const { style, node } = this.plan.spans[this.plan.spanOf[at]!]!
    const width = hyphenAdvance(this.plan, at)
    const glyphs = [style.look.font.face.glyph(0x2d)]
    this.front.push({
      kind: 'text',
      x: this.x,
      y: this.line.baseline - style.rise,
      width,
      text: '-',
      glyphs,
      shifts: undefined,
      look: style.look,
      node,
    })
    this.x += width
  }

  /** Backgrounds, underlines, strikes and link areas of a stretch of one span. */
  private decorate(spanIndex: number, from: number, to: number, text = ''): void {
    const { style, link, node } = this.plan.spans[spanIndex]!
    const width = to - from
    if (width <= 0) return
    const { baseline, height } = this.line
    const { look } = style
    if (style.background) {
      this.behind.push({
        kind: 'box',
        x: from,
        y: baseline - style.ascent,
        width,
        height: style.ascent + style.descent,
        color: style.background,
      })
    }
    if (style.border) {
      const top = baseline - style.ascent
      const bottom = baseline + style.descent
      for (const [x1, y1, x2, y2] of [
        [from, top, to, top],
        [from, bottom, to, bottom],
        [from, top, from, bottom],
        [to, top, to, bottom],
      ] as const) {
        this.front.push({ kind: 'line', x1, y1, x2, y2, width: 0.5, color: look.color, dash: 'solid' })
      }
    }
    if (style.underline !== 'none') this.underline(style, from, to)
    if (style.strike !== 'none') {
      const thickness = look.font.face.underlineThickness * look.size
      const y = baseline - style.rise - look.font.face.strikePosition * look.size
      for (const offset of style.strike === 'double' ? [-thickness, thickness] : [0]) {
        this.front.push({
          kind: 'box',
          x: from,
          y: y + offset - thickness / 2,
          width,
          height: thickness,
          color: look.color,
        })
      }
    }
    if (link) {
      const area = this.link
      if (area && area.link === link && Math.abs(area.x + area.width - from) < 1) {
        area.width = to - area.x
        area.text += text
      } else {
        if (area) this.front.push(area)
        this.link = {
          kind: 'link',
          x: from,
          y: Math.max(0, baseline - style.ascent),
          width,
          height: Math.min(height, style.ascent + style.descent),
          link,
          node,
          text,
        }
      }
    }
  }

  private underline(style: TextStyle, from: number, to: number): void {
    const { look } = style
    const thickness = Math.max(
      0.4,
      look.font.face.underlineThickness * look.size * (style.underline === 'thick' ? 2 : 1),
    )
    const y = this.line.baseline - style.look.font.face.underlinePosition * look.size
    const color = style.underlineColor
    if (style.underline === 'dotted' || style.underline === 'dash' || style.underline === 'wave') {
      const dash = style.underline === 'dash' ? 'dashed' : style.underline
      this.front.push({ kind: 'line', x1: from, y1: y, x2: to, y2: y, width: thickness, color, dash })
      return
    }
    this.front.push({ kind: 'box', x: from, y: y - thickness / 2, width: to - from, height: thickness, color })
    if (style.underline === 'double')
      this.front.push({ kind: 'box', x: from, y: y + thickness * 1.5, width: to - from, height: thickness, color })
  }

  /** A tab carries the underline and background of its run across the gap. */
  private decorateGap(at: number, from: number, to: number): void {
    const span = this.plan.spans[this.plan.spanOf[at]!]!
    if (at < this.plan.labelLength || to <= from) return
    if (span.style.underline !== 'none' || span.style.background || span.style.strike !== 'none')
      this.decorate(this.plan.spanOf[at]!, from, to)
  }

  private leader(at: number, place: TabPlace, shift: number): void {
    const code = leaderCodes[place.leader]
    if (code === 0) return
    const { look } = this.plan.spans[this.plan.spanOf[at]!]!.style
    const glyph = look.font.face.glyph(code)
    const advance = look.font.face.advance(glyph) * look.size * look.scale
    if (glyph === 0 || advance <= 0.1) return
    // As many as fit from the gap's beginning; lines have one more, so that they end without a gap.
    const from = place.from + shift
    const fitting = Math.floor((place.to - place.from) / advance + 0.001)
    const count = Math.min(2_000, fitting + (code === 0x2e ? 0 : 1))
    if (count <= 0) return
    this.front.push({
      kind: 'text',
      x: from,
      y: this.line.baseline,
      width: count * advance,
      text: String.fromCharCode(code).repeat(count),
      glyphs: new Array<number>(count).fill(glyph),
      shifts: undefined,
      look,
      node: -1,
    })
  }

  private object(at: number): void {
    const object = this.plan.objects.get(at)
    if (!object) return
    const span = this.plan.spans[this.plan.spanOf[at]!]!
    const top = this.line.baseline - object.height - span.style.rise
    for (const frame of object.frames) {
      this.front.push(frame)
      this.placed.add(frame)
    }
    moveFrames(object.frames, this.plan.bidi ? this.width - this.x - object.width : this.x, top)
    if (span.link) {
      this.front.push({
        kind: 'link',
        x: this.x,
        y: top,
        width: object.width,
        height: object.height,
        link: span.link,
        node: span.node,
        text: '',
      })
    }
    this.x += object.width
  }

  private mark(at: number): void {
    const mark = this.plan.marks.get(at)
    if (mark?.bookmark !== undefined) this.front.push({ kind: 'destination', x: this.x, y: 0, name: mark.bookmark })
    if (mark?.anchored) this.line.anchors.push(mark.anchored)
    if (mark?.note !== undefined) this.line.notes.push(mark.note)
  }
}

/** Nearly all text is short and in the basic plane; long argument lists would overflow the stack. */
function textOfCodes(codes: readonly number[]): string {
  if (codes.length === 1) return String.fromCodePoint(codes[0]!)
  if (codes.length < 500 && codes.every((code) => code < 0x10000))
    return String.fromCharCode.apply(null, codes as number[])
  let text = ''
  for (const code of codes) text += String.fromCodePoint(code)
  return text
}
