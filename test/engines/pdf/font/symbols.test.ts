import { describe, expect, test } from 'bun:test'
import { embeddedFonts } from '../../../../src/engines/pdf/font/embedded.ts'
import {
  formulaCharacters,
  isFullWidth,
  isSymbolFamily,
  plainForm,
  symbolCharacter,
  symbolCharacters,
} from '../../../../src/engines/pdf/font/symbols.ts'

test('A symbol font is known by its name, and shows a bullet for a code that nothing is known of', () => {
  expect(
    ['Symbol', 'WINGDINGS', 'Wingdings 2', 'wingdings 3', 'Webdings', 'Arial', 'toString'].map(isSymbolFamily),
  ).toEqual([...[true, true, true, true, true, false, false]])
  expect([0xf0ff, 0x7f, 0xf020, 0x20, 0xf100, 0x2022].map((code) => symbolCharacter('Symbol', code))).toEqual([
    ...[0x2022, 0x7f, 0x20, 0x20, 0xf100, 0x2022],
  ])
  expect(symbolCharacter('Wingdings 3', 0xf041)).toBe(0x2022)
  expect(symbolCharacter('Wingdings 2', 0x50)).toBe(0x2713)
  expect(symbolCharacter('Webdings', 0x61)).toBe(0x2713)
})

test('Each symbol font has its own characters, from the first of each range to the last', () => {
  const shown = (family: string, ...codes: number[]) =>
    codes.map((code) => String.fromCodePoint(symbolCharacter(family, 0xf000 + code))).join(' ')
  expect(shown('Symbol', 0x21, 0x3f, 0x40, 0x5f, 0x60, 0x7e, 0xa0, 0xbf, 0xc0, 0xdf, 0xe0, 0xef, 0xf1, 0xfe)).toBe(
    '! ? ≅ _ ‾ ∼ € ↵ ℵ ⇓ ◊ ⎪ 〉 ⎭',
  )
  expect(
    shown('Wingdings', 0x21, 0x4a, 0x5e, 0x6c, 0x7e, 0x80, 0x8b, 0x9f, 0xa0, 0xa8, 0xb7, 0xc2, 0xd5, 0xe0, 0xfe),
  ).toBe('✎ ☺ ♈ ● ❞ ⓪ ⓿ • ▪ □ 🕐 🕛 ⌫ → ☑')
  expect(shown('Wingdings 2', 0x4f, 0x54, 0x69, 0x7e, 0x95, 0x98, 0xea, 0xeb, 0xec, 0xee, 0xf2)).toBe(
    '✗ ☒ ⓪ ❿ · ● ✦ ✶ • ✴ ✹',
  )
  expect(shown('Wingdings 3', 0x21, 0x28, 0x70, 0x7e, 0x7f, 0x80, 0x81)).toBe('← ↘ ▲ ▲ • ▼ •')
  expect(shown('Webdings', 0x33, 0x3d, 0x61, 0x6c, 0x6d, 0x72)).toBe('◀ ⏺ ✓ ● • 🗙')
})

test('Ticks and boxes in colour are drawn as plain ones', () => {
  const plain = Object.fromEntries(
    [...'✅❌❎➕➖🔲🔳'].map((sign) => [sign, String.fromCodePoint(plainForm(sign.codePointAt(0) ?? 0) ?? 0)]),
  )
  expect(plain).toEqual({ '✅': '☑', '❌': '✖', '❎': '☒', '➕': '+', '➖': '−', '🔲': '☐', '🔳': '☐' })
  expect(plainForm(0x41)).toBeUndefined()
  const characters = symbolCharacters()
  expect(characters).toEqual([...new Set(characters)].sort((a, b) => a - b))
  for (const sign of '☐✓ⓘ🗌🗙⓪') expect(characters).toContain(sign.codePointAt(0) ?? 0)
  expect(characters).not.toContain(0x20)
})

test('Boxes are as wide as they are high in Japanese families alone', () => {
  const families = [
    'MS Gothic',
    'ms mincho',
    'Yu Gothic UI',
    'Meiryo',
    'ＭＳ 明朝',
    '游ゴシック',
    'メイリオ',
    'Gothic',
    'Arial',
  ]
  expect(families.map(isFullWidth)).toEqual([...new Array(7).fill(true), false, false])
})

describe('The fonts that lend characters', () => {
  const faceOf = (family: string) => embeddedFonts().match(family)?.font.face ?? expect.unreachable()

  test('are found by their names, and lend in their order', () => {
    for (const family of ['Noto Sans Symbols 2', 'Noto Sans Symbols', 'Noto Sans Math', 'STIX Two Math'])
      expect([family, embeddedFonts().match(family)]).toMatchObject([
        family,
        { by: 'family', font: { isSupplement: true } },
      ])
    // A tick, a zodiac sign, an operator and a letter of formulas.
    const lender = (text: string) => embeddedFonts().fallback(text.codePointAt(0) ?? 0)?.face.family
    expect([lender('✓'), lender('♈'), lender('⊛'), lender('𝒜')]).toEqual([
      'Noto Sans Symbols 2',
      'Noto Sans Symbols',
      'Noto Sans Math',
      'STIX Two Math',
    ])
    expect(embeddedFonts().match('Arimo')?.font.isSupplement).toBe(false)
  })

  test('have the characters of formulas, from the first of each range to the last, and what mirrors them', () => {
    const stix = faceOf('STIX Two Math')
    const formulas = new Set(formulaCharacters())
    const missing = [...formulas].filter((code) => stix.glyph(code) === 0)
    // Each range begins and ends with a character that the font has.
    const edges = [...formulas].filter((code) => !formulas.has(code - 1) || !formulas.has(code + 1))
    expect(edges.filter((code) => stix.glyph(code) === 0)).toEqual([])
    expect(missing.length).toBeLessThan(formulas.size / 20)
    const others = Array.from({ length: 0x1ffff }, (_, code) => code).filter(
      (code) => stix.glyph(code) !== 0 && !formulas.has(code),
    )
    expect(others.map((code) => String.fromCodePoint(code)).join('')).toBe('»⟜⦛⦠⦣⦸⧵⫞⫣⫤⫥⫮')
  })

  test('have the characters of symbol fonts and forms that no text font has, except nine', () => {
    const none = symbolCharacters().filter((code) => !embeddedFonts().fallback(code))
    expect(none.map((code) => String.fromCodePoint(code)).join('')).toBe('ॐ〈〉💧💾📁📂📄🚒')
  })
})
