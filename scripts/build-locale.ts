/**
 * Writes `src/core/locale/table.generated.ts` from the Unicode CLDR's JSON packages: `bun scripts/build-locale.ts`.
 * The file is committed, and `test/scripts/build-locale.test.ts` holds it equal to what this makes.
 */
import { isDeepStrictEqual } from 'node:util'
import type { LocaleEntry } from '../src/core/locale/entry.ts'

/** The languages that were there first come first. */
const firstLanguages = words('en de fr es it nl pt pl cs sv da ja')

/** Every locale that Quire knows, as CLDR names it: languages whose data it calls modern, then what CLDR has of each. */
async function knownLocales(): Promise<string[]> {
  const available = await coreTexts('availableLocales', 'availableLocales', 'full')
  const tags = new Set([...available, ...(await coreTexts('defaultContent', 'defaultContent'))].sort())
  const levels = record(at(await coreFile('coverageLevels'), 'effectiveCoverageLevels'))
  const isModern = (tag: string) => levels[tag] === 'modern' && available.includes(tag)
  const languages = Object.keys(levels).filter((tag) => /^[a-z]{2,3}$/.test(tag) && tag !== 'und')
  const known = [...new Set([...firstLanguages, ...languages.filter(isModern).sort()])]
  const isPart = (tag: string) => {
    const [, language = '', script] = /^([a-z]{2,3})(?:-([A-Z][a-z]{3}))?(?:-(?:[A-Z]{2}|\d{3}))?$/.exec(tag) ?? []
    return known.includes(language) && (script === undefined || levels[`${language}-${script}`] === 'modern')
  }
  return [...known, ...[...tags].filter((tag) => tag.includes('-') && isPart(tag))]
}

/** CLDR has no files for the region or script that a locale is taken to be of, such as de-DE: there it is the parent's. */
async function fileTag(tag: string): Promise<string> {
  const defaults = await coreTexts('defaultContent', 'defaultContent')
  let found = tag
  while (defaults.includes(found)) found = found.replace(/-[^-]*$/, '')
  return found
}

/** How the table names a CLDR tag: without the script that its language and region are likely to be written in. */
async function keyOf(tag: string): Promise<{ key: string; script: string }> {
  const [, language = '', written, region] = /^([a-z]+)(?:-([A-Z][a-z]{3}))?(?:-(.+))?$/.exec(tag) ?? []
  const likely = new Map(Object.entries(record(at(await coreFile('supplemental/likelySubtags'), ...likelyPath))))
  const script = (name: string) => /-([A-Z][a-z]{3})-/.exec(String(likely.get(name) ?? ''))?.[1]
  const place = region === undefined ? language : `${language}-${region}`
  const usual = script(place) ?? script(language) ?? 'Latn'
  if (written !== undefined && written !== usual) return { key: tag, script: written }
  return { key: place, script: usual }
}

const likelyPath = ['supplemental', 'likelySubtags']

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
  const regions = new Map<string, Partial<LocaleEntry>>()
  for (const tag of await knownLocales()) {
    const language = languageOf(tag)
    const { key, script } = await keyOf(tag)
    const found = await cldrEntry(await fileTag(tag), tag)
    const entry: LocaleEntry = {
      ...found,
      ...(await alphabetOf(await fileTag(tag), script)),
      script,
      ...kept[language],
      ...kept[tag],
    }
    const base = entries.get(language)
    if (language === tag) languages.push([tag, entry])
    else if (base === undefined) throw new Error(`${tag} comes before its language`)
    else if (key !== language) regions.set(key, difference(entry, base))
    if (!entries.has(key)) entries.set(key, entry)
  }
  const { default: core } = await import('cldr-core/package.json')
  return [
    `// Made by scripts/build-locale.ts from the Unicode CLDR ${core.version}, with Quire's own forms where they differ.`,
    '// Copyright © 2004-2026 Unicode, Inc. Its data files may be used under the Unicode License V3.',
    '',
    `export const cldrVersion = '${core.version}'`,
    '',
    '/** Entries as JSON, which is read when a locale is first named. */',
    `export const languages: ReadonlyMap<string, string> = new Map(${literal(languages)})`,
    '',
    '/** What differs from the language. */',
    `export const regions: ReadonlyMap<string, string> = new Map(${literal([...regions])})`,
    '',
    '/** Sign and decimal places of currencies in use. */',
    `export const currencies: ReadonlyMap<string, readonly [sign: string, digits: number]> = new Map(${await currencyRows()})`,
    '',
  ].join('\n')
}

function languageOf(tag: string): string {
  return tag.replace(/-.*/, '')
}

function words(text: string): string[] {
  return text.split(' ')
}

/** One row an entry, with characters that can't be seen written as escapes. */
function literal(entries: readonly [string, Partial<LocaleEntry>][]): string {
  const rows = entries.map(([tag, entry]) => `  ['${tag}', ${quoted(JSON.stringify(entry))}],\n`)
  return `[\n${rows.join('')}]`
}

function quoted(value: string): string {
  const escaped = value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")
  return `'${escaped.replace(/[\u00a0\u00ad\u061c\u200b-\u200f\u2028-\u202f\u2060-\u2069\ufeff]/g, (unseen) => {
    return `\\u${unseen.charCodeAt(0).toString(16).padStart(4, '0')}`
  })}'`
}

/** Currencies that are money somewhere today, with their sign in English. */
async function currencyRows(): Promise<string> {
  const { fractions, region } = record(at(await coreFile('supplemental/currencyData'), 'supplemental', 'currencyData'))
  const names = at(await cldrFile('numbers', 'en', 'currencies'), 'numbers', 'currencies')
  const inUse = new Set<string>()
  for (const periods of Object.values(record(region))) {
    for (const period of Array.isArray(periods) ? periods : []) {
      for (const [code, dates] of Object.entries(record(period))) {
        const { _to, _tender } = record(dates)
        if (_to === undefined && _tender !== 'false') inUse.add(code)
      }
    }
  }
  const rows = [...inUse].sort().map((code) => {
    const sign = record(record(names)[code] ?? {}).symbol ?? code
    const digits = record(record(fractions)[code] ?? record(fractions).DEFAULT)._digits
    return `  ['${code}', [${quoted(String(sign))}, ${Number(digits)}]],\n`
  })
  return `[\n${rows.join('')}]`
}

/** @param rulesTag the locale whose plural rules hold: rules may differ where files are shared */
async function cldrEntry(tag: string, rulesTag: string): Promise<Omit<LocaleEntry, 'script'>> {
  const numbers = at(await cldrFile('numbers', tag, 'numbers'), 'numbers')
  const calendar = at(await cldrFile('dates', tag, 'ca-gregorian'), 'dates', 'calendars', 'gregorian')
  const system = text(numbers, 'defaultNumberingSystem')
  const symbols = at(numbers, `symbols-numberSystem-${system}`)
  const months = list(calendar, ['months', 'format', 'wide'], year)
  const monthsAlone = list(calendar, ['months', 'stand-alone', 'wide'], year)
  const [morning, afternoon] = ['am', 'pm'].map((half) => text(calendar, 'dayPeriods', 'format', 'abbreviated', half))
  if (morning === undefined || afternoon === undefined) throw new Error(`${tag} has no halves of the day`)
  const [percent, perMille] = [text(symbols, 'percentSign'), text(symbols, 'perMille')]
  const lists = at(await cldrFile('misc', tag, 'listPatterns'), 'listPatterns')
  return {
    decimal: text(symbols, 'decimal'),
    group: text(symbols, 'group'),
    groupFrom: Number(text(numbers, 'minimumGroupingDigits')),
    ...groupNext(text(numbers, `decimalFormats-numberSystem-${system}`, 'standard')),
    minus: text(symbols, 'minusSign'),
    ...(system === 'latn' ? {} : { digits: await digitsOf(system) }),
    ...(percent === '%' ? {} : { percent }),
    ...(perMille === '‰' ? {} : { perMille }),
    currency: text(numbers, `currencyFormats-numberSystem-${system}`, 'standard'),
    months,
    ...(isDeepStrictEqual(monthsAlone, months) ? {} : { monthsAlone }),
    monthsShort: list(calendar, ['months', 'format', 'abbreviated'], year),
    days: list(calendar, ['days', 'format', 'wide'], week),
    daysShort: list(calendar, ['days', 'format', 'abbreviated'], week),
    dayHalves: [morning, afternoon],
    and: list(lists, ['listPattern-type-standard'], listParts),
    or: list(lists, ['listPattern-type-or'], listParts),
    plurals: await pluralRules('cardinal', rulesTag),
    ordinals: await pluralRules('ordinal', rulesTag),
  }
}

/** Scripts without letters that a dictionary orders one by one, or that need no more order than their code points. */
const withoutAlphabet = words('Latn Jpan Kore Hans Hant')

/** CLDR lists the letters that a language uses in its order; those that differ only in accents are grouped. */
async function alphabetOf(tag: string, script: string): Promise<Pick<LocaleEntry, 'alphabet'>> {
  if (withoutAlphabet.includes(script)) return {}
  const listed = text(await cldrFile('misc', tag, 'characters'), 'characters', 'exemplarCharacters')
  const plain = listed
    .slice(1, -1)
    .replace(/\{[^}]*\}/g, ' ')
    .replace(/\\u([0-9A-F]{4})/gi, (_, code) => String.fromCodePoint(Number.parseInt(code, 16)))
  const parts = plain.split(' ').flatMap((part) => {
    const [, from, to] = /^(.)-(.)$/u.exec(part) ?? []
    if (from === undefined || to === undefined) return [part.replace(/\p{Script=Inherited}/gu, '')]
    const [first, last] = [from.codePointAt(0) ?? 0, to.codePointAt(0) ?? 0]
    return Array.from({ length: last - first + 1 }, (_, index) => String.fromCodePoint(first + index))
  })
  return { alphabet: parts.filter((part) => part !== '').join(' ') }
}

const listParts = ['2', 'start', 'middle', 'end']

async function digitsOf(system: string): Promise<string> {
  return text(await coreFile('supplemental/numberingSystems'), 'supplemental', 'numberingSystems', system, '_digits')
}

/** The rule of each form but `other`, without its samples; where CLDR has none for a locale, its language's hold. */
async function pluralRules(kind: 'cardinal' | 'ordinal', tag: string): Promise<Record<string, string>> {
  const file = kind === 'cardinal' ? 'plurals' : 'ordinals'
  const known = record(at(await coreFile(`supplemental/${file}`), 'supplemental', `plurals-type-${kind}`))
  const rules = record(known[tag] ?? known[languageOf(tag)] ?? {})
  const forms = Object.entries(rules).map(([name, rule]) => {
    return [
      name.replace('pluralRule-count-', ''),
      String(rule)
        .replace(/\s*@.*/, '')
        .trim(),
    ] as const
  })
  return Object.fromEntries(forms.filter(([name]) => name !== 'other'))
}

/** `#,##,##0.###` (India) has a second size of groups. */
function groupNext(pattern: string): Pick<LocaleEntry, 'groupNext'> {
  const [, further, last] = /,(#+),(#*0+)/.exec(pattern) ?? []
  return further === undefined || further.length === last?.length ? {} : { groupNext: further.length }
}

/** The members of `entry` that `base` has not the same; null where only `base` has one. */
function difference(entry: LocaleEntry, base: LocaleEntry): Partial<LocaleEntry> {
  const known = new Map<string, unknown>(Object.entries(base))
  const lacking = [...known.keys()].filter((name) => !(name in entry)).map((name) => [name, null])
  const changed = Object.entries(entry).filter(([name, value]) => !isDeepStrictEqual(value, known.get(name)))
  return Object.fromEntries([...lacking, ...changed])
}

const coreFiles = new Map<string, unknown>()

async function coreFile(file: string): Promise<unknown> {
  const known = coreFiles.get(file)
  if (known !== undefined) return known
  const read: unknown = await Bun.file(Bun.resolveSync(`cldr-core/${file}.json`, import.meta.dir)).json()
  coreFiles.set(file, read)
  return read
}

async function coreTexts(file: string, ...path: string[]): Promise<string[]> {
  const found = at(await coreFile(file), ...path)
  if (!Array.isArray(found)) throw new Error(`${path.join('/')} is no list`)
  return found.map(String)
}

async function cldrFile(subject: 'numbers' | 'dates' | 'misc', tag: string, file: string): Promise<unknown> {
  const path = Bun.resolveSync(`cldr-${subject}-full/main/${tag}/${file}.json`, import.meta.dir)
  return at(await Bun.file(path).json(), 'main', tag)
}

function record(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? { ...value } : {}
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
