import { describe, expect, test } from 'bun:test'
import { Decimal } from '../../../src/core/decimal.ts'
import { amountInWords, wordCurrencies, wordLanguages } from '../../../src/core/locale/words.ts'

const words = (value: string, language: string, currency?: string) =>
  amountInWords(Decimal.parse(value)!, language, currency)

/** The powers of a thousand, once and twice, in the languages' own order of names. */
const powers: Record<string, string[]> = {
  en: [
    'one thousand | two thousand',
    'one million | two million',
    'one billion | two billion',
    'one trillion | two trillion',
    'one quadrillion | two quadrillion',
  ],
  de: [
    'eintausend | zweitausend',
    'eine Million | zwei Millionen',
    'eine Milliarde | zwei Milliarden',
    'eine Billion | zwei Billionen',
    'eine Billiarde | zwei Billiarden',
  ],
  fr: [
    'mille | deux mille',
    'un million | deux millions',
    'un milliard | deux milliards',
    'un billion | deux billions',
    'un billiard | deux billiards',
  ],
  es: [
    'mil | dos mil',
    'un millón | dos millones',
    'mil millones | dos mil millones',
    'un billón | dos billones',
    'mil billones | dos mil billones',
  ],
}

/** Each number up to twenty, then the tens, each also with one more, then the hundreds. */
const small: Record<string, string> = {
  en: `zero, one, two, three, four, five, six, seven, eight, nine, ten, eleven, twelve, thirteen, fourteen, fifteen, sixteen,
    seventeen, eighteen, nineteen, twenty, twenty-one, thirty, thirty-one, forty, forty-one, fifty, fifty-one, sixty, sixty-one,
    seventy, seventy-one, eighty, eighty-one, ninety, ninety-one, one hundred, two hundred, three hundred, four hundred,
    five hundred, six hundred, seven hundred, eight hundred, nine hundred`,
  de: `null, eins, zwei, drei, vier, fünf, sechs, sieben, acht, neun, zehn, elf, zwölf, dreizehn, vierzehn, fünfzehn, sechzehn,
    siebzehn, achtzehn, neunzehn, zwanzig, einundzwanzig, dreißig, einunddreißig, vierzig, einundvierzig, fünfzig,
    einundfünfzig, sechzig, einundsechzig, siebzig, einundsiebzig, achtzig, einundachtzig, neunzig, einundneunzig, einhundert,
    zweihundert, dreihundert, vierhundert, fünfhundert, sechshundert, siebenhundert, achthundert, neunhundert`,
  fr: `zéro, un, deux, trois, quatre, cinq, six, sept, huit, neuf, dix, onze, douze, treize, quatorze, quinze, seize, dix-sept,
    dix-huit, dix-neuf, vingt, vingt et un, trente, trente et un, quarante, quarante et un, cinquante, cinquante et un,
    soixante, soixante et un, soixante-dix, soixante et onze, quatre-vingts, quatre-vingt-un, quatre-vingt-dix,
    quatre-vingt-onze, cent, deux cents, trois cents, quatre cents, cinq cents, six cents, sept cents, huit cents, neuf cents`,
  es: `cero, uno, dos, tres, cuatro, cinco, seis, siete, ocho, nueve, diez, once, doce, trece, catorce, quince, dieciséis,
    diecisiete, dieciocho, diecinueve, veinte, veintiuno, treinta, treinta y uno, cuarenta, cuarenta y uno, cincuenta,
    cincuenta y uno, sesenta, sesenta y uno, setenta, setenta y uno, ochenta, ochenta y uno, noventa, noventa y uno, cien,
    doscientos, trescientos, cuatrocientos, quinientos, seiscientos, setecientos, ochocientos, novecientos`,
}
const smallNumbers = [
  ...Array.from({ length: 20 }, (_, index) => index),
  ...[20, 30, 40, 50, 60, 70, 80, 90].flatMap((ten) => [ten, ten + 1]),
  ...[100, 200, 300, 400, 500, 600, 700, 800, 900],
]

/** In the order of `wordCurrencies`: one, two, one hundredth and two of them. */
const amounts: Record<string, string[]> = {
  en: [
    'one euro, two euros, one cent, two cents',
    'one dollar, two dollars, one cent, two cents',
    'one pound, two pounds, one penny, two pence',
    'one franc, two francs, one centime, two centimes',
  ],
  de: [
    'ein Euro, zwei Euro, ein Cent, zwei Cent',
    'ein Dollar, zwei Dollar, ein Cent, zwei Cent',
    'ein Pfund, zwei Pfund, ein Penny, zwei Pence',
    'ein Franken, zwei Franken, ein Rappen, zwei Rappen',
  ],
  fr: [
    'un euro, deux euros, un centime, deux centimes',
    'un dollar, deux dollars, un cent, deux cents',
    'none',
    'un franc, deux francs, un centime, deux centimes',
  ],
  es: [
    'un euro, dos euros, un céntimo, dos céntimos',
    'un dólar, dos dólares, un centavo, dos centavos',
    'none',
    'un franco, dos francos, un céntimo, dos céntimos',
  ],
}
const zero: Record<string, [amount: string, and: string]> = {
  en: ['zero euros', 'and'],
  de: ['null Euro', 'und'],
  fr: ['zéro euro', 'et'],
  es: ['cero euros', 'con'],
}

describe.each(wordLanguages)('numbers in words (%s)', (language) => {
  test('have every name that the language has for them', () => {
    const expected = small[language]!.split(/,\s+/)
    expect(smallNumbers.map((value) => words(String(value), language))).toEqual(expected)
    for (const [index, pair] of powers[language]!.entries()) {
      const zeros = '000'.repeat(index + 1)
      expect(`${words(`1${zeros}`, language)} | ${words(`2${zeros}`, language)}`).toBe(pair)
    }
  })

  test('say of one and of several what the currency calls them', () => {
    for (const [index, currency] of wordCurrencies.entries()) {
      const [one, two, cent, cents] = amounts[language]![index]!.split(', ')
      const [, and] = zero[language]!
      if (two === undefined) {
        expect(words('1', language, currency)).toBeUndefined()
        continue
      }
      expect([words('1', language, currency), words('2', language, currency)]).toEqual([one, two])
      expect(words('1.01', language, currency)).toBe(`${one} ${and} ${cent}`)
      expect(words('2.02', language, currency)).toBe(`${two} ${and} ${cents}`)
    }
  })

  test('name an amount of nothing, and one below one', () => {
    const [nothing, and] = zero[language]!
    expect(words('0', language, 'EUR')).toBe(nothing)
    expect(words('0.01', language, 'EUR')).toBe(`${nothing} ${and} ${amounts[language]![0]!.split(', ')[2]}`)
    expect(words('0.004', language, 'EUR')).toBe(nothing)
    expect(words('7.005', language)).toEndWith(` ${and} 01/100`)
    expect(words('7.10', language)).toEndWith(` ${and} 10/100`)
  })

  test('are written out up to their last name, and as digits above it', () => {
    const largest = '9'.repeat(18)
    expect(words(largest, language)).not.toMatch(/\d/)
    expect(words(`${largest}.994`, language, 'EUR')).not.toMatch(/\d/)
    expect(words(`${largest}.995`, language)).toBe('1000000000000000000.00')
    expect(words(`-1${'0'.repeat(18)}`, language, 'EUR')).toBe('-1000000000000000000.00')
  })
})

describe('numbers in words', () => {
  test.each([
    ['en', '999', 'nine hundred ninety-nine'],
    ['en', '1001', 'one thousand one'],
    ['en', '1000001', 'one million one'],
    [
      'en',
      '12345678901',
      'twelve billion three hundred forty-five million six hundred seventy-eight thousand nine hundred one',
    ],
    ['en', '-0.5', 'minus zero and 50/100'],
    ['de', '101', 'einhunderteins'],
    ['de', '1001', 'eintausendeins'],
    ['de', '100000', 'einhunderttausend'],
    ['de', '999999', 'neunhundertneunundneunzigtausendneunhundertneunundneunzig'],
    ['de', '1001000', 'eine Million eintausend'],
    ['de', '-7', 'minus sieben'],
    ['fr', '79', 'soixante-dix-neuf'],
    ['fr', '99', 'quatre-vingt-dix-neuf'],
    ['fr', '101', 'cent un'],
    ['fr', '200000', 'deux cent mille'],
    ['fr', '280', 'deux cent quatre-vingts'],
    ['fr', '80000000', 'quatre-vingts millions'],
    ['fr', '1001001', 'un million mille un'],
    ['fr', '-2', 'moins deux'],
    ['es', '101', 'ciento uno'],
    ['es', '199', 'ciento noventa y nueve'],
    ['es', '22', 'veintidós'],
    ['es', '31000', 'treinta y un mil'],
    ['es', '101000', 'ciento un mil'],
    ['es', '1001', 'mil uno'],
    ['es', '21000000', 'veintiún millones'],
    ['es', '1000001', 'un millón uno'],
    ['es', '-3', 'menos tres'],
  ])('(%s) of %s are %s', (language, value, text) => {
    expect(words(value, language)).toBe(text)
  })

  test('join a round million to its unit as the language does', () => {
    expect(words('1000000', 'en', 'EUR')).toBe('one million euros')
    expect(words('2000000', 'de', 'EUR')).toBe('zwei Millionen Euro')
    expect(words('2000000', 'fr', 'EUR')).toBe('deux millions d’euros')
    expect(words('2000000', 'fr', 'USD')).toBe('deux millions de dollars')
    expect(words('3000000', 'es', 'USD')).toBe('tres millones de dólares')
    // Only a round million is a noun.
    expect(words('1000001', 'fr', 'EUR')).toBe('un million un euros')
    expect(words('1500000', 'es', 'EUR')).toBe('un millón quinientos mil euros')
    expect(words('999000', 'fr', 'EUR')).toBe('neuf cent quatre-vingt-dix-neuf mille euros')
    expect(words('21', 'de', 'EUR')).toBe('einundzwanzig Euro')
    expect(words('121', 'es', 'EUR')).toBe('ciento veintiún euros')
  })

  test('go by the language of a tag, whatever its region and case', () => {
    expect(words('2', 'de-AT')).toBe('zwei')
    expect(words('2', 'FR_ca')).toBe('deux')
    expect(words('2', 'e')).toBeUndefined()
    expect(words('2', '__proto__')).toBeUndefined()
  })
})
