import type { Frame, Matrix, TextFrame } from '../../frame/frame.ts'
import { rectangleOutline } from '../../frame/pen.ts'
import type { Crop } from '../../model/shape.ts'
import type { Context } from '../context.ts'
import { drawMetafile } from '../metafile/metafile.ts'

/** A picture as frames, its top left at the origin: pixels as they are, metafiles as what they draw. */
export function imageFrames(
  context: Context,
  image: { part: string | undefined; crop: Crop; alt: string },
  width: number,
  height: number,
  node: number,
): Frame[] {
  const { part, crop, alt } = image
  if (part === undefined) return placeholderFrames(context, alt, width, height, node)
  const bytes = context.model.media.get(part)
  if (!bytes) return [{ kind: 'image', x: 0, y: 0, width, height, part, crop, rotation: 0, node }]
  const shareX = 1 - crop.left - crop.right
  const shareY = 1 - crop.top - crop.bottom
  const cropped =
    shareX > 0.001 && shareY > 0.001 && (crop.left !== 0 || crop.right !== 0 || crop.top !== 0 || crop.bottom !== 0)
  const fullWidth = cropped ? width / shareX : width
  const fullHeight = cropped ? height / shareY : height
  const drawn = drawMetafile(context, { bytes, part, width: fullWidth, height: fullHeight, node })
  if (!drawn) {
    context.report.add(
      'render.image_unreadable',
      `Picture ${part} is a damaged metafile; a gray box stands in its place.`,
      part,
      'Save the picture as PNG or JPEG.',
    )
    return placeholderFrames(context, alt, width, height, node)
  }
  const matrix: Matrix = [1, 0, 0, 1, cropped ? -crop.left * fullWidth : 0, cropped ? -crop.top * fullHeight : 0]
  const clip = rectangleOutline(-matrix[4], -matrix[5], width, height)
  return [{ kind: 'group', x: 0, y: 0, matrix, clip, frames: drawn }]
}

/** What stands where a picture cannot be shown: its outline and, where it fits, what it is. */
export function placeholderFrames(
  context: Context,
  label: string,
  width: number,
  height: number,
  node: number,
): Frame[] {
  const frames: Frame[] = [
    {
      kind: 'path',
      x: 0,
      y: 0,
      outline: rectangleOutline(0, 0, width, height),
      evenOdd: false,
      fill: { kind: 'solid', color: 'F2F2F2', opacity: 1 },
      stroke: { color: 'A6A6A6', opacity: 1, width: 0.5, dash: [], cap: 'butt', join: 'miter' },
      node,
    },
  ]
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
    const code = character.codePointAt(0)!
    const glyph = look.font.face.glyph(code)
    const advance = look.font.face.advance(glyph) * size * look.scale
    if (glyph === 0 || text.width + advance > width - 8) break
    text.text += character
    text.width += advance
  }
  if (text.text !== '') frames.push(text)
  return frames
}
