import { describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { outlineOf } from '../../../../src/engines/pdf/draw/outline.ts'
import { embeddedFonts } from '../../../../src/engines/pdf/font/embedded.ts'
import { type Face, readFace } from '../../../../src/engines/pdf/font/face.ts'
import { createFontLibrary, type FaceStyle } from '../../../../src/engines/pdf/font/library.ts'
import { type MeasuredStyle, measuredStyles } from '../../../../src/engines/pdf/font/measured.ts'
import { refit } from '../../../../src/engines/pdf/font/refit.ts'
import { ByteReader, tableOf } from '../../../../src/engines/pdf/font/sfnt.ts'
import { subsetFont } from '../../../../src/engines/pdf/font/subset.ts'
import { cmapOf, format4, subtable12, trueType, u16 } from './made-fonts.ts'

const faceOf = (family: string, style?: FaceStyle): Face =>
  embeddedFonts().match(family, style)?.font.face ?? expect.unreachable()
const widthOf = (face: Face, text: string) =>
  [...text].reduce((sum, character) => sum + face.width(character.codePointAt(0) ?? 0) * 1000, 0)

/** The tables of a subset, which has too few for a font of its own. */
function tablesOf(bytes: Uint8Array): Map<string, ByteReader> {
  const file = ByteReader.of(bytes)
  return new Map(
    Array.from({ length: file.u16(4) }, (_, index) => {
      const at = 12 + index * 16
      return [Buffer.from(bytes).toString('latin1', at, at + 4), file.part(file.u32(at + 8), file.u32(at + 12))]
    }),
  )
}

describe('A stand-in', () => {
  test('has the widths that were measured for the font it replaces, in each style', () => {
    // Thousandths of the em in files made by Word: A 589, p 561, t 323, o 552, s 486; in bold A 612, p 574 and so on.
    expect(widthOf(faceOf('Aptos'), 'Aptos')).toBeCloseTo(589 + 561 + 323 + 552 + 486, 0)
    expect(widthOf(faceOf('Cambria'), '0123456789')).toBeCloseTo(5540, -1)
    for (const family of ['Aptos', 'Cambria', 'Segoe UI', 'Verdana', 'Tahoma', 'Trebuchet MS'])
      for (const { bold, italic, widths } of measuredStyles(family)) {
        const face = faceOf(family, { bold, italic })
        const off = [...widths].filter(([code, width]) => {
          const set = face.width(code)
          return set >= 0 && Math.abs(set - width) > 0.001
        })
        expect([family, bold, italic, off]).toEqual([family, bold, italic, []])
      }
  })

  test('gives characters that were not measured the width of their nearest relative', () => {
    const aptos = faceOf('Aptos')
    expect(measuredStyles('Aptos')[0]?.widths.has(0xe9)).toBe(false)
    expect(aptos.width(0xe9)).toBeCloseTo(aptos.width(0x65), 2)
    // Aptos was hardly seen in bold italic; its letters there keep their ratio to those of another style.
    const slanted = faceOf('Aptos', { bold: true, italic: true })
    expect(slanted.width(0x71) / aptos.width(0x71)).toBeWithin(0.9, 1.2)
    const digits = new Set([...'0123456789'].map((digit) => faceOf('Garamond').width(digit.charCodeAt(0)).toFixed(3)))
    expect(digits.size).toBe(1)
  })

  test('draws its outlines as wide as they are set, in the file and in the preview', () => {
    const own = faceOf('Arial')
    const set = faceOf('Verdana')
    const glyph = set.glyph(0x6f)
    expect(set.fit?.(glyph)?.scale).toBeGreaterThan(1.05)
    expect(outlineOf(set, glyph)).not.toBe(outlineOf(own, glyph))
    const tables = tablesOf(subsetFont(set, [0, glyph, set.glyph(0xe9)]))
    const units = (width: number) => Math.round(width * set.unitsPerEm)
    const advances = [1, 2].map((at) => tableOf(tables, 'hmtx').u16(at * 4))
    expect(advances).toEqual([units(set.width(0x6f)), units(set.width(0xe9))])
    const { fit, ...plain } = set
    const file: Face = { ...plain, tables, glyphCount: tableOf(tables, 'maxp').u16(4) }
    expect(tableOf(tables, 'hmtx').i16(6)).toBe(tableOf(tables, 'glyf').i16(tableOf(tables, 'loca').u32(4) + 2))
    const xs = (path: string) => [...path.matchAll(/(-?\d+) -?\d+/g)].map(([, x]) => Number(x))
    const range = (path: string) => [Math.min(...xs(path)), Math.max(...xs(path))]
    // The file rounds the scale to 1/16384.
    const [drawn, previewed] = [range(outlineOf(file, 1)), range(outlineOf(set, glyph))]
    for (const [at, edge] of drawn.entries()) expect(Math.abs(edge - (previewed[at] ?? 0))).toBeLessThanOrEqual(1)
    const [left = 0, right = 0] = drawn
    expect(left).toBeGreaterThan(0)
    expect(right).toBeLessThan(advances[0] ?? 0)
  })

  test('keeps the widths of PostScript outlines, which are part of their programs', () => {
    const path = new URL('../../../../node_modules/font-awesome/fonts/FontAwesome.otf', import.meta.url)
    const read = () => new Uint8Array(readFileSync(path))
    const library = createFontLibrary([{ family: 'Arimo', bold: false, italic: false, read }])
    const found = library.match('Verdana') ?? expect.unreachable()
    expect([found.by, found.font.face.isCff, found.font.face.fit]).toEqual(['lookalike', true, undefined])
  })

  test('leaves the font it is made of as it was', () => {
    const before = widthOf(faceOf('Arial'), 'Hamburg')
    faceOf('Verdana')
    expect(widthOf(faceOf('Arial'), 'Hamburg')).toBe(before)
    expect(faceOf('Arial').fit).toBeUndefined()
  })
})

describe('The width of a character in a stand-in', () => {
  /** Digits 0 and 1, A, a to c, e, é, a full stop and Alef, which is in no range that is fitted. */
  const face = (() => {
    const widths: [number, number][] = [0, 500, 500, 600, 500, 500, 500, 500, 450, 250, 500].map((width) => [width, 10])
    const cmap = format4([
      [0x2e, 0x2e, 9],
      [0x30, 0x31, 1],
      [0x41, 0x41, 3],
      [0x61, 0x63, 4],
      [0x65, 0x65, 7],
      [0xe9, 0xe9, 8],
      [0x391, 0x391, 3],
      [0x5d0, 0x5d0, 10],
    ])
    return readFace(trueType({ widths, cmap })) ?? expect.unreachable()
  })()
  const measured = (widths: Readonly<Record<string, number>>, more: Partial<MeasuredStyle & { face: Face }> = {}) => ({
    ...{ bold: false, italic: false, metrics: undefined, face },
    widths: new Map(Object.entries(widths).map(([sign, width]) => [sign.codePointAt(0) ?? 0, width])),
    ...more,
  })
  const widthsIn = (set: Face, text: string) => [...text].map((sign) => set.width(sign.codePointAt(0) ?? 0))

  test('is the measured one, or that of its kind: capitals, small letters, digits, and all together', () => {
    // Small letters are a fifth wider, capitals a tenth; all three together 1.86 to 1.6.
    const set = refit(face, [measured({ a: 0.6, b: 0.6, A: 0.66 })])
    expect(widthsIn(set, 'abA')).toEqual([0.6, 0.6, 0.66])
    expect(widthsIn(set, 'c')).toEqual([0.6])
    expect(widthsIn(set, '01.')).toEqual([0.581, 0.581, 0.291])
    expect(widthsIn(set, 'é')).toEqual([0.54])
    // Digits are as wide as any of them; one letter with an accent as its letter.
    const more = refit(face, [measured({ '1': 0.7, a: 0.6, e: 0.55 })])
    expect(widthsIn(more, '01')).toEqual([0.7, 0.7])
    expect(widthsIn(more, 'é')).toEqual([0.495])
    expect(widthsIn(more, 'Az')).toEqual([expect.closeTo(0.6 * (1.85 / 1.5), 3), -1])
  })

  test('is that of a glyph, whichever of its characters was measured', () => {
    expect(widthsIn(refit(face, [measured({ Α: 0.7 })]), 'AΑ')).toEqual([0.7, 0.7])
    expect(widthsIn(refit(face, [measured({ A: 0.8 })]), 'AΑ')).toEqual([0.8, 0.8])
  })

  test('comes from another style where its own was not measured, changed as the faces differ there', () => {
    const bold =
      readFace(
        trueType({
          widths: [
            [0, 0],
            [1000, 0],
            [0, 0],
          ],
          cmap: format4([[0x61, 0x62, 1]]),
        }),
      ) ?? expect.unreachable()
    const set = refit(face, [measured({ a: 0.6 }), measured({ a: 0.9, b: 1.2, c: 0.7 }, { face: bold, bold: true })])
    // Half as wide in the face as in the bold one; b and c have no width there to compare with.
    expect(widthsIn(set, 'a')).toEqual([0.6])
    expect(
      widthsIn(refit(face, [measured({ b: 0.5 }), measured({ a: 0.9 }, { face: bold, bold: true })]), 'a'),
    ).toEqual([0.45])
    expect(widthsIn(set, 'bc')).toEqual([1.2, 0.7])
  })

  test('of a glyph beyond the usual characters is as much wider as small letters are', () => {
    const set = refit(face, [measured({ a: 0.6, A: 0.9 })])
    expect([set.advance(10), set.width(0x5d0)]).toEqual([0.6, 0.6])
    expect([set.advance(0), set.advance(-1)]).toEqual([face.advance(0), face.advance(-1)])
    // Without small letters all that was measured counts; without anything, nothing changes.
    expect(refit(face, [measured({ A: 0.9 })]).advance(10)).toBe(0.75)
    expect(refit(face, []).advance(10)).toBe(0.5)
  })

  test('goes by its kind in the scripts and signs that are measured, from the first of each to the last', () => {
    const edges = '20-2ff 370-52f 1e00-1eff 2010-205e 20a0-20bf 2100-22ff 25a0-25ff 1d400-1d7ff'
    const ends = edges.split(' ').map((pair) => pair.split('-').map((code) => Number.parseInt(code, 16)))
    const inside = ends.flat()
    const outside = ends.flatMap(([first = 0, last = 0]) => [first - 1, last + 1])
    // Every one has a glyph of its own, half an em wide, behind those of a and A.
    const codes = [0x41, 0x61, ...inside, ...outside].sort((a, b) => a - b)
    const cmap = cmapOf([3, 10, subtable12(codes.map((code, at) => [code, code, at + 1]))])
    const widths = Array.from({ length: codes.length + 1 }, (): [number, number] => [500, 0])
    const wide = readFace(trueType({ widths, cmap })) ?? expect.unreachable()
    const set = refit(wide, [measured({ a: 0.6, A: 0.9 }, { face: wide })])
    const kind = (code: number) => {
      const sign = String.fromCodePoint(code)
      return sign !== sign.toLowerCase() ? 0.9 : sign !== sign.toUpperCase() ? 0.6 : 0.75
    }
    expect(inside.map((code) => [code, set.width(code)])).toEqual(inside.map((code) => [code, kind(code)]))
    expect(outside.map((code) => [code, set.width(code)])).toEqual(outside.map((code) => [code, 0.6]))
  })

  test('stretches an outline by up to a twelfth beside its style, and leaves the rest as room on both sides', () => {
    // Small letters are 1.4 as wide on average: between 1.288 and 1.512.
    const set = refit(face, [measured({ a: 0.6, b: 0.6, c: 0.9 })])
    const [a, c] = [set.fit?.(4), set.fit?.(6)]
    expect([a?.scale, a?.shift]).toEqual([expect.closeTo(1.288, 6), -22])
    expect([c?.scale, c?.shift]).toEqual([expect.closeTo(1.512, 6), 72])
    expect([set.fit?.(0), set.fit?.(-1)]).toEqual([undefined, undefined])
    // A glyph without a width of its own can't be stretched.
    const flat =
      readFace(
        trueType({
          widths: [
            [500, 0],
            [0, 0],
            [500, 0],
          ],
          cmap: format4([[0x61, 0x62, 1]]),
        }),
      ) ?? expect.unreachable()
    expect(refit(flat, [measured({ a: 0.4, b: 0.6 }, { face: flat })]).fit?.(1)).toBeUndefined()
    const near = refit(face, [measured({ a: 0.6, b: 0.62, c: 0.61 })])
    expect(near.fit?.(4)).toEqual({ scale: 1.2, shift: 0 })
    expect(refit(face, [measured({ a: 0.5 })]).fit?.(4)).toBeUndefined()
  })

  test('is in the subset with the outline, which is a part of a glyph of its own', () => {
    const square = [...u16(1), ...u16(10, 20, 110, 220), ...u16(3, 0), 1, 1, 1, 1, 10, 100, 0, 0, 20, 200, 0, 0]
    const outlines = [[], [...square, ...(square.length % 2 === 0 ? [] : [0])], []]
    const plain =
      readFace(
        trueType({
          widths: [
            [400, 0],
            [500, 30],
            [300, 7],
          ],
          outlines,
        }),
      ) ?? expect.unreachable()
    const fitted: Face = {
      ...plain,
      advance: (glyph) => (glyph === 0 ? 0.4 : 0.65),
      fit: (glyph) => (glyph === 0 ? undefined : { scale: 1.25, shift: 10 }),
    }
    const tables = tablesOf(subsetFont(fitted, [0, 1, 2]))
    const [glyf, loca, hmtx, maxp] = ['glyf', 'loca', 'hmtx', 'maxp'].map((name) => tableOf(tables, name))
    const start = loca?.u32(4) ?? 0
    // No contours of its own; the box of the outline, stretched and moved across alone.
    expect([0, 2, 4, 6, 8].map((at) => glyf?.i16(start + at))).toEqual([-1, 23, 20, 148, 220])
    // Words, offsets, two scales, and an offset that isn't scaled: the fourth glyph, moved by 10, 1.25 × 1.
    expect([10, 12, 14, 16, 18, 20].map((at) => glyf?.u16(start + at))).toEqual([0x1043, 3, 10, 0, 0x5000, 0x4000])
    expect((loca?.u32(8) ?? 0) - start).toBe(24)
    expect([loca?.u32(8) === loca?.u32(12), maxp?.u16(4), maxp?.length]).toEqual([true, 4, 32])
    expect([4, 6, 8, 10].map((at) => hmtx?.u16(at))).toEqual([650, 48, 650, 19])
    // One level deeper than the font says.
    expect([maxp?.u16(28), maxp?.u16(30)]).toEqual([0x0909 + 1, 0x0909 + 1])
    expect(outlineOf({ ...plain, tables, glyphCount: 4 }, 1)).not.toBe('')
  })
})
