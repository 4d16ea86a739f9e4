import { limits } from '../../../../core/limits.ts'
import { childElements, childNamed, type XmlElement } from '../../../ooxml/xml.ts'
import type { Block } from '../../model/document.ts'
import type { Fill, Line } from '../../model/paint.ts'
import type { Crop, Graphic, GraphicContent, ShapeForm, ShapeText } from '../../model/shape.ts'
import { attribute, emu, integer, isOn } from '../values.ts'
import { knownGeometry, presetGeometry, readAdjustments, readCustomGeometry } from './geometry.ts'
import { type PaintSource, readFill, readLine, readStyle } from './paint.ts'
import { readBody, readParagraphs, themeFont } from './text.ts'

/** What reading a drawing needs of the document around it. */
export interface DrawingSource extends PaintSource {
  /** The paragraphs of a text box. */
  readStory(content: XmlElement): Block[]
  /** Charts and diagrams: the content of a part that the drawing refers to. */
  readPart(data: XmlElement, width: number, height: number): GraphicContent | undefined
  /** Reports that something is shown differently or left out. */
  unsupported(element: string, what: string): void
}

interface Box {
  x: number
  y: number
  width: number
  height: number
  rotation: number
  flipH: boolean
  flipV: boolean
}

/** How many shapes may still be read, over all groups of one drawing. */
export interface Budget {
  left: number
}

/** Where a drawing's objects are read: the groups around them, and how many may still follow. */
interface Nesting {
  budget: Budget
  depth: number
}

/** The box of an object that states none itself, and its description. */
export interface Holder extends Box {
  alt: string
}

/** One object of DrawingML: a shape, picture, group, canvas, chart or diagram. */
export function readGraphic(
  element: XmlElement,
  source: DrawingSource,
  holder: Holder,
  nesting: Nesting = { budget: { left: limits.renderDrawingShapes }, depth: 0 },
): Graphic | undefined {
  const { budget, depth } = nesting
  if (--budget.left < 0 || depth > limits.renderDrawingDepth) {
    if (budget.left === -1 || depth > limits.renderDrawingDepth)
      source.unsupported(element.name, 'the drawing has too many shapes, and the rest is left out')
    return undefined
  }
  const name = element.name.slice(element.name.indexOf(':') + 1)
  switch (name) {
    case 'wsp':
    case 'sp':
    case 'cxnSp': {
      const shape = { ...holder, ...boxOf(childOf(element, 'spPr'), holder), content: readShape(element, source) }
      const place = childOf(element, 'txXfrm')
      return place ? withTextApart(shape, transformOf(place, shape)) : shape
    }
    case 'pic':
      return { ...holder, ...boxOf(childOf(element, 'spPr'), holder), content: readPicture(element, source) }
    case 'wgp':
    case 'grpSp':
    case 'wpc':
    case 'lockedCanvas':
    case 'spTree':
      return readGroup(element, source, holder, nesting)
    case 'graphicFrame': {
      const data = descend(element, ['a:graphic', 'a:graphicData'])
      const inner = childElements(data ?? element)[0]
      const frame = { ...holder, ...transformOf(childOf(element, 'xfrm'), holder) }
      return inner && readGraphic(inner, source, frame, { budget, depth: depth + 1 })
    }
    default: {
      const content = source.readPart(element, holder.width, holder.height)
      return content && { ...holder, content }
    }
  }
}

function descend(element: XmlElement, names: readonly string[]): XmlElement | undefined {
  let found: XmlElement | undefined = element
  for (const name of names) found = found && childNamed(found, name)
  return found
}

/** A child by its name without the prefix: several namespaces have the same words. */
export function childOf(element: XmlElement, name: string): XmlElement | undefined {
  return childElements(element).find((child) => child.name.endsWith(`:${name}`))
}

function boxOf(properties: XmlElement | undefined, box: Box): Box {
  return transformOf(properties && childNamed(properties, 'a:xfrm'), box)
}

/** Position, extent, turn and flips (20.1.7.6). */
function transformOf(element: XmlElement | undefined, box: Box): Box {
  if (!element) return box
  const offset = childNamed(element, 'a:off')
  const extent = childNamed(element, 'a:ext')
  return {
    x: emu(attribute(offset, 'x')) ?? box.x,
    y: emu(attribute(offset, 'y')) ?? box.y,
    width: Math.max(0, emu(attribute(extent, 'cx')) ?? box.width),
    height: Math.max(0, emu(attribute(extent, 'cy')) ?? box.height),
    rotation: ((integer(element.attributes.rot) ?? 0) / 60_000) % 360,
    flipH: isOn(element.attributes.flipH ?? '0'),
    flipV: isOn(element.attributes.flipV ?? '0'),
  }
}

/**
 * Gives the text of a diagram's shape a box of its own, in the coordinates around the shape. The box is turned about
 * its own middle: by the shape's rotation, and by what it states itself (2.24.3.4 of MS-ODRAWXML).
 */
function withTextApart(shape: Graphic, place: Box): Graphic {
  if (shape.content.kind !== 'shape' || !shape.content.text) return shape
  const { text, ...content } = shape.content
  const own: Graphic = {
    ...place,
    rotation: (shape.rotation + (shape.flipV ? 180 : 0) + place.rotation) % 360,
    flipH: false,
    flipV: false,
    alt: '',
    content: { kind: 'shape', form: rectangle, text },
  }
  const { x, y, width, height, alt } = shape
  const children = [{ ...shape, alt: '', content }, own]
  return {
    ...{ x, y, width, height, rotation: 0, flipH: false, flipV: false, alt },
    content: { kind: 'group', x, y, width, height, children },
  }
}

/** The box of an object in a group that states none. */
const nowhere: Holder = { x: 0, y: 0, width: 0, height: 0, rotation: 0, flipH: false, flipV: false, alt: '' }

function readGroup(element: XmlElement, source: DrawingSource, holder: Holder, { budget, depth }: Nesting): Graphic {
  const properties = childOf(element, 'grpSpPr')
  const transform = properties && childNamed(properties, 'a:xfrm')
  const own = { ...holder, ...transformOf(transform, holder) }
  const childOffset = transform && childNamed(transform, 'a:chOff')
  const childExtent = transform && childNamed(transform, 'a:chExt')
  const children: Graphic[] = []
  for (const child of childElements(element)) {
    const chosen = child.name === 'mc:AlternateContent' ? childElements(childElements(child)[0] ?? child)[0] : child
    if (!chosen || /:(cNvPr|cNvGrpSpPr|nvGrpSpPr|grpSpPr|extLst|bg|whole|cNvFrPr)$/.test(chosen.name)) continue
    const graphic = readGraphic(chosen, source, nowhere, { budget, depth: depth + 1 })
    if (graphic) children.push(graphic)
  }
  return {
    ...own,
    content: {
      kind: 'group',
      x: emu(attribute(childOffset, 'x')) ?? 0,
      y: emu(attribute(childOffset, 'y')) ?? 0,
      width: Math.max(0, emu(attribute(childExtent, 'cx')) ?? own.width),
      height: Math.max(0, emu(attribute(childExtent, 'cy')) ?? own.height),
      children,
    },
  }
}

function formOf(properties: XmlElement | undefined, source: DrawingSource): ShapeForm | undefined {
  const custom = properties && childNamed(properties, 'a:custGeom')
  if (custom) return { kind: 'geometry', geometry: readCustomGeometry(custom), adjustments: new Map() }
  const preset = properties && childNamed(properties, 'a:prstGeom')
  if (!preset) return undefined
  const geometry = presetGeometry(preset.attributes.prst ?? '')
  if (!geometry) {
    source.unsupported('a:prstGeom', 'a rectangle replaces the unknown shape')
    return undefined
  }
  return { kind: 'geometry', geometry, adjustments: readAdjustments(childNamed(preset, 'a:avLst')) }
}

/** A form that is just its box, at any size. */
export const rectangle = {
  kind: 'geometry',
  geometry: knownGeometry('rect'),
  adjustments: new Map(),
} satisfies ShapeForm

/** True for a form that is just its box. */
export function isRectangle(form: ShapeForm): boolean {
  return form.kind === 'geometry' && form.geometry === rectangle.geometry
}

function readShape(element: XmlElement, source: DrawingSource): GraphicContent {
  const properties = childOf(element, 'spPr')
  const style = readStyle(childOf(element, 'style'), source)
  const fill = readFill(properties, source) ?? style.fill
  const line = readLine(properties && childNamed(properties, 'a:ln'), source, style.line)
  const text = readText(element, source, style.text?.color)
  const lettering = fill === undefined && line === undefined ? wordArtOf(element, text) : undefined
  if (lettering) return lettering
  const effects = properties && childNamed(properties, 'a:effectLst')
  if (effects && childElements(effects).length > 0)
    source.unsupported('a:effectLst', 'shadows and other effects are left out')
  return {
    kind: 'shape',
    form: formOf(properties, source) ?? rectangle,
    ...(fill && fill !== 'none' ? { fill } : {}),
    ...(line && line !== 'none' ? { line } : {}),
    ...(text ? { text } : {}),
  }
}

/** Transforms that set text along a path instead of stretching it to the shape, and `NoShape`, which does neither. */
const unstretched = /Arch|Circle|Button|NoShape/

/** The text of a shape that stretches it to its box (20.1.9.19), in the look of its first run. */
function wordArtOf(element: XmlElement, text: ShapeText | undefined): GraphicContent | undefined {
  const body = childOf(element, 'bodyPr')
  const warp = body && childNamed(body, 'a:prstTxWarp')?.attributes.prst
  if (!warp || unstretched.test(warp) || !text) return undefined
  const lines = text.blocks.map((block) => (block.kind === 'paragraph' ? block.content : []))
  const words = lines.map((line) => line.map((inline) => (inline.kind === 'text' ? inline.text : '')).join(''))
  const first = lines.flat().find(({ kind }) => kind === 'text')?.props
  if (!first || words.every((line) => line.trim() === '')) return undefined
  const color = first.color === undefined || first.color === 'auto' ? (text.color ?? '000000') : first.color
  return {
    kind: 'word-art',
    text: words.join('\n').slice(0, 2_000),
    font: first.fonts?.ascii ?? 'Arial',
    bold: first.bold === true,
    italic: first.italic === true,
    fill: { kind: 'solid', color, opacity: 1 },
  }
}

function readText(element: XmlElement, source: DrawingSource, color: string | undefined): ShapeText | undefined {
  const shared = color === undefined ? {} : { color }
  const holder = childOf(element, 'txbx')
  const story = holder && childNamed(holder, 'w:txbxContent')
  if (childOf(element, 'linkedTxbx'))
    source.unsupported('wps:linkedTxbx', 'text that runs over into it from the box before is left out')
  if (story) return { blocks: source.readStory(story), ...readBody(childOf(element, 'bodyPr')), ...shared }
  // In a locked canvas the text is a shape of its own inside the shape (20.1.2.2.41).
  const body = childOf(childOf(element, 'txSp') ?? element, 'txBody')
  if (!body || !hasText(body)) return undefined
  const font = themeFont('+mn-lt', source.theme)
  const base = { size: 18, ...(font === undefined ? {} : { fonts: { ascii: font, highAnsi: font } }), ...shared }
  return {
    blocks: readParagraphs(body, source.theme, base),
    ...readBody(childNamed(body, 'a:bodyPr')),
    autoHeight: false,
    spills: true,
    ...shared,
  }
}

function hasText(body: XmlElement): boolean {
  return childElements(body, 'a:p').some((paragraph) =>
    childElements(paragraph).some(({ name }) => name === 'a:r' || name === 'a:fld'),
  )
}

function readPicture(element: XmlElement, source: DrawingSource): GraphicContent {
  const properties = childOf(element, 'spPr')
  const fillHolder = childOf(element, 'blipFill')
  const blip = fillHolder && childNamed(fillHolder, 'a:blip')
  const part = source.partOf(blip?.attributes['r:embed'] ?? '')
  const drawing = source.partOf((blip && svgRelation(blip)) ?? '')
  const line: Line | 'none' | undefined = readLine(properties && childNamed(properties, 'a:ln'), source, undefined)
  const fill: Fill | 'none' | undefined = readFill(properties, source)
  const form = formOf(properties, source)
  return {
    kind: 'picture',
    part,
    ...(drawing === undefined ? {} : { drawing }),
    crop: readCrop(fillHolder && childNamed(fillHolder, 'a:srcRect')),
    ...(form ? { form } : {}),
    ...(fill && fill !== 'none' ? { fill } : {}),
    ...(line && line !== 'none' ? { line } : {}),
  }
}

/** The relationship to a picture's SVG form, which Word stores beside the bitmap ([MS-ODRAWXML] 2.1.1745). */
function svgRelation(blip: XmlElement): string | undefined {
  const extensions = childNamed(blip, 'a:extLst')
  for (const extension of extensions ? childElements(extensions, 'a:ext') : []) {
    const svg = childElements(extension).find(({ name }) => /(?:^|:)svgBlip$/.test(name))
    if (svg) return svg.attributes['r:embed']
  }
  return undefined
}

/** How much is cut off at each side (20.1.8.55), as shares of the picture; negative for padding. */
export function readCrop(element: XmlElement | undefined): Crop {
  const share = (name: string) => {
    const text = attribute(element, name)
    const value = text?.endsWith('%') ? Number(text.slice(0, -1)) / 100 : (integer(text) ?? 0) / 100_000
    return Number.isFinite(value) ? Math.max(-1, Math.min(0.99, value)) : 0
  }
  return { left: share('l'), top: share('t'), right: share('r'), bottom: share('b') }
}
