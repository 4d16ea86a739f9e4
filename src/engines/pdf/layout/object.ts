import type { Inline } from '../read/model.ts'
import { addNode, type Context, type Slice } from './context.ts'
import { ARTIFACT, type Frame, moveFrames, type TextFrame } from './frame.ts'
import type { InlineObject } from './inline.ts'
import { layoutStack } from './stack.ts'

/** Text boxes in text boxes; Word does not allow even two. */
const OBJECT_DEPTH = 6

/** Lays out a picture or a text box; frames are relative to its top left. Undefined when it has no extent. */
export function layoutObject(
  context: Context,
  inline: Extract<Inline, { kind: 'image' | 'textbox' | 'shape' }>,
  parent: number,
  available: number,
): InlineObject | undefined {
  if (inline.kind === 'image') {
    const { image } = inline
    if (image.width <= 0 || image.height <= 0) return undefined
    // A picture wider than its line is drawn smaller, as Word does for pictures in narrow cells.
    const factor = inline.anchor ? 1 : Math.min(1, Math.max(8, available) / image.width)
    const width = image.width * factor
    const height = image.height * factor
    const node = context.artifact
      ? ARTIFACT
      : addNode(context, { type: 'Figure', parent, alt: image.alt, placement: 'Block' })
    if (image.part === undefined) return { width, height, frames: placeholder(context, image.alt, width, height, node) }
    return {
      width,
      height,
      frames: [
        {
          kind: 'image',
          x: 0,
          y: 0,
          width,
          height,
          part: image.part,
          crop: image.crop,
          rotation: image.rotation,
          node,
        },
      ],
    }
  }
  if (inline.kind === 'shape') return layoutShape(inline)
  const bare = inline.padding === 'none'
  if (context.depth >= OBJECT_DEPTH || (inline.width <= 0 && !bare)) return undefined
  const inset = bare ? { x: 0, y: 0 } : { x: 7.2, y: 3.6 }
  let width = inline.width > 0 ? inline.width : available
  const { labels, gridPitch } = context
  context.depth++
  context.gridPitch = 0
  const stack = layoutStack(context, inline.blocks, Math.max(8, width - 2 * inset.x), parent)
  context.depth--
  context.gridPitch = gridPitch
  context.labels = labels
  if (inline.width <= 0) width = widthOf(stack.slices)
  const natural = stack.height + 2 * inset.y
  const height =
    inline.height <= 0 ? natural : inline.autoHeight ? Math.max(bare ? inline.height : 0, natural) : inline.height
  const content: Frame[] = []
  let y = inset.y
  for (const slice of stack.slices) {
    y += slice.before
    moveFrames(slice.frames, inset.x, y)
    content.push(...slice.frames, ...(slice.closing ?? []))
    y += slice.height
  }
  const frames: Frame[] = []
  if (inline.fill) frames.push({ kind: 'box', x: 0, y: 0, width, height, color: inline.fill })
  if (y > height + 0.5) frames.push({ kind: 'clip', x: 0, y: 0, width, height, frames: content })
  else frames.push(...content)
  if (inline.border)
    frames.push(
      ...outline(width, height, inline.border.width, inline.border.color === 'auto' ? '000000' : inline.border.color),
    )
  return { width, height, frames }
}

/** Shapes are decoration, so they are no part of the structure. */
function layoutShape(shape: Extract<Inline, { kind: 'shape' }>): InlineObject | undefined {
  const { preset, width, height, fill, border } = shape
  if (width <= 0 && height <= 0) return undefined
  const color = border?.color ?? '000000'
  if (preset === 'rect') {
    const frames: Frame[] = fill ? [{ kind: 'box', x: 0, y: 0, width, height, color: fill }] : []
    if (border) frames.push(...outline(width, height, border.width, color))
    return { width, height, frames }
  }
  if (!border) return { width, height, frames: [] }
  const [y1, y2] = preset === 'line' ? [0, height] : [height, 0]
  return {
    width,
    height,
    frames: [{ kind: 'line', x1: 0, y1, x2: width, y2, width: border.width, color, dash: 'solid' }],
  }
}

/** How far the text of unplaced slices reaches to the right. */
function widthOf(slices: readonly Slice[]): number {
  let width = 0
  for (const { frames } of slices) {
    for (const frame of frames)
      if (frame.kind !== 'line' && 'width' in frame) width = Math.max(width, frame.x + frame.width)
  }
  return width
}

export function outline(width: number, height: number, thickness: number, color: string): Frame[] {
  const edge = (x1: number, y1: number, x2: number, y2: number): Frame => ({
    kind: 'line',
    x1,
    y1,
    x2,
    y2,
    width: thickness,
    color,
    dash: 'solid',
  })
  return [edge(0, 0, width, 0), edge(width, 0, width, height), edge(0, height, width, height), edge(0, 0, 0, height)]
}

/** What stands where a picture cannot be shown: its outline and, where it fits, what it is. */
function placeholder(context: Context, label: string, width: number, height: number, node: number): Frame[] {
  const frames: Frame[] = [
    { kind: 'box', x: 0, y: 0, width, height, color: 'F2F2F2' },
    ...outline(width, height, 0.5, 'A6A6A6'),
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
    glyphs: [],
    shifts: undefined,
    look: { ...look, size, color: '595959' },
    node,
  }
  for (const character of label.slice(0, 200)) {
    const code = character.codePointAt(0)!
    const glyph = look.font.face.glyph(code)
    const advance = look.font.face.advance(glyph) * size * look.scale
    if (glyph === 0 || text.width + advance > width - 8) break
    text.glyphs.push(glyph)
    text.text += character
    text.width += advance
  }
  if (text.glyphs.length > 0) frames.push(text)
  return frames
}
