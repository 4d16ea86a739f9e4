import { describe, expect, test } from 'bun:test'
import { embeddedFonts, embeddedSources } from '../../../../src/engines/pdf/font/embedded.ts'
import { createFontLibrary, type FontSource, withSources } from '../../../../src/engines/pdf/font/library.ts'
import {
  isFullWidth,
  isSymbolFamily,
  plainForm,
  symbolCharacter,
  symbolCharacters,
} from '../../../../src/engines/pdf/font/symbols.ts'
import { format4, os2, trueType } from './made-fonts.ts'

/** A font of one family that has these characters. */
const source = (
  family: string,
  more: Partial<FontSource> & { codes?: readonly [number, number]; fsType?: number } = {},
): FontSource => {
  const { codes = [0x41, 0x42], fsType = 0, ...rest } = more
  const bytes = trueType({
    names: [{ id: 1, value: family }],
    cmap: format4([[codes[0], codes[1], 1]]),
    os2: os2({ fsType }),
  })
  return { family, bold: false, italic: false, read: () => bytes, ...rest }
}
const broken = (family: string, more: Partial<FontSource> = {}) =>
  source(family, { read: () => new Uint8Array(9), ...more })

describe('A font that is not there', () => {
  test('is drawn with the family that replaces it, by the scale and line of the original', () => {
    const drawn = (name: string) => {
      const found = embeddedFonts().match(name)
      const { font, by } = found ?? expect.unreachable()
      return [
        by,
        font.face.family,
        font.scale,
        ...[font.ascent, font.descent, font.gap].map((value) => Math.round(value * 10_000) / 10_000),
      ]
    }
    const own = (family: string) => drawn(family).slice(3)
    expect(drawn('Calibri')).toEqual(['twin', 'Carlito', 1, 0.75, 0.25, 0.2207])
    expect(drawn('Georgia')).toEqual(['twin', 'Gelasio', 1, 0.917, 0.2192, 0])
    for (const [names, family] of [
      ['Arial,Helvetica,Liberation Sans', 'Arimo'],
      ['Times New Roman,Times,Liberation Serif', 'Tinos'],
      ['Courier New,Courier,Liberation Mono', 'Cousine'],
    ] as const)
      for (const name of names.split(','))
        expect([name, ...drawn(name)]).toEqual([name, 'twin', family, 1, ...own(family)])
    const alike: readonly [name: string, by: string, family: string, scale: number, metrics?: readonly number[]][] = [
      ['Aptos', 'measured', 'Carlito', 1, [0.939, 0.2817, 0]],
      ['Calibri Light', 'measured', 'Carlito', 1, [0.75, 0.25, 0.2207]],
      ['Cambria', 'measured', 'Caladea', 1, [0.9502, 0.2222, 0]],
      ['Consolas', 'measured', 'Cousine', 1, [0.7427, 0.2573, 0.1709]],
      ['Segoe UI', 'measured', 'Arimo', 1, [1.0791, 0.251, 0]],
      ['Verdana', 'measured', 'Arimo', 1, [1.0054, 0.21, 0]],
      ['Palatino Linotype', 'lookalike', 'Gelasio', 1, [0.9233, 0.2822, 0]],
      ['Aptos Narrow', 'lookalike', 'Carlito', 0.92, [0.939, 0.2817, 0]],
      ['Arial Narrow', 'measured', 'Arimo', 0.82, [0.9355, 0.2119, 0]],
      ['Bookman Old Style', 'lookalike', 'Gelasio', 1.09],
    ]
    for (const [name, by, family, scale, metrics] of alike)
      expect([name, ...drawn(name)]).toEqual([name, by, family, scale, ...(metrics ?? own(family))])
  })

  test('has the line of Word in East Asian fonts, under either of their names', () => {
    for (const name of ['MS Mincho', 'ＭＳ 明朝']) {
      const { ascent = 0, descent = 0, gap } = embeddedFonts().match(name)?.font ?? {}
      expect(ascent + descent).toBeCloseTo(83 / 64, 3)
      expect(gap).toBe(0)
    }
    const fonts = createFontLibrary([source('Kana', { codes: [0x3041, 0x3042] }), ...embeddedSources()])
    const kana = fonts.match('ＭＳ 明朝', undefined, 0x3042)
    expect(kana).toMatchObject({ by: 'lookalike', font: { id: 'Kana' } })
    expect((kana?.font.ascent ?? 0) + (kana?.font.descent ?? 0)).toBeCloseTo(83 / 64, 3)
  })

  test('is drawn with the family that its name is nearest to', () => {
    const guess = (name: string) => embeddedFonts().match(name)?.font.face.family
    for (const name of ['Wingdings', 'My Symbol', 'Sorts Mill']) expect([name, guess(name)]).toEqual([name, 'Arimo'])
    for (const name of ['Some Mono', 'Console', 'Source Code', 'American Typewriter'])
      expect([name, guess(name)]).toEqual([name, 'Cousine'])
    for (const name of ['Some Sans', 'Century Gothic', 'Akzidenz Grotesk', 'Roboto', 'Inter'])
      expect([name, guess(name)]).toEqual([name, 'Arimo'])
    for (const name of [
      'PT Serif',
      'MS Mincho',
      'New Roman',
      'Baskerville',
      'Minion Pro',
      'Bodoni',
      'SimSong',
      'Ming LiU',
    ])
      expect([name, guess(name)]).toEqual([name, 'Tinos'])
    for (const name of ['Foo', '', 'Frutiger']) expect([name, guess(name)]).toEqual([name, 'Carlito'])
  })
})

describe('A library', () => {
  test('finds the face of a family that is nearest to a style, and makes up what it lacks', () => {
    const style = (bold: boolean, italic: boolean) => ({ bold, italic })
    const library = createFontLibrary([source('A'), source('A', style(true, false)), source('A', style(false, true))])
    const found = (bold: boolean, italic: boolean) => {
      const { id, syntheticBold, syntheticItalic } = library.match('a', { bold, italic })?.font ?? expect.unreachable()
      return [id, syntheticBold, syntheticItalic]
    }
    expect(found(false, false)).toEqual(['A', false, false])
    expect(found(true, false)).toEqual(['A bold', false, false])
    expect(found(false, true)).toEqual(['A italic', false, false])
    expect(found(true, true)).toEqual(['A bold', false, true])
    const single = createFontLibrary([source('A')]).match('A', style(true, true))?.font
    expect([single?.syntheticBold, single?.syntheticItalic]).toEqual([true, true])
    const heavy = createFontLibrary([source('A', style(true, true))]).match('A')?.font
    expect([heavy?.syntheticBold, heavy?.syntheticItalic]).toEqual([false, false])
  })

  test('names each face differently, and finds it by any of its names', () => {
    const library = createFontLibrary([source('A', { aliases: ['Ä', 'B'] }), source('A'), source('A')], 'mine ')
    expect(library.match('ä')?.font.id).toBe('mine A')
    expect(library.match('b')).toMatchObject({ by: 'family' })
    const twice = createFontLibrary([broken('A'), broken('A'), source('A')])
    expect(twice.match('A')?.font.id).toBe('A 3')
  })

  test('passes over files that can not be used, and says why', () => {
    const restricted = source('R', { fsType: 2 })
    const library = createFontLibrary([broken('B'), source('B', { bold: true }), restricted, ...embeddedSources()])
    expect(library.match('B')?.font.id).toBe('B bold')
    expect([library.trouble('B'), library.trouble('B', { bold: true, italic: false }), library.trouble('R')]).toEqual([
      'unreadable',
      undefined,
      'restricted',
    ])
    expect([library.trouble('Arimo'), library.trouble('nowhere')]).toEqual([undefined, undefined])
    expect(library.match('R')).toMatchObject({ by: 'lookalike' })
  })

  test('looks for a face that has the script before one that looks similar', () => {
    const library = createFontLibrary([source('Thai', { codes: [0xe01, 0xe02] }), ...embeddedSources()])
    expect(library.match('Verdana', undefined, 0xe01)).toMatchObject({ by: 'lookalike', font: { id: 'Thai' } })
    expect(library.match('Verdana', undefined, 0x41)?.font.face.family).toBe('Arimo')
    expect(library.match('Frutiger', undefined, 0x41)?.font.face.family).toBe('Carlito')
    expect(library.match('Verdana')?.font.face.family).toBe('Arimo')
    expect(library.match('Arial', undefined, 0xe01)).toMatchObject({ by: 'twin' })
    expect(library.match('Verdana', undefined, 0x4e00)?.font.face.family).toBe('Arimo')
  })

  test('falls back on any face that has a character, the default family first', () => {
    const library = createFontLibrary([
      source('First', { codes: [0x41, 0x4e01] }),
      source('Other', { codes: [0x4e00, 0x4e01] }),
      ...embeddedSources(),
    ])
    expect(library.fallback(0x41)?.face.family).toBe('Carlito')
    expect(library.fallback(0x3042)).toBeUndefined()
    expect(library.fallback(0x4e00)?.id).toBe('Other')
    expect(createFontLibrary([source('Only')]).match('Verdana')).toMatchObject({
      by: 'lookalike',
      font: { id: 'Only' },
    })
  })

  test('prefers a document’s own fonts by their names alone', () => {
    const base = createFontLibrary([source('A'), source('Thai', { codes: [0xe01, 0xe02] })])
    expect(withSources(base, [])).toBe(base)
    const library = withSources(base, [
      source('A', { aliases: ['Also'] }),
      broken('Bad'),
      source('Lao', { codes: [0xe81, 0xe82] }),
    ])
    expect([library.match('a')?.font.id, library.match('also')?.font.id]).toEqual(['document A', 'document A'])
    expect([library.match('thai')?.font.id, library.match('Lao')?.font.id]).toEqual(['Thai', 'document Lao'])
    expect(library.match('Bad')?.font.id).toBe('A')
    expect([library.trouble('Bad'), library.trouble('A')]).toEqual(['unreadable', undefined])
    expect([library.fallback(0xe01)?.id, library.fallback(0xe81)?.id, library.fallback(0x4e00)]).toEqual([
      'Thai',
      'document Lao',
      undefined,
    ])
  })
})

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
