import { childElements, childNamed, type XmlElement } from '../../../ooxml/xml.ts'
import type { Anchor, AxisPosition, RelativeExtent, Room } from '../../model/document.ts'
import type { Graphic } from '../../model/shape.ts'
import { attribute, emu, sidesOf } from '../values.ts'
import { type DrawingSource, readGraphic } from './graphic.ts'

/** The content of a `w:drawing` or `w:pict`, and its place; without an anchor it is in the line like a character. */
export interface Drawing {
  graphic: Graphic
  anchor?: Anchor
  relative?: RelativeExtent
  room?: Room
}

/** DrawingML in a run (20.4): a picture, shape, group, chart or diagram, inline or anchored. */
export function readDrawing(element: XmlElement, source: DrawingSource): Drawing | undefined {
  const holder = childNamed(element, 'wp:inline') ?? childNamed(element, 'wp:anchor')
  if (!holder) return undefined
  const extent = childNamed(holder, 'wp:extent')
  const width = Math.max(0, emu(attribute(extent, 'cx')) ?? 0)
  const height = Math.max(0, emu(attribute(extent, 'cy')) ?? 0)
  const properties = childNamed(holder, 'wp:docPr')
  if (attribute(properties, 'hidden') === '1') return undefined
  const alt = attribute(properties, 'descr') || attribute(properties, 'title') || ''
  const graphic = childNamed(holder, 'a:graphic')
  const data = graphic && childNamed(graphic, 'a:graphicData')
  const content = data && childElements(data)[0]
  if (!content) return undefined
  const box = { x: 0, y: 0, width, height, rotation: 0, flipH: false, flipV: false }
  const read = readGraphic(content, source, { ...box, alt })
  if (!read) return undefined
  const relative = readRelative(holder)
  const room = holder.name === 'wp:inline' ? readRoom(holder, content, read) : undefined
  return {
    // The page reserves the holder's extent, whatever the drawing states.
    graphic: { ...read, x: 0, y: 0, width, height },
    ...(holder.name === 'wp:anchor' ? { anchor: readAnchor(holder) } : {}),
    ...(relative ? { relative } : {}),
    ...(room ? { room } : {}),
  }
}

/** The effect extent (20.4.2.6), which charts don't use, nor upright pictures without effects. */
function readRoom(holder: XmlElement, content: XmlElement, { rotation }: Graphic): Room | undefined {
  const extent = childNamed(holder, 'wp:effectExtent')
  if (!extent || content.name === 'c:chart' || (content.name === 'pic:pic' && rotation === 0 && !hasEffects(content)))
    return undefined
  const side = (name: string) => emu(extent.attributes[name]) ?? 0
  const room = { left: side('l'), top: side('t'), right: side('r'), bottom: side('b') }
  return Object.values(room).some((value) => value !== 0) ? room : undefined
}

function hasEffects(picture: XmlElement): boolean {
  const properties = childNamed(picture, 'pic:spPr')
  const effects = properties && childElements(properties).filter(({ name }) => /^a:(effect|scene3d|sp3d)/.test(name))
  return effects?.some((effect) => childElements(effect).length > 0) === true
}

/** Extents in shares of the page or its margins (wp14:sizeRelH, sizeRelV). */
function readRelative(holder: XmlElement): RelativeExtent | undefined {
  const read = (name: string, share: string) => {
    const element = childNamed(holder, name)
    const value = shareOf(element && childNamed(element, share))
    return value > 0 && value <= 10 ? { share: value, from: element?.attributes.relativeFrom ?? 'page' } : undefined
  }
  const width = read('wp14:sizeRelH', 'wp14:pctWidth')
  const height = read('wp14:sizeRelV', 'wp14:pctHeight')
  return width || height ? { ...(width ? { width } : {}), ...(height ? { height } : {}) } : undefined
}

/** A share that an element holds as text: thousandths of a percent, or with a percent sign. */
function shareOf(element: XmlElement | undefined): number {
  const child = element?.children[0]
  const text = child?.kind === 'text' ? child.text.trim() : ''
  if (text === '') return Number.NaN
  return text.endsWith('%') ? Number(text.slice(0, -1)) / 100 : Number(text) / 100_000
}

/** A position in percent is an alternative to one in lengths (wp14:pctPosHOffset). */
function alternativePosition(element: XmlElement, name: string): XmlElement | undefined {
  for (const alternative of childElements(element, 'mc:AlternateContent')) {
    for (const choice of childElements(alternative)) {
      const position = childNamed(choice, name)
      if (position) return position
    }
  }
  return undefined
}

function readAnchor(element: XmlElement): Anchor {
  const axis = (name: string): AxisPosition => {
    const position = childNamed(element, name) ?? alternativePosition(element, name)
    const align = position && childNamed(position, 'wp:align')
    const offset = position && childNamed(position, 'wp:posOffset')
    const percent = position && childElements(position).find((child) => child.name.startsWith('wp14:pctPos'))
    const share = shareOf(percent)
    const word = align?.children[0]
    const number = offset?.children[0]
    return {
      from: attribute(position, 'relativeFrom') ?? 'column',
      offset: (number?.kind === 'text' ? emu(number.text.trim()) : undefined) ?? 0,
      ...(Math.abs(share) <= 10 ? { share } : {}),
      ...(word?.kind === 'text' ? { align: word.text.trim() } : {}),
    }
  }
  const beside = ['wp:wrapSquare', 'wp:wrapTight', 'wp:wrapThrough']
    .map((name) => childNamed(element, name))
    .find(Boolean)
  const sides = sidesOf(beside?.attributes.wrapText)
  const distance = (name: string) => Math.max(0, emu(element.attributes[name]) ?? 0)
  return {
    behind: element.attributes.behindDoc === '1' || element.attributes.behindDoc === 'true',
    wrap: childNamed(element, 'wp:wrapTopAndBottom') ? 'topAndBottom' : beside ? 'square' : 'none',
    ...(sides ? { sides } : {}),
    horizontal: axis('wp:positionH'),
    vertical: axis('wp:positionV'),
    margins: { left: distance('distL'), top: distance('distT'), right: distance('distR'), bottom: distance('distB') },
  }
}
