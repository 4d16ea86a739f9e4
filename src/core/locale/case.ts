/** Upper, lower and title case, with what languages do otherwise than Unicode's default. */
import type { Locale } from './locale.ts'

export type LetterCase = 'upper' | 'lower' | 'title'

const dotted: ReadonlySet<string> = new Set(['tr', 'az'])

/** The text in another case. Without a locale, as most languages have it. */
export function inCase(text: string, to: LetterCase, locale?: Locale): string {
  const language = locale?.tag.replace(/-.*/, '') ?? ''
  if (to === 'upper') return upper(text, language)
  const small = lower(text, language)
  return to === 'lower' ? small : title(small, language)
}

function upper(text: string, language: string): string {
  if (dotted.has(language)) return text.replaceAll('i', 'İ').toUpperCase()
  // Greek capitals have no accents, except the dots that part vowels.
  if (language === 'el') return text.normalize('NFD').replaceAll('\u0301', '').normalize('NFC').toUpperCase()
  return text.toUpperCase()
}

function lower(text: string, language: string): string {
  if (!dotted.has(language)) return text.toLowerCase()
  return text.replaceAll('İ', 'i').replaceAll('I', 'ı').toLowerCase()
}

/** Words start after anything that isn't a letter, digit or apostrophe. */
function title(text: string, language: string): string {
  const first = language === 'nl' ? /(^|[^\p{L}\p{N}'’])(ij|\p{L})/gu : /(^|[^\p{L}\p{N}'’])(\p{L})/gu
  return text.replaceAll(first, (_, before: string, letters: string) => before + upper(letters, language))
}
