import { limits } from '../../../../core/limits.ts'
import type { Frame, Matrix } from '../../frame/frame.ts'
import { multiply } from '../../frame/matrix.ts'
import { Pen as OutlinePen, polyline, rectangleOutline } from '../../frame/pen.ts'
import type { Context } from '../context.ts'
import { bitmapFile, withOpacity } from './dib.ts'
import { arcIn, ellipseIn, roundRectangle } from './figures.ts'
import { type Brush, blackPen, brushOf, Gdi, type GdiObject, penOf, systemFont, whiteBrush } from './gdi.ts'
import { RecordReader } from './reader.ts'

/** The frames of an enhanced metafile (MS-EMF) that fill a width × height box; undefined when it is none. */
export function drawEmf(
  context: Context,
  bytes: Uint8Array,
  part: string,
  width: number,
  height: number,
  node: number,
): Frame[] | undefined {
  const header = new RecordReader(bytes)
  const [left, top, right, bottom] = [24, 28, 32, 36].map((at) => header.i32(at)) as [number, number, number, number]
  const [deviceX, deviceY, millimetresX, millimetresY] = [72, 76, 80, 84].map((at) => header.i32(at)) as [
    number,
    number,
    number,
    number,
  ]
  if (right <= left || bottom <= top || deviceX <= 0 || deviceY <= 0 || millimetresX <= 0 || millimetresY <= 0)
    return undefined
  // The frame counts in hundredths of a millimetre of the device that the picture was recorded for.
  const perX = deviceX / millimetresX / 100
  const perY = deviceY / millimetresY / 100
  const scaleX = width / ((right - left) * perX)
  const scaleY = height / ((bottom - top) * perY)
  const device: Matrix = [scaleX, 0, 0, scaleY, -left * perX * scaleX, -top * perY * scaleY]
  const gdi = new Gdi(context, device, node, perX * 100)
  const player = new EmfPlayer(gdi, part)
  let at = header.u32(4)
  for (let count = 0; count < limits.renderMetafileRecords && at + 8 <= bytes.length; count++) {
    const size = header.u32(at + 4)
    if (size < 8 || size % 4 !== 0) break
    const type = header.u32(at)
    if (type === 14) break
    player.play(type, new RecordReader(header.slice(at, size)))
    at += size
  }
  // What was recorded for GDI+ alone has nothing for those who do not know it.
  const frames = gdi.finish()
  return frames.length === 0 && player.hasPlus ? undefined : frames
}

/** The raster operation that keeps what is black in either. */
const SOURCE_AND = 0x8800c6

/** Of a blend: the pixels bring their opacity. */
const SOURCE_ALPHA = 0x1000000

/** Stock objects (2.1.31): what programs select without making it. */
const stock: readonly (GdiObject | undefined)[] = [
  whiteBrush,
  brushOf(0, 'C0C0C0'),
  brushOf(0, '808080'),
  brushOf(0, '404040'),
  brushOf(0, '000000'),
  brushOf(1, '000000'),
  { ...blackPen, color: 'FFFFFF' },
  blackPen,
  { ...blackPen, color: undefined },
  undefined,
  { ...systemFont, family: 'Courier New' },
  { ...systemFont, family: 'Courier New' },
  systemFont,
  systemFont,
  systemFont,
]

class EmfPlayer {
  hasPlus = false
  private readonly objects = new Map<number, GdiObject>()
  private pictures = 0

  constructor(
    private readonly gdi: Gdi,
    private readonly part: string,
  ) {}

  play(type: number, record: RecordReader): void {
    const { gdi } = this
    const { state } = gdi
    switch (type) {
      case 9:
        ;[state.windowWidth, state.windowHeight] = [record.i32(8), record.i32(12)]
        break
      case 10:
        ;[state.windowX, state.windowY] = [record.i32(8), record.i32(12)]
        break
      case 11:
        ;[state.viewWidth, state.viewHeight] = [record.i32(8), record.i32(12)]
        break
      case 12:
        ;[state.viewX, state.viewY] = [record.i32(8), record.i32(12)]
        break
      case 17:
        state.mode = record.u32(8)
        break
      case 18:
        state.isOpaque = record.u32(8) === 2
        break
      case 19:
        state.evenOdd = record.u32(8) !== 2
        break
      case 22:
        state.align = record.u32(8)
        break
      case 24:
        state.textColor = record.color(8)
        break
      case 25:
        state.backColor = record.color(8)
        break
      case 27:
        gdi.moveTo(record.i32(8), record.i32(12))
        break
      case 30:
        gdi.clipRectangle(record.i32(8), record.i32(12), record.i32(16), record.i32(20))
        break
      case 33:
        gdi.save()
        break
      case 34:
        gdi.restore(record.i32(8))
        break
      case 35:
        state.world = this.matrixAt(record, 8)
        break
      case 36:
        this.modifyWorld(record)
        break
      case 37:
        this.select(record.u32(8))
        break
      case 40:
        this.objects.delete(record.u32(8))
        break
      case 59:
        gdi.beginPath()
        break
      case 60:
        gdi.endPath()
        break
      case 61:
        gdi.path?.close()
        break
      case 62:
        gdi.paintPath(true, false)
        break
      case 63:
        gdi.paintPath(true, true)
        break
      case 64:
        gdi.paintPath(false, true)
        break
      case 67:
        gdi.clipPath()
        break
      case 68:
        gdi.path = undefined
        break
      case 70:
        if (record.u32(12) === 0x2b464d45) this.hasPlus = true
        break
      case 75:
        this.clipRegion(record)
        break
      case 76:
      case 77:
      case 114:
        this.blit(type, record)
        break
      case 80:
      case 81:
        this.stretch(type, record)
        break
      case 83:
      case 84:
        this.text(type, record)
        break
      default:
        if (!this.create(type, record)) this.figure(type, record)
    }
  }

  private matrixAt(record: RecordReader, at: number): Matrix {
    return [0, 4, 8, 12, 16, 20].map((offset) => record.f32(at + offset)) as unknown as Matrix
  }

  private modifyWorld(record: RecordReader): void {
    const { state } = this.gdi
    const given = this.matrixAt(record, 8)
    const how = record.u32(32)
    if (how === 1) state.world = [1, 0, 0, 1, 0, 0]
    else if (how === 2) state.world = multiply(state.world, given)
    else if (how === 3) state.world = multiply(given, state.world)
    else if (how === 4) state.world = given
  }

  private select(handle: number): void {
    const { state } = this.gdi
    const object = handle >= 0x80000000 ? stock[handle - 0x80000000] : this.objects.get(handle)
    if (object?.kind === 'pen') state.pen = object
    else if (object?.kind === 'brush') state.brush = object
    else if (object?.kind === 'font') state.font = object
  }

  /** Pens, brushes and fonts; true when the record makes one. */
  private create(type: number, record: RecordReader): boolean {
    const handle = record.u32(8)
    const keep = (object: GdiObject) => {
      if (this.objects.size < limits.renderMetafileRecords) this.objects.set(handle, object)
      return true
    }
    if (type === 38) return keep(penOf(record.u32(12), record.i32(16), record.color(24)))
    if (type === 95) return keep(penOf(record.u32(28), record.u32(32), record.color(40)))
    if (type === 39) return keep(brushOf(record.u32(12), record.color(16)))
    if (type === 93 || type === 94) return keep({ kind: 'brush', color: 'C0C0C0' } satisfies Brush)
    if (type !== 82) return false
    let family = ''
    for (let at = 40; at < 104; at += 2) {
      const code = record.u16(at)
      if (code === 0) break
      family += String.fromCharCode(code)
    }
    return keep({
      kind: 'font',
      family: family === '' ? 'Arial' : family,
      height: record.i32(12),
      bold: record.i32(28) >= 600,
      italic: record.u8(32) !== 0,
      underline: record.u8(33) !== 0,
      escapement: record.i32(20),
    })
  }

  private clipRegion(record: RecordReader): void {
    const { state } = this.gdi
    const mode = record.u32(12)
    if (mode === 5 && record.u32(8) === 0) {
      state.clip = undefined
      return
    }
    // Regions are rectangles of device units; what they enclose together is enough to cut at.
    const count = Math.min(record.u32(24), Math.floor((record.length - 48) / 16))
    if (count <= 0 || (mode !== 5 && mode !== 1)) return
    const mapped = { ...state }
    Object.assign(state, { mode: 1, viewX: 0, viewY: 0, windowX: 0, windowY: 0, world: [1, 0, 0, 1, 0, 0] })
    if (mode === 5) state.clip = undefined
    this.gdi.clipRectangle(record.i32(32), record.i32(36), record.i32(40), record.i32(44))
    const { clip } = state
    Object.assign(state, mapped, { clip })
  }

  private blit(type: number, record: RecordReader): void {
    const { gdi } = this
    const [x, y, width, height] = [24, 28, 32, 36].map((at) => record.i32(at)) as [number, number, number, number]
    const operation = record.u32(40)
    const base = 84
    const [headerAt, headerLength, pixelsAt, pixelsLength] = [base, base + 4, base + 8, base + 12].map((at) =>
      record.u32(at),
    ) as [number, number, number, number]
    if (headerLength > 0 && pixelsLength > 0) {
      const isBlend = type === 114
      const stored = { header: record.slice(headerAt, headerLength), pixels: record.slice(pixelsAt, pixelsLength) }
      const blends = isBlend && (operation & SOURCE_ALPHA) !== 0
      const { header, pixels } = (blends ? withOpacity(stored.header, stored.pixels) : undefined) ?? stored
      this.picture(!isBlend && operation === SOURCE_AND, header, pixels, x, y, width, height)
      return
    }
    // Without a picture the rectangle is painted: with the brush, white or black.
    const color =
      operation === 0xf00021
        ? gdi.state.brush.color
        : operation === 0xff0062
          ? 'FFFFFF'
          : operation === 0x42
            ? '000000'
            : undefined
    if (color !== undefined) gdi.fillRectangle(x, y, width, height, color)
  }

  private stretch(type: number, record: RecordReader): void {
    const [x, y] = [record.i32(24), record.i32(28)]
    const [headerAt, headerLength, pixelsAt, pixelsLength] = [48, 52, 56, 60].map((at) => record.u32(at)) as [
      number,
      number,
      number,
      number,
    ]
    const [width, height] = type === 80 ? [record.i32(40), record.i32(44)] : [record.i32(72), record.i32(76)]
    this.picture(
      type === 81 && record.u32(68) === SOURCE_AND,
      record.slice(headerAt, headerLength),
      record.slice(pixelsAt, pixelsLength),
      x,
      y,
      width,
      height,
    )
  }

  private picture(
    isMask: boolean,
    header: Uint8Array,
    pixels: Uint8Array,
    x: number,
    y: number,
    width: number,
    height: number,
  ): void {
    if (header.length < 40 || pixels.length === 0 || width === 0 || height === 0) return
    this.gdi.picture(`${this.part}#${++this.pictures}`, bitmapFile(header, pixels), x, y, width, height, isMask)
  }

  private text(type: number, record: RecordReader): void {
    const { gdi } = this
    const { state } = gdi
    const [x, y, length, textAt, options] = [36, 40, 44, 48, 52].map((at) => record.u32(at)) as [
      number,
      number,
      number,
      number,
      number,
    ]
    const count = Math.min(length, type === 84 ? Math.floor(record.length / 2) : record.length, 4_000)
    if (options & 2) {
      const [left, top, right, bottom] = [56, 60, 64, 68].map((at) => record.i32(at)) as [
        number,
        number,
        number,
        number,
      ]
      if (right > left && bottom > top) gdi.fillRectangle(left, top, right - left, bottom - top, state.backColor)
    }
    let text = ''
    // With glyph numbers instead of characters there is no telling what they are.
    if (!(options & 0x10)) {
      for (let at = 0; at < count; at++)
        text += String.fromCharCode(type === 84 ? record.u16(textAt + at * 2) : record.u8(textAt + at))
    }
    const advancesAt = record.u32(72)
    const advances = advancesAt > 0 ? Array.from({ length: count }, (_, at) => record.i32(advancesAt + at * 4)) : []
    const blanks = /\s+$/.exec(text)?.[0].length ?? 0
    const shown = blanks > 0 ? text.slice(0, -blanks) : text
    gdi.text(shown, x | 0, y | 0, blanks > 0 && !(state.align & 6) ? advances.slice(0, shown.length) : advances)
  }

  private figure(type: number, record: RecordReader): void {
    const { gdi } = this
    const { state } = gdi
    const box = () => [8, 12, 16, 20].map((at) => record.i32(at)) as [number, number, number, number]
    const ray = () => [24, 28, 32, 36].map((at) => record.i32(at)) as [number, number, number, number]
    const small = type >= 85 && type <= 92
    // Points of 16 bits come with the same records otherwise.
    const kind = small ? type - 83 : type
    const pointsAt = (at: number, count: number): number[] => {
      const size = small ? 4 : 8
      const fitting = Math.max(0, Math.min(count, Math.floor((record.length - at) / size), limits.renderPathSteps))
      const points: number[] = []
      for (let index = 0; index < fitting; index++) {
        const place = at + index * size
        if (small) points.push(record.i16(place), record.i16(place + 2))
        else points.push(record.i32(place), record.i32(place + 4))
      }
      return points
    }
    const remember = (points: readonly number[]) => {
      if (points.length >= 2) [state.x, state.y] = [points.at(-2)!, points.at(-1)!]
    }
    switch (kind) {
      case 2: {
        const points = pointsAt(28, record.u32(24))
        gdi.draw(bezier(points), false)
        break
      }
      case 3:
        gdi.draw(polyline(pointsAt(28, record.u32(24)), true), true)
        break
      case 4:
        gdi.draw(polyline(pointsAt(28, record.u32(24)), false), false)
        break
      case 5:
      case 6: {
        const points = [state.x, state.y, ...pointsAt(28, record.u32(24))]
        gdi.draw(kind === 5 ? bezier(points) : polyline(points, false), false)
        remember(points)
        break
      }
      case 7:
      case 8:
        this.polygons(record, pointsAt, kind === 8)
        break
      case 42:
        gdi.draw(ellipseIn(...box()), true)
        break
      case 43: {
        const [left, top, right, bottom] = box()
        gdi.draw(rectangleOutline(left, top, right - left, bottom - top), true)
        break
      }
      case 44:
        gdi.draw(roundRectangle(...box(), record.i32(24), record.i32(28)), true)
        break
      case 45:
        gdi.draw(arcIn(box(), ray(), 'open'), false)
        break
      case 46:
        gdi.draw(arcIn(box(), ray(), 'chord'), true)
        break
      case 47:
        gdi.draw(arcIn(box(), ray(), 'pie'), true)
        break
      case 54: {
        const points = [state.x, state.y, record.i32(8), record.i32(12)]
        gdi.draw(polyline(points, false), false)
        remember(points)
        break
      }
      default:
        break
    }
  }

  private polygons(record: RecordReader, pointsAt: (at: number, count: number) => number[], closed: boolean): void {
    const count = Math.max(0, Math.min(record.u32(24), Math.floor((record.length - 32) / 4)))
    const pen = new OutlinePen()
    const list = pointsAt(32 + count * 4, record.u32(28))
    let at = 0
    for (let index = 0; index < count && at < list.length; index++) {
      const length = Math.min(record.u32(32 + index * 4), (list.length - at) / 2)
      for (let point = 0; point < length; point++) {
        if (point === 0) pen.move(list[at]!, list[at + 1]!)
        else pen.line(list[at]!, list[at + 1]!)
        at += 2
      }
      if (closed) pen.close()
    }
    this.gdi.draw(pen.outline, closed)
  }
}

function bezier(points: readonly number[]) {
  const pen = new OutlinePen()
  if (points.length >= 2) pen.move(points[0]!, points[1]!)
  for (let at = 2; at + 5 < points.length; at += 6) {
    pen.curve(points[at]!, points[at + 1]!, points[at + 2]!, points[at + 3]!, points[at + 4]!, points[at + 5]!)
  }
  return pen.outline
}
