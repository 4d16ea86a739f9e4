import { type Frame, type LinkFrame, moveFrames, type TextFrame } from '../../frame/frame.ts'
import type { Border, TabStop } from '../../model/properties.ts'
import type { ParagraphStyle, TextStyle } from '../../style/cascade.ts'
import { edge, extentOf } from './border.ts'
import { emphasisMarks } from './emphasis.ts'
import { stretchesAfter } from './ideographs.ts'
import { hyphenAdvance, Kind, type Plan, type Span } from './plan.ts'
import type { Line, TabPlace } from './set-line.ts'
import { placeGlyphs } from './shaping.ts'
import { type Piece, piecesOf } from './visual.ts'

const leaderCodes: Record<TabStop['leader'], number> = {
  none: 0,
  dot: 0x2e,
  hyphen: 0x2d,
  underscore: 0x5f,
  middleDot: 0xb7,
}

const noFrames: readonly Frame[] = []

/** The entries of a line, and how they are set. */
export interface PlacedLine {
  readonly start: number
  /** Exclusive. */
  readonly end: number
  /** Where the line's trailing blanks begin. */
  readonly trimmed: number
  /** Where the first entry goes. */
  readonly x: number
  readonly tabs: readonly TabPlace[]
  /** By how much each entry that can stretch is widened, from the entry `stretchFrom` on. */
  readonly stretch: number
  readonly stretchFrom: number
  /** How far alignment moves the line, its tabs included. */
  readonly shift: number
  /** The line ends in a hyphen that the layout adds. */
  readonly hyphen: boolean
}

/** How far text that runs one way goes. */
type Reach = Pick<Piece, 'to' | 'reversed'>

/** Turns the characters of one broken line into frames, with everything that is drawn around them. */
export class LinePainter {
  private x = 0
  private readonly behind: Frame[] = []
  private readonly front: Frame[] = []
  private link: LinkFrame | undefined
  /** How many tabs of the line are set. */
  private tabs = 0
  /** Frames already in their final place (objects and text); all others are measured from the right edge until `turnOver`. */
  private placed: Set<Frame> | undefined

  constructor(
    private readonly plan: Plan,
    private readonly line: Line,
    private readonly style: ParagraphStyle,
    /** Width of the column; frames of right-to-left paragraphs are mirrored about its middle. */
    private readonly width: number,
  ) {}

  paint(placed: PlacedLine): void {
    const { start, end, trimmed } = placed
    const { plan } = this
    this.x = placed.x
    // One blank past the last word keeps words apart for readers of the text; it takes no width.
    const shown = trimmed < end && plan.kind(trimmed) === Kind.space ? trimmed + 1 : trimmed
    if (plan.levels) {
      for (const { from, to, reversed } of piecesOf(plan, start, end, trimmed))
        this.set(from, { to: Math.min(to, shown), reversed }, placed)
    } else {
      const all = { to: shown, reversed: false }
      for (let at = start; at < end; ) at = this.set(at, all, placed)
    }
    if (placed.hyphen) this.hyphen(end - 1)
    this.closeBox()
    if (this.link) this.front.push(this.link)
    if (plan.bidi) this.turnOver()
    this.line.frames = this.behind.length === 0 ? this.front : [...this.behind, ...this.front]
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

  /** Paints the entry `at`, or the text that begins there; returns where it ends. Beyond the piece's end only marks are painted. */
  private set(at: number, piece: Reach, placed: PlacedLine): number {
    const kind = this.plan.kind(at)
    if (kind === Kind.mark) this.mark(at)
    else if (at >= piece.to) return at + 1
    else if (kind === Kind.tab) this.tab(at, placed)
    else if (kind === Kind.object) this.object(at)
    else if (kind !== Kind.softHyphen) return this.run(at, piece, placed)
    return at + 1
  }

  private tab(at: number, { tabs, shift }: PlacedLine): void {
    const place = tabs[this.tabs++]
    if (!place) return
    this.leader(at, place, shift)
    this.decorateGap(at, this.x, place.to + shift)
    this.x = place.to + shift
  }

  private turnOver(): void {
    for (const frame of [...this.behind, ...this.front]) {
      if (this.placed?.has(frame)) continue
      if (frame.kind === 'line') {
        const { x1, x2 } = frame
        frame.x1 = this.width - x2
        frame.x2 = this.width - x1
      } else if (frame.kind === 'destination') frame.x = this.width - frame.x
      else if (frame.kind === 'path')
        frame.x = this.width - frame.x - Math.max(...frame.outline.points.filter((_, index) => index % 2 === 0))
      else if ('width' in frame) frame.x = this.width - frame.x - frame.width
    }
  }

  /** Places the characters of a piece that share the first one's look; returns where they end. */
  private run(at: number, { to: end, reversed }: Reach, placed: PlacedLine): number {
    const { plan } = this
    const { spanOf } = plan
    const { trimmed, stretch } = placed
    const index = spanOf[at]
    let to = at
    let width = 0
    for (; to < end && spanOf[to] === index; to++) {
      const kind = plan.kind(to)
      if (kind !== Kind.text && kind !== Kind.space) break
      if (to >= trimmed) continue
      width += plan.advance(to)
      if (stretch !== 0) width += this.stretchOf(to, placed)
    }
    const span = plan.span(at)
    const { style, node } = span
    const { look } = style
    const frame: TextFrame = {
      kind: 'text',
      x: plan.bidi ? this.width - this.x - width : this.x,
      y: this.line.baseline - style.rise,
      width,
      text: textBetween(plan, at, to),
      glyphs: plan.glyphs && glyphsBetween(plan, at, to),
      shifts: undefined,
      look,
      node,
    }
    if (reversed || plan.clusters) this.shape(frame, { from: at, to, reversed }, placed)
    else if (stretch !== 0 || style.kern || style.spacing !== 0 || plan.adjusted) {
      const { face } = look.font
      const unit = look.size * look.scale
      frame.shifts = []
      for (let entry = at; entry < to; entry++)
        frame.shifts.push(plan.advance(entry) + this.stretchOf(entry, placed) - face.advance(plan.glyph(entry)) * unit)
    }
    this.front.push(frame)
    const marks = style.emphasis === 'none' ? noFrames : emphasisMarks(frame, style, this.line.baseline)
    if (marks.length > 0) this.front.push(...marks)
    if (plan.bidi) this.hold([frame, ...marks])
    this.decorate(span, this.x, this.x + width, frame.text)
    this.x += width
    return to
  }

  /** Gives a frame the glyphs of shaped text. */
  private shape(frame: TextFrame, piece: Piece, placed: PlacedLine): void {
    const { plan } = this
    const widthOf = (entry: number) =>
      entry < placed.trimmed ? plan.advance(entry) + this.stretchOf(entry, placed) : 0
    const { lead, ...glyphs } = placeGlyphs(plan, piece, widthOf)
    Object.assign(frame, glyphs)
    frame.x += lead
  }

  /** By how much an entry is widened. */
  private stretchOf(entry: number, { stretch, stretchFrom, trimmed }: PlacedLine): number {
    if (stretch === 0 || entry < stretchFrom || entry >= trimmed) return 0
    return stretchesAfter(this.plan, entry, trimmed) ? stretch : 0
  }

  private hyphen(at: number): void {
    const { style, node } = this.plan.span(at)
    const width = hyphenAdvance(this.plan, at)
    this.front.push({
      kind: 'text',
      x: this.x,
      y: this.line.baseline - style.rise,
      width,
      text: '-',
      glyphs: undefined,
      shifts: undefined,
      look: style.look,
      node,
    })
    this.x += width
  }

  /** Backgrounds, underlines, strikes and link areas of a stretch of one span. */
  private decorate({ style, link, node }: Span, from: number, to: number, text = ''): void {
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
    if (style.border) this.box(style.border, style, from, to)
    else this.closeBox()
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

  /** The box of bordered runs, which one box surrounds as long as their borders are equal. */
  private open: { border: Border; from: number; to: number; ascent: number; descent: number } | undefined

  private box(border: Border, { ascent, descent }: TextStyle, from: number, to: number): void {
    const { open } = this
    if (open && sameBorder(open.border, border) && Math.abs(open.to - from) < 0.1) {
      open.to = to
      open.ascent = Math.max(open.ascent, ascent)
      open.descent = Math.max(open.descent, descent)
      return
    }
    this.closeBox()
    this.open = { border, from, to, ascent, descent }
  }

  private closeBox(): void {
    if (!this.open) return
    const { border, from, to, ascent, descent } = this.open
    this.open = undefined
    const away = border.space + extentOf(border) / 2
    const [left, right] = [from - away, to + away]
    const [top, bottom] = [this.line.baseline - ascent, this.line.baseline + descent]
    for (const [x1, y1, x2, y2] of [
      [left, top, right, top],
      [left, bottom, right, bottom],
      [left, top, left, bottom],
      [right, top, right, bottom],
    ] as const)
      this.front.push(...edge(border, { x1, y1, x2, y2 }))
  }

  private underline(style: TextStyle, from: number, to: number): void {
    const { look } = style
    const { face, underline = [-face.underlinePosition, face.underlineThickness] } = look.font
    const thickness = Math.max(0.24, underline[1] * look.size * (style.underline === 'thick' ? 2 : 1))
    // A font says where the top of its underline is.
    const y = this.line.baseline + underline[0] * look.size + thickness / 2
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
    const span = this.plan.span(at)
    if (at < this.plan.labelLength || to <= from) return
    if (span.style.underline !== 'none' || span.style.background || span.style.strike !== 'none' || span.style.border)
      this.decorate(span, from, to)
  }

  private leader(at: number, place: TabPlace, shift: number): void {
    const code = leaderCodes[place.leader]
    if (code === 0) return
    const { look } = this.plan.style(at)
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
      glyphs: undefined,
      shifts: undefined,
      look,
      node: -1,
    })
  }

  private object(at: number): void {
    const object = this.plan.objects?.get(at)
    if (!object) return
    const span = this.plan.span(at)
    // Combined text and phonetic guides are raised like text; a picture only by its run's stated position, not as a
    // superscript.
    const { rise, position } = span.style
    const bottom = object.descent === undefined ? -position : object.descent - rise
    const top = this.line.baseline + bottom - object.height
    this.front.push(...object.frames)
    this.hold(object.frames)
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

  /** Marks frames that are already in their final place, in right-to-left paragraphs too. */
  private hold(frames: readonly Frame[]): void {
    this.placed ??= new Set()
    for (const frame of frames) this.placed.add(frame)
  }

  private mark(at: number): void {
    const mark = this.plan.marks?.get(at)
    if (mark?.bookmark !== undefined) this.front.push({ kind: 'destination', x: this.x, y: 0, name: mark.bookmark })
    if (mark?.anchored) {
      this.line.anchors = [...(this.line.anchors ?? []), mark.anchored]
      if (mark.anchored.notes) this.line.notes = [...(this.line.notes ?? []), ...mark.anchored.notes]
    }
    if (mark?.note !== undefined) this.line.notes = [...(this.line.notes ?? []), mark.note]
  }
}

function glyphsBetween(plan: Plan, from: number, to: number): number[] {
  return Array.from({ length: to - from }, (_, offset) => plan.glyph(from + offset))
}

/** The characters of some entries as text. */
function textBetween(plan: Plan, from: number, to: number): string {
  // Where no character takes two units, the text and the entries count alike.
  if (plan.characters.length === plan.length) return plan.characters.slice(from, to)
  let text = ''
  for (let at = from; at < to; at++) text += plan.character(at)
  return text
}

function sameBorder(a: Border, b: Border): boolean {
  return a.style === b.style && a.width === b.width && a.color === b.color && a.space === b.space
}
