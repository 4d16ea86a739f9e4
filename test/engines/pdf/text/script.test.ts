import { describe, expect, test } from 'bun:test'
import { isEastAsian } from '../../../../src/engines/pdf/font/scripts.ts'
import {
  isCombining,
  isComplex,
  isRightToLeft,
  isTextControl,
  isUnspaced,
  isWide,
  LATIN_SAMPLE,
  sampleOf,
  sampleOfLanguage,
  scriptName,
  slotOf,
} from '../../../../src/engines/pdf/text/script.ts'
import { rangesOf } from './code-ranges.ts'

describe('The kind of a character', () => {
  test('is East Asian in the blocks of ideographs, kana and Hangul and their signs', () => {
    expect(rangesOf(isEastAsian)).toBe(
      '1100-11ff 2e80-a4cf a960-a97f ac00-d7ff f900-faff fe30-fe4f ff00-ffef 1b000-1b2ff 20000-3ffff',
    )
  })

  test('is as wide as it is high among those, except for half-width forms', () => {
    expect(rangesOf(isWide)).toBe(
      '1100-11ff 2e80-a4cf a960-a97f ac00-d7ff f900-faff fe30-fe4f ff00-ff60 ffdd-ffe7 ffef 1b000-1b2ff 20000-3ffff',
    )
  })

  test('is none of these beyond the planes of ideographs', () => {
    for (const code of [0x40000, 0x7ffff, 0x80000, 0xe0100, 0x10ffff])
      expect([isEastAsian, isWide, isComplex, isRightToLeft, isUnspaced].map((holds) => holds(code))).toEqual(
        Array(5).fill(false),
      )
  })

  test('is complex in the blocks of scripts that join, reorder or read from right to left', () => {
    expect(rangesOf(isComplex)).toBe(
      '590-109f 1700-18af 1900-1cff a840-a95f a980-abff fb1d-fdff fe70-fefe 10800-11fff 1e800-1efff',
    )
  })

  test('is right-to-left in whole blocks, and for the marks that say so', () => {
    expect(rangesOf(isRightToLeft)).toBe('590-8ff 200f 202b 202e 2067 fb1d-fdff fe70-fefe 10800-10fff 1e800-1efff')
  })

  test('is a mark on a letter, a control of direction, or of a script without spaces', () => {
    expect(rangesOf(isCombining)).toBe('300-36f 1ab0-1aff 1dc0-1dff')
    expect(rangesOf(isTextControl)).toBe('61c 200c-200f 202a-202e 2066-2069')
    expect(rangesOf(isUnspaced)).toBe('e00-eff 1000-109f 1780-17ff aa60-aa7f')
  })

  test('picks one of the four fonts of a run', () => {
    const slots = (eastAsiaHint: boolean) =>
      [0x7f, 0x80, 0xe9, 0x5d0, 0x4e00].map((code) => slotOf(code, { eastAsiaHint }))
    expect(slots(false)).toEqual(['ascii', 'highAnsi', 'highAnsi', 'complex', 'eastAsia'])
    expect(slots(true)).toEqual(slots(false))
  })

  test('lets the hint claim the signs that Latin and East Asian fonts both have', () => {
    const claimed = (code: number) => slotOf(code, { eastAsiaHint: true }) !== slotOf(code, { eastAsiaHint: false })
    expect(rangesOf(claimed)).toBe('a1 a4 a7-a8 aa ad af-b4 b6-ba bc-bf d7 f7 2b0-4ff 2000-2bff')
  })
})

/** Blocks of Unicode, a letter that every font of their script has, and the script's name. */
const blocks: readonly [from: number, to: number, letter: string, name: string][] = [
  [0x590, 0x5ff, 'א', 'Hebrew'],
  [0x600, 0x6ff, 'ا', 'Arabic'],
  [0x750, 0x77f, 'ا', 'Arabic'],
  [0x8a0, 0x8ff, 'ا', 'Arabic'],
  [0x900, 0x97f, 'अ', 'Devanagari'],
  [0x980, 0x9ff, 'অ', 'Bengali'],
  [0xa00, 0xa7f, 'ਅ', 'Gurmukhi'],
  [0xa80, 0xaff, 'અ', 'Gujarati'],
  [0xb00, 0xb7f, 'ଅ', 'Odia'],
  [0xb80, 0xbff, 'அ', 'Tamil'],
  [0xc00, 0xc7f, 'అ', 'Telugu'],
  [0xc80, 0xcff, 'ಅ', 'Kannada'],
  [0xd00, 0xd7f, 'അ', 'Malayalam'],
  [0xd80, 0xdff, 'අ', 'Sinhala'],
  [0xe00, 0xe7f, 'ก', 'Thai'],
  [0xe80, 0xeff, 'ກ', 'Lao'],
  [0xf00, 0xfff, 'ཀ', 'Tibetan'],
  [0x1000, 0x109f, 'က', 'Myanmar'],
  [0x1780, 0x17ff, 'ក', 'Khmer'],
  [0xfb1d, 0xfb4f, 'א', 'Hebrew'],
  [0xfb50, 0xfdff, 'ا', 'Arabic'],
  [0xfe70, 0xfefe, 'ا', 'Arabic'],
  [0x1100, 0x11ff, '가', 'Hangul'],
  [0xac00, 0xd7ff, '가', 'Hangul'],
  [0x3040, 0x30ff, 'あ', 'kana'],
  [0x2e80, 0x303f, '一', 'Chinese characters'],
  [0x3100, 0xa4cf, '一', 'Chinese characters'],
  [0x20000, 0x3ffff, '一', 'Chinese characters'],
]

describe('The sample of a script', () => {
  test('is one letter for every character of a block, which also gives the script its name', () => {
    for (const [from, to, letter, name] of blocks) {
      const sample = letter.codePointAt(0) ?? 0
      expect(rangesOf((code) => code >= from && code <= to && sampleOf(code) !== sample)).toBe('')
      expect(scriptName(sample)).toBe(name)
    }
  })

  test('is the character itself in a complex block without one, and A for everything else', () => {
    const others = (code: number) => !isEastAsian(code) && !blocks.some(([from, to]) => code >= from && code <= to)
    expect(rangesOf((code) => others(code) && isComplex(code) && sampleOf(code) !== code)).toBe('')
    expect(rangesOf((code) => others(code) && !isComplex(code) && sampleOf(code) !== LATIN_SAMPLE)).toBe('')
    expect(scriptName(0x10a00)).toBe('the script of U+10A00')
    expect(scriptName(0x7c0)).toBe('the script of U+07C0')
  })

  test('follows from a language with any region, and from no other than those of complex scripts', () => {
    const languages = {
      Hebrew: 'he yi',
      Arabic: 'ar fa ur ps ckb sd ug',
      Devanagari: 'hi mr ne sa',
      Bengali: 'bn as',
      Gurmukhi: 'pa',
      Gujarati: 'gu',
      Odia: 'or',
      Tamil: 'ta',
      Telugu: 'te',
      Kannada: 'kn',
      Malayalam: 'ml',
      Sinhala: 'si',
      Thai: 'th',
      Lao: 'lo',
      Tibetan: 'bo',
      Myanmar: 'my',
      Khmer: 'km',
    }
    for (const [script, tags] of Object.entries(languages)) {
      for (const tag of tags.split(' ')) {
        expect([tag, scriptName(sampleOfLanguage(tag) ?? 0)]).toEqual([tag, script])
        expect(sampleOfLanguage(`${tag.toUpperCase()}-XX`)).toBe(sampleOfLanguage(tag))
      }
    }
    for (const tag of ['en-GB', 'fr', 'zh-CN', '']) expect(sampleOfLanguage(tag)).toBeUndefined()
  })
})
