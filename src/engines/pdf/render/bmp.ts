import { limits } from '../../../core/limits.ts'
import type { RasterImage } from './png.ts'
import { compress } from './write.ts'

/** Reads an uncompressed Windows bitmap of 1, 4, 8, 16, 24 or 32 bits a pixel, the only ones that occur. */
export function readBmp(bytes: Uint8Array): RasterImage | undefined {
  if (bytes.length < 54 || bytes[0] !== 0x42 || bytes[1] !== 0x4d) return undefined
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const data = view.getUint32(10, true)
  const header = view.getUint32(14, true)
  const width = view.getInt32(18, true)
  const signed = view.getInt32(22, true)
  const depth = view.getUint16(28, true)
  const compression = view.getUint32(30, true)
  // With a negative height, the first row is the upper one.
  const height = Math.abs(signed)
  const plain = compression === 0 || (compression === 3 && (depth === 32 || depth === 16))
  if (header < 40 || !plain || ![1, 4, 8, 16, 24, 32].includes(depth)) return undefined
  if (width <= 0 || height === 0 || width * height > limits.renderImageHeldPixels) return undefined
  const stride = Math.ceil((width * depth) / 32) * 4
  if (data + stride * height > bytes.length) return undefined
  const palette = 14 + header
  // Five bits a channel, or six for green where the masks say so.
  const hasMasks = depth === 16 && compression === 3 && bytes.length >= 62
  const greenBits = hasMasks && view.getUint32(58, true) === 0x7e0 ? 6 : 5
  // The fourth byte is the opacity only where the header has a mask for it.
  const hasAlpha =
    header >= 56 && bytes.length >= 70 && depth === 32 && compression === 3 && view.getUint32(66, true) === 0xff000000
  const alpha = hasAlpha ? new Uint8Array(width * height) : undefined
  const rgb = new Uint8Array(width * height * 3)
  let target = 0
  for (let y = 0; y < height; y++) {
    const row = data + (signed < 0 ? y : height - 1 - y) * stride
    for (let x = 0; x < width; x++) {
      let at = row + (x * depth) / 8
      if (depth === 16) {
        const value = view.getUint16(at, true)
        const green = (value >> 5) & ((1 << greenBits) - 1)
        rgb[target++] = (((value >> (5 + greenBits)) & 31) * 255) / 31
        rgb[target++] = (green * 255) / ((1 << greenBits) - 1)
        rgb[target++] = ((value & 31) * 255) / 31
        continue
      }
      if (depth <= 8) {
        const bit = x * depth
        const index = (view.getUint8(row + (bit >> 3)) >> (8 - depth - (bit & 7))) & ((1 << depth) - 1)
        at = palette + index * 4
      }
      if (alpha) alpha[target / 3] = view.getUint8(at + 3)
      rgb[target++] = bytes[at + 2] ?? 0
      rgb[target++] = bytes[at + 1] ?? 0
      rgb[target++] = bytes[at] ?? 0
    }
  }
  const entries = `/Width ${width}/Height ${height}/BitsPerComponent 8/Filter/FlateDecode/ColorSpace`
  const image: RasterImage = { width, height, entries: `${entries}/DeviceRGB`, data: compress(rgb) }
  if (alpha) image.mask = { entries: `${entries}/DeviceGray`, data: compress(alpha) }
  return image
}
