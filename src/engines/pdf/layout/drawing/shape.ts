import { ARTIFACT, type Frame, type Outline } from '../../frame/frame.ts'
import { identity } from '../../frame/matrix.ts'
import { rectangleOutline } from '../../frame/pen.ts'
import type { ShapePath } from '../../model/geometry.ts'
import type { Fill, Line } from '../../model/paint.ts'
import type { GraphicContent, ShapeForm } from '../../model/shape.ts'
import { addNode } from '../context.ts'
import { arrowFrames } from './arrows.ts'
import type { Canvas, Place } from './canvas.ts'
import { evaluateGeometry } from './geometry.ts'
import { fillPaint, strokeOf } from './paint.ts'
import { imageFrames } from './picture.ts'

function pathsOf(form: ShapeForm, { width, height }: Canvas): ShapePath[] {
  return form.kind === 'paths' ? form.paths : evaluateGeometry(form.geometry, width, height, form.adjustments).paths
}

export function drawShape(canvas: Canvas, { form, fill, line }: Extract<GraphicContent, { kind: 'shape' }>): Frame[] {
  return pathsOf(form, canvas)
    .filter(({ outline }) => outline.ops !== '')
    .flatMap((path) => [...pictureBehind(canvas, path, fill), ...pathFrames(canvas, path, fill, line)])
}

/** The picture that a path is filled with. */
function pictureBehind({ width, height, node }: Canvas, path: ShapePath, fill: Fill | undefined): Frame[] {
  if (fill?.kind !== 'picture' || path.fill === 'none') return []
  const crop = { left: 0, top: 0, right: 0, bottom: 0 }
  const image: Frame = { kind: 'image', x: 0, y: 0, width, height, part: fill.part, crop, rotation: 0, node }
  return [clipped(path.outline, [image])]
}

function clipped(clip: Outline, frames: Frame[]): Frame {
  return { kind: 'group', x: 0, y: 0, matrix: identity, clip, frames }
}

function pathFrames(canvas: Canvas, path: ShapePath, fill: Fill | undefined, line: Line | undefined): Frame[] {
  const { outline } = path
  const hasArea = path.fill !== 'none' && outline.points.length > 4
  const paint = hasArea && fill ? fillPaint(fill, path.fill, canvas.width, canvas.height) : undefined
  const stroked = line && path.stroke && line.width > 0 ? line : undefined
  if (stroked && (stroked.head || stroked.tail) && !outline.ops.includes('Z'))
    return arrowFrames(outline, stroked, canvas.node)
  if (!paint && !stroked) return []
  return [
    {
      kind: 'path',
      x: 0,
      y: 0,
      outline,
      evenOdd: false,
      ...(paint ? { fill: paint } : {}),
      ...(stroked ? { stroke: strokeOf(stroked) } : {}),
      node: canvas.node,
    },
  ]
}

/** Draws a picture clipped to a form, over its fill and under its outline. A picture outside of a figure becomes a figure. */
export function drawPicture(place: Place, content: Extract<GraphicContent, { kind: 'picture' }>): Frame[] {
  const { context, parent, width, height } = place
  const { part, drawing, crop, form, fill, line } = content
  if (width <= 0 || height <= 0) return []
  const isFigure = place.node !== ARTIFACT
  const node = isFigure ? place.node : addNode(context, { type: 'Figure', parent, alt: '', placement: 'Block' })
  const [first] = form ? pathsOf(form, place) : []
  const outline = first?.outline ?? rectangleOutline(0, 0, width, height)
  const path = { kind: 'path' as const, x: 0, y: 0, outline, evenOdd: false, node }
  const paint = fill && fillPaint(fill, 'norm', width, height)
  const picture = imageFrames(
    { ...place, node },
    { part, crop, alt: '', ...(drawing === undefined ? {} : { drawing }) },
  )
  const isRectangle = outline.ops === 'MLLLZ'
  return [
    ...(paint ? [{ ...path, fill: paint }] : []),
    ...(isRectangle ? picture : [clipped(outline, picture)]),
    ...(line && line.width > 0 ? [{ ...path, stroke: strokeOf(line) }] : []),
  ]
}
