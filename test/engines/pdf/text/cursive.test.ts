import { describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { embeddedFonts } from '../../../../src/engines/pdf/font/embedded.ts'
import { readFace } from '../../../../src/engines/pdf/font/face.ts'
import { ByteReader } from '../../../../src/engines/pdf/font/sfnt.ts'
import { endlessLookups } from '../../../../src/engines/pdf/text/cursive.ts'
import { shapeWord } from '../../../../src/engines/pdf/text/shaper.ts'
import { trueType, u16, u32 } from '../font/made-fonts.ts'

interface Lookup {
  type: number
  coverage: readonly number[]
  isFar?: boolean
}

/** A GPOS of such lookups, each with one subtable that has only its coverage; the first begins behind their list. */
function gpos(...lookups: Lookup[]): number[] {
  const made = lookups.map(({ type, coverage, isFar = false }) => {
    const subtable = [...u16(1, 4), ...coverage]
    return isFar ? [...u16(9, 0, 1, 8, 1, type), ...u32(8), ...subtable] : [...u16(type, 0, 1, 8), ...subtable]
  })
  let at = 2 + lookups.length * 2
  const places = made.map((bytes) => {
    at += bytes.length
    return at - bytes.length
  })
  return [...u16(1, 0, 0, 0, 10), ...u16(lookups.length, ...places), ...made.flat()]
}
const found = (...lookups: Lookup[]) => endlessLookups(ByteReader.of(Uint8Array.from(gpos(...lookups)))).length
const glyphs = (...list: number[]) => u16(1, list.length, ...list)
const range = (first: number, last: number) => u16(2, 1, first, last, 0)

describe('Lookups that HarfBuzz would not come to the end of', () => {
  test('join glyphs that are placed as marks, too', () => {
    for (const type of [4, 5, 6])
      expect([type, found({ type: 3, coverage: glyphs(1, 2) }, { type, coverage: glyphs(2, 3) })]).toEqual([type, 1])
    expect(found({ type: 3, coverage: range(1, 9), isFar: true }, { type: 6, coverage: glyphs(9), isFar: true })).toBe(
      1,
    )
    expect(
      found({ type: 6, coverage: range(1, 9) }, { type: 3, coverage: glyphs(4) }, { type: 3, coverage: glyphs(20) }),
    ).toBe(2)
  })

  test('are none where marks join no letters, or nothing is joined', () => {
    expect(found({ type: 3, coverage: glyphs(1, 2) }, { type: 6, coverage: glyphs(3) })).toBe(0)
    expect(found({ type: 3, coverage: range(1, 9) }, { type: 4, coverage: range(10, 20) })).toBe(0)
    expect(found({ type: 2, coverage: glyphs(1) }, { type: 6, coverage: glyphs(1) })).toBe(0)
    expect(found()).toBe(0)
  })

  test('may be all that join where a list of glyphs is broken, or the table is of another version', () => {
    expect(found({ type: 3, coverage: glyphs(1) }, { type: 6, coverage: glyphs(3, 2) })).toBe(1)
    expect(found({ type: 3, coverage: glyphs(1) }, { type: 6, coverage: u16(7, 0) })).toBe(1)
    const other = Uint8Array.from(gpos({ type: 3, coverage: glyphs(1) }))
    other[1] = 2
    expect(endlessLookups(ByteReader.of(other))).toEqual([0])
  })

  test('are in no font that Quire has, nor in one for Arabic', () => {
    const naskh = require.resolve('@expo-google-fonts/noto-naskh-arabic/400Regular/NotoNaskhArabic_400Regular.ttf')
    const faces = ['Arial', 'Calibri', 'Times New Roman', 'Georgia', 'Cambria'].map(
      (name) => embeddedFonts().match(name)?.font.face,
    )
    const tables = [readFace(new Uint8Array(readFileSync(naskh))), ...faces].map((face) => face?.tables.get('GPOS'))
    expect(tables[0]).toBeDefined()
    for (const table of tables) if (table) expect(endlessLookups(table)).toEqual([])
  })

  test('are passed over, and the word is shaped', () => {
    const bytes = trueType({
      others: { GPOS: gpos({ type: 3, coverage: glyphs(1) }, { type: 6, coverage: glyphs(1) }) },
    })
    const face = readFace(bytes) ?? expect.unreachable()
    const plain = { rightToLeft: false, kern: true, before: '', after: '', language: 'en' }
    expect(shapeWord(face, 'ABA', plain)?.map(({ glyph }) => glyph)).toEqual([1, 2, 1])
  })
})
