import { limits } from '../../../../core/limits.ts'
import type { Frame } from '../../frame/frame.ts'
import { Pen as OutlinePen, polyline, rectangleOutline } from '../../frame/pen.ts'
import type { Context } from '../context.ts'
import { bitmapFile, headerSize } from './dib.ts'
import { arcIn, ellipseIn, roundRectangle } from './figures.ts'
import { brushOf, Gdi, type GdiObject, penOf } from './gdi.ts'
import { RecordReader } from './reader.ts'

/** The frames of a Windows metafile (MS-WMF) that fill a width × height box; undefined when it is none. */
export function drawWmf(
  context: Context,
  bytes: Uint8Array,
  part: string,
  width: number,
  height: number,
  node: number,
): Frame[] | undefined {
  const file = new RecordReader(bytes)
  const isPlaceable = file.u32(0) === 0x9ac6cdd7
  const header = isPlaceable ? 22 : 0
  let at = header + file.u16(header + 2) * 2
  const [left, top, right, bottom] = [6, 8, 10, 12].map((offset) => file.i16(offset)) as [
    number,
    number,
    number,
    number,
  ]
  const isStated = isPlaceable && right !== left && bottom !== top
  const extent = isStated ? { x: left, y: top, width: right - left, height: bottom - top } : windowOf(file, at)
  if (extent.width === 0 || extent.height === 0) return undefined
  // There is no device: the window that the first records set up fills the box.
  const gdi = new Gdi(context, [1, 0, 0, 1, 0, 0], node, 1)
  const { state } = gdi
  Object.assign(state, {
    mode: 8,
    windowX: extent.x,
    windowY: extent.y,
    windowWidth: extent.width,
    windowHeight: extent.height,
  })
  Object.assign(state, { viewWidth: width, viewHeight: height })
  const player = new WmfPlayer(gdi, part, { width, height })
  for (let count = 0; count < limits.renderMetafileRecords && at + 6 <= bytes.length; count++) {
    const size = file.u32(at) * 2
    if (size < 6) break
    const type = file.u16(at + 4)
    if (type === 0) break
    player.play(type, new RecordReader(file.slice(at + 6, size - 6)))
    at += size
  }
  return gdi.finish()
}

/** The raster operation that keeps what is black in either. */
const SOURCE_AND = 0x8800c6

interface Window {
  x: number
  y: number
  width: number
  height: number
}

/** The first window that the records set up, for a file that does not say how large it is. */
function windowOf(file: RecordReader, start: number): Window {
  const found = { x: 0, y: 0, width: 0, height: 0 }
  let at = start
  for (let count = 0; count < 200 && at + 6 <= file.length; count++) {
    const size = file.u32(at) * 2
    if (size < 6) break
    const type = file.u16(at + 4)
    if (type === 0x20b) Object.assign(found, { y: file.i16(at + 6), x: file.i16(at + 8) })
    if (type === 0x20c) return { ...found, height: file.i16(at + 6), width: file.i16(at + 8) }
    at += size
  }
  return found
}

/** Western text of Windows, which fonts with a symbol character set use for their own signs. */
const western = new TextDecoder('windows-1252')

class WmfPlayer {
  /** Objects go into the first free place, and records refer to them by it. */
  private readonly objects: (GdiObject | 'other' | undefined)[] = []
  private pictures = 0

  constructor(
    private readonly gdi: Gdi,
    private readonly part: string,
    private readonly box: { width: number; height: number },
  ) {}

  /** Parameters stand in reverse order, words of 16 bits. */
  play(type: number, record: RecordReader): void {
    const { gdi } = this
    const { state } = gdi
    const word = (index: number) => record.i16(index * 2)
    switch (type) {
      case 0x001e:
        gdi.save()
        break
      case 0x0127:
        gdi.restore(word(0))
        break
      case 0x0102:
        state.isOpaque = word(0) === 2
        break
      case 0x0106:
        state.evenOdd = word(0) !== 2
        break
      case 0x012e:
        state.align = record.u16(0)
        break
      case 0x0201:
        state.backColor = record.color(0)
        break
      case 0x0209:
        state.textColor = record.color(0)
        break
      case 0x020b:
        ;[state.windowY, state.windowX] = [word(0), word(1)]
        break
      case 0x020c:
        this.setWindow(word(1), word(0))
        break
      case 0x020f:
        state.windowY += word(0)
        state.windowX += word(1)
        break
      case 0x012d:
        this.select(record.u16(0))
        break
      case 0x01f0:
        if (record.u16(0) < this.objects.length) this.objects[record.u16(0)] = undefined
        break
      case 0x0214:
        gdi.moveTo(word(1), word(0))
        break
      case 0x0213:
        gdi.draw(polyline([state.x, state.y, word(1), word(0)], false), false)
        ;[state.y, state.x] = [word(0), word(1)]
        break
      case 0x0416:
        gdi.clipRectangle(word(3), word(2), word(1), word(0))
        break
      case 0x012c:
        state.clip = undefined
        break
      case 0x0521:
        this.textOut(record)
        break
      case 0x0a32:
        this.extTextOut(record)
        break
      case 0x061d:
        this.patBlt(record)
        break
      case 0x0940:
      case 0x0b41:
      case 0x0d33:
      case 0x0f43:
        this.picture(type, record)
        break
      default:
        if (!this.create(type, record)) this.figure(type, record, word)
    }
  }

  /** A window turned upside down counts upwards. */
  private setWindow(width: number, height: number): void {
    const { state } = this.gdi
    state.windowWidth = width || 1
    state.windowHeight = height || 1
    state.viewWidth = this.box.width
    state.viewHeight = this.box.height
  }

  private select(index: number): void {
    const { state } = this.gdi
    const object = this.objects[index]
    if (object === undefined || object === 'other') return
    if (object.kind === 'pen') state.pen = object
    else if (object.kind === 'brush') state.brush = object
    else state.font = object
  }

  private create(type: number, record: RecordReader): boolean {
    const object = this.objectOf(type, record)
    if (!object) return false
    const free = this.objects.indexOf(undefined)
    if (free >= 0) this.objects[free] = object
    else if (this.objects.length < 65_536) this.objects.push(object)
    return true
  }

  private objectOf(type: number, record: RecordReader): GdiObject | 'other' | undefined {
    if (type === 0x2fa) return penOf(record.u16(0), record.i16(2), record.color(6))
    if (type === 0x2fc) return brushOf(record.u16(0), record.color(2))
    if (type === 0x142 || type === 0x1f9) return brushOf(3, '000000')
    if (type === 0xf7 || type === 0x6ff) return 'other'
    if (type !== 0x2fb) return undefined
    const name = record.slice(18, 32)
    const end = name.indexOf(0)
    const family = western.decode(end < 0 ? name : name.subarray(0, end))
    return {
      kind: 'font',
      family: family === '' ? 'Arial' : family,
      height: record.i16(0),
      bold: record.i16(8) >= 600,
      italic: record.u8(10) !== 0,
      underline: record.u8(11) !== 0,
      escapement: record.i16(4),
    }
  }

  private textOut(record: RecordReader): void {
    const length = record.u16(0)
    const padded = length + (length % 2)
    const text = western.decode(record.slice(2, length))
    this.gdi.text(text, record.i16(4 + padded), record.i16(2 + padded), [])
  }

  private extTextOut(record: RecordReader): void {
    const { gdi } = this
    const [y, x] = [record.i16(0), record.i16(2)]
    const length = record.u16(4)
    const options = record.u16(6)
    const start = options & 6 ? 16 : 8
    if (options & 2 && start === 16) {
      const [left, top, right, bottom] = [8, 10, 12, 14].map((at) => record.i16(at)) as [number, number, number, number]
      if (right > left && bottom > top) gdi.fillRectangle(left, top, right - left, bottom - top, gdi.state.backColor)
    }
    const text = western.decode(record.slice(start, length))
    const widthsAt = start + length + (length % 2)
    const hasWidths = widthsAt + length * 2 <= record.length
    gdi.text(text, x, y, hasWidths ? Array.from({ length }, (_, at) => record.i16(widthsAt + at * 2)) : [])
  }

  private patBlt(record: RecordReader): void {
    const { gdi } = this
    const operation = record.u32(0)
    const color =
      operation === 0xf00021
        ? gdi.state.brush.color
        : operation === 0xff0062
          ? 'FFFFFF'
          : operation === 0x42
            ? '000000'
            : undefined
    const [height, width, y, x] = [4, 6, 8, 10].map((at) => record.i16(at)) as [number, number, number, number]
    if (color !== undefined) gdi.fillRectangle(x, y, width, height, color)
  }

  private picture(type: number, record: RecordReader): void {
    // Each record has its own number of words before the destination: height, width, y and x, in this order.
    const at = { 2368: 8, 2881: 12, 3379: 10, 3907: 14 }[type] ?? 8
    const [height, width, y, x] = [at, at + 2, at + 4, at + 6].map((place) => record.i16(place)) as [
      number,
      number,
      number,
      number,
    ]
    const dib = record.slice(at + 8, record.length)
    const size = headerSize(dib)
    if (dib.length <= size || width === 0 || height === 0) return
    const file = bitmapFile(dib.subarray(0, size), dib.subarray(size))
    this.gdi.picture(`${this.part}#${++this.pictures}`, file, x, y, width, height, record.u32(0) === SOURCE_AND)
  }

  private figure(type: number, record: RecordReader, word: (index: number) => number): void {
    const { gdi } = this
    const points = (at: number, count: number): number[] => {
      const fitting = Math.max(0, Math.min(count, Math.floor((record.length - at) / 4), limits.renderPathSteps))
      return Array.from({ length: fitting * 2 }, (_, index) => record.i16(at + index * 2))
    }
    // Boxes are bottom, right, top, left.
    const box = (from: number) =>
      [word(from + 3), word(from + 2), word(from + 1), word(from)] as [number, number, number, number]
    const arc = (closing: 'open' | 'chord' | 'pie') => arcIn(box(4), [word(3), word(2), word(1), word(0)], closing)
    switch (type) {
      case 0x0324:
        gdi.draw(polyline(points(2, record.u16(0)), true), true)
        break
      case 0x0325:
        gdi.draw(polyline(points(2, record.u16(0)), false), false)
        break
      case 0x0538: {
        const count = Math.min(record.u16(0), Math.floor((record.length - 2) / 2))
        const pen = new OutlinePen()
        let at = 2 + count * 2
        for (let index = 0; index < count; index++) {
          const list = points(at, record.u16(2 + index * 2))
          for (let point = 0; point < list.length; point += 2) {
            if (point === 0) pen.move(list[0]!, list[1]!)
            else pen.line(list[point]!, list[point + 1]!)
          }
          pen.close()
          at += list.length * 2
        }
        gdi.draw(pen.outline, true)
        break
      }
      case 0x041b: {
        const [left, top, right, bottom] = box(0)
        gdi.draw(rectangleOutline(left, top, right - left, bottom - top), true)
        break
      }
      case 0x0418:
        gdi.draw(ellipseIn(...box(0)), true)
        break
      case 0x061c:
        gdi.draw(roundRectangle(...box(2), word(1), word(0)), true)
        break
      case 0x0817:
        gdi.draw(arc('open'), false)
        break
      case 0x081a:
        gdi.draw(arc('pie'), true)
        break
      case 0x0830:
        gdi.draw(arc('chord'), true)
        break
      default:
        break
    }
  }
}
