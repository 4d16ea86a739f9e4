import { limits } from '../../../../core/limits.ts'
import type { Frame, Matrix, Outline } from '../../frame/frame.ts'
import { identity, multiply } from '../../frame/matrix.ts'
import { polygon, polyline, rectangleOutline } from '../../frame/pen.ts'
import type { Context } from '../context.ts'
import { type Bitmap, withOpacity } from './dib.ts'
import { EMR, ModifyWorld, PLUS_SIGNATURE, RegionMode, TextOption } from './emf-records.ts'
import { type ArcKind, type Area, arcIn, areaOf, bezier, ellipseIn, polylines, roundRectangle } from './figures.ts'
import { type Device, Gdi, type Metafile } from './gdi.ts'
import { brushOf, fontOf, HandleTable, patternBrush, penOf } from './objects.ts'
import { RecordReader } from './reader.ts'
import { select } from './state.ts'
import { movesPosition } from './text.ts'

/** The state that records play on and change. */
interface Player {
  readonly gdi: Gdi
  readonly objects: HandleTable
  /** The file has records for GDI+, which are not played. */
  hasPlus: boolean
}

type Handler = (player: Player, record: RecordReader) => void
type Handlers = Readonly<Record<number, Handler>>

/** The frames of an enhanced metafile ([MS-EMF]); undefined for other bytes. */
export function drawEmf(context: Context, metafile: Metafile): Frame[] | undefined {
  const file = new RecordReader(metafile.bytes)
  const device = deviceOf(file, metafile)
  if (!device) return undefined
  const gdi = new Gdi(context, metafile, device)
  const player: Player = { gdi, objects: new HandleTable(), hasPlus: false }
  let at = file.u32(4)
  for (let count = 0; count < limits.renderMetafileRecords && at + 8 <= file.length; count++) {
    const size = file.u32(at + 4)
    if (size < 8 || size % 4 !== 0) break
    const type = file.u32(at)
    if (type === EMR.endOfFile) break
    handlers[type]?.(player, new RecordReader(file.slice(at, size)))
    at += size
  }
  // A file recorded for GDI+ alone shows nothing to a reader without GDI+.
  const frames = gdi.finish()
  return frames.length === 0 && player.hasPlus ? undefined : frames
}

/** The device that the header describes. The header's frame, in hundredths of a millimetre of that device, fills the box. */
function deviceOf(header: RecordReader, box: Metafile): Device | undefined {
  const { left, top, right, bottom } = header.rectL(24)
  const [device, millimetres] = [header.sizeL(72), header.sizeL(80)]
  const sizes = [device.width, device.height, millimetres.width, millimetres.height]
  if (right <= left || bottom <= top || sizes.some((size) => size <= 0)) return undefined
  const perX = device.width / millimetres.width / 100
  const perY = device.height / millimetres.height / 100
  const scaleX = box.width / ((right - left) * perX)
  const scaleY = box.height / ((bottom - top) * perY)
  return {
    matrix: [scaleX, 0, 0, scaleY, -left * perX * scaleX, -top * perY * scaleY],
    unitsPerMillimetre: perX * 100,
  }
}

/** Offsets count from the beginning of the record: its type and size take the first eight bytes. */
const handlers: Handlers = {
  ...mappingRecords(),
  ...objectRecords(),
  ...pathRecords(),
  ...clippingRecords(),
  ...figureRecords(),
  ...pointRecords(),
  ...pictureRecords(),
  ...textRecords(),
  [EMR.saveDc]: ({ gdi }) => gdi.save(),
  [EMR.restoreDc]: ({ gdi }, record) => gdi.restore(record.i32(8)),
  [EMR.comment](player, record) {
    if (record.u32(12) === PLUS_SIGNATURE) player.hasPlus = true
  },
}

/** How logical units become device units. */
function mappingRecords(): Handlers {
  return {
    [EMR.setWindowExtentEx]({ gdi: { state } }, record) {
      state.window = { ...state.window, ...record.sizeL(8) }
    },
    [EMR.setWindowOriginEx]({ gdi: { state } }, record) {
      state.window = { ...state.window, ...record.pointL(8) }
    },
    [EMR.setViewportExtentEx]({ gdi: { state } }, record) {
      state.viewport = { ...state.viewport, ...record.sizeL(8) }
    },
    [EMR.setViewportOriginEx]({ gdi: { state } }, record) {
      state.viewport = { ...state.viewport, ...record.pointL(8) }
    },
    [EMR.setMapMode]({ gdi: { state } }, record) {
      state.mode = record.u32(8)
    },
    [EMR.setWorldTransform]({ gdi: { state } }, record) {
      state.world = transformAt(record, 8)
    },
    [EMR.modifyWorldTransform]({ gdi: { state } }, record) {
      const given = transformAt(record, 8)
      const mode = record.u32(32)
      if (mode === ModifyWorld.identity) state.world = identity
      else if (mode === ModifyWorld.leftMultiply) state.world = multiply(state.world, given)
      else if (mode === ModifyWorld.rightMultiply) state.world = multiply(given, state.world)
      else if (mode === ModifyWorld.set) state.world = given
    },
  }
}

function transformAt(record: RecordReader, at: number): Matrix {
  const member = (index: number) => record.f32(at + index * 4)
  return [member(0), member(1), member(2), member(3), member(4), member(5)]
}

function objectRecords(): Handlers {
  return {
    [EMR.selectObject]: ({ gdi, objects }, record) => select(gdi.state, objects.get(record.u32(8))),
    [EMR.deleteObject]: ({ objects }, record) => objects.delete(record.u32(8)),
    [EMR.createPen]: ({ objects }, record) =>
      objects.put(record.u32(8), penOf(record.u32(12), record.i32(16), record.color(24))),
    [EMR.extCreatePen]: ({ objects }, record) =>
      objects.put(record.u32(8), penOf(record.u32(28), record.u32(32), record.color(40))),
    [EMR.createBrushIndirect]: ({ objects }, record) =>
      objects.put(record.u32(8), brushOf(record.u32(12), record.color(16))),
    [EMR.createMonoBrush]: ({ objects }, record) => objects.put(record.u32(8), patternBrush),
    [EMR.createDibPatternBrush]: ({ objects }, record) => objects.put(record.u32(8), patternBrush),
    [EMR.extCreateFontIndirect]: ({ objects }, record) => objects.put(record.u32(8), logFont(record, 12)),
  }
}

/** A LogFont object ([MS-EMF] 2.2.13). */
function logFont(record: RecordReader, at: number) {
  return fontOf({
    height: record.i32(at),
    escapement: record.i32(at + 8),
    weight: record.i32(at + 16),
    italic: record.u8(at + 20) !== 0,
    underline: record.u8(at + 21) !== 0,
    family: faceName(record, at + 28),
  })
}

function faceName(record: RecordReader, from: number): string {
  let name = ''
  for (let at = from; at < from + 64; at += 2) {
    const code = record.u16(at)
    if (code === 0) break
    name += String.fromCharCode(code)
  }
  return name
}

function pathRecords(): Handlers {
  return {
    [EMR.beginPath]: ({ gdi }) => gdi.beginPath(),
    [EMR.endPath]: ({ gdi }) => gdi.endPath(),
    [EMR.closeFigure]: ({ gdi }) => gdi.closeFigure(),
    [EMR.abortPath]: ({ gdi }) => gdi.abortPath(),
    [EMR.fillPath]: ({ gdi }) => gdi.paintPath('fill'),
    [EMR.strokePath]: ({ gdi }) => gdi.paintPath('stroke'),
    [EMR.strokeAndFillPath]: ({ gdi }) => gdi.paintPath('both'),
    [EMR.setPolyFillMode]({ gdi: { state } }, record) {
      state.evenOdd = record.u32(8) !== 2
    },
  }
}

function clippingRecords(): Handlers {
  return {
    [EMR.selectClipPath]: ({ gdi }) => gdi.clipPath(),
    [EMR.intersectClipRect]: ({ gdi }, record) => gdi.clipRectangle(record.rectL(8)),
    [EMR.extSelectClipRegion]: ({ gdi }, record) => clipRegion(gdi, record),
  }
}

/** Clips to a region, given as rectangles in device units; their common bounding box is enough. */
function clipRegion(gdi: Gdi, record: RecordReader): void {
  const mode = record.u32(12)
  if (mode === RegionMode.copy && record.u32(8) === 0) {
    gdi.state.clip = undefined
    return
  }
  const count = Math.min(record.u32(24), Math.floor((record.length - 48) / 16))
  if (count <= 0 || (mode !== RegionMode.copy && mode !== RegionMode.and)) return
  if (mode === RegionMode.copy) gdi.state.clip = undefined
  gdi.clipDeviceRectangle(record.rectL(32))
}

function figureRecords(): Handlers {
  const arc =
    (kind: ArcKind): Handler =>
    ({ gdi }, record) =>
      gdi.draw(arcIn(record.rectL(8), record.pointL(24), record.pointL(32), kind), kind === 'open' ? 'stroke' : 'both')
  return {
    [EMR.moveToEx]: ({ gdi }, record) => gdi.moveTo(record.pointL(8)),
    [EMR.lineTo]: ({ gdi }, record) => gdi.lineTo(record.pointL(8)),
    [EMR.ellipse]: ({ gdi }, record) => gdi.draw(ellipseIn(record.rectL(8)), 'both'),
    [EMR.rectangle]({ gdi }, record) {
      const { x, y, width, height } = areaOf(record.rectL(8))
      gdi.draw(rectangleOutline(x, y, width, height), 'both')
    },
    [EMR.roundRect]: ({ gdi }, record) => gdi.draw(roundRectangle(record.rectL(8), record.sizeL(24)), 'both'),
    [EMR.arc]: arc('open'),
    [EMR.chord]: arc('chord'),
    [EMR.pie]: arc('pie'),
  }
}

/** Reads the coordinates of points. */
type Points = (record: RecordReader, at: number, count: number) => number[]

/** Lists of points come with 32 bits for each coordinate or, in the records whose names end in 16, with 16 bits. */
function pointRecords(): Handlers {
  const wide: Points = (record, at, count) => record.pointsL(at, count)
  const narrow: Points = (record, at, count) => record.pointsS(at, count)
  return {
    [EMR.polyBezier]: ({ gdi }, record) => gdi.draw(bezier(listOf(wide, record)), 'stroke'),
    [EMR.polyBezier16]: ({ gdi }, record) => gdi.draw(bezier(listOf(narrow, record)), 'stroke'),
    [EMR.polygon]: ({ gdi }, record) => gdi.draw(polygon(listOf(wide, record)), 'both'),
    [EMR.polygon16]: ({ gdi }, record) => gdi.draw(polygon(listOf(narrow, record)), 'both'),
    [EMR.polyline]: ({ gdi }, record) => gdi.draw(polyline(listOf(wide, record)), 'stroke'),
    [EMR.polyline16]: ({ gdi }, record) => gdi.draw(polyline(listOf(narrow, record)), 'stroke'),
    [EMR.polyBezierTo]: ({ gdi }, record) => drawOn(gdi, listOf(wide, record), bezier),
    [EMR.polyBezierTo16]: ({ gdi }, record) => drawOn(gdi, listOf(narrow, record), bezier),
    [EMR.polylineTo]: ({ gdi }, record) => drawOn(gdi, listOf(wide, record), polyline),
    [EMR.polylineTo16]: ({ gdi }, record) => drawOn(gdi, listOf(narrow, record), polyline),
    [EMR.polyPolygon]: ({ gdi }, record) => gdi.draw(polylines(listsOf(wide, record), 'closed'), 'both'),
    [EMR.polyPolygon16]: ({ gdi }, record) => gdi.draw(polylines(listsOf(narrow, record), 'closed'), 'both'),
    [EMR.polyPolyline]: ({ gdi }, record) => gdi.draw(polylines(listsOf(wide, record), 'open'), 'stroke'),
    [EMR.polyPolyline16]: ({ gdi }, record) => gdi.draw(polylines(listsOf(narrow, record), 'open'), 'stroke'),
  }
}

/** The points of a record that has one list of them. */
function listOf(read: Points, record: RecordReader): number[] {
  return read(record, 28, record.u32(24))
}

/** The lists of a record that has several: how many, how many points in all, how many in each, and the points. */
function* listsOf(read: Points, record: RecordReader): Generator<number[]> {
  const count = Math.max(0, Math.min(record.u32(24), Math.floor((record.length - 32) / 4)))
  const points = read(record, 32 + count * 4, record.u32(28))
  let at = 0
  for (let index = 0; index < count && at < points.length; index++) {
    const list = points.slice(at, at + 2 * record.u32(32 + index * 4))
    yield list
    at += list.length
  }
}

/** Draws from the current position through the points. */
function drawOn(gdi: Gdi, points: readonly number[], outlineOf: (points: readonly number[]) => Outline) {
  const { position } = gdi.state
  const [x = position.x, y = position.y] = points.slice(-2)
  gdi.drawTo(outlineOf([position.x, position.y, ...points]), { x, y })
}

function pictureRecords(): Handlers {
  return {
    [EMR.bitBlt]: ({ gdi }, record) => blit(gdi, record),
    [EMR.stretchBlt]: ({ gdi }, record) => blit(gdi, record),
    [EMR.alphaBlend]: ({ gdi }, record) => blend(gdi, record),
    [EMR.setDiBitsToDevice]: ({ gdi }, record) =>
      gdi.picture(bitmapAt(record, 48), { ...record.pointL(24), ...record.sizeL(40) }, COPY),
    [EMR.stretchDiBits]: ({ gdi }, record) =>
      gdi.picture(bitmapAt(record, 48), { ...record.pointL(24), ...record.sizeL(72) }, record.u32(68)),
  }
}

/** The raster operation that replaces what was there. */
const COPY = 0xcc0020

/** In a BlendFunction ([MS-EMF] 2.2.1): the pixels bring their opacity. */
const SOURCE_ALPHA = 0x1000000

/** A bitmap by the four numbers that say where its header and its pixels are. */
function bitmapAt(record: RecordReader, at: number): Bitmap {
  return {
    header: record.slice(record.u32(at), record.u32(at + 4)),
    pixels: record.slice(record.u32(at + 8), record.u32(at + 12)),
  }
}

function hasBitmap(record: RecordReader): boolean {
  return record.u32(88) > 0 && record.u32(96) > 0
}

function destination(record: RecordReader): Area {
  return { ...record.pointL(24), ...record.sizeL(32) }
}

function blit(gdi: Gdi, record: RecordReader): void {
  const operation = record.u32(40)
  if (hasBitmap(record)) gdi.picture(bitmapAt(record, 84), destination(record), operation)
  else gdi.fillByOperation(operation, destination(record))
}

function blend(gdi: Gdi, record: RecordReader): void {
  const operation = record.u32(40)
  if (!hasBitmap(record)) {
    gdi.fillByOperation(operation, destination(record))
    return
  }
  const bitmap = bitmapAt(record, 84)
  const shown = (operation & SOURCE_ALPHA) !== 0 ? (withOpacity(bitmap) ?? bitmap) : bitmap
  gdi.picture(shown, destination(record), COPY)
}

function textRecords(): Handlers {
  return {
    [EMR.extTextOutA]: ({ gdi }, record) =>
      textOut(gdi, record, { most: record.length, code: (at, index) => record.u8(at + index) }),
    [EMR.extTextOutW]: ({ gdi }, record) =>
      textOut(gdi, record, { most: Math.floor(record.length / 2), code: (at, index) => record.u16(at + index * 2) }),
    [EMR.setTextAlign]({ gdi: { state } }, record) {
      state.align = record.u32(8)
    },
    [EMR.setTextColor]({ gdi: { state } }, record) {
      state.textColor = record.color(8)
    },
    [EMR.setBackgroundColor]({ gdi: { state } }, record) {
      state.backColor = record.color(8)
    },
  }
}

/** How a record holds its characters. */
interface Characters {
  /** As many as it has room for. */
  readonly most: number
  /** The code of a character, by its index in a string that begins at `at`. */
  code(at: number, index: number): number
}

function textOut(gdi: Gdi, record: RecordReader, { most, code }: Characters): void {
  const at = record.pointL(36)
  const count = Math.min(record.u32(44), most, limits.renderMetafileChars)
  const [textAt, options, advancesAt] = [record.u32(48), record.u32(52), record.u32(72)]
  if (options & TextOption.opaque) gdi.fillBackground(record.rectL(56))
  let text = ''
  // The record has glyph numbers instead of characters, whose text can't be known.
  if (!(options & TextOption.glyphNumbers))
    for (let index = 0; index < count; index++) text += String.fromCharCode(code(textAt, index))
  const advances = advancesAt > 0 ? Array.from({ length: count }, (_, index) => record.i32(advancesAt + index * 4)) : []
  // Blanks at the end show only in where the next text begins.
  gdi.text({ text: movesPosition(gdi.state.align) ? text : text.trimEnd(), at, advances })
}
