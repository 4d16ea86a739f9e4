/** Check digits of the numbers that letters and invoices carry. Each function completes the digits that it is given. */

const digitsOf = (text: string): number[] => [...text].map(Number)

/** The sum of digits, each by the weight at its place. */
function weighted(text: string, weights: readonly number[]): number {
  return digitsOf(text).reduce((sum, digit, index) => sum + digit * (weights[index] ?? 0), 0)
}

/** The remainder of digits of any length. */
function remainder(text: string, modulus: number): number {
  let rest = 0
  for (const digit of digitsOf(text)) rest = (rest * 10 + digit) % modulus
  return rest
}

/** Letters as ISO 13616 counts them: A is 10. */
function asDigits(text: string): string {
  return text.replace(/[A-Z]/g, (letter) => String(letter.charCodeAt(0) - 55))
}

/** The digit by Luhn, as cards, Italian VAT numbers and French company numbers have it. */
export function withLuhn(text: string): string {
  const sum = digitsOf(text)
    .reverse()
    .reduce((all, digit, index) => {
      if (index % 2 === 1) return all + digit
      return all + (digit > 4 ? digit * 2 - 9 : digit * 2)
    }, 0)
  return text + String((10 - (sum % 10)) % 10)
}

/** A Polish person's number: the date of birth, four digits and the check digit. @param ten digits */
export function pesel(ten: string): string {
  return ten + String((10 - (weighted(ten, [1, 3, 7, 9, 1, 3, 7, 9, 1, 3]) % 10)) % 10)
}

/** @param account the country's own account number, complete */
export function ibanOf(country: string, account: string): string {
  const check = 98 - remainder(asDigits(`${account}${country}00`), 97)
  return `${country}${String(check).padStart(2, '0')}${account}`
}

/** @param digits bank, branch and account: 5, 5 and 11 digits */
export function frenchAccount(digits: string): string {
  const key = 97 - remainder(`${digits}00`, 97)
  return digits + String(key).padStart(2, '0')
}

/** @param office bank and branch, 8 digits; @param account 10 digits */
export function spanishAccount(office: string, account: string): string {
  const weights = [1, 2, 4, 8, 5, 10, 9, 7, 3, 6]
  const digit = (text: string) => {
    const check = 11 - (weighted(text, weights) % 11)
    return check === 11 ? 0 : check === 10 ? 1 : check
  }
  return `${office}${digit(`00${office}`)}${digit(account)}${account}`
}

/** @param digits bank, branch and account: 5, 5 and 12 digits */
export function italianAccount(digits: string): string {
  const odd = [1, 0, 5, 7, 9, 13, 15, 17, 19, 21]
  const sum = digitsOf(digits).reduce((all, digit, index) => all + (index % 2 === 0 ? (odd[digit] ?? 0) : digit), 0)
  return String.fromCharCode(65 + (sum % 26)) + digits
}

/** The last digit of a Dutch account: the sum of ten digits, weighed from 10 to 1, is a multiple of 11. */
export function dutchAccount(nine: string): string | undefined {
  const check = (11 - (weighted(nine, [10, 9, 8, 7, 6, 5, 4, 3, 2]) % 11)) % 11
  return check === 10 ? undefined : nine + String(check)
}

/** The eighth digit of a Polish bank's number. */
export function polishBank(seven: string): string {
  return seven + String((10 - (weighted(seven, [3, 9, 7, 1, 3, 9, 7]) % 10)) % 10)
}

/** ISO 7064, mod 11,10, over eight digits. */
export function germanVat(eight: string): string {
  let product = 10
  for (const digit of digitsOf(eight)) {
    const sum = (digit + product) % 10 || 10
    product = (sum * 2) % 11
  }
  return `DE${eight}${(11 - product) % 10}`
}

/** @param company a company's number of nine digits */
export function frenchVat(company: string): string {
  return `FR${String((12 + 3 * remainder(company, 97)) % 97).padStart(2, '0')}${company}`
}

/** @param seven behind the letter of a private company */
export function spanishVat(seven: string): string {
  const sum = digitsOf(seven).reduce((all, digit, index) => {
    if (index % 2 === 1) return all + digit
    return all + Math.floor((digit * 2) / 10) + ((digit * 2) % 10)
  }, 0)
  return `ESB${seven}${(10 - (sum % 10)) % 10}`
}

export function dutchVat(eight: string): string | undefined {
  const check = weighted(eight, [9, 8, 7, 6, 5, 4, 3, 2]) % 11
  return check === 10 ? undefined : `NL${eight}${check}B01`
}

export function polishVat(nine: string): string | undefined {
  const check = weighted(nine, [6, 5, 7, 2, 3, 4, 5, 6, 7]) % 11
  return check === 10 ? undefined : `PL${nine}${check}`
}

export function britishVat(seven: string): string {
  const check = 97 - (weighted(seven, [8, 7, 6, 5, 4, 3, 2]) % 97)
  return `GB${seven}${String(check).padStart(2, '0')}`
}

const base36 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ'

/** @param fourteen state, PAN, number of the registration, and Z */
export function indianGst(fourteen: string): string {
  const sum = [...fourteen].reduce((all, letter, index) => {
    const product = base36.indexOf(letter) * (index % 2 === 0 ? 1 : 2)
    return all + Math.floor(product / 36) + (product % 36)
  }, 0)
  return fourteen + (base36[(36 - (sum % 36)) % 36] ?? '')
}

/** The ninth digit of a bank's routing number in the United States. */
export function routingNumber(eight: string): string {
  return eight + String((10 - (weighted(eight, [3, 7, 1, 3, 7, 1, 3, 7]) % 10)) % 10)
}
