import type { Font } from '../font/library.ts'
import { isWide, sampleOf } from './script.ts'

const widened = new WeakMap<Font, Map<number, Font>>()

/** Families whose Hangul is as narrow as that of the free fonts that stand in for them. */
const narrow = /^(noto|source han|nanum)/i

/**
 * Scales a font that stands in for `family` to the character widths there: in the fonts that come with Word,
 * ideographs, kana and Hangul syllables are one em wide (in Noto, Hangul is .92).
 *
 * @param code a character to draw; one of another script leaves the font as it is
 */
export function emWide(font: Font, code: number, family: string): Font {
  if (!isWide(code) || narrow.test(family)) return font
  const sample = sampleOf(code)
  const known = widened.get(font)?.get(sample)
  if (known) return known
  const { face } = font
  const width = face.advance(face.glyph(sample) || face.glyph(code))
  const found = width > 0 && width !== 1 ? { ...font, scale: font.scale / width } : font
  const bySample = widened.get(font) ?? new Map<number, Font>()
  widened.set(font, bySample.set(sample, found))
  return found
}

/** Names of fonts with East Asian characters: in their own script, or with the usual words for their kinds. */
const eastAsianName =
  /[^\0-\x7f]|mincho|\bms p?gothic|ui gothic|(?:yu|ud[a-z]*|kaku|maru|malgun|apple sd|nanum|hgp?|hgs)\s?gothic|gothic ?e\b|ming(?:liu)?\b|song|simsun|heiti|simhei|jhenghei|yahei|kaiti|dfkai|fang ?song|dengxian|meiryo|hiragino|osaka|pingfang|batang|gulim|dotum|gungsuh|malgun|nanum|noto .*(?:cjk|jp|kr|sc|tc|hk)\b|source han/i

/**
 * The font that Word takes for Japanese text in a font that has none, such as Arial; undefined for other text, and for
 * fonts that have it.
 *
 * @param language of the text's East Asian characters
 */
export function wordsFallback(family: string, sample: number, language: string): string | undefined {
  const isJapanese = sample === 0x3042 || (sample === 0x4e00 && language.startsWith('ja'))
  return isJapanese && !eastAsianName.test(family) ? 'MS Mincho' : undefined
}
