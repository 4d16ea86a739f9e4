import { describe, expect, test } from 'bun:test'
import { inflateSync } from 'node:zlib'
import { limits } from '../../../src/core/limits.ts'
import { bitmapFile, withOpacity } from '../../../src/engines/pdf/layout/metafile/dib.ts'
import { RecordReader } from '../../../src/engines/pdf/layout/metafile/reader.ts'
import { readBmp } from '../../../src/engines/pdf/render/bmp.ts'
import { emf, record, shorts, wmf, wmfRecord, words } from './metafile-files.ts'
import { dumpPaths, dumpTexts, layoutOf, picture, renderingOf, wordDocument } from './word.ts'

const documentOf = (bytes: Uint8Array, kind: 'emf' | 'wmf') =>
  wordDocument(`<w:p><w:r>${picture('image1', 100, 50)}</w:r></w:p>`, { media: { [`image1.${kind}`]: bytes } })
const framesOf = (bytes: Uint8Array, kind: 'emf' | 'wmf' = 'emf') => layoutOf(documentOf(bytes, kind)).pages[0]!.frames

const redPen = [record(38, 1, 0, 10, 0, 0x0000ff), record(37, 1)]
const blueBrush = [record(39, 2, 0, 0xff0000, 0), record(37, 2)]

describe('EMF', () => {
  test('rectangles, polygons and lines are drawn with pen and brush, where they stand on the page', () => {
    expect(dumpPaths(framesOf(emf(...redPen, ...blueBrush, record(43, 100, 100, 200, 200))))).toEqual([
      'M60,60 L70,60 L70,70 L60,70 Z fill 0000FF stroke FF0000 1',
    ])
    const triangle = record(3, 0, 0, 0, 0, 3, 0, 0, 500, 0, 0, 500)
    expect(dumpPaths(framesOf(emf(...redPen, ...blueBrush, triangle)))).toEqual([
      'M50,50 L100,50 L50,100 Z fill 0000FF stroke FF0000 1',
    ])
    const line = [record(27, 0, 0), record(54, 1_000, 500)]
    expect(dumpPaths(framesOf(emf(...redPen, ...line)))).toEqual(['M50,50 L150,100 stroke FF0000 1'])
  })

  test('points of sixteen bits mean the same', () => {
    const points = [0, 0, 500, 0, 0, 500]
    const small = [...words(86, 28 + 12), ...words(0, 0, 0, 0, 3), ...shorts(...points)]
    expect(dumpPaths(framesOf(emf(...blueBrush, record(37, 0x80000008 | 0), small)))).toEqual([
      'M50,50 L100,50 L50,100 Z fill 0000FF',
    ])
  })

  test('windows, viewports and world transforms move what follows, and a restored state moves it back', () => {
    const box = record(43, 0, 0, 10, 10)
    const noPen = record(37, 0x80000008 | 0)
    const mapped = [record(17, 8), record(10, 0, 0), record(9, 100, 100), record(11, 500, 500)]
    expect(dumpPaths(framesOf(emf(...blueBrush, noPen, record(33), ...mapped, box, record(34, -1), box)))).toEqual([
      'M50,50 L55,50 L55,55 L50,55 Z fill 0000FF',
      'M50,50 L51,50 L51,51 L50,51 Z fill 0000FF',
    ])
  })

  test('paths are collected and painted at once', () => {
    const path = [record(59), record(27, 0, 0), record(54, 100, 0), record(54, 100, 100), record(61), record(60)]
    expect(dumpPaths(framesOf(emf(...blueBrush, ...path, record(62, 0, 0, 0, 0))))).toEqual([
      'M50,50 L60,50 L60,60 Z fill 0000FF',
    ])
  })

  test('text is text, in the font and colour that were chosen', () => {
    const family = [...'Arial'].map((letter) => letter.charCodeAt(0))
    const font = [...words(82, 8 + 4 + 92, 3, -100, 0, 0, 0, 400, 0, 0), ...shorts(...family, ...new Array(27).fill(0))]
    const text = [
      ...words(84, 76 + 8),
      ...words(0, 0, 0, 0, 1, 0, 0, 100, 200, 3, 76, 0, 0, 0, 0, 0, 0),
      ...shorts(0x4f, 0x6b, 0x21, 0),
    ]
    const frames = framesOf(emf(font, record(37, 3), record(24, 0x0000ff), record(22, 24), text))
    expect(dumpTexts(frames)).toEqual(['60.0,70.0 Ok!'])
    expect(JSON.stringify(frames)).toContain('"color":"FF0000"')
  })

  test('bitmaps become pictures of the file', () => {
    const dib = [...words(40, 1, 1), ...shorts(1, 24), ...words(0, 4, 0, 0, 0, 0), 10, 20, 30, 0]
    const body = words(0, 0, 0, 0, 100, 100, 0, 0, 1, 1, 80, 40, 120, 4, 0, 0xcc0020, 200, 200)
    const { pdf, report } = renderingOf(documentOf(emf([...words(81, 8 + 72 + 44), ...body, ...dib]), 'emf'))
    expect(report.filter((finding) => finding.code === 'render.image_unreadable')).toEqual([])
    expect(Buffer.from(pdf).toString('latin1')).toContain('/Subtype/Image')
  })

  test('pixels that bring their opacity let through what is below them, in the colours that they had before', () => {
    const header = [...words(40, 2, 1), ...shorts(1, 32), ...words(0, 8, 0, 0, 0, 0)]
    // Half of red, by which it was multiplied, and nothing at all.
    const pixels = [0, 0, 128, 128, 0, 0, 0, 0]
    const both = withOpacity({ header: new Uint8Array(header), pixels: new Uint8Array(pixels) })!
    const image = readBmp(bitmapFile(both))!
    expect([...inflateSync(image.data)]).toEqual([255, 0, 0, 0, 0, 0])
    expect([...inflateSync(image.mask!.data)]).toEqual([128, 0])

    const fileWith = (format: number) => {
      const places = words(0, 0, 0, 0, 100, 100, 200, 200, format, ...Array(10).fill(0), 108, 40, 148, 8, 2, 1)
      const bytes = emf([
        ...words(114, 8 + places.length + header.length + pixels.length),
        ...places,
        ...header,
        ...pixels,
      ])
      return Buffer.from(renderingOf(documentOf(bytes, 'emf')).pdf).toString('latin1')
    }
    expect(fileWith(0x1ff0000)).toContain('/SMask')
    expect(fileWith(0xff0000)).toContain('/Subtype/Image')
    expect(fileWith(0xff0000)).not.toContain('/SMask')
  })

  test('what was recorded for GDI+ alone is a labelled box that is reported', () => {
    const plus = [...words(70, 24, 12), ...words(0x2b464d45, 0, 0)]
    const { report } = renderingOf(documentOf(emf(plus), 'emf'))
    expect(report.some((finding) => finding.code === 'render.image_unreadable')).toBe(true)
  })
})

describe('WMF', () => {
  test('windows fill the box, and objects are taken by their place', () => {
    const objects = [
      wmfRecord(0x2fa, 5, 0, 0, 0, 0),
      wmfRecord(0x2fc, 0, 0x00ff, 0, 0),
      wmfRecord(0x12d, 0),
      wmfRecord(0x12d, 1),
    ]
    const box = wmfRecord(0x41b, 200, 200, 100, 100)
    expect(dumpPaths(framesOf(wmf(...objects, box), 'wmf'))).toEqual(['M60,60 L70,60 L70,70 L60,70 Z fill FF0000'])
    const window = [wmfRecord(0x20b, 0, 0), wmfRecord(0x20c, 50, 100)]
    expect(dumpPaths(framesOf(wmf(...objects, ...window, wmfRecord(0x324, 3, 0, 0, 50, 0, 0, 50)), 'wmf'))).toEqual([
      'M50,50 L100,50 L50,100 Z fill FF0000',
    ])
  })

  test('what is made after something was deleted takes its place', () => {
    const objects = [wmfRecord(0x2fc, 0, 0x00ff, 0, 0), wmfRecord(0x2fa, 5, 0, 0, 0, 0), wmfRecord(0x1f0, 0)]
    const again = [wmfRecord(0x2fc, 0, 0xff00, 0, 0), wmfRecord(0x12d, 0), wmfRecord(0x12d, 1)]
    const box = wmfRecord(0x41b, 200, 200, 100, 100)
    expect(dumpPaths(framesOf(wmf(...objects, ...again, box), 'wmf'))).toEqual([
      'M60,60 L70,60 L70,70 L60,70 Z fill 00FF00',
    ])
  })

  test('text is text', () => {
    const font = [...words(3 + 12), ...shorts(0x2fb, -100, 0, 0, 0, 400, 0, 0, 0, 0), ...Buffer.from('Arial\0')]
    const text = wmfRecord(0x521, 2, 0x6b4f, 200, 100)
    expect(dumpTexts(framesOf(wmf(font, wmfRecord(0x12d, 0), wmfRecord(0x12e, 24), text), 'wmf'))).toEqual([
      '60.0,70.0 Ok',
    ])
  })
})

describe('hostile metafiles', () => {
  const attempts: [string, Uint8Array, 'emf' | 'wmf'][] = [
    ['a size of nothing', emf([...words(43, 0)]), 'emf'],
    ['a size beyond the end', emf([...words(3, 0x7ffffff0), ...words(0, 0, 0, 0, 0x7fffffff)]), 'emf'],
    [
      'a count beyond the record',
      emf(record(3, 0, 0, 0, 0, 0x7fffffff, 1, 1), record(8, 0, 0, 0, 0, 0x7fffffff, -1)),
      'emf',
    ],
    ['records without number', emf(...Array.from({ length: 110_000 }, () => record(54, 5, 5))), 'emf'],
    ['states saved without end', emf(...Array.from({ length: 5_000 }, () => record(33)), record(34, -4_000)), 'emf'],
    ['a matrix of no numbers', emf(record(35, -1, -1, -1, -1, -1, -1), record(43, 0, 0, 9, 9)), 'emf'],
    ['a bitmap of another size', emf([...words(81, 88), ...new Array(64).fill(255), ...words(9, 9, 9, 9)]), 'emf'],
    ['text out of the record', emf([...words(84, 76), ...new Array(68).fill(127)]), 'emf'],
    ['no extent', emf().fill(0, 24, 40), 'emf'],
    ['a cut file', emf(record(43, 0, 0, 9, 9)).subarray(0, 95), 'emf'],
    ['WMF without a window', new Uint8Array(shorts(1, 9, 0x300, 0, 0, 0, 0, 0, 0)), 'wmf'],
    ['WMF with a record of nothing', wmf([...words(0), ...shorts(0x324)]), 'wmf'],
    [
      'WMF with lying counts',
      wmf(wmfRecord(0x538, 0x7fff, 0x7fff), wmfRecord(0x324, -1), wmfRecord(0xa32, 0, 0, -1, 0)),
      'wmf',
    ],
  ]
  test('are drawn up to their bound', () => {
    const lines = Array.from({ length: limits.renderMetafileRecords + 50 }, () => record(54, 5, 5))
    expect(dumpPaths(framesOf(emf(...lines))).length).toBe(limits.renderMetafileRecords)
  })

  test('have nothing beyond their end', () => {
    const reader = new RecordReader(new Uint8Array([1, 2, 3]))
    expect([reader.u8(3), reader.u16(2), reader.i16(-1), reader.u32(0), reader.i32(9), reader.f32(0)]).toEqual([
      0, 0, 0, 0, 0, 0,
    ])
    expect([...reader.slice(2, 100)]).toEqual([3])
    expect([...reader.slice(5, -1)]).toEqual([])
  })

  for (const [name, bytes, kind] of attempts) {
    test(name, () => {
      const { pdf, pages } = renderingOf(documentOf(bytes, kind))
      expect(pages).toBe(1)
      expect(Buffer.from(pdf).toString('latin1')).not.toContain('NaN')
    })
  }
})
