import type { XmlElement } from '../../../ooxml/xml.ts'
import { mixColors } from '../../frame/color.ts'
import type { ArrowHead, Fill, GradientStops, Line } from '../../model/paint.ts'
import { points } from '../values.ts'
import type { DrawingSource } from './graphic.ts'
import { distinct } from './paint.ts'
import { shapeAttribute, type VmlShape } from './vml-form.ts'
import { isVmlOff, readVmlAngle, readVmlColor, readVmlShare } from './vml-style.ts'

/** The fill of a shape; `colorText` is the colour that the shape's own attributes state. */
export function readVmlFill(
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
  // VML's gradients run upwards at 0 degrees; a focus of 100 % reverses them, one in between mirrors them at that
  // point.
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

/** The line of a shape by its stroke element, its own or that of its type. */
export function readVmlLine(shape: VmlShape, stroke: XmlElement | undefined): Line | undefined {
  const { on, weight, color, opacity, dashstyle, endcap, joinstyle, startarrow, endarrow } = stroke?.attributes ?? {}
  if (isVmlOff(on)) return undefined
  const isNew = shape.element.attributes.strokecolor !== undefined
  const head = readVmlArrow(startarrow, stroke?.attributes.startarrowwidth, stroke?.attributes.startarrowlength)
  const tail = readVmlArrow(endarrow, stroke?.attributes.endarrowwidth, stroke?.attributes.endarrowlength)
  return {
    color: (isNew ? undefined : readVmlColor(color)) ?? readVmlColor(shapeAttribute(shape, 'strokecolor')) ?? '000000',
    opacity: Math.max(0, Math.min(1, readVmlShare(opacity) ?? 1)),
    width: Math.max(0, points(weight ?? shapeAttribute(shape, 'strokeweight'), 1) ?? 0.75),
    dash: dashStyles[(dashstyle ?? '').toLowerCase()] ?? [],
    cap: endcap === 'round' ? 'round' : endcap === 'square' ? 'square' : 'butt',
    join: joinstyle === 'round' ? 'round' : joinstyle === 'bevel' ? 'bevel' : 'miter',
    ...(head ? { head } : {}),
    ...(tail ? { tail } : {}),
  }
}

const arrows: ReadonlyMap<string, ArrowHead['type']> = new Map([
  ['block', 'triangle'],
  ['classic', 'stealth'],
  ['open', 'arrow'],
  ['diamond', 'diamond'],
  ['oval', 'oval'],
])

function readVmlArrow(type: string | undefined, width = 'medium', length = 'medium'): ArrowHead | undefined {
  const shape = arrows.get(type ?? '')
  const size = (word: string) =>
    word === 'narrow' || word === 'short' ? 2 : word === 'wide' || word === 'long' ? 5 : 3
  return shape && { type: shape, width: size(width), length: size(length) }
}
