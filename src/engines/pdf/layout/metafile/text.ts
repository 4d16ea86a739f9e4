import { type Frame, glyphsOf, type Matrix, moveFrames, type TextFrame } from '../../frame/frame.ts'
import { apply } from '../../frame/matrix.ts'
import { rectangleOutline } from '../../frame/pen.ts'
import type { Context } from '../context.ts'
import { labelStyle, setText } from '../drawing/lettering.ts'
import type { Point } from './figures.ts'
import type { Font } from './objects.ts'
import type { State } from './state.ts'

/** A text at a place in logical units. */
export interface MetafileText {
  readonly text: string
  readonly at: Point
  /** The widths that the record gives to the characters; ignored if there are fewer than characters. */
  readonly advances: readonly number[]
}

/** The surface that a text is set on. */
export interface TextSurface {
  readonly state: Readonly<State>
  /** From logical units to points. */
  readonly matrix: Matrix
  readonly node: number
}

export interface SetMetafileText {
  /** Relative to (x, y), the point of the page that the text is aligned to. */
  frames: Frame[]
  x: number
  y: number
  /** Anticlockwise, in radians. */
  turn: number
  /** The current position after it. */
  position: Point
}

/** TextAlignmentMode ([MS-WMF] 2.1.2.3): flags, and the fields for both directions. */
const UPDATE_POSITION = 1
const HORIZONTAL = { mask: 6, right: 2, center: 6 } as const
const VERTICAL = { mask: 24, bottom: 8, baseline: 24 } as const

/** True if text begins at the current position and moves it to the text's end. */
export function movesPosition(align: number): boolean {
  return (align & UPDATE_POSITION) !== 0
}

/** A line is about this much higher than the em of its letters. */
const LINE_HEIGHT = 1.15
/** The size in points of a font that states no height; Windows takes a small one, too. */
const USUAL_SIZE = 12
/** Sizes in points that nobody could read, and that would leave any page. */
const SIZES = { least: 0.05, most: 2_000 } as const

/** Sets a text in the font of a surface; undefined if nothing would be seen. */
export function setMetafileText(
  context: Context,
  { text, at, advances }: MetafileText,
  { state, matrix, node }: TextSurface,
): SetMetafileText | undefined {
  const { font, align, textColor: color } = state
  const [a, b, c, d] = matrix
  const [scaleX, scaleY] = [Math.hypot(a, b), Math.hypot(c, d)]
  const size = sizeOf(font, scaleY)
  if (!(size > SIZES.least) || text === '') return undefined
  const { family, bold, italic } = font
  const style = labelStyle(context, { fonts: { ascii: family, highAnsi: family }, size, bold, italic, color })
  const lettering = setText(context, text, style, node)
  // A picture stretched in one direction stretches its letters too.
  const stretch = scaleX / scaleY
  for (const frame of lettering.frames) stretchFrame(frame, stretch)
  const [only, ...others] = lettering.frames
  const spread = only && others.length === 0 ? spreadFrame(only, text, advances, scaleX) : undefined
  const width = spread ?? lettering.width * stretch
  const [across, down] = [acrossOf(align, width), downOf(align, style)]
  moveFrames(lettering.frames, across, down)
  const frames: Frame[] = [...lettering.frames]
  if (font.underline) {
    const outline = rectangleOutline(across, down + size * 0.1, width, size * 0.06)
    frames.push({ kind: 'path', x: 0, y: 0, outline, evenOdd: false, fill: { kind: 'solid', color, opacity: 1 }, node })
  }
  const isAtPosition = movesPosition(align)
  const { x: logicalX, y: logicalY } = isAtPosition ? state.position : at
  const [x, y] = apply(matrix, logicalX, logicalY)
  const turn = (font.escapement / 10) * (Math.PI / 180) - Math.atan2(b, a)
  const moves = isAtPosition && scaleX > 0
  const position = moves ? { ...state.position, x: state.position.x + width / scaleX } : state.position
  return { frames, x, y, turn, position }
}

/** The size of a font in points. */
function sizeOf({ height }: Font, scale: number): number {
  const logical = height < 0 ? -height : height > 0 ? height / LINE_HEIGHT : USUAL_SIZE / Math.max(1e-6, scale)
  return Math.min(SIZES.most, logical * scale)
}

function stretchFrame(frame: TextFrame, stretch: number): void {
  frame.look = { ...frame.look, scale: frame.look.scale * stretch }
  frame.x *= stretch
  frame.width *= stretch
}

/** Gives each glyph the width that the record states. Returns the total, or undefined if the widths don't match the glyphs. */
function spreadFrame(frame: TextFrame, text: string, advances: readonly number[], scale: number): number | undefined {
  const glyphs = glyphsOf(frame)
  if (glyphs.length === 0 || glyphs.length !== text.length || advances.length < glyphs.length) return undefined
  const { font, size, scale: widened } = frame.look
  const unit = size * widened
  const stated = advances.slice(0, glyphs.length)
  frame.shifts = glyphs.map((glyph, index) => (stated[index] ?? 0) * scale - font.face.advance(glyph) * unit)
  frame.width = stated.reduce((sum, value) => sum + value * scale, 0)
  return frame.width
}

function acrossOf(align: number, width: number): number {
  const aligned = align & HORIZONTAL.mask
  if (aligned === HORIZONTAL.center) return -width / 2
  return aligned === HORIZONTAL.right ? -width : 0
}

function downOf(align: number, style: { ascent: number; descent: number }): number {
  const aligned = align & VERTICAL.mask
  if (aligned === VERTICAL.baseline) return 0
  return aligned === VERTICAL.bottom ? -style.descent : style.ascent
}
