import { describe, expect, test } from 'bun:test'
import { Decimal } from '../../../src/core/decimal.ts'
import {
  addToDate,
  compareCivil,
  dayOfWeek,
  formatCivil,
  fromDayNumber,
  monthsBetween,
  parseCivil,
  toDayNumber,
} from '../../../src/core/locale/calendar.ts'
import { formatDate, parseDatePattern } from '../../../src/core/locale/date.ts'
import { joinList } from '../../../src/core/locale/list.ts'
import { findLocale, localeTags, nearestLocale } from '../../../src/core/locale/locale.ts'
import { formatCurrency, formatNumber, parseNumberPattern } from '../../../src/core/locale/number.ts'
import { formsOf, pluralForm } from '../../../src/core/locale/plural.ts'
import { amountInWords, wordLanguages } from '../../../src/core/locale/words.ts'
import type { Reading } from '../../../src/core/reading.ts'

function number(value: string, pattern: string, tag: string): string {
  const parsed = parseNumberPattern(pattern)
  if (!parsed.ok) throw new Error(parsed.message)
  return formatNumber(Decimal.parse(value)!, parsed.pattern, findLocale(tag)!)
}

function date(value: string, pattern: string, tag: string): string {
  const parsed = parseDatePattern(pattern)
  if (!parsed.ok) throw new Error(parsed.message)
  return formatDate(parseCivil(value)!, parsed.pattern, findLocale(tag)!)
}

function words(text: string): string[] {
  return text.split(' ')
}

describe('locales', () => {
  test('cover every language whose data CLDR calls modern, each with all its names', () => {
    expect(localeTags().filter((tag) => !tag.includes('-'))).toHaveLength(101)
    for (const tag of words('en de fr es it nl pt pl cs sv da ja ar fa hi bn my zh ko ru el he tr uk hu fi nb ro'))
      expect(localeTags()).toContain(tag)
    for (const tag of localeTags()) {
      const locale = findLocale(tag)!
      expect(locale.tag).toBe(tag)
      for (const names of [locale.months, locale.monthsShort, locale.monthsAlone ?? locale.months]) {
        expect(names.length).toBe(12)
        expect(names.every((name) => name.length > 0)).toBe(true)
      }
      for (const names of [locale.days, locale.daysShort]) expect(new Set(names).size).toBe(7)
      expect(parseNumberPattern(locale.currency).ok).toBe(true)
      expect([...(locale.digits ?? '0123456789')]).toHaveLength(10)
      for (const pattern of [...locale.and, ...locale.or]) expect(pattern).toMatch(/^[^{]*\{0\}[^{]*\{1\}[^{]*$/)
      expect([locale.and.length, locale.or.length, formsOf(locale).at(-1)]).toEqual([4, 4, 'other'])
    }
  })

  test('are the regions that CLDR has of each language, and no others', () => {
    for (const tag of ['de-LU', 'de-DE', 'en-US', 'pt-BR', 'ja-JP', 'en-IN', 'es-419', 'pt-AO'])
      expect(findLocale(tag)?.tag).toBe(tag)
    expect(findLocale('de_ch')?.tag).toBe('de-CH')
    expect(findLocale('de-Latn-CH')?.tag).toBe('de-CH')
    expect(findLocale('ja-Jpan')?.tag).toBe('ja')
    for (const tag of ['de-XX', 'en-UK', 'en-Dsrt', 'de-Cyrl-DE', 'ja-Latn', 'pl-US', 'de-DE-1996', 'xx', 'deu'])
      expect([tag, findLocale(tag)]).toEqual([tag, undefined])
    const scripts = ['zh-Hans-CN', 'zh-Hant-TW', 'zh-Hant', 'zh-Hans-HK', 'sr-Latn-RS', 'sr-Cyrl', 'zh-Latn', 'az-Arab']
    expect(scripts.map((tag) => findLocale(tag)?.tag)).toEqual([
      ...['zh-CN', 'zh-TW', 'zh-Hant', 'zh-Hans-HK', 'sr-Latn-RS', 'sr'],
      undefined,
      undefined,
    ])
    expect(findLocale('zh-TW')?.days[0]).toBe('星期一')
    expect(findLocale('sr-Latn')?.months[0]).toBe('januar')
    expect(findLocale('constructor')).toBeUndefined()
    expect(findLocale('__proto__')).toBeUndefined()
    expect(findLocale('')).toBeUndefined()
  })
})

describe('an unknown locale', () => {
  test.each([
    ['de-XX', 'de'],
    ['en-UK', 'en-GB'],
    ['en-GBR', 'en-GB'],
    ['de-CHE', 'de-CH'],
    ['fr-Latn-QQ', 'fr'],
    ['dee', 'de'],
    ['zh-Hant-XX', 'zh-Hant-MY'],
    ['', undefined],
  ])('“%s” is told the nearest one', (tag, meant) => expect(nearestLocale(tag)).toBe(meant as string))

  test('that is long is told none', () => expect(nearestLocale('x'.repeat(5000))).toBeUndefined())

  test('counts as its language under the first rules, and so do the regions that they did not know', () => {
    const first = (tag: string) => findLocale(tag, 1)?.tag
    expect(['de-XX', 'de-LU', 'de-DE', 'en-IN', 'pt-AO', 'en-Dsrt-US', 'ja-Latn', 'xx'].map(first)).toEqual([
      ...['de', 'de', 'de', 'en', 'pt', 'en', 'ja'],
      undefined,
    ])
    for (const tag of ['de-CH', 'en-ZA', 'pt-PT', 'es-AR']) expect(findLocale(tag, 1)).toEqual(findLocale(tag, 2)!)
    expect(findLocale('en-IN', 1)).toEqual(findLocale('en', 2)!)
    expect(findLocale('de-DE')).toEqual({ ...findLocale('de')!, tag: 'de-DE' })
    expect(findLocale('en-IN', 1)).toBe(findLocale('en-IN', 1)!)
  })
})

describe('number patterns', () => {
  const cases: [string, string, string, string][] = [
    ['1234567.891', '#,##0.00', 'en', '1,234,567.89'],
    ['1234567.891', '#,##0.00', 'de', '1.234.567,89'],
    ['1234567.891', '#,##0.00', 'de-CH', "1'234'567.89"],
    ['1234567.891', '#,##0.00', 'fr', '1\u202f234\u202f567,89'],
    ['123456789.5', '#,##0.00', 'en-IN', '12,34,56,789.50'],
    ['99999', '#,##0', 'en-IN', '99,999'],
    ['-100000', '#,##0', 'en-IN', '-1,00,000'],
    ['12345678', '#,####', 'en-IN', '1234,5678'],
    ['1234567', '#,##,##0', 'en', '12,34,567'],
    ['1234567.5', '#,##0.0', 'pt-AO', '1\u00a0234\u00a0567,5'],
    ['1234.5', '#,##0.00', 'es', '1234,50'],
    ['-1234.5', '#,##0.00', 'ar-EG', '\u061c-١٬٢٣٤٫٥٠'],
    ['1234.5', '#,##0.00', 'ar-AE', '1,234.50'],
    ['1234567', '#,##0', 'mr', '१२,३४,५६७'],
    ['1234567', '#,##0', 'bn', '১২,৩৪,৫৬৭'],
    ['1234567', '#,##0', 'fa', '۱٬۲۳۴٬۵۶۷'],
    ['90', '0', 'my', '၉၀'],
    ['0.5', '0%', 'ar-EG', '٥٠٪\u061c'],
    ['50', "0'%'", 'ar-EG', '٥٠%'],
    ['12', "0' (1)'", 'ne', '१२ (1)'],
    ['1234567.5', '#,##0.0', 'hi', '12,34,567.5'],
    ['12345', '#,##0', 'pl', '12\u00a0345'],
    ['1234', '#,##0', 'pl', '1234'],
    ['-5', '0', 'sv', '−5'],
    ['0.5', '#.##', 'en', '.5'],
    ['0', '#,##0.###', 'en', '0'],
    ['1.25', '#,##0.###', 'en', '1.25'],
    ['7', '000', 'en', '007'],
    ['1.005', '0.00', 'en', '1.01'],
    ['-0.001', '0.00', 'en', '0.00'],
    ['0.256', '0.#%', 'en', '25.6%'],
    ['-12.5', "0.0' kg'", 'de', '-12,5 kg'],
    ['-12.5', '0.0;(0.0)', 'en', '(12.5)'],
    ['123456789012345678901234567890.12', '#,##0.00', 'en', '123,456,789,012,345,678,901,234,567,890.12'],
  ]
  for (const [value, pattern, tag, text] of cases) {
    test(`${pattern} writes ${value} in ${tag} as ${text}`, () => expect(number(value, pattern, tag)).toBe(text))
  }

  test('are refused with a reason where they say nothing clear', () => {
    for (const pattern of ['', 'abc', '0,00', '#,##0,00', '0.0.0', "0'", '0;0;0', '#0#', '0 0', '0.#0']) {
      expect({ pattern, ok: parseNumberPattern(pattern).ok }).toEqual({ pattern, ok: false })
    }
  })

  test('give amounts of money the sign, place and decimals of currency and locale', () => {
    const amount = Decimal.parse('-1234.5')!
    expect(formatCurrency(amount, 'EUR', findLocale('de')!)).toBe('-1.234,50\u00a0€')
    expect(formatCurrency(amount, 'USD', findLocale('en')!)).toBe('-$1,234.50')
    expect(formatCurrency(amount, 'JPY', findLocale('ja')!)).toBe('-￥1,235')
    expect(formatCurrency(amount, 'EUR', findLocale('nl')!)).toBe('€\u00a0-1.234,50')
    expect(formatCurrency(amount, 'CHF', findLocale('de-CH')!)).toBe("CHF-1'234.50")
    expect(formatCurrency(amount, 'EUR', findLocale('nl-BE')!)).toBe('€\u00a0-1.234,50')
    expect(formatCurrency(amount, 'XXX', findLocale('de')!)).toBeUndefined()
  })
})

describe('date patterns', () => {
  const cases: [string, string, string, string][] = [
    ['2025-03-01', 'd MMMM yyyy', 'de', '1 März 2025'],
    ['2025-03-01', "EEEE, d 'de' MMMM 'de' yyyy", 'es', 'sábado, 1 de marzo de 2025'],
    ['2025-01-05', 'd. MMMM yyyy', 'cs', '5. ledna 2025'],
    ['2025-01-05', 'MMMM yyyy', 'cs', 'leden 2025'],
    ['2025-01-05', 'MMMM', 'de-AT', 'Jänner'],
    ['2025-09-05', 'dd MMM yy', 'en-GB', '05 Sept 25'],
    ['2025-01-05', 'yyyy年M月d日(EEE)', 'ja', '2025年1月5日(日)'],
    ['2025-01-05T00:07:09Z', 'h:mm:ss a', 'en', '12:07:09 AM'],
    ['2025-01-05T00:07:09Z', 'h:mm a', 'pt-PT', '12:07 a.m.'],
    ['2025-07-05', 'd MMM', 'fr-CA', '5 juill.'],
    ['2025-01-05T15:07:09Z', "H 'o''clock' hh a", 'en', "15 o'clock 03 PM"],
    ['2025-01-05', "yyyy''MM", 'en', "2025'01"],
    ['2025-03-01', 'd MMMM yyyy', 'fa', '۱ مارس ۲۰۲۵'],
    ['2025-03-01', "d. MMMM yyyy '1'", 'mr', '१. मार्च २०२५ 1'],
    ['2025-03-01', 'd MMMM yyyy', 'ru', '1 марта 2025'],
    ['2025-03-01', 'yyyy年M月d日 EEEE', 'zh', '2025年3月1日 星期六'],
  ]
  for (const [value, pattern, tag, text] of cases) {
    test(`${pattern} writes ${value} in ${tag} as ${text}`, () => expect(date(value, pattern, tag)).toBe(text))
  }

  test('are refused with a reason where a letter means nothing', () => {
    for (const pattern of ['', 'D', 'YYYY', 'd MMMMM', "d 'x", 'ddd', '-']) {
      expect({ pattern, ok: parseDatePattern(pattern).ok }).toEqual({ pattern, ok: false })
    }
  })
})

describe('calendar', () => {
  test('takes every day of four centuries there and back, and its weekday along', () => {
    const first = toDayNumber({ year: 1800, month: 1, day: 1 })
    let weekday = dayOfWeek(fromDayNumber(first))
    for (let day = first; day < first + 146_097; day += 1) {
      const civil = fromDayNumber(day)
      if (toDayNumber(civil) !== day || dayOfWeek(civil) !== weekday) throw new Error(`day ${day}`)
      weekday = (weekday % 7) + 1
    }
    expect(fromDayNumber(0)).toEqual({ year: 1970, month: 1, day: 1 })
    expect(dayOfWeek({ year: 2025, month: 3, day: 1 })).toBe(6)
  })

  test('reads ISO text and nothing else', () => {
    for (const text of [
      '2024-02-29',
      '0000-01-01',
      '2025-01-01T23:59:60Z',
      '2025-01-01T10:00:00.123456789+05:30',
      '2025-01-01T10:00',
    ]) {
      expect(parseCivil(text)).toBeDefined()
    }
    for (const text of [
      '2025-02-29',
      '2025-13-01',
      '2025-1-1',
      '2025-00-10',
      '20250101',
      '2025-01-01T24:00:00Z',
      '2025-01-01 10:00',
      '',
      '2025-01-01T10:00:00+25:00',
    ]) {
      expect({ text, read: parseCivil(text) }).toEqual({ text, read: undefined })
    }
    expect(formatCivil(parseCivil('2025-01-01T10:00:00.50-03:00')!)).toBe('2025-01-01T10:00:00.50-03:00')
  })

  test('clamps to the end of months, and counts months back the same way', () => {
    const start = { year: 2024, month: 1, day: 31 }
    expect(addToDate(start, 0, 1, 0)).toEqual({ year: 2024, month: 2, day: 29 })
    expect(addToDate(start, 1, 1, 1)).toEqual({ year: 2025, month: 3, day: 1 })
    expect(addToDate(start, 0, -11, 0)).toEqual({ year: 2023, month: 2, day: 28 })
    expect(addToDate(start, 8000, 0, 0)).toBeUndefined()
    expect(addToDate(start, 1e15, 0, 1e15)).toBeUndefined()
    expect(monthsBetween(start, { year: 2024, month: 2, day: 29 })).toBe(1)
    expect(monthsBetween({ year: 2024, month: 2, day: 28 }, start)).toBe(0)
    expect(monthsBetween({ year: 2024, month: 3, day: 15 }, start)).toBe(-1)
  })

  test('compares instants by their offset and fraction', () => {
    expect(compareCivil(parseCivil('2025-01-01T00:30:00+01:00')!, parseCivil('2025-01-01T00:00:00Z')!)).toBeLessThan(0)
    expect(compareCivil(parseCivil('2025-01-01T00:00:00.5Z')!, parseCivil('2025-01-01T00:00:00.50Z')!)).toBe(0)
  })
})

describe('amounts in words', () => {
  const cases: [string, string, string | undefined, string][] = [
    ['0', 'en', undefined, 'zero'],
    ['1234567.05', 'en', undefined, 'one million two hundred thirty-four thousand five hundred sixty-seven and 05/100'],
    ['1', 'en', 'GBP', 'one pound'],
    ['2.01', 'en', 'GBP', 'two pounds and one penny'],
    ['-21', 'en', 'USD', 'minus twenty-one dollars'],
    ['1', 'de', undefined, 'eins'],
    ['1', 'de', 'EUR', 'ein Euro'],
    ['101.01', 'de', 'EUR', 'einhundertein Euro und ein Cent'],
    ['1000', 'de', undefined, 'eintausend'],
    ['21716', 'de', undefined, 'einundzwanzigtausendsiebenhundertsechzehn'],
    ['2000001', 'de', undefined, 'zwei Millionen eins'],
    ['1000000', 'de', 'EUR', 'eine Million Euro'],
    ['71', 'fr', undefined, 'soixante et onze'],
    ['80', 'fr', 'EUR', 'quatre-vingts euros'],
    ['81', 'fr', undefined, 'quatre-vingt-un'],
    ['91.50', 'fr', 'EUR', 'quatre-vingt-onze euros et cinquante centimes'],
    ['200', 'fr', undefined, 'deux cents'],
    ['201', 'fr', undefined, 'deux cent un'],
    ['80000', 'fr', undefined, 'quatre-vingt mille'],
    ['1999', 'fr', undefined, 'mille neuf cent quatre-vingt-dix-neuf'],
    ['1000000', 'fr', 'EUR', 'un million d’euros'],
    ['21', 'es', undefined, 'veintiuno'],
    ['21', 'es', 'EUR', 'veintiún euros'],
    ['31', 'es', 'EUR', 'treinta y un euros'],
    ['100', 'es', undefined, 'cien'],
    ['101', 'es', 'EUR', 'ciento un euros'],
    ['21000', 'es', undefined, 'veintiún mil'],
    ['1000000', 'es', 'EUR', 'un millón de euros'],
    ['1500.25', 'es', 'EUR', 'mil quinientos euros con veinticinco céntimos'],
  ]
  for (const [value, language, currency, text] of cases) {
    test(`${value} ${currency ?? ''} in ${language}: ${text}`, () => {
      expect(amountInWords(Decimal.parse(value)!, language, currency)).toBe(text)
    })
  }

  test('are different for every number, and digits where words run out', () => {
    for (const language of wordLanguages) {
      const seen = new Set<string>()
      for (let value = 0; value < 3_000; value++) seen.add(amountInWords(new Decimal(BigInt(value), 0), language)!)
      expect(seen.size).toBe(3_000)
    }
    expect(amountInWords(Decimal.parse('1e18')!, 'en')).toBe('1000000000000000000.00')
    expect(amountInWords(Decimal.one, 'it')).toBeUndefined()
    expect(amountInWords(Decimal.one, 'fr', 'GBP')).toBeUndefined()
    expect(amountInWords(Decimal.one, 'en', '__proto__')).toBeUndefined()
  })
})

test('amounts in rupees are grouped as India does', () => {
  const amount = (value: string, tag: string) => formatCurrency(Decimal.parse(value)!, 'INR', findLocale(tag)!)
  expect(amount('1234567.5', 'en-IN')).toBe('₹12,34,567.50')
  expect(amount('-1234567.5', 'en-IN')).toBe('-₹12,34,567.50')
  expect(amount('1234567.5', 'en')).toBe('₹1,234,567.50')
})

test('amounts keep a hard space between letters and digits, except under the first rules', () => {
  const amount = (code: string, tag: string, reading?: Reading) =>
    formatCurrency(Decimal.parse('-1234.5')!, code, findLocale(tag)!, reading)
  expect(amount('CHF', 'en')).toBe('-CHF\u00a01,234.50')
  expect(amount('CHF', 'en', 1)).toBe('-CHF1,234.50')
  expect(amount('AED', 'ar-AE')).toBe('\u200f\u200e-1,234.50\u00a0د.إ.\u200f')
  expect(amount('EUR', 'en')).toBe('-€1,234.50')
  expect(amount('CHF', 'de')).toBe('-1.234,50\u00a0CHF')
  expect(amount('NOK', 'de-CH')).toBe("NOK-1'234.50")
  expect(amount('CAD', 'en')).toBe('-CA$1,234.50')
  expect(amount('KWD', 'en')).toBe('-KWD\u00a01,234.500')
})

test('what CLDR has otherwise than earlier documents is written since the sixth rules', () => {
  const both = (write: (reading: Reading) => string | undefined) => [write(5), write(6)]
  const amount = (value: string, code: string, tag: string) =>
    both((reading) => formatCurrency(Decimal.parse(value)!, code, findLocale(tag, reading)!, reading))
  expect(amount('1234.5', 'CAD', 'en-CA')).toEqual(['CA$1,234.50', '$1,234.50'])
  expect(amount('1234.5', 'PLN', 'de')).toEqual(['1.234,50\u00a0zł', '1.234,50\u00a0PLN'])
  expect(amount('1234.5', 'IDR', 'id')).toEqual(['IDR\u00a01.235', 'Rp\u00a01.234,50'])
  expect(amount('1234.5', 'EUR', 'de-AT')).toEqual(['€\u00a01\u00a0234,50', '€\u00a01.234,50'])
  expect(amount('1234.5', 'CVE', 'pt-CV')).toEqual(['1234,50\u00a0CVE', '1234$50\u00a0\u200b'])
  const written = (pattern: string, tag: string) =>
    both((reading) => {
      const parsed = parseDatePattern(pattern)
      return parsed.ok ? formatDate(parseCivil('2026-03-02')!, parsed.pattern, findLocale(tag, reading)!) : undefined
    })
  expect(written('EEE, d. MMM', 'de')).toEqual(['Mo, 2. März', 'Mo., 2. März'])
  expect(written('MMM', 'de')).toEqual(['März', 'Mär'])
  expect(written('d MMMM yyyy', 'el')).toEqual(['2 Μαρτίου 2026', '2 Μαρτίου 2026'])
  expect(written('MMMM yyyy', 'el')).toEqual(['Μάρτιος 2026', 'Μάρτιος 2026'])
  expect(written('MMM yyyy', 'el')).toEqual(['Μαρ 2026', 'Μαρ 2026'])
  expect(written('MMMM yyyy', 'kk')).toEqual(['Наурыз 2026', 'наурыз 2026'])
  const list = (texts: string, tag: string) =>
    both((reading) => joinList(words(texts), findLocale(tag, reading)!, 'and'))
  expect(list('padres hijos', 'es')).toEqual(['padres y hijos', 'padres e hijos'])
})

describe('a plural form', () => {
  const forms = (tag: string, kind: 'plurals' | 'ordinals', ...values: string[]): string[] =>
    values.map((value) => pluralForm(Decimal.parse(value)!, findLocale(tag)!, kind))

  test('of a count is the one that CLDR gives', () => {
    expect(forms('en', 'plurals', '0', '1', '2', '1.5', '-1')).toEqual(['other', 'one', 'other', 'other', 'one'])
    expect(forms('fr', 'plurals', '0', '1', '1.5', '2', '1000000')).toEqual(['one', 'one', 'one', 'other', 'many'])
    expect(forms('pl', 'plurals', '1', '2', '5', '12', '22', '25', '1.5')).toEqual([
      ...['one', 'few', 'many', 'many', 'few', 'many', 'other'],
    ])
    expect(forms('ar', 'plurals', '0', '1', '2', '3', '11', '100')).toEqual([
      ...['zero', 'one', 'two', 'few', 'many', 'other'],
    ])
    expect(forms('ja', 'plurals', '1')).toEqual(['other'])
    expect(forms('pt-PT', 'plurals', '0')).toEqual(['other'])
    expect(forms('pt', 'plurals', '0')).toEqual(['one'])
    expect(forms('pl', 'plurals', '100000000000000000000002')).toEqual(['few'])
  })

  test('of an ordinal too', () => {
    expect(forms('en', 'ordinals', '1', '2', '3', '4', '11', '12', '13', '21', '102')).toEqual([
      ...['one', 'two', 'few', 'other', 'other', 'other', 'other', 'one', 'two'],
    ])
    expect(forms('it', 'ordinals', '8', '9')).toEqual(['many', 'other'])
    expect(formsOf(findLocale('en')!, 'ordinals')).toEqual(['one', 'two', 'few', 'other'])
  })
})

test('a list is joined as its language does', () => {
  const joined = (tag: string, by: 'and' | 'or', texts: string) => joinList(words(texts), findLocale(tag)!, by)
  expect(joinList([], findLocale('en')!, 'and')).toBe('')
  expect(['a', 'a b', 'a b c', 'a b c d'].map((texts) => joined('en', 'and', texts))).toEqual([
    ...['a', 'a and b', 'a, b, and c', 'a, b, c, and d'],
  ])
  expect(joined('en-GB', 'and', 'a b c')).toBe('a, b and c')
  expect(joined('de', 'or', 'a b c')).toBe('a, b oder c')
  expect(joined('ja', 'and', 'a b c')).toBe('a、b、c')
  expect(joined('zh', 'and', 'a b c')).toBe('a、b和c')
})
