import { mixColors } from '../../frame/color.ts'
import { type Frame, type GroupFrame, glyphsOf, type Matrix, moveFrames, type Outline } from '../../frame/frame.ts'
import { apply, identity, multiply } from '../../frame/matrix.ts'
import { Pen as OutlinePen, rectangleOutline, transformOutline } from '../../frame/pen.ts'
import type { Line } from '../../model/paint.ts'
import type { Context } from '../context.ts'
import { labelStyle, setText } from '../drawing/lettering.ts'
import { strokeOf } from '../drawing/paint.ts'

/** The drawing surface that both kinds of metafile play on: Windows' GDI as far as documents use it. */

export interface Pen {
  kind: 'pen'
  /** Undefined draws nothing. */
  color: string | undefined
  width: number
  dash: readonly number[]
  cap: Line['cap']
  join: Line['join']
}

export interface Brush {
  kind: 'brush'
  color: string | undefined
}

export interface Font {
  kind: 'font'
  family: string
  /** Negative: of the letters; positive: of the line. */
  height: number
  bold: boolean
  italic: boolean
  underline: boolean
  /** Tenths of a degree against the clock. */
  escapement: number
}

export type GdiObject = Pen | Brush | Font

export interface State {
  windowX: number
  windowY: number
  windowWidth: number
  windowHeight: number
  viewX: number
  viewY: number
  viewWidth: number
  viewHeight: number
  mode: number
  world: Matrix
  pen: Pen
  brush: Brush
  font: Font
  textColor: string
  backColor: string
  isOpaque: boolean
  align: number
  evenOdd: boolean
  clip: Outline | undefined
  x: number
  y: number
}

export const blackPen: Pen = { kind: 'pen', color: '000000', width: 0, dash: [], cap: 'butt', join: 'round' }
export const whiteBrush: Brush = { kind: 'brush', color: 'FFFFFF' }
export const systemFont: Font = {
  kind: 'font',
  family: 'Arial',
  height: 0,
  bold: false,
  italic: false,
  underline: false,
  escapement: 0,
}

/** Saved states inside of each other. */
const MAX_SAVED = 256

export class Gdi {
  state: State
  /** The path between its begin and its end; undefined outside of one. */
  path: OutlinePen | undefined
  finished: Outline | undefined
  readonly frames: Frame[] = []
  private mask: { place: string; draw: () => void } | undefined
  private saved: State[] = []
  private target: Frame[] = this.frames
  private targetClip: Outline | undefined

  /** @param device from device units to the picture's box in points */
  constructor(
    readonly context: Context,
    private readonly device: Matrix,
    readonly node: number,
    private readonly unitsPerMillimetre: number,
  ) {
    this.state = {
      windowX: 0,
      windowY: 0,
      windowWidth: 1,
      windowHeight: 1,
      viewX: 0,
      viewY: 0,
      viewWidth: 1,
      viewHeight: 1,
      mode: 1,
      world: identity,
      pen: blackPen,
      brush: whiteBrush,
      font: systemFont,
      textColor: '000000',
      backColor: 'FFFFFF',
      isOpaque: true,
      align: 0,
      evenOdd: true,
      clip: undefined,
      x: 0,
      y: 0,
    }
  }

  /** From logical units to points. */
  matrix(): Matrix {
    const { state } = this
    return multiply(multiply(this.device, this.mapping()), state.world)
  }

  private mapping(): Matrix {
    const { mode, windowX, windowY, windowWidth, windowHeight, viewX, viewY, viewWidth, viewHeight } = this.state
    // Metric modes count upwards: tenths and hundredths of a millimetre, hundredths and thousandths of an inch, twips.
    const metric = [0, 0, 0.1, 0.01, 0.254, 0.0254, 25.4 / 1440][mode] ?? 0
    const [scaleX, scaleY] =
      mode >= 7
        ? [viewWidth / (windowWidth || 1), viewHeight / (windowHeight || 1)]
        : metric > 0
          ? [metric * this.unitsPerMillimetre, -metric * this.unitsPerMillimetre]
          : [1, 1]
    return [scaleX, 0, 0, scaleY, viewX - windowX * scaleX, viewY - windowY * scaleY]
  }

  save(): void {
    if (this.saved.length < MAX_SAVED) this.saved.push({ ...this.state })
  }

  /** Back to a saved state: the last one for -1, the first one for 1. */
  restore(which: number): void {
    const at = which < 0 ? this.saved.length + which : which - 1
    const state = this.saved[at]
    if (!state) return
    this.state = state
    this.saved = this.saved.slice(0, at)
  }

  emit(frame: Frame): void {
    const { clip } = this.state
    if (clip !== this.targetClip) {
      this.targetClip = clip
      if (clip) {
        const group: GroupFrame = { kind: 'group', x: 0, y: 0, matrix: identity, clip, frames: [] }
        this.frames.push(group)
        this.target = group.frames
      } else this.target = this.frames
    }
    this.target.push(frame)
  }

  /** Draws an outline in logical units with the pen, the brush or both, or adds it to the path that is being made. */
  draw(outline: Outline, filled: boolean, stroked = true): void {
    const placed = transformOutline(outline, this.matrix())
    if (this.path) this.append(placed)
    else this.paint(placed, filled, stroked)
  }

  moveTo(x: number, y: number): void {
    this.state.x = x
    this.state.y = y
    this.path?.move(...apply(this.matrix(), x, y))
  }

  /** Paths keep their places in points: the mapping may be another one when they are drawn. */
  private append({ ops, points }: Outline): void {
    const { path } = this
    if (!path) return
    let at = 0
    const next = () => points[at++]!
    for (const [index, op] of [...ops].entries()) {
      if (op === 'M') {
        const [x, y] = [next(), next()]
        // A line that goes on where the path stands continues its figure.
        if (index > 0 || path.isEmpty || Math.abs(path.x - x) > 1e-6 || Math.abs(path.y - y) > 1e-6) path.move(x, y)
      } else if (op === 'L') path.line(next(), next())
      else if (op === 'C') path.curve(next(), next(), next(), next(), next(), next())
      else path.close()
    }
  }

  /** Draws an outline that is in points already. */
  paint(outline: Outline, filled: boolean, stroked: boolean): void {
    const { pen, brush, evenOdd } = this.state
    const fill =
      filled && brush.color !== undefined ? { kind: 'solid' as const, color: brush.color, opacity: 1 } : undefined
    const stroke = stroked && pen.color !== undefined ? this.stroke(pen, pen.color) : undefined
    if (!fill && !stroke) return
    this.emit({
      kind: 'path',
      x: 0,
      y: 0,
      outline,
      evenOdd,
      ...(fill ? { fill } : {}),
      ...(stroke ? { stroke } : {}),
      node: this.node,
    })
  }

  private stroke(pen: Pen, color: string) {
    const [a, b, c, d] = this.matrix()
    const scale = Math.sqrt(Math.abs(a * d - b * c))
    const hairline = Math.sqrt(Math.abs(this.device[0] * this.device[3]))
    const width = Math.max(pen.width * scale, Math.min(0.75, hairline))
    return strokeOf({ color, opacity: 1, width, dash: pen.dash, cap: pen.cap, join: pen.join })
  }

  beginPath(): void {
    this.path = new OutlinePen()
    this.finished = undefined
  }

  endPath(): void {
    this.finished = this.path?.outline
    this.path = undefined
  }

  paintPath(filled: boolean, stroked: boolean): void {
    const { finished } = this
    this.finished = undefined
    if (finished) this.paint(finished, filled, stroked)
  }

  clipPath(): void {
    if (this.finished) this.state.clip = this.finished
    this.finished = undefined
  }

  /** Cuts at a rectangle in logical units, and at what was cut at before where both are upright. */
  clipRectangle(left: number, top: number, right: number, bottom: number): void {
    const corners = transformOutline(rectangleOutline(left, top, right - left, bottom - top), this.matrix())
    this.state.clip = intersect(this.state.clip, corners)
  }

  /** A filled rectangle in logical units, in a colour of its own. */
  fillRectangle(x: number, y: number, width: number, height: number, color: string): void {
    this.emit({
      kind: 'path',
      x: 0,
      y: 0,
      outline: transformOutline(rectangleOutline(x, y, width, height), this.matrix()),
      evenOdd: false,
      fill: { kind: 'solid', color, opacity: 1 },
      node: this.node,
    })
  }

  /**
   * A bitmap file in a rectangle of logical units. A mask (a bitmap that only blackens) waits for the picture that fills
   * what it spared; it is drawn if none comes.
   */
  picture(part: string, file: Uint8Array, x: number, y: number, width: number, height: number, isMask: boolean): void {
    const place = `${x} ${y} ${width} ${height}`
    const { mask } = this
    this.mask = undefined
    if (mask && mask.place !== place) mask.draw()
    this.context.model.media.set(part, file)
    const matrix = multiply(this.matrix(), [width, 0, 0, height, x, y])
    const draw = () => this.emitPicture(part, matrix)
    if (isMask) this.mask = { place, draw }
    else draw()
  }

  /** Draws what still waits. */
  finish(): Frame[] {
    this.mask?.draw()
    this.mask = undefined
    return this.frames
  }

  private emitPicture(part: string, matrix: Matrix): void {
    const crop = { left: 0, top: 0, right: 0, bottom: 0 }
    const [a, b, c, d, e, f] = matrix
    if (a > 0 && d > 0 && Math.abs(b) + Math.abs(c) < 1e-9) {
      this.emit({ kind: 'image', x: e, y: f, width: a, height: d, part, crop, rotation: 0, node: this.node })
      return
    }
    this.emit({
      kind: 'group',
      x: 0,
      y: 0,
      matrix,
      frames: [{ kind: 'image', x: 0, y: 0, width: 1, height: 1, part, crop, rotation: 0, node: this.node }],
    })
  }

  /** Text at a place in logical units; `advances` are the widths that the characters were given. */
  text(text: string, x: number, y: number, advances: readonly number[]): void {
    const { state } = this
    const { font, align } = state
    if (align & 1) [x, y] = [state.x, state.y]
    const matrix = this.matrix()
    const [a, b, c, d] = matrix
    const scaleX = Math.hypot(a, b)
    const scaleY = Math.hypot(c, d)
    // The height of a line is some 1.15 times that of the letters' em; without any, Windows takes a small one.
    const logical = font.height < 0 ? -font.height : font.height > 0 ? font.height / 1.15 : 12 / Math.max(1e-6, scaleY)
    const size = Math.min(2_000, logical * scaleY)
    if (!(size > 0.05) || text === '') return
    const props = { fonts: { ascii: font.family, highAnsi: font.family }, size, bold: font.bold, italic: font.italic }
    const style = labelStyle(this.context, { ...props, color: state.textColor })
    const set = setText(this.context, text, style, this.node)
    // A picture that is stretched one way stretches its letters with it.
    const stretch = scaleX / scaleY
    for (const frame of set.frames) {
      frame.look = { ...frame.look, scale: frame.look.scale * stretch }
      frame.x *= stretch
      frame.width *= stretch
    }
    const [only] = set.frames
    let width = set.width * stretch
    const glyphs = only && set.frames.length === 1 ? glyphsOf(only) : []
    if (only && glyphs.length > 0 && glyphs.length === text.length && advances.length >= glyphs.length) {
      const { face } = only.look.font
      const unit = only.look.size * only.look.scale
      only.shifts = glyphs.map((glyph, index) => advances[index]! * scaleX - face.advance(glyph) * unit)
      width = advances.slice(0, glyphs.length).reduce((sum, value) => sum + value * scaleX, 0)
      only.width = width
    }
    const horizontal = align & 6
    const across = horizontal === 6 ? -width / 2 : horizontal === 2 ? -width : 0
    const vertical = align & 24
    const down = vertical === 24 ? 0 : vertical === 8 ? -style.descent : style.ascent
    moveFrames(set.frames, across, down)
    const [px, py] = apply(matrix, x, y)
    const turn = (font.escapement / 10) * (Math.PI / 180) - Math.atan2(b, a)
    const [cos, sin] = [Math.cos(turn), Math.sin(turn)]
    const frames: Frame[] = [...set.frames]
    if (font.underline) {
      const thickness = size * 0.06
      const outline = rectangleOutline(across, down + size * 0.1, width, thickness)
      const fill = { kind: 'solid' as const, color: state.textColor, opacity: 1 }
      frames.push({ kind: 'path', x: 0, y: 0, outline, evenOdd: false, fill, node: this.node })
    }
    if (Math.abs(turn) < 1e-6) {
      moveFrames(frames, px, py)
      for (const frame of frames) this.emit(frame)
    } else this.emit({ kind: 'group', x: px, y: py, matrix: [cos, -sin, sin, cos, 0, 0], frames })
    if (align & 1 && scaleX > 0) state.x += width / scaleX
  }
}

function intersect(current: Outline | undefined, added: Outline): Outline {
  const [first, second] = [current && uprightBox(current), uprightBox(added)]
  if (!first || !second) return added
  const [left, top] = [Math.max(first[0], second[0]), Math.max(first[1], second[1])]
  const [right, bottom] = [Math.min(first[2], second[2]), Math.min(first[3], second[3])]
  return rectangleOutline(left, top, Math.max(0, right - left), Math.max(0, bottom - top))
}

function uprightBox({ ops, points }: Outline): [number, number, number, number] | undefined {
  if (ops !== 'MLLLZ') return undefined
  const [x1, y1, x2, y2, x3, y3] = points as [number, number, number, number, number, number]
  const isUpright =
    (Math.abs(y1 - y2) < 1e-6 && Math.abs(x2 - x3) < 1e-6) || (Math.abs(x1 - x2) < 1e-6 && Math.abs(y2 - y3) < 1e-6)
  return isUpright ? [Math.min(x1, x3), Math.min(y1, y3), Math.max(x1, x3), Math.max(y1, y3)] : undefined
}

const penDashes: readonly (readonly number[])[] = [[], [3, 1], [1, 1], [3, 1, 1, 1], [3, 1, 1, 1, 1, 1]]

/** A pen by its style (end cap and join in the higher bits), width in logical units and colour. */
export function penOf(style: number, width: number, color: string): Pen {
  const cap = (style & 0xf00) >> 8
  const join = (style & 0xf000) >> 12
  return {
    kind: 'pen',
    color: (style & 0xf) === 5 ? undefined : color,
    width: Math.abs(width),
    dash: penDashes[style & 0xf] ?? [],
    cap: cap === 1 ? 'square' : cap === 2 ? 'butt' : 'round',
    join: join === 1 ? 'bevel' : join === 2 ? 'miter' : 'round',
  }
}

/** A brush by its style; hatches are drawn as the colour that they give from afar. */
export function brushOf(style: number, color: string): Brush {
  if (style === 1) return { kind: 'brush', color: undefined }
  if (style === 2) return { kind: 'brush', color: mixColors('FFFFFF', color, 0.4) }
  return { kind: 'brush', color: style === 0 ? color : 'C0C0C0' }
}
