import { describe, expect, test } from 'bun:test'
import { limits } from '../../../../src/core/limits.ts'
import { outlineOf } from '../../../../src/engines/pdf/draw/outline.ts'
import { embeddedFonts } from '../../../../src/engines/pdf/font/embedded.ts'
import type { Face } from '../../../../src/engines/pdf/font/face.ts'
import { ByteReader } from '../../../../src/engines/pdf/font/sfnt.ts'

const word = (value: number) => [(value >> 8) & 0xff, value & 0xff]
const words = (...values: number[]) => values.flatMap(word)
/** The count of contours and a bounding box that nothing reads. */
const head = (count: number) => words(count, 0, 0, 0, 0)

/** A face with these glyphs alone, of an even number of bytes each. */
function faceOf(glyphs: readonly (readonly number[])[], isLong = false): Face {
  const padded = glyphs.map((bytes) => (bytes.length % 2 === 0 ? bytes : [...bytes, 0]))
  let end = 0
  const ends = [0, ...padded.map(({ length }) => (end += length))]
  const loca = isLong ? ends.flatMap((at) => words(at >> 16, at & 0xffff)) : words(...ends.map((at) => at / 2))
  const table = (bytes: readonly number[]) => ByteReader.of(Uint8Array.from(bytes))
  const tables = new Map([
    ['glyf', table([...padded.flat(), ...words(1, 1, 1, 1, 1, 1)])],
    ['loca', table(loca)],
    ['head', table([...new Array(50).fill(0), ...word(isLong ? 1 : 0)])],
  ])
  return Object.assign(Object.create(embeddedFonts().match('Carlito')?.font.face ?? null), {
    ...{ tables, glyphCount: glyphs.length, isCff: false },
  })
}

/** A contour of points that are words; `on` says which are on the curve. */
const simple = (points: readonly (readonly [x: number, y: number])[], on = points.map(() => true)) => {
  const deltas = (axis: 0 | 1) => points.map((point, at) => point[axis] - (points[at - 1]?.[axis] ?? 0))
  return [...head(1), ...words(points.length - 1, 0), ...on.map(Number), ...words(...deltas(0), ...deltas(1))]
}
const triangle = simple([
  [0, 0],
  [100, 0],
  [40, 60],
])
const drawn = (...glyphs: readonly (readonly number[])[]) => outlineOf(faceOf(glyphs), 0)

describe('An outline', () => {
  test('has lines between points of the curve', () => {
    expect(drawn(triangle)).toBe('M0 0L100 0L40 60L0 0Z')
    expect(outlineOf(faceOf([triangle, triangle], true), 1)).toBe('M0 0L100 0L40 60L0 0Z')
    expect(outlineOf(faceOf([triangle, triangle]), 1)).toBe('M0 0L100 0L40 60L0 0Z')
  })

  test('is empty for glyphs that the font does not have, and for those without points', () => {
    expect([outlineOf(faceOf([triangle]), -1), outlineOf(faceOf([triangle]), 1), drawn([]), drawn(head(0))]).toEqual([
      ...['', '', '', ''],
    ])
    expect(drawn(simple([[5, 5]]))).toBe('')
    expect(drawn([...head(1), ...words(60_000, 0), 1, 1])).toBe('')
  })

  test('curves about points that are not on it, and through their middles', () => {
    const corners: [number, number][] = [
      [0, 0],
      [100, 0],
      [100, 100],
      [0, 100],
    ]
    const path = (...on: boolean[]) => drawn(simple(corners, on))
    expect(path(true, false, true, true)).toBe('M0 0Q100 0 100 100L0 100L0 0Z')
    expect(path(true, false, false, true)).toBe('M0 0Q100 0 100 50Q100 100 0 100L0 0Z')
    expect(path(true, true, true, false)).toBe('M0 0L100 0L100 100Q0 100 0 0Z')
    expect(path(false, true, true, true)).toBe('M0 100Q0 0 100 0L100 100L0 100L0 100Z')
    expect(path(false, false, false, false)).toBe('M0 50Q0 0 50 0Q100 0 100 50Q100 100 50 100Q0 100 0 50Z')
  })

  test('has short, equal and repeated coordinates, and skips instructions', () => {
    // Flags: on the curve and short upwards in x with the same y; the same repeated once; short downwards in both.
    const flags = [0x01 | 0x02 | 0x10 | 0x20, 0x01 | 0x02 | 0x10 | 0x20 | 0x08, 1, 0x01 | 0x02 | 0x04]
    expect(drawn([...head(1), ...words(3, 3), 9, 9, 9, ...flags, 10, 20, 30, 5, 7])).toBe('M10 0L30 0L60 0L55 -7L10 0Z')
    const up = 0x01 | 0x10 | 0x04 | 0x20
    expect(drawn([...head(1), ...words(1, 0), up, up, 4, 5])).toBe('M0 4L0 9L0 4Z')
    // More repetitions than points are cut.
    expect(drawn([...head(1), ...words(1, 0), up | 0x08, 200, 4, 5])).toBe('M0 4L0 9L0 4Z')
  })

  test('has several contours, one after the other', () => {
    const on = 0x01 | 0x02 | 0x10 | 0x04 | 0x20
    const data = [...head(2), ...words(1, 3, 0), on, on, on, on, 1, 2, 3, 4, 5, 6, 7, 8]
    expect(drawn(data)).toBe('M1 5L3 11L1 5ZM6 18L10 26L6 18Z')
  })
})

describe('An outline made of others', () => {
  const part = (flags: number, glyph: number, ...rest: number[]) => [...words(flags, glyph), ...rest]
  const made = (...parts: number[][]) => drawn([...head(-1), ...parts.flat()], triangle)
  const [wide, offsets, more] = [0x01, 0x02, 0x20]

  test('moves them by bytes or words, to either side', () => {
    expect(made(part(offsets, 1, 5, 0xfe))).toBe('M5 -2L105 -2L45 58L5 -2Z')
    expect(made(part(offsets, 1, 0x80, 0x7f))).toBe('M-128 127L-28 127L-88 187L-128 127Z')
    expect(made(part(wide | offsets, 1, ...words(-300, 400)))).toBe('M-300 400L-200 400L-260 460L-300 400Z')
  })

  test('leaves those where they are that are placed by points', () => {
    expect(made(part(0, 1, 5, 6))).toBe('M0 0L100 0L40 60L0 0Z')
    expect(made(part(wide, 1, ...words(5, 6)))).toBe('M0 0L100 0L40 60L0 0Z')
  })

  test('scales and turns them in units of 16,384', () => {
    const [half, one] = [8_192, 16_384]
    expect(made(part(offsets | 0x08, 1, 0, 0, ...words(half)))).toBe('M0 0L50 0L20 30L0 0Z')
    expect(made(part(offsets | 0x40, 1, 0, 0, ...words(half, -one)))).toBe('M0 0L50 0L20 -60L0 0Z')
    // A quarter of a turn: x' = -y and y' = x, and then moved.
    expect(made(part(offsets | 0x80, 1, 7, 9, ...words(0, one, -one, 0)))).toBe('M7 9L7 109L-53 49L7 9Z')
  })

  test('adds them in their order, as long as more are announced', () => {
    const [first, second] = ['M1 0L101 0L41 60L1 0Z', 'M0 2L100 2L40 62L0 2Z']
    expect(made(part(offsets | more, 1, 1, 0), part(offsets, 1, 0, 2))).toBe(first + second)
    expect(made(part(offsets, 1, 1, 0), part(offsets, 1, 0, 2))).toBe(first)
    expect(made(part(offsets | more | 0x08, 1, 1, 0, ...words(16_384)), part(offsets, 1, 0, 2))).toBe(first + second)
    expect(made(part(wide | offsets | more, 1, ...words(1, 0)), part(offsets, 1, 0, 2))).toBe(first + second)
  })

  test('is no deeper and has no more parts than the limits', () => {
    const chain = (depth: number) => [
      ...Array.from({ length: depth }, (_, at) => [...head(-1), ...part(offsets, at + 1, 0, 0)]),
      triangle,
    ]
    expect(drawn(...chain(limits.fontCompositeDepth))).not.toBe('')
    expect(drawn(...chain(limits.fontCompositeDepth + 1))).toBe('')
    const many = new Array(limits.fontComponents + 1).fill(part(offsets | more, 1, 0, 0))
    expect(made(...many).split('Z').length - 1).toBe(limits.fontComponents)
  })
})
