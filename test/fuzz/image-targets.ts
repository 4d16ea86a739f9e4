import { deflateSync } from 'node:zlib'
import { loadPicture } from '../../src/engines/docx/compose/pictures.ts'
import { readGif } from '../../src/engines/pdf/render/gif.ts'
import { readJpeg } from '../../src/engines/pdf/render/jpeg.ts'
import { decodedBytes, type RasterImage, readPng, shrunkSize } from '../../src/engines/pdf/render/png.ts'
import { pngFile } from '../engines/pdf/png-file.ts'
import { bmp } from './bmp-target.ts'
import { emfTarget, wmfTarget } from './metafile-targets.ts'
import type { Target } from './target.ts'

const outcomeOf = (image: RasterImage | undefined): string => `${image?.entries.replace(/\d+/g, '')}`

const png: Target = {
  name: 'png',
  shortRound: 600,
  words: ['IHDR', 'PLTE', 'tRNS', 'IDAT', 'IEND', '\x89PNG\r\n\x1a\n'],
  maxBytes: 60_000,
  seeds: () =>
    [
      { color: 0, depth: 1, bytes: 1 },
      { color: 2, depth: 16, bytes: 48 },
      { color: 4, depth: 8, bytes: 16 },
      { color: 6, depth: 8, bytes: 32 },
    ].map(({ color, depth, bytes }) =>
      pngFile({ width: 8, height: 8, depth, color, rows: deflateSync(Buffer.alloc((bytes + 1) * 8, 1)), name: 'x' }),
    ),
  run(bytes) {
    const size = shrunkSize(bytes, { width: 3, height: 2 })
    const loaded = loadPicture({ kind: 'image' }, Buffer.from(bytes).toString('base64'))
    const said = loaded.ok ? loaded.picture.extension : loaded.message.replace(/\d+/g, '')
    return `${outcomeOf(readPng(bytes))} ${outcomeOf(readPng(bytes, size))} ${decodedBytes(bytes) > 0} ${said}`
  },
}

const jpeg: Target = {
  name: 'jpeg',
  shortRound: 600,
  words: ['\xff\xd8', 'Adobe', 'JFIF\0', 'Exif\0\0'],
  maxBytes: 20_000,
  seeds: () => [
    Uint8Array.from(
      [0xff, 0xd8, 0xff, 0xe0, 0, 16, 0x4a, 0x46, 0x49, 0x46, 0, 1, 1, 1, 0, 72, 0, 72, 0, 0].concat([
        0xff, 0xc0, 0, 17, 8, 0, 30, 0, 50, 3, 1, 17, 0, 2, 17, 0, 3, 17, 0, 0xff, 0xd9,
      ]),
    ),
    Uint8Array.from(
      [0xff, 0xd8, 0xff, 0xee, 0, 14, 0x41, 0x64, 0x6f, 0x62, 0x65, 0, 100, 0, 0, 0, 0, 2].concat([
        0xff, 0xc2, 0, 20, 8, 0, 30, 0, 50, 4, 1, 17, 0, 2, 17, 0, 3, 17, 0, 4, 17, 0, 0xff, 0xd9,
      ]),
    ),
  ],
  run(bytes) {
    const loaded = loadPicture({ kind: 'image' }, Buffer.from(bytes).toString('base64'))
    return `${outcomeOf(readJpeg(bytes))} ${loaded.ok ? loaded.picture.extension : loaded.message.replace(/\d+/g, '')}`
  },
}

const gif: Target = {
  name: 'gif',
  shortRound: 600,
  words: ['GIF87a', 'GIF89a', '\x21\xf9\x04', '\x2c', '\x3b'],
  maxBytes: 20_000,
  seeds: () => [
    Uint8Array.from([
      ...Buffer.from('GIF89a'),
      2,
      0,
      2,
      0,
      0x80,
      0,
      0,
      0,
      0,
      0,
      255,
      255,
      255,
      0x21,
      0xf9,
      4,
      1,
      0,
      0,
      0,
      0,
      0x2c,
      0,
      0,
      0,
      0,
      2,
      0,
      2,
      0,
      0,
      2,
      2,
      0x44,
      0x0a,
      0,
      0x3b,
    ]),
  ],
  run: (bytes) => outcomeOf(readGif(bytes)),
}

/** Pictures of every kind that a document may have. */
export const imageTargets: readonly Target[] = [png, jpeg, gif, bmp, emfTarget, wmfTarget]
