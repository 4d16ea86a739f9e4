import { RecordReader } from './reader.ts'

const FILE_HEADER = 14

/** A bitmap without a file header (header and palette, then pixels) as the file that pictures are read from. */
export function bitmapFile(header: Uint8Array, pixels: Uint8Array): Uint8Array {
  const file = new Uint8Array(FILE_HEADER + header.length + pixels.length)
  const view = new DataView(file.buffer)
  file.set([0x42, 0x4d])
  view.setUint32(2, file.length, true)
  view.setUint32(10, FILE_HEADER + header.length, true)
  file.set(header, FILE_HEADER)
  file.set(pixels, FILE_HEADER + header.length)
  return file
}

/** Where a packed bitmap's pixels begin: behind its header, masks and palette. */
export function headerSize(dib: Uint8Array): number {
  const reader = new RecordReader(dib)
  const size = reader.u32(0)
  if (size < 40 || size > 1_000) return dib.length
  const depth = reader.u16(14)
  const used = reader.u32(32)
  const colors = depth <= 8 ? (used > 0 && used <= 256 ? used : 1 << depth) : 0
  const masks = size === 40 && reader.u32(16) === 3 ? 12 : 0
  return size + masks + colors * 4
}
