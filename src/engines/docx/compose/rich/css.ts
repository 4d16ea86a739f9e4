/** The part of CSS that rich text may use: what a run, a paragraph or a cell of Word can show as well. */
import { limits } from '../../../../core/limits.ts'

/** A length of text, in half points, or relative to the text around it. */
export type FontSize = { halfPoints: number } | { factor: number }

export interface Declarations {
  /** Six hexadecimal digits. */
  color?: string | undefined
  background?: string | undefined
  size?: FontSize | undefined
  isBold?: boolean | undefined
  isItalic?: boolean
  lines?: { underline: boolean; strike: boolean }
  raised?: 'superscript' | 'subscript' | 'baseline'
  align?: string
}

/**
 * Reads a `style` attribute. Unknown or malformed declarations, and those that Word can't show, are skipped, as
 * browsers do: they change how text looks, never whether it appears.
 */
export function readDeclarations(style: string): Declarations {
  const found: Declarations = {}
  for (const declaration of style.slice(0, limits.richTextStyleChars).split(';')) {
    const colon = declaration.indexOf(':')
    if (colon < 0) continue
    const name = declaration.slice(0, colon).trim().toLowerCase()
    const value = declaration
      .slice(colon + 1)
      .replace(/!\s*important\s*$/i, '')
      .trim()
      .toLowerCase()
    readDeclaration(found, name, value)
  }
  return found
}

function readDeclaration(found: Declarations, name: string, value: string): void {
  if (name === 'color') found.color = readColor(value) ?? found.color
  else if (name === 'background-color' || name === 'background') {
    found.background = readColor(name === 'background' ? firstColor(value) : value) ?? found.background
  } else if (name === 'font-size') found.size = readSize(value) ?? found.size
  else if (name === 'font-weight') found.isBold = weightOf(value) ?? found.isBold
  else if (name === 'font-style') {
    if (/^(?:italic|oblique)/.test(value)) found.isItalic = true
    else if (value === 'normal') found.isItalic = false
  } else if (name === 'text-decoration' || name === 'text-decoration-line') {
    found.lines = { underline: /\bunderline\b/.test(value), strike: /\bline-through\b/.test(value) }
  } else if (name === 'vertical-align') {
    if (value === 'super') found.raised = 'superscript'
    else if (value === 'sub') found.raised = 'subscript'
    else if (value === 'baseline') found.raised = 'baseline'
  } else if (name === 'text-align') found.align = value
}

function weightOf(value: string): boolean | undefined {
  if (value === 'bold' || value === 'bolder') return true
  if (value === 'normal' || value === 'lighter') return false
  return /^\d{1,4}$/.test(value) ? Number(value) >= 600 : undefined
}

/** The first word of a shorthand that is a colour; functions count as one word. */
function firstColor(value: string): string {
  for (const [word] of value.matchAll(/[\w-]+\([^)]*\)|[^\s,/]+/g)) if (readColor(word) !== undefined) return word
  return ''
}

/** A CSS colour as six hexadecimal digits; undefined if it is invalid, or names no colour, like `transparent`. */
export function readColor(value: string): string | undefined {
  const text = value.trim().toLowerCase()
  const hex = /^#([\da-f]{3,8})$/.exec(text)?.[1]
  if (hex !== undefined) {
    if (hex.length === 3 || hex.length === 4)
      return [...hex.slice(0, 3)]
        .map((digit) => digit + digit)
        .join('')
        .toUpperCase()
    return hex.length === 6 || hex.length === 8 ? hex.slice(0, 6).toUpperCase() : undefined
  }
  const call = /^(rgb|hsl)a?\(([^)]{1,60})\)$/.exec(text)
  if (call === null) return namedColors.get(text)
  const [, name, inner = ''] = call
  const parts = inner.split(/[\s,/]+/).filter((part) => part !== '')
  const [first, second, third] = parts
  if (first === undefined || second === undefined || third === undefined) return undefined
  if (!parts.every((part) => /^[-+]?(?:\d+\.?\d*|\.\d+)(?:%|deg)?$/.test(part))) return undefined
  if (name === 'rgb') return hexOf([first, second, third].map(channelOf))
  const [hue, saturation, lightness] = [first, second, third].map(Number.parseFloat)
  return hexOf(hslChannels(hue ?? 0, (saturation ?? 0) / 100, (lightness ?? 0) / 100))
}

/** A channel of 0 to 255, or a part of it. */
function channelOf(written: string): number {
  const value = Number.parseFloat(written)
  return written.endsWith('%') ? (value * 255) / 100 : value
}

function hexOf(channels: readonly number[]): string {
  const digits = channels.map((channel) =>
    Math.round(Math.min(255, Math.max(0, channel)))
      .toString(16)
      .padStart(2, '0'),
  )
  return digits.join('').toUpperCase()
}

/** CSS Color 4, 7.1. */
function hslChannels(hue: number, saturation: number, lightness: number): number[] {
  const amplitude = Math.min(1, Math.max(0, saturation)) * Math.min(lightness, 1 - lightness)
  const turn = ((hue % 360) + 360) % 360
  return [0, 8, 4].map((offset) => {
    const place = (offset + turn / 30) % 12
    return 255 * (lightness - amplitude * Math.max(-1, Math.min(place - 3, 9 - place, 1)))
  })
}

/** Half points in one unit; a pixel of CSS is 0.75 points. */
const halfPointsIn: ReadonlyMap<string, number> = new Map([
  ['pt', 2],
  ['px', 1.5],
  ['pc', 24],
  ['in', 144],
  ['cm', 144 / 2.54],
  ['mm', 144 / 25.4],
])
/** Pixels of the sizes with names (CSS Fonts 4, 2.5.1). */
const pixelsOfKeywords: ReadonlyMap<string, number> = new Map([
  ['xx-small', 9],
  ['x-small', 10],
  ['small', 13],
  ['medium', 16],
  ['large', 18],
  ['x-large', 24],
  ['xx-large', 32],
])
/** Fixed by Word: it takes 1 to 1,638 points. */
const leastHalfPoints = 2
/** Fixed by Word. */
const mostHalfPoints = 3_276

/** What CSS calls one step down and one step up; the elements `small` and `big` mean the same. */
export const smallerSize: FontSize = { factor: 5 / 6 }
export const largerSize: FontSize = { factor: 1.2 }

export function readSize(value: string): FontSize | undefined {
  if (value === 'smaller') return smallerSize
  if (value === 'larger') return largerSize
  const pixels = pixelsOfKeywords.get(value)
  if (pixels !== undefined) return { halfPoints: clampSize(pixels * 1.5) }
  const [, written, unit = ''] = /^(\d{1,5}(?:\.\d{1,4})?|\.\d{1,4})([a-z]{2,3}|%)$/.exec(value) ?? []
  const amount = Number(written)
  if (!(amount > 0)) return undefined
  if (unit === 'em' || unit === 'rem') return { factor: amount }
  if (unit === '%') return { factor: amount / 100 }
  const halfPoints = halfPointsIn.get(unit)
  return halfPoints === undefined ? undefined : { halfPoints: clampSize(amount * halfPoints) }
}

/** The sizes 1 to 7 of `<font size>`; `+1` and `-1` are one step from 3. */
export function readLegacySize(value: string): FontSize | undefined {
  const [, sign, digit] = /^([+-]?)([1-7])$/.exec(value.trim()) ?? []
  if (digit === undefined) return undefined
  const step = Number(digit)
  const size = sign === '' ? step : Math.min(7, Math.max(1, 3 + (sign === '+' ? step : -step)))
  return { halfPoints: clampSize((legacyPixels[size - 1] ?? 0) * 1.5) }
}

const legacyPixels = [10, 13, 16, 18, 24, 32, 48]

export function clampSize(halfPoints: number): number {
  return Math.round(Math.min(mostHalfPoints, Math.max(leastHalfPoints, halfPoints)))
}

/** CSS Color 4, 6.1. */
const namedColors = new Map(
  `aliceblue F0F8FF antiquewhite FAEBD7 aqua 00FFFF aquamarine 7FFFD4 azure F0FFFF beige F5F5DC bisque FFE4C4 black 000000
blanchedalmond FFEBCD blue 0000FF blueviolet 8A2BE2 brown A52A2A burlywood DEB887 cadetblue 5F9EA0 chartreuse 7FFF00
chocolate D2691E coral FF7F50 cornflowerblue 6495ED cornsilk FFF8DC crimson DC143C cyan 00FFFF darkblue 00008B
darkcyan 008B8B darkgoldenrod B8860B darkgray A9A9A9 darkgreen 006400 darkgrey A9A9A9 darkkhaki BDB76B darkmagenta 8B008B
darkolivegreen 556B2F darkorange FF8C00 darkorchid 9932CC darkred 8B0000 darksalmon E9967A darkseagreen 8FBC8F
darkslateblue 483D8B darkslategray 2F4F4F darkslategrey 2F4F4F darkturquoise 00CED1 darkviolet 9400D3 deeppink FF1493
deepskyblue 00BFFF dimgray 696969 dimgrey 696969 dodgerblue 1E90FF firebrick B22222 floralwhite FFFAF0 forestgreen 228B22
fuchsia FF00FF gainsboro DCDCDC ghostwhite F8F8FF gold FFD700 goldenrod DAA520 gray 808080 green 008000 greenyellow ADFF2F
grey 808080 honeydew F0FFF0 hotpink FF69B4 indianred CD5C5C indigo 4B0082 ivory FFFFF0 khaki F0E68C lavender E6E6FA
lavenderblush FFF0F5 lawngreen 7CFC00 lemonchiffon FFFACD lightblue ADD8E6 lightcoral F08080 lightcyan E0FFFF
lightgoldenrodyellow FAFAD2 lightgray D3D3D3 lightgreen 90EE90 lightgrey D3D3D3 lightpink FFB6C1 lightsalmon FFA07A
lightseagreen 20B2AA lightskyblue 87CEFA lightslategray 778899 lightslategrey 778899 lightsteelblue B0C4DE lightyellow FFFFE0
lime 00FF00 limegreen 32CD32 linen FAF0E6 magenta FF00FF maroon 800000 mediumaquamarine 66CDAA mediumblue 0000CD
mediumorchid BA55D3 mediumpurple 9370DB mediumseagreen 3CB371 mediumslateblue 7B68EE mediumspringgreen 00FA9A
mediumturquoise 48D1CC mediumvioletred C71585 midnightblue 191970 mintcream F5FFFA mistyrose FFE4E1 moccasin FFE4B5
navajowhite FFDEAD navy 000080 oldlace FDF5E6 olive 808000 olivedrab 6B8E23 orange FFA500 orangered FF4500 orchid DA70D6
palegoldenrod EEE8AA palegreen 98FB98 paleturquoise AFEEEE palevioletred DB7093 papayawhip FFEFD5 peachpuff FFDAB9
peru CD853F pink FFC0CB plum DDA0DD powderblue B0E0E6 purple 800080 rebeccapurple 663399 red FF0000 rosybrown BC8F8F
royalblue 4169E1 saddlebrown 8B4513 salmon FA8072 sandybrown F4A460 seagreen 2E8B57 seashell FFF5EE sienna A0522D
silver C0C0C0 skyblue 87CEEB slateblue 6A5ACD slategray 708090 slategrey 708090 snow FFFAFA springgreen 00FF7F
steelblue 4682B4 tan D2B48C teal 008080 thistle D8BFD8 tomato FF6347 turquoise 40E0D0 violet EE82EE wheat F5DEB3
white FFFFFF whitesmoke F5F5F5 yellow FFFF00 yellowgreen 9ACD32`
    .split('\n')
    .flatMap((line) => [...line.matchAll(/(\w+) ([\dA-F]{6})/g)])
    .map(([, name = '', color = '']) => [name, color] as const),
)
