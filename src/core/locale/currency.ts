/** Currencies by ISO 4217 code: sign and decimal places. */
import { newestReading, type Reading } from '../reading.ts'
import type { Locale } from './locale.ts'
import { currencies } from './table.generated.ts'

export interface Currency {
  code: string
  sign: string
  /** Decimal places of the smallest unit. */
  digits: number
}

/** The currencies of the first rules, with the signs that documents had in every locale until reading 6. */
// biome-ignore format: a table reads better in columns
const signs = new Map(Object.entries({
  EUR: '€', USD: '$', GBP: '£', JPY: '¥', CHF: 'CHF', PLN: 'zł', CZK: 'Kč', SEK: 'kr', DKK: 'kr.', NOK: 'kr',
  CAD: 'CA$', AUD: 'A$', NZD: 'NZ$', BRL: 'R$', MXN: 'MX$', CNY: 'CN¥', INR: '₹', KRW: '₩', TRY: '₺', HUF: 'Ft',
  RON: 'lei', BGN: 'лв.', UAH: '₴', ILS: '₪', ZAR: 'R', SGD: 'S$', HKD: 'HK$', ISK: 'kr',
}))

/** Those whose decimal places documents did not have until reading 6. */
const withoutPlaces = new Set('AFN ALL COP IDR IQD IRR KPW LAK LBP MGA MMK PKR SOS SYP YER'.split(' '))

/** Undefined if the code (upper case, three letters) is not in the table. Without a locale, the English sign. */
export function findCurrency(code: string, locale?: Locale, reading: Reading = newestReading): Currency | undefined {
  const [sign, digits] = currencies.get(code) ?? []
  if (sign === undefined || digits === undefined) return undefined
  if (reading < 6) return { code, sign: signs.get(code) ?? sign, digits: withoutPlaces.has(code) ? 0 : digits }
  return { code, sign: locale?.signs?.[code] ?? sign, digits }
}

/** Those known longest come first. */
export function currencyCodes(reading: Reading = newestReading): string[] {
  return reading === 1 ? [...signs.keys()] : [...new Set([...signs.keys(), ...currencies.keys()])]
}
