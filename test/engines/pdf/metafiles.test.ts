import { describe, expect, test } from 'bun:test'
import { inflateSync } from 'node:zlib'
import { limits } from '../../../src/core/limits.ts'
import type { Frame } from '../../../src/engines/pdf/frame/frame.ts'
import { bitmapFile, withOpacity } from '../../../src/engines/pdf/layout/metafile/dib.ts'
import { EMR } from '../../../src/engines/pdf/layout/metafile/emf-records.ts'
import { RecordReader } from '../../../src/engines/pdf/layout/metafile/reader.ts'
import { META } from '../../../src/engines/pdf/layout/metafile/wmf-records.ts'
import { readBmp } from '../../../src/engines/pdf/render/bmp.ts'
import { bareWmf, emf, emfRecord, record, shorts, wmf, wmfBytes, wmfRecord, words } from './metafile-files.ts'
import { dumpPaths, dumpTexts, layoutOf, picture, renderingOf, wordDocument } from './word.ts'

const documentOf = (bytes: Uint8Array, kind: 'emf' | 'wmf') =>
  wordDocument(`<w:p><w:r>${picture('image1', 100, 50)}</w:r></w:p>`, { media: { [`image1.${kind}`]: bytes } })
const framesOf = (bytes: Uint8Array, kind: 'emf' | 'wmf' = 'emf') => layoutOf(documentOf(bytes, kind)).pages[0]!.frames

const redPen = [record(38, 1, 0, 10, 0, 0x0000ff), record(37, 1)]
const blueBrush = [record(39, 2, 0, 0xff0000, 0), record(37, 2)]

describe('EMF', () => {
  test('rectangles, polygons and lines are drawn with pen and brush, at their place on the page', () => {
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

  test('records behind the one that ends the file are not played', () => {
    const box = record(43, 100, 100, 200, 200)
    const end = record(14, 0, 0, 20)
    expect(dumpPaths(framesOf(emf(...blueBrush, box, box)))).toHaveLength(2)
    expect(dumpPaths(framesOf(emf(...blueBrush, box, end, box)))).toHaveLength(1)
  })

  test('points of 16 bits draw the same as points of 32 bits', () => {
    const points = [0, 0, 500, 0, 0, 500]
    const small = [...words(86, 28 + 12), ...words(0, 0, 0, 0, 3), ...shorts(...points)]
    expect(dumpPaths(framesOf(emf(...blueBrush, record(37, 0x80000008 | 0), small)))).toEqual([
      'M50,50 L100,50 L50,100 Z fill 0000FF',
    ])
  })

  test('windows, viewports and world transforms move what follows, and restoring a state moves it back', () => {
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

  test('text stays text, in the chosen font and colour', () => {
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

  test('a region whose record is cut off before its rectangles clips nothing', () => {
    const region = record(75, 48, 5, 32, 1, 1, 16, 0, 0, 10, 10)
    const box = record(43, 100, 100, 200, 200)
    expect(JSON.stringify(framesOf(emf(...blueBrush, region, box)))).not.toContain(
      '"clip":{"ops":"MLLLZ","points":[0,0,1,',
    )
  })

  test('text at the current position begins where the blanks at the end of the text before it end', () => {
    const family = [...'Courier New'].map((letter) => letter.charCodeAt(0))
    // Ten points high by the em, in which every character of Courier New takes six points.
    const font = emfRecord(82, [
      ...words(3, -100, 0, 0, 0, 400, 0, 0),
      ...shorts(...family, ...new Array(32 - family.length).fill(0)),
    ])
    const text = (content: string) =>
      emfRecord(84, [
        ...words(0, 0, 0, 0, 1, 0, 0, 0, 0, content.length, 76, 0, 0, 0, 0, 0, 0),
        ...shorts(...[...content].map((letter) => letter.charCodeAt(0))),
      ])
    const placed = (align: number, ...texts: string[]) =>
      dumpTexts(framesOf(emf(font, record(37, 3), record(22, align), record(27, 100, 200), ...texts.map(text))))
    const [atPosition, atBaseline] = [1, 24]
    expect(placed(atBaseline | atPosition, 'ab  ', 'c')).toEqual(['60.0,70.0 ab', '84.0,70.0 c'])
    expect(placed(atBaseline | atPosition, 'ab', '  ', 'c').at(-1)).toBe('84.0,70.0 c')
    // Text at a place of its own moves nothing, and keeps no blanks that nobody sees.
    expect(placed(atBaseline, 'ab  ', 'c')).toEqual(['50.0,50.0 ab', '50.0,50.0 c'])
  })

  test('a picture that is stretched one way spreads text of two fonts as it spreads its letters', () => {
    // 200 logical units across and 100 down: letters are half as wide as they are high.
    const narrow = [record(17, 8), record(9, 2_000, 500), record(11, 1_000, 500)]
    const text = emfRecord(84, [
      ...words(0, 0, 0, 0, 1, 0, 0, 200, 200, 2, 76, 0, 0, 0, 0, 0, 0),
      ...shorts(0x57, 0x2197),
    ])
    const frames = (...before: number[][]) => {
      const found: { text: string; x: number }[] = []
      const visit = (all: readonly Frame[]) => {
        for (const frame of all) {
          if (frame.kind === 'text') found.push({ text: frame.text, x: frame.x })
          else if (frame.kind === 'group' || frame.kind === 'clip') visit(frame.frames)
        }
      }
      visit(framesOf(emf(...before, record(22, 24), text)))
      return found
    }
    const [first, second] = frames()
    const [narrowFirst, narrowSecond] = frames(...narrow)
    expect([first?.text, second?.text]).toEqual(['W', '↗'])
    expect(narrowSecond!.x - narrowFirst!.x).toBeCloseTo((second!.x - first!.x) / 2, 5)
  })

  test('bitmaps become pictures in the file', () => {
    const dib = [...words(40, 1, 1), ...shorts(1, 24), ...words(0, 4, 0, 0, 0, 0), 10, 20, 30, 0]
    const body = words(0, 0, 0, 0, 100, 100, 0, 0, 1, 1, 80, 40, 120, 4, 0, 0xcc0020, 200, 200)
    const { pdf, report } = renderingOf(documentOf(emf([...words(81, 8 + 72 + 44), ...body, ...dib]), 'emf'))
    expect(report.filter((finding) => finding.code === 'render.image_unreadable')).toEqual([])
    expect(Buffer.from(pdf).toString('latin1')).toContain('/Subtype/Image')
  })

  test('pixels with alpha let through what is below them, in their original colours', () => {
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

  test('a recording for GDI+ alone becomes a labelled box and is reported', () => {
    const plus = [...words(70, 24, 12), ...words(0x2b464d45, 0, 0)]
    const { report } = renderingOf(documentOf(emf(plus), 'emf'))
    expect(report.some((finding) => finding.code === 'render.image_unreadable')).toBe(true)
  })
})

describe('WMF', () => {
  test('windows fill the box, and objects are addressed by their slot', () => {
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

  test('an object made after a deletion takes the free slot', () => {
    const objects = [wmfRecord(0x2fc, 0, 0x00ff, 0, 0), wmfRecord(0x2fa, 5, 0, 0, 0, 0), wmfRecord(0x1f0, 0)]
    const again = [wmfRecord(0x2fc, 0, 0xff00, 0, 0), wmfRecord(0x12d, 0), wmfRecord(0x12d, 1)]
    const box = wmfRecord(0x41b, 200, 200, 100, 100)
    expect(dumpPaths(framesOf(wmf(...objects, ...again, box), 'wmf'))).toEqual([
      'M60,60 L70,60 L70,70 L60,70 Z fill 00FF00',
    ])
  })

  test('a file without a placeable header fills the box with the first window that it sets', () => {
    const window = [wmfRecord(0x20b, 100, 200), wmfRecord(0x20c, 50, 100)]
    const brush = [wmfRecord(0x2fc, 0, 0x00ff, 0, 0), wmfRecord(0x12d, 0), wmfRecord(0x2fa, 5, 0, 0, 0, 0)]
    const box = wmfRecord(0x41b, 125, 250, 100, 200)
    expect(dumpPaths(framesOf(bareWmf(...window, ...brush, wmfRecord(0x12d, 1), box), 'wmf'))).toEqual([
      'M50,50 L100,50 L100,75 L50,75 Z fill FF0000',
    ])
  })

  test('a file without a placeable header begins at zero where its window states no origin, whatever else it states', () => {
    const brush = [wmfRecord(0x2fc, 0, 0x00ff, 0, 0), wmfRecord(0x12d, 0), wmfRecord(0x2fa, 5, 0, 0, 0, 0)]
    const box = wmfRecord(0x41b, 25, 50, 0, 0)
    const drawn = (...before: number[][]) =>
      dumpPaths(framesOf(bareWmf(...before, wmfRecord(0x20c, 50, 100), ...brush, wmfRecord(0x12d, 1), box), 'wmf'))
    expect(drawn()).toEqual(['M50,50 L100,50 L100,75 L50,75 Z fill FF0000'])
    // The alignment of text is no origin.
    expect(drawn(wmfRecord(0x12e, 24, 8))).toEqual(drawn())
  })

  test("a font's name ends at its first zero, whatever follows it", () => {
    const name = [...Buffer.from('Georgia\0left over\0')]
    const body = [...shorts(-100, 0, 0, 0, 400), 0, 0, 0, 0, 0, 0, 0, 0, ...name]
    const text = wmfRecord(0x521, 2, 0x6b4f, 200, 100)
    const frames = framesOf(wmf(wmfBytes(0x2fb, body), wmfRecord(0x12d, 0), text), 'wmf')
    expect(JSON.stringify(frames)).toContain('"family":"Gelasio"')
  })

  test('text stays text', () => {
    const font = [...words(3 + 12), ...shorts(0x2fb, -100, 0, 0, 0, 400, 0, 0, 0, 0), ...Buffer.from('Arial\0')]
    const text = wmfRecord(0x521, 2, 0x6b4f, 200, 100)
    expect(dumpTexts(framesOf(wmf(font, wmfRecord(0x12d, 0), wmfRecord(0x12e, 24), text), 'wmf'))).toEqual([
      '60.0,70.0 Ok',
    ])
  })
})

describe('the names of records', () => {
  /** Names and numbers as [MS-EMF] 2.1.1 and [MS-WMF] 2.1.1.1 have them. */
  test('stand for the numbers of the standards', () => {
    expect(EMR).toEqual({
      ...{ polyBezier: 2, polygon: 3, polyline: 4, polyBezierTo: 5, polylineTo: 6, polyPolyline: 7, polyPolygon: 8 },
      ...{ setWindowExtentEx: 9, setWindowOriginEx: 10, setViewportExtentEx: 11, setViewportOriginEx: 12 },
      ...{ endOfFile: 14, setMapMode: 17, setPolyFillMode: 19, setTextAlign: 22, setTextColor: 24 },
      ...{ setBackgroundColor: 25, moveToEx: 27, intersectClipRect: 30, saveDc: 33, restoreDc: 34 },
      ...{ setWorldTransform: 35, modifyWorldTransform: 36, selectObject: 37, createPen: 38, createBrushIndirect: 39 },
      ...{ deleteObject: 40, ellipse: 42, rectangle: 43, roundRect: 44, arc: 45, chord: 46, pie: 47, lineTo: 54 },
      ...{ beginPath: 59, endPath: 60, closeFigure: 61, fillPath: 62, strokeAndFillPath: 63, strokePath: 64 },
      ...{ selectClipPath: 67, abortPath: 68, comment: 70, extSelectClipRegion: 75, bitBlt: 76, stretchBlt: 77 },
      ...{ setDiBitsToDevice: 80, stretchDiBits: 81, extCreateFontIndirect: 82, extTextOutA: 83, extTextOutW: 84 },
      ...{ polyBezier16: 85, polygon16: 86, polyline16: 87, polyBezierTo16: 88, polylineTo16: 89 },
      ...{ polyPolyline16: 90, polyPolygon16: 91, createMonoBrush: 93, createDibPatternBrush: 94 },
      ...{ extCreatePen: 95, alphaBlend: 114 },
    })
    expect(META).toEqual({
      ...{ endOfFile: 0x0000, saveDc: 0x001e, createPalette: 0x00f7, setPolyFillMode: 0x0106, restoreDc: 0x0127 },
      ...{ selectClipRegion: 0x012c, selectObject: 0x012d, setTextAlign: 0x012e, dibCreatePatternBrush: 0x0142 },
      ...{ deleteObject: 0x01f0, createPatternBrush: 0x01f9, setBackgroundColor: 0x0201, setTextColor: 0x0209 },
      ...{ setWindowOrigin: 0x020b, setWindowExtent: 0x020c, offsetWindowOrigin: 0x020f, lineTo: 0x0213 },
      ...{ moveTo: 0x0214, createPenIndirect: 0x02fa, createFontIndirect: 0x02fb, createBrushIndirect: 0x02fc },
      ...{ polygon: 0x0324, polyline: 0x0325, intersectClipRect: 0x0416, ellipse: 0x0418, rectangle: 0x041b },
      ...{ textOut: 0x0521, polyPolygon: 0x0538, roundRect: 0x061c, patternBlt: 0x061d, createRegion: 0x06ff },
      ...{ arc: 0x0817, pie: 0x081a, chord: 0x0830, dibBitBlt: 0x0940, extTextOut: 0x0a32, dibStretchBlt: 0x0b41 },
      ...{ setDibToDevice: 0x0d33, stretchDib: 0x0f43 },
    })
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
  test('are drawn up to the limit', () => {
    const lines = Array.from({ length: limits.renderMetafileRecords + 50 }, () => record(54, 5, 5))
    expect(dumpPaths(framesOf(emf(...lines))).length).toBe(limits.renderMetafileRecords)
  })

  test('are never read beyond their end', () => {
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

test('a bitmap of 16 bits a pixel that ends within its masks is read without them', () => {
  const header = Uint8Array.from([...words(40, 1, 1), ...shorts(1, 16), ...words(3, 4)])
  const file = bitmapFile({ header, pixels: new Uint8Array(0) })
  const cut = new Uint8Array(58)
  cut.set(file)
  new DataView(cut.buffer).setUint32(10, 54, true)
  expect(readBmp(cut)).toMatchObject({ width: 1, height: 1 })
})
