import { describe, expect, test } from 'bun:test'
import { limits } from '../../../../src/core/limits.ts'
import { outlineOf } from '../../../../src/engines/pdf/draw/outline.ts'
import { type Face, readFace } from '../../../../src/engines/pdf/font/face.ts'
import { readTables, tableOf } from '../../../../src/engines/pdf/font/sfnt.ts'
import { subsetFont } from '../../../../src/engines/pdf/font/subset.ts'
import { cmapOf, type FontPlan, trueType, u16 } from './made-fonts.ts'

function faceOf(plan: FontPlan): Face {
  const face = readFace(trueType(plan))
  if (!face) throw new Error('The font is not read')
  return face
}

/** A glyph of contours as stored: a point is `[x, y]` on the curve, `[x, y, 0]` a control point. */
function simple(contours: readonly (readonly (readonly number[])[])[], instructions: readonly number[] = []): number[] {
  const points = contours.flat()
  let last = -1
  const ends = contours.map((contour) => (last += contour.length))
  const deltas = (axis: number) => points.map((point, at) => (point[axis] ?? 0) - (points[at - 1]?.[axis] ?? 0))
  const [xs, ys] = [deltas(0), deltas(1)]
  const short = (delta: number) => delta !== 0 && Math.abs(delta) < 256
  const flag = (delta: number, isShort: number, same: number) =>
    delta === 0 ? same : short(delta) ? isShort | (delta > 0 ? same : 0) : 0
  const flags = points.map(
    (point, at) => (point[2] === 0 ? 0 : 1) | flag(xs[at] ?? 0, 2, 16) | flag(ys[at] ?? 0, 4, 32),
  )
  const coded = (delta: number) => (delta === 0 ? [] : short(delta) ? [Math.abs(delta)] : u16(delta & 0xffff))
  const repeated: number[] = []
  for (let at = 0; at < flags.length; ) {
    let times = 1
    while (flags[at + times] === flags[at]) times++
    repeated.push(...(times > 1 ? [(flags[at] ?? 0) | 8, times - 1] : [flags[at] ?? 0]))
    at += times
  }
  const bytes = [
    ...u16(contours.length, 0, 0, 0, 0, ...ends, instructions.length),
    ...instructions,
    ...repeated,
    ...xs.flatMap(coded),
    ...ys.flatMap(coded),
  ]
  return bytes.length % 2 === 0 ? bytes : [...bytes, 0]
}

interface Component {
  flags: number
  glyph: number
  data: readonly number[]
}

const composite = (...components: Component[]): number[] => [
  ...u16(0xffff, 0, 0, 0, 0),
  ...components.flatMap(({ flags, glyph, data }, at) => [
    ...u16(flags | (at < components.length - 1 ? 0x20 : 0), glyph),
    ...data,
  ]),
]

const square = [
  [0, 0],
  [100, 0],
  [100, 100],
  [0, 100],
]
const drawnSquare = 'M0 0L100 0L100 100L0 100L0 0Z'
const widths = (count: number) => Array.from({ length: count }, (_, at): [number, number] => [500 + at, at * 7])
const outlined = (glyph: number, ...outlines: number[][]) =>
  outlineOf(faceOf({ widths: widths(outlines.length), outlines }), glyph)

describe('A TrueType outline', () => {
  test('is drawn contour by contour, with steps of one byte or two', () => {
    expect(outlined(1, [], simple([square]))).toBe(drawnSquare)
    expect(
      outlined(
        1,
        [],
        simple([
          [
            [-500, 300],
            [1_000, 300],
            [1_000, -700],
          ],
        ]),
      ),
    ).toBe('M-500 300L1000 300L1000 -700L-500 300Z')
    expect(
      outlined(
        1,
        [],
        simple([
          square,
          [
            [10, 10],
            [20, 10],
            [10, 30],
          ],
        ]),
      ),
    ).toBe(`${drawnSquare}M10 10L20 10L10 30L10 10Z`)
    expect(outlined(1, [], simple([square], [1, 2, 3]))).toBe(drawnSquare)
  })

  test('has a point on the curve between two control points', () => {
    expect(
      outlined(
        1,
        [],
        simple([
          [
            [0, 0],
            [50, 100, 0],
            [100, 0],
          ],
        ]),
      ),
    ).toBe('M0 0Q50 100 100 0L0 0Z')
    expect(
      outlined(
        1,
        [],
        simple([
          [
            [0, 0],
            [0, 100, 0],
            [100, 100, 0],
            [100, 0],
          ],
        ]),
      ),
    ).toBe('M0 0Q0 100 50 100Q100 100 100 0L0 0Z')
    // Where the first is a control point, the outline begins at the last or between the two.
    expect(
      outlined(
        1,
        [],
        simple([
          [
            [0, 100, 0],
            [100, 100],
            [100, 0],
          ],
        ]),
      ),
    ).toBe('M100 0Q0 100 100 100L100 0L100 0Z')
    expect(
      outlined(
        1,
        [],
        simple([
          [
            [0, 100, 0],
            [100, 100],
            [100, 0, 0],
          ],
        ]),
      ),
    ).toBe('M50 50Q0 100 100 100Q100 0 50 50Z')
  })

  test('is nothing for a blank, a single point, and a glyph that the font does not have', () => {
    expect([outlined(0, []), outlined(1, []), outlined(-1, simple([square])), outlined(0, simple([[[5, 5]]]))]).toEqual(
      ['', '', '', ''],
    )
    expect(outlined(5, simple([square]))).toBe('')
  })

  test('is read with places of four bytes, too', () => {
    expect(outlineOf(faceOf({ widths: widths(2), outlines: [[], simple([square])], isLong: true }), 1)).toBe(
      drawnSquare,
    )
  })

  test('with more points than its data can have is none', () => {
    const broken = simple([square])
    broken.splice(10, 2, ...u16(60_000))
    expect(outlined(0, broken)).toBe('')
  })

  test('of parts has each of them moved, scaled or turned', () => {
    const half = u16(0x2000)
    const part = (flags: number, ...data: number[]) =>
      outlined(1, simple([square]), composite({ flags, glyph: 0, data }))
    expect(part(0x3, ...u16(300, -200 & 0xffff))).toBe('M300 -200L400 -200L400 -100L300 -100L300 -200Z')
    expect(part(0x2, 10, 0xf6)).toBe('M10 -10L110 -10L110 90L10 90L10 -10Z')
    expect(part(0xb, ...u16(0, 0), ...half)).toBe('M0 0L50 0L50 50L0 50L0 0Z')
    expect(part(0x43, ...u16(0, 0), ...half, ...u16(0x4000))).toBe('M0 0L50 0L50 100L0 100L0 0Z')
    expect(part(0x83, ...u16(7, 0), ...u16(0, 0x4000, 0xc000, 0))).toBe('M7 0L7 100L-93 100L-93 0L7 0Z')
    // Parts that are placed by matching points stay where they are.
    expect(part(0x1, ...u16(300, 300))).toBe(drawnSquare)
    const two = composite({ flags: 0x3, glyph: 0, data: u16(0, 0) }, { flags: 0x2, glyph: 0, data: [1, 1] })
    expect(outlined(1, simple([square]), two)).toBe(`${drawnSquare}M1 1L101 1L101 101L1 101L1 1Z`)
  })

  test('of itself ends at the limit of its depth', () => {
    const own = composite({ flags: 0x3, glyph: 1, data: u16(0, 0) }, { flags: 0x3, glyph: 0, data: u16(0, 0) })
    expect(outlined(1, simple([square]), own)).toBe(drawnSquare.repeat(limits.fontCompositeDepth))
  })

  test('of many parts that are itself ends at the limits of its parts and points', () => {
    const part = { flags: 0x3, glyph: 1, data: u16(0, 0) }
    const own = composite(...new Array<Component>(20).fill(part), { ...part, glyph: 0 })
    // Without a limit of all parts, twenty of them at eight depths would be 20^8.
    expect(outlined(1, [], own)).toBe('')
    const vast = simple([Array.from({ length: 1_000 }, (_, at) => [at % 100, at % 7])])
    const points = outlined(1, vast, composite(...new Array<Component>(64).fill({ ...part, glyph: 0 }), part))
    expect(points.split('L').length).toBeLessThan(limits.fontGlyphPoints + 1_000)
    const many = composite(...new Array<Component>(63).fill({ ...part, glyph: 0 }), part)
    expect(outlined(1, simple([square]), many).length).toBeLessThan(drawnSquare.length * limits.fontGlyphParts)
  })

  test('whose contours share points is broken, and takes no memory for each of them', () => {
    const count = 1_000
    const ends = Array.from({ length: count }, (_, at) => (at % 2 === 0 ? 0 : 60_000))
    const flags = new Array<number[]>(240).fill([0x39, 255]).flat()
    const shared = [...u16(count, 0, 0, 0, 0, ...ends, 0), ...flags, ...new Array<number>(6_000).fill(0)]
    expect(outlined(0, shared)).toBe('')
  })
})

describe('A subset of TrueType outlines', () => {
  const plan: FontPlan = {
    widths: widths(5),
    outlines: [
      simple([
        [
          [1, 1],
          [2, 1],
          [1, 2],
        ],
      ]),
      simple([square], [9, 9]),
      composite({ flags: 0x103, glyph: 4, data: u16(5, 6) }, { flags: 0xa, glyph: 1, data: [7, 8, ...u16(0x2000)] }),
      [],
      simple([
        [
          [3, 3],
          [4, 3],
          [3, 5],
        ],
      ]),
    ],
    cmap: cmapOf(),
  }
  const source = faceOf(plan)
  const made = (glyphs: readonly number[], face = source) => {
    const bytes = subsetFont(face, glyphs)
    const directory = new DataView(bytes.buffer)
    const tags = Array.from({ length: directory.getUint16(4) }, (_, at) =>
      Buffer.from(bytes).toString('latin1', 12 + at * 16, 16 + at * 16),
    )
    return { bytes, directory, tags }
  }
  /** The subset as a face: the character map, which a subset does without, is laid over it. */
  function opened(glyphs: readonly number[], from = source): Face {
    const { bytes } = made(glyphs, from)
    // `hhea` replaces the missing `cmap`, which no glyph needs.
    const whole = new Uint8Array(bytes.length + 16)
    const count = new DataView(bytes.buffer).getUint16(4)
    whole.set(bytes.subarray(0, 12 + count * 16))
    whole.set(bytes.subarray(12 + count * 16), 28 + count * 16)
    const view = new DataView(whole.buffer)
    for (let at = 0; at < count; at++) view.setUint32(20 + at * 16, view.getUint32(20 + at * 16) + 16)
    whole.set(Buffer.from('cmap'), 12 + count * 16)
    view.setUint32(20 + count * 16, 28 + count * 16)
    view.setUint16(4, count + 1)
    const face = readFace(whole)
    if (!face) throw new Error('The subset is not read')
    return face
  }

  test('has its glyphs in the order asked for, and the parts of composites behind them', () => {
    const subset = opened([0, 2, 3, 1])
    expect(subset.glyphCount).toBe(5)
    expect([0, 1, 2, 3, 4].map((glyph) => outlineOf(subset, glyph))).toEqual(
      [0, 2, 3, 1, 4].map((glyph) => outlineOf(source, glyph)),
    )
    expect([0, 1, 2, 3, 4].map((glyph) => subset.advance(glyph))).toEqual(
      [0, 2, 3, 1, 4].map((glyph) => source.advance(glyph)),
    )
    const metrics = tableOf(subset.tables, 'hmtx')
    expect([0, 1, 2, 3, 4].map((glyph) => metrics.i16(glyph * 4 + 2))).toEqual([0, 14, 21, 7, 28])
  })

  test('has the parts of composites under their new numbers, whatever follows each of them', () => {
    const half = u16(0x2000)
    const forms = {
      words: { flags: 0x3, data: u16(7, 0) },
      bytes: { flags: 0x2, data: [7, 0] },
      scaled: { flags: 0xa, data: [7, 0, ...half] },
      'scaled both ways': { flags: 0x43, data: [...u16(7, 0), ...half, ...half] },
      turned: { flags: 0x83, data: [...u16(7, 0), ...u16(0, 0x4000, 0xc000, 0)] },
    }
    for (const [name, form] of Object.entries(forms)) {
      const parts = composite({ glyph: 3, ...form }, { flags: 0x2, glyph: 2, data: [1, 1] })
      const other: [number, number][] = [
        [0, 0],
        [9, 0],
        [0, 9],
      ]
      const own = { ...plan, outlines: [[], parts, simple([square]), simple([other])], widths: widths(4) }
      const face = faceOf(own)
      expect([name, outlineOf(opened([0, 1], face), 1)]).toEqual([name, outlineOf(face, 1)])
    }
  })

  test('has bearings of glyphs that share the last width', () => {
    const shared = faceOf({ ...plan, shared: 3 })
    const view = readTables(opened([0]).bytes)
    expect(view?.get('hmtx')?.i16(2)).toBe(0)
    const { bytes } = made([0, 4, 2], shared)
    const at = Buffer.from(bytes).indexOf('hmtx')
    const start = new DataView(bytes.buffer).getUint32(at + 8)
    expect([0, 4, 8].map((offset) => new DataView(bytes.buffer).getInt16(start + offset + 2))).toEqual([0, 28, 14])
  })

  test('leaves out instructions', () => {
    const subset = opened([0, 1])
    const loca = tableOf(subset.tables, 'loca')
    expect(tableOf(subset.tables, 'glyf').u16(loca.u32(4) + 12)).toBe(0)
    expect(outlineOf(subset, 1)).toBe(drawnSquare)
    const glyf = tableOf(subset.tables, 'glyf')
    expect(glyf.length).toBe(
      [0, 1].reduce((sum, glyph) => sum + ((loca.u32(glyph * 4 + 4) - loca.u32(glyph * 4) + 3) & ~3), 0),
    )
    expect(loca.u32(8) - loca.u32(4)).toBe((simple([square]).length + 3) & ~3)
    // A composite no longer says that it has any, and keeps what else its flags say.
    const marked = {
      ...plan,
      outlines: [[], composite({ flags: 0x703, glyph: 2, data: u16(5, 6) }), simple([square])],
      widths: widths(3),
    }
    const { bytes, tags } = made([0, 1], faceOf(marked))
    const start = new DataView(bytes.buffer).getUint32(12 + tags.indexOf('glyf') * 16 + 8)
    expect(new DataView(bytes.buffer).getUint16(start + 10)).toBe(0x603)
  })

  test('is empty where the font has no such glyph, or its outline is cut off', () => {
    const subset = opened([0, 77, -1, 3])
    expect([1, 2, 3].map((glyph) => outlineOf(subset, glyph))).toEqual(['', '', ''])
    for (const outline of [
      simple([square], [1, 2, 3]).slice(0, 16),
      simple([square], [1, 2, 3]).slice(0, 12),
      [0, 5, 0, 0],
    ]) {
      const face = faceOf({ widths: widths(2), outlines: [[], outline] })
      expect(made([0, 1], face).bytes.length).toBe(made([0, 0], face).bytes.length)
    }
  })

  test('has tables with their checksums, places and a directory for searching', () => {
    const { bytes, directory, tags } = made([0, 2])
    expect(tags).toEqual(['glyf', 'head', 'hhea', 'hmtx', 'loca', 'maxp'])
    expect([0, 2, 4, 6, 8, 10].map((at) => directory.getUint16(at))).toEqual([1, 0, 6, 64, 2, 32])
    const sum = (start: number, length: number) => {
      let total = 0
      for (let at = start; at < start + length; at += 4) total = (total + directory.getUint32(at)) >>> 0
      return total
    }
    let next = 12 + tags.length * 16
    for (const [index, tag] of tags.entries()) {
      const entry = 12 + index * 16
      const [stated, start, length] = [4, 8, 12].map((at) => directory.getUint32(entry + at)) as [
        number,
        number,
        number,
      ]
      expect([tag, start]).toEqual([tag, next])
      const padded = (length + 3) & ~3
      const adjusted = tag === 'head' ? directory.getUint32(start + 8) : 0
      expect([tag, (sum(start, padded) - adjusted + 2 ** 32) % 2 ** 32]).toEqual([tag, stated])
      next += padded
    }
    expect(next).toBe(bytes.length)
    expect(sum(0, bytes.length)).toBe(0xb1b0afba)
  })

  test('says that its places have four bytes, and that nothing is left for an interpreter', () => {
    const { tables } = opened([0, 1])
    expect(tableOf(tables, 'head').i16(50)).toBe(1)
    expect(tableOf(tables, 'hhea').u16(34)).toBe(2)
    const maxp = tableOf(tables, 'maxp')
    expect(maxp.u16(4)).toBe(2)
    expect([14, 16, 18, 20, 22, 24, 26].map((at) => maxp.u16(at))).toEqual([1, 0, 0, 0, 0, 0, 0])
    expect(maxp.u16(28)).toBe(0x0909)
  })

  test('is no longer than the outlines of the font, though the places of its glyphs overlap', () => {
    const count = 500
    const parts = Array.from({ length: count }, (_, at) => ({ flags: 0x2, glyph: at + 2, data: [0, 0] }))
    const own = composite(...parts)
    const filling = [...u16(1, 0, 0, 0, 0, 0, 0), ...new Array<number>(40_000).fill(0)]
    const end = own.length + filling.length
    const places = [0, 0, own.length, ...Array.from({ length: count }, (_, at) => (at % 2 === 0 ? end : own.length))]
    const loca = places.flatMap((place) => [...u16(0), ...u16(place)])
    const plan = { widths: widths(count + 2), outlines: [[], own, filling], isLong: true }
    expect(subsetFont(faceOf({ ...plan, others: { loca } }), [0, 1]).length).toBeLessThan(150_000)
  })

  test('ends a chain of parts at the limit of its depth', () => {
    const chain = Array.from({ length: 20 }, (_, at) => composite({ flags: 0x3, glyph: at + 1, data: u16(0, 0) }))
    const face = faceOf({ widths: widths(21), outlines: [...chain, simple([square])] })
    const bytes = subsetFont(face, [0])
    const at = Buffer.from(bytes).indexOf('maxp')
    expect(new DataView(bytes.buffer).getUint16(new DataView(bytes.buffer).getUint32(at + 8) + 4)).toBe(
      1 + limits.fontCompositeDepth,
    )
  })
})
