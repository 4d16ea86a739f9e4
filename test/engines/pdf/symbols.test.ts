import { describe, expect, test } from 'bun:test'
import { verticalBounds } from '../../../src/engines/pdf/font/bounds.ts'
import { embeddedFonts, textSources } from '../../../src/engines/pdf/font/embedded.ts'
import { createFontLibrary } from '../../../src/engines/pdf/font/library.ts'
import { symbolCharacter } from '../../../src/engines/pdf/font/symbols.ts'
import { glyphsOf } from '../../../src/engines/pdf/frame/frame.ts'
import { needs, textOf } from './tools.ts'
import { layoutOf, p, renderingOf, textFrames, wordDocument } from './word.ts'

/** What the report says about missing characters. */
function remarks(body: string): string[] {
  const { report } = renderingOf(wordDocument(body))
  return report.filter(({ code }) => code === 'render.glyph_missing').map(({ message }) => message)
}

function character(family: string, code: number): string {
  return String.fromCodePoint(symbolCharacter(family, code))
}

describe('symbol fonts', () => {
  test('are drawn with the Unicode characters of their codes, whether written with U+F000 or without', () => {
    expect([0x61, 0x53, 0xa3, 0xae, 0xb7, 0xe5].map((code) => character('Symbol', code)).join('')).toBe('αΣ≤→•∑')
    expect([0xf061, 0xf053].map((code) => character('Symbol', code)).join('')).toBe('αΣ')
    expect([0x6c, 0x6e, 0xa7, 0xfb, 0xfc, 0xe0].map((code) => character('Wingdings', code)).join('')).toBe('●■▪✗✓→')
  })

  test('have tables without a shift: every table ends with the right character', () => {
    expect(character('Symbol', 0x7e)).toBe('∼')
    expect(character('Symbol', 0xfe)).toBe('⎭')
    expect(character('Wingdings', 0x5d)).toBe('☸')
    expect(character('Wingdings', 0x7e)).toBe('❞')
    expect(character('Wingdings', 0x9f)).toBe('•')
    expect(character('Wingdings', 0xc2)).toBe('🕛')
    expect(character('Wingdings', 0xff)).toBe('⊞')
  })

  test('leave blanks, letters of other fonts and codes outside their tables unchanged', () => {
    expect(character('Symbol', 0x20)).toBe(' ')
    expect(character('Arial', 0x61)).toBe('a')
    expect(character('Symbol', 0x4e00)).toBe('一')
    expect(character('constructor', 0x61)).toBe('a')
  })

  test('have the bullet of Symbol as large and as wide as in Word’s files, where a font has it so', () => {
    const body = p('\uf0b7', '', '<w:rFonts w:ascii="Symbol" w:hAnsi="Symbol"/><w:sz w:val="40"/>')
    const drawn = (fonts = embeddedFonts()) => textFrames(layoutOf(wordDocument(body), fonts).pages[0]!)[0]!
    const { text, look, width } = drawn()
    expect([text, look.size]).toEqual(['•', 20])
    expect(width / 20).toBeCloseTo(0.46, 3)
    const [bottom, top] = verticalBounds(look.font.face, glyphsOf(drawn())[0] ?? 0)
    expect(bottom).toBeCloseTo(0.103, 2)
    expect(top).toBeCloseTo(0.46, 2)
    // In a library without that bullet it is the text font's own.
    const plain = drawn(createFontLibrary(textSources()))
    expect(plain.width / 20).toBeCloseTo(0.35, 2)
    expect(glyphsOf(plain)).toEqual([plain.look.font.face.glyph(0x2022)])
    if (needs('pdftotext')) expect(textOf('bullet.pdf', renderingOf(wordDocument(body)).pdf).trim()).toBe('•')
  })

  test('show a bullet if no font has the character, and one remark names all of them', () => {
    const body = p('\uf030', '', '<w:rFonts w:ascii="Wingdings" w:hAnsi="Wingdings"/>')
    const [frame] = textFrames(layoutOf(wordDocument(body)).pages[0]!)
    const bullet = frame!.look.font.face.glyph(0x2022)
    expect(glyphsOf(frame!)).toEqual([bullet])
    const missing = p('\uf030', '', '<w:rFonts w:ascii="Wingdings" w:hAnsi="Wingdings"/>')
    expect(remarks(missing)).toEqual(['No font has the emoji U+1F4C1; a bullet replaces it.'])
    expect(
      remarks(missing + p('\uf031\uf031\uf032\uf030', '', '<w:rFonts w:ascii="Wingdings" w:hAnsi="Wingdings"/>')),
    ).toEqual(['No font has the emoji U+1F4C1, U+1F4C2, U+1F4C4; a bullet replaces each.'])
    expect(remarks(p('🎈🎉🎊🎋🎌🎍🎎'))).toEqual([
      'No font has the emoji U+1F388, U+1F389, U+1F38A, U+1F38B, U+1F38C and 2 more; an empty box replaces each.',
    ])
  })
})
