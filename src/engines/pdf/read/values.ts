import { childNamed, type XmlElement } from '../../ooxml/xml.ts'

/** Fixed by Word, which clamps lengths to 22 inches: four times that is a mistake or an attack. */
const MAX_POINTS = 1584 * 4

export function attribute(element: Pick<XmlElement, 'attributes'> | undefined, name: string): string | undefined {
  return element?.attributes[name]
}

/** The `w:val` of a child element. */
export function childValue(element: XmlElement | undefined, name: string): string | undefined {
  return element && childNamed(element, name)?.attributes['w:val']
}

/** An on/off child: absent is undefined, present without a value is true (ECMA-376 part 1, 17.17.4). */
export function toggle(element: XmlElement, name: string): boolean | undefined {
  const child = childNamed(element, name)
  return child && isOn(child.attributes['w:val'])
}

export function isOn(value: string | undefined): boolean {
  return value === undefined || !(value === '0' || value === 'false' || value === 'off' || value === 'none')
}

export function integer(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const value = Number.parseInt(text, 10)
  return Number.isFinite(value) ? value : undefined
}

const unitPoints: Record<string, number> = { pt: 1, in: 72, cm: 72 / 2.54, mm: 72 / 25.4, pc: 12, pi: 12, px: 0.75 }

/** A measure in points: a plain number counts `partsPerPoint`ths of a point, any other has its unit (`2.5cm`). */
export function points(text: string | undefined, partsPerPoint: number): number | undefined {
  if (text === undefined) return undefined
  const match = /^\s*(-?[0-9]*\.?[0-9]+)\s*([a-z]{2})?\s*$/.exec(text)
  if (!match) return undefined
  const value = match[2] ? Number(match[1]) * (unitPoints[match[2]] ?? 1) : Number(match[1]) / partsPerPoint
  return Number.isFinite(value) ? Math.max(-MAX_POINTS, Math.min(MAX_POINTS, value)) : undefined
}

export const twips = (text: string | undefined) => points(text, 20)
export const halfPoints = (text: string | undefined) => points(text, 2)
export const eighths = (text: string | undefined) => points(text, 8)
export const emu = (text: string | undefined) => points(text, 12_700)

/** The sides of an object that have text (20.4.3.7): both, unless told otherwise. */
export function sidesOf(word: string | undefined): 'both' | 'left' | 'right' | undefined {
  if (word === 'left' || word === 'right') return word
  return word === 'largest' ? undefined : 'both'
}
