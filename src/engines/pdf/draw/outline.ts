import { limits } from '../../../core/limits.ts'
import { cffPath } from '../font/cff.ts'
import type { Face } from '../font/face.ts'
import { type ByteReader, tableOf } from '../font/sfnt.ts'

interface Point {
  x: number
  y: number
  onCurve: boolean
}

type Contour = Point[]

/** A glyph's outline as path data in font units, y upwards; empty for blanks and for outlines that can't be read. */
export function outlineOf(face: Face, glyph: number): string {
  if (glyph < 0) return ''
  if (face.isCff) return cffPath(tableOf(face.tables, 'CFF '), glyph)
  const contours = contoursOf(face, glyph, 0, { parts: 0, points: 0 })
  const fit = face.fit?.(glyph)
  const placed = fit
    ? contours.map((contour) => contour.map((point) => ({ ...point, x: point.x * fit.scale + fit.shift })))
    : contours
  return placed.map(pathOf).join('')
}

/** The parts and points of a glyph so far. Both are bounded: parts that consist of parts multiply without limit. */
interface Spent {
  parts: number
  points: number
}

function contoursOf(face: Face, glyph: number, depth: number, spent: Spent): Contour[] {
  const data = dataOf(face, glyph)
  if (data.length < 10) return []
  const count = data.i16(0)
  if (count < 0) return compositeContours(face, data, depth, spent)
  const contours = simpleContours(data, count)
  // A contour without points takes room, too.
  for (const { length } of contours) spent.points += Math.max(1, length)
  return contours
}

/** The tables `glyf` and `loca` exist: a face without PostScript outlines is only made from fonts that have them. */
function dataOf(face: Face, glyph: number): ByteReader {
  const glyf = tableOf(face.tables, 'glyf')
  const loca = tableOf(face.tables, 'loca')
  if (glyph >= face.glyphCount) return glyf.part(0, 0)
  const isLong = tableOf(face.tables, 'head').i16(50) !== 0
  const start = isLong ? loca.u32(glyph * 4) : loca.u16(glyph * 2) * 2
  const end = isLong ? loca.u32(glyph * 4 + 4) : loca.u16(glyph * 2 + 2) * 2
  return glyf.part(start, Math.max(0, end - start))
}

const ON_CURVE = 0x01
const X_SHORT = 0x02
const Y_SHORT = 0x04
const REPEAT = 0x08
const X_SAME = 0x10
const Y_SAME = 0x20

/** OpenType 1.9, `glyf`: ends of the contours, instructions, flags, then the coordinates as differences. */
function simpleContours(data: ByteReader, count: number): Contour[] {
  const ends: number[] = []
  for (let contour = 0; contour < count; contour++) {
    const end = data.u16(10 + contour * 2)
    // Contours that share points are broken, and take the memory of all points for each.
    if (end < (ends.at(-1) ?? 0)) return []
    ends.push(end)
  }
  const total = (ends.at(-1) ?? -1) + 1
  // Every point takes at least a bit of the data; a font with more points than that is broken.
  if (total > data.length * 8) return []
  let at = 10 + count * 2
  at += 2 + data.u16(at)
  const flags: number[] = []
  while (flags.length < total) {
    const flag = data.u8(at++)
    const times = (flag & REPEAT) === 0 ? 1 : data.u8(at++) + 1
    for (let time = 0; time < times && flags.length < total; time++) flags.push(flag)
  }
  const coordinates = (short: number, same: number): number[] => {
    let value = 0
    return flags.map((flag) => {
      if ((flag & short) !== 0) value += (flag & same) === 0 ? -data.u8(at++) : data.u8(at++)
      else if ((flag & same) === 0) {
        value += data.i16(at)
        at += 2
      }
      return value
    })
  }
  const xs = coordinates(X_SHORT, X_SAME)
  const ys = coordinates(Y_SHORT, Y_SAME)
  const points = flags.map(
    (flag, index): Point => ({ x: xs[index] ?? 0, y: ys[index] ?? 0, onCurve: (flag & ON_CURVE) !== 0 }),
  )
  let from = 0
  return ends.map((end) => {
    const contour = points.slice(from, end + 1)
    from = end + 1
    return contour
  })
}

const WORDS = 0x01
const OFFSETS = 0x02
const SCALE = 0x08
const MORE = 0x20
const TWO_SCALES = 0x40
const MATRIX = 0x80

/** A glyph made of others, each moved and scaled. Parts that are placed by matching points stay where they are. */
function compositeContours(face: Face, data: ByteReader, depth: number, spent: Spent): Contour[] {
  if (depth >= limits.fontCompositeDepth) return []
  const contours: Contour[] = []
  let at = 10
  for (let component = 0; component < limits.fontComponents && at + 4 <= data.length; component++) {
    if (++spent.parts > limits.fontGlyphParts || spent.points > limits.fontGlyphPoints) break
    const flags = data.u16(at)
    const glyph = data.u16(at + 2)
    at += 4
    let dx = 0
    let dy = 0
    if ((flags & OFFSETS) !== 0) {
      dx = (flags & WORDS) === 0 ? signedByte(data.u8(at)) : data.i16(at)
      dy = (flags & WORDS) === 0 ? signedByte(data.u8(at + 1)) : data.i16(at + 2)
    }
    at += (flags & WORDS) === 0 ? 2 : 4
    let [a, b, c, d] = [1, 0, 0, 1]
    const fixed = () => {
      at += 2
      return data.i16(at - 2) / 16_384
    }
    if ((flags & SCALE) !== 0) a = d = fixed()
    else if ((flags & TWO_SCALES) !== 0) [a, d] = [fixed(), fixed()]
    else if ((flags & MATRIX) !== 0) [a, b, c, d] = [fixed(), fixed(), fixed(), fixed()]
    for (const contour of contoursOf(face, glyph, depth + 1, spent)) {
      contours.push(contour.map(({ x, y, onCurve }) => ({ x: a * x + c * y + dx, y: b * x + d * y + dy, onCurve })))
    }
    if ((flags & MORE) === 0) break
  }
  return contours
}

function signedByte(value: number): number {
  return value >= 0x80 ? value - 0x100 : value
}

/** Adds the points that fonts leave out: the curve passes half-way between two successive control points. */
function pathOf(contour: Contour): string {
  const [first, last] = [contour[0], contour.at(-1)]
  if (!first || !last || contour.length < 2) return ''
  const start = first.onCurve ? first : last.onCurve ? last : middle(first, last)
  let path = `M${at(start)}`
  let control: Point | undefined
  for (const point of first.onCurve ? [...contour.slice(1), start] : [...contour, start]) {
    if (point.onCurve) {
      path += control === undefined ? `L${at(point)}` : `Q${at(control)} ${at(point)}`
      control = undefined
    } else {
      if (control !== undefined) path += `Q${at(control)} ${at(middle(control, point))}`
      control = point
    }
  }
  return `${path}Z`
}

function middle(one: Point, other: Point): Point {
  return { x: (one.x + other.x) / 2, y: (one.y + other.y) / 2, onCurve: true }
}

function at({ x, y }: Point): string {
  return `${Math.round(x)} ${Math.round(y)}`
}
