/**
 * Writes `src/core/locale/table.generated.ts` from the Unicode CLDR's JSON packages: `bun scripts/build-locale.ts`. The file is
 * committed, and `test/scripts/build-locale.test.ts` compares it with this output.
 */
import { isDeepStrictEqual } from 'node:util'
import type { LocaleEntry } from '../src/core/locale/entry.ts'

/** The languages that were supported first come first. */
const firstLanguages = words('en de fr es it nl pt pl cs sv da ja')

/** Every locale that Quire knows, by its name in CLDR: languages with coverage "modern", then all of CLDR's locales of each. */
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

/** CLDR has no files for a language's default region or script, such as de-DE; there the parent's apply. */
async function fileTag(tag: string): Promise<string> {
  const defaults = await coreTexts('defaultContent', 'defaultContent')
  let found = tag
  while (defaults.includes(found)) found = found.replace(/-[^-]*$/, '')
  return found
}

/** A CLDR tag's key in the table: without the script that is likely for its language and region. */
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
 * Words for "and" and "or" that depend on the next word, which CLDR's patterns can't express; ICU has the same rules in its code.
 * Spanish avoids two equal vowels (hi- counts, but not hia- and hie-; 8 and 11 are spoken with o), and Hebrew separates its
 * prefix from other scripts.
 */
const followed: Readonly<Record<string, LocaleEntry['followed']>> = {
  es: { and: ['^(?:i|hi(?![ae]))', ' e '], or: ['^(?:o|ho|8|11(?: |$))', ' u '] },
  he: { and: ['^\\P{Script=Hebrew}', ' ו-'] },
}

const week = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun']
const year = Array.from({ length: 12 }, (_, index) => String(index + 1))

const output = new URL('../src/core/locale/table.generated.ts', import.meta.url).pathname

/** The text of the table's file. @throws if CLDR lacks what an entry needs */
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
    }
    const base = entries.get(language)
    const signs = await signsOf(await fileTag(tag))
    const others = changed(signs, await signsOf(language === tag ? 'en' : language))
    if (Object.keys(others).length > 0) entry.signs = others
    if (language === tag) languages.push([tag, entry])
    else if (base === undefined) throw new Error(`${tag} comes before its language`)
    else if (key !== language) regions.set(key, difference(entry, base))
    if (!entries.has(key)) entries.set(key, entry)
  }
  const { default: core } = await import('cldr-core/package.json')
  return [
    `// Made by scripts/build-locale.ts from the Unicode CLDR ${core.version}.`,
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
    '/** English sign and decimal places of currencies in use. */',
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

/** One row per entry, with invisible characters as escapes. */
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

/** Currencies that are legal tender somewhere today, and one that was when documents first had it. */
async function currenciesInUse(): Promise<string[]> {
  const { region } = record(at(await coreFile('supplemental/currencyData'), 'supplemental', 'currencyData'))
  const inUse = new Set(['BGN'])
  for (const periods of Object.values(record(region))) {
    for (const period of Array.isArray(periods) ? periods : []) {
      for (const [code, dates] of Object.entries(record(period))) {
        const { _to, _tender } = record(dates)
        if (_to === undefined && _tender !== 'false') inUse.add(code)
      }
    }
  }
  return [...inUse].sort()
}

/**
 * CLDR's decimal places are those of daily use, which are none for these currencies. ISO 4217 has two (three for Iraq), so that
 * an amount in a document loses nothing.
 */
const placesOfIso = new Map(
  words('AFN ALL COP HUF IDR IRR KPW LAK LBP MGA MMK PKR SOS SYP YER').map((code) => [code, 2]),
).set('IQD', 3)

async function currencyRows(): Promise<string> {
  const { fractions } = record(at(await coreFile('supplemental/currencyData'), 'supplemental', 'currencyData'))
  const rows = Object.entries(await signsOf('en')).map(([code, sign]) => {
    const digits = placesOfIso.get(code) ?? record(record(fractions)[code] ?? record(fractions).DEFAULT)._digits
    return `  ['${code}', [${quoted(sign)}, ${Number(digits)}]],\n`
  })
  return `[\n${rows.join('')}]`
}

async function currenciesOf(tag: string): Promise<[code: string, Record<string, unknown>][]> {
  const known = record(at(await cldrFile('numbers', tag, 'currencies'), 'numbers', 'currencies'))
  return (await currenciesInUse()).map((code) => [code, record(known[code])])
}

/** The symbol of each currency, or its code if the locale has none. */
async function signsOf(tag: string): Promise<Record<string, string>> {
  const known = await currenciesOf(tag)
  return Object.fromEntries(known.map(([code, { symbol }]) => [code, typeof symbol === 'string' ? symbol : code]))
}

/** How amounts of money differ from other numbers, and single currencies from the others. */
async function moneyOf(tag: string, symbols: unknown): Promise<Partial<LocaleEntry>> {
  const { currencyDecimal, currencyGroup } = record(symbols)
  const known = await currenciesOf(tag)
  const single = (member: string): Record<string, string> | undefined => {
    const own = known.flatMap(([code, { [member]: found }]) => (typeof found === 'string' ? [[code, found]] : []))
    return own.length === 0 ? undefined : Object.fromEntries(own)
  }
  return {
    ...(typeof currencyDecimal === 'string' ? { currencyDecimal } : {}),
    ...(typeof currencyGroup === 'string' ? { currencyGroup } : {}),
    ...defined({ currencyPatterns: single('pattern'), currencyDecimals: single('decimal') }),
  }
}

/** The members that aren't undefined. */
function defined<K extends string, T>(members: Readonly<Record<K, T | undefined>>): Partial<Record<K, T>> {
  const found: Partial<Record<K, T>> = { ...members }
  for (const name in members) if (members[name] === undefined) delete found[name]
  return found
}

/** Names of months and days, next to a day of the month and, where they differ, without one. */
function namesOf(calendar: unknown) {
  const names = (of: 'months' | 'days', width: 'wide' | 'abbreviated') => {
    const members = of === 'months' ? year : week
    const beside = list(calendar, [of, 'format', width], members)
    const alone = list(calendar, [of, 'stand-alone', width], members)
    return { beside, alone: isDeepStrictEqual(alone, beside) ? undefined : alone }
  }
  const [months, monthsShort] = [names('months', 'wide'), names('months', 'abbreviated')]
  const [days, daysShort] = [names('days', 'wide'), names('days', 'abbreviated')]
  const formats = at(calendar, 'dateTimeFormats', 'availableFormats')
  const isBeside = (skeleton: string) => /M/.test(text(formats, skeleton).replace(/'[^']*'/g, ''))
  const wide = months.alone !== undefined && isBeside('yMMMM')
  const short = monthsShort.alone !== undefined && isBeside('yMMM')
  return {
    months: months.beside,
    ...defined({ monthsAlone: months.alone }),
    monthsShort: monthsShort.beside,
    ...defined({ monthsShortAlone: monthsShort.alone }),
    ...(wide || short ? ({ besideYear: wide && short ? 'both' : wide ? 'months' : 'monthsShort' } as const) : {}),
    days: days.beside,
    ...defined({ daysAlone: days.alone }),
    daysShort: daysShort.beside,
    ...defined({ daysShortAlone: daysShort.alone }),
  }
}

/** @param rulesTag the locale whose plural rules apply; they may differ between locales that share a file */
async function cldrEntry(tag: string, rulesTag: string): Promise<Omit<LocaleEntry, 'script'>> {
  const numbers = at(await cldrFile('numbers', tag, 'numbers'), 'numbers')
  const calendar = at(await cldrFile('dates', tag, 'ca-gregorian'), 'dates', 'calendars', 'gregorian')
  const system = text(numbers, 'defaultNumberingSystem')
  const symbols = at(numbers, `symbols-numberSystem-${system}`)
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
    ...(await moneyOf(tag, symbols)),
    ...namesOf(calendar),
    dayHalves: [morning, afternoon],
    and: list(lists, ['listPattern-type-standard'], listParts),
    or: list(lists, ['listPattern-type-or'], listParts),
    ...defined({ followed: followed[languageOf(tag)] }),
    plurals: await pluralRules('cardinal', rulesTag),
    ordinals: await pluralRules('ordinal', rulesTag),
  }
}

/** Scripts without letters that a dictionary orders one by one, or whose order is that of their code points. */
const withoutAlphabet = words('Latn Jpan Kore Hans Hant')

/** The letters of a language in its order, as CLDR lists them; letters that differ only in accents are grouped. */
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

/** The rule of each form except `other`, without its samples; a locale without rules in CLDR has its language's. */
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

/** The second size of groups, as in `#,##,##0.###` (India). */
function groupNext(pattern: string): Pick<LocaleEntry, 'groupNext'> {
  const [, further, last] = /,(#+),(#*0+)/.exec(pattern) ?? []
  return further === undefined || further.length === last?.length ? {} : { groupNext: further.length }
}

/**
 * The members of `entry` that differ from `base`; null for those that only `base` has. Signs are given as a difference already.
 */
function difference({ signs, ...entry }: LocaleEntry, { signs: _, ...base }: LocaleEntry): Partial<LocaleEntry> {
  const lacking = Object.keys(base).filter((name) => !(name in entry))
  return {
    ...Object.fromEntries(lacking.map((name) => [name, null])),
    ...changed({ ...entry }, base),
    ...defined({ signs }),
  }
}

function changed<T>(members: { readonly [name: string]: T }, base: object): Record<string, T> {
  const known = new Map<string, unknown>(Object.entries(base))
  return Object.fromEntries(
    Object.entries(members).filter(([name, value]) => !isDeepStrictEqual(value, known.get(name))),
  )
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
