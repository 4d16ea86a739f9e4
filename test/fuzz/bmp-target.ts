import { bitmapFile } from '../../src/engines/pdf/layout/metafile/dib.ts'
import { readBmp } from '../../src/engines/pdf/render/bmp.ts'
import { bitmap24, words } from '../engines/pdf/metafile-files.ts'
import { headers, madeBitmap } from './made-bitmap.ts'
import type { Target } from './target.ts'

const bitmap = bitmap24([
  [
    [255, 0, 0],
    [0, 255, 0],
  ],
  [
    [0, 0, 255],
    [9, 9, 9],
  ],
])
const pixels = { header: Uint8Array.from(bitmap.header), pixels: Uint8Array.from(bitmap.pixels) }

/** The same in 16 bits a pixel, with masks behind the header. */
const masked = Uint8Array.from([...words(40, 2, 2), 1, 0, 16, 0, ...words(3, 8, 0, 0, 0, 0, 0xf800, 0x7e0, 0x1f)])

export const bmp: Target = {
  name: 'bmp',
  shortRound: 1000,
  leastOutcomes: 40,
  words: ['BM', '\x28\0\0\0', '\x01\0\x10\0\x03\0\0\0', '\x01\0\x20\0\x03\0\0\0', '\x01\0\x04\0'],
  maxBytes: 20_000,
  seeds: () => [bitmapFile(pixels), bitmapFile({ ...pixels, header: masked })],
  made(random) {
    const file = bitmapFile(madeBitmap(random))
    // Where the file says that the pixels begin.
    if (random.chance(10)) new DataView(file.buffer).setUint32(10, random.pick([0, 54, file.length, 0xffffffff]), true)
    return file
  },
  run(bytes) {
    const image = readBmp(bytes)
    if (image === undefined) return 'none'
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    const [header, depth] = [view.getUint32(14, true), view.getUint16(28, true)]
    const kind = headers.some((length) => length === header) ? header : 'another'
    const colors = depth <= 8 ? Math.sign(bytes.length - 14 - header - 4 * 2 ** depth) : 0
    return [kind, depth, view.getUint32(30, true), view.getInt32(22, true) < 0, image.mask !== undefined, colors].join()
  },
}
