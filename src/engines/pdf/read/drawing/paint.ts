import { limits } from '../../../../core/limits.ts'
import { childElements, childNamed, type XmlElement } from '../../../ooxml/xml.ts'
import { mixColors } from '../../frame/color.ts'
import type { ArrowHead, Fill, GradientStop, GradientStops, Line } from '../../model/paint.ts'
import type { Theme } from '../theme.ts'
import { attribute, emu, integer } from '../values.ts'
import { type Color, readColor } from './color.ts'

/** Sources of a look besides the shape itself. */
export interface PaintSource {
  theme: Theme
  partOf(id: string): string | undefined
}

/**
 * The fill that an element states (20.1.8): `undefined` when it states none, `'none'` for an explicit lack of one.
 * `placeholder` is the colour that a theme's style leaves open.
 */
export function readFill(
  holder: XmlElement | undefined,
  source: PaintSource,
  placeholder?: Color,
): Fill | 'none' | undefined {
  if (!holder) return undefined
  for (const element of childElements(holder)) {
    const fill = fillOf(element, source, placeholder)
    if (fill) return fill
  }
  return undefined
}

function fillOf(element: XmlElement, source: PaintSource, placeholder?: Color): Fill | 'none' | undefined {
  switch (element.name) {
    case 'a:noFill':
      return 'none'
    case 'a:solidFill': {
      const color = readColor(element, source.theme, placeholder)
      return color && { kind: 'solid', ...color }
    }
    case 'a:gradFill':
      return gradientOf(element, source, placeholder)
    case 'a:pattFill': {
      const front = readColor(childNamed(element, 'a:fgClr'), source.theme, placeholder)
      const back = readColor(childNamed(element, 'a:bgClr'), source.theme, placeholder)
      if (!front || !back) return front && { kind: 'solid', ...front }
      const color = mixColors(back.color, front.color, patternShare(element.attributes.prst ?? ''))
      return { kind: 'solid', color, opacity: back.opacity }
    }
    case 'a:blipFill': {
      const part = source.partOf(childNamed(element, 'a:blip')?.attributes['r:embed'] ?? '')
      return part === undefined ? undefined : { kind: 'picture', part }
    }
    default:
      return undefined
  }
}

/** How much of a pattern is its foreground: `pct25` says so, the others cover about a third. */
function patternShare(preset: string): number {
  const percent = /^pct(\d+)$/.exec(preset)
  if (percent) return Number(percent[1]) / 100
  if (preset.startsWith('lt')) return 0.25
  return preset.startsWith('dk') ? 0.5 : 0.35
}

function gradientOf(element: XmlElement, source: PaintSource, placeholder?: Color): Fill | undefined {
  const list = childNamed(element, 'a:gsLst')
  const stops: GradientStop[] = []
  let opacity = 0
  for (const stop of (list ? childElements(list, 'a:gs') : []).slice(0, limits.renderGradientStops)) {
    const color = readColor(stop, source.theme, placeholder)
    const at = share(stop.attributes.pos) ?? 0
    if (!color) continue
    stops.push({ at: Math.max(0, Math.min(1, at)), color: color.color })
    opacity += color.opacity
  }
  const [first, ...others] = stops.sort((a, b) => a.at - b.at)
  if (!first) return undefined
  opacity /= stops.length
  const last = others.at(-1)
  if (!last) return { kind: 'solid', color: first.color, opacity }
  const all = distinct([{ at: 0, color: first.color }, first, ...others, { at: 1, color: last.color }])
  const line = childNamed(element, 'a:lin')
  const path = childNamed(element, 'a:path')
  const angle = (integer(attribute(line, 'ang')) ?? 0) / 60_000
  if (!path) return { kind: 'gradient', stops: all, opacity, angle }
  const rectangle = childNamed(path, 'a:fillToRect')
  const middle = (near: string, far: string) => {
    const [from, to] = [share(attribute(rectangle, near)) ?? 0, 1 - (share(attribute(rectangle, far)) ?? 0)]
    return Math.max(0, Math.min(1, (from + to) / 2))
  }
  // The first stop is in the middle here, which is where a radial shading begins too.
  return {
    kind: 'gradient',
    stops: all,
    opacity,
    angle: 0,
    focus: { x: middle('l', 'r'), y: middle('t', 'b') },
  }
}

/** Stops in ascending order, without those that change nothing. */
export function distinct(stops: GradientStops): GradientStops {
  const kept = stops.filter((stop, index) => {
    const [before, after] = [stops[index - 1], stops[index + 1]]
    return !(before && after && before.at === stop.at && after.at === stop.at) && !(after?.at === 0 && index === 0)
  })
  const [first, ...others] = kept.filter(
    (stop, index) => !(stop.at === 1 && kept[index - 1]?.at === 1 && kept[index - 1]?.color === stop.color),
  )
  return first ? [first, ...others] : stops
}

function share(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const value = text.endsWith('%') ? Number(text.slice(0, -1)) / 100 : Number(text) / 100_000
  return Number.isFinite(value) ? value : undefined
}

const dashes: Readonly<Record<string, readonly number[]>> = {
  dot: [1, 3],
  sysDot: [1, 1],
  dash: [4, 3],
  sysDash: [3, 1],
  lgDash: [8, 3],
  dashDot: [4, 3, 1, 3],
  sysDashDot: [3, 1, 1, 1],
  lgDashDot: [8, 3, 1, 3],
  lgDashDotDot: [8, 3, 1, 3, 1, 3],
  sysDashDotDot: [3, 1, 1, 1, 1, 1],
}

/** A line's look (20.1.2.2.24) over what its style says; `'none'` when it is not drawn. */
export function readLine(
  element: XmlElement | undefined,
  source: PaintSource,
  styled: Line | undefined,
  placeholder?: Color,
): Line | 'none' | undefined {
  if (!element) return styled
  const fill = readFill(element, source, placeholder)
  if (fill === 'none') return 'none'
  const paint =
    fill?.kind === 'solid' ? fill : fill?.kind === 'gradient' ? { ...fill, color: fill.stops[0].color } : styled
  if (!paint) return undefined
  const preset = childNamed(element, 'a:prstDash')?.attributes.val
  const head = readArrow(childNamed(element, 'a:headEnd'))
  const tail = readArrow(childNamed(element, 'a:tailEnd'))
  const { cap } = element.attributes
  const join = childNamed(element, 'a:round')
    ? 'round'
    : childNamed(element, 'a:bevel')
      ? 'bevel'
      : childNamed(element, 'a:miter')
        ? 'miter'
        : (styled?.join ?? 'round')
  return {
    color: paint.color,
    opacity: paint.opacity,
    width: Math.max(0, emu(element.attributes.w) ?? styled?.width ?? 0.75),
    dash: preset === undefined ? (styled?.dash ?? []) : (dashes[preset] ?? []),
    cap: cap === 'rnd' ? 'round' : cap === 'sq' ? 'square' : 'butt',
    join,
    ...(head ? { head } : styled?.head ? { head: styled.head } : {}),
    ...(tail ? { tail } : styled?.tail ? { tail: styled.tail } : {}),
  }
}

const sizes: Readonly<Record<string, number>> = { sm: 2, med: 3, lg: 5 }

function readArrow(element: XmlElement | undefined): ArrowHead | undefined {
  const { type, w = 'med', len = 'med' } = element?.attributes ?? {}
  if (type !== 'triangle' && type !== 'arrow' && type !== 'stealth' && type !== 'diamond' && type !== 'oval')
    return undefined
  return { type, width: sizes[w] ?? 3, length: sizes[len] ?? 3 }
}

/** The fill and line that a shape's style takes from the theme's format scheme (20.1.4.1, 20.1.4.2). */
export function readStyle(
  style: XmlElement | undefined,
  source: PaintSource,
): { fill: Fill | undefined; line: Line | undefined; text: Color | undefined } {
  const reference = (name: string) => (style ? childNamed(style, name) : undefined)
  const index = (element: XmlElement | undefined) => integer(element?.attributes.idx) ?? 0
  const fillReference = reference('a:fillRef')
  const lineReference = reference('a:lnRef')
  const fillIndex = index(fillReference)
  const fillColor = readColor(fillReference, source.theme)
  const { fills, backgrounds, lines } = source.theme
  const scheme = fillIndex > 1_000 ? backgrounds[fillIndex - 1_001] : fills[fillIndex - 1]
  const themed = scheme && fillOf(scheme, source, fillColor)
  const plain: Fill | undefined = fillColor && fillIndex > 0 ? { kind: 'solid', ...fillColor } : undefined
  const fill = themed === 'none' ? undefined : (themed ?? plain)
  const lineIndex = index(lineReference)
  const lineColor = readColor(lineReference, source.theme)
  const base: Line | undefined =
    lineColor && lineIndex > 0 ? { ...lineColor, width: 0.75, dash: [], cap: 'butt', join: 'round' } : undefined
  const line = lineIndex > 0 ? readLine(lines[lineIndex - 1], source, base, lineColor) : undefined
  const text = readColor(reference('a:fontRef'), source.theme)
  return { fill, line: line === 'none' ? undefined : line, text }
}
