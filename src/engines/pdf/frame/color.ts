/** Arithmetic on colours, which are written `RRGGBB`. */

/** From 0, none, to 1, full. */
export type Channels = [red: number, green: number, blue: number]

export function channelsOf(color: string): Channels {
  const channel = (at: number) => (Number.parseInt(color.slice(at, at + 2), 16) || 0) / 255
  return [channel(0), channel(2), channel(4)]
}

export function hex(channels: Channels): string {
  return channels
    .map((value) =>
      Math.round(Math.max(0, Math.min(1, value)) * 255)
        .toString(16)
        .padStart(2, '0'),
    )
    .join('')
    .toUpperCase()
}

/** Mixes linear light, as tints and shades do, instead of sRGB values. */
function mapLinear([red, green, blue]: Channels, change: (value: number) => number): Channels {
  const changed = (value: number) => encodeGamma(change(decodeGamma(value)))
  return [changed(red), changed(green), changed(blue)]
}

function decodeGamma(value: number): number {
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
}

export function encodeGamma(value: number): number {
  const light = Math.max(0, Math.min(1, value))
  return light <= 0.0031308 ? light * 12.92 : 1.055 * light ** (1 / 2.4) - 0.055
}

export function toHsl([red, green, blue]: Channels): [hue: number, saturation: number, light: number] {
  const [high, low] = [Math.max(red, green, blue), Math.min(red, green, blue)]
  const light = (high + low) / 2
  const span = high - low
  if (span === 0) return [0, 0, light]
  const saturation = span / (light > 0.5 ? 2 - high - low : high + low)
  const hue =
    high === red ? (green - blue) / span + 6 : high === green ? (blue - red) / span + 2 : (red - green) / span + 4
  return [(hue / 6) % 1, saturation, light]
}

export function fromHsl(hue: number, saturation: number, light: number): Channels {
  const high = light < 0.5 ? light * (1 + saturation) : light + saturation - light * saturation
  const low = 2 * light - high
  const channel = (shift: number) => {
    const at = (((hue + shift) % 1) + 1) % 1
    if (at < 1 / 6) return low + (high - low) * 6 * at
    if (at < 1 / 2) return high
    return at < 2 / 3 ? low + (high - low) * (2 / 3 - at) * 6 : low
  }
  return [channel(1 / 3), channel(0), channel(-1 / 3)]
}

export function tintOf(channels: Channels, share: number): Channels {
  return mapLinear(channels, (value) => 1 - (1 - value) * share)
}

export function shadeOf(channels: Channels, share: number): Channels {
  return mapLinear(channels, (value) => value * share)
}

/** A colour mixed with white; `share` of the colour is left (20.1.2.3.34). */
export function tinted(color: string, share: number): string {
  return hex(tintOf(channelsOf(color), share))
}

/** A colour mixed with black; `share` of the colour is left (20.1.2.3.31). */
export function shaded(color: string, share: number): string {
  return hex(shadeOf(channelsOf(color), share))
}

/** The same hue and saturation with another lightness: how text and tables take a theme's tints and shades. */
export function withLightness(color: string, change: (light: number) => number): string {
  const [hue, saturation, light] = toHsl(channelsOf(color))
  return hex(fromHsl(hue, saturation, change(light)))
}

/** A colour between two; at 0 it is the first. */
export function mixColors(first: string, second: string, share: number): string {
  const [red, green, blue] = channelsOf(first)
  const [otherRed, otherGreen, otherBlue] = channelsOf(second)
  const between = (from: number, to: number) => from + (to - from) * share
  return hex([between(red, otherRed), between(green, otherGreen), between(blue, otherBlue)])
}

/** The colour that the lighter and darker faces of presets have (20.1.10.37). */
export function shadeFace(color: string, fill: string): string {
  if (fill === 'lighten') return mixColors(color, 'FFFFFF', 0.4)
  if (fill === 'lightenLess') return mixColors(color, 'FFFFFF', 0.2)
  if (fill === 'darken') return mixColors(color, '000000', 0.4)
  return fill === 'darkenLess' ? mixColors(color, '000000', 0.2) : color
}
