/**
 * The product's own locale data: separators, names of months and days, currency patterns. It never comes from the
 * runtime's `Intl`, whose tables change with every release of ICU and would change documents with them.
 */
import type { LocaleEntry } from './entry.ts'
import { languages, regions } from './table.generated.ts'

export interface Locale extends LocaleEntry {
  /** The tag of the entry that was found: `de` for `de-LU`. */
  tag: string
}

const found = new Map<string, Locale | undefined>()

/**
 * The locale for a BCP 47 tag such as `de`, `de-CH` or `de_ch`: the region's entry, else the language's, else
 * undefined. The answer for a tag is always the same object.
 */
export function findLocale(tag: string): Locale | undefined {
  if (found.has(tag)) return found.get(tag)
  const [, written, region] = /^([A-Za-z]{2,3})(?:[-_][A-Za-z]{4})?(?:[-_]([A-Za-z]{2}|\d{3}))?$/.exec(tag) ?? []
  if (written === undefined) return undefined
  const language = written.toLowerCase()
  const base = languages.get(language)
  if (base === undefined) return undefined
  const regional = `${language}-${region?.toUpperCase()}`
  const difference = regions.get(regional)
  const locale: Locale = { tag: difference === undefined ? language : regional, ...base, ...difference }
  // Tags come from documents, so only as many are remembered as one can sensibly use.
  if (found.size < 256) found.set(tag, locale)
  return locale
}

/** The locale of a tag that the program itself names. @throws RangeError if the table lacks it */
export function requireLocale(tag: string): Locale {
  const locale = findLocale(tag)
  if (locale === undefined) throw new RangeError(`the table has no locale ${tag}`)
  return locale
}

/** Tags of all entries, languages first. */
export function localeTags(): string[] {
  return [...languages.keys(), ...regions.keys()]
}
