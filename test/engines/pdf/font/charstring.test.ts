import { describe, expect, test } from 'bun:test'
import { limits } from '../../../../src/core/limits.ts'
import { cffPath, subsetCff } from '../../../../src/engines/pdf/font/cff.ts'
import { followCalls, pathOfCharstring } from '../../../../src/engines/pdf/font/charstring.ts'
import { ByteReader } from '../../../../src/engines/pdf/font/sfnt.ts'
import { cff, code, dictNumber, draw } from './made-cff.ts'
import { u16, u32 } from './made-fonts.ts'

const none = { local: () => undefined, global: () => undefined }

const path = (source: string) => pathOfCharstring(code(source), none)

describe('A charstring', () => {
  test('has numbers in all of their forms', () => {
    for (const value of [0, 107, -107, 108, -108, 363, 364, 1_131, -1_131, 1_132, -1_132, 32_767, -32_768])
      expect(path(`${value} hmoveto`)).toBe(`M${value} 0Z`)
    expect(path('0.75 hmoveto')).toBe('M1 0Z')
    expect(path('-2.25 hmoveto')).toBe('M-2 0Z')
    expect(path('300.25 300.25 rmoveto')).toBe('M300 300Z')
    expect(path('1.5 hmoveto 1.5 hmoveto')).toBe('M2 0ZM3 0Z')
  })

  test('moves, which closes what was open, by the last of its numbers', () => {
    expect(path('10 20 rmoveto 1 2 rlineto 5 vmoveto 3 hmoveto')).toBe('M10 20L11 22ZM11 27ZM14 27Z')
    // A first number may be the width of the glyph.
    expect(path('99 10 20 rmoveto')).toBe('M10 20Z')
    expect(path('99 10 hmoveto')).toBe('M10 0Z')
    expect(path('99 10 vmoveto')).toBe('M0 10Z')
    expect(path('rmoveto hmoveto vmoveto')).toBe('M0 0ZM0 0ZM0 0Z')
  })

  test('draws lines, by turns across and up', () => {
    expect(path('1 2 3 4 rlineto')).toBe('L1 2L4 6')
    expect(path('1 2 3 hlineto')).toBe('L1 0L1 2L4 2')
    expect(path('1 2 3 vlineto')).toBe('L0 1L2 1L2 4')
    expect(path('1 2 3 rlineto')).toBe('L1 2')
  })

  test('draws curves', () => {
    expect(path('1 2 3 4 5 6 rrcurveto')).toBe('C1 2 4 6 9 12')
    expect(path('1 2 3 4 5 6 1 1 1 1 1 1 rrcurveto')).toBe('C1 2 4 6 9 12C10 13 11 14 12 15')
    expect(path('1 2 3 4 5 6 7 8 rcurveline')).toBe('C1 2 4 6 9 12L16 20')
    expect(path('7 8 1 2 3 4 5 6 rlinecurve')).toBe('L7 8C8 10 11 14 16 20')
  })

  test('draws curves that begin and end in one direction', () => {
    expect(path('1 2 3 4 vvcurveto')).toBe('C0 1 2 4 2 8')
    expect(path('9 1 2 3 4 1 2 3 4 vvcurveto')).toBe('C9 1 11 4 11 8C11 9 13 12 13 16')
    expect(path('1 2 3 4 hhcurveto')).toBe('C1 0 3 3 7 3')
    expect(path('9 1 2 3 4 1 2 3 4 hhcurveto')).toBe('C1 9 3 12 7 12C8 12 10 15 14 15')
  })

  test('draws curves that begin in one direction and end in the other', () => {
    expect(path('1 2 3 4 hvcurveto')).toBe('C1 0 3 3 3 7')
    expect(path('1 2 3 4 vhcurveto')).toBe('C0 1 2 4 6 4')
    expect(path('1 2 3 4 1 2 3 4 9 hvcurveto')).toBe('C1 0 3 3 3 7C3 8 5 11 9 20')
    expect(path('1 2 3 4 9 vhcurveto')).toBe('C0 1 2 4 6 13')
    expect(path('1 2 3 4 9 hvcurveto')).toBe('C1 0 3 3 12 7')
  })

  test('draws flexes, which end at the height that they began at', () => {
    expect(path('1 2 3 4 5 6 7 hflex')).toBe('C1 0 3 3 7 3C12 3 18 0 25 0')
    expect(path('1 2 3 4 5 6 7 8 9 10 11 12 50 flex')).toBe('C1 2 4 6 9 12C16 20 25 30 36 42')
    expect(path('5 5 rmoveto 1 2 3 4 5 6 7 8 9 hflex1')).toBe('M5 5C6 7 9 11 14 11C20 11 27 19 36 5Z')
    expect(path('1 2 3 4 5 6 7 8 9 10 11 flex1')).toBe('C1 2 4 6 9 12C16 20 25 30 0 41')
    expect(path('9 2 9 4 9 6 9 8 9 10 11 flex1')).toBe('C9 2 18 6 27 12C36 20 45 30 56 0')
    expect(path('5 hflex 1 2 rlineto').split('L').length).toBe(2)
  })

  test('skips its hints, with the bytes of their masks', () => {
    for (const stem of ['hstem', 'vstem', 'hstemhm', 'vstemhm'])
      expect(path(`1 2 3 4 ${stem} 5 6 rlineto`)).toBe('L5 6')
    // Nine hints need two bytes, eight one; those before the mask count.
    const stems = (count: number) => new Array(count * 2).fill('1').join(' ')
    expect(path(`${stems(8)} hstemhm hintmask #05 5 6 rlineto`)).toBe('L5 6')
    expect(path(`${stems(8)} hstemhm 1 1 hintmask #05 #05 5 6 rlineto`)).toBe('L5 6')
    expect(path(`${stems(9)} cntrmask #05 #05 5 6 rlineto`)).toBe('L5 6')
  })

  test('ends where it says so, also within a subroutine', () => {
    expect(path('1 2 rlineto endchar 3 4 rlineto')).toBe('L1 2')
    const subrs = {
      local: (index: number) => (index === 5 ? code('1 2 rlineto endchar') : undefined),
      global: () => undefined,
    }
    expect(pathOfCharstring(code('5 callsubr 3 4 rlineto'), subrs)).toBe('L1 2')
  })

  test('goes on behind its subroutines, local and global, ten deep', () => {
    const subrs = {
      local: (index: number) => (index === 5 ? code('1 2 rlineto return 9 9 rlineto') : undefined),
      global: (index: number) => (index === 5 ? code('7 hlineto') : undefined),
    }
    expect(pathOfCharstring(code('5 callsubr 5 callgsubr 3 4 rlineto'), subrs)).toBe('L1 2L8 2L11 6')
    expect(followCalls(code('5 callsubr 5 callgsubr endchar'), subrs)).toBe(true)
    expect(followCalls(code('6 callsubr'), subrs)).toBe(false)
    const depth = (levels: number) => ({
      ...none,
      local: (index: number) => code(index < levels ? `${index + 1} callsubr` : '1 2 rlineto'),
    })
    expect([followCalls(code('1 callsubr'), depth(10)), followCalls(code('1 callsubr'), depth(11))]).toEqual([
      true,
      false,
    ])
  })

  test('is not followed behind an operator that fonts do not use, or more of them than the limit', () => {
    expect(followCalls(Uint8Array.of(140, 2, 140, 140, 5), none)).toBe(false)
    expect(followCalls(Uint8Array.of(12, 3, 140, 140, 5), none)).toBe(false)
    expect(pathOfCharstring(Uint8Array.of(12, 3, 140, 140, 5), none)).toBe('')
    expect(followCalls(new Uint8Array(limits.fontGlyphOperators).fill(5), none)).toBe(true)
    expect(followCalls(new Uint8Array(limits.fontGlyphOperators + 1).fill(5), none)).toBe(false)
  })

  test('is not followed behind more numbers than the limit, though a subroutine has them', () => {
    const ofNumbers = { ...none, local: () => Uint8Array.from([...new Array<number>(999).fill(140), 5, 11]) }
    const calls = (count: number) => code(new Array(count).fill('5 callsubr').join(' '))
    expect([followCalls(calls(200), ofNumbers), followCalls(calls(300), ofNumbers)]).toEqual([true, false])
    const lines = pathOfCharstring(calls(5_000), ofNumbers).match(/L/g)?.length
    expect(lines).toBeLessThan(limits.fontGlyphNumbers / 2)
  })

  test('holds 513 numbers, and reads what is cut off as 0', () => {
    expect(path(`${new Array(600).fill('1').join(' ')} rlineto`).match(/L/g)?.length).toBe(256)
    expect(pathOfCharstring(Uint8Array.of(28), none)).toBe('')
    expect(pathOfCharstring(Uint8Array.of(28, 1), none)).toBe('')
    expect(path('1 2 3 4 5 rrcurveto')).toBe('')
  })
})

const paths = (table: ByteReader, ...glyphs: number[]) => glyphs.map((glyph) => cffPath(table, glyph))
const reader = (bytes: Uint8Array | undefined) => new ByteReader(bytes ?? new Uint8Array(0), 0, bytes?.length ?? 0)

describe('PostScript outlines', () => {
  const glyphs = [
    draw('endchar'),
    draw('1 2 rlineto endchar'),
    draw('-107 callsubr endchar'),
    draw('-107 callgsubr endchar'),
  ]
  const globals = [draw('3 4 rlineto return')]

  test('are read with offsets of one to four bytes, and none outside the font', () => {
    for (const offsetSize of [1, 2, 3, 4]) {
      const table = cff({ glyphs, globals, fonts: [[draw('5 6 rlineto')]], offsetSize })
      expect(paths(table, 0, 1, 2, 3, 4, -1)).toEqual(['', 'L1 2', 'L5 6', 'L3 4', '', ''])
    }
  })

  test('of a CID-keyed font have the subroutines of their own dictionary, by list or by ranges', () => {
    const fonts = [[draw('5 6 rlineto')], [draw('7 8 rlineto')], [draw('9 9 rlineto')]]
    const all = new Array(6).fill(draw('-107 callsubr endchar'))
    const listed = cff({ glyphs: all, fonts, select: [0, 0, 1, 2, 1, 0, 2] })
    expect(paths(listed, 0, 1, 2, 3, 4, 5)).toEqual(['L5 6', 'L7 8', 'L9 9', 'L7 8', 'L5 6', 'L9 9'])
    const ranged = cff({
      glyphs: all,
      fonts,
      select: [3, ...u16(3), ...u16(0), 0, ...u16(2), 2, ...u16(3), 1, ...u16(6)],
    })
    expect(paths(ranged, 0, 1, 2, 3, 5)).toEqual(['L5 6', 'L5 6', 'L9 9', 'L7 8', 'L7 8'])
    // A dictionary that is missing is the last one.
    expect(paths(cff({ glyphs: all, fonts, select: [0, 9, 9, 9, 9, 9, 9] }), 0)).toEqual(['L9 9'])
  })

  test('of a subset are those of the font, whatever their order', () => {
    const fonts = [[draw('5 6 rlineto')], [draw('7 8 rlineto'), draw('1 1 rlineto')]]
    const all = [draw('endchar'), ...new Array(3).fill(draw('-107 callsubr endchar')), draw('-107 callgsubr endchar')]
    const table = cff({ glyphs: all, globals, fonts, select: [0, 0, 0, 1, 1, 0] })
    const subset = reader(subsetCff(table, [0, 2, 4, 1, 9, -1]))
    expect(paths(subset, 0, 1, 2, 3, 4, 5, 6)).toEqual(['', 'L7 8', 'L3 4', 'L5 6', '', '', ''])
    const single = reader(subsetCff(cff({ glyphs, globals, fonts: [[draw('5 6 rlineto')]] }), [0, 3, 2]))
    expect(paths(single, 0, 1, 2)).toEqual(['', 'L3 4', 'L5 6'])
  })

  test('keep what their DICT says of matrix and box, whatever form its numbers have', () => {
    // 0.001 as a decimal, then integers of all lengths before an operator that is kept.
    const matrix = [
      30,
      0xa0,
      0x01,
      0xff,
      ...dictNumber(0),
      ...dictNumber(0),
      30,
      0xa0,
      0x01,
      0xff,
      ...dictNumber(0),
      ...dictNumber(0),
      12,
      7,
    ]
    const box = [...dictNumber(-107), ...dictNumber(-1_131), ...dictNumber(1_131), ...dictNumber(32_767), 5]
    const other = [...dictNumber(100_000), ...dictNumber(-32_768), 13]
    const bytes = subsetCff(
      cff({ glyphs, globals, fonts: [[draw('5 6 rlineto')]], top: [...other, ...matrix, ...box] }),
      [0, 1],
    )
    const found = Buffer.from(bytes ?? [])
    expect(found.includes(Uint8Array.from(matrix))).toBe(true)
    expect(found.includes(Uint8Array.from(box))).toBe(true)
    expect(found.includes(Uint8Array.from(other))).toBe(false)
    expect(paths(reader(bytes), 0, 1)).toEqual(['', 'L1 2'])
  })

  test('of a subset name themselves by their order: Adobe, Identity', () => {
    const found = Buffer.from(subsetCff(cff({ glyphs, globals, fonts: [[draw('5 6 rlineto')]] }), [0, 1, 2]) ?? [])
    expect(found.subarray(0, 4)).toEqual(Buffer.from([1, 0, 4, 4]))
    expect(found.includes('AdobeIdentity')).toBe(true)
    // Registry, ordering and supplement, then ROS; the charset has one range, from 1 on.
    expect(found.includes(Uint8Array.from([29, ...u32(391), 29, ...u32(392), 29, ...u32(0), 12, 30]))).toBe(true)
    expect(found.includes(Uint8Array.from([29, ...u32(3), 12, 34]))).toBe(true)
    expect(found.includes(Uint8Array.from([2, ...u16(1, 1), 0, 0, 0, 0]))).toBe(true)
  })

  test('that are damaged give nothing', () => {
    const table = cff({ glyphs, globals, fonts: [[draw('5 6 rlineto')]] })
    for (let length = 0; length < table.length - 20; length++) {
      const cut = reader(table.bytes.subarray(0, length))
      expect(() => paths(cut, 0, 1, 2, 3)).not.toThrow()
      expect(() => subsetCff(cut, [0, 1, 2])).not.toThrow()
    }
    expect(subsetCff(reader(new Uint8Array(0)), [0])).toBeUndefined()
    expect(subsetCff(cff({ glyphs: [] }), [0])).toBeUndefined()
  })
})
