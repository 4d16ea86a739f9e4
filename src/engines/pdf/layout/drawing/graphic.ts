import { limits } from '../../../../core/limits.ts'
import { ARTIFACT, type Frame, type GroupFrame, moveFrames } from '../../frame/frame.ts'
import { identity, turned } from '../../frame/matrix.ts'
import type { Graphic, GraphicContent } from '../../model/shape.ts'
import { layoutChart } from '../chart/chart.ts'
import { addNode, type Context } from '../context.ts'
import type { DrawnGraphic, Place } from './canvas.ts'
import { placeholderFrames } from './picture.ts'
import { drawPicture, drawShape } from './shape.ts'
import { layoutShapeText } from './shape-text.ts'
import { layoutWordArt } from './word-art.ts'

/** Lays out a drawing: shapes become outlines, text in them is text of the document, and the whole is one figure. */
export function layoutGraphic(context: Context, graphic: Graphic, parent: number): DrawnGraphic {
  const { content, width, height } = graphic
  const isFigure = graphic.alt !== '' || content.kind === 'chart'
  const alt = content.kind === 'chart' && graphic.alt === '' ? content.chart.summary : graphic.alt
  const node = isFigure ? addNode(context, { type: 'Figure', parent, alt, placement: 'Block' }) : ARTIFACT
  const drawn = drawGraphic({ context, parent, node, width, height, depth: 0 }, graphic)
  if (node === ARTIFACT || drawn.frames.length === 0) return drawn
  const figure = { node, width: drawn.width, height: drawn.height }
  const group: GroupFrame = { kind: 'group', x: 0, y: 0, matrix: identity, figure, frames: drawn.frames }
  return { ...drawn, frames: [group] }
}

/** Draws a graphic into the box of a place, its own turn and flips included. */
function drawGraphic(place: Place, { content, rotation, flipH, flipV }: Graphic): DrawnGraphic {
  const { width, height } = place
  if (place.depth > limits.renderDrawingDepth) return { width, height, frames: [] }
  const story =
    content.kind === 'shape' && content.text ? layoutShapeText(place, content.form, content.text) : undefined
  const full = { ...place, width: story?.width ?? width, height: story?.height ?? height }
  const turns = rotation !== 0 || flipH || flipV
  const notes: string[] = [...(story?.notes ?? [])]
  const drawn = drawContent(full, content, notes)
  const shape = turns ? turnedBy(turned(full.width, full.height, rotation, { flipH, flipV }), drawn) : drawn
  // Text is turned with its shape but never mirrored; an upside-down shape turns its text with it.
  const angle = rotation + (flipV ? 180 : 0)
  const text = story?.frames ?? []
  const written = angle % 360 === 0 ? text : turnedBy(turned(full.width, full.height, angle), text)
  const frames = [...shape, ...written]
  return { width: full.width, height: full.height, frames, ...(notes.length > 0 ? { notes } : {}) }
}

function turnedBy(matrix: GroupFrame['matrix'], frames: Frame[]): Frame[] {
  return frames.length > 0 ? [{ kind: 'group', x: 0, y: 0, matrix, frames }] : []
}

/** @param notes takes the footnotes that text in the content refers to */
function drawContent(place: Place, content: GraphicContent, notes: string[]): Frame[] {
  switch (content.kind) {
    case 'shape':
      return drawShape(place, content)
    case 'picture':
      return drawPicture(place, content)
    case 'group':
      return drawGroup(place, content, notes)
    case 'chart':
      return layoutChart(place, content.chart)
    case 'word-art':
      return layoutWordArt(place, content)
    case 'placeholder':
      return placeholderFrames(place, content.label)
  }
}

function drawGroup(place: Place, content: Extract<GraphicContent, { kind: 'group' }>, notes: string[]): Frame[] {
  const scaleX = content.width > 0 ? place.width / content.width : 1
  const scaleY = content.height > 0 ? place.height / content.height : 1
  const frames: Frame[] = []
  for (const child of content.children) {
    // A child turned by about a quarter is scaled along the other axis.
    const quarter = Math.abs(Math.round(child.rotation / 90)) % 2 === 1
    const [alongX, alongY] = quarter ? [scaleY, scaleX] : [scaleX, scaleY]
    const [width, height] = [child.width * alongX, child.height * alongY]
    const drawn = drawGraphic({ ...place, width, height, depth: place.depth + 1 }, child)
    const centreX = (child.x + child.width / 2 - content.x) * scaleX
    const centreY = (child.y + child.height / 2 - content.y) * scaleY
    moveFrames(drawn.frames, centreX - width / 2, centreY - height / 2)
    frames.push(...drawn.frames)
    notes.push(...(drawn.notes ?? []))
  }
  return frames
}
