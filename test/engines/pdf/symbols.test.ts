import { describe, expect, test } from 'bun:test'
import { symbolCharacter } from '../../../src/engines/pdf/font/symbols.ts'
import { glyphsOf } from '../../../src/engines/pdf/frame/frame.ts'
import { layoutOf, p, renderingOf, textFrames, wordDocument } from './word.ts'

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

  test('show a bullet if no font has the character, and the report names it', () => {
    const body = p('\uf04d', '', '<w:rFonts w:ascii="Wingdings" w:hAnsi="Wingdings"/>')
    const [frame] = textFrames(layoutOf(wordDocument(body)).pages[0]!)
    expect(glyphsOf(frame!)).toEqual([frame!.look.font.face.glyph(0x2022)])
    const messages = renderingOf(wordDocument(body)).report.map(({ message }) => message)
    expect(messages).toContain('No font has the character U+1F4A3; a bullet replaces it.')
  })
})
