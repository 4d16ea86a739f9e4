import { inflateSync } from 'node:zlib'
import { limits } from '../../../core/limits.ts'
import { compress } from './write.ts'

/** A picture as the entries and data of an image XObject. */
export interface RasterImage {
  width: number
  height: number
  entries: string
  data: Uint8Array
  mask?: { entries: string; data: Uint8Array }
  /** The samples are cyan, magenta, yellow and black, and `entries` leaves the colour space open. */
  inks?: boolean
}

interface Header {
  width: number
  height: number
  depth: number
  color: number
  /** Samples a pixel, which follow from the colour type. */
  channels: number
  interlaced: boolean
}

const channelsByColor: ReadonlyMap<number, number> = new Map([
  [0, 1],
  [2, 3],
  [3, 1],
  [4, 2],
  [6, 4],
])

/**
 * Reads a PNG. Without alpha and interlacing the compressed rows go into the PDF as they are, since its predictors are
 * PNG's own; otherwise colour and alpha are split. Undefined when the file is damaged or lies about its size.
 */
export function readPng(bytes: Uint8Array): RasterImage | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (bytes.length < 33 || view.getUint32(0) !== 0x89504e47) return undefined
  let header: Header | undefined
  let palette: Uint8Array | undefined
  let transparency: Uint8Array | undefined
  const parts: Uint8Array[] = []
  let at = 8
  while (at + 12 <= bytes.length) {
    const length = view.getUint32(at)
    const type = view.getUint32(at + 4)
    const data = bytes.subarray(at + 8, Math.min(bytes.length, at + 8 + length))
    if (type === 0x49484452 && data.length >= 13) header = readHeader(data)
    else if (type === 0x504c5445) palette = data
    else if (type === 0x74524e53) transparency = data
    else if (type === 0x49444154) parts.push(data)
    else if (type === 0x49454e44) break
    at += 12 + length
  }
  const [first, ...others] = parts
  if (!header || !first || (header.color === 3 && !palette)) return undefined
  const { width, height, channels } = header
  if (width === 0 || height === 0 || width * height > limits.renderImagePixels) return undefined
  const compressed = others.length === 0 ? first : Buffer.concat(parts)
  const rows = inflate(compressed, rawLength(header))
  if (!rows) return undefined
  const space = colorSpace(header, palette)
  const alpha = header.color === 4 || header.color === 6 || (transparency !== undefined && transparency.length > 0)
  if (!alpha && !header.interlaced) {
    const entries =
      `/Width ${width}/Height ${height}/BitsPerComponent ${header.depth}/ColorSpace${space}/Filter/FlateDecode` +
      `/DecodeParms<</Predictor 15/Colors ${channels}/BitsPerComponent ${header.depth}/Columns ${width}>>`
    return { width, height, entries, data: compressed }
  }
  return takeApart(header, rows, palette, transparency)
}

function readHeader(data: Uint8Array): Header | undefined {
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength)
  const [width, height] = [view.getUint32(0), view.getUint32(4)]
  const [depth, color] = [view.getUint8(8), view.getUint8(9)]
  const channels = channelsByColor.get(color)
  if (channels === undefined || ![1, 2, 4, 8, 16].includes(depth)) return undefined
  return { width, height, depth, color, channels, interlaced: view.getUint8(12) === 1 }
}

function colorSpace(header: Header, palette: Uint8Array | undefined): string {
  if (header.color === 3 && palette) {
    const entries = Math.min(256, Math.floor(palette.length / 3))
    return `[/Indexed/DeviceRGB ${entries - 1}<${Buffer.from(palette.subarray(0, entries * 3)).toString('hex')}>]`
  }
  return header.color === 2 || header.color === 6 ? '/DeviceRGB' : '/DeviceGray'
}

/** Adam7: where each pass starts and how far apart its pixels are. */
const passes = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
] as const

function rowBytes(header: Header, width: number): number {
  return Math.ceil((width * header.channels * header.depth) / 8)
}

function rawLength(header: Header): number {
  if (!header.interlaced) return (rowBytes(header, header.width) + 1) * header.height
  let length = 0
  for (const [x, y, dx, dy] of passes) {
    const width = Math.ceil((header.width - x) / dx)
    const height = Math.ceil((header.height - y) / dy)
    if (width > 0 && height > 0) length += (rowBytes(header, width) + 1) * height
  }
  return length
}

/** Some encoders append a little; a file with more beyond its announced size lies about it. */
const EXCESS_BYTES = 65_536

/** At least the announced bytes, or nothing: shorter data is a damaged file. */
function inflate(compressed: Uint8Array, length: number): Uint8Array | undefined {
  try {
    const rows = inflateSync(compressed, { maxOutputLength: length + EXCESS_BYTES })
    return rows.length >= length ? rows : undefined
  } catch {
    return undefined
  }
}

function takeApart(
  header: Header,
  raw: Uint8Array,
  palette: Uint8Array | undefined,
  transparency: Uint8Array | undefined,
): RasterImage {
  const { width, height } = header
  const gray = header.color === 0 || header.color === 4
  const color = new Uint8Array(width * height * (gray ? 1 : 3))
  const mask = new Uint8Array(width * height)
  const target: Target = { header, color, mask, gray, palette, transparency }
  let at = 0
  const areas = header.interlaced ? passes : ([[0, 0, 1, 1]] as const)
  for (const [x0, y0, dx, dy] of areas) {
    const columns = Math.ceil((width - x0) / dx)
    const lines = Math.ceil((height - y0) / dy)
    if (columns <= 0 || lines <= 0) continue
    const bytes = rowBytes(header, columns)
    const step = Math.max(1, (header.channels * header.depth) >> 3)
    let previous: Uint8Array = new Uint8Array(bytes)
    for (let line = 0; line < lines; line++) {
      const row = raw.subarray(at + 1, at + 1 + bytes)
      unfilter(raw[at] ?? 0, row, previous, step)
      at += 1 + bytes
      previous = row
      const first = (y0 + line * dy) * width + x0
      if (header.depth === 8 && header.color === 6 && dx === 1) splitRow(row, first, color, mask)
      else for (let column = 0; column < columns; column++) writePixel(target, row, column, first + column * dx)
    }
  }
  const entries = `/Width ${width}/Height ${height}/BitsPerComponent 8/Filter/FlateDecode/ColorSpace`
  return {
    width,
    height,
    entries: `${entries}${gray ? '/DeviceGray' : '/DeviceRGB'}`,
    data: compress(color),
    ...(mask.every((share) => share === 255)
      ? {}
      : { mask: { entries: `${entries}/DeviceGray`, data: compress(mask) } }),
  }
}

/** Undoes a row's prediction in place (PNG, 9.2). */
function unfilter(kind: number, row: Uint8Array, above: Uint8Array, step: number): void {
  const { length } = row
  if (kind === 1) for (let at = step; at < length; at++) row[at] = (row[at] ?? 0) + (row[at - step] ?? 0)
  else if (kind === 2) for (let at = 0; at < length; at++) row[at] = (row[at] ?? 0) + (above[at] ?? 0)
  else if (kind === 3)
    for (let at = 0; at < length; at++)
      row[at] = (row[at] ?? 0) + (((at < step ? 0 : (row[at - step] ?? 0)) + (above[at] ?? 0)) >> 1)
  else if (kind === 4) {
    for (let at = 0; at < length; at++) {
      const left = at < step ? 0 : (row[at - step] ?? 0)
      const up = above[at] ?? 0
      const corner = at < step ? 0 : (above[at - step] ?? 0)
      const a = Math.abs(up - corner)
      const b = Math.abs(left - corner)
      const c = Math.abs(left + up - 2 * corner)
      row[at] = (row[at] ?? 0) + (a <= b && a <= c ? left : b <= c ? up : corner)
    }
  }
}

/** The usual case, RGB with alpha at 8 bits: a third of the time that `writePixel` takes. */
function splitRow(row: Uint8Array, first: number, color: Uint8Array, mask: Uint8Array): void {
  let target = first * 3
  for (let at = 0, pixel = first; at + 3 < row.length; at += 4, pixel++) {
    color[target++] = row[at] ?? 0
    color[target++] = row[at + 1] ?? 0
    color[target++] = row[at + 2] ?? 0
    mask[pixel] = row[at + 3] ?? 0
  }
}

/** A picture being split into colours and opacity. */
interface Target {
  header: Header
  color: Uint8Array
  mask: Uint8Array
  /** One colour channel instead of three. */
  gray: boolean
  palette: Uint8Array | undefined
  transparency: Uint8Array | undefined
}

/** A sample of a row by its index; of 16 bits, the high byte. */
function sampleOf(row: Uint8Array, index: number, depth: number): number {
  if (depth === 8) return row[index] ?? 0
  if (depth === 16) return row[index * 2] ?? 0
  const bit = index * depth
  return ((row[bit >> 3] ?? 0) >> (8 - depth - (bit & 7))) & ((1 << depth) - 1)
}

function writePixel(target: Target, row: Uint8Array, column: number, pixel: number): void {
  const { header, color, mask, palette, transparency } = target
  const { depth, channels } = header
  const sample = (channel: number) => sampleOf(row, column * channels + channel, depth)
  if (header.color === 3) {
    const index = sample(0)
    for (let channel = 0; channel < 3; channel++) color[pixel * 3 + channel] = palette?.[index * 3 + channel] ?? 0
    mask[pixel] = transparency?.[index] ?? 255
    return
  }
  const scale = depth < 8 ? 255 / ((1 << depth) - 1) : 1
  if (target.gray) color[pixel] = Math.round(sample(0) * scale)
  else for (let channel = 0; channel < 3; channel++) color[pixel * 3 + channel] = sample(channel)
  if (header.color === 4 || header.color === 6) mask[pixel] = sample(channels - 1)
  else mask[pixel] = isKey(target, row, column) ? 0 : 255
}

/** True for the transparent colour of a gray or RGB picture: tRNS has two bytes a channel, of which lower depths use one. */
function isKey({ header, transparency }: Target, row: Uint8Array, column: number): boolean {
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
