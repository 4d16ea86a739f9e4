/**
 * The product's own locale data: separators, names of months and days, currency patterns. It never comes from the
 * runtime's `Intl`, whose tables change with every release of ICU and would change documents with them.
 */
import { localeTable } from './table.ts'

/** Raised whenever an entry of the table changes, because a document may then come out differently. */
export const localeDataVersion = 1

export interface Locale {
  /** The tag of the entry that was found: `de` for `de-LU`. */
  tag: string
  decimal: string
  group: string
  /** Digits that must stand before the first separator: 2 leaves 1234 ungrouped (Spanish, Polish). */
  groupFrom: number
  minus: string
  /** Where `¤` stands for the currency's sign. */
  currency: string
  /** Twelve each; `months` as they stand beside a day, `monthsAlone` where they differ without one. */
  months: readonly string[]
  monthsAlone?: readonly string[]
  monthsShort: readonly string[]
  /** Seven each, Monday first. */
  days: readonly string[]
  daysShort: readonly string[]
  /** Before and after noon. */
  dayHalves: readonly [string, string]
}

/** What an entry of the table says; a regional entry only says what differs from its language. */
export type LocaleEntry = Omit<Locale, 'tag'>

const found = new Map<string, Locale | undefined>()

/**
 * The locale for a BCP 47 tag such as `de`, `de-CH` or `de_ch`: the region's entry, else the language's, else
 * undefined. The answer for a tag is always the same object.
 */
export function findLocale(tag: string): Locale | undefined {
  if (found.has(tag)) return found.get(tag)
  const parts = /^([A-Za-z]{2,3})(?:[-_][A-Za-z]{4})?(?:[-_]([A-Za-z]{2}|\d{3}))?$/.exec(tag)
  const language = parts?.[1]?.toLowerCase()
  const base = language === undefined ? undefined : localeTable.languages.get(language)
  if (language === undefined || base === undefined) return undefined
  const regional = parts?.[2] === undefined ? undefined : `${language}-${parts[2].toUpperCase()}`
  const difference = regional === undefined ? undefined : localeTable.regions.get(regional)
  const locale: Locale = { tag: difference === undefined ? language : regional!, ...base, ...difference }
  // Tags come from documents; only as many as one can sensibly use are remembered.
  if (found.size < 256) found.set(tag, locale)
  return locale
}

/** Tags of all entries, languages first. */
export function localeTags(): string[] {
  return [...localeTable.languages.keys(), ...localeTable.regions.keys()]
}
