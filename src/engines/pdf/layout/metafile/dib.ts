import { RecordReader } from './reader.ts'

/** A bitmap without a file header. */
export interface Bitmap {
  /** BitmapInfoHeader with masks and palette. */
  readonly header: Uint8Array
  readonly pixels: Uint8Array
}

const FILE_HEADER = 14

/** A bitmap as a file that the picture readers take. */
export function bitmapFile({ header, pixels }: Bitmap): Uint8Array {
  const file = new Uint8Array(FILE_HEADER + header.length + pixels.length)
  const view = new DataView(file.buffer)
  file.set([0x42, 0x4d])
  view.setUint32(2, file.length, true)
  view.setUint32(10, FILE_HEADER + header.length, true)
  file.set(header, FILE_HEADER)
  file.set(pixels, FILE_HEADER + header.length)
  return file
}

/** A packed bitmap, whose pixels follow its header. */
export function unpackBitmap(dib: Uint8Array): Bitmap {
  const size = headerSize(dib)
  return { header: dib.subarray(0, size), pixels: dib.subarray(size) }
}

function headerSize(dib: Uint8Array): number {
  const reader = new RecordReader(dib)
  const size = reader.u32(0)
  if (size < 40 || size > 1_000) return dib.length
  const depth = reader.u16(14)
  const used = reader.u32(32)
  const colors = depth <= 8 ? (used > 0 && used <= 256 ? used : 1 << depth) : 0
  const masks = size === 40 && reader.u32(16) === 3 ? 12 : 0
  return size + masks + colors * 4
}

const ALPHA_HEADER = 108

/**
 * Converts the bitmap of a blend, whose colours are multiplied by their opacity: states a mask for the opacity in the
 * header, and divides the colours by it. Undefined unless a pixel has 32 bits.
 */
export function withOpacity({ header, pixels }: Bitmap): Bitmap | undefined {
  if (new RecordReader(header).u16(14) !== 32) return undefined
  const described = new Uint8Array(ALPHA_HEADER)
  described.set(header.subarray(0, 40))
  const view = new DataView(described.buffer)
  view.setUint32(0, ALPHA_HEADER, true)
  view.setUint32(16, 3, true)
  for (const [index, mask] of [0xff0000, 0xff00, 0xff, 0xff000000].entries()) view.setUint32(40 + index * 4, mask, true)
  const colors = pixels.slice()
  for (let at = 0; at + 4 <= colors.length; at += 4) {
    const opacity = colors[at + 3]
    if (!opacity || opacity === 255) continue
    for (let channel = at; channel < at + 3; channel++)
      colors[channel] = Math.min(255, Math.round(((colors[channel] ?? 0) * 255) / opacity))
  }
  return { header: described, pixels: colors }
}
