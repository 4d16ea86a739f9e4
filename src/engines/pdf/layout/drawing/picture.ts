import type { Frame, Matrix, TextFrame } from '../../frame/frame.ts'
import { identity } from '../../frame/matrix.ts'
import { rectangleOutline } from '../../frame/pen.ts'
import type { Crop } from '../../model/shape.ts'
import { drawMetafile } from '../metafile/metafile.ts'
import type { Canvas } from './canvas.ts'
import { drawSvg } from './svg.ts'

/** A picture of the document; without a part it could not be read. */
export interface Picture {
  part: string | undefined
  crop: Crop
  alt: string
  /** The part that has the same picture as an SVG drawing. */
  drawing?: string
}

/** A picture as frames that fill a canvas: bitmaps unchanged, SVG and metafiles as vector frames. */
export function imageFrames(canvas: Canvas, { part, crop, alt, drawing }: Picture): Frame[] {
  const { context, width, height, node } = canvas
  const drawn = drawing === undefined ? undefined : context.model.media.get(drawing)
  if (drawn !== undefined) {
    const whole = wholeOf(crop, width, height)
    const frames = drawSvg(drawn, { width: whole.width, height: whole.height, node })
    if (frames !== undefined) return [asFigure(canvas, part, cutTo(canvas, whole, frames))]
  }
  if (part === undefined) return placeholderFrames(canvas, alt)
  const bytes = context.model.media.get(part)
  if (!bytes) return [{ kind: 'image', x: 0, y: 0, width, height, part, crop, rotation: 0, node }]
  const whole = wholeOf(crop, width, height)
  const frames = drawMetafile(context, { bytes, part, width: whole.width, height: whole.height, node })
  if (!frames) {
    context.report.add(
      'render.image_unreadable',
      `Picture ${part} is a damaged metafile; a gray box replaces it.`,
      part,
      'Save the picture as PNG or JPEG.',
    )
    return placeholderFrames(canvas, alt)
  }
  return [cutTo(canvas, whole, frames)]
}

/** Wraps what is drawn in place of a picture, so that the picture's part and the figure's extent can still be found. */
function asFigure({ width, height, node }: Canvas, part: string | undefined, drawn: Frame): Frame {
  const figure = { node, width, height, ...(part === undefined ? {} : { part }) }
  return { kind: 'group', x: 0, y: 0, matrix: identity, figure, frames: [drawn] }
}

/** The frames of a whole picture, cut to what a canvas shows of it. */
function cutTo({ width, height }: Canvas, whole: { x: number; y: number }, frames: Frame[]): Frame {
  const matrix: Matrix = [1, 0, 0, 1, whole.x, whole.y]
  return { kind: 'group', x: 0, y: 0, matrix, clip: rectangleOutline(-whole.x, -whole.y, width, height), frames }
}

/** A picture cropped to less than this share is not shown: the whole would be as wide as a hundred pages. */
const LEAST_SHARE = 0.001

/** The box of a whole picture, given the width × height box that shows what its crop leaves. */
function wholeOf(crop: Crop, width: number, height: number): { x: number; y: number; width: number; height: number } {
  const shareX = 1 - crop.left - crop.right
  const shareY = 1 - crop.top - crop.bottom
  const isCut = crop.left !== 0 || crop.right !== 0 || crop.top !== 0 || crop.bottom !== 0
  if (!isCut || shareX <= LEAST_SHARE || shareY <= LEAST_SHARE) return { x: 0, y: 0, width, height }
  const whole = { width: width / shareX, height: height / shareY }
  return { ...whole, x: -crop.left * whole.width, y: -crop.top * whole.height }
}

/** The placeholder of a picture that can't be shown: its outline and, if there is room, a label. */
export function placeholderFrames(canvas: Canvas, label: string): Frame[] {
  const { width, height, node } = canvas
  const box: Frame = {
    kind: 'path',
    x: 0,
    y: 0,
    outline: rectangleOutline(0, 0, width, height),
    evenOdd: false,
    fill: { kind: 'solid', color: 'F2F2F2', opacity: 1 },
    stroke: { color: 'A6A6A6', opacity: 1, width: 0.5, dash: [], cap: 'butt', join: 'miter' },
    node,
  }
  const text = placeholderText(canvas, label)
  return text.text === '' ? [box] : [box, text]
}

/** As much of a label as fits into one line; it ends before a character that the font lacks. */
function placeholderText({ context, width, height, node }: Canvas, label: string): TextFrame {
  const base = context.cascade.runBase({ kind: 'paragraph', props: {}, markProps: {}, content: [], number: 0 })
  const { look } = context.cascade.text(base, {}, undefined)
  const size = Math.min(9, height * 0.6)
  const text: TextFrame = {
    kind: 'text',
    x: 4,
    y: size + 2,
    width: 0,
    text: '',
    glyphs: undefined,
    shifts: undefined,
    look: { ...look, size, color: '595959' },
    node,
  }
  for (const character of label.slice(0, 200)) {
    const glyph = look.font.face.glyph(character.codePointAt(0) ?? 0)
    const advance = look.font.face.advance(glyph) * size * look.scale
    if (glyph === 0 || text.width + advance > width - 8) break
    text.text += character
    text.width += advance
  }
  return text
}
