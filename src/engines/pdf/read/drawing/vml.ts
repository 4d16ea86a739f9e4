import { limits } from '../../../../core/limits.ts'
import { childElements, childNamed, type XmlElement } from '../../../ooxml/xml.ts'
import type { Anchor, RelativeExtent } from '../../model/document.ts'
import type { Graphic } from '../../model/shape.ts'
import { points } from '../values.ts'
import type { Budget, DrawingSource } from './graphic.ts'
import { readVmlShape } from './vml-shape.ts'
import { isVmlOff, readVmlAnchor, readVmlAngle, readVmlPair, readVmlStyle, type VmlStyle } from './vml-style.ts'

/** The shape types (`v:shapetype`) seen so far in a story; later shapes, too, refer to them by id. */
export type VmlTypes = Map<string, XmlElement>

const shapeNames = new Set(['v:shape', 'v:rect', 'v:roundrect', 'v:oval', 'v:line', 'v:polyline', 'v:arc', 'v:image'])

/** A grid that places children: the extent of the parent in points and in units. */
interface Grid {
  x: number
  y: number
  scaleX: number
  scaleY: number
}

/** A drawing, and its place. */
interface VmlDrawing {
  graphic: Graphic
  anchor?: Anchor
  relative?: RelativeExtent
}

/** The drawings in a `w:pict` or `w:object`: nearly always one. */
export function readVml(holder: XmlElement, source: DrawingSource, types: VmlTypes): VmlDrawing[] {
  for (const type of childElements(holder, 'v:shapetype').slice(0, limits.renderVmlTypes))
    types.set(type.attributes.id ?? '', type)
  const budget: Budget = { left: limits.renderDrawingShapes }
  return childElements(holder)
    .filter((child) => child.name === 'v:group' || shapeNames.has(child.name))
    .map((element) => readDrawing(element, source, types, budget))
    .filter((drawing) => drawing !== undefined)
}

function readDrawing(
  element: XmlElement,
  source: DrawingSource,
  types: VmlTypes,
  budget: Budget,
): VmlDrawing | undefined {
  const graphic = readElement(element, { source, types, budget, depth: 0 })
  if (!graphic) return undefined
  const wrap = childNamed(element, 'w10:wrap')
  const style = readVmlStyle(element.attributes.style)
  const anchor = element.name === 'v:line' ? lineAnchor(style, wrap, graphic) : readVmlAnchor(style, wrap)
  const relative = ruleExtent(element, graphic.width)
  return {
    graphic: { ...graphic, x: 0, y: 0 },
    ...(anchor ? { anchor } : {}),
    ...(relative ? { relative } : {}),
  }
}

/** A horizontal rule is as wide as its column, or a share of it, if it states no width. */
function ruleExtent(element: XmlElement, width: number): RelativeExtent | undefined {
  const { 'o:hr': isRule, 'o:hrpct': tenths } = element.attributes
  if (isRule === undefined || isVmlOff(isRule)) return undefined
  const share = Number(tenths ?? 0) / 1_000
  if (share > 0 && share <= 1) return { width: { share, from: 'column' } }
  return width > 0 ? undefined : { width: { share: 1, from: 'column' } }
}

/** A line's place is in its ends, not in its style. */
function lineAnchor(style: VmlStyle, wrap: XmlElement | undefined, box: Graphic): Anchor | undefined {
  const anchor = readVmlAnchor(style, wrap)
  if (!anchor || style.has('left') || style.has('margin-left')) return anchor
  return {
    ...anchor,
    horizontal: { ...anchor.horizontal, offset: anchor.horizontal.offset + box.x },
    vertical: { ...anchor.vertical, offset: anchor.vertical.offset + box.y },
  }
}

/** What reading a shape needs of the document and of the groups around it. */
interface VmlReading {
  source: DrawingSource
  types: VmlTypes
  budget: Budget
  /** How many groups surround the shape, and the grid of the innermost. */
  depth: number
  grid?: Grid
}

function readElement(element: XmlElement, reading: VmlReading): Graphic | undefined {
  const { source, types, budget, grid } = reading
  if (--budget.left < 0 || reading.depth > limits.renderDrawingDepth) {
    source.unsupported(element.name, 'the drawing has too many shapes, and the rest is left out')
    return undefined
  }
  const style = readVmlStyle(element.attributes.style)
  if (style.get('visibility') === 'hidden') return undefined
  const box = boxOf(element, style, grid)
  const flip = style.get('flip') ?? ''
  const shared = {
    ...box,
    rotation: readVmlAngle(style.get('rotation')),
    flipH: /x/.test(flip),
    flipV: /y/.test(flip),
    alt: element.attributes.alt ?? '',
  }
  if (element.name === 'v:group') {
    const children = readChildren(element, box, reading)
    return { ...shared, content: { kind: 'group', x: 0, y: 0, width: box.width, height: box.height, children } }
  }
  const type = types.get((element.attributes.type ?? '').replace('#', ''))
  return { ...shared, content: readVmlShape({ element, type, width: box.width, height: box.height }, source) }
}

/** The shapes of a group, placed by its grid. */
function readChildren(element: XmlElement, box: { width: number; height: number }, reading: VmlReading): Graphic[] {
  const [unitsX = 1_000, unitsY = 1_000] = readVmlPair(element.attributes.coordsize)
  const [x = 0, y = 0] = readVmlPair(element.attributes.coordorigin)
  const grid: Grid = { x, y, scaleX: box.width / (unitsX || 1), scaleY: box.height / (unitsY || 1) }
  for (const type of childElements(element, 'v:shapetype').slice(0, limits.renderVmlTypes))
    reading.types.set(type.attributes.id ?? '', type)
  return childElements(element)
    .filter((child) => child.name === 'v:group' || shapeNames.has(child.name))
    .map((child) => readElement(child, { ...reading, grid, depth: reading.depth + 1 }))
    .filter((graphic) => graphic !== undefined)
}

function boxOf(element: XmlElement, style: VmlStyle, grid: Grid | undefined) {
  if (element.name === 'v:line') {
    const [fromX, fromY] = place(element.attributes.from ?? '0,0', grid)
    const [toX, toY] = place(element.attributes.to ?? '10,10', grid)
    return {
      x: Math.min(fromX, toX),
      y: Math.min(fromY, toY),
      width: Math.abs(toX - fromX),
      height: Math.abs(toY - fromY),
    }
  }
  const length = (name: string, scale: number | undefined) => {
    const text = style.get(name)
    if (text === undefined) return 0
    // Inside of a group lengths are the group's units, unless they say otherwise.
    if (scale !== undefined && /^-?[\d.]+$/.test(text)) return Number(text) * scale
    return points(text, 1) ?? 0
  }
  return {
    x: grid ? length('left', grid.scaleX) - grid.x * grid.scaleX : 0,
    y: grid ? length('top', grid.scaleY) - grid.y * grid.scaleY : 0,
    width: Math.max(0, length('width', grid?.scaleX)),
    height: Math.max(0, length('height', grid?.scaleY)),
  }
}

function place(text: string, grid: Grid | undefined): [x: number, y: number] {
  const [x = '0', y = '0'] = text.split(',')
  const at = (word: string, scale: number | undefined, origin: number) =>
    scale !== undefined && /^-?[\d.]+$/.test(word.trim()) ? (Number(word) - origin) * scale : (points(word, 1) ?? 0)
  return [at(x, grid?.scaleX, grid?.x ?? 0), at(y, grid?.scaleY, grid?.y ?? 0)]
}
