import { describe, expect, test } from 'bun:test'
import { embeddedFonts, embeddedSources } from '../../../src/engines/pdf/font/embedded.ts'
import { type Face, readFace } from '../../../src/engines/pdf/font/face.ts'
import { createFontLibrary, fontSourcesOf } from '../../../src/engines/pdf/font/library.ts'
import { subsetFont } from '../../../src/engines/pdf/font/subset.ts'

function faceOf(family: string, bold = false): Face {
  return embeddedFonts().match(family, { bold, italic: false })!.font.face
}

function width(family: string, text: string): number {
  const { font } = embeddedFonts().match(family)!
  let total = 0
  for (const character of text) total += font.face.advance(font.face.glyph(character.codePointAt(0)!)) * font.scale
  return total
}

describe('reading fonts', () => {
  test('metric twins have the same advance widths as the originals', () => {
    // Widths in thousandths of the em, from the originals' published metrics.
    expect(Math.round(width('Arial', 'W') * 1000)).toBe(944)
    expect(Math.round(width('Times New Roman', 'M') * 1000)).toBe(889)
    expect(Math.round(width('Courier New', 'i') * 1000)).toBe(600)
    expect(Math.round(width('Calibri', 'a') * 1000)).toBe(479)
    expect(Math.round(width('Georgia', '0') * 1000)).toBe(614)
  })

  test('Calibri keeps its own line metrics under its twin', () => {
    const { font, by } = embeddedFonts().match('Calibri')!
    expect(by).toBe('twin')
    expect(font.ascent + font.descent + font.gap).toBeCloseTo(1.2207, 3)
    expect(font.ascent + font.gap).toBeCloseTo(0.9707, 3)
  })

  test('pair kerning is read from GPOS and is zero if there is none', () => {
    const face = faceOf('Arial')
    expect(face.kern(face.glyph(65), face.glyph(86))).toBeCloseTo(-0.0742, 3)
    expect(face.kern(face.glyph(72), face.glyph(72))).toBe(0)
  })

  test('every embedded file is a usable font of its listed family and style', () => {
    for (const source of embeddedSources()) {
      const face = readFace(source.read())!
      expect([face.family, face.bold, face.italic]).toEqual([source.family, source.bold, source.italic])
    }
  })

  test('a damaged font is refused or has empty glyphs, and never throws', () => {
    const original = embeddedSources()[0]!.read()
    expect(readFace(new Uint8Array(0))).toBeUndefined()
    expect(readFace(new TextEncoder().encode('no font at all'))).toBeUndefined()
    for (let seed = 1; seed <= 40; seed++) {
      const broken = new Uint8Array(original)
      for (let index = 0; index < 60; index++)
        broken[(seed * 7_919 + index * 104_729) % 4_000] = (seed * 31 + index) & 0xff
      const face = readFace(broken)
      if (!face) continue
      for (let code = 32; code < 400; code++) face.kern(face.glyph(code), face.glyph(code + 1))
      subsetFont(face, [0, face.glyph(65), face.glyph(233)])
    }
  })
})

describe('subsetting', () => {
  test('keeps only the requested glyphs and the parts of composites', () => {
    const face = faceOf('Calibri')
    const glyphs = [0, face.glyph(0x41), face.glyph(0xe9)]
    const subset = subsetFont(face, glyphs)
    expect(subset.length).toBeLessThan(4_000)
    const tables = tablesWithoutCmap(subset)
    const count = tables.get('maxp')!.u16(4)
    expect(count).toBeGreaterThan(glyphs.length - 1)
    expect(count).toBeLessThan(10)
    const loca = tables.get('loca')!
    for (let glyph = 1; glyph < count; glyph++) expect(loca.u32(glyph * 4 + 4)).toBeGreaterThan(loca.u32(glyph * 4))
  })

  test('leaves the font itself unchanged, so that the next document does not get renumbered composites', () => {
    const bytes = Buffer.from(
      embeddedSources()
        .find((source) => source.family === 'Carlito')!
        .read(),
    )
    const before = Bun.hash(bytes)
    const face = readFace(bytes)!
    subsetFont(face, [0, face.glyph(0x69), face.glyph(0xe9), face.glyph(0xfc)])
    expect(Bun.hash(bytes)).toBe(before)
  })
})

/** Subsets carry no cmap (the PDF maps codes itself), so they are read table by table here. */
function tablesWithoutCmap(bytes: Uint8Array) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const tables = new Map<string, { u16(at: number): number; u32(at: number): number }>()
  for (let index = 0; index < view.getUint16(4); index++) {
    const at = 12 + index * 16
    const start = view.getUint32(at + 8)
    tables.set(String.fromCharCode(...bytes.subarray(at, at + 4)), {
      u16: (offset) => view.getUint16(start + offset),
      u32: (offset) => view.getUint32(start + offset),
    })
  }
  return tables
}

describe('choosing fonts', () => {
  test('a font that is passed in wins over its twin', () => {
    const arimo = embeddedSources().find((source) => source.family === 'Arimo')!
    const library = createFontLibrary([{ ...arimo, family: 'Arial' }, ...embeddedSources()])
    expect(library.match('arial')!.by).toBe('family')
    expect(embeddedFonts().match('arial')!.by).toBe('twin')
  })

  test('an unknown family is matched by the words of its name, and an empty library matches nothing', () => {
    const library = embeddedFonts()
    expect(library.match('Foo Mono')!.font.face.family).toBe('Cousine')
    expect(library.match('Foo Serif', { bold: true, italic: false })!.font.face.family).toBe('Tinos')
    expect(library.match('Foo Serif', { bold: true, italic: false })!.by).toBe('lookalike')
    expect(createFontLibrary([]).match('Arial')).toBeUndefined()
  })

  test('files are read only when a face is first needed', () => {
    const read: string[] = []
    const library = createFontLibrary(
      embeddedSources().map((source) => ({
        ...source,
        read: () => {
          read.push(source.family)
          return source.read()
        },
      })),
    )
    expect(read).toEqual([])
    library.match('Georgia')
    library.match('Georgia')
    expect(read).toEqual(['Gelasio'])
  })

  test('bytes that are not a font make no source', () => {
    expect(fontSourcesOf(new Uint8Array([1, 2, 3]))).toEqual([])
    expect(fontSourcesOf(embeddedSources()[0]!.read()).map(({ family }) => family)).toEqual(['Arimo'])
  })
})
