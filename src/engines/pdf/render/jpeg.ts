import { limits } from '../../../core/limits.ts'
import type { RasterImage } from './png.ts'

/** Reads a JPEG's frame header; the data itself goes into the PDF unchanged. Undefined when there is no usable one. */
export function readJpeg(bytes: Uint8Array): RasterImage | undefined {
  if (bytes[0] !== 0xff || bytes[1] !== 0xd8) return undefined
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let inks: Inks = 'plain'
  let at = 2
  for (let marker = 0; marker < limits.jpegMarkers && at + 4 <= bytes.length; marker++) {
    if (bytes[at] !== 0xff) return undefined
    const type = view.getUint8(at + 1)
    if (type === 0xff) {
      at++
      continue
    }
    if (type === 0x01 || (type >= 0xd0 && type <= 0xd8)) {
      at += 2
      continue
    }
    const length = view.getUint16(at + 2)
    if (type === 0xee && String.fromCharCode(...bytes.subarray(at + 4, at + 9)) === 'Adobe') inks = 'inverted'
    const frame = type >= 0xc0 && type <= 0xcf && type !== 0xc4 && type !== 0xc8 && type !== 0xcc
    if (frame) return describe(bytes, at + 4, inks)
    if (type === 0xda || type === 0xd9 || length < 2) return undefined
    at += 2 + length
  }
  return undefined
}

/** Photoshop stores CMYK inverted and says so with its marker. */
type Inks = 'plain' | 'inverted'

function describe(bytes: Uint8Array, at: number, stored: Inks): RasterImage | undefined {
  if (at + 6 > bytes.length) return undefined
  const view = new DataView(bytes.buffer, bytes.byteOffset + at, 6)
  const depth = view.getUint8(0)
  const height = view.getUint16(1)
  const width = view.getUint16(3)
  const components = view.getUint8(5)
  const inks = components === 4
  const space = components === 1 ? '/ColorSpace/DeviceGray' : components === 3 ? '/ColorSpace/DeviceRGB' : ''
  if (depth !== 8 || width === 0 || height === 0 || width * height > limits.renderImagePixels) return undefined
  if (space === '' && !inks) return undefined
  const inverted = inks && stored === 'inverted' ? '/Decode[1 0 1 0 1 0 1 0]' : ''
  return {
    width,
    height,
    entries: `/Width ${width}/Height ${height}/BitsPerComponent 8${space}${inverted}/Filter/DCTDecode`,
    data: bytes,
    inks,
  }
}
