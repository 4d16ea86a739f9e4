import { EMR } from '../../../../src/engines/pdf/layout/metafile/emf-records.ts'
import { META } from '../../../../src/engines/pdf/layout/metafile/wmf-records.ts'
import { bitmap24, emf, emfRecord, floats, record, shorts, wmf, wmfBytes, wmfRecord, words } from '../metafile-files.ts'
import { picture } from '../word.ts'
import { type Exhibit, exhibit, para } from './pieces.ts'

const RED = 0x0000ff
const GREEN = 0x50b000
const BLUE = 0xff6030
const STOCK = 0x80000000
const stock = { blackBrush: STOCK + 4, noBrush: STOCK + 5, blackPen: STOCK + 7, noPen: STOCK + 8 }

const shown = (name: string, file: string, bytes: Uint8Array): Exhibit =>
  exhibit(name, para('', `<w:r>${picture(file.split('.')[0] ?? '', 280, 140)}</w:r>`), { media: { [file]: bytes } })

const pen = (handle: number, style: number, width: number, color: number) => [
  record(EMR.createPen, handle, style, width, 0, color),
  record(EMR.selectObject, handle),
]
const brush = (handle: number, style: number, color: number) => [
  record(EMR.createBrushIndirect, handle, style, color, 0),
  record(EMR.selectObject, handle),
]
const use = (handle: number) => record(EMR.selectObject, handle)
const noBounds = [0, 0, 0, 0] as const
const list = (type: number, ...points: number[]) => record(type, ...noBounds, points.length / 2, ...points)
const shortList = (type: number, ...points: number[]) =>
  emfRecord(type, [...words(...noBounds, points.length / 2), ...shorts(...points)])
const lists = (type: number, ...all: number[][]) => {
  const counts = all.map((points) => points.length / 2)
  const total = counts.reduce((sum, count) => sum + count, 0)
  return record(type, ...noBounds, all.length, total, ...counts, ...all.flat())
}
const shortLists = (type: number, ...all: number[][]) => {
  const counts = all.map((points) => points.length / 2)
  const total = counts.reduce((sum, count) => sum + count, 0)
  return emfRecord(type, [...words(...noBounds, all.length, total, ...counts), ...shorts(...all.flat())])
}
/** A star of five points whose lines cross each other: what is inside depends on the fill mode. */
const star = (x: number, y: number) => [x, y - 60, x + 35, y + 50, x - 57, y - 20, x + 57, y - 20, x - 35, y + 50]

const emfFigures = emf(
  ...pen(1, 0, 6, RED),
  ...brush(2, 0, BLUE),
  record(EMR.rectangle, 20, 20, 120, 100),
  record(EMR.ellipse, 140, 20, 260, 100),
  record(EMR.roundRect, 280, 20, 400, 100, 40, 60),
  ...brush(3, 2, GREEN),
  record(EMR.pie, 420, 20, 540, 120, 540, 70, 480, 20),
  record(EMR.chord, 560, 20, 680, 120, 560, 70, 680, 100),
  record(EMR.arc, 700, 20, 820, 120, 820, 70, 700, 70),
  ...pen(4, 1, 4, 0x303030),
  list(EMR.polyline, 20, 140, 120, 220, 220, 140),
  ...pen(5, 0x1102, 8, 0x303030),
  shortList(EMR.polyline16, 240, 140, 340, 220, 440, 140),
  ...pen(6, 0x2203, 8, 0x303030),
  record(EMR.moveToEx, 460, 140),
  record(EMR.lineTo, 560, 220),
  record(EMR.lineTo, 660, 140),
  ...pen(7, 4, 3, RED),
  list(EMR.polyBezier, 680, 220, 720, 120, 780, 300, 840, 140),
  shortList(EMR.polyBezier16, 860, 220, 880, 120, 940, 300, 980, 140),
  use(stock.blackPen),
  ...brush(8, 3, 0),
  list(EMR.polygon, 20, 320, 80, 240, 140, 320),
  ...brush(9, 0, GREEN),
  shortList(EMR.polygon16, 160, 320, 220, 240, 280, 320),
  record(EMR.setPolyFillMode, 1),
  list(EMR.polygon, ...star(360, 300)),
  record(EMR.setPolyFillMode, 2),
  list(EMR.polygon, ...star(500, 300)),
  lists(EMR.polyPolygon, [580, 240, 660, 240, 660, 320, 580, 320], [600, 260, 640, 260, 620, 300]),
  shortLists(EMR.polyPolygon16, [680, 240, 760, 240, 720, 320], [780, 240, 840, 240, 840, 320, 780, 320]),
  lists(EMR.polyPolyline, [20, 360, 120, 360], [20, 380, 80, 400, 120, 380]),
  shortLists(EMR.polyPolyline16, [140, 360, 240, 360], [140, 380, 200, 400, 240, 380]),
  ...pen(10, 0, 5, BLUE),
  record(EMR.moveToEx, 260, 360),
  list(EMR.polylineTo, 300, 400, 340, 360),
  shortList(EMR.polylineTo16, 380, 400, 420, 360),
  list(EMR.polyBezierTo, 440, 340, 480, 420, 520, 360),
  shortList(EMR.polyBezierTo16, 540, 320, 580, 420, 620, 360),
  record(EMR.lineTo, 680, 400),
  emfRecord(EMR.extCreatePen, words(11, 0, 0, 0, 0, 0x10001, 7, 0, GREEN, 0, 0)),
  use(11),
  use(stock.noBrush),
  record(EMR.rectangle, 700, 350, 800, 410),
  record(EMR.deleteObject, 11),
  record(EMR.createMonoBrush, 12, 0, 0, 0, 0, 0),
  use(12),
  use(stock.noPen),
  record(EMR.rectangle, 820, 350, 900, 410),
  use(stock.blackBrush),
  record(EMR.rectangle, 910, 350, 980, 410),
)

const transform = (a: number, b: number, c: number, d: number, e: number, f: number) => floats(a, b, c, d, e, f)
const modify = (mode: number, matrix: number[]) => emfRecord(EMR.modifyWorldTransform, [...matrix, ...words(mode)])
const square = record(EMR.rectangle, 0, 0, 60, 60)
const region = (mode: number, left: number, top: number, right: number, bottom: number) =>
  record(EMR.extSelectClipRegion, 48, mode, 32, 1, 1, 16, left, top, right, bottom, left, top, right, bottom)

const emfMappings = emf(
  ...pen(1, 0, 4, RED),
  ...brush(2, 0, 0xf0e0d0),
  record(EMR.saveDc),
  record(EMR.setMapMode, 8),
  record(EMR.setWindowOriginEx, -10, -10),
  record(EMR.setWindowExtentEx, 100, 100),
  record(EMR.setViewportOriginEx, 20, 70),
  record(EMR.setViewportExtentEx, 200, 100),
  square,
  record(EMR.saveDc),
  record(EMR.setWindowExtentEx, 200, -100),
  square,
  record(EMR.restoreDc, -1),
  record(EMR.rectangle, 70, 0, 80, 60),
  record(EMR.restoreDc, 1),
  record(EMR.saveDc),
  record(EMR.setMapMode, 2),
  record(EMR.setViewportOriginEx, 300, 100),
  record(EMR.rectangle, 0, 0, 60, 60),
  record(EMR.setMapMode, 3),
  record(EMR.rectangle, 700, 0, 1_300, 600),
  record(EMR.setMapMode, 4),
  record(EMR.rectangle, 60, 0, 80, 20),
  record(EMR.setMapMode, 5),
  record(EMR.rectangle, 900, 0, 1_100, 200),
  record(EMR.setMapMode, 6),
  record(EMR.rectangle, 1_700, 0, 1_900, 200),
  record(EMR.restoreDc, -1),
  record(EMR.saveDc),
  emfRecord(EMR.setWorldTransform, transform(1, 0.5, -0.5, 1, 100, 160)),
  square,
  modify(2, transform(1, 0, 0, 1, 100, 0)),
  square,
  modify(3, transform(1, 0, 0, 0.5, 100, 60)),
  square,
  modify(4, transform(0.7, -0.7, 0.7, 0.7, 480, 220)),
  square,
  modify(1, transform(9, 9, 9, 9, 9, 9)),
  record(EMR.rectangle, 620, 160, 680, 220),
  record(EMR.restoreDc, -1),
  record(EMR.beginPath),
  record(EMR.moveToEx, 720, 160),
  record(EMR.lineTo, 780, 160),
  record(EMR.lineTo, 780, 220),
  record(EMR.closeFigure),
  list(EMR.polyBezier, 800, 220, 800, 140, 860, 140, 860, 220),
  record(EMR.endPath),
  record(EMR.strokeAndFillPath, ...noBounds),
  record(EMR.beginPath),
  record(EMR.rectangle, 880, 160, 940, 220),
  record(EMR.endPath),
  record(EMR.fillPath, ...noBounds),
  record(EMR.beginPath),
  record(EMR.ellipse, 880, 240, 940, 300),
  record(EMR.endPath),
  record(EMR.strokePath, ...noBounds),
  record(EMR.beginPath),
  record(EMR.lineTo, 0, 0),
  record(EMR.abortPath),
  record(EMR.saveDc),
  record(EMR.intersectClipRect, 40, 320, 140, 420),
  record(EMR.intersectClipRect, 20, 340, 120, 480),
  record(EMR.ellipse, 20, 320, 160, 460),
  record(EMR.restoreDc, -1),
  record(EMR.saveDc),
  record(EMR.beginPath),
  record(EMR.ellipse, 180, 320, 300, 440),
  record(EMR.endPath),
  record(EMR.selectClipPath, 5),
  record(EMR.rectangle, 200, 300, 320, 400),
  record(EMR.restoreDc, -1),
  record(EMR.saveDc),
  region(5, 340, 320, 440, 420),
  region(1, 380, 300, 500, 400),
  record(EMR.rectangle, 330, 310, 500, 430),
  record(EMR.extSelectClipRegion, 0, 5),
  record(EMR.rectangle, 520, 330, 560, 430),
  record(EMR.restoreDc, -1),
)

const font = (
  handle: number,
  height: number,
  more: { weight?: number; flags?: [number, number]; turn?: number; name?: string } = {},
) => {
  const { weight = 400, flags = [0, 0], turn = 0, name = 'Arial' } = more
  const letters = [...name.padEnd(32, '\0')].map((letter) => letter.charCodeAt(0))
  const body = [...words(handle, height, 0, turn, 0, weight), ...flags, 0, 0, 0, 0, 0, 0, ...shorts(...letters)]
  return [emfRecord(EMR.extCreateFontIndirect, body), record(EMR.selectObject, handle)]
}
const text = (
  x: number,
  y: number,
  content: string,
  more: { options?: number; box?: number[]; advances?: number[]; isAnsi?: boolean } = {},
) => {
  const { options = 0, box = [0, 0, 0, 0], advances = [], isAnsi = false } = more
  const codes = [...content].map((letter) => letter.charCodeAt(0))
  const letters = isAnsi ? codes : shorts(...codes)
  while (letters.length % 4 !== 0) letters.push(0)
  const advancesAt = advances.length > 0 ? 76 + letters.length : 0
  const head = words(0, 0, 0, 0, 1, 0, 0, x, y, codes.length, 76, options, ...box, advancesAt)
  return emfRecord(isAnsi ? EMR.extTextOutA : EMR.extTextOutW, [...head, ...letters, ...words(...advances)])
}
const cross = (x: number, y: number) => list(EMR.polyline, x - 8, y, x + 8, y)

const emfText = emf(
  ...font(1, -50),
  record(EMR.setTextColor, RED),
  text(20, 20, 'Top left  '),
  cross(20, 20),
  record(EMR.setTextAlign, 8),
  text(260, 80, 'Bottom'),
  cross(260, 80),
  record(EMR.setTextAlign, 24),
  text(460, 80, 'Baseline'),
  cross(460, 80),
  record(EMR.setTextAlign, 24 | 2),
  text(960, 80, 'To the right'),
  cross(960, 80),
  record(EMR.setTextAlign, 24 | 6),
  text(160, 150, 'Middle'),
  cross(160, 150),
  record(EMR.setTextAlign, 24 | 1),
  record(EMR.moveToEx, 320, 150),
  text(0, 0, 'One'),
  text(0, 0, 'two', { advances: [60, 60, 60] }),
  text(0, 0, 'three'),
  record(EMR.setTextAlign, 24),
  record(EMR.setBackgroundColor, 0x80ffff),
  text(760, 150, 'Boxed', { options: 2, box: [740, 100, 940, 170] }),
  ...font(2, -50, { weight: 700, flags: [1, 1] }),
  text(20, 230, 'Bold, italic, underlined', { isAnsi: true }),
  ...font(3, 60, { name: 'Times New Roman' }),
  text(560, 230, 'By the line'),
  ...font(4, -40, { turn: 300, flags: [0, 1] }),
  text(820, 290, 'Turned'),
  ...font(5, 0, { name: '' }),
  text(20, 290, 'No size, no name'),
  record(EMR.saveDc),
  record(EMR.setMapMode, 8),
  record(EMR.setWindowExtentEx, 100, 100),
  record(EMR.setViewportExtentEx, 200, 100),
  ...font(6, -50),
  record(EMR.setTextAlign, 24 | 1),
  record(EMR.moveToEx, 10, 360),
  text(0, 0, 'Wide', { advances: [40, 20, 30, 30] }),
  text(0, 0, '!'),
  record(EMR.setTextAlign, 24),
  emfRecord(EMR.setWorldTransform, transform(0.8, 0.3, -0.3, 0.8, 300, -60)),
  text(100, 360, 'Slanted'),
  record(EMR.restoreDc, -1),
  record(EMR.selectObject, STOCK + 10),
  text(20, 440, 'Fixed'),
  record(EMR.selectObject, STOCK + 13),
  text(300, 440, 'System', { options: 0x10 }),
  text(300, 440, 'System'),
)

const colors = bitmap24([
  [
    [255, 0, 0],
    [0, 176, 80],
  ],
  [
    [48, 96, 255],
    [255, 192, 0],
  ],
])
/** Black where the picture is to stay away, white where it goes. */
const mask = bitmap24([
  [
    [0, 0, 0],
    [255, 255, 255],
  ],
])
const COPY = 0xcc0020
const AND = 0x8800c6
type Bits = { header: number[]; pixels: number[] }
const at = (offset: number, { header, pixels }: Bits) => [offset, header.length, offset + header.length, pixels.length]
const blit = (type: number, operation: number, box: readonly number[], bits?: Bits) =>
  emfRecord(type, [
    ...words(...noBounds, ...box, operation, ...new Array<number>(10).fill(0)),
    ...words(...(bits ? at(108, bits) : [0, 0, 0, 0]), 2, 2),
    ...(bits ? [...bits.header, ...bits.pixels] : []),
  ])
const stretch = (operation: number, [x = 0, y = 0, width = 0, height = 0]: readonly number[], bits: Bits) =>
  emfRecord(EMR.stretchDiBits, [
    ...words(...noBounds, x, y, 0, 0, 2, 2, ...at(80, bits), 0, operation, width, height),
    ...bits.header,
    ...bits.pixels,
  ])
/** Half of red, by which it is multiplied, beside nothing at all. */
const translucent = {
  header: [...words(40, 2, 1), ...shorts(1, 32), ...words(0, 8, 0, 0, 0, 0)],
  pixels: [0, 0, 128, 128, 0, 0, 0, 0],
}

const emfBitmaps = emf(
  ...brush(1, 0, 0xc0ffc0),
  blit(EMR.bitBlt, 0xf00021, [0, 0, 1_000, 240]),
  blit(EMR.bitBlt, 0xff0062, [20, 200, 100, 30]),
  blit(EMR.stretchBlt, 0x42, [140, 200, 100, 30]),
  blit(EMR.bitBlt, 0x123456, [0, 0, 999, 499]),
  stretch(COPY, [20, 20, 160, 160], colors),
  emfRecord(EMR.setDiBitsToDevice, [
    ...words(...noBounds, 200, 20, 0, 0, 160, 160, ...at(76, colors), 0, 0, 0),
    ...colors.header,
    ...colors.pixels,
  ]),
  blit(EMR.stretchBlt, COPY, [380, 180, 160, -160], colors),
  blit(EMR.alphaBlend, 0x1ff0000, [560, 20, 160, 160], translucent),
  blit(EMR.alphaBlend, 0xff0000, [740, 20, 160, 160], colors),
  stretch(AND, [20, 260, 160, 80], mask),
  stretch(COPY, [20, 260, 160, 80], colors),
  blit(EMR.bitBlt, AND, [200, 260, 160, 80], mask),
  stretch(COPY, [380, 260, 160, 80], colors),
  record(EMR.saveDc),
  emfRecord(EMR.setWorldTransform, transform(0.8, 0.4, -0.4, 0.8, 640, 240)),
  stretch(COPY, [0, 0, 160, 160], colors),
  record(EMR.restoreDc, -1),
  stretch(AND, [800, 260, 160, 80], mask),
)

const wmfPen = (place: number, style: number, width: number, color: number) => [
  wmfBytes(META.createPenIndirect, [...shorts(style, width, 0), ...words(color)]),
  wmfRecord(META.selectObject, place),
]
const wmfBrush = (place: number, style: number, color: number) => [
  wmfBytes(META.createBrushIndirect, [...shorts(style), ...words(color), ...shorts(0)]),
  wmfRecord(META.selectObject, place),
]
/** Boxes are bottom, right, top and left. */
const boxed = (left: number, top: number, right: number, bottom: number) => [bottom, right, top, left]

const wmfFigures = wmf(
  ...wmfPen(0, 0, 6, RED),
  ...wmfBrush(1, 0, BLUE),
  wmfRecord(META.rectangle, ...boxed(20, 20, 120, 100)),
  wmfRecord(META.ellipse, ...boxed(140, 20, 260, 100)),
  wmfRecord(META.roundRect, 60, 40, ...boxed(280, 20, 400, 100)),
  wmfRecord(META.createPalette, 0, 0),
  ...wmfBrush(3, 2, GREEN),
  wmfRecord(META.pie, 20, 480, 70, 540, ...boxed(420, 20, 540, 120)),
  wmfRecord(META.chord, 100, 680, 70, 560, ...boxed(560, 20, 680, 120)),
  wmfRecord(META.arc, 70, 700, 70, 820, ...boxed(700, 20, 820, 120)),
  wmfRecord(META.polyline, 3, 20, 140, 120, 220, 220, 140),
  wmfRecord(META.polygon, 3, 240, 220, 300, 140, 360, 220),
  wmfRecord(META.setPolyFillMode, 1),
  wmfRecord(META.polygon, 5, ...star(440, 200)),
  wmfRecord(META.setPolyFillMode, 2),
  wmfRecord(META.polygon, 5, ...star(580, 200)),
  wmfRecord(META.polyPolygon, 2, 4, 3, 660, 140, 740, 140, 740, 220, 660, 220, 680, 160, 720, 160, 700, 200),
  wmfRecord(META.moveTo, 140, 760),
  wmfRecord(META.lineTo, 220, 820),
  wmfRecord(META.lineTo, 140, 880),
  wmfRecord(META.saveDc),
  wmfRecord(META.setWindowOrigin, -130, -10),
  wmfRecord(META.setWindowExtent, 250, 500),
  wmfRecord(META.rectangle, ...boxed(0, 0, 50, 40)),
  wmfRecord(META.offsetWindowOrigin, 10, -60),
  wmfRecord(META.rectangle, ...boxed(0, 0, 50, 40)),
  wmfRecord(META.restoreDc, -1),
  wmfRecord(META.saveDc),
  wmfRecord(META.intersectClipRect, ...boxed(400, 260, 480, 340)),
  wmfRecord(META.ellipse, ...boxed(400, 240, 520, 360)),
  wmfRecord(META.selectClipRegion, 0),
  wmfRecord(META.rectangle, ...boxed(540, 260, 600, 340)),
  wmfRecord(META.restoreDc, -1),
  wmfRecord(META.deleteObject, 3),
  wmfRecord(META.dibCreatePatternBrush, 0, 0),
  wmfRecord(META.selectObject, 3),
  wmfRecord(META.rectangle, ...boxed(620, 260, 700, 340)),
  wmfRecord(META.createRegion, 0),
  wmfRecord(META.createPatternBrush, 0),
  wmfRecord(META.selectObject, 5),
  wmfRecord(META.rectangle, ...boxed(620, 360, 700, 440)),
  wmfRecord(META.patternBlt, 0x21, 0xf0, 60, 80, 270, 720),
  wmfRecord(META.patternBlt, 0x42, 0, 60, 80, 270, 820),
)

const wmfFont = (
  place: number,
  height: number,
  more: { weight?: number; flags?: [number, number]; turn?: number; name?: string } = {},
) => {
  const { weight = 400, flags = [0, 0], turn = 0, name = 'Arial' } = more
  const body = [
    ...shorts(height, 0, turn, 0, weight),
    ...flags,
    0,
    0,
    0,
    0,
    0,
    0,
    ...Buffer.from(`${name}\0`, 'latin1'),
  ]
  return [wmfBytes(META.createFontIndirect, body), wmfRecord(META.selectObject, place)]
}
const wmfText = (x: number, y: number, content: string) => {
  const letters = [...Buffer.from(content, 'latin1'), ...(content.length % 2 === 1 ? [0] : [])]
  return wmfBytes(META.textOut, [...shorts(content.length), ...letters, ...shorts(y, x)])
}
const wmfExtText = (x: number, y: number, content: string, more: { box?: number[]; advances?: number[] } = {}) => {
  const letters = [...Buffer.from(content, 'latin1'), ...(content.length % 2 === 1 ? [0] : [])]
  const box = more.box ? shorts(...more.box) : []
  const advances = shorts(...(more.advances ?? []))
  return wmfBytes(META.extTextOut, [...shorts(y, x, content.length, more.box ? 2 : 0), ...box, ...letters, ...advances])
}
const wmfPicture = (
  type: number,
  operation: number,
  between: number,
  [x = 0, y = 0, width = 0, height = 0]: number[],
  bits: Bits,
) =>
  wmfBytes(type, [
    ...words(operation),
    ...shorts(...new Array<number>(between).fill(0), height, width, y, x),
    ...bits.header,
    ...bits.pixels,
  ])

const wmfTextAndBitmaps = wmf(
  ...wmfFont(0, -50),
  wmfBytes(META.setTextColor, words(RED)),
  wmfText(20, 20, 'Top left'),
  wmfRecord(META.setTextAlign, 24),
  wmfText(260, 80, 'Odd'),
  wmfExtText(400, 80, 'Spread', { advances: [60, 50, 40, 30, 40, 50] }),
  wmfBytes(META.setBackgroundColor, words(0x80ffff)),
  wmfExtText(720, 80, 'Boxed', { box: [700, 30, 900, 100] }),
  wmfRecord(META.setTextAlign, 25),
  wmfRecord(META.moveTo, 160, 20),
  wmfText(0, 0, 'One '),
  wmfText(0, 0, 'two'),
  wmfRecord(META.setTextAlign, 24),
  ...wmfFont(1, 60, { weight: 700, flags: [1, 1], turn: 200, name: 'Times New Roman' }),
  wmfText(400, 200, 'Turned \x80'),
  wmfPicture(META.dibBitBlt, COPY, 2, [20, 240, 160, 80], colors),
  wmfPicture(META.dibStretchBlt, COPY, 4, [200, 240, 160, 80], colors),
  wmfPicture(META.setDibToDevice, 0, 3, [380, 240, 160, 80], colors),
  wmfPicture(META.stretchDib, AND, 5, [560, 240, 160, 80], mask),
  wmfPicture(META.stretchDib, COPY, 5, [560, 240, 160, 80], colors),
  wmfPicture(META.stretchDib, COPY, 5, [740, 320, 160, -80], translucent),
)

export const metafileExhibits: readonly Exhibit[] = [
  shown('figures of an EMF', 'figures.emf', emfFigures),
  shown('mappings, paths and clips of an EMF', 'mappings.emf', emfMappings),
  shown('text of an EMF', 'text.emf', emfText),
  shown('bitmaps of an EMF', 'bitmaps.emf', emfBitmaps),
  shown('figures of a WMF', 'figures.wmf', wmfFigures),
  shown('text and bitmaps of a WMF', 'text.wmf', wmfTextAndBitmaps),
]
