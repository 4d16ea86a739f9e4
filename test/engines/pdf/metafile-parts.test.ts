import { describe, expect, test } from 'bun:test'
import type { Frame, Matrix, Outline, TextFrame } from '../../../src/engines/pdf/frame/frame.ts'
import { apply, identity, multiply, placeOf } from '../../../src/engines/pdf/frame/matrix.ts'
import { bitmapFile, unpackBitmap, withOpacity } from '../../../src/engines/pdf/layout/metafile/dib.ts'
import {
  arcIn,
  areaOf,
  bezier,
  ellipseIn,
  polylines,
  roundRectangle,
} from '../../../src/engines/pdf/layout/metafile/figures.ts'
import { brushOf, fontOf, HandleTable, PlaceTable, penOf } from '../../../src/engines/pdf/layout/metafile/objects.ts'
import { RecordReader } from '../../../src/engines/pdf/layout/metafile/reader.ts'
import { initialState, mappingOf, select } from '../../../src/engines/pdf/layout/metafile/state.ts'
import {
  bareWmf,
  bitmap24,
  emf,
  emfRecord,
  floats,
  record,
  shorts,
  wmf,
  wmfBytes,
  wmfRecord,
  words,
} from './metafile-files.ts'
import { dumpPaths, layoutOf, picture, wordDocument } from './word.ts'

/* The metafiles fill 100 × 50 pt at 50, 50 of the page with 1,000 × 500 units: ten of them are a point. */
const framesOf = (bytes: Uint8Array, kind: 'emf' | 'wmf' = 'emf') =>
  layoutOf(
    wordDocument(`<w:p><w:r>${picture('image1', 100, 50)}</w:r></w:p>`, { media: { [`image1.${kind}`]: bytes } }),
  ).pages[0]!.frames
const pathsOf = (...records: number[][]) => dumpPaths(framesOf(emf(...records)))
const STOCK = 0x80000000
const noPen = record(37, (STOCK + 8) | 0)
const noBrush = record(37, (STOCK + 5) | 0)
const redPen = [record(38, 1, 0, 10, 0, 0x0000ff), record(37, 1)]
const blueBrush = [record(39, 2, 0, 0xff0000, 0), record(37, 2)]
const box = (left: number, top: number, right: number, bottom: number) => record(43, left, top, right, bottom)
const rounded = (values: readonly number[]) => values.map((value) => Math.round(value * 100) / 100 || 0)
const dumpOutline = ({ ops, points }: Outline) => `${ops} ${rounded(points).join(' ')}`

/** Every frame of a kind in page coordinates, within groups too. */
function placed<K extends Frame['kind']>(frames: readonly Frame[], kind: K, matrix: Matrix = identity) {
  type Placed = { frame: Extract<Frame, { kind: K }>; x: number; y: number; matrix: Matrix }
  return frames.flatMap((frame): Placed[] => {
    const own: Placed[] = []
    if (frame.kind === kind) {
      const [x, y] = 'x' in frame ? apply(matrix, frame.x, frame.y) : [0, 0]
      own.push({ frame: frame as Placed['frame'], x, y, matrix })
    }
    if (frame.kind === 'clip') own.push(...placed(frame.frames, kind, matrix))
    if (frame.kind === 'group') own.push(...placed(frame.frames, kind, multiply(matrix, placeOf(frame))))
    return own
  })
}
/** The corners of what each group in the picture is clipped to, and how many frames are in it. */
const clipsOf = (...records: number[][]) => innerClips(framesOf(emf(...records)))
const innerClips = (frames: readonly Frame[]) =>
  placed(frames, 'group')
    .slice(1)
    .flatMap(({ frame, matrix }) => {
      if (!frame.clip) return []
      const { points } = frame.clip
      const inside = multiply(matrix, placeOf(frame))
      const [from, to] = [apply(inside, points[0]!, points[1]!), apply(inside, points[4]!, points[5]!)]
      return [`${rounded([...from, ...to]).join(' ')}: ${frame.frames.length}`]
    })

describe('the values of a record', () => {
  const reader = new RecordReader(new Uint8Array([0x01, 0x82, 0xff, 0x7f, 0xfe, 0xff, 0xff, 0xff, 0, 0, 0x80, 0x3f]))

  test('are little-endian, with or without a sign', () => {
    expect([reader.u8(0), reader.u8(1), reader.u8(11)]).toEqual([1, 0x82, 0x3f])
    expect([reader.i16(0), reader.u16(0), reader.i16(10), reader.u16(10)]).toEqual([-32_255, 33_281, 16_256, 16_256])
    expect([reader.i32(4), reader.u32(4), reader.i32(8), reader.u32(8)]).toEqual([
      -2, 0xfffffffe, 0x3f800000, 0x3f800000,
    ])
    expect([reader.f32(8), reader.color(0), reader.length]).toEqual([1, '0182FF', 12])
    expect(new RecordReader(new Uint8Array(floats(Number.NaN, Number.POSITIVE_INFINITY))).f32(4)).toBe(0)
  })

  test('are 0 where they are not whole, before the record and behind it', () => {
    for (const at of [-1, 11, 12]) expect([at, reader.u16(at), reader.i16(at)]).toEqual([at, 0, 0])
    for (const at of [-1, 9, 12]) expect([at, reader.u32(at), reader.i32(at), reader.f32(at)]).toEqual([at, 0, 0, 0])
    expect([reader.u8(-1), reader.u8(12)]).toEqual([0, 0])
  })

  test('are points, sizes and bounds in the order of the standard', () => {
    const wide = new RecordReader(new Uint8Array(words(9, 1, -2, 3, 4)))
    expect(wide.pointL(4)).toEqual({ x: 1, y: -2 })
    expect(wide.sizeL(4)).toEqual({ width: 1, height: -2 })
    expect(wide.rectL(4)).toEqual({ left: 1, top: -2, right: 3, bottom: 4 })
    expect(new RecordReader(new Uint8Array(shorts(9, 1, -2, 3, 4))).rectS(2)).toEqual({
      left: 1,
      top: -2,
      right: 3,
      bottom: 4,
    })
    expect(wide.pointsL(4, 2)).toEqual([1, -2, 3, 4])
    expect(wide.pointsL(4, 1)).toEqual([1, -2])
    expect(wide.pointsL(4, 9)).toEqual([1, -2, 3, 4])
    expect(wide.pointsL(8, 9)).toEqual([-2, 3])
    expect(wide.pointsL(4, -1)).toEqual([])
    const narrow = new RecordReader(new Uint8Array(shorts(9, 1, -2, 3, 4, 5)))
    expect([narrow.pointsS(2, 9), narrow.pointsS(2, 1), narrow.pointsS(4, 9)]).toEqual([
      [1, -2, 3, 4],
      [1, -2],
      [-2, 3, 4, 5],
    ])
  })

  test('are cut to the record where they are bytes', () => {
    expect([...reader.slice(1, 2)]).toEqual([0x82, 0xff])
    expect([...reader.slice(-3, 1)]).toEqual([1])
    expect([...reader.slice(10, 9)]).toEqual([0x80, 0x3f])
    expect([...reader.slice(2, -1)]).toEqual([])
  })
})

describe('the tools of a metafile', () => {
  test('are pens whose style says dashes, end and join', () => {
    const pen = { kind: 'pen', color: 'ABCDEF', width: 3, dash: [], cap: 'round', join: 'round' } as const
    expect(penOf(0, 3, 'ABCDEF')).toEqual(pen)
    expect(penOf(0, -3, 'ABCDEF')).toEqual(pen)
    expect([1, 2, 3, 4, 6].map((style) => penOf(style, 1, '0').dash)).toEqual([
      [3, 1],
      [1, 1],
      [3, 1, 1, 1],
      [3, 1, 1, 1, 1, 1],
      [],
    ])
    expect([5, 0x10005].map((style) => penOf(style, 1, '0').color)).toEqual([undefined, undefined])
    expect([0x000, 0x100, 0x200, 0x300].map((style) => penOf(style, 1, '0').cap)).toEqual([
      'round',
      'square',
      'butt',
      'round',
    ])
    expect([0x0000, 0x1000, 0x2000, 0x3000].map((style) => penOf(style, 1, '0').join)).toEqual([
      'round',
      'bevel',
      'miter',
      'round',
    ])
    expect(penOf(0x12101, 1, '0')).toMatchObject({ dash: [3, 1], cap: 'square', join: 'miter' })
  })

  test('are brushes that fill, fill nothing, or have the gray of their pattern', () => {
    const colors = [0, 1, 2, 3, 5].map((style) => brushOf(style, '000000').color)
    // A hatch covers two fifths of the white behind it.
    expect(colors).toEqual(['000000', undefined, '999999', 'C0C0C0', 'C0C0C0'])
    expect(brushOf(0, '123456').kind).toBe('brush')
  })

  test('are fonts, bold from a weight of 600 on, Arial without a name', () => {
    const font = { family: 'X', height: -7, italic: true, underline: false, escapement: 5 }
    expect(fontOf({ ...font, weight: 600 })).toEqual({ kind: 'font', ...font, bold: true })
    expect(fontOf({ ...font, weight: 599 }).bold).toBe(false)
    expect(fontOf({ ...font, family: '', weight: 400 }).family).toBe('Arial')
  })

  test('are there without being made, under the handles of the stock', () => {
    const table = new HandleTable()
    const of = (index: number) => table.get(STOCK + index)
    const brushes = [0, 1, 2, 3, 4, 5].map(of)
    expect(brushes).toEqual(
      ['FFFFFF', 'C0C0C0', '808080', '404040', '000000', undefined].map((color) => ({ kind: 'brush', color })),
    )
    const pen = { kind: 'pen', width: 0, dash: [], cap: 'butt', join: 'round' } as const
    expect([6, 7, 8].map(of)).toEqual(['FFFFFF', '000000', undefined].map((color) => ({ ...pen, color })))
    const font = { kind: 'font', height: 0, bold: false, italic: false, underline: false, escapement: 0 }
    expect([10, 11, 12, 13, 14].map(of)).toEqual(
      ['Courier New', 'Courier New', 'Arial', 'Arial', 'Arial'].map((family) => ({ ...font, family }) as never),
    )
    expect([9, 15].map(of)).toEqual([{ kind: 'unused' }, undefined])
    table.put(3, { kind: 'unused' })
    expect(table.get(3)).toEqual({ kind: 'unused' })
    table.delete(3)
    expect(table.get(3)).toBeUndefined()
  })

  test('of a WMF take the first free place', () => {
    const table = new PlaceTable()
    const brush = (color: string) => ({ kind: 'brush', color }) as const
    for (const color of ['a', 'b', 'c']) table.add(brush(color))
    const colors = () => [0, 1, 2, 3].map((place) => (table.get(place) as { color?: string } | undefined)?.color)
    table.delete(2)
    table.delete(0)
    table.delete(9)
    table.add(brush('d'))
    table.add(brush('e'))
    table.add(brush('f'))
    expect(colors()).toEqual(['d', 'b', 'e', 'f'])
    table.delete(1)
    expect(colors()).toEqual(['d', undefined, 'e', 'f'])
  })

  test('are selected by their kind', () => {
    const state = initialState()
    const { pen, brush, font } = state
    select(state, undefined)
    select(state, { kind: 'unused' })
    expect([state.pen, state.brush, state.font]).toEqual([pen, brush, font])
    const [newPen, newBrush] = [penOf(0, 5, '111111'), brushOf(0, '222222')]
    const newFont = fontOf({ family: 'F', height: 1, italic: false, underline: false, escapement: 0, weight: 1 })
    for (const tool of [newPen, newBrush, newFont]) select(state, tool)
    expect([state.pen, state.brush, state.font]).toEqual([newPen, newBrush, newFont])
  })

  test('are at first a black pen, a white brush, black text on white, and even-odd filling', () => {
    expect(initialState()).toEqual({
      mode: 1,
      window: { x: 0, y: 0, width: 1, height: 1 },
      viewport: { x: 0, y: 0, width: 1, height: 1 },
      world: [1, 0, 0, 1, 0, 0],
      pen: { kind: 'pen', color: '000000', width: 0, dash: [], cap: 'butt', join: 'round' },
      brush: { kind: 'brush', color: 'FFFFFF' },
      font: { kind: 'font', family: 'Arial', height: 0, bold: false, italic: false, underline: false, escapement: 0 },
      textColor: '000000',
      backColor: 'FFFFFF',
      align: 0,
      evenOdd: true,
      clip: undefined,
      position: { x: 0, y: 0 },
    })
  })
})

describe('the mapping of logical units', () => {
  const window = { x: 5, y: 7, width: 100, height: 50 }
  const viewport = { x: 20, y: 30, width: 300, height: 100 }
  const mapped = (mode: number, changes = {}) => {
    const found = mappingOf({ ...initialState(), mode, window, viewport, ...changes }, 20)
    return found.map((value) => Math.round(value * 1e6) / 1e6 || 0)
  }

  test('moves by both origins, and scales by both extents in the modes that have them', () => {
    expect(mapped(1)).toEqual([1, 0, 0, 1, 15, 23])
    for (const mode of [7, 8]) expect(mapped(mode)).toEqual([3, 0, 0, 2, 20 - 15, 30 - 14])
    expect(mapped(8, { window: { x: 0, y: 0, width: 0, height: 0 } })).toEqual([300, 0, 0, 100, 20, 30])
    expect(mapped(0)).toEqual([1, 0, 0, 1, 15, 23])
  })

  test('counts upwards in millimetres, inches and twips', () => {
    const units = [0.1, 0.01, 0.254, 0.0254, 25.4 / 1_440]
    for (const [index, unit] of units.entries()) {
      const [a, b, c, d, e, f] = mapped(index + 2)
      const scale = unit * 20
      expect([a, b, c, d]).toEqual([scale, 0, 0, -scale].map((value) => Math.round(value * 1e6) / 1e6))
      expect(e).toBeCloseTo(20 - 5 * scale, 5)
      expect(f).toBeCloseTo(30 + 7 * scale, 5)
    }
  })
})

describe('the figures of GDI', () => {
  const bounds = { left: 10, top: 20, right: 50, bottom: 40 }
  const swapped = { left: 50, top: 40, right: 10, bottom: 20 }

  test('are areas and ellipses within their bounds', () => {
    expect(areaOf(bounds)).toEqual({ x: 10, y: 20, width: 40, height: 20 })
    for (const given of [bounds, swapped]) {
      const { points } = ellipseIn(given)
      const [across, down] = [0, 1].map((rest) => points.filter((_, index) => index % 2 === rest))
      expect([Math.min(...across!), Math.max(...across!), Math.min(...down!), Math.max(...down!)]).toEqual([
        10, 50, 20, 40,
      ])
    }
  })

  test('are rectangles whose corners are quarters of an ellipse, and no larger than they are', () => {
    const ends = (outline: Outline) => {
      let at = 0
      return [...outline.ops].flatMap((op) => {
        if (op === 'Z') return []
        at += op === 'C' ? 6 : 2
        return [rounded(outline.points.slice(at - 2, at)).join(',')]
      })
    }
    const corners = ['10,24', '18,20', '42,20', '50,24', '50,36', '42,40', '18,40', '10,36']
    expect(ends(roundRectangle(bounds, { width: 16, height: 8 }))).toEqual(corners)
    expect(ends(roundRectangle(swapped, { width: -16, height: -8 }))).toEqual(corners)
    expect(ends(roundRectangle(bounds, { width: 999, height: 999 }))).toEqual([
      ...['10,30', '30,20', '30,20', '50,30', '50,30', '30,40', '30,40', '10,30'],
    ])
    expect(roundRectangle(bounds, { width: 16, height: 8 }).ops).toBe('MCLCLCLCZ')
  })

  test('are arcs that go anticlockwise from one ray to the other', () => {
    const [right, top, left] = [
      { x: 90, y: 30 },
      { x: 30, y: 0 },
      { x: 0, y: 30 },
    ]
    const arc = (from: typeof right, to: typeof right, kind: 'open' | 'chord' | 'pie') => {
      const { ops, points } = arcIn(bounds, from, to, kind)
      return `${ops} ${rounded(points.slice(0, 2)).join(',')} ${rounded(points.slice(-2)).join(',')}`
    }
    expect(arc(right, top, 'open')).toBe('MC 50,30 30,20')
    expect(arc(right, left, 'open')).toBe('MCC 50,30 10,30')
    expect(arc(top, right, 'open')).toBe('MCCC 30,20 50,30')
    expect(arc(right, right, 'open')).toBe('MCCCC 50,30 50,30')
    expect(arc(right, top, 'chord')).toBe('MCZ 50,30 30,20')
    expect(arc(right, top, 'pie')).toBe('MCLZ 50,30 30,30')
    expect(rounded(arcIn(bounds, right, left, 'open').points.slice(6, 8))).toEqual([30, 20])
    expect(arcIn({ left: 5, top: 5, right: 5, bottom: 5 }, right, top, 'open').points.every(Number.isFinite)).toBe(true)
  })

  test('are curves of three points each, and lists of lines', () => {
    expect(dumpOutline(bezier([1, 2, 3, 4, 5, 6, 7, 8, 9, 9, 9, 9]))).toBe('MC 1 2 3 4 5 6 7 8')
    expect(dumpOutline(bezier([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14]))).toBe(
      'MCC 1 2 3 4 5 6 7 8 9 10 11 12 13 14',
    )
    expect(dumpOutline(bezier([1, 2]))).toBe('M 1 2')
    expect(bezier([1]).ops).toBe('')
    const lists = [
      [1, 2, 3, 4],
      [5, 6, 7, 8, 9, 10],
    ]
    expect(dumpOutline(polylines(lists, 'open'))).toBe('MLMLL 1 2 3 4 5 6 7 8 9 10')
    expect(dumpOutline(polylines(lists, 'closed'))).toBe('MLZMLLZ 1 2 3 4 5 6 7 8 9 10')
  })
})

describe('bitmaps without a file header', () => {
  const dib = (size: number, depth: number, used: number, compression = 0) =>
    new Uint8Array([
      ...words(size, 1, 1),
      ...shorts(1, depth),
      ...words(compression, 0, 0, 0, used, 0),
      ...Array(2_000).fill(7),
    ])
  const headerOf = (bytes: Uint8Array) => unpackBitmap(bytes).header.length

  test('have their palette and masks behind their header, then their pixels', () => {
    expect(headerOf(dib(40, 24, 0))).toBe(40)
    expect([1, 4, 8].map((depth) => headerOf(dib(40, depth, 0)))).toEqual([40 + 8, 40 + 64, 40 + 1_024])
    expect([5, 256, 257].map((used) => headerOf(dib(40, 8, used)))).toEqual([40 + 20, 40 + 1_024, 40 + 1_024])
    expect(headerOf(dib(40, 24, 5))).toBe(40)
    expect([headerOf(dib(40, 16, 0, 3)), headerOf(dib(108, 16, 0, 3))]).toEqual([52, 108])
    const { header, pixels } = unpackBitmap(dib(40, 24, 0))
    expect([header[0], pixels[0], pixels.length]).toEqual([40, 7, 2_000])
  })

  test('are nothing but a header if that is no known one', () => {
    const bytes = dib(40, 24, 0).length
    expect([39, 40, 1_000, 1_001].map((size) => headerOf(dib(size, 24, 0)))).toEqual([bytes, 40, 1_000, bytes])
  })

  test('become files that say how long they are and where the pixels begin', () => {
    const file = bitmapFile({ header: new Uint8Array([1, 2, 3]), pixels: new Uint8Array([4, 5]) })
    expect([...file]).toEqual([0x42, 0x4d, 19, 0, 0, 0, 0, 0, 0, 0, 17, 0, 0, 0, 1, 2, 3, 4, 5])
  })

  test('get masks for their opacity, and the colours that it was multiplied with', () => {
    const header = new Uint8Array([...words(40, 1, 3), ...shorts(1, 32), ...words(0, 0, 0, 0, 0, 0)])
    const given = new Uint8Array([10, 20, 30, 51, 1, 2, 3, 255, 9, 9, 9, 0, 200, 0, 0, 100])
    const { header: described, pixels } = withOpacity({ header, pixels: given })!
    const reader = new RecordReader(described)
    expect([described.length, reader.u32(0), reader.u16(14), reader.u32(16)]).toEqual([108, 108, 32, 3])
    expect([40, 44, 48, 52, 56].map((at) => reader.u32(at))).toEqual([0xff0000, 0xff00, 0xff, 0xff000000, 0])
    // A fifth of opacity: five times the colour, which is 255 at most.
    expect([...pixels]).toEqual([50, 100, 150, 51, 1, 2, 3, 255, 9, 9, 9, 0, 255, 0, 0, 100])
    header[14] = 24
    expect(withOpacity({ header, pixels: given })).toBeUndefined()
  })
})

describe('the records of an EMF', () => {
  const moved = (...records: number[][]) =>
    pathsOf(...blueBrush, noPen, ...records, box(0, 0, 10, 10))[0]!.split(' ')[0]
  const world = (...values: number[]) => emfRecord(35, floats(...values))
  const modify = (mode: number, ...values: number[]) => emfRecord(36, [...floats(...values), ...words(mode)])

  test('set, replace and multiply the world transform on either side', () => {
    const base = world(2, 0, 0, 3, 100, 50)
    const shift = [1, 0, 0, 1, 10, 20]
    expect(moved(base)).toBe('M60,55')
    // The added one first: (10, 20) becomes (120, 110). Last: (100, 50) becomes (110, 70).
    expect(moved(base, modify(2, ...shift))).toBe('M62,61')
    expect(moved(base, modify(3, ...shift))).toBe('M61,57')
    expect(moved(base, modify(1, ...shift))).toBe('M50,50')
    expect(moved(base, modify(4, ...shift))).toBe('M51,52')
    expect(moved(base, modify(5, ...shift))).toBe('M60,55')
    expect(pathsOf(...blueBrush, noPen, world(0, 1, -2, 0, 100, 0), box(10, 0, 20, 10))[0]).toBe(
      'M60,51 L60,52 L58,52 L58,51 Z fill 0000FF',
    )
  })

  test('fill the box with the frame of the header, wherever that begins', () => {
    const framed = (left: number, top: number, right: number, bottom: number) => {
      const file = emf(...blueBrush, noPen, box(200, 100, 300, 200))
      for (const [index, value] of [left, top, right, bottom].entries())
        new DataView(file.buffer).setInt32(24 + index * 4, value, true)
      return dumpPaths(framesOf(file))[0]
    }
    // Hundredths of a millimetre, of which ten are a unit of the device.
    expect(framed(0, 0, 10_000, 5_000)).toBe('M70,60 L80,60 L80,70 L70,70 Z fill 0000FF')
    expect(framed(1_000, 500, 11_000, 5_500)).toBe('M60,55 L70,55 L70,65 L60,65 Z fill 0000FF')
    expect(framed(1_000, 500, 6_000, 1_750)).toBe('M70,70 L90,70 L90,110 L70,110 Z fill 0000FF')
  })

  test('set origin and extent of window and viewport one by one', () => {
    const mode = record(17, 8)
    expect(moved(mode, record(9, 100, 50), record(11, 200, 200), box(0, 0, 10, 10))).toBe('M50,50')
    const both = [mode, record(9, 100, 50), record(10, -10, -20), record(11, 200, 200), record(12, 30, 40)]
    // 10 units are 20, 20 units are 80, and the viewport begins at 30, 40.
    expect(moved(...both)).toBe('M55,62')
    const twice = [record(10, 0, 0), record(9, 100, 50), record(12, 0, 0)]
    expect(moved(...both, ...twice)).toBe('M50,50')
  })

  test('restore the last state, or one by its number, and drop those saved after it', () => {
    const at = (x: number) => world(1, 0, 0, 1, x, 0)
    const saved = [at(100), record(33), at(200), record(33), at(300)]
    expect(moved(...saved, record(34, -1))).toBe('M70,50')
    expect(moved(...saved, record(34, -2))).toBe('M60,50')
    expect(moved(...saved, record(34, 1))).toBe('M60,50')
    expect(moved(...saved, record(34, 2))).toBe('M70,50')
    for (const none of [-3, 0, 3]) expect(moved(...saved, record(34, none))).toBe('M80,50')
    expect(moved(...saved, record(34, -1), record(34, -1))).toBe('M60,50')
    expect(moved(...saved, record(34, 1), record(34, -1), at(400), record(34, 1))).toBe('M90,50')
    const many = Array.from({ length: 300 }, () => record(33))
    expect(moved(...many, at(100), record(34, -256))).toBe('M50,50')
    expect(moved(...many, at(100), record(34, -257))).toBe('M60,50')
  })

  test('draw curves, lines and polygons, closed and filled only as polygons', () => {
    const points = [100, 0, 200, 0, 300, 100, 400, 100]
    const wide = (type: number) => record(type, 0, 0, 0, 0, points.length / 2, ...points)
    const narrow = (type: number) => emfRecord(type, [...words(0, 0, 0, 0, points.length / 2), ...shorts(...points)])
    const curve = 'M60,50 C70,50 80,60 90,60 stroke FF0000 1'
    const open = 'M60,50 L70,50 L80,60 L90,60 stroke FF0000 1'
    const closed = 'M60,50 L70,50 L80,60 L90,60 Z fill 0000FF stroke FF0000 1'
    const tools = [...redPen, ...blueBrush, record(27, 0, 0)]
    const figures: [number, number, string][] = [
      [2, 85, curve],
      [3, 86, closed],
      [4, 87, open],
      [6, 89, `M50,50 L${open.slice(1)}`],
    ]
    for (const [first, second, expected] of figures) {
      expect(pathsOf(...tools, wide(first))).toEqual([expected])
      expect(pathsOf(...tools, narrow(second))).toEqual([expected])
    }
    // A curve from the current position has three points.
    const three = points.slice(0, 6)
    const on = 'M50,50 C60,50 70,50 80,60 stroke FF0000 1'
    expect(pathsOf(...tools, record(5, 0, 0, 0, 0, 3, ...three))).toEqual([on])
    expect(pathsOf(...tools, emfRecord(88, [...words(0, 0, 0, 0, 3), ...shorts(...three)]))).toEqual([on])
    for (const to of [record(5, 0, 0, 0, 0, 3, ...three), record(6, 0, 0, 0, 0, 3, ...three)])
      expect(pathsOf(...tools, to, record(54, 0, 0)).at(-1)).toBe('M80,60 L50,50 stroke FF0000 1')
    expect(pathsOf(...tools, wide(4), record(54, 0, 100)).at(-1)).toBe('M50,50 L50,60 stroke FF0000 1')
  })

  test('draw several polygons or lines at once', () => {
    const points = [0, 0, 100, 0, 100, 100, 200, 200, 300, 200]
    const wide = (type: number) => record(type, 0, 0, 0, 0, 2, 5, 3, 2, ...points)
    const narrow = (type: number) => emfRecord(type, [...words(0, 0, 0, 0, 2, 5, 3, 2), ...shorts(...points)])
    const tools = [...redPen, ...blueBrush]
    for (const polygons of [wide(8), narrow(91)])
      expect(pathsOf(...tools, polygons)).toEqual([
        'M50,50 L60,50 L60,60 Z M70,70 L80,70 Z fill 0000FF stroke FF0000 1',
      ])
    for (const lines of [wide(7), narrow(90)])
      expect(pathsOf(...tools, lines)).toEqual(['M50,50 L60,50 L60,60 M70,70 L80,70 stroke FF0000 1'])
    // Lists beyond the points are none, and a longer one has what is left.
    expect(pathsOf(...tools, record(7, 0, 0, 0, 0, 3, 3, 2, 9, 9, 0, 0, 100, 0, 100, 100))).toEqual([
      'M50,50 L60,50 M60,60 stroke FF0000 1',
    ])
  })

  test('draw ellipses, round rectangles, arcs, chords and pies', () => {
    const tools = [...redPen, ...blueBrush]
    const corners = [100, 100, 300, 200]
    const rays = [900, 150, 200, 0]
    const ops = (drawn: string[]) => drawn.map((path) => path.replace(/ (fill|stroke).*/, '').replace(/[^A-Z]/g, ''))
    expect(ops(pathsOf(...tools, record(42, ...corners)))[0]).toBe('MCCCCZ')
    expect(pathsOf(...tools, record(42, ...corners))[0]).toContain('M80,65 ')
    expect(ops(pathsOf(...tools, record(44, ...corners, 40, 20)))[0]).toBe('MCLCLCLCZ')
    expect(pathsOf(...tools, record(44, ...corners, 40, 20))[0]).toStartWith('M60,61 C')
    const [arc] = pathsOf(...tools, record(45, ...corners, ...rays))
    expect([arc!.startsWith('M80,65 C'), arc!.endsWith('70,60 stroke FF0000 1')]).toEqual([true, true])
    expect(pathsOf(...tools, record(46, ...corners, ...rays))[0]).toEndWith('70,60 Z fill 0000FF stroke FF0000 1')
    expect(pathsOf(...tools, record(47, ...corners, ...rays))[0]).toEndWith(
      '70,60 L70,65 Z fill 0000FF stroke FF0000 1',
    )
  })

  test('paint nothing without pen and brush, and thin lines as wide as a unit of the device', () => {
    expect(pathsOf(noPen, noBrush, box(0, 0, 10, 10))).toEqual([])
    expect(pathsOf(noBrush, box(0, 0, 10, 10))[0]).toEndWith('Z stroke 000000 0.1')
    expect(pathsOf(noPen, box(0, 0, 10, 10))[0]).toEndWith('Z fill FFFFFF')
    const pen = (width: number) => [record(38, 1, 0, width, 0, 0x0000ff), record(37, 1), noBrush]
    expect(pathsOf(...pen(40), box(0, 0, 10, 10))[0]).toEndWith('Z stroke FF0000 4')
    // A unit that is 4 times as wide and 9 times as high is 6 times as large for a line.
    expect(pathsOf(...pen(10), world(4, 0, 0, 9, 0, 0), box(0, 0, 10, 10))[0]).toEndWith('Z stroke FF0000 6')
    const extended = emfRecord(95, words(1, 0, 0, 0, 0, 0x12101, 20, 0, 0x00ff00, 0, 0))
    const [line] = placed(framesOf(emf(extended, record(37, 1), record(54, 100, 0))), 'path')
    expect(line!.frame.stroke).toMatchObject({ color: '00FF00', width: 2, cap: 'square', join: 'miter' })
  })

  test('fill with the color, hatch or pattern of their brush, by the rule that they state', () => {
    const fill = (...records: number[][]) =>
      /fill (\S+)/.exec(pathsOf(noPen, ...records, box(0, 0, 9, 9))[0] ?? '')?.[1]
    expect(fill(record(39, 2, 2, 0, 0), record(37, 2))).toBe('999999')
    expect(fill(emfRecord(93, words(2)), record(37, 2))).toBe('C0C0C0')
    expect(fill(emfRecord(94, words(2)), record(37, 2))).toBe('C0C0C0')
    expect(fill(record(39, 2, 0, 0x123456, 0), record(37, 2), record(40, 2), record(37, 2))).toBe('563412')
    const rule = (mode: number) => placed(framesOf(emf(record(19, mode), box(0, 0, 9, 9))), 'path')[0]!.frame.evenOdd
    expect([rule(1), rule(2)]).toEqual([true, false])
  })

  describe('make a path', () => {
    const [begin, end, close, abort] = [59, 60, 61, 68].map((type) => record(type))
    const [fill, both, stroke] = [62, 63, 64].map((type) => record(type, 0, 0, 0, 0))
    const tools = [...redPen, ...blueBrush]
    const angle = [record(27, 0, 0), record(54, 100, 0), record(54, 100, 100)]

    test('that is filled, stroked or both, once', () => {
      const outline = 'M50,50 L60,50 L60,60'
      const drawn = (...painting: number[][]) => pathsOf(...tools, begin!, ...angle, end!, ...painting)
      expect(drawn(fill!)).toEqual([`${outline} fill 0000FF`])
      expect(drawn(stroke!)).toEqual([`${outline} stroke FF0000 1`])
      expect(drawn(both!)).toEqual([`${outline} fill 0000FF stroke FF0000 1`])
      expect(drawn(stroke!, stroke!)).toHaveLength(1)
      expect(drawn()).toEqual([])
      expect(drawn(begin!, end!, stroke!)).toEqual(drawn(begin!, end!, stroke!))
    })

    test('whose lines go on where it has ended, and begin a figure elsewhere', () => {
      const lines = [record(4, 0, 0, 0, 0, 2, 100, 100, 200, 100), record(4, 0, 0, 0, 0, 2, 300, 300, 400, 300)]
      expect(pathsOf(...tools, begin!, ...angle, ...lines, close!, end!, stroke!)).toEqual([
        'M50,50 L60,50 L60,60 L70,60 M80,80 L90,80 Z stroke FF0000 1',
      ])
      const curves = [box(0, 0, 10, 10), record(2, 0, 0, 0, 0, 4, 1, 0, 2, 0, 3, 0, 4, 0)]
      expect(pathsOf(...tools, begin!, ...curves, end!, stroke!)[0]).toBe(
        'M50,50 L51,50 L51,51 L50,51 Z M50.1,50 C50.2,50 50.3,50 50.4,50 stroke FF0000 1',
      )
      // It keeps its points where they were, whatever is mapped later.
      expect(pathsOf(...tools, begin!, ...angle, end!, world(0.5, 0, 0, 0.5, 0, 0), fill!)[0]).toStartWith(
        'M50,50 L60,50 L60,60',
      )
    })

    test('that is dropped, or that others are clipped to', () => {
      expect(pathsOf(...tools, begin!, ...angle, abort!, stroke!, record(54, 0, 100))).toEqual([
        'M60,60 L50,60 stroke FF0000 1',
      ])
      const clip = [begin!, box(100, 100, 200, 200), end!, record(67, 5)]
      expect(clipsOf(...tools, ...clip, box(0, 0, 9, 9), box(0, 0, 9, 9))).toEqual(['60 60 70 70: 2'])
      expect(clipsOf(...tools, record(67, 5), box(0, 0, 9, 9))).toEqual([])
      expect(pathsOf(...tools, ...clip, stroke!)).toEqual([])
    })
  })

  describe('clip', () => {
    const region = (mode: number, ...bounds: number[]) => record(75, 48, mode, 32, 1, 1, 16, ...bounds, ...bounds)
    const tools = [...redPen, ...blueBrush]
    const any = box(0, 0, 9, 9)
    const half = world(0.5, 0, 0, 0.5, 0, 0)

    test('at the overlap of rectangles, in logical or device units', () => {
      expect(clipsOf(...tools, record(30, 100, 100, 300, 300), any)).toEqual(['60 60 80 80: 1'])
      expect(clipsOf(...tools, record(30, 100, 100, 300, 300), record(30, 200, 0, 400, 200), any)).toEqual([
        '70 60 80 70: 1',
      ])
      expect(clipsOf(...tools, half, record(30, 100, 100, 300, 300), any)).toEqual(['55 55 65 65: 1'])
      expect(clipsOf(...tools, half, region(5, 100, 100, 300, 300), any)).toEqual(['60 60 80 80: 1'])
      // Rectangles beside each other leave nothing.
      expect(clipsOf(...tools, record(30, 0, 0, 100, 100), record(30, 200, 300, 400, 500), any)).toEqual([
        '70 80 70 80: 1',
      ])
    })

    test('at a region that replaces what was there, or that is added to it', () => {
      const first = record(30, 100, 100, 300, 300)
      expect(clipsOf(...tools, first, region(5, 0, 0, 200, 200), any)).toEqual(['50 50 70 70: 1'])
      expect(clipsOf(...tools, first, region(1, 0, 0, 200, 200), any)).toEqual(['60 60 70 70: 1'])
      expect(clipsOf(...tools, first, region(2, 0, 0, 200, 200), any)).toEqual(['60 60 80 80: 1'])
      expect(clipsOf(...tools, first, record(75, 0, 5), any)).toEqual([])
      expect(clipsOf(...tools, first, record(75, 0, 1), any)).toEqual(['60 60 80 80: 1'])
      expect(clipsOf(...tools, record(33), first, any, record(34, -1), any)).toEqual(['60 60 80 80: 1'])
    })

    test('at a turned rectangle alone, unless it is turned by a quarter', () => {
      const turned = world(0, 1, -1, 0, 300, 0)
      expect(clipsOf(...tools, record(30, 0, 0, 150, 500), turned, record(30, 100, 100, 200, 200), any)).toEqual([
        '60 60 65 70: 1',
      ])
      const slanted = world(1, 1, -1, 1, 300, 0)
      const [clip] = clipsOf(...tools, record(30, 0, 0, 10, 10), slanted, record(30, 100, 100, 200, 200), any)
      expect(clip).toBe('80 70 80 90: 1')
    })
  })
})

const { header, pixels } = bitmap24([[[255, 0, 0]]])
const bitmap = [...header, ...pixels]

describe('the pictures of an EMF', () => {
  const imagesOf = (...records: number[][]) =>
    placed(framesOf(emf(...records)), 'image').map(({ frame, x, y, matrix }) => {
      const [right, bottom] = apply(matrix, frame.x + frame.width, frame.y + frame.height)
      return `${/#\d+$/.exec(frame.part)?.[0]} ${rounded([x, y, right - x, bottom - y]).join(' ')}`
    })
  const stretch = (area: [number, number, number, number], operation = 0xcc0020) => {
    const [x, y, width, height] = area
    return emfRecord(81, [
      ...words(0, 0, 0, 0, x, y, 0, 0, 1, 1, 80, 40, 120, 4, 0, operation, width, height),
      ...bitmap,
    ])
  }
  const blit = (type: number, area: number[], operation: number, hasBitmap = true) =>
    emfRecord(type, [
      ...words(0, 0, 0, 0, ...area, operation, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0),
      ...(hasBitmap ? words(100, 40, 140, 4) : words(0, 0, 0, 0)),
      ...bitmap,
    ])

  test('fill the area that their record states', () => {
    expect(imagesOf(stretch([100, 50, 200, 300]))).toEqual(['#1 60 55 20 30'])
    const device = emfRecord(80, [...words(0, 0, 0, 0, 100, 50, 0, 0, 200, 300, 76, 40, 116, 4, 0, 0, 1), ...bitmap])
    expect(imagesOf(device)).toEqual(['#1 60 55 20 30'])
    for (const type of [76, 77, 114])
      expect(imagesOf(blit(type, [100, 50, 200, 300], 0xcc0020))).toEqual(['#1 60 55 20 30'])
    // Turned over, as negative extents are.
    expect(imagesOf(stretch([100, 300, 200, -100]))).toEqual(['#1 60 80 20 -10'])
    expect(imagesOf(stretch([100, 50, 0, 100]), stretch([100, 50, 100, 0]))).toEqual([])
  })

  test('wait if they are masks, and are drawn unless a picture takes their place', () => {
    const mask = stretch([100, 50, 200, 300], 0x8800c6)
    expect(imagesOf(mask)).toEqual(['#1 60 55 20 30'])
    expect(imagesOf(mask, stretch([100, 50, 200, 300]))).toEqual(['#2 60 55 20 30'])
    expect(imagesOf(mask, stretch([100, 50, 200, 301]))).toEqual(['#1 60 55 20 30', '#2 60 55 20 30.1'])
    expect(imagesOf(mask, stretch([100, 50, 200, 300]), stretch([100, 50, 200, 300]))).toHaveLength(2)
  })

  test('are painted areas where they have no bitmap', () => {
    const drawn = (type: number, operation: number, ...before: number[][]) =>
      pathsOf(...blueBrush, ...before, blit(type, [100, 50, 200, 300], operation, false))
    const area = 'M60,55 L80,55 L80,85 L60,85 Z fill'
    for (const type of [76, 77, 114]) {
      expect(drawn(type, 0xf00021)).toEqual([`${area} 0000FF`])
      expect(drawn(type, 0xff0062)).toEqual([`${area} FFFFFF`])
      expect(drawn(type, 0x42)).toEqual([`${area} 000000`])
      expect(drawn(type, 0xcc0020)).toEqual([])
      expect(drawn(type, 0xf00021, noBrush)).toEqual([])
    }
  })
})

const courier = (height: number, { escapement = 0, weight = 400, italic = 0, underline = 0 } = {}) => [
  emfRecord(82, [
    ...words(3, height, 0, escapement, 0, weight),
    ...[italic, underline, 0, 0, 0, 0, 0, 0],
    ...shorts(...[...'Courier New'].map((letter) => letter.charCodeAt(0)), ...new Array(32 - 11).fill(0)),
  ]),
  record(37, 3),
]
interface TextParts {
  at?: [number, number]
  options?: number
  bounds?: [number, number, number, number]
  advances?: number[]
}
const textOut = (
  text: string,
  { at = [100, 200], options = 0, bounds = [0, 0, 0, 0], advances = [] }: TextParts = {},
) => {
  const characters = shorts(...[...text].map((letter) => letter.charCodeAt(0)), ...(text.length % 2 ? [0] : []))
  const place = advances.length > 0 ? 76 + characters.length : 0
  return emfRecord(84, [
    ...words(0, 0, 0, 0, 1, 0, 0, ...at, text.length, 76, options, ...bounds, place),
    ...characters,
    ...words(...advances),
  ])
}
const baseline = record(22, 24)

describe('the texts of an EMF', () => {
  const texts = (...records: number[][]) => placed(framesOf(emf(...records)), 'text')
  const first = (...records: number[][]): { frame: TextFrame; x: number; y: number } | undefined => texts(...records)[0]

  test('are as high as their font says: by its letters, by its line, or 12 pt', () => {
    const size = (height: number, ...more: number[][]) =>
      first(...more, ...courier(height), textOut('a'))?.frame.look.size
    expect(size(-100)).toBeCloseTo(10, 6)
    expect(size(115)).toBeCloseTo(10, 6)
    expect(size(0)).toBeCloseTo(12, 6)
    expect(size(-30_000)).toBe(2_000)
    expect(size(-1)).toBeCloseTo(0.1, 6)
    expect(size(-1, emfRecord(35, floats(0.4, 0, 0, 0.4, 0, 0)))).toBeUndefined()
  })

  test('are aligned to their point along both axes', () => {
    const at = (align: number) => {
      const found = first(...courier(-100), record(22, align), textOut('abcd'))!
      return rounded([found.x, found.y])
    }
    const { ascent, descent } = (() => {
      const { face } = first(...courier(-100), textOut('a'))!.frame.look.font
      return { ascent: face.ascent * 10, descent: face.descent * 10 }
    })()
    const width = 4 * 6.001
    expect(at(24)).toEqual([60, 70])
    expect(at(24 | 2)).toEqual(rounded([60 - width, 70]))
    expect(at(24 | 6)).toEqual(rounded([60 - width / 2, 70]))
    expect(at(0)[1]).toBeCloseTo(70 + ascent, 1)
    expect(at(8)[1]).toBeCloseTo(70 - Math.abs(descent), 1)
    // Right-aligned text that moves the position is aligned to that.
    const moved = first(...courier(-100), record(22, 24 | 6 | 1), record(27, 300, 100), textOut('abcd'))!
    expect(rounded([moved.x, moved.y])).toEqual(rounded([80 - width / 2, 60]))
  })

  test('move the current position by their width only if they begin there', () => {
    const line = (align: number, text: number[]) =>
      pathsOf(...redPen, ...courier(-100), record(22, align), record(27, 300, 100), text, record(54, 0, 0))[0]
    expect(line(24, textOut('abcd'))).toBe('M80,60 L50,50 stroke FF0000 1')
    expect(line(24 | 1, textOut('abcd'))).toBe('M104,60 L50,50 stroke FF0000 1')
    expect(line(24 | 1, textOut('abcd', { advances: [100, 50, 20, 30] }))).toBe('M100,60 L50,50 stroke FF0000 1')
  })

  test('give each character the width that the record states', () => {
    const spread = (...advances: number[]) => first(...courier(-100), baseline, textOut('abc', { advances }))!.frame
    const { shifts, width } = spread(100, 50, 60)
    expect(width).toBeCloseTo(21, 6)
    expect(rounded(shifts!)).toEqual(rounded([10 - 6.001, 5 - 6.001, 6 - 6.001]))
    expect(first(...courier(-100), textOut('abc'))!.frame.width).toBeCloseTo(3 * 6.001, 2)
  })

  test('have a line under them and a box behind them where the record says so', () => {
    const under = pathsOf(...courier(-100, { underline: 1 }), baseline, record(24, 0x0000ff), textOut('abcd'))
    // A tenth of the size below the baseline, six hundredths high.
    expect(under).toEqual(['M60,71 L84,71 L84,71.6 L60,71.6 Z fill FF0000'])
    expect(pathsOf(...courier(-100), baseline, textOut('abcd'))).toEqual([])
    const opaque = (options: number, ...bounds: [number, number, number, number]) =>
      pathsOf(...courier(-100), record(25, 0x00ff00), textOut('a', { options, bounds }))
    expect(opaque(2, 100, 50, 200, 150)).toEqual(['M60,55 L70,55 L70,65 L60,65 Z fill 00FF00'])
    expect(opaque(0, 100, 50, 200, 150)).toEqual([])
    expect(opaque(2, 100, 50, 100, 150)).toEqual([])
    expect(opaque(2, 100, 50, 200, 50)).toEqual([])
  })

  test('are unknown where the record has the numbers of glyphs', () => {
    expect(texts(...courier(-100), textOut('abc', { options: 0x10 }))).toEqual([])
    expect(texts(...courier(-100), textOut(''))).toEqual([])
  })

  test('are bold, slanted and in colour as their font and record say', () => {
    const look = (font: Parameters<typeof courier>[1]) => first(...courier(-100, font), textOut('a'))!.frame.look
    const files = [{}, { weight: 700 }, { italic: 1 }, { weight: 700, italic: 1 }].map((font) => look(font).font.id)
    expect(new Set(files).size).toBe(4)
    expect(first(record(24, 0x0000ff), textOut('a'))!.frame.look.color).toBe('FF0000')
  })

  test('are turned about their point', () => {
    const [turned] = texts(...courier(-100, { escapement: 900 }), baseline, textOut('abcd'))
    expect(rounded([turned!.x, turned!.y])).toEqual([60, 70])
    expect(rounded(turned!.matrix.slice(0, 4))).toEqual([0, -1, 1, 0])
    const world = emfRecord(35, floats(0, 1, -1, 0, 0, 0))
    const [downwards] = texts(...courier(-100), baseline, world, textOut('abcd'))
    expect(rounded(downwards!.matrix.slice(0, 4))).toEqual([0, 1, -1, 0])
    expect(rounded([downwards!.x, downwards!.y])).toEqual([30, 60])
  })

  test('of one byte a character read as those of two', () => {
    const narrow = emfRecord(83, [
      ...words(0, 0, 0, 0, 1, 0, 0, 100, 200, 3, 76, 0, 0, 0, 0, 0, 0),
      ...[...'abc'].map((letter) => letter.charCodeAt(0)),
    ])
    expect(texts(...courier(-100), narrow).map(({ frame }) => frame.text)).toEqual(['abc'])
  })
})

describe('the records of a WMF', () => {
  const drawn = (...records: number[][]) => dumpPaths(framesOf(wmf(...records), 'wmf'))
  const brush = [wmfRecord(0x2fc, 0, 0x00ff, 0, 0), wmfRecord(0x12d, 0)]
  const pen = [wmfRecord(0x2fa, 0, 10, 0, 0, 0xff), wmfRecord(0x12d, 1)]
  const tools = [...brush, ...pen]
  const rectangle = (left: number, top: number, right: number, bottom: number) =>
    wmfRecord(0x41b, bottom, right, top, left)
  const paint = ' fill FF0000 stroke 0000FF 1'

  test('draw lines and figures with their parameters in reverse order', () => {
    expect(drawn(...tools, rectangle(100, 50, 300, 200))).toEqual([`M60,55 L80,55 L80,70 L60,70 Z${paint}`])
    expect(drawn(...tools, wmfRecord(0x214, 50, 100), wmfRecord(0x213, 200, 300))).toEqual([
      'M60,55 L80,70 stroke 0000FF 1',
    ])
    expect(drawn(...tools, wmfRecord(0x325, 3, 0, 0, 100, 0, 100, 50))).toEqual([
      'M50,50 L60,50 L60,55 stroke 0000FF 1',
    ])
    expect(drawn(...tools, wmfRecord(0x324, 3, 0, 0, 100, 0, 100, 50))).toEqual([`M50,50 L60,50 L60,55 Z${paint}`])
    expect(drawn(...tools, wmfRecord(0x538, 2, 3, 2, 0, 0, 100, 0, 100, 50, 200, 100, 300, 100))).toEqual([
      `M50,50 L60,50 L60,55 Z M70,60 L80,60 Z${paint}`,
    ])
    expect(drawn(...tools, wmfRecord(0x418, 200, 300, 100, 100))[0]).toStartWith('M80,65 C')
    expect(drawn(...tools, wmfRecord(0x61c, 20, 40, 200, 300, 100, 100))[0]).toStartWith('M60,61 C')
    const [arc, chord, pie] = [0x817, 0x830, 0x81a].map(
      (type) => drawn(...tools, wmfRecord(type, 0, 200, 150, 900, 200, 300, 100, 100))[0]!,
    )
    expect([arc, chord, pie].map((path) => path!.startsWith('M80,65 C'))).toEqual([true, true, true])
    expect(arc).toEndWith('70,60 stroke 0000FF 1')
    expect(chord).toEndWith(`70,60 Z${paint}`)
    expect(pie).toEndWith(`70,60 L70,65 Z${paint}`)
  })

  test('move and scale the window, and restore it', () => {
    const at = (...records: number[][]) =>
      drawn(...tools, ...records, rectangle(100, 50, 300, 200))[0]!.split(' stroke')[0]
    expect(at(wmfRecord(0x20b, 10, 20))).toBe('M58,54 L78,54 L78,69 L58,69 Z fill FF0000')
    expect(at(wmfRecord(0x20b, 10, 20), wmfRecord(0x20f, 20, 30))).toBe('M55,52 L75,52 L75,67 L55,67 Z fill FF0000')
    expect(at(wmfRecord(0x20c, 1_000, 500))).toBe('M70,52.5 L110,52.5 L110,60 L70,60 Z fill FF0000')
    const saved = [wmfRecord(0x1e), wmfRecord(0x20b, 10, 20), wmfRecord(0x127, -1)]
    expect(at(...saved)).toBe('M60,55 L80,55 L80,70 L60,70 Z fill FF0000')
    // An extent of nothing is one unit.
    expect(drawn(...brush, wmfRecord(0x20c, 0, 0), rectangle(0, 0, 1, 1))[0]).toStartWith('M50,50 L150,50 L150,100 ')
  })

  test('clip at rectangles until the region is given up', () => {
    const clips = (...records: number[][]) =>
      innerClips(framesOf(wmf(...tools, ...records, rectangle(0, 0, 9, 9)), 'wmf'))
    expect(clips(wmfRecord(0x416, 200, 300, 50, 100))).toEqual(['60 55 80 70: 1'])
    expect(clips(wmfRecord(0x416, 200, 300, 50, 100), wmfRecord(0x12c, 0))).toEqual([])
  })

  test('fill by the rule that they state', () => {
    const rule = (mode: number) =>
      placed(framesOf(wmf(wmfRecord(0x106, mode), rectangle(0, 0, 9, 9)), 'wmf'), 'path')[0]!.frame.evenOdd
    expect([rule(1), rule(2)]).toEqual([true, false])
  })

  test('count objects that nothing is drawn with', () => {
    for (const [type, fill] of [
      [0x0f7, 'FFFFFF'],
      [0x6ff, 'FFFFFF'],
      [0x1f9, 'C0C0C0'],
      [0x142, 'C0C0C0'],
    ] as const) {
      const records = [wmfRecord(type), wmfRecord(0x2fc, 0, 0x00ff, 0, 0)]
      const fillOf = (place: number) =>
        /fill (\S+)/.exec(drawn(...records, wmfRecord(0x12d, place), rectangle(0, 0, 9, 9))[0]!)?.[1]
      expect([type, fillOf(0), fillOf(1)]).toEqual([type, fill, 'FF0000'])
    }
  })

  test('place bitmaps and painted areas', () => {
    const images = (type: number, before: number) => {
      const file = wmf(wmfBytes(type, [...shorts(...new Array(before).fill(0), 150, 200, 50, 100), ...bitmap]))
      return placed(framesOf(file, 'wmf'), 'image').map(({ x, y, frame }) => rounded([x, y, frame.width, frame.height]))
    }
    for (const [type, before] of [
      [0x940, 4],
      [0xd33, 5],
      [0xb41, 6],
      [0xf43, 7],
    ] as const)
      expect([type, images(type, before)]).toEqual([type, [[60, 55, 20, 15]]])
    const area = (operation: number) =>
      drawn(...brush, wmfBytes(0x61d, [...words(operation), ...shorts(150, 200, 50, 100)]))
    expect(area(0xf00021)).toEqual(['M60,55 L80,55 L80,70 L60,70 Z fill FF0000'])
    expect(area(0x42)).toEqual(['M60,55 L80,55 L80,70 L60,70 Z fill 000000'])
  })

  describe('set text', () => {
    const font = (underline = 0) => [
      wmfBytes(0x2fb, [
        ...shorts(-100, 0, 0, 0, 400),
        ...[0, underline, 0, 0, 0, 0, 0, 0],
        ...Buffer.from('Courier New\0'),
      ]),
      wmfRecord(0x12d, 0),
      wmfRecord(0x12e, 24),
    ]
    const textsOf = (...records: number[][]) =>
      placed(framesOf(wmf(...font(), ...records), 'wmf'), 'text').map(
        ({ frame, x, y }) => `${rounded([x, y]).join(',')} ${frame.text} ${Math.round(frame.width)}`,
      )
    const letters = (text: string) => [...Buffer.from(text, 'latin1')]
    const extended = (text: string, options: number, more: number[] = [], bounds: number[] = []) =>
      wmfBytes(0xa32, [
        ...shorts(200, 100, text.length, options, ...bounds),
        ...letters(text),
        ...(text.length % 2 ? [0] : []),
        ...shorts(...more),
      ])

    test('at the place behind it, filled up to whole words', () => {
      const simple = (text: string) =>
        wmfBytes(0x521, [
          ...shorts(text.length),
          ...letters(text),
          ...(text.length % 2 ? [0] : []),
          ...shorts(200, 100),
        ])
      expect(textsOf(simple('abcd'))).toEqual(['60,70 abcd 24'])
      expect(textsOf(simple('abc'))).toEqual(['60,70 abc 18'])
      expect(textsOf(simple('\x80\xe9'))).toEqual(['60,70 €é 12'])
    })

    test('with a rectangle, and with widths, only where the record has them', () => {
      expect(textsOf(extended('abc', 0))).toEqual(['60,70 abc 18'])
      expect(textsOf(extended('abc', 0, [100, 50, 60]))).toEqual(['60,70 abc 21'])
      expect(textsOf(extended('abc', 0, [100, 50]))).toEqual(['60,70 abc 18'])
      for (const option of [2, 4])
        expect(textsOf(extended('abc', option, [100, 50, 60], [0, 0, 9, 9]))).toEqual(['60,70 abc 21'])
      const boxes = (option: number) =>
        drawn(...font(), wmfRecord(0x201, 0xff00, 0), extended('abc', option, [], [100, 50, 200, 150]))
      expect(boxes(2)).toEqual(['M60,55 L70,55 L70,65 L60,65 Z fill 00FF00'])
      expect(boxes(4)).toEqual([])
    })

    test('in the colour that was set, with a line under it', () => {
      expect(drawn(...font(1), wmfRecord(0x209, 0x00ff, 0), extended('abcd', 0))).toEqual([
        'M60,71 L84,71 L84,71.6 L60,71.6 Z fill FF0000',
      ])
    })
  })
})

describe('a WMF without a placeable header', () => {
  const fill = [
    wmfRecord(0x2fc, 0, 0x00ff, 0, 0),
    wmfRecord(0x12d, 0),
    wmfRecord(0x2fa, 5, 0, 0, 0, 0),
    wmfRecord(0x12d, 1),
  ]
  const drawn = (...before: number[][]) =>
    dumpPaths(framesOf(bareWmf(...before, ...fill, wmfRecord(0x41b, 25, 50, 0, 0)), 'wmf'))
  const window = wmfRecord(0x20c, 50, 100)
  const nothing = (count: number) => Array.from({ length: count }, () => wmfRecord(0x1e))

  test('has a window among its first two hundred records, or no picture', () => {
    expect(drawn(...nothing(199), window)).toEqual(['M50,50 L100,50 L100,75 L50,75 Z fill FF0000'])
    expect(drawn(...nothing(200), window)).not.toContain('M50,50 L100,50 L100,75 L50,75 Z fill FF0000')
    expect(drawn(wmfRecord(0x20c, 0, 100))).not.toContain('M50,50 L100,50 L100,75 L50,75 Z fill FF0000')
  })
})
