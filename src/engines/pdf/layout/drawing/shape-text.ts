import { limits } from '../../../../core/limits.ts'
import { type Frame, type GroupFrame, moveFrames } from '../../frame/frame.ts'
import type { Block, Paragraph } from '../../model/document.ts'
import type { RunProps } from '../../model/properties.ts'
import type { ShapeForm, ShapeText } from '../../model/shape.ts'
import type { Label } from '../../style/labels.ts'
import { roomOf, settleAnchored } from '../anchored.ts'
import { type Context, inTextBox, reportBoxDepth, reportCutOff, withLabels } from '../context.ts'
import { isSeen, type Stack } from '../slice.ts'
import type { DrawnGraphic, Place } from './canvas.ts'
import { extentOf } from './extent.ts'
import { evaluateGeometry } from './geometry.ts'

/** Fixed by the page: wider than any, for text that is not broken into lines. */
const MAX_LINE = 2_000
/** Text never gets less room across than this, in points. */
const LEAST_ROOM = 8

interface Bounds {
  left: number
  top: number
  right: number
  bottom: number
}

/** The part of a shape that its text is in. */
interface TextArea {
  /** Without the insets. */
  box: Bounds
  /** The room within the insets. */
  across: number
  along: number
  /** The text has the whole of the shape's box. */
  isWhole: boolean
}

/** The text of a shape, and the extent that the shape has with it. */
export function layoutShapeText(place: Place, form: ShapeForm, text: ShapeText): DrawnGraphic {
  const { width, height } = place
  if (text.blocks.length === 0) return { width, height, frames: [] }
  if (place.context.depth >= limits.renderBoxDepth) {
    reportBoxDepth(place.context)
    return { width, height, frames: [] }
  }
  const area = textArea(place, form, text)
  return text.turn === 0 ? levelText(place, text, area) : turnedText(place, text, area)
}

function textArea({ width, height }: Place, form: ShapeForm, { insets }: ShapeText): TextArea {
  const box = textBounds(form, width, height)
  return {
    box,
    across: box.right - box.left - insets.left - insets.right,
    along: box.bottom - box.top - insets.top - insets.bottom,
    isWhole: box.left === 0 && box.top === 0 && box.right === width && box.bottom === height,
  }
}

function textBounds(form: ShapeForm, width: number, height: number): Bounds {
  const whole = { left: 0, top: 0, right: width, bottom: height }
  if (form.kind === 'paths') return form.text ?? whole
  const { text } = evaluateGeometry(form.geometry, width, height, form.adjustments)
  const near = (a: number, b: number) => Math.abs(a - b) < 0.01
  const isWhole = near(text.left, 0) && near(text.top, 0) && near(text.right, width) && near(text.bottom, height)
  const hasRoom = text.right > text.left && (text.bottom > text.top || height <= 0)
  return isWhole || !hasRoom ? whole : text
}

/** Text along the shape's upper edge; the shape may be as high as its text. */
function levelText(place: Place, text: ShapeText, area: TextArea): DrawnGraphic {
  const { width, height } = place
  const { box, across, along, isWhole } = area
  const { insets } = text
  const { stack, space } = stackWithin(across, text, layerOf(place, text))
  const grows = isWhole && (text.autoHeight || height <= 0)
  const room = grows ? stack.height : along
  const offset = offsetOf(text, room - stack.height)
  // Text of the document starts at the top if it does not fit; text of drawings sticks out above and below.
  const isHeld = text.wrap && (isWhole || !text.spills)
  const overflows = isHeld && stack.height > room + 0.5 && !grows
  // Text that begins below the shape is left out: hidden text would still be found and read aloud.
  const onCut = () => reportCutOff(place.context, 'box')
  const content = overflows
    ? framesOf(stack, { top: box.top + insets.top, bottom: box.bottom, onCut })
    : framesOf(stack)
  const shift = text.wrap ? 0 : (across - space) / 2
  const down = grows ? 0 : Math.max(isHeld ? 0 : offset, offset)
  moveFrames(content, box.left + insets.left + shift, box.top + insets.top + down)
  const fullHeight = grows ? stack.height + insets.top + insets.bottom : height
  const clip: Frame = { kind: 'clip', x: 0, y: 0, width, height: fullHeight, frames: content }
  return { width, height: fullHeight, frames: overflows ? [clip] : content, ...notesOf(stack) }
}

/** Text turned by a quarter, about the corner of the box in which the first line then begins. */
function turnedText(place: Place, text: ShapeText, { box, across, along }: TextArea): DrawnGraphic {
  const { width, height } = place
  const { insets } = text
  const stack = layerOf(place, text)(along)
  const offset = Math.max(0, offsetOf(text, across - stack.height))
  const matrix: GroupFrame['matrix'] =
    text.turn === 90
      ? [0, 1, -1, 0, box.right - insets.right - offset, box.top + insets.top]
      : [0, -1, 1, 0, box.left + insets.left + offset, box.bottom - insets.bottom]
  return { width, height, frames: [{ kind: 'group', x: 0, y: 0, matrix, frames: framesOf(stack) }], ...notesOf(stack) }
}

/** The footnotes that a text refers to, where there are any. */
function notesOf({ slices }: Stack): { notes?: readonly string[] } {
  const notes = slices.flatMap((slice) => slice.notes ?? [])
  return notes.length > 0 ? { notes } : {}
}

/** How far text is moved down in room that it leaves. */
function offsetOf({ vertical }: ShapeText, left: number): number {
  if (vertical === 'center') return left / 2
  return vertical === 'bottom' ? left : 0
}

/** Lays a text out in room across. */
type Layer = (across: number) => Stack

function layerOf({ context, parent }: Place, text: ShapeText): Layer {
  const story = storyOf(inTextBox(context), text)
  return (across) => {
    const width = Math.max(LEAST_ROOM, across)
    // Paragraphs beside floating objects are laid out twice, which boxes in boxes would multiply.
    const room = context.depth === 0 ? roomOf(width) : undefined
    return settleAnchored(context.inner.stack(story.context, story.blocks, { width, parent, room }), width)
  }
}

/** The lines of a text, as wide as the room or, if it does not wrap, as its longest line. */
function stackWithin(across: number, text: ShapeText, lay: Layer): { stack: Stack; space: number } {
  if (text.wrap) return { stack: lay(across), space: across }
  const needed = Math.ceil(extentOf(lay(MAX_LINE).slices) * 20) / 20
  if (needed <= across && text.autoHeight) return { stack: lay(across), space: across }
  return { stack: lay(needed + 0.5), space: needed + 0.5 }
}

/** The vertical range of a shape's text. Content that would begin below `bottom` is left out and reported to `onCut`. */
interface Bounded {
  top: number
  bottom: number
  onCut(): void
}

/** The frames of a stack below each other. */
function framesOf({ slices }: Stack, within?: Bounded): Frame[] {
  const frames: Frame[] = []
  let y = 0
  for (const slice of slices) {
    y += slice.before
    moveFrames(slice.frames, 0, y)
    if (within === undefined || within.top + y < within.bottom) frames.push(...slice.frames)
    else if (isSeen(slice)) within.onCut()
    y += slice.height
  }
  return frames
}

const recolored = new WeakMap<RunProps, Map<string, RunProps>>()

/** The text's blocks, with its colour for runs that have none of their own or from a style. */
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
