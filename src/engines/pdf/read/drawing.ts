import { childElements, childNamed, type XmlElement } from '../../ooxml/xml.ts'
import type { Anchor, AxisPosition, Border, ImageRef } from './model.ts'
import { type Theme, themeColor } from './theme.ts'
import { attribute, emu, integer, points } from './values.ts'

/** What a `w:drawing` or `w:pict` shows; `blocks` is the text box's content, still unread. */
export type Drawing =
  | { kind: 'image'; image: ImageRef; anchor?: Anchor }
  | {
      kind: 'textbox'
      content: XmlElement
      width: number
      height: number
      autoHeight: boolean
      fill?: string
      border?: Border
      anchor?: Anchor
    }
  | {
      kind: 'shape'
      preset: 'rect' | 'line' | 'rising'
      width: number
      height: number
      fill?: string
      border?: Border
      anchor?: Anchor
    }
  | { kind: 'unsupported'; what: string; width: number; height: number; alt: string; anchor?: Anchor }

/** Where a descendant may lie; deeper nesting than groups of groups is not looked through. */
const SEARCH_DEPTH = 12

export function findDescendant(element: XmlElement, name: string, depth = SEARCH_DEPTH): XmlElement | undefined {
  for (const child of element.children) {
    if (child.kind !== 'element') continue
    if (child.name === name) return child
    if (depth > 0) {
      const found = findDescendant(child, name, depth - 1)
      if (found) return found
    }
  }
  return undefined
}

/** DrawingML in a run (20.4): an inline or anchored picture or text box. */
export function readDrawing(
  element: XmlElement,
  theme: Theme,
  partOf: (id: string) => string | undefined,
): Drawing | undefined {
  const holder = childNamed(element, 'wp:inline') ?? childNamed(element, 'wp:anchor')
  if (!holder) return undefined
  const extent = childNamed(holder, 'wp:extent')
  const width = Math.max(0, emu(attribute(extent, 'cx')) ?? 0)
  const height = Math.max(0, emu(attribute(extent, 'cy')) ?? 0)
  const properties = childNamed(holder, 'wp:docPr')
  const alt = attribute(properties, 'descr') || attribute(properties, 'title') || ''
  const anchor = holder.name === 'wp:anchor' ? { anchor: readAnchor(holder) } : {}
  const picture = findDescendant(holder, 'pic:pic')
  if (picture) {
    const blip = findDescendant(picture, 'a:blip')
    const crop = findDescendant(picture, 'a:srcRect')
    const share = (name: string) => Math.max(-1, Math.min(0.99, (integer(attribute(crop, name)) ?? 0) / 100_000))
    const transform = findDescendant(picture, 'a:xfrm')
    const rotation = (integer(attribute(transform, 'rot')) ?? 0) / 60_000
    const part = partOf(blip?.attributes['r:embed'] ?? '')
    const cut = { left: share('l'), top: share('t'), right: share('r'), bottom: share('b') }
    return { kind: 'image', image: { part, width, height, alt, crop: cut, rotation }, ...anchor }
  }
  const shape = findDescendant(holder, 'wps:wsp')
  const content = shape && findDescendant(shape, 'w:txbxContent')
  const look = shape ? shapeLook(shape, theme) : {}
  if (shape && content) {
    const autoHeight = findDescendant(shape, 'a:spAutoFit') !== undefined
    return { kind: 'textbox', content, width, height, autoHeight, ...look, ...anchor }
  }
  const preset = shape && presetOf(shape)
  if (preset) return { kind: 'shape', preset, width, height, ...look, ...anchor }
  const data = findDescendant(holder, 'a:graphicData')
  const what = data && childElements(data)[0]?.name
  return { kind: 'unsupported', what: what ?? 'w:drawing', width, height, alt, ...anchor }
}

const rectangles = new Set(['rect', 'roundRect', 'snip1Rect', 'round1Rect', 'round2SameRect', 'flowChartProcess'])

/** The geometries that can be drawn: rectangles, whose round corners come out square, and straight lines. */
function presetOf(shape: XmlElement): 'rect' | 'line' | 'rising' | undefined {
  const properties = childNamed(shape, 'wps:spPr')
  const geometry = properties && childNamed(properties, 'a:prstGeom')?.attributes.prst
  if (geometry !== undefined && rectangles.has(geometry)) return 'rect'
  if (geometry !== 'line' && geometry !== 'straightConnector1') return undefined
  const transform = childNamed(properties!, 'a:xfrm')
  const flipped = (name: string) => attribute(transform, name) === '1' || attribute(transform, name) === 'true'
  return flipped('flipH') === flipped('flipV') ? 'line' : 'rising'
}

/** Fill and outline: the shape's own, else those that its style refers to in the theme (20.1.4.1). */
function shapeLook(shape: XmlElement, theme: Theme): { fill?: string; border?: Border } {
  const properties = childNamed(shape, 'wps:spPr')
  const style = childNamed(shape, 'wps:style')
  const outline = properties && childNamed(properties, 'a:ln')
  const paint = (holder: XmlElement | undefined, reference: string): string | undefined => {
    if (holder && childNamed(holder, 'a:noFill')) return undefined
    const own = holder && childNamed(holder, 'a:solidFill')
    if (own) return colorOf(own, theme)
    const styled = style && childNamed(style, reference)
    return styled && styled.attributes.idx !== '0' ? colorOf(styled, theme) : undefined
  }
  const fill = paint(properties, 'a:fillRef')
  const color = paint(outline, 'a:lnRef')
  return {
    ...(fill ? { fill } : {}),
    ...(color ? { border: { style: 'single', width: emu(attribute(outline, 'w')) ?? 0.75, color, space: 0 } } : {}),
  }
}

function colorOf(element: XmlElement, theme: Theme): string | undefined {
  const rgb = childNamed(element, 'a:srgbClr')?.attributes.val
  if (rgb !== undefined) return /^[0-9a-fA-F]{6}$/.test(rgb) ? rgb.toUpperCase() : undefined
  return themeColor(theme, childNamed(element, 'a:schemeClr')?.attributes.val)
}

function readAnchor(element: XmlElement): Anchor {
  const axis = (name: string): AxisPosition => {
    const position = childNamed(element, name)
    const align = position && childNamed(position, 'wp:align')
    const offset = position && childNamed(position, 'wp:posOffset')
    const word = align?.children[0]
    const number = offset?.children[0]
    return {
      from: attribute(position, 'relativeFrom') ?? 'column',
      offset: (number?.kind === 'text' ? emu(number.text.trim()) : undefined) ?? 0,
      ...(word?.kind === 'text' ? { align: word.text.trim() } : {}),
    }
  }
  const distance = (name: string) => Math.max(0, emu(element.attributes[name]) ?? 0)
  return {
    behind: element.attributes.behindDoc === '1' || element.attributes.behindDoc === 'true',
    wrap: childNamed(element, 'wp:wrapTopAndBottom')
      ? 'topAndBottom'
      : childNamed(element, 'wp:wrapSquare') ||
          childNamed(element, 'wp:wrapTight') ||
          childNamed(element, 'wp:wrapThrough')
        ? 'square'
        : 'none',
    horizontal: axis('wp:positionH'),
    vertical: axis('wp:positionV'),
    margins: { left: distance('distL'), top: distance('distT'), right: distance('distR'), bottom: distance('distB') },
  }
}

/** VML in a run (the older twin of DrawingML): pictures and text boxes with their size from the style attribute. */
export function readPicture(element: XmlElement, partOf: (id: string) => string | undefined): Drawing | undefined {
  const shape = childElements(element).find(
    (child) => child.name === 'v:shape' || child.name === 'v:rect' || child.name === 'v:roundrect',
  )
  if (!shape) {
    const first = childElements(element).find((child) => child.name.startsWith('v:') && child.name !== 'v:shapetype')
    return first ? { kind: 'unsupported', what: first.name, width: 0, height: 0, alt: '' } : undefined
  }
  const style = new Map<string, string>()
  for (const entry of (shape.attributes.style ?? '').slice(0, 4_000).split(';')) {
    const colon = entry.indexOf(':')
    if (colon > 0) style.set(entry.slice(0, colon).trim().toLowerCase(), entry.slice(colon + 1).trim())
  }
  const width = Math.max(0, points(style.get('width'), 1) ?? 0)
  const height = Math.max(0, points(style.get('height'), 1) ?? 0)
  const alt = shape.attributes.alt ?? ''
  const anchor: { anchor?: Anchor } =
    style.get('position') === 'absolute'
      ? {
          anchor: {
            behind: (style.get('z-index') ?? '').startsWith('-'),
            wrap: 'none',
            horizontal: vmlAxis(style, 'horizontal', 'left', 'column'),
            vertical: vmlAxis(style, 'vertical', 'top', 'paragraph'),
            margins: { left: 0, top: 0, right: 0, bottom: 0 },
          },
        }
      : {}
  const data = findDescendant(shape, 'v:imagedata')
  if (data) {
    const part = partOf(data.attributes['r:id'] ?? '')
    return {
      kind: 'image',
      image: { part, width, height, alt, crop: { left: 0, top: 0, right: 0, bottom: 0 }, rotation: 0 },
      ...anchor,
    }
  }
  const content = findDescendant(shape, 'w:txbxContent')
  if (content) {
    const fill = /^#[0-9a-fA-F]{6}/.exec(shape.attributes.fillcolor ?? '')?.[0]
    const stroked = shape.attributes.stroked !== 'f' && shape.attributes.stroked !== 'false'
    return {
      kind: 'textbox',
      content,
      width,
      height,
      autoHeight: (findDescendant(shape, 'v:textbox')?.attributes.style ?? '').includes('mso-fit-shape-to-text:t'),
      ...(fill && shape.attributes.filled !== 'f' ? { fill: fill.slice(1).toUpperCase() } : {}),
      ...(stroked ? { border: { style: 'single', width: 0.75, color: '000000', space: 0 } } : {}),
      ...anchor,
    }
  }
  return { kind: 'unsupported', what: shape.name, width, height, alt, ...anchor }
}

function vmlAxis(style: Map<string, string>, axis: string, side: string, fallback: string): AxisPosition {
  const from = style.get(`mso-position-${axis}-relative`)
  const align = style.get(`mso-position-${axis}`)
  const offset = points(style.get(`margin-${side}`), 1) ?? points(style.get(side), 1) ?? 0
  return {
    from: from === undefined || from === 'text' ? fallback : from.replace('-margin-area', 'Margin'),
    offset,
    ...(align === undefined || align === 'absolute' ? {} : { align }),
  }
}
