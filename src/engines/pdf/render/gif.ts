import { limits } from '../../../core/limits.ts'
import type { RasterImage } from './png.ts'
import { compress } from './write.ts'

/** Fixed by GIF89a, appendix F: codes have at most 12 bits. */
const MAX_CODES = 4_096

/** The first picture of a GIF, as palette indexes and, if a colour is transparent, a mask. */
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
    if (width === 0 || height === 0 || width * height > limits.renderImageHeldPixels) return undefined
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
  const codes = new CodeReader(bytes, from + 1)
  const strings = new StringTable(clear)
  const pixels = new Uint8Array(length)
  let bits = minimum + 1
  let previous = -1
  let filled = 0
  while (filled < length) {
    const code = codes.next(bits)
    if (code === clear) {
      strings.reset()
      bits = minimum + 1
      previous = -1
      continue
    }
    const isDefining = code === strings.next
    if (code < 0 || code === clear + 1 || code > strings.next) return undefined
    if (previous < 0 && code >= clear) return undefined
    // A code that is just being defined repeats the previous string with its own first character.
    const size = strings.write(isDefining ? previous : code, pixels, filled)
    const first = pixels[filled] ?? 0
    filled += size
    if (isDefining) {
      if (filled < length) pixels[filled] = first
      filled++
    }
    if (previous >= 0 && strings.add(previous, first) && strings.next === 1 << bits && bits < 12) bits++
    previous = code
  }
  return pixels
}

/** Codes out of the blocks of a picture, the lowest bits first. */
class CodeReader {
  private buffer = 0
  private held = 0
  private left: number

  constructor(
    private readonly bytes: Uint8Array,
    private at: number,
  ) {
    this.left = bytes[this.at++] ?? 0
  }

  /** The next code of this many bits; -1 at the end of the data. */
  next(bits: number): number {
    let { buffer, held } = this
    while (held < bits) {
      if (this.left === 0) this.left = this.bytes[this.at++] ?? 0
      if (this.left === 0 || this.at >= this.bytes.length) return -1
      buffer |= (this.bytes[this.at++] ?? 0) << held
      held += 8
      this.left--
    }
    const code = buffer & ((1 << bits) - 1)
    this.buffer = buffer >>> bits
    this.held = held - bits
    return code
  }
}

/** The strings by their codes: each is a shorter one and a character more. */
class StringTable {
  private readonly prefix = new Uint16Array(MAX_CODES)
  private readonly suffix = new Uint8Array(MAX_CODES)
  private readonly lengths = new Uint16Array(MAX_CODES)
  /** The code that is defined next. */
  next: number

  constructor(private readonly clear: number) {
    for (let code = 0; code < clear; code++) {
      this.suffix[code] = code
      this.lengths[code] = 1
    }
    this.next = clear + 2
  }

  reset(): void {
    this.next = this.clear + 2
  }

  /** Defines the next code; returns false if all are defined. */
  add(prefix: number, character: number): boolean {
    if (this.next >= MAX_CODES) return false
    this.prefix[this.next] = prefix
    this.suffix[this.next] = character
    this.lengths[this.next] = (this.lengths[prefix] ?? 0) + 1
    this.next++
    return true
  }

  /** Writes a string as far as there is room, and returns its length. */
  write(code: number, target: Uint8Array, at: number): number {
    const { prefix, suffix } = this
    const size = this.lengths[code] ?? 0
    let walk = code
    let place = at + size - 1
    for (; place >= target.length; place--) walk = prefix[walk] ?? 0
    for (; place >= at; place--) {
      target[place] = suffix[walk] ?? 0
      walk = prefix[walk] ?? 0
    }
    return size
  }
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
