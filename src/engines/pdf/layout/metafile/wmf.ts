import { limits } from '../../../../core/limits.ts'
import type { Frame } from '../../frame/frame.ts'
import { identity } from '../../frame/matrix.ts'
import { polygon, polyline, rectangleOutline } from '../../frame/pen.ts'
import type { Context } from '../context.ts'
import { unpackBitmap } from './dib.ts'
import {
  type ArcKind,
  type Area,
  arcIn,
  areaOf,
  type Bounds,
  ellipseIn,
  type Point,
  polylines,
  roundRectangle,
  type Size,
} from './figures.ts'
import { Gdi, type Metafile } from './gdi.ts'
import { brushOf, fontOf, PlaceTable, patternBrush, penOf } from './objects.ts'
import { RecordReader } from './reader.ts'
import { MapMode, select } from './state.ts'
import { META, TextOption } from './wmf-records.ts'

/** The state that records play on and change. */
interface Player {
  readonly gdi: Gdi
  readonly objects: PlaceTable
}

type Handler = (player: Player, record: RecordReader) => void
type Handlers = Readonly<Record<number, Handler>>

/** The key of the header that a placeable file has before its own. */
const PLACEABLE = 0x9ac6cdd7
const PLACEABLE_SIZE = 22

/** The frames of a Windows metafile ([MS-WMF]); undefined for other bytes. */
export function drawWmf(context: Context, metafile: Metafile): Frame[] | undefined {
  const file = new RecordReader(metafile.bytes)
  const isPlaceable = file.u32(0) === PLACEABLE
  const header = isPlaceable ? PLACEABLE_SIZE : 0
  const start = header + file.u16(header + 2) * 2
  const stated = isPlaceable ? areaOf(file.rectS(6)) : undefined
  const window = stated && stated.width !== 0 && stated.height !== 0 ? stated : firstWindow(file, start)
  if (window.width === 0 || window.height === 0) return undefined
  // There is no device: the window that the first records set up fills the box.
  const gdi = new Gdi(context, metafile, { matrix: identity, unitsPerMillimetre: 1 })
  gdi.state.mode = MapMode.anisotropic
  gdi.state.window = window
  gdi.state.viewport = { x: 0, y: 0, width: metafile.width, height: metafile.height }
  const player: Player = { gdi, objects: new PlaceTable() }
  for (const { type, record } of recordsOf(file, start)) handlers[type]?.(player, record)
  return gdi.finish()
}

/** Records without their size and type. */
function* recordsOf(file: RecordReader, start: number): Generator<{ type: number; record: RecordReader }> {
  let at = start
  for (let count = 0; count < limits.renderMetafileRecords && at + 6 <= file.length; count++) {
    const size = file.u32(at) * 2
    if (size < 6) return
    const type = file.u16(at + 4)
    if (type === META.endOfFile) return
    yield { type, record: new RecordReader(file.slice(at + 6, size - 6)) }
    at += size
  }
}

/** The first window that the records set up, for a file that does not say how large it is. */
function firstWindow(file: RecordReader, start: number): Area {
  let origin: Point = { x: 0, y: 0 }
  let count = 0
  for (const { type, record } of recordsOf(file, start)) {
    if (count++ === limits.renderMetafilePreamble) break
    if (type === META.setWindowOrigin) origin = pointAt(record, 0)
    if (type === META.setWindowExtent) return { ...origin, ...sizeAt(record, 0) }
  }
  return { ...origin, width: 0, height: 0 }
}

/** Parameters come in reverse order, in words of 16 bits. */
function pointAt(record: RecordReader, at: number): Point {
  return { x: record.i16(at + 2), y: record.i16(at) }
}

function sizeAt(record: RecordReader, at: number): Size {
  return { width: record.i16(at + 2), height: record.i16(at) }
}

function boundsAt(record: RecordReader, at: number): Bounds {
  return { left: record.i16(at + 6), top: record.i16(at + 4), right: record.i16(at + 2), bottom: record.i16(at) }
}

function areaAt(record: RecordReader, at: number): Area {
  return { ...sizeAt(record, at), ...pointAt(record, at + 4) }
}

/** Offsets count from the record's parameters. */
const handlers: Handlers = {
  ...stateRecords(),
  ...objectRecords(),
  ...figureRecords(),
  ...pictureRecords(),
  ...textRecords(),
}

function stateRecords(): Handlers {
  return {
    [META.saveDc]: ({ gdi }) => gdi.save(),
    [META.restoreDc]: ({ gdi }, record) => gdi.restore(record.i16(0)),
    [META.setPolyFillMode]({ gdi: { state } }, record) {
      state.evenOdd = record.i16(0) !== 2
    },
    [META.setWindowOrigin]({ gdi: { state } }, record) {
      state.window = { ...state.window, ...pointAt(record, 0) }
    },
    [META.setWindowExtent]({ gdi: { state } }, record) {
      const { width, height } = sizeAt(record, 0)
      state.window = { ...state.window, width: width || 1, height: height || 1 }
    },
    [META.offsetWindowOrigin]({ gdi: { state } }, record) {
      const { x, y } = pointAt(record, 0)
      state.window = { ...state.window, x: state.window.x + x, y: state.window.y + y }
    },
    [META.intersectClipRect]: ({ gdi }, record) => gdi.clipRectangle(boundsAt(record, 0)),
    [META.selectClipRegion]({ gdi: { state } }) {
      state.clip = undefined
    },
  }
}

function objectRecords(): Handlers {
  return {
    [META.selectObject]: ({ gdi, objects }, record) => select(gdi.state, objects.get(record.u16(0))),
    [META.deleteObject]: ({ objects }, record) => objects.delete(record.u16(0)),
    [META.createPenIndirect]: ({ objects }, record) =>
      objects.add(penOf(record.u16(0), record.i16(2), record.color(6))),
    [META.createBrushIndirect]: ({ objects }, record) => objects.add(brushOf(record.u16(0), record.color(2))),
    [META.createPatternBrush]: ({ objects }) => objects.add(patternBrush),
    [META.dibCreatePatternBrush]: ({ objects }) => objects.add(patternBrush),
    [META.createPalette]: ({ objects }) => objects.add({ kind: 'unused' }),
    [META.createRegion]: ({ objects }) => objects.add({ kind: 'unused' }),
    [META.createFontIndirect]: ({ objects }, record) => objects.add(fontAt(record)),
  }
}

/** Western text of Windows, which fonts with a symbol character set use for their own signs. */
const western = new TextDecoder('windows-1252')

/** A Font object ([MS-WMF] 2.2.1.2). */
function fontAt(record: RecordReader) {
  const name = record.slice(18, 32)
  const end = name.indexOf(0)
  return fontOf({
    height: record.i16(0),
    escapement: record.i16(4),
    weight: record.i16(8),
    italic: record.u8(10) !== 0,
    underline: record.u8(11) !== 0,
    family: western.decode(end < 0 ? name : name.subarray(0, end)),
  })
}

function figureRecords(): Handlers {
  const arc =
    (kind: ArcKind): Handler =>
    ({ gdi }, record) =>
      gdi.draw(
        arcIn(boundsAt(record, 8), pointAt(record, 4), pointAt(record, 0), kind),
        kind === 'open' ? 'stroke' : 'both',
      )
  return {
    [META.moveTo]: ({ gdi }, record) => gdi.moveTo(pointAt(record, 0)),
    [META.lineTo]: ({ gdi }, record) => gdi.lineTo(pointAt(record, 0)),
    [META.polygon]: ({ gdi }, record) => gdi.draw(polygon(record.pointsS(2, record.u16(0))), 'both'),
    [META.polyline]: ({ gdi }, record) => gdi.draw(polyline(record.pointsS(2, record.u16(0))), 'stroke'),
    [META.polyPolygon]: ({ gdi }, record) => gdi.draw(polylines(polygonsOf(record), 'closed'), 'both'),
    [META.rectangle]({ gdi }, record) {
      const { x, y, width, height } = areaOf(boundsAt(record, 0))
      gdi.draw(rectangleOutline(x, y, width, height), 'both')
    },
    [META.ellipse]: ({ gdi }, record) => gdi.draw(ellipseIn(boundsAt(record, 0)), 'both'),
    [META.roundRect]: ({ gdi }, record) => gdi.draw(roundRectangle(boundsAt(record, 4), sizeAt(record, 0)), 'both'),
    [META.arc]: arc('open'),
    [META.pie]: arc('pie'),
    [META.chord]: arc('chord'),
  }
}

/** The polygons of a record: how many, how many points in each, and the points. */
function* polygonsOf(record: RecordReader): Generator<number[]> {
  const count = Math.min(record.u16(0), Math.floor((record.length - 2) / 2))
  let at = 2 + count * 2
  for (let index = 0; index < count; index++) {
    const points = record.pointsS(at, record.u16(2 + index * 2))
    yield points
    at += points.length * 2
  }
}

function pictureRecords(): Handlers {
  /** Records differ in the words before their destination, which the bitmap follows. */
  const bitmap =
    (at: number): Handler =>
    ({ gdi }, record) =>
      gdi.picture(unpackBitmap(record.slice(at + 8, record.length)), areaAt(record, at), record.u32(0))
  return {
    [META.dibBitBlt]: bitmap(8),
    [META.setDibToDevice]: bitmap(10),
    [META.dibStretchBlt]: bitmap(12),
    [META.stretchDib]: bitmap(14),
    [META.patternBlt]: ({ gdi }, record) => gdi.fillByOperation(record.u32(0), areaAt(record, 4)),
  }
}

function textRecords(): Handlers {
  return {
    [META.textOut]: ({ gdi }, record) => textOut(gdi, record),
    [META.extTextOut]: ({ gdi }, record) => extTextOut(gdi, record),
    [META.setTextAlign]({ gdi: { state } }, record) {
      state.align = record.u16(0)
    },
    [META.setTextColor]({ gdi: { state } }, record) {
      state.textColor = record.color(0)
    },
    [META.setBackgroundColor]({ gdi: { state } }, record) {
      state.backColor = record.color(0)
    },
  }
}

/** Strings are filled up to whole words. */
function padded(length: number): number {
  return length + (length % 2)
}

function textOut(gdi: Gdi, record: RecordReader): void {
  const length = record.u16(0)
  const at = pointAt(record, 2 + padded(length))
  gdi.text({ text: western.decode(record.slice(2, length)), at, advances: [] })
}

function extTextOut(gdi: Gdi, record: RecordReader): void {
  const [length, options] = [record.u16(4), record.u16(6)]
  if (options & TextOption.opaque) gdi.fillBackground(record.rectS(8))
  const start = options & TextOption.hasRectangle ? 16 : 8
  const advancesAt = start + padded(length)
  const hasAdvances = advancesAt + length * 2 <= record.length
  gdi.text({
    text: western.decode(record.slice(start, length)),
    at: pointAt(record, 0),
    advances: hasAdvances ? Array.from({ length }, (_, index) => record.i16(advancesAt + index * 2)) : [],
  })
}
