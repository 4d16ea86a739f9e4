import { limits } from '../../../../core/limits.ts'
import type { XmlElement } from '../../../ooxml/xml.ts'
import type { Anchor, AxisPosition } from '../../model/document.ts'
import { points, sidesOf } from '../values.ts'
import { namedColor } from './color.ts'

/** The CSS-like `style` of a VML element: property to value. */
export type VmlStyle = ReadonlyMap<string, string>

export function readVmlStyle(text: string | undefined): VmlStyle {
  const style = new Map<string, string>()
  for (const entry of (text ?? '').slice(0, limits.renderVmlStyleChars).split(';')) {
    const colon = entry.indexOf(':')
    if (colon > 0) style.set(entry.slice(0, colon).trim().toLowerCase(), entry.slice(colon + 1).trim())
  }
  return style
}

/** Numbers with commas between them, as coordinates are; anything but a number counts as 0. */
export function readVmlPair(text: string | undefined): number[] {
  if (text === undefined) return []
  return text.split(',').map((part) => (Number.isFinite(Number(part)) ? Number(part) : 0))
}

/** A colour of VML: `#rgb`, `#rrggbb`, `rgb(…)` or a name; remarks after it are ignored. */
export function readVmlColor(text: string | undefined): string | undefined {
  if (text === undefined) return undefined
  const word = text.trim().split(/\s+/)[0] ?? ''
  if (/^#[0-9a-fA-F]{6}$/.test(word)) return word.slice(1).toUpperCase()
  const short = /^#([0-9a-fA-F])([0-9a-fA-F])([0-9a-fA-F])$/.exec(word)
  if (short) return `${short[1]}${short[1]}${short[2]}${short[2]}${short[3]}${short[3]}`.toUpperCase()
  const channels = /^rgb\((\d{1,3}),(\d{1,3}),(\d{1,3})\)$/.exec(text.replace(/\s+/g, ''))
  if (channels) {
    return channels
      .slice(1)
      .map((value) => Math.min(255, Number(value)).toString(16).padStart(2, '0'))
      .join('')
      .toUpperCase()
  }
  const named = namedColor(word) ?? namedColor(word.toLowerCase())
  if (named) return named
  if (/^(window|infobackground|buttonhighlight)$/i.test(word)) return 'FFFFFF'
  if (/^(windowtext|buttontext|captiontext|infotext)$/i.test(word)) return '000000'
  return /^(buttonface|threedface|menu|inactiveborder)$/i.test(word) ? 'F0F0F0' : undefined
}

/** A share: `0.5`, `50%` or sixty-five-thousandths (`32768f`). */
export function readVmlShare(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const value = text.endsWith('f')
    ? Number(text.slice(0, -1)) / 65_536
    : text.endsWith('%')
      ? Number(text.slice(0, -1)) / 100
      : Number(text)
  return Number.isFinite(value) ? value : undefined
}

export function isVmlOff(value: string | undefined): boolean {
  return value === 'f' || value === 'false' || value === 'False' || value === '0'
}

/** Degrees clockwise; `fd` marks 65,536ths of a degree. */
export function readVmlAngle(text: string | undefined): number {
  if (text === undefined) return 0
  const value = text.endsWith('fd') ? Number(text.slice(0, -2)) / 65_536 : Number(text)
  return Number.isFinite(value) ? value % 360 : 0
}

const wraps: Readonly<Record<string, Anchor['wrap']>> = {
  square: 'square',
  tight: 'square',
  through: 'square',
  topAndBottom: 'topAndBottom',
}

/** The place of a floating VML object (`position:absolute`); `wrapping` is its `w10:wrap`. */
export function readVmlAnchor(style: VmlStyle, wrapping: XmlElement | undefined): Anchor | undefined {
  if (style.get('position') !== 'absolute') return undefined
  const distance = (side: string, fallback: number) =>
    Math.max(0, points(style.get(`mso-wrap-distance-${side}`), 1) ?? fallback)
  const wrap = wraps[wrapping?.attributes.type ?? ''] ?? 'none'
  const sides = sidesOf(wrapping?.attributes.side)
  return {
    behind: (style.get('z-index') ?? '').startsWith('-'),
    wrap,
    ...(sides ? { sides } : {}),
    horizontal: axis(style, 'horizontal', 'left', 'column'),
    vertical: axis(style, 'vertical', 'top', 'paragraph'),
    margins:
      wrap === 'none'
        ? { left: 0, top: 0, right: 0, bottom: 0 }
        : {
            left: distance('left', 9),
            top: distance('top', 0),
            right: distance('right', 9),
            bottom: distance('bottom', 0),
          },
  }
}

function axis(style: VmlStyle, name: string, side: string, fallback: string): AxisPosition {
  const from = style.get(`mso-position-${name}-relative`)
  const align = style.get(`mso-position-${name}`)
  const offset = (points(style.get(`margin-${side}`), 1) ?? 0) + (points(style.get(side), 1) ?? 0)
  return {
    from: from === undefined || from === 'text' || from === 'char' || from === 'line' ? fallback : camel(from),
    offset,
    ...(align === undefined || align === 'absolute' ? {} : { align }),
  }
}

function camel(from: string): string {
  return from.replace('-margin-area', 'Margin').replace('inner', 'inside').replace('outer', 'outside')
}
