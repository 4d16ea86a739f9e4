import { limits } from '../../../../core/limits.ts'
import { childElements, childNamed, type XmlElement } from '../../../ooxml/xml.ts'
import { mixColors } from '../../frame/color.ts'
import { Pen, polyline, rectangleOutline, transformOutline } from '../../frame/pen.ts'
import type { Anchor, RelativeExtent } from '../../model/document.ts'
import type { ShapePath } from '../../model/geometry.ts'
import type { ArrowHead, Fill, GradientStops, Line } from '../../model/paint.ts'
import type { Graphic, GraphicContent, ShapeForm, ShapeText } from '../../model/shape.ts'
import { points } from '../values.ts'
import { type Budget, type DrawingSource, rectangle } from './graphic.ts'
import { distinct } from './paint.ts'
import { evaluateFormulas, readVmlPath } from './vml-path.ts'
import {
  isVmlOff,
  readVmlAnchor,
  readVmlAngle,
  readVmlColor,
  readVmlShare,
  readVmlStyle,
  type VmlStyle,
} from './vml-style.ts'

/** The shape types (`v:shapetype`) seen so far in a story: shapes refer to them by id, also later ones. */
export type VmlTypes = Map<string, XmlElement>

/** Types that documents refer to without defining them (14.1.2.22, `o:spt`). */
const RECTANGLES = new Set([0, 1, 75, 109, 202])

const shapeNames = new Set(['v:shape', 'v:rect', 'v:roundrect', 'v:oval', 'v:line', 'v:polyline', 'v:arc', 'v:image'])

/** A grid that places children: the extent of the parent in points and in units. */
interface Grid {
  x: number
  y: number
  scaleX: number
  scaleY: number
}

/** The drawing in a `w:pict` or `w:object`, and where it stands; undefined when there is none. */
export function readVml(
  holder: XmlElement,
  source: DrawingSource,
  types: VmlTypes,
): { graphic: Graphic; anchor?: Anchor; relative?: RelativeExtent } | undefined {
  for (const type of childElements(holder, 'v:shapetype').slice(0, 200)) types.set(type.attributes.id ?? '', type)
  const element = childElements(holder).find((child) => child.name === 'v:group' || shapeNames.has(child.name))
  if (!element) return undefined
  const budget: Budget = { left: limits.renderDrawingShapes }
  const graphic = readElement(element, source, types, undefined, budget, 0)
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

/** A horizontal rule is as wide as its column, or a share of it, where it states no width. */
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

function readElement(
  element: XmlElement,
  source: DrawingSource,
  types: VmlTypes,
  grid: Grid | undefined,
  budget: Budget,
  depth: number,
): Graphic | undefined {
  if (--budget.left < 0 || depth > limits.renderDrawingDepth) {
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
  if (element.name !== 'v:group') {
    const type = types.get((element.attributes.type ?? '').replace('#', ''))
    const content = readShape(element, type, source, box.width, box.height)
    return content && { ...shared, content }
  }
  const [unitsX = 1_000, unitsY = 1_000] = pair(element.attributes.coordsize)
  const [originX = 0, originY = 0] = pair(element.attributes.coordorigin)
  const inner: Grid = { x: originX, y: originY, scaleX: box.width / (unitsX || 1), scaleY: box.height / (unitsY || 1) }
  const children: Graphic[] = []
  for (const type of childElements(element, 'v:shapetype').slice(0, 200)) types.set(type.attributes.id ?? '', type)
  for (const child of childElements(element)) {
    if (child.name !== 'v:group' && !shapeNames.has(child.name)) continue
    const graphic = readElement(child, source, types, inner, budget, depth + 1)
    if (graphic) children.push(graphic)
  }
  return { ...shared, content: { kind: 'group', x: 0, y: 0, width: box.width, height: box.height, children } }
}

function pair(text: string | undefined): number[] {
  if (text === undefined) return []
  return text.split(',').map((part) => (Number.isFinite(Number(part)) ? Number(part) : 0))
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

function readShape(
  element: XmlElement,
  type: XmlElement | undefined,
  source: DrawingSource,
  width: number,
  height: number,
): GraphicContent | undefined {
  const own = (name: string) => element.attributes[name] ?? type?.attributes[name]
  const child = (name: string) => childNamed(element, name)
  const typed = (name: string) => child(name) ?? (type && childNamed(type, name))
  const fill = isVmlOff(own('filled')) ? undefined : readVmlFill(child('v:fill'), own('fillcolor'), source)
  const line = isVmlOff(own('stroked')) ? undefined : readVmlLine(element, typed('v:stroke'), own)
  const data = child('v:imagedata')
  if (data) {
    const part = source.partOf(data.attributes['r:id'] ?? data.attributes['r:pict'] ?? '')
    const crop = (side: string) => Math.max(-1, Math.min(0.99, readVmlShare(data.attributes[`crop${side}`]) ?? 0))
    return {
      kind: 'picture',
      part,
      crop: { left: crop('left'), top: crop('top'), right: crop('right'), bottom: crop('bottom') },
      ...(line && element.attributes.stroked !== undefined ? { line } : {}),
    }
  }
  const textPath = child('v:textpath')
  if (textPath && (textPath.attributes.string ?? '') !== '') {
    const font = readVmlStyle(textPath.attributes.style)
    return {
      kind: 'word-art',
      text: (textPath.attributes.string ?? '').slice(0, 2_000),
      font: (font.get('font-family') ?? 'Arial').replace(/["']|&quot;/g, ''),
      bold: font.get('font-weight') === 'bold',
      italic: font.get('font-style') === 'italic',
      ...(fill ? { fill } : {}),
      ...(line ? { line } : {}),
    }
  }
  const text = readText(element, source)
  const form = formOf(element, type, width, height, typed('v:path')?.attributes.textboxrect)
  return {
    kind: 'shape',
    form,
    ...(fill && element.name !== 'v:line' ? { fill } : {}),
    ...(line ? { line } : {}),
    ...(text ? { text } : {}),
  }
}

function paths(...list: ShapePath[]): ShapeForm {
  return { kind: 'paths', paths: list }
}

function formOf(
  element: XmlElement,
  type: XmlElement | undefined,
  width: number,
  height: number,
  textRectangle: string | undefined,
): ShapeForm {
  const whole: ShapePath = { outline: rectangleOutline(0, 0, width, height), fill: 'norm', stroke: true }
  const pen = new Pen()
  switch (element.name) {
    case 'v:rect':
    case 'v:image':
      return rectangle
    case 'v:oval':
      pen.ellipse(width / 2, height / 2, width / 2, height / 2)
      return paths({ outline: pen.outline, fill: 'norm', stroke: true })
    case 'v:roundrect': {
      const share = Math.max(0, Math.min(0.5, readVmlShare(element.attributes.arcsize) ?? 0.2))
      roundRectangle(pen, width, height, share * Math.min(width, height))
      return paths({ outline: pen.outline, fill: 'norm', stroke: true })
    }
    case 'v:line': {
      const [from, to] = [pair(lengths(element.attributes.from)), pair(lengths(element.attributes.to))]
      const x = (from[0] ?? 0) > (to[0] ?? 0) ? [width, 0] : [0, width]
      const y = (from[1] ?? 0) > (to[1] ?? 0) ? [height, 0] : [0, height]
      return paths({ outline: polyline([x[0]!, y[0]!, x[1]!, y[1]!], false), fill: 'none', stroke: true })
    }
    case 'v:polyline': {
      const values = (element.attributes.points ?? '')
        .slice(0, 100_000)
        .split(/[\s,]+/)
        .filter((word) => word !== '')
        .slice(0, limits.renderPathSteps * 2)
        .map((word) => points(word, 1) ?? 0)
      if (values.length < 4) return paths(whole)
      return paths(fitted(polyline(values.slice(0, values.length & ~1), false), width, height))
    }
    case 'v:arc': {
      const start = ((readVmlAngle(element.attributes.startangle ?? '0') - 90) * Math.PI) / 180
      const end = ((readVmlAngle(element.attributes.endangle ?? '90') - 90) * Math.PI) / 180
      const sweep = end > start ? end - start : end - start + 2 * Math.PI
      pen.move(width / 2 + (width / 2) * Math.cos(start), height / 2 + (height / 2) * Math.sin(start))
      pen.arc(width / 2, height / 2, width / 2, height / 2, start, sweep)
      return paths({ outline: pen.outline, fill: 'norm', stroke: true })
    }
    default:
      return shapeForm(element, type, width, height, textRectangle) ?? paths(whole)
  }
}

/** Lengths with units as plain points, for comparing them. */
function lengths(text: string | undefined): string {
  return (text ?? '')
    .split(',')
    .map((word) => `${points(word, 1) ?? 0}`)
    .join(',')
}

/** An outline in coordinates of its own, moved into the shape's box. */
function fitted(outline: ShapePath['outline'], width: number, height: number): ShapePath {
  const xs = outline.points.filter((_, index) => index % 2 === 0)
  const ys = outline.points.filter((_, index) => index % 2 === 1)
  const [left, top] = [xs.reduce((a, b) => Math.min(a, b)), ys.reduce((a, b) => Math.min(a, b))]
  const spanX = xs.reduce((a, b) => Math.max(a, b)) - left
  const spanY = ys.reduce((a, b) => Math.max(a, b)) - top
  const scaleX = width > 0 && spanX > 0 ? width / spanX : 1
  const scaleY = height > 0 && spanY > 0 ? height / spanY : 1
  const moved = transformOutline(outline, [scaleX, 0, 0, scaleY, -left * scaleX, -top * scaleY])
  return { outline: moved, fill: 'norm', stroke: true }
}

function roundRectangle(pen: Pen, width: number, height: number, radius: number): void {
  const quarter = Math.PI / 2
  pen.move(0, radius)
  pen.arc(radius, radius, radius, radius, 2 * quarter, quarter)
  pen.line(width - radius, 0)
  pen.arc(width - radius, radius, radius, radius, 3 * quarter, quarter)
  pen.line(width, height - radius)
  pen.arc(width - radius, height - radius, radius, radius, 0, quarter)
  pen.line(radius, height)
  pen.arc(radius, height - radius, radius, radius, quarter, quarter)
  pen.close()
}

/** A `v:shape`: its own path or that of its type, in units of its coordinate size. */
function shapeForm(
  element: XmlElement,
  type: XmlElement | undefined,
  width: number,
  height: number,
  textRectangle: string | undefined,
): ShapeForm | undefined {
  const own = (name: string) => element.attributes[name] ?? type?.attributes[name]
  const path = own('path') ?? ''
  const kind = Number(own('o:spt') ?? /_t(\d+)$/.exec(element.attributes.type ?? '')?.[1] ?? Number.NaN)
  if (path === '') {
    if (kind === 32 || kind === 20)
      return paths({ outline: polyline([0, 0, width, height], false), fill: 'none', stroke: true })
    return undefined
  }
  if (RECTANGLES.has(kind) && element.attributes.path === undefined) return undefined
  const [unitsX = 1_000, unitsY = 1_000] = pair(own('coordsize'))
  const [originX = 0, originY = 0] = pair(own('coordorigin'))
  const formulas = childNamed(element, 'v:formulas') ?? (type && childNamed(type, 'v:formulas'))
  const defaults = pair(type?.attributes.adj)
  // An adjustment that the shape leaves empty keeps its type's value.
  const stated = element.attributes.adj?.split(',') ?? []
  const adjustments = Array.from({ length: Math.min(32, Math.max(defaults.length, stated.length)) }, (_, index) => {
    const text = stated[index]?.trim()
    return text === undefined || text === '' ? (defaults[index] ?? 0) : Number(text) || 0
  })
  const equations = (formulas ? childElements(formulas, 'v:f') : []).map((formula) => formula.attributes.eqn ?? '')
  const results = evaluateFormulas(equations, adjustments, unitsX, unitsY)
  const [scaleX, scaleY] = [width / (unitsX || 1), height / (unitsY || 1)]
  const matrix = [scaleX, 0, 0, scaleY, -originX * scaleX, -originY * scaleY] as const
  const list = readVmlPath(path, results, adjustments).map((entry) => ({
    ...entry,
    outline: transformOutline(entry.outline, matrix),
  }))
  if (list.length === 0) return undefined
  const [left, top, right, bottom] = (textRectangle ?? '')
    .split(';')[0]!
    .split(',')
    .map((word) => (word.startsWith('@') ? (results[Number(word.slice(1))] ?? 0) : Number(word) || 0))
  if (right === undefined || bottom === undefined) return { kind: 'paths', paths: list }
  return {
    kind: 'paths',
    paths: list,
    text: {
      left: (left! - originX) * scaleX,
      top: (top! - originY) * scaleY,
      right: (right - originX) * scaleX,
      bottom: (bottom - originY) * scaleY,
    },
  }
}

function readVmlFill(
  element: XmlElement | undefined,
  colorText: string | undefined,
  source: DrawingSource,
): Fill | undefined {
  const { type, color2, opacity, angle, focus, on, 'r:id': id } = element?.attributes ?? {}
  if (isVmlOff(on)) return undefined
  const color = readVmlColor(element?.attributes.color) ?? readVmlColor(colorText) ?? 'FFFFFF'
  const clear = Math.max(0, Math.min(1, readVmlShare(opacity) ?? 1))
  if ((type === 'frame' || type === 'tile') && id !== undefined) {
    const part = source.partOf(id)
    if (part !== undefined) return { kind: 'picture', part }
  }
  if (type !== 'gradient' && type !== 'gradientRadial') return { kind: 'solid', color, opacity: clear }
  const second = secondColor(color2, color)
  const middle = Math.abs(readVmlShare(focus === undefined ? '0' : `${focus.replace('%', '')}%`) ?? 0)
  if (type === 'gradientRadial') {
    const stops: GradientStops = [
      { at: 0, color: second },
      { at: 1, color },
    ]
    return { kind: 'gradient', stops, opacity: clear, angle: 0, focus: { x: 0.5, y: 0.5 } }
  }
  // VML's gradients run upwards at 0 degrees; a focus of 100 % turns them round, one between mirrors them there.
  const stops: GradientStops =
    middle >= 1
      ? [
          { at: 0, color },
          { at: 1, color: second },
        ]
      : [
          { at: 0, color: second },
          ...(middle > 0 ? [{ at: middle, color }] : []),
          { at: 1, color: middle > 0 ? second : color },
        ]
  return { kind: 'gradient', stops: distinct(stops), opacity: clear, angle: 90 - readVmlAngle(angle) }
}

/** A second colour may be the first one darkened or lightened by some 255ths. */
function secondColor(text: string | undefined, first: string): string {
  const relative = /^fill (darken|lighten)\((\d+)\)/.exec(text ?? '')
  if (!relative) return readVmlColor(text) ?? 'FFFFFF'
  const share = Math.min(255, Number(relative[2])) / 255
  return mixColors(relative[1] === 'darken' ? '000000' : 'FFFFFF', first, share)
}

const dashStyles: Readonly<Record<string, readonly number[]>> = {
  dot: [1, 3],
  shortdot: [1, 1],
  '1 1': [1, 1],
  dash: [4, 3],
  shortdash: [3, 1],
  '3 1': [3, 1],
  longdash: [8, 3],
  dashdot: [4, 3, 1, 3],
  shortdashdot: [3, 1, 1, 1],
  longdashdot: [8, 3, 1, 3],
  longdashdotdot: [8, 3, 1, 3, 1, 3],
}

function readVmlLine(
  element: XmlElement,
  stroke: XmlElement | undefined,
  own: (name: string) => string | undefined,
): Line | undefined {
  const { on, weight, color, opacity, dashstyle, endcap, joinstyle, startarrow, endarrow } = stroke?.attributes ?? {}
  if (isVmlOff(on)) return undefined
  const isNew = element.attributes.strokecolor !== undefined
  const head = readVmlArrow(startarrow, stroke?.attributes.startarrowwidth, stroke?.attributes.startarrowlength)
  const tail = readVmlArrow(endarrow, stroke?.attributes.endarrowwidth, stroke?.attributes.endarrowlength)
  return {
    color: (isNew ? undefined : readVmlColor(color)) ?? readVmlColor(own('strokecolor')) ?? '000000',
    opacity: Math.max(0, Math.min(1, readVmlShare(opacity) ?? 1)),
    width: Math.max(0, points(weight ?? own('strokeweight'), 1) ?? 0.75),
    dash: dashStyles[(dashstyle ?? '').toLowerCase()] ?? [],
    cap: endcap === 'round' ? 'round' : endcap === 'square' ? 'square' : 'butt',
    join: joinstyle === 'round' ? 'round' : joinstyle === 'bevel' ? 'bevel' : 'miter',
    ...(head ? { head } : {}),
    ...(tail ? { tail } : {}),
  }
}

function readVmlArrow(type: string | undefined, width = 'medium', length = 'medium'): ArrowHead | undefined {
  const known = { block: 'triangle', classic: 'stealth', open: 'arrow', diamond: 'diamond', oval: 'oval' } as const
  const shape = Object.hasOwn(known, type ?? '') ? known[type as keyof typeof known] : undefined
  const size = (word: string) =>
    word === 'narrow' || word === 'short' ? 2 : word === 'wide' || word === 'long' ? 5 : 3
  return shape && { type: shape, width: size(width), length: size(length) }
}

function readText(element: XmlElement, source: DrawingSource): ShapeText | undefined {
  const box = childNamed(element, 'v:textbox')
  const content = box && childNamed(box, 'w:txbxContent')
  if (!box || !content) return undefined
  const style = readVmlStyle(box.attributes.style)
  const shape = readVmlStyle(element.attributes.style)
  const [left, top, right, bottom] = (box.attributes.inset ?? '').split(',').map((word) => points(word, 1))
  const anchor = shape.get('v-text-anchor') ?? ''
  const turn = !/vertical/.test(style.get('layout-flow') ?? '')
    ? 0
    : style.get('mso-layout-flow-alt') === 'bottom-to-top'
      ? 270
      : 90
  return {
    blocks: source.readStory(content),
    insets: { left: left ?? 7.2, top: top ?? 3.6, right: right ?? 7.2, bottom: bottom ?? 3.6 },
    vertical: anchor.startsWith('middle') ? 'center' : anchor.startsWith('bottom') ? 'bottom' : 'top',
    centered: anchor.endsWith('center'),
    autoHeight: style.get('mso-fit-shape-to-text') === 't' || style.get('mso-fit-shape-to-text') === 'true',
    wrap: shape.get('mso-wrap-style') !== 'none',
    turn,
  }
}
