import { describe, expect, test } from 'bun:test'
import { embeddedFonts, embeddedSources } from '../../../../src/engines/pdf/font/embedded.ts'
import {
  createFontLibrary,
  type FontSource,
  fontSourcesOf,
  withSources,
} from '../../../../src/engines/pdf/font/library.ts'
import { measuredStyles } from '../../../../src/engines/pdf/font/measured.ts'
import { readTables } from '../../../../src/engines/pdf/font/sfnt.ts'
import { englishName } from '../../../../src/engines/pdf/font/twins.ts'
import { cff, draw } from './made-cff.ts'
import { fontFile, format4, os2, trueType } from './made-fonts.ts'

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

describe('A missing font', () => {
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

  test('may have any name, also one that objects know', () => {
    for (const name of ['constructor', '__proto__', 'toString', 'hasOwnProperty'])
      expect([name, embeddedFonts().match(name)?.font.face.family]).toEqual([name, 'Carlito'])
  })

  test('is drawn bold where its only weight is heavy', () => {
    const isBold = (name: string) => embeddedFonts().match(name)?.font.face.bold
    const heavy =
      'Aptos Black,Aptos ExtraBold,Aptos SemiBold,Arial Black,Arial Rounded MT Bold,Franklin Gothic Demi,Franklin Gothic Heavy,' +
      'Franklin Gothic Medium,Impact,Segoe UI Black,Segoe UI Semibold'
    for (const name of heavy.split(',')) expect([name, isBold(name)]).toEqual([name, true])
    for (const name of ['Aptos', 'Aptos Light', 'Segoe UI Light', 'Franklin Gothic Book', 'Arial Narrow'])
      expect([name, isBold(name)]).toEqual([name, false])
    // Without a bold file it is emboldened.
    expect(createFontLibrary([source('Arimo')]).match('Impact')?.font.face.family).toBe('Arimo')
  })

  test('has the family, the widths and the scale that are nearest to it', () => {
    const nearest: readonly [name: string, family: string, widthsOf?: string | undefined, scale?: number][] = [
      ['Aptos Black', 'Carlito', 'Aptos', 1.05],
      ['Aptos Display', 'Carlito'],
      ['Aptos ExtraBold', 'Carlito', 'Aptos', 1.03],
      ['Aptos Light', 'Carlito', 'Aptos'],
      ['Aptos Narrow', 'Carlito', 'Aptos', 0.92],
      ['Aptos SemiBold', 'Carlito', 'Aptos'],
      ['Arial Black', 'Arimo'],
      ['Arial Rounded MT Bold', 'Arimo'],
      ['Arial Unicode MS', 'Arimo'],
      ['Bahnschrift', 'Arimo', 'Franklin Gothic Book'],
      ['Bell MT', 'Tinos'],
      ['Book Antiqua', 'Gelasio'],
      ['Candara', 'Carlito'],
      ['Century', 'Gelasio'],
      ['Century Gothic', 'Arimo'],
      ['Century Schoolbook', 'Gelasio', 'Century'],
      ['Comic Sans MS', 'Arimo'],
      ['Constantia', 'Gelasio'],
      ['Corbel', 'Carlito'],
      ['DejaVu Sans', 'Arimo', 'Verdana'],
      ['DejaVu Sans Mono', 'Cousine', undefined, 1.0033],
      ['Franklin Gothic Demi', 'Arimo', 'Franklin Gothic Medium'],
      ['Franklin Gothic Heavy', 'Arimo', 'Franklin Gothic Medium'],
      ['Garamond', 'Tinos'],
      ['Gill Sans', 'Carlito', 'Gill Sans MT'],
      ['Goudy Old Style', 'Tinos', undefined, 0.95],
      ['Impact', 'Arimo'],
      ['Lucida Console', 'Cousine'],
      ['Lucida Sans', 'Arimo', 'Lucida Sans Unicode'],
      ['Microsoft Sans Serif', 'Arimo'],
      ['Monotype Corsiva', 'Tinos'],
      ['Open Sans', 'Arimo', 'Segoe UI'],
      ['Palatino Linotype', 'Gelasio', 'Book Antiqua'],
      ['Perpetua', 'Tinos'],
      ['Rockwell', 'Gelasio', undefined, 1.02],
      ['Segoe UI Black', 'Arimo', 'Segoe UI', 1.08],
      ['Segoe UI Light', 'Arimo'],
      ['Segoe UI Symbol', 'Arimo'],
      ['Sylfaen', 'Tinos'],
      ['Tahoma', 'Arimo'],
      ['Trebuchet MS', 'Arimo'],
    ]
    const width = (name: string, bold: boolean) =>
      embeddedFonts().match(name, { bold, italic: false })?.font.face.width(0x6e)
    for (const [name, family, widthsOf, scale = 1] of nearest) {
      const { font } = embeddedFonts().match(name) ?? expect.unreachable()
      expect([name, font.face.family, font.scale]).toEqual([name, family, scale])
      if (widthsOf !== undefined && !font.face.bold)
        expect([name, width(name, false)]).toEqual([name, width(widthsOf, false)])
    }
    expect(embeddedFonts().match('Cambria Math')?.font.face.family).toBe('STIX Two Math')
  })

  test('is recognised by its name in its own language', () => {
    const names: Readonly<Record<string, string>> = {
      ...{
        'ＭＳ 明朝': 'MS Mincho',
        'ＭＳ ゴシック': 'MS Gothic',
        'ＭＳ Ｐ明朝': 'MS PMincho',
        'ＭＳ Ｐゴシック': 'MS PGothic',
      },
      ...{
        游明朝: 'Yu Mincho',
        '游明朝 Demibold': 'Yu Mincho',
        游ゴシック: 'Yu Gothic',
        '游ゴシック Medium': 'Yu Gothic',
      },
      ...{
        '游ゴシック Light': 'Yu Gothic Light',
        メイリオ: 'Meiryo',
        宋体: 'SimSun',
        新宋体: 'NSimSun',
        黑体: 'SimHei',
      },
      ...{
        仿宋: 'FangSong',
        楷体: 'KaiTi',
        等线: 'DengXian',
        '等线 Light': 'DengXian Light',
        微软雅黑: 'Microsoft YaHei',
      },
      ...{ 华文宋体: 'STSong', 华文中宋: 'STZhongsong', 新細明體: 'PMingLiU', 細明體: 'MingLiU', 標楷體: 'DFKai-SB' },
      ...{
        微軟正黑體: 'Microsoft JhengHei',
        '맑은 고딕': 'Malgun Gothic',
        바탕: 'Batang',
        굴림: 'Gulim',
        돋움: 'Dotum',
      },
    }
    for (const [own, english] of Object.entries(names))
      expect([own, englishName(own.toLowerCase())]).toEqual([own, english.toLowerCase()])
    expect(englishName('arial')).toBe('arial')
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

test('A document’s own fonts lend characters that a library has only in a supplement, or not at all', () => {
  const [own, sign] = [source('Own', { codes: [0x2600, 0x2601] }), 0x2601]
  const base = createFontLibrary([source('A'), source('Signs', { codes: [0x2601, 0x2602], isSupplement: true })])
  expect(base.fallback(sign)).toMatchObject({ id: 'Signs', isSupplement: true })
  expect(withSources(base, [own]).fallback(sign)?.id).toBe('document Own')
  expect(withSources(base, [own]).fallback(0x2602)?.id).toBe('Signs')
  expect(withSources(base, [source('Other')]).fallback(sign)?.id).toBe('Signs')
  expect(withSources(base, [own]).fallback(0x2600)?.id).toBe('document Own')
})

test('A file of fonts is a source for each of them, by all their names and in their styles', () => {
  const named = trueType({
    names: [
      { id: 1, value: 'A' },
      { id: 1, value: 'Ä' },
    ],
    os2: os2({ selection: 0x21 }),
  })
  expect(fontSourcesOf(named)).toMatchObject([{ family: 'A', aliases: ['Ä'], bold: true, italic: true, index: 0 }])
  expect(fontSourcesOf(named)[0]?.read()).toBe(named)
  expect([fontSourcesOf(new Uint8Array(9)), fontSourcesOf(trueType())]).toEqual([[], []])
})

test('A font whose outlines are PostScript’s is used only where a part of it may be embedded', () => {
  const outlines = cff({ glyphs: [draw('endchar'), draw('1 2 rlineto endchar')] }).bytes
  const opentype = (fsType: number, table: Uint8Array = outlines) => {
    const {
      head = [],
      hhea = [],
      maxp = [],
      hmtx = [],
      cmap = [],
    } = tablesOf(
      trueType({
        widths: [
          [500, 0],
          [600, 0],
        ],
      }),
    )
    const bytes = fontFile({ head, hhea, maxp, hmtx, cmap, 'CFF ': [...table], 'OS/2': os2({ fsType }) }, 0x4f54544f)
    return createFontLibrary([source('P', { read: () => bytes })]).trouble('P')
  }
  expect([opentype(0), opentype(0x100), opentype(2), opentype(0, new Uint8Array(9))]).toEqual([
    undefined,
    'restricted',
    'restricted',
    'unreadable',
  ])
  // One with other outlines may be embedded whole.
  expect(createFontLibrary([source('T', { fsType: 0x100 })]).trouble('T')).toBeUndefined()
})

test('What was measured of a font is found by its name in any case', () => {
  const [regular] = measuredStyles('Aptos')
  expect(regular).toMatchObject({ bold: false, italic: false, metrics: [0.939, 0.2817, 0] })
  expect(regular?.widths.get(0x41)).toBe(0.589)
  expect(measuredStyles('APTOS')).toEqual(measuredStyles('aptos'))
  const styles = measuredStyles('Verdana').map(({ bold, italic }) => `${bold} ${italic}`)
  expect(new Set(styles).size).toBe(styles.length)
  expect(styles).toContain('true true')
  expect([measuredStyles('nobody measured this'), measuredStyles('')]).toEqual([[], []])
})

/** The tables of a font as bytes, by their names. */
function tablesOf(bytes: Uint8Array): Record<string, number[]> {
  const tables = readTables(bytes) ?? expect.unreachable()
  return Object.fromEntries([...tables].map(([name, table]) => [name, [...table.slice(0, table.length)]]))
}
