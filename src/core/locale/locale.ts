/**
 * The product's own locale data: separators, names of months and days, currency patterns. It never comes from the
 * runtime's `Intl`: its tables change with every release of ICU, and so would documents.
 */
import { nearest } from '../nearest.ts'
import { newestReading, type Reading } from '../reading.ts'
import { earlierForms } from './earlier.ts'
import type { LocaleEntry } from './entry.ts'
import { languages, regions } from './table.generated.ts'

export interface Locale extends LocaleEntry {
  /** The tag of the entry that was found. */
  tag: string
}

/** The regions that the first rules knew. They took every other one for its language. */
const firstRegions: ReadonlySet<string> = new Set(
  'de-CH de-LI de-AT en-GB en-IE en-ZA fr-CH fr-CA it-CH es-MX es-US es-AR nl-BE pt-PT'.split(' '),
)

/** The languages that they knew. */
const firstLanguages: ReadonlySet<string> = new Set('en de fr es it nl pt pl cs sv da ja'.split(' '))

const foundFirst = new Map<string, Locale>()
const foundEarlier = new Map<string, Locale>()
const found = new Map<string, Locale>()

/**
 * The locale for a BCP 47 tag such as `de`, `de-CH` or `de_ch`; undefined if the table lacks the language or region.
 * The same tag always gives the same object.
 * @param reading the rules of the version that names it: by the first ones an unknown region counts as its language;
 * before the sixth, some forms differ from CLDR's
 */
export function findLocale(tag: string, reading: Reading = newestReading): Locale | undefined {
  const known = reading === 1 ? foundFirst : reading < 6 ? foundEarlier : found
  const before = known.get(tag)
  if (before !== undefined) return before
  const today = reading === 1 ? readFirst(tag) : read(tag)
  const locale = today === undefined || reading >= 6 ? today : earlierForms(today)
  // Tags come from documents, so only as many are remembered as one can sensibly use.
  if (locale !== undefined && known.size < 512) known.set(tag, locale)
  return locale
}

const tagPattern = /^([A-Za-z]{2,3})(?:[-_]([A-Za-z]{4}))?(?:[-_]([A-Za-z]{2}|\d{3}))?$/

function read(tag: string): Locale | undefined {
  const [, written = '', scriptWritten, region] = tagPattern.exec(tag) ?? []
  const language = written.toLowerCase()
  const base = baseOf(language)
  if (base === undefined) return undefined
  const place = region === undefined ? language : `${language}-${region.toUpperCase()}`
  if (scriptWritten === undefined) return entryOf(place, base)
  const script = scriptWritten.charAt(0).toUpperCase() + scriptWritten.slice(1).toLowerCase()
  const scripted = place.replace(language, `${language}-${script}`)
  if (regions.has(scripted)) return entryOf(scripted, base)
  const found = entryOf(place, base)
  return found?.script === script ? found : undefined
}

function baseOf(language: string): LocaleEntry | undefined {
  const text = languages.get(language)
  return text === undefined ? undefined : JSON.parse(text)
}

function entryOf(tag: string, base: LocaleEntry): Locale | undefined {
  if (languages.has(tag)) return { tag, ...base }
  const text = regions.get(tag)
  if (text === undefined) return undefined
  const difference: { [K in keyof LocaleEntry]?: LocaleEntry[K] | null } = JSON.parse(text)
  const entry: Locale = { tag, ...base }
  // Null: the region lacks what its language has.
  for (const [name, value] of Object.entries(difference)) Object.assign(entry, { [name]: value ?? undefined })
  if (base.signs !== undefined) entry.signs = { ...base.signs, ...difference.signs }
  return entry
}

function readFirst(tag: string): Locale | undefined {
  const [, written, region] = /^([A-Za-z]{2,3})(?:[-_][A-Za-z]{4})?(?:[-_]([A-Za-z]{2}|\d{3}))?$/.exec(tag) ?? []
  if (written === undefined) return undefined
  const language = written.toLowerCase()
  const base = firstLanguages.has(language) ? baseOf(language) : undefined
  if (base === undefined) return read(tag)
  const regional = `${language}-${region?.toUpperCase()}`
  return entryOf(firstRegions.has(regional) ? regional : language, base)
}

/** Languages as people call them, in English and in their own words. */
const languageNames: ReadonlyMap<string, string> = new Map(
  [
    ['de', 'german', 'deutsch', 'ger', 'deu'],
    ['en', 'english', 'englisch', 'eng'],
    ['fr', 'french', 'français', 'francais', 'fra', 'fre'],
    ['es', 'spanish', 'español', 'espanol', 'spa'],
    ['it', 'italian', 'italiano', 'ita'],
    ['nl', 'dutch', 'nederlands', 'nld'],
    ['pl', 'polish', 'polski', 'pol'],
    ['pt', 'portuguese', 'português', 'portugues', 'por'],
    ['sv', 'swedish', 'svenska', 'se'],
    ['da', 'danish', 'dansk', 'dk'],
    ['cs', 'czech', 'čeština', 'cz'],
    ['uk', 'ukrainian', 'ua'],
    ['ja', 'japanese', 'jp'],
    ['zh', 'chinese', 'cn'],
    ['el', 'greek', 'gr'],
  ].flatMap(([tag = '', ...names]) => names.map((name) => [name, tag] as const)),
)

/** What an unknown tag was probably meant to be: one much like it, else its language. */
export function nearestLocale(tag: string): string | undefined {
  // The United Kingdom's code is GB; UK is nearer to Ukraine's and Uganda's.
  if (/^en[-_]uk$/i.test(tag)) return 'en-GB'
  const named = languageNames.get(tag.toLowerCase())
  if (named !== undefined) return named
  const language = /^[A-Za-z]+/.exec(tag)?.[0].toLowerCase() ?? ''
  if (tag.length > 64 || !languages.has(language)) return nearest(tag, languages.keys())
  const alike = localeTags().filter((known) => known.startsWith(`${language}-`))
  return nearest(tag, alike) ?? language
}

/** The locale of a tag that the program itself names. @throws RangeError if the table lacks it */
export function requireLocale(tag: string, reading: Reading = newestReading): Locale {
  const locale = findLocale(tag, reading)
  if (locale === undefined) throw new RangeError(`the table has no locale ${tag}`)
  return locale
}

/** The locale's digits instead of those of ASCII. */
export function inDigitsOf({ digits }: Locale, text: string): string {
  if (digits === undefined) return text
  const own = [...digits]
  return text.replace(/[0-9]/g, (digit) => own[Number(digit)] ?? digit)
}

/** Tags of all entries, languages first. */
export function localeTags(): string[] {
  return [...languages.keys(), ...regions.keys()]
}
