import { limits } from '../../../../core/limits.ts'
import { childNamed, type XmlElement } from '../../../ooxml/xml.ts'
import type { Fill, Line } from '../../model/paint.ts'
import type { GraphicContent, ShapeText } from '../../model/shape.ts'
import { points } from '../values.ts'
import type { DrawingSource } from './graphic.ts'
import { shapeAttribute, shapeChild, type VmlShape, vmlForm } from './vml-form.ts'
import { readVmlFill, readVmlLine } from './vml-paint.ts'
import { isVmlOff, readVmlShare, readVmlStyle } from './vml-style.ts'

/** The content of a VML shape: a picture, lettering, or its form with its text. */
export function readVmlShape(shape: VmlShape, source: DrawingSource): GraphicContent {
  const { element } = shape
  const own = (name: string) => shapeAttribute(shape, name)
  const fill = isVmlOff(own('filled'))
    ? undefined
    : readVmlFill(childNamed(element, 'v:fill'), own('fillcolor'), source)
  const line = isVmlOff(own('stroked')) ? undefined : readVmlLine(shape, shapeChild(shape, 'v:stroke'))
  const data = childNamed(element, 'v:imagedata')
  if (data) return pictureOf(element, data, line, source)
  const path = childNamed(element, 'v:textpath')
  if (path && (path.attributes.string ?? '') !== '') return letteringOf(path, fill, line)
  const text = readText(element, source)
  return {
    kind: 'shape',
    form: vmlForm(shape),
    ...(fill && element.name !== 'v:line' ? { fill } : {}),
    ...(line ? { line } : {}),
    ...(text ? { text } : {}),
  }
}

/** A picture; it has a line only if the shape itself says so. */
function pictureOf(
  element: XmlElement,
  data: XmlElement,
  line: Line | undefined,
  source: DrawingSource,
): GraphicContent {
  const crop = (side: string) => Math.max(-1, Math.min(0.99, readVmlShare(data.attributes[`crop${side}`]) ?? 0))
  return {
    kind: 'picture',
    part: source.partOf(data.attributes['r:id'] ?? data.attributes['r:pict'] ?? ''),
    crop: { left: crop('left'), top: crop('top'), right: crop('right'), bottom: crop('bottom') },
    ...(line && element.attributes.stroked !== undefined ? { line } : {}),
  }
}

function letteringOf(path: XmlElement, fill: Fill | undefined, line: Line | undefined): GraphicContent {
  const font = readVmlStyle(path.attributes.style)
  return {
    kind: 'word-art',
    text: (path.attributes.string ?? '').slice(0, limits.renderLetteringChars),
    font: (font.get('font-family') ?? 'Arial').replace(/["']|&quot;/g, ''),
    bold: font.get('font-weight') === 'bold',
    italic: font.get('font-style') === 'italic',
    ...(fill ? { fill } : {}),
    ...(line ? { line } : {}),
  }
}

function readText(element: XmlElement, source: DrawingSource): ShapeText | undefined {
  const box = childNamed(element, 'v:textbox')
  const content = box && childNamed(box, 'w:txbxContent')
  if (!box || !content) return undefined
  const style = readVmlStyle(box.attributes.style)
  if (style.has('mso-next-textbox'))
    source.unsupported('v:textbox', 'text that has no room in it and runs over into the next box is left out')
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
