import { limits } from '../../../core/limits.ts'
import { type Header, isWhole, type Row, rawLength, readHeader, readRows } from './png-rows.ts'
import { compress } from './write.ts'

/** A picture as the entries and data of an image XObject. */
export interface RasterImage {
  width: number
  height: number
  entries: string
  data: Uint8Array
  mask?: { entries: string; data: Uint8Array }
  /** The samples are cyan, magenta, yellow and black, and `entries` lacks a colour space. */
  inks?: boolean
}

/** Pixels, of a picture or of what is made of it. */
export interface Size {
  width: number
  height: number
}

/** A file in its parts. */
interface Parts {
  header: Header
  palette: Uint8Array | undefined
  transparency: Uint8Array | undefined
  compressed: Uint8Array
}

/**
 * Reads a PNG. Without alpha and interlacing the compressed rows go into the PDF as they are, since its predictors are
 * PNG's own; otherwise colour and alpha are split, row by row. Undefined if the file is damaged or lies about its size.
 *
 * @param size the size to scale it to, by `shrunkSize`
 */
export function readPng(bytes: Uint8Array, size?: Size): RasterImage | undefined {
  const parts = partsOf(bytes)
  if (parts === undefined) return undefined
  const { header, palette, transparency, compressed } = parts
  const { width, height, channels } = header
  if (width === 0 || height === 0 || !isBounded(header)) return undefined
  const alpha = header.color === 4 || header.color === 6 || (transparency !== undefined && transparency.length > 0)
  if (size === undefined && !alpha && !header.interlaced) {
    if (!isWhole(header, compressed)) return undefined
    const entries =
      `/Width ${width}/Height ${height}/BitsPerComponent ${header.depth}/ColorSpace${colorSpace(header, palette)}/Filter/FlateDecode` +
      `/DecodeParms<</Predictor 15/Colors ${channels}/BitsPerComponent ${header.depth}/Columns ${width}>>`
    return { width, height, entries, data: compressed }
  }
  const canvas = new Canvas(header, size ?? header)
  const line = new Line(parts)
  const isRead = readRows(header, compressed, (row) => canvas.put(line.read(row), row))
  return isRead ? canvas.finish() : undefined
}

/** How many bytes a PNG has when it is decoded; 0 for what is none. */
export function decodedBytes(bytes: Uint8Array): number {
  const header = headerOf(bytes)
  return header === undefined ? 0 : rawLength(header)
}

/**
 * The size to which a large picture is scaled, so that it has at most 300 pixels an inch where it is drawn. Undefined
 * for a picture that goes into the PDF unchanged: small ones may be barcodes or line art, which scaling would blur.
 *
 * @param drawn the largest size at which the whole picture is drawn, in points; undefined if unknown
 */
export function shrunkSize(bytes: Uint8Array, drawn: Size | undefined): Size | undefined {
  const header = headerOf(bytes)
  if (header === undefined || rawLength(header) <= limits.renderImageAsIsBytes) return undefined
  const fitting = (pixels: number, points: number | undefined) =>
    points === undefined ? pixels : Math.max(1, Math.min(pixels, Math.ceil((points / 72) * limits.renderImageDpi)))
  const width = fitting(header.width, drawn?.width)
  const height = fitting(header.height, drawn?.height)
  const share = Math.min(1, Math.sqrt(limits.renderImageMadePixels / (width * height)))
  const size = { width: Math.max(1, Math.floor(width * share)), height: Math.max(1, Math.floor(height * share)) }
  return size.width === header.width && size.height === header.height && header.depth < 16 ? undefined : size
}

function headerOf(bytes: Uint8Array): Header | undefined {
  const isPng = bytes.length >= 33 && Buffer.from(bytes.subarray(0, 4)).readUInt32BE() === 0x89504e47
  const header = isPng ? readHeader(bytes.subarray(16, 29)) : undefined
  return header && isBounded(header) ? header : undefined
}

function isBounded({ width, height }: Header): boolean {
  return width * height <= limits.renderImagePixels && width <= limits.renderImageRowPixels
}

function partsOf(bytes: Uint8Array): Parts | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (bytes.length < 33 || view.getUint32(0) !== 0x89504e47) return undefined
  let header: Header | undefined
  let palette: Uint8Array | undefined
  let transparency: Uint8Array | undefined
  const pieces: Uint8Array[] = []
  let at = 8
  while (at + 12 <= bytes.length) {
    const length = view.getUint32(at)
    const type = view.getUint32(at + 4)
    const data = bytes.subarray(at + 8, Math.min(bytes.length, at + 8 + length))
    if (type === 0x49484452 && data.length >= 13) header = readHeader(data)
    else if (type === 0x504c5445) palette = data
    else if (type === 0x74524e53) transparency = data
    else if (type === 0x49444154) pieces.push(data)
    else if (type === 0x49454e44) break
    at += 12 + length
  }
  const [first, ...others] = pieces
  if (!header || !first || (header.color === 3 && (palette?.length ?? 0) < 3)) return undefined
  const compressed = others.length === 0 ? first : Buffer.concat(pieces)
  return { header, palette, transparency, compressed }
}

function colorSpace(header: Header, palette: Uint8Array | undefined): string {
  if (header.color === 3 && palette) {
    const entries = Math.min(256, Math.floor(palette.length / 3))
    return `[/Indexed/DeviceRGB ${entries - 1}<${Buffer.from(palette.subarray(0, entries * 3)).toString('hex')}>]`
  }
  return header.color === 2 || header.color === 6 ? '/DeviceRGB' : '/DeviceGray'
}

/** One row as colours and opacity of 8 bits. */
class Line {
  readonly gray: boolean
  readonly color: Uint8Array
  readonly mask: Uint8Array

  constructor(private readonly parts: Parts) {
    const { header } = parts
    this.gray = header.color === 0 || header.color === 4
    this.color = new Uint8Array(header.width * (this.gray ? 1 : 3))
    this.mask = new Uint8Array(header.width).fill(255)
  }

  read({ bytes, columns }: Row): this {
    const { header, transparency } = this.parts
    if (header.depth < 8 || header.color === 3 || transparency !== undefined) {
      for (let column = 0; column < columns; column++) this.readPixel(bytes, column)
      return this
    }
    // With 16 bits, the high byte.
    const { color, mask } = this
    const each = header.depth >> 3
    const colors = this.gray ? 1 : 3
    const hasAlpha = header.channels > colors
    for (let column = 0, at = 0, to = 0; column < columns; column++) {
      for (let channel = 0; channel < colors; channel++, at += each) color[to++] = bytes[at] ?? 0
      if (!hasAlpha) continue
      mask[column] = bytes[at] ?? 0
      at += each
    }
    return this
  }

  private readPixel(row: Uint8Array, column: number): void {
    const { header, palette, transparency } = this.parts
    const { depth, channels } = header
    const sample = (channel: number) => sampleOf(row, column * channels + channel, depth)
    if (header.color === 3) {
      const index = sample(0)
      for (let channel = 0; channel < 3; channel++)
        this.color[column * 3 + channel] = palette?.[index * 3 + channel] ?? 0
      this.mask[column] = transparency?.[index] ?? 255
      return
    }
    const scale = depth < 8 ? 255 / ((1 << depth) - 1) : 1
    if (this.gray) this.color[column] = Math.round(sample(0) * scale)
    else for (let channel = 0; channel < 3; channel++) this.color[column * 3 + channel] = sample(channel)
    if (header.color === 4 || header.color === 6) this.mask[column] = sample(channels - 1)
    else this.mask[column] = isKey(this.parts, row, column) ? 0 : 255
  }
}

/** A sample of a row by its index; of 16 bits, the high byte. */
function sampleOf(row: Uint8Array, index: number, depth: number): number {
  if (depth === 8) return row[index] ?? 0
  if (depth === 16) return row[index * 2] ?? 0
  const bit = index * depth
  return ((row[bit >> 3] ?? 0) >> (8 - depth - (bit & 7))) & ((1 << depth) - 1)
}

/** True for the transparent colour of a gray or RGB picture. tRNS has two bytes per channel; depths below 16 use the second. */
function isKey({ header, transparency }: Parts, row: Uint8Array, column: number): boolean {
  if (!transparency) return false
  const { depth, channels } = header
  for (let channel = 0; channel < channels; channel++) {
    const index = column * channels + channel
    const [high, low] = [transparency[channel * 2], transparency[channel * 2 + 1]]
    const isSame =
      depth === 16 ? row[index * 2] === high && row[index * 2 + 1] === low : sampleOf(row, index, depth) === low
    if (!isSame) return false
  }
  return true
}

/** What is made of a picture, in its own size or a smaller one. */
class Canvas {
  private readonly colors: number
  private readonly color: Uint8Array
  private readonly mask: Uint8Array
  /** By column of the picture: its column here. */
  private readonly columnOf: Uint32Array
  private readonly sums: Sums | undefined

  constructor(
    private readonly header: Header,
    private readonly size: Size,
  ) {
    const { width, height } = size
    this.colors = header.color === 0 || header.color === 4 ? 1 : 3
    this.color = new Uint8Array(width * height * this.colors)
    this.mask = new Uint8Array(width * height)
    this.columnOf = new Uint32Array(header.width)
    for (let x = 0; x < header.width; x++) this.columnOf[x] = Math.floor((x * width) / header.width)
    const isShrunk = width < header.width || height < header.height
    if (isShrunk && !header.interlaced) this.sums = new Sums(width, this.colors)
  }

  put(line: Line, { columns, x0, dx, y }: Row): void {
    const { header, size, columnOf, sums } = this
    const row = Math.floor((y * size.height) / header.height)
    if (sums !== undefined) {
      sums.add(line, columnOf)
      const isLast = y + 1 === header.height || Math.floor(((y + 1) * size.height) / header.height) > row
      if (isLast) sums.write(this.color, this.mask, row * size.width)
      return
    }
    // Interlaced pictures come in passes, so a smaller picture keeps the last of the pixels that fall on one of its
    // own.
    for (let column = 0; column < columns; column++) {
      const to = row * size.width + (columnOf[x0 + column * dx] ?? 0)
      for (let channel = 0; channel < this.colors; channel++)
        this.color[to * this.colors + channel] = line.color[column * this.colors + channel] ?? 0
      this.mask[to] = line.mask[column] ?? 0
    }
  }

  finish(): RasterImage {
    const { width, height } = this.size
    const entries = `/Width ${width}/Height ${height}/BitsPerComponent 8/Filter/FlateDecode/ColorSpace`
    return {
      ...{ width, height },
      entries: `${entries}${this.colors === 1 ? '/DeviceGray' : '/DeviceRGB'}`,
      data: compress(this.color),
      ...(this.mask.every((share) => share === 255)
        ? {}
        : { mask: { entries: `${entries}/DeviceGray`, data: compress(this.mask) } }),
    }
  }
}

/** The means of the pixels that fall on each pixel of a smaller picture's row; colours are weighted by opacity. */
class Sums {
  private readonly color: Float64Array
  private readonly opacity: Float64Array
  private readonly count: Uint32Array

  constructor(
    width: number,
    private readonly colors: number,
  ) {
    this.color = new Float64Array(width * colors)
    this.opacity = new Float64Array(width)
    this.count = new Uint32Array(width)
  }

  add({ color, mask }: Line, columnOf: Uint32Array): void {
    const { colors } = this
    for (let x = 0, at = 0; x < columnOf.length; x++) {
      const to = columnOf[x] ?? 0
      const share = mask[x] ?? 0
      for (let channel = 0; channel < colors; channel++, at++) {
        const place = to * colors + channel
        this.color[place] = (this.color[place] ?? 0) + (color[at] ?? 0) * share
      }
      this.opacity[to] = (this.opacity[to] ?? 0) + share
      this.count[to] = (this.count[to] ?? 0) + 1
    }
  }

  /** Writes the means, and begins again. */
  write(color: Uint8Array, mask: Uint8Array, first: number): void {
    for (let x = 0; x < this.count.length; x++) {
      const opacity = this.opacity[x] ?? 0
      mask[first + x] = Math.round(opacity / (this.count[x] || 1))
      for (let channel = 0; channel < this.colors; channel++) {
        const sum = this.color[x * this.colors + channel] ?? 0
        color[(first + x) * this.colors + channel] = opacity === 0 ? 0 : Math.round(sum / opacity)
      }
    }
    this.color.fill(0)
    this.opacity.fill(0)
    this.count.fill(0)
  }
}
