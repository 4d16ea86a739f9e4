import { deflateSync } from 'node:zlib'
import { loadPicture } from '../../src/engines/docx/compose/pictures.ts'
import { embeddedFonts } from '../../src/engines/pdf/font/embedded.ts'
import { bitmapFile } from '../../src/engines/pdf/layout/metafile/dib.ts'
import { layoutDocx } from '../../src/engines/pdf/pdf.ts'
import { readBmp } from '../../src/engines/pdf/render/bmp.ts'
import { readGif } from '../../src/engines/pdf/render/gif.ts'
import { readJpeg } from '../../src/engines/pdf/render/jpeg.ts'
import { decodedBytes, type RasterImage, readPng, shrunkSize } from '../../src/engines/pdf/render/png.ts'
import { bareWmf, bitmap24, emf, emfRecord, record, wmf, wmfRecord, words } from '../engines/pdf/metafile-files.ts'
import { pngFile } from '../engines/pdf/png-file.ts'
import { picture, wordDocument } from '../engines/pdf/word.ts'
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

const bmp: Target = {
  name: 'bmp',
  shortRound: 1000,
  words: ['BM', '\x28\0\0\0', '\x01\0\x10\0\x03\0\0\0', '\x01\0\x20\0\x03\0\0\0', '\x01\0\x04\0'],
  maxBytes: 20_000,
  seeds: () => [bitmapFile(pixels), bitmapFile({ ...pixels, header: masked })],
  run: (bytes) => outcomeOf(readBmp(bytes)),
}

const metafile = (name: 'emf' | 'wmf', seeds: () => Uint8Array[]): Target => ({
  name,
  shortRound: 60,
  words: ['\x01\0\0\0', '\xff\xff\xff\xff', '\0\0\0\x80', ' EMF', 'EMF+'],
  maxBytes: 20_000,
  seeds,
  run(bytes) {
    const docx = wordDocument(`<w:p><w:r>${picture('image1', 100, 50)}</w:r></w:p>`, {
      media: { [`image1.${name}`]: bytes },
    })
    const laid = layoutDocx(docx, { fonts: embeddedFonts() })
    if (!laid.ok) return laid.findings.map(({ code }) => code).join()
    const kinds: string[] = []
    JSON.stringify(laid.value.pages, (key, value) => {
      if (key === 'kind') kinds.push(value)
      return value instanceof Uint8Array ? undefined : value
    })
    return [...new Set(kinds)].sort().join()
  },
})

const wmfRecords = () => [wmfRecord(0x2fa, 0, 1, 0, 0, 255), wmfRecord(0x12d, 0), wmfRecord(0x41b, 90, 90, 10, 10)]

/** Pictures of every kind that a document may have. */
export const imageTargets: readonly Target[] = [
  png,
  jpeg,
  gif,
  bmp,
  metafile('emf', () => [
    emf(record(38, 1, 0, 10, 0, 0x0000ff), record(37, 1), record(43, 100, 100, 200, 200)),
    emf(record(39, 2, 0, 0xff0000, 0), record(37, 2), record(3, 0, 0, 0, 0, 3, 0, 0, 500, 0, 0, 500)),
    emf(record(59), record(27, 0, 0), record(54, 100, 0), record(60), record(62, 0, 0, 0, 0)),
    emf(
      record(17, 8),
      record(10, 0, 0),
      record(9, 100, 100),
      record(33),
      record(34, -1),
      emfRecord(70, words(8, 0x2b464d45, 0)),
    ),
    emf([
      ...words(84, 84),
      ...words(0, 0, 0, 0, 1, 0, 0, 100, 200, 3, 76, 0, 0, 0, 0, 0, 0),
      0x4f,
      0,
      0x6b,
      0,
      0x21,
      0,
      0,
      0,
    ]),
  ]),
  metafile('wmf', () => [
    wmf(...wmfRecords()),
    bareWmf(wmfRecord(0x20b, 0, 0), wmfRecord(0x20c, 500, 1_000), ...wmfRecords()),
    wmf(wmfRecord(0x521, 2, 0x6b4f, 10, 10), wmfRecord(0x324, 3, 0, 0, 50, 0, 0, 50)),
  ]),
]
