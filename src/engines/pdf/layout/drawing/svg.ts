import { limits } from '../../../../core/limits.ts'
import { childElements, type XmlElement } from '../../../ooxml/xml.ts'
import { parseXml } from '../../../ooxml/xml-parser.ts'
import type { Frame, Matrix, Outline, Paint, PathFrame, Stroke } from '../../frame/frame.ts'
import { identity, inverse, multiply } from '../../frame/matrix.ts'
import { outlineBounds, Pen, transformOutline } from '../../frame/pen.ts'
import { simplifySvg } from '../../svg/simplify.ts'

/** Thrown at anything in a drawing that only a raster image can show; never leaves this file. */
class OnlyAsPixels extends Error {}

interface ReadDrawing {
  root: XmlElement
  width: number
  height: number
  /** From the drawing's coordinates to its natural size. */
  view: Matrix
  definitions: ReadonlyMap<string, XmlElement>
}

/** Drawings by their bytes: a logo in a header is read once. */
const known = new WeakMap<Uint8Array, ReadDrawing | undefined>()

/**
 * The frames of an SVG drawing that fill a box; undefined if it can't be read or has something that outlines can't show
 * (masks, filters, patterns, pictures, blended groups), so that its raster image is needed.
 */
export function drawSvg(bytes: Uint8Array, box: { width: number; height: number; node: number }): Frame[] | undefined {
  const drawing = known.has(bytes) ? known.get(bytes) : readDrawing(bytes)
  known.set(bytes, drawing)
  if (drawing === undefined) return undefined
  const matrix = multiply([box.width / drawing.width, 0, 0, box.height / drawing.height, 0, 0], drawing.view)
  try {
    const { root, definitions } = drawing
    return framesOf(childElements(root), { definitions, node: box.node, opacity: 1, matrix })
  } catch (error) {
    if (error instanceof OnlyAsPixels) return undefined
    throw error
  }
}

function readDrawing(bytes: Uint8Array): ReadDrawing | undefined {
  const simplified = simplifySvg(new TextDecoder().decode(bytes))
  if (!simplified.ok) return undefined
  const { text, widthPx, heightPx } = simplified.simple
  const parsed = parseXml(text)
  if (!parsed.ok) return undefined
  const root = parsed.value
  const definitions = new Map<string, XmlElement>()
  for (const list of childElements(root, 'defs')) {
    for (const one of childElements(list)) definitions.set(one.attributes.id ?? '', one)
  }
  return { root, width: widthPx, height: heightPx, view: viewOf(root, widthPx, heightPx), definitions }
}

/** The transform that `viewBox` and `preserveAspectRatio` ask for (SVG 1.1, 7.7 and 7.8). */
function viewOf(root: XmlElement, width: number, height: number): Matrix {
  const [x = 0, y = 0, boxWidth = width, boxHeight = height] = numbers(root.attributes.viewBox ?? '')
  const [align = 'xMidYMid', meet] = (root.attributes.preserveAspectRatio ?? '').trim().split(/\s+/).filter(Boolean)
  const [scaleX, scaleY] = [width / boxWidth, height / boxHeight]
  if (align === 'none') return [scaleX, 0, 0, scaleY, -x * scaleX, -y * scaleY]
  const scale = meet === 'slice' ? Math.max(scaleX, scaleY) : Math.min(scaleX, scaleY)
  const share = (name: string) => (name === 'Min' ? 0 : name === 'Max' ? 1 : 0.5)
  const left = (width - boxWidth * scale) * share(align.slice(1, 4))
  const top = (height - boxHeight * scale) * share(align.slice(5, 8))
  return [scale, 0, 0, scale, left - x * scale, top - y * scale]
}

/** What an element inherits from those around it. */
interface Inherited {
  definitions: ReadonlyMap<string, XmlElement>
  node: number
  opacity: number
  /** Maps to the picture's box in points: frames are written with thousandths of a point, and drawings may be tiny. */
  matrix: Matrix
}

function framesOf(elements: readonly XmlElement[], inherited: Inherited): Frame[] {
  return elements.flatMap((element) => {
    switch (element.name) {
      case 'defs':
        return []
      case 'g':
        return groupOf(element, inherited)
      case 'path':
        return pathsOf(element, inherited)
      default:
        throw new OnlyAsPixels()
    }
  })
}

function groupOf(element: XmlElement, inherited: Inherited): Frame[] {
  const { transform, opacity, 'clip-path': clipPath, id: _, ...others } = element.attributes
  if (Object.keys(others).length > 0) throw new OnlyAsPixels()
  const children = childElements(element)
  const share = opacity === undefined ? 1 : number(opacity)
  // Where several figures overlap, each would show the background of the group through the others.
  if (share < 1 && !isOneFigure(children)) throw new OnlyAsPixels()
  const matrix = multiply(inherited.matrix, matrixOf(transform))
  const frames = framesOf(children, { ...inherited, matrix, opacity: inherited.opacity * share })
  if (frames.length === 0 || clipPath === undefined) return frames
  const clip = transformOutline(clipOf(clipPath, inherited), matrix)
  return [{ kind: 'group', x: 0, y: 0, matrix: identity, clip, frames }]
}

function isOneFigure(children: readonly XmlElement[]): boolean {
  const [only, ...others] = children
  if (only === undefined || others.length > 0) return only === undefined
  if (only.name === 'g') return isOneFigure(childElements(only))
  const { fill, stroke } = only.attributes
  return only.name === 'path' && (fill === 'none' || stroke === undefined || stroke === 'none')
}

/** A clip of one outline; several would be cut against each other. */
function clipOf(reference: string, { definitions }: Inherited): Outline {
  const path = definitions.get(referred(reference))
  const [only, ...others] = path === undefined ? [] : childElements(path)
  if (path?.name !== 'clipPath' || only?.name !== 'path' || others.length > 0) throw new OnlyAsPixels()
  const { id: _, transform, ...more } = path.attributes
  const { d = '', 'clip-rule': rule, transform: own } = only.attributes
  if (Object.keys(more).length > 0 || rule === 'evenodd' || only.attributes['clip-path'] !== undefined) {
    throw new OnlyAsPixels()
  }
  return transformOutline(outlineOf(d), multiply(matrixOf(transform), matrixOf(own)))
}

/** The path attributes of usvg's output that are supported; a path with any other needs the raster image. */
const pathAttributes = new Set(
  `id d fill fill-opacity fill-rule stroke stroke-opacity stroke-width stroke-dasharray stroke-dashoffset
  stroke-linecap stroke-linejoin stroke-miterlimit paint-order shape-rendering`.split(/\s+/),
)

function pathsOf({ attributes }: XmlElement, inherited: Inherited): Frame[] {
  if (attributes.visibility === 'hidden') return []
  if (Object.keys(attributes).some((name) => !pathAttributes.has(name))) throw new OnlyAsPixels()
  const outline = outlineOf(attributes.d ?? '')
  if (outline.ops === '') return []
  const path: Path = { outline, evenOdd: attributes['fill-rule'] === 'evenodd', attributes }
  const [filled, stroked] = [fillOf(path, inherited), strokeOf(path, inherited)]
  return attributes['paint-order'] === 'stroke' ? [...stroked, ...filled] : [...filled, ...stroked]
}

interface Path {
  /** In the coordinates of the drawing. */
  outline: Outline
  evenOdd: boolean
  attributes: Attributes
}

/** A path whose outline is in points already. */
function frameOf({ evenOdd }: Path, outline: Outline, { node }: Inherited): PathFrame {
  return { kind: 'path', x: 0, y: 0, outline, evenOdd, node }
}

type Attributes = Readonly<Record<string, string>>

function fillOf(path: Path, inherited: Inherited): Frame[] {
  const { fill = '#000000', 'fill-opacity': share } = path.attributes
  const opacity = inherited.opacity * (share === undefined ? 1 : number(share))
  if (fill === 'none' || opacity === 0) return []
  if (fill.startsWith('url(')) return gradientFill(path, opacity, inherited)
  const frame = frameOf(path, transformOutline(path.outline, inherited.matrix), inherited)
  return [{ ...frame, fill: { kind: 'solid', color: colorOf(fill), opacity } }]
}

/** A gradient fill, drawn in the gradient's own coordinates (turned, sloped, squeezed). Empty for a path without area. */
function gradientFill(path: Path, opacity: number, inherited: Inherited): Frame[] {
  const gradient = inherited.definitions.get(referred(path.attributes.fill ?? ''))
  if (gradient === undefined) throw new OnlyAsPixels()
  const { attributes, name } = gradient
  if ((attributes.spreadMethod ?? 'pad') !== 'pad') throw new OnlyAsPixels()
  const bounds = outlineBounds(path.outline)
  const ofBox: Matrix = bounds ? [bounds.width, 0, 0, bounds.height, bounds.x, bounds.y] : identity
  const units = attributes.gradientUnits === 'userSpaceOnUse' ? identity : ofBox
  const own = multiply(units, matrixOf(attributes.gradientTransform))
  const { outer, scale } = unscaled(multiply(inherited.matrix, own))
  const back = inverse(own)
  if (back === undefined || scale === 0) return []
  const ends = name === 'linearGradient' ? linear(attributes) : radial(attributes)
  const { stops, share } = stopsOf(gradient)
  const frame = frameOf(path, transformOutline(path.outline, multiply([scale, 0, 0, scale, 0, 0], back)), inherited)
  const { kind, x1, y1, x2, y2 } = ends
  const place = { x1: x1 * scale, y1: y1 * scale, x2: x2 * scale, y2: y2 * scale }
  const fill: Paint = { kind, ...place, stops, opacity: opacity * share }
  return [{ kind: 'group', x: 0, y: 0, matrix: outer, frames: [{ ...frame, fill }] }]
}

/** Splits a transform into a scale, applied first, and a rest that keeps areas; scaled coordinates are in points. */
function unscaled(matrix: Matrix): { outer: Matrix; scale: number } {
  const scale = Math.sqrt(Math.abs(matrix[0] * matrix[3] - matrix[1] * matrix[2]))
  return { outer: scale > 0 ? multiply(matrix, [1 / scale, 0, 0, 1 / scale, 0, 0]) : identity, scale }
}

type Ends = Pick<Extract<Paint, { kind: 'linear' | 'radial' }>, 'kind' | 'x1' | 'y1' | 'x2' | 'y2'>

function linear({ x1 = '0', y1 = '0', x2 = '1', y2 = '0' }: Attributes): Ends {
  return { kind: 'linear', x1: number(x1), y1: number(y1), x2: number(x2), y2: number(y2) }
}

function radial({ cx = '0.5', cy = '0.5', r = '0.5', fx = cx, fy = cy, fr = '0' }: Attributes): Ends {
  const [x, y, radius] = [number(cx), number(cy), number(r)]
  if (number(fx) !== x || number(fy) !== y || number(fr) !== 0 || radius <= 0) throw new OnlyAsPixels()
  return { kind: 'radial', x1: x + radius, y1: y, x2: x, y2: y }
}

/** The colours of a gradient, and the opacity that they share. */
function stopsOf(gradient: XmlElement): { stops: { at: number; color: string }[]; share: number } {
  const elements = childElements(gradient, 'stop')
  const shares = new Set(elements.map(({ attributes }) => number(attributes['stop-opacity'] ?? '1')))
  const [share = 1, ...others] = shares
  if (elements.length < 2 || elements.length > limits.renderGradientStops || others.length > 0) throw new OnlyAsPixels()
  const stops = elements.map(({ attributes }) => ({
    at: number(attributes.offset ?? '0'),
    color: colorOf(attributes['stop-color'] ?? '#000000'),
  }))
  return { stops, share }
}

function strokeOf(path: Path, inherited: Inherited): Frame[] {
  const { attributes, outline } = path
  const { stroke: color = 'none', 'stroke-opacity': share } = attributes
  const opacity = inherited.opacity * (share === undefined ? 1 : number(share))
  const { outer, scale } = unscaled(inherited.matrix)
  if (color === 'none' || opacity === 0 || scale === 0) return []
  if (color.startsWith('url(') || number(attributes['stroke-dashoffset'] ?? '0') !== 0) throw new OnlyAsPixels()
  const cap = attributes['stroke-linecap'] ?? 'butt'
  const join = attributes['stroke-linejoin'] ?? 'miter'
  if (
    (cap !== 'butt' && cap !== 'round' && cap !== 'square') ||
    (join !== 'miter' && join !== 'round' && join !== 'bevel')
  ) {
    throw new OnlyAsPixels()
  }
  const stroke: Stroke = {
    color: colorOf(color),
    opacity,
    width: number(attributes['stroke-width'] ?? '1') * scale,
    dash: numbers(attributes['stroke-dasharray'] ?? '').map((length) => length * scale),
    cap,
    join,
    ...(join === 'miter' ? { miterLimit: number(attributes['stroke-miterlimit'] ?? '4') } : {}),
  }
  const isUpright = Math.abs(outer[0] - 1) + Math.abs(outer[1]) + Math.abs(outer[2]) + Math.abs(outer[3] - 1) < 1e-6
  if (isUpright) return [{ ...frameOf(path, transformOutline(outline, inherited.matrix), inherited), stroke }]
  const frame = { ...frameOf(path, transformOutline(outline, [scale, 0, 0, scale, 0, 0]), inherited), stroke }
  return [{ kind: 'group', x: 0, y: 0, matrix: outer, frames: [frame] }]
}

function referred(reference: string): string {
  return /^url\(#(.*)\)$/.exec(reference)?.[1] ?? ''
}

function colorOf(color: string): string {
  const [, digits] = /^#([0-9a-f]{6})$/i.exec(color) ?? []
  if (digits === undefined) throw new OnlyAsPixels()
  return digits.toUpperCase()
}

function matrixOf(transform: string | undefined): Matrix {
  if (transform === undefined) return identity
  const [a, b, c, d, e, f] = numbers(/^matrix\(([^)]*)\)$/.exec(transform)?.[1] ?? '')
  if (a === undefined || b === undefined || c === undefined || d === undefined || e === undefined || f === undefined) {
    throw new OnlyAsPixels()
  }
  return [a, b, c, d, e, f]
}

function number(text: string): number {
  const value = Number(text)
  if (!Number.isFinite(value)) throw new OnlyAsPixels()
  return value
}

function numbers(list: string): number[] {
  return list
    .split(/[\s,]+/)
    .filter((word) => word !== '')
    .map(number)
}

/** The outline of a path as usvg writes it: absolute, of straight lines and quadratic and cubic curves. */
function outlineOf(d: string): Outline {
  const pen = new Pen()
  const words = d.split(/\s+/)
  let at = 0
  const next = () => number(words[at++] ?? '')
  while (at < words.length) {
    const step = words[at++]
    if (step === 'M') pen.move(next(), next())
    else if (step === 'L') pen.line(next(), next())
    else if (step === 'C') pen.curve(next(), next(), next(), next(), next(), next())
    else if (step === 'Q') pen.quadratic(next(), next(), next(), next())
    else if (step === 'Z') pen.close()
    else if (step !== '') throw new OnlyAsPixels()
  }
  return pen.outline
}
