/** Amounts in words, as cheques and contracts want them, for English, German, French and Spanish. */
import type { Decimal } from '../decimal.ts'
import { germanInteger } from './words-de.ts'
import { englishInteger } from './words-en.ts'
import { apocope, spanishInteger } from './words-es.ts'
import { frenchInteger } from './words-fr.ts'

/** Names of a currency's unit and its hundredth, for one and for more. */
type UnitNames = readonly [one: string, many: string, centOne: string, centMany: string]

interface Language {
  integer: (value: bigint) => string
  minus: string
  /** Between the whole amount and its hundredths. */
  and: string
  /** One of a unit (`un euro`, `ein Euro`). */
  one: string
  /** Before a unit, after a round million (`un million d'euros`). */
  joinMillions: (unit: string) => string
  /** A number ending in one, before a noun (`veintiún euros`). */
  beforeNoun: (words: string) => string
  units: Readonly<Record<string, UnitNames>>
}

const english: Language = {
  integer: englishInteger,
  minus: 'minus',
  and: 'and',
  one: 'one',
  joinMillions: (unit) => unit,
  beforeNoun: (words) => words,
  units: {
    EUR: ['euro', 'euros', 'cent', 'cents'],
    USD: ['dollar', 'dollars', 'cent', 'cents'],
    GBP: ['pound', 'pounds', 'penny', 'pence'],
    CHF: ['franc', 'francs', 'centime', 'centimes'],
  },
}

const languages: Readonly<Record<string, Language>> = {
  en: english,
  de: {
    integer: germanInteger,
    minus: 'minus',
    and: 'und',
    one: 'ein',
    joinMillions: (unit) => unit,
    beforeNoun: (words) => (words.endsWith('eins') ? words.slice(0, -1) : words),
    units: {
      EUR: ['Euro', 'Euro', 'Cent', 'Cent'],
      USD: ['Dollar', 'Dollar', 'Cent', 'Cent'],
      GBP: ['Pfund', 'Pfund', 'Penny', 'Pence'],
      CHF: ['Franken', 'Franken', 'Rappen', 'Rappen'],
    },
  },
  fr: {
    integer: frenchInteger,
    minus: 'moins',
    and: 'et',
    one: 'un',
    joinMillions: (unit) => (/^[aeiouh]/.test(unit) ? `d’${unit}` : `de ${unit}`),
    beforeNoun: (words) => words,
    units: {
      EUR: ['euro', 'euros', 'centime', 'centimes'],
      USD: ['dollar', 'dollars', 'cent', 'cents'],
      CHF: ['franc', 'francs', 'centime', 'centimes'],
    },
  },
  es: {
    integer: spanishInteger,
    minus: 'menos',
    and: 'con',
    one: 'un',
    joinMillions: (unit) => `de ${unit}`,
    beforeNoun: apocope,
    units: {
      EUR: ['euro', 'euros', 'céntimo', 'céntimos'],
      USD: ['dólar', 'dólares', 'centavo', 'centavos'],
      CHF: ['franco', 'francos', 'céntimo', 'céntimos'],
    },
  },
}

/** Languages that `amountInWords` writes. */
export const wordLanguages = Object.keys(languages)

/** Currencies with names in these languages; feminine ones only if numbers don't agree with them. */
export const wordCurrencies = Object.keys(english.units)

/** Above this the names of the powers of a thousand run out. */
const largestWhole = 10n ** 18n - 1n

/**
 * An amount in words, rounded half-up to two places. With a currency: `one hundred euros and five cents`; without: `one
 * hundred and 05/100`, the fraction only if it isn't zero. Undefined if the language or currency has no words; an
 * amount with more than 18 digits before the point is written in digits.
 */
export function amountInWords(value: Decimal, languageTag: string, currency?: string): string | undefined {
  const code = languageTag.slice(0, 2).toLowerCase()
  const language = Object.hasOwn(languages, code) ? languages[code] : undefined
  if (language === undefined) return undefined
  const rounded = value.round(2, 'half-up')
  const cents = rounded.absolute().coefficient
  const whole = cents / 100n
  const rest = cents % 100n
  if (whole > largestWhole) return rounded.toString()
  const sign = rounded.isNegative() ? `${language.minus} ` : ''
  if (currency === undefined) {
    const fraction = rest === 0n ? '' : ` ${language.and} ${String(rest).padStart(2, '0')}/100`
    return `${sign}${language.integer(whole)}${fraction}`
  }
  const units = Object.hasOwn(language.units, currency) ? language.units[currency] : undefined
  if (units === undefined) return undefined
  const amount = counted(language, whole, units[0], units[1])
  return rest === 0n
    ? `${sign}${amount}`
    : `${sign}${amount} ${language.and} ${counted(language, rest, units[2], units[3])}`
}

function counted(language: Language, count: bigint, one: string, many: string): string {
  if (count === 1n) return `${language.one} ${one}`
  const words = language.beforeNoun(language.integer(count))
  if (count >= 1_000_000n && count % 1_000_000n === 0n) return `${words} ${language.joinMillions(many)}`
  return `${words} ${language === languages.fr && count === 0n ? one : many}`
}
