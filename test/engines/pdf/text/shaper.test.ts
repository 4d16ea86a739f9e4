import { describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import naskh from '@expo-google-fonts/noto-naskh-arabic/400Regular/NotoNaskhArabic_400Regular.ttf' with { type: 'file' }
import { limits } from '../../../../src/core/limits.ts'
import { embeddedFonts } from '../../../../src/engines/pdf/font/embedded.ts'
import { type Face, readFace } from '../../../../src/engines/pdf/font/face.ts'
import { type ShapeOptions, shapeWord } from '../../../../src/engines/pdf/text/shaper.ts'

const arabic = readFace(readFileSync(naskh))
const arial = embeddedFonts().match('Arial')?.font.face
if (!arabic || !arial) throw new Error('The fonts of the tests are missing')

const plain: ShapeOptions = { rightToLeft: false, kern: false, before: '', after: '', language: 'en' }
const joining: ShapeOptions = { ...plain, rightToLeft: true, language: 'ar' }
const shape = (face: Face, text: string, options: Partial<ShapeOptions> = {}) =>
  shapeWord(face, text, { ...plain, ...options })

describe('A shaped word', () => {
  test('has the font’s glyphs and widths in font units, in the order of its letters', () => {
    const glyphs = shape(arial, 'AVé')
    const expected = [...'AVé'].map((letter, cluster) => {
      const glyph = arial.glyph(letter.codePointAt(0) ?? 0)
      return { glyph, cluster, advance: Math.round(arial.advance(glyph) * arial.unitsPerEm), dx: 0, dy: 0 }
    })
    expect(glyphs).toEqual(expected)
  })

  test('is kerned only if asked to', () => {
    const widthOf = (kern: boolean) =>
      (shape(arial, 'AVA', { kern }) ?? []).reduce((sum, { advance }) => sum + advance, 0)
    const [a, v] = [arial.glyph(0x41), arial.glyph(0x56)]
    const kerned = Math.round((arial.kern(a, v) + arial.kern(v, a)) * arial.unitsPerEm)
    expect(kerned).toBeLessThan(0)
    expect(widthOf(true) - widthOf(false)).toBe(kerned)
  })

  test('comes from right to left in visual order, with clusters of its own text alone', () => {
    const word = shapeWord(arabic, 'بيت', joining) ?? []
    expect(word.length).toBeGreaterThan(2)
    expect(word.map(({ cluster }) => cluster)).toEqual(word.map(({ cluster }) => cluster).toSorted((a, b) => b - a))
    const joined = shapeWord(arabic, 'بيت', { ...joining, before: 'بي', after: 'وت' }) ?? []
    expect([...new Set(joined.map(({ cluster }) => cluster))]).toEqual([2, 1, 0])
    expect(joined.map(({ glyph }) => glyph)).not.toEqual(word.map(({ glyph }) => glyph))
  })

  test('runs in the direction that it is asked for, whatever its script', () => {
    expect(shape(arial, 'ab', { rightToLeft: true })?.map(({ cluster }) => cluster)).toEqual([1, 0])
    expect(shapeWord(arabic, 'بت', { ...joining, rightToLeft: false })?.at(0)?.cluster).toBe(0)
  })

  test('has marks above their letters, which take no room', () => {
    const glyphs = shapeWord(arabic, 'بَ', joining) ?? []
    expect(glyphs.map(({ cluster }) => cluster)).toEqual(glyphs.map(() => 0))
    expect(glyphs.filter(({ advance }) => advance !== 0).map(({ dx, dy }) => [dx, dy])).toEqual([[0, 0]])
    for (const { dx, dy } of glyphs.filter(({ advance }) => advance === 0)) {
      expect(dx).toBeGreaterThan(100)
      expect(dy).toBeLessThan(0)
    }
  })

  test('shows the missing glyph where the font lacks a character', () => {
    expect(shape(arial, '日')?.map(({ glyph }) => glyph)).toEqual([0])
  })

  test('takes the forms of its language', () => {
    const digits = '۴۶۷'
    const forms = (language: string) => JSON.stringify(shapeWord(arabic, digits, { ...joining, language }))
    expect(forms('ar')).not.toBe(forms('ur'))
    // What is no tag is no language, and keeps the font's usual forms.
    expect(forms('x')).toBe(forms('ar'))
    expect(forms('ur-PK')).toBe(forms('ur'))
    expect(forms('ur-PK-what-is-this')).toBe(forms('ar'))
  })

  test('may be as long as a text, and short again', () => {
    const long = shape(arial, 'ab'.repeat(2_000)) ?? []
    expect(long.length).toBe(4_000)
    expect(long.at(-1)).toMatchObject({ cluster: 3_999, glyph: arial.glyph(0x62) })
    expect(shape(arial, 'ba')?.map(({ glyph }) => glyph)).toEqual([arial.glyph(0x62), arial.glyph(0x61)])
  })

  test('is the very same value when it is asked for again, and another for other options', () => {
    const first = shape(arial, 'again')
    expect(shape(arial, 'again')).toBe(first)
    for (const other of [{ kern: true }, { before: 'x' }, { after: 'x' }, { language: 'de' }, { rightToLeft: true }])
      expect(shape(arial, 'again', other)).not.toBe(first)
  })
})

test('A font that is larger than the shaper’s memory is not shaped with', () => {
  const large: Face = { ...arial, bytes: new Uint8Array(limits.shaperFontBytes + 1) }
  expect(shape(large, 'a')).toBeUndefined()
})

test('More fonts than the shaper keeps are shaped with by turns', () => {
  const size = Math.floor(limits.shaperFontBytes / 3)
  const faces = Array.from({ length: 5 }, (): Face => {
    const bytes = new Uint8Array(size)
    bytes.set(arial.bytes)
    return { ...arial, bytes }
  })
  for (const [round, text] of ['one', 'two', 'six'].entries()) {
    for (const face of faces) expect([round, shape(face, text)]).toEqual([round, shape(arial, text)])
  }
})

test('A font is held until as many others as the shaper keeps were shaped with', () => {
  let readings = 0
  const counted: Face = {
    ...arial,
    get bytes() {
      readings++
      return arial.bytes
    },
  }
  /** How often its file is looked at for a word: more often where it has to be loaded. */
  const readingsFor = (word: string) => {
    readings = 0
    shape(counted, word)
    return readings
  }
  const shapeWithOthers = (count: number) => {
    for (let made = 0; made < count; made++) shape({ ...arial, bytes: arial.bytes.subarray(0, 40_000) }, 'other')
  }
  const loaded = readingsFor('first')
  const held = readingsFor('second')
  expect(held).toBeLessThan(loaded)
  shapeWithOthers(limits.shaperFonts - 1)
  expect(readingsFor('third')).toBe(held)
  shapeWithOthers(limits.shaperFonts)
  expect(readingsFor('fourth')).toBe(loaded)
})

test('However many fonts there are, the shaper has room for the next one', () => {
  const bytes = new Uint8Array(Math.floor(limits.shaperFontBytes / 3))
  bytes.set(arial.bytes)
  // All of them are more than its memory may hold.
  const count = Math.ceil(limits.shaperBytes / bytes.length) + 2
  const shaped = Array.from({ length: count }, () => shape({ ...arial, bytes }, 'next'))
  expect(shaped).toEqual(Array(count).fill(shape(arial, 'next')))
})

test('A font that shapes a word into glyphs that it does not have is not shaped with', () => {
  const lacking: Face = { ...arial, glyphCount: arial.glyph(0x62) }
  expect(shape(lacking, 'a')?.length).toBe(1)
  expect(shape(lacking, 'ab')).toBeUndefined()
})
