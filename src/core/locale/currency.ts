/** Currencies by ISO 4217 code: sign and decimal places. */
import { newestReading, type Reading } from '../reading.ts'
import { currencies } from './table.generated.ts'

export interface Currency {
  code: string
  sign: string
  /** Decimal places of the smallest unit. */
  digits: number
}

/** The currencies that the first rules knew, with the signs and decimal places that documents have had since. */
// biome-ignore format: a table reads better in columns
const signs = new Map(Object.entries({
  EUR: '€', USD: '$', GBP: '£', JPY: '¥', CHF: 'CHF', PLN: 'zł', CZK: 'Kč', SEK: 'kr', DKK: 'kr.', NOK: 'kr',
  CAD: 'CA$', AUD: 'A$', NZD: 'NZ$', BRL: 'R$', MXN: 'MX$', CNY: 'CN¥', INR: '₹', KRW: '₩', TRY: '₺', HUF: 'Ft',
  RON: 'lei', BGN: 'лв.', UAH: '₴', ILS: '₪', ZAR: 'R', SGD: 'S$', HKD: 'HK$', ISK: 'kr',
}))

const withoutDecimals = new Set(['JPY', 'KRW', 'ISK'])

const found = new Map<string, Currency>()

/** Undefined when the code (upper case, three letters) is not in the table. */
export function findCurrency(code: string): Currency | undefined {
  const known = found.get(code)
  if (known !== undefined) return known
  const first = signs.get(code)
  const [sign, digits] = first === undefined ? (currencies.get(code) ?? []) : [first, withoutDecimals.has(code) ? 0 : 2]
  if (sign === undefined || digits === undefined) return undefined
  const currency = { code, sign, digits }
  found.set(code, currency)
  return currency
}

/** Those known longest come first. */
export function currencyCodes(reading: Reading = newestReading): string[] {
  return reading === 1 ? [...signs.keys()] : [...new Set([...signs.keys(), ...currencies.keys()])]
}
