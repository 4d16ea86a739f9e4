import { childElements, childNamed, type XmlElement } from '../../ooxml/xml.ts'
import { Pen } from '../frame/pen.ts'
import type { Graphic } from '../model/shape.ts'
import { childValue, halfPoints, integer, toggle } from './values.ts'

/** In font sizes: the side of the box, the thickness of its line, and the width that it takes in the text. */
const SIDE = 0.75
const LINE = 0.06
const ADVANCE = 0.95

/** The entry that a form field's list shows (17.16.9): the chosen one, else the default, else the first. */
export function readChoice(character: XmlElement): string | undefined {
  const data = childNamed(character, 'w:ffData')
  const list = data && childNamed(data, 'w:ddList')
  const entries = list ? childElements(list, 'w:listEntry') : []
  const chosen = integer(childValue(list, 'w:result')) ?? integer(childValue(list, 'w:default')) ?? 0
  return entries[chosen]?.attributes['w:val']
}

/** The box that a form field's check box shows (17.16.7), crossed where it is checked; undefined for other fields. */
export function readCheckBox(character: XmlElement, fontSize: number): Graphic | undefined {
  const data = childNamed(character, 'w:ffData')
  const box = data && childNamed(data, 'w:checkBox')
  if (!box) return undefined
  const stated = halfPoints(childValue(box, 'w:size'))
  const size = stated !== undefined && stated > 0 ? Math.min(200, stated) : fontSize
  const side = size * SIDE
  const pen = new Pen()
  const left = ((ADVANCE - SIDE) / 2) * size
  pen.rectangle(left, 0, side, side)
  if (toggle(box, 'w:checked') ?? toggle(box, 'w:default') ?? false) {
    pen.move(left, 0)
    pen.line(left + side, side)
    pen.move(left + side, 0)
    pen.line(left, side)
  }
  return {
    x: 0,
    y: 0,
    width: size * ADVANCE,
    height: side,
    rotation: 0,
    flipH: false,
    flipV: false,
    alt: '',
    content: {
      kind: 'shape',
      form: { kind: 'paths', paths: [{ outline: pen.outline, fill: 'none', stroke: true }] },
      line: { color: '000000', opacity: 1, width: size * LINE, dash: [], cap: 'butt', join: 'miter' },
    },
  }
}
