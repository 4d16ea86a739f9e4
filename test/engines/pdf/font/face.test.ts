import { describe, expect, test } from 'bun:test'
import { limits } from '../../../../src/core/limits.ts'
import { type Face, readFace, readNaming } from '../../../../src/engines/pdf/font/face.ts'
import { ByteReader, fontCount, readTables } from '../../../../src/engines/pdf/font/sfnt.ts'
import {
  cmapOf,
  type FontPlan,
  fontFile,
  format4,
  os2,
  subtable4,
  subtable12,
  trueType,
  u16,
  u32,
} from './made-fonts.ts'

function faceOf(plan: FontPlan = {}): Face {
  const face = readFace(trueType(plan))
  if (!face) throw new Error('The font is not read')
  return face
}

describe('A reader of bytes', () => {
  const reader = new ByteReader(Uint8Array.of(9, 9, 0x81, 2, 3, 4, 5, 9), 2, 5)

  test('reads big-endian numbers within its bounds, and 0 beyond them', () => {
    expect([reader.u8(0), reader.u8(4), reader.u8(5), reader.u8(-1)]).toEqual([0x81, 5, 0, 0])
    expect([reader.u16(0), reader.u16(3), reader.u16(4), reader.u16(-1)]).toEqual([0x8102, 0x0405, 0, 0])
    expect([reader.i16(0), reader.i16(1)]).toEqual([0x8102 - 0x10000, 0x0203])
    expect([reader.u32(0), reader.u32(1), reader.u32(2)]).toEqual([0x81020304, 0x02030405, 0x03040000])
  })

  test('gives parts and slices that end where it does', () => {
    expect([...reader.slice(1, 2)]).toEqual([2, 3])
    expect([[...reader.slice(3, 9)], [...reader.slice(2, 1)]]).toEqual([[4, 5], [3]])
    expect([reader.slice(5, 1), reader.slice(-1, 2), reader.slice(1, 0)].map(({ length }) => length)).toEqual([0, 0, 0])
    expect([reader.part(3).length, reader.part(1, 2).length, reader.part(3, 9).length, reader.part(5).length]).toEqual([
      2, 2, 2, 0,
    ])
    expect([reader.part(6).length, reader.part(-1).length]).toEqual([0, 0])
    expect(reader.part(1).u8(0)).toBe(2)
    expect(new ByteReader(Uint8Array.of(1), 5, 3).length).toBe(0)
    expect(new ByteReader(Uint8Array.of(1, 2), 1, -3).length).toBe(0)
  })
})

describe('A file of fonts', () => {
  test('is known by its version, and needs the tables that drawing needs', () => {
    const bytes = trueType()
    expect([...(readTables(bytes)?.keys() ?? [])]).toEqual(['cmap', 'glyf', 'head', 'hhea', 'hmtx', 'loca', 'maxp'])
    const data = new DataView(bytes.buffer)
    for (const [version, isFont] of [
      [0x74727565, true],
      [0x4f54544f, true],
      [0x00020000, false],
    ] as const) {
      data.setUint32(0, version)
      expect(readTables(bytes) !== undefined).toBe(isFont)
    }
    for (const tag of ['head', 'hhea', 'maxp', 'hmtx', 'cmap', 'loca', 'glyf']) {
      const other = trueType()
      other[Buffer.from(other).indexOf(tag)] = 0x78
      expect(readFace(other)).toBeUndefined()
    }
    expect(readTables(new Uint8Array(3))).toBeUndefined()
  })

  test('leaves out tables that begin behind its end', () => {
    const bytes = trueType({ post: u32(0) })
    const at = Buffer.from(bytes).indexOf('post')
    new DataView(bytes.buffer).setUint32(at + 8, bytes.length)
    expect(readTables(bytes)?.has('post')).toBe(false)
    new DataView(bytes.buffer).setUint32(at + 8, bytes.length - 1)
    expect(readTables(bytes)?.get('post')?.length).toBe(1)
  })

  test('may be a collection, whose fonts are read by their number', () => {
    const one = trueType()
    const head = [...Buffer.from('ttcf'), ...u32(0x10000, 2, 20, 20)]
    const bytes = Uint8Array.from([...head, ...one])
    const view = new DataView(bytes.buffer)
    for (let table = 0; table < 7; table++)
      view.setUint32(20 + 12 + table * 16 + 8, view.getUint32(20 + 12 + table * 16 + 8) + 20)
    expect([fontCount(bytes), fontCount(one)]).toEqual([2, 1])
    expect(readFace(bytes, 1)?.glyphCount).toBe(4)
    expect([readFace(bytes, 2), readFace(bytes, -1)?.index]).toEqual([undefined, undefined])
    view.setUint32(8, 1_000)
    expect(fontCount(bytes)).toBe(64)
  })
})

describe('A face', () => {
  test('has the metrics of its tables as fractions of the em', () => {
    const face = faceOf({
      ...{ unitsPerEm: 2000, ascent: 1800, descent: -400, gap: 100, bbox: [-100, -200, 300, 400] },
      os2: os2({ strikePosition: 600, xHeight: 900, capHeight: 1300 }),
      post: [...u32(0x20000), ...u16(0xfff4, 0x8000, 0xff38, 80), ...u32(1)],
    })
    expect(face).toMatchObject({
      ...{ unitsPerEm: 2000, glyphCount: 4, ascent: 0.9, descent: 0.2, gap: 0.05, capHeight: 0.65, xHeight: 0.45 },
      ...{
        italicAngle: -11.5,
        fixedPitch: true,
        underlinePosition: -0.1,
        underlineThickness: 0.04,
        strikePosition: 0.3,
      },
      ...{ bbox: [-0.05, -0.1, 0.15, 0.2], isCff: false, index: 0 },
    })
  })

  test('has usual values where its tables say nothing', () => {
    const usual = {
      capHeight: 0.7,
      xHeight: 0.5,
      underlinePosition: -0.1,
      underlineThickness: 0.05,
      strikePosition: 0.26,
    }
    expect(faceOf()).toMatchObject({
      ...usual,
      italicAngle: 0,
      fixedPitch: false,
      mayEmbed: true,
      maySubset: true,
      bold: false,
      italic: false,
    })
    expect(faceOf({ os2: os2({}), post: u32(0, 0, 0, 0) })).toMatchObject(usual)
    expect(faceOf({ os2: os2({ version: 1, xHeight: 300, capHeight: 600 }) })).toMatchObject(usual)
    expect(faceOf({ os2: os2({ version: 2, xHeight: 300, capHeight: 600 }) })).toMatchObject({
      capHeight: 0.6,
      xHeight: 0.3,
    })
    expect(faceOf({ gap: -90 }).gap).toBe(0)
  })

  test('is refused with an em that no font has, or without glyphs', () => {
    expect([15, 16, 16_384, 16_385].map((unitsPerEm) => readFace(trueType({ unitsPerEm })) !== undefined)).toEqual([
      false,
      true,
      true,
      false,
    ])
    expect(readFace(trueType({ widths: [] }))).toBeUndefined()
  })

  test('is bold or italic by either of the tables that say so', () => {
    const styleOf = (plan: FontPlan) => [faceOf(plan).bold, faceOf(plan).italic]
    expect([styleOf({ macStyle: 1 }), styleOf({ macStyle: 2 }), styleOf({ macStyle: 4 })]).toEqual([
      [true, false],
      [false, true],
      [false, false],
    ])
    expect([styleOf({ os2: os2({ selection: 0x20 }) }), styleOf({ os2: os2({ selection: 1 }) })]).toEqual([
      [true, false],
      [false, true],
    ])
  })

  test('may be embedded and subset as its licence says', () => {
    const rights = (fsType: number) => [
      faceOf({ os2: os2({ fsType }) }).mayEmbed,
      faceOf({ os2: os2({ fsType }) }).maySubset,
    ]
    expect([0, 4, 8, 2, 0x200, 0x100].map(rights)).toEqual([
      ...[
        [true, true],
        [true, true],
        [true, true],
        [false, true],
        [false, true],
        [true, false],
      ],
    ])
    // The restricted licence counts only alone.
    expect(rights(6)).toEqual([true, true])
  })

  test('has the width of each glyph; those at the end share the last one', () => {
    const face = faceOf({
      widths: [
        [600, 0],
        [500, 1],
        [400, 2],
        [0, 3],
      ],
      shared: 2,
    })
    expect([0, 1, 2, 3, 4, -1].map((glyph) => face.advance(glyph))).toEqual([0.6, 0.5, 0.5, 0.5, 0, 0])
    expect([0x41, 0x42, 0x41, 0x2300, 0x44].map((code) => face.width(code))).toEqual([0.5, 0.5, 0.5, -1, -1])
    const far = faceOf({ cmap: format4([[0x2300, 0x2301, 1]]) })
    expect([far.width(0x2300), far.width(0x2301), far.width(0x41)]).toEqual([0.501, 0.502, -1])
  })
})

describe('The glyph of a character', () => {
  const glyphs = (cmap: readonly number[], ...codes: number[]) => codes.map((code) => faceOf({ cmap }).glyph(code))

  test('is found in ranges of sixteen bits', () => {
    const cmap = format4([
      [0x20, 0x20, 3],
      [0x41, 0x42, 1],
      [0x3000, 0x3000, 2],
    ])
    expect(glyphs(cmap, 0x1f, 0x20, 0x21, 0x40, 0x41, 0x42, 0x43, 0x3000, 0x3001, 0xffff, 0x10041)).toEqual([
      0, 3, 0, 0, 1, 2, 0, 2, 0, 0, 0,
    ])
  })

  test('is found by a list of glyphs, where a range has one', () => {
    // One range, whose glyphs come behind the tables: 0 stays 0, others are moved by the difference.
    const table = [
      ...u16(4, 0, 0, 4, 0, 0, 0),
      ...u16(0x43, 0xffff),
      ...u16(0),
      ...u16(0x41, 0xffff),
      ...u16(1, 1),
      ...u16(4, 0),
      ...u16(2, 0, 1),
    ]
    expect(glyphs(cmapOf([3, 1, table]), 0x41, 0x42, 0x43)).toEqual([3, 0, 2])
  })

  test('is found beyond sixteen bits', () => {
    const cmap = cmapOf([
      3,
      10,
      subtable12([
        [0x41, 0x42, 1],
        [0x1f600, 0x1f601, 2],
        [0x20000, 0x20000, 1],
      ]),
    ])
    expect(glyphs(cmap, 0x40, 0x41, 0x42, 0x43, 0x1f600, 0x1f601, 0x1f602, 0x20000)).toEqual([0, 1, 2, 0, 2, 3, 0, 1])
  })

  test('comes from the widest table that is Unicode’s', () => {
    const a = (glyph: number) => subtable4([[0x41, 0x41, glyph]])
    const wide = (glyph: number) => subtable12([[0x41, 0x41, glyph]])
    expect(glyphs(cmapOf([0, 3, a(1)], [3, 10, wide(2)]), 0x41)).toEqual([2])
    expect(glyphs(cmapOf([3, 10, wide(2)], [3, 1, a(1)]), 0x41)).toEqual([2])
    expect(glyphs(cmapOf([0, 3, a(1)], [3, 1, a(2)]), 0x41)).toEqual([1])
    expect(glyphs(cmapOf([3, 0, a(1)], [3, 1, a(2)]), 0x41)).toEqual([2])
    expect(glyphs(cmapOf([3, 4, a(1)]), 0x41)).toEqual([0])
    expect(glyphs(cmapOf([1, 0, a(1)]), 0x41)).toEqual([0])
    expect(glyphs(cmapOf([3, 1, u16(6, 0, 0, 0x41, 1, 1)], [0, 4, wide(3)]), 0x41)).toEqual([3])
    // One of another form is none, even where it would be the first.
    const other = [...u16(6), ...a(1).slice(2)]
    expect(glyphs(cmapOf([3, 1, other], [0, 3, a(2)]), 0x41)).toEqual([2])
    expect(glyphs(cmapOf([3, 1, other]), 0x41)).toEqual([0])
  })

  test('is not looked for in tables beyond those that are counted', () => {
    const narrow = subtable4([[0x41, 0x41, 1]])
    const both = cmapOf([3, 1, narrow], [3, 10, subtable12([[0x41, 0x41, 2]])])
    expect(glyphs(both, 0x41)).toEqual([2])
    both.splice(2, 2, ...u16(1))
    expect(glyphs(both, 0x41)).toEqual([1])
    const many = cmapOf(...Array.from({ length: 64 }, (): [number, number, number[]] => [1, 0, narrow]), [3, 1, narrow])
    expect(glyphs(many, 0x41)).toEqual([0])
  })

  test('is none beyond the ranges of a table, whatever follows them', () => {
    const wide = [...subtable12([[0x41, 0x42, 1]]), ...u32(0x43, 0x44, 1)]
    expect(glyphs(cmapOf([3, 10, wide]), 0x41, 0x42, 0x43, 0x44)).toEqual([1, 2, 0, 0])
    expect(glyphs(cmapOf([3, 10, subtable12([])]), 0x41)).toEqual([0])
  })

  test('of a symbol font may be asked for with or without U+F000', () => {
    const cmap = cmapOf([
      3,
      0,
      subtable4([
        [0xf041, 0xf042, 1],
        [0xf100, 0xf100, 3],
      ]),
    ])
    expect(glyphs(cmap, 0xf041, 0x41, 0x42, 0x43, 0x100)).toEqual([1, 1, 2, 0, 0])
    expect(glyphs(format4([[0xf041, 0xf042, 1]]), 0x41)).toEqual([0])
  })

  test('is the missing one where the table names one that the font does not have', () => {
    expect(glyphs(format4([[0x41, 0x42, 3]]), 0x41, 0x42)).toEqual([3, 0])
    const face = faceOf({ cmap: format4([[0x41, 0x41, 1]]) })
    expect([face.glyph(0x41), face.glyph(0x41), face.glyph(0x4e00), face.glyph(0x4e00)]).toEqual([1, 1, 0, 0])
  })
})

describe('The names of a font', () => {
  const naming = (...names: { id: number; value: string; platform?: number }[]) => readNaming(trueType({ names }))

  test('are its family in each language, and the one with all weights where its own weight is usual', () => {
    expect(
      naming(
        { id: 1, value: 'Noto' },
        { id: 1, value: 'ノト' },
        { id: 1, value: 'Noto' },
        { id: 1, value: 'Mac', platform: 1 },
      ),
    ).toEqual({
      ...{ families: ['Noto', 'ノト'], bold: false, italic: false },
    })
    for (const subfamily of ['Regular', 'Bold', 'italic', 'Bold Italic'])
      expect(naming({ id: 1, value: 'A' }, { id: 16, value: 'All' }, { id: 17, value: subfamily })?.families).toEqual([
        'A',
        'All',
      ])
    expect(naming({ id: 1, value: 'A' }, { id: 16, value: 'All' })?.families).toEqual(['A', 'All'])
    expect(naming({ id: 1, value: 'A Light' }, { id: 16, value: 'A' }, { id: 17, value: 'Light' })?.families).toEqual([
      'A Light',
    ])
    expect(naming({ id: 4, value: 'full' })).toBeUndefined()
    expect(readNaming(new Uint8Array(5))).toBeUndefined()
  })

  test('are cut off at the limit of their length', () => {
    const { families } = naming({ id: 1, value: 'A'.repeat(5_000) }) ?? expect.unreachable()
    expect(families).toEqual(['A'.repeat(limits.fontNameLength)])
  })

  test('name its face: the typographic family first, and what PostScript may be told', () => {
    const named = (...names: { id: number; value: string }[]) => {
      const { family, postscriptName } = faceOf({ names })
      return [family, postscriptName]
    }
    expect(named({ id: 1, value: 'A B' }, { id: 6, value: 'AB-Regular' })).toEqual(['A B', 'AB-Regular'])
    expect(named({ id: 1, value: 'A B' })).toEqual(['A B', 'AB'])
    expect(
      named({ id: 1, value: 'A' }, { id: 16, value: 'All' }, { id: 16, value: 'Other' }, { id: 17, value: 'Thin' }),
    ).toEqual(['All', 'All'])
    expect(named({ id: 6, value: 'P(S)/1' })).toEqual(['Unnamed', 'PS1'])
    expect(named()).toEqual(['Unnamed', 'Unnamed'])
    expect([faceOf().family, faceOf().postscriptName]).toEqual(['Unnamed', 'Unnamed'])
  })
})

test('A font of another kind is no face', () => {
  expect(readFace(fontFile({ head: [1, 2] }))).toBeUndefined()
})
