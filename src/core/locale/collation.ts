/**
 * Order of texts as in a language's dictionaries. As in the Unicode Collation Algorithm, a key has three levels: letters,
 * then accents, then lower before upper case; the first difference decides. The table below lists the letters of each
 * language in Latin script, and their places, by the tailorings of the Unicode CLDR; other scripts have their alphabet in
 * the locale table. Ideographs are ordered by code point (by radical and strokes).
 */
import type { Locale } from './locale.ts'

/** Each language's own letters, grouped after the letter they follow: `n ñ` puts ñ between n and o. */
// biome-ignore format: a table reads better in rows
const tailorings: Readonly<Record<string, string>> = {
  az: 'c ç|e ə|g ğ|h x ı|k q|o ö|s ş|u ü', bs: 'c č ć|d dž đ|l lj|n nj|s š|z ž', cs: 'c č|h ch|r ř|s š|z ž',
  cy: 'c ch|d dd|f ff|g ng|l ll|p ph|r rh|t th', da: 'z æ/ä ø/ö å/aa', dsb: 'c č ć|e ě|h ch|k ł|n ń|r ŕ|s š ś|z ž ź',
  es: 'n ñ', et: 's š z ž|w õ ä ö ü', fi: 'z å ä/æ ö/ø', fil: 'n ñ ng', gl: 'n ñ', ha: 'b ɓ|d ɗ|k ƙ|s sh|t ts|y ƴ', hr: 'c č ć|d dž đ|l lj|n nj|s š|z ž',
  hsb: 'c č ć|d dź|e ě|h ch|k ł|n ń|o ó|r ř|s š|z ž', hu: 'c cs|d dz dzs|g gy|l ly|n ny|o ö/ő|s sz|t ty|u ü/ű|z zs',
  is: 'a á|d ð|e é|i í|o ó|u ú|y ý|z þ æ/ä ö/ø å', lt: 'c č|s š|z ž', lv: 'c č|g ģ|k ķ|l ļ|n ņ|r ŗ|s š|z ž',
  nb: 'z æ/ä ø/ö å/aa', nn: 'z æ/ä ø/ö å/aa', no: 'z æ/ä ø/ö å/aa', pl: 'a ą|c ć|e ę|l ł|n ń|o ó|s ś|z ź ż',
  ro: 'a ă â|i î|s ș/ş|t ț/ţ', sk: 'a ä|c č|h ch|o ô|r ŕ|s š|z ž', sl: 'c č ć|d đ|s š|z ž', sq: 'c ç|d dh|e ë|g gj|l ll|n nj|r rr|s sh|t th|x xh|z zh',
  sr: 'c č ć|d dž đ|l lj|n nj|s š|z ž', sv: 'z å ä/æ ö/ø', tk: 'c ç|e ä|j ž|n ň|o ö|s ş|u ü|y ý', tr: 'c ç|g ğ|h ı|o ö|s ş|u ü',
  uz: 'z oʻ gʻ sh ch', vi: 'a ă â|d đ|e ê|o ô ơ|u ư',
}

/** Letters that look up as others where no language counts them as its own. */
// biome-ignore format: a table reads better in columns
const expansions = new Map(Object.entries({
  æ: 'ae', œ: 'oe', ß: 'ss', ø: 'o', đ: 'd', ł: 'l', ħ: 'h', ŧ: 't', ı: 'i', ĳ: 'ij', ŉ: 'n', ð: 'dz', þ: 'tz', ə: 'ez', ŋ: 'nz', ʻ: '', ς: 'σ',
}))

/** What decides first, and what tells letters with the same key apart. */
type Weight = readonly [key: string, accent: string]

interface Alphabet {
  /** Weights of letters, or of several that count as one. */
  letters: ReadonlyMap<string, Weight>
  /** The longest of those that count as one. */
  longest: number
}

const alphabets = new WeakMap<Locale, Alphabet>()

/** A key that orders texts by UTF-16 code units: letters, then accents, then case, then the text itself. */
export function collationKey(text: string, locale: Locale): string {
  const { letters, longest } = alphabetOf(locale)
  const normal = text.normalize('NFC')
  const small = normal.toLowerCase()
  const hasCases = small.length === normal.length
  let primary = ''
  let accents = ''
  let cases = ''
  for (let at = 0; at < small.length; ) {
    let length = Math.min(longest, small.length - at)
    while (length > 1 && !letters.has(small.slice(at, at + length))) length--
    if (length === 1 && small.codePointAt(at) !== small.charCodeAt(at)) length = 2
    const letter = small.slice(at, at + length)
    const [key, accent] = letters.get(letter) ?? plainWeight(letter, letters)
    primary += key
    accents += key === '' ? accent : `${accent || '\u0001'}`
    cases += hasCases && normal.slice(at, at + length) !== letter ? '2' : '1'
    at += length
  }
  return `${primary}\u0000${accents}\u0000${cases}\u0000${normal}`
}

/** Marks over and under letters. Vowel signs of Indic scripts are letters of their own. */
const accentPattern = /\p{Script=Inherited}|[\u0591-\u05c7\u0610-\u061a\u064b-\u0652]/u

/** The letter without its accents, and the accents. */
function plainWeight(letter: string, letters?: ReadonlyMap<string, Weight>): Weight {
  let key = ''
  let accent = ''
  for (const character of letter.normalize('NFKD')) {
    if (accentPattern.test(character)) {
      accent += character
      continue
    }
    const expanded = expansions.get(character)
    if (expanded !== undefined) accent += character
    for (const each of expanded ?? hiragana(character)) key += letters?.get(each)?.[0] ?? weight(each)
  }
  return [key, accent]
}

/** Blanks and signs come first, then digits, then letters. */
function weight(character: string): string {
  if (/\p{L}/u.test(character)) return `3${character}`
  return /\p{N}/u.test(character) ? `2${digitOf(character)}` : `1${character}`
}

/** Decimal digits of all scripts are alike. */
function digitOf(character: string): string {
  if (!/\p{Nd}/u.test(character)) return character
  const point = character.codePointAt(0) ?? 0
  let zero = point
  while (point - zero < 9 && /\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero--
  return String((point - zero) % 10)
}

/** Katakana sorts among hiragana. */
function hiragana(character: string): string {
  const code = character.charCodeAt(0)
  return code >= 0x30a1 && code <= 0x30f6 ? String.fromCharCode(code - 0x60) : character
}

function alphabetOf(locale: Locale): Alphabet {
  let alphabet = alphabets.get(locale)
  if (alphabet === undefined) {
    const { alphabet: own } = locale
    const letters = own === undefined ? readTailoring(tailorings[locale.tag.replace(/-.*/, '')]) : rank(own)
    alphabet = { letters, longest: Math.max(1, ...[...letters.keys()].map((letter) => letter.length)) }
    alphabets.set(locale, alphabet)
  }
  return alphabet
}

/** A letter's key is that of the one it follows, with its place behind that. */
function readTailoring(text = ''): Map<string, Weight> {
  const letters = new Map<string, Weight>()
  for (const group of text.split('|')) {
    const [base = '', ...own] = group.split(' ')
    const [before] = plainWeight(base)
    for (const [index, same] of own.entries()) {
      // After everything that begins with the letter before it, and before the next letter.
      for (const letter of same.split('/'))
        letters.set(letter, [`${before}\uffff${String.fromCharCode(index + 1)}`, ''])
    }
  }
  return letters
}

/** The letters of an alphabet in its order, all of them where the first one of their script is. */
function rank(alphabet: string): Map<string, Weight> {
  const parts = alphabet.split(' ')
  const first = parts.toSorted()[0]?.charAt(0) ?? ''
  return new Map(
    parts.flatMap((part, index) => {
      const key = `3${first}${String.fromCharCode(index + 1)}`
      return [...part].map((letter, place): [string, Weight] => [letter, [key, place === 0 ? '' : letter]])
    }),
  )
}
