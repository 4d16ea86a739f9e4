import { limits } from '../../../core/limits.ts'
import type { RasterImage } from './png.ts'
import { compress } from './write.ts'

/** Fixed by GIF89a, appendix F: codes have at most 12 bits. */
const MAX_CODES = 4_096

/** The first picture of a GIF, as palette indexes and, where a colour is transparent, a mask. */
export function readGif(bytes: Uint8Array): RasterImage | undefined {
  if (bytes.length < 13 || bytes[0] !== 0x47 || bytes[1] !== 0x49 || bytes[2] !== 0x46) return undefined
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const paletteBytes = (flags: number) => ((flags & 0x80) === 0 ? 0 : 3 << ((flags & 7) + 1))
  let at = 13
  let palette = bytes.subarray(at, at + paletteBytes(view.getUint8(10)))
  at += palette.length
  let transparent = -1
  for (let block = 0; block < limits.gifBlocks && at + 10 < bytes.length; block++) {
    const kind = view.getUint8(at)
    if (kind === 0x21) {
      if (bytes[at + 1] === 0xf9 && (view.getUint8(at + 3) & 1) === 1) transparent = view.getUint8(at + 6)
      at = skipBlocks(bytes, at + 2)
      continue
    }
    if (kind !== 0x2c) return undefined
    const [width, height] = [view.getUint16(at + 5, true), view.getUint16(at + 7, true)]
    const flags = view.getUint8(at + 9)
    if (width === 0 || height === 0 || width * height > limits.renderImagePixels) return undefined
    at += 10
    if ((flags & 0x80) !== 0) {
      palette = bytes.subarray(at, at + paletteBytes(flags))
      at += palette.length
    }
    if (palette.length < 6) return undefined
    const indexes = decode(bytes, at, width * height)
    if (!indexes) return undefined
    return describe(
      width,
      height,
      (flags & 0x40) === 0 ? indexes : deinterlace(indexes, width, height),
      palette,
      transparent,
    )
  }
  return undefined
}

function skipBlocks(bytes: Uint8Array, from: number): number {
  let at = from
  for (let length = bytes[at] ?? 0; length !== 0; length = bytes[at] ?? 0) at += length + 1
  return at + 1
}

/** Variable-length LZW; undefined when the data ends before the announced pixels or names an unknown code. */
function decode(bytes: Uint8Array, from: number, length: number): Uint8Array | undefined {
  const minimum = bytes[from] ?? 0
  if (minimum < 2 || minimum > 8) return undefined
  const clear = 1 << minimum
  const prefix = new Uint16Array(MAX_CODES)
  const suffix = new Uint8Array(MAX_CODES)
  const lengths = new Uint16Array(MAX_CODES)
  for (let code = 0; code < clear; code++) {
    suffix[code] = code
    lengths[code] = 1
  }
  const pixels = new Uint8Array(length)
  let next = clear + 2
  let bits = minimum + 1
  let previous = -1
  let buffer = 0
  let held = 0
  let at = from + 1
  let left = bytes[at++] ?? 0
  let filled = 0
  while (filled < length) {
    while (held < bits) {
      if (left === 0) left = bytes[at++] ?? 0
      if (left === 0 || at >= bytes.length) return undefined
      buffer |= (bytes[at++] ?? 0) << held
      held += 8
      left--
    }
    const code = buffer & ((1 << bits) - 1)
    buffer >>>= bits
    held -= bits
    if (code === clear) {
      next = clear + 2
      bits = minimum + 1
      previous = -1
      continue
    }
    if (code === clear + 1) return undefined
    if (code > next || (code === next && previous < 0) || (previous < 0 && code >= clear)) return undefined
    // A code that is being defined repeats the previous string, followed by that string's first character.
    const known = code < next ? code : previous
    const size = lengths[known]!
    let walk = known
    for (let place = filled + size - 1; place >= filled; place--) {
      if (place < length) pixels[place] = suffix[walk]!
      walk = prefix[walk]!
    }
    const first = pixels[filled]!
    filled += size
    if (code === next) {
      if (filled < length) pixels[filled] = first
      filled++
    }
    if (previous >= 0 && next < MAX_CODES) {
      prefix[next] = previous
      suffix[next] = first
      lengths[next] = lengths[previous]! + 1
      next++
      if (next === 1 << bits && bits < 12) bits++
    }
    previous = code
  }
  return pixels
}

/** Every eighth row, then those between, and so on (appendix E). */
function deinterlace(indexes: Uint8Array, width: number, height: number): Uint8Array {
  const ordered = new Uint8Array(indexes.length)
  let source = 0
  for (const [start, step] of [
    [0, 8],
    [4, 8],
    [2, 4],
    [1, 2],
  ] as const) {
    for (let row = start; row < height; row += step) {
      ordered.set(indexes.subarray(source, source + width), row * width)
      source += width
    }
  }
  return ordered
}

function describe(
  width: number,
  height: number,
  indexes: Uint8Array,
  palette: Uint8Array,
  transparent: number,
): RasterImage {
  const entries = `/Width ${width}/Height ${height}/BitsPerComponent 8/Filter/FlateDecode/ColorSpace`
  const last = Math.min(255, palette.length / 3 - 1)
  const colors = Buffer.from(palette.subarray(0, (last + 1) * 3)).toString('hex')
  const image: RasterImage = {
    width,
    height,
    entries: `${entries}[/Indexed/DeviceRGB ${last}<${colors}>]`,
    data: compress(indexes.map((index) => Math.min(index, last))),
  }
  if (transparent >= 0 && indexes.includes(transparent)) {
    const mask = indexes.map((index) => (index === transparent ? 0 : 255))
    image.mask = { entries: `${entries}/DeviceGray`, data: compress(mask) }
  }
  return image
}
