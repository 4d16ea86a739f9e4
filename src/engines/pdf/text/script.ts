import { isEastAsian } from '../font/scripts.ts'

/**
 * Classes of characters. Word picks one of a run's four fonts by them (17.3.2.26); layout decides by them what to shape
 * and reorder. The ranges are Unicode blocks, so that nothing depends on the machine's ICU.
 */
export type Slot = 'ascii' | 'highAnsi' | 'eastAsia' | 'complex'

/** The font slot of a character. `eastAsiaHint` is the run's `w:hint`: it makes characters of both kinds East Asian. */
export function slotOf(code: number, { eastAsiaHint }: { eastAsiaHint: boolean }): Slot {
  if (code < 0x80) return 'ascii'
  if (isComplex(code)) return 'complex'
  if (isEastAsian(code)) return 'eastAsia'
  return eastAsiaHint && isAmbiguous(code) ? 'eastAsia' : 'highAnsi'
}

/** Latin-1 signs, Greek, Cyrillic and the symbols that East Asian fonts draw full-width. */
function isAmbiguous(code: number): boolean {
  if (code < 0x100) return ambiguousLatin.has(code)
  return (code >= 0x2b0 && code <= 0x4ff) || (code >= 0x2000 && code <= 0x2bff)
}

const ambiguousLatin = new Set([
  0xa1, 0xa4, 0xa7, 0xa8, 0xaa, 0xad, 0xaf, 0xb0, 0xb1, 0xb2, 0xb3, 0xb4, 0xb6, 0xb7, 0xb8, 0xb9, 0xba, 0xbc, 0xbd,
  0xbe, 0xbf, 0xd7, 0xf7,
])

/** East Asian characters that are as wide as they are high: all but half-width forms. */
export function isWide(code: number): boolean {
  return isEastAsian(code) && !(code >= 0xff61 && code <= 0xffdc) && !(code >= 0xffe8 && code <= 0xffee)
}

/** Scripts that read from right to left, join or reorder: their characters take the complex-script font and are shaped. */
export function isComplex(code: number): boolean {
  if (code < 0x590) return false
  if (code <= 0x109f) return true
  if (code < 0x1700) return false
  if (code <= 0x1cff) return code <= 0x18af || code >= 0x1900
  if (code < 0xa840) return false
  return (
    (code >= 0xa840 && code <= 0xa95f) ||
    (code >= 0xa980 && code <= 0xabff) ||
    (code >= 0xfb1d && code <= 0xfdff) ||
    (code >= 0xfe70 && code <= 0xfefe) ||
    (code >= 0x10800 && code <= 0x11fff) ||
    (code >= 0x1e800 && code <= 0x1efff)
  )
}

/** Strong right-to-left characters, by block. */
export function isRightToLeft(code: number): boolean {
  return (
    (code >= 0x590 && code <= 0x8ff) ||
    (code >= 0xfb1d && code <= 0xfdff) ||
    (code >= 0xfe70 && code <= 0xfefe) ||
    code === 0x200f ||
    code === 0x202b ||
    code === 0x202e ||
    code === 0x2067 ||
    (code >= 0x10800 && code <= 0x10fff) ||
    (code >= 0x1e800 && code <= 0x1efff)
  )
}

/** Marks on the letter before them, in any script. */
export function isCombining(code: number): boolean {
  return (code >= 0x300 && code <= 0x36f) || (code >= 0x1ab0 && code <= 0x1aff) || (code >= 0x1dc0 && code <= 0x1dff)
}

/** Controls of joining and direction: they have no glyph, but shaping and reordering need them. */
export function isTextControl(code: number): boolean {
  return (
    (code >= 0x200c && code <= 0x200f) ||
    code === 0x061c ||
    (code >= 0x202a && code <= 0x202e) ||
    (code >= 0x2066 && code <= 0x2069)
  )
}

/** Scripts that write no spaces between words; lines end between syllables there. */
export function isUnspaced(code: number): boolean {
  return (
    (code >= 0x0e00 && code <= 0x0eff) ||
    (code >= 0x1000 && code <= 0x109f) ||
    (code >= 0x1780 && code <= 0x17ff) ||
    (code >= 0xaa60 && code <= 0xaa7f)
  )
}

/** The sample for text that is neither East Asian nor of a complex script. */
export const LATIN_SAMPLE = 0x41

/** A character that shows whether a font has the script of `code`. */
export function sampleOf(code: number): number {
  if (isEastAsian(code)) return eastAsianSample(code)
  for (const [from, to, sample] of samples) if (code >= from && code <= to) return sample
  return isComplex(code) ? code : LATIN_SAMPLE
}

function eastAsianSample(code: number): number {
  if (code >= 0x3040 && code <= 0x30ff) return 0x3042
  return isHangul(code) ? 0xac00 : 0x4e00
}

/** Syllables of Hangul and the letters that they are made of. */
export function isHangul(code: number): boolean {
  return (code >= 0xac00 && code <= 0xd7ff) || (code >= 0x1100 && code <= 0x11ff)
}

const samples: readonly [from: number, to: number, sample: number][] = [
  [0x590, 0x5ff, 0x5d0],
  [0x600, 0x6ff, 0x627],
  [0x750, 0x77f, 0x627],
  [0x8a0, 0x8ff, 0x627],
  [0xfb1d, 0xfb4f, 0x5d0],
  [0xfb50, 0xfdff, 0x627],
  [0xfe70, 0xfefe, 0x627],
  [0x900, 0x97f, 0x905],
  [0x980, 0x9ff, 0x985],
  [0xa00, 0xa7f, 0xa05],
  [0xa80, 0xaff, 0xa85],
  [0xb00, 0xb7f, 0xb05],
  [0xb80, 0xbff, 0xb85],
  [0xc00, 0xc7f, 0xc05],
  [0xc80, 0xcff, 0xc85],
  [0xd00, 0xd7f, 0xd05],
  [0xd80, 0xdff, 0xd85],
  [0xe00, 0xe7f, 0xe01],
  [0xe80, 0xeff, 0xe81],
  [0xf00, 0xfff, 0xf40],
  [0x1000, 0x109f, 0x1000],
  [0x1780, 0x17ff, 0x1780],
]

const languageSamples: ReadonlyMap<string, number> = new Map(
  Object.entries({
    ar: 0x627,
    fa: 0x627,
    ur: 0x627,
    ps: 0x627,
    ckb: 0x627,
    sd: 0x627,
    ug: 0x627,
    he: 0x5d0,
    yi: 0x5d0,
    hi: 0x905,
    mr: 0x905,
    ne: 0x905,
    sa: 0x905,
    bn: 0x985,
    as: 0x985,
    pa: 0xa05,
    gu: 0xa85,
    or: 0xb05,
    ta: 0xb85,
    te: 0xc05,
    kn: 0xc85,
    ml: 0xd05,
    si: 0xd85,
    th: 0xe01,
    lo: 0xe81,
    bo: 0xf40,
    my: 0x1000,
    km: 0x1780,
  }),
)

/** A character of the complex script that a language is written in, by its BCP 47 tag; undefined for other languages. */
export function sampleOfLanguage(tag: string): number | undefined {
  return languageSamples.get(tag.toLowerCase().replace(/-.*/s, ''))
}

const scriptNames: Readonly<Record<number, string>> = {
  1488: 'Hebrew',
  1575: 'Arabic',
  2309: 'Devanagari',
  2437: 'Bengali',
  2565: 'Gurmukhi',
  2693: 'Gujarati',
  2821: 'Odia',
  2949: 'Tamil',
  3077: 'Telugu',
  3205: 'Kannada',
  3333: 'Malayalam',
  3461: 'Sinhala',
  3585: 'Thai',
  3713: 'Lao',
  3904: 'Tibetan',
  4096: 'Myanmar',
  6016: 'Khmer',
  12354: 'kana',
  44032: 'Hangul',
  19968: 'Chinese characters',
}

/** A script's name for people, by its sample. */
export function scriptName(sample: number): string {
  return scriptNames[sample] ?? `the script of U+${sample.toString(16).toUpperCase().padStart(4, '0')}`
}
