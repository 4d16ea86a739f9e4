import { describe, expect, test } from 'bun:test'
import { embeddedFonts } from '../../../../src/engines/pdf/font/embedded.ts'
import type { Font, FontLibrary } from '../../../../src/engines/pdf/font/library.ts'
import { layoutDocx } from '../../../../src/engines/pdf/pdf.ts'
import { emWide } from '../../../../src/engines/pdf/text/em-wide.ts'
import { layoutOf, p, textFrames, wordDocument } from '../word.ts'

const look = textFrames(layoutOf(wordDocument(p('a'))).pages[0]!)[0]!.look

/** A font whose glyphs have the numbers of their characters; Hangul is .92 em wide, all else that it has one em. */
function fontWith(characters: string): Font {
  const has = (code: number) => characters.includes(String.fromCodePoint(code))
  const face = Object.assign(Object.create(look.font.face), {
    glyph: (code: number) => (has(code) ? code : 0),
    advance: (glyph: number) => (glyph >= 0xac00 ? 0.92 : 1),
  })
  return { ...look.font, face }
}

describe('a font that stands in for one of Word’s', () => {
  const korean = fontWith('가한一あ')

  test('has syllables of Hangul one em wide, whichever of them is drawn', () => {
    expect(emWide(korean, 0xd55c, 'Malgun Gothic').scale).toBeCloseTo(1 / 0.92, 6)
    expect(emWide(korean, 0xac01, 'Batang')).toBe(emWide(korean, 0xd55c, 'Malgun Gothic'))
  })

  test('keeps ideographs and kana that are as wide already, and other scripts', () => {
    expect(emWide(korean, 0x4e00, 'Malgun Gothic')).toBe(korean)
    expect(emWide(korean, 0x3042, 'MS Mincho')).toBe(korean)
    expect(emWide(korean, 0x41, 'Malgun Gothic')).toBe(korean)
  })

  test('is so wide where it is found for a whole script, and where it lends single characters', () => {
    const embedded = embeddedFonts()
    const widthWith = (fonts: Partial<FontLibrary>) => {
      const run = '<w:rFonts w:ascii="Malgun Gothic" w:hAnsi="Malgun Gothic" w:eastAsia="Malgun Gothic"/>'
      const layout = layoutDocx(wordDocument(p('한가', '', run)), {
        fonts: {
          match: (family, style, sample) => embedded.match(family, style, sample),
          fallback: (code, style) => embedded.fallback(code, style),
          trouble: () => undefined,
          ...fonts,
        },
      })
      return layout.ok ? textFrames(layout.value.pages[0]!)[0]!.width : 0
    }
    expect(widthWith({ match: () => ({ font: korean, by: 'lookalike' }) })).toBeCloseTo(20, 3)
    expect(widthWith({ match: () => ({ font: korean, by: 'family' }) })).toBeCloseTo(18.4, 3)
    expect(widthWith({ fallback: () => korean })).toBeCloseTo(20, 3)
  })

  test('keeps the Hangul of a family that is as narrow itself', () => {
    for (const family of ['Noto Sans CJK KR', 'Source Han Sans K', 'NanumGothic'])
      expect(emWide(korean, 0xac00, family)).toBe(korean)
  })
})
