/**
 * Writes `src/core/locale/table.generated.ts` from the Unicode CLDR's JSON packages: `bun scripts/build-locale.ts`.
 * The file is committed, and `test/scripts/build-locale.test.ts` holds it equal to what this makes.
 */
import { isDeepStrictEqual } from 'node:util'
import type { LocaleEntry } from '../src/core/locale/entry.ts'

const knownLanguages = words('en de fr es it nl pt pl cs sv da ja')

/** Every locale that Quire knows, as CLDR names it: the languages, then each of their regions that CLDR has. */
async function knownLocales(): Promise<string[]> {
  const available = await coreTexts('availableLocales', 'availableLocales', 'full')
  const defaults = await coreTexts('defaultContent', 'defaultContent')
  const isRegion = (tag: string) =>
    /^[a-z]{2}-(?:[A-Z]{2}|\d{3})$/.test(tag) && knownLanguages.includes(languageOf(tag))
  return [...knownLanguages, ...new Set([...available, ...defaults].filter(isRegion).sort())]
}

/** CLDR has no files for the region that a language is taken to be of, such as de-DE: there it is the language's own. */
async function fileTag(tag: string): Promise<string> {
  return (await coreTexts('defaultContent', 'defaultContent')).includes(tag) ? languageOf(tag) : tag
}

/**
 * Where Quire writes something else than CLDR 48; what a language keeps, its regions keep too. Documents made before have
 * these forms, and none of them is wrong: most are CLDR's own of an earlier version. Dropping one changes documents' bytes.
 */
// biome-ignore format: a table reads better in rows
const kept: Readonly<Record<string, Partial<LocaleEntry>>> = {
  de: { daysShort: words('Mo Di Mi Do Fr Sa So') },
  es: { dayHalves: ['a.\u00a0m.', 'p.\u00a0m.'] },
  it: { groupFrom: 1 },
  'de-AT': { monthsShort: words('Jän. Feb. März Apr. Mai Juni Juli Aug. Sept. Okt. Nov. Dez.') },
  'de-CH': { group: '’' },
  'de-LI': { group: '’', currency: '¤\u00a0#,##0.00;¤-#,##0.00' },
  'en-IE': { monthsShort: words('Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec') },
  'en-ZA': { monthsShort: words('Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec') },
  'es-MX': { monthsShort: words('ene feb mar abr may jun jul ago sept oct nov dic') },
  'fr-CH': { group: '\u202f' },
  'it-CH': { group: '’' },
  'pt-PT': { daysShort: words('seg. ter. qua. qui. sex. sáb. dom.') },
}

const week = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun']
const year = Array.from({ length: 12 }, (_, index) => String(index + 1))

const output = new URL('../src/core/locale/table.generated.ts', import.meta.url).pathname

/** The text of the table's file. @throws where CLDR has not what an entry needs */
export async function localeTable(): Promise<string> {
  const entries = new Map<string, LocaleEntry>()
  const languages: [string, LocaleEntry][] = []
  const regions: [string, Partial<LocaleEntry>][] = []
  for (const tag of await knownLocales()) {
    const language = languageOf(tag)
    const entry: LocaleEntry = { ...(await cldrEntry(await fileTag(tag))), ...kept[language], ...kept[tag] }
    const base = entries.get(language)
    entries.set(tag, entry)
    if (language === tag) languages.push([tag, entry])
    else if (base !== undefined) regions.push([tag, difference(tag, entry, base)])
    else throw new Error(`${tag} comes before its language`)
  }
  const { default: core } = await import('cldr-core/package.json')
  return [
    `// Made by scripts/build-locale.ts from the Unicode CLDR ${core.version}, with Quire's own forms where they differ.`,
    '// Copyright © 2004-2026 Unicode, Inc. Its data files may be used under the Unicode License V3.',
    "import type { LocaleEntry } from './entry.ts'",
    '',
    `export const cldrVersion = '${core.version}'`,
    '',
    `export const languages: ReadonlyMap<string, LocaleEntry> = new Map(${literal(languages)})`,
    '',
    `export const regions: ReadonlyMap<string, Partial<LocaleEntry>> = new Map(${literal(regions)})`,
    '',
  ].join('\n')
}

function languageOf(tag: string): string {
  return tag.replace(/-.*/, '')
}

function words(text: string): string[] {
  return text.split(' ')
}

/** One row an entry, with spaces that can't be seen written as escapes. */
function literal(entries: readonly [string, Partial<LocaleEntry>][]): string {
  const rows = entries.map(([tag, entry]) => `  ['${tag}', ${JSON.stringify(entry)}],\n`)
  const escaped = rows.join('').replace(/[\u00a0\u200e\u200f\u202f]/g, (space) => {
    return `\\u${space.charCodeAt(0).toString(16).padStart(4, '0')}`
  })
  return `[\n${escaped}]`
}

async function cldrEntry(tag: string): Promise<LocaleEntry> {
  const numbers = at(await cldrFile('numbers', tag, 'numbers'), 'numbers')
  const calendar = at(await cldrFile('dates', tag, 'ca-gregorian'), 'dates', 'calendars', 'gregorian')
  const symbols = at(numbers, 'symbols-numberSystem-latn')
  const months = list(calendar, ['months', 'format', 'wide'], year)
  const monthsAlone = list(calendar, ['months', 'stand-alone', 'wide'], year)
  const [morning, afternoon] = ['am', 'pm'].map((half) => text(calendar, 'dayPeriods', 'format', 'abbreviated', half))
  if (morning === undefined || afternoon === undefined) throw new Error(`${tag} has no halves of the day`)
  return {
    decimal: text(symbols, 'decimal'),
    group: text(symbols, 'group'),
    groupFrom: Number(text(numbers, 'minimumGroupingDigits')),
    ...groupNext(text(numbers, 'decimalFormats-numberSystem-latn', 'standard')),
    minus: text(symbols, 'minusSign'),
    currency: text(numbers, 'currencyFormats-numberSystem-latn', 'standard'),
    months,
    ...(isDeepStrictEqual(monthsAlone, months) ? {} : { monthsAlone }),
    monthsShort: list(calendar, ['months', 'format', 'abbreviated'], year),
    days: list(calendar, ['days', 'format', 'wide'], week),
    daysShort: list(calendar, ['days', 'format', 'abbreviated'], week),
    dayHalves: [morning, afternoon],
  }
}

/** `#,##,##0.###` (India) has a second size of groups. */
function groupNext(pattern: string): Pick<LocaleEntry, 'groupNext'> {
  const [, further, last] = /,(#+),(#*0+)/.exec(pattern) ?? []
  return further === undefined || further.length === last?.length ? {} : { groupNext: further.length }
}

/** The members of `entry` that `base` has not the same. */
function difference(tag: string, entry: LocaleEntry, base: LocaleEntry): Partial<LocaleEntry> {
  const known = new Map<string, unknown>(Object.entries(base))
  if ([...known.keys()].some((name) => !(name in entry))) throw new Error(`${tag} lacks what its language has`)
  return Object.fromEntries(Object.entries(entry).filter(([name, value]) => !isDeepStrictEqual(value, known.get(name))))
}

async function coreTexts(file: string, ...path: string[]): Promise<string[]> {
  const found = at(await Bun.file(Bun.resolveSync(`cldr-core/${file}.json`, import.meta.dir)).json(), ...path)
  if (!Array.isArray(found)) throw new Error(`${path.join('/')} is no list`)
  return found.map(String)
}

async function cldrFile(subject: 'numbers' | 'dates', tag: string, file: string): Promise<unknown> {
  const path = Bun.resolveSync(`cldr-${subject}-full/main/${tag}/${file}.json`, import.meta.dir)
  return at(await Bun.file(path).json(), 'main', tag)
}

function at(value: unknown, ...path: string[]): unknown {
  let found = value
  for (const name of path) {
    if (typeof found !== 'object' || found === null || !(name in found))
      throw new Error(`there is no ${path.join('/')}`)
    found = new Map<string, unknown>(Object.entries(found)).get(name)
  }
  return found
}

function text(value: unknown, ...path: string[]): string {
  const found = at(value, ...path)
  if (typeof found !== 'string') throw new Error(`${path.join('/')} is no text`)
  return found
}

function list(value: unknown, path: string[], names: readonly string[]): string[] {
  return names.map((name) => text(value, ...path, name))
}

if (import.meta.main) {
  await Bun.write(output, await localeTable())
  console.log(output)
}
