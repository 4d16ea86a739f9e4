import { childElements, type XmlElement } from '../../../ooxml/xml.ts'
import { type Channels, channelsOf, encodeGamma, fromHsl, hex, shadeOf, tintOf, toHsl } from '../../frame/color.ts'
import type { Theme } from '../theme.ts'

export interface Color {
  color: string
  /** From 0, clear, to 1, solid. */
  opacity: number
}

const presets: Readonly<Record<string, string>> = {
  black: '000000',
  white: 'FFFFFF',
  red: 'FF0000',
  lime: '00FF00',
  green: '008000',
  blue: '0000FF',
  yellow: 'FFFF00',
  cyan: '00FFFF',
  aqua: '00FFFF',
  magenta: 'FF00FF',
  fuchsia: 'FF00FF',
  gray: '808080',
  grey: '808080',
  silver: 'C0C0C0',
  maroon: '800000',
  olive: '808000',
  navy: '000080',
  purple: '800080',
  teal: '008080',
  orange: 'FFA500',
  gold: 'FFD700',
  pink: 'FFC0CB',
  brown: 'A52A2A',
  darkBlue: '00008B',
  darkRed: '8B0000',
  darkGreen: '006400',
  darkGray: 'A9A9A9',
  lightGray: 'D3D3D3',
  lightBlue: 'ADD8E6',
  steelBlue: '4682B4',
  dkBlue: '00008B',
  dkRed: '8B0000',
  dkGreen: '006400',
  dkGray: 'A9A9A9',
  ltGray: 'D3D3D3',
  ltBlue: 'ADD8E6',
}

/** A colour of VML and of `a:prstClr` by its name. */
export function namedColor(name: string): string | undefined {
  return Object.hasOwn(presets, name) ? presets[name] : undefined
}

/**
 * The colour that a fill, a line or a reference holds (20.1.2.3); `placeholder` is the colour of `phClr` in theme
 * styles.
 */
export function readColor(holder: XmlElement | undefined, theme: Theme, placeholder?: Color): Color | undefined {
  if (!holder) return undefined
  for (const element of childElements(holder)) {
    const base = baseColor(element, theme, placeholder)
    if (base) return transform(element, base)
  }
  return undefined
}

function baseColor(element: XmlElement, theme: Theme, placeholder: Color | undefined): Color | undefined {
  const { val = '', lastClr } = element.attributes
  const plain = (color: string | undefined): Color | undefined =>
    color !== undefined && /^[0-9a-fA-F]{6}$/.test(color) ? { color: color.toUpperCase(), opacity: 1 } : undefined
  switch (element.name) {
    case 'a:srgbClr':
      return plain(val)
    case 'a:schemeClr':
      return val === 'phClr' ? placeholder : plain(theme.colors.get(val))
    case 'a:sysClr':
      return plain(lastClr) ?? plain(val === 'window' ? 'FFFFFF' : '000000')
    case 'a:prstClr':
      return plain(namedColor(val))
    case 'a:scrgbClr': {
      const channel = (name: string) => encodeGamma(percent(element.attributes[name]) ?? 0)
      return plain(hex([channel('r'), channel('g'), channel('b')]))
    }
    case 'a:hslClr': {
      const { hue = '0', sat, lum } = element.attributes
      return plain(hex(fromHsl(Number(hue) / 21_600_000, percent(sat) ?? 0, percent(lum) ?? 0)))
    }
    default:
      return undefined
  }
}

/** A share in thousandths of a percent, or with a percent sign as strict documents write it. */
function percent(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const value = text.endsWith('%') ? Number(text.slice(0, -1)) / 100 : Number(text) / 100_000
  return Number.isFinite(value) ? value : undefined
}

function transform(element: XmlElement, base: Color): Color {
  let channels = channelsOf(base.color)
  let { opacity } = base
  for (const step of childElements(element)) {
    const share = percent(step.attributes.val)
    if (share === undefined) continue
    switch (step.name) {
      case 'a:alpha':
        opacity = share
        break
      case 'a:alphaMod':
        opacity *= share
        break
      case 'a:alphaOff':
        opacity += share
        break
      case 'a:tint':
        channels = tintOf(channels, share)
        break
      case 'a:shade':
        channels = shadeOf(channels, share)
        break
      default:
        channels = transformHsl(channels, step.name, share)
    }
  }
  return { color: hex(channels), opacity: Math.max(0, Math.min(1, opacity)) }
}

function transformHsl(channels: Channels, name: string, share: number): Channels {
  let [hue, saturation, light] = toHsl(channels)
  const clamp = (value: number) => Math.max(0, Math.min(1, value))
  if (name === 'a:lumMod') light = clamp(light * share)
  else if (name === 'a:lumOff') light = clamp(light + share)
  else if (name === 'a:satMod') saturation = clamp(saturation * share)
  else if (name === 'a:satOff') saturation = clamp(saturation + share)
  else if (name === 'a:hueMod') hue = (hue * share) % 1
  // Hues are counted in sixty-thousandths of a degree: a full turn has 216 times 100,000.
  else if (name === 'a:hueOff') hue = (((hue + share / 216) % 1) + 1) % 1
  else return channels
  return fromHsl(hue, saturation, light)
}
