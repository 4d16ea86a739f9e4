import { describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { outlineOf } from '../../../../src/engines/pdf/draw/outline.ts'
import { embeddedFonts } from '../../../../src/engines/pdf/font/embedded.ts'
import type { Face } from '../../../../src/engines/pdf/font/face.ts'
import { createFontLibrary, type FaceStyle } from '../../../../src/engines/pdf/font/library.ts'
import { measuredStyles } from '../../../../src/engines/pdf/font/measured.ts'
import { ByteReader, tableOf } from '../../../../src/engines/pdf/font/sfnt.ts'
import { subsetFont } from '../../../../src/engines/pdf/font/subset.ts'

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
