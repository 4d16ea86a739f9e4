/** Forms of locales that documents had until reading 6. */
import type { LocaleEntry } from './entry.ts'

/**
 * Forms that differed from CLDR's; those of a language also applied to its regions. Frozen versions keep using them, so
 * no row may change.
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

/** What locales lacked: months and days had fewer forms, currencies had one sign everywhere, lists one word. */
const later = {
  signs: undefined,
  currencyDecimal: undefined,
  currencyGroup: undefined,
  currencyPatterns: undefined,
  currencyDecimals: undefined,
  monthsShortAlone: undefined,
  besideYear: undefined,
  daysAlone: undefined,
  daysShortAlone: undefined,
  followed: undefined,
}

/** The entry of a tag as the rules before reading 6 had it. */
export function earlierForms<T extends LocaleEntry & { tag: string }>(entry: T): T {
  return { ...entry, ...later, ...kept[entry.tag.replace(/-.*/, '')], ...kept[entry.tag] }
}

function words(text: string): string[] {
  return text.split(' ')
}
