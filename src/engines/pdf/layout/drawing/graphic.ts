import { limits } from '../../../../core/limits.ts'
import { ARTIFACT, type Frame, type GroupFrame, moveFrames, type Outline } from '../../frame/frame.ts'
import { identity, turned } from '../../frame/matrix.ts'
import { rectangleOutline } from '../../frame/pen.ts'
import type { Block, Paragraph } from '../../model/document.ts'
import type { ShapePath } from '../../model/geometry.ts'
import type { RunProps } from '../../model/properties.ts'
import type { Graphic, GraphicContent, ShapeForm, ShapeText } from '../../model/shape.ts'
import type { Label } from '../../style/labels.ts'
import { layoutChart } from '../chart/chart.ts'
import { addNode, type Context, inTextBox, withLabels } from '../context.ts'
import { arrowFrames } from './arrows.ts'
import { extentOf } from './extent.ts'
import { evaluateGeometry } from './geometry.ts'
import { fillPaint, strokeOf } from './paint.ts'
import { imageFrames, placeholderFrames } from './picture.ts'
import { layoutWordArt } from './word-art.ts'

/** Stories in stories: text boxes in text boxes; Word does not allow even two. */
const STORY_DEPTH = 6

export interface DrawnGraphic {
  width: number
  height: number
  /** Relative to the top left of the graphic's box before it is turned. */
  frames: Frame[]
}

/** Lays out a drawing: shapes become outlines, text in them is text of the document, and the whole is one figure. */
export function layoutGraphic(context: Context, graphic: Graphic, parent: number): DrawnGraphic {
  const isFigure = graphic.alt !== '' || graphic.content.kind === 'chart'
  const alt = graphic.content.kind === 'chart' && graphic.alt === '' ? graphic.content.chart.summary : graphic.alt
  const node = isFigure ? addNode(context, { type: 'Figure', parent, alt, placement: 'Block' }) : ARTIFACT
  const drawn = drawGraphic(context, graphic, parent, node, graphic.width, graphic.height, 0)
  const figure = node === ARTIFACT ? {} : { figure: { node, width: drawn.width, height: drawn.height } }
  const isPlain = drawn.frames.length === 1 && drawn.frames[0]!.kind === 'group' && node === ARTIFACT
  if (isPlain || drawn.frames.length === 0) return drawn
  const group: GroupFrame = { kind: 'group', x: 0, y: 0, matrix: identity, ...figure, frames: drawn.frames }
  return { ...drawn, frames: node === ARTIFACT ? drawn.frames : [group] }
}

/** Draws a graphic into a box of the given extent, its own turn and flips included. */
function drawGraphic(
  context: Context,
  graphic: Graphic,
  parent: number,
  node: number,
  width: number,
  height: number,
  depth: number,
): DrawnGraphic {
  const { content, rotation, flipH, flipV } = graphic
  if (depth > limits.renderDrawingDepth) return { width, height, frames: [] }
  const text = content.kind === 'shape' ? content.text : undefined
  const form = content.kind === 'shape' ? content.form : undefined
  const story = text && form ? layoutText(context, text, form, parent, width, height) : undefined
  const [fullWidth, fullHeight] = story ? [story.width, story.height] : [width, height]
  const frames = drawContent(context, content, parent, node, fullWidth, fullHeight, depth)
  // Text is turned with its shape but never mirrored; a shape that stands on its head turns its text with it.
  const turns = rotation !== 0 || flipH || flipV
  const all: Frame[] = []
  if (frames.length > 0) {
    if (turns) all.push(group(turned(fullWidth, fullHeight, rotation, flipH, flipV), frames))
    else all.push(...frames)
  }
  if (story && story.frames.length > 0) {
    const angle = rotation + (flipV ? 180 : 0)
    if (angle % 360 !== 0) all.push(group(turned(fullWidth, fullHeight, angle, false, false), story.frames))
    else all.push(...story.frames)
  }
  return { width: fullWidth, height: fullHeight, frames: all }
}

function group(matrix: GroupFrame['matrix'], frames: Frame[], clip?: Outline): GroupFrame {
  return { kind: 'group', x: 0, y: 0, matrix, ...(clip ? { clip } : {}), frames }
}

function drawContent(
  context: Context,
  content: GraphicContent,
  parent: number,
  node: number,
  width: number,
  height: number,
  depth: number,
): Frame[] {
  switch (content.kind) {
    case 'shape':
      return drawShape(content, width, height, node)
    case 'picture':
      return drawPicture(context, content, width, height, parent, node)
    case 'group':
      return drawGroup(context, content, width, height, parent, node, depth)
    case 'chart':
      return layoutChart({ context, width, height, node }, content.chart)
    case 'word-art':
      return layoutWordArt(context, content, width, height, node)
    case 'placeholder':
      return placeholderFrames(context, content.label, width, height, node)
  }
}

function pathsOf(form: ShapeForm, width: number, height: number): ShapePath[] {
  return form.kind === 'paths' ? form.paths : evaluateGeometry(form.geometry, width, height, form.adjustments).paths
}

function drawShape(
  content: Extract<GraphicContent, { kind: 'shape' }>,
  width: number,
  height: number,
  node: number,
): Frame[] {
  const { form, fill, line } = content
  const frames: Frame[] = []
  for (const path of pathsOf(form, width, height)) {
    if (path.outline.ops === '') continue
    if (fill?.kind === 'picture' && path.fill !== 'none') {
      frames.push(group(identity, [imageFrame(fill.part, width, height, node)], path.outline))
    }
    const hasArea = path.fill !== 'none' && path.outline.points.length > 4
    const paint = !hasArea || !fill ? undefined : fillPaint(fill, path.fill, width, height)
    const stroked = line && path.stroke && line.width > 0 ? line : undefined
    if (stroked && (stroked.head || stroked.tail) && !path.outline.ops.includes('Z')) {
      frames.push(...arrowFrames(path.outline, stroked, node))
      continue
    }
    if (!paint && !stroked) continue
    frames.push({
      kind: 'path',
      x: 0,
      y: 0,
      outline: path.outline,
      evenOdd: false,
      ...(paint ? { fill: paint } : {}),
      ...(stroked ? { stroke: strokeOf(stroked) } : {}),
      node,
    })
  }
  return frames
}

function imageFrame(part: string, width: number, height: number, node: number): Frame {
  const crop = { left: 0, top: 0, right: 0, bottom: 0 }
  return { kind: 'image', x: 0, y: 0, width, height, part, crop, rotation: 0, node }
}

function drawPicture(
  context: Context,
  content: Extract<GraphicContent, { kind: 'picture' }>,
  width: number,
  height: number,
  parent: number,
  node: number,
): Frame[] {
  const { part, crop, form, fill, line } = content
  if (width <= 0 || height <= 0) return []
  const own = node === ARTIFACT ? addNode(context, { type: 'Figure', parent, alt: '', placement: 'Block' }) : node
  const paths = form ? pathsOf(form, width, height) : []
  const outline = paths[0]?.outline ?? rectangleOutline(0, 0, width, height)
  const frames: Frame[] = []
  const paint = fill && fillPaint(fill, 'norm', width, height)
  if (paint) frames.push({ kind: 'path', x: 0, y: 0, outline, evenOdd: false, fill: paint, node: own })
  const picture = imageFrames(context, { part, crop, alt: '' }, width, height, own)
  const isRectangle = outline.ops === 'MLLLZ'
  frames.push(...(isRectangle ? picture : [group(identity, picture, outline)]))
  if (line && line.width > 0)
    frames.push({ kind: 'path', x: 0, y: 0, outline, evenOdd: false, stroke: strokeOf(line), node: own })
  return frames
}

function drawGroup(
  context: Context,
  content: Extract<GraphicContent, { kind: 'group' }>,
  width: number,
  height: number,
  parent: number,
  node: number,
  depth: number,
): Frame[] {
  const scaleX = content.width > 0 ? width / content.width : 1
  const scaleY = content.height > 0 ? height / content.height : 1
  const frames: Frame[] = []
  for (const child of content.children) {
    // A child turned by about a quarter is scaled along the other axis.
    const quarter = Math.abs(Math.round(child.rotation / 90)) % 2 === 1
    const [alongX, alongY] = quarter ? [scaleY, scaleX] : [scaleX, scaleY]
    const childWidth = child.width * alongX
    const childHeight = child.height * alongY
    const drawn = drawGraphic(context, child, parent, node, childWidth, childHeight, depth + 1)
    const centreX = (child.x + child.width / 2 - content.x) * scaleX
    const centreY = (child.y + child.height / 2 - content.y) * scaleY
    moveFrames(drawn.frames, centreX - childWidth / 2, centreY - childHeight / 2)
    frames.push(...drawn.frames)
  }
  return frames
}

/** The text of a shape, and the extent that the shape has with it. */
function layoutText(
  context: Context,
  text: ShapeText,
  form: ShapeForm,
  parent: number,
  width: number,
  height: number,
): DrawnGraphic {
  if (context.depth >= STORY_DEPTH || text.blocks.length === 0) return { width, height, frames: [] }
  const box = textBox(form, width, height)
  const isWhole = box.left === 0 && box.top === 0 && box.right === width && box.bottom === height
  const { insets } = text
  const sideways = text.turn !== 0
  const across = box.right - box.left - insets.left - insets.right
  const along = box.bottom - box.top - insets.top - insets.bottom
  const story = storyOf(inTextBox(context), text)
  const lay = (space: number) => context.inner.stack(story.context, story.blocks, { width: Math.max(8, space), parent })
  let space = sideways ? along : across
  let stack = lay(space)
  if (!text.wrap && !sideways) {
    const needed = Math.ceil(extentOf(lay(MAX_LINE).slices) * 20) / 20
    if (needed > space || !text.autoHeight) {
      stack = lay(needed + 0.5)
      space = needed + 0.5
    }
  }
  const natural = stack.height + insets.top + insets.bottom
  const grows = !sideways && isWhole && (text.autoHeight || height <= 0)
  const fullHeight = grows ? natural : height
  const room = grows ? stack.height : sideways ? across : along
  const offset =
    text.vertical === 'center' ? (room - stack.height) / 2 : text.vertical === 'bottom' ? room - stack.height : 0
  // Text of the document begins at the top where it does not fit; that of drawings stands out above and below.
  const isHeld = text.wrap && (isWhole || !text.spills)
  const overflows = isHeld && !sideways && stack.height > room + 0.5 && !grows
  const content: Frame[] = []
  let y = 0
  for (const slice of stack.slices) {
    y += slice.before
    moveFrames(slice.frames, 0, y)
    // What begins below the shape is not there at all: hidden text would still be found and read out.
    if (!overflows || box.top + insets.top + y < box.bottom) content.push(...slice.frames)
    y += slice.height
  }
  if (sideways) {
    const { left, top } = box
    // Turned about the corner of the box in which the first line then begins.
    const matrix: GroupFrame['matrix'] =
      text.turn === 90
        ? [0, 1, -1, 0, box.right - insets.right - Math.max(0, offset), top + insets.top]
        : [0, -1, 1, 0, left + insets.left + Math.max(0, offset), box.bottom - insets.bottom]
    return { width, height, frames: [group(matrix, content)] }
  }
  const shift = text.wrap ? 0 : (across - space) / 2
  moveFrames(
    content,
    box.left + insets.left + shift,
    box.top + insets.top + (grows ? 0 : Math.max(isHeld ? 0 : offset, offset)),
  )
  const frames: Frame[] = overflows
    ? [{ kind: 'clip', x: 0, y: 0, width, height: fullHeight, frames: content }]
    : content
  return { width, height: fullHeight, frames }
}

/** Wider than any page, for text that is not broken into lines. */
const MAX_LINE = 2_000

function textBox(form: ShapeForm, width: number, height: number) {
  const whole = { left: 0, top: 0, right: width, bottom: height }
  if (form.kind === 'paths') return form.text ?? whole
  const { text } = evaluateGeometry(form.geometry, width, height, form.adjustments)
  const near = (a: number, b: number) => Math.abs(a - b) < 0.01
  const isWhole = near(text.left, 0) && near(text.top, 0) && near(text.right, width) && near(text.bottom, height)
  return isWhole || text.right <= text.left ? whole : text
}

const recolored = new WeakMap<RunProps, Map<string, RunProps>>()

/** The text's blocks, with its colour for what neither states one nor takes one from a style. */
function storyOf(context: Context, { blocks, color }: ShapeText): { context: Context; blocks: readonly Block[] } {
  if (color === undefined) return { context, blocks }
  const labels = new Map<Paragraph, Label>()
  const recolor = (props: RunProps): RunProps => {
    if (props.color !== undefined || props.style !== undefined) return props
    const byColor = recolored.get(props) ?? new Map<string, RunProps>()
    recolored.set(props, byColor)
    const known = byColor.get(color) ?? { ...props, color }
    byColor.set(color, known)
    return known
  }
  const colored = blocks.map((block): Block => {
    if (block.kind !== 'paragraph' || block.props.style !== undefined) return block
    const content = block.content.map((inline) => ({ ...inline, props: recolor(inline.props) }))
    const paragraph: Paragraph = { ...block, markProps: recolor(block.markProps), content }
    const label = context.labels.get(block)
    if (label) labels.set(paragraph, label)
    return paragraph
  })
  return { context: withLabels(context, labels), blocks: colored }
}
