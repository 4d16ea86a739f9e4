/** Currencies by ISO 4217 code: sign, decimal places, and their names where amounts are written in words. */

export interface Currency {
  code: string
  sign: string
  /** Decimal places of the smallest unit. */
  digits: number
}

// biome-ignore format: a table reads better in columns
const signs = new Map(Object.entries({
  EUR: '€', USD: '$', GBP: '£', JPY: '¥', CHF: 'CHF', PLN: 'zł', CZK: 'Kč', SEK: 'kr', DKK: 'kr.', NOK: 'kr',
  CAD: 'CA$', AUD: 'A$', NZD: 'NZ$', BRL: 'R$', MXN: 'MX$', CNY: 'CN¥', INR: '₹', KRW: '₩', TRY: '₺', HUF: 'Ft',
  RON: 'lei', BGN: 'лв.', UAH: '₴', ILS: '₪', ZAR: 'R', SGD: 'S$', HKD: 'HK$', ISK: 'kr',
}))

const withoutDecimals = new Set(['JPY', 'KRW', 'ISK'])

/** Undefined when the code (upper case, three letters) is not in the table. */
export function findCurrency(code: string): Currency | undefined {
  const sign = signs.get(code)
  if (sign === undefined) return undefined
  return { code, sign, digits: withoutDecimals.has(code) ? 0 : 2 }
}

export function currencyCodes(): string[] {
  return [...signs.keys()]
}
