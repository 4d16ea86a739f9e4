import { describe, expect, test } from 'bun:test'
import { Decimal } from '../../../src/core/decimal.ts'
import { parseCivil } from '../../../src/core/locale/calendar.ts'
import { currencyCodes, findCurrency } from '../../../src/core/locale/currency.ts'
import { dateFields, formatDate, parseDatePattern, readDatePattern } from '../../../src/core/locale/date.ts'
import { findLocale, type Locale, localeTags } from '../../../src/core/locale/locale.ts'
import { formatCurrency, formatNumber, parseNumberPattern } from '../../../src/core/locale/number.ts'

const locale = (tag: string): Locale => findLocale(tag)!

function number(value: string, pattern: string, tag = 'en', currency?: string): string {
  const parsed = parseNumberPattern(pattern)
  if (!parsed.ok) throw new Error(parsed.message)
  const found = currency === undefined ? undefined : findCurrency(currency)
  const options = found === undefined ? {} : { currency: found.sign }
  return formatNumber(Decimal.parse(value)!, parsed.pattern, locale(tag), options)
}

function date(value: string, pattern: string, tag = 'en'): string {
  const parsed = parseDatePattern(pattern)
  if (!parsed.ok) throw new Error(parsed.message)
  return formatDate(parseCivil(value)!, parsed.pattern, locale(tag))
}

const refusal = (parsed: { ok: true } | { ok: false; message: string }) => (parsed.ok ? 'taken' : parsed.message)

describe('a number pattern', () => {
  test.each([
    ['#,##0.00', { minInteger: 1, minFraction: 2, maxFraction: 2, grouping: 3, shift: 0 }],
    ['#,###', { minInteger: 0, minFraction: 0, maxFraction: 0, grouping: 3, shift: 0 }],
    ['0000', { minInteger: 4, minFraction: 0, maxFraction: 0, grouping: 0, shift: 0 }],
    ['0.0##', { minInteger: 1, minFraction: 1, maxFraction: 3, grouping: 0, shift: 0 }],
    ['.##', { minInteger: 0, minFraction: 0, maxFraction: 2, grouping: 0, shift: 0 }],
    ['0%', { minInteger: 1, minFraction: 0, maxFraction: 0, grouping: 0, shift: 2 }],
    ['0.0‰', { minInteger: 1, minFraction: 1, maxFraction: 1, grouping: 0, shift: 3 }],
    ['#,###,##0', { minInteger: 1, minFraction: 0, maxFraction: 0, grouping: 3, shift: 0 }],
    ['#,####,###0', { minInteger: 1, minFraction: 0, maxFraction: 0, grouping: 4, shift: 0 }],
  ])('says how many digits %s has', (pattern, expected) => {
    expect(parseNumberPattern(pattern)).toMatchObject({ ok: true, pattern: expected })
  })

  test.each([
    ["0'", 'a quote is not closed'],
    ["'0;0", 'a quote is not closed'],
    ['0;0;0', 'more than one'],
    ['kg', 'put text in single quotes'],
    ['0;1', 'put text in single quotes'],
    ['', 'no digit place'],
    ["'0'", 'no digit place'],
    ['0;', 'no digit place'],
    ['0 0', 'quote the text, or put the digits together'],
    ['#,0.0', 'separates other than'],
    ['#,###,##,##0', 'separates other than'],
    ['#,##,###0', 'separates other than'],
    ['#,####0', 'separates other than'],
    ['#,####,##0', 'separates other than'],
    ['#,#####', 'separates other than'],
    [',000', 'separates other than'],
    ['0#', 'is not of the form'],
    ['.', 'has no digit place'],
  ])('is refused where it says nothing clear: %s', (pattern, message) => {
    expect(refusal(parseNumberPattern(pattern))).toContain(message)
  })

  test('has at most 64 places', () => {
    expect(refusal(parseNumberPattern('0'.repeat(64)))).toBe('taken')
    expect(refusal(parseNumberPattern('0'.repeat(65)))).toContain('more than 64')
  })

  test.each([
    ['1234', '#,##0', 'en', '1,234'],
    ['999', '#,##0', 'en', '999'],
    ['1234', '#,##0', 'es', '1234'],
    ['12345', '#,##0', 'es', '12.345'],
    ['12345678', '#,###0', 'en', '1234,5678'],
    ['1234', '#,###0', 'en', '1234'],
    ['5', '0,000,000', 'en', '0,000,005'],
    ['0', '#', 'en', '0'],
    ['0', '#.##', 'en', '0'],
    ['0.25', '#.##', 'en', '.25'],
    ['0', '0.##', 'en', '0'],
    ['0', '.00', 'en', '.00'],
    ['10', '.##', 'en', '10'],
    ['1.5', '0.0##', 'de', '1,5'],
    ['1.2345', '0.0##', 'de', '1,235'],
    ['1.2', '0.00', 'en', '1.20'],
    ['100', '0.0#', 'en', '100.0'],
    ['-1', "0'-'", 'sv', '−1-'],
    ['-1', '-0', 'sv', '−−1'],
    ['-1.5', "'minus '0.0", 'en', '-minus 1.5'],
    ['-1', '0;-0', 'sv', '−1'],
    ['-1', "0;0'-'", 'en', '1-'],
    ['1', '0;(0)', 'en', '1'],
    ['-0.4', '0;(0)', 'en', '0'],
    ['0.1234', '0.0%', 'en', '12.3%'],
    ['0.1234', '0.0‰', 'en', '123.4‰'],
    ['5', "'#'0", 'en', '#5'],
    ['5', "0''", 'en', "5'"],
    ['5', "''0 'o;'", 'en', "'5 o;"],
    ['5', "0 'it''s'", 'en', "5 it's"],
    ['5', "0 '''s;'", 'en', "5 's;"],
    ['-5', "0;0 'isn''t'", 'en', "5 isn't"],
    ['5', '¤0', 'en', '¤5'],
  ])('writes %s by %s in %s as %s', (value, pattern, tag, text) => {
    expect(number(value, pattern, tag)).toBe(text)
  })

  test('writes the sign of a currency where it says', () => {
    expect(number('5', '¤ 0.00', 'en', 'USD')).toBe('$ 5.00')
    expect(number('5', '0.00 ¤', 'en', 'PLN')).toBe('5.00 PLN')
  })
})

describe('a currency', () => {
  test('is written with its own sign and decimals', () => {
    const amount = (code: string) => formatCurrency(Decimal.parse('1234.5')!, code, locale('en'), 1)
    expect(currencyCodes(1).map((code) => `${code} ${amount(code)}`)).toEqual([
      ...['EUR €1,234.50', 'USD $1,234.50', 'GBP £1,234.50', 'JPY ¥1,235', 'CHF CHF1,234.50', 'PLN zł1,234.50'],
      ...['CZK Kč1,234.50', 'SEK kr1,234.50', 'DKK kr.1,234.50', 'NOK kr1,234.50', 'CAD CA$1,234.50', 'AUD A$1,234.50'],
      ...['NZD NZ$1,234.50', 'BRL R$1,234.50', 'MXN MX$1,234.50', 'CNY CN¥1,234.50', 'INR ₹1,234.50', 'KRW ₩1,235'],
      ...['TRY ₺1,234.50', 'HUF Ft1,234.50', 'RON lei1,234.50', 'BGN лв.1,234.50', 'UAH ₴1,234.50', 'ILS ₪1,234.50'],
      ...['ZAR R1,234.50', 'SGD S$1,234.50', 'HKD HK$1,234.50', 'ISK kr1,235'],
    ])
    expect(currencyCodes().length).toBeGreaterThan(150)
    expect(currencyCodes().slice(0, 28)).toEqual(currencyCodes(1))
    for (const code of currencyCodes()) expect([0, 2, 3]).toContain(findCurrency(code)?.digits ?? -1)
    expect([findCurrency('eur'), findCurrency('')]).toEqual([undefined, undefined])
    expect(formatCurrency(Decimal.one, 'XXX', locale('en'))).toBeUndefined()
  })

  test('has the decimals of its own after one with others was written', () => {
    const amounts = ['EUR', 'JPY', 'EUR', 'KRW', 'USD'].map((code) =>
      formatCurrency(Decimal.parse('-0.125')!, code, locale('de')),
    )
    expect(amounts).toEqual(['-0,13\u00a0€', '0\u00a0¥', '-0,13\u00a0€', '0\u00a0₩', '-0,13\u00a0$'])
  })
})

describe('a date pattern', () => {
  test('writes each of its fields', () => {
    const written = dateFields.map((field) => `${field} ${date('2006-03-05T04:07:09', field)}`)
    expect(written).toEqual([
      ...['d 5', 'dd 05', 'M 3', 'MM 03', 'MMM Mar', 'MMMM March', 'yy 06', 'yyyy 2006', 'EEE Sun', 'EEEE Sunday'],
      ...['H 4', 'HH 04', 'h 4', 'hh 04', 'm 7', 'mm 07', 's 9', 'ss 09', 'a AM'],
    ])
    const later = dateFields.map((field) => `${field} ${date('0987-12-19T21:45:58', field)}`)
    expect(later).toEqual([
      ...['d 19', 'dd 19', 'M 12', 'MM 12', 'MMM Dec', 'MMMM December', 'yy 87', 'yyyy 0987', 'EEE Wed'],
      ...['EEEE Wednesday', 'H 21', 'HH 21', 'h 9', 'hh 09', 'm 45', 'mm 45', 's 58', 'ss 58', 'a PM'],
    ])
  })

  test('counts midnight and noon as twelve, and the halves from them on', () => {
    const times = ['00:00', '00:59', '01:00', '09:30', '10:00', '11:59', '12:00', '12:59', '13:00', '23:59']
    expect(times.map((time) => date(`2026-01-01T${time}`, 'h:mm a | hh'))).toEqual([
      ...['12:00 AM | 12', '12:59 AM | 12', '1:00 AM | 01', '9:30 AM | 09', '10:00 AM | 10', '11:59 AM | 11'],
      ...['12:00 PM | 12', '12:59 PM | 12', '1:00 PM | 01', '11:59 PM | 11'],
    ])
  })

  test('takes a plain date for its midnight, and says whether it wants a time or names a day', () => {
    expect(date('2026-01-01', 'HH:mm:ss a')).toBe('00:00:00 AM')
    const wants = (pattern: string) => {
      const parsed = parseDatePattern(pattern)
      return parsed.ok ? [parsed.pattern.wantsTime, parsed.pattern.beside] : parsed.message
    }
    // Minutes alone: beside a year without hours they are taken for a mistyped month.
    for (const pattern of ['yyyy H', 'yyyy h a', 'yyyy s', 'yyyy a'])
      expect([pattern, wants(pattern)]).toEqual([pattern, [true, 'year']])
    for (const pattern of ['h', 'm']) expect(wants(pattern)).toEqual([true, 'nothing'])
    for (const field of ['d', 'dd']) expect(wants(`${field} MMMM`)).toEqual([false, 'day'])
    for (const pattern of ['MMMM yyyy', 'EEE yy', "'d H' yyyy"]) expect(wants(pattern)).toEqual([false, 'year'])
    expect([wants('EEEE MMMM'), wants('EEEE')]).toEqual([
      [false, 'other'],
      [false, 'nothing'],
    ])
  })

  test.each([
    ["d 'x", 'a quote is not closed'],
    ["'d", 'a quote is not closed'],
    ["'d'", 'it has no field such as d, MM or yyyy'],
    ['', 'it has no field such as d, MM or yyyy'],
    ['ddd', '"ddd" is none of the fields'],
    ['d x', '"x" is none of the fields'],
    ['toString', '"t" is none of the fields'],
  ])('is refused where it means nothing: %s', (pattern, message) => {
    expect(refusal(parseDatePattern(pattern))).toContain(message)
  })

  test.each([
    ['hh:mm', 'Write HH:mm, or add a: hh:mm a.'],
    ["d.M. h 'h'", "Write d.M. H 'h', or add a: d.M. h 'h' a."],
    ['h:mm:ss', 'Write H:mm:ss, or add a: h:mm:ss a.'],
  ])('is refused where its hours count to 12 and nothing says which half of the day it is: %s', (pattern, hint) => {
    const parsed = parseDatePattern(pattern)
    const message = 'h counts to 12, and nothing says which half of the day it is'
    expect(parsed).toEqual({ ok: false, message, hint })
    expect(readDatePattern(pattern).ok).toBe(true)
    expect(parseDatePattern(`${pattern} a`).ok).toBe(true)
  })

  test('writes what is in quotes as it is, and a pair of quotes as one', () => {
    expect(date('2026-01-05', "'d' d ''''yy 'it''s'")).toBe("d 5 '26 it's")
  })

  test('names every month and weekday in its place', () => {
    for (const tag of ['en', 'pl']) {
      const { months, monthsAlone = months, monthsShort, days, daysShort } = locale(tag)
      for (let month = 1; month <= 12; month++) {
        const day = `2026-${String(month).padStart(2, '0')}-05`
        expect(date(day, 'd|MMMM|MMM', tag)).toBe(`5|${months[month - 1]}|${monthsShort[month - 1]}`)
        expect(date(day, 'MMMM', tag)).toBe(monthsAlone[month - 1]!)
      }
      // The fifth of January 2026 was a Monday.
      for (let day = 0; day < 7; day++)
        expect(date(`2026-01-${String(5 + day).padStart(2, '0')}`, 'EEEE|EEE', tag)).toBe(
          `${days[day]}|${daysShort[day]}`,
        )
    }
  })
})

describe('a locale', () => {
  test.each([
    ['de', 'de'],
    ['DE', 'de'],
    ['de-AT', 'de-AT'],
    ['de_at', 'de-AT'],
    ['de-LU', 'de-LU'],
    ['de-QQ', 'none'],
    ['de-Latn-AT', 'de-AT'],
    ['es-419', 'es-419'],
    ['es-418', 'none'],
    ['pt-PT', 'pt-PT'],
    ['deu', 'none'],
    ['d', 'none'],
    ['de-', 'none'],
    ['de-A', 'none'],
    ['de-AT-1996', 'none'],
    ['xx', 'none'],
  ])('for %s is that of %s', (tag, found) => {
    expect(findLocale(tag)?.tag ?? 'none').toBe(found)
  })

  test('is the same object for the same tag, and its language fills what its region leaves', () => {
    expect(findLocale('de-CH')).toBe(findLocale('de-CH')!)
    expect(locale('de-CH').months).toEqual(locale('de').months)
    expect(locale('de-CH').group).not.toBe(locale('de').group)
    expect(localeTags().filter((tag) => !tag.includes('-')).length).toBe(
      localeTags().findIndex((tag) => tag.includes('-')),
    )
  })
})
