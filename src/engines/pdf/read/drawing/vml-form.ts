import { limits } from '../../../../core/limits.ts'
import { childElements, childNamed, type XmlElement } from '../../../ooxml/xml.ts'
import type { Matrix, Outline } from '../../frame/frame.ts'
import { Pen, polyline, rectangleOutline, transformOutline } from '../../frame/pen.ts'
import type { ShapePath } from '../../model/geometry.ts'
import type { ShapeForm } from '../../model/shape.ts'
import { points } from '../values.ts'
import { rectangle } from './graphic.ts'
import { evaluateFormulas, type Formulas, readVmlPath } from './vml-path.ts'
import { readVmlAngle, readVmlPair, readVmlShare } from './vml-style.ts'

/** A shape with the type that it refers to, and its extent in points. */
export interface VmlShape {
  element: XmlElement
  type: XmlElement | undefined
  width: number
  height: number
}

/** An attribute of a shape, or that of its type. */
export function shapeAttribute({ element, type }: VmlShape, name: string): string | undefined {
  return element.attributes[name] ?? type?.attributes[name]
}

export function shapeChild({ element, type }: VmlShape, name: string): XmlElement | undefined {
  return childNamed(element, name) ?? (type && childNamed(type, name))
}

/** Types that documents refer to without defining them (14.1.2.22, `o:spt`): rectangles, and straight lines. */
const RECTANGLES = new Set([0, 1, 75, 109, 202])
const LINES = new Set([20, 32])

/** The form of a shape, by its element. */
export function vmlForm(shape: VmlShape): ShapeForm {
  const { element, width, height } = shape
  switch (element.name) {
    case 'v:rect':
    case 'v:image':
      return rectangle
    case 'v:oval':
      return filled(oval(width, height))
    case 'v:roundrect': {
      const share = Math.max(0, Math.min(0.5, readVmlShare(element.attributes.arcsize) ?? 0.2))
      return filled(roundRectangle(width, height, share * Math.min(width, height)))
    }
    case 'v:line':
      return line(shape)
    case 'v:polyline':
      return polylineForm(shape) ?? box(shape)
    case 'v:arc':
      return filled(arc(shape))
    default:
      return shapeForm(shape) ?? box(shape)
  }
}

function filled(outline: Outline): ShapeForm {
  return { kind: 'paths', paths: [{ outline, fill: 'norm', stroke: true }] }
}

function stroked(outline: Outline): ShapeForm {
  return { kind: 'paths', paths: [{ outline, fill: 'none', stroke: true }] }
}

function box({ width, height }: VmlShape): ShapeForm {
  return filled(rectangleOutline(0, 0, width, height))
}

function oval(width: number, height: number): Outline {
  const pen = new Pen()
  pen.ellipse(width / 2, height / 2, width / 2, height / 2)
  return pen.outline
}

/** A line between those corners of its box that are nearest to its ends. */
function line({ element, width, height }: VmlShape): ShapeForm {
  const [from, to] = [lengths(element.attributes.from), lengths(element.attributes.to)]
  const [fromX, toX] = from.x > to.x ? [width, 0] : [0, width]
  const [fromY, toY] = from.y > to.y ? [height, 0] : [0, height]
  return stroked(polyline([fromX, fromY, toX, toY]))
}

/** A pair of lengths with units, in points. */
function lengths(text = ''): { x: number; y: number } {
  const [x, y] = text.split(',').map((word) => points(word, 1) ?? 0)
  return { x: x ?? 0, y: y ?? 0 }
}

function polylineForm({ element, width, height }: VmlShape): ShapeForm | undefined {
  const values = (element.attributes.points ?? '')
    .slice(0, limits.renderVmlPointChars)
    .split(/[\s,]+/)
    .filter((word) => word !== '')
    .slice(0, limits.renderPathSteps * 2)
    .map((word) => points(word, 1) ?? 0)
  if (values.length < 4) return undefined
  return filled(fitted(polyline(values.slice(0, values.length & ~1)), width, height))
}

function arc({ element, width, height }: VmlShape): Outline {
  const pen = new Pen()
  const start = ((readVmlAngle(element.attributes.startangle ?? '0') - 90) * Math.PI) / 180
  const end = ((readVmlAngle(element.attributes.endangle ?? '90') - 90) * Math.PI) / 180
  const sweep = end > start ? end - start : end - start + 2 * Math.PI
  pen.move(width / 2 + (width / 2) * Math.cos(start), height / 2 + (height / 2) * Math.sin(start))
  pen.arc({ x: width / 2, y: height / 2, radiusX: width / 2, radiusY: height / 2 }, start, sweep)
  return pen.outline
}

/** An outline in coordinates of its own, moved into the shape's box. */
function fitted(outline: Outline, width: number, height: number): Outline {
  const xs = outline.points.filter((_, index) => index % 2 === 0)
  const ys = outline.points.filter((_, index) => index % 2 === 1)
  const [left, top] = [xs.reduce((a, b) => Math.min(a, b)), ys.reduce((a, b) => Math.min(a, b))]
  const spanX = xs.reduce((a, b) => Math.max(a, b)) - left
  const spanY = ys.reduce((a, b) => Math.max(a, b)) - top
  const scaleX = width > 0 && spanX > 0 ? width / spanX : 1
  const scaleY = height > 0 && spanY > 0 ? height / spanY : 1
  return transformOutline(outline, [scaleX, 0, 0, scaleY, -left * scaleX, -top * scaleY])
}

function roundRectangle(width: number, height: number, radius: number): Outline {
  const pen = new Pen()
  const quarter = Math.PI / 2
  pen.move(0, radius)
  pen.arc({ x: radius, y: radius, radiusX: radius, radiusY: radius }, 2 * quarter, quarter)
  pen.line(width - radius, 0)
  pen.arc({ x: width - radius, y: radius, radiusX: radius, radiusY: radius }, 3 * quarter, quarter)
  pen.line(width, height - radius)
  pen.arc({ x: width - radius, y: height - radius, radiusX: radius, radiusY: radius }, 0, quarter)
  pen.line(radius, height)
  pen.arc({ x: radius, y: height - radius, radiusX: radius, radiusY: radius }, quarter, quarter)
  pen.close()
  return pen.outline
}

/** A `v:shape`: its own path or that of its type, in units of its coordinate size. */
function shapeForm(shape: VmlShape): ShapeForm | undefined {
  const { element, width, height } = shape
  const path = shapeAttribute(shape, 'path') ?? ''
  const number = shapeAttribute(shape, 'o:spt') ?? /_t(\d+)$/.exec(element.attributes.type ?? '')?.[1]
  const kind = Number(number ?? Number.NaN)
  if (path === '') return LINES.has(kind) ? stroked(polyline([0, 0, width, height])) : undefined
  if (RECTANGLES.has(kind) && element.attributes.path === undefined) return undefined
  const [unitsX = 1_000, unitsY = 1_000] = readVmlPair(shapeAttribute(shape, 'coordsize'))
  const [originX = 0, originY = 0] = readVmlPair(shapeAttribute(shape, 'coordorigin'))
  const formulas = formulasOf(shape, unitsX, unitsY)
  const [scaleX, scaleY] = [width / (unitsX || 1), height / (unitsY || 1)]
  const matrix: Matrix = [scaleX, 0, 0, scaleY, -originX * scaleX, -originY * scaleY]
  const paths = readVmlPath(path, formulas).map((entry): ShapePath => {
    return { ...entry, outline: transformOutline(entry.outline, matrix) }
  })
  if (paths.length === 0) return undefined
  const text = textRectangle(shape, formulas)
  return {
    kind: 'paths',
    paths,
    ...(text && {
      text: {
        left: (text.left - originX) * scaleX,
        top: (text.top - originY) * scaleY,
        right: (text.right - originX) * scaleX,
        bottom: (text.bottom - originY) * scaleY,
      },
    }),
  }
}

/** The formulas of a shape with its adjustments; an adjustment left empty keeps its type's value. */
function formulasOf(shape: VmlShape, width: number, height: number): Formulas {
  const defaults = readVmlPair(shape.type?.attributes.adj)
  const stated = shape.element.attributes.adj?.split(',') ?? []
  const length = Math.min(limits.renderVmlAdjustments, Math.max(defaults.length, stated.length))
  const adjustments = Array.from({ length }, (_, index) => {
    const text = stated[index]?.trim()
    return text === undefined || text === '' ? (defaults[index] ?? 0) : Number(text) || 0
  })
  const list = shapeChild(shape, 'v:formulas')
  const equations = (list ? childElements(list, 'v:f') : []).map((formula) => formula.attributes.eqn ?? '')
  return evaluateFormulas(equations, { adjustments, width, height })
}

/** The text rectangle of a shape, in the shape's units: the first that it or its type states. */
function textRectangle(
  shape: VmlShape,
  { results }: Formulas,
): { left: number; top: number; right: number; bottom: number } | undefined {
  const [first = ''] = (shapeChild(shape, 'v:path')?.attributes.textboxrect ?? '').split(';')
  const [left = 0, top = 0, right, bottom] = first
    .split(',')
    .map((word) => (word.startsWith('@') ? (results[Number(word.slice(1))] ?? 0) : Number(word) || 0))
  return right === undefined || bottom === undefined ? undefined : { left, top, right, bottom }
}
